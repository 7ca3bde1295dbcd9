"""The board of an environment: as text of the terminal, and as a picture."""

import sys
from importlib.util import find_spec
from io import StringIO
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ludoteca.core.errors import ParameterError
from ludoteca.core.game import State

MODES: Final = ("human", "ansi", "rgb_array")
"""`"human"` prints the board after every move. `"ansi"` returns it as text, and `"rgb_array"` as a picture."""
DRAWS: Final = "resvg_py"
"""A library of the extra `pictures`. Without it there is no `"rgb_array"`."""
COLUMNS: Final = 120
"""The width of a text."""
SIDE: Final = 600
"""The width and height of a picture in pixels. All pictures have one size, because films need that."""

Frame = str | npt.NDArray[np.uint8]
"""A text, or a picture of shape (SIDE, SIDE, 3)."""


def metadata() -> dict[str, Any]:
    """Return the metadata of an environment for PettingZoo and Gymnasium, with the modes that this installation has."""
    return {"render_modes": [mode for mode in MODES if mode != "rgb_array" or find_spec(DRAWS)], "render_fps": 2}


def check_mode(mode: str | None) -> str | None:
    """Return the same mode. Raises ParameterError for an unknown one. The message lists the modes.

    Libraries ask for `"rgb_array"` and draw nothing, so the extra `pictures` is needed only by `render`.
    """
    if mode is not None and mode not in MODES:
        raise ParameterError(f"render_mode: read {mode!r}, expected {', '.join(MODES)} or None")
    return mode


def render(state: State, player: int, mode: str) -> Frame | None:
    """Return the board as the player sees it, -1 for a spectator. Print it and return None in the mode `human`.

    Raises MissingExtraError for a picture if the extra `pictures` is not installed, and ContractError if the game has no
    scenes.
    """
    if mode == "rgb_array":
        from ludoteca.pictures.raster import rgb_array

        return rgb_array(state, player, SIDE, SIDE)
    text = board(state, player)
    if mode == "human":
        sys.stdout.write(f"{text}\n")
        return None
    return text


def board(state: State, player: int) -> str:
    """Return the board as plain text, from the game's `screen.py` or in its notation, and the scores.

    >>> from ludoteca import load
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> state.apply_action(state.string_to_action("ab"))
    >>> print(board(state, 0))
      a b c d
    a . A*. .  a
    b . . . .  b
    c . . . .  c
    d . . . .  d
    scores 1, 0; player_1 is to move
    """
    game = state.game
    if game.spec.has("screen"):
        from rich.console import Console

        drawing = game.spec.module("screen").draw(state.view(player).raw, state.placed(player).items, game.in_english)
        console = Console(file=StringIO(), width=COLUMNS, color_system=None)
        with console.capture() as capture:
            console.print(drawing)
        text = "\n".join(line.rstrip() for line in capture.get().splitlines())
    else:
        text = state.observation_string(player)
    turn = "the game is over" if state.is_terminal() else f"player_{state.current_player()} is to move"
    return f"{text}\nscores {', '.join(map(str, state.scores()))}; {turn}"
