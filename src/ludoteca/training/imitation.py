"""Learning of a policy (`core.contract.PolicyOptions`) from the actions of other players. `training.policies` calls it,
compiled.

The method is softmax regression: after each decision, the weights of the chosen option go up, and those of the other options
go down in proportion to their probability. A weight whose changes have different signs gets smaller steps, as
`fitting.move_weight` explains.
"""

import math
from typing import TYPE_CHECKING

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import Floats, Integers, RawPositions, Words, i64, index
from ludoteca.search.tree import utilities
from ludoteca.training.fitting import LOWEST, POSITION, Fit, Memory, begin_duel, move_weight, put_best_first

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        apply,
        current_player,
        is_terminal,
        list_options,
        option_of,
    )


def learn(memory: Memory, action: int, fit: Fit, rate: float, errors: Floats) -> None:
    """Learn from an action that was played in the position in `memory`, if the position has several options. `rate` is the
    size of a step.

    The squared difference of the action's probability from 1 is added to errors[0], and 1 is added to errors[1].
    """
    state = memory.states[POSITION]
    count = list_options(state, memory.legal, memory.active)
    taken = option_of(state, action, memory.legal, count)
    if count < 2 or taken < 0:
        return
    _weigh(memory, fit, count)
    room = len(memory.active) // len(memory.legal)
    for option in range(count):
        change = (1.0 if option == taken else 0.0) - memory.sums[index(option)]
        for i in range(option * room, (option + 1) * room):
            if memory.active[index(i)] >= 0:
                move_weight(fit, i64(memory.active[index(i)]), change, rate / room * change, True)
    lacks = 1.0 - memory.sums[index(taken)]
    errors[0] += lacks * lacks
    errors[1] += 1.0


def duel(
    prepared: RawPositions, memory: Memory, rng: Words, one: Fit, plain: bool, other: Fit, greedy: bool, out: Integers
) -> None:
    """Play one deal once for every seat. In that seat is a player with the weights `one`, and in all other seats are players
    with the weights `other`. All play their most probable option.

    If `plain`, the first player instead plays the best action by the game's heuristics, and if `greedy`, the others do. The
    utility of the first player in each game is written to `out`. A win or a point is UNITS.
    """
    state = memory.states[POSITION]
    for seat in range(len(out)):
        begin_duel(prepared, memory, rng, seat)
        while not is_terminal(state):
            theirs = current_player(state) != seat
            if greedy if theirs else plain:
                put_best_first(state, memory, list_choices(state, memory.legal), 1)
                apply(state, i64(memory.legal[0]))
            else:
                apply(state, _likeliest(memory, other if theirs else one))
        utilities(state, memory.paid)
        out[seat] = memory.paid[seat]


def _likeliest(memory: Memory, fit: Fit) -> int:
    """Return the action of the most probable option in the position in `memory`."""
    count = list_options(memory.states[POSITION], memory.legal, memory.active)
    _weigh(memory, fit, count)
    best = i64(0)
    for option in range(1, count):
        if memory.sums[index(option)] > memory.sums[index(best)]:
            best = i64(option)
    return i64(memory.legal[index(best)])


def _weigh(memory: Memory, fit: Fit, count: int) -> None:
    """Write the probability of each of the `count` options to `sums` in the memory."""
    room, highest = len(memory.active) // len(memory.legal), LOWEST
    for option in range(count):
        summed = 0.0
        for i in range(option * room, (option + 1) * room):
            if memory.active[index(i)] >= 0:
                summed += float(fit.weights[index(memory.active[index(i)])])
        memory.sums[index(option)] = summed
        highest = max(highest, summed)
    odds = 0.0
    for option in range(count):
        memory.sums[index(option)] = math.exp(memory.sums[index(option)] - highest)
        odds += memory.sums[index(option)]
    for option in range(count):
        memory.sums[index(option)] = memory.sums[index(option)] / odds
