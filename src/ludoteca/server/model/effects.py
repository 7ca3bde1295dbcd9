"""What a room handles and what it returns: events come in, and effects, such as "store this" or "send that", come out.

A room itself reads no clock, sends nothing and stores nothing (`model.room`). The actor of the room brings the events and
carries out the effects (`rooms.actor`).
"""

from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from ludoteca.core.contract import SPECTATOR
from ludoteca.server.frames import Answer, Hint, Request
from ludoteca.server.jobs import Think, Thought
from ludoteca.server.model.events import StoredEvent
from ludoteca.server.refusals import RefusalError

RESTART: Final = 1012
SLOW: Final = 1013
TRY_LATER: Final = 1013
FAILED: Final = 1011
GONE: Final = 4404
"""There is no such room. With a code from 4400 to 4499, connecting again is of no use."""
FORBIDDEN: Final = 4403
HELLO_MISSING: Final = 4408
DELETED: Final = 4410
UNPLAYABLE: Final = 4409
"""The room exists, but this server cannot make its game again."""


class Client:
    """A client of a room, and the seat for which it may act."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.seat = SPECTATOR
        self.has_joined = False


class Turn(NamedTuple):
    """A turn of an agent, in the position that the event with number `n` led to."""

    n: int
    seat: int


# effects


class Send(NamedTuple):
    """Send clients a frame."""

    clients: Sequence[Client]
    frame: Answer


class Refuse(NamedTuple):
    """Send a client a refusal of the request with this number; -1 for no request."""

    client: Client
    id: int
    refusal: RefusalError


class Close(NamedTuple):
    """End the connection of a client, after the frames that it was sent."""

    client: Client
    code: int


class Timer(NamedTuple):
    """Bring the event `Due` in this many seconds. It replaces an earlier timer of the same name. None only ends
    that timer.
    """

    name: str
    seconds: float | None


class Ask(NamedTuple):
    """Let an agent think about its turn, and bring the answer as `Chosen`. It replaces an earlier turn that it was asked to
    think about.
    """

    turn: Turn
    job: Think
    address: str
    """The address for which it thinks, as addresses take turns."""
    delay: float
    """Seconds before it begins."""
    is_slow: bool
    """True if the clients are to see its progress."""


class StopAsking(NamedTuple):
    """Let no agent think any more."""


class AskForHint(NamedTuple):
    """Have an agent think about a hint, and bring `HintFound`."""

    client: Client
    request: Hint
    seat: int
    job: Think


class Append(NamedTuple):
    """Store an event, and bring the answer when it is safe on the disk. This is always the last effect: nothing may be sent
    before it.
    """

    event: StoredEvent
    n: int
    ends: bool
    """True if the game is over with it."""
    begins: bool
    """True if it is known with it that the game has begun: there is a move, and all persons have been here."""


class Look(NamedTuple):
    """Bring the events that are stored after this number. A room asks this if it does not know whether its last event was
    stored.
    """

    n: int


class MakeNext(NamedTuple):
    """Make the room of the next game, on the account of this address, and bring its name."""

    address: str


Question: TypeAlias = Append | Look | MakeNext
"""Effects that the shell answers with `Answered` before it brings anything else."""
Effect: TypeAlias = Send | Refuse | Close | Timer | Ask | StopAsking | AskForHint | Question
Work: TypeAlias = Generator[Question, Any, Any]
"""A part of a room's work. It waits for the answers to its questions."""


# events


class Received(NamedTuple):
    """A client has sent a request."""

    client: Client
    request: Request


class Gone(NamedTuple):
    """A client has gone."""

    client: Client


class Due(NamedTuple):
    """The time of a timer has come."""

    name: str


class Chosen(NamedTuple):
    """An agent has chosen an action for its turn; None if its process failed."""

    turn: Turn
    action: int | None


class Progressed(NamedTuple):
    """An agent's process reports what it is doing, for its turn or for a client's hint."""

    what: str
    seat: int
    client: Client | None = None


class Weaker(NamedTuple):
    """Agents play weaker than they will, as this percentage of their code is compiled."""

    percent: int


class HintFound(NamedTuple):
    """A hint, or why there is none."""

    client: Client
    request: Hint
    found: Thought | RefusalError


class Call(NamedTuple):
    """Work of another module that is to be done in the room's turn."""

    work: Callable[[], Work]


class Answered(NamedTuple):
    """The answer to the last question, or the refusal that takes its place."""

    value: Any = None
    refusal: RefusalError | None = None


RoomEvent: TypeAlias = Received | Gone | Due | Chosen | Progressed | Weaker | HintFound | Call | Answered
