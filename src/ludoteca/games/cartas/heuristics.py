"""What a player of cartas looks at first: how many turns his hand will still take, and who is about to finish.

`playout_action` is the player that beginners write: the longest sequence is led, the lowest play answers, but pairs are not
broken for a single card. Searches look at what comes of it in many deals, and need it fast more than wise. `action_values`
are for choosing without a search. They keep double sequences, fours and the highest cards for what they beat, and wait until
somebody has few cards left. Their weights were found by playing against beginners of four kinds.
"""

from typing import Final

from ludoteca.core.contract import Integers, Record, Words, i64, index
from ludoteca.games.cartas.combinations import (
    DECK,
    FOUR,
    SINGLE,
    SUITS,
    VALUES,
    above,
    count,
    each_of,
    having,
    is_answered_by_fours,
    is_of_kings,
    length_of,
    lowest,
    pairs_that_answer,
    shape,
    shape_of,
)
from ludoteca.games.cartas.rules import HAND, PASS, PLAYERS, ends_in

TURN: Final = 14
"""What a turn costs that the hand will still take."""
CARD: Final = 3
"""What a card played is worth."""
MASTER: Final = 3
"""What a card is worth that at most one unseen card beats."""
HEIGHT: Final = 2
"""What each step from A to K costs in the highest card of a play."""
PASSING: Final = 6
LATE: Final = 9
"""An opponent with fewer cards is about to finish."""
HURRY: Final = 7
"""What passing costs more, for each card fewer."""
GOES_OUT: Final = 1 << 20
WINS: Final = 1 << 19
"""Nobody can beat the play, and what is left is one combination."""
VOID: Final = -(1 << 19)
"""Passing in the lead may end the game with points for nobody."""


def playout_action(state: Record, rng: Words) -> int:  # noqa: ARG001  # nothing is left to chance but the deal
    """The longest sequence, double ones before simple ones, or the largest set; the lowest answer."""
    hand = i64(state.hands[index(state.mover)])
    if state.play == 0:
        return _longest(hand)
    kind, higher = i64(state.kind), i64(state.higher)
    cards = _lowest_card(hand, higher) if kind == SINGLE else _lowest_of(hand, kind, higher)
    if cards == 0 and is_of_kings(i64(state.play)):
        return _beats_kings(hand, i64(state.play))
    return cards


def action_values(state: Record, actions: Integers, count: int, out: Integers) -> None:
    """Turns and high cards that stay in the hand, cards that leave it."""
    hand = i64(state.hands[index(state.mover)])
    unseen = DECK ^ i64(state.played) ^ hand
    masters = _masters(unseen)
    for i in range(count):
        action = i64(actions[i])
        out[i] = _worth_of_hand(hand ^ action, masters) + (
            _worth_of_passing(state) if action == PASS else _worth_of_play(hand, unseen, action)
        )


# Leads and answers of beginners


def _longest(hand: int) -> int:
    for each in range(2, 0, -1):
        values = having(hand, each)
        middles = values & (values >> SUITS) & (values >> 2 * SUITS)
        if middles != 0:
            low = middles & -middles
            run = _run(values, low)
            end = lowest(run) + SUITS * (count(run) - 1)
            return _cheapest(hand, shape(count(run), each), end, i64(DECK))
    return _largest_set(hand)


def _run(values: int, low: int) -> int:
    """The consecutive values from `low` on."""
    full = values * ((1 << SUITS) - 1)
    return values & full & ~(full + low)


def _largest_set(hand: int) -> int:
    """All cards of a value of which there are most; of equal ones the lowest."""
    values = having(hand, 1)
    for each in range(2, SUITS + 1):
        more = having(hand, each)
        values = more if more != 0 else values
    return hand & (i64(15) << lowest(values))


def _lowest_card(hand: int, higher: int) -> int:
    """The lowest of the higher cards, if possible one that stands alone; 0 when there is none."""
    cards = hand & higher
    alone = cards & ~(having(hand, i64(2)) * 15)
    if alone != 0:
        return alone & -alone
    return cards & -cards


def _lowest_of(hand: int, kind: int, higher: int) -> int:
    """The lowest combination of a kind with one of the higher cards; 0 when there is none."""
    ends = ends_in(hand, kind, higher)
    return _cheapest(hand, kind, lowest(ends), higher) if ends != 0 else i64(0)


def _beats_kings(hand: int, play: int) -> int:
    """The lowest combination of another kind that answers kings; 0 when there is none."""
    if is_answered_by_fours(play):
        four = _lowest_of(hand, i64(FOUR), i64(DECK))
        if four != 0:
            return four
    length = pairs_that_answer(play)
    return _lowest_of(hand, shape(length, i64(2)), i64(DECK)) if length > 0 else i64(0)


def _cheapest(hand: int, kind: int, end: int, higher: int) -> int:
    """The lowest combination of a kind that ends with a value, with one of the higher cards."""
    each, cards = each_of(kind), i64(0)
    for i in range(1, length_of(kind)):
        cards |= _lowest_cards(hand & (i64(15) << (end - SUITS * i)), each)
    last = hand & (i64(15) << end)
    cards |= _lowest_cards(last, each - 1)
    top = last & ~cards & higher
    return cards | (top & -top)


def _lowest_cards(cards: int, n: int) -> int:
    rest = cards
    for _ in range(n):
        rest &= rest - 1
    return cards ^ rest


# What a player who counts looks at


def _worth_of_hand(hand: int, masters: int) -> int:
    return MASTER * count(hand & masters) - TURN * turns(hand)


def _worth_of_passing(state: Record) -> int:
    if state.play == 0:
        return i64(VOID)
    return -PASSING - HURRY * max(i64(0), LATE - _fewest(state))


def _worth_of_play(hand: int, unseen: int, cards: int) -> int:
    rest = hand ^ cards
    if rest == 0:
        return i64(GOES_OUT)
    worth = CARD * count(cards) - HEIGHT * (_top(cards) >> 2)
    return worth + WINS if turns(rest) == 1 and _is_safe(unseen, cards) else worth


def turns(hand: int) -> int:
    """About how many turns a hand takes: one a value, less what sequences and double sequences spare."""
    one, two, three = having(hand, i64(1)), having(hand, i64(2)), having(hand, i64(3))
    return count(one) - _spared(one, one & ~two) - _spared(two, two & ~three)


def _spared(values: int, last: int) -> int:
    """A sequence as long as possible takes one turn, and spares one for each value of which it takes the last cards."""
    middles = (values >> SUITS) & values & (values << SUITS)
    rest = (middles | (middles >> SUITS) | (middles << SUITS)) * 15
    spared = i64(0)
    while rest != 0:
        run = rest & ~(rest + (rest & -rest))
        spared += max(i64(0), count(run & last) - 1)
        rest ^= run
    return spared


def _masters(unseen: int) -> int:
    """The cards that at most one unseen card beats."""
    return above(unseen & ~(i64(1) << _top(unseen)))


def _top(cards: int) -> int:
    """The highest card."""
    return SUITS * VALUES - 1 - count(above(cards))


def _fewest(state: Record) -> int:
    """How many cards the opponent has who has fewest."""
    fewest = i64(HAND)
    sizes, mover = state.sizes, i64(state.mover)
    for player in range(PLAYERS):
        if player != mover:
            fewest = min(fewest, i64(sizes[player]))
    return fewest


def _is_safe(unseen: int, cards: int) -> bool:
    """Can no unseen cards beat the play?"""
    same = ends_in(unseen, shape_of(cards), above(cards))
    return same == 0 and (not is_of_kings(cards) or _beats_kings(unseen, cards) == 0)
