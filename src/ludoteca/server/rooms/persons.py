"""The persons in the seats of rooms. A person takes a seat here. The operator of the server can delete a person's data, or
give a person access again to a seat whose token was lost.

The operator's changes affect all rooms in which the same token has a seat, including earlier and later rematches, whether
the rooms are in memory or not.
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
    """The seat of a person in a room. `seat` is None if the person has only the right to delete the room."""

    room: str
    seat: int | None
    """None for a person without a seat."""


class Outcome(NamedTuple):
    """The outcome of a change for one room: `refusal` is None if the room was changed, or else the reason why it was not."""

    place: SeatOfPerson
    refusal: RefusalError | None = None


async def take(
    rooms: Rooms, name: str, called: str, token: str, address: str, invitation: str = "", *, is_met: bool = False
) -> int:
    """Take an open seat of the room `name` for a client, and return the seat. `called` is the player's name, or empty for a
    guest, and `token` the secret with which the client will act for the seat. If the client asks again with the same token,
    it gets the same seat.

    `invitation` is the text that players of a listed room pass on to friends. With `is_met`, for players who look for an
    opponent, the seat is refused if all persons who were in the room have left.

    Raises RefusalError if no seat can be taken (`taken`), if the address needs an invitation (`neighbours`), if the address
    takes too many seats (`rate`), if there is no such room (`room`), or if the database fails (`storage`). After the refusal
    `waiting`, which means that the database has not confirmed the change, the client may have the seat nevertheless.
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
    """Return the name of the person who took a seat last, and the stored events of the seat, each after its time in seconds
    since 1970.

    Raises RefusalError if there is no such room (`room`) or seat (`player`), or if the room cannot be read (`storage`).
    """
    row, rows = await rooms.stored(name)
    made = _seat_made(row, seat)
    decoded = ((stored.at, events.decode(stored.data)) for stored in rows)
    found = [(at, event) for at, event in decoded if getattr(event, "seat", None) == seat]
    taken = [event.name for _, event in found if isinstance(event, events.Taken)]
    return [made.name, *taken][-1], found


async def erase(rooms: Rooms, name: str, seat: int) -> list[Outcome]:
    """Delete the name and the token of the person who has this seat, in all rooms in which that token has a seat. The moves
    stay. Return the outcome for each room.

    If the person still plays in a room, the person resigns in the same transaction. All clients of such a room connect again
    and no longer see the name.

    Raises RefusalError if there is no such room (`room`) or seat (`player`), or if a room cannot be read (`storage`). If a
    room cannot be changed, no error is raised: the outcome of that room contains the refusal.
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
    """Give the person who has this seat a new token, in all rooms in which the old token has a seat. Return the new token
    and the outcome for each room.

    The old token stops working at once, and connections that used it are closed.

    Raises RefusalError if there is no such room (`room`) or seat (`player`), if a room cannot be read (`storage`), or if the
    seat has no person, for example because an agent plays there (`seat`).
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
"""A function that changes one room in which a person has a seat. Its last two arguments are the stored row and events of the
room."""


async def _change(rooms: Rooms, places: list[SeatOfPerson], change: Change, what: str) -> list[Outcome]:
    """Apply `change` to rooms one after the other, and return the outcomes. Each room is changed in its own task. If one
    room refuses, the others are changed nevertheless. `what` is the text of the entries in the journal.
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
    """Return the SHA-256 of the token of a seat's person, or an empty text if the seat has no person.

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
    """Return `first`, followed by all other rooms in which the token with the SHA-256 `secret` has a seat or can delete the
    room.

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
    """Return the refusal of a request to give back a seat that has no person. Its text says why the seat has none."""
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
