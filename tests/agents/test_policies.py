"""The modules from which a search takes its playouts and its values of actions."""

from dataclasses import replace

import numpy as np
import pytest

import duel
from duel import heuristics
from ludoteca.agents.agent import search_modules
from ludoteca.core import hints, native
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from policies import first

GAME = Game(duel.GAME)


def hinted(binding: native.Binding) -> tuple[list[int], list[int]]:
    """The playouts of a binding, and its values of actions."""
    state = GAME.new_initial_state(1)
    legal, rng = np.array(state.legal_actions(), np.int64), new_rng(1)
    values = np.zeros(len(legal), np.int64)
    binding.value_actions(state.position.array, legal, len(legal), values)
    return [int(binding.choose_by_policy(state.position.array, rng)) for _ in range(50)], values.tolist()


def test_values_come_from_one_module_and_playouts_from_another() -> None:
    plays, values = hinted(GAME.bind(hints, heuristics))
    uniform, nothing = hinted(GAME.bind(hints))
    assert plays != uniform
    assert nothing == [0] * len(values)
    assert hinted(GAME.bind(hints, None, heuristics)) == (uniform, values)
    lowest, none = hinted(GAME.bind(hints, first))
    assert (hinted(GAME.bind(hints, first, heuristics)), none) == ((lowest, values), nothing)


def test_what_has_no_values_is_refused() -> None:
    with pytest.raises(ContractError, match=r"policies\.first is bound as values and has no function action_values"):
        GAME.bind(hints, None, first)


@pytest.mark.parametrize(
    ("spec", "asked", "expected"),
    [
        (duel.GAME, False, (None, heuristics)),
        (replace(duel.GAME, heuristic_playouts=False), None, (None, heuristics)),
    ],
)
def test_the_game_says_whether_playouts_follow_its_heuristics(
    spec: GameSpec, asked: bool | None, expected: tuple[object, object]
) -> None:
    assert search_modules(Game(spec), asked) == expected
