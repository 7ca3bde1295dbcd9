"""The persons in seats: how a person takes a seat, and how the operator deletes a person or gives a lost seat back.

The operator's work reaches all rooms in which the same secret has a seat, including earlier and later rematches, whether the
rooms are awake or asleep.
"""

import hmac
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from ludoteca.server import logs
from ludoteca.server.model import events
from ludoteca.server.model.creation import checked_name, name_among
from ludoteca.server.model.events import OPEN, PERSON, EventRow, RoomRow, SeatMade, StoredEvent, Taken
from ludoteca.server.model.tokens import digest, new_token
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.actor import RoomActor
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.store.leases import refusing


class SeatOfPerson(NamedTuple):
    """A room in which a person has a seat, or only the right to delete the room."""

    room: str
    seat: int | None
    """None for a person without a seat."""


class Outcome(NamedTuple):
    """A room that was changed, or the refusal of the change."""

    place: SeatOfPerson
    refusal: RefusalError | None = None


async def take(
    rooms: Rooms, name: str, called: str, token: str, address: str, invitation: str = "", *, is_met: bool = False
) -> int:
    """Take an open seat of a room for the client with that secret. If the client asks again, it gets the same seat.

    With `is_met`, the seat is refused if persons have been in the room and all have left. Raises RefusalError (`taken`) if
    no seat can be taken, (`neighbours`) if the address needs an invitation, and as `Rooms.get`. After the refusal `waiting`,
    which means that the database has not confirmed it, the client may have the seat nevertheless.
    """
    room = await rooms.get(name, address)
    table = room.table
    is_invited = not table.listed or hmac.compare_digest(invitation.encode(), table.invitation().encode())
    wished, secret = checked_name(called) if called else "", digest(token)

    async def take_in_turn() -> int:
        await room.look_up()  # the seat may be taken without a confirmation by the database
        tokens = [occupant.token for occupant in table.seats]
        if secret in tokens:
            return tokens.index(secret)
        seats = table.open_seats
        if not seats or table.is_over or (is_met and table.came and not room.audience.present()):
            raise RefusalError("taken")
        if not is_invited and address and room.strangers[address] >= rooms.settings.seats_of_address:
            raise RefusalError("neighbours")
        if not rooms.seats_taken.of(address).take():
            raise RefusalError("rate")
        await room.happen(Taken(seats[0], name_among(wished, [occupant.name for occupant in table.seats]), secret))
        logs.note("seat taken", room=name, seat=seats[0] + 1, address=address)
        if not is_invited and address:
            room.strangers[address] += 1
        return seats[0]

    return await room.ask(take_in_turn)


async def events_of_seat(rooms: Rooms, name: str, seat: int) -> tuple[str, list[tuple[float, StoredEvent]]]:
    """Return the name with which a seat was made, and its events with their times in seconds since 1970.

    Raises RefusalError if there is no such room (`room`) or seat (`player`), or if the room cannot be read (`storage`).
    """
    row, rows = await rooms.stored(name)
    made = _seat_made(row, seat)
    decoded = ((stored.at, events.decode(stored.data)) for stored in rows)
    return made.name, [(at, event) for at, event in decoded if getattr(event, "seat", None) == seat]


async def erase(rooms: Rooms, name: str, seat: int) -> list[Outcome]:
    """Delete the name and the secret of a person in all rooms with that secret. The moves stay.

    If the person still plays, the person resigns in the same transaction. All clients of such a room connect again and no
    longer see the name. Raises RefusalError as `events_of_seat`. If one of the rooms cannot be changed, nothing is raised:
    the outcomes contain its refusal.
    """
    row, rows = await rooms.stored(name)
    secret = _secret_of(row, rows, seat)

    async def erase_in(room: RoomActor, place: SeatOfPerson, row: RoomRow, rows: list[EventRow]) -> None:
        table, last, is_over = room.table, None, False
        if place.seat is None:
            options, changed = events.with_secret(row, rows, secret, "")
        else:
            options, changed = events.without_person(row, rows, place.seat)
        with refusing(f"room {place.room}: it cannot be taken from other servers' lobbies"):
            await rooms.leases.show({place.room: None})
        if place.seat in table.people() and not table.is_over:
            resigned = table.resignation(place.seat)
            is_over = not resigned.agent
            last = EventRow(table.n + 1, events.encode(resigned), time.time(), room.epoch)
        with refusing(f"room {place.room}: a person's data cannot be changed"):
            await rooms.store.rewrite(place.room, room.epoch, options, changed, last, over=is_over)
        if last:
            room.count(resigned, is_last=is_over)
        rooms.close(place.room)

    return await _change(rooms, await _places(rooms, SeatOfPerson(name, seat), secret), erase_in, "seat erased")


async def give_back(rooms: Rooms, name: str, seat: int) -> tuple[str, list[Outcome]]:
    """Give the seat of a person a new secret in all rooms with the old one. Return the new secret and the outcomes.

    The old secret stops working at once, and connections that used it are closed. Raises RefusalError as `events_of_seat`,
    and (`seat`) if the seat has no person, for example because an agent plays there.
    """
    row, rows = await rooms.stored(name)
    secret, token = _secret_of(row, rows, seat), new_token()
    if not secret:
        raise _no_person(row, rows, seat)

    async def change_in(room: RoomActor, place: SeatOfPerson, row: RoomRow, rows: list[EventRow]) -> None:
        options, changed = events.with_secret(row, rows, secret, digest(token))
        with refusing(f"room {place.room}: a person's data cannot be changed"):
            await rooms.store.rewrite(place.room, room.epoch, options, changed)
        room.table.replace_secret(secret, digest(token))
        if place.seat is not None:
            await room.put_out(place.seat, RefusalError("token"))

    return token, await _change(rooms, await _places(rooms, SeatOfPerson(name, seat), secret), change_in, "seat given back")


Change = Callable[[RoomActor, SeatOfPerson, RoomRow, list[EventRow]], Awaitable[None]]
"""Changes a room in which a person has a place. The row and the events of the room are as they are stored."""


async def _change(rooms: Rooms, places: list[SeatOfPerson], change: Change, what: str) -> list[Outcome]:
    """Change rooms one after the other, each when its turn comes. If one room refuses, the others are changed
    nevertheless.
    """
    outcomes = []
    for place in places:
        try:
            room = await rooms.wake(place.room)

            async def in_turn(room: RoomActor = room, place: SeatOfPerson = place) -> None:
                await room.look_up()
                await change(room, place, *await rooms.stored(place.room))

            await room.ask(in_turn)
        except RefusalError as refusal:
            outcomes.append(Outcome(place, refusal))
            continue
        outcomes.append(Outcome(place))
        logs.note(what, room=place.room, seat=None if place.seat is None else place.seat + 1)
    return outcomes


def _secret_of(row: RoomRow, rows: list[EventRow], seat: int) -> str:
    """Return the SHA-256 of the secret of a seat's person, empty if the seat has no person.

    Raises RefusalError (`player`) if the room has no such seat.
    """
    _seat_made(row, seat)
    return events.secrets_of(row, rows)[seat]


def _seat_made(row: RoomRow, seat: int) -> SeatMade:
    seats = events.options_of(row).seats
    if seat not in range(len(seats)):
        raise RefusalError("player", seat + 1)
    return seats[seat]


async def _places(rooms: Rooms, first: SeatOfPerson, secret: str) -> list[SeatOfPerson]:
    """Return the place `first`, and all others in which that secret is valid.

    Raises RefusalError (`storage`) if the database cannot be read.
    """
    places = [first]
    with refusing("the rooms of a person cannot be read"):
        names = await rooms.store.rooms_with(secret) if secret else []
    for name in names:
        if name != first.room:
            secrets = events.secrets_of(*await rooms.stored(name))
            places.append(SeatOfPerson(name, secrets.index(secret) if secret in secrets else None))
    return places


def _no_person(row: RoomRow, rows: list[EventRow], seat: int) -> RefusalError:
    """Return the refusal to give back a seat that no person has."""
    options, happened = events.options_of(row), [events.decode(stored.data) for stored in rows]
    was_taken = any(isinstance(event, Taken) and event.seat == seat for event in happened)
    kind = options.seats[seat].kind
    if options.record is not None:
        why = "record"
    elif was_taken or kind == PERSON:
        why = "deleted"
    else:
        why = "open" if kind == OPEN else "agent"
    return RefusalError("seat", message=(f"admin.{why}", str(seat + 1)))
