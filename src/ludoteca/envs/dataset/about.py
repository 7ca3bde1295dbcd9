"""What a file of a dataset says of itself, in the metadata of its schema: what it holds, and how it was made."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from ludoteca.core.errors import LudotecaError, MissingExtraError
from ludoteca.core.game import Game
from ludoteca.core.words import quoted

KEY: Final = b"ludoteca"
"""Under this key the metadata hold an `About`, in JSON."""
FORMAT: Final = "ludoteca-dataset"
VERSION: Final = 1
POSITIONS: Final = "positions"
GAMES: Final = "games"


class DatasetError(LudotecaError):
    """A dataset that cannot be written or read; the message says why."""


try:
    import pyarrow
except ImportError:
    raise MissingExtraError("pyarrow", "dataset") from None


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field of a raw position: NumPy's name of its type, and its shape."""

    name: str
    type: str
    shape: list[int]


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What observations consist of, and how many actions have numbers: a `core.features.FeatureLayout`."""

    planes: list[str]
    rows: int
    columns: int
    numbers: list[str]
    actions: int


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What both files of a dataset say of themselves. Two files that say the same but for `table` belong together."""

    format: str = FORMAT
    version: int = VERSION
    table: str = POSITIONS
    """POSITIONS or GAMES."""
    game: str
    rules: int
    """The version of the game's rules."""
    parameters: dict[str, Any]
    layout: list[Layout]
    """The fields of a raw position, packed, in the order in which they lie in its bytes."""
    features: Seen | None
    """None for a game that has no features."""
    ludoteca: str
    """The version of Ludoteca that wrote the file."""
    made: dict[str, str]
    """How it was made, in words: the command, the seed, who chose the actions, the search."""

    def metadata(self, table: str) -> dict[bytes, bytes]:
        """The metadata of one of the two tables."""
        return {KEY: msgspec.json.encode(msgspec.structs.replace(self, table=table))}

    def open_game(self, *, compiled: bool = False) -> Game:
        """The game with its parameters. Raises LudotecaError where this Ludoteca has other rules than the file."""
        from ludoteca.core.game import load

        game = load(self.game, compiled=compiled, **self.parameters)
        if self.rules != game.spec.rules_version or self.layout != layout_of(game):
            raise DatasetError(
                f"it was written by Ludoteca {self.ludoteca} with version {self.rules} of the rules of {self.game}, and "
                f"this one has version {game.spec.rules_version}: its positions would be misread, its records not"
            )
        return game


def layout_of(game: Game) -> list[Layout]:
    """The fields of the game's raw positions."""
    found = []
    for name in game.rules.STATE.names or ():
        base, shape = game.rules.STATE.fields[name][0].base, game.rules.STATE.fields[name][0].shape
        found.append(Layout(name, base.str, list(shape)))
    return found


def features_of(game: Game) -> Seen | None:
    """What learners see of the game; None where it does not say."""
    if not game.spec.has("features"):
        return None
    layout = game.features.layout
    return Seen(list(layout.planes), layout.rows, layout.columns, list(layout.numbers), layout.actions)


def read_about(path: Path, metadata: dict[bytes, bytes] | None) -> About:
    """What the metadata of a file say. Raises DatasetError for a file that is no dataset, or of a newer version."""
    text = (metadata or {}).get(KEY)
    if text is None:
        raise DatasetError(
            f"{path}: this is no dataset of Ludoteca: the metadata of its schema have no key {quoted('ludoteca')}"
        )
    try:
        content = json.loads(text)
        version = content.get("version") if isinstance(content, dict) else None
        if isinstance(version, int) and version > VERSION:
            raise DatasetError(
                f"{path}: the dataset is of version {version}, and this Ludoteca reads versions up to {VERSION}: "
                "it was written by a newer one"
            )
        about = msgspec.convert(content, About)
    except (ValueError, RecursionError) as error:  # msgspec's and json's errors are ValueErrors
        raise DatasetError(f"{path}: this is no well-formed dataset: {error}") from None
    if about.format != FORMAT or about.version < 1 or about.table not in (POSITIONS, GAMES):
        raise DatasetError(f"{path}: this is no well-formed dataset: expected {FORMAT}, version {VERSION}")
    return about


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """What the system and Arrow say about a file, as a DatasetError in one line."""
    try:
        yield
    except pyarrow.ArrowInvalid as error:
        raise DatasetError(f"{path}: the file is damaged, or of another kind: {_line(error)}") from None
    except pyarrow.ArrowException as error:
        raise DatasetError(f"{path}: {_line(error)}") from None
    except OSError as error:
        if error.errno is None:  # Arrow's own, of what it reads
            raise DatasetError(f"{path}: the file is damaged: {_line(error)}") from None
        raise DatasetError(f"{path}: {os.strerror(error.errno)}") from None


def _line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
