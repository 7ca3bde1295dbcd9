"""Cartas as numbers for a learner: three planes of 14 x 4, a byte for each card, and 737 numbers for its plays.

A number stands for a shape and the highest card: it is where the shape's numbers begin, plus the card's place in the deck,
counted from the lowest card that can be the highest of that shape. The shapes come in the order in which they may be led:

           0  sets of 1, 2, 3 and 4 cards, 56 numbers each        (a pair's highest card is never a ♠, so its number is free)
         224  sequences of 3 to 14 values, 4 * (15 - length) each
         536  double sequences of 3 to 7 values, likewise         (longer ones are not in a hand of 14 cards)
         736  passing

The other cards are the lowest that the hand has of their values. Whoever plays higher ones keeps lower ones, and that is all
the difference: what answers a play depends on its shape and its highest card only.
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
"""Of all that a hand can hold."""
BEGIN: Final = tuple(sum(SUITS * (VALUES + 1 - length) for length, _ in SHAPES[:i]) for i in range(len(SHAPES) + 1))
"""The first number of each shape, and one after the last."""
PASSING: Final = BEGIN[-1]
"""The number of passing."""

_SHIFT: Final = table(
    [
        BEGIN[SHAPES.index(found)] - SUITS * (found[0] - 1) if found in SHAPES else 0
        for found in ((length_of(number), each_of(number)) for number in range(shape(VALUES, SUITS) + 1))
    ]
)
"""What is added to the highest card to give the number, by shape."""
_SHAPE: Final = table([shape(*SHAPES[i]) for i in range(len(SHAPES)) for _ in range(BEGIN[i + 1] - BEGIN[i])])
"""The shape of each number."""
_NOT_LOWEST: Final = 0xEEEEEEEEEEEEEE
_UPPER_TWO: Final = 0xCCCCCCCCCCCCCC
_HIGHEST: Final = 0x88888888888888
"""Of the four cards of each value."""


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    """The one who sees comes first, then the others in turn order, from the first player for a spectator."""
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
    """A spectator has no hand, so that all cards that are not played are unseen."""
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
    """Passing, and every shape and highest card of which the hand has a combination that may be played."""
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
    """The highest card, and the lowest ones of the hand that make a combination of the shape with it."""
    if is_terminal(state):
        return i64(-1)
    if number == PASSING:
        return i64(PASS)
    hand, found = i64(state.hands[index(state.mover)]), i64(_SHAPE[index(number)])
    top = number - i64(_SHIFT[index(found)])
    card = _highest(hand, each_of(found)) & _may_be_highest(state, found) & (i64(1) << top)
    return cheapest(hand, found, top & ~(SUITS - 1), card) if ends_in(hand, found, card) != 0 else i64(-1)


def _may_be_highest(state: RawPosition, shape: int) -> int:
    """The cards with which a combination of a shape may be played now, whatever the hand holds."""
    play = i64(state.play)
    if play == 0 or shape in (other_shape(play, 0), other_shape(play, 1)):
        return i64(DECK)
    return i64(state.higher) if shape == state.kind else i64(0)


def _highest(hand: int, each: int) -> int:
    """The cards that can be the highest of `each` of their value: so many less one are below them."""
    for _ in range(each - 1):
        hand &= _over(hand)
    return hand


def _over(cards: int) -> int:
    """The cards that are higher than one of these of the same value."""
    return ((cards << 1) & _NOT_LOWEST) | ((cards << 2) & _UPPER_TWO) | ((cards << 3) & _HIGHEST)


def _mark_leads(hand: int, out: Bytes) -> None:
    """All that the hand can lead."""
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
    """What the hand has of a shape, with one of the higher cards as the highest."""
    ends = ends_in(hand, shape, higher)
    if ends != 0:
        _mark(_highest(hand, each_of(shape)) & higher & (15 * ends), shape, out)


def _mark(tops: int, shape: int, out: Bytes) -> None:
    """The numbers of these highest cards, eight at a time; what goes beyond the shape's last number is 0, and written before
    the shape that comes after it.
    """
    lowest = SUITS * (length_of(shape) - 1)
    begin = i64(_SHIFT[index(shape)])
    for card in range(lowest, CARDS, 8):
        write_word(out, index(begin + card), spread(tops >> card))
