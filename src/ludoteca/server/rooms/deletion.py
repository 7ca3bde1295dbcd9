"""Deletion of single rooms: by the maker of the room, by the operator, or because a player who looked for an opponent has
left the room.
"""

from ludoteca.server import logs
from ludoteca.server.model.effects import DELETED
from ludoteca.server.model.tokens import seat_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.store.leases import refusing


async def delete_by_maker(rooms: Rooms, name: str, key: str, address: str) -> None:
    """Delete the room `name` for its maker. `key` is the secret that the maker got when the room was made.

    Raises RefusalError if the key is wrong (`key`), if another person has played in the room (`played`), if there is no such
    room (`room`), if the database fails (`storage`), or if another server does not give the room back (`waiting`).
    """
    row = await rooms.row(name)
    if seat_of(key, [row.options.get("key", "")]) is None:
        raise RefusalError("key")
    await delete(rooms, name, address, by_maker=True)


async def delete(rooms: Rooms, name: str, address: str = "", *, by_maker: bool = False, if_abandoned: bool = False) -> None:
    """Delete the room `name` for good, and disconnect its clients. Loading the room is charged to `address`. With
    `by_maker`, a room in which another person has played is not deleted.

    Raises RefusalError if there is no such room (`room`), if it cannot be deleted from the database (`storage`), if another
    server does not give it back (`waiting`), with `by_maker` if another person has played (`played`), and with
    `if_abandoned` if the player has come back meanwhile (`stale`).
    """
    room = rooms.find(name)
    if room is None:
        await rooms.row(name)
        async with rooms.leased(name) as epoch:
            if by_maker and not (await rooms.made_again(name, address)).may_be_deleted():
                raise RefusalError("played")
            await _delete(rooms, name, epoch)
        return

    async def delete_in_turn() -> None:  # so that nothing happens in it meanwhile
        if by_maker and not room.table.may_be_deleted():
            raise RefusalError("played")
        if if_abandoned and not room.is_abandoned():
            raise RefusalError("stale")
        await _delete(rooms, name, room.epoch)
        room.close(DELETED, RefusalError("deleted"))
        del rooms.awake[name]

    await room.ask(delete_in_turn)


async def _delete(rooms: Rooms, name: str, epoch: int) -> None:
    with refusing(f"room {name} cannot be deleted"):
        await rooms.retention.delete({name: epoch})
    logs.note("room deleted", room=name)
