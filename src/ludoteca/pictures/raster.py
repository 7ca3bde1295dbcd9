"""What a seat sees of a state, in pixels."""

from typing import Any, Final

import numpy as np

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.pictures.plain import plain_maker
from ludoteca.pictures.tiles import compose, height_of

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
"""Of shape (height, width, 3): red, green and blue."""

WIDTH: Final = 480


def rgb_array(
    state: State, player: int = SPECTATOR, width: int = WIDTH, height: int | None = None, theme: str = "light"
) -> Pixels:
    """What a player sees of a state, an array of shape (height, width, 3); -1 is a spectator.

    Without a height it is that of the scene, which may change in the course of a game; with one, the picture is as large as
    it can be and stands in the middle. The first picture of a game takes a tenth of a second or more, the next ones
    milliseconds (`benchmarks/pictures.py`). Raises ContractError when the game has no scenes, and ValueError for sides
    below 1 and unknown themes.
    """
    maker, scene = plain_maker(state.game.spec, theme), state.scene(player)
    if width < 1 or (height is not None and height < 1):
        raise ValueError(f"width, height: read {width} and {height}, expected at least 1")
    return np.array(compose(maker, scene, width, height_of(scene, width) if height is None else height))
