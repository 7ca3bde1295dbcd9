"""Write a dataset: play games for it, or take records."""

import atexit
import hashlib
import os
import platform
import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import pyarrow as pa
import pyarrow.parquet

from ludoteca.core.record import Record
from ludoteca.core.words import counted
from ludoteca.core.workers import cores
from ludoteca.envs.dataset.columns import GAME_SCHEMA, game_row, position_schema
from ludoteca.envs.dataset.description import CARD, GAMES, KEY, POSITIONS, DatasetError, Description, card, explained
from ludoteca.envs.dataset.reading import refuse_file_names
from ludoteca.envs.dataset.tracing import GameJob, Recipe, traced

SHARD_BYTES: Final = 64 << 20
"""A Parquet file is written when its rows have about this many bytes in memory. A game is never split."""

Watch: TypeAlias = Callable[[int, int], None]
"""Is called after every game, with the number of games and positions so far."""


class Written(NamedTuple):
    """The size of a new dataset."""

    games: int
    positions: int
    seconds: float


def make(
    recipe: Recipe,
    folder: Path | str,
    *,
    games: int | None = None,
    positions: int | None = None,
    processes: int | None = None,
    watch: Watch | None = None,
) -> Written:
    """Play games and write them: this many games, or at least this many positions. All games are played to the end.

    The same recipe and numbers give the same Parquet files, byte for byte, with any number of processes. Only the card has
    the date and the machine. Raises DatasetError, and writes nothing then.
    """
    if (games is None) == (positions is None) or (games or positions or 0) < 1:
        raise DatasetError("how many: expected a number of games or of positions, from 1")
    (name, number), game = ("games", games) if games else ("positions", positions), recipe.game
    chosen = [word for key, value in game.parameters.items() for word in (f"--{key}", str(value))]
    words = ["make", game.name, *chosen, f"--{name}", str(number), "--play", recipe.play]
    played = f"for this dataset, actions chosen by {recipe.play}, seed {recipe.seed}"
    jobs = (GameJob(at) for at in (range(games) if games else count()))
    return _write(recipe, Path(folder), jobs, (words, played), positions, processes, watch)


def convert(
    recipe: Recipe,
    records: Mapping[str, Record],
    folder: Path | str,
    *,
    processes: int | None = None,
    watch: Watch | None = None,
) -> Written:
    """Replay records of the recipe's game and write them. Their positions are searched if the recipe has a search.

    The keys are the names of the records in error messages. Raises DatasetError, and writes nothing then.
    """
    if not records:
        raise DatasetError("there are no records: expected one or more")
    game = recipe.game
    for name, record in records.items():
        if (record.game, record.parameters) != (game.name, game.parameters):
            raise DatasetError(
                f"{name}: the record is of {record.game} with {record.parameters}, expected {game.name} with "
                f"{game.parameters}: a dataset has one game with the same parameters"
            )
    digest = hashlib.sha256("".join(record.digest for record in records.values()).encode()).hexdigest()
    played = f"earlier, in {counted(len(records), 'record')}. The SHA-256 of their digests is {digest}"
    jobs = (GameJob(at, *named) for at, named in enumerate(records.items()))
    return _write(recipe, Path(folder), jobs, (["from", "RECORDS"], played), None, processes, watch)


def _write(
    recipe: Recipe, folder: Path, jobs: Iterable[GameJob], made: tuple[list[str], str], enough: int | None,
    processes: int | None, watch: Watch | None,
) -> Written:  # fmt: skip
    """Write the games of the jobs, until there are `enough` positions. `made` has words of the command, and a fact."""
    refuse_file_names(folder)
    begin, games, positions, processes = time.perf_counter(), 0, 0, processes or cores()
    words, played = made
    words += ["--search", str(recipe.search)] if recipe.search else []
    words += ["--seed", str(recipe.seed)] if recipe.search or words[0] == "make" else []
    words += [] if recipe.columns is None else ["--columns", ",".join(recipe.columns)]
    kind = "Monte Carlo tree search" if recipe.game.spec.perfect_information else "information-set Monte Carlo tree search"
    search = f"{kind}, {counted(recipe.search, 'simulation')} for each position, from scratch, seed {recipe.seed}"
    facts = {
        "command": shlex.join(["ludoteca", "dataset", *words]),
        "games played": played,
        "search": search if recipe.search else "none",
        "licence": recipe.licence,
    }
    description = Description.of(recipe.game, facts)
    schemas = {POSITIONS: position_schema(recipe.game, recipe.chosen()), GAMES: GAME_SCHEMA}
    with _draft(folder) as draft:
        tables = {name: _Shards(draft / name, schema, description) for name, schema in schemas.items()}
        with closing(traced(recipe, jobs, processes)) as results:
            for record, rows in results:
                tables[POSITIONS].add(rows)
                tables[GAMES].add(game_row(games, record))
                games, positions = games + 1, positions + rows.num_rows
                if watch:
                    watch(games, positions)
                if enough is not None and positions >= enough:
                    break
        for table in tables.values():
            table.write()
        seconds = time.perf_counter() - begin
        here = {
            "games": f"{games:,}",
            "positions": f"{positions:,}",
            "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, in {seconds:.0f} s",
            "machine": f"{platform.system()} {platform.machine()}, {counted(processes, 'process', 'processes')}, "
            f"Python {platform.python_version()}, pyarrow {pa.__version__}",
        }
        (draft / CARD).write_text(card(folder.name, description, here, schemas), encoding="utf-8")
    return Written(games, positions, seconds)


@contextmanager
def _draft(folder: Path) -> Iterator[Path]:
    """Give an empty folder that gets its name after the block. After an error or a signal it is deleted.

    Raises DatasetError if the folder exists or cannot be written.
    """
    if os.path.lexists(folder):
        raise DatasetError(f"{folder}: it exists already, and nothing is written over")
    draft = folder.with_name(f".{folder.name}-{os.getpid()}.draft")
    remove = partial(shutil.rmtree, draft, ignore_errors=True)
    atexit.register(remove)  # at a signal
    try:
        with explained(folder):
            draft.mkdir()
            yield draft
            for file in filter(Path.is_file, draft.rglob("*")):
                with file.open("rb") as written:
                    os.fsync(written.fileno())
            draft.rename(folder)
    finally:
        remove()
        atexit.unregister(remove)


class _Shards:
    """A table in a folder of Parquet files, each with one row group."""

    def __init__(self, folder: Path, schema: Any, description: Description) -> None:
        folder.mkdir()
        self._folder = folder
        self._schema = schema
        self._metadata = {KEY: msgspec.json.encode(description)}
        self._waiting: list[Any] = []
        self._waiting_bytes = 0
        self._written = 0
        self._options = {
            "compression": "zstd",
            "use_dictionary": [of.name for of in schema if not pa.types.is_fixed_size_binary(of.type)],
            "write_statistics": [of.name for of in schema if pa.types.is_integer(of.type)],
            "write_page_checksum": True,
        }

    def add(self, rows: Any) -> None:
        self._waiting.append(rows)
        self._waiting_bytes += rows.nbytes
        if self._waiting_bytes >= SHARD_BYTES:
            self.write()

    def write(self) -> None:
        """Write the waiting rows. The first file is written even without rows."""
        if self._waiting or not self._written:
            table = pa.Table.from_batches(self._waiting, self._schema).replace_schema_metadata(self._metadata)
            file = self._folder / f"{self._written:05}.parquet"
            pyarrow.parquet.write_table(table, file, row_group_size=max(1, table.num_rows), **self._options)
            self._waiting, self._waiting_bytes, self._written = [], 0, self._written + 1
