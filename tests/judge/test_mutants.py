"""Functions that are replaced for a while, and that everything is as before afterwards."""

import pytest

from ludoteca.core import registry
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.judging import Mutant
from ludoteca.games.okupacio import ranking, rules
from ludoteca.judge.mutants import broken

SPEC = registry.find("okupacio")
CHOSEN = {"players": 2, "board": "4 4 16"}


def nothing_falls(state: object, cell: int, player: int) -> None:
    rules.take_free(state, cell, player)


def nobody(state: object) -> None:
    return None


def board_after(*moves: str) -> str:
    state = Game(SPEC, CHOSEN).new_initial_state(seed=0)
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return str(state).split()[0]


MOVES = ("ab", "dd", "ba")


def test_a_mutant_does_not_outlive_its_block() -> None:
    assert board_after(*MOVES) == "AA../A.../..../...B"
    with broken(SPEC, Mutant("", "", "rules", "_occupy", nothing_falls)):
        assert board_after(*MOVES) == ".A../A.../..../...B"
        kept = Game(SPEC, CHOSEN)
        assert kept.new_initial_state(seed=0).legal_actions()
    assert board_after(*MOVES) == "AA../A.../..../...B"
    assert rules._occupy is not nothing_falls


def test_a_mutant_does_not_outlive_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), broken(SPEC, Mutant("", "", "rules", "_occupy", nothing_falls)):
        raise ZeroDivisionError
    assert board_after(*MOVES) == "AA../A.../..../...B"


def test_every_module_that_knows_a_function_has_the_mutant() -> None:
    console = SPEC.module("console_game")
    original = console.control
    with broken(SPEC, Mutant("", "", "ranking", "control", nobody)):
        assert console.control is ranking.control is nobody
    assert console.control is ranking.control is original


@pytest.mark.parametrize(("module", "function"), [("rules", "occupies"), ("rules", "ROW")])
def test_what_is_no_function_is_refused(module: str, function: str) -> None:
    refused = pytest.raises(ContractError, match=f"replaces no function {module}.{function}")
    with refused, broken(SPEC, Mutant("odd", "", module, function, nothing_falls)):
        pass


def test_nothing_is_compiled_of_a_mutant() -> None:
    refused = pytest.raises(ContractError, match="interpreted")
    with broken(SPEC, Mutant("", "", "rules", "_occupy", nothing_falls)), refused:
        Game(SPEC, CHOSEN, compiled=True).new_initial_state(seed=0)
