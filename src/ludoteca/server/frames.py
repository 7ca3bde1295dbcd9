"""The frames between a browser and a room: one JSON object each, its kind in `t`.

A client says `hello` first. The answer is `room`: everything that the client may see. Then it gets `event`s, whose numbers
`n` rise by one. A client that has missed one says `hello` again.

`position_n` is the number of the last event that changed the position: a move, an undo, a resignation or a lost clock. A
request about a position carries it as `n`. The room refuses another number as `stale`, so a request never reaches a
position that its client has not seen. `id` is the client's own number for a request, and comes back with the answer.
`static/js/frames.js` has the same shapes for the page. A test compares the two.
"""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

from ludoteca.core.messages import Message
from ludoteca.core.scene import Choice, Item, Scene, Standing

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
"""A number that JavaScript can represent, too."""

ChoiceFrame: TypeAlias = tuple[str, tuple[str, ...], Message]
"""A choice as it travels: its action, touches and label (see `core.scene.Choice`)."""

# from the client


class Hello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """The first frame: with the secret of one's seat, or None for a spectator."""

    token: str | None = None


class Play(msgspec.Struct, tag_field="t", tag="play", forbid_unknown_fields=True):
    """Play one of the choices. Actions have up to 63 bits, more than a number of JavaScript: they travel as text."""

    id: Number
    n: Number
    action: str


class Write(msgspec.Struct, tag_field="t", tag="write", forbid_unknown_fields=True):
    """Play a move that was typed in the game's notation."""

    id: Number
    n: Number
    text: str


class Why(msgspec.Struct, tag_field="t", tag="why", forbid_unknown_fields=True):
    """Ask why these items, touched together, are no legal action. Answered by an error `illegal` with the reason."""

    id: Number
    n: Number
    touched: list[str]


class Preview(msgspec.Struct, tag_field="t", tag="preview", forbid_unknown_fields=True):
    """Ask what one of the choices would do. Answered by `previewed`."""

    id: Number
    n: Number
    action: str


class Plan(msgspec.Struct, tag_field="t", tag="plan", forbid_unknown_fields=True):
    """Ask what the seat could play if it were its turn now. Answered by `planned`; `preview` shows what that would do."""

    id: Number
    n: Number


class Hint(msgspec.Struct, tag_field="t", tag="hint", forbid_unknown_fields=True):
    """Ask what an agent would play; only where all other seats are agents'."""

    id: Number
    n: Number


class Undo(msgspec.Struct, tag_field="t", tag="undo", forbid_unknown_fields=True):
    """Take the seat's last action back, with all that came after it; or agree that another one's is.

    Against agents alone it is done at once, among people when all who are there agree. Everybody gets a `room` then.
    """

    id: Number
    n: Number


class Resign(msgspec.Struct, tag_field="t", tag="resign", forbid_unknown_fields=True):
    """Give up the game: by an action where the rules have one; else an agent takes the seat over, or the game is over."""

    id: Number
    n: Number


class Replace(msgspec.Struct, tag_field="t", tag="replace", forbid_unknown_fields=True):
    """Agree that an agent takes over a seat whose person is away. It does when everybody who is there agrees.

    The person has to be away for a while, or the answer is an error `away` that says how much longer. The room chooses the
    agent; when the person comes back, the seat is the person's again.
    """

    id: Number
    seat: Number


class Rematch(msgspec.Struct, tag_field="t", tag="rematch", forbid_unknown_fields=True):
    """Ask for, or agree to, another game with the same seats, in which the next one moves first."""

    id: Number


class Look(msgspec.Struct, tag_field="t", tag="look", forbid_unknown_fields=True):
    """Look at the position after `ply` actions; after the end, also as another seat saw it. Answered by `past`."""

    id: Number
    ply: Number
    player: int | None = None


class Read(msgspec.Struct, tag_field="t", tag="read", forbid_unknown_fields=True):
    """Ask for the position and what may be played there, in the game's notation, as programs read it. Answered by `text`."""

    id: Number


Request: TypeAlias = Hello | Play | Write | Why | Preview | Plan | Hint | Undo | Resign | Replace | Rematch | Look | Read

# from the room


class Seat(msgspec.Struct, gc=False):
    """A seat and its player."""

    kind: str
    """`open`, `person` or `agent`."""
    name: str
    agent: str = ""
    """The agent's name: `greedy`, a level."""
    present: bool = False
    resigned: bool = False
    timed_out: bool = False
    """True where the seat was lost on time."""


class Line(msgspec.Struct, gc=False):
    """A line of the log."""

    player: int
    text: str
    """The move in the game's notation, as the reader's seat saw it."""
    told: Message


class Clock(msgspec.Struct, gc=False):
    """Milliseconds that each player has left now; those of the player to move are running."""

    left: list[int]
    running: bool


class Over(msgspec.Struct, gc=False):
    """How a game ended, and from what its deal was made."""

    reason: str
    """`end`, `resigned` or `time`; `record` where a room shows a record, which may be unfinished."""
    by_rules: bool
    """True where the last position is an end by the rules, from which nobody plays on."""
    loser: int
    """The seat whose player resigned, or whose time was up, where the game ended by that; else -1."""
    returns: list[float]
    scores: list[int]
    seed: str
    """64 hexadecimal digits; empty where nothing was dealt."""
    nonce: str
    """64 more digits: the SHA-256 of both, 64 bytes, was published before the first move. Empty where `commitment` is."""
    lead: Message
    """By how much the winner is ahead of the next, such as `3 points`; empty where no single winner is."""
    rematch: str = ""
    """The next room, when there is one."""


class Whole(msgspec.Struct, tag_field="t", tag="room"):
    """Everything that a seat may see of a room."""

    n: int
    """The number of the last event."""
    room: str
    game: str
    parameters: dict[str, Any]
    clock: dict[str, int] | None
    """The clock as it was chosen, in seconds: `{"move": 60}`, `{"bank": 300, "increment": 5}`."""
    seats: list[Seat]
    you: int
    """The reader's seat; -1 for a spectator."""
    ply: int
    """How many actions were played."""
    position_n: int
    """The number of the last event that changed the position."""
    mover: int
    """-4 when the game is over; -1 while seats are open."""
    known: str
    """Why somebody may know what is hidden: `position` if others have seen the position that the game starts from,
    `computable` if the deal can be computed, else an empty text."""
    invitation: str
    """For the players of a listed room: the text with which friends take seats though they share an address."""
    may_delete: bool
    """True for the room's maker: the secret of the seat deletes it."""
    commitment: str
    """SHA-256 of seed and nonce, in hexadecimal; empty where nothing was dealt, as in a game from a given position."""
    log: list[Line]
    scene: Scene
    choices: list[ChoiceFrame]
    """The choices of the player to move; empty for all others."""
    give_up: str
    """The action among them that gives up, which a client confirms before it sends it; or an empty text."""
    clocks: Clock | None
    over: Over | None
    asked: dict[str, list[int]]
    """The seats that have agreed to something so far: `{"rematch": [0], "replace 2": [1], "undo 7": [1]}`."""
    undo: bool
    """True if the reader's last action can be taken back."""
    spectators: int
    """How many connections watch, the reader's among them."""


class Change(msgspec.Struct, gc=False):
    """The differences of a scene from the one before it."""

    changed: list[Item]
    gone: list[str]
    order: list[tuple[int, int] | str] | None
    """The items of the new scene from the lowest to the highest, when their order has changed: `[first, number]` for so many
    of the old scene's items in their order, the first of which had that number there, and the ids of others."""
    size: tuple[float, float] | None
    """Width and height, when they have changed."""
    standings: tuple[Standing, ...]
    task: Message
    meanwhile: Sequence[Item] = ()
    """What is shown for a moment while the new scene comes about."""


class Event(msgspec.Struct, tag_field="t", tag="event", omit_defaults=True):
    """Something has happened. The fields that it has depend on `kind`: `seats`, `move`, `over`, `asked`, `rematch`.

    `move` has all but `seats` and `asked`, and `over` when the game ends with it. `seats` (a seat is taken, by a person or
    an agent) and `over` (somebody gave up, or the time is up) have `seats`, `choices`, `clocks`, `asked`. What is absent
    has not changed; `choices` are there whenever they may have changed, and are empty for all but the player to move. A
    person whose seat an agent takes over gets a `room` after the event, as a spectator.
    """

    n: int
    kind: str
    ply: int
    position_n: int
    mover: int
    seats: list[Seat] | None = None
    line: Line | None = None
    change: Change | None = None
    choices: list[ChoiceFrame] | None = None
    give_up: str = ""
    clocks: Clock | None = None
    over: Over | None = None
    asked: dict[str, list[int]] | None = None
    undo: bool = False


class Note(msgspec.Struct, tag_field="t", tag="note", omit_defaults=True):
    """News that are not stored: who is there (`present`, with the seats), or what the agent of a seat is doing.

    The agent is `thinking`; or `compiling`, which takes up to a minute; or `hurried`: it took too long or failed, and
    another that does not search plays this move; or `stuck`: that one failed too, and is asked again when somebody comes.
    Until what agents search with is compiled they play faster and `weaker`: `percent` says how far that is, and 100 that
    it is over. And how many `spectators` there are, told a second after their number has changed.
    """

    kind: str
    seats: list[Seat] | None = None
    player: int = -1
    percent: int = -1
    number: int = -1


class Done(msgspec.Struct, tag_field="t", tag="done"):
    """A request was carried out, and what it changed is stored."""

    id: int
    n: int


class Hinted(msgspec.Struct, tag_field="t", tag="hinted"):
    """A hint: an action with its touches, its value, and the reason for it."""

    id: int
    n: int
    action: str
    touches: tuple[str, ...]
    value: float
    line: list[Line]
    """The action, and how the game may go on after it."""
    worth: Message
    """The value in words, and how sure it is."""
    others: list[tuple[Line, Message]]
    """The next best actions, and what they are worth."""


class Previewed(msgspec.Struct, tag_field="t", tag="previewed"):
    """What a choice would do (see `core.scene.Preview`)."""

    id: int
    n: int
    action: str
    items: tuple[Item, ...]
    marked: tuple[str, ...]
    told: Message
    deed: Message
    """The choice itself in words, as the log will have it."""


class Planned(msgspec.Struct, tag_field="t", tag="planned"):
    """What the seat would see and could choose if it were its turn now, by what it knows."""

    id: int
    n: int
    scene: Scene
    choices: list[ChoiceFrame]


class Past(msgspec.Struct, tag_field="t", tag="past"):
    """An earlier position of the game."""

    id: int
    ply: int
    player: int
    scene: Scene


class Text(msgspec.Struct, tag_field="t", tag="text"):
    """The position now, in the game's notation, as the reader's seat sees it."""

    id: int
    n: int
    ply: int
    position: str
    moves: list[str]
    """What the reader may play; empty for all but the player to move."""
    give_up: str
    """The one among them that gives up, or an empty text."""


class Refused(msgspec.Struct, tag_field="t", tag="error"):
    """A request changed nothing. The codes are in `server/refusals.py`; id is -1 when it could not be read."""

    id: int
    code: str
    message: Message


Answer: TypeAlias = Whole | Event | Note | Done | Hinted | Previewed | Planned | Past | Text | Refused


def choice_frames(choices: Sequence[Choice]) -> list[ChoiceFrame]:
    """Choices as they travel."""
    return [(str(choice.action), choice.touches, choice.label) for choice in choices]
