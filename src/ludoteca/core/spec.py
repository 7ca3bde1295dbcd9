"""What a game's package says about itself: the constant `GAME` of `games/NAME/__init__.py`, with the game's parameters.

Each kind of parameter turns what a caller gives (a value, or text from a command line) into one canonical JSON value, and
that value into the argument that the rules' `setup` takes.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import index
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from ludoteca.core.errors import ContractError, ParameterError
from ludoteca.core.words import quoted

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class Parameter(Protocol):
    """One thing to choose before a game starts."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def help(self) -> str: ...

    def expected(self) -> "Message":
        """The possible values, as a message in any language."""

    def canonical(self, value: Any) -> Any:
        """The value as records hold it: a number or a text. Raises ParameterError."""

    def encode(self, value: Any) -> Any:
        """What `setup` takes for a canonical value: a number or an array."""

    def sample(self, random: Random) -> Any:
        """A random possible value, for tests."""


def no_conflict(_: Mapping[str, Any]) -> "Message":
    """Every combination of valid values is allowed."""
    return ""


def never_computable(_: Mapping[str, Any]) -> bool:
    """Every deal is drawn from more than anybody can try."""
    return False


@dataclass(frozen=True)
class GameSpec:
    """A game before any of its parameters is chosen. Making one imports none of the game's modules.

    The package may hold `rules` and `notation` (both needed), `console` (the document's program), `screen` (how it looks
    in the terminal), `scene` (how it looks in a browser, see `core.scene.Scenes`), `features` (what learners see, see
    `core.contract.FeatureFunctions`), `symmetries` (see `core.symmetries`), `heuristics` (what is worth trying, see
    `core.contract.Heuristics`), `endgame` and `solving` (what exact play needs, see `core.contract.Endgame`), `value`
    (what a value learned from self-play looks at, see `core.contract.Value`), `options` (what a learned policy looks at, see
    `core.contract.PolicyOptions`) and `protocols` (in which programs play by the game's document, see `core.protocols`).
    """

    name: str
    title: str
    summary: str
    package: str
    """The import path of the folder with the game's modules."""
    rules_version: int
    """It goes up whenever a change lets the same actions lead elsewhere: records name it."""
    players: int = 0
    """The number of players, when that is no parameter called `players`."""
    perfect_information: bool = False
    """True when nothing is ever hidden from anybody, the future included."""
    hidden_from_all: bool = False
    """True when no seat ever knows more than a spectator, as where only what is to come is hidden."""
    heuristic_playouts: bool = True
    """False when searches are stronger, in equal time, with uniform playouts: the heuristics then say what to try first."""
    parameters: tuple[Parameter, ...] = ()
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Parameters worth a line in `ludoteca bench`, by the name of that line."""
    conflict: "Callable[[Mapping[str, Any]], Message]" = no_conflict
    """Why these parameters, each valid by itself, cannot be combined, as a message of the game's; empty when they can."""
    computable: Callable[[Mapping[str, Any]], bool] = never_computable
    """True for parameters with which somebody can compute what the deal hides: its seed is given, or it is one of the few
    that fit what a player sees. Never for the default ones. Whoever joins such a game is told so."""
    language: str = "en"
    """The language of the document's programs, one of `messages.LANGUAGES`."""
    programs: tuple[str, ...] = ()
    """The names of the document's programs, when there is more than one."""

    @cached_property
    def all_see_the_same(self) -> bool:
        """True when what a spectator sees is what every seat sees."""
        return self.perfect_information or self.hidden_from_all

    def module(self, name: str) -> ModuleType:
        """One of the game's modules. Raises ContractError when the game has none of that name."""
        path = f"{self.package}.{name}"
        try:
            return importlib.import_module(path)
        except ModuleNotFoundError as error:
            if error.name != path:
                raise
            raise ContractError(f"{self.name} has no module {name} in {self.package}") from None

    def has(self, name: str) -> bool:
        """True if the game's folder holds that module."""
        return importlib.util.find_spec(f"{self.package}.{name}") is not None

    def file(self, name: str) -> Path:
        """The path of that name in the game's folder, whether or not there is such a file."""
        return Path(importlib.import_module(self.package).__path__[0], name)


@dataclass(frozen=True)
class Integer:
    """A whole number from low to high; with `step` 2, every second one."""

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
    """One of a few words; `setup` takes its place in the list."""

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
    """The form of a text that is a picture, for an editor: rows of symbols, all equally long, separated by `/`."""

    symbols: tuple[str, ...]
    """What a cell can be, a character each; a new picture is full of the first."""
    low: int
    high: int
    """The fewest and the most rows, and columns."""

    def fits(self, picture: str) -> bool:
        """True if the picture has this form. The game may refuse it all the same."""
        rows = picture.split("/")
        sides = range(self.low, self.high + 1)
        even = len({len(row) for row in rows}) == 1
        return even and len(rows) in sides and len(rows[0]) in sides and set("".join(rows)) <= set(self.symbols)


@dataclass(frozen=True)
class Text:
    """Something that the game writes in a notation of its own, such as a board.

    `read` gives the canonical text of what it is given or raises a LudotecaError; `setup_value` gives what `setup` takes;
    `some` gives a random one, small enough for tests to play thousands of games. Where `read` takes pictures, `grid` is
    their form. `presets` are values worth choosing, by a name that needs no translation; pictures if there is a grid.
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
    """Every parameter's canonical value: the given ones checked, the others by default. Raises ParameterError."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise ParameterError(("parameters.unknown", game, repr(name), ", ".join(known) or ("parameters.none",)))
    return {name: known[name].canonical(given.get(name, known[name].default)) for name in known}


def _refuse(parameter: Parameter, value: Any) -> ParameterError:
    """The error for a value that the parameter cannot have; it says which ones are possible."""
    read = quoted(value) if isinstance(value, str) else repr(value)
    return ParameterError(("parameters.read", parameter.name, read, parameter.expected()))


def possible(parameter: Parameter) -> str:
    """The possible values, in English."""
    from ludoteca.core.messages import ENGLISH, catalogue, in_words

    return in_words(parameter.expected(), catalogue("ludoteca.core", ENGLISH))
