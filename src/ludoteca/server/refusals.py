"""Every reason for which a request is refused: its code, and the status that it has over HTTP.

The text of a code is `error.CODE` in `server/messages`; a refusal may carry a message of the game's instead.
"""

from typing import Final

from ludoteca.core.errors import LudotecaError
from ludoteca.core.messages import Message

CODES: Final = {
    # of the frame or the body
    "malformed": 400,  # no JSON, an unknown kind, a field that is missing, unknown or of the wrong type
    "large": 413,
    "costly": 413,  # it takes too long to read
    "hello": 400,  # something else was said before it
    "rate": 429,
    "origin": 403,
    "host": 421,  # asked for by a name that is not the server's
    # of who asks
    "token": 403,  # no seat of this room has that secret
    "key": 403,  # the room is deleted by who made it only
    "seat": 403,  # one who watches has no seat to do it with
    # of the moment
    "open": 409,  # not all seats are taken yet
    "over": 409,
    "running": 409,  # it is possible after the end only
    "turn": 409,
    "stale": 409,  # decided in a position that is no longer there
    "duplicate": 409,  # this very action was played then: it counts once
    "taken": 409,  # no seat is open any more
    "neighbours": 403,  # so many of a listed room's seats went to that address, without an invitation
    "busy": 409,  # the same is being done already, or too much of it waits, in all or from one address
    # of what is asked
    "illegal": 400,  # the message is the rules' own reason
    "nothing": 400,  # what was touched is no action, legal or not
    "notation": 400,
    "ply": 400,
    "player": 400,
    "agent": 400,
    "hint": 403,  # only against agents
    "replace": 400,
    "present": 409,  # nobody's seat is taken over while he is there
    "away": 409,  # nor before he has been away for a while
    "game": 404,
    "room": 404,
    "deleted": 404,  # it was there until now
    "missing": 404,  # a page, a file
    "parameters": 400,
    "seats": 400,
    "persons": 400,
    "kind": 400,
    "clock": 400,
    "name": 400,
    "record": 400,
    # of the server
    "full": 429,  # too many spectators of the room, in all or from one address, or too many pages of one seat
    "connections": 429,  # too many from one address
    "crowded": 503,  # too many in all
    "rooms": 429,  # too many rooms made from one address
    "slow": 429,  # the client does not read what it is sent
    "storage": 503,
    "waiting": 503,  # the database has not answered yet: whoever asks the same again hears how it went
    "rules": 409,  # the room follows another version of the rules than this server has
    "damaged": 500,  # what is stored of the room makes no game
    "thinking": 503,  # the process that was to think ended
    "late": 503,  # it took far longer than it may
    "failed": 500,
}


LONGEST: Final = 400
"""Characters of what a refusal repeats: who sends a megabyte does not get it back, nor has it written into the log."""


class RefusalError(LudotecaError):
    """A request that changes nothing. `arguments` go into the text of its code; `message` takes its place."""

    def __init__(self, code: str, *arguments: Message, message: Message | None = None) -> None:
        self.code = code
        self.status = CODES[code]
        self.arguments = tuple(map(_shortened, arguments))
        self.message: Message = (f"error.{code}", *self.arguments) if message is None else message
        super().__init__(f"{code} {self.arguments}")


def _shortened(argument: Message) -> Message:
    return f"{argument[:LONGEST]}…" if isinstance(argument, str) and len(argument) > LONGEST else argument
