"""The common steps of matches and tournaments before and during play."""

import atexit
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.live import Live as Display

from ludoteca.agents.agent import needs_compiling, new_searcher
from ludoteca.arena.figures.ratings import Results
from ludoteca.arena.figures.tables import Live, printable
from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import Watch
from ludoteca.arena.programs.executables import shared_folders
from ludoteca.cli.progress import compile_with_progress
from ludoteca.core import steps
from ludoteca.core.game import Game
from ludoteca.core.words import counted

MANY: Final = 500
"""The number of games from which compiled rules save time."""
LINES: Final = 20
"""The maximum number of progress lines without a terminal."""


def said_of_deals(game: Game) -> None:
    """Warn on standard error if a bot can compute the hidden part of a deal."""
    if game.spec.computable(game.parameters):
        sys.stderr.write("ludoteca: with these parameters a bot can compute the hidden part of the deal\n")


def warn_of_shared_folders(entrants: Sequence[Entrant]) -> None:
    """Warn on standard error of bots that can read each other's files, with a line for each folder."""
    for folder, names in shared_folders({entrant.name: entrant.command for entrant in entrants if entrant.command}).items():
        bots = printable(", ".join(sorted(names)))
        sys.stderr.write(
            f"ludoteca: bots in {folder} can read each other's files: {bots}. Give each bot a separate folder.\n"
        )


def said_of_copies(found: Results) -> list[str]:
    """Return a line with the number of games that were not counted because they repeat another game."""
    if not found.copies:
        return []
    games = counted(found.copies, "game")
    return [f"{games} repeated another game move by move. The figures count such games as one."]


def said_of_faults(games: Iterable[Played]) -> list[str]:
    """Return a line for each bot with faults: the number of games with faults, and the first fault."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for played in sorted(games, key=lambda game: game.key):
        for seat in played.seats:
            if seat.fault:
                counts[seat.bot] += 1
                first.setdefault(seat.bot, printable(f"{seat.fault}: {seat.detail} ({played.key})"))
    return [f"{printable(bot)}: faults in {counted(counts[bot], 'game')}, first {first[bot]}" for bot in sorted(first)]


def compiled_game(game: Game, entrants: Sequence[Entrant], games: int) -> Game:
    """Return the game for the referee: compiled for many games, or if an agent needs it. The results are the same.

    The compiled code is in the cache when this returns, so that workers read it.
    """
    agents = [entrant.agent for entrant in entrants if entrant.agent]
    if games < MANY and not any(needs_compiling(name, game) for name in agents):
        return game
    searches = any(needs_compiling(name, game) for name in agents)
    compile_with_progress(game.spec, new_searcher(game).bindings() if searches else [game.bind(steps)])
    return Game(game.spec, game.parameters, compiled=True)


@contextmanager
def watched(before: Iterable[Played]) -> Iterator[Watch]:
    """Show the progress of games on standard error: a table in a terminal, or else a few lines."""
    console = Console(stderr=True)
    live = Live(0)
    live.add_all(before)
    if not console.is_terminal:
        yield _lines
        return
    atexit.register(console.show_cursor)  # a signal may end the program while the table hides the cursor
    with Display(live.table(), console=console, transient=True, auto_refresh=False) as display:

        def show(played: Played, done: int, known: int) -> None:  # noqa: ARG001  # the signature of Watch
            live.planned = known
            live.add_all([played])
            display.update(live.table(), refresh=True)

        yield show
    atexit.unregister(console.show_cursor)


def _lines(played: Played, done: int, known: int) -> None:  # noqa: ARG001  # the signature of Watch
    if done * LINES // known > (done - 1) * LINES // known:
        sys.stderr.write(f"{done} of {known} games\n")
