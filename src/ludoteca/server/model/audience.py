"""The audience of a room: its clients, grouped by the seat whose view they see. Each is sent only what its seat may see."""

import math
from typing import Final

from ludoteca.core.contract import SPECTATOR
from ludoteca.server.frames import Answer, Clock, Note, Seat, Whole
from ludoteca.server.model.effects import Client, Effect, Send, Timer
from ludoteca.server.model.events import AGENT, PERSON, Taken, TakenBack
from ludoteca.server.model.table import Step, Table
from ludoteca.server.model.teller import Teller, common_event
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings

COUNT: Final = "count"
COUNTING: Final = 1.0
"""Seconds from a change of the number of spectators until it is sent: however many come and go, it is sent once."""


class Audience:
    """The clients of a room. Frames for them are added to its `effects`."""

    def __init__(self, table: Table, settings: Settings, now: float, effects: list[Effect]) -> None:
        self.now = now
        """The time of the event that the room handles, by a clock that never goes back, in seconds."""
        self._effects = effects
        self._table = table
        self._settings = settings
        self.teller = Teller(table)
        self._groups: dict[int, set[Client]] = {}
        self._left_at: dict[int, float] = {}
        self._made = now
        self._counted = 0
        """The number of spectators that was sent last."""
        self._is_counting = False

    def connections(self) -> list[Client]:
        """Return all clients that have said hello."""
        return [client for group in self._groups.values() for client in group]

    def places(self) -> list[tuple[int, Client]]:
        """Return each client with the seat whose view it sees."""
        return [(seat, client) for seat, group in self._groups.items() for client in group]

    def present(self) -> list[int]:
        """Return the seats whose persons are connected."""
        return [seat for seat in self._groups if seat != SPECTATOR]

    def seats(self) -> list[Seat]:
        """Return the seats with their players. They show who is connected, and how long the seats of the others are kept."""
        table, conceded = self._table, self._table.conceded()
        awaited = () if table.is_over else table.missing()
        return [
            Seat(
                kind=each.kind,
                name=each.name,
                agent=each.agent,
                present=seat in self._groups,
                resigned=each.resigned or seat in conceded,
                timed_out=each.timed_out,
                kept=self._kept(seat),
                awaited=seat in awaited,
            )
            for seat, each in enumerate(table.seats)
        ]

    def _kept(self, seat: int) -> int:
        is_away = self._table.seats[seat].kind == PERSON and seat not in self._groups
        return math.ceil(1000 * max(0.0, self.keeps_seat(seat))) if is_away else 0

    def keeps_seat(self, seat: int) -> float:
        """Seconds for which the seat of an absent person is kept for that person."""
        return self._left_at.get(seat, self._made) + self._settings.absence - self.now

    def check_place(self, seat: int, client: Client) -> None:
        """Check that one more client may watch the view of that seat.

        Raises RefusalError (`full`) if the seat already has as many open pages as the settings allow. For a spectator, it is
        raised if the room, or the client's address, already has as many spectators as they allow.
        """
        others = self._groups.get(seat, set()) - {client}
        if seat != SPECTATOR:
            is_full = len(others) >= self._settings.screens
        else:
            neighbours = sum(other.address == client.address for other in others)
            is_full = len(others) >= self._settings.spectators or neighbours >= self._settings.spectators_of_address
        if is_full:
            raise RefusalError("full")

    def place(self, client: Client, seat: int, clocks: Clock | None) -> None:
        """Put a client in the group of a seat. From now on it sees this seat's view, beginning with everything that the seat
        may see.
        """
        self.remove(client)
        self._groups.setdefault(seat, set()).add(client)
        client.seat, client.has_joined = seat, True
        self.send(self._whole(seat, clocks), [client])
        self._count()

    def remove(self, client: Client) -> None:
        """Forget a client. With the last client of a seat, its person is away."""
        group = self._groups.get(client.seat)
        if group is None:
            return
        group.discard(client)
        if not group:
            self._left_at[client.seat] = self.now
            del self._groups[client.seat]
        self._count()

    def announce(self, step: Step, clocks: Clock | None) -> None:
        """Send an event to all clients, once for each different view. After an undo, send everything that they may see
        instead.

        Clients whose seats an agent has taken over become spectators.
        """
        if isinstance(step.event, Taken):
            self._left_at[step.event.seat] = self.now  # until a client joins
        common, audiences = common_event(self._table, step, self.seats(), clocks), dict[int, list[Client]]()
        for seat, group in self._groups.items():
            if isinstance(step.event, TakenBack):
                self.send(self._whole(seat, clocks), list(group))
                continue
            if yours := self.teller.yours(seat):
                self.send(yours, list(group))
            audiences.setdefault(self._table.now.shown_to(seat), []).extend(group)
        for view, clients in audiences.items():
            self.send(self.teller.event(common, view), clients)
        for seat in self.present():
            if self._table.seats[seat].kind == AGENT:
                for client in list(self._groups[seat]):
                    self.place(client, SPECTATOR, clocks)

    def send_presence(self, clocks: Clock | None = None, but: Client | None = None) -> None:
        """Tell all clients except `but` which players are present. If a clock has just begun to run, send the clocks as
        well.
        """
        note = Note("present", self.seats(), clocks=clocks)
        self.send(note, [client for client in self.connections() if client is not but])

    def send(self, frame: Answer, clients: list[Client] | None = None) -> None:
        """Send a frame to these clients, or to all."""
        self._effects.append(Send(self.connections() if clients is None else clients, frame))

    def _whole(self, seat: int, clocks: Clock | None) -> Whole:
        return self.teller.whole(seat, self.seats(), clocks, self._spectators())

    def _spectators(self) -> int:
        return len(self._groups.get(SPECTATOR, ()))

    def _count(self) -> None:
        """Have the number of spectators sent soon, if it has changed."""
        if not self._is_counting and self._spectators() != self._counted:
            self._is_counting = True
            self._effects.append(Timer(COUNT, COUNTING))

    def send_count(self) -> None:
        """Send the number of spectators when the timer COUNT ends. All clients get it, as those that joined since the last
        time may know another number.
        """
        self._is_counting = False
        self._counted = self._spectators()
        self.send(Note("spectators", number=self._counted))
