"""Okupació, a board game for 2 to 10 players: armies take the cells of a walled grid. It is from the Catalan course document
"Okupació", version 2.1.

The package exports `GAME`, and the functions and classes of the document's table of the armies (`ranking`).
"""

from typing import TYPE_CHECKING, Any

from ludoteca.core.spec import GameSpec, Grid, Integer, Text
from ludoteca.games.okupacio import board

if TYPE_CHECKING:
    from ludoteca.games.okupacio.ranking import Standing, control, standings

__all__ = ["GAME", "Standing", "control", "standings"]

GAME = GameSpec(
    name="okupacio",
    title="Okupació",
    summary="armies take the cells of a walled grid, and with a cell the neighbours it closes in",
    package=__name__,
    rules_version=1,
    language="ca",
    perfect_information=True,
    parameters=(
        Integer("players", 2, 10, 2, "number of armies"),
        Text(
            "board",
            board.DOCUMENT,
            "size and walls; by default the document's board of 14 x 10",
            "the numbers of a board file (rows, columns, then open cells and walls in turn), a size such as 8x8 for an "
            "open board, or rows of . and # parted by / or line ends; 4 x 4 to 25 x 25",
            board.canonical,
            board.read_numbers,
            board.sample,
            Grid((board.OPEN, board.WALL), board.SIDES[0], board.SIDES[-1]),
            board.presets(),
        ),
    ),
    variants={
        "14x10-4p": {"players": 4, "board": board.DOCUMENT},
        "25x25-2p": {"players": 2, "board": "25x25"},
        "8x8-2p": {"players": 2, "board": "8x8"},
    },
)


def __getattr__(name: str) -> Any:
    """Import `ranking` when one of its names is first used. It needs NumPy, and a list of the games should not load it."""
    if name in ("Standing", "control", "standings"):
        from ludoteca.games.okupacio import ranking

        return getattr(ranking, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
