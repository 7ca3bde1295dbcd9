"""`ludoteca dataset make|from|show|verify|records`: games and their positions as tables (docs/dataset.md)."""

import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ludoteca.arena.matches.store import FILE as STORE
from ludoteca.arena.matches.store import Store
from ludoteca.cli.parameters import options_for, read_chosen
from ludoteca.cli.progress import SHOW_AFTER_SECONDS, progress
from ludoteca.cli.running import MANY
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError, RecordError
from ludoteca.core.game import Game
from ludoteca.core.record import Record, read_record
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted, escaped

if TYPE_CHECKING:  # what datasets need is loaded when one is written or read, not for --help
    from ludoteca.envs.dataset import Made, Plan

LINES: Final = 10
"""Lines of progress where no terminal shows a bar."""
MANY_POSITIONS: Final = 20_000
"""Positions that are worth compiling the rules for."""
_HELP: Final = {"help_option_names": ["-h", "--help"]}
_FILE: Final = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


@click.group(name="dataset", context_settings=_HELP)
def command() -> None:
    """Games and their positions as tables, Parquet or Arrow, for those who train agents (docs/dataset.md).

    A dataset is three files: FILE with a row for each position, FILE's name with `.games` before the suffix, with a row for
    each game, and the card FILE.md, which says how they were made.
    """


class _Games(click.Group):
    """A command for every game, with its parameters as options, made when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return registry.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002
        return _make_command(registry.find(cmd_name))


command.add_command(
    _Games(
        name="make",
        help="Play games, search their positions if that is asked for, and write both.",
        no_args_is_help=True,
        context_settings=_HELP,
        subcommand_metavar="GAME ...",
    )
)


def _common(search_help: str) -> list[click.Option]:
    """The options of both commands that write."""
    return [
        click.Option(["--out", "-o", "file"], type=click.Path(path_type=Path), required=True, metavar="FILE",
                     help="a name that ends in .parquet, .arrow or .feather; nothing is written over"),
        click.Option(["--search"], type=click.IntRange(min=1), metavar="SIMULATIONS", help=search_help),
        click.Option(["--columns"], metavar="NAME,NAME...", help="columns to write  [default: all that tell something new]"),
        click.Option(["--seed"], type=click.IntRange(min=0, max=(1 << SEED_BITS) - 1),
                     help="the same seed gives the same files  [default: drawn]"),
        click.Option(["--processes"], type=click.IntRange(min=1), help="games at a time  [default: as many as cores]"),
        click.Option(["--licence"], default="not stated", show_default=True, metavar="TEXT", help="a line for the card"),
    ]  # fmt: skip


def _make_command(spec: GameSpec) -> click.Command:
    """`ludoteca dataset make NAME` with the options of that game."""
    own = [
        click.Option(["--positions"], type=click.IntRange(min=1), help="so many, and then to the end of the last game"),
        click.Option(["--games"], type=click.IntRange(min=1), help="so many; one of these two is needed"),
        click.Option(["--play"], metavar="HOW",
                     help="how actions are chosen: visits (in proportion to those of the search), best (by the search), "
                     "or an agent, as `play --opponent` takes it  [default: visits with --search, else random]"),
    ]  # fmt: skip
    return click.Command(
        spec.name,
        params=[*options_for(spec), *own, *_common("search every position with so many; no search without it")],
        callback=partial(_make, spec),
        help=f"{spec.title}: {spec.summary}.",
        context_settings=_HELP,
    )


def _make(
    spec: GameSpec, positions: int | None, games: int | None, play: str | None, file: Path, search: int | None,
    columns: str | None, seed: int | None, processes: int | None, licence: str, **given: str | None,
) -> None:  # fmt: skip
    from ludoteca.envs import dataset

    plan = dataset.Plan(
        Game(spec, read_chosen(spec, given)),
        search or 0,
        play or "",
        secrets.randbits(64) if seed is None else seed,
        _names(columns),
    )
    if plan.needs_compiling() or (games or 0) >= MANY or (positions or 0) >= MANY_POSITIONS:
        plan = _compiled(plan)
    total, unit = (games, "games") if games else (positions or 1, "positions")
    with _watched("Playing", total, unit) as watch:
        made = dataset.make(plan, file, games=games, positions=positions, processes=processes, licence=licence, watch=watch)
    _tell(file, made)


def _from(
    records: tuple[Path, ...], file: Path, search: int | None, columns: str | None, seed: int | None,
    processes: int | None, licence: str,
) -> None:  # fmt: skip
    """Write games that have been played: record files, folders whose `.json` files are records, or tournaments' folders.

    They are played again, so that nothing is written that did not happen. All are of one game with the same parameters.
    """
    from ludoteca.envs import dataset

    read = list(_records(records))
    first = read[0][1]
    plan = dataset.Plan(
        Game(registry.find(first.game), first.parameters),
        search or 0,
        seed=secrets.randbits(64) if seed is None else seed,
        columns=_names(columns),
    )
    if search or len(read) >= MANY:
        plan = _compiled(plan)
    with _watched("Playing again", len(read), "games") as watch:
        made = dataset.convert(
            plan,
            [record for _, record in read],
            file,
            names=[name for name, _ in read],
            processes=processes,
            licence=licence,
            watch=watch,
        )
    _tell(file, made)


command.add_command(
    click.Command(
        "from",
        params=[
            click.Argument(["records"], nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)),
            *_common("search every position with so many; no search without it"),
        ],
        callback=_from,
        help=_from.__doc__,
        context_settings=_HELP,
    )
)


@command.command()
@_FILE
def show(file: Path) -> None:
    """Print what a dataset holds and how it was made: its card."""
    from ludoteca.envs.dataset import DatasetError, open_dataset
    from ludoteca.envs.dataset.card import facts, meaning_of, read_here
    from ludoteca.envs.dataset.writing import Target

    data = open_dataset(file)
    try:
        games = f"{data.count_games():,}"
    except DatasetError as error:
        games = f"not known: {error}"
    known = facts(data.about, games, f"{len(data):,}") | read_here(Target.of(file).card)
    wide = max(map(len, data.columns))
    for name, value in known.items():
        say(escaped(f"{name:<14} {value}"))
    say("columns")
    for field in data.fields:
        say(escaped(f"  {field.name:<{wide}}  {meaning_of(field)}"))


@command.command()
@_FILE
def verify(file: Path) -> None:
    """Play every game again and compare each row; exit status 1, with the first that differs."""
    from ludoteca.envs.dataset import open_dataset

    data = open_dataset(file)
    total = data.count_games()
    with _watched("Playing again", total, "games") as watch:
        positions = data.verify(watch)
    say(f"{file}: {counted(total, 'game')}, {counted(positions, 'position')}, as the rules have them")


@command.command()
@_FILE
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
def records(file: Path, folder: Path) -> None:
    """Write the records of all games to DIR, which is made, or empty: 000001.json and so on."""
    from ludoteca.envs.dataset import open_dataset

    data = open_dataset(file)
    data.count_games()
    number = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ParameterError(f"{folder} is not empty, and nothing is written over")
        for number, record in enumerate(data.records(), 1):
            (folder / f"{number:06}.json").write_text(record.to_json(), encoding="utf-8")
    except OSError as error:
        raise ParameterError(f"{folder}: {error.strerror}") from None
    say(f"{folder}: {counted(number, 'record')}")


def _names(columns: str | None) -> tuple[str, ...] | None:
    return None if columns is None else tuple(name.strip() for name in columns.split(","))


def _records(paths: Sequence[Path]) -> Iterator[tuple[str, Record]]:
    """The records that are named, by the names of their files or of their games in a tournament.

    Raises LudotecaError for what cannot be read, and for a folder without any.
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


def _compiled(plan: "Plan") -> "Plan":
    """The same plan with compiled rules; what is compiled lies in the cache when this returns."""
    from dataclasses import replace

    plan = replace(plan, game=Game(plan.game.spec, plan.game.parameters, compiled=True))
    with progress(f"Compiling the rules of {plan.game.spec.title}, only this time", measured=False):
        plan.prepare()
    return plan


@contextmanager
def _watched(what: str, total: int, unit: str) -> Iterator[Callable[[int, int], None]]:
    """Show on standard error how far it is and how long it will take: a bar in a terminal, elsewhere some lines."""
    begin, told = time.perf_counter(), 0
    with progress(what, remaining=True) as update:

        def watch(games: int, positions: int) -> None:
            nonlocal told
            done = min(total, games if unit == "games" else positions)
            update(done / total)
            spent = time.perf_counter() - begin
            if not sys.stderr.isatty() and spent > SHOW_AFTER_SECONDS and done * LINES // total > told and done < total:
                told = done * LINES // total
                left = spent * (total - done) / done
                sys.stderr.write(f"{done:,} of {total:,} {unit}, about {left:,.0f} s left\n")

        yield watch


def _tell(file: Path, made: "Made") -> None:
    say(
        f"{file}: {counted(made.positions, 'position')} of {counted(made.games, 'game')}, in {made.seconds:.0f} s; "
        f"{file.name}.md says how they were made"
    )
