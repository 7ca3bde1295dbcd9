"""What a room is: its seats, its game, its clock, all made by folding its events, when they happen and when they are read.

after = table.prepare(event)    what may fail; changes nothing
... the event is stored ...
table.commit(event, after)      what cannot
"""

from functools import singledispatchmethod
from typing import Final

import msgspec

from ludoteca.agents.agent import quick_name_for
from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.game import Game, State, load, open_record
from ludoteca.core.record import Record
from ludoteca.server.frames import Over
from ludoteca.server.model import events, fair
from ludoteca.server.model.clock import Clocks
from ludoteca.server.model.events import AGENT, OPEN, PERSON, SeatMade
from ludoteca.server.model.history import Story
from ludoteca.server.model.tokens import invitation
from ludoteca.server.store.rows import RoomRow

END: Final = "end"
RESIGNED: Final = "resigned"
TIME: Final = "time"
RECORD: Final = "record"
WAITING: Final = -1
"""In place of the player to move, while seats are open."""
REMATCH: Final = "rematch"
FROM_POSITION: Final = "position"
COMPUTABLE: Final = "computable"

REPLACEMENT: Final = "4"
"""The agent that plays in the place of a person who is away."""


class Sitter(msgspec.Struct):
    """Who plays a seat."""

    kind: str
    name: str
    agent: str
    token: str
    resigned: bool = False

    @property
    def is_replaced(self) -> bool:
        """True while an agent plays in the place of a person who has not given up, and may come back."""
        return self.kind == AGENT and bool(self.token) and not self.resigned


class Table:
    """A room after so many events."""

    def __init__(self, row: RoomRow) -> None:
        options = events.options_of(row.options)
        self.row = row
        self.clock_chosen = options.clock
        self.listed = options.listed
        self.key = options.key
        self.is_record = options.record is not None
        self._is_from_position = options.start is not None
        self.n = 0
        self.asked: dict[str, list[int]] = {}
        self.rematch = ""
        self.reason = ""
        self._loser = SPECTATOR
        self.story = _recorded(options.record) if options.record is not None else Story(start_of(row, options))
        self.game: Game = self.state.game
        self.seats = [_sit(made) for made in options.seats]
        self._waits = self._has_open_seat()
        self.clocks = Clocks(options.clock, len(self.seats)) if options.clock else None
        if self.is_record:
            self.reason = RECORD
        elif self.state.is_terminal():
            self.reason = END

    # what it is like

    @property
    def state(self) -> State:
        """The position, secrets included."""
        return self.story.now.state

    @property
    def ply(self) -> int:
        """How many actions were played."""
        return self.story.ply

    @property
    def is_over(self) -> bool:
        """True when nothing is played any more."""
        return bool(self.reason)

    @property
    def mover(self) -> int:
        """The player to move, TERMINAL when it is over, WAITING while seats are open."""
        if self.is_over:
            return TERMINAL
        return WAITING if self._waits else self.story.now.mover

    def _has_open_seat(self) -> bool:
        return any(sitter.kind == OPEN for sitter in self.seats)

    def people(self) -> list[int]:
        """The seats of persons who play on."""
        return [seat for seat, sitter in enumerate(self.seats) if sitter.kind == PERSON and not sitter.resigned]

    def runs_clock(self) -> bool:
        """True when the time of the player to move runs; agents have none."""
        return self.clocks is not None and self.mover >= 0 and self.seats[self.mover].kind == PERSON

    def turn_is_over(self, after: State) -> bool:
        """True if another one moves then."""
        return after.is_terminal() or after.current_player() != self.mover

    def ends_by(self, seat: int) -> bool:
        """True if the game is over when that seat gives up: there are two, or no other person plays."""
        return len(self.seats) == 2 or not set(self.people()) - {seat}

    def stand_in(self) -> str:
        """The agent that takes the seat of who gives up."""
        return quick_name_for(self.game.spec)

    def invitation(self) -> str:
        """With it, seats of a listed room are had by as many from one address as there are; empty where they are anyway."""
        return invitation(self.row.id, self.row.nonce) if self.listed else ""

    def known(self) -> str:
        """Why somebody may know what the deal hides; nothing where it was drawn, and nobody can, and in a record."""
        if self._is_from_position:
            return FROM_POSITION
        return COMPUTABLE if not self.is_record and self.game.spec.computable(self.game.parameters) else ""

    def commitment(self) -> str:
        """What was promised of the deal; nothing where the start was given."""
        return "" if self.is_record or not self.row.seed else fair.commitment(fair.Draw(self.row.seed, self.row.nonce))

    def over(self) -> Over | None:
        """How it ended, with what the deal was made of."""
        if not self.is_over:
            return None
        return Over(
            reason=self.reason,
            returns=self._returns(),
            scores=self.state.scores(),
            seed=self.row.seed.hex(),
            nonce=self.row.nonce.hex() if self.commitment() else "",
            rematch=self.rematch,
        )

    def _returns(self) -> list[float]:
        """As the rules have them; where somebody gave up before their end, the others share the win."""
        if self._loser == SPECTATOR:
            return self.state.returns()
        if self.game.utility() == "points":
            return [float(score) for score in self.state.scores()]
        others = [not sitter.resigned for sitter in self.seats]
        return [float(stays) / max(1, sum(others)) for stays in others]

    # what happens

    def prepare(self, event: events.Happening) -> State | None:
        """What is after a move, for `commit`. Raises NotationError and IllegalActionError, and changes nothing."""
        if not isinstance(event, events.Moved):
            return None
        after = self.state.clone()
        after.apply_action(after.string_to_action(event.text))
        return after

    def ends(self, event: events.Happening, after: State | None) -> bool:
        """True if the game is over with that event."""
        gives_up = isinstance(event, events.Resigned | events.Flagged) and not event.agent
        return gives_up or (after is not None and after.is_terminal())

    def commit(self, event: events.Happening, after: State | None) -> None:
        """It has happened, and is stored."""
        self.n += 1
        if after is not None and isinstance(event, events.Moved):
            self._move(event, after)
        else:
            self._happen(event)
            self._waits = self._has_open_seat()

    def fold(self, event: events.Happening) -> None:
        """Both at once: for what is read again."""
        self.commit(event, self.prepare(event))

    def _move(self, event: events.Moved, after: State) -> None:
        if self.clocks and self.runs_clock():
            self.clocks.spend(event.seat, event.used, turn_is_over=self.turn_is_over(after))
        self.story.add(after)
        if after.is_terminal():
            self.reason = END
            self.asked.clear()

    @singledispatchmethod
    def _happen(self, event: events.Happening) -> None:
        raise TypeError(f"no event: {event!r}")

    @_happen.register
    def _(self, event: events.Taken) -> None:
        self.seats[event.seat] = Sitter(PERSON, event.name, "", event.token)

    @_happen.register
    def _(self, event: events.Resigned) -> None:
        self._give_up(event.seat, event.agent, RESIGNED)

    @_happen.register
    def _(self, event: events.Flagged) -> None:
        if self.clocks:
            self.clocks.flag(event.seat)
        self._give_up(event.seat, event.agent, TIME)

    @_happen.register
    def _(self, event: events.Asked) -> None:
        self.asked[event.what] = event.seats
        if not event.seats:
            del self.asked[event.what]

    @_happen.register
    def _(self, event: events.Replaced) -> None:
        self._hand_over(event.seat, event.agent)
        self.asked.pop(replacement(event.seat), None)

    @_happen.register
    def _(self, event: events.Rematched) -> None:
        self.rematch = event.room
        self.asked.pop(REMATCH, None)

    def _give_up(self, seat: int, agent: str, reason: str) -> None:
        self.seats[seat].resigned = True
        self.asked.clear()
        if agent:
            self._hand_over(seat, agent)
        else:
            self.reason, self._loser = reason, seat

    def _hand_over(self, seat: int, agent: str) -> None:
        sitter = self.seats[seat]
        sitter.kind, sitter.agent = AGENT, agent


def replacement(seat: int) -> str:
    """What it is called in `asked` that an agent takes over that seat."""
    return f"replace {seat}"


def start_of(row: RoomRow, options: events.Options) -> State:
    """The position that a room starts from. Raises LudotecaError for one that there cannot be."""
    game = load(row.game, **row.parameters)
    if options.start is not None:
        return game.state_from_string(options.start)
    return game.new_initial_state(fair.number(row.seed))


def _sit(made: SeatMade) -> Sitter:
    return Sitter(made.kind, made.name, made.agent, made.token)


def _recorded(text: str) -> Story:
    """The game of a record that was looked through when it was stored."""
    record = Record.from_json(text)
    last = open_record(record)
    story = Story(last.game.state_at(last.start))
    for action in last.history():
        story.add(story.now.state.child(action))
    return story
