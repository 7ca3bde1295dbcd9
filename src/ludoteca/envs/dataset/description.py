"""The description of a dataset: in the metadata of each file, and on the card for people."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any, Final, Literal

import msgspec

from ludoteca.core.errors import LudotecaError, MissingExtraError
from ludoteca.core.features import FeatureLayout
from ludoteca.core.game import Game, load

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtraError("pyarrow", "dataset") from None

KEY: Final = b"ludoteca"
"""The key of the metadata under which a file has a `Description`, in JSON."""
FORMAT: Final = "ludoteca-dataset-2"
POSITIONS: Final = "positions"
GAMES: Final = "games"
"""The two tables. Each is a folder of Parquet files in the folder of the dataset."""
CARD: Final = "README.md"
NO_FEATURES: Final = FeatureLayout((), 0, 0, (), 0)


class DatasetError(LudotecaError):
    """A dataset cannot be written or read. The message says why."""


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a dataset. It is the same in all its files."""

    format: Literal["ludoteca-dataset-2"] = FORMAT
    game: str
    rules: int
    """The version of the game's rules."""
    parameters: dict[str, Any]
    layout: list[tuple[str, str, tuple[int, ...]]]
    """The fields of a raw position, packed, in order: the name, NumPy's name of the type, the shape."""
    features: FeatureLayout
    ludoteca: str
    """The version of Ludoteca that wrote the files."""
    made: dict[str, str]
    """How the games were made, in words: the command, the seed, the search, the licence."""

    @classmethod
    def of(cls, game: Game, made: dict[str, str]) -> "Description":
        """Describe a dataset of this game."""
        types = [(name, field[0]) for name, field in (game.dtype.fields or {}).items()]
        return cls(
            game=game.name,
            rules=game.spec.rules_version,
            parameters=game.parameters,
            layout=[(name, kind.base.str, kind.shape) for name, kind in types],
            features=features_of(game),
            ludoteca=version("ludoteca"),
            made=made,
        )

    @classmethod
    def read(cls, source: object, metadata: Mapping[bytes, bytes] | None) -> "Description":
        """Read the metadata of a table. Raises DatasetError if there is no description of this format."""
        try:
            return msgspec.json.decode((metadata or {})[KEY], type=cls)
        except KeyError:
            raise DatasetError(f"{source}: this is no dataset of Ludoteca: the metadata have no key 'ludoteca'") from None
        except (ValueError, RecursionError) as error:  # the errors of msgspec are ValueErrors
            raise DatasetError(f"{source}: expected a dataset of the format {FORMAT}: {error}") from None

    def open_game(self) -> Game:
        """Return the game with its parameters. Raises LudotecaError if this Ludoteca has other rules or features."""
        game = load(self.game, **self.parameters)
        here = Description.of(game, self.made)
        if (self.rules, self.layout, self.features) != (here.rules, here.layout, here.features):
            raise DatasetError(
                f"the dataset is from Ludoteca {self.ludoteca}, with version {self.rules} of the rules of {self.game}. "
                f"Here is version {here.rules}, or other features: only the records can be read"
            )
        return game


def features_of(game: Game) -> FeatureLayout:
    """Return the layout of the game's observations. It is empty for a game without features."""
    return game.features.layout if game.spec.has("features") else NO_FEATURES


@contextmanager
def explained(source: object) -> Iterator[None]:
    """Raise an error of the system or of Arrow as a DatasetError in one line, which begins with the source."""
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        number = error.errno if isinstance(error, OSError) else None
        why = os.strerror(number) if number else str(error).strip().partition("\n")[0]
        raise DatasetError(f"{source}: {why}") from None


def card(name: str, description: Description, facts: Mapping[str, str], tables: Mapping[str, Any]) -> str:
    """Return the card of a dataset, in Markdown.

    `facts` are shown in addition to those of the description. `tables` are the schemas by the names of the tables. The first
    lines name the tables for `datasets.load_dataset`.
    """
    made = {
        "game": f"{description.game}, version {description.rules} of its rules",
        **description.parameters,
        **facts,
        **description.made,
        "written by": f"Ludoteca {description.ludoteca}, format {description.format}",
    }
    lines = ["---", "configs:"]
    for table in tables:
        lines += [
            f"- config_name: {table}",
            f"  data_files: {table}/*.parquet",
            f"  default: {str(table == POSITIONS).lower()}",
        ]
    lines += ["---", f"# {name}", "", "| | |", "|---|---|", *(f"| {key} | {_cell(value)} |" for key, value in made.items())]
    lines += ["", "Columns whose names begin with `secret_` have knowledge that is hidden from some players.", ""]
    for table, schema in tables.items():
        lines += [f"## {table.capitalize()}", "", "| column | type | meaning |", "|---|---|---|"]
        for field in schema:
            lines.append(f"| `{field.name}` | {field.type} | {_cell(field.metadata[b'meaning'].decode())} |")
        lines.append("")
    lines += ["A raw position has these fields, packed, in this order. The types are NumPy's names.", ""]
    lines += ["| field | type | shape |", "|---|---|---|"]
    lines += [f"| `{name}` | `{kind}` | {' x '.join(map(str, shape)) or '1'} |" for name, kind, shape in description.layout]
    return "\n".join([*lines, ""])


def _cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")
