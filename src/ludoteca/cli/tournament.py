"""`ludoteca tournament FILE...`: tournaments that store every game, and can continue after any end."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack, chdir
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import click

from ludoteca.arena.matches.defaults import MOST_PAGE_GAMES
from ludoteca.cli.options import EXISTING_FILE, FOLDER
from ludoteca.cli.sandbox import warn_of_sandbox
from ludoteca.cli.settings import NotIsolated, Processes, Ray, Setting, SettingsCommand, Thinking, drawn
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say, warn

if TYPE_CHECKING:  # NumPy and the arena, which wrong options do not need
    from ludoteca.arena.matches.store import Store
    from ludoteca.arena.matches.tournament import Tournament
    from ludoteca.core.formats import Place

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
    not_isolated: NotIsolated = False
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
    from ludoteca.arena.figures import ratings
    from ludoteca.arena.matches.runner import ArenaError
    from ludoteca.arena.matches.store import Store
    from ludoteca.arena.matches.tournament import read_tournament
    from ludoteca.cli import arena

    out = settings.out
    folders = [(out / file.stem if len(files) > 1 else out) if out else file.with_suffix("") for file in files]
    if twice := [str(folder) for folder in folders if folders.count(folder) > 1]:
        raise ArenaError(f"two tournaments have the same folder {twice[0]}: rename a file")
    tournaments, any_fault = [read_tournament(file, settings.thinking) for file in files], False
    if not settings.show and any(entrant.command for tournament in tournaments for entrant in tournament.entrants):
        warn_of_sandbox(allowed=settings.not_isolated)
    for tournament, file, folder in zip(tournaments, files, folders, strict=True):
        if len(files) > 1:
            say(f"{file}:")
        with ExitStack() as stack:
            if settings.show:
                store = Store.reading(folder, stack)
                about = store.about()
                if about is None:
                    raise ArenaError(f"{folder}: nothing is stored yet")
                seed = about[1]
                table = tournament.new_format().plan(tournament.field(seed), store.outcomes()).table
            else:
                with chdir(file.absolute().parent):  # as in their games
                    arena.warn_of_bots(tournament.new_game(), tournament.entrants)
                store = Store(folder, stack)
                seed = begin(store, tournament, settings.resume, settings.changed)
                table = _play(store, tournament, seed, file.absolute().parent, settings)
            games = list(store.games())
            found = ratings.results(games)
            facts = arena.facts_of(tournament, seed if table else None)
            arena.write_results(folder, facts, table or [], found, games, settings.page)
        console = arena.new_console()
        if table:
            console.print(arena.standings_table(table), "")
        if "pairs" in tournament.options:
            console.print(arena.duels_table(ratings.duels(tournament.options["pairs"], games)), "")
        any_fault = arena.say_figures(found, games) or any_fault
    if settings.strict and any_fault:
        sys.exit(1)


def _play(
    store: "Store", tournament: "Tournament", seed: int, folder: Path, settings: TournamentSettings
) -> "Sequence[Place]":
    """Play the games of a tournament that are not stored yet, and return the final table. Programs are found from the folder
    `folder`. Ctrl-C ends the program.

    Raises ArenaError if a game cannot be played or stored.
    """
    from ludoteca.arena.matches import runner
    from ludoteca.cli import arena
    from ludoteca.core.clusters import pool_on
    from ludoteca.core.workers import cores

    field, plan = tournament.field(seed), tournament.new_format().plan
    game = arena.compiled_game(tournament.new_game(), tournament.entrants, len(plan(field, {}).games))
    setup = runner.Setup(game, tournament.entrants, field.seed, str(folder), tournament.opening, settings.not_isolated)
    pool = pool_on(settings.ray, runner.playing, setup, settings.processes or cores())
    try:
        with pool, interruptible(), arena.watched(store.games()) as watch:
            return runner.run(partial(plan, field), store, pool, watch)
    except KeyboardInterrupt:
        warn(f"interrupted; {len(store.outcomes())} games are stored, --resume continues")
        sys.exit(INTERRUPTED)


def begin(store: "Store", tournament: "Tournament", resume: bool, changed: bool) -> int:
    """Store the settings of a new tournament, or check that the stored tournament is the same. Return its seed.

    Raises ArenaError if the folder already has a tournament, unless `resume` is true and the game, its parameters and the
    seed are the same. Other differences, such as a new entrant, are allowed only if `changed` is true.
    """
    from ludoteca.arena.matches.runner import ArenaError
    from ludoteca.arena.matches.store import changes

    stored = store.about()
    folder = store.file.parent
    if stored is None:
        seed = drawn(tournament.seed)
        store.begin(tournament, seed)
        return seed
    before, seed, fingerprints = stored
    if not resume:
        raise ArenaError(f"{folder} holds a tournament already: --resume continues it, --out names another folder")
    other = [name for name in ("game", "parameters") if getattr(before, name) != getattr(tournament, name)]
    if tournament.seed not in (None, seed):
        other.append("seed")
    if differences := " and the ".join(other):
        raise ArenaError(f"{folder} holds another tournament: the {differences} changed; --out names another folder")
    said = changes(tournament, before, fingerprints)
    if said and not changed:
        raise ArenaError("\nludoteca: ".join([*said, "--changed continues with the stored games"]))
    if said:
        warn("\nludoteca: ".join(said))
        store.begin(tournament, seed)
    return seed
