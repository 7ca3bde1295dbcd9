"""Learning of a policy (`core.contract.PolicyOptions`) from the actions of other players, compiled.

It is softmax regression. After each decision the weights of the chosen option go up, and those of the other options go down
in proportion to their probability. The step of a weight is as in `training.selfplay`.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import Floats, Integers, RawPositions, Words, i64, index
from ludoteca.search.tree import utilities
from ludoteca.training.lessons import Learned
from ludoteca.training.selfplay import LOWEST

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        action_values,
        apply,
        current_player,
        deal,
        is_terminal,
        list_options,
        option_of,
    )


class Desk(NamedTuple):
    """The memory of learning and duels."""

    states: RawPositions
    """One raw position."""
    legal: Integers
    """MAX_LEGAL actions."""
    worth: Integers
    """The heuristics' values of these actions."""
    options: Integers
    """MAX_LEGAL options."""
    active: Integers
    """ACTIVE features for each option."""
    chances: Floats
    """The probability of each option."""
    paid: Integers
    """Each player's utility at the end."""
    start: Words
    """The state of the random generator before a deal."""


def learn(states: RawPositions, action: int, desk: Desk, learned: Learned, rate: float, errors: Floats) -> None:
    """Learn from an action that was played in states[0], if there were several options.

    Adds to errors[0] the squared distance of its probability from 1, and 1 to errors[1].
    """
    count = list_options(states[0], desk.options, desk.active)
    taken = option_of(states[0], action, desk.options, count)
    if count < 2 or taken < 0:
        return
    _weigh(desk, learned, count)
    room = len(desk.active) // len(desk.options)
    for option in range(count):
        change = (1.0 if option == taken else 0.0) - desk.chances[index(option)]
        for i in range(option * room, (option + 1) * room):
            if desk.active[index(i)] >= 0:
                _move_weight(learned, i64(desk.active[index(i)]), change, rate / room)
    lacks = 1.0 - desk.chances[index(taken)]
    errors[0] += lacks * lacks
    errors[1] += 1.0


def duel(
    prepared: RawPositions,
    desk: Desk,
    rng: Words,
    one: Learned,
    other: Learned,
    plain: bool,
    greedy: bool,
    deals: int,
    out: Integers,
) -> None:
    """Play each deal once for every seat. That player takes the likeliest option by `one`, the others by `other`.

    That player is greedy instead if `plain`, and the others if `greedy`. Greedy players take the best action by the
    heuristics. Writes the utility of `one` in each game to `out`. A win or a point is UNITS.
    """
    players = len(desk.paid)
    state = desk.states[0]
    for game in range(deals * players):
        seat = game % players
        for i in range(len(rng)):
            if seat == 0:
                desk.start[i] = rng[i]
            else:
                rng[i] = desk.start[i]
        desk.states[0] = prepared[0]
        deal(state, rng)
        while not is_terminal(state):
            theirs = current_player(state) != seat
            if (greedy and theirs) or (plain and not theirs):
                action = _best_looking(desk)
            else:
                action = _likeliest(desk, other if theirs else one)
            apply(state, action)
        utilities(state, desk.paid)
        out[game] = desk.paid[seat]


def _likeliest(desk: Desk, learned: Learned) -> int:
    """Return the likeliest option of the position."""
    count = list_options(desk.states[0], desk.options, desk.active)
    _weigh(desk, learned, count)
    best = i64(0)
    for option in range(1, count):
        if desk.chances[index(option)] > desk.chances[index(best)]:
            best = i64(option)
    return i64(desk.options[index(best)])


def _best_looking(desk: Desk) -> int:
    """Return the first of the best actions by the heuristics."""
    count, best = list_choices(desk.states[0], desk.legal), i64(0)
    action_values(desk.states[0], desk.legal, count, desk.worth)
    for i in range(1, count):
        if desk.worth[index(i)] > desk.worth[index(best)]:
            best = i64(i)
    return i64(desk.legal[index(best)])


def _weigh(desk: Desk, learned: Learned, count: int) -> None:
    """Write the probability of each option."""
    room, highest = len(desk.active) // len(desk.options), LOWEST
    for option in range(count):
        summed = 0.0
        for i in range(option * room, (option + 1) * room):
            if desk.active[index(i)] >= 0:
                summed += float(learned.weights[index(desk.active[index(i)])])
        desk.chances[index(option)] = summed
        highest = max(highest, summed)
    odds = 0.0
    for option in range(count):
        desk.chances[index(option)] = math.exp(desk.chances[index(option)] - highest)
        odds += desk.chances[index(option)]
    for option in range(count):
        desk.chances[index(option)] = desk.chances[index(option)] / odds


def _move_weight(learned: Learned, feature: int, change: float, rate: float) -> None:
    """Move a weight. The step is shorter if earlier changes disagree."""
    weight = index(feature)
    travel = learned.travel[weight]
    coherence = abs(learned.drift[weight]) / travel if travel > 0.0 else 1.0
    learned.weights[weight] += rate * change * coherence
    learned.drift[weight] += change
    learned.travel[weight] += abs(change)
