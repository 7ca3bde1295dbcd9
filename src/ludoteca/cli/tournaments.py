"""The work of `ludoteca tournament`."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack, chdir
from functools import partial
from pathlib import Path

from ludoteca.arena.figures.ratings import duels, results
from ludoteca.arena.matches import runner
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import ArenaError, Setup, playing
from ludoteca.arena.matches.store import Store, changes
from ludoteca.arena.matches.tournament import Tournament, read_tournament
from ludoteca.cli import arena
from ludoteca.cli.settings import drawn
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say, warn
from ludoteca.cli.tournament import TournamentSettings
from ludoteca.core.clusters import RayPool
from ludoteca.core.formats import Fixture, Place
from ludoteca.core.workers import Pool, ProcessPool, cores


def run(files: tuple[Path, ...], settings: TournamentSettings) -> None:
    """Play the tournaments of these files, and print their results. Raises ArenaError."""
    out = settings.out
    folders = [(out / file.stem if len(files) > 1 else out) if out else file.with_suffix("") for file in files]
    if twice := [str(folder) for folder in folders if folders.count(folder) > 1]:
        raise ArenaError(f"two tournaments have the same folder {twice[0]}: rename a file")
    tournaments, any_fault = [read_tournament(file, settings.thinking) for file in files], False
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
            found = results(games)
            facts = arena.facts_of(tournament, seed if table else None)
            arena.write_results(folder, facts, table or [], found, games, settings.page)
        console = arena.new_console()
        if table:
            console.print(arena.standings_table(table), "")
        if "pairs" in tournament.options:
            console.print(arena.duels_table(duels(tournament.options["pairs"], games)), "")
        any_fault = arena.say_figures(found, games) or any_fault
    if settings.strict and any_fault:
        sys.exit(1)


def _play(store: Store, tournament: Tournament, seed: int, folder: Path, settings: TournamentSettings) -> Sequence[Place]:
    """Play the games that are not stored. Return the final table. Ctrl-C ends the program. Raises ArenaError."""
    field, plan = tournament.field(seed), tournament.new_format().plan
    game = arena.compiled_game(tournament.new_game(), tournament.entrants, len(plan(field, {}).games))
    setup = Setup(game, tournament.entrants, field.seed, str(folder), tournament.opening)
    pool: Pool[Fixture, Played] = (
        RayPool(playing, setup, settings.ray) if settings.ray else ProcessPool(playing, setup, settings.processes or cores())
    )
    try:
        with pool, interruptible(), arena.watched(store.games()) as watch:
            return runner.run(partial(plan, field), store, pool, watch)
    except KeyboardInterrupt:
        warn(f"interrupted; {len(store.outcomes())} games are stored, --resume continues")
        sys.exit(INTERRUPTED)


def begin(store: Store, tournament: Tournament, resume: bool, changed: bool) -> int:
    """Begin a tournament, or check that the stored tournament is the same. Return its seed. Raises ArenaError."""
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
