"""Tensors: their shape, and that they follow the view."""

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.rng import new_rng
from ludoteca.games.conclave import features


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_position_of_a_game_has_a_tensor_of_one_shape(players: int) -> None:
    game, rng = ludoteca.load("conclave", players=players), new_rng(1)
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


def test_the_hand_of_who_looks_comes_first_and_backs_show_magics_only() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    hands = state.observation_tensor(1)[16 * features.KINDS : 24 * features.KINDS].reshape(8, features.KINDS)
    assert np.flatnonzero(hands[0]).tolist() == [3, 8, 13]  # r5s
    assert np.flatnonzero(hands[4]).tolist() == [2]  # p
