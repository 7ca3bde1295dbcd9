"""Datasets read: as arrays of NumPy, batch by batch, and as records."""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

from ludoteca.core.errors import LudotecaError, RecordError
from ludoteca.core.game import Game
from ludoteca.core.record import FORMAT, Record
from ludoteca.envs.dataset.about import GAMES, POSITIONS, About, DatasetError, explained, features_of, read_about
from ludoteca.envs.dataset.columns import COLUMNS, GAME_FIELDS, Column, Form, find_columns
from ludoteca.envs.dataset.tracing import Plan, Tracer
from ludoteca.envs.dataset.writing import Target, Watch

ROWS: Final = 1024
"""Rows of a batch, unless others are asked for."""


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths: row i is `values[offsets[i] : offsets[i + 1]]`."""

    values: "np.ndarray[Any, np.dtype[Any]]"
    offsets: "np.ndarray[Any, np.dtype[np.int64]]"

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> "np.ndarray[Any, np.dtype[Any]]":
        """One row, the rows counted from 0."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row}: expected 0 to {len(self) - 1}")
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def padded(self, fill: float = -1, width: int | None = None) -> "np.ndarray[Any, np.dtype[Any]]":
        """An array (rows, width), filled up at the end of each row; as wide as the longest, unless `width` is given.

        Raises ValueError for a width into which a row does not fit.
        """
        lengths = np.diff(self.offsets)
        longest = int(lengths.max(initial=0))
        if width is not None and width < longest:
            raise ValueError(f"width: read {width}, and the longest row has {longest}")
        wide = longest if width is None else width
        out = np.full((len(self), wide), fill, self.values.dtype)
        out[np.arange(wide) < lengths[:, None]] = self.values
        return out


class Dataset:
    """A dataset in files. Nothing but its metadata is read before it is asked for.

    `about` is what it says of itself (`about.About`), `columns` are the names of its columns.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._table = _Reader(file, POSITIONS)
        self.about: About = self._table.about
        self.columns = tuple(self._table.schema.names)
        self.fields = list(self._table.schema)

    def __len__(self) -> int:
        """The number of positions."""
        return self._table.rows

    @cached_property
    def game(self) -> Game:
        """The game, interpreted. Raises DatasetError where this Ludoteca has other rules."""
        try:
            return self.about.open_game()
        except LudotecaError as error:
            raise DatasetError(f"{self.file}: {error}") from None

    @cached_property
    def _games(self) -> "_Reader":
        path = Target.of(self.file).games
        reader = _Reader(path, GAMES)
        if reader.about.metadata(POSITIONS) != self.about.metadata(POSITIONS):
            raise DatasetError(f"{path}: it holds the games of another dataset than {self.file}: they were made differently")
        return reader

    def count_games(self) -> int:
        """The number of games. Raises DatasetError where the table of games is missing or of another dataset."""
        return self._games.rows

    def batches(
        self, rows: int = ROWS, columns: Iterable[str] | None = None, *, seed: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """The positions in order, so many at a time and fewer at the end; all columns, or those named.

        With a seed they are shuffled: the file's groups of rows (some 32 MB each) come in random order, and so do the
        rows of each group.

        A batch has an array for each column: raw positions as an array of the game's dtype, which can be written to;
        texts as objects; a number for each player as an array (rows, players); other lists as `Ragged`. Raises DatasetError.
        """
        chosen = self._chosen(columns)
        if rows < 1:
            raise DatasetError(f"rows: read {rows}, expected 1 or more")
        game = self.game
        names = [column.name for column in chosen]
        source = self._table.batches(names, rows) if seed is None else self._table.shuffled(names, seed)
        for batch in _cut(source, rows):
            arrays = {}
            for column in chosen:
                array = batch.column(column.name)
                if not _is_whole(column, array, game):
                    raise DatasetError(
                        f"{self.file}: the column {column.name} lacks values, or has rows of the wrong length"
                    )
                arrays[column.name] = _as_numpy(column, array, game)
            yield arrays

    def _chosen(self, names: Iterable[str] | None) -> list[Column]:
        there = [column for column in COLUMNS if column.name in self.columns]
        chosen = there if names is None else find_columns(names, there)
        if any(column.of_features for column in chosen) and self.about.features != features_of(self.game):
            raise DatasetError(
                f"{self.file}: it was written by Ludoteca {self.about.ludoteca}, which numbered actions and observations in "
                f"another way: read other columns than {', '.join(column.name for column in chosen if column.of_features)}"
            )
        for column in chosen:
            found, expected = self._table.schema.field(column.name).type, column.arrow_type(self.game)
            if found != expected:
                raise DatasetError(f"{self.file}: the column {column.name} has type {found}, expected {expected}")
        return chosen

    def records(self) -> Iterator[Record]:
        """The records of all games, as they were written. Raises DatasetError, also for one whose seal does not hold."""
        reader = self._games
        for batch in reader.batches(reader.schema.names, ROWS):
            for row in batch.to_pylist():
                yield self._record(row)

    def verify(self, watch: Watch | None = None) -> int:
        """Play every game again and compare each of its rows; give the number of positions.

        What a search found is not searched again. Raises DatasetError, which names the first game that differs.
        """
        columns = [column.name for column in self._chosen(None) if not column.searched]
        tracer = Tracer(Plan(self.game, columns=tuple(columns)))
        rows, compared = _Rows(self._table.batches(columns, ROWS)), 0
        for number, record in enumerate(self.records()):
            replayed = tracer.replay(number, f"{self.file}: game {number}", record).rows
            stored, expected = rows.take(replayed.num_rows, replayed.schema), pa.Table.from_batches([replayed])
            for column in columns:
                if not stored.column(column).equals(expected.column(column)):
                    raise DatasetError(f"{self.file}: game {number}: the column {column} is not as the rules have it")
            compared += replayed.num_rows
            if watch:
                watch(number + 1, compared)
        if compared != len(self):
            raise DatasetError(f"{self.file}: it has {len(self)} positions, and its games have {compared}")
        return compared

    def _record(self, row: dict[str, Any]) -> Record:
        try:
            result = None if row["returns"] is None else {"returns": row["returns"], "scores": row["scores"]}
            content = {
                "format": FORMAT,
                "version": row["version"],
                "game": row["name"],
                "rules": row["rules"],
                "parameters": json.loads(row["parameters"]),
                "start": json.loads(row["secret_start"]),
                "actions": row["secret_actions"],
                "result": result,
                "digest": row["digest"],
            }
            return Record.from_json(json.dumps(content))
        except (RecordError, TypeError, ValueError, RecursionError) as error:
            raise DatasetError(f"{self._games.file}: game {row['game']}: {error}") from None


def open_dataset(file: "Path | str") -> Dataset:
    """The dataset whose positions are in this file. Raises DatasetError, which says what is wrong with it."""
    return Dataset(Path(file))


class _Reader:
    """A table in a file, open only while it is read."""

    def __init__(self, file: Path, table: str) -> None:
        self.file = file
        Target.of(file)
        self._parquet = file.suffix == ".parquet"
        with explained(file):
            self.schema, self.rows = self._look()
        self.about = read_about(file, self.schema.metadata)
        if self.about.table != table:
            raise DatasetError(f"{file}: this is the table of {self.about.table}, expected the table of {table}")
        if table == GAMES and not self.schema.equals(pa.schema(GAME_FIELDS)):
            raise DatasetError(
                f"{file}: this is no table of games: expected the columns {', '.join(f.name for f in GAME_FIELDS)}"
            )

    def _look(self) -> tuple[Any, int]:
        """The schema and the number of rows."""
        if self._parquet:
            with pyarrow.parquet.ParquetFile(self.file) as source:
                return source.schema_arrow, source.metadata.num_rows
        with pa.OSFile(str(self.file)) as file:
            schema = pyarrow.ipc.open_file(file).schema
            smallest = pyarrow.ipc.IpcReadOptions(included_fields=[0])
            batches = pyarrow.ipc.open_file(file, options=smallest)
            return schema, sum(batches.get_batch(at).num_rows for at in range(batches.num_record_batches))

    def batches(self, names: list[str], rows: int) -> Iterator[Any]:
        """The record batches with these columns, of about so many rows or of those of the file. Raises DatasetError."""
        with explained(self.file):
            if self._parquet:
                with pyarrow.parquet.ParquetFile(self.file, page_checksum_verification=True) as source:
                    yield from source.iter_batches(rows, columns=names)
                return
            with pa.OSFile(str(self.file)) as file:
                source = self._arrow(file, names)
                for at in range(source.num_record_batches):
                    yield _valid(source.get_batch(at))

    def shuffled(self, names: list[str], seed: int) -> Iterator[Any]:
        """The groups of rows with these columns in random order, and their rows too. Raises DatasetError."""
        random = np.random.default_rng(seed)
        with explained(self.file), ExitStack() as stack:
            if self._parquet:
                whole = stack.enter_context(pyarrow.parquet.ParquetFile(self.file, page_checksum_verification=True))
                groups = whole.num_row_groups
            else:
                whole = self._arrow(stack.enter_context(pa.OSFile(str(self.file))), names)
                groups = whole.num_record_batches
            for at in random.permutation(groups).tolist():
                if self._parquet:
                    (group,) = whole.read_row_group(at, columns=names).combine_chunks().to_batches() or [None]
                else:
                    group = _valid(whole.get_batch(at))
                if group is not None:
                    yield group.take(pa.array(random.permutation(group.num_rows)))

    def _arrow(self, file: Any, names: list[str]) -> Any:
        """An open Arrow file, of which these columns are read."""
        places = sorted(self.schema.get_field_index(name) for name in names)
        return pyarrow.ipc.open_file(file, options=pyarrow.ipc.IpcReadOptions(included_fields=places))


def _valid(batch: Any) -> Any:
    """The batch, once Arrow has found no fault in it."""
    batch.validate(full=True)
    return batch


class _Rows:
    """Rows that are taken one after the other from record batches."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches
        self._waiting: list[Any] = []
        self._there = 0

    def take(self, rows: int, schema: Any) -> Any:
        """The next rows as a table, fewer where there are no more."""
        while self._there < rows and (batch := next(self._batches, None)) is not None:
            self._waiting.append(batch)
            self._there += batch.num_rows
        table = pa.Table.from_batches(self._waiting, None if self._waiting else schema)
        taken = table.slice(0, rows)
        self._waiting = table.slice(rows).to_batches()
        self._there -= taken.num_rows
        return taken


def _cut(batches: Iterable[Any], rows: int) -> Iterator[Any]:
    """The same rows in batches of so many, fewer at the end."""
    waiting: list[Any] = []
    there = 0
    for batch in batches:
        waiting.append(batch)
        there += batch.num_rows
        if there >= rows:
            whole = pa.concat_batches(waiting)
            cut = there - there % rows
            yield from (whole.slice(at, rows) for at in range(0, cut, rows))
            waiting, there = [whole.slice(cut)], there - cut
    if there:
        yield pa.concat_batches(waiting)


def _is_whole(column: Column, array: Any, game: Game) -> bool:
    """False where rows that have a value in every dataset have none, or too many or too few numbers."""
    if column.form not in (Form.SEATS, Form.NUMBERS):
        return not array.null_count and not (column.form is Form.LIST and array.flatten().null_count)
    lengths = np.diff(array.offsets.to_numpy())[array.is_valid().to_numpy(zero_copy_only=False)]
    return bool((lengths == _width(column, game)).all()) and not array.flatten().null_count


def _width(column: Column, game: Game) -> int:
    """How many numbers every row has."""
    return game.num_players() if column.form is Form.SEATS else len(game.features.layout.numbers)


def _as_numpy(column: Column, array: Any, game: Game) -> Any:
    """A column as NumPy has it, see `Dataset.batches`."""
    n = len(array)
    if column.form is Form.TEXT:
        return array.to_numpy(zero_copy_only=False)
    if column.form is Form.NUMBER:
        return array.to_numpy(zero_copy_only=False)
    if column.form in (Form.RAW, Form.PLANES):
        size = array.type.byte_width
        kept = bytearray(memoryview(array.buffers()[1])[array.offset * size : (array.offset + n) * size])
        if column.form is Form.RAW:
            return np.ndarray(n, game.dtype, kept)
        return np.ndarray((n, *game.features.layout.shape), np.uint8, kept)
    if column.form in (Form.SEATS, Form.NUMBERS):
        out = np.full((n, _width(column, game)), np.nan, np.float32)
        there = array.is_valid().to_numpy(zero_copy_only=False)
        out[there] = array.flatten().to_numpy(zero_copy_only=False).reshape(-1, out.shape[1])
        return out
    offsets = array.offsets.to_numpy().astype(np.int64)
    return Ragged(array.flatten().to_numpy(zero_copy_only=False), offsets - offsets[0])
