"""Rooms from the store: applying a room's events one after the other makes its table again."""

import msgspec

from ludoteca.core.errors import LudotecaError, ReplayError
from ludoteca.core.words import counted
from ludoteca.server.model import events
from ludoteca.server.model.creation import spec_of
from ludoteca.server.model.events import EventRow, Moved, RoomRow
from ludoteca.server.model.table import Table
from ludoteca.server.refusals import RefusalError


def folded(row: RoomRow, rows: list[EventRow]) -> Table:
    """Return the table that results from these events.

    A room that was made under older rules goes on if its events are still possible, because what was played counts, not the
    version. Raises RefusalError (`rules`) if they are not possible any more, or if a newer server made the room, because its
    moves may mean something else. Raises LudotecaError or msgspec.MsgspecError if the events are impossible although the
    rules are the same.
    """
    here = spec_of(row.game).rules_version
    if row.rules > here:
        raise RefusalError("rules", row.rules, here)
    try:
        table = Table(row)
        for number, stored in enumerate(rows, 1):
            try:
                _fold_next(table, stored)
            except (LudotecaError, msgspec.MsgspecError) as error:
                raise ReplayError(f"event {number} of {len(rows)}: {error}") from None
        if row.over and not table.is_over:
            raise ReplayError(f"after {counted(len(rows), 'event')} the game goes on, and it is stored as over")
    except (LudotecaError, msgspec.MsgspecError):
        if row.rules == here:
            raise
        raise RefusalError("rules", row.rules, here) from None
    return table


def _fold_next(table: Table, stored: EventRow) -> None:
    """Apply a stored event to the table. Raises LudotecaError or msgspec.MsgspecError if the event cannot come next."""
    event = events.decode(stored.data)
    seat = getattr(event, "seat", 0)
    if stored.n != table.n + 1:
        raise ReplayError(f"read number {stored.n}")
    if seat not in range(len(table.seats)):
        raise ReplayError(f"read seat {seat} of {len(table.seats)}")
    if isinstance(event, Moved) and seat != table.mover:
        raise ReplayError(f"seat {seat} moves, and it is the turn of {table.mover}")
    table.commit(table.prepare(event))
