"""`ludoteca dataset make|from|show|verify|records`: games and their positions as tables (docs/dataset.md)."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from ludoteca.arena.matches import store
from ludoteca.cli.arena import COMPILE_FROM_GAMES
from ludoteca.cli.files import make_folder, read_file, write_file
from ludoteca.cli.options import COUNT, FOLDER
from ludoteca.cli.parameters import GamesGroup, game_command
from ludoteca.cli.progress import progress
from ludoteca.cli.settings import Processes, Seed, Setting, SettingsCommand, drawn
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.errors import RecordError, explained
from ludoteca.core.game import Game
from ludoteca.core.record import Record
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted, escaped

if TYPE_CHECKING:  # `--help` does not import pyarrow
    from ludoteca.envs.dataset import Recipe

MANY_POSITIONS: Final = 20_000
"""The smallest number of positions for which compiling the rules saves time."""
SEARCH_HELP: Final = "search every position with this many  [default: no search]"
COLUMNS_HELP: Final = "the columns to write  [default: all except those on request]"
PLAY_HELP: Final = (
    "how actions are chosen: visits (in proportion to those of the search), best (by the search), or an agent, as for "
    "`play --opponent`  [default: visits with --search, else random]"
)
_FOLDER: Final = click.argument("folder", type=click.Path(exists=True, path_type=Path), metavar="DIR")


@click.group(name="dataset")
def command() -> None:
    """Write and check tables of games and positions, for learners (docs/dataset.md).

    A dataset is a folder. DIR/positions has a row for each position and DIR/games a row for each game, in Parquet files.
    The card DIR/README.md says how they were made.
    """


@dataclass(frozen=True)
class TableSettings:
    """The options of commands that write a dataset."""

    out: Annotated[Path, Setting("the new folder. It must not exist", None, "--out", "-o", metavar="DIR")]
    search: Annotated[int | None, Setting(SEARCH_HELP, COUNT, metavar="SIMULATIONS")] = None
    columns: Annotated[str | None, Setting(COLUMNS_HELP, metavar="NAME,NAME...")] = None
    seed: Seed = None
    processes: Processes = None

    def recipe(self, game: Game, play: str = "") -> "Recipe":
        """Return the recipe of the dataset: the game, the search of each position, the way to choose actions (`play`), the
        seed and the columns.
        """
        from ludoteca.envs.dataset import Recipe

        names = None if self.columns is None else tuple(name.strip() for name in self.columns.split(","))
        return Recipe(game, self.search or 0, play, drawn(self.seed, 64), names)


@dataclass(frozen=True)
class MakeSettings(TableSettings):
    """The options of `ludoteca dataset make GAME`, in addition to the game's parameters."""

    positions: Annotated[int | None, Setting("write this many, and the rest of the last game", COUNT)] = None
    games: Annotated[int | None, Setting("write this many. One of these two is needed", COUNT)] = None
    play: Annotated[str, Setting(PLAY_HELP, metavar="HOW")] = ""


def _make(spec: GameSpec, chosen: dict[str, Any], settings: MakeSettings) -> None:
    """Play games and write them, with a search of every position if you ask for one."""
    from ludoteca.envs import dataset

    games, positions = settings.games or 0, settings.positions or 0
    recipe = settings.recipe(Game(spec, chosen), settings.play)
    if recipe.needs_compiling() or games >= COMPILE_FROM_GAMES or positions >= MANY_POSITIONS:
        recipe = _compiled(recipe)
    with progress("Playing", remaining=True) as watch:
        written = dataset.make(
            recipe, settings.out, games=games, positions=positions, processes=settings.processes, watch=watch
        )
    _report(settings.out, *written)


command.add_command(GamesGroup(lambda spec: game_command(spec, MakeSettings, _make), name="make", help=_make.__doc__))


@command.command("from", cls=SettingsCommand, settings=TableSettings)
@click.argument("records", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def convert(records: tuple[Path, ...], settings: TableSettings) -> None:
    """Write games from RECORDS: record files, folders with records in `.json` files, or folders of tournaments.

    The games are replayed, and refused if they break the rules. All are of one game with the same parameters.
    """
    from ludoteca.envs import dataset

    read = dict(_records(records))
    first = next(iter(read.values()))
    recipe = settings.recipe(Game(registry.find(first.game), first.parameters))
    if settings.search or len(read) >= COMPILE_FROM_GAMES:
        recipe = _compiled(recipe)
    with progress("Playing again", remaining=True) as watch:
        written = dataset.convert(recipe, read, settings.out, processes=settings.processes, watch=watch)
    _report(settings.out, *written)


@command.command()
@_FOLDER
def show(folder: Path) -> None:
    """Print the card: how the dataset was made, and its columns."""
    from ludoteca.envs import dataset

    dataset.open_dataset(folder)
    with explained(str(folder / "README.md")):
        lines = (folder / "README.md").read_text(encoding="utf-8", errors="replace").splitlines()
    say("\n".join(map(escaped, lines)))


@command.command()
@_FOLDER
def verify(folder: Path) -> None:
    """Replay every game and compare all rows. The exit status is 1 if a row is wrong."""
    from ludoteca.envs import dataset

    with progress("Playing again", remaining=True) as watch:
        games, positions = dataset.verify(folder, watch)
    say(f"{folder}: {counted(games, 'game')}, {counted(positions, 'position')}, all as the rules have them")


@command.command()
@_FOLDER
@click.option("--out", "-o", type=FOLDER, metavar="DIR", required=True, help="the new or empty folder")
def records(folder: Path, out: Path) -> None:
    """Write the records of all games into a new or empty folder: 000001.json and so on."""
    from ludoteca.envs import dataset

    number = 0
    for number, record in enumerate(dataset.read_records(folder), 1):
        if number == 1:  # the dataset can be read
            make_folder(out)
        write_file(out / f"{number:06}.json", record.to_json().encode())
    say(f"{out}: {counted(number, 'record')}")


def _compiled(recipe: "Recipe") -> "Recipe":
    """Return the same recipe with compiled rules. Compiled code is in the cache when this function returns."""
    game = recipe.game
    recipe = replace(recipe, game=Game(game.spec, game.parameters, compiled=True))
    with progress(f"Compiling the rules of {game.spec.title}, only this time", measured=False):
        recipe.prepare()
    return recipe


def _records(paths: Sequence[Path]) -> Iterator[tuple[str, Record]]:
    """Yield the names and records of the games in these files, folders of records, or folders of tournaments. The name of a
    record is that of its file, or of its game in a tournament.

    Raises LudotecaError if a record cannot be read, or if a folder has no records.
    """
    for path in paths:
        if (path / store.FILE).exists():
            with ExitStack() as stack:
                games = [(f"{path}: {game.key}", game.record) for game in store.Store.reading(path, stack).games()]
        else:
            files = sorted(path.glob("*.json")) if path.is_dir() else [path]
            games = [(str(file), read_file(file)) for file in files if file.name != "results.json" or file == path]
        if not games:
            raise RecordError(f"{path}: there are no records: expected files that end in .json, or a tournament")
        yield from games


def _report(folder: Path, games: int, positions: int) -> None:
    say(f"{folder}: {counted(positions, 'position')} of {counted(games, 'game')}. README.md says how they were made")
