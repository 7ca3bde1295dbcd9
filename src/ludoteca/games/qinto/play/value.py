"""The features of the learned value of a position of Q!nto: the tiles that players have left, wilds, and tiles of a hand
that fit together. In Classic and Plus, points are a feature, too.

With two players, the features of both hands are active. With more players, only the features of the player's hand are.

There are no features for the tiles that the hands could add to the present grid, because they did not predict winners
better: the log loss was 0.5326 with them and 0.5327 without. The weights are learned from the results of games between
greedy players.
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.bits import first, size
from ludoteca.core.contract import Integers, RawPosition, i64, index
from ludoteca.games.qinto.hidden import MAX_PLAYERS
from ludoteca.games.qinto.legal import ADDING, CHOOSING, fitting_end, swappable
from ludoteca.games.qinto.points import LIGHT
from ludoteca.games.qinto.rules import HAND, tiles_left
from ludoteca.games.qinto.tiles import RUN_OF, WILD_KINDS, is_valid, join

_COUNTS: Final = 31
"""The number of possible counts of tiles that a player has left in Light: 0 to 30."""
_LEADS: Final = 81
"""The number of possible leads in points over the best other player, from -40 to 40."""
_STAGES: Final = 16
"""The number of stages of Classic and Plus. A stage is four numbers of tiles in hands and pile."""
_STANDINGS: Final = max(_COUNTS * _COUNTS, _LEADS * _STAGES)
_TURNS: Final = 3 + 2 * HAND * HAND
"""States of the turn: nothing done, swaps, trades, or (a Q!nto or none) * (tiles added) * (kinds that may follow: 0..4)."""
_ENDINGS: Final = 4
"""The number of ranges of tiles left to a player: to 3, to 6, to 12, more. With few tiles left, wilds are worth less."""
_WILDS: Final = (HAND + 1) * _ENDINGS
_SETS: Final = HAND + 1
_SWAPS: Final = 6

WIDTH: Final = 1
EXPLORE: Final = 0.0
TRACE: Final = 1.0
RATE: Final = 2.0

_SEAT: Final = _STANDINGS
_TURN: Final = _SEAT + MAX_PLAYERS
_HANDS: Final = _TURN + _TURNS
_SWAP: Final = _HANDS + 2 * (_WILDS + _SETS)
FEATURES: Final = _SWAP + _SWAPS
ACTIVE: Final = 8


def weights(parameters: Mapping[str, Any]) -> str:
    """Return the name of the file of weights for these parameters. Each variant has a file for two players and a file for
    more.
    """
    return f"{parameters['variant']}-{'two' if parameters['players'] == 2 else 'more'}"


def active_features(state: RawPosition, player: int, out: Integers) -> int:
    players, away = i64(state.players), player - i64(state.mover)
    out[0] = _standing(state, player)
    out[1] = _SEAT + (away if away >= 0 else away + players)
    out[2] = _TURN + _turn(state, player)
    out[3] = _SWAP + _swaps(state, player)
    out[4] = _HANDS + _wilds(state, player)
    out[5] = _HANDS + _WILDS + _largest_set(i64(state.held[index(player)]))
    if players > 2:
        return i64(6)
    other = 1 - player
    out[6] = _HANDS + _WILDS + _SETS + _wilds(state, other)
    out[7] = _HANDS + 2 * _WILDS + _SETS + _largest_set(i64(state.held[index(other)]))
    return i64(8)


def _standing(state: RawPosition, player: int) -> int:
    """Return the feature of the score.

    In Light it encodes two numbers: the tiles left to the player, and the tiles left to the opponent who has the fewest. In
    Classic and Plus it encodes the player's lead in points, and the number of tiles left in hands and pile.
    """
    fewest, most, left = i64(_COUNTS), i64(0), i64(state.piled[0])
    for other in range(state.players):
        left += i64(state.in_hand[index(other)])
        if other != player:
            fewest = min(fewest, tiles_left(state, other))
            most = max(most, i64(state.points[index(other)]))
    if state.variant == LIGHT:
        return tiles_left(state, player) * _COUNTS + fewest
    lead = min(max(i64(state.points[index(player)]) - most, -(_LEADS // 2)), _LEADS // 2) + _LEADS // 2
    return lead * _STAGES + min(left // 4, _STAGES - 1)


def _turn(state: RawPosition, player: int) -> int:
    """Return the state of the player's turn as a number below _TURNS. If tiles are being added, this includes the number of
    kinds in the hand that fit at the better end of the line.
    """
    phase = i64(state.phase)
    if player != i64(state.mover) or phase == CHOOSING:
        return i64(0)
    if phase != ADDING:
        return phase - 1
    hand, more = i64(state.held[index(player)]), i64(0)
    for end in range(4):
        more = max(more, size(fitting_end(state, hand, i64(end))))
    return 3 + (i64(state.again) * HAND + i64(state.laid) - 1) * HAND + min(more, HAND - 1)


def _swaps(state: RawPosition, player: int) -> int:
    """Return the number of wilds on the grid for which the player's hand has a tile that may be swapped. Larger numbers
    count as _SWAPS - 1.
    """
    hand, n = i64(state.held[index(player)]), i64(0)
    for i in range(state.n_wilds):
        n += i64(swappable(state, hand, i64(state.wilds[index(i)])) != 0)
    return min(n, _SWAPS - 1)


def _wilds(state: RawPosition, player: int) -> int:
    """Return a number that encodes the number of wilds in a player's hand, and the range (_ENDINGS) of the tiles that the
    player has left.
    """
    wilds = size(i64(state.held[index(player)]) & WILD_KINDS) + size(i64(state.paired[index(player)]) & WILD_KINDS)
    left = tiles_left(state, player)
    return wilds * _ENDINGS + i64(left > 3) + i64(left > 6) + i64(left > 12)


def _largest_set(hand: int) -> int:
    """Return the largest number of different tiles of a hand that make a valid line together."""
    most = i64(0)
    for chosen in range((1 << size(hand)) - 1, 0, -1):
        if size(i64(chosen)) > most:
            rest, left, run = hand, i64(chosen), i64(0)
            while left != 0:
                if left & 1 == 1:
                    run = join(run, i64(RUN_OF[index(first(rest))]))
                rest &= rest - 1
                left >>= 1
            if is_valid(run):
                most = size(i64(chosen))
    return most
