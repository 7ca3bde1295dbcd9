"""Makes arrays of pixels from states: the picture that a player sees, for learners that look at images."""

from typing import Any

import numpy as np

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.pictures.plain import plain_maker
from ludoteca.pictures.tiles import WIDTH_PIXELS, compose, height_of

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
"""An array of shape (height, width, 3) with the red, green and blue of each pixel."""


def rgb_array(
    state: State, player: int = SPECTATOR, width: int = WIDTH_PIXELS, height: int | None = None, theme: str = "light"
) -> Pixels:
    """Return the picture that a player sees, as a uint8 array of shape (height, width, 3). The player -1 is a spectator.

    By default, the height is that of the scene, which may change during a game. If you give another height, the picture is
    as large as fits, and in the middle. The first picture of a game takes a tenth of a second or more, and the next ones
    take milliseconds (`benchmarks/pictures.py`). Raises ContractError if the game has no scenes, and ValueError for sides
    below 1 and unknown themes.
    """
    maker, scene = plain_maker(state.game.spec, theme), state.scene(player)
    if width < 1 or (height is not None and height < 1):
        raise ValueError(f"width, height: read {width} and {height}, expected at least 1")
    return np.array(compose(maker, scene, width, height_of(scene, width) if height is None else height))
