"""The loops of a batch of games, bound to a game with its heuristics and features: what `envs.batch` calls.

Every array has one dimension. What belongs to game i stands in the i-th of equal parts; an array of length 0 is not wanted.
A call works on the games from `low` to `high`, so that threads can share a batch; no game looks at another one.
"""

from typing import TYPE_CHECKING, Final

import numpy as np

from ludoteca.core.bits import size
from ludoteca.core.contract import Bytes, Floats, Integers, RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import seed_words

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
"""`advance` looks up the actions first, and does nothing if a number stands for none."""
STEP: Final = 2
"""`advance` plays the actions that it has looked up."""
AUTO: Final = 4
"""A game that ends is dealt anew in the same step."""
POINTS: Final = 8
"""The rewards are the scores, not shares of a win."""
HEURISTICS: Final = 16
"""The other seats are played by the heuristics' playout policy, not at random."""
ALTERNATE: Final = 32
"""The learner's seat is the next one in every new deal."""

OVER: Final = -1
"""In place of an action: the game is over already."""
DEAL: Final = -2
"""In place of an action: deal."""
KEEP: Final = -3
"""In place of an action: leave the game as it is."""

MOST_DEALS: Final = 64
"""The number of deals in a row that may be over at once: then the game is left so, and the next step tells how it ended."""
PLAYING: Final = np.uint64(1 << 63)
"""This bit of a seed's first word is set where the players' random numbers come from, and not the deal's."""
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
    """Look up the actions, play them, or both. Return the first game whose number stands for no legal action, or -1.

    Whatever is done to a position stands here once, in a loop that also plays the other seats and deals: what is called in
    two places is compiled twice.
    """
    illegal = _look_up(states, actions, chosen, numbered, low, high) if how & CHECK else i64(-1)
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
        state, rng = states[i], rngs[4 * i : 4 * i + 4]
        deals, viewer = i64(0), i64(seats[i])
        while action != KEEP:
            if action == DEAL:
                _deal_anew(prepared, states, i, seeds[4 * i : 4 * i + 4], rng)
                seats[i] = _next_seat(seats[i], players, how)
                deals, viewer = deals + 1, i64(seats[i])
            elif action >= 0:
                viewer = i64(seats[i]) if seats[i] >= 0 else current_player(state)
                apply(state, action)
            action = _what_next(state, seats[i], rng, deals, how)
            if deals == 0 and is_terminal(state):
                ended[i] = 1
                _reward(state, how & POINTS != 0, points[players * i : players * (i + 1)], reward)
            if action == KEEP or (action == DEAL and deals == 0 and lasting):
                seen, more = (last_planes, last_numbers) if action == DEAL else (planes, numbers)
                _observe(state, viewer, seen[cells * i : cells * (i + 1)], more[values * i : values * (i + 1)])
        movers[i] = current_player(state)
        _mask(state, masks[width * i : width * (i + 1)])
    return -1


def sample(states: RawPositions, rngs: Words, actions: Integers, heuristics: bool, low: int, high: int) -> None:
    """Write the number of a random legal action of each game; 0 where the game is over.

    An action that has no number is drawn again: at random, lest the heuristics insist on it.
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


def _look_up(states: RawPositions, actions: Integers, chosen: Integers, numbered: int, low: int, high: int) -> int:
    """Write to `chosen` what the numbers stand for, up to the first that stands for nothing: return its game, or -1."""
    for i in range(low, high):
        state, number = states[i], i64(actions[i])
        action = i64(OVER)
        if not is_terminal(state):
            action = decode_action(state, number) if 0 <= number < numbered else i64(-1)
            if action < 0:
                return i64(i)
        chosen[i] = action
    return i64(-1)


def _deal_anew(prepared: RawPositions, states: RawPositions, i: int, seed: Words, rng: Words) -> None:
    """Deal from a seed that ends in the number of the deal, and count on; then `rng` is for what the players draw."""
    states[i] = prepared[0]
    seed_words(seed, rng)
    deal(states[i], rng)
    seed[0] |= PLAYING
    seed_words(seed, rng)
    seed[0] = (seed[0] ^ PLAYING) + ONE


def _next_seat(seat: int, players: int, how: int) -> int:
    """The learner's seat in the deal after one in which it had this seat."""
    if how & ALTERNATE == 0:
        return i64(seat)
    return i64(seat) + 1 if seat + 1 < players else i64(0)


def _what_next(state: RawPosition, seat: int, rng: Words, deals: int, how: int) -> int:
    """The action of another seat, if it is its turn; DEAL, if the game is over and another is wanted; else KEEP.

    A deal that is over before the learner's seat has a turn is passed over, and so are a few in a row.
    """
    if is_terminal(state):
        return i64(DEAL) if deals < MOST_DEALS and (deals > 0 or how & AUTO) else i64(KEEP)
    if seat < 0 or current_player(state) == seat:
        return i64(KEEP)
    return playout_action(state, rng) if how & HEURISTICS else random_action(state, rng)


def _reward(state: RawPosition, for_points: bool, points: Integers, out: Floats) -> None:
    """The returns of a game that is over; zeros if it is void."""
    won = winners(state)
    if won == 0:
        return
    if for_points:
        scores(state, points)
    for player in range(len(out)):
        if for_points:
            out[player] = points[player]
        else:
            out[player] = ((won >> player) & 1) / size(won)


def _observe(state: RawPosition, last: int, planes: Bytes, numbers: Floats) -> None:
    """What the mover sees, or how the game ended, seen by who moved last; nothing where nothing is wanted."""
    if len(planes) + len(numbers) == 0:
        return
    planes[:] = 0
    numbers[:] = 0
    observe(state, last if is_terminal(state) else current_player(state), planes, numbers)


def _mask(state: RawPosition, out: Bytes) -> None:
    if len(out) > 0:
        out[:] = 0
        action_mask(state, out)
