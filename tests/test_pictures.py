"""Pictures in pixels: every game, seats, themes and sizes."""

import numpy as np
import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.pictures.raster import rgb_array

DRAWN = [spec for spec in registry.games() if spec.has("scene")]


@pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.name)
def test_every_game_is_an_array_of_the_size_that_is_wished_for(spec: GameSpec) -> None:
    state = Game(spec).new_initial_state(1)
    whole = rgb_array(state, width=120)
    assert str(whole.dtype) == "uint8"
    assert whole.shape[1:] == (120, 3)
    assert whole.std() > 10, "it is no empty sheet"
    assert rgb_array(state, 0, 100, 100).shape == (100, 100, 3)


def test_what_does_not_fit_the_sides_stands_in_the_middle_of_the_ground() -> None:
    state = ludoteca.load("okupacio").new_initial_state(1)
    for theme, felt in (("light", "f4f1ea"), ("dark", "17191d")):
        picture = rgb_array(state, width=200, height=100, theme=theme)
        assert {bytes(pixel).hex() for pixel in picture[:, :60].reshape(-1, 3)} == {felt}
        assert np.array_equal(picture[:, :60], picture[:, :-61:-1])
