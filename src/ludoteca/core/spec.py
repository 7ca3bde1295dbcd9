"""The description of a game: the constant `GAME` in `games/NAME/__init__.py` is a `GameSpec` with the game's parameters.

Each class of parameters (`Integer`, `OneOf`, `Text`) converts a value from a Python caller, or a text from a command line,
into one canonical value that JSON can represent. It also converts this canonical value into the argument for the `setup`
function of the rules.
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
from ludoteca.core.words import excerpt, quoted

if TYPE_CHECKING:
    from ludoteca.core.messages import Message


class Parameter(Protocol):
    """One setting of a game, such as the number of players, which is chosen before the game starts."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def help(self) -> str: ...

    def expected(self) -> "Message":
        """Return a description of the possible values, as a message that can be translated (`core.messages`)."""

    def canonical(self, value: Any) -> Any:
        """Return the value in the form that records store, which is a number or a text. Raises ParameterError if the value
        is not allowed.

        If the parameter is a text in the game's notation, such as a board, it raises NotationError if the game cannot read
        the text.
        """

    def encode(self, value: Any) -> Any:
        """Return the argument that the rules' `setup` receives for a canonical value: a number or an array."""

    def sample(self, random: Random) -> Any:
        """Return a random value that is allowed. Tests of the rules play games with such values."""


def no_conflict(_: Mapping[str, Any]) -> "Message":
    """Return an empty message. This is the default of `GameSpec.conflict`: all values that are valid by themselves can be
    combined.
    """
    return ""


def never_computable(_: Mapping[str, Any]) -> bool:
    """Return False. This is the default of `GameSpec.computable`: there are too many deals for a player to try them all."""
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
    """The import path of the folder with the game's modules, such as `ludoteca.games.metro`."""
    rules_version: int
    """The version of the rules in records. Increase it if a change makes the same actions lead to other positions."""
    players: int = 0
    """The number of players, for a game without a parameter called `players`. Otherwise it is 0."""
    perfect_information: bool = False
    """True if nothing is ever hidden from any player, and no future event is random."""
    hidden_from_all: bool = False
    """True if no player ever knows more than a spectator, because hidden facts are hidden from all players alike."""
    heuristic_playouts: bool = True
    """True if playouts choose actions by the game's heuristics. False if, in equal time, searches are stronger with
    uniformly random playouts. Then the heuristics only decide which actions a search tries first."""
    parameters: tuple[Parameter, ...] = ()
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The combinations of parameters that `ludoteca bench` measures, by the name that it prints for each."""
    conflict: "Callable[[Mapping[str, Any]], Message]" = no_conflict
    """A function that says why these values, each valid by itself, cannot be combined. It returns a message of the game, or
    an empty message if they can."""
    computable: Callable[[Mapping[str, Any]], bool] = never_computable
    """A function that returns True if a player can compute the hidden part of the deal with these parameters, because its
    seed is given or few deals fit a view. It is never true for the defaults. Players who join are warned."""
    language: str = "en"
    """The language of the text programs that the game's document defines, one of `messages.LANGUAGES`."""
    programs: tuple[str, ...] = ()
    """The names of the text programs that the game's document defines. Empty if there is only one."""

    @cached_property
    def all_see_the_same(self) -> bool:
        """True if every player sees the same as a spectator."""
        return self.perfect_information or self.hidden_from_all

    def module(self, name: str) -> ModuleType:
        """Return one of the game's modules, imported. `name` has no folders: `heuristics`, not `play.heuristics`. Raises
        ContractError if the game has no module of that name.
        """
        path = module_path(self.package, name)
        if not path:
            raise ContractError(f"{self.name} has no module {name} in {self.package}")
        return import_module(path)

    def has(self, name: str) -> bool:
        """Return True if the game has a module of that name, such as `heuristics`."""
        return bool(module_path(self.package, name))

    def file(self, name: str) -> Path:
        """Return the path of a file in the game's folder or in one of the folders inside it (`core.folders.file_path`). The
        file may not exist.
        """
        return file_path(self.package, name)


@dataclass(frozen=True)
class Integer:
    """A parameter that is a whole number from `low` to `high`. `step` is the distance between possible values: with 2, every
    second number.
    """

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
    """A parameter that is one of a few words. `setup` receives the index of the word in `options`, from 0."""

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
    """The form of a text that draws a board, for an editor in the browser: rows of symbols, all equally long, separated by
    `/`.
    """

    symbols: tuple[str, ...]
    """The characters that a cell can have. A new board in the editor is filled with the first one."""
    low: int
    high: int
    """The limits of the number of rows, and of the number of columns: at least `low`, at most `high`."""

    def fits(self, picture: str) -> bool:
        """Return True if the text has this form. The game may refuse it all the same, for example because the board is not
        connected.
        """
        rows = picture.split("/")
        sides = range(self.low, self.high + 1)
        even = len({len(row) for row in rows}) == 1
        return even and len(rows) in sides and len(rows[0]) in sides and set("".join(rows)) <= set(self.symbols)


@dataclass(frozen=True)
class Text:
    """A parameter that is a text in the game's own notation, such as a board.

    `form` describes the notation in a few words, for errors. `read` returns the canonical text, or raises a LudotecaError.
    `setup_value` returns the argument of `setup` for a canonical text. `some` returns a random value for tests, small enough
    to play thousands of games. If the text draws a board, `grid` is its form. `presets` are useful values by name. The names
    are not translated. If there is a `grid`, every preset has its form.
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
    """Return the canonical value of every parameter, by name.

    `game` is the name of the game, for errors. `given` has the values that the caller chose, which are checked. Every other
    parameter gets its default. Raises ParameterError if a name is unknown, and ParameterError or NotationError if a value is
    not allowed.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise ParameterError(("parameters.unknown", game, quoted(str(name)), ", ".join(known) or ("parameters.none",)))
    return {name: known[name].canonical(given.get(name, known[name].default)) for name in known}


def _refuse(parameter: Parameter, value: Any) -> ParameterError:
    """Return the error for a value that the parameter cannot have. The message says which values are possible."""
    read = quoted(value) if isinstance(value, str) else excerpt(repr(value))
    return ParameterError(("parameters.read", parameter.name, read, parameter.expected()))


def possible(parameter: Parameter) -> str:
    """Return a description of the possible values of a parameter, in English."""
    from ludoteca.core.messages import ENGLISH, catalogue, in_words

    return in_words(parameter.expected(), catalogue("ludoteca.core", ENGLISH))
