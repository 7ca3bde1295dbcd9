"""The learned value in the game of one player on 8 x 8: the points that open chains are expected to bring (`open_chains`).

There is no learned value for several players or for other boards.
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.bits import first, size
from ludoteca.core.contract import Floats, Integers, RawPosition, i64, index
from ludoteca.games.metro.board import LANE_OF
from ludoteca.games.metro.play.afterstates import change
from ludoteca.games.metro.play.open_chains import (
    BOARD,
    CENTRAL,
    DEAD,
    FROM_CENTRE,
    LOOSE_FROM,
    LOOSE_TO,
    OUT,
    OUTER,
    SIDE,
    SPACES,
    TRAIN,
    UNPAID,
    feature,
    inner_feature,
    phase_of,
    tracks_of,
)
from ludoteca.games.metro.play.open_chains import FEATURES as FEATURES
from ludoteca.games.metro.rules import CENTRE, END, LANE
from ludoteca.games.metro.tiles import SIDES

ACTIVE: Final = 2 * SIDES * SPACES + SIDES * SIDE + 8 + 21 + 1
KNOWN: Final = {UNPAID: 16.0, UNPAID + 1: 4.0, UNPAID + 2: 1.0}
"""The initial weights: each track that has not brought a point yet is expected to bring one. Learning corrects this."""
ENDS: Final = True
"""True, because the game can end without a choice: it ends if there is no place for the next tile."""

RATE: Final = 0.06
DECAY: Final = 40_000
TRACE: Final = 0.9
EXPLORE: Final = 0.0
OPENING: Final = 0
WIDTH: Final = SIDES * SPACES
"""Constants of training. No action is chosen at random, because the random tiles bring enough variety. All places are
compared by the value that is being learned, because the heuristics have only the former weights."""


def learned_for(state: RawPosition) -> bool:
    """Return True if there are learned weights for the game of this position."""
    return bool(state.players == 1 and state.side == SIDE)


def weights(parameters: Mapping[str, Any]) -> str:
    """Return the name of the file of weights for these parameters, or an empty text if there is none.

    Weights exist only for a single player on the published board. Games with the endless draw and with the stack share them.
    """
    return "solo" if parameters["players"] == 1 and parameters["side"] == SIDE else ""


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    chains = state.chains
    rest = i64(state.free[0])
    free = size(rest)
    phase = phase_of(free)
    unpaid, n = SIDES * free, i64(0)
    while rest != 0:
        west = i64(LANE_OF[index(BOARD + first(rest))])
        rest &= rest - 1
        for side in range(SIDES):
            word = i64(chains[index(west + side)])  # of the chain that leads here
            tracks, start = tracks_of(word), word & LANE
            unpaid += tracks
            if word & END:
                out[n] = feature(i64(TRAIN), phase, tracks, west + side)
                n += 1
            elif FROM_CENTRE[index(start)]:
                out[n] = feature(i64(DEAD), phase, tracks, west + side)
                n += 1
            elif tracks > 0:
                out[n] = feature(i64(LOOSE_FROM), phase, tracks, start)
                out[n + 1] = feature(i64(LOOSE_TO), phase, tracks, west + side)
                n += 2
            way_out = west + i64(OUT[index(side)])
            word = i64(chains[index(way_out)])  # of the chain that begins here
            if word & END:
                tracks = tracks_of(word)
                unpaid += tracks
                out[n] = feature(i64(CENTRAL) if word & CENTRE else i64(OUTER), phase, tracks, way_out)
                n += 1
    n = _in_units(unpaid, out, n)
    out[n] = inner_feature(free, i64(state.frontier[0]))
    return n + 1


def sums_after(
    state: RawPosition,
    actions: Integers,
    count: int,
    enough: float,
    weights: Floats,
    scratch: Integers,
    out: Floats,
) -> int:
    for i in range(count):
        out[i] = change(state, i64(actions[i]), weights, i64(1))
    return count


def _in_units(unpaid: int, out: Integers, n: int) -> int:
    """Write the features for a number of tracks that have not brought points: one for each sixteen, then fours, then ones.
    Return the index after the last feature in `out`.
    """
    for unit in range(3):
        size_of = i64(16) >> (2 * unit)
        for _ in range(unpaid // size_of):
            out[n] = UNPAID + unit
            n += 1
        unpaid %= size_of
    return n
