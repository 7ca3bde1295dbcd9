"""Those who take part, as a user writes them: an agent's name, or a program's command, with limits."""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from ludoteca.agents.agent import POSSIBLE, is_name, new_agent
from ludoteca.arena.commands import located
from ludoteca.arena.limits import Limits
from ludoteca.arena.player import Entrant
from ludoteca.arena.programs import find
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.formats import BETWEEN, FILLER
from ludoteca.core.game import Game
from ludoteca.core.words import quoted

LONGEST_NAME: Final = 60
_NAMED: Final = re.compile(r"([^\s=/\"']+)=(.*)", re.DOTALL)
_SIZES: Final = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_bot(text: str, protocol: str, limits: Limits) -> Entrant:
    """`[NAME=]WHAT`, where WHAT is the name of an agent, or the command line of a program.

    Raises ParameterError.
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


def problem_of_name(name: str, before: Sequence[str]) -> str:
    """What is wrong with an entrant's name, given those before it; the empty text when nothing is."""
    if not name or not name.isprintable() or len(name) > LONGEST_NAME or name != name.strip():
        return f"read {quoted(name)}, expected 1 to {LONGEST_NAME} printable characters without blanks around them"
    if name.startswith(FILLER) or BETWEEN.strip() in name:
        return f"read {quoted(name)}: a name does not begin with {FILLER!r}, and holds no {BETWEEN.strip()!r}"
    return f"{quoted(name)} is there twice" if name in before else ""


def problem_of(entrant: Entrant, game: Game, protocols: Sequence[str]) -> str:
    """Why an agent cannot play the game, or a program not be run; the empty text when nothing is in the way."""
    if entrant.agent:
        try:
            new_agent(entrant.agent, Game(game.spec, game.parameters))  # interpreted, only to see whether there is one
        except LudotecaError as error:
            return str(error)
        return ""
    if entrant.protocol not in protocols:
        return f"protocol: read {quoted(entrant.protocol)}, expected {' or '.join(protocols)}"
    return ""


def with_whole_paths(entrant: Entrant, folder: Path) -> Entrant:
    """The entrant with the paths of its program's files. Raises FaultError for a program that cannot be run."""
    if not entrant.command:
        return entrant
    command = located(entrant.command, folder)
    find(command)
    return msgspec.structs.replace(entrant, command=command)


def read_limit(limits: Limits, name: str, value: Any) -> Limits:
    """The limits with one changed; sizes may end in K, M or G. Raises ParameterError, which says what is possible."""
    if name not in Limits.__struct_fields__:
        raise ParameterError(f"there is no limit {quoted(name)}; there are {', '.join(Limits.__struct_fields__)}")
    kind = type(getattr(Limits(), name))
    number = _number(value, kind)
    if number is None or number < 0 or (number == 0 and name != "bank"):
        what = "a number of seconds" if kind is float else "a number, which may end in K, M or G"
        raise ParameterError(f"read {quoted(str(value))}, expected {what}")
    return msgspec.structs.replace(limits, **{name: number})


def _number(value: Any, kind: type) -> float | int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        if kind is int:
            digits, factor = (value[:-1], _SIZES[value[-1]]) if value[-1:] in _SIZES else (value, 1)
            return int(digits) * factor if digits.isascii() and digits.isdigit() and len(digits) < 16 else None
        found = re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", value)
        return float(value) if found else None
    if kind is int:
        return value if isinstance(value, int) else None
    return float(value) if isinstance(value, int | float) and 0 <= value < 1e9 else None
