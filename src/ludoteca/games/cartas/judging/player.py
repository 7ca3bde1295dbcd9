"""The player of the tournament. Any legal answer is right. The positions come from random games and special deals."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from ludoteca.core.bits import size
from ludoteca.core.judging import Case, Part, Step
from ludoteca.core.messages import Message
from ludoteca.core.words import quoted
from ludoteca.games.cartas import cards as texts
from ludoteca.games.cartas.cards import PASSO, read, write
from ludoteca.games.cartas.combinations import (
    DECK,
    FOUR,
    KINGS,
    LEADS,
    SHORTEST,
    SUITS,
    VALUES,
    above,
    answers,
    each_of,
    groups,
    is_of_kings,
    length_of,
    shape,
    shape_of,
    windows,
)
from ludoteca.games.cartas.judging.branches import JOGADOR
from ludoteca.games.cartas.judging.guiao import FRESH, Test, cards_of, measure
from ludoteca.games.cartas.judging.hands import (
    ACE,
    CONTEST,
    IN_WORDS,
    JOINED,
    KING,
    QUEEN,
    SPACED,
    circular,
    fewer,
    form_of,
    has_shape,
    in_short,
    king_and_ace,
    kings,
    others,
    pairs_and_four,
    plainly,
    profile,
    run,
    some_play,
    ways,
    with_gap,
    with_top,
    written,
)
from ludoteca.games.cartas.judging.plays import EXCEPTIONS, PAIRS, SPECIAL, blamed_for, follows_exception, of_history
from ludoteca.games.cartas.judging.possible import fault_of_cards, fault_of_plays
from ludoteca.games.cartas.text.lines import PASSED, play_to_answer

NAME: Final = "jogador"
PLAYERS: Final = 4
HAND: Final = VALUES * SUITS // PLAYERS
LONG: Final = 12
"""The number of plays from which a history is long."""
GAMES: Final = 40
"""The largest number of random games to search for a wanted position."""
PASSES: Final = 0.15
"""The share of passes of players that could play."""

ALWAYS: Final = ("combination", "one-line")
"""The branches of every position."""
Question = tuple[int, tuple[int, ...]]
"""A hand, and the plays so far."""


class Player(Part):
    """The part `jogador`."""

    branches = JOGADOR
    shortest = 0
    forms = (IN_WORDS, JOINED, SPACED, CONTEST)

    def case(self, random: Random, wanted: frozenset[str]) -> Case:
        keys = [branch.key for branch in self.branches if branch.key in wanted]
        return case_at(_lines(random, random.choice(keys) if keys else "", self.form))

    def impossible(self, case: Case) -> str:
        hand, before = _read(case.plan)
        return fault_of_plays(before) or fault_of_cards([hand, *(play for play in before if play != PASSED)])

    def shorter(self, case: Case, random: Random) -> Iterator[Case]:
        """Yield other positions with some of the same branches, and this position without old plays and some cards."""
        lines: Test = case.plan
        covered = _covers(lines)
        keys = sorted(covered & LAID.keys())
        fresh = [_lines(random, random.choice(keys), self.form) for _ in range(FRESH if keys else 0)]
        tried = {lines}
        for other in (*sorted(fresh, key=measure), *_smaller(lines)):
            if other not in tried and measure(other) < measure(lines) and _covers(other) & covered:
                tried.add(other)
                yield case_at(other)

    def problem(self, case: Case, output: str) -> Message | None:
        hand, before = _read(case.plan)
        if not output.strip():
            return "judged.silent", PASSO
        lines = output.splitlines()
        if len(lines) > 1:
            return "judged.lines", len(lines), PASSO
        if output.strip() == PASSO:
            return ""
        try:
            play, _ = read(output.strip())
        except texts.NoCardError as error:
            return "unread.card", quoted(output.strip()), quoted(error.read), error.character, PASSO
        except texts.TwiceError as error:
            return "unread.twice", quoted(output.strip()), error.card, error.character
        return wrong(hand, play_to_answer(before), play)

    def decisive(self, case: Case, step: int, output: str) -> frozenset[str]:
        problem, line = self.problem(case, output), output.strip()
        if not isinstance(problem, tuple):  # the answer is right, but a pass shows nothing
            return frozenset() if line == PASSO else case.steps[step].branches
        play = PASSED if problem[0] == "unread.twice" else cards_of(line)
        if play is None or not line or len(line.splitlines()) > 1:
            return frozenset(("one-line",))
        return frozenset(_blamed_for(*_read(case.plan), play))

    def gloss(self, line: str) -> str:
        return in_short(line)


def _blamed_for(hand: int, before: Sequence[int], play: int) -> set[str]:
    """Return the branches that a program may break with an illegal play."""
    to_answer = play_to_answer(before)
    if play & ~hand:
        last = before[-1] if before else DECK
        misread = play & ~last == 0 or all(number <= profile(hand).get(value, 0) for value, number in profile(play).items())
        if not misread or play == to_answer:
            return {"combination"}
        return {"combination", "unsorted"} if size(play) == 1 else {"unsorted"}
    if not shape_of(play):
        if circular(play):
            return {"king-ace"}
        if {*profile(play).values()} == {2}:
            return {"two-pairs"}
        found = {"gap"} if _lacks_value(play) else set()
        return found | ({"combination"} if to_answer else {"few-cards", "three-passes" if before else "lead"})
    found = blamed_for(to_answer, play) | (of_history(before) - {"no-pass"}) | {"answer"}
    found |= {"no-king"} if "no-king-four" in found else set()
    if any(answers(play, each) for each in before if each):
        found.add("long-history")
    if any(answers(play, each) for each in before[-3:] if each):
        found.add("several-plays")
    return found | {"after-exception"} if follows_exception(before) else found


def wrong(hand: int, to_answer: int, play: int) -> Message:
    """Return the game's message that refuses some cards, or an empty one if they may be played."""
    from ludoteca.games.cartas import notation  # this imports NumPy

    if play & ~hand:
        return "judged.hand", notation.short(play & ~hand)
    if shape_of(play) if to_answer == PASSED else answers(play, to_answer):
        return ""
    return notation.no_answer(play, to_answer)


# Positions

LAID: Final[Mapping[str, Callable[[Random], tuple[int, int]]]] = {
    "answer-set": lambda random: _answer(random, 1, random.randint(1, 3)),
    "answer-sequence": lambda random: _answer(random, random.randint(3, 5), 1),
    "answer-double": lambda random: _answer(random, random.randint(3, 4), 2),
    "other-type": PAIRS["other-type"],
    "other-size": lambda random: _larger_set(random, random.randint(1, 3)),
    **{key: PAIRS[key] for key in ("lower", "suit-lower", "kings-other", "kings-fours", *EXCEPTIONS)},
    "four-kings": lambda random: (KINGS, pairs_and_four(random, SUITS + 2, KING)),
    "no-king": lambda random: _no_king(random, random.randint(1, 3)),
}
"""Functions by branch that make the play to answer and some cards in the player's hand."""
LAST: Final[Mapping[str, Callable[[Random], int]]] = {
    "king-ace": king_and_ace,
    "gap": lambda random: with_gap(random, each=1),
    "two-pairs": lambda random: run(random, 2, 2),
}
"""Functions by branch that make the last cards of a leading player. They are nearly a combination."""
WRITTEN: Final = {*ALWAYS, "unsorted"}
"""The branches of lines, which do not depend on the position."""


def question(random: Random, key: str) -> Question:
    """Return a position with a branch, or another position if the search finds none."""
    if key in LAID:
        return _laid(random, key)
    if key in LAST:
        return _last(random, key)
    if key in ("after-exception", "king-after", "king-after-fours"):
        return _after_exception(random, with_king=key != "after-exception")
    found: list[Question] = []
    if key in WRITTEN:
        key = ""
    for _ in range(GAMES):
        found = positions(random)
        random.shuffle(found)
        if fitting := next((each for each in found if not key or key in _branches(*each)), None):
            return fitting
    return found[0]


def positions(random: Random) -> list[Question]:
    """Return the positions of a random game, each from the view of the player to move."""
    hands, found, plays = _dealt(random, [0] * PLAYERS), list[Question](), list[int]()
    while all(hands) and plays[-PLAYERS:] != [PASSED] * PLAYERS:
        mover = len(plays) % PLAYERS
        found.append((hands[mover], tuple(plays)))
        play = 0 if random.random() < PASSES else some_play(random, hands[mover], play_to_answer(plays))
        plays.append(play)
        hands[mover] ^= play
    return found


def _answer(random: Random, length: int, each: int) -> tuple[int, int]:
    low = random.randrange(VALUES - length)
    return run(random, length, each, low), run(random, length, each, random.randrange(low + 1, VALUES - length + 1))


def _larger_set(random: Random, each: int) -> tuple[int, int]:
    value = random.randrange(VALUES - 2)
    return run(random, 1, each, value), run(random, 1, each + 1, random.randrange(value + 1, VALUES - 1))


def _no_king(random: Random, number: int) -> tuple[int, int]:
    """Return queens with the highest suit, and a play that would follow the same number of kings."""
    return with_top(random, 1, number, QUEEN, SUITS - 1), pairs_and_four(random, number + 2, QUEEN)


def _last(random: Random, key: str) -> Question:
    """Return a position after a long sequence and passes. The rest of the leader's hand is nearly a combination."""
    while True:
        hand = LAST[key](random)
        long = run(random, HAND - size(hand), 1)
        if shape_of(long) and size(hand | long) == HAND and key in _of_lead(hand):
            return hand, (long, *[PASSED] * (PLAYERS - 1))


def _laid(random: Random, key: str) -> Question:
    """Return a position after a lead, perhaps the second one, and passes. The next player holds the cards of the branch."""
    play, held = LAID[key](random)
    while play & held:
        play, held = LAID[key](random)
    hands = _dealt(random, [play, held, 0, 0])
    passes = [PASSED] * random.randint(0, PLAYERS - 2)
    if random.random() < 0.5 or play == hands[0]:
        return hands[1], (play, *passes)
    before = some_play(random, hands[0] & ~play, PASSED)
    return hands[1], (before, *[PASSED] * (PLAYERS - 1), play, *passes)


def _after_exception(random: Random, *, with_king: bool) -> Question:
    """Return a position after kings and an exception. The player may hold a higher exception, or a king."""
    while True:
        key = random.choice(EXCEPTIONS)
        first, second = PAIRS[key](random)
        third = kings(random, 1) if with_king else PAIRS[random.choice((key, *EXCEPTIONS))](random)[1]
        if not (first & second or first & third or second & third):
            hands = _dealt(random, [first, second, third, 0])
            return hands[2], (first, second, *[PASSED] * random.randint(0, 1))


def _dealt(random: Random, held: Sequence[int]) -> list[int]:
    """Return the hands of all players. Each has its cards in `held`."""
    taken, hands = sum(held), list[int]()
    for cards in held:
        more = others(random, HAND - size(cards), taken)
        hands.append(cards | more)
        taken |= more
    return hands


def _branches(hand: int, before: Sequence[int]) -> set[str]:
    """Return the branches that decide the legal plays."""
    to_answer, found = play_to_answer(before), of_history(before)
    found |= {"after-exception"} if follows_exception(before) else set()
    found |= {"long-history"} if len(before) >= LONG else set()
    if to_answer == PASSED:
        return found | _of_lead(hand)
    found.add("answer")
    wanted, higher = shape_of(to_answer), above(to_answer)
    length, each = length_of(wanted), each_of(wanted)
    top = 15 << SUITS * ((to_answer.bit_length() - 1) // SUITS)
    if has_shape(hand, (length, each, higher)):
        found.add("answer-set" if length == 1 else "answer-double" if each == 2 else "answer-sequence")
    first = next(filter(None, before[-3:]))
    if before[-1] != PASSED and first != to_answer and has_shape(hand, (length, each, above(first) & ~higher)):
        found.add("several-plays")
    if has_shape(hand, (length, each, top & ~higher)):
        found.add("suit-lower")
    if has_shape(hand, (length, each, DECK & ~top & ~higher)):
        found.add("lower")
    if length == 1 and each < SUITS and has_shape(hand, (1, each + 1, higher)):
        found.add("other-size")
    if not any(has_shape(hand, group) for group in groups(to_answer)):
        found |= {"nothing"} | ({"other-type"} if _has_other_type(hand, to_answer) else set())
        found |= {"no-king"} if _would_follow_kings(hand, to_answer) else set()
    if answers(hand, to_answer):
        found.add("last-cards")
    if wanted in SPECIAL and not is_of_kings(to_answer) and hand & KINGS:
        found |= {"king-after", "king-after-fours"} if wanted == FOUR else {"king-after"}
    return found | (_of_kings(hand, size(to_answer)) if is_of_kings(to_answer) else set())


def _of_lead(hand: int) -> set[str]:
    """Return the branches that decide the legal leads."""
    values = profile(hand)
    found = {"last-cards"} if shape_of(hand) else {"few-cards"} if size(hand) <= SUITS else set()
    if {QUEEN, KING, ACE} <= values.keys() and circular(hand):
        found.add("king-ace")
    if shape_of(hand) == 0 and {*values.values()} == {2} and max(values) - min(values) == 1:
        found.add("two-pairs")
    return found | ({"gap"} if _lacks_value(hand) else set())


def _lacks_value(cards: int) -> bool:
    """Return True for a sequence with one missing value."""
    values = profile(cards)
    return len(values) >= SHORTEST and {*values.values()} == {1} and max(values) - min(values) == len(values)


def _has_other_type(hand: int, to_answer: int) -> bool:
    """Return True if the hand has a higher combination of another type with the same number of cards."""
    shapes = [(length, each) for length, each, _ in LEADS if length * each == size(to_answer)]
    others = [each for each in shapes if shape(*each) != shape_of(to_answer)]
    return any(has_shape(hand, (*each, above(to_answer))) for each in others)


def _would_follow_kings(hand: int, to_answer: int) -> bool:
    """Return True if a play of the hand would follow the cards to answer if they were kings."""
    number = size(to_answer)
    if length_of(shape_of(to_answer)) > 1 or is_of_kings(to_answer) or number == SUITS:
        return False
    return has_shape(hand, (number + 2, 2, DECK)) and has_shape(hand, (1, SUITS, DECK))


def _of_kings(hand: int, number: int) -> set[str]:
    """Return the branches that decide the answers to this number of kings."""
    if number == SUITS:
        return {"four-kings"}
    doubles = {length for length in range(3, 7) if has_shape(hand, (length, 2, DECK))}
    fours = has_shape(hand, (1, SUITS, DECK))
    found = {("king-double", "two-kings", "three-kings")[number - 1]} if number + 2 in doubles else set()
    found |= {"king-four"} if fours and number == 1 else set()
    found |= {"kings-fours"} if fours and number > 1 else set()
    return found | ({"kings-other"} if max(doubles, default=number + 2) != number + 2 else set())


# Lines


def _lines(random: Random, key: str, form: str) -> Test:
    """Return a position in the lines of the program's input."""
    hand, before = question(random, key)
    lines = (written(random, hand, form), *(written(random, play, form) if play else PASSO for play in before))
    return (str(len(before)), *lines) if form == CONTEST else lines


def _read(lines: Test) -> Question:
    hand, *before = lines[1:] if lines[0].isdigit() else lines
    return read(hand)[0], tuple(PASSED if line == PASSO else read(line)[0] for line in before)


def _covers(lines: Test) -> frozenset[str]:
    return frozenset(_branches(*_read(lines)) | ways(lines) | {*ALWAYS})


def _smaller(lines: Test) -> Iterator[Test]:
    """Yield the position with fewer plays, and with a smaller hand."""
    counted = lines[0].isdigit()
    hand, *before = lines[1:] if counted else lines

    def again(hand: str, before: Sequence[str]) -> Test:
        return (str(len(before)), hand, *before) if counted else (hand, *before)

    for left in range(min(len(before) - 1, 4), -1, -1):
        yield again(hand, before[len(before) - left :])
    yield again(plainly(hand), [plainly(line) for line in before])
    for cards in fewer(hand):
        yield again(cards, before)
    for i, line in enumerate(before):
        for cards in fewer(line) if line != PASSO else ():
            if shape_of(read(cards)[0]):
                yield again(hand, [*before[:i], cards, *before[i + 1 :]])


def case_at(lines: Test) -> Case:
    """Return the case of one position, with one of the right answers."""
    hand, before = _read(lines)
    cards = [line for line in lines if line != PASSO and not line.isdigit()]
    form = texts.WORDS if form_of(cards[0]) == IN_WORDS else texts.PICTURES
    inputs = [f"{line}\n" for line in lines]
    answer = f"{_some_answer(hand, play_to_answer(before), form)}\n"
    steps = (Step("", ""), *(Step(line, "") for line in inputs[:-1]), Step(inputs[-1], answer, _covers(lines)))
    return Case((), steps, 0, {}, 1, lines)


def _some_answer(hand: int, to_answer: int, form: texts.Form) -> str:
    for group in groups(to_answer):
        for low, choices in windows(hand, group):
            return write(sum(some[0] << (low + SUITS * i) for i, some in enumerate(choices)), form)
    return PASSO
