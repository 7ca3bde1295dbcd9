"""The kinds of exports, what each of them can hold, and how it is written."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from ludoteca.core.judging import Case, Part
from ludoteca.judge.exports.domjudge import draft_of_2023_07, legacy
from ludoteca.judge.exports.mooshak import mooshak
from ludoteca.judge.exports.problem import ExportError, Problem
from ludoteca.judge.exports.vpl import vpl, vpl_asks


class Kind(NamedTuple):
    """A kind of export."""

    files: Callable[[Problem], dict[str, str | bytes]]
    """The files of a package, by their names in its folder."""
    asks: Callable[[Case], bool]
    """True for a case that the other judge can ask."""


def holds(kind: str, part: Part, case: Case) -> bool:
    """Return True if an export of that kind, one of KINDS, can hold a case.

    Other judges know one right answer to a case.
    """
    return part.problem(case, case.output) is None and KINDS[kind].asks(case)


def write_export(kind: str, problem: Problem, folder: Path) -> None:
    """Write an export of that kind, one of KINDS, into a new folder. Raises ExportError."""
    if not problem.cases:
        raise ExportError(f"{problem.title} has no case that a package can hold")
    try:
        folder.mkdir(parents=True, exist_ok=False)
    except FileExistsError:
        raise ExportError(f"{folder} is there already: expected the name of a new folder") from None
    except OSError as error:
        raise ExportError(f"{folder} cannot be made: {error.strerror}") from None
    try:
        for name, content in KINDS[kind].files(problem).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise ExportError(f"{folder} cannot be written: {error.strerror}") from None


def _succeeds(case: Case) -> bool:
    """True if our own program ends with status 0, which Mooshak and DOMjudge ask for."""
    return case.status == 0


def _succeeds_without_arguments(case: Case) -> bool:
    return _succeeds(case) and not case.arguments


KINDS: Final = {
    "mooshak": Kind(mooshak, _succeeds),
    "domjudge": Kind(legacy, _succeeds_without_arguments),
    "domjudge-2023-07": Kind(draft_of_2023_07, _succeeds_without_arguments),
    "vpl": Kind(vpl, vpl_asks),
}
"""The kinds by the names that the command takes."""
