"""Run the documents' programs in this process."""

from collections.abc import Callable, Iterable
from io import StringIO
from typing import NamedTuple

from ludoteca.core import console, registry


class Run(NamedTuple):
    """The exit status, the output and the errors of a program."""

    status: int
    text: str
    complaints: list[str]

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def no_file(name: str) -> str:
    raise FileNotFoundError(name)


def run(game: str, typed: str | Iterable[str], *arguments: str, read_file: Callable[[str], str] = no_file) -> Run:
    """Run a program to its end. `typed` is a text or its lines."""
    lines, printed, complaints = iter(StringIO(typed, newline="\n") if isinstance(typed, str) else typed), [""], list[str]()
    status = console.run(
        registry.find(game), list(arguments), read_file, lambda: next(lines, ""), printed.append, complaints.append
    )
    return Run(status, "".join(printed), complaints)
