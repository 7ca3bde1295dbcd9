"""Read a dataset: open its tables with pyarrow, convert batches to NumPy, and verify the rows by replaying the games."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.dataset

from ludoteca.core.errors import RecordError
from ludoteca.core.game import Game
from ludoteca.core.record import Record
from ludoteca.envs.dataset.columns import COLUMNS, GAME_SCHEMA, chosen_columns, game_row, position_schema
from ludoteca.envs.dataset.description import GAMES, POSITIONS, DatasetError, Description, explained
from ludoteca.envs.dataset.tracing import GameJob, Recipe, Tracer

if TYPE_CHECKING:
    from ludoteca.envs.dataset.writing import Watch

OLD_SUFFIXES: Final = (".parquet", ".arrow", ".feather")
"""Earlier versions wrote datasets into files with these names."""


def refuse_file_names(folder: Path) -> None:
    """Raise DatasetError for the name of a file."""
    if folder.suffix in OLD_SUFFIXES or folder.is_file():
        raise DatasetError(
            f"{folder}: a dataset is a folder with Parquet files: expected its name. This version cannot read the .parquet, "
            ".arrow and .feather files of earlier ones. The card of such a file has the command to make it again"
        )


def open_dataset(folder: Path | str, table: str = POSITIONS) -> Any:
    """Open the table of positions, or that of games (`table="games"`), as a `pyarrow.dataset.Dataset`. Raises DatasetError.

    pyarrow checks the checksums of the pages when it reads them.
    """
    refuse_file_names(Path(folder))
    path = Path(folder) / table
    options = pyarrow.dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
    with explained(path):
        files = sorted(str(file) for file in path.iterdir() if file.suffix == ".parquet")
        if not files:
            raise DatasetError(f"{path}: there are no Parquet files")
        kind = pyarrow.dataset.ParquetFileFormat(default_fragment_scan_options=options)
        data = pyarrow.dataset.dataset(files, format=kind)
    Description.read(path, data.schema.metadata)
    return data


def game_of(data: Any) -> Game:
    """Return the game of an open dataset, with its parameters. Raises LudotecaError if this Ludoteca has other rules."""
    return Description.read("dataset", data.schema.metadata).open_game()


def to_numpy(batch: Any, game: Game) -> "dict[str, np.ndarray[Any, np.dtype[Any]]]":
    """Return the columns of a batch or table of positions whose rows all have the same shape. Texts and lists are left out.

    `view` and `secret_position` are arrays of raw positions, which can be written to. `observed_planes` has the shape (rows,
    planes, rows of a plane, columns). Numbers of players have the shape (rows, players), with NaN for games that were not
    finished. Raises DatasetError for a wrong type or a missing value.
    """
    table = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
    arrays: dict[str, np.ndarray[Any, np.dtype[Any]]] = {}
    for column in COLUMNS:
        kind = column.arrow_type(game)
        if column.name not in table.schema.names or kind is None or pa.types.is_list(kind) or pa.types.is_string(kind):
            continue
        with explained(f"column {column.name}"):
            values = table.column(column.name).combine_chunks().cast(kind)
        if pa.types.is_fixed_size_list(kind):
            array = np.full((len(values), kind.list_size), np.nan, np.float32)
            there = values.is_valid().to_numpy(zero_copy_only=False)
            array[there] = values.flatten().to_numpy(zero_copy_only=False).reshape(-1, kind.list_size)
        elif values.null_count:
            raise DatasetError(f"column {column.name}: there are rows without a value")
        elif pa.types.is_fixed_size_binary(kind):
            begin, end = (row * kind.byte_width for row in (values.offset, values.offset + len(values)))
            array = np.frombuffer(bytearray(memoryview(values.buffers()[1] or b"")[begin:end]), np.uint8)
            planes = column.name == "observed_planes"
            array = array.reshape(-1, *game.features.layout.shape) if planes else array.view(game.dtype)
        else:
            array = values.to_numpy(zero_copy_only=False)
        arrays[column.name] = array
    return arrays


def read_records(folder: Path | str) -> Iterator[Record]:
    """Yield the records of all games, byte for byte as they were sealed. Raises DatasetError."""
    data = open_dataset(folder, GAMES)
    with explained(Path(folder) / GAMES):
        if not data.schema.equals(GAME_SCHEMA):
            raise DatasetError(f"{folder}: the table of games has other columns than {', '.join(GAME_SCHEMA.names)}")
        number = 0
        for batch in data.to_batches(columns=["secret_record"]):
            for text in batch.column(0):
                try:
                    yield Record.from_json(text.as_py() or "")
                except (RecordError, UnicodeDecodeError) as error:
                    raise DatasetError(f"{folder}: game {number}: {error}") from None
                number += 1


def verify(folder: Path | str, watch: "Watch | None" = None) -> tuple[int, int]:
    """Replay every game and compare all rows of both tables. Return the numbers of games and positions.

    The columns of the search are not compared. Raises DatasetError, which names the first wrong game and column.
    """
    data, games = open_dataset(folder), open_dataset(folder, GAMES)
    game = game_of(data)
    if data.schema.metadata != games.schema.metadata:
        raise DatasetError(f"{folder}: the games are those of another dataset than the positions")
    columns = chosen_columns(game, data.schema.names, searched=True)
    if not data.schema.equals(position_schema(game, columns)):
        raise DatasetError(f"{folder}: the columns have other types or another order than this version writes")
    names = [column.name for column in columns if not column.searched]
    tracer = Tracer(Recipe(game, columns=tuple(names)))
    number = positions = 0
    with explained(Path(folder)):
        shards = (shard.to_table(columns=names) for shard in data.get_fragments())
        stored_games, stored = games.to_table(), next(shards)
        for record in read_records(folder):
            rows = tracer.trace(GameJob(number, f"{folder}: game {number}", record)).rows
            while stored.num_rows < rows.num_rows and (more := next(shards, None)):
                stored = pa.concat_tables([stored, more])
            pairs = ((stored_games.slice(number, 1), game_row(number, record)), (stored.slice(0, rows.num_rows), rows))
            for found, expected in pairs:
                if wrong := [name for name in expected.schema.names if not _equal(found[name], expected[name])]:
                    raise DatasetError(f"{folder}: game {number}: the column {wrong[0]} differs from the replayed game")
            stored = stored.slice(rows.num_rows)
            number, positions = number + 1, positions + rows.num_rows
            if watch:
                watch(number, positions)
        if stored.num_rows or next(shards, None):
            raise DatasetError(f"{folder}: there are more positions than the {number} games have")
    return number, positions


def _equal(found: Any, expected: Any) -> bool:
    return bool(found.combine_chunks().equals(expected))
