"""The jobs of processes that think, analyse, read records or compile, and their replies."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import msgspec

from ludoteca.core.messages import Message
from ludoteca.core.record import Player
from ludoteca.server.frames import Line

COMPILING: Final = "compiling"
INTERPRETED: Final = "interpreted"
THINKING: Final = "thinking"
WHOLE: Final = 100
"""A share of 1, in percent."""
LENGTH: Final = 4
"""Bytes of the length before every frame, the highest first."""


class Think(msgspec.Struct, tag="think"):
    """A job: choose an action from the knowledge of a seat."""

    game: str
    parameters: dict[str, Any]
    player: int
    view: bytes
    seen: tuple[int, ...]
    agent: str
    seed: bytes
    explain: bool = False
    waits: bool = False
    """True to compile what is not compiled, or to wait for it, and not to play interpreted meanwhile."""
    moves: int = 0
    """Moves of the same turn before this one. A later move has a smaller budget."""


class Compile(msgspec.Struct, tag="compile"):
    """A job: compile what agents search with, for a game with these parameters."""

    game: str
    parameters: dict[str, Any]
    hurries: bool = False
    """True to compile at the usual priority."""


class Analyse(msgspec.Struct, tag="analyse"):
    """A job: value the moves of a finished game."""

    record: str
    simulations: int


class Read(msgspec.Struct, tag="read"):
    """A job: read a record from outside, and play it again."""

    text: str


class Animate(msgspec.Struct, tag="animate"):
    """A job: draw a finished game as a GIF file, as a player saw it."""

    record: str
    player: int
    theme: str


Job: TypeAlias = Think | Compile | Analyse | Read | Animate


class Progress(msgspec.Struct, tag="progress"):
    """A process reports what it is doing: COMPILING, THINKING, or thinking with INTERPRETED rules."""

    what: str
    share: float = 0.0
    """Of the functions to compile, if it is known; else 0."""


class Thought(msgspec.Struct, tag="thought"):
    """The chosen action. If the job asks for an explanation, it also has the value and the advice (`agents.explain.Advice`),
    with its lines in the form in which they are sent.
    """

    action: int
    value: float = 0.0
    line: list[Line] = []
    worth: Message = ""
    others: list[tuple[Line, Message]] = []
    is_guess: bool = False
    is_weaker: bool = False
    """True when it was searched less than the agent's budget says, because the rules are not compiled yet."""
    is_early: bool = False
    """True if the agent had one choice, or if its search ended early because the result was certain."""


class Pointed(msgspec.Struct):
    """A move in words, without its subject, and the items of its player's scene that are touched for it."""

    told: Message
    touches: tuple[str, ...]


class Valued(msgspec.Struct, tag="valued"):
    """The value of one move (`agents.analysis.MoveValue`), with the move and a better move as the player saw them."""

    number: int
    player: int
    action: str
    values: tuple[float, ...]
    cost: float
    interval: tuple[float, float]
    certain: bool
    better: tuple[str, ...]
    played: Pointed
    best: Pointed | None
    """None if no better move was found."""


class Finished(msgspec.Struct, tag="finished"):
    """All moves have been valued, or all has been compiled."""

    is_kept: bool = True
    """False for code that was compiled and is not there for other processes."""


class Found(msgspec.Struct, tag="found"):
    """The game of a record."""

    game: str
    parameters: dict[str, Any]
    seed: bytes
    """The seed of its deal; empty when it starts from a position."""
    text: str
    """The record as this server writes it, without anything else that its sender may have put in."""
    players: tuple[Player, ...] = ()


class Animated(msgspec.Struct, tag="animated"):
    """The content of a GIF file."""

    content: bytes


class Failed(msgspec.Struct, tag="failed"):
    """The job cannot be done: the code of the refusal, and its argument."""

    code: str
    why: Message
    game: str = ""
    """The game whose texts the argument is from; empty for texts of the server."""


Reply: TypeAlias = Progress | Thought | Valued | Finished | Found | Animated | Failed
Result: TypeAlias = Thought | Finished | Found | Animated
Listener: TypeAlias = Callable[[Progress | Valued], None]


def ignore_progress(_: Progress | Valued) -> None:
    """Drop the progress of a job."""


def frame(what: Job | Reply) -> bytes:
    """Return a job or a reply with its length, as processes exchange them."""
    data = msgspec.msgpack.encode(what)
    return len(data).to_bytes(LENGTH, "big") + data
