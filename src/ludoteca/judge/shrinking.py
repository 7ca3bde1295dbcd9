"""Searches for a shorter case in which a program fails with the same verdict."""

from random import Random
from typing import Final, NamedTuple

from ludoteca.arena.programs.limits import Limits
from ludoteca.core.judging import Case, Part
from ludoteca.judge.programs import Judged
from ludoteca.judge.verdicts import Result, verdict_on


class Shrunk(NamedTuple):
    """A short case, the result of the program in it, and the number of runs that were used to find it."""

    case: Case
    result: Result
    runs: int


class Effort(NamedTuple):
    """The limits of the search. They count runs of the program, not seconds, so that the found case does not depend on the
    speed of the machine.
    """

    runs: int = 120
    """The largest number of runs of the program."""
    turns: int = 0
    """The search ends at a case with at most this many turns, or with at most the part's `shortest`."""


USUAL: Final = Effort()


def shrink(part: Part, best: Shrunk, program: Judged, limits: Limits, effort: Effort, *, excuses: bool) -> Shrunk:
    """Search for a shorter case than that of `best` with the same verdict, and return the shortest that was found. With
    `excuses`, lines that belong to another subject than that of the case may be wrong (`verdict_on`).
    """
    random, tried = Random(0), 0
    while best.case.turns > max(effort.turns, part.shortest):
        for candidate in part.shorter(best.case, random):
            if tried == effort.runs:
                return best._replace(runs=tried)
            if part.takes(candidate):
                tried += 1
                found = verdict_on(part, candidate, program.run(candidate), limits, excuses=excuses)
                if found.verdict == best.result.verdict:
                    best = Shrunk(candidate, found, tried)
                    break
        else:
            break
    return best._replace(runs=tried)
