"""`ludoteca solve GAME`: the winner with best play from the beginning, and the margin."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from ludoteca.cli.options import FILE, Size
from ludoteca.cli.parameters import GamesGroup, game_command
from ludoteca.cli.settings import Json, Setting
from ludoteca.core.spec import GameSpec


@dataclass(frozen=True)
class SolveSettings:
    """The options of `ludoteca solve GAME`, in addition to the game's parameters."""

    winner: Annotated[bool, Setting("find only the winner, in a fraction of the time")] = False
    out: Annotated[Path | None, Setting("store proven positions in this file, and continue from it", FILE)] = None
    memory: Annotated[int, Setting("the memory for known positions; more is faster", Size())] = 256 << 20
    json: Json = False


def _solve(spec: GameSpec, chosen: dict[str, Any], settings: SolveSettings) -> None:
    """Find the winner of a game with best play from its beginning, the margin, and the moves.

    The game has two sides, no hidden information, and a size that can be searched to the end. Okupació with 25 cells takes
    a minute.
    """
    from ludoteca.cli.solving import run  # NumPy and the search, which wrong options do not need

    run(spec, chosen, settings)


command = GamesGroup(lambda spec: game_command(spec, SolveSettings, _solve), name="solve", help=_solve.__doc__)
