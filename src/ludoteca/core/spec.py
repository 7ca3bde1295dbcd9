"""The description of a game by its package: the constant `GAME` of `games/NAME/__init__.py`, with the game's parameters.

Each kind of parameter converts a caller's value, or text from a command line, into one canonical JSON value. It converts
that value into the argument for the rules' `setup`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from operator import index
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from ludoteca.core.errors import ContractError, ParameterError
from ludoteca.core.folders import file_path, module_path
from ludoteca.core.words import quoted

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class Parameter(Protocol):
    """One setting of a game, chosen before it starts."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def help(self) -> str: ...

    def expected(self) -> "Message":
        """Return the possible values, as a message in any language."""

    def canonical(self, value: Any) -> Any:
        """Return the value for records: a number or a text. Raises ParameterError if the value is not allowed.

        A `Text`, such as a board, raises NotationError if the game cannot read it.
        """

    def encode(self, value: Any) -> Any:
        """Return the argument of `setup` for a canonical value: a number or an array."""

    def sample(self, random: Random) -> Any:
        """Return a random possible value, for tests."""


def no_conflict(_: Mapping[str, Any]) -> "Message":
    """Return the empty message: by default, valid values can always be combined."""
    return ""


def never_computable(_: Mapping[str, Any]) -> bool:
    """Return False: by default, there are too many deals to try."""
    return False


@dataclass(frozen=True)
class GameSpec:
    """A game before any of its parameters is chosen. Creating it imports none of the game's modules.

    The package must hold `rules` and `notation`. It may hold these modules, each in the package or in a folder for its
    purpose (`core.folders`):

    - in `text`: `console`, the document's program, and `protocols`, the document's rules for programs that play
      (`core.console`)
    - in `view`: `screen`, the board in a terminal, `scene`, the board in a browser (`core.scene`), `guide` and `lesson`
      (`core.guide`)
    - in `play`: `heuristics`, the promising actions (`core.contract.Heuristics`), `endgame`, functions for
      exact play (`core.contract.Endgame`), `value`, the features of a value learned from self-play (`core.contract.Value`),
      `options`, the features of a learned policy (`core.contract.PolicyOptions`), and `levels` (`core.levels.Levels`)
    - in `learn`: `features`, the observations of learners (`core.contract.FeatureFunctions`), and `symmetries`
      (`core.symmetries`)
    - `judging`: the questions to students' programs (`core.judging.Part`)
    """

    name: str
    title: str
    summary: str
    package: str
    """The import path of the folder with the game's modules."""
    rules_version: int
    """Increase it if a change makes the same actions lead to other positions. Records contain it."""
    players: int = 0
    """The number of players, if it is not a parameter called `players`."""
    perfect_information: bool = False
    """True if nothing is ever hidden from any player, the future included."""
    hidden_from_all: bool = False
    """True if no player ever knows more than a spectator, for example if only the future is hidden."""
    heuristic_playouts: bool = True
    """False if searches are stronger, in equal time, with uniform playouts. The heuristics then only order the actions to
    try."""
    parameters: tuple[Parameter, ...] = ()
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Parameters of each line of `ludoteca bench`, by the name of that line."""
    conflict: "Callable[[Mapping[str, Any]], Message]" = no_conflict
    """The reason why these parameters, each valid by itself, cannot be combined, as a message of the game's. Empty if
    they can."""
    computable: Callable[[Mapping[str, Any]], bool] = never_computable
    """True for parameters with which a player can compute the hidden part of the deal: its seed is given, or few deals
    fit a player's view. It is never true for the default parameters. Players who join such a game are warned."""
    language: str = "en"
    """The language of the document's programs, one of `messages.LANGUAGES`."""
    programs: tuple[str, ...] = ()
    """The names of the document's programs, if there are several."""

    @cached_property
    def all_see_the_same(self) -> bool:
        """True if every player sees the same as a spectator."""
        return self.perfect_information or self.hidden_from_all

    def module(self, name: str) -> ModuleType:
        """Return one of the game's modules. Raises ContractError if there is none of that name."""
        path = module_path(self.package, name)
        if not path:
            raise ContractError(f"{self.name} has no module {name} in {self.package}")
        return import_module(path)

    def has(self, name: str) -> bool:
        """Return True if the game has that module."""
        return bool(module_path(self.package, name))

    def file(self, name: str) -> Path:
        """Return the path of that name in the game's folder or in one for a purpose. The file may not exist."""
        return file_path(self.package, name)


@dataclass(frozen=True)
class Integer:
    """A whole number from low to high. With `step` 2, every second one."""

    name: str
    low: int
    high: int
    default: int
    help: str
    step: int = 1

    def expected(self) -> "Message":
        if self.step == 1:
            return "expected.integer", self.low, self.high
        return "expected.stepped", self.low, self.high, self.step

    def canonical(self, value: Any) -> int:
        number = None
        if isinstance(value, str):
            if value.isascii() and value.isdigit() and len(value) < 10:
                number = int(value)
        elif hasattr(value, "__index__") and not isinstance(value, bool):
            number = index(value)
        if number is None or number not in range(self.low, self.high + 1, self.step):
            raise _refuse(self, value)
        return number

    def encode(self, value: Any) -> int:
        return int(value)

    def sample(self, random: Random) -> int:
        return random.randrange(self.low, self.high + 1, self.step)


@dataclass(frozen=True)
class OneOf:
    """One of a few words. `setup` receives its place in the list."""

    name: str
    options: tuple[str, ...]
    default: str
    help: str

    def expected(self) -> "Message":
        return "expected.choice", ", ".join(self.options)

    def canonical(self, value: Any) -> str:
        if value not in self.options:
            raise _refuse(self, value)
        return str(value)

    def encode(self, value: Any) -> int:
        return self.options.index(value)

    def sample(self, random: Random) -> str:
        return random.choice(self.options)


@dataclass(frozen=True)
class Grid:
    """The form of a text picture, for an editor: rows of symbols, all equally long, separated by `/`."""

    symbols: tuple[str, ...]
    """The possible cells, one character each. A new picture is filled with the first."""
    low: int
    high: int
    """The fewest (`low`) and the most rows, and columns."""

    def fits(self, picture: str) -> bool:
        """Return True if the picture has this form. The game may still refuse it."""
        rows = picture.split("/")
        sides = range(self.low, self.high + 1)
        even = len({len(row) for row in rows}) == 1
        return even and len(rows) in sides and len(rows[0]) in sides and set("".join(rows)) <= set(self.symbols)


@dataclass(frozen=True)
class Text:
    """A value that the game writes in its own notation, such as a board.

    `read` returns the canonical text or raises a LudotecaError. `setup_value` returns the argument of `setup`. `some`
    returns a random value, small enough for tests to play thousands of games. If `read` takes pictures, `grid` is their
    form. `presets` are useful values, by a name that needs no translation. They are pictures if there is a grid.
    """

    name: str
    default: str
    help: str
    form: str
    read: Callable[[str], str]
    setup_value: Callable[[str], Any]
    some: Callable[[Random], str]
    grid: Grid | None = None
    presets: Mapping[str, str] = field(default_factory=dict)

    def expected(self) -> "Message":
        return self.form

    def canonical(self, value: Any) -> str:
        if not isinstance(value, str):
            raise _refuse(self, value)
        return self.read(value)

    def encode(self, value: Any) -> Any:
        return self.setup_value(value)

    def sample(self, random: Random) -> str:
        return self.some(random)


def resolve(game: str, parameters: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the canonical value of every parameter. Given values are checked, and parameters without a given value have
    their default.

    Raises ParameterError if a name is unknown, and ParameterError or NotationError if a value is not allowed.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise ParameterError(("parameters.unknown", game, repr(name), ", ".join(known) or ("parameters.none",)))
    return {name: known[name].canonical(given.get(name, known[name].default)) for name in known}


def _refuse(parameter: Parameter, value: Any) -> ParameterError:
    """Return the error for a value that the parameter cannot have. It lists the possible values."""
    read = quoted(value) if isinstance(value, str) else repr(value)
    return ParameterError(("parameters.read", parameter.name, read, parameter.expected()))


def possible(parameter: Parameter) -> str:
    """Return the possible values, in English."""
    from ludoteca.core.messages import ENGLISH, catalogue, in_words

    return in_words(parameter.expected(), catalogue("ludoteca.core", ENGLISH))
