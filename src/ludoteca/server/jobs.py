"""The jobs that the server sends to its other processes, and the replies of these processes. A job asks a process to choose
an action, to analyse a game, to read a record, to draw a picture or to compile code. The processes are in `thinking`.
"""

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
"""The number of bytes that give the length of a job or a reply. They come before it, with the highest byte first."""


class Think(msgspec.Struct, tag="think"):
    """A job: let an agent choose an action for the seat `player`. `view` is the position as that seat sees it, in bytes, and
    `seen` the actions of the game as the seat saw them. With `explain`, the reply also has reasons.
    """

    game: str
    parameters: dict[str, Any]
    player: int
    view: bytes
    seen: tuple[int, ...]
    agent: str
    seed: bytes
    explain: bool = False
    waits: bool = False
    """True if the agent waits until its code is compiled. Otherwise it plays with interpreted code, which is weaker."""
    moves: int = 0
    """The number of moves that the player has made in this turn. The agent searches less for later moves of a turn."""


class Compile(msgspec.Struct, tag="compile"):
    """A job: compile the functions with which agents search, for a game with these parameters."""

    game: str
    parameters: dict[str, Any]
    hurries: bool = False
    """True to compile at the usual priority, False at a low one, which leaves the processor to other work."""


class Analyse(msgspec.Struct, tag="analyse"):
    """A job: estimate the value of every move of a finished game. `record` is the record of the game as JSON text, and
    `simulations` the number of simulations of each search.
    """

    record: str
    simulations: int


class Read(msgspec.Struct, tag="read"):
    """A job: read a record that a client has sent as JSON text, and replay its game."""

    text: str


class Animate(msgspec.Struct, tag="animate"):
    """A job: draw a finished game as an animated GIF file, as the seat `player` saw it. `record` is the record of the game
    as JSON text, and `theme` the name of the colours.
    """

    record: str
    player: int
    theme: str


Job: TypeAlias = Think | Compile | Analyse | Read | Animate


class Progress(msgspec.Struct, tag="progress"):
    """A reply that reports what a process is doing: COMPILING, THINKING, or INTERPRETED, which is thinking with rules that
    are not compiled.
    """

    what: str
    share: float = 0.0
    """The part of the functions that is compiled already, from 0 to 1; 0 if it is not known."""


class Thought(msgspec.Struct, tag="thought"):
    """A reply: the action that an agent chose. If the job asks for an explanation, the reply also has the expected result of
    the action (`value`) and the advice (`agents.explain.Advice`), with moves as the lines that frames contain.
    """

    action: int
    value: float = 0.0
    line: list[Line] = []
    worth: Message = ""
    others: list[tuple[Line, Message]] = []
    is_guess: bool = False
    is_weaker: bool = False
    """True if the agent searched less than its budget allows, because the rules are not compiled yet."""
    is_early: bool = False
    """True if the agent had only one legal action, or if its search ended early because the result was certain."""


class Pointed(msgspec.Struct):
    """A move in words that do not name its player, and the ids of the items in its player's scene that are
    touched for it.
    """

    told: Message
    touches: tuple[str, ...]


class Valued(msgspec.Struct, tag="valued"):
    """A reply: the value of one move (`agents.analysis.MoveValue` explains the fields). `played` is the move and `best` the
    best move found, both as the player saw them.
    """

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
    """A reply: all moves of a game have been valued, or all functions have been compiled."""

    is_kept: bool = True
    """False if compiled functions could not be saved, so that other processes cannot use them."""


class Found(msgspec.Struct, tag="found"):
    """The game of a record."""

    game: str
    parameters: dict[str, Any]
    seed: bytes
    """The seed of the game's deal; empty if the game starts from a given position."""
    text: str
    """The record as this server writes it, without any other content that its sender may have added."""
    players: tuple[Player, ...] = ()


class Animated(msgspec.Struct, tag="animated"):
    """The content of a GIF file."""

    content: bytes


class Failed(msgspec.Struct, tag="failed"):
    """A reply: the job cannot be done. `code` is the code of the refusal (`refusals.CODES`), and `why` the reason, which is
    put into the text of that code.
    """

    code: str
    why: Message
    game: str = ""
    """The game whose catalogue of texts contains `why`; empty if it is a text of the server."""


Reply: TypeAlias = Progress | Thought | Valued | Finished | Found | Animated | Failed
Result: TypeAlias = Thought | Finished | Found | Animated
Listener: TypeAlias = Callable[[Progress | Valued], None]


def ignore_progress(_: Progress | Valued) -> None:
    """Ignore the progress of a job. It is the listener of callers that need no progress."""


def frame(what: Job | Reply) -> bytes:
    """Return a job or a reply as bytes, with its length before it. In this form the server and its processes
    exchange them.
    """
    data = msgspec.msgpack.encode(what)
    return len(data).to_bytes(LENGTH, "big") + data
