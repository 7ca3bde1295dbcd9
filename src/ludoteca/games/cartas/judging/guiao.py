"""What the four guiões have in common: a number of tests, each some lines of input, answered one after the other."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from random import Random
from types import MappingProxyType
from typing import Final

from ludoteca.core.errors import NotationError
from ludoteca.core.judging import PUBLISHED, Case, Part, Step, converse
from ludoteca.core.spec import GameSpec
from ludoteca.games.cartas import GAME
from ludoteca.games.cartas.cards import PASSO, read
from ludoteca.games.cartas.judging.hands import IN_WORDS, JOINED, SPACED, in_short, plainly, ways
from ludoteca.games.cartas.text.guioes import TEST
from ludoteca.games.cartas.text.lines import PASSED

Test = tuple[str, ...]
"""The lines of one test."""
Plan = tuple[Test, ...]

TESTS: Final = 4
"""Tests of a case, at most."""
UNSORTED: Final = "unsorted"
"""The branch of cards that are not in order."""
FRESH: Final = 8
"""Other tests that are tried where one is to become smaller."""


class Guiao(Part, ABC):
    """A program that reads the number of tests, and then the tests."""

    name: str
    headed = True
    """True if the answer to a test begins with its number."""
    removable = frozenset((UNSORTED,))
    shortest = 0
    forms = (JOINED, SPACED, IN_WORDS)
    form_source = PUBLISHED
    alone: Mapping[str, int] = MappingProxyType({})
    """Branches that have cases of their own, and the number of tests of such a case."""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(branch.key for branch in self.branches)

    @abstractmethod
    def test(self, random: Random, key: str) -> Test:
        """A test that covers a branch."""

    @abstractmethod
    def covers(self, test: Test) -> set[str]:
        """The branches that decide the answer to a test."""

    @abstractmethod
    def blamed(self, test: Test, covered: set[str], wanted: Sequence[str], got: Sequence[str]) -> set[str]:
        """Return the branches that may decide the answer to a test, which covers some branches.

        Of a wrong answer, they are the branches that its lines may break. There are none if it has other words.
        """

    @abstractmethod
    def smaller(self, test: Test) -> Iterator[Test]:
        """Tests like this one, with a line or a card less."""

    @abstractmethod
    def fault(self, test: Test) -> str:
        """Return why no game can produce a test; empty if a game can."""

    def impossible(self, case: Case) -> str:
        return next(filter(None, map(self.fault, case.plan)), "")

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """A few tests, one for each of as many wanted branches."""
        keys = [key for key in self.keys if key in wanted] or [key for key in self.keys if key not in self.alone]
        chosen = random.sample(keys, min(TESTS, len(keys)))
        if single := [key for key in chosen if key in self.alone]:
            chosen = [single[0]] * self.alone[single[0]]
        return self.case_of(tuple(self.test(random, key) for key in chosen))

    def case_of(self, plan: Plan) -> Case:
        """The case of these tests, answered by our own program."""
        lines = [str(len(plan)), *chain.from_iterable(plan)]
        last, covered = 0, dict[int, frozenset[str]]()
        for test in plan:
            last += len(test)
            covered[last] = frozenset(self.covers(test))
        steps = (Step(f"{line}\n", "", covered.get(number, frozenset())) for number, line in enumerate(lines))
        return self.again(Case((), (Step("", ""), *steps), turns=len(plan), plan=plan), GAME)

    def again(self, case: Case, spec: GameSpec) -> Case:
        lines = [step.input for step in case.steps[1:]]
        said, status = converse(spec, [self.name], lines, case.files, may_crash=True)
        outputs = [output for _, output in said]
        last = "".join(outputs[len(case.steps) :])  # what is printed once there is nothing more to read
        outputs += [""] * (len(case.steps) - len(outputs))
        outputs = outputs[: len(case.steps)]
        outputs[-1] += last
        steps = tuple(step._replace(output=output) for step, output in zip(case.steps, outputs, strict=True))
        return Case(case.arguments, steps, status, case.files, case.turns, case.plan)

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """Single tests of the case and then several, as long as there is more than one; then other and smaller tests."""
        plan: Plan = case.plan
        yield from map(self.case_of, _parts(plan) if len(plan) > 1 else self._instead(plan[0], random))

    def _instead(self, test: Test, random: Random) -> Iterator[Plan]:
        """Smaller tests that are decided by some of the same branches."""
        covered = self.covers(test)
        keys = [key for key in self.keys if key in covered and key not in self.alone]
        fresh = [self.test(random, random.choice(keys)) for _ in range(FRESH if keys else 0)]
        plain = tuple(map(plainly, test))
        tried = {test}
        for other in (plain, *sorted(fresh, key=measure), *self.smaller(test)):
            if (
                other not in tried
                and measure(other) < measure(test)
                and not self.fault(other)
                and self.covers(other) & covered
            ):
                tried.add(other)
                yield (other,)

    def decisive(self, case: Case, step: int, output: str) -> frozenset[str]:
        """The branches that may decide the answer to the test that the step ends."""
        wanted, got = case.steps[step].output.splitlines(), output.splitlines()
        ends = [number for number, each in enumerate(case.steps) if each.output]
        number = ends.index(step)
        test: Test = case.plan[number]
        if self.headed:
            if number and wanted[0] in got[1:] and got[0] != wanted[0]:  # the answer to the test before has more lines
                return self.decisive(case, ends[number - 1], case.steps[ends[number - 1]].output + output)
            if got[:1] != wanted[:1]:
                return frozenset()
            end = next((at for at, line in enumerate(got) if line == TEST.format(number + 2)), len(got))
            wanted, got = wanted[1:], got[1:end]
        else:
            following = [each.output.rstrip("\n") for each in case.steps[step + 1 :] if each.output]
            if not got or (got[0] != wanted[0] and got == following):  # no line for this test
                return frozenset()
            got = got[:1]
        found = self.blamed(test, {*case.steps[step].branches} - {UNSORTED}, wanted, got)
        return frozenset(found | ways(test) if found - {"cards-ascending"} else found)

    def gloss(self, line: str) -> str:
        return in_short(line)


def cards_of(line: str) -> int | None:
    """The cards in a line that a program printed, PASSED for PASSO or no card; None if the line is something else."""
    try:
        return PASSED if line == PASSO else read(line)[0]
    except NotationError:
        return None


def measure(test: Test) -> tuple[int, int, int]:
    """How long a test is: its lines, its characters, and how many lines are not written plainly."""
    return len(test), sum(map(len, test)), sum(line != plainly(line) for line in test)


def _parts(plan: Plan) -> Iterable[Plan]:
    """The tests one by one, the shortest first, and then several of them."""
    yield from ((test,) for test in sorted(plan, key=measure))
    if len(plan) <= TESTS:
        for number in range(2, len(plan)):
            yield from combinations(plan, number)
    else:
        yield plan[: len(plan) // 2]
        yield plan[len(plan) // 2 :]
