"""The operator's work on the person of a seat: delete what the person left, or give a lost seat back.

Both reach every room in which the same secret has a seat: the rematches before and after, awake or asleep.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from ludoteca.server import journal
from ludoteca.server.model import events
from ludoteca.server.model.events import OPEN, PERSON, Options, Resigned, StoredEvent
from ludoteca.server.model.rows import EventRow, RoomRow
from ludoteca.server.model.tokens import digest, new_token
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.room import LiveRoom
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.store.database import StoreError

log: Final = logging.getLogger(__name__)


class SeatOfPerson(NamedTuple):
    """A room in which a person has a seat, or only the right to delete the room."""

    room: str
    seat: int | None
    """None for a person without a seat."""


class Outcome(NamedTuple):
    """A room that was changed, or the refusal of the change."""

    place: SeatOfPerson
    refusal: RefusalError | None = None


async def events_of_seat(rooms: Rooms, name: str, seat: int) -> tuple[str, list[tuple[float, StoredEvent]]]:
    """Return the name with which a seat was made, and its events with their times in seconds since 1970.

    Raises RefusalError.
    """
    row, rows = await rooms.stored(name)
    made = _seat_made(row, seat)
    decoded = ((stored.at, events.decode(stored.data)) for stored in rows)
    return made.name, [(at, event) for at, event in decoded if getattr(event, "seat", None) == seat]


async def erase(rooms: Rooms, name: str, seat: int) -> list[Outcome]:
    """Delete the name and the secret of a person in all rooms with that secret. Moves stay. Raises RefusalError.

    A person who still plays resigns in the same transaction. All clients of such a room come back to it without the name.
    """
    secret = await _secret_of(rooms, name, seat)

    async def erase_in(room: LiveRoom, place: SeatOfPerson) -> None:
        row, rows = await rooms.stored(place.room)
        stored = [(each.n, each.data) for each in rows]
        if place.seat is None:
            changed = events.with_secret(row.options, stored, secret, "")
        else:
            changed = events.without_person(row.options, stored, place.seat)
        await _hide(rooms, place.room)
        table, resigned = room.table, None
        if place.seat in table.people() and not table.is_over:
            resigned = Resigned(place.seat, "" if table.ends_by(place.seat) else table.stand_in())
        await _rewrite(rooms, room, *changed, resigned)
        rooms.close(place.room)

    return await _change(rooms, await _places(rooms, SeatOfPerson(name, seat), secret), erase_in, "seat erased")


async def give_back(rooms: Rooms, name: str, seat: int) -> tuple[str, list[Outcome]]:
    """Give the seat of a person a new secret in all rooms with the old one. Return the new secret. Raises RefusalError.

    The old secret stops working at once, and its connections are closed.
    """
    secret = await _secret_of(rooms, name, seat)
    if not secret:
        raise await _no_person(rooms, name, seat)
    token = new_token()

    async def change_in(room: LiveRoom, place: SeatOfPerson) -> None:
        row, rows = await rooms.stored(place.room)
        stored = [(each.n, each.data) for each in rows]
        await _rewrite(rooms, room, *events.with_secret(row.options, stored, secret, digest(token)))
        room.table.replace_secret(secret, digest(token))
        if place.seat is not None:
            await room.put_out(place.seat, RefusalError("token"))

    return token, await _change(rooms, await _places(rooms, SeatOfPerson(name, seat), secret), change_in, "seat given back")


async def _change(
    rooms: Rooms, places: list[SeatOfPerson], change: Callable[[LiveRoom, SeatOfPerson], Awaitable[None]], what: str
) -> list[Outcome]:
    """Change rooms one after the other, each in its turn. A refusal keeps no other room from its change."""
    outcomes = []
    for place in places:
        try:
            room = await rooms.wake(place.room)

            async def in_turn(room: LiveRoom = room, place: SeatOfPerson = place) -> None:
                await room.look_up()
                await change(room, place)

            await room.ask(in_turn)
        except RefusalError as refusal:
            outcomes.append(Outcome(place, refusal))
            continue
        outcomes.append(Outcome(place))
        journal.note(what, room=place.room, seat=None if place.seat is None else place.seat + 1)
    return outcomes


async def _rewrite(
    rooms: Rooms, room: LiveRoom, options: dict[str, object], changed: dict[int, bytes], resigned: Resigned | None = None
) -> None:
    name, is_over = room.table.row.id, resigned is not None and not resigned.agent
    last = EventRow(room.table.n + 1, events.encode(resigned), time.time(), room.epoch) if resigned else None
    try:
        await rooms.store.rewrite(name, room.epoch, options, changed, last, over=is_over)
    except StoreError as error:
        log.error("room %s: a person's data cannot be changed: %s", name, error)
        raise RefusalError("storage") from None
    if resigned:
        room.count(resigned, is_last=is_over)


async def _hide(rooms: Rooms, name: str) -> None:
    """Have no lobby show the room until it is awake again."""
    try:
        await rooms.leases.show({name: None})
    except StoreError as error:
        log.error("room %s: it cannot be taken from other servers' lobbies: %s", name, error)
        raise RefusalError("storage") from None


async def _secret_of(rooms: Rooms, name: str, seat: int) -> str:
    """Return the SHA-256 of the secret of a seat's person; empty if there is none. Raises RefusalError."""
    row, rows = await rooms.stored(name)
    _seat_made(row, seat)
    return _secrets(row, rows)[seat]


def _seat_made(row: RoomRow, seat: int) -> events.SeatMade:
    seats = events.options_of(row.options).seats
    if seat not in range(len(seats)):
        raise RefusalError("player", seat + 1)
    return seats[seat]


def _secrets(row: RoomRow, rows: list[EventRow]) -> list[str]:
    return events.secrets_of(events.options_of(row.options), map(_decoded, rows))


async def _places(rooms: Rooms, first: SeatOfPerson, secret: str) -> list[SeatOfPerson]:
    """Return the place that is named, and all others in which that secret is valid. Raises RefusalError."""
    places = [first]
    try:
        names = await rooms.store.rooms_with(secret) if secret else []
    except StoreError as error:
        log.error("the rooms of a person cannot be read: %s", error)
        raise RefusalError("storage") from None
    for name in names:
        if name != first.room:
            row, rows = await rooms.stored(name)
            secrets = _secrets(row, rows)
            places.append(SeatOfPerson(name, secrets.index(secret) if secret in secrets else None))
    return places


async def _no_person(rooms: Rooms, name: str, seat: int) -> RefusalError:
    """Return the refusal to give back a seat that no person has."""
    row, rows = await rooms.stored(name)
    options: Options = events.options_of(row.options)
    was_taken = any(isinstance(event, events.Taken) and event.seat == seat for event in map(_decoded, rows))
    kind = options.seats[seat].kind
    if options.record is not None:
        why = "record"
    elif was_taken or kind == PERSON:
        why = "deleted"
    else:
        why = "open" if kind == OPEN else "agent"
    return RefusalError("seat", message=(f"admin.{why}", str(seat + 1)))


def _decoded(stored: EventRow) -> StoredEvent:
    return events.decode(stored.data)
