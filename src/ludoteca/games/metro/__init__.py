"""Metro: players lay tiles with tracks, which lead trains to stations. The game is from the Romanian assignment "Prolog:
Metro Board Game" and from the published game.

The package exports `GAME`, and the predicates of the assignment as Python functions.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ludoteca.core.spec import GameSpec, Integer, OneOf
from ludoteca.games.metro.sides import MAX_SIDE, PUBLISHED_SIDE

if TYPE_CHECKING:
    from ludoteca.core.messages import Message
    from ludoteca.games.metro.text.predicates import (
        GameState,
        Move,
        Path,
        apply_move,
        available_move,
        center_space,
        entry_point,
        exit_point,
        exterior,
        get_closed_paths,
        get_game_tiles,
        get_move_rotation_id,
        get_move_space,
        get_move_tile_id,
        get_open_paths,
        get_path_entry,
        get_path_points,
        get_path_tiles,
        get_score,
        height,
        initial_game_state,
        limits,
        pick_move,
        play_game,
        rotation,
        tile,
        width,
    )

__all__ = [
    "GAME",
    "GameState",
    "Move",
    "Path",
    "apply_move",
    "available_move",
    "center_space",
    "entry_point",
    "exit_point",
    "exterior",
    "get_closed_paths",
    "get_game_tiles",
    "get_move_rotation_id",
    "get_move_space",
    "get_move_tile_id",
    "get_open_paths",
    "get_path_entry",
    "get_path_points",
    "get_path_tiles",
    "get_score",
    "height",
    "initial_game_state",
    "limits",
    "pick_move",
    "play_game",
    "rotation",
    "tile",
    "width",
]


def conflict(parameters: Mapping[str, Any]) -> "Message":
    """Return the reason why these parameters of a game cannot be combined, or an empty text if they can."""
    if parameters["players"] == 1:
        return ("conflict.rotate",) if parameters["rotate"] == "yes" else ""
    if parameters["side"] != PUBLISHED_SIDE:
        return ("conflict.side", parameters["players"], PUBLISHED_SIDE, parameters["side"])
    return ("conflict.tiles",) if parameters["tiles"] == "stack" else ""


GAME = GameSpec(
    name="metro",
    title="Metro",
    summary="lay tiles so that the trains travel as far as they can, best of all to the centre",
    package=__name__,
    rules_version=1,
    language="ro",
    hidden_from_all=True,
    parameters=(
        Integer("players", 1, 6, 1, "how many play; 1 is the document's game"),
        Integer("side", 4, MAX_SIDE, PUBLISHED_SIDE, "spaces on a side of the board; several players have 8", step=2),
        OneOf("tiles", ("endless", "stack"), "endless", "for 1 player: any of the ten without end, or a stack of 60"),
        OneOf("rotate", ("no", "yes"), "no", "for 2 players and more: whether tiles may be turned"),
    ),
    variants={"solo": {}, "4p": {"players": 4}},
    conflict=conflict,
)


def __getattr__(name: str) -> Any:
    """Import the predicates of the assignment when one of them is first used. They need NumPy, and a list of the games
    should not load it.
    """
    if name in __all__:
        from ludoteca.games.metro.text import predicates

        return getattr(predicates, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
