"""No case has an input that the document does not allow, or leaves open: for any seed, in any form, or after shortening."""

from dataclasses import replace
from random import Random

import pytest

from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.judging import Case, Options, part_of
from ludoteca.games.cartas.judging.guiao import Guiao
from ludoteca.games.cartas.judging.player import case_at
from ludoteca.games.metro.text.predicates import Move
from ludoteca.judge.judge import judge
from ludoteca.judge.making import make_cases
from ludoteca.judge.shrinking import USUAL, Effort
from tests.judge.test_documents import Altered

PARTS = [
    (spec.name, name, form)
    for spec in registry.registered_games()
    if spec.has("judging")
    for name, part in spec.module("judging").PARTS.items()
    for form in part.forms[-1:] or ("",)
]
DECIDED = [
    ("guiao2", ("2", "🂡🂲", "🂣🂴")),
    ("guiao3", ("1", "🂢🂤", "PASSO", "🂢")),
    ("guiao4", ("PASSO", "🂧")),
    ("jogador", ("🂢🂤", "PASSO")),
]
"""Tests whose answers the document leaves open."""
RANDOM = 60
"""More cases than a document needs, so that some are random."""


def check_cases(game: str, name: str, form: str, seed: int, effort: Effort) -> None:
    spec, options = registry.find(game), Options(form)
    part = part_of(spec, name, options)
    cases = make_cases(part, seed)
    assert all(map(part.takes, cases))
    signs = sorted({*"".join(case.output for case in cases)} - {" ", "\n"})
    wrong = Altered(lambda output: output.replace(signs[seed % len(signs)], "?"))
    report = judge(spec, name, cases, [wrong], Limits(), effort=effort, options=options)
    assert report.failure
    assert part.takes(report.failure.case)


@pytest.mark.parametrize(("game", "name", "form"), PARTS)
def test_cases_are_possible(game: str, name: str, form: str) -> None:
    check_cases(game, name, form, 0, Effort(runs=6))


@pytest.mark.parametrize(
    ("name", "test", "why"),
    [
        ("guiao2", ("2", "🂡🂱", "🂱🃁"), "a card occurs twice"),
        ("guiao3", ("2", "🂢", "🂥", "🂤", "🂧"), "a play does not follow the one before"),
        ("guiao3", ("5", "🂢", "🂥", "PASSO", "PASSO", "PASSO", "PASSO", "🂧"), "the game was over before"),
        ("guiao4", ("🂡🂢", "🂧"), "the last play is no combination"),
        ("jogador", ("🂢", "🂥", "🂤"), "a play does not follow the one before"),
    ],
)
def test_what_no_game_produces_is_impossible(name: str, test: tuple[str, ...], why: str) -> None:
    case = Case((), (), plan=test if name == "jogador" else (test,))
    assert part_of(registry.find("cartas"), name).impossible(case) == why


@pytest.mark.parametrize(("name", "test"), DECIDED)
def test_no_set_takes_a_case_that_rests_on_a_decision(name: str, test: tuple[str, ...]) -> None:
    part = part_of(registry.find("cartas"), name)
    case = part.case_of((test,)) if isinstance(part, Guiao) else case_at(test)
    assert not part.impossible(case)
    assert not part.takes(case)
    assert all(map(part.takes, make_cases(part, 0, RANDOM)))


@pytest.mark.parametrize(
    ("game", "change", "why"),
    [
        ("okupacio", {"players": ("11",)}, "11 players"),
        ("okupacio", {"text": "4 4 17"}, "17"),
        ("conclave", {"names": ("ANNA", "JOSÉ")}, "a name is not in ASCII"),
        ("conclave", {"seed": 1 << 32}, "seed 4294967296"),
        ("metro", {"moves": (Move((4, 4), "#1", "R0"),)}, "is no available move"),
    ],
)
def test_what_a_document_excludes_is_impossible(game: str, change: dict[str, object], why: str) -> None:
    part = part_of(registry.find(game), "")
    case = part.case(Random(1), frozenset())
    assert why in part.impossible(replace(case, plan=case.plan._replace(**change)))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 100))
@pytest.mark.parametrize(("game", "name", "form"), PARTS)
def test_cases_of_all_seeds_are_possible(game: str, name: str, form: str, seed: int) -> None:
    check_cases(game, name, form, seed, USUAL)
