"""Cartas: four players with 14 cards each. The first player without cards gets a point for each card of the others.

The law is the document "Jogo de Cartas" (Laboratórios de Informática 2, 2023/24). This module has the course of a game.
Combinations and their answers are in `combinations`, with a drawing of the cards' bits.

An action is the set of the cards to play. Passing is 0 ("Não é obrigatório jogar mesmo que o possa fazer").
"""

from typing import Final

import numpy as np

from ludoteca.core.bits import size
from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.core.tables import member, table
from ludoteca.games.cartas.combinations import (
    CHOICES,
    DECK,
    LEADS,
    OTHERS,
    SHORTEST,
    SINGLE,
    SUITS,
    VALUES,
    above,
    each_of,
    ends_in,
    ends_of_runs,
    having,
    is_of_kings,
    length_of,
    lowest,
    other_shape,
    shape,
    shape_of,
)

PLAYERS: Final = 4
HAND: Final = VALUES * SUITS // PLAYERS
PASS: Final = 0

ACTIONS: Final = 0
CONCEDE: Final = -1
MAX_LEGAL: Final = 825
"""A leader with 3, 4, 4 and 3 cards of four consecutive values has 824 plays, and may pass."""
MAX_MOVES: Final = (PLAYERS * (HAND - 1) + 1) * PLAYERS
"""Each play removes at least one card, and at most three passes come before it."""
UTILITY: Final = "points"
MAX_SCORE: Final = (PLAYERS - 1) * HAND

STATE: Final = np.dtype(
    [
        ("hands", "i8", (PLAYERS,)),  # the cards of each player, as bit sets
        ("sizes", "i8", (PLAYERS,)),  # the number of these cards, 0..14
        ("played", "i8"),  # the cards played so far, as a bit set
        ("play", "i8"),  # the combination to answer, as a bit set, or 0 if any may be led
        ("kind", "i8"),  # its shape (see `combinations`)
        ("higher", "i8"),  # the cards that are higher than all of its cards, as a bit set, or 0 if there is no play
        ("passes", "i8"),  # the passes in a row, 0..4
        ("mover", "i8"),  # 0..3, or TERMINAL
    ]
)
DERIVED: Final = ()

LEAD_SHAPES: Final = table([shape(length, each) for length, each, _ in LEADS])
"""The shapes of the combinations that may be led."""


def setup(state: RawPosition) -> None:
    """Leave the zeros of a new position: before the deal, player 0 is to lead."""


def deal(state: RawPosition, rng: Words) -> None:
    """Deal the cards: “cada jogador recebe 14 cartas”. Draw half of the cards, then half of each half."""
    hands, sizes = state.hands, state.sizes
    hands[0] = choose(i64(DECK), 2 * HAND, rng)
    hands[2] = DECK ^ i64(hands[0])
    for player in range(0, PLAYERS, 2):
        both = i64(hands[player])
        hands[player] = choose(both, HAND, rng)
        hands[player + 1] = both ^ i64(hands[player])
    for player in range(PLAYERS):
        sizes[player] = HAND


def current_player(state: RawPosition) -> int:
    return i64(state.mover)


def legal_actions(state: RawPosition, out: Integers) -> int:
    """Write passing and the possible plays to `out`, and return their number."""
    if is_terminal(state):
        return 0
    out[0] = PASS
    hand, play, n = i64(state.hands[index(state.mover)]), i64(state.play), i64(1)
    if play == 0:  # "se for o primeiro a jogar, o jogador pode escolher qualquer combinação válida"
        for i in range(len(LEAD_SHAPES)):
            n = _list(hand, i64(LEAD_SHAPES[i]), i64(DECK), out, n)
        return n
    n = _list(hand, i64(state.kind), i64(state.higher), out, n)
    for number in range(OTHERS):
        other = other_shape(play, number)
        if other != 0:
            n = _list(hand, other, i64(DECK), out, n)
    return n


def allows(state: RawPosition, action: int) -> bool:
    play = i64(state.play)
    if action == PASS or action & ~i64(state.hands[index(state.mover)]) != 0:
        return action == PASS
    if play == 0:
        return True
    kind = shape_of(action)
    if kind == state.kind:
        return action & i64(state.higher) != 0
    return is_of_kings(play) and (kind == other_shape(play, 0) or kind == other_shape(play, 1))


def spoils(state: RawPosition, action: int) -> bool:
    """Return True if a leader passes. If the other three have passed too, this voids the game, and a leader can always play
    something.
    """
    return action == PASS and state.play == 0


def random_action(state: RawPosition, rng: Words) -> int:
    """Count the possible plays, draw a number, and return the play of that number. The last number is passing."""
    hand, play = i64(state.hands[index(state.mover)]), i64(state.play)
    if play == 0:
        sets = _number_of_sets(hand)
        plays = sets + _number_of_runs(hand, i64(1)) + _number_of_runs(hand, i64(2))
        n = draw(rng, plays + 1)
        if n < sets:
            return _nth_set(hand, n)
        return _nth_run(hand, n - sets) if n < plays else PASS
    kind, higher = i64(state.kind), i64(state.higher)
    same = _number(hand, kind, higher)
    plays = same + _number_of_others(hand, play) if is_of_kings(play) else same
    if plays == 0:
        return PASS
    n = draw(rng, plays + 1)
    if n < same:
        return _nth(hand, kind, higher, n)
    return _nth_of_others(hand, play, n - same) if n < plays else PASS


def apply(state: RawPosition, action: int) -> None:
    """Play or pass: “na sua vez, o jogador pode jogar uma combinação de cartas permitida ou passar a vez”."""
    player = i64(state.mover)
    state.mover = (player + 1) & (PLAYERS - 1)
    if action == PASS:
        passes = i64(state.passes) + 1
        state.passes = passes
        if passes == PLAYERS - 1:  # "caso todos os outros jogadores passarem, a ronda acabou"
            set_play(state, 0)
        elif passes == PLAYERS:  # "o jogo acaba se todos os jogadores passarem"
            state.mover = TERMINAL
        return
    left = i64(state.sizes[index(player)]) - size(action)
    state.hands[index(player)] ^= action
    state.sizes[index(player)] = left
    state.played |= action
    state.passes = 0
    set_play(state, action)
    if left == 0:
        state.mover = TERMINAL


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def scores(state: RawPosition, out: Integers) -> None:
    """Write the points: “ganhamos pontos por cada carta que ficou nas mãos dos nossos adversários”."""
    won = winners(state)
    left = i64(0)
    for player in range(PLAYERS):
        left += i64(state.sizes[player])
    for player in range(PLAYERS):
        out[player] = left * ((won >> player) & 1)


def winners(state: RawPosition) -> int:
    """Return the winner as a bit set: “quando somos os primeiros a livramo-nos de todas as cartas”."""
    won = i64(0)
    if is_terminal(state):
        for player in range(PLAYERS):
            if state.sizes[player] == 0:
                won |= i64(1) << player
    return won


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    """Show the player's own hand, every play and pass, and the size of each hand."""
    if player >= 0:
        view.hands[player] = state.hands[player]
    view.sizes = state.sizes
    view.played = state.played
    view.play = state.play
    view.kind = state.kind
    view.higher = state.higher
    view.passes = state.passes
    view.mover = state.mover


def redeal(state: RawPosition, player: int, rng: Words) -> None:
    """Deal the cards that are neither in the player's hand nor played to the other hands, by their sizes."""
    hands = state.hands
    rest = DECK ^ i64(state.played)
    if player >= 0:
        rest ^= i64(hands[player])
    for other in range(PLAYERS):
        if other != player:
            hand = choose(rest, i64(state.sizes[other]), rng)
            hands[other] = hand
            rest ^= hand


def seen_action(state: RawPosition, action: int, player: int) -> int:
    return action


def set_play(state: RawPosition, cards: int) -> None:
    """Make these cards the combination to answer. With 0 there is none."""
    state.play = cards
    state.kind = shape_of(cards)
    state.higher = above(cards) if cards != 0 else 0


# The combinations in a hand: `each` cards of each of `length` values, and of the highest value at least one `higher` card.
# The combinations that end with a value have numbers. The lowest digit chooses the suits of the highest value, the next
# digit those of the value below it, and so on.

_BY_HIGHEST: Final = [[sorted(of_suits) for of_suits in of_each] for of_each in CHOICES]
"""The ways to take `each` of some suits, as [each][suits]. Ways with a higher highest suit come last."""
_MOST: Final = max(len(ways) for of_each in _BY_HIGHEST for ways in of_each)
_WAYS: Final = table([[len(ways) for ways in of_each] for of_each in _BY_HIGHEST])
_CHOICE: Final = table([[ways + [0] * (_MOST - len(ways)) for ways in of_each] for of_each in _BY_HIGHEST])
_INVERSE: Final = table([0, *(-(-(1 << 20) // ways) for ways in range(1, _MOST + 1))])


def _ways(hand: int, each: int, at: int) -> int:
    """Return the number of ways to take `each` cards of the value at bit `at`."""
    return i64(_WAYS[index(each), index((hand >> at) & 15)])


def _choice(hand: int, each: int, at: int, n: int) -> int:
    """Return one of those ways."""
    return i64(_CHOICE[index(each), index((hand >> at) & 15), index(n)]) << at


def _number_ending(hand: int, shape: int, higher: int, end: int) -> int:
    """Return the number of combinations whose highest value is at bit `end`."""
    each = each_of(shape)
    n = _ways(hand, each, end) - _ways(hand & ~higher, each, end)
    for i in range(1, length_of(shape)):
        n *= _ways(hand, each, end - SUITS * i)
    return n


def _nth_ending(hand: int, shape: int, higher: int, end: int, n: int) -> int:
    """Return one of them, by its number."""
    each = each_of(shape)
    too_low = _ways(hand & ~higher, each, end)
    ways = _ways(hand, each, end) - too_low
    rest = _divided(n, ways)
    cards = _choice(hand, each, end, too_low + n - rest * ways)
    for i in range(1, length_of(shape)):
        n = rest
        ways = _ways(hand, each, end - SUITS * i)
        rest = _divided(n, ways)
        cards |= _choice(hand, each, end - SUITS * i, n - rest * ways)
    return cards


def _divided(n: int, ways: int) -> int:
    """Return n // ways for n below 100,000. A compiled division would first test if `ways` is 0, and could raise."""
    return (n * i64(_INVERSE[index(ways)])) >> 20


def _number(hand: int, shape: int, higher: int) -> int:
    """Return the number of combinations of a shape. Most calls are for single cards."""
    if shape == SINGLE:
        return size(hand & higher)
    ends, n = ends_in(hand, shape, higher), i64(0)
    while ends != 0:
        n += _number_ending(hand, shape, higher, lowest(ends))
        ends &= ends - 1
    return n


def _nth(hand: int, shape: int, higher: int, n: int) -> int:
    """Return one of them, by its number."""
    if shape == SINGLE:
        return i64(1) << member(hand & higher, n)
    ends = ends_in(hand, shape, higher)
    here = _number_ending(hand, shape, higher, lowest(ends))
    while n >= here:
        n -= here
        ends &= ends - 1
        here = _number_ending(hand, shape, higher, lowest(ends))
    return _nth_ending(hand, shape, higher, lowest(ends), n)


def _list(hand: int, shape: int, higher: int, out: Integers, n: int) -> int:
    """Write all of them to `out` from place n on, and return the place after the last."""
    ends = ends_in(hand, shape, higher)
    while ends != 0:
        end = lowest(ends)
        for number in range(_number_ending(hand, shape, higher, end)):
            out[n] = _nth_ending(hand, shape, higher, end, number)
            n += 1
        ends &= ends - 1
    return n


# Answers of another shape


def _number_of_others(hand: int, play: int) -> int:
    """Return the number of combinations of another shape that answer a play of kings."""
    n = i64(0)
    for number in range(OTHERS):
        other = other_shape(play, number)
        if other != 0:
            n += _number(hand, other, i64(DECK))
    return n


def _nth_of_others(hand: int, play: int, n: int) -> int:
    """Return one of them, by its number."""
    other = i64(0)
    for number in range(OTHERS):
        other = other_shape(play, number)
        here = _number(hand, other, i64(DECK)) if other != 0 else i64(0)
        if n < here:
            break
        n -= here
    return _nth(hand, other, i64(DECK), n)


# Leads


def _number_of_sets(hand: int) -> int:
    """Return the number of sets. There are 2^c - 1 of c cards of a value: the first c of 1 + 2 + 4 + 8."""
    n = 0
    for each in range(1, SUITS + 1):
        n += size(having(hand, each)) << (each - 1)
    return n


def _nth_set(hand: int, n: int) -> int:
    at, each = 0, 1
    here = _ways(hand, each, at)
    while n >= here:
        n -= here
        at, each = (at, each + 1) if each < SUITS else (at + SUITS, 1)
        here = _ways(hand, each, at)
    return _choice(hand, each, at, n)


def _number_of_runs(hand: int, each: int) -> int:
    """Return the number of sequences (each = 1) or double sequences (each = 2) of any length.

    The number of runs that end with a value is the number of ways to take its cards, times the runs that end with the value
    before plus 1, because a run may begin here. For three or more values it is the ways at the value, times those at
    the value before, times the runs that end before both.
    """
    n = 0
    if ends_of_runs(having(hand, each), SHORTEST) == 0:
        return n
    ways, ending, ending_before = 0, 0, 0
    for at in range(0, SUITS * VALUES, SUITS):
        here = _ways(hand, each, at)
        n += here * ways * ending_before
        ending_before = ending
        ending = here * (1 + ending)
        ways = here
    return n


def _nth_run(hand: int, n: int) -> int:
    """Return the run with a number, counting sequences before double sequences. Find where the run ends first, then its
    length.
    """
    each, at, ways, ending, ending_before = 1, 0, 0, 0, 0
    here = _ways(hand, each, at)
    while n >= here * ways * ending_before:
        n -= here * ways * ending_before
        ending_before = ending
        ending = here * (1 + ending)
        ways = here
        at += SUITS
        if at == SUITS * VALUES:
            each, at, ways, ending, ending_before = 2, 0, 0, 0, 0
        here = _ways(hand, each, at)
    length = SHORTEST
    number = here * ways * _ways(hand, each, at - 2 * SUITS)
    while n >= number:
        n -= number
        number *= _ways(hand, each, at - SUITS * length)
        length += 1
    return _nth_ending(hand, shape(length, each), i64(DECK), at, n)


# Random hands


def choose(cards: int, wanted: int, rng: Words) -> int:
    """Return a random set of `wanted` of the cards, all sets equally likely. Toss a coin for each card, then add or remove
    random cards until the number is right.

    After the coins, all sets of a size are equally likely. Each added or removed card keeps them equally likely.
    """
    of = size(cards)
    if wanted == of:
        return cards
    chosen = cards & _coins(rng)
    if 3 * wanted < of:
        chosen &= _coins(rng)
    n = size(chosen)
    while n > wanted:
        chosen ^= i64(1) << member(chosen, draw(rng, n))
        n -= 1
    while n < wanted:
        chosen |= i64(1) << member(cards ^ chosen, draw(rng, of - n))
        n += 1
    return chosen


def _coins(rng: Words) -> int:
    """Return a random set of cards. It has each card of the deck with probability 1/2."""
    return (draw(rng, i64(1) << 28) << 28) | draw(rng, i64(1) << 28)
