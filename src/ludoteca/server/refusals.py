"""The codes with which the server refuses requests, each with its HTTP status.

The text of a code is `error.CODE` in `server/messages`. A refusal may replace this text by a message of the game.
"""

from typing import Final

from ludoteca.core.errors import LudotecaError
from ludoteca.core.messages import Message

CODES: Final = {
    # about the frame or the body
    "malformed": 400,  # no JSON, or over HTTP a field that is missing, unknown or of the wrong type
    "reload": 400,  # a frame of another version: an unknown kind, or such a field
    "large": 413,
    "costly": 413,  # a record that takes too long to read
    "hello": 400,  # the first frame was another one
    "rate": 429,
    "origin": 403,
    "off": 403,  # the operator has switched this off
    "host": 421,  # the request is for a name that is not the server's
    # about the client
    "token": 403,  # no seat of this room has that secret
    "key": 403,  # only the maker deletes a room
    "played": 409,  # and only while no other person has played in it
    "seat": 403,  # a spectator has no seat to do it with
    # about the moment
    "open": 409,  # not all seats are taken yet
    "over": 409,
    "running": 409,  # it is possible after the end only
    "turn": 409,
    "stale": 409,  # about a position that is over
    "duplicate": 409,  # the same action was played in that position: it counts once
    "taken": 409,  # no seat is open any more
    "neighbours": 403,  # a listed room gives no more seats to that address without an invitation
    "busy": 409,  # the same is being done already, or too much waits, in all or for one address
    # about the content of the request
    "illegal": 400,  # the message is the reason in the rules
    "nothing": 400,  # the touched items mean no action, legal or not
    "notation": 400,
    "ply": 400,
    "player": 400,
    "agent": 400,
    "hint": 403,  # only against agents
    "plan": 409,  # nothing can be chosen in advance: it is the seat's turn, or it would have none
    "undo": 409,  # the seat has not played, or something hidden has come to light since
    "undos": 429,  # too many in this room
    "replace": 400,
    "present": 409,  # a seat is not taken over while its person is there
    "away": 409,  # before that time; or a move is to be undone while a player is away
    "declined": 409,  # a player who is present has declined it in this position
    "nobody": 409,  # there is no such question to agree to or to decline
    "give": 409,  # there is no clock, or there are not two persons
    "given": 429,  # too often in this game
    "questions": 429,  # too many in this room
    "game": 404,
    "room": 404,
    "deleted": 404,  # the room was there until now
    "missing": 404,  # a page, a file
    "parameters": 400,
    "seats": 400,
    "persons": 400,
    "kind": 400,
    "clock": 400,
    "name": 400,
    "record": 400,
    # about the server
    "full": 429,  # too many spectators of the room, in all or from one address, or too many pages of one seat
    "connections": 429,  # too many from one address
    "crowded": 503,  # too many in all
    "rooms": 429,  # too many rooms made from one address
    "storage": 503,
    "waiting": 503,  # the database has not answered yet: the same request later shows the result
    "rules": 409,  # the room follows another version of the rules than this server has
    "damaged": 500,  # the events that are stored make no game
    "thinking": 503,  # the process of the agent ended, or refused the job
    "late": 503,  # the agent took far longer than it may
    "pictures": 501,  # what draws PNG is not installed
    "failed": 500,
}


LONGEST: Final = 400
"""The most characters of an argument that a refusal repeats. A longer argument is cut off, in the answer and in the log."""
BITS: Final = 64
"""The number of bits that an integer in a refusal must stay below, so that it fits into 64 bits with its sign."""


class RefusalError(LudotecaError):
    """The refusal of a request, which has changed nothing. The client sees the text of `code`, with `arguments` put in,
    unless `message` replaces that text.

    `game` names the game whose catalogue has the texts of the arguments. It is empty if the arguments use only texts that
    every page has.
    """

    def __init__(self, code: str, *arguments: Message, message: Message | None = None, game: str = "") -> None:
        self.code = code
        self.status = CODES[code]
        self.arguments = tuple(map(sendable, arguments))
        self.game = game
        super().__init__(f"{code} {self.arguments}")
        self.message = (f"error.{code}", *self.arguments) if message is None else message


def sendable(message: Message) -> Message:
    """Return the message with long texts cut off, and with integers of 64 bits or more as texts.

    Clients can send such integers, but the server's processes cannot pass them on to each other.
    """
    if isinstance(message, tuple | list):
        return tuple(map(sendable, message))
    if isinstance(message, int) and message.bit_length() >= BITS:
        message = str(message)
    if isinstance(message, str) and len(message) > LONGEST:
        return f"{message[:LONGEST]}…"
    return message
