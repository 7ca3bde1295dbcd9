"""The common part of the four guiões: a number of tests, each with some lines of input and an answer."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, combinations, pairwise
from random import Random
from types import MappingProxyType
from typing import Final

from ludoteca.core.errors import NotationError
from ludoteca.core.judging import PUBLISHED, Case, Part, Step, converse
from ludoteca.games.cartas import GAME
from ludoteca.games.cartas.cards import PASSO, read
from ludoteca.games.cartas.judging.hands import IN_WORDS, JOINED, SPACED, in_short, plainly, ways
from ludoteca.games.cartas.text.guioes import TEST
from ludoteca.games.cartas.text.lines import PASSED

Test = tuple[str, ...]
"""The lines of one test."""
Plan = tuple[Test, ...]

TESTS: Final = 4
"""The largest number of tests in a case."""
UNSORTED: Final = "unsorted"
"""The branch of cards that are not in order."""
FRESH: Final = 8
"""The number of other tests to try instead of a test."""


class Guiao(Part, ABC):
    """A program that reads the number of tests, and then the tests."""

    name: str
    whole: str
    """A branch of the sentence that says what the program does."""
    headed = True
    """True if the answer to a test begins with its number."""
    shortest = 0
    forms = (JOINED, SPACED, IN_WORDS)
    form_source = PUBLISHED
    alone: Mapping[str, int] = MappingProxyType({})
    """Branches with separate cases, and the number of tests in such a case."""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(branch.key for branch in self.branches if branch.least)

    @abstractmethod
    def test(self, random: Random, key: str) -> Test:
        """Return a test that covers a branch, or has an extra."""

    def tests(self, random: Random, key: str) -> Plan:
        """Return tests that cover a branch, or have an extra. Usually this is one test. An extra about neighbouring tests
        needs two.
        """
        return (self.test(random, key),)

    @abstractmethod
    def has(self, test: Test, before: Test | None) -> Mapping[str, bool]:
        """Return for each extra whether a test has it. `before` is the previous test, because a program may wrongly keep
        data of it.
        """

    @abstractmethod
    def covers(self, test: Test) -> set[str]:
        """Return the branches that decide the answer to a test."""

    @abstractmethod
    def blamed(self, test: Test, covered: set[str], wanted: Sequence[str], got: Sequence[str]) -> set[str]:
        """Return the branches that a program may have read wrongly to print a wrong answer. Empty if the answer is no text
        that a test can have.

        `covered` are the branches that decide the right answer. `wanted` are the lines of the right answer, and `got` those
        of the program.
        """

    @abstractmethod
    def smaller(self, test: Test) -> Iterator[Test]:
        """Yield tests like this one with a line or a card less."""

    @abstractmethod
    def fault(self, test: Test) -> str:
        """Return why no game can produce a test. Empty if a game can."""

    def impossible(self, case: Case) -> str:
        return next(filter(None, map(self.fault, case.plan)), "")

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """Return a case of a few tests. Each covers a wanted branch, or has a wanted extra."""
        every = [*(branch.key for branch in self.branches), *self.extras]
        keys = [key for key in every if key in wanted] or [key for key in self.keys if key not in self.alone]
        chosen = random.sample(keys, min(TESTS, len(keys)))
        if single := [key for key in chosen if key in self.alone]:
            return self.case_of(tuple(self.test(random, single[0]) for _ in range(self.alone[single[0]])))
        return self.case_of(tuple(chain.from_iterable(self.tests(random, key) for key in chosen))[:TESTS])

    def case_of(self, plan: Plan) -> Case:
        """Return the case of these tests, with the output of our program."""
        lines = [str(len(plan)), *chain.from_iterable(plan)]
        ends = accumulate(map(len, plan))
        covered = {end: frozenset(self.covers(test)) for end, test in zip(ends, plan, strict=True)}
        said, status = converse(GAME, [self.name], [f"{line}\n" for line in lines], {})
        outputs = [output for _, output in said]
        outputs[len(lines) :] = ["".join(outputs[len(lines) :])]  # with the output at the end of the input
        steps = (Step(f"{line}\n", outputs[at], covered.get(at - 1, frozenset())) for at, line in enumerate(lines, 1))
        pairs = zip(plan, (None, *plan), strict=False)
        extras = frozenset(key for test, before in pairs for key, has in self.has(test, before).items() if has)
        return Case((), (Step("", outputs[0]), *steps), status, turns=len(plan), plan=plan, extras=extras)

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """Yield single tests of the case and then several of them, or for a single test other and smaller tests."""
        plan: Plan = case.plan
        yield from map(self.case_of, _parts(plan) if len(plan) > 1 else self._instead(plan[0], random))

    def _instead(self, test: Test, random: Random) -> Iterator[Plan]:
        """Yield smaller tests with some of the same branches."""
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
        """Return the branches that may decide the answer to the test that ends with this step."""
        wanted, got = case.steps[step].output.splitlines(), output.splitlines()
        ends = [number for number, each in enumerate(case.steps) if each.output]
        number = ends.index(step)
        test: Test = case.plan[number]
        if self.headed:
            if number and wanted[0] in got[1:] and got[0] != wanted[0]:  # the answer to the previous test has more lines
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
        if len(case.plan) == 2 and number:  # a case is made shorter to one test, unless the program keeps something of it
            return frozenset((self.whole,))
        found = self.blamed(test, {*case.steps[step].branches} - {UNSORTED}, wanted, got)
        return frozenset(found | ways(test) if found - {"cards-ascending"} else found)

    def gloss(self, line: str) -> str:
        return in_short(line)


def cards_of(line: str) -> int | None:
    """Return the cards in a line of output, PASSED for PASSO or no card, or None for other text."""
    try:
        return PASSED if line == PASSO else read(line)[0]
    except NotationError:
        return None


def measure(test: Test) -> tuple[int, int, int]:
    """Return the size of a test: its lines, its characters, and the number of lines that are not in plain form."""
    return len(test), sum(map(len, test)), sum(line != plainly(line) for line in test)


def _parts(plan: Plan) -> Iterable[Plan]:
    """Yield plans with a single test, the shortest first, and then plans with several tests, neighbours first."""
    yield from ((test,) for test in sorted(plan, key=measure))
    yield from pairwise(plan) if len(plan) > 2 else ()
    if len(plan) <= TESTS:
        for number in range(2, len(plan)):
            yield from combinations(plan, number)
    else:
        yield plan[: len(plan) // 2]
        yield plan[len(plan) // 2 :]
