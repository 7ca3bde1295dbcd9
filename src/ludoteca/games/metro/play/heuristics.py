"""Heuristics for Metro: the values of actions.

For one player on 8 x 8, values come from weights that were learned in self-play (`value`, `afterstates`). In other games an
action is better if it makes the mover's paths long and leads them to the centre, and if it ends other players' paths early.
Only paths of trains that lead into the space count. Each is followed over the tile, and on from the far end of the chain
that it joins. It can come back to the space up to three times.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from ludoteca.core.bits import size
from ludoteca.core.choices import best_of_random
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.tables import table
from ludoteca.core.value import read_value
from ludoteca.games.metro.board import DECLINE, FACE, FACE_BITS, LANE_OF, LANE_OUT, WORDS
from ludoteca.games.metro.play import value
from ludoteca.games.metro.play.afterstates import PARTS, best_place, change
from ludoteca.games.metro.play.value import learned_for
from ludoteca.games.metro.rules import CENTRE, END, LANE, LANES_AT, OWNER_AT, random_action
from ludoteca.games.metro.tiles import SIDES

POINT: Final = 16
"""The value of a point. Values are in sixteenths of a point."""
HOPE: Final = 6
"""With several players: the loss from closing a path, for each free space, because the path could still have grown."""
LUCK: Final = 8
"""The loss from closing a path, for each of its tiles, because it could have ended in the centre."""
OTHERS: Final = 8
"""The loss from another player's gain, in sixteenths of that gain."""
TRIES: Final = 3
"""A playout takes the best of this many actions, drawn at random."""
_LANES: Final = LANE << LANES_AT

_FILE: Final = Path(__file__).with_name("weights") / "solo.npz"


def _weights() -> Any:
    """Return the learned weights in whole units of 1 / PARTS of a point. Raises ContractError if the file does not fit the
    features.
    """
    return table(np.rint(PARTS * read_value(value, _FILE).weights.astype(np.float64)))


WEIGHTS: Final = _weights()


def constants(parameters: Mapping[str, Any]) -> dict[str, float]:
    """Return the constants of the search by name. For games with a learned value, the search considers few actions, and
    playouts end after a few tiles. For other games the dictionary is empty, so that the defaults apply.
    """
    if not value.weights(parameters):
        return {}
    return {"WIDEN": 0.5, "EXPLORE": 0.3, "CUT": 4, "TRUST": 60, "UNIT": 1 / PARTS, "CAUTION": 10}


def playout_action(state: RawPosition, rng: Words) -> int:
    if learned_for(state):
        return best_place(state, WEIGHTS, i64(PARTS))
    return best_of_random(state, rng, i64(TRIES), random_action, value_of)


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    for i in range(count):
        out[i] = value_of(state, i64(actions[i]))


def value_of(state: RawPosition, action: int) -> int:
    """Return the gain of an action for the mover: in units of 1 / PARTS of a point with the learned value, otherwise of 1 /
    POINT. Declining scores 0.
    """
    if learned_for(state):
        return i64(change(state, action, WEIGHTS, i64(PARTS)))
    if action == DECLINE:
        return i64(0)
    lane = i64(LANE_OF[index(i64(state.board) + (action >> FACE_BITS))])
    face = action & FACE
    value = i64(0)
    for side in range(SIDES):
        before = i64(state.chains[index(lane + side)])
        if before & END:
            owner = before >> OWNER_AT
            weight = i64(16) if owner == state.mover else i64(-OTHERS) if owner < state.players else i64(0)
            value += _gain(state, before, lane, face, i64(side)) * weight
    return value >> 4


def _gain(state: RawPosition, before: int, lane: int, face: int, side: int) -> int:
    """Return the gain of the path that enters a space across a side, in units of 1 / POINT of a point. It is the number of
    tiles by which the path grows, less if the path then ends at a station, and more if it ends in the centre.

    `before` is the word of the path's chain, `lane` the lane into the space across side 0, and `face` the oriented tile.
    """
    chains = state.chains
    lanes = (before & _LANES) >> LANES_AT
    grown = i64(0)
    for _ in range(SIDES):
        after = i64(chains[index(lane + i64(LANE_OUT[index(face), index(side)]))])
        grown += (after & _LANES) >> LANES_AT
        if after & END:
            length = lanes + grown - 1
            hope = i64(0)
            if state.players > 1:
                for word in range(WORDS):
                    hope += HOPE * size(i64(state.free[word]))
            return POINT * grown + (POINT * length if after & CENTRE else 0) - LUCK * length - hope
        side = (after & LANE) - lane
        if side < 0 or side >= SIDES:
            break
    return POINT * grown
