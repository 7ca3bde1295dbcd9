"""The parts that the commands `match` and `tournament` share: warnings, progress, tables, and files of results."""

import atexit
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.live import Live as Display
from rich.table import Table
from rich.text import Text

from ludoteca.agents.agent import new_searcher
from ludoteca.arena.figures.ratings import Duel, Results
from ludoteca.arena.figures.report import html
from ludoteca.arena.figures.tables import Live, final_table, printable, share_bounds, write_csv, write_json
from ludoteca.arena.matches.defaults import MOST_PAGE_GAMES
from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import ArenaError, Watch
from ludoteca.arena.matches.tournament import Tournament
from ludoteca.arena.programs.executables import shared_folders
from ludoteca.cli.progress import compile_with_progress, progress
from ludoteca.cli.streams import say, warn
from ludoteca.core import steps
from ludoteca.core.errors import explained
from ludoteca.core.formats import Place
from ludoteca.core.game import Game
from ludoteca.core.levels import needs_compiling
from ludoteca.core.words import counted

COMPILE_FROM_GAMES: Final = 500
"""The smallest number of games for which compiling the rules saves time."""
MOST_PROGRESS_LINES: Final = 20
"""The most lines of progress that are written if stderr is not a terminal."""
TABLE_COLUMNS: Final = 160
"""The width of tables that are not written to a terminal."""


def warn_of_bots(game: Game, entrants: Sequence[Entrant]) -> None:
    """Warn on stderr of bots that can compute the hidden part of a deal, or read the files of other bots."""
    if game.spec.computable(game.parameters):
        warn("with these parameters a bot can compute the hidden part of the deal")
    for folder, names in shared_folders({entrant.name: entrant.command for entrant in entrants if entrant.command}).items():
        bots = printable(", ".join(sorted(names)))
        warn(f"bots in {folder} can read each other's files: {bots}. Give each bot a separate folder.")


def say_figures(found: Results, games: Iterable[Played]) -> bool:
    """Print the table of all bots, the number of repeated games, and the faults of each bot. Return True if a bot had a
    fault.
    """
    new_console().print(final_table(found))
    if found.copies:
        say(f"{counted(found.copies, 'game')} repeated another game move by move. The figures count such games as one.")
    faults: dict[str, list[str]] = {}
    for played in sorted(games, key=lambda game: game.key):
        for seat in played.seats:
            if seat.fault:
                faults.setdefault(seat.bot, []).append(f"{seat.fault}: {seat.detail} ({played.key})")
    for bot, of_bot in sorted(faults.items()):
        say(f"{printable(bot)}: faults in {counted(len(of_bot), 'game')}, first {printable(of_bot[0])}")
    return bool(faults)


def compiled_game(game: Game, entrants: Sequence[Entrant], games: int) -> Game:
    """Return the game for the referee. Its rules are compiled if many games are played, or if an agent's search needs this.
    The results do not depend on it.

    Compiled code is in the cache when this function returns, so that other processes only have to read it.
    """
    searches = any(needs_compiling(entrant.agent, game) for entrant in entrants if entrant.agent)
    if games < COMPILE_FROM_GAMES and not searches:
        return game
    compile_with_progress(game.spec, new_searcher(game).bindings() if searches else [game.bind(steps)])
    return Game(game.spec, game.parameters, compiled=True)


@contextmanager
def watched(before: Iterable[Played]) -> Iterator[Watch]:
    """Yield a function that shows the progress after each game, on stderr: as a table in a terminal, or else as a few lines.
    `before` are the games that were played earlier.
    """
    console, live = Console(stderr=True), Live(0)
    live.add_all(before)
    atexit.register(console.show_cursor)  # a signal may end the program while the table hides the cursor
    with Display(live.table(), console=console, transient=True, auto_refresh=False) as display:

        def show(played: Played, done: int, known: int) -> None:
            live.planned = known
            live.add_all([played])
            if console.is_terminal:
                display.update(live.table(), refresh=True)
            elif done * MOST_PROGRESS_LINES // known > (done - 1) * MOST_PROGRESS_LINES // known:
                sys.stderr.write(f"{done} of {known} games\n")

        yield show
    atexit.unregister(console.show_cursor)


def new_console() -> Console:
    """Return the console on which tables are printed."""
    console = Console(markup=False, highlight=False)
    return console if console.is_terminal else Console(markup=False, highlight=False, width=TABLE_COLUMNS)


def standings_table(rows: Iterable[Place]) -> Table:
    """Return a table with a row for each entrant."""
    found = ((row.place, printable(row.name), row.games, f"{row.won:.6g}", f"{row.points:.6g}", row.note) for row in rows)
    return _table(("place", "bot", "games", "won", "points", ""), found)


def duels_table(rows: Iterable[Duel]) -> Table:
    """Return a table with a row for each pair."""

    def share(row: Duel) -> tuple[str, str]:
        return (f"{100 * row.line.share:.1f} %", share_bounds(row.line)) if row.line else ("", "")

    found = ((printable(row.name), printable(row.other), row.deals, *share(row)) for row in rows)
    return _table(("bot", "against", "deals", "share", "95 %"), found)


def _table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a table. Names and notes are at the left of their columns, numbers at the right."""
    table = Table(box=None, header_style="bold")
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("bot", "against", "") else "right")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    return table


def write_results(
    out: Path, facts: dict[str, object], table: Sequence[Place], found: Results, games: Sequence[Played], page: bool | None
) -> None:
    """Write the files of results into the folder `out`: JSON, CSV and, depending on `page`, a page with all games. If `page`
    is None, the page is written only if there are few games, because a page with many games is large.

    Raises ArenaError if a file cannot be written.
    """
    if page is None and len(games) > MOST_PAGE_GAMES:
        warn(f"no page was made for more than {MOST_PAGE_GAMES:,} games: use --page to make it")
    with explained(str(out), ArenaError, "; all games are stored, --show writes the results again"):
        write_json(found, out / "results.json")
        write_csv(found, out / "results.csv")
        if page or (page is None and len(games) <= MOST_PAGE_GAMES):
            with progress("Making the page with all games") as watch:
                content = html(found, games, out.absolute().name, facts, table, watch)
            (out / "results.html").write_text(content, encoding="utf-8")


def facts_of(tournament: Tournament, seed: int | None) -> dict[str, object]:
    """Return the settings that the page of results shows. The seed is None, and is not shown, until the last game has been
    played.
    """
    game = tournament.new_game()
    return {
        "game": game.spec.title,
        **game.parameters,
        "format": tournament.format,
        **tournament.options,
        "deals": tournament.deals or "those of the format",
        "drawn first moves": tournament.opening,
        **({} if seed is None else {"seed": seed}),
        **{f"bot {entrant.name}": entrant.agent or " ".join(entrant.command) for entrant in tournament.entrants},
    }
