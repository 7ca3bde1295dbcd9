"""The search for a shorter failing case."""

from random import Random
from typing import Final, NamedTuple

from ludoteca.arena.programs.limits import Limits
from ludoteca.core.judging import Case, Part
from ludoteca.judge.programs import Judged
from ludoteca.judge.verdicts import Result, verdict_on


class Shrunk(NamedTuple):
    """A short case and the same verdict on it."""

    case: Case
    result: Result
    runs: int


class Effort(NamedTuple):
    """The length of the search. It counts runs, not seconds, so its result does not depend on the load."""

    runs: int = 120
    """The largest number of runs of the program."""
    turns: int = 0
    """A case of this many turns is short enough, in addition to one of the part's `shortest`."""


USUAL: Final = Effort()


def shrink(part: Part, best: Shrunk, program: Judged, limits: Limits, effort: Effort, *, excuses: bool) -> Shrunk:
    """Return the shortest case that is found with the same verdict. `excuses` is as for `verdict_on`."""
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
