"""The events that a room handles, and the effects that it returns, such as "store this event" or "send this frame".

A room itself reads no clock, sends nothing and stores nothing (`model.room`). The actor of the room (`rooms.actor`) passes
the events to the room and carries out the effects.
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
"""The code for a room that does not exist. After a code from 4400 to 4499, it is useless to connect again."""
FORBIDDEN: Final = 4403
HELLO_MISSING: Final = 4408
DELETED: Final = 4410
UNPLAYABLE: Final = 4409
"""The code for a room that exists, but whose game this server cannot load."""


class Client:
    """A client of a room, and the seat for which it may act."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.seat = SPECTATOR
        self.has_joined = False


class Turn(NamedTuple):
    """A turn of the agent in a seat. `n` is the number of the event that led to the position."""

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
    """Close the connection of a client, after the frames sent to it before, with this WebSocket code."""

    client: Client
    code: int


class Timer(NamedTuple):
    """Pass the event `Due` to the room after this many seconds. This replaces an earlier timer with the same name. If
    `seconds` is None, only cancel the earlier timer.
    """

    name: str
    seconds: float | None


class Ask(NamedTuple):
    """Let an agent choose an action for its turn, and pass the answer to the room as the event `Chosen`. This cancels the
    work on an earlier turn.
    """

    turn: Turn
    job: Think
    address: str
    """The internet address to which the agent's time is charged. Addresses take turns."""
    delay: float
    """Seconds to wait before the agent begins."""
    is_slow: bool
    """True if clients should be informed of the agent's progress."""


class StopAsking(NamedTuple):
    """Cancel the work of the agent that is choosing an action."""


class AskForHint(NamedTuple):
    """Let an agent find a hint for a client, and pass the event `HintFound` to the room."""

    client: Client
    request: Hint
    seat: int
    job: Think


class Append(NamedTuple):
    """Store an event with the number `n`, and pass the answer to the room when the event is safe on the disk. This is always
    the last effect, because no frame may be sent before the event is stored.
    """

    event: StoredEvent
    n: int
    ends: bool
    """True if the event ends the game."""
    begins: bool
    """True if the game counts as begun with this event: there is a move, and all persons have been in the room."""


class Look(NamedTuple):
    """Pass the stored events after number `n` to the room. A room asks for them if it does not know whether its last event
    was stored.
    """

    n: int


class MakeNext(NamedTuple):
    """Make the room of a rematch, and pass its name to the room. It counts as a room made from this internet address."""

    address: str


Question: TypeAlias = Append | Look | MakeNext
"""Effects that need an answer: the actor passes an `Answered` to the room before any other event."""
Effect: TypeAlias = Send | Refuse | Close | Timer | Ask | StopAsking | AskForHint | Question
Work: TypeAlias = Generator[Question, Any, Any]
"""A generator that does a part of a room's work. It yields questions, and gets their answers."""


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
    """A process reports what an agent is doing (`what`) for the seat's turn, or for a client's hint."""

    what: str
    seat: int
    client: Client | None = None


class Weaker(NamedTuple):
    """This percentage of the agents' code is compiled. Until all of it is, agents play weaker."""

    percent: int


class HintFound(NamedTuple):
    """The hint for a client's request, or the refusal if there is none."""

    client: Client
    request: Hint
    found: Thought | RefusalError


class Call(NamedTuple):
    """Work of another module that must not happen at the same time as other work of the room."""

    work: Callable[[], Work]


class Answered(NamedTuple):
    """The answer to the room's last question, or the refusal if there is no answer."""

    value: Any = None
    refusal: RefusalError | None = None


RoomEvent: TypeAlias = Received | Gone | Due | Chosen | Progressed | Weaker | HintFound | Call | Answered
