"""The columns of both tables: their types, what they mean, and how each is read off a game."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa

from ludoteca.core.contract import Integers
from ludoteca.core.features import Observation
from ludoteca.core.game import Game, State
from ludoteca.core.position import Position
from ludoteca.envs.dataset.about import DatasetError, features_of
from ludoteca.search.findings import Findings, RootMove

SECRET: Final = "secret_"  # noqa: S105  # no password
"""The names of columns begin so that tell what some seat may not know."""


class Moment:
    """A position of a game in which an action was played, and what a search found there."""

    def __init__(self, number: int, state: State, action: int, findings: Findings | None) -> None:
        self.number = number
        self.state = state
        self.action = action
        self._findings = findings
        self.player = state.current_player()

    @cached_property
    def view(self) -> Position:
        """What the mover knows."""
        return self.state.view(self.player)

    @cached_property
    def legal(self) -> Integers:
        """The legal actions, sorted."""
        return self.state.position.legal_actions()

    @cached_property
    def observation(self) -> Observation:
        """What the mover sees, as numbers."""
        return self.state.game.features.observe(self.view, self.player)

    def numbers(self) -> list[int]:
        """The learners' numbers of the legal actions."""
        return [self.state.encode_action(action) for action in self.legal.tolist()]

    @property
    def findings(self) -> Findings:
        """What the search found; there was one wherever a column wants that."""
        assert self._findings
        return self._findings

    @cached_property
    def _choices(self) -> dict[int, RootMove]:
        return {choice.action: choice for choice in self.findings.choices}

    def visits(self) -> list[int]:
        """For each legal action, how often it was tried."""
        return [self._choices[action].visits if action in self._choices else 0 for action in self.legal.tolist()]

    def values(self) -> list[float]:
        """For each legal action, the mover's mean return; not a number where it was not tried."""
        return [
            choice.values[self.player] if (choice := self._choices.get(action)) and choice.visits else float("nan")
            for action in self.legal.tolist()
        ]

    def solved(self) -> list[bool]:
        """For each legal action, whether its value is that of best play."""
        return [action in self._choices and self._choices[action].solved for action in self.legal.tolist()]


class Form(Enum):
    """The type of a column, here and as NumPy has it when it is read."""

    NUMBER = "number"
    TEXT = "text"
    RAW = "raw position"
    """Bytes of the rules' layout; read as one array of the game's dtype."""
    LIST = "list"
    """As many numbers as there are; read as `Ragged`."""
    PLANES = "planes"
    """Bytes; read as an array (rows, planes, rows of a plane, columns) of uint8."""
    NUMBERS = "as many numbers in every row"
    """Read as an array (rows, numbers)."""
    SEATS = "a number for each player"
    """Read as an array (rows, players); not a number in all of a row that has none."""


def always(game: Game) -> int:  # noqa: ARG001  # what `Column.needs` takes
    """Every game has it."""
    return 1


def actions(game: Game) -> int:
    """How many numbers actions have."""
    seen = features_of(game)
    return seen.actions if seen else 0


def cells(game: Game) -> int:
    """The bytes of the planes of an observation."""
    seen = features_of(game)
    return len(seen.planes) * seen.rows * seen.columns if seen else 0


def numbers(game: Game) -> int:
    """The numbers of an observation beside its planes."""
    seen = features_of(game)
    return len(seen.numbers) if seen else 0


@dataclass(frozen=True)
class Column:
    """A column of the table of positions."""

    name: str
    form: Form
    type: Any
    """Arrow's type of a value or, in lists, of one of them."""
    meaning: str
    value: Callable[[Moment], Any] | None
    """What a moment has there; None for what is known only when the game is over."""
    searched: bool = False
    """True for what only a search can tell."""
    needs: Callable[[Game], int] = always
    """0 where the game has nothing of the kind."""
    on_request: bool = False
    """True for what is written only if it is asked for."""

    @property
    def secret(self) -> bool:
        """True for what some seat may not know."""
        return self.name.startswith(SECRET)

    def arrow_type(self, game: Game) -> Any:
        """The type of the column in Arrow."""
        if self.form is Form.RAW:
            return pa.binary(game.dtype.itemsize)
        if self.form is Form.PLANES:
            return pa.binary(cells(game))
        return pa.list_(self.type) if self.form in (Form.LIST, Form.NUMBERS, Form.SEATS) else self.type

    @property
    def of_features(self) -> bool:
        """True for what the game's features settle, which may change while its rules stay."""
        return self.needs is not always


COLUMNS: Final = (
    Column("game", Form.NUMBER, pa.int64(), "the game: its place in the table of games, from 0", lambda m: m.number),
    Column("ply", Form.NUMBER, pa.int32(), "how many actions were played before", lambda m: len(m.state.history())),
    Column("player", Form.NUMBER, pa.int8(), "the player to move, from 0", lambda m: m.player),
    Column("view", Form.RAW, None, "what the player to move knows of the position, all else zero: bytes in the layout that "
           "the metadata describe", lambda m: m.view.tobytes()),
    Column("view_text", Form.TEXT, pa.string(), "the same in the game's notation",
           lambda m: str(m.state.game.notation.position_to_string(m.view.raw))),
    Column("seen", Form.LIST, pa.int64(), "all actions so far, as the player to move has seen them",
           lambda m: m.state.seen_actions(m.player)),
    Column("legal", Form.LIST, pa.int64(), "the legal actions, ascending", lambda m: m.legal),
    Column("action", Form.NUMBER, pa.int64(), "the action that was played", lambda m: m.action),
    Column("legal_numbers", Form.LIST, pa.int32(), "for each legal action, the learners' number for it, -1 where there is "
           "none", lambda m: m.numbers(), needs=actions),
    Column("number", Form.NUMBER, pa.int32(), "the learners' number of the action that was played; -1 if it has none",
           lambda m: m.state.encode_action(m.action), needs=actions),
    Column("observed_planes", Form.PLANES, None, "what the player to move sees, as planes of bytes",
           lambda m: m.observation.planes.tobytes(), needs=cells, on_request=True),
    Column("observed_numbers", Form.NUMBERS, pa.float32(), "what the player to move sees beside the planes",
           lambda m: m.observation.numbers, needs=numbers, on_request=True),
    Column("returns", Form.SEATS, pa.float32(), "how the game ended, a number for each player; none if it was not finished",
           None),
    Column("visits", Form.LIST, pa.int32(), "for each legal action, how often the search tried it",
           lambda m: m.visits(), searched=True),
    Column("values", Form.LIST, pa.float32(), "for each legal action, the mean return of the player to move after it; not a "
           "number where it was never tried", lambda m: m.values(), searched=True),
    Column("solved", Form.LIST, pa.bool_(), "for each legal action, whether that value is certain", lambda m: m.solved(),
           searched=True),
    Column("search_returns", Form.SEATS, pa.float32(), "the mean returns that the search found, a number for each player",
           lambda m: m.findings.values, searched=True),
    Column("simulations", Form.NUMBER, pa.int32(), "how many simulations the search ran, fewer than asked where it found "
           "all out", lambda m: m.findings.simulations, searched=True),
    Column("secret_position", Form.RAW, None, "the whole position, in the layout that the metadata describe",
           lambda m: m.state.position.tobytes()),
    Column("secret_text", Form.TEXT, pa.string(), "the whole position in the game's notation", lambda m: str(m.state)),
)  # fmt: skip
"""The columns of the table of positions, in order."""

ALWAYS: Final = ("game", "ply")
"""The columns without which a row could not be told from others."""


def find_columns(names: Iterable[str], known: Iterable[Column] = COLUMNS) -> list[Column]:
    """The columns of these names, in the order of the names. Raises DatasetError, which lists those there are."""
    by_name = {column.name: column for column in known}
    found = dict[str, Column]()
    for name in names:
        if name not in by_name:
            raise DatasetError(f"column: read {name!r}, expected one of {', '.join(by_name)}")
        found[name] = by_name[name]
    return list(found.values())


def chosen_columns(game: Game, names: Iterable[str] | None, *, searched: bool) -> list[Column]:
    """The columns to write, in the order of COLUMNS: those named, or all that tell something new.

    Where nothing is hidden the view is the whole position, and no column is a secret. Raises DatasetError.
    """
    if names is None:
        return [
            column
            for column in COLUMNS
            if (searched or not column.searched)
            and not column.on_request
            and not (column.secret and game.spec.perfect_information)
            and column.needs(game)
        ]
    wanted = {column.name for column in find_columns(names)}.union(ALWAYS)
    found = [column for column in COLUMNS if column.name in wanted]
    lacking = [column.name for column in found if column.searched]
    if lacking and not searched:
        raise DatasetError(f"column: {lacking[0]} is what a search finds, and no search was asked for")
    for column in found:
        if not column.needs(game):
            raise DatasetError(f"column: {game.name} has no {column.name}")
    return found


def position_fields(game: Game, columns: Iterable[Column]) -> list[Any]:
    """The fields of the table of positions, with their meaning as metadata."""
    return [
        pa.field(
            column.name, column.arrow_type(game), metadata={"meaning": column.meaning, "secret": str(column.secret).lower()}
        )
        for column in columns
    ]


def _game_field(name: str, kind: Any, meaning: str) -> Any:
    return pa.field(name, kind, metadata={"meaning": meaning, "secret": str(name.startswith(SECRET)).lower()})


GAME_FIELDS: Final = (
    _game_field("game", pa.int64(), "the game's number, from 0"),
    _game_field("version", pa.int32(), "the version of the record's format"),
    _game_field("name", pa.string(), "the game's name, which the record has under `game`"),
    _game_field("rules", pa.int32(), "the version of the rules"),
    _game_field("parameters", pa.string(), "the parameters, in JSON"),
    _game_field("secret_start", pa.string(), "the seed or the position of the start, in JSON"),
    _game_field("secret_actions", pa.list_(pa.string()), "every action in the game's notation"),
    _game_field("returns", pa.list_(pa.float64()), "a number for each player; none if the game was not finished"),
    _game_field("scores", pa.list_(pa.int64()), "the points of the game's own rules, in the same way"),
    _game_field("digest", pa.string(), "the record's seal"),
)
"""The fields of the table of games: those of a record, one by one (docs/records.md)."""


def array_of(column: Column, values: list[Any], game: Game) -> Any:
    """A column of Arrow."""
    if column.form is Form.LIST and values and isinstance(values[0], np.ndarray):
        offsets = np.cumsum([0, *map(len, values)], dtype=np.int32)
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(np.concatenate(values), column.type))
    return pa.array(values, column.arrow_type(game))
