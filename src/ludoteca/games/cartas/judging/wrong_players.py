"""Wrong players for `jogador`. Each breaks one sentence of the document, and the judge must find it.

The functions that this module imports by name do not change while a mutant runs. So a replacement may call the original.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.core.judging import Mutant
from ludoteca.games.cartas.cards import PASSO, Form, highest, write
from ludoteca.games.cartas.combinations import (
    DECK,
    FOUR,
    KINGS,
    SHORTEST,
    SUITS,
    above,
    each_of,
    groups,
    is_of_kings,
    length_of,
    shape,
    shape_of,
    windows,
)
from ludoteca.games.cartas.judging.hands import KING, profile, top_value, without_gaps
from ludoteca.games.cartas.judging.plays import SPECIAL
from ludoteca.games.cartas.text.lines import PASSED, play_to_answer

CHOOSE: Final = ("jogador", "choose")
SAID: Final = ("jogador", "said")


def _play(hand: int, to_answer: int) -> int:
    """Return the longest of the lowest plays, or 0 if there is none."""
    found = [window for group in groups(to_answer) for window in windows(hand, group)]
    lows = [sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices)) for low, choices in found]
    return max(lows, key=size, default=0)


def leads_always(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, PASSED)


def leads_after_a_pass(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, play_to_answer(plays[-1:]))


def leads_after_two_passes(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, play_to_answer(plays[-2:]))


def plays_cards_of_others(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Plays cards that are not in its hand."""
    to_answer = play_to_answer(plays)
    free = DECK & ~hand
    return (_play(free, to_answer) if to_answer else 0) or free & -free


def plays_lower(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Lower values answer, too."""
    to_answer = play_to_answer(plays)
    return _of(hand, shape_of(to_answer), above(to_answer) | _below(to_answer)) if to_answer else _play(hand, PASSED)


def plays_same_value(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Cards of the same value answer each other."""
    to_answer = play_to_answer(plays)
    wanted = shape_of(to_answer)
    return _of(hand, wanted, DECK & ~_below(to_answer)) if wanted else _play(hand, PASSED)


def plays_single_cards(hand: int, plays: Sequence[int], seconds: float) -> int:
    """The highest card answers a combination of any type."""
    to_answer = play_to_answer(plays)
    return 1 << highest(hand) if to_answer and 1 << highest(hand) > to_answer else _play(hand, to_answer)


def plays_other_numbers(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Sets answer smaller sets."""
    to_answer = play_to_answer(plays)
    wanted = shape_of(to_answer)
    larger = shape(1, each_of(wanted) + 1) if length_of(wanted) == 1 and each_of(wanted) < SUITS else 0
    return (_of(hand, larger, above(to_answer)) if larger else 0) or _play(hand, to_answer)


def fours_on_kings(hand: int, plays: Sequence[int], seconds: float) -> int:
    to_answer = play_to_answer(plays)
    return (_of(hand, FOUR, DECK) if to_answer and is_of_kings(to_answer) else 0) or _play(hand, to_answer)


def doubles_on_kings(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Any double sequence answers kings."""
    to_answer = play_to_answer(plays)
    if not to_answer or not is_of_kings(to_answer):
        return _play(hand, to_answer)
    return max((_of(hand, shape(length, 2), DECK) for length in range(SHORTEST, 8)), key=size) or _play(hand, to_answer)


def as_many_cards(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Answers with as many cards of another type if it has no right answer."""
    to_answer = play_to_answer(plays)
    right, number = _play(hand, to_answer), size(to_answer)
    shapes = [shape(1, number)] * (number <= SUITS) + [shape(number, 1)] * (number >= SHORTEST)
    return right or next(filter(None, (_of(hand, each, above(to_answer)) for each in shapes)), 0)


def kings_on_fours(hand: int, plays: Sequence[int], seconds: float) -> int:
    to_answer = play_to_answer(plays)
    special = to_answer and shape_of(to_answer) in SPECIAL
    return hand & KINGS & -(hand & KINGS) if special and hand & KINGS else _play(hand, to_answer)


def two_pairs(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Leads two pairs, as if they were a double sequence."""
    to_answer = play_to_answer(plays)
    pairs = [value for value, number in profile(hand).items() if number >= 2]
    both = next((value for value in pairs if value + 1 in pairs), None)
    if to_answer or both is None:
        return _play(hand, to_answer)
    return _of(hand & 255 << SUITS * both, shape(1, 2), DECK) | _of(hand & 15 << SUITS * (both + 1), shape(1, 2), DECK)


def round_the_corner(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Leads queen, king, ace."""
    to_answer = play_to_answer(plays)
    queens, kings, aces = (hand & 15 << SUITS * value for value in (KING - 1, KING, 0))
    if to_answer or not (queens and kings and aces):
        return _play(hand, to_answer)
    return sum(cards & -cards for cards in (queens, kings, aces))


def pairs_with_gaps(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Leads any three pairs."""
    to_answer = play_to_answer(plays)
    pairs = [_of(hand & 15 << SUITS * value, shape(1, 2), DECK) for value, number in profile(hand).items() if number >= 2]
    return sum(pairs[:3]) if len(pairs) >= 3 and not to_answer else _play(hand, to_answer)


def leads_two_cards(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Leads its lowest and its highest card."""
    to_answer = play_to_answer(plays)
    return _play(hand, to_answer) if to_answer else hand & -hand | 1 << highest(hand)


def all_at_once(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Leads its whole hand if that is small."""
    to_answer = play_to_answer(plays)
    return hand if size(hand) <= 4 and not to_answer else _play(hand, to_answer)


def leads_after_few_plays(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Leads if there are fewer than three plays."""
    return _play(hand, play_to_answer(plays) if len(plays) >= 3 else PASSED)


def answers_the_first(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Answers the first play of the game."""
    return _play(hand, next(filter(None, plays), PASSED))


def answers_the_first_of_three(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, next(filter(None, plays[-3:]), PASSED))


def reads_three_plays(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, play_to_answer(plays[:3]))


def plays_any_height(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Does not compare heights."""
    to_answer = play_to_answer(plays)
    return _of(hand, shape_of(to_answer), DECK) if to_answer else _play(hand, PASSED)


def spades_on_top(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Takes the order of suits the other way round."""
    to_answer = play_to_answer(plays)
    higher = above(to_answer) ^ (15 << SUITS * top_value(to_answer) & ~(1 << highest(to_answer))) if to_answer else DECK
    return _of(hand, shape_of(to_answer), higher) if to_answer else _play(hand, PASSED)


def on_kings(number: int, wanted: int, hand: int, plays: Sequence[int], seconds: float) -> int:
    """Answers this many kings with a shape that does not answer them."""
    to_answer = play_to_answer(plays)
    found = _of(hand, wanted, DECK) if is_of_kings(to_answer) and size(to_answer) == number else 0
    return found or _play(hand, to_answer)


def any_value_as_kings(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Answers cards of any value as if they were kings."""
    to_answer = play_to_answer(plays)
    number = size(to_answer)
    answered = 1 <= number <= 3 and length_of(shape_of(to_answer)) == 1
    return _play(hand, to_answer) or (_of(hand, shape(number + 2, 2), DECK) if answered else 0)


def closes_a_gap(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Leads its last cards if they lack one value of a sequence."""
    to_answer = play_to_answer(plays)
    return hand if without_gaps(hand) and not to_answer else _play(hand, to_answer)


def exceptions_on_exceptions(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Answers an exception with another one."""
    to_answer = play_to_answer(plays)
    found = [_of(hand, each, DECK) for each in SPECIAL] if shape_of(to_answer) in SPECIAL else []
    return next(filter(None, found), 0) or _play(hand, to_answer)


def repeats(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Plays the cards that it should answer."""
    to_answer = play_to_answer(plays)
    return to_answer or _play(hand, PASSED)


def reads_values_only(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Takes the first suits for those of its cards."""
    cards = sum(((1 << number) - 1) << SUITS * value for value, number in profile(hand).items())
    return _play(cards, play_to_answer(plays))


def takes_the_last_line_for_its_cards(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(plays[-1], play_to_answer([hand, *plays[:-1]])) if plays else _play(hand, PASSED)


def says_so(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    return f"Jogo {write(_play(hand, play_to_answer(plays)), form)}"


def one_line_a_card(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    return "\n".join(form[card] for card in members(_play(hand, play_to_answer(plays)))) or PASSO


def silent(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    return ""


def every_play(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    """A line for each combination of another shape."""
    to_answer = play_to_answer(plays)
    found = [_of(hand, shape(length, each), higher) for length, each, higher in groups(to_answer)]
    return "\n".join([write(play, form) for play in found if play] or [PASSO])


def mute(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    """An empty line for a pass."""
    return write(_play(hand, play_to_answer(plays)), form)


def _below(cards: int) -> int:
    """Return the cards with lower values than the highest."""
    return (1 << SUITS * top_value(cards)) - 1


def _of(hand: int, wanted: int, higher: int) -> int:
    """Return the lowest combination of a shape with one of the higher cards on top, or 0 if there is none."""
    for low, choices in windows(hand, (length_of(wanted), each_of(wanted), higher)):
        return sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices))
    return 0


MUTANTS: Final = (
    Mutant("plays cards of others", "combination", *CHOOSE, plays_cards_of_others),
    Mutant("plays the cards that it should answer", "combination", *CHOOSE, repeats),
    Mutant("reads the values of its cards only", "unsorted", *CHOOSE, reads_values_only),
    Mutant("takes the last line for its cards", "unsorted", *CHOOSE, takes_the_last_line_for_its_cards),
    Mutant("leads two pairs", "two-pairs", *CHOOSE, two_pairs),
    Mutant("leads three pairs with gaps", "two-pairs", *CHOOSE, pairs_with_gaps),
    Mutant("leads its last cards in spite of a gap", "gap", *CHOOSE, closes_a_gap),
    Mutant("leads two cards", "lead", *CHOOSE, leads_two_cards),
    Mutant("leads queen, king and ace", "king-ace", *CHOOSE, round_the_corner),
    Mutant("always leads", "answer", *CHOOSE, leads_always),
    Mutant("leads after a pass", "one-pass", *CHOOSE, leads_after_a_pass),
    Mutant("leads after two passes", "two-passes", *CHOOSE, leads_after_two_passes),
    Mutant("leads after fewer than three plays", "few-plays", *CHOOSE, leads_after_few_plays),
    Mutant("answers the first play of the game", "long-history", *CHOOSE, answers_the_first),
    Mutant("answers the first of the last three plays", "several-plays", *CHOOSE, answers_the_first_of_three),
    Mutant("reads three plays", "long-history", *CHOOSE, reads_three_plays),
    Mutant("answers with lower cards", "lower", *CHOOSE, plays_lower),
    Mutant("does not compare heights", "lower", *CHOOSE, plays_any_height),
    Mutant("answers with the same value", "suit-lower", *CHOOSE, plays_same_value),
    Mutant("takes spades for the highest suit", "suit-lower", *CHOOSE, spades_on_top),
    Mutant("answers with single cards", "answer", *CHOOSE, plays_single_cards),
    Mutant("answers with as many cards of another type", "other-type", *CHOOSE, as_many_cards),
    Mutant("answers with one card more", "other-size", *CHOOSE, plays_other_numbers),
    Mutant("answers all kings with four cards", "kings-fours", *CHOOSE, fours_on_kings),
    Mutant("answers a king with three cards", "king-four", *CHOOSE, partial(on_kings, 1, shape(1, 3))),
    Mutant("answers a king with a sequence of four", "king-four", *CHOOSE, partial(on_kings, 1, shape(4, 1))),
    Mutant("answers a king with a sequence of three", "king-double", *CHOOSE, partial(on_kings, 1, shape(3, 1))),
    Mutant("answers two kings with three pairs", "two-kings", *CHOOSE, partial(on_kings, 2, shape(3, 2))),
    Mutant("answers two kings with a sequence of four", "two-kings", *CHOOSE, partial(on_kings, 2, shape(4, 1))),
    Mutant("answers three kings with four pairs", "three-kings", *CHOOSE, partial(on_kings, 3, shape(4, 2))),
    Mutant("answers three kings with a sequence of five", "three-kings", *CHOOSE, partial(on_kings, 3, shape(5, 1))),
    Mutant("answers kings with any double sequence", "kings-other", *CHOOSE, doubles_on_kings),
    Mutant("answers four kings with three pairs", "four-kings", *CHOOSE, partial(on_kings, 4, shape(3, 2))),
    Mutant("answers any value as it answers kings", "no-king", *CHOOSE, any_value_as_kings),
    Mutant("answers an exception with a king", "king-after", *CHOOSE, kings_on_fours),
    Mutant("answers exceptions with exceptions", "after-exception", *CHOOSE, exceptions_on_exceptions),
    Mutant("plays all its last cards at once", "few-cards", *CHOOSE, all_at_once),
    Mutant("says that it plays", "one-line", *SAID, says_so),
    Mutant("writes a line for each card", "one-line", *SAID, one_line_a_card),
    Mutant("writes a line for each play", "one-line", *SAID, every_play),
    Mutant("writes nothing", "one-line", *SAID, silent),
    Mutant("says nothing when it passes", "one-line", *SAID, mute),
)
