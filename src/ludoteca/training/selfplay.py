"""Self-play that learns a game's value (`core.contract.Value`). `training.values` calls it, compiled.

All players look one action ahead. They try the best actions by the heuristics, on a random deal that fits the mover's
knowledge, and play the action after which the value is highest. After the game, the weights of each position change so that
its value comes closer to its lambda-return (Sutton and Barto, "Reinforcement Learning", 2nd edition, 12.1), which is a mix
of the values of the next positions and the result of the game. A weight whose changes have different signs gets smaller
steps (temporal coherence: Beal and Smith, "Temporal Coherence and Prediction Decay in TD Learning", 1999).

If a turn has several moves, players look ahead to the end of the turn, which they reach by a playout. They learn only from
the beginnings of turns, because searches use the value there. If players try only one action, it is the best by the
heuristics, so they are greedy players.
"""

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import Floats, Integers, RawPosition, RawPositions, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.search.leaf import LOGIT, in_parts, share_out
from ludoteca.search.tree import UNITS, utilities
from ludoteca.training.fitting import (
    AFTER,
    BLANK,
    DEAL,
    LOWEST,
    POSITION,
    Fit,
    Memory,
    begin_duel,
    move_weight,
    put_best_first,
)

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        UTILITY,
        active_features,
        apply,
        begins_turn,
        conceal,
        current_player,
        deal,
        is_terminal,
        playout_action,
        random_action,
        redeal,
        scores,
        sums_after,
    )

CHANCES: Final = 1 << 16
"""Chances are whole numbers. This number means certainty."""


class Learner(NamedTuple):
    """The weights of a value in the form for compiled code, and which features have which weight."""

    fit: Fit
    shared: Integers
    """For each feature, the index of its weight."""
    whole: Floats
    """The weight of each feature, if the game values all actions at once (`Value.sums_after`), else empty."""
    first: Integers
    """The index in `features` of each weight's first feature, and the length of `features`. Empty if `whole` is."""
    features: Integers
    """The features in the order of their weights."""


class Manner(NamedTuple):
    """How the players of self-play choose their actions, and how they learn."""

    width: int
    """The number of actions that a player tries, the best by the heuristics. With 1, players are greedy."""
    opening: int
    """The largest number of random actions with which a game begins."""
    explore: int
    """The chance that a later action is random, of CHANCES."""
    trace: float
    """Lambda: with 1 a position learns from the result of the game only, with 0 from the next position only."""
    rate: float
    """The share of its error by which a position's sum changes, if the changes of all its weights agree."""
    coherent: bool
    """True if the agreement of changes determines the steps of weights."""
    hidden: bool
    """True if the game has hidden information or chance. Actions are then tried on new deals."""
    ends: bool
    """True if the value also learns from final positions (ENDS in `core.contract.Value`)."""


def play_and_learn(
    prepared: RawPositions, memory: Memory, rng: Words, learner: Learner, manner: Manner, games: int, errors: Floats
) -> int:
    """Play `games` games and learn from each. Return the number of actions.

    The squared errors of the predicted results, one for each player and each position that was learned from, are added to
    errors[0]. Their number is added to errors[1].
    """
    actions = i64(0)
    for _ in range(games):
        state = memory.states[POSITION]
        memory.states[POSITION] = prepared[0]
        deal(state, rng)
        _open(state, rng, manner)
        positions = i64(0)
        while not is_terminal(state):
            explores = draw(rng, i64(CHANCES)) < manner.explore
            if begins_turn(state):
                _record(state, memory, learner, positions)
                memory.explored[positions] = 0
                positions += 1
            if explores and positions > 0 and manner.width > 1:
                memory.explored[positions - 1] = 1
            apply(state, random_action(state, rng) if explores else _best(memory, learner, rng, manner))
            actions += 1
        if manner.ends and positions > 0:
            _record(state, memory, learner, positions)
            memory.explored[positions] = 0
            positions += 1
        if positions > 0:
            utilities(state, memory.paid)
            _learn(memory, learner, manner, positions, errors)
            if len(learner.whole) > 0:
                _tell_features(memory, learner, i64(memory.ends[index(positions * len(memory.paid) - 1)]))
    return actions


def duel(
    prepared: RawPositions,
    memory: Memory,
    rng: Words,
    one: Learner,
    manner: Manner,
    other: Learner,
    rival: Manner,
    out: Integers,
) -> None:
    """Play one deal once for every seat. In that seat is a player with the weights `one`, who chooses as `manner` says. In
    all other seats are players with the weights `other`, who choose as `rival` says.

    The utility of the first player in each game is written to `out`. A win or a point is UNITS.
    """
    state = memory.states[POSITION]
    for seat in range(len(out)):
        begin_duel(prepared, memory, rng, seat)
        _open(state, rng, manner)
        while not is_terminal(state):
            theirs = current_player(state) != seat
            if draw(rng, i64(CHANCES)) < (rival.explore if theirs else manner.explore):
                action = random_action(state, rng)
            elif theirs:
                action = _best(memory, other, rng, rival)
            else:
                action = _best(memory, one, rng, manner)
            apply(state, action)
        utilities(state, memory.paid)
        out[seat] = memory.paid[seat]


def _open(state: RawPosition, rng: Words, manner: Manner) -> None:
    """Play a random number of random actions, at most `manner.opening`, so that games differ. Stop if the game ends."""
    for _ in range(draw(rng, i64(manner.opening) + 1)):
        if is_terminal(state):
            return
        apply(state, random_action(state, rng))


def _record(state: RawPosition, memory: Memory, learner: Learner, place: int) -> None:
    """Store the active weights of a position, and each player's expected utility in it, in row `place` of the memory."""
    players = len(memory.paid)
    start = i64(0) if place == 0 else i64(memory.ends[index(place * players - 1)])
    _expect(state, memory, learner, place, start)


def _expect(state: RawPosition, memory: Memory, learner: Learner, place: int, start: int) -> None:
    """Write each player's expected utility in a position to row `place` of `expected`. It is computed from the sum of the
    player's active weights.

    Also write the indices of these weights to `active`, from index `start` on, and the end of each player's indices to
    `ends`. A player who cannot win any more has no active weights. In a game for wins between two players, only the mover
    has some.
    """
    players = len(memory.paid)
    row, at = place * players, start
    points = UTILITY == "points" or players == 1
    mover_only = not points and players == 2
    mover = current_player(state)
    if points:
        scores(state, memory.paid)
    for player in range(players):
        summed = 0.0
        if not mover_only or player == mover:
            count = active_features(state, player, memory.active[at:])
            summed = 0.0 if count >= 0 else -math.inf
            for i in range(at, at + count):
                weight = learner.shared[index(memory.active[index(i)])]
                memory.active[index(i)] = weight
                summed += float(learner.fit.weights[index(weight)])
            at += max(i64(0), count)
        memory.ends[index(row + player)] = at
        if points:
            memory.expected[index(row + player)] = summed + memory.paid[player]
        else:
            memory.paid[player] = in_parts(summed, i64(LOGIT))
    if not points:
        share_out(memory.paid)
        for player in range(players):
            memory.expected[index(row + player)] = memory.paid[player] / UNITS


def _best(memory: Memory, learner: Learner, rng: Words, manner: Manner) -> int:
    """Return the action after which the mover's value is highest. Only the best `manner.width` actions by the heuristics are
    tried.
    """
    state, players = memory.states[DEAL], len(memory.paid)
    memory.states[DEAL] = memory.states[POSITION]
    mover = current_player(state)
    if manner.hidden:
        memory.states[DEAL] = memory.states[BLANK]
        conceal(memory.states[POSITION], mover, state)
        redeal(state, mover, rng)
    kept = list_choices(state, memory.legal)
    width = min(kept, manner.width)
    if width < kept or width == 1:
        put_best_first(state, memory, kept, width)
    if width == 1:
        return i64(memory.legal[0])
    start = len(memory.active) - len(memory.active) * players // len(memory.ends)
    if len(learner.whole) == 0:
        return _best_tried(memory, learner, rng, mover, width, start)
    n = sums_after(state, memory.legal, width, math.inf, learner.whole, memory.active[start:], memory.sums)
    best = i64(0)
    for i in range(1, n):
        if memory.sums[index(i)] > memory.sums[index(best)]:
            best = i64(i)
    return i64(memory.legal[index(best)])


def _best_tried(memory: Memory, learner: Learner, rng: Words, mover: int, width: int, start: int) -> int:
    """Play each of the first `width` actions in `legal` and continue to the end of the turn. Return the action after which
    the value for `mover` is highest.

    `active` has room, from index `start` on, for the weights of the positions after these actions.
    """
    players, after = len(memory.paid), memory.states[AFTER]
    last = len(memory.ends) // players - 1
    best, most = i64(memory.legal[0]), LOWEST
    for i in range(width):
        memory.states[AFTER] = memory.states[DEAL]
        apply(after, i64(memory.legal[i]))
        while not is_terminal(after) and not begins_turn(after):
            apply(after, playout_action(after, rng))
        if is_terminal(after):
            utilities(after, memory.paid)
            promised = memory.paid[index(mover)] / UNITS
        else:
            _expect(after, memory, learner, last, start)
            promised = float(memory.expected[index(last * players + mover)])
        if promised > most:
            best, most = i64(memory.legal[i]), promised
    return best


def _learn(memory: Memory, learner: Learner, manner: Manner, positions: int, errors: Floats) -> None:
    """Change the weights of a game's positions so that the values come closer to the lambda-returns, from the last position
    to the first.
    """
    players = len(memory.paid)
    for player in range(players):
        memory.wanted[player] = memory.paid[player] / UNITS
    for place in range(positions - 1, -1, -1):
        row = place * players
        start = i64(0) if row == 0 else i64(memory.ends[index(row - 1)])
        for player in range(players):
            expected, end = memory.expected[index(row + player)], i64(memory.ends[index(row + player)])
            if memory.explored[place] == 0:
                _move_weights(memory.active[start:end], learner, manner, memory.wanted[player] - expected)
                memory.wanted[player] = manner.trace * memory.wanted[player] + (1.0 - manner.trace) * expected
            else:  # a random action followed, so the result says nothing about the best action
                memory.wanted[player] = expected
            if end > start:
                error = expected - memory.paid[player] / UNITS
                errors[0] += error * error
                errors[1] += 1.0
            start = end


def _tell_features(memory: Memory, learner: Learner, end: int) -> None:
    """Copy the weights that a game may have changed, active[:end], to all features that share them (`Learner.whole`)."""
    for i in range(end):
        weight = i64(memory.active[index(i)])
        first = i64(learner.first[index(weight)])
        if learner.whole[index(learner.features[index(first)])] != learner.fit.weights[index(weight)]:  # else they agree
            for j in range(first, i64(learner.first[index(weight + 1)])):
                learner.whole[index(learner.features[index(j)])] = learner.fit.weights[index(weight)]


def _move_weights(active: Integers, learner: Learner, manner: Manner, change: float) -> None:
    """Change the active weights of a position, so that their sum changes by `manner.rate` times `change`, or by less if the
    weights' steps are shorter.
    """
    step = manner.rate * change / max(1, len(active))
    for i in range(len(active)):
        move_weight(learner.fit, i64(active[i]), change, step, manner.coherent)
