"""The audience of a room: each client is told no more than its seat may know, and no more than has changed."""

import asyncio
import time
from typing import Final

from ludoteca.core.contract import SPECTATOR
from ludoteca.server.frames import Clock, Note, Whole
from ludoteca.server.model.events import AGENT, TakenBack
from ludoteca.server.model.table import Step, Table
from ludoteca.server.model.teller import Teller, common_event, seats
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
