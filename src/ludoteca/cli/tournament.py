"""`ludoteca tournament FILE`: a tournament that is stored game by game, and goes on wherever it was broken off."""

import secrets
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from ludoteca.arena.errors import ArenaError
from ludoteca.arena.playing import Setup
from ludoteca.arena.processes import Executor, Processes, cores
from ludoteca.arena.ratings import results
from ludoteca.arena.ray_tasks import RayTasks
from ludoteca.arena.runner import run
from ludoteca.arena.store import Store, changes
from ludoteca.arena.tables import final_table, write_csv, write_json
from ludoteca.arena.tournament import Tournament, read_tournament
from ludoteca.cli.page import write_page
from ludoteca.cli.running import compiled_game, said_of_deals, said_of_faults, watched
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.standings import standings_table
from ludoteca.cli.streams import say
from ludoteca.core.rng import SEED_BITS

MOST_ON_A_PAGE: Final = 1000


@click.command(name="tournament")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE.toml")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="where games and results are kept  [default: FILE without its suffix]",
)
@click.option("--resume", is_flag=True, help="go on with the tournament in DIR, if there is one")
@click.option("--changed", is_flag=True, help="go on although the file or a program has changed since it began")
@click.option("--processes", type=click.IntRange(min=1), help="games at a time  [default: as many as cores]")
@click.option("--ray", "cluster", metavar="ADDRESS", help="play on a Ray cluster: auto, or HOST:PORT")
@click.option(
    "--page/--no-page",
    default=None,
    help=f"a page with all games to be looked through; it takes 0.1 s a game  [default: for {MOST_ON_A_PAGE:,} at most]",
)
def command(
    file: Path, out: Path | None, resume: bool, changed: bool, processes: int | None, cluster: str | None, page: bool | None
) -> None:
    """Play a tournament: who takes part, in which format, is in FILE (docs/arena.md).

    Every finished game is stored before the next one begins; killed at any moment, it goes on with --resume.
    """
    tournament, folder = read_tournament(file), out or file.with_suffix("")
    game = tournament.new_game()
    said_of_deals(game)
    with ExitStack() as stack:
        store = Store(folder, stack)
        seed = _begin(store, tournament, resume, changed)
        field, plan = tournament.field(seed), tournament.new_format().plan
        ready = compiled_game(game, tournament.entrants, len(plan(field, {}).games))
        setup = Setup(ready, tournament.entrants, field.seed, str(file.absolute().parent))
        executor: Executor = RayTasks(setup, cluster) if cluster else Processes(setup, processes or cores())
        stack.callback(executor.close)
        try:
            with interruptible(), watched(store.games()) as watch:
                table = run(partial(plan, field), store, executor, watch)
        except KeyboardInterrupt:
            sys.stderr.write(f"ludoteca: interrupted; {len(store.outcomes())} games are stored, --resume goes on\n")
            sys.exit(INTERRUPTED)
        games = list(store.games())
        found, faults = results(games), said_of_faults(games)
        try:
            write_json(found, folder / "results.json")
            write_csv(found, folder / "results.csv")
            if page is None and len(games) > MOST_ON_A_PAGE:
                sys.stderr.write(f"ludoteca: no page for more than {MOST_ON_A_PAGE:,} games, unless --page asks for it\n")
            elif page is not False:
                write_page(folder / "results.html", tournament, seed, table, found, games)
        except OSError as error:
            raise ArenaError(f"{folder}: {error.strerror}; all games are stored, --resume writes the results") from None
    console = Console(markup=False, highlight=False)
    console.print(standings_table(table))
    console.print()
    console.print(final_table(found))
    for line in faults:
        say(line)


def _begin(store: Store, tournament: Tournament, resume: bool, changed: bool) -> int:
    """Begin a tournament, or see whether the stored one is the same. Return its seed. Raises ArenaError."""
    stored = store.about()
    folder = store.file.parent
    if stored is None:
        seed = secrets.randbits(SEED_BITS) if tournament.seed is None else tournament.seed
        store.begin(tournament, seed)
        return seed
    before, seed, fingerprints = stored
    if not resume:
        raise ArenaError(f"{folder} holds a tournament already: --resume goes on with it, --out names another folder")
    other = [name for name in ("game", "parameters") if getattr(before, name) != getattr(tournament, name)]
    if tournament.seed not in (None, seed):
        other.append("seed")
    if other:
        raise ArenaError(
            f"{folder} holds another tournament: the {' and the '.join(other)} changed; --out names another folder"
        )
    said = changes(tournament, before, fingerprints)
    if said and not changed:
        raise ArenaError("\nludoteca: ".join([*said, "--changed goes on all the same, and keeps the games that are stored"]))
    if said:
        sys.stderr.write("".join(f"ludoteca: {line}\n" for line in said))
        store.begin(tournament, seed)
    return seed
