"""Public functions check their arguments in the same way: numbers of Python and NumPy, games by name, paths as text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.core.errors import ContractError, LudotecaError, ParameterError, UnknownGameError
from ludoteca.envs.batch import Batch

GAME = ludoteca.load("okupacio", players=2, board="4x4")


def some(value: Any) -> Any:
    """The value, for calls that type checkers refuse."""
    return value


@pytest.mark.parametrize("seed", [np.int64(5), np.uint8(5), np.array(5)])
def test_a_seed_may_be_a_number_of_numpy(seed: Any) -> None:
    cartas = ludoteca.load("cartas")
    assert cartas.new_initial_state(seed) == cartas.new_initial_state(5)
    assert cartas.new_initial_state(seed).start == cartas.new_initial_state(5).start
    assert ludoteca.new_rng(seed).tolist() == ludoteca.new_rng(5).tolist()


def test_a_game_may_be_a_name_or_a_game() -> None:
    assert ludoteca.load(GAME) is GAME
    assert len(ludoteca.symmetries("okupacio")) == 1
    assert Batch("okupacio", 2, players=2, board="4x4", compiled=False).game == GAME


def test_a_path_may_be_text(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(GAME.new_initial_state().serialize(), encoding="utf-8")
    assert ludoteca.read_record(str(tmp_path / "game.json")) == ludoteca.read_record(tmp_path / "game.json")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: GAME.new_initial_state(some(1.0)),
            ParameterError,
            "seed: read 1.0, expected a whole number from 0 to 2^256 - 1",
        ),
        (lambda: ludoteca.new_rng(some("1")), ParameterError, "seed: read '1', expected a whole number"),
        (lambda: ludoteca.new_rng(some(np.bool_(1))), ParameterError, "seed: read np.True_, expected a whole number"),
        (lambda: ludoteca.load(some(3)), UnknownGameError, "3"),
        (lambda: ludoteca.load(GAME, players=3), ParameterError, "has all its parameters: read players besides it"),
        (lambda: ludoteca.load("cartas").new_initial_state(1).legal_actions_mask(), ContractError, "use action_mask()"),
    ],
)
def test_what_is_none_of_these_gets_a_clear_error(call: Callable[[], Any], error: type[LudotecaError], message: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)
