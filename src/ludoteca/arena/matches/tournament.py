"""Reads what users write about bots and tournaments: the bots on a command line, and the file of a tournament
(`docs/arena.md`).
"""

import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from ludoteca.agents.agent import new_agent
from ludoteca.agents.openings import moves_of
from ludoteca.arena.matches.defaults import LINES, MOST_MOVES
from ludoteca.arena.matches.formats import formats_of
from ludoteca.arena.matches.players import Entrant, protocols_of
from ludoteca.arena.matches.runner import ArenaError
from ludoteca.arena.programs.executables import find, located
from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.formats import BETWEEN, FILLER, Field, Format
from ludoteca.core.game import Game
from ludoteca.core.levels import POSSIBLE, is_name
from ludoteca.core.quantities import BYTES, COUNT, SECONDS, read_quantity
from ludoteca.core.seeds import SEED_BITS
from ludoteca.core.words import ERROR_CHARACTERS, excerpt, quoted

MOST_DEALS: Final = 1_000_000
LONGEST_NAME: Final = 60
"""Characters."""
_NAMED: Final = re.compile(r"([^\s=/\"']+)=(.*)", re.DOTALL)
_SIZES: Final = ("memory", "output", "disk")
"""The limits in bytes. Users write them in MiB or with a unit."""


class Tournament(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The content of a tournament's file after it was checked."""

    game: str
    parameters: dict[str, Any]
    format: str
    options: dict[str, Any]
    deals: int
    """The number of deals; 0 for the number that the format chooses."""
    opening: int = 0
    """The number of random moves with which a deal begins."""
    seed: int | None
    """The seed of the deals; None if a random seed is chosen when the tournament begins."""
    entrants: tuple[Entrant, ...]

    def new_game(self) -> Game:
        """Return the game with its parameters. Its rules run interpreted."""
        return Game(registry.find(self.game), self.parameters)

    def field(self, seed: int) -> Field:
        """Return the entrants, deals and options in the form that the format needs. `seed` is the seed of the tournament."""
        names = tuple(entrant.name for entrant in self.entrants)
        return Field(names, self.new_game().num_players(), self.deals, seed.to_bytes(SEED_BITS // 8, "big"), self.options)

    def new_format(self) -> Format:
        """Return the format."""
        return formats_of(registry.find(self.game))[self.format]


class EntrantTable(msgspec.Struct, forbid_unknown_fields=True):
    """A table `[[entrants]]` in a file."""

    name: str = ""
    agent: str = ""
    command: tuple[str, ...] = ()
    protocol: str = LINES
    limits: dict[str, int | float | str] = {}


class TournamentFile(msgspec.Struct, forbid_unknown_fields=True):
    """The keys of a file."""

    game: str
    format: str | dict[str, Any] = "round robin"
    deals: Annotated[int, msgspec.Meta(ge=1, le=MOST_DEALS)] | None = None
    opening: Annotated[int, msgspec.Meta(ge=0, le=MOST_MOVES)] | None = None
    seed: int | None = None
    parameters: dict[str, Any] = {}
    limits: dict[str, int | float | str] = {}
    thinking: bool = False
    entrants: list[EntrantTable] = []


def read_tournament(path: Path, thinking: bool = False) -> Tournament:
    """Read and check a tournament's file. With `thinking`, programs may think during the turns of others even if the file
    does not allow it.

    Raises ArenaError with the first problem and its place, such as `$.entrants[0].name`.
    """
    try:
        file = msgspec.toml.decode(path.read_text(encoding="utf-8-sig"), type=TournamentFile)
    except OSError as error:
        raise ArenaError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ArenaError(f"{path}: byte {error.start} is no UTF-8") from None
    except (ValueError, RecursionError) as error:  # not only msgspec's: Python reads no number of 5,000 digits
        raise ArenaError(f"{path}: {excerpt(str(error), ERROR_CHARACTERS)}") from None
    file.thinking = file.thinking or thinking
    try:
        return _checked(file, path.absolute().parent)
    except LudotecaError as error:
        raise ArenaError(f"{path}: {error}") from None


def _checked(file: TournamentFile, folder: Path) -> Tournament:
    """Return the tournament that a file describes. `folder` is the folder of the file. Raises ArenaError with the place in
    the file if a value is not allowed.
    """
    with _at("game"):
        spec = registry.find(file.game)
    with _at("parameters"):
        game = Game(spec, file.parameters)
    with _at("opening"):
        opening = moves_of(game, file.opening)
    with _at("seed"):
        if file.seed is not None and not 0 <= file.seed < 1 << SEED_BITS:
            raise ParameterError(f"read {file.seed}, expected a number from 0 to 2^{SEED_BITS} - 1")
    with _at("limits"):
        limits = read_limits(file.limits, Limits())
    entrants = dict[str, Entrant]()
    for number, table in enumerate(file.entrants):
        with _at(f"entrants[{number}]"):
            if bool(table.agent) == bool(table.command):
                raise ParameterError("expected either an agent or a command")
            entrant = Entrant(
                name=table.name or table.agent,
                agent=table.agent,
                command=table.command,
                protocol=table.protocol,
                limits=read_limits(table.limits, limits),
                thinking=file.thinking,
            )
            entrants[entrant.name] = checked_entrant(entrant, entrants, game, folder)
    options = {} if isinstance(file.format, str) else dict(file.format)
    form = file.format if isinstance(file.format, str) else options.pop("name", "")
    known = formats_of(spec)
    with _at("format"):
        if form not in known:
            raise ParameterError(f"read {quoted(str(form))}, expected one of {', '.join(known)}")
    deals = file.deals or 0
    for key, problem in known[form].problems(Field(tuple(entrants), game.num_players(), deals, b"", options)):
        with _at(key if key in file.__struct_fields__ else f"format.{key}"):
            raise ParameterError(problem)
    return Tournament(
        game=game.name,
        parameters=game.parameters,
        format=form,
        options=options,
        deals=deals,
        opening=opening,
        seed=file.seed,
        entrants=tuple(entrants.values()),
    )


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Add the place in the file to an error, as msgspec does."""
    try:
        yield
    except LudotecaError as error:
        raise ArenaError(f"{error} - at `$.{place}`") from None


def read_bot(text: str, protocol: str, limits: Limits) -> Entrant:
    """Read a bot in the form `[NAME=]WHAT`, in which WHAT is the name of an agent, or the command line of a program.
    `protocol` and `limits` are for a program.

    Raises ParameterError if WHAT is empty, or is not a command line of a shell, such as `"./my bot`, which lacks a quotation
    mark.

    >>> read_bot("greedy", "lines", Limits()).agent
    'greedy'
    >>> read_bot("mine=python bot.py", "lines", Limits()).command
    ('python', 'bot.py')
    """
    named = _NAMED.fullmatch(text)
    name, what = (named[1], named[2]) if named else (text, text)
    if is_name(what):
        return Entrant(name=name, agent=what)
    try:
        command = tuple(shlex.split(what))
    except ValueError as error:
        raise ParameterError(f"bot: {quoted(text)} is no command line: {error}") from None
    if not command:
        raise ParameterError(f"bot: read {quoted(text)}, expected a program's command line, or an agent: {POSSIBLE}")
    return Entrant(name=name[:LONGEST_NAME], command=command, protocol=protocol, limits=limits)


def checked_entrant(entrant: Entrant, others: Collection[str], game: Game, folder: Path) -> Entrant:
    """Return the entrant with absolute paths. Its paths may be relative to `folder`. `others` are the names of the entrants
    before it.

    Raises ParameterError if its name, its agent or its protocol is not allowed, and FaultError if its program cannot be run.
    """
    name = entrant.name
    if not name or not name.isprintable() or len(name) > LONGEST_NAME or name != name.strip():
        raise ParameterError(
            f"name: read {quoted(name)}, expected 1 to {LONGEST_NAME} printable characters without blanks around them"
        )
    if name.startswith(FILLER) or BETWEEN.strip() in name:
        raise ParameterError(
            f"name: read {quoted(name)}: a name does not begin with {FILLER!r}, and holds no {BETWEEN.strip()!r}"
        )
    if name in others:
        raise ParameterError(f"name: {quoted(name)} is there twice: give each entrant a name of its own")
    if entrant.agent:
        new_agent(entrant.agent, Game(game.spec, game.parameters))  # interpreted, only to see whether there is one
        return entrant
    protocols = [LINES, *protocols_of(game.spec)]
    if entrant.protocol not in protocols:
        raise ParameterError(f"protocol: read {quoted(entrant.protocol)}, expected {' or '.join(protocols)}")
    return with_whole_paths(entrant, folder)


def with_whole_paths(entrant: Entrant, folder: Path) -> Entrant:
    """Return the entrant with absolute paths in its command. Raises FaultError if its program cannot be run."""
    command = located(entrant.command, folder)
    find(command)
    return msgspec.structs.replace(entrant, command=command)


def read_limits(given: Mapping[str, int | float | str], limits: Limits) -> Limits:
    """Return `limits` with the changes in `given`, which are in the notation of users: `{"memory": "512M"}`.

    Raises ParameterError if there is no limit of that name, or if its value is not a positive number with a suitable unit
    (`bank` may be 0).

    >>> read_limits({"memory": "512M", "move": "10s"}, Limits()).memory
    536870912
    >>> read_limits({"memory": "512M", "move": 10}, Limits()).move
    10.0
    """
    for name, value in given.items():
        if name not in Limits.__struct_fields__:
            raise ParameterError(f"there is no limit {quoted(name)}; there are {', '.join(Limits.__struct_fields__)}")
        units, expected = COUNT, "a whole number"
        if name in _SIZES:
            units, expected = BYTES, "a size, such as 512 (MiB), 512M or 1G"
        elif isinstance(getattr(limits, name), float):
            units, expected = SECONDS, "a time, such as 5 (seconds), 0.5s or 2m"
        try:
            number = read_quantity(str(value), units)
        except ValueError:
            number = -1
        if number < 0 or (number == 0 and name != "bank") or (units is COUNT and not number.is_integer()):
            raise ParameterError(f"limit {name}: read {quoted(str(value))}, expected {expected}")
        limits = msgspec.structs.replace(limits, **{name: number if units is SECONDS else int(number)})
    return limits
