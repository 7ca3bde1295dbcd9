"""How the learned value changes if one tile is placed, in the game of one player. Playouts use it to choose places. It is
compiled.

Only the chains into the space and out of it change: the tile joins them to new chains. So the change is the difference of
their weights (see `open_chains`) plus the points scored. This takes a fortieth of the time of computing the whole value.
"""

from typing import Any, Final

from ludoteca.core.bits import first, size
from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.games.metro.board import BESIDE, FACE, FACE_BITS, LANE_OF, LANE_OUT
from ludoteca.games.metro.play.open_chains import (
    BOARD,
    CENTRAL,
    DEAD,
    FROM_CENTRE,
    LOOSE_FROM,
    LOOSE_TO,
    OUT,
    OUTER,
    TRAIN,
    feature,
    inner_feature,
    phase_of,
    tracks_of,
)
from ludoteca.games.metro.rules import CENTRE, END, LANE, places
from ludoteca.games.metro.tiles import FACE_OF, SIDES

PARTS: Final = 256
"""Whole weights are in units of 1 / PARTS of a point."""


def change(state: RawPosition, action: int, weights: Any, point: int) -> Any:
    """Return by how much an action raises the sum of the points scored so far and the points that are expected. Amounts that
    are the same for every place are left out, because they do not change which place is best.

    `weights` has the weight of each feature. `point` is the value of one point in the unit of the weights.
    """
    chains = state.chains
    space, face = action >> FACE_BITS, action & FACE
    west = i64(LANE_OF[index(BOARD + space)])
    free = i64(state.free[0]) & ~(i64(1) << space)
    phase = phase_of(size(free))
    near = (i64(state.frontier[0]) | i64(BESIDE[0, index(BOARD + space)])) & free
    worth, tracks = 0 + weights[index(inner_feature(size(free), near))], i64(SIDES)
    for side in range(SIDES):
        before = i64(chains[index(west + side)])
        tracks += tracks_of(before)
        worth -= _open_worth(weights, phase, before & LANE, west + side, before, i64(0), tracks_of(before))
        way_out = west + i64(OUT[index(side)])
        after = i64(chains[index(way_out)])
        if after & END or not _is_of(west, after & LANE):  # a chain that comes back into the space was counted above
            tracks += tracks_of(after)
            worth -= _open_worth(weights, phase, way_out, after & LANE, i64(0), after, tracks_of(after))
    for side in range(SIDES):
        before = i64(chains[index(west + side)])
        if not _begins_here(west, before):
            after, length = _follow(chains, west, face, side)
            if before & after & END:  # a track brings two points in the centre, one more than expected
                worth += point * length if after & CENTRE else 0
                tracks -= length
            elif not (after & END and FROM_CENTRE[index(before & LANE)]):
                worth += _open_worth(weights, phase, before & LANE, after & LANE, before, after, length)
                tracks -= length
    return worth - point * tracks


def best_place(state: RawPosition, weights: Any, point: int) -> int:
    """Return the action with the highest `change`. If several actions have it, return the first of them."""
    best, most, none = i64(-1), 0 * weights[0], True
    for rotation in range(SIDES):
        face = i64(FACE_OF[index(state.tile), index(rotation)])
        rest = places(state, i64(0), i64(rotation))
        while rest != 0:
            action = (first(rest) << FACE_BITS) | face
            rest &= rest - 1
            worth = change(state, action, weights, point)
            if none or worth > most:
                best, most, none = action, worth, False
    return best


def _is_of(west: int, lane: int) -> bool:
    """Return True if a lane leads into the space whose lane across side 0 is `west`."""
    return west <= lane < west + SIDES


def _begins_here(west: int, word: int) -> bool:
    """Return True if a chain that leads into the space also begins at this space, at one of the lanes out of it. `word` is
    the chain's word, and `west` the lane into the space across side 0.
    """
    start = word & LANE
    return not word & END and (
        start == west + i64(OUT[0])
        or start == west + i64(OUT[1])
        or start == west + i64(OUT[2])
        or start == west + i64(OUT[3])
    )


def _follow(chains: Integers, west: int, face: int, side: int) -> tuple[int, int]:
    """Follow a chain over the oriented tile `face` on a space, from a side of it on, even if the chain comes back to the
    space.

    Return the word at the far end of the last chain, and the number of tracks. `west` is the lane into the space across side
    0.
    """
    tracks = tracks_of(i64(chains[index(west + side)]))
    after = i64(0)
    for _ in range(SIDES):
        after = i64(chains[index(west + i64(LANE_OUT[index(face), index(side)]))])
        tracks += 1 + tracks_of(after)
        side = (after & LANE) - west
        if after & END or side < 0 or side >= SIDES:
            break
    return after, tracks


def _open_worth(weights: Any, phase: int, start: int, end: int, before: int, after: int, tracks: int) -> Any:
    """Return the weight of an open chain that begins with the lane `start` and ends with the lane `end`.

    The words `before` and `after` show whether a train is at its beginning or a station at its end.
    """
    if before & END:
        return weights[index(feature(i64(TRAIN), phase, tracks, end))]
    if after & END:
        return weights[index(feature(i64(CENTRAL) if after & CENTRE else i64(OUTER), phase, tracks, start))]
    if FROM_CENTRE[index(start)]:
        return weights[index(feature(i64(DEAD), phase, tracks, end))]
    if tracks == 0:
        return 0 * weights[0]
    loose = weights[index(feature(i64(LOOSE_FROM), phase, tracks, start))]
    return loose + weights[index(feature(i64(LOOSE_TO), phase, tracks, end))]
