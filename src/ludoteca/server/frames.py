"""The frames between a browser and a room. A frame is a JSON object whose kind is in `t`.

A client says `hello` first. The room answers with `room`, everything that this client may see. After that it sends `event`s,
whose numbers `n` rise by one. A client that has missed an event says `hello` again. Clients with the same view get the same
event. If an event changes fields for one seat alone, that seat gets them in a `yours` just before the event.

`position_n` is the number of the last event that changed the position: a move, an undo, a resignation or a clock that ran
out. A client sends it as `n` with each request about a position. If it is not the newest one, the room refuses the request
as `stale`, so that a request never acts on a position that its client has not seen. `id` is the client's own number for a
request, and the answer repeats it. `static/js/frames.js` has the same frames for the page. A test compares the two.
"""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

from ludoteca.core.messages import Message
from ludoteca.core.scene import Choice, Item, Placed, Scene, Standing

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
"""A number that JavaScript can represent, too."""

ChoiceFrame: TypeAlias = tuple[str, tuple[str, ...], Message]
"""A choice as it travels: its action, touches and label (see `core.scene.Choice`)."""

# from the client


class Hello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """The first frame, with the secret of a seat, or None for a spectator."""

    token: str | None = None


class Numbered(msgspec.Struct, tag_field="t", forbid_unknown_fields=True):
    """A request after the first frame."""

    id: Number


class AboutPosition(Numbered):
    """A request about the position with this identity."""

    n: Number


class Play(AboutPosition, tag="play"):
    """Play one of the choices. The action travels as text, because actions have up to 63 bits, and JavaScript's numbers
    fewer.
    """

    action: str


class Write(AboutPosition, tag="write"):
    """Play a move that was typed in the game's notation."""

    text: str


class Why(AboutPosition, tag="why"):
    """Ask why touching these items together means no legal action. The answer is an error `illegal` with the reason."""

    touched: list[str]


class Preview(AboutPosition, tag="preview"):
    """Ask for the effect of a choice. The answer is `previewed`."""

    action: str


class Plan(AboutPosition, tag="plan"):
    """Ask for the choices that the seat would have if it were to move now. The answer is `planned`."""


class Hint(AboutPosition, tag="hint"):
    """Ask an agent for a move, in a game against agents only (`Whole.hints`). The answer is `hinted`."""


class Undo(AboutPosition, tag="undo"):
    """Take back the seat's last action and all later ones, or ask the other players for that.

    Against agents this is done at once. Among people, all must agree. It is refused with `away` while one of them is away or
    replaced by an agent. If another player has already asked for an undo, this request agrees to it, so that two players who
    ask at once go back only once. After an undo all clients get a `room`.
    """


class Resign(AboutPosition, tag="resign"):
    """Give up the game. If the rules have an action for this, it is played. Otherwise an agent takes the seat over, or the
    game is over.

    If the other seats belong to persons who have never been in the room, the game ends without a loser.
    """


class Replace(Numbered, tag="replace"):
    """Ask that an agent takes over an open seat, or the seat of a player who is away. This happens as soon as all players
    present agree.

    The maker of the room decides alone about open seats. If the player has only just left, the request is refused with
    `away` and the seconds to wait. The room chooses the agent. A player who comes back gets the seat back.
    """

    seat: Number


class Agree(Numbered, tag="agree"):
    """Agree to what another player has asked for. `what` is a key of `asked`.

    It is refused with `nobody` if nobody asks for it any more.
    """

    what: str


class Decline(Numbered, tag="decline"):
    """Decline what another player has asked for, or withdraw what this player has asked for. `what` is a key of `asked`.

    Other players can ask for it again after the position has changed, or while the player who declined is away. The player
    who declined can ask at any time.
    """

    what: str


class Rematch(Numbered, tag="rematch"):
    """Ask for another game with the same seats, in which the next seat moves first.

    The game begins as soon as all players present agree. A player who is away keeps the seat and its secret.
    """


class Give(Numbered, tag="give"):
    """Give the opponent 15 seconds. A player can do it five times, in a running game of two persons with a clock."""


class Say(Numbered, tag="say"):
    """Say a ready-made phrase, by its number: `PHRASES` of `static/js/phrases.js`. All clients get a note `said`.

    Nothing is stored. A player can say a phrase every five seconds.
    """

    phrase: Number


class Look(Numbered, tag="look"):
    """Ask for the scene after `ply` actions. After the end of the game it may be as another seat saw it. The answer is
    `past`.
    """

    ply: Number
    player: int | None = None


class Read(Numbered, tag="read"):
    """Ask for the position and the legal actions in the game's notation, which programs need. The answer is `text`."""


class Ping(Numbered, tag="ping"):
    """Ask for a sign of life. The answer is `pong`, at once, also before `hello` and while the room is busy."""


Request: TypeAlias = (
    Hello
    | Ping
    | Play
    | Write
    | Why
    | Preview
    | Plan
    | Hint
    | Undo
    | Resign
    | Replace
    | Agree
    | Decline
    | Rematch
    | Give
    | Say
    | Look
    | Read
)

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
    """True if the seat was lost on time."""
    kept: int = 0
    """Milliseconds until an agent may take over the seat of a person who is away; 0 for all other seats."""
    awaited: bool = False
    """True for a person who has not been here yet. No clock runs until all persons have been here."""


class Line(msgspec.Struct, gc=False):
    """A line of the log."""

    player: int
    text: str
    """The move in the game's notation, as the reader's seat saw it."""
    told: Message
    placed: Placed = Placed()
    """The items that the move has put on the board, which a client marks until the reader's seat has moved again."""


class Clock(msgspec.Struct, gc=False):
    """Milliseconds that each player has left now; those of the player to move are running."""

    left: list[int]
    running: bool


class Over(msgspec.Struct, gc=False):
    """The end of a game, and the seed of its deal."""

    reason: str
    """`end`, `resigned` or `time`; `unplayed` if it ended without a loser, because a person was never there; `record` if the
    room shows a record, which may be unfinished."""
    by_rules: bool
    """True if the last position is an end by the rules."""
    loser: int
    """The seat that ended the game by resigning or losing on time, else -1."""
    returns: list[float]
    scores: list[int]
    seed: str
    """64 hexadecimal digits; empty if there was no deal."""
    nonce: str
    """64 more digits. The SHA-256 of seed and nonce was published before the first move. Empty if `commitment` is."""
    lead: Message
    """The lead of the winner, such as `3 points`; empty if there is no single winner, or if a player gave up."""
    rematch: str = ""
    """The room of the rematch; empty if there is none."""


class Whole(msgspec.Struct, tag_field="t", tag="room"):
    """The whole view that a seat has of a room."""

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
    """Why a player may know hidden cards: `position` if others have seen the position from which the game starts,
    `computable` if the deal can be computed, else an empty text."""
    invitation: str
    """For the players of a listed room: the text that lets friends at one address take several seats."""
    may_delete: bool
    """True if no person but the maker has played, so the maker may delete the room: sent to the seat of the maker, whose
    secret is the key of the room, and to spectators, as a maker without a seat has the key alone."""
    commitment: str
    """SHA-256 of seed and nonce, in hexadecimal; empty if there was no deal, as in a game from a given position
    or in a game without chance."""
    log: list[Line]
    scene: Scene
    choices: list[ChoiceFrame]
    """The choices of the player to move, in this position; empty for all others."""
    give_up: str
    """The action among them that gives up, which a client has its player confirm. Empty if none does."""
    clocks: Clock | None
    over: Over | None
    asked: dict[str, list[int]]
    """The seats that have agreed to something so far, in this order: `{"rematch": [0], "replace 2": [1], "undo 7 1": [1]}`.

    `undo 7 1` is the undo for which seat 1 has asked in the position with identity 7.
    """
    declined: dict[str, int]
    """The questions that were declined in this position, each with the seat that did. A refusal counts while that player is
    there."""
    undo: bool
    """True if the reader's last action can be taken back."""
    hints: bool
    """True if the reader may ask for hints."""
    spectators: int
    """The number of spectators, including the reader."""


class Change(msgspec.Struct, gc=False):
    """The differences of a scene from the one before it."""

    changed: list[Item]
    gone: list[str]
    order: list[tuple[int, int] | str] | None
    """The items of the new scene from the lowest to the highest, if their order has changed: `[first, number]` for this many
    items of the old scene in their order, from its item number `first` on, and the ids of others."""
    size: tuple[float, float, tuple[float, float] | None] | None
    """Width, height and field, if they have changed."""
    standings: tuple[Standing, ...]
    task: Message
    meanwhile: Sequence[Item] = ()
    """Items that are shown for a moment during the change."""


class Event(msgspec.Struct, tag_field="t", tag="event", omit_defaults=True):
    """An event of the room. Its `kind` is `seats`, `move`, `over`, `asked`, `clock` or `rematch`, and decides which fields
    it has.

    - `move`: a move. It has `line`, `change` and `clocks`, also `seats` if the player gives up, and `over` if the game ends.
    - `seats`: a person or an agent takes a seat. `over`: a player has resigned or lost on time. Both have `seats`, `clocks`
      and `asked`.
    - `clock`: a player has given the opponent time. It has `clocks`.

    A field that is absent has not changed. Only an absent `declined` means that it is empty. If an event changes the
    position (`n` is its `position_n`), the client has no choices after it, unless a `yours` came before it. A player whose
    seat an agent takes over becomes a spectator, and gets a `room` after the event.
    """

    n: int
    kind: str
    ply: int
    position_n: int
    mover: int
    seats: list[Seat] | None = None
    line: Line | None = None
    change: Change | None = None
    clocks: Clock | None = None
    over: Over | None = None
    asked: dict[str, list[int]] | None = None
    declined: dict[str, int] = {}


class Yours(msgspec.Struct, tag_field="t", tag="yours"):
    """Fields of `Whole` that concern only the reader's seat, with their values after the next event. It is sent if one
    changes.
    """

    n: int
    """The number of that event."""
    choices: list[ChoiceFrame]
    give_up: str
    undo: bool
    hints: bool
    may_delete: bool


class Note(msgspec.Struct, tag_field="t", tag="note", omit_defaults=True):
    """News that is not stored. Its fields depend on `kind`.

    - `present`: the players who are there have changed. It has `seats`, and `clocks` if a clock has just begun to run.
    - `thinking`, `compiling` (which takes up to a minute): the agent of seat `player` is doing this.
    - `hurried`: that agent took too long or failed, and an agent that does not search plays this move.
    - `stuck`: that one failed too. The room asks again when a client joins.
    - `weaker`: agents play faster and weaker until `percent` of their code is compiled. 100 is the end of it.
    - `said`: the player of seat `player` says the phrase with this `number`.
    - `spectators`: their `number` changed a second ago.
    - `unstored`: the database has not confirmed an event for three seconds. The event follows, or a refusal `storage`.
    """

    kind: str
    seats: list[Seat] | None = None
    player: int = -1
    percent: int = -1
    number: int = -1
    clocks: Clock | None = None


class Done(msgspec.Struct, tag_field="t", tag="done"):
    """A request was carried out, and the change is stored."""

    id: int
    n: int


class Pong(msgspec.Struct, tag_field="t", tag="pong"):
    """The connection is alive."""

    id: int


class PositionAnswer(msgspec.Struct, tag_field="t"):
    """The answer to a request about a position."""

    id: int
    n: int
    """The identity of the position, as requests carry it."""


class Hinted(PositionAnswer, tag="hinted"):
    """A hint: an action with its touches, its value, and the reason for it."""

    action: str
    touches: tuple[str, ...]
    value: float
    line: list[Line]
    """The action, and a likely continuation."""
    worth: Message
    """The bounds of the value in words, and how sure they are."""
    others: list[tuple[Line, Message]]
    """The next best actions with their values."""
    is_guess: bool
    """True if little or nothing was searched: then the worth has no value, and there are no others."""


class Previewed(PositionAnswer, tag="previewed"):
    """The effect of a choice (see `core.scene.Preview`)."""

    action: str
    items: tuple[Item, ...]
    marked: tuple[str, ...]
    told: Message
    deed: Message
    """The choice itself in words, as in the log."""


class Planned(PositionAnswer, tag="planned"):
    """The scene and the choices that the seat would have if it were to move now, by its knowledge."""

    scene: Scene
    choices: list[ChoiceFrame]


class Past(msgspec.Struct, tag_field="t", tag="past"):
    """An earlier position of the game."""

    id: int
    ply: int
    player: int
    scene: Scene


class Text(PositionAnswer, tag="text"):
    """The position now, in the game's notation, as the reader's seat sees it."""

    ply: int
    position: str
    moves: list[str]
    """The legal actions; empty for all but the player to move."""
    give_up: str
    """The action among them that gives up. Empty if none does."""


class Refused(msgspec.Struct, tag_field="t", tag="error"):
    """A request changed nothing. The codes are in `server/refusals.py`. `id` is -1 if it could not be read."""

    id: int
    code: str
    message: Message


Answer: TypeAlias = Whole | Event | Yours | Note | Done | Pong | Hinted | Previewed | Planned | Past | Text | Refused


def choice_frames(choices: Sequence[Choice]) -> list[ChoiceFrame]:
    """Return the choices as they travel."""
    return [(str(choice.action), choice.touches, choice.label) for choice in choices]
