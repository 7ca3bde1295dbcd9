"""`ludoteca dataset make|from|show|verify|records`: games and their positions as tables (docs/dataset.md)."""

import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ludoteca.arena.matches.store import FILE as STORE
from ludoteca.arena.matches.store import Store
from ludoteca.cli.arena import COMPILE_FROM_GAMES
from ludoteca.cli.options import SeedNumber
from ludoteca.cli.parameters import GamesGroup, options_for, read_chosen
from ludoteca.cli.progress import SHOW_AFTER_SECONDS, progress
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError, RecordError
from ludoteca.core.game import Game
from ludoteca.core.record import Record, read_record
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted, escaped

if TYPE_CHECKING:  # `--help` does not import pyarrow
    from ludoteca.envs.dataset import Recipe, Written

PROGRESS_LINES: Final = 10
"""The number of progress lines without a terminal."""
MANY_POSITIONS: Final = 20_000
"""The number of positions from which compiled rules save time."""
_FOLDER: Final = click.argument("folder", type=click.Path(exists=True, path_type=Path), metavar="DIR")


@click.group(name="dataset")
def command() -> None:
    """Write and check tables of games and positions, for learners (docs/dataset.md).

    A dataset is a folder. DIR/positions has a row for each position and DIR/games a row for each game, in Parquet files.
    The card DIR/README.md says how they were made.
    """


_COMMON: Final = [
    click.Option(["--out", "-o", "folder"], type=click.Path(path_type=Path), required=True, metavar="DIR",
                 help="the new folder. It must not exist"),
    click.Option(["--search"], type=click.IntRange(min=1), metavar="SIMULATIONS",
                 help="search every position with this many  [default: no search]"),
    click.Option(["--columns"], metavar="NAME,NAME...", help="the columns to write  [default: all except those on request]"),
    click.Option(["--seed"], type=SeedNumber(SEED_BITS),
                 help="the same seed gives the same files  [default: drawn]"),
    click.Option(["--processes"], type=click.IntRange(min=1), help="games at a time  [default: the number of cores]"),
    click.Option(["--licence"], default="not stated", show_default=True, metavar="TEXT", help="a line for the card"),
]  # fmt: skip


def _make_command(spec: GameSpec) -> click.Command:
    """Return the command that makes datasets of a game, with its parameters as options."""
    own = [
        click.Option(["--positions"], type=click.IntRange(min=1), help="write this many, and the rest of the last game"),
        click.Option(["--games"], type=click.IntRange(min=1), help="write this many. One of these two is needed"),
        click.Option(["--play"], metavar="HOW",
                     help="how actions are chosen: visits (in proportion to those of the search), best (by the search), "
                     "or an agent, as for `play --opponent`  [default: visits with --search, else random]"),
    ]  # fmt: skip
    return click.Command(
        spec.name,
        params=[*options_for(spec), *own, *_COMMON],
        callback=partial(_make, spec),
        help=f"{spec.title}: {spec.summary}.",
    )


_MAKE_HELP: Final = "Play games and write them, with a search of every position if you ask for one."
command.add_command(GamesGroup(_make_command, name="make", help=_MAKE_HELP))


def _make(
    spec: GameSpec, positions: int | None, games: int | None, play: str | None, folder: Path, search: int | None,
    columns: str | None, seed: int | None, processes: int | None, licence: str, **given: str | None,
) -> None:  # fmt: skip
    from ludoteca.envs import dataset

    recipe = _recipe(Game(spec, read_chosen(spec, given)), search, columns, seed, licence, play)
    if recipe.needs_compiling() or (games or 0) >= COMPILE_FROM_GAMES or (positions or 0) >= MANY_POSITIONS:
        recipe = _compiled(recipe)
    with _watched("Playing", games, positions) as watch:
        written = dataset.make(recipe, folder, games=games, positions=positions, processes=processes, watch=watch)
    _report(folder, written)


@command.command("from", params=[*_COMMON])
@click.argument("records", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def convert(
    records: tuple[Path, ...], folder: Path, search: int | None, columns: str | None, seed: int | None,
    processes: int | None, licence: str,
) -> None:  # fmt: skip
    """Write games from RECORDS: record files, folders with records in `.json` files, or folders of tournaments.

    The games are replayed, and refused if they break the rules. All are of one game with the same parameters.
    """
    from ludoteca.envs import dataset

    read = dict(_records(records))
    first = next(iter(read.values()))
    recipe = _recipe(Game(registry.find(first.game), first.parameters), search, columns, seed, licence)
    if search or len(read) >= COMPILE_FROM_GAMES:
        recipe = _compiled(recipe)
    with _watched("Playing again", len(read)) as watch:
        written = dataset.convert(recipe, read, folder, processes=processes, watch=watch)
    _report(folder, written)


@command.command()
@_FOLDER
def show(folder: Path) -> None:
    """Print the card, with the columns and the command that made the dataset."""
    from ludoteca.envs.dataset import open_dataset
    from ludoteca.envs.dataset.description import CARD, explained

    open_dataset(folder)
    with explained(folder / CARD):
        lines = (folder / CARD).read_text(encoding="utf-8", errors="replace").splitlines()
    say("\n".join(map(escaped, lines)))


@command.command()
@_FOLDER
def verify(folder: Path) -> None:
    """Replay every game and compare all rows. The exit status is 1 if a row is wrong."""
    from ludoteca.envs import dataset

    with _watched("Playing again", dataset.open_dataset(folder, "games").count_rows()) as watch:
        games, positions = dataset.verify(folder, watch)
    say(f"{folder}: {counted(games, 'game')}, {counted(positions, 'position')}, all as the rules have them")


@command.command()
@_FOLDER
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
def records(folder: Path, out: Path) -> None:
    """Write the records of all games into the new or empty folder OUT: 000001.json and so on."""
    from ludoteca.envs import dataset

    number = 0
    try:
        for number, record in enumerate(dataset.read_records(folder), 1):
            if number == 1:
                out.mkdir(parents=True, exist_ok=True)
                if any(out.iterdir()):
                    raise ParameterError(f"{out} is not empty, and nothing is written over")
            (out / f"{number:06}.json").write_text(record.to_json(), encoding="utf-8")
    except OSError as error:
        raise ParameterError(f"{out}: {error.strerror}") from None
    say(f"{out}: {counted(number, 'record')}")


def _recipe(
    game: Game, search: int | None, columns: str | None, seed: int | None, licence: str, play: str | None = None
) -> "Recipe":  # fmt: skip
    from ludoteca.envs.dataset import Recipe

    names = None if columns is None else tuple(name.strip() for name in columns.split(","))
    return Recipe(game, search or 0, play or "", secrets.randbits(64) if seed is None else seed, names, licence)


def _compiled(recipe: "Recipe") -> "Recipe":
    """Return the same recipe with compiled rules. The compiled code is in the cache when this returns."""
    game = recipe.game
    recipe = replace(recipe, game=Game(game.spec, game.parameters, compiled=True))
    with progress(f"Compiling the rules of {game.spec.title}, only this time", measured=False):
        recipe.prepare()
    return recipe


def _records(paths: Sequence[Path]) -> Iterator[tuple[str, Record]]:
    """Yield the records with the names of their files, or of their games in a tournament.

    Raises LudotecaError for a record that cannot be read, and for a folder without records.
    """
    for path in paths:
        if (path / STORE).exists():
            with ExitStack() as stack:
                games = [(f"{path}: {game.key}", game.record) for game in Store.reading(path, stack).games()]
        else:
            files = sorted(path.glob("*.json")) if path.is_dir() else [path]
            games = [(str(file), _read(file)) for file in files if file.name != "results.json" or file == path]
        if not games:
            raise RecordError(f"{path}: there are no records: expected files that end in .json, or a tournament")
        yield from games


def _read(path: Path) -> Record:
    try:
        return read_record(path)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None


@contextmanager
def _watched(what: str, games: int | None, positions: int | None = None) -> Iterator[Callable[[int, int], None]]:
    """Show the progress towards a number of games or of positions: a bar in a terminal, or else a few lines."""
    total, unit = (games, "games") if games else (positions or 1, "positions")
    begin, reported = time.perf_counter(), 0
    with progress(what, remaining=True) as update:

        def watch(games: int, positions: int) -> None:
            nonlocal reported
            done = min(total, games if unit == "games" else positions)
            update(done / total)
            spent, lines = time.perf_counter() - begin, done * PROGRESS_LINES // total
            if not sys.stderr.isatty() and spent > SHOW_AFTER_SECONDS and reported < lines < PROGRESS_LINES:
                reported = lines
                sys.stderr.write(f"{done:,} of {total:,} {unit}, about {spent * (total - done) / done:,.0f} s left\n")

        yield watch


def _report(folder: Path, written: "Written") -> None:
    size = f"{counted(written.positions, 'position')} of {counted(written.games, 'game')}"
    say(f"{folder}: {size}, in {written.seconds:.0f} s. README.md says how they were made")
