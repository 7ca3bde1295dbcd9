"""Guiões 3 and 4 and the player with one sentence of the document broken at a time, for the judge to find."""

from collections.abc import Iterator, Sequence
from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.core.judging import Mutant
from ludoteca.games.cartas.cards import PASSO, Form, highest, write
from ludoteca.games.cartas.combinations import (
    DECK,
    FOUR,
    KINGS,
    LEADS,
    SHORTEST,
    SUITS,
    Group,
    Window,
    above,
    answers,
    each_of,
    groups,
    is_of_kings,
    length_of,
    other_shape,
    shape,
    shape_of,
    windows,
)
from ludoteca.games.cartas.guioes import hand_after, texts_of_plays
from ludoteca.games.cartas.judging.hands import KING, profile, top_value
from ludoteca.games.cartas.judging.mutants import blank_at_the_end, unsorted
from ludoteca.games.cartas.judging.plays import SPECIAL
from ludoteca.games.cartas.lines import NOTHING, PASSED, play_to_answer

# Which play is to be answered


def last_line(plays: Sequence[int]) -> int:
    """One pass, and anything may be led."""
    return plays[-1] if plays else PASSED


def last_two_lines(plays: Sequence[int]) -> int:
    return next((play for play in reversed(plays[-2:]) if play != PASSED), PASSED)


def three_passes_at_least(plays: Sequence[int]) -> int:
    return NOTHING if 0 < len(plays) < 3 and not any(plays) else play_to_answer(plays)


# What answers a play


def value_decides(cards: int, play: int) -> bool:
    """A card of the same value is not higher."""
    return answers(cards, play) and (shape_of(cards) != shape_of(play) or top_value(cards) > top_value(play))


def value_is_enough(cards: int, play: int) -> bool:
    """A card of the same value is as good, whatever its suit."""
    return answers(cards, play) or (shape_of(cards) == shape_of(play) != 0 and top_value(cards) == top_value(play))


def any_height(cards: int, play: int) -> bool:
    same = shape_of(cards) == shape_of(play) != 0
    return answers(cards, play) or (same and top_value(cards) < top_value(play))


def numbers_only(cards: int, play: int) -> bool:
    """Any combination of as many cards, if it is higher."""
    return answers(cards, play) or bool(shape_of(cards) and size(cards) == size(play) and cards & above(play))


def types_only(cards: int, play: int) -> bool:
    """Any number of cards of one type, if one is higher."""
    found, wanted = shape_of(cards), shape_of(play)
    same = (length_of(found) == 1) == (length_of(wanted) == 1) and (
        length_of(found) == 1 or each_of(found) == each_of(wanted)
    )
    return answers(cards, play) or bool(found and wanted and same and cards & above(play))


def kings_go_on(cards: int, play: int) -> bool:
    """After what follows kings by an exception, kings go on."""
    special = shape_of(play) in SPECIAL and play != KINGS
    return answers(cards, play) or (special and shape_of(cards) != 0 and is_of_kings(cards))


def exceptions_go_on(cards: int, play: int) -> bool:
    """Four cards and double sequences answer each other, too, whatever their height."""
    return answers(cards, play) or (shape_of(cards) in SPECIAL and shape_of(play) in SPECIAL and play != KINGS)


# The exceptions


def no_fours(play: int, number: int) -> int:
    return 0 if number == 0 else other_shape(play, number)


def no_doubles_on_one(play: int, number: int) -> int:
    return 0 if number == 1 and size(play) == 1 else other_shape(play, number)


def no_doubles_on_two(play: int, number: int) -> int:
    return 0 if size(play) == 2 else other_shape(play, number)


def no_doubles_on_three(play: int, number: int) -> int:
    return 0 if size(play) == 3 else other_shape(play, number)


def fours_on_all_kings(play: int, number: int) -> int:
    return FOUR if number == 0 and is_of_kings(play) and 0 < size(play) < SUITS else other_shape(play, number)


def threes_on_all_kings(play: int, number: int) -> int:
    return shape(SHORTEST, 2) if number == 1 and is_of_kings(play) and 0 < size(play) < SUITS else other_shape(play, number)


def double_on_four_kings(play: int, number: int) -> int:
    return shape(6, 2) if number == 1 and play == KINGS else other_shape(play, number)


def any_value(play: int, number: int) -> int:
    """The exceptions hold for sets of other values, too."""
    found = shape_of(play)
    return other_shape(KINGS & ~(DECK << (SUITS * KING + size(play))), number) if length_of(found) == 1 else 0


# The hand after a play


def played_as_far_as_held(hand: int, before: list[int], play: int) -> int:
    """Cards that are not in the hand do no harm."""
    return hand & ~play if play > 0 and hand_after(hand | play, before, play) != hand | play else hand


def without_combination(hand: int, before: list[int], play: int) -> int:
    """Any cards answer, though they are no combination."""
    answer = play > 0 and not shape_of(play) and play_to_answer(before) != PASSED
    return hand ^ play if answer and not play & ~hand else hand_after(hand, before, play)


def invalid_leads(hand: int, before: list[int], play: int) -> int:
    """Any cards may be led."""
    free = play_to_answer(before) == PASSED
    return hand ^ play if free and play > 0 and not play & ~hand else hand_after(hand, before, play)


def never_leads_again(hand: int, before: list[int], play: int) -> int:
    """After three passes nothing may be led."""
    return hand if len(before) == 3 and not any(before) else hand_after(hand, before, play)


def keeps_a_card(hand: int, before: list[int], play: int) -> int:
    """The last cards cannot be played."""
    return hand if hand == play else hand_after(hand, before, play)


def must_play(hand: int, before: list[int], play: int) -> int:
    """Who passes with a lead plays the lowest card."""
    return hand & (hand - 1) if play == PASSED else hand_after(hand, before, play)


# Everything that may be played


def only_values_above(cards: int) -> int:
    return DECK & ~((1 << SUITS * (top_value(cards) + 1)) - 1)


def same_value_and_above(cards: int) -> int:
    return DECK & ~((1 << SUITS * top_value(cards)) - 1) & ~(1 << highest(cards))


def lower_ones_too(cards: int) -> int:
    """The cards above, and those of lower values."""
    return above(cards) | ((1 << SUITS * top_value(cards)) - 1)


def doubles_first(play: int) -> tuple[Group, ...]:
    first_group, *others = groups(play) or (None,)
    return groups(play) if first_group is None or play == 0 else (first_group, *reversed(others))


def exceptions_only(play: int) -> tuple[Group, ...]:
    return groups(play)[1:] if play and len(groups(play)) > 1 else groups(play)


def leads_no_doubles(play: int) -> tuple[Group, ...]:
    return groups(play) or () if play else tuple(group for group in LEADS if group[0] == 1 or group[1] == 1)


def leads_no_sequences(play: int) -> tuple[Group, ...]:
    return groups(play) if play else tuple(group for group in LEADS if group[0] == 1 or group[1] == 2)


def leads_single_cards(play: int) -> tuple[Group, ...]:
    return groups(play) if play else tuple(group for group in LEADS if group[0] > 1 or group[1] == 1)


def first_suits(hand: int, group: Group) -> Iterator[Window]:
    """Of the lower values only the lowest suits."""
    return ((low, (*(some[:1] for some in choices[:-1]), choices[-1])) for low, choices in windows(hand, group))


def from_the_highest(hand: int, group: Group) -> Iterator[Window]:
    return reversed(list(windows(hand, group)))


def silent(last: int, hand: int, form: Form) -> Iterator[str]:
    """An empty line in place of PASSO."""
    found = list(texts_of_plays(last, hand, form))
    return iter(found or [""])


def two_blanks(last: int, hand: int, form: Form) -> Iterator[str]:
    return (text.replace(" ", "  ") + " " for text in texts_of_plays(last, hand, form))


# Players


def _play(hand: int, to_answer: int) -> int:
    """The longest of the lowest plays; 0 where there is none."""
    found = [window for group in groups(to_answer) for window in windows(hand, group)]
    lows = [sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices)) for low, choices in found]
    return max(lows, key=size, default=0)


def leads_always(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, PASSED)


def leads_after_a_pass(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, last_line(plays))


def leads_after_two_passes(hand: int, plays: Sequence[int], seconds: float) -> int:
    return _play(hand, last_two_lines(plays))


def plays_cards_of_others(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Plays cards that are not in its hand."""
    to_answer = play_to_answer(plays)
    free = DECK & ~hand
    return (_play(free, to_answer) if to_answer else 0) or free & -free


def plays_lower(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Lower values answer, too."""
    to_answer = play_to_answer(plays)
    return _of(hand, shape_of(to_answer), lower_ones_too(to_answer)) if to_answer else _play(hand, PASSED)


def plays_same_value(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Cards of the same value answer each other."""
    to_answer = play_to_answer(plays)
    wanted = shape_of(to_answer)
    return _of(hand, wanted, same_value_and_above(to_answer)) if wanted else _play(hand, PASSED)


def plays_single_cards(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Its highest card, whatever the type."""
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


def all_at_once(hand: int, plays: Sequence[int], seconds: float) -> int:
    """Puts its whole hand down when it is small."""
    return hand if size(hand) <= 4 else _play(hand, play_to_answer(plays))


def says_so(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    return f"Jogo {write(_play(hand, play_to_answer(plays)), form)}"


def one_line_a_card(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    return "\n".join(form[card] for card in members(_play(hand, play_to_answer(plays)))) or PASSO


def mute(hand: int, plays: Sequence[int], form: Form, seconds: float) -> str:
    """An empty line for a pass."""
    return write(_play(hand, play_to_answer(plays)), form)


def _of(hand: int, wanted: int, higher: int) -> int:
    """The lowest combination of a shape with one of the higher cards on top; 0 where there is none."""
    for low, choices in windows(hand, (length_of(wanted), each_of(wanted), higher)):
        return sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices))
    return 0


_EXCEPTIONS: Final = (
    Mutant("four cards answer no king", "king-four", "combinations", "other_shape", no_fours),
    Mutant("no double sequence answers a king", "king-double", "combinations", "other_shape", no_doubles_on_one),
    Mutant("no double sequence answers two kings", "two-kings", "combinations", "other_shape", no_doubles_on_two),
    Mutant("no double sequence answers three kings", "three-kings", "combinations", "other_shape", no_doubles_on_three),
    Mutant(
        "six pairs answer four kings",
        "four-kings-double",
        "combinations",
        "other_shape",
        double_on_four_kings,
    ),
    Mutant("any value is answered as kings are", "no-king", "combinations", "other_shape", any_value),
)
GUIAO3: Final = (
    Mutant("after a pass anything may be led", "one-pass", "lines", "play_to_answer", last_line),
    Mutant("after two passes anything may be led", "two-passes", "lines", "play_to_answer", last_two_lines),
    Mutant("after three passes nothing may be led", "three-passes", "guioes", "hand_after", never_leads_again),
    Mutant("only three passes let lead", "few-passes", "lines", "play_to_answer", three_passes_at_least),
    Mutant("a higher suit is not enough", "suit-higher", "combinations", "answers", value_decides),
    Mutant("the same value is enough", "suit-lower", "combinations", "answers", value_is_enough),
    Mutant("lower cards answer", "lower", "combinations", "answers", any_height),
    Mutant("as many cards of another type answer", "other-type", "combinations", "answers", numbers_only),
    Mutant("another number of cards answers", "other-size", "combinations", "answers", types_only),
    *_EXCEPTIONS,
    Mutant("four cards answer all kings", "kings-fours", "combinations", "other_shape", fours_on_all_kings),
    Mutant("three pairs answer all kings", "kings-other", "combinations", "other_shape", threes_on_all_kings),
    Mutant("kings answer what follows kings", "king-after", "combinations", "answers", kings_go_on),
    Mutant("exceptions answer exceptions", "after-exception", "combinations", "answers", exceptions_go_on),
    Mutant("cards that are not in the hand may be played", "not-in-hand", "guioes", "hand_after", played_as_far_as_held),
    Mutant("any cards answer", "no-combination", "guioes", "hand_after", without_combination),
    Mutant("any cards may be led", "lead-nothing", "guioes", "hand_after", invalid_leads),
    Mutant("the last cards stay", "empty-hand", "guioes", "hand_after", keeps_a_card),
    Mutant("who passes loses a card", "passo", "guioes", "hand_after", must_play),
    Mutant("the hand is printed from the highest card down", "cards-ascending", "cards", "write", unsorted),
    Mutant("a blank at the end of a line", "", "cards", "write", blank_at_the_end),
)
GUIAO4: Final = (
    Mutant("kings do not answer kings", "kings-higher", "combinations", "groups", exceptions_only),
    Mutant("a higher suit is not enough", "suit-higher", "combinations", "above", only_values_above),
    Mutant("the same value is enough", "suit-lower", "combinations", "above", same_value_and_above),
    Mutant("lower cards answer", "lower", "combinations", "above", lower_ones_too),
    *_EXCEPTIONS,
    Mutant("double sequences go before four cards", "kings-order", "combinations", "groups", doubles_first),
    Mutant("double sequences are not led", "lead-doubles", "combinations", "groups", leads_no_doubles),
    Mutant("sequences are not led", "lead-sequences", "combinations", "groups", leads_no_sequences),
    Mutant("only single cards of a value are led", "lead-sets", "combinations", "groups", leads_single_cards),
    Mutant("lower cards have one suit", "all-suits", "combinations", "windows", first_suits),
    Mutant("the highest come first", "answer-set", "combinations", "windows", from_the_highest),
    Mutant("an empty line for PASSO", "nothing", "guioes", "texts_of_plays", silent),
    Mutant("cards are printed from the highest down", "cards-ascending", "cards", "write", unsorted),
    Mutant("two blanks for each", "", "guioes", "texts_of_plays", two_blanks),
)
JOGADOR: Final = (
    Mutant("plays cards of others", "combination", "strategy", "choose", plays_cards_of_others),
    Mutant("leads two pairs", "two-pairs", "strategy", "choose", two_pairs),
    Mutant("leads queen, king and ace", "king-ace", "strategy", "choose", round_the_corner),
    Mutant("always leads", "answer", "strategy", "choose", leads_always),
    Mutant("leads after a pass", "one-pass", "strategy", "choose", leads_after_a_pass),
    Mutant("leads after two passes", "two-passes", "strategy", "choose", leads_after_two_passes),
    Mutant("answers with lower cards", "lower", "strategy", "choose", plays_lower),
    Mutant("answers with the same value", "suit-lower", "strategy", "choose", plays_same_value),
    Mutant("answers with single cards", "answer", "strategy", "choose", plays_single_cards),
    Mutant("answers with one card more", "other-size", "strategy", "choose", plays_other_numbers),
    Mutant("answers all kings with four cards", "kings-fours", "strategy", "choose", fours_on_kings),
    Mutant("answers kings with any double sequence", "kings-other", "strategy", "choose", doubles_on_kings),
    Mutant("answers an exception with a king", "king-after", "strategy", "choose", kings_on_fours),
    Mutant("plays all its last cards at once", "few-cards", "strategy", "choose", all_at_once),
    Mutant("says that it plays", "one-line", "jogador", "said", says_so),
    Mutant("writes a line for each card", "one-line", "jogador", "said", one_line_a_card),
    Mutant("says nothing when it passes", "nothing", "jogador", "said", mute),
)
