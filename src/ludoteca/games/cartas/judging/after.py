"""Guião 3: the hand after a play."""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from random import Random
from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.games.cartas.cards import PASSO, read, write
from ludoteca.games.cartas.combinations import answers, shape_of
from ludoteca.games.cartas.judging.branches import GUIAO3
from ludoteca.games.cartas.judging.guiao import Guiao, Test
from ludoteca.games.cartas.judging.hands import (
    STYLES,
    TOGETHER,
    any_combination,
    fewer,
    kings,
    nothing,
    others,
    ways,
    written,
)
from ludoteca.games.cartas.judging.mutants_of_plays import GUIAO3 as MUTANTS
from ludoteca.games.cartas.judging.plays import (
    EXCEPTIONS,
    PAIRS,
    Pair,
    higher,
    lower,
    of_answer,
    of_history,
    two_combinations,
)
from ludoteca.games.cartas.lines import PASSED, play_to_answer

MORE: Final = 4
"""Cards of a hand beside those to be played, at most, and earlier plays."""
FREE: Final = ("lead", "lead-nothing", "few-passes", "three-passes")


class After(Guiao):
    name = "guiao3"
    branches = GUIAO3
    mutants = MUTANTS

    def test(self, random: Random, key: str) -> Test:
        before, play = _free(random, key) if key in FREE else _answer(random, key)
        hand = play | others(random, random.randint(1, MORE), reduce(or_, before, play))
        if key == "empty-hand":
            hand = play
        elif key == "not-in-hand":
            hand &= ~(1 << random.choice(members(play)))
        style = key if key in STYLES else TOGETHER
        history = (written(random, each, style) if each else PASSO for each in before)
        attempt = PASSO if key == "passo" else written(random, play, style)
        return (str(len(before)), written(random, hand, style), *history, attempt)

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
            found.add("lead-nothing")
        if valid or not shape_of(play):  # what may be led tells whether passes let it be led
            found -= {"one-pass", "two-passes"}
        left = hand ^ play if valid else hand
        return found | ({"empty-hand"} if not left else {"cards-ascending"} if size(left) > 1 else set())

    def smaller(self, test: Test) -> Iterator[Test]:
        _, hand, *before, play = test
        for left in range(len(before)):  # without the oldest plays
            yield (str(left), hand, *before[len(before) - left :], play)
        cards = read(hand)[0]
        played = 0 if play == PASSO else read(play)[0]
        if cards & ~played and cards & played:
            yield (test[0], write(cards & played, between=""), *before, play)
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
        return [*_some_plays(random), earlier, PASSED, PASSED, PASSED], play
    if key == "few-passes":
        return [PASSED] * random.randint(1, 2), play
    return [], nothing(random) if key == "lead-nothing" else play


def _answer(random: Random, key: str) -> tuple[list[int], int]:
    """Plays of which one is to be answered, and some cards."""
    if key in ("after-exception", "exception-higher", "king-after"):
        return _after_exception(random, key)
    passes = {"one-pass": 1, "two-passes": 2}.get(key, 0 if key == "few-plays" else random.choice((0, 0, 1, 2)))
    play, answer = _pair(random, key)
    while key == "not-in-hand" and size(answer) == 1:
        play, answer = _pair(random, key)
    before = [play, *[PASSED] * passes]
    if key == "few-plays":
        return before, answer
    if len(before) < 3 or random.random() < 0.5:
        before = [*_some_plays(random), *before]
    return before, answer


def _pair(random: Random, key: str) -> Pair:
    if key in PAIRS:
        return PAIRS[key](random)
    if key in ("one-pass", "two-passes"):
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


def _some_plays(random: Random) -> list[int]:
    """Earlier plays, which decide nothing."""
    plays = [random.choice((PASSED, any_combination(random, 3))) for _ in range(random.randint(0, MORE))]
    return [any_combination(random, 3), *plays] if plays else plays
