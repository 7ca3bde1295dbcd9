"""Processes that start with all modules imported: each is a copy of a process that has imported them.

Such a start saves half a second of processor time, and a second if rules are compiled or a server starts. The tests of the
command itself start it from a shell.
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
# without `__main__`, every process would run the main program of the tests again
_FORKING.set_forkserver_preload(["__main__", "tests.forks", "tests.numbas", "ludoteca.cli.serve", "ludoteca.server.app"])


def start(function: Callable[..., None], *arguments: object) -> BaseProcess:
    """Start a process that calls a function of a module with these arguments, and ends."""
    process = _FORKING.Process(target=function, args=arguments)
    process.start()
    return process


def connected(
    function: Callable[..., None],
    *arguments: object,
    streams: tuple[int, int, int],
    **environment: str,
) -> BaseProcess:
    """Start such a process. Its three streams are these descriptors, and its environment also has these names."""
    handed = [Connection(os.dup(stream)) for stream in streams]  # a connection can be passed to another process
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
    """Run a function in such a process. Return its exit status and output. Its environment also has these names."""
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
    """Start `ludoteca` with these arguments. Its output is dropped, and its errors are added to a file."""
    with Path(os.devnull).open("r+") as nothing, errors.open("a") as told:
        return connected(run, *arguments, streams=(nothing.fileno(), nothing.fileno(), told.fileno()))


def run(*arguments: str) -> None:
    """Run `ludoteca` with these arguments in this process."""
    from ludoteca.cli import main

    sys.argv[1:] = arguments
    main()
