"""Records from outside: read and played again in a process of their own, as that may take long."""

import msgspec

from ludoteca.core.errors import LudotecaError, UnknownGameError
from ludoteca.core.game import open_record
from ludoteca.core.record import FromPosition, Record, Seed
from ludoteca.server.refusals import RefusalError
from ludoteca.server.thinking.workers import Found


def find_game(text: str) -> Found:
    """The game that a record tells of, without what the text may be filled with. Raises RefusalError."""
    try:
        state = open_record(Record.from_json(text))
    except UnknownGameError as error:
        raise RefusalError("game", str(error)) from None
    except LudotecaError as error:
        raise RefusalError("record", str(error)) from None
    ours = state.to_record()
    if isinstance(ours.start, FromPosition):
        ours = msgspec.structs.replace(ours, start=FromPosition(str(state.game.state_at(ours.start)))).sealed()
    seed = bytes.fromhex(ours.start.seed) if isinstance(ours.start, Seed) else b""
    return Found(ours.game, ours.parameters, seed, ours.to_json())
