"""The columns of both tables: types, meanings, and the values of a position."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec

from ludoteca.core.errors import LudotecaError, MissingExtraError
from ludoteca.core.features import FeatureLayout, Observation
from ludoteca.core.game import Game, State
from ludoteca.search.findings import Findings

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("pyarrow", "dataset") from None

POSITIONS: Final = "positions"
GAMES: Final = "games"
"""The two tables. Each is a folder of Parquet files in the folder of the dataset."""
SECRET: Final = "secret_"  # noqa: S105  # no password
"""The prefix of columns with knowledge that is hidden from some players."""
ROW_KEYS: Final = ("game", "ply")
"""The columns that identify a row. They are always written."""


class DatasetError(LudotecaError):
    """A dataset cannot be written or read. The message says why."""


@contextmanager
def explained(source: object) -> Iterator[None]:
    """Raise an error of the system or of Arrow as a DatasetError in one line, which begins with the source."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        number = error.errno if isinstance(error, OSError) else None
        why = os.strerror(number) if number else str(error).strip().partition("\n")[0]
        raise DatasetError(f"{source}: {why}") from None


class Moment:
    """A position of a game with the action that was played, and the findings of a search."""

    def __init__(self, number: int, state: State, action: int, findings: Findings | None) -> None:
        self.number = number
        self.state = state
        self.action = action
        self.player = state.current_player()
        self.view = state.view(self.player)
        self.legal: list[int] = state.position.legal_actions().tolist()
        self.found: Any = findings
        tried = {choice.action: choice for choice in findings.choices} if findings else {}
        self.choices = [tried.get(action) for action in self.legal]
        """The finding for each legal action. None if the search never tried the action."""

    @cached_property
    def observation(self) -> Observation:
        return self.state.game.features.observe(self.view, self.player)

    def values(self) -> list[float]:
        """Return the player's mean return for each legal action. It is NaN if the search never tried the action."""
        return [choice.values[self.player] if choice and choice.visits else float("nan") for choice in self.choices]


class Column(NamedTuple):
    """A column of the table of positions."""

    name: str
    kind: Any
    """The type in Arrow."""
    meaning: str
    value: Callable[[Moment], Any] | None = None
    """Returns the value of a row. None for values that are known when the game is over."""
    searched: bool = False
    """True for findings of a search."""
    on_request: bool = False
    """True if the column is written only if its name is given."""


def features_of(game: Game) -> FeatureLayout:
    """Return the layout of the game's observations. It is empty for a game without features."""
    return game.features.layout if game.spec.has("features") else FeatureLayout((), 0, 0, (), 0)


def columns_of(game: Game) -> list[Column]:
    """Return all columns that a table of positions of this game can have, in order."""
    layout = features_of(game)
    raw, seats = pa.binary(game.dtype.itemsize), pa.list_(pa.float32(), game.num_players())
    planes, numbers = pa.binary(layout.cells), pa.list_(pa.float32(), len(layout.numbers))
    columns = (
        Column("game", pa.int64(), "the number of the game, from 0", lambda m: m.number),
        Column("ply", pa.int32(), "the number of actions before", lambda m: len(m.state.history())),
        Column("player", pa.int8(), "the player to move, from 0", lambda m: m.player),
        Column("view", raw, "the position as the player to move knows it, in bytes. Hidden parts are zero",
               lambda m: m.view.tobytes()),
        Column("view_text", pa.string(), "the view in the game's notation",
               lambda m: str(m.state.game.notation.position_to_string(m.view.raw))),
        Column("seen", pa.list_(pa.int64()), "all earlier actions as the player to move saw them",
               lambda m: m.state.seen_actions(m.player)),
        Column("legal", pa.list_(pa.int64()), "the legal actions, sorted", lambda m: m.legal),
        Column("action", pa.int64(), "the action that was played", lambda m: m.action),
        Column("legal_numbers", pa.list_(pa.int32()), "the learners' number of each legal action, -1 if it has none",
               lambda m: [m.state.encode_action(action) for action in m.legal]),
        Column("number", pa.int32(), "the learners' number of the action that was played, -1 if it has none",
               lambda m: m.state.encode_action(m.action)),
        Column("observed_planes", planes, "the planes of the observation of the player to move, in bytes",
               lambda m: m.observation.planes.tobytes(), on_request=True),
        Column("observed_numbers", numbers, "the numbers of the observation of the player to move",
               lambda m: m.observation.numbers, on_request=True),
        Column("returns", seats, "the final return of each player, null if the game was not finished"),
        Column("visits", pa.list_(pa.int32()), "the search's visits of each legal action",
               lambda m: [choice.visits if choice else 0 for choice in m.choices], searched=True),
        Column("values", pa.list_(pa.float32()), "the mean return of the player to move after each legal action, "
               "NaN without visits", lambda m: m.values(), searched=True),
        Column("solved", pa.list_(pa.bool_()), "for each legal action, whether its value is certain",
               lambda m: [choice is not None and choice.solved for choice in m.choices], searched=True),
        Column("search_returns", seats, "the mean return of each player in the search",
               lambda m: m.found.values, searched=True),
        Column("simulations", pa.int32(), "the number of simulations, smaller than asked for if the search solved the "
               "position", lambda m: m.found.simulations, searched=True),
        Column("secret_position", raw, "the whole position, in bytes", lambda m: m.state.position.tobytes()),
        Column("secret_text", pa.string(), "the whole position in the game's notation", lambda m: str(m.state)),
    )  # fmt: skip
    counts = {"observed_planes": layout.cells, "observed_numbers": len(layout.numbers)}
    counts |= dict.fromkeys(("legal_numbers", "number"), layout.actions)
    return [column for column in columns if counts.get(column.name, 1)]


def chosen_columns(game: Game, names: Iterable[str] | None, *, searched: bool) -> list[Column]:
    """Return the columns with these names and `ROW_KEYS`, in the order of `columns_of`.

    Without names, return all columns of the game, except those that are written only on request. In games without hidden
    information the secret columns are left out as well, because they equal the view. Raises DatasetError if the game has no
    column of a name, or if a column contains findings of a search although `searched` is False.
    """
    known = {column.name: column for column in columns_of(game)}
    if names is None:
        plain = [column for column in known.values() if not column.on_request and (searched or not column.searched)]
        return [column for column in plain if not (column.name.startswith(SECRET) and game.spec.perfect_information)]
    for name in names:
        if name not in known:
            raise DatasetError(f"column: read {name!r}, expected one of {', '.join(known)}")
        if known[name].searched and not searched:
            raise DatasetError(f"column: {name} is a finding of the search, and no search was asked for")
    wanted = {*names, *ROW_KEYS}
    return [column for column in known.values() if column.name in wanted]


def schema_of(columns: Iterable[Column]) -> Any:
    """Return the schema of a table with these columns. The metadata of each field have its meaning.

    Lists of one size are stored as lists of any size, because pyarrow 19 cannot store missing ones otherwise.
    """
    kinds = ((of, pa.list_(of.kind.value_type) if pa.types.is_fixed_size_list(of.kind) else of.kind) for of in columns)
    return pa.schema([pa.field(column.name, kind, metadata={"meaning": column.meaning}) for column, kind in kinds])


GAME_SCHEMA: Final = schema_of(
    [
        Column("game", pa.int64(), "the number of the game, from 0"),
        Column("returns", pa.list_(pa.float64()), "the final return of each player, null if the game was not finished"),
        Column("scores", pa.list_(pa.int64()), "the final points of each player, null if the game was not finished"),
        Column("secret_record", pa.string(), "the text of the record file: start, all actions and digest"),
    ]
)
"""The table of games."""


def facts_of(game: Game) -> dict[str, str]:
    """Return the facts on which the bytes of positions and the action numbers depend. Both schemas have them as
    metadata, so that a reader can check them.
    """
    return {
        "game": game.name,
        "rules": str(game.spec.rules_version),
        "parameters": msgspec.json.encode(game.parameters).decode(),
        "layout": msgspec.json.encode(game.dtype.descr).decode(),
        "features": msgspec.json.encode(features_of(game)).decode(),
    }
