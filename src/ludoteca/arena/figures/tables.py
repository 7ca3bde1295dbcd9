"""Results as tables in the terminal, and as CSV and JSON in files."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.table import Table
from rich.text import Text

from ludoteca.arena.figures.ratings import LEAST_DEALS, Line, Rating, Results
from ludoteca.arena.matches.results import Played

SUMMARY: Final = ("name", "share", "low", "high", "wins", "points", "faults", "seconds")
"""The fields that `match --json` prints of each bot."""


def summary(results: Results) -> dict[str, Any]:
    """Return the object that `match --json` prints. Its bots have the fields of SUMMARY, the best bot first."""
    return {
        "games": results.games,
        "copies": results.copies,
        "processors": results.processors,
        "bots": [{key: getattr(line, key) for key in SUMMARY} for line in results.bots],
    }


def write_json(results: Results, path: Path) -> None:
    """Write all results as one JSON object with the fields of `Results`. Raises OSError if the file cannot be written."""
    path.write_text(json.dumps(msgspec.to_builtins(results), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_csv(results: Results, path: Path) -> None:
    """Write a row for each bot, with its rating, as a CSV file. A missing bound of an interval is an empty field. Raises
    OSError if the file cannot be written.
    """
    ratings = {rating.name: rating for rating in results.ratings}
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*results.bots[0].__struct_fields__, "elo", "elo_low", "elo_high", "part"] if results.bots else [])
        for line in results.bots:
            rating = ratings[line.name]
            rows.writerow([*msgspec.structs.astuple(line), rating.elo, rating.low, rating.high, rating.part])


def final_table(results: Results) -> Table:
    """Return the final table for the terminal."""
    share = "share" if results.of == "points" else f"share of {results.of}"
    table = _table("bot", "games", share, "95 %", "wins", "score", "Elo", "95 %", "faults", "s a game")
    ratings = {rating.name: rating for rating in results.ratings}
    for line in results.bots:
        rating = ratings[line.name]
        table.add_row(
            Text(printable(line.name)),
            str(line.games),
            f"{100 * line.share:.1f} %",
            share_bounds(line),
            f"{line.wins:.6g}",
            f"{line.score:.1f}",
            f"{rating.elo:.0f}",
            bounds(rating),
            Text(str(line.faults), "bold red" if line.faults else ""),
            f"{line.seconds / line.games:.3f}",
        )
    table.caption = "Elo: logistic, maximum likelihood over all games (Bradley-Terry, Plackett-Luce)."
    if results.lacks_intervals:
        table.caption += f" –: an interval needs {LEAST_DEALS} deals or more."
    return table


def meetings_table(results: Results) -> Table:
    """Return the head-to-head table. The row of a bot has, under the name of each other bot, the games won, tied and lost
    against it.
    """
    names = [line.name for line in results.bots]
    cells = {(one.name, one.other): f"{one.won} {one.tied} {one.lost}" for one in results.meetings}
    table = _table("won tied lost", *names)
    for name in names:
        table.add_row(Text(printable(name)), *(cells.get((name, other), "") for other in names))
    return table


class Live:
    """The table that is shown while games are played."""

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.games = 0
        self._of: dict[str, list[float]] = {}
        """For each bot: games, wins, points, faults, seconds."""

    def add_all(self, games: Iterable[Played]) -> None:
        """Count finished games."""
        for game in games:
            self.games += 1
            for seat in game.seats:
                sums = self._of.setdefault(seat.bot, [0.0] * 5)
                for place, value in enumerate((1, seat.won, seat.points, seat.faults, seat.seconds)):
                    sums[place] += value

    def table(self) -> Table:
        """Return the current table, for `rich.live`."""
        table = _table("bot", "games", "wins", "points a game", "faults", "s a game")
        table.caption = f"{self.games} of {self.planned} games"
        for name, (games, wins, points, faults, seconds) in sorted(self._of.items(), key=_best_first):
            table.add_row(
                Text(printable(name)),
                f"{games:.0f}",
                f"{wins:.6g}",
                f"{points / games:.3f}",
                Text(f"{faults:.0f}", "bold red" if faults else ""),
                f"{seconds / games:.3f}",
            )
        return table


def share_bounds(line: Line) -> str:
    """Return the 95 % interval of a share in per cent, or a dash if there is none."""
    return "–" if line.low is None or line.high is None else f"{100 * line.low:.1f} to {100 * line.high:.1f}"


def bounds(rating: Rating) -> str:
    """Return the 95 % interval of a rating as a text, such as `1400 to 1500`, or `up to 1500` if it has no lower bound.
    Return a dash if there is no interval.
    """
    low, high = (None if end is None else f"{end:.0f}" for end in (rating.low, rating.high))
    if low is None or high is None:
        return f"up to {high}" if high else f"{low} and more" if low else "–"
    return f"{low} to {high}"


def printable(text: str) -> str:
    """Return the text with control characters replaced. They could change the terminal if they come in a text of others,
    such as a bot's name.
    """
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _best_first(line: tuple[str, list[float]]) -> tuple[float, str]:
    name, (games, _, points, *_) = line
    return -points / games, name


def _table(*headings: str) -> Table:
    table = Table(box=None, header_style="bold")
    for number, heading in enumerate(headings):
        table.add_column(Text(printable(heading)), justify="right" if number else "left", no_wrap=number > 0)
    return table
