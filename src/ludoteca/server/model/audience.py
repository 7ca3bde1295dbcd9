"""The clients that are connected to a room, in groups. A group has the clients of one seat, or the spectators. Each client
is sent only the information that its seat may see.
"""

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
"""Seconds between a change of the number of spectators and its sending. Several changes in this time are sent as one."""


class Audience:
    """The clients of a room. It appends frames for them to the list `effects`, which the room returns to its caller."""

    def __init__(self, table: Table, settings: Settings, now: float, effects: list[Effect]) -> None:
        self.now = now
        """The time of the event that the room is handling, in seconds of a clock that never goes back."""
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
        """Return all clients that have joined the room with `hello`."""
        return [client for group in self._groups.values() for client in group]

    def places(self) -> list[tuple[int, Client]]:
        """Return each client as a pair: the seat whose view the client sees, and the client."""
        return [(seat, client) for seat, group in self._groups.items() for client in group]

    def present(self) -> list[int]:
        """Return the seats whose persons are connected."""
        return [seat for seat in self._groups if seat != SPECTATOR]

    def seats(self) -> list[Seat]:
        """Return the seats with their players, in the form in which frames contain them. They include which players are
        connected, and for how long the seats of absent players are kept.
        """
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
        """Return the seconds until an agent may take over the seat of an absent person; negative if it may do so already."""
        return self._left_at.get(seat, self._made) + self._settings.absence - self.now

    def check_place(self, seat: int, client: Client) -> None:
        """Check that one more client may connect to a seat, or as a spectator if `seat` is -1.

        Raises RefusalError (`full`) if the seat has as many open pages as the settings allow, or, for a spectator, if the
        room or the client's address has as many spectators as the settings allow.
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
        """Put a client into the group of a seat, and send it everything that this seat may see. From now on the client gets
        the seat's frames.
        """
        self.remove(client)
        self._groups.setdefault(seat, set()).add(client)
        client.seat, client.has_joined = seat, True
        self.send(self._whole(seat, clocks), [client])
        self._count()

    def remove(self, client: Client) -> None:
        """Remove a client that has disconnected. If it was the last client of a seat, the seat's person is away
        from now on.
        """
        group = self._groups.get(client.seat)
        if group is None:
            return
        group.discard(client)
        if not group:
            self._left_at[client.seat] = self.now
            del self._groups[client.seat]
        self._count()

    def announce(self, step: Step, clocks: Clock | None) -> None:
        """Send an event that was applied to all clients, one frame for each different view. After an undo, send each client
        everything that it may see instead.

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
        """Send all clients except `but` a note with the seats, which shows the players who are present. The note includes
        `clocks` if they are given, which is when a clock has just begun to run.
        """
        note = Note("present", self.seats(), clocks=clocks)
        self.send(note, [client for client in self.connections() if client is not but])

    def send(self, frame: Answer, clients: list[Client] | None = None) -> None:
        """Send a frame to these clients, or to all clients if `clients` is None."""
        self._effects.append(Send(self.connections() if clients is None else clients, frame))

    def _whole(self, seat: int, clocks: Clock | None) -> Whole:
        return self.teller.whole(seat, self.seats(), clocks, self._spectators())

    def _spectators(self) -> int:
        return len(self._groups.get(SPECTATOR, ()))

    def _count(self) -> None:
        """Set a timer for sending the number of spectators, if the number has changed since it was last sent."""
        if not self._is_counting and self._spectators() != self._counted:
            self._is_counting = True
            self._effects.append(Timer(COUNT, COUNTING))

    def send_count(self) -> None:
        """Send the number of spectators to all clients. It is called when the timer COUNT ends. Clients that have joined
        since the last such note may have another number.
        """
        self._is_counting = False
        self._counted = self._spectators()
        self.send(Note("spectators", number=self._counted))
