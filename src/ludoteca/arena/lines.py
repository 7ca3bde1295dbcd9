"""The line protocol of `docs/bots.md` as text: what programs are told, and how their lines are read. No input or output.

It knows no rules and no positions: an arena and a server's room, which have them in different forms, both speak it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from ludoteca.arena.faults import Fault, FaultError
from ludoteca.core.record import Result
from ludoteca.core.words import quoted

NAME: Final = "ludoteca"
VERSION: Final = 1
GREETING: Final = f"{NAME} {VERSION}"
"""The first line of every game, on both sides."""
REMARK: Final = "#"
"""A line of a program that begins so is for people, and for what later versions may say in it: it is ignored."""
LONGEST: Final = 1000
"""Characters of an answer; no move of any game is nearly as long."""
BLANKS: Final = " \t\r\n\v\f\ufeff"
"""What may stand before and after a line of a program: blanks, what is left of a line end, a byte order mark."""


class Left(NamedTuple):
    """How many seconds a program has; None where nothing limits them."""

    move: float | None = None
    """For the next answer."""
    bank: float | None = None
    """For all answers of the game that are still to come, the next included."""

    @property
    def seconds(self) -> float | None:
        """For the next answer, whatever limits it."""
        given = [time for time in self if time is not None]
        return min(given) if given else None


def opening(game: str, parameters: Mapping[str, Any], seat: int, players: int, left: Left, position: str) -> list[str]:
    """What a program is told once it has greeted; the seat counts from 0, and is written from 1 as the games do."""
    return [
        f"game {game}",
        *(f"parameter {name} {value}" for name, value in parameters.items()),
        f"seat {seat + 1}",
        f"players {players}",
        *_times(left),
        f"position {position}",
    ]


def _times(left: Left) -> list[str]:
    return [f"time {name} {_written(time)}" for name, time in left._asdict().items() if time is not None]


def played(seat: int, action: str) -> str:
    """An action, as the program's seat has seen it."""
    return f"played {seat + 1} {action}"


def turn(position: str, legal: Iterable[str], concede: str, left: Left) -> list[str]:
    """The question for a move; `concede` is the legal action that gives up and stands apart, or the empty text."""
    given = [time for time in left if time is not None]
    return [
        f"position {position}",
        *(f"legal {action}" for action in legal),
        *([f"concede {concede}"] if concede else []),
        " ".join(["move", *map(_written, given)]),
    ]


def ending(result: Result | None) -> list[str]:
    """The end of a game; there is no result where it was broken off."""
    if result is None:
        return ["end"]
    returns = " ".join(f"{value:g}" for value in result.returns)
    return [f"scores {' '.join(map(str, result.scores))}", f"returns {returns}", "end"]


def _written(seconds: float) -> str:
    return f"{max(seconds, 0):.3f}"


# what a program says


def cleaned(line: str) -> str:
    """A line of a program without what may stand around it."""
    return line.strip(BLANKS)


def is_ignored(line: str) -> bool:
    """True for a cleaned line that is no answer: an empty one, and a remark."""
    return not line or line.startswith(REMARK)


def check_greeting(line: str) -> None:
    """Check the first line of a program in a game. Raises FaultError."""
    name, _, rest = cleaned(line).partition(" ")
    if name.lower() != NAME:
        raise FaultError(Fault.START, f"it has to begin with {GREETING!r}, and wrote {quoted(line)}")
    version = rest.split()[:1]
    if version != [str(VERSION)]:
        raise FaultError(Fault.START, f"it speaks version {quoted(' '.join(version))} of the protocol: expected {VERSION}")


def is_greeting(line: str) -> bool:
    """True for a line that `check_greeting` takes."""
    try:
        check_greeting(line)
    except FaultError:
        return False
    return True


def alike(answer: str, legal: Iterable[str]) -> str | None:
    """The legal action that the answer is but for small and capital letters, if it is one only."""
    found = [action for action in legal if action.casefold() == answer.casefold()]
    return found[0] if len(found) == 1 else None
