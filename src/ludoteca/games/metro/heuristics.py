"""What looks good in Metro: paths of one's own that grow long and end in the centre, and others' that end short.

Only the trains' paths that lead into the space are looked at. Each is followed over the tile, and on from the far end of the
chain that it joins; it can come back to the space up to three times.
"""

from typing import Final

from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.policy import best_of_random
from ludoteca.games.metro.actions import DECLINE, FACE, FACE_BITS
from ludoteca.games.metro.bits import size
from ludoteca.games.metro.board import LANE_OF, LANE_OUT, WORDS
from ludoteca.games.metro.rules import CENTRE, END, LANE, LANES_AT, OWNER_AT, random_action
from ludoteca.games.metro.tiles import SIDES

POINT: Final = 16
"""What a point is worth: values are in sixteenths of one."""
HOPE: Final = 6
"""What is lost by closing a path, for every free space, where others can keep it from growing."""
LUCK: Final = 8
"""What is lost by closing a path, for every tile of it: it could have ended in the centre."""
OTHERS: Final = 8
"""How many sixteenths of what another player gains are lost."""
TRIES: Final = 3
"""A playout takes the best of so many random actions."""
_LANES: Final = LANE << LANES_AT


def playout_action(state: RawPosition, rng: Words) -> int:
    return best_of_random(state, rng, i64(TRIES), random_action, value_of)


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    for i in range(count):
        out[i] = value_of(state, i64(actions[i]))


def value_of(state: RawPosition, action: int) -> int:
    """What an action gains the mover, in sixteenths of a point; 0 for declining."""
    if action == DECLINE:
        return i64(0)
    lane = i64(LANE_OF[index(i64(state.board) + (action >> FACE_BITS))])
    face = action & FACE
    value = i64(0)
    for side in range(SIDES):
        before = i64(state.chains[index(lane + side)])
        if before & END:
            value += _gain(state, before, lane, face, i64(side)) * _weight(state, before >> OWNER_AT)
    return value >> 4


def _weight(state: RawPosition, owner: int) -> int:
    """In sixteenths, and nothing for nobody's paths."""
    if owner == state.mover:
        return i64(16)
    return i64(-OTHERS) if owner < state.players else i64(0)


def _gain(state: RawPosition, before: int, lane: int, face: int, side: int) -> int:
    """What the path gains that enters the space there: its growth, twice its length in the centre; less hope if it ends."""
    chains = state.chains
    lanes = (before & _LANES) >> LANES_AT
    grown = i64(0)
    for _ in range(SIDES):
        after = i64(chains[index(lane + i64(LANE_OUT[index(face), index(side)]))])
        grown += (after & _LANES) >> LANES_AT
        if after & END:
            length = lanes + grown - 1
            return POINT * grown + (POINT * length if after & CENTRE else 0) - LUCK * length - _hope(state)
        side = (after & LANE) - lane
        if side < 0 or side >= SIDES:
            break
    return POINT * grown


def _hope(state: RawPosition) -> int:
    if state.players == 1:
        return i64(0)
    free = i64(0)
    for word in range(WORDS):
        free += size(i64(state.free[word]))
    return HOPE * free
