"""The compiled parts that both losses share: the weights and their step sizes, the memory for games, and the start of a
duel.
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
"""The `travel` of a known weight. It is so large that no change moves the weight."""


class Fit(NamedTuple):
    """The weights, and the state of their steps: three numbers for each weight."""

    weights: Floats
    drift: Floats
    """The sum of the changes that positions required of the weight."""
    travel: Floats
    """The sum of their absolute values."""


class Memory(NamedTuple):
    """The memory of batches and duels. A game has at most MAX_MOVES positions."""

    states: RawPositions
    """STATES raw positions."""
    legal: Integers
    """MAX_LEGAL actions, or options of a policy."""
    worth: Integers
    """The heuristics' values of these actions."""
    sums: Floats
    """The mover's sum of weights after each action, or the probability of each option."""
    active: Integers
    """The active weights, by position and then by player, or by option."""
    ends: Integers
    """For each position and player, the end of their weights in `active`."""
    expected: Floats
    """For each position and player, the expected utility. The last row is for a position that is tried."""
    wanted: Floats
    """For each player, the lambda-return."""
    explored: Integers
    """For each position, 1 if an action of the turn was random. Always 0 for greedy players."""
    paid: Integers
    """Each player's utility at the end."""
    start: Words
    """The state of the random generator before a deal."""


def begin_duel(prepared: RawPositions, memory: Memory, rng: Words, seat: int) -> None:
    """Deal the game for seat 0, and the same again for each later seat."""
    for i in range(len(rng)):
        if seat == 0:
            memory.start[i] = rng[i]
        else:
            rng[i] = memory.start[i]
    memory.states[POSITION] = prepared[0]
    deal(memory.states[POSITION], rng)


def put_best_first(state: RawPosition, memory: Memory, n: int, width: int) -> None:
    """Put the best `width` of n actions by the heuristics first."""
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
    """Move a weight by `step`. If `coherent`, the step becomes shorter the more the earlier changes of this weight disagree.
    A known weight never moves.
    """
    weight = index(number)
    travel = fit.travel[weight]
    settles = coherent or travel >= SETTLED
    coherence = abs(fit.drift[weight]) / travel if settles and travel > 0.0 else 1.0
    fit.weights[weight] += step * coherence
    fit.drift[weight] += change
    fit.travel[weight] += abs(change)
