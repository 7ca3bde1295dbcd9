"""Read a dataset: open its tables with pyarrow, convert batches to NumPy, and verify the rows by replaying the games."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.dataset

from ludoteca.core import registry
from ludoteca.core.errors import RecordError
from ludoteca.core.game import Game
from ludoteca.core.record import Record
from ludoteca.envs.dataset.columns import (
    GAME_SCHEMA,
    GAMES,
    POSITIONS,
    DatasetError,
    chosen_columns,
    columns_of,
    explained,
    facts_of,
    schema_of,
)
from ludoteca.envs.dataset.tracing import GameJob, Recipe, Watch, trace


def open_dataset(folder: Path | str, table: str = POSITIONS) -> Any:
    """Open the table of positions, or that of games (`table="games"`), as a `pyarrow.dataset.Dataset`.

    Raises DatasetError if the folder has no such table, or its files are not Ludoteca's. Damaged pages are not noticed here,
    because pyarrow checks their checksums only when it reads them.

    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> from ludoteca.envs.dataset import Recipe, make
    >>> with TemporaryDirectory() as folder:
    ...     written = make(Recipe(load("okupacio", board="4x4"), seed=1), f"{folder}/data", games=2, processes=1)
    ...     open_dataset(f"{folder}/data", table="games").count_rows()
    2
    """
    path = Path(folder) / table
    if not path.is_dir():
        raise DatasetError(f"{path}: expected a folder with Parquet files")
    options = pyarrow.dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
    with explained(path):
        kind = pyarrow.dataset.ParquetFileFormat(default_fragment_scan_options=options)
        data = pyarrow.dataset.dataset(path, format=kind)
    if b"game" not in (data.schema.metadata or {}):
        raise DatasetError(f"{path}: this is no dataset of Ludoteca: expected Parquet files whose metadata name the game")
    return data


def game_of(data: Any) -> Game:
    """Return the game of an open dataset, with its parameters. Raises LudotecaError if this Ludoteca has other rules.

    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> from ludoteca.envs.dataset import Recipe, make
    >>> with TemporaryDirectory() as folder:
    ...     written = make(Recipe(load("okupacio", board="4x4"), seed=1), f"{folder}/data", games=2, processes=1)
    ...     game_of(open_dataset(f"{folder}/data")).parameters["players"]
    2
    """
    try:
        facts = {key.decode(): value.decode() for key, value in (data.schema.metadata or {}).items()}
        parameters = msgspec.json.decode(facts.get("parameters", ""), type=dict[str, Any])
    except (ValueError, RecursionError) as error:  # the errors of msgspec are ValueErrors
        raise DatasetError(f"dataset: the metadata have no parameters of a game: {error}") from None
    game = Game(registry.find(facts.get("game", "")), parameters)
    here = facts_of(game)
    if other := [name for name in ("rules", "layout", "features") if here[name] != facts.get(name)]:
        raise DatasetError(
            f"this is {game.name} of Ludoteca {facts.get('ludoteca')}, with other {' and '.join(other)} than here: "
            "only the records can be read"
        )
    return game


def to_numpy(batch: Any, game: Game) -> "dict[str, np.ndarray[Any, np.dtype[Any]]]":
    """Return the columns of a batch or table of positions whose rows all have the same shape. Texts and lists are left out.

    `view` and `secret_position` are arrays of raw positions, which can be written to. `observed_planes` has the shape (rows,
    planes, rows of a plane, columns). Numbers of players have the shape (rows, players), with NaN for games that were not
    finished. Raises DatasetError for a wrong type or a missing value.

    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> from ludoteca.envs.dataset import Recipe, make
    >>> with TemporaryDirectory() as folder:
    ...     written = make(Recipe(load("okupacio", board="4x4"), seed=1), f"{folder}/data", games=2, processes=1)
    ...     data = open_dataset(f"{folder}/data")
    ...     batch = data.head(5, columns=["view", "returns"])
    ...     to_numpy(batch, game_of(data))["returns"].shape
    (5, 2)
    """
    table = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
    arrays: dict[str, np.ndarray[Any, np.dtype[Any]]] = {}
    for name, kind, *_ in columns_of(game):
        if name not in table.schema.names or pa.types.is_list(kind) or pa.types.is_string(kind):
            continue
        with explained(f"column {name}"):
            values = table.column(name).combine_chunks().cast(kind)
        if pa.types.is_fixed_size_list(kind):
            arrays[name] = np.full((len(values), kind.list_size), np.nan, np.float32)
            there = values.is_valid().to_numpy(zero_copy_only=False)
            arrays[name][there] = values.flatten().to_numpy(zero_copy_only=False).reshape(-1, kind.list_size)
        elif values.null_count:
            raise DatasetError(f"column {name}: there are rows without a value")
        elif pa.types.is_fixed_size_binary(kind):
            content = np.frombuffer(bytearray().join(values.to_pylist()), np.uint8)
            planes = name == "observed_planes"
            arrays[name] = content.reshape(-1, *game.features.layout.shape) if planes else content.view(game.dtype)
        else:
            arrays[name] = values.to_numpy(zero_copy_only=False)
    return arrays


def read_records(folder: Path | str) -> Iterator[Record]:
    """Yield the records of all games, byte for byte as they were sealed.

    Raises DatasetError if the table cannot be read or has other columns, or if a record was edited.

    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> from ludoteca.envs.dataset import Recipe, make
    >>> with TemporaryDirectory() as folder:
    ...     written = make(Recipe(load("okupacio", board="4x4"), seed=1), f"{folder}/data", games=2, processes=1)
    ...     [record.game for record in read_records(f"{folder}/data")]
    ['okupacio', 'okupacio']
    """
    data = open_dataset(folder, GAMES)
    if not data.schema.equals(GAME_SCHEMA):
        raise DatasetError(f"{folder}: the table of games has other columns than {', '.join(GAME_SCHEMA.names)}")
    with explained(Path(folder) / GAMES):
        texts = (text for batch in data.to_batches(columns=["secret_record"]) for text in batch.column(0))
        for number, text in enumerate(texts):
            try:
                yield Record.from_json(text.as_py() or "")
            except (RecordError, UnicodeDecodeError) as error:
                raise DatasetError(f"{folder}: game {number}: {error}") from None


def verify(folder: Path | str, watch: Watch = None) -> tuple[int, int]:
    """Replay every game and compare all rows of both tables. Return the numbers of games and positions.

    The columns of the search are not compared. `watch` is called after every game with the share that is done. Raises
    DatasetError, which names the first wrong game and column, if they differ.

    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> from ludoteca.envs.dataset import Recipe, make
    >>> with TemporaryDirectory() as folder:
    ...     written = make(Recipe(load("okupacio", board="4x4"), seed=1), f"{folder}/data", games=2, processes=1)
    ...     verify(f"{folder}/data") == (written.games, written.positions)
    True
    """
    data, games = open_dataset(folder), open_dataset(folder, GAMES)
    game = game_of(data)
    if data.schema.metadata != games.schema.metadata:
        raise DatasetError(f"{folder}: the games are those of another dataset than the positions")
    columns = chosen_columns(game, data.schema.names, searched=True)
    if not data.schema.equals(schema_of(columns)):
        raise DatasetError(f"{folder}: the columns have other types or another order than this version writes")
    names = [column.name for column in columns if not column.searched]
    recipe = Recipe(game, columns=tuple(names))
    shards = (shard.to_table(columns=names) for shard in data.get_fragments())
    number = positions = 0
    with explained(Path(folder)):
        stored = {GAMES: games.to_table(), POSITIONS: next(shards)}
        for record in read_records(folder):
            rows = trace(recipe, GameJob(number, f"{folder}: game {number}", record))
            while stored[POSITIONS].num_rows < rows[POSITIONS].num_rows and (more := next(shards, None)):
                stored[POSITIONS] = pa.concat_tables([stored[POSITIONS], more])
            for table, expected in rows.items():
                found = stored[table].slice(0, expected.num_rows)
                if wrong := [name for name in expected.schema.names if found[name].combine_chunks() != expected[name]]:
                    raise DatasetError(f"{folder}: game {number}: the column {wrong[0]} differs from the replayed game")
                stored[table] = stored[table].slice(expected.num_rows)
            number, positions = number + 1, positions + rows[POSITIONS].num_rows
            if watch:
                watch(number / (number + stored[GAMES].num_rows))
        if stored[POSITIONS].num_rows or next(shards, None):
            raise DatasetError(f"{folder}: there are more positions than the {number} games have")
    return number, positions
