"""By how much a tile changes what one who plays alone may expect: only the chains that it joins are looked at. Compiled.

The chains that lead into its space and out of it go, and those that the tile makes of them come: the difference of their
weights, see `open_chains`, and the points that are paid. So a place takes a fortieth of the time that the whole value takes.
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
"""Whole weights are in parts of a point."""


def change(state: RawPosition, action: int, weights: Any, point: int) -> Any:
    """What paid points and those to come grow by when the tile is laid, less what is the same for all places.

    `weights` has the weight of each feature, in numbers of which a point has so many.
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
        if after & END or not _is_of(west, after & LANE):  # one that comes back into the space is among those above
            tracks += tracks_of(after)
            worth -= _open_worth(weights, phase, way_out, after & LANE, i64(0), after, tracks_of(after))
    for side in range(SIDES):
        before = i64(chains[index(west + side)])
        if not _begins_here(west, before):
            after, length = _follow(chains, west, face, side)
            if before & after & END:  # two points a track in the centre, and one that was expected
                worth += point * length if after & CENTRE else 0
                tracks -= length
            elif not (after & END and FROM_CENTRE[index(before & LANE)]):
                worth += _open_worth(weights, phase, before & LANE, after & LANE, before, after, length)
                tracks -= length
    return worth - point * tracks


def best_place(state: RawPosition, weights: Any, point: int) -> int:
    """The action that `change` values most, the first of equals."""
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
    """Does the lane lead into the space?"""
    return west <= lane < west + SIDES


def _begins_here(west: int, word: int) -> bool:
    """Does a chain that leads into the space begin at one of the lanes out of it?"""
    start = word & LANE
    return not word & END and (
        start == west + i64(OUT[0])
        or start == west + i64(OUT[1])
        or start == west + i64(OUT[2])
        or start == west + i64(OUT[3])
    )


def _follow(chains: Integers, west: int, face: int, side: int) -> tuple[int, int]:
    """Go on over the tile from a side, and back into the space as often as may be: the last word met, and all tracks."""
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
    """The worth of an open chain from lane to lane, given the words that say if a train or a station is there."""
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
