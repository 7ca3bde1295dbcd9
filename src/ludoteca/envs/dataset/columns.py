"""The columns of both tables: types, meanings, and the values of a position."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import pyarrow as pa

from ludoteca.core.contract import Integers
from ludoteca.core.features import Observation
from ludoteca.core.game import Game, State
from ludoteca.core.position import Position
from ludoteca.core.record import Record
from ludoteca.envs.dataset.description import DatasetError, features_of
from ludoteca.search.findings import Findings, RootMove

SECRET: Final = "secret_"  # noqa: S105  # no password
"""The prefix of columns with knowledge that is hidden from some players."""
ROW_KEYS: Final = ("game", "ply")
"""The columns that identify a row. They are always written."""


@dataclass
class Moment:
    """A position of a game with the action that was played, and the findings of a search."""

    number: int
    """The number of the game."""
    state: State
    action: int
    findings: Findings | None

    @cached_property
    def player(self) -> int:
        return self.state.current_player()

    @cached_property
    def view(self) -> Position:
        return self.state.view(self.player)

    @cached_property
    def legal(self) -> Integers:
        return self.state.position.legal_actions()

    @cached_property
    def observation(self) -> Observation:
        return self.state.game.features.observe(self.view, self.player)

    @property
    def found(self) -> Findings:
        """The findings, for columns that are written only if there was a search."""
        assert self.findings
        return self.findings

    @cached_property
    def choices(self) -> list[RootMove | None]:
        """The finding for each legal action. None if the search never tried the action."""
        found = {choice.action: choice for choice in self.found.choices}
        return [found.get(action) for action in self.legal.tolist()]

    def values(self) -> list[float]:
        """Return the player's mean return for each legal action. It is NaN if the search never tried the action."""
        return [choice.values[self.player] if choice and choice.visits else float("nan") for choice in self.choices]


@dataclass(frozen=True)
class Column:
    """A column of the table of positions."""

    name: str
    arrow_type: Callable[[Game], Any]
    """Returns the column's type in Arrow, or None if the game has no such column."""
    meaning: str
    value: Callable[[Moment], Any] | None
    """Returns the value of a row. None for `returns`, which are known when the game is over."""
    searched: bool = False
    """True for findings of a search."""
    on_request: bool = False
    """True if the column is written only if its name is given."""

    @property
    def secret(self) -> bool:
        return self.name.startswith(SECRET)


def field(name: str, kind: Any, meaning: str) -> Any:
    """Return a field of a schema, with its meaning in the metadata."""
    return pa.field(name, kind, metadata={"meaning": meaning, "secret": str(name.startswith(SECRET)).lower()})


def _all(kind: Any) -> Callable[[Game], Any]:
    """Return the type of a column that is the same for all games."""
    return lambda _: kind


def _raw(game: Game) -> Any:
    return pa.binary(game.dtype.itemsize)


def _numbered(kind: Any) -> Callable[[Game], Any]:
    """Return the type of a column for games whose actions have numbers."""
    return lambda game: kind if features_of(game).actions else None


def _planes(game: Game) -> Any:
    return pa.binary(cells) if (cells := features_of(game).cells) else None


def _numbers(game: Game) -> Any:
    return pa.list_(pa.float32(), count) if (count := len(features_of(game).numbers)) else None


def _seats(game: Game) -> Any:
    return pa.list_(pa.float32(), game.num_players())


COLUMNS: Final = (
    Column("game", _all(pa.int64()), "the number of the game, from 0", lambda m: m.number),
    Column("ply", _all(pa.int32()), "the number of actions before", lambda m: len(m.state.history())),
    Column("player", _all(pa.int8()), "the player to move, from 0", lambda m: m.player),
    Column("view", _raw, "the position as the player to move knows it, in bytes. Hidden parts are zero",
           lambda m: m.view.tobytes()),
    Column("view_text", _all(pa.string()), "the view in the game's notation",
           lambda m: str(m.state.game.notation.position_to_string(m.view.raw))),
    Column("seen", _all(pa.list_(pa.int64())), "all earlier actions as the player to move saw them",
           lambda m: m.state.seen_actions(m.player)),
    Column("legal", _all(pa.list_(pa.int64())), "the legal actions, sorted", lambda m: m.legal),
    Column("action", _all(pa.int64()), "the action that was played", lambda m: m.action),
    Column("legal_numbers", _numbered(pa.list_(pa.int32())), "the learners' number of each legal action, -1 if it has none",
           lambda m: [m.state.encode_action(action) for action in m.legal.tolist()]),
    Column("number", _numbered(pa.int32()), "the learners' number of the action that was played, -1 if it has none",
           lambda m: m.state.encode_action(m.action)),
    Column("observed_planes", _planes, "the planes of the observation of the player to move, in bytes",
           lambda m: m.observation.planes.tobytes(), on_request=True),
    Column("observed_numbers", _numbers, "the numbers of the observation of the player to move",
           lambda m: m.observation.numbers, on_request=True),
    Column("returns", _seats, "the final return of each player, null if the game was not finished", None),
    Column("visits", _all(pa.list_(pa.int32())), "the search's visits of each legal action",
           lambda m: [choice.visits if choice else 0 for choice in m.choices], searched=True),
    Column("values", _all(pa.list_(pa.float32())), "the mean return of the player to move after each legal action, "
           "NaN without visits", lambda m: m.values(), searched=True),
    Column("solved", _all(pa.list_(pa.bool_())), "for each legal action, whether its value is certain",
           lambda m: [choice is not None and choice.solved for choice in m.choices], searched=True),
    Column("search_returns", _seats, "the mean return of each player in the search",
           lambda m: m.found.values, searched=True),
    Column("simulations", _all(pa.int32()), "the number of simulations, smaller than asked for if the search solved the "
           "position", lambda m: m.found.simulations, searched=True),
    Column("secret_position", _raw, "the whole position, in bytes", lambda m: m.state.position.tobytes()),
    Column("secret_text", _all(pa.string()), "the whole position in the game's notation", lambda m: str(m.state)),
)  # fmt: skip
"""The columns of the table of positions, in order."""

GAME_SCHEMA: Final = pa.schema(
    [
        field("game", pa.int64(), "the number of the game, from 0"),
        field("returns", pa.list_(pa.float64()), "the final return of each player, null if the game was not finished"),
        field("scores", pa.list_(pa.int64()), "the final points of each player, null if the game was not finished"),
        field("secret_record", pa.string(), "the text of the record file: start, all actions and digest"),
    ]
)
"""The table of games."""


def game_row(number: int, record: Record) -> Any:
    """Return a row of the table of games, a record batch."""
    result = {"returns": record.result.returns, "scores": record.result.scores} if record.result else {}
    return pa.RecordBatch.from_pylist([{"game": number, "secret_record": record.to_json(), **result}], GAME_SCHEMA)


def chosen_columns(game: Game, names: Iterable[str] | None, *, searched: bool) -> list[Column]:
    """Return the columns with these names and `ROW_KEYS`, in the order of COLUMNS. Raises DatasetError.

    Without names, all columns are returned that the game has, except those on request. In games without hidden
    information, the secret columns are left out too, because they equal the view.
    """
    known = {column.name: column for column in COLUMNS if column.arrow_type(game)}
    if names is None:
        plain = [column for column in known.values() if not column.on_request and (searched or not column.searched)]
        return [column for column in plain if not (column.secret and game.spec.perfect_information)]
    for name in names:
        if name not in known:
            raise DatasetError(f"column: read {name!r}, expected one of {', '.join(known)}")
        if known[name].searched and not searched:
            raise DatasetError(f"column: {name} is a finding of the search, and no search was asked for")
    wanted = {*names, *ROW_KEYS}
    return [column for column in known.values() if column.name in wanted]


def position_schema(game: Game, columns: Iterable[Column]) -> Any:
    """Return the schema of the table of positions.

    Lists of one size are stored as lists of any size, because pyarrow 19 cannot store missing ones otherwise.
    """
    kinds = [(column, column.arrow_type(game)) for column in columns]
    return pa.schema(
        [
            field(column.name, pa.list_(kind.value_type) if pa.types.is_fixed_size_list(kind) else kind, column.meaning)
            for column, kind in kinds
        ]
    )
