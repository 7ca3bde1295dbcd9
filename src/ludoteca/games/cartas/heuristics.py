"""What a player of cartas looks at first: how many turns his hand will still take, and who is about to finish.

Playouts go on as beginners play (`beginner`): of what was tried that is the fastest, and searches are strongest with it.
`action_values` are for choosing without a search, and for what a search tries first. They keep double sequences, fours and
the highest cards for what they beat, lead low cards before long sequences, and pass until somebody has few cards left. Their
weights were found by playing against beginners of four kinds.
"""

from typing import Final

from ludoteca.core.bits import size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.games.cartas.beginner import answer, lead, lowest_besides
from ludoteca.games.cartas.combinations import DECK, SUITS, VALUES, above, ends_in, having, is_of_kings, shape_of
from ludoteca.games.cartas.rules import HAND, PASS, PLAYERS

EXPAND_AT: Final = 16
EXPLORE: Final = 0.35
WIDEN: Final = 0.5
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


def playout_action(state: RawPosition, rng: Words) -> int:
    """What a beginner plays."""
    hand = i64(state.hands[index(state.mover)])
    if state.play == 0:
        return lead(hand)
    return answer(hand, i64(state.play), i64(state.kind), i64(state.higher))


def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
    """Turns and high cards that stay in the hand, cards that leave it."""
    hand = i64(state.hands[index(state.mover)])
    unseen = DECK ^ i64(state.played) ^ hand
    masters = _masters(unseen)
    for i in range(count):
        action = i64(actions[i])
        out[i] = _worth_of_hand(hand ^ action, masters) + (
            _worth_of_passing(state) if action == PASS else _worth_of_play(hand, unseen, action)
        )


def _worth_of_hand(hand: int, masters: int) -> int:
    return MASTER * size(hand & masters) - TURN * turns(hand)


def _worth_of_passing(state: RawPosition) -> int:
    if state.play == 0:
        return i64(VOID)
    return -PASSING - HURRY * max(i64(0), LATE - _fewest(state))


def _worth_of_play(hand: int, unseen: int, cards: int) -> int:
    rest = hand ^ cards
    if rest == 0:
        return i64(GOES_OUT)
    worth = CARD * size(cards) - HEIGHT * (_top(cards) >> 2)
    return worth + WINS if turns(rest) == 1 and _is_safe(unseen, cards) else worth


def turns(hand: int) -> int:
    """About how many turns a hand takes: one a value, less what sequences and double sequences spare."""
    one, two, three = having(hand, i64(1)), having(hand, i64(2)), having(hand, i64(3))
    return size(one) - _spared(one, one & ~two) - _spared(two, two & ~three)


def _spared(values: int, last: int) -> int:
    """A sequence as long as possible takes one turn, and spares one for each value of which it takes the last cards."""
    middles = (values >> SUITS) & values & (values << SUITS)
    rest = (middles | (middles >> SUITS) | (middles << SUITS)) * 15
    spared = i64(0)
    while rest != 0:
        run = rest & ~(rest + (rest & -rest))
        spared += max(i64(0), size(run & last) - 1)
        rest ^= run
    return spared


def _masters(unseen: int) -> int:
    """The cards that at most one unseen card beats."""
    return above(unseen & ~(i64(1) << _top(unseen)))


def _top(cards: int) -> int:
    """The highest card."""
    return SUITS * VALUES - 1 - size(above(cards))


def _fewest(state: RawPosition) -> int:
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
    return same == 0 and (not is_of_kings(cards) or lowest_besides(unseen, cards) == 0)
