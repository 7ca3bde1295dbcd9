"""Tensors: their shape, and that they follow the view."""

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.qinto import features, rules, tiles
from tests.qinto.positions import at, grid_of

MIDDLE = features.WINDOW // 2


def planes(state: State, player: int) -> dict[str, list[tuple[int, int]]]:
    """Where the planes are not 0, as rows and columns from the middle of the window."""
    cells, _ = features.split(state.observation_tensor(player))
    return {
        name: [(int(row) - MIDDLE, int(column) - MIDDLE) for row, column in np.argwhere(plane)]
        for name, plane in zip(features.PLANE_NAMES, cells, strict=True)
    }


@pytest.mark.parametrize(("variant", "players"), [("light", 4), ("classic", 2), ("plus", 3)])
def test_every_position_of_a_game_has_a_tensor_of_one_shape(variant: str, players: int) -> None:
    game, rng = ludoteca.load("qinto", variant=variant, players=players), new_rng(1)
    state = game.new_initial_state(1)
    while not state.is_terminal():
        for seat in range(SPECTATOR, players):
            tensor = state.observation_tensor(seat)
            assert tensor.shape == features.shape(game.parameters)
            assert str(tensor.dtype) == "float32"
            assert tensor.min() >= 0
            assert tensor.max() <= 1
            other = state.resample_from_infostate(seat, rng)
            assert (other.observation_tensor(seat) == tensor).all()
        state.apply_action(state.random_action(rng))


def test_planes_show_the_grid_around_its_middle() -> None:
    shown = planes(at(grid_of("1b 2G WR"), ["1G", "2R", "3B", "4Y", "5b"]), 0)
    assert shown["tile"] == [(0, -1), (0, 0), (0, 1)]
    assert shown["shape 1"] == shown["colour black"] == [(0, -1)]
    assert shown["shape open"] == shown["colour red"] == [(0, 1)]
    assert shown["rim"] == [(-1, -1), (-1, 0), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 0), (1, 1)]
    assert shown["hand that fits"] == shown["rim"]
    assert not shown["end of the line of this turn"]


def test_who_watches_has_no_hand() -> None:
    state = at(grid_of("1b 2G WR"), ["1G", "2R", "3B", "4Y", "5b"])
    assert not planes(state, SPECTATOR)["hand that fits"]
    _, numbers = features.split(state.observation_tensor(SPECTATOR))
    assert not numbers[: tiles.KINDS].any()
    assert numbers[tiles.KINDS : 2 * tiles.KINDS].sum() * 2 == tiles.TILES - 3


def test_the_line_of_a_turn_shows_where_it_goes_on() -> None:
    state = at(grid_of("1b"), ["1G", "1R", "3B", "4Y", "5b"])
    for text in ("+1G@0,1", "+1R@0,2"):
        state.apply_action(state.string_to_action(text))
    assert planes(state, 0)["end of the line of this turn"] == [(0, -2), (0, 2)]
    _, numbers = features.split(state.observation_tensor(0))
    assert numbers[-features.OTHERS :].tolist() == pytest.approx([0, 1, 0, 0, 1, 0, 2 / rules.HAND, 0, 0])
    assert numbers[tiles.KINDS * 2 :][:2].tolist() == pytest.approx([3 / 5, 1])
