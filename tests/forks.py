"""Servers in processes of their own that begin with everything imported: each is a copy of one that has done that once.

Such a start costs a second of processor time less than a shell's; the tests of the command start it as a shell does.
"""

import os
import sys
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

_FORKING: Final = get_context("forkserver")
# the main program of the tests too, or every process would run it anew; the server's modules, and so what they import
_FORKING.set_forkserver_preload(["__main__", "tests.forks", "ludoteca.cli.serve", "ludoteca.server.app"])


def start(function: Callable[..., None], *arguments: object) -> BaseProcess:
    """A process that calls a function of a module with these arguments, and ends."""
    process = _FORKING.Process(target=function, args=arguments)
    process.start()
    return process


def ludoteca(*arguments: str, errors: Path) -> BaseProcess:
    """`ludoteca` with these arguments; what it prints is lost, and its errors are added to a file."""
    return start(_ludoteca, arguments, errors)


def _ludoteca(arguments: tuple[str, ...], errors: Path) -> None:
    from ludoteca.cli import main

    for number, file in ((0, Path(os.devnull)), (1, Path(os.devnull)), (2, errors)):
        with file.open("r" if number == 0 else "a") as opened:
            os.dup2(opened.fileno(), number)
    sys.argv[1:] = arguments
    main()
