"""What is typed in a case: the opening, the words of each turn, and how they are put on lines."""

from random import Random
from typing import Final, NamedTuple

from ludoteca.core.judging import Case, Step, converse
from ludoteca.games.conclave import GAME


class Word(NamedTuple):
    """An answer, and the branches that decide what is printed after it."""

    text: str
    branches: frozenset[str] = frozenset()


Turn = tuple[Word, ...]


class Plan(NamedTuple):
    """All that makes a case. What is printed comes from the program."""

    seed: int
    wrong_players: tuple[int, ...]
    """Numbers of players that are refused."""
    names: tuple[str, ...]
    opening: frozenset[str]
    """The branches of the opening."""
    turns: tuple[Turn, ...]
    """Whole turns."""
    rest: Turn
    """What is typed after them, and ends the game if it is not over."""
    packing: str = "answers"
    """`answers`: one a line; `turns`: those of a turn on one line; `line`: all on one line."""

    @property
    def branches(self) -> frozenset[str]:
        """All that it reaches."""
        return frozenset().union(*(about for _, about in lines_of(self)))

    def cut(self, turns: int) -> "Plan":
        """The same game given up after some turns."""
        return self._replace(turns=self.turns[:turns], rest=(GIVE_UP,))


GIVE_UP: Final = Word("F", frozenset(("abandoned",)))
ASKED: Final = frozenset(("prompts",))
NAMES: Final = ("ANNA", "BERNAT", "CARLA", "DAVID")
WITH_BLANKS: Final = ("Anna Maria", "  BERNAT", "de la CREU ", "J. M. P.")


def lines_of(plan: Plan) -> list[tuple[str, frozenset[str]]]:
    """The lines that are typed, with their ends, and the branches that decide what follows each."""
    wrong = frozenset(("wrong-players",))
    head = [(str(plan.seed), ASKED)]
    head += [(str(number), wrong) for number in plan.wrong_players]
    head += [(text, ASKED) for text in (str(len(plan.names)), *plan.names)]
    head[-1] = (head[-1][0], plan.opening)
    groups = [*plan.turns, plan.rest] if plan.rest else [*plan.turns]
    if plan.packing == "answers":
        groups = [(word,) for group in groups for word in group]
    elif plan.packing == "line":
        groups = [tuple(word for group in groups for word in group)]
    body = [(" ".join(word.text for word in group), _union(group)) for group in groups]
    return [(f"{text}\n", branches) for text, branches in head + body]


def _union(words: Turn) -> frozenset[str]:
    return frozenset().union(*(word.branches for word in words))


def case_of(plan: Plan) -> Case:
    """The case, with what our program prints in it."""
    typed = lines_of(plan)
    said, status = converse(GAME, [], [line for line, _ in typed], {})
    branches = [ASKED, *(each for _, each in typed)]
    steps = tuple(Step(line, printed, about) for (line, printed), about in zip(said, branches, strict=True))
    return Case((), steps, status, turns=len(plan.turns), plan=plan)


def opening(random: Random, wanted: frozenset[str], players: int = 0, seed: int = -1) -> Plan:
    """The opening of a game, without a turn: with what is wanted of it, else plain."""
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
    elif "name-empty" in wanted:
        names[random.randrange(players)] = ""
        found.add("name-empty")
    return Plan(seed, tuple(wrong), tuple(names), frozenset(found), (), (GIVE_UP,))
