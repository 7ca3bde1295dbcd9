"""The loops of a batch of games (`envs.batch`), bound to a game with its heuristics and features.

Every array has one dimension. It consists of equal parts, one for each game. An array of length 0 is switched off. A call
works on the games from `low` to `high`, so that threads can share a batch. Games do not depend on each other.
"""

from typing import TYPE_CHECKING, Final

import numpy as np

from ludoteca.core.bits import size
from ludoteca.core.contract import Bytes, Floats, Integers, RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import draw, seed_words

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        action_mask,
        apply,
        current_player,
        deal,
        decode_action,
        encode_action,
        is_terminal,
        observe,
        playout_action,
        random_action,
        scores,
        winners,
    )

CHECK: Final = 1
"""`advance` looks up the actions first, and does nothing if a number has no legal action."""
STEP: Final = 2
"""`advance` plays the actions that were looked up."""
AUTO: Final = 4
"""When a game ends, the next game is dealt in the same step."""
POINTS: Final = 8
"""The rewards are the scores instead of shares of a win."""
HEURISTICS: Final = 16
"""The heuristics' playout policy plays the other seats, instead of random play."""
ALTERNATE: Final = 32
"""The learner's seat is the next one in every new deal."""
DRAW_SEAT: Final = 64
"""The learner's seat is drawn for every new deal."""
AGENTS: Final = 128
"""The caller plays the other seats too, so a game waits at their turns."""
ZERO_SUM: Final = 256
"""The mean of the others' returns is subtracted from each return."""
SCORES: Final = 512
"""The rewards are the changes of the scores in each step."""
SOME: Final = 1024
"""`advance` leaves the games with KEEP in `chosen` as they are, and looks up the actions of the others."""

OVER: Final = -1
"""In place of an action: the game is over."""
DEAL: Final = -2
"""In place of an action: deal."""
KEEP: Final = -3
"""In place of an action: leave the game as it is."""
LOOK: Final = -4
"""In place of an action: the position is new. Only observe it, or report that it is over."""

MOST_DEALS: Final = 64
"""The number of deals in a row that may be over at once. Then the game stays over, and the next step reports its end."""
PLAYING: Final = np.uint64(1 << 63)
"""This bit of a seed's first word is set in the seed for draws during the game. It is clear in the seed of the deal."""
ONE: Final = np.uint64(1)


def advance(
    prepared: RawPositions,
    states: RawPositions,
    seeds: Words,
    rngs: Words,
    seats: Integers,
    actions: Integers,
    chosen: Integers,
    points: Integers,
    planes: Bytes,
    numbers: Floats,
    masks: Bytes,
    rewards: Floats,
    movers: Integers,
    ended: Bytes,
    last_planes: Bytes,
    last_numbers: Floats,
    numbered: int,
    low: int,
    high: int,
    how: int,
) -> int:
    """Look up the actions of the numbers, play them, or both.

    Return the first game in which the number is not legal. Return -1 if all numbers are legal, or were not looked up. One
    loop plays the actions of all seats and deals, because Numba would compile code that is called in two places twice.
    """
    illegal = _look_up(states, actions, chosen, numbered, low, high, how) if how & CHECK else i64(-1)
    if illegal >= 0 or how & STEP == 0:
        return illegal
    games = len(states)
    cells, values, width, players = len(planes) // games, len(numbers) // games, len(masks) // games, len(rewards) // games
    lasting = len(last_planes) + len(last_numbers) > 0
    for i in range(low, high):
        action = i64(chosen[i])
        if action == KEEP:
            continue
        reward = rewards[players * i : players * (i + 1)]
        reward[:] = 0
        if action == OVER and how & AUTO == 0:
            ended[i] = 1
            continue
        ended[i] = 0
        state, rng, worth = states[i], rngs[4 * i : 4 * i + 4], points[players * i : players * (i + 1)]
        deals, viewer = i64(0), i64(seats[i])
        _count(state, worth, reward, how, i64(-1), action)
        while action != KEEP:
            if action == DEAL:
                _deal_anew(prepared, states, i, seeds[4 * i : 4 * i + 4], rng)
                seats[i] = _next_seat(seats[i], players, rng, how)
                deals, viewer = deals + 1, i64(seats[i])
            elif action >= 0:
                viewer = i64(seats[i]) if seats[i] >= 0 else current_player(state)
                apply(state, action)
            action = _what_next(state, seats[i], rng, deals, how)
            if deals == 0 and action < 0:
                _count(state, worth, reward, how, i64(1), i64(chosen[i]))
                ended[i] = _reward(state, worth, reward, how)
            if action == KEEP or (action == DEAL and deals == 0 and lasting):
                seen, more = (last_planes, last_numbers) if action == DEAL else (planes, numbers)
                _observe(state, viewer, seen[cells * i : cells * (i + 1)], more[values * i : values * (i + 1)])
        movers[i] = current_player(state)
        _mask(state, masks[width * i : width * (i + 1)])
    return -1


def sample(states: RawPositions, rngs: Words, actions: Integers, heuristics: bool, low: int, high: int) -> None:
    """Write the number of a random legal action of each game, 0 if the game is over.

    An action without a number is drawn again, uniformly, because the heuristics may always choose the same one.
    """
    for i in range(low, high):
        state, rng = states[i], rngs[4 * i : 4 * i + 4]
        number, tries = i64(-1), i64(0)
        if is_terminal(state):
            number = i64(0)
        while number < 0:
            action = playout_action(state, rng) if heuristics and tries == 0 else random_action(state, rng)
            number = encode_action(state, action)
            tries += 1
        actions[i] = number


def copy_positions(origins: RawPositions, sources: Integers, states: RawPositions, targets: Integers) -> None:
    """Copy positions. No target may be a source, too. NumPy would copy each position twice."""
    for k in range(len(sources)):
        states[targets[k]] = origins[sources[k]]


def _look_up(states: RawPositions, actions: Integers, chosen: Integers, numbered: int, low: int, high: int, how: int) -> int:
    """Write the actions of the numbers to `chosen`.

    Return the first game in which the number is not legal, or -1 if all are legal. If a game is over, every number is legal.
    """
    for i in range(low, high):
        if how & SOME and chosen[i] == KEEP:
            continue
        state, number = states[i], i64(actions[i])
        action = i64(OVER)
        if not is_terminal(state):
            action = decode_action(state, number) if 0 <= number < numbered else i64(-1)
            if action < 0:
                return i64(i)
        chosen[i] = action
    return i64(-1)


def _deal_anew(prepared: RawPositions, states: RawPositions, i: int, seed: Words, rng: Words) -> None:
    """Deal from the seed, which ends with the number of the deal. Set `rng` for draws in the game, and count the deal."""
    states[i] = prepared[0]
    seed_words(seed, rng)
    deal(states[i], rng)
    seed[0] |= PLAYING
    seed_words(seed, rng)
    seed[0] = (seed[0] ^ PLAYING) + ONE


def _next_seat(seat: int, players: int, rng: Words, how: int) -> int:
    """Return the learner's seat in the next deal."""
    if how & DRAW_SEAT:
        return draw(rng, i64(players))
    if how & ALTERNATE == 0:
        return i64(seat)
    return i64(seat) + 1 if seat + 1 < players else i64(0)


def _what_next(state: RawPosition, seat: int, rng: Words, deals: int, how: int) -> int:
    """Return what to do next in a game: the action of another seat, DEAL if the game is over and the next one begins, or
    KEEP to wait for the learner.

    Deals that end before the learner's seat has a turn are skipped, up to MOST_DEALS in a row.
    """
    if is_terminal(state):
        return i64(DEAL) if deals < MOST_DEALS and (deals > 0 or how & AUTO) else i64(KEEP)
    if seat < 0 or current_player(state) == seat or how & AGENTS:
        return i64(KEEP)
    return playout_action(state, rng) if how & HEURISTICS else random_action(state, rng)


def _reward(state: RawPosition, points: Integers, out: Floats, how: int) -> int:
    """Return 1 if the game is over, else 0. Write its returns, which are 0 if it is void, unless SCORES are the rewards."""
    over, won = i64(1) if is_terminal(state) else i64(0), winners(state)
    if over == 0 or won == 0 or how & SCORES:
        return over
    if how & POINTS:
        scores(state, points)
    total, others = 0.0, len(out) - 1
    for player in range(len(out)):
        out[player] = points[player] if how & POINTS else ((won >> player) & 1) / size(won)
        total += out[player]
    if how & ZERO_SUM and others > 0:
        for player in range(len(out)):
            out[player] = ((others + 1) * out[player] - total) / others
    return over


def _count(state: RawPosition, points: Integers, out: Floats, how: int, sign: int, played: int) -> None:
    """Add the scores times the sign if they are the rewards and an action is played."""
    if how & SCORES and played >= 0:
        scores(state, points)
        for player in range(len(out)):
            out[player] += sign * points[player]


def _observe(state: RawPosition, last: int, planes: Bytes, numbers: Floats) -> None:
    """Write the observation of the player to move or, if the game is over, of the player `last`."""
    if len(planes) + len(numbers) == 0:
        return
    planes[:] = 0
    numbers[:] = 0
    observe(state, last if is_terminal(state) else current_player(state), planes, numbers)


def _mask(state: RawPosition, out: Bytes) -> None:
    if len(out) > 0:
        out[:] = 0
        action_mask(state, out)
