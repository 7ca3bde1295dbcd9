"""The kinds of exports: which cases each kind can contain, and the files that it writes."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from ludoteca.core.errors import explained
from ludoteca.core.judging import Case, Part
from ludoteca.judge.exports.checker import checker
from ludoteca.judge.exports.domjudge import domjudge
from ludoteca.judge.exports.mooshak import mooshak
from ludoteca.judge.exports.problem import ExportError, Problem
from ludoteca.judge.exports.vpl import vpl, vpl_asks

CHECKER: Final = "checker"


class ExportKind(NamedTuple):
    """A kind of export."""

    files: Callable[[Problem], dict[str, str | bytes]]
    """Returns the files of a package by their names in its folder. A package of one file has an empty name."""
    asks: Callable[[Case], bool]
    """Returns True for a case that the other judge is able to run."""


def holds(kind: str, part: Part, case: Case) -> bool:
    """Return True if an export of the given kind, a key of KINDS, can contain a case. Cases with several right outputs
    cannot be exported, because other judges and the checker compare with one right output.
    """
    return part.problem(case, case.output) is None and KINDS[kind].asks(case)


def write_export(kind: str, problem: Problem, path: Path) -> None:
    """Write an export of the given kind, a key of KINDS, to `path`, a new folder or file.

    Raises ExportError if the problem has no cases, if `path` exists, or if `path` cannot be written.
    """
    if not problem.cases:
        raise ExportError(f"{problem.title} has no case that a package can hold")
    if path.exists():
        raise ExportError(f"{path} is there already: expected a new name")
    with explained(f"{path} cannot be written", ExportError):
        for name, content in KINDS[kind].files(problem).items():
            file = path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)


KINDS: Final = {
    "mooshak": ExportKind(mooshak, lambda case: case.status == 0),
    "domjudge": ExportKind(domjudge, lambda case: case.status == 0 and not case.arguments),
    "vpl": ExportKind(vpl, vpl_asks),
    CHECKER: ExportKind(checker, lambda _: True),
}
"""The kinds by the names in the command. In Mooshak and DOMjudge, the right program must end with status 0."""
