"""Deletes a room for its maker or the operator, or if the player who looked for an opponent has left it."""

from ludoteca.server import logs
from ludoteca.server.model.effects import DELETED
from ludoteca.server.model.tokens import seat_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.store.leases import refusing


async def delete_by_maker(rooms: Rooms, name: str, key: str, address: str) -> None:
    """Delete a room by its key, which its maker has.

    Raises RefusalError if it is another key (`key`), if another person has played in the room (`played`), and as `delete`.
    """
    row = await rooms.row(name)
    if seat_of(key, [row.options.get("key", "")]) is None:
        raise RefusalError("key")
    await delete(rooms, name, address, by_maker=True)


async def delete(rooms: Rooms, name: str, address: str = "", *, by_maker: bool = False, if_abandoned: bool = False) -> None:
    """Delete a room for good, and disconnect its clients.

    Raises RefusalError if there is no such room (`room`), if it cannot be deleted from the database (`storage`), if another
    server does not give it back (`waiting`), and, with `if_abandoned`, if it is not abandoned any more (`stale`).
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
