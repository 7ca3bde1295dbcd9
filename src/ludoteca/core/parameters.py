"""A game's parameters: what may be chosen before it starts, with ranges and clear errors.

Every kind turns what a caller gives (a value, or text from a command line) into one canonical JSON value, and that value
into the argument that the rules' `setup` takes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import index
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from ludoteca.core.errors import ParameterError
from ludoteca.core.words import quoted

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class Parameter(Protocol):
    """One thing to choose."""

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
        """Some possible value, for tests."""


def _refuse(parameter: Parameter, value: Any) -> ParameterError:
    read = quoted(value) if isinstance(value, str) else repr(value)
    return ParameterError(f"{parameter.name}: read {read}, expected {possible(parameter)}")


def possible(parameter: Parameter) -> str:
    """The possible values, in English."""
    from ludoteca.core.messages import ENGLISH, catalogue, in_words

    return in_words(parameter.expected(), catalogue("ludoteca.core", ENGLISH))


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
        number = self._number(value)
        if number is None or number not in range(self.low, self.high + 1, self.step):
            raise _refuse(self, value)
        return number

    def encode(self, value: Any) -> int:
        return int(value)

    def sample(self, random: Random) -> int:
        return random.randrange(self.low, self.high + 1, self.step)

    @staticmethod
    def _number(value: Any) -> int | None:
        if isinstance(value, str):
            return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            return None
        return index(value)


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
    """The form of a text that is a picture: rows of symbols, all equally long, parted by `/`. What an editor has to know."""

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
    """Every parameter's canonical value: the given ones checked, the others by default."""
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise ParameterError(f"{game} has no parameter {name!r}; it has {', '.join(known) or 'none'}")
    return {name: known[name].canonical(given.get(name, known[name].default)) for name in known}
