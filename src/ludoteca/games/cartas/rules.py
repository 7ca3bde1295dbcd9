"""The rules of Jogo de Cartas: four players get 14 cards each. The first player without cards wins a point for each card
that the others still hold.

The rules are those of the document "Jogo de Cartas" (Laboratórios de Informática 2, 2023/24). This module has the course of
a game. `combinations` knows the combinations of cards and their followers, and draws the bits of the cards.

An action is the set of the cards to play, as bits. Passing is 0 ("Não é obrigatório jogar mesmo que o possa fazer").
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
"""A player who leads with a hand of 3, 4, 4 and 3 cards of four consecutive values has 824 plays, and may also pass."""
MAX_MOVES: Final = (PLAYERS * (HAND - 1) + 1) * PLAYERS
"""Each play removes at least one card from a hand, and at most three passes come before it."""
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
"""The shapes of the combinations that a player may lead."""


def setup(state: RawPosition) -> None:
    """Do nothing: a position of zeros is right before the deal. Player 0 is to move and leads."""


def deal(state: RawPosition, rng: Words) -> None:
    """Deal 14 random cards to each player: “cada jogador recebe 14 cartas”. Half of the cards are chosen first, then half of
    each half.
    """
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
    """Write the legal actions to `out`: passing, then all plays. Return their number."""
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
    """Return True if the action is a pass by a player who may lead any combination.

    Such a player always has a play. If the other three have passed too, this pass ends the game without a winner.
    """
    return action == PASS and state.play == 0


def random_action(state: RawPosition, rng: Words) -> int:
    """Return a uniformly random legal action. The function counts the possible plays, draws a number, and finds the play
    with that number. The last number is passing.
    """
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
    """Write the points of each player to `out`. The winner gets a point for each card that the others hold: “ganhamos pontos
    por cada carta que ficou nas mãos dos nossos adversários”. All others get 0.
    """
    won = winners(state)
    left = i64(0)
    for player in range(PLAYERS):
        left += i64(state.sizes[player])
    for player in range(PLAYERS):
        out[player] = left * ((won >> player) & 1)


def winners(state: RawPosition) -> int:
    """Return the bit set with the winner: “quando somos os primeiros a livramo-nos de todas as cartas”. It is 0 if there is
    no winner.
    """
    won = i64(0)
    if is_terminal(state):
        for player in range(PLAYERS):
            if state.sizes[player] == 0:
                won |= i64(1) << player
    return won


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    """Copy to `view` the player's own hand, the cards played, the combination to answer, the passes, and the sizes of all
    hands.
    """
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
    """Deal the cards that are neither played nor in the player's hand to the other hands at random. The sizes of the hands
    stay the same.
    """
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
    """Make these cards the combination to answer. If they are the empty set, 0, the next player may lead any combination."""
    state.play = cards
    state.kind = shape_of(cards)
    state.higher = above(cards) if cards != 0 else 0


# The combinations in a hand: `each` cards of each of `length` values, and of the highest value at least one `higher` card.
# The combinations that end with a value have numbers. The lowest digit chooses the suits of the highest value, the next
# digit those of the value below it, and so on.

_BY_HIGHEST: Final = [[sorted(of_suits) for of_suits in of_each] for of_each in CHOICES]
"""The sets of `each` suits out of a set of suits, as [each][suits]. Sets with a higher highest suit come last."""
_MOST: Final = max(len(ways) for of_each in _BY_HIGHEST for ways in of_each)
_WAYS: Final = table([[len(ways) for ways in of_each] for of_each in _BY_HIGHEST])
_CHOICE: Final = table([[ways + [0] * (_MOST - len(ways)) for ways in of_each] for of_each in _BY_HIGHEST])
_INVERSE: Final = table([0, *(-(-(1 << 20) // ways) for ways in range(1, _MOST + 1))])


def _ways(hand: int, each: int, at: int) -> int:
    """Return the number of ways to take `each` cards of the value at bit `at`."""
    return i64(_WAYS[index(each), index((hand >> at) & 15)])


def _choice(hand: int, each: int, at: int, n: int) -> int:
    """Return the cards that are way number n to take `each` cards of the value at bit `at`."""
    return i64(_CHOICE[index(each), index((hand >> at) & 15), index(n)]) << at


def _number_ending(hand: int, shape: int, higher: int, end: int) -> int:
    """Return the number of combinations of a shape in a hand whose highest value begins at bit `end` and has at least one
    `higher` card.
    """
    each = each_of(shape)
    n = _ways(hand, each, end) - _ways(hand & ~higher, each, end)
    for i in range(1, length_of(shape)):
        n *= _ways(hand, each, end - SUITS * i)
    return n


def _nth_ending(hand: int, shape: int, higher: int, end: int, n: int) -> int:
    """Return the combination with number n in the count of `_number_ending`."""
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
    """Return the number of combinations of a shape in a hand whose highest card is one of the `higher` cards. Most calls are
    for single cards, which have a faster path.
    """
    if shape == SINGLE:
        return size(hand & higher)
    ends, n = ends_in(hand, shape, higher), i64(0)
    while ends != 0:
        n += _number_ending(hand, shape, higher, lowest(ends))
        ends &= ends - 1
    return n


def _nth(hand: int, shape: int, higher: int, n: int) -> int:
    """Return the combination with number n in the count of `_number`."""
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
    """Write all combinations that `_number` counts to `out`, from index n on. Return the index after the last one."""
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
    """Return the number of combinations in a hand that answer a play of kings although they have another shape than the
    play.
    """
    n = i64(0)
    for number in range(OTHERS):
        other = other_shape(play, number)
        if other != 0:
            n += _number(hand, other, i64(DECK))
    return n


def _nth_of_others(hand: int, play: int, n: int) -> int:
    """Return the combination with number n in the count of `_number_of_others`."""
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
    """Return the number of sets in a hand. From c cards of a value, 2^c - 1 sets can be made, which is the sum of the first
    c of the numbers 1, 2, 4, 8.
    """
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
    """Return the number of sequences (`each` = 1) or double sequences (`each` = 2) of any length in a hand.

    The number of runs of one value or more that end with a value is the number of ways to take cards of the value, times one
    more than the number of runs that end with the value before it. "One more", because a run may begin here. The number of
    runs of three values or more is the number of ways at the value, times the ways at the value before it, times the runs
    that end with the value before both.
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
    """Return run number n of a hand. Sequences come before double sequences. The function first finds the value with which
    the run ends, then its length.
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
    """Return a random subset of `wanted` cards of a set of cards. All subsets of this size are equally likely.

    The function tosses a coin for each card, then adds or removes random cards until the number is right. After the coins,
    all subsets of a size are equally likely, and each added or removed card keeps them equally likely.
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
