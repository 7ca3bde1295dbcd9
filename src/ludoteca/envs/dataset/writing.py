"""Write a dataset: play games for it, or take records."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import pyarrow as pa
from pyarrow.parquet import write_table

from ludoteca.core.record import Record
from ludoteca.core.words import counted
from ludoteca.core.workers import cores
from ludoteca.envs.dataset.columns import GAME_SCHEMA, GAMES, POSITIONS, DatasetError, explained, facts_of, schema_of
from ludoteca.envs.dataset.tracing import GameJob, Recipe, Watch, traced

SHARD_BYTES: Final = 64 << 20
"""A Parquet file is written when its rows have about this many bytes in memory. A game is never split."""
CARD: Final = "README.md"
CARD_HEAD: Final = f"""---
configs:
- config_name: {POSITIONS}
  data_files: {POSITIONS}/*.parquet
  default: true
- config_name: {GAMES}
  data_files: {GAMES}/*.parquet
---
"""
"""The first lines of the card. They name the tables for `datasets.load_dataset`."""


class Written(NamedTuple):
    """The size of a new dataset."""

    games: int
    positions: int


def make(
    recipe: Recipe,
    folder: Path | str,
    *,
    games: int = 0,
    positions: int = 0,
    processes: int | None = None,
    watch: Watch = None,
) -> Written:
    """Play games and write them: this many games, or at least this many positions. All games are played to the end.

    The same recipe and numbers give the same Parquet files, byte for byte, with any number of processes. Only the card has
    the date. Raises DatasetError if not exactly one of the two numbers is given, if `folder` exists, or if it cannot be
    written. Nothing is written then.

    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> with TemporaryDirectory() as folder:
    ...     make(Recipe(load("okupacio", board="4x4"), seed=1), f"{folder}/data", games=2, processes=1).games
    2
    """
    if (games > 0) == (positions > 0):
        raise DatasetError("how many: expected a number of games or of positions, from 1")
    made = {"play": recipe.play, "seed": str(recipe.seed)}
    jobs = map(GameJob, range(games) if games else count())
    return _write(recipe, Path(folder), jobs, made, Written(games, positions), processes, watch)


def convert(
    recipe: Recipe, records: Mapping[str, Record], folder: Path | str, *, processes: int | None = None, watch: Watch = None
) -> Written:
    """Replay games and write them. The keys name the records in error messages. `recipe.play` has no effect.

    Raises DatasetError for records of another game or other parameters, and for records that break the rules. It writes
    nothing then.

    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> state.apply_action(state.string_to_action("ab"))
    >>> with TemporaryDirectory() as folder:
    ...     convert(Recipe(state.game), {"mine.json": state.to_record()}, f"{folder}/data", processes=1).positions
    1
    """
    if not records:
        raise DatasetError("records: there are no records, expected one or more")
    game = recipe.game
    for name, record in records.items():
        if (record.game, record.parameters) != (game.name, game.parameters):
            raise DatasetError(
                f"{name}: the record is of {record.game} with {record.parameters}, expected {game.name} with "
                f"{game.parameters}: a dataset has one game with the same parameters"
            )
    jobs = (GameJob(at, *named) for at, named in enumerate(records.items()))
    return _write(recipe, Path(folder), jobs, {"play": "earlier"}, Written(len(records), 0), processes, watch)


def _write(
    recipe: Recipe, folder: Path, jobs: Iterable[GameJob], made: dict[str, str], wanted: Written,
    processes: int | None, watch: Watch,
) -> Written:  # fmt: skip
    """Write the games of the jobs, until there are as many positions as wanted. 0 positions mean that all games are written.

    The folder gets its name only when everything is written, so a folder is never half complete. Raises DatasetError if it
    exists or cannot be written.
    """
    if os.path.lexists(folder):
        raise DatasetError(f"{folder}: it exists already, and nothing is written over")
    search = f"{counted(recipe.search, 'simulation')} for each position, seed {recipe.seed}" if recipe.search else "none"
    facts = facts_of(recipe.game) | made | {"search": search, "ludoteca": version("ludoteca"), "pyarrow": pa.__version__}
    schemas = {POSITIONS: schema_of(recipe.chosen()), GAMES: GAME_SCHEMA}
    games = positions = 0
    with explained(folder), TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as draft_folder:
        draft = Path(draft_folder, folder.name)
        for name in schemas:
            (draft / name).mkdir(parents=True)
        with closing(traced(recipe, jobs, processes or cores())) as results:
            for number, shard in enumerate(_shards(results, wanted, watch)):
                for name, schema in schemas.items():
                    table = pa.Table.from_batches([rows[name] for rows in shard], schema).replace_schema_metadata(facts)
                    file, size = draft / name / f"{number:05}.parquet", max(1, table.num_rows)
                    write_table(table, file, row_group_size=size, compression="zstd", write_page_checksum=True)
                games, positions = games + len(shard), positions + sum(rows[POSITIONS].num_rows for rows in shard)
        sizes = {"games": f"{games:,}", "positions": f"{positions:,}", "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"}
        (draft / CARD).write_text(card(folder.name, facts | sizes, schemas), encoding="utf-8")
        for file in draft.rglob("*.*"):
            with file.open("rb") as written:
                os.fsync(written.fileno())
        draft.rename(folder)
    return Written(games, positions)


def _shards(results: Iterable[dict[str, Any]], wanted: Written, watch: Watch) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of games for one file after the other, until there are as many positions as wanted."""
    shard: list[dict[str, Any]] = []
    size = positions = 0
    for games, rows in enumerate(results, 1):
        shard.append(rows)
        size, positions = size + rows[POSITIONS].nbytes, positions + rows[POSITIONS].num_rows
        if watch:
            watch(min(1.0, positions / wanted.positions) if wanted.positions else games / wanted.games)
        enough = 0 < wanted.positions <= positions
        if enough or size >= SHARD_BYTES:
            yield shard
            shard, size = [], 0
        if enough:
            return
    if shard:
        yield shard


def card(name: str, facts: Mapping[str, str], schemas: Mapping[str, Any]) -> str:
    """Return the card of a dataset, in Markdown: the facts, except the names of features, and the schemas."""
    cells = {key: value.replace("|", "\\|") for key, value in facts.items() if key != "features"}
    lines = [f"{CARD_HEAD}# {name}", "", "| | |", "|---|---|", *(f"| {key} | {cell} |" for key, cell in cells.items())]
    lines += ["", "Columns whose names begin with `secret_` have knowledge that is hidden from some players."]
    for table, schema in schemas.items():
        lines += ["", f"## {table.capitalize()}", "", "| column | type | meaning |", "|---|---|---|"]
        lines += [f"| `{field.name}` | {field.type} | {field.metadata[b'meaning'].decode()} |" for field in schema]
    return "\n".join([*lines, ""])
