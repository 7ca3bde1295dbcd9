"""Cases for programs of the document. `tests/judge` tests for all documents that mutants fail them."""

import pickle
from functools import cache
from random import Random

import pytest

from ludoteca.core.judging import Case
from ludoteca.games.conclave import GAME
from ludoteca.games.conclave.judging import PARTS
from ludoteca.games.conclave.judging.ends import DEAD_ENDS, TIED, dead_ends, ties
from ludoteca.games.conclave.judging.plans import case_of, opening
from ludoteca.games.conclave.judging.walks import Walk

PART = PARTS[""]
KEYS = frozenset(branch.key for branch in PART.branches)


def cases_of(seed: int) -> list[Case]:
    """Return cases that cover every branch, the shortest first."""
    random, wanted, cases = Random(seed), set(KEYS), list[Case]()
    while wanted and len(cases) < 100:
        cases.append(PART.case(random, frozenset(wanted)))
        wanted -= cases[-1].branches
    assert not wanted
    return sorted(cases, key=lambda case: case.turns)


@cache
def some_cases() -> list[Case]:
    return cases_of(0) + [PART.case(Random(seed), frozenset()) for seed in range(10)]


def test_a_few_short_cases_cover_every_branch() -> None:
    cases = some_cases()
    assert len(cases) < 40
    assert sum(case.turns <= 4 for case in cases) > len(cases) // 2
    assert {key for case in cases for key in case.branches} == KEYS
    assert {case.status for case in cases} == {0}


def test_the_same_seed_gives_the_same_cases() -> None:
    first, again = (PART.case(Random(4), KEYS) for _ in range(2))
    assert first == again
    assert pickle.loads(pickle.dumps(first)) == first  # processes send cases to each other


def test_our_program_answers_a_case_again_as_it_did() -> None:
    assert all(PART.again(case, GAME) == case for case in some_cases()[:5])


def test_the_case_is_the_whole_text() -> None:
    case = next(case for case in some_cases() if "winner-tie" in case.branches)
    assert case.output.endswith("HAS GUANYAT LA PARTIDA!\n")
    assert case.steps[0].output == "ENTRA LA LLAVOR:\n"
    given_up = next(case for case in some_cases() if "abandoned" in case.branches)
    assert given_up.output.endswith("PARTIDA ABANDONADA\n")


@pytest.mark.parametrize("number", range(len(DEAD_ENDS)))
def test_the_rare_deals_that_end_in_the_fourth_turn_do(number: int) -> None:
    ending = DEAD_ENDS[number]
    assert next(dead_ends(ending.players, [ending.seed])) == ending
    walk = Walk(opening(Random(0), frozenset(), ending.players, ending.seed), frozenset(), Random(0))
    for place, cell in ending.turns:
        walk.turn((place, cell, 0))
    assert "dead-end" in walk.reached
    assert case_of(walk.finished()).output.endswith("HAS GUANYAT LA PARTIDA!\n")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_rare_deals_that_end_with_equal_points_do(players: int) -> None:
    listed = [seed for number, seed in TIED if number == players]
    assert [*ties(players, listed[:1])] == listed[:1]


@pytest.mark.soak
def test_every_branch_is_covered_from_any_seed() -> None:
    for seed in range(50):
        for case in cases_of(seed):
            assert PART.again(case, GAME) == case
    for players, seed in TIED:
        assert [*ties(players, [seed])] == [seed]
