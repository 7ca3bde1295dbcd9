"""Tensors: their shape, and that they follow the view."""

from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import board, features, tiles
from ludoteca.games.metro.board import action_of
from ludoteca.games.metro.features import COMMON, EACH


@pytest.mark.parametrize(
    "chosen", [{"side": 4}, {"side": 12, "tiles": "stack"}, {"players": 2}, {"players": 6, "rotate": "yes"}]
)
def test_every_position_of_a_game_has_a_tensor_of_one_shape(chosen: dict[str, Any]) -> None:
    game, rng = ludoteca.load("metro", **chosen), new_rng(1)
    state = game.new_initial_state(2)
    while not state.is_terminal():
        if len(state.history()) % 7 == 0:
            for seat in range(SPECTATOR, game.num_players()):
                tensor = state.observation_tensor(seat)
                assert tensor.shape == features.shape(game.parameters)
                assert str(tensor.dtype) == "float32"
                assert (state.resample_from_infostate(seat, rng).observation_tensor(seat) == tensor).all()
        state.apply_action(state.random_action(rng))


def test_the_planes_say_where_tiles_lie_and_may_go() -> None:
    text = "1,5R0,6R0,5/1,7R2,2R1,5/9R0,3R2,6/3,*,*,3/3,*,*,3/8/8/8 1 9 0123456789abcdef"
    state = ludoteca.load("metro").state_from_string(text)
    planes = dict(zip((*COMMON, *EACH), state.observation_tensor(0), strict=True))
    assert np.argwhere(planes[f"tile {tiles.oriented(5, 0)}"]).tolist() == [[0, 1]]
    assert np.argwhere(planes["centre"]).tolist() == [[3, 3], [3, 4], [4, 3], [4, 4]]
    actions = [
        action_of(board.space_at(8, (int(x) + 1, int(y) + 1)), tiles.oriented(9, 0))
        for y, x in np.argwhere(planes["the tile may go here with R0"])
    ]
    assert sorted(actions) == state.legal_actions()
    assert np.argwhere(planes["own train enters across side W"])[:, 1].tolist() == [0] * 8
    assert planes["own tracks here, of 4, on closed paths"].sum() * 4 == state.scores()[0]
    assert planes["points, in hundreds"][0, 0] == np.float32(0.1)
    assert planes[f"holds {tiles.oriented(9, 0)}"].all()


def test_who_looks_comes_first() -> None:
    state = ludoteca.load("metro", players=3).new_initial_state(4)
    mover = len(COMMON) + EACH.index("is to move")
    for seat, expected in ((SPECTATOR, [1, 0, 0]), (0, [1, 0, 0]), (1, [0, 0, 1]), (2, [0, 1, 0])):
        tensor = state.observation_tensor(seat)
        assert [tensor[mover + len(EACH) * other].max() for other in range(3)] == expected
