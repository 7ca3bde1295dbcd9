"""`ludoteca tournament FILE...`: tournaments that store every game, and can continue after any end."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import click

from ludoteca.arena.matches.defaults import MOST_PAGE_GAMES
from ludoteca.cli.options import EXISTING_FILE, FOLDER
from ludoteca.cli.settings import Processes, Ray, Setting, SettingsCommand, Thinking

OUT_HELP: Final = "the folder of games and results; several FILEs have folders in it  [default: FILE without its suffix]"
CHANGED_HELP: Final = "continue although the file or a program has changed since the tournament began"
PAGE_HELP: Final = (
    f"write a page that replays all games, in 0.1 to 0.5 s per game  [default: for {MOST_PAGE_GAMES:,} at most]"
)


@dataclass(frozen=True)
class TournamentSettings:
    """The options of `ludoteca tournament`."""

    out: Annotated[Path | None, Setting(OUT_HELP, FOLDER)] = None
    resume: Annotated[bool, Setting("continue the tournament in DIR, if there is one")] = False
    changed: Annotated[bool, Setting(CHANGED_HELP)] = False
    thinking: Thinking = False
    processes: Processes = None
    ray: Ray = None
    page: Annotated[bool | None, Setting(PAGE_HELP, None, "--page/--no-page")] = None
    show: Annotated[bool, Setting("print and write the results of the stored games, and play nothing")] = False
    strict: Annotated[bool, Setting("end with exit status 1 if a bot had a fault, for continuous integration")] = False


@click.command(name="tournament", cls=SettingsCommand, settings=TournamentSettings)
@click.argument("files", type=EXISTING_FILE, metavar="FILE.toml...", nargs=-1, required=True)
def command(files: tuple[Path, ...], settings: TournamentSettings) -> None:
    """Play a tournament, or several one after another. FILE has its entrants and its format (docs/arena.md).

    Every finished game is stored before the next one begins. After a kill at any moment, --resume continues.
    """
    from ludoteca.cli.tournaments import run  # NumPy and the arena, which wrong options do not need

    run(files, settings)
