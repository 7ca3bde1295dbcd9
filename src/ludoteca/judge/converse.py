"""Our own program of a document, run in this process, line by line."""

from collections.abc import Iterable, Mapping
from typing import cast

from ludoteca.core.console import Console, ConsoleProgram
from ludoteca.core.errors import LudotecaError
from ludoteca.core.spec import GameSpec


def converse(
    spec: GameSpec, arguments: list[str], lines: Iterable[str], files: Mapping[str, str]
) -> tuple[list[tuple[str, str]], int]:
    """The lines that our program read, each with what it printed then, and its exit status.

    The first pair has no line: it holds what was printed before anything was read. Lines have their ends; those that are
    left when the program ends are not read, and do not come back.
    """

    def read_file(name: str) -> str:
        if name not in files:
            raise FileNotFoundError(name)
        return files[name]

    io = Console(spec.language)
    program = cast(ConsoleProgram, spec.module("console"))
    session = program.session(io, arguments, read_file)
    left, read, said = iter(lines), "", list[tuple[str, str]]()
    try:
        next(session)
        while True:
            said.append((read, io.printed()))
            line = next(left, None)
            read = line or ""
            session.send(line)
    except StopIteration as end:
        return [*said, (read, io.printed())], int(end.value)
    except LudotecaError:
        return [*said, (read, io.printed())], 1
