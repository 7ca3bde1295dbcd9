"""The audience of a room: each client is told no more than its seat may know, and no more than has changed."""

import asyncio
import time
from collections.abc import Collection
from typing import Final, NamedTuple

from msgspec.structs import replace

from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.scene import Scene
from ludoteca.server.frames import ChoiceFrame, Clock, Event, Note, Seat, Whole, choice_frames
from ludoteca.server.model.changes import change
from ludoteca.server.model.events import AGENT, KINDS, PERSON, Asked, Moved, StoredEvent, TakenBack
from ludoteca.server.model.table import Step, Table
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.connection import Connection, encoded
from ludoteca.server.settings import Settings

COUNTING: Final = 1.0
"""Seconds from a change of the number of spectators until it is told: however many come and go, it is told once."""


class Audience:
    """The clients of a room, grouped by the seat whose view they see."""

    def __init__(self, table: Table, settings: Settings) -> None:
        self._table = table
        self._settings = settings
        self._teller = Teller(table)
        self._groups: dict[int, set[Connection]] = {}
        self._left_at: dict[int, float] = {}
        self._made = time.monotonic()
        self._counted = 0
        """The number of spectators that was told last."""
        self._counting: asyncio.TimerHandle | None = None

    def connections(self) -> list[Connection]:
        """All clients that have said hello."""
        return [connection for group in self._groups.values() for connection in group]

    def present(self) -> list[int]:
        """The seats whose persons are there."""
        return [seat for seat in self._groups if seat != SPECTATOR]

    def keeps_seat(self, seat: int) -> float:
        """Seconds for which the seat of an absent person is kept for that person."""
        return self._left_at.get(seat, self._made) + self._settings.absence - time.monotonic()

    def check_place(self, seat: int, connection: Connection) -> None:
        """Check that one more client may see what that seat sees. Raises RefusalError."""
        others = self._groups.get(seat, set()) - {connection}
        if seat != SPECTATOR:
            is_full = len(others) >= self._settings.screens
        else:
            neighbours = sum(other.address == connection.address for other in others)
            is_full = len(others) >= self._settings.spectators or neighbours >= self._settings.spectators_of_address
        if is_full:
            raise RefusalError("full")

    def place(self, connection: Connection, seat: int, clocks: Clock | None) -> None:
        """Put a client among those who see what that seat sees, and show it the whole."""
        self.remove(connection)
        self._groups.setdefault(seat, set()).add(connection)
        connection.seat, connection.has_joined = seat, True
        connection.tell(self._whole(seat, clocks))
        self._count()

    def remove(self, connection: Connection) -> None:
        """Forget a client; the seat's person is away with the last of them."""
        group = self._groups.get(connection.seat)
        if group is None:
            return
        group.discard(connection)
        if not group:
            self._left_at[connection.seat] = time.monotonic()
            del self._groups[connection.seat]
            self._teller.forget(connection.seat)
        self._count()

    def begin_absence(self, seat: int) -> None:
        """Count the absence of the seat's person from now, for as long as no client is there."""
        self._left_at[seat] = time.monotonic()

    def make_spectators(self, clocks: Clock | None) -> None:
        """Make spectators of the clients whose seats agents have taken over."""
        for seat in self.present():
            if self._table.seats[seat].kind == AGENT:
                for connection in list(self._groups[seat]):
                    self.place(connection, SPECTATOR, clocks)

    def announce(self, step: Step, clocks: Clock | None) -> None:
        """Tell all of an event that has just happened, each group what it may know: the whole, after an undo."""
        if isinstance(step.event, TakenBack):
            for seat, group in list(self._groups.items()):
                text = encoded(self._whole(seat, clocks))
                for connection in group:
                    connection.send(text)
            return
        common = common_event(self._table, step, self.present(), clocks)
        for seat, group in list(self._groups.items()):
            text = encoded(self._teller.event(step.event, seat, common))
            for connection in group:
                connection.send(text)

    def is_shown_more(self) -> bool:
        """True while clients show something that is seen for a moment only, so that the next move may wait for it."""
        return self._teller.showed_more

    def tell_presence(self, but: Connection | None = None) -> None:
        """Tell all but one who is there."""
        text = encoded(Note("present", seats(self._table, self.present())))
        for connection in self.connections():
            if connection is not but:
                connection.send(text)

    def note(self, kind: str, player: int) -> None:
        """Tell all what the agent of a seat is doing."""
        self._tell(Note(kind, player=player))

    def note_weaker(self, percent: int) -> None:
        """Tell all that agents play weaker than they will, and how much has been compiled of what they need."""
        self._tell(Note("weaker", percent=percent))

    def _whole(self, seat: int, clocks: Clock | None) -> Whole:
        return self._teller.whole(seat, self.present(), clocks, self._spectators())

    def _spectators(self) -> int:
        return len(self._groups.get(SPECTATOR, ()))

    def _count(self) -> None:
        """Have the number of spectators told soon, where it has changed."""
        if self._counting is None and self._spectators() != self._counted:
            self._counting = asyncio.get_running_loop().call_later(COUNTING, self._note_spectators)

    def _note_spectators(self) -> None:
        self._counting = None
        if (number := self._spectators()) != self._counted:
            self._counted = number
            self._tell(Note("spectators", number=number))

    def _tell(self, note: Note) -> None:
        text = encoded(note)
        for connection in self.connections():
            connection.send(text)


class Choices(NamedTuple):
    """The choices of the player to move, as they travel, and the one among them that gives up."""

    choices: list[ChoiceFrame]
    give_up: str


NO_CHOICES: Final = Choices([], "")


class Teller:
    """Writes what each seat is told, and remembers the scene that it was shown last."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shown: dict[int, Scene] = {}
        self.showed_more = False
        """Whether the last event had something that is shown for a moment."""

    def forget(self, seat: int) -> None:
        """Forget what was shown to a seat that no client sees any more."""
        self._shown.pop(seat, None)

    def whole(self, seat: int, present: Collection[int], clocks: Clock | None, spectators: int = 0) -> Whole:
        """Everything that the seat may see."""
        table = self._table
        scene = self._shown[seat] = table.scene(table.ply, seat)
        choices = self._choices(seat, table.mover)
        return Whole(
            n=table.n,
            room=table.row.id,
            game=table.game.name,
            parameters=table.game.parameters,
            clock=table.clock_chosen,
            seats=seats(table, present),
            you=seat,
            ply=table.ply,
            mover=table.mover,
            known=table.known(),
            invitation=table.invitation() if seat >= 0 else "",
            may_delete=seat >= 0 and table.seats[seat].token == table.key != "",
            commitment=table.commitment(),
            log=table.history.lines(seat),
            scene=scene,
            choices=choices.choices,
            give_up=choices.give_up,
            clocks=clocks,
            over=table.over(),
            asked=table.asked,
            undo=not table.is_over and self._may_undo(seat),
            spectators=spectators,
        )

    def event(self, happened: StoredEvent, seat: int, common: Event) -> Event:
        """The frame about what has just happened, for a seat that was shown what was before it."""
        if isinstance(happened, Asked):
            return common
        table, history = self._table, self._table.history
        is_move, is_over = isinstance(happened, Moved), common.mover == TERMINAL
        event = replace(common)
        event.choices, event.give_up = self._choices(seat, common.mover)
        event.undo = not is_over and self._may_undo(seat)
        if is_move:
            event.line = history.lines(seat)[-1]
        if is_move or is_over:
            new = table.scene(common.ply, seat)
            event.change = told = change(self._shown[seat], new)
            if is_move:
                told.meanwhile = history.meanwhile(seat, new)
            self.showed_more = bool(told.meanwhile)
            self._shown[seat] = new
        return event

    def _may_undo(self, seat: int) -> bool:
        table = self._table
        return seat >= 0 and table.seats[seat].kind == PERSON and table.history.undo_to(seat) is not None

    def _choices(self, seat: int, mover: int) -> Choices:
        table = self._table
        if seat < 0 or mover != seat or table.seats[seat].kind != PERSON:
            return NO_CHOICES
        concede = table.game.rules.CONCEDE
        give_up = str(concede) if concede in table.now.legal else ""
        return Choices(choice_frames(table.now.choices()), give_up)


def common_event(table: Table, step: Step, present: Collection[int], clocks: Clock | None) -> Event:
    """The part of the frame about what has just happened that is the same for all."""
    event = Event(table.n, KINDS[type(step.event)], table.ply, table.mover)
    if event.kind == "seats" and step.ends:
        event.kind = "over"
    if event.kind in ("seats", "over"):
        event.seats = seats(table, present)
    if step.ends or event.kind == "rematch":
        event.over = table.over()
    if not isinstance(step.event, Moved) or table.is_over:
        event.asked = table.asked
    if not isinstance(step.event, Asked):
        event.clocks = clocks
    return event


def seats(table: Table, present: Collection[int]) -> list[Seat]:
    """The seats with their players, and whether these are there."""
    return [
        Seat(occupant.kind, occupant.name, occupant.agent, number in present, occupant.resigned, occupant.timed_out)
        for number, occupant in enumerate(table.seats)
    ]
