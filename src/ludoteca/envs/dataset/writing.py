"""Datasets written: games that are played for it, or records that are there."""

import atexit
import hashlib
import json
import os
import platform
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

from ludoteca.core.record import Record
from ludoteca.core.words import counted
from ludoteca.core.workers import cores
from ludoteca.envs.dataset.about import GAMES, POSITIONS, About, DatasetError, explained, features_of, layout_of
from ludoteca.envs.dataset.card import facts, markdown
from ludoteca.envs.dataset.columns import GAME_FIELDS, position_fields
from ludoteca.envs.dataset.tracing import Plan
from ludoteca.envs.dataset.workers import Job, in_order

SUFFIXES: Final = (".parquet", ".arrow", ".feather")
"""Parquet; and Arrow's file format, which `feather` is another name for."""
GROUP_BYTES: Final = 32 << 20
"""A row group, or a record batch, is written when its rows have about so many bytes."""
USUAL_BYTES: Final = 100
"""The bytes that a value of most columns has, about."""
LICENCE: Final = "not stated"

Watch = Callable[[int, int], None]
"""Is told, after every game, how many games and positions are written."""


class Made(NamedTuple):
    """What was written."""

    games: int
    positions: int
    seconds: float


class Target(NamedTuple):
    """The files of a dataset: `NAME.parquet`, `NAME.games.parquet` and `NAME.parquet.md`, or with `.arrow` or `.feather`."""

    positions: Path
    games: Path
    card: Path

    @classmethod
    def of(cls, file: Path) -> "Target":
        """The files beside the one with the positions. Raises DatasetError for a name of another kind."""
        if file.suffix not in SUFFIXES:
            raise DatasetError(f"{file}: expected a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
        return cls(file, file.with_suffix(f".games{file.suffix}"), file.with_name(f"{file.name}.md"))


def make(
    plan: Plan,
    file: Path | str,
    *,
    games: int | None = None,
    positions: int | None = None,
    processes: int | None = None,
    licence: str = LICENCE,
    watch: Watch | None = None,
) -> Made:
    """Play games and write them: so many, or as many as have so many positions; each game is written whole.

    The same plan and numbers give the same files, byte for byte, with any number of processes; only the card tells when and
    where they were made. Raises DatasetError; then nothing is written.
    """
    wanted = {"games": games, "positions": positions}
    asked = [(name, number) for name, number in wanted.items() if number is not None]
    if len(asked) != 1 or asked[0][1] < 1:
        read = " and ".join(f"{number} {name}" for name, number in asked) or "nothing"
        raise DatasetError(f"how many: read {read}, expected a number of games or of positions, from 1")
    (name, number), game = asked[0], plan.game
    chosen = [word for item in game.parameters.items() for word in (f"--{item[0]}", str(item[1]))]
    command = ["ludoteca", "dataset", "make", game.name, *chosen, f"--{name}", str(number), "--play", plan.play]
    search = ["--search", str(plan.search)] if plan.search else []
    made = {
        "command": shlex.join([*command, *search, "--seed", str(plan.seed), *_column_words(plan)]),
        "games played": f"here, actions chosen by {plan.play}; seed {plan.seed}",
    }
    jobs = (Job(at) for at in (range(games) if games else count()))
    return _write(plan, Path(file), jobs, made | _search_words(plan) | {"licence": licence}, positions, processes, watch)


def convert(
    plan: Plan,
    records: Sequence[Record],
    file: Path | str,
    *,
    names: Sequence[str] | None = None,
    processes: int | None = None,
    licence: str = LICENCE,
    watch: Watch | None = None,
) -> Made:
    """Write records, all of the plan's game; they are played again, and searched if the plan says so.

    `names` are what errors call them. Raises DatasetError; then nothing is written.
    """
    called = names or [f"record {number}" for number in range(1, len(records) + 1)]
    if not records:
        raise DatasetError("there are no records: expected one or more")
    game = plan.game
    for name, record in zip(called, records, strict=True):
        if (record.game, record.parameters) != (game.name, game.parameters):
            raise DatasetError(
                f"{name}: the record is of {record.game} with {record.parameters}, expected {game.name} with "
                f"{game.parameters}: a dataset is of one game with the same parameters"
            )
    options = ["--search", str(plan.search), "--seed", str(plan.seed)] if plan.search else []
    digest = hashlib.sha256("".join(record.digest for record in records).encode()).hexdigest()
    made = {
        "command": shlex.join(["ludoteca", "dataset", "from", "RECORDS", *options, *_column_words(plan)]),
        "games played": f"before, and kept as {counted(len(records), 'record')}; the SHA-256 of their digests is {digest}",
    }
    jobs = (Job(at, *named) for at, named in enumerate(zip(called, records, strict=True)))
    return _write(plan, Path(file), jobs, made | _search_words(plan) | {"licence": licence}, None, processes, watch)


def _column_words(plan: Plan) -> list[str]:
    return [] if plan.columns is None else ["--columns", ",".join(plan.columns)]


def _search_words(plan: Plan) -> dict[str, str]:
    """How positions were searched."""
    if not plan.search:
        return {"search": "none"}
    kind = (
        "Monte Carlo tree search (UCT)" if plan.game.spec.perfect_information else "information-set Monte Carlo tree search"
    )
    return {
        "search": f"{kind}, {counted(plan.search, 'simulation')} a position, each from scratch with what the player to move "
        f"knows; the game's own heuristics and settings; seed {plan.seed}"
    }


def _write(
    plan: Plan, file: Path, jobs: Iterable[Job], made: dict[str, str], most: int | None, processes: int | None,
    watch: Watch | None,
) -> Made:  # fmt: skip
    """Write the games of the jobs until there are `most` positions."""
    begin, game, target = time.perf_counter(), plan.game, Target.of(file)
    about = About(
        game=game.name,
        rules=game.spec.rules_version,
        parameters=game.parameters,
        layout=layout_of(game),
        features=features_of(game),
        ludoteca=version("ludoteca"),
        made=made,
    )
    fields, games, positions = position_fields(plan.game, plan.chosen()), 0, 0
    number = processes or cores()
    with _drafts(target) as files, ExitStack() as stack:
        rows = stack.enter_context(_table(files[0], file, pa.schema(fields, about.metadata(POSITIONS))))
        records = stack.enter_context(_table(files[1], file, pa.schema(GAME_FIELDS, about.metadata(GAMES))))
        traced = in_order(plan, jobs, number)
        stack.callback(traced.close)
        for one in traced:
            rows.add(one.rows)
            records.add(_row_of(games, one.record))
            games, positions = games + 1, positions + one.rows.num_rows
            if watch:
                watch(games, positions)
            if most is not None and positions >= most:
                break
        rows.end()
        records.end()
        seconds = time.perf_counter() - begin
        known = facts(about, f"{games:,}", f"{positions:,}") | {
            "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, in {seconds:.0f} s",
            "machine": f"{platform.system()} {platform.machine()}, {counted(number, 'process', 'processes')}, "
            f"Python {platform.python_version()}, pyarrow {pa.__version__}",
        }
        files[2].write(markdown(about, file.name, known, fields).encode())
    return Made(games, positions, seconds)


def _row_of(number: int, record: Record) -> Any:
    """A record as a row of the table of games."""
    content = msgspec.to_builtins(record)
    result = content["result"] or {"returns": None, "scores": None}
    values = {
        "game": number,
        "version": record.version,
        "name": record.game,
        "rules": record.rules,
        "parameters": json.dumps(record.parameters, ensure_ascii=False),
        "secret_start": json.dumps(content["start"], ensure_ascii=False),
        "secret_actions": record.actions,
        "returns": result["returns"],
        "scores": result["scores"],
        "digest": record.digest,
    }
    return pa.RecordBatch.from_pylist([values], pa.schema(GAME_FIELDS))


@contextmanager
def _drafts(target: Target) -> Iterator[list[BinaryIO]]:
    """Open files beside the three of the target, which take their places once the block has ended, or go away.

    Raises DatasetError where one is there already, or cannot be written.
    """
    drafts = [path.with_name(f".{path.name}-{os.getpid()}.draft") for path in target]

    def remove() -> None:
        for draft in drafts:
            with suppress(OSError):  # it was not begun, or has its own name already
                draft.unlink()

    for path in target:
        if os.path.lexists(path):
            raise DatasetError(f"{path}: there is such a file already, and nothing is written over")
    atexit.register(remove)  # at a signal
    try:
        with explained(target.positions):
            with ExitStack() as stack:
                files: list[BinaryIO] = [stack.enter_context(draft.open("xb")) for draft in drafts]
                yield files
                for file in files:
                    file.flush()
                    os.fsync(file.fileno())
            for path, draft in reversed(list(zip(target, drafts, strict=True))):  # the one that users name comes last
                draft.replace(path)
    finally:
        remove()
        atexit.unregister(remove)


class _Table:
    """A table that is written in groups of rows, whose borders depend on the rows alone."""

    def __init__(self, writer: Any, schema: Any) -> None:
        self._writer = writer
        self._schema = schema
        self._waiting: list[Any] = []
        self._there = 0
        self._most = 1 + GROUP_BYTES // sum(_width(field.type) for field in schema)

    def add(self, rows: Any) -> None:
        """Write a record batch, now or later."""
        if rows.num_rows:
            self._waiting.append(rows)
            self._there += rows.num_rows
        if self._there >= self._most:
            self.end()

    def end(self) -> None:
        """Write what is left."""
        if self._waiting:
            table = pa.Table.from_batches(self._waiting).replace_schema_metadata(self._schema.metadata)
            table = table.combine_chunks()
            self._writer.write_table(table)
        self._waiting, self._there = [], 0


def _width(kind: Any) -> int:
    """About so many bytes a value has in memory."""
    return int(kind.byte_width) if pa.types.is_fixed_size_binary(kind) else USUAL_BYTES


@contextmanager
def _table(file: BinaryIO, named: Path, schema: Any) -> Iterator[_Table]:
    """A table in an open file, of the kind that the name says."""
    if named.suffix == ".parquet":
        plain = [field.name for field in schema if not pa.types.is_fixed_size_binary(field.type)]
        numbers = [field.name for field in schema if pa.types.is_integer(field.type)]
        writer = pyarrow.parquet.ParquetWriter(
            file,
            schema,
            compression="zstd",
            use_dictionary=plain,
            write_statistics=numbers,
            write_page_checksum=True,
        )
    else:
        writer = pyarrow.ipc.new_file(file, schema, options=pyarrow.ipc.IpcWriteOptions(compression="zstd"))
    with writer:
        yield _Table(writer, schema)
