"""Guião 3: the hand after a play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from random import Random
from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.games.cartas.cards import PASSO, highest, read
from ludoteca.games.cartas.combinations import DECK, KINGS, SHORTEST, Group, answers, shape, shape_of
from ludoteca.games.cartas.judging.branches import GUIAO3
from ludoteca.games.cartas.judging.classify import of_nothing
from ludoteca.games.cartas.judging.guiao import Guiao, Test, cards_of
from ludoteca.games.cartas.judging.hands import (
    fewer,
    form_of,
    in_form,
    is_nearly,
    kings,
    nearly,
    nothing,
    others,
    run,
    some_play,
    ways,
    with_gap,
    with_one_more,
    written,
)
from ludoteca.games.cartas.judging.plays import (
    EXCEPTIONS,
    PAIRS,
    REFUSED,
    SPECIAL,
    Pair,
    blamed_for,
    exception_of,
    follows_exception,
    higher,
    is_refused,
    lower,
    of_answer,
    of_history,
    of_shape,
    refused,
    same_values,
    two_combinations,
)
from ludoteca.games.cartas.judging.possible import fault_of_cards, fault_of_plays
from ludoteca.games.cartas.text.lines import PASSED, play_to_answer

MORE: Final = 4
"""The largest number of other cards in a hand, and of earlier plays."""
APART: Final = ([False, True, False, True, True], [False, True, True, False, True])
"""Plays with three passes that are not in a row. True is a pass."""
PASSES_BEFORE: Final = {"no-pass": 0, "one-pass": 1, "two-passes": 2}
"""The branches, with the number of passes between the play to answer and the attempt."""
AFTER_EXCEPTION: Final = (
    "after-exception",
    "double-after-fours",
    "fours-after-double",
    "exception-higher",
    "king-after",
    "king-after-fours",
)
LED: Final = ("pairs-and-card", "pairs-on-average", "cards-on-average")
NOTHING: Final[Mapping[str, Callable[[Random], int]]] = {
    "lead-nothing": nothing,
    "two-cards": lambda random: run(random, 2, 1),
    "two-pairs": lambda random: run(random, 2, 2),
    "gap": with_gap,
    "uneven": with_one_more,
    "triples": lambda random: run(random, SHORTEST, 3),
    **{key: partial(nearly, key=key) for key in LED},
}
"""The branches and extras of cards that cannot be led, each with a function that makes such cards."""
FREE: Final = ("lead", "few-passes", "three-passes", *NOTHING)
NEXT: Final[Mapping[str, tuple[str, str]]] = {
    "lead-after-play": ("no-pass", "lead"),
    "answer-after-lead": ("lead", "no-pass"),
    "passes-after-passes": ("two-passes", "one-pass"),
}
"""The extras of neighbouring tests, with a branch for each of them."""


class After(Guiao):
    name = "guiao3"
    whole = "empty-hand"
    branches = GUIAO3
    extras = (*LED, *REFUSED, *NEXT)

    def tests(self, random: Random, key: str) -> tuple[Test, ...]:
        return tuple(self.test(random, each) for each in NEXT.get(key, (key,)))

    def has(self, test: Test, before: Test | None) -> dict[str, bool]:
        to_answer, passes, play = _asked(test)
        earlier, passes_before, _ = _asked(before or ("0", "", PASSO))
        is_led, is_free_before = to_answer == PASSED, before is not None and earlier == PASSED
        fails = not is_led and shape_of(play) > 0 and not answers(play, to_answer)
        return {
            **{key: is_led and play > 0 and is_nearly(play, key) for key in LED},
            **{key: fails and is_refused(to_answer, key, partial(_is_like, play)) for key in REFUSED},
            "lead-after-play": is_led and shape_of(play) > 0 and earlier != PASSED and not answers(play, earlier),
            "answer-after-lead": fails and is_free_before,
            "passes-after-passes": fails and passes > 0 and passes_before < 3 <= passes + passes_before,
        }

    def test(self, random: Random, key: str) -> Test:
        while True:
            before, play = _free(random, key) if key in FREE else _answer(random, key)
            if not fault_of_plays(before) and not fault_of_cards([each for each in (*before, play) if each]):
                break
        hand = play | others(random, random.randint(1, MORE), reduce(or_, before, play))
        if key == "empty-hand":
            hand = play
        elif key == "not-in-hand":
            hand &= ~(1 << random.choice(members(play)))
        history = (written(random, each, self.form) if each else PASSO for each in before)
        attempt = PASSO if key == "passo" else written(random, play, self.form)
        return (str(len(before)), written(random, hand, self.form), *history, attempt)

    def fault(self, test: Test) -> str:
        hand, *before, play = [PASSED if line == PASSO else read(line)[0] for line in test[1:]]
        played = [each for each in before if each != PASSED]
        new = [cards for cards in (hand | play,) if cards]
        return fault_of_plays(before) or fault_of_cards([*played, *new])

    def covers(self, test: Test) -> set[str]:
        hand, *before, play = [PASSED if line == PASSO else read(line)[0] for line in test[1:]]
        to_answer = play_to_answer(before)
        found = of_history(before) | ways(test[1:])
        valid = shape_of(play) != 0 if to_answer == PASSED else answers(play, to_answer)
        if play & ~hand:
            return {"not-in-hand"} if valid and play & hand else set()
        if play == PASSED:
            found.add("passo")
        elif to_answer != PASSED:
            found |= of_answer(to_answer, play)
        elif not valid:
            found = (found - {"lead"}) | {"lead-nothing"} | (of_nothing(play) & NOTHING.keys())
        if valid or not shape_of(play):  # passes matter only for cards that may be led
            found -= PASSES_BEFORE.keys()
        first = next(filter(None, before[-3:]), PASSED)
        if to_answer != PASSED and answers(play, first) != valid:
            found.add("several-plays")
        if [line == PASSED for line in before] in APART and shape_of(play) and not valid:
            found.add("passes-apart")
        left = hand ^ play if valid else hand
        return found | ({"empty-hand"} if not left else {"cards-ascending"} if size(left) > 1 else set())

    def blamed(self, test: Test, covered: set[str], wanted: Sequence[str], got: Sequence[str]) -> set[str]:
        hand, *before, play = [PASSED if line == PASSO else read(line)[0] for line in test[1:]]
        right, found = cards_of(wanted[0]), cards_of(got[0] if got else "")
        if found is None:
            return set()
        if found == right and got != wanted:
            return {"cards-ascending"}
        if play == PASSED:
            return {"passo"}
        if play & ~hand:
            return {"not-in-hand", "no-combination"}
        blamed = {"no-combination"} if right == hand else {"empty-hand"}
        if found not in (hand, hand & ~play):
            return blamed
        blamed |= covered - {"cards-ascending"}
        blamed |= _of_earlier(before, play)
        if to_answer := play_to_answer(before):
            blamed |= blamed_for(to_answer, play)
            if to_answer == KINGS and shape_of(play) in SPECIAL:  # the program may treat the kings as an answer to a king
                blamed.add("after-exception")
            if right == hand and shape_of(play):
                blamed.add("no-pass")
        if not follows_exception(before):
            blamed = blamed.difference(AFTER_EXCEPTION)
        return blamed | {"few-plays"} if 0 < len(before) < 3 else blamed

    def smaller(self, test: Test) -> Iterator[Test]:
        _, hand, *before, play = test
        for left in range(len(before)):  # the program may ignore the oldest plays
            yield (str(left), hand, *before[len(before) - left :], play)
        cards = read(hand)[0]
        played = 0 if play == PASSO else read(play)[0]
        if cards & ~played and cards & played:
            yield (test[0], in_form(cards & played, form_of(hand)), *before, play)
        for fewer_cards in fewer(hand):
            yield (test[0], fewer_cards, *before, play)
        for i, line in enumerate(before):
            for fewer_cards in fewer(line) if line != PASSO else ():
                yield (test[0], hand, *before[:i], fewer_cards, *before[i + 1 :], play)
        for fewer_cards in fewer(play) if play != PASSO else ():
            yield (test[0], hand, *before, fewer_cards)


def _asked(test: Test) -> tuple[int, int, int]:
    """Return the play to answer in a test, the number of passes after it, and the attempted play."""
    *before, play = [PASSED if line == PASSO else read(line)[0] for line in test[2:]]
    passes = next((ago for ago, each in enumerate(reversed(before)) if each != PASSED), len(before))
    return play_to_answer(before), passes, play


def _is_like(play: int, group: Group) -> bool:
    """Return True if a play is a combination of a group's shape, with one of the group's cards as the highest."""
    length, each, tops = group
    return shape_of(play) == shape(length, each) and bool(tops >> highest(play) & 1)


def _of_earlier(before: Sequence[int], play: int) -> set[str]:
    """Return the branches that a program may break if it errs about the play to answer."""
    at = next((at for at in reversed(range(len(before))) if before[at] != PASSED), 0)
    earlier = play_to_answer(before[:at])
    found = {exception_of(earlier, before[at])} if earlier else set()
    found |= {"several-plays"} if earlier and answers(play, earlier) else set()
    return found - {""}


def _free(random: Random, key: str) -> tuple[list[int], int]:
    """Return plays after which anything may be led, and some cards."""
    earlier, play = two_combinations(random)
    if key == "three-passes":
        return [*_some_plays(random, earlier | play), earlier, PASSED, PASSED, PASSED], play
    if key == "few-passes":
        return [PASSED] * random.randint(1, 2), play
    return [], NOTHING[key](random) if key in NOTHING else run(random, SHORTEST, random.randint(1, 2))


def _answer(random: Random, key: str) -> tuple[list[int], int]:
    """Return plays, one of which is to be answered, and some cards."""
    if key == "several-plays":
        return _several_plays(random)
    if key == "passes-apart":
        play, answer = higher(random)
        low, _ = two_combinations(random)
        between = random.randint(1, 2)
        return [play, *[PASSED] * between, answer, *[PASSED] * (3 - between)], low
    if key in AFTER_EXCEPTION:
        return _after_exception(random, key)
    passes = PASSES_BEFORE.get(key, 0 if key == "few-plays" else random.choice((0, 0, 1, 2)))
    play, answer = _pair(random, key)
    while key == "not-in-hand" and size(answer) == 1:
        play, answer = _pair(random, key)
    before = [play, *[PASSED] * passes]
    if key == "few-plays":
        return before, answer
    if random.random() < 0.5:
        before = [*_some_plays(random, play | answer), *before]
    return before, answer


def _pair(random: Random, key: str) -> Pair:
    if key == "suit-higher":  # overlapping sequences belong to another sentence
        return same_values(random, 1, random.randint(1, 3))
    if key in PAIRS:
        return PAIRS[key](random)
    if key in REFUSED:
        return refused(random, key)
    if key in PASSES_BEFORE or key == "few-plays":
        return random.choice((lower, two_combinations))(random)
    return higher(random)


def _after_exception(random: Random, wanted: str) -> tuple[list[int], int]:
    """Return kings, an exception that follows them, and an answer to it: a higher one, a king, or another exception."""
    while True:
        key = random.choice(EXCEPTIONS)
        first, second = PAIRS[key](random)
        third = kings(random, 1) if wanted.startswith("king-after") else PAIRS[random.choice((key, *EXCEPTIONS))](random)[1]
        if wanted in of_answer(second, third):
            return [first, second, *[PASSED] * random.choice((0, 2))], third


def _several_plays(random: Random) -> tuple[list[int], int]:
    """Return two plays among the last three lines, and cards that answer only the first of them."""
    length, each = of_shape(random)
    first, between, second = sorted((run(random, length, each) for _ in range(3)), key=highest)
    return random.choice(([first, second, PASSED], [first, PASSED, second])), between


def _some_plays(random: Random, taken: int) -> list[int]:
    """Return earlier plays of other cards without influence, because all others pass at their end."""
    left = DECK & ~taken
    plays = [1 << random.choice(members(left))]
    left ^= plays[0]
    for _ in range(random.randint(0, MORE)):
        play = some_play(random, left, play_to_answer(plays)) if size(left) > MORE else 0
        plays.append(play if size(play) <= MORE else PASSED)
        left ^= plays[-1]
    while any(plays[-3:]) or len(plays) < 3:
        plays.append(PASSED)
    return plays
