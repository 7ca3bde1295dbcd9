"""The guiões with one sentence of the document broken at a time, for the judge to find."""

from typing import Final

from ludoteca.core.judging import Mutant

SHAPE: Final = ("combinations", "shape_of")
OTHER_SHAPE: Final = ("combinations", "other_shape")
ANSWERS: Final = ("combinations", "answers")
GROUPS: Final = ("combinations", "groups")
ABOVE: Final = ("combinations", "above")
WINDOWS: Final = ("combinations", "windows")
HIGHEST: Final = ("cards", "highest")
READ: Final = ("cards", "read")
WRITE: Final = ("cards", "write")
TO_ANSWER: Final = ("lines", "play_to_answer")
CLASSIFY: Final = ("guioes", "classify")
DESCRIBE: Final = ("guioes", "describe")
COMPARE: Final = ("guioes", "compare")
COMPATIBLE: Final = ("guioes", "compatible")
IN_ORDER: Final = ("guioes", "in_order")
AFTER: Final = ("guioes", "hands_after_plays")
HAND_AFTER: Final = ("guioes", "hand_after")
LIST: Final = ("guioes", "list_plays")
TEXTS: Final = ("guioes", "texts_of_plays")

RUN: Final = "(_ONES & ((1 << (SUITS * length)) - 1))"
"""In `shape_of`: one card of each of as many consecutive values as there are."""
SPECIAL: Final = "(FOUR, *(shape(length, 2) for length in (3, 4, 5)))"
"""The shapes that may follow kings by an exception."""
TOPS: Final = "(cards.bit_length() - 1) // SUITS {} (play.bit_length() - 1) // SUITS"
"""In `answers`: the highest values, compared."""


def _first_faults(function: tuple[str, str]) -> tuple[Mutant, ...]:
    """Faults in the course of the tests, which break no sentence."""
    return (
        Mutant("nothing for the first test", "", *function,
               old="io.print(TEST", new="if test == 0:\n            continue\n        io.print(TEST"),
        Mutant("only the first test is answered", "", *function,
               old="io.print(TEST", new="if test > 0:\n            continue\n        io.print(TEST"),
        Mutant("the heading of a test is printed twice", "", *function,
               old="TEST.format(test + 1)", new="TEST.format(test + 1), TEST.format(test + 1)"),
        Mutant("tests are counted from zero", "", *function, old="test + 1", new="test"),
    )  # fmt: skip


GUIAO1: Final = (
    # combinations
    Mutant("single cards are nothing", "set-1", *SHAPE, old="length == 1 or", new="length == 1 < each or"),
    Mutant("four cards are no set", "set-4", *SHAPE, old="length == 1 or", new="length == 1 and each < SUITS or"),
    Mutant("the number of a set is that of its values", "set-2", *DESCRIBE, old="format(each", new="format(length"),
    Mutant("a set may have cards of another value", "strangers", *SHAPE,
           old="if found !=",
           new="if length == 2 and size(cards) <= SUITS and found >> 8:\n        return shape(1, size(cards))\n"
           "    if found !="),
    Mutant("two cards are a sequence", "two-cards", *SHAPE, old=">= SHORTEST", new=">= SHORTEST - (each == 1)"),
    Mutant("three cards are no sequence", "sequence-3", *SHAPE, old=">= SHORTEST", new=">= SHORTEST + (each == 1)"),
    Mutant("two pairs are a double sequence", "two-pairs", *SHAPE, old=">= SHORTEST", new=">= SHORTEST - (each == 2)"),
    Mutant("three pairs are no double sequence", "double-long", *SHAPE, old=">= SHORTEST", new=">= SHORTEST + (each == 2)"),
    Mutant("a double sequence is a sequence", "double-long", *DESCRIBE, old="each == 1", new="each <= 2"),
    Mutant("a sequence has five cards at most", "sequence-long", *SHAPE,
           old="length >= SHORTEST", new="SHORTEST <= length <= 5 * each"),
    Mutant("a sequence lacks a value", "sequence-14", *SHAPE, old="length >= SHORTEST", new="SHORTEST <= length < VALUES"),
    Mutant("a sequence is of one suit", "many-suits", *SHAPE,
           old="each <= 2)", new="(each == 2 or any(not cards & ~(_ONES << suit) for suit in range(SUITS))))"),
    Mutant("a sequence may have gaps", "gap", *SHAPE,
           old=f"found != each * {RUN}", new="counts(cards) != each * having(cards, 1)"),
    Mutant("only the first two values of a sequence follow each other", "gap", *SHAPE,
           old=f"found != each * {RUN}",
           new="counts(cards) != each * having(cards, 1) or found & 255 != each * (17 & ((1 << 4 * length) - 1))"),
    Mutant("a sequence may have a card more of a value", "uneven", *SHAPE,
           old="if found !=",
           new=f"if length >= SHORTEST and having(cards, 1) >> low == {RUN} and having(cards, 1) != having(cards, 2):\n"
           "        return shape(length, 1)\n    if found !="),
    Mutant("a value of a double sequence may have one card", "uneven", *SHAPE,
           old="if found !=",
           new=f"if length >= SHORTEST and having(cards, 1) >> low == {RUN} and having(cards, 1) != having(cards, 2) != 0:\n"
           "        return shape(length, 2)\n    if found !="),
    Mutant("a double sequence has three pairs", "double-long", *SHAPE,
           old="each <= 2", new="each <= 2 - (length > SHORTEST)"),
    Mutant("three cards of each value are a double sequence", "triples", *SHAPE, old="each <= 2", new="each <= 3"),
    Mutant("the number of a double sequence is that of its cards", "double-3", *DESCRIBE,
           old="format(length", new="format(length * each"),
    # the order of the cards
    Mutant("the ace follows the king", "king-ace", *SHAPE,
           old="low =", new="for _ in range(VALUES):\n"
           "        cards = (cards << 4 & DECK) | cards >> 52 if cards & KINGS and cards & 15 else cards\n    low ="),
    Mutant("the ace follows the king only", "ace-low", *SHAPE,
           old="low =", new="cards = cards >> 4 | (cards & 15) << 52\n    low ="),
    Mutant("the ace is the highest card", "ace-low", *HIGHEST,
           old="cards.bit_length()", new="(cards & 15 or cards).bit_length()"),
    Mutant("the knight follows the queen", "knight", *SHAPE,
           old="low =", new="cards = cards & ~(255 << 44) | cards >> 4 & 15 << 44 | (cards & 15 << 44) << 4\n    low ="),
    Mutant("the knight is higher than the queen", "queen", *HIGHEST,
           old="return cards", new="return (cards & 15 << 44 if cards < 1 << 52 and cards & 15 << 44 else cards)"),
    Mutant("the queen follows the jack", "no-knight", *SHAPE,
           old="low =", new="cards = cards if cards >> 44 & 15 else cards & (1 << 44) - 1 | cards >> 48 << 44\n    low ="),
    Mutant("suits do not tell which card is highest", "suit", *HIGHEST,
           old="return cards.", new="cards &= -(1 << (cards.bit_length() - 1 & ~3))\n    return (cards & -cards)."),
    Mutant("hearts are higher than diamonds", "red-suits", *HIGHEST,
           old="cards.bit_length() - 1", new="max(members(cards), key=lambda card: (card // 4, (0, 2, 1, 3)[card % 4]))"),
    Mutant("suits go before values", "value-first", *HIGHEST,
           old="cards.bit_length() - 1", new="max(members(cards), key=PICTURES.__getitem__)"),
    # lines
    Mutant("cards are read in ascending order only", "unsorted", *READ,
           old="cards |= card", new="cards |= card\n        kept = cards if 2 * card > cards else kept",
           also=(("read", "return cards,", "return kept,"), ("read", "cards, words, at", "kept = 0\n    cards, words, at"))),
    Mutant("a line ends at a card that is lower than the one before", "unsorted", *READ,
           old="cards |= card", new="if card < cards:\n            break\n        cards |= card"),
    Mutant("the last card of a line is the highest", "unsorted", *CLASSIFY,
           old="cards = yield from lines.cards(CARDS)",
           new='text = (yield from lines.text(CARDS)).replace(" ", "")\n        cards = lines.read(text)',
           also=(("classify", "describe(cards, lines.form)",
                  'describe(cards, lines.form).replace(lines.form[highest(cards)], max(lines.form, '
                  'key=lambda card: text.rfind(card.replace(" ", ""))))'),)),
    Mutant("the lowest card is printed", "unsorted", *HIGHEST,
           old="cards.bit_length()", new="(cards & -cards).bit_length()"),
    Mutant("nothing for the first line", "", *CLASSIFY,
           old="for _ in range(", new="for number in range(",
           also=(("classify", "io.print(", "if number > 0:\n            io.print("),)),
    Mutant("only the first line is answered", "", *CLASSIFY,
           old="for _ in range(", new="for number in range(",
           also=(("classify", "io.print(", "if number == 0:\n            io.print("),)),
    Mutant("another word for what is nothing", "", *DESCRIBE, old="NO_COMBINATION", new="NO_COMBINATION[:-1]"),
    Mutant("a sequence without its accent", "", *DESCRIBE, old="(SEQUENCE if", new='(SEQUENCE.replace("ê", "e") if'),
    Mutant("two blanks for each", "", *CLASSIFY,
           old="describe(cards, lines.form)", new='describe(cards, lines.form).replace(" ", "  ")'),
)  # fmt: skip
GUIAO2: Final = (
    # comparable combinations
    Mutant("as many cards of any type are comparable", "other-type", *COMPATIBLE,
           old="len(shapes)", new="len({cards.bit_count() for cards in several})"),
    Mutant("any sizes of one type are comparable", "other-size", *COMPATIBLE,
           old="len(shapes)", new="len({each_of(each) * (length_of(each) > 1) for each in shapes})"),
    Mutant("any sizes of sets are comparable", "other-size", *COMPATIBLE,
           old="len(shapes)", new="len({each if length_of(each) > 1 else 1 for each in shapes})"),
    Mutant("any lengths of sequences are comparable", "other-length", *COMPATIBLE,
           old="len(shapes)", new="len({each if length_of(each) == 1 else each_of(each) for each in shapes})"),
    Mutant("sequences and double ones are comparable", "double-size", *COMPATIBLE,
           old="len(shapes)", new="len({(length_of(each), each_of(each) * (length_of(each) == 1)) for each in shapes})"),
    Mutant("what is nothing is comparable with what is nothing", "all-nothing", *COMPATIBLE,
           old="0 not in shapes and ", new=""),
    Mutant("what is nothing is not looked at", "nothing-among", *COMPATIBLE,
           old="0 not in shapes and len(shapes) <= 1", new="len(shapes - {0}) == 1"),
    Mutant("everything is comparable", "nothing-among", *COMPATIBLE, old="0 not in shapes and len(shapes) <= 1", new="True"),
    Mutant("only the first two are compared", "third-differs", *COMPATIBLE,
           old="len(shapes)", new="len(set(map(shape_of, several[:2])))"),
    Mutant("one alone is not comparable", "one", *COMPATIBLE, old="<= 1", new="== 1 < len(several)"),
    # the order of combinations
    Mutant("the highest comes first", "by-highest", *IN_ORDER, old="key=highest", new="key=highest, reverse=True"),
    Mutant("nothing is sorted", "by-highest", *IN_ORDER, old="sorted(several, key=highest)", new="several"),
    Mutant("sorted by one pass of exchanges", "far", *IN_ORDER,
           old="return sorted(several, key=highest)",
           new="for i in range(len(several) - 1):\n        several[i : i + 2] = sorted(several[i : i + 2], key=highest)\n"
           "    return several"),
    Mutant("sorted by the lowest card", "not-by-lowest", *IN_ORDER, old="highest)", new="lambda cards: cards & -cards)"),
    Mutant("suits go before values", "value-first", *IN_ORDER,
           old="highest)", new="lambda cards: (highest(cards) % SUITS, highest(cards)))"),
    Mutant("only suits count", "value-first", *IN_ORDER, old="highest)", new="lambda cards: highest(cards) % SUITS)"),
    Mutant("suits do not count", "suit", *IN_ORDER, old="highest)", new="lambda cards: highest(cards) // SUITS)"),
    Mutant("spades are the highest suit", "suit", *IN_ORDER, old="highest)", new="lambda cards: highest(cards) ^ 3)"),
    Mutant("hearts are higher than diamonds", "red-suits", *IN_ORDER,
           old="highest)", new="lambda cards: (highest(cards) // SUITS, (0, 2, 1, 3)[highest(cards) % SUITS]))"),
    Mutant("the queen is below the knight", "knight", *IN_ORDER,
           old="highest)", new="lambda cards: highest(cards) + {11: 4, 12: -4}.get(highest(cards) // SUITS, 0))"),
    # lines
    Mutant("cards are printed from the highest down", "cards-ascending", *WRITE,
           old="members(cards)", new="reversed(members(cards))"),
    Mutant("cards are printed by their suits", "cards-ascending", *WRITE,
           old="members(cards)", new="sorted(members(cards), key=PICTURES.__getitem__)"),
    Mutant("cards are printed as they were read", "cards-ascending", *COMPARE,
           old="several += [(yield from lines.cards(COMBINATION))]",
           new="text += yield from lines.text(COMBINATION)\n            several += [lines.read(text) & ~sum(several)]",
           also=(("compare", "several: list[int] = []", 'several, text = [], ""'),
                 ("compare", "write(cards, lines.form) for",
                  '" ".join(sorted(write(cards, lines.form).split(), key=text.find)) for'))),
    Mutant("a line ends at a card that is lower than the one before", "unsorted", *READ,
           old="cards |= card", new="if card < cards:\n            break\n        cards |= card"),
    *_first_faults(COMPARE),
    Mutant("a blank at the end of a line", "", *WRITE, old="members(cards))", new='members(cards)) + " "'),
)  # fmt: skip

_EXCEPTIONS: Final = (
    Mutant("four cards answer no king", "king-four", *OTHER_SHAPE, old="FOUR if kings == 1 else 0", new="0"),
    Mutant("three cards answer a king", "king-four", *OTHER_SHAPE, old="FOUR if", new="FOUR - 1 if"),
    Mutant("a sequence of four answers a king", "king-four", *OTHER_SHAPE, old="FOUR if", new="shape(4, 1) if"),
    Mutant("no double sequence answers a king", "king-double", *OTHER_SHAPE,
           old="+ 2, 2)", new="+ 2, 2) if kings != 1 else 0"),
    Mutant("four pairs answer a king", "king-double", *OTHER_SHAPE, old="kings + 2", new="kings + 2 + (kings == 1)"),
    Mutant("a sequence of three answers a king", "king-double", *OTHER_SHAPE, old="+ 2, 2", new="+ 2, 2 - (kings == 1)"),
    Mutant("no double sequence answers two kings", "two-kings", *OTHER_SHAPE,
           old="+ 2, 2)", new="+ 2, 2) if kings != 2 else 0"),
    Mutant("three pairs answer two kings", "two-kings", *OTHER_SHAPE, old="kings + 2", new="kings + 2 - (kings == 2)"),
    Mutant("five pairs answer two kings", "two-kings", *OTHER_SHAPE, old="kings + 2", new="kings + 2 + (kings == 2)"),
    Mutant("no double sequence answers three kings", "three-kings", *OTHER_SHAPE,
           old="+ 2, 2)", new="+ 2, 2) if kings != 3 else 0"),
    Mutant("four pairs answer three kings", "three-kings", *OTHER_SHAPE, old="kings + 2", new="kings + 2 - (kings == 3)"),
    Mutant("six pairs answer three kings", "three-kings", *OTHER_SHAPE, old="kings + 2", new="kings + 2 + (kings == 3)"),
    Mutant("six pairs answer four kings", "four-kings-double", *OTHER_SHAPE, old="kings <= 3", new="kings <= 4"),
    Mutant("four cards answer any card", "no-king-four", *OTHER_SHAPE,
           old="if not is_of_kings(play)", new="if (number == 1 or kings > 1) and not is_of_kings(play)"),
    Mutant("any value is answered as kings are", "no-king", *OTHER_SHAPE,
           old="not is_of_kings(play)", new="length_of(shape_of(play)) != 1"),
)  # fmt: skip
GUIAO3: Final = (
    # the play to answer
    Mutant("after a pass anything may be led", "one-pass", *TO_ANSWER, old="-3", new="-1"),
    Mutant("after two passes anything may be led", "two-passes", *TO_ANSWER, old="-3", new="-2"),
    Mutant("after three passes nothing may be led", "three-passes", *HAND_AFTER,
           old="!= 0 if", new="!= 0 and len(before) < 3 if"),
    Mutant("only three passes let lead", "few-passes", *TO_ANSWER,
           old="PASSED), PASSED)", new="PASSED), NOTHING if 0 < len(plays) < 3 else PASSED)"),
    Mutant("passes never let lead", "three-passes", *HAND_AFTER,
           old="play_to_answer(before)", new="next((each for each in reversed(before) if each != PASSED), PASSED)",
           also=(("hands_after_plays", "maxlen=3", ""),)),
    Mutant("only four passes let lead again", "three-passes", *HAND_AFTER,
           old="play_to_answer(before)", new="next((each for each in reversed(before) if each != PASSED), PASSED)",
           also=(("hands_after_plays", "maxlen=3", "maxlen=4"),)),
    Mutant("passes let lead wherever they are", "one-pass", *TO_ANSWER,
           old="return", new="return PASSED if plays.count(PASSED) else"),
    Mutant("fewer than three plays let lead", "few-plays", *TO_ANSWER,
           old="return", new="return PASSED if len(plays) < 3 else"),
    Mutant("fewer than three plays let nothing be played", "few-plays", *TO_ANSWER,
           old="return", new="return NOTHING if 0 < len(plays) < 3 else"),
    Mutant("only sets may be led", "lead", *HAND_AFTER, old="shape_of(play) != 0", new="length_of(shape_of(play)) == 1"),
    Mutant("the first player may lead nothing", "lead", *HAND_AFTER, old="!= 0 if", new="!= 0 and before != [] if"),
    # the answer
    Mutant("a higher suit is not enough", "suit-higher", *ANSWERS, old="cards & above(play) != 0", new=TOPS.format(">")),
    Mutant("spades are the highest suit", "suit-higher", *ANSWERS,
           old="cards & above(play) != 0", new="(cards.bit_length() - 1 ^ 3) > (play.bit_length() - 1 ^ 3)"),
    Mutant("the same value is enough", "suit-lower", *ANSWERS, old="cards & above(play) != 0", new=TOPS.format(">=")),
    Mutant("lower cards answer", "lower", *ANSWERS,
           old="cards & above(play) != 0", new=f"(cards & above(play) != 0 or {TOPS.format('<')})"),
    Mutant("height does not count", "lower", *ANSWERS, old=" and cards & above(play) != 0", new=""),
    Mutant("every card has to be higher", "overlap", *ANSWERS,
           old="cards & above(play) != 0", new="cards & ~above(play) == 0"),
    Mutant("as many cards of another type answer", "other-type", *ANSWERS,
           old="found == shape_of(play)", new="size(cards) == size(play)"),
    Mutant("another number of cards answers", "other-size", *ANSWERS,
           old="found == shape_of(play)",
           new="len({each_of(each) * (length_of(each) > 1) for each in (found, shape_of(play))}) == 1"),
    Mutant("any combination answers", "other-kind", *ANSWERS, old="found == shape_of(play) and ", new=""),
    *_EXCEPTIONS,
    Mutant("four cards answer all kings", "kings-fours", *OTHER_SHAPE, old="FOUR if kings == 1 else 0", new="FOUR"),
    Mutant("three pairs answer all kings", "kings-other", *OTHER_SHAPE, old="kings + 2", new="SHORTEST"),
    Mutant("any double sequence answers kings", "kings-other", *ANSWERS,
           old="return found in",
           new="return is_of_kings(play) and each_of(found) == 2 and length_of(found) > 1 or found in"),
    Mutant("kings answer what follows kings", "king-after", *ANSWERS,
           old="return found in",
           new=f"return is_of_kings(cards) and play != KINGS and shape_of(play) in {SPECIAL} or found in"),
    Mutant("exceptions answer exceptions", "after-exception", *ANSWERS,
           old="return found in", new=f"return {{found, shape_of(play)}} <= {{*{SPECIAL}}} and play != KINGS or found in"),
    Mutant("nothing answers what follows kings", "exception-higher", *ANSWERS,
           old="shape_of(play) and", new=f"shape_of(play) not in {SPECIAL} and"),
    # the hand
    Mutant("cards that are not in the hand may be played", "not-in-hand", *HAND_AFTER,
           old=" or play & ~hand", new="", also=(("hand_after", "hand ^ play", "hand & ~play"),)),
    Mutant("any cards answer", "no-combination", *HAND_AFTER,
           old="answers(play, to_answer)", new="(not shape_of(play) or answers(play, to_answer))"),
    Mutant("an invalid play leaves the hand", "no-combination", *HAND_AFTER, old=" if possible else hand", new=""),
    Mutant("an invalid play leaves no hand", "no-combination", *HAND_AFTER, old="else hand", new="else 0"),
    Mutant("any cards may be led", "lead-nothing", *HAND_AFTER, old="shape_of(play) != 0", new="True"),
    Mutant("the last cards stay", "empty-hand", *HAND_AFTER, old="if possible", new="if possible and hand != play"),
    Mutant("the played cards stay", "empty-hand", *HAND_AFTER, old="hand ^ play", new="hand"),
    Mutant("one card of a play leaves the hand", "empty-hand", *HAND_AFTER, old="hand ^ play", new="hand ^ (play & -play)"),
    Mutant("the cards of a play are printed", "empty-hand", *HAND_AFTER, old="hand ^ play", new="play"),
    Mutant("who passes loses a card", "passo", *HAND_AFTER,
           old="if play in", new="if play == PASSED:\n        return hand & (hand - 1)\n    if play in"),
    Mutant("who passes loses the hand", "passo", *HAND_AFTER,
           old="if play in", new="if play == PASSED:\n        return 0\n    if play in"),
    Mutant("the hand is printed from the highest card down", "cards-ascending", *WRITE,
           old="members(cards)", new="reversed(members(cards))"),
    Mutant("the hand is printed by suits", "cards-ascending", *WRITE,
           old="members(cards)", new="sorted(members(cards), key=PICTURES.__getitem__)"),
    Mutant("the hand is printed as it was read", "cards-ascending", *AFTER,
           old="hand = yield from lines.cards(HAND)",
           new="text = yield from lines.text(HAND)\n        hand = lines.read(text)",
           also=(("hands_after_plays", "write(hand_after(hand, list(last), play), lines.form)",
                  '" ".join(sorted(write(hand_after(hand, list(last), play), lines.form).split(), key=text.find))'),)),
    Mutant("a line ends at a card that is lower than the one before", "unsorted", *READ,
           old="cards |= card", new="if card < cards:\n            break\n        cards |= card"),
    Mutant("a line ends with its highest card", "unsorted", *READ,
           old="cards |= card", new="cards |= card\n        kept = cards if 2 * card > cards else kept",
           also=(("read", "return cards,", "return kept,"), ("read", "cards, words, at", "kept = 0\n    cards, words, at"))),
    *_first_faults(AFTER),
    Mutant("a blank at the end of a line", "", *WRITE, old="members(cards))", new='members(cards)) + " "'),
)  # fmt: skip
GUIAO4: Final = (
    # answers
    Mutant("kings do not answer kings", "kings-higher", *GROUPS,
           old="above(play)", new="above(play) if not is_of_kings(play) else 0"),
    Mutant("a higher suit is not enough", "suit-higher", *ABOVE, old="^ below", new="& -1 << (below.bit_length() + 3 & ~3)"),
    Mutant("the same value is enough", "suit-lower", *ABOVE,
           old="^ below", new="& -1 << (below.bit_length() - 1 & ~3) & ~cards"),
    Mutant("lower cards answer", "lower", *ABOVE, old="below\n", new="below | (1 << (below.bit_length() - 1 & ~3)) - 1\n"),
    Mutant("every card has to be higher", "lower", *WINDOWS, old="ends = ", new="hand &= among\n    ends = "),
    *_EXCEPTIONS,
    Mutant("double sequences go before four cards", "kings-order", *GROUPS, old="in range(OTHERS)", new="in (1, 0)"),
    Mutant("double sequences are not led", "lead-doubles", *GROUPS,
           old="return LEADS", new="return tuple(group for group in LEADS if 1 in group[:2])"),
    Mutant("sequences are not led", "lead-sequences", *GROUPS,
           old="return LEADS", new="return tuple(group for group in LEADS if group[0] == 1 or group[1] == 2)"),
    Mutant("only single cards of a value are led", "lead-sets", *GROUPS,
           old="return LEADS", new="return tuple(group for group in LEADS if group[0] > 1 or group[1] == 1)"),
    Mutant("only single cards answer", "answer-set", *GROUPS,
           old="above(play))", new="above(play) if found == SINGLE else 0)"),
    Mutant("no sequence is answered", "answer-sequence", *GROUPS,
           old="above(play))", new="above(play) if length_of(found) == 1 else 0)"),
    # all choices, and their order
    Mutant("another number of cards answers", "answer-set", *GROUPS,
           old="(length_of(found), each_of(found), above(play))",
           new="*((length, each, above(play)) for length, each, _ in LEADS "
           "if (length > 1) * each == (length_of(found) > 1) * each_of(found))"),
    Mutant("any double sequence answers kings", "four-kings", *GROUPS,
           old="(other_shape(play, number) for number in range(OTHERS))",
           new="[other_shape(play, 0), *(shape(length, 2) for length in range(SHORTEST, 8) if is_of_kings(play))]"),
    Mutant("lower cards have one suit", "all-suits", *WINDOWS, old="& 15] for at", new="& 15][:1] for at"),
    Mutant("the highest card has one suit", "all-suits", *WINDOWS, old="tuple(highest)", new="tuple(highest[:1])"),
    Mutant("the suit of the lowest card changes first", "all-suits", *TEXTS,
           old="product(*parts)", new="(each[::-1] for each in product(*parts[::-1]))"),
    Mutant("only one play is listed", "many", *LIST, old="print_many(plays)", new="print_many(())"),
    Mutant("PASSO is always listed", "nothing", *LIST, old="print_many(plays)", new="print_many(iter([*plays, PASSO]))"),
    Mutant("the highest come first", "answer-set", *WINDOWS,
           old="range(SUITS * (length - 1), SUITS * VALUES, SUITS)",
           new="reversed(range(SUITS * (length - 1), SUITS * VALUES, SUITS))"),
    # lines
    Mutant("an empty line for PASSO", "nothing", *LIST, old="plays, PASSO", new='plays, ""'),
    Mutant("no line for PASSO", "nothing", *LIST,
           old="next(plays, PASSO)", new="*(each for _, each in zip((1,), plays))"),
    Mutant("sequences go on after the king", "king-ace", *TEXTS,
           old="for low, choices in windows(hand, group):",
           new="over = windows((hand << 8 | hand >> 48) & (1 << 56) - 1, (*group[:2], -1))\n"
           "        over_the_king = ((low + 48, suits) for low, suits in over if low < 8 <= low + 4 * len(suits) - 4)\n"
           "        for low, choices in (*windows(hand, group), *over_the_king):",
           also=(("texts_of_plays", "suits << (low + SUITS * i)", "suits << (low + SUITS * i) % 56"),)),
    Mutant("cards are printed from the highest down", "cards-ascending", *WRITE,
           old="members(cards)", new="reversed(members(cards))"),
    Mutant("a line ends at a card that is lower than the one before", "unsorted", *READ,
           old="cards |= card", new="if card < cards:\n            break\n        cards |= card"),
    *_first_faults(LIST),
    Mutant("two blanks for each", "", *TEXTS,
           old='map(" ".join, product(*parts))',
           new='(" ".join(each).replace(" ", "  ") + " " for each in product(*parts))'),
)  # fmt: skip
