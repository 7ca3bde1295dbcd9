"""The observations and action numbers of Jogo de Cartas for learners: three planes of 14 x 4 with a byte for each card, and
737 numbers for plays.

The number of a play depends on its shape and its highest card. It is the first number of the shape, plus the distance of the
card from the lowest card that can be the highest of that shape. The shapes come in the order in which they may be led:

           0  sets of 1, 2, 3 and 4 cards, 56 numbers each      (a pair's highest card is never a ♠, so its number is free)
         224  sequences of 3 to 14 values, 4 * (15 - length) each
         536  double sequences of 3 to 7 values, likewise       (longer double sequences do not fit into 14 cards)
         736  passing

The other cards of the play are the lowest of their values in the hand. With higher cards only the rest of the hand would
differ, because the answers to a play depend on its shape and its highest card alone.
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.bits import size
from ludoteca.core.contract import Bytes, Floats, RawPosition, i64, index
from ludoteca.core.features import FeatureLayout
from ludoteca.core.tables import spread, table, write_word
from ludoteca.games.cartas.combinations import (
    DECK,
    LEADS,
    OTHERS,
    SHORTEST,
    SUITS,
    VALUES,
    above,
    each_of,
    ends_in,
    ends_of_runs,
    having,
    is_of_kings,
    length_of,
    other_shape,
    shape,
    shape_of,
)
from ludoteca.games.cartas.play.beginner import cheapest
from ludoteca.games.cartas.rules import HAND, PASS, PLAYERS, is_terminal

CARDS: Final = VALUES * SUITS
SHAPES: Final = tuple((length, each) for length, each, _ in LEADS if length * each <= HAND)
"""The shapes that fit into a hand, in order: the number of values, and the number of cards of each value."""
BEGIN: Final = tuple(sum(SUITS * (VALUES + 1 - length) for length, _ in SHAPES[:i]) for i in range(len(SHAPES) + 1))
"""The first number of a play of each shape, in the order of SHAPES. The last entry is the number after the last shape."""
PASSING: Final = BEGIN[-1]
"""The action number of passing."""

_SHIFT: Final = table(
    [
        BEGIN[SHAPES.index(found)] - SUITS * (found[0] - 1) if found in SHAPES else 0
        for found in ((length_of(number), each_of(number)) for number in range(shape(VALUES, SUITS) + 1))
    ]
)
"""The number of a play minus its highest card, by the shape of the play."""
_SHAPE: Final = table([shape(*SHAPES[i]) for i in range(len(SHAPES)) for _ in range(BEGIN[i + 1] - BEGIN[i])])
"""The shape of the play with an action number, by this number."""
# Of the four cards of each value, these:
_NOT_LOWEST: Final = 0xEEEEEEEEEEEEEE
_UPPER_TWO: Final = 0xCCCCCCCCCCCCCC
_HIGHEST: Final = 0x88888888888888


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    """Return the names of the planes and numbers of an observation. Numbers about players begin with the observer and go on
    in turn order. For a spectator they begin with player 0.
    """
    who = ["own", *(f"+{i}" for i in range(1, PLAYERS))]
    return FeatureLayout(
        planes=("hand", "unseen", "to answer"),
        rows=VALUES,
        columns=SUITS,
        numbers=(
            *(f"cards: {whose}" for whose in who),
            *(f"to move: {whose}" for whose in who),
            *("passes", "values to answer", "cards of each"),
        ),
        actions=PASSING + 1,
    )


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """Write the planes and numbers that a player sees. A spectator (player -1) has no hand, so all cards that are not played
    are unseen.
    """
    hand = i64(state.hands[index(player)]) if player >= 0 else i64(0)
    unseen, play = DECK ^ i64(state.played) ^ hand, i64(state.play)
    for at in range(0, CARDS, 8):
        write_word(planes, index(at), spread(hand >> at))
        write_word(planes, index(CARDS + at), spread(unseen >> at))
        write_word(planes, index(2 * CARDS + at), spread(play >> at))
    sizes, kind, mover = state.sizes, i64(state.kind), i64(state.mover)
    first = max(player, i64(0))
    for i in range(PLAYERS):
        other = (first + i) & (PLAYERS - 1)
        numbers[index(i)] = i64(sizes[index(other)]) / HAND
        numbers[index(PLAYERS + i)] = other == mover
    numbers[index(2 * PLAYERS)] = i64(state.passes) / PLAYERS
    numbers[index(2 * PLAYERS + 1)] = length_of(kind) / VALUES
    numbers[index(2 * PLAYERS + 2)] = each_of(kind) / SUITS


def action_mask(state: RawPosition, out: Bytes) -> None:
    """Write 1 for the action number of each legal action: passing, and each shape and highest card of a possible play."""
    if is_terminal(state):
        return
    out[index(PASSING)] = 1
    hand, play = i64(state.hands[index(state.mover)]), i64(state.play)
    if play == 0:
        _mark_leads(hand, out)
        return
    _mark_ends(hand, i64(state.kind), i64(state.higher), out)
    if is_of_kings(play):
        for number in range(OTHERS):
            other = other_shape(play, number)
            if other != 0:
                _mark_ends(hand, other, i64(DECK), out)


def encode_action(state: RawPosition, action: int) -> int:
    return PASSING if action == PASS else i64(_SHIFT[index(shape_of(action))]) + CARDS - 1 - size(above(action))


def decode_action(state: RawPosition, number: int) -> int:
    """Return the play with an action number: the combination of its shape and highest card, with the lowest other cards of
    the hand.

    Return -1 if this play is not possible.
    """
    if is_terminal(state):
        return i64(-1)
    if number == PASSING:
        return i64(PASS)
    hand, found = i64(state.hands[index(state.mover)]), i64(_SHAPE[index(number)])
    top = number - i64(_SHIFT[index(found)])
    card = _highest(hand, each_of(found)) & _may_be_highest(state, found) & (i64(1) << top)
    return cheapest(hand, found, top & ~(SUITS - 1), card) if ends_in(hand, found, card) != 0 else i64(-1)


def _may_be_highest(state: RawPosition, shape: int) -> int:
    """Return the set of the cards that may be the highest card of a play of a shape now, for any hand."""
    play = i64(state.play)
    if play == 0 or shape in (other_shape(play, 0), other_shape(play, 1)):
        return i64(DECK)
    return i64(state.higher) if shape == state.kind else i64(0)


def _highest(hand: int, each: int) -> int:
    """Return the set of the cards in a hand that have at least `each` - 1 lower cards of the same value in the hand."""
    for _ in range(each - 1):
        hand &= _over(hand)
    return hand


def _over(cards: int) -> int:
    """Return the set of the cards that are higher than one of these cards and have the same value."""
    return ((cards << 1) & _NOT_LOWEST) | ((cards << 2) & _UPPER_TWO) | ((cards << 3) & _HIGHEST)


def _mark_leads(hand: int, out: Bytes) -> None:
    """Write 1 for the numbers of all plays that the hand can lead."""
    tops = hand
    for each in range(1, SUITS + 1):
        _mark(tops, shape(1, each), out)
        if each <= 2:
            values = having(hand, each)
            ends, length = ends_of_runs(values, i64(SHORTEST)), i64(SHORTEST)
            while ends != 0:
                _mark(tops & (15 * ends), shape(length, each), out)
                ends = (ends << SUITS) & values
                length += 1
        tops &= _over(tops)


def _mark_ends(hand: int, shape: int, higher: int, out: Bytes) -> None:
    """Write 1 for the numbers of the hand's plays of a shape whose highest card is one of the `higher` cards."""
    ends = ends_in(hand, shape, higher)
    if ends != 0:
        _mark(_highest(hand, each_of(shape)) & higher & (15 * ends), shape, out)


def _mark(tops: int, shape: int, out: Bytes) -> None:
    """Write 1 for the plays of a shape whose highest cards are in `tops`, eight numbers at a time, and 0 for its other
    plays.

    The last eight may reach into the numbers of the next shape. They write zeros there, and the next shape is written later.
    """
    lowest = SUITS * (length_of(shape) - 1)
    begin = i64(_SHIFT[index(shape)])
    for card in range(lowest, CARDS, 8):
        write_word(out, index(begin + card), spread(tops >> card))
