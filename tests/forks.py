"""Processes that begin with all modules imported: each is a copy of a process that has imported them.

Such a start costs half a second of processor time less than a shell's, and a second less where rules are compiled or a
server starts; the tests of the command start it as a shell does.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from tests.processes import PATIENCE

_FORKING: Final = get_context("forkserver")
# the main program of the tests too, or every process would run it again. The modules of servers and compilers with theirs
_FORKING.set_forkserver_preload(["__main__", "tests.forks", "tests.numbas", "ludoteca.cli.serve", "ludoteca.server.app"])


def start(function: Callable[..., None], *arguments: object) -> BaseProcess:
    """A process that calls a function of a module with these arguments, and ends."""
    process = _FORKING.Process(target=function, args=arguments)
    process.start()
    return process


def connected(
    function: Callable[..., None],
    *arguments: object,
    streams: tuple[int, int, int],
    **environment: str,
) -> BaseProcess:
    """Such a process with its three streams connected with these descriptors, and with these names in its environment."""
    handed = [Connection(os.dup(stream)) for stream in streams]  # these know how to go into another process
    try:
        return start(_connected, handed, os.environ | environment, Path.cwd(), function, arguments)
    finally:
        for stream in handed:
            stream.close()


def _connected(
    handed: "list[Connection]",
    environment: dict[str, str],
    folder: str,
    function: Callable[..., None],
    arguments: tuple[object],
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    errors = sys.__stdin__.errors if sys.__stdin__ else None
    how = ("r", errors), ("w", errors), ("w", "backslashreplace")
    for number, (name, stream) in enumerate(zip(("stdin", "stdout", "stderr"), handed, strict=True)):
        os.dup2(stream.fileno(), number)
        stream.close()
        opened = open(number, how[number][0], encoding="utf-8", errors=how[number][1], closefd=False)  # noqa: SIM115
        vars(sys).update({name: opened, f"__{name}__": opened})
    function(*arguments)


def completed(
    function: Callable[..., None], *arguments: object, typed: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    """The output of a function in such a process, and its end. Its environment has these names, too."""
    with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as told:
        read.write(typed.encode())
        read.seek(0)
        streams = read.fileno(), printed.fileno(), told.fileno()
        process = connected(function, *arguments, streams=streams, **environment)
        process.join(PATIENCE)
        assert process.exitcode is not None, "it hangs"
        out, err = (os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode() for file in (printed, told))
    return subprocess.CompletedProcess(function.__name__, process.exitcode, out, err)


def ludoteca(*arguments: str, errors: Path) -> BaseProcess:
    """`ludoteca` with these arguments. Its output is lost, and its errors are added to a file."""
    with Path(os.devnull).open("r+") as nothing, errors.open("a") as told:
        return connected(run, *arguments, streams=(nothing.fileno(), nothing.fileno(), told.fileno()))


def run(*arguments: str) -> None:
    """`ludoteca` with these arguments in this process."""
    from ludoteca.cli import main

    sys.argv[1:] = arguments
    main()
