"""The judge of the document's program: it makes the cases that test other people's programs.

A case is a whole run of the program: from the seed to the winner, or until the player gives up. `core.judging` explains
cases, branches (decisions of the document that a case tests) and plans (the data from which a case is made). Words in this
package: a *word* is one thing that the player types. The *opening* is the words before the first turn: the seed, the number
of players and their names. A *walk* plays a game that aims at wanted branches, and returns its plan (`walks`). In the game,
an *emissary* is a card that a player sends to an empty cell (a *hole*), and wizards in its lines who *follow* it leave the
board. To *cede* is to give all followers of one *magic*, which is a colour of cards, to another player. `outcomes` finds the
branches of a move before it is played.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from ludoteca.core.judging import PUBLISHED, Case, Part
from ludoteca.games.conclave.judging import branches
from ludoteca.games.conclave.judging.ends import DEAD_END, TIED, whole
from ludoteca.games.conclave.judging.lines import suspects
from ludoteca.games.conclave.judging.plans import Plan, case_of, opening
from ludoteca.games.conclave.judging.walks import ANYHOW, GREEDY, PEACEFUL, Walk

TRIED: Final = 30
"""The largest number of games to try for a case, until one of them reaches the branch at which the case aims."""
SHORT: Final = 3
"""The usual number of turns after which a game is given up. It is longer if the case aims at a branch that needs more."""
LONG: Final = 12
"""A number of turns in which one of the piles can become empty."""
MOST: Final = 99
"""A number of turns that no game exceeds."""
OTHERS: Final = 12
"""To shorten a case, this many other games of each length are tried."""


class Program(Part):
    """The document's program, the only part of this game for the judge."""

    branches = branches.BRANCHES
    form_source = PUBLISHED

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        """Return a case that aims at one of the wanted branches: a game of at most three turns, unless this branch needs
        more.
        """
        aim = random.choice(sorted(wanted)) if wanted else ""
        return case_of(_best(random, wanted, aim))

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """Yield cases that may be shorter: the same game with fewer turns, other games that aim at the same branches, and
        whole games with fewer turns.
        """
        plan: Plan = case.plan
        for turns in range(min(case.turns, SHORT + 2)):
            yield case_of(plan.cut(turns))
            others = (_walk(random, case.branches, turns, random.choice((ANYHOW, PEACEFUL))) for _ in range(OTHERS))
            yield from (case_of(other.finished()) for other in others)
            for aim in sorted(case.branches & branches.CESSION) if turns == SHORT else ():
                yield from (case_of(_ceding(random, frozenset((aim,)), aim)) for _ in range(OTHERS // 2))
        aims = [sorted(case.branches & rare)[:1] for rare in (branches.LATE, branches.EMPTYING, branches.LAST)]
        long = [_game(random, frozenset(aim), *aim) for aim in aims if aim for _ in range(OTHERS // 2)]
        for other in sorted(long, key=lambda other: len(other.turns)):
            if len(other.turns) < case.turns:
                yield case_of(other)
        yield from (case_of(plan.cut(turns)) for turns in range(SHORT + 2, case.turns))

    def decisive(self, case: Case, step: int, output: str) -> frozenset[str]:
        return suspects(case, step, output)

    def impossible(self, case: Case) -> str:
        """Return the reason why the document allows no such input, or an empty text if there is none.

        The seed has to fit 32 bits (section 7.5.1), there are two to four players (section 1), and names have to be in
        ASCII.
        """
        plan: Plan = case.plan
        if not 0 <= plan.seed < 1 << 32 or len(plan.names) not in (2, 3, 4):
            return f"seed {plan.seed} with {len(plan.names)} players"
        return "" if "".join(plan.names).isascii() else "a name is not in ASCII"


PARTS: Final[dict[str, Part]] = {"": Program()}


def _best(random: Random, wanted: frozenset[str], aim: str) -> Plan:
    """Return the first random game that reaches the branch `aim`, or the last game if none of TRIED games does."""
    for _ in range(TRIED):
        plan = _game(random, wanted, aim)
        if not aim or aim in plan.branches:
            break
    return plan


def _game(random: Random, wanted: frozenset[str], aim: str) -> Plan:
    """Return a random game that is likely to reach the branch `aim`, and other wanted branches if possible."""
    if aim == "winner-tie":
        return _tied(random, wanted)
    if aim == "dead-end":
        seed, turns = DEAD_END
        walk = Walk(opening(random, wanted, 2, seed), wanted, random)
        for place, cell in turns:
            walk.turn((place, cell, random.randrange(2)))
    elif aim in branches.END | branches.LAST | branches.CUT:
        walk = _walk(random, wanted | branches.LONG_GAME, MOST, GREEDY)
    elif aim in branches.EMPTYING:
        walk = _walk(random, wanted, LONG, GREEDY, 0, aim)
    elif aim in branches.CRISIS:
        walk = _walk(random, wanted, SHORT + 1, PEACEFUL)
    elif aim in branches.LATE:
        walk = _walk(random, wanted, LONG, GREEDY, None, aim)
    elif aim in branches.CESSION:
        return _ceding(random, wanted, aim)
    else:
        walk = _walk(random, wanted, SHORT, random.choice((ANYHOW, PEACEFUL)), None, aim)
    return walk.finished()


def _walk(random: Random, wanted: frozenset[str], turns: int, manner: int, pile: int | None = None, aim: str = "") -> Walk:
    """Play at most `turns` turns of a random game. If there is an `aim`, play a few turns, and then only until the game
    reaches this branch.

    `manner` is the choice between equally good moves, and `pile` the pile to draw from, or None for any (see `walks`).
    """
    walk = Walk(opening(random, wanted), wanted, random, manner, pile)
    least = random.randrange(SHORT) if aim else turns
    while len(walk.turns) < turns and not walk.over and (len(walk.turns) < least or aim not in walk.reached):
        walk.turn()
    return walk


def _ceding(random: Random, wanted: frozenset[str], aim: str) -> Plan:
    """Return a game of two players that aims at a branch about ceding. The first player wins followers in the first turn,
    and so may cede them in the third.
    """
    for _ in range(TRIED):
        walk = Walk(opening(random, wanted, 2), wanted | {"emissary-stays"}, random)
        walk.turn()
        if "emissary-stays" in walk.reached:
            break
    while len(walk.turns) < SHORT + (aim == "cession-back") and aim not in walk.reached:
        walk.turn()
    return walk.finished()


def _tied(random: Random, wanted: frozenset[str]) -> Plan:
    """Return a whole game at the end of which several players have the fewest points."""
    players, seed = random.choice(TIED)
    return whole(opening(random, wanted, players, seed)).finished()
