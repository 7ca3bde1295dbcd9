"""The frames, which are the messages between a client (a page in a browser, or a program) and a room (the place of one
game). A frame is a JSON object whose kind is in its field `t`.

A client says `hello` first. The room answers with `room`, which contains everything for this client to see. After that the
room sends an `event` for each change, with numbers `n` that rise by one. A client that has missed an event says `hello`
again. Clients with the same view get the same event. If an event changes fields for one seat alone, that seat gets these
fields in a `yours` just before the event.

`position_n` is the number of the last event that changed the position: a move, an undo, a resignation or a clock that ran
out. A client sends this number as `n` with each request about a position. If the position has changed since, the room
refuses the request as `stale`. `id` is the client's own number for a request, and the answer repeats it.
`static/js/frames.js` has the same frames for the page, and a test compares the two files.
"""

from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import msgspec

from ludoteca.core.messages import Message
from ludoteca.core.scene import Choice, Item, Placed, Scene, Standing

Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
"""An integer that JavaScript represents exactly: from 0 to 2**53 - 1."""

ChoiceFrame: TypeAlias = tuple[str, tuple[str, ...], Message]
"""A choice: its action as a text, the ids of the items to touch for it, and its label (see `core.scene.Choice`)."""

# from the client


class Hello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """The first frame. `token` is the secret of a seat, with which a client acts for that seat, or None for a spectator."""

    token: str | None = None


class Numbered(msgspec.Struct, tag_field="t", forbid_unknown_fields=True):
    """A request after the first frame."""

    id: Number


class AboutPosition(Numbered):
    """A request about a position. `n` is the `position_n` of the position that the client has seen."""

    n: Number


class Play(AboutPosition, tag="play"):
    """Play one of the choices. The action is sent as a text, because actions have up to 63 bits, which JavaScript rounds."""

    action: str


class Write(AboutPosition, tag="write"):
    """Play a move that a person typed in the game's notation."""

    text: str


class Why(AboutPosition, tag="why"):
    """Ask why touching these items (by id) together is no legal action. The answer is an error `illegal` with the reason."""

    touched: list[str]


class Preview(AboutPosition, tag="preview"):
    """Ask for the effect of the choice with this action before it is played. The answer is `previewed`."""

    action: str


class Plan(AboutPosition, tag="plan"):
    """Ask for the choices that the seat would have if it were to move now. The answer is `planned`."""


class Hint(AboutPosition, tag="hint"):
    """Ask an agent which move it would play, in a game against agents (`Whole.hints`). The answer is `hinted`."""


class Undo(AboutPosition, tag="undo"):
    """Take back the seat's last action and all later actions, or ask the other players to agree to that.

    If all other players are agents, the actions are taken back at once. If some are persons, all of these must agree. The
    request is refused with `away` while one of these persons is away or replaced by an agent. If another player has already
    asked for an undo, this request agrees to that undo, so that the game goes back only once if two players ask at the same
    time. After an undo all clients get a `room`.
    """


class Resign(AboutPosition, tag="resign"):
    """Give up the game. If the rules have an action for giving up, this action is played. Otherwise an agent takes over the
    seat if the game can go on, and the game is over if it cannot. If the other seats belong to persons who have never been
    in the room, the game ends without a loser.
    """


class Replace(Numbered, tag="replace"):
    """Ask that an agent takes over a seat that is open, or whose player is away. This happens once all players who are
    present agree. For an open seat, the maker of the room decides alone. The room chooses the agent.

    If the player has only just left, the request is refused with `away` and the seconds to wait. A player who comes back
    gets the seat back.
    """

    seat: Number


class Agree(Numbered, tag="agree"):
    """Agree to a request of another player, such as an undo or a rematch. `what` is a key of `Whole.asked`, which lists
    these requests. It is refused with `nobody` if no player makes this request any more.
    """

    what: str


class Decline(Numbered, tag="decline"):
    """Decline a request of another player, or withdraw this player's own request. `what` is a key of `Whole.asked`, which
    lists requests such as an undo or a rematch. After a request was declined, the other players can make it again once the
    position has changed, or while the player who declined it is away. The player who declined it can make it at any time.
    """

    what: str


class Rematch(Numbered, tag="rematch"):
    """Ask for another game with the same players in the same seats. The seat after the one that moved first now moves first.
    The game begins in a new room once all players who are present agree. A player who is away keeps the seat, and enters the
    new room with the same token.
    """


class Give(Numbered, tag="give"):
    """Add 15 seconds to the opponent's clock. A player can do this five times, in a game of two persons with a clock."""


class Say(Numbered, tag="say"):
    """Say a ready-made phrase. `phrase` is its number in the list `PHRASES` of `static/js/phrases.js`. All clients get a
    note `said`. Phrases are not stored. A player can say a phrase every five seconds.
    """

    phrase: Number


class Look(Numbered, tag="look"):
    """Ask for the scene after the first `ply` actions of the game. The answer is `past`. The scene shows the game as the
    reader's seat saw it. After the end of the game, `player` may be another seat, whose view is then shown.
    """

    ply: Number
    player: int | None = None


class Read(Numbered, tag="read"):
    """Ask for the position and the legal actions in the game's notation, for programs without a display. The answer is
    `text`.
    """


class Ping(Numbered, tag="ping"):
    """Ask whether the connection is alive. The server answers `pong` at once, also before `hello` and while the room is
    busy.
    """


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
    """The agent's name, which is `greedy` or a level of strength; empty for other kinds of seats."""
    present: bool = False
    resigned: bool = False
    timed_out: bool = False
    """True if the seat was lost on time."""
    kept: int = 0
    """Milliseconds until an agent may take over the seat, if its person is away; 0 for all other seats."""
    awaited: bool = False
    """True for a person who has not been in this room yet. No clock runs until all persons have been here."""


class Line(msgspec.Struct, gc=False):
    """A line of the log."""

    player: int
    text: str
    """The move in the game's notation, with only as much of it as the reader's seat saw."""
    told: Message
    placed: Placed = Placed()
    """The items that the move has put on the board. A client highlights them until the reader's seat has moved again."""


class Clock(msgspec.Struct, gc=False):
    """The milliseconds that each player has left now. If `running` is true, those of the player to move are running."""

    left: list[int]
    running: bool


class Over(msgspec.Struct, gc=False):
    """The end of a game, and the seed of its deal."""

    reason: str
    """`end` if the game ended by its rules, `resigned` if a player gave up, `time` if a player lost on time; `unplayed` if
    it ended without a loser because a person was never in the room; `record` if the room shows a record, whose game may be
    unfinished."""
    by_rules: bool
    """True if the last position is an end of the game by its rules."""
    loser: int
    """The seat that ended the game by resigning or losing on time, else -1."""
    returns: list[float]
    scores: list[int]
    seed: str
    """The seed of the deal: 64 hexadecimal digits; empty if there was no deal."""
    nonce: str
    """64 random hexadecimal digits. The SHA-256 of seed and nonce was published before the first move (`commitment`), so
    that players can check that the deal was not changed. Empty if `commitment` is empty."""
    lead: Message
    """The winner's distance from the next player, such as `3 points`; empty without a single winner, or after giving up."""
    rematch: str = ""
    """The name of the room of the rematch; empty if there is none."""


class Whole(msgspec.Struct, tag_field="t", tag="room"):
    """Everything that a client may see of a room: its seats, its game and its clock, as they are after event `n`."""

    n: int
    """The number of the last event."""
    room: str
    game: str
    parameters: dict[str, Any]
    clock: dict[str, int] | None
    """The time limits that the maker of the room chose, in seconds, such as `{"move": 60}` or `{"bank": 300, "increment":
    5}`; None for a game without a clock."""
    seats: list[Seat]
    you: int
    """The reader's seat; -1 for a spectator."""
    ply: int
    """How many actions were played."""
    position_n: int
    """The number of the last event that changed the position. Requests about the position repeat it."""
    mover: int
    """The seat to move; -1 while seats are open, and -4 when the game is over."""
    known: str
    """The reason why a player may know hidden cards: `position` if others have seen the position from which the game starts,
    `computable` if the deal can be computed; else empty."""
    invitation: str
    """A text with which friends who share one internet address can take several seats of a room in the lobby's list. Only
    players of such a room get it; else empty."""
    may_delete: bool
    """True if the maker of the room may delete it, because no other person has played. It is sent to the seat of the maker,
    whose token deletes the room, and to spectators, because a maker without a seat has only the key of the room."""
    commitment: str
    """The SHA-256 of the seed of the deal and of a nonce, in hexadecimal digits. Empty if there was no deal, as in a game
    that starts from a given position, or in a game without chance."""
    log: list[Line]
    scene: Scene
    choices: list[ChoiceFrame]
    """The choices that the reader has in this position if the reader is to move; empty for all other clients."""
    give_up: str
    """The action of `choices` that gives up the game, which a client asks its player to confirm. Empty if there is none."""
    clocks: Clock | None
    over: Over | None
    asked: dict[str, list[int]]
    """The open requests that all players must agree to, each with the seats that have agreed so far, in this order, as in
    `{"rematch": [0], "replace 2": [1], "undo 7 1": [1]}`. The key `undo 7 1` is the undo for which seat 1 has asked in the
    position with the `position_n` 7."""
    declined: dict[str, int]
    """The requests that were declined in this position, each with the seat that declined it. They count as declined only
    while the player of that seat is present."""
    undo: bool
    """True if the reader's last action can be taken back."""
    hints: bool
    """True if the reader may ask for hints."""
    spectators: int
    """The number of spectators, including the reader."""


class Change(msgspec.Struct, gc=False):
    """The differences between a scene and the scene before it. `changed` contains the new and changed items, and `gone` the
    ids of the items that are not in the new scene.
    """

    changed: list[Item]
    gone: list[str]
    order: list[tuple[int, int] | str] | None
    """The items of the new scene from the lowest to the highest, or None if their order has not changed. An entry `[first,
    number]` means `number` items of the old scene in their old order, beginning with item `first`. Every other entry is the
    id of one item."""
    size: tuple[float, float, tuple[float, float] | None] | None
    """The width, the height and the field of the new scene (see `core.scene.Scene`); None if they have not changed."""
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

    A field that is absent has not changed, except `declined`: if it is absent, it is empty now. If an event changes the
    position (its `n` is equal to its `position_n`), the client has no choices after the event, unless a `yours` came just
    before it. A player whose seat an agent takes over becomes a spectator, and gets a `room` after the event.
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
    """New values of the fields of `Whole` that concern only the reader's seat. They are valid after the event with the
    number `n`, which is the next frame. A seat gets this frame only if one of the values changes.
    """

    n: int
    """The number of the event that follows."""
    choices: list[ChoiceFrame]
    give_up: str
    undo: bool
    hints: bool
    may_delete: bool


class Note(msgspec.Struct, tag_field="t", tag="note", omit_defaults=True):
    """News that is not stored and has no number. Its `kind` decides which fields it has.

    - `present`: the players who are there have changed. It has `seats`, and `clocks` if a clock has just begun to run.
    - `thinking`: the agent of seat `player` is thinking. `compiling`: it is compiling code, which takes up to a minute.
    - `hurried`: the agent of seat `player` took too long or failed, and an agent that does not search plays this move.
    - `stuck`: the agent that does not search failed, too. The room asks an agent again when a client joins.
    - `weaker`: agents play faster and weaker until their code is compiled. `percent` of it is ready; 100 ends these notes.
    - `said`: the player of seat `player` says the phrase with this `number`.
    - `spectators`: the number of spectators changed a second ago, and is `number` now.
    - `unstored`: the database has not confirmed an event for three seconds. The event follows, or a refusal `storage`.
    """

    kind: str
    seats: list[Seat] | None = None
    player: int = -1
    percent: int = -1
    number: int = -1
    clocks: Clock | None = None


class Done(msgspec.Struct, tag_field="t", tag="done"):
    """A request was carried out, and its change is stored. `n` is the number of the room's last event."""

    id: int
    n: int


class Pong(msgspec.Struct, tag_field="t", tag="pong"):
    """The connection is alive."""

    id: int


class PositionAnswer(msgspec.Struct, tag_field="t"):
    """The answer to a request about a position."""

    id: int
    n: int
    """The `position_n` of the position that the answer is about."""


class Hinted(PositionAnswer, tag="hinted"):
    """A hint: the `action` that an agent would play, the ids of the items that a player touches for it, its expected result
    for the player (`value`), and the reasons for it.
    """

    action: str
    touches: tuple[str, ...]
    value: float
    line: list[Line]
    """The action, followed by the moves that the agent expects after it."""
    worth: Message
    """The bounds of the value in words, and how sure the agent is of these bounds."""
    others: list[tuple[Line, Message]]
    """The next best actions, each with the bounds of its value in words."""
    is_guess: bool
    """True if the agent searched little or not at all. Then `worth` contains no value, and `others` is empty."""


class Previewed(PositionAnswer, tag="previewed"):
    """The effect of a choice (see `core.scene.Preview`): the `items` as they would be, the ids of items to highlight
    (`marked`), and the effect in words (`told`).
    """

    action: str
    items: tuple[Item, ...]
    marked: tuple[str, ...]
    told: Message
    deed: Message
    """The choice itself in words, as a line of the log would describe it."""


class Planned(PositionAnswer, tag="planned"):
    """The scene and the choices that the seat would have if it were to move now, by its player's knowledge."""

    scene: Scene
    choices: list[ChoiceFrame]


class Past(msgspec.Struct, tag_field="t", tag="past"):
    """The scene after the first `ply` actions of the game, as the seat `player` saw it; -1 is a spectator."""

    id: int
    ply: int
    player: int
    scene: Scene


class Text(PositionAnswer, tag="text"):
    """The present position after `ply` actions in the game's notation, with only as much as the reader's seat sees."""

    ply: int
    position: str
    moves: list[str]
    """The legal actions in notation if the reader is to move; empty for all other clients."""
    give_up: str
    """The action of `moves` that gives up the game; empty if there is none."""


class Refused(msgspec.Struct, tag_field="t", tag="error"):
    """The refusal of a request, which has changed nothing. `id` is the number of the request, or -1 if the server could not
    read it. The possible values of `code` are listed in `server/refusals.py`.
    """

    id: int
    code: str
    message: Message


Answer: TypeAlias = Whole | Event | Yours | Note | Done | Pong | Hinted | Previewed | Planned | Past | Text | Refused


def choice_frames(choices: Sequence[Choice]) -> list[ChoiceFrame]:
    """Return the choices in the form in which frames contain them."""
    return [(str(choice.action), choice.touches, choice.label) for choice in choices]
