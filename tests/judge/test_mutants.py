"""Programs with one sentence broken for a while: the change arrives everywhere, and everything is as before afterwards."""

import pytest

from ludoteca.core import registry
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.judging import Mutant, converse
from ludoteca.core.spec import GameSpec
from ludoteca.games.okupacio import ranking, rules
from ludoteca.judge.mutants import broken

SPEC = registry.find("okupacio")
CHOSEN = {"players": 2, "board": "4 4 16"}


def nothing_falls(state: object, cell: int, player: int) -> None:
    rules.take_free(state, cell, player)


def nobody(state: object) -> None:
    return None


REPLACED = Mutant("", "", "rules", "_occupy", nothing_falls)
CHANGED = Mutant("", "", "rules", "falls", old="if mine == degree:", new="if False:")
BOTH = pytest.mark.parametrize("mutant", [REPLACED, CHANGED], ids=["replaced", "changed"])


def board_after(spec: GameSpec, *moves: str) -> str:
    state = Game(spec, CHOSEN).new_initial_state(seed=0)
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return str(state).split()[0]


MOVES = ("ab", "dd", "ba")


@BOTH
def test_a_mutant_does_not_outlive_its_block(mutant: Mutant) -> None:
    assert board_after(SPEC, *MOVES) == "AA../A.../..../...B"
    with broken(SPEC, mutant) as spec:
        assert board_after(spec, *MOVES) == ".A../A.../..../...B"
    assert board_after(SPEC, *MOVES) == "AA../A.../..../...B"


@BOTH
def test_a_mutant_does_not_outlive_an_exception(mutant: Mutant) -> None:
    with pytest.raises(ZeroDivisionError), broken(SPEC, mutant):
        raise ZeroDivisionError
    assert board_after(SPEC, *MOVES) == "AA../A.../..../...B"
    assert rules._occupy is not nothing_falls


def test_a_mutant_that_spoils_its_own_position_ends_as_a_program_that_crashes() -> None:
    mutant = Mutant("", "", "rules", "_give_up", old="_add_free(state, cell)", new="pass")
    typed = [f"{word}\n" for word in ["3", "board.txt", "ca", "bd", "dc", "bb", "cc", "cc", "bc", "da", "00", "ab", "aa"]]
    with broken(SPEC, mutant) as spec:
        said, status = converse(spec, [], typed, {"board.txt": "4 4 2 1 1 1 3 2 5 1"}, may_crash=True)
    assert (status, said[-1][0]) == (1, "ab\n")


def test_every_module_that_knows_a_function_has_the_mutant() -> None:
    console = SPEC.module("console_game")
    original = console.control
    with broken(SPEC, Mutant("", "", "ranking", "control", nobody)):
        assert console.control is ranking.control is nobody
    assert console.control is ranking.control is original


def test_a_copy_shares_no_module_and_no_table_with_the_game() -> None:
    with broken(SPEC, CHANGED) as spec:
        copied = spec.module("rules")
    late = spec.module("console_game")  # imported after the block, as programs import some of their modules late
    assert late.picture.__globals__["rules"] is copied
    assert late.GAME is spec
    assert late.control is not ranking.control
    assert copied.START != rules.START
    assert SPEC.module("rules") is rules


def test_several_places_of_a_module_are_changed() -> None:
    also = (("falls", "return True", "return False"),)
    with broken(SPEC, Mutant("", "", "rules", "has_to_end", old="state.n_free == 0 or ", also=also)) as spec:
        assert board_after(spec, *MOVES) == ".A../A.../..../...B"


@pytest.mark.parametrize(("module", "function"), [("rules", "occupies"), ("rules", "ROW")])
def test_what_is_no_function_is_refused(module: str, function: str) -> None:
    refused = pytest.raises(ContractError, match=f"replaces no function {module}.{function}")
    with refused, broken(SPEC, Mutant("odd", "", module, function, nothing_falls)):
        pass


@pytest.mark.parametrize(
    ("function", "old"), [("falls", "degree"), ("falls", "state"), ("falls", ""), ("occupies", "state"), ("ROW", "MAX_SIDE")]
)
def test_a_text_that_does_not_occur_once_in_the_function_is_refused(function: str, old: str) -> None:
    refused = pytest.raises(ContractError, match=f"expected '{old}' exactly once in .*rules.{function}")
    with refused, broken(SPEC, Mutant("odd", "", "rules", function, old=old)):
        pass


def test_nothing_is_compiled_of_a_replaced_function() -> None:
    refused = pytest.raises(ContractError, match="compiled bindings cannot be made")
    with broken(SPEC, REPLACED), refused:
        Game(SPEC, CHOSEN, compiled=True).new_initial_state(seed=0)
