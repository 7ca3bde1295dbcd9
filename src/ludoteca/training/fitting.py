"""The compiled code that both kinds of training share (`selfplay` and `imitation`): weights and how they change, the working
memory for games, and the start of a game between two players' weights.
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from ludoteca.core.contract import Floats, Integers, RawPosition, RawPositions, Words, i64, index

if TYPE_CHECKING:
    from ludoteca.core.contract import action_values, deal

POSITION: Final = 0
DEAL: Final = 1
AFTER: Final = 2
BLANK: Final = 3
"""Indices of `Memory.states`: the game's position, a deal of it for the mover, the position after an action, and zeros."""
STATES: Final = 4
LOWEST: Final = -1e30
SETTLED: Final = 1e30
"""The `travel` of a weight that the game knows. It is so large that the weight never changes."""


class Fit(NamedTuple):
    """The weights, and two more numbers for each weight, which decide the size of its steps."""

    weights: Floats
    drift: Floats
    """For each weight, the sum of the changes that positions have required of it."""
    travel: Floats
    """For each weight, the sum of the absolute values of these changes."""


class Memory(NamedTuple):
    """The working memory of games for learning and of duels. A game has at most MAX_MOVES positions."""

    states: RawPositions
    """STATES raw positions."""
    legal: Integers
    """Room for MAX_LEGAL actions, or for the options of a policy."""
    worth: Integers
    """The heuristics' values of these actions."""
    sums: Floats
    """The mover's sum of weights after each action, or the probability of each option."""
    active: Integers
    """The numbers of the active weights, sorted by position and then by player, or by option."""
    ends: Integers
    """For each position and player, the index in `active` after the last of their numbers."""
    expected: Floats
    """For each position and player, the expected utility. The last row is for the position after an action that is tried."""
    wanted: Floats
    """For each player, the utility that a position should have predicted (the lambda-return)."""
    explored: Integers
    """For each position, 1 if an action of its turn was random. It is always 0 for greedy players."""
    paid: Integers
    """Each player's utility at the end."""
    start: Words
    """The state of the random generator before a deal."""


def begin_duel(prepared: RawPositions, memory: Memory, rng: Words, seat: int) -> None:
    """Deal a game into the working memory: a new deal if `seat` is 0, else the same deal as for seat 0."""
    for i in range(len(rng)):
        if seat == 0:
            memory.start[i] = rng[i]
        else:
            rng[i] = memory.start[i]
    memory.states[POSITION] = prepared[0]
    deal(memory.states[POSITION], rng)


def put_best_first(state: RawPosition, memory: Memory, n: int, width: int) -> None:
    """Move the best `width` of the n actions in `legal` to its front, sorted by the values of the game's heuristics."""
    legal, worth = memory.legal, memory.worth
    action_values(state, legal, n, worth)
    for i in range(width):
        best = i64(i)
        for j in range(i + 1, n):
            if worth[index(j)] > worth[index(best)]:
                best = i64(j)
        legal[index(i)], legal[index(best)] = legal[index(best)], legal[index(i)]
        worth[index(i)], worth[index(best)] = worth[index(best)], worth[index(i)]


def move_weight(fit: Fit, number: int, change: float, step: float, coherent: bool) -> None:
    """Add `step` to a weight, and record the change that a position required of it.

    If `coherent`, the step becomes shorter the more the earlier changes of this weight disagree in their sign. A weight that
    the game knows never moves.
    """
    weight = index(number)
    travel = fit.travel[weight]
    settles = coherent or travel >= SETTLED
    coherence = abs(fit.drift[weight]) / travel if settles and travel > 0.0 else 1.0
    fit.weights[weight] += step * coherence
    fit.drift[weight] += change
    fit.travel[weight] += abs(change)
