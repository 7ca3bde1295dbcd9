"""The input of a case as data: the opening, the words that the player types in each turn, and how they are put on lines."""

from random import Random
from typing import Final, NamedTuple

from ludoteca.core.judging import Case, Step, converse
from ludoteca.games.conclave import GAME


class Word(NamedTuple):
    """One answer that the player types, and the branches that decide the output after it."""

    text: str
    branches: frozenset[str] = frozenset()


Turn = tuple[Word, ...]


class Plan(NamedTuple):
    """The input of a case. The right output comes from Ludoteca's program."""

    seed: int
    wrong_players: tuple[int, ...]
    """Wrong answers to the question for the number of players, which the program refuses."""
    names: tuple[str, ...]
    opening: frozenset[str]
    """The branches that the output after the opening shows."""
    turns: tuple[Turn, ...]
    """The words of each complete turn."""
    rest: Turn
    """The words after the last turn. If the game is not over, they end it."""

    @property
    def branches(self) -> frozenset[str]:
        """All branches of the case."""
        return frozenset().union(*(about for _, about in lines_of(self)))

    def cut(self, turns: int) -> "Plan":
        """Return a plan with the first `turns` turns of this game, after which the player gives up."""
        return self._replace(turns=self.turns[:turns], rest=(GIVE_UP,))


GIVE_UP: Final = Word("F", frozenset(("abandoned",)))
ASKED: Final = frozenset(("prompts",))
NAMES: Final = ("ANNA", "BERNAT", "CARLA", "DAVID")
WITH_BLANKS: Final = ("Anna Maria", "J. M. P.")


def lines_of(plan: Plan) -> list[tuple[str, frozenset[str]]]:
    """Return the lines of the input, each with its line end, and the branches that decide the output after the line."""
    wrong = frozenset(("wrong-players",))
    head = [(str(plan.seed), ASKED)]
    head += [(str(number), wrong) for number in plan.wrong_players]
    head += [(text, ASKED) for text in (str(len(plan.names)), *plan.names)]
    head[-1] = (head[-1][0], plan.opening)
    body = [(word.text, word.branches) for turn in (*plan.turns, plan.rest) for word in turn]
    return [(f"{text}\n", branches) for text, branches in head + body]


def case_of(plan: Plan) -> Case:
    """Return the case of a plan, with the output of Ludoteca's program."""
    typed = lines_of(plan)
    said, status = converse(GAME, [], [line for line, _ in typed], {})
    branches = [ASKED, *(each for _, each in typed)]
    steps = tuple(Step(line, printed, about) for (line, printed), about in zip(said, branches, strict=True))
    return Case((), steps, status, turns=len(plan.turns), plan=plan)


def opening(random: Random, wanted: frozenset[str], players: int = 0, seed: int = -1) -> Plan:
    """Return a plan with an opening, after which the player gives up. It shows the wanted branches of the opening, and no
    other special situation.

    If `players` is 0 or `seed` is negative, it is chosen at random.
    """
    numbers = [number for number in (2, 3, 4) if f"players-{number}" in wanted] or [2, 2, 3, 4]
    players = players or random.choice(numbers)
    found = {"deck", "card", "generator", "shuffle", "hands", "board", "backs", "halves", f"players-{players}"}
    names = list(NAMES[:players])
    if seed < 0:
        seed = random.randrange(1 << 20)
        if "seed-large" in wanted:
            seed = random.randrange(1 << 31, 1 << 32)
            found.add("seed-large")
    wrong = [5, 1, random.choice((0, -1, 12, -2))] if "wrong-players" in wanted else []
    if "name-blanks" in wanted:
        names[random.randrange(players)] = random.choice(WITH_BLANKS)
        found.add("name-blanks")
    return Plan(seed, tuple(wrong), tuple(names), frozenset(found), (), (GIVE_UP,))
