"""Guião 3: the hand after a play."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from random import Random
from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.games.cartas.cards import PASSO, read
from ludoteca.games.cartas.combinations import DECK, SHORTEST, answers, shape_of
from ludoteca.games.cartas.judging.branches import GUIAO3
from ludoteca.games.cartas.judging.guiao import Guiao, Test, cards_of
from ludoteca.games.cartas.judging.hands import (
    fewer,
    form_of,
    in_form,
    kings,
    nothing,
    others,
    run,
    some_play,
    ways,
    written,
)
from ludoteca.games.cartas.judging.mutants import GUIAO3 as MUTANTS
from ludoteca.games.cartas.judging.plays import (
    EXCEPTIONS,
    PAIRS,
    Pair,
    blamed_for,
    higher,
    lower,
    of_answer,
    of_history,
    two_combinations,
)
from ludoteca.games.cartas.judging.possible import fault_of_cards, fault_of_plays
from ludoteca.games.cartas.lines import PASSED, play_to_answer

MORE: Final = 4
"""Cards of a hand beside those to be played, at most, and earlier plays."""
PASSES_BEFORE: Final = {"no-pass": 0, "one-pass": 1, "two-passes": 2}
"""Branches by the passes between the play to answer and the attempt."""
FREE: Final = ("lead", "lead-nothing", "few-passes", "three-passes")


class After(Guiao):
    name = "guiao3"
    branches = GUIAO3
    mutants = MUTANTS

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
            found = (found - {"lead"}) | {"lead-nothing"}
        if valid or not shape_of(play):  # what may be led tells whether passes let it be led
            found -= PASSES_BEFORE.keys()
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
        if to_answer := play_to_answer(before):
            blamed |= blamed_for(to_answer, play)
            if right == hand and shape_of(play):
                blamed.add("no-pass")
        return blamed | {"few-plays"} if 0 < len(before) < 3 else blamed

    def smaller(self, test: Test) -> Iterator[Test]:
        _, hand, *before, play = test
        for left in range(len(before)):  # without the oldest plays
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


def _free(random: Random, key: str) -> tuple[list[int], int]:
    """Plays after which anything may be led, and some cards."""
    earlier, play = two_combinations(random)
    if key == "three-passes":
        return [*_some_plays(random, earlier | play), earlier, PASSED, PASSED, PASSED], play
    if key == "few-passes":
        return [PASSED] * random.randint(1, 2), play
    return [], nothing(random) if key == "lead-nothing" else run(random, SHORTEST, random.randint(1, 2))


def _answer(random: Random, key: str) -> tuple[list[int], int]:
    """Plays of which one is to be answered, and some cards."""
    if key in ("after-exception", "exception-higher", "king-after"):
        return _after_exception(random, key)
    passes = PASSES_BEFORE.get(key, 0 if key == "few-plays" else random.choice((0, 0, 1, 2)))
    play, answer = _pair(random, key)
    while key == "not-in-hand" and size(answer) == 1:
        play, answer = _pair(random, key)
    before = [play, *[PASSED] * passes]
    if key == "few-plays":
        return before, answer
    if len(before) < 3 or random.random() < 0.5:
        before = [*_some_plays(random, play | answer), *before]
    return before, answer


def _pair(random: Random, key: str) -> Pair:
    if key in PAIRS:
        return PAIRS[key](random)
    if key in PASSES_BEFORE or key == "few-plays":
        return random.choice((lower, two_combinations))(random)
    return higher(random)


def _after_exception(random: Random, wanted: str) -> tuple[list[int], int]:
    """Kings, what follows them by an exception, and an answer to it: a higher one, a king, or what follows kings only."""
    while True:
        key = random.choice(EXCEPTIONS)
        first, second = PAIRS[key](random)
        third = kings(random, 1) if wanted == "king-after" else PAIRS[random.choice((key, *EXCEPTIONS))](random)[1]
        if answers(third, second) == (wanted == "exception-higher"):
            return [first, second], third


def _some_plays(random: Random, taken: int) -> list[int]:
    """Earlier plays of other cards, which decide nothing: at their end all others pass."""
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
