"""The judge on the document's five programs: its cases against the oracle, and its reports."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Final

import pytest

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import Limits
from ludoteca.core.bits import members, set_of
from ludoteca.core.judging import Case
from ludoteca.core.messages import catalogue, in_words
from ludoteca.games.cartas import GAME
from ludoteca.games.cartas.cards import PASSO, read, write
from ludoteca.games.cartas.judging import PARTS
from ludoteca.games.cartas.judging import branches as document
from ludoteca.games.cartas.judging.branches import Sentence
from ludoteca.games.cartas.judging.player import case_at
from ludoteca.judge.judge import judge
from ludoteca.judge.making import make_cases
from ludoteca.judge.programs import Boxed
from ludoteca.judge.reports import Words, lines
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.verdicts import Verdict
from tests.cartas import oracle
from tests.judge.test_documents import Altered

GUIOES: Final = ("guiao1", "guiao2", "guiao3", "guiao4")
DOCUMENT: Final = Path(__file__).parents[3] / "shared" / "seeds" / "cartas.txt"
OWN: Final = Path(__file__).parents[1] / "golden" / "cartas"
SHARED: Final = Path(__file__).parents[3] / "shared" / "golden" / "cartas"
LIMITS: Final = Limits(output=8 << 20)
SEED: Final = 1
PATIENT: Final = 600.0
"""Seconds after which a hang ends."""
EFFORT: Final = Effort(runs=200)


@cache
def cases_of(part: str, seed: int = SEED) -> list[Case]:
    return make_cases(PARTS[part], seed)


# Branches


@pytest.mark.skipif(not DOCUMENT.exists(), reason=f"there is no {DOCUMENT}")
def test_sentences_are_the_documents_own() -> None:
    whole = " ".join(DOCUMENT.read_text(encoding="utf-8").replace("*", "").split())
    sentences: list[Sentence] = [value for name, value in vars(document).items() if name.isupper() and len(value) == 2]
    assert len(sentences) > 20
    assert [sentence for _, sentence in sentences if sentence not in whole] == []


ODD: Final = {
    "guiao1": "conjunto com 99999999999 cartas onde a carta mais alta é x\n",
    "guiao2": "Teste 1\nPASSO\n🂡🂡\n",
    "guiao3": "Teste 1\nTeste 2\n",
    "guiao4": "Teste 1\nPASSO\n🂡\n🂡\n",
    "jogador": "🂡 🂢 🂾\n",
}
"""Outputs of programs that err about everything."""


class Constant:
    """A program that prints the same whatever it reads."""

    isolation = "in this process"
    together = 1

    def __init__(self, output: str) -> None:
        self._output = output

    def run(self, case: Case, *, terminal: bool = False) -> Run:
        return Run(self._output.encode(), 0)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("part", "output"), ODD.items())
def test_any_output_is_judged(part: str, output: str) -> None:
    report = judge(GAME, part, cases_of(part)[-2:], [Constant(output)], LIMITS, effort=Effort(4))
    assert report.verdict == Verdict.WRONG


# Cases against the second implementation


def cards_of(line: str) -> oracle.Cards:
    """The cards of a line as the oracle has them."""
    return frozenset((card // 4 + 1, card % 4) for card in members(read(line)[0]))


def play_to_answer(lines: tuple[str, ...]) -> oracle.Cards | None:
    return next((cards_of(line) for line in reversed(lines[-3:]) if line != PASSO), None)


def answered(part: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Each test of our cases, with the lines that are expected."""
    for case in cases_of(part):
        at = 2
        for test in case.plan:
            output = "".join(step.output for step in case.steps[at : at + len(test)])
            at += len(test)
            yield test, output.splitlines()


def test_hands_after_plays_are_those_of_the_oracle() -> None:
    number = 0
    for (_, hand, *before, play), (_, left) in answered("guiao3"):
        cards, last = cards_of("" if play == PASSO else play), play_to_answer(tuple(before))
        valid = cards <= cards_of(hand) and (oracle.kind(cards) if last is None else oracle.may_follow(cards, last))
        assert cards_of(left) == (cards_of(hand) - cards if valid else cards_of(hand))
        number += 1
    assert number > 40


def test_lists_of_plays_are_those_of_the_oracle() -> None:
    number = 0
    for (last, hand), (_, *listed) in answered("guiao4"):
        if len(cards_of(hand)) <= 10:
            found = [cards_of(line) for line in listed if line != PASSO]
            assert len(set(found)) == len(found)
            assert set(found) == oracle.plays(cards_of(hand), None if last == PASSO else cards_of(last))
            number += 1
    assert number > 20


def test_plays_are_refused_as_the_oracle_refuses_them() -> None:
    refused = set()
    for case in cases_of("jogador"):
        hand, *before = case.plan[1:] if case.plan[0].isdigit() else case.plan
        last = play_to_answer(tuple(before))
        for play in combinations(members(read(hand)[0]), 2):
            answer = write(set_of(play))
            right = oracle.kind(cards_of(answer)) if last is None else oracle.may_follow(cards_of(answer), last)
            assert (PARTS["jogador"].problem(case, f"{answer}\n") == "") == bool(right)
            refused.add(bool(right))
    assert refused == {True, False}


# The player's answers


def position(hand: str, *plays: str) -> Case:
    return case_at((hand, *plays))


@pytest.mark.parametrize(
    ("case", "output", "problem"),
    [
        (position("🂪🃛🃌"), "🃛\n", ""),
        (position("🂪🃛🃌"), "10 ♠ J ♣ C ♦", ""),
        (position("🂪🃛🃌"), "10♠J♣C♦\n", ""),
        (position("🂪🃛🃌"), " PASSO \r\n", ""),
        (position("🂮", "🂾"), "PASSO\n", ""),
        (position("🂮", "🂾"), "", f"nothing was printed, expected a play or {PASSO}"),
        (position("🂪🃛🃌"), "🂪\n🃛\n", f"2 lines were printed, expected a single one: the play or {PASSO}"),
        (position("🂪🃛🃌"), "🂪🂪\n", "'🂪🂪' is no play: 🂪 appears twice, again at character 2"),
        (position("🂪🃛🃌"), "🂫\n", "J♠ is not in the hand"),
        (position("🂮", "🂾"), "🂮\n", "the highest card of K♠ is not higher than K♥"),
        (position("🂡🂱🃁🃑", "🂮🂾"), "🂡🂱🃁🃑\n", "a set of 4 does not answer a set of 2, nor is it a double sequence of 4"),
        (position("🂡🂱🃁🃑", "🂮"), "🂡🂱🃁🃑\n", ""),
    ],
)
def test_what_is_wrong_with_an_answer_of_the_player(case: Case, output: str, problem: str) -> None:
    found = PARTS["jogador"].problem(case, output)
    assert found is not None
    assert in_words(found, catalogue(GAME.package, "en")) == problem


def test_a_report_has_cards_that_can_be_read() -> None:
    wrong = Altered(lambda output: re.sub(r"(?m)^([^TC\n].*)\n([^TC\n].*)$", r"\2\n\1", output))
    report = judge(GAME, "guiao2", cases_of("guiao2"), [wrong], LIMITS, effort=EFFORT)
    text = "\n".join(lines(report, Words(GAME, "pt")))
    assert re.search(r"Encurtado para 1 teste, ", text)
    assert re.search(r"^esperado \| [🂡-🃞 ]+   \(\w+[♠♥♦♣]", text, re.MULTILINE)
    assert "«Para comparar duas combinações, comparamos a carta mais alta de cada combinação.»" in text


def test_a_report_on_the_player_has_the_answer_and_the_sentence_that_refuses_it(tmp_path: Path) -> None:
    program = tmp_path / "everything"
    program.write_text("#!/bin/sh\nread hand\necho $hand\n", encoding="utf-8")
    program.chmod(0o755)
    with Boxed(PARTS["jogador"], [str(program)], Limits(move=PATIENT)) as boxed:
        report = judge(GAME, "jogador", [case_at(("🂪🃛🃌🂡",))], [boxed], LIMITS, effort=Effort(runs=0))
    text = "\n".join(lines(report, Words(GAME, "pt")))
    assert re.search(r"O primeiro caso que falha é o número 1: \S+ não é nenhuma combinação", text)
    assert re.search(r"^Saída:\n  \w+ *[♠♥♦♣]|^Saída:\n  [🂡-🃞]+   \(\w+[♠♥♦♣]", text, re.MULTILINE)
    assert f"«{document.LEAD[1]}»" in text


# Sets that were written without our generator


def published(part: str, typed: list[str]) -> list[tuple[str, ...]]:
    """The tests of an input."""
    count, found, at = int(typed[0]), [], 1
    for _ in range(count):
        length = {"guiao1": 1, "guiao4": 2}.get(part) or int(typed[at]) + (1 if part == "guiao2" else 3)
        found.append(tuple(line.strip() for line in typed[at : at + length]))
        at += length
    return found


@pytest.mark.parametrize("part", GUIOES)
def test_the_branches_of_sets_of_others_are_among_ours(part: str) -> None:
    guiao = PARTS[part]
    # without guiao4.no-combinations.in: the document does not say what answers no combination
    files = [*OWN.glob(f"{part}.[!n]*.in"), *(SHARED / part).glob("*.in")]
    texts = [path.read_text(encoding="utf-8-sig") for path in files if path.stat().st_size < 20_000]
    tests = chain.from_iterable(published(part, text.splitlines()) for text in texts)
    found = set().union(*(guiao.covers(test) for test in tests))  # type: ignore[attr-defined]
    assert found
    assert found <= {branch.key for branch in guiao.branches}
