"""A program's seat in a room of a server: it is taken by the room's link, and played until the game is over.

The structs here are a client's own and not those of `server.frames`: it reads a tenth of what a frame has, and may meet
servers of other versions. It stands among the commands because it brings a server's rooms and the arena's programs
together, which do not know each other.
"""

import json
import random
import re
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from ludoteca.arena.programs.conversation import Conversation, Left, alike
from ludoteca.arena.programs.limits import Fault, FaultError
from ludoteca.core import registry
from ludoteca.core.errors import ContractError, LudotecaError
from ludoteca.core.messages import ENGLISH, catalogue, in_words
from ludoteca.core.record import Result
from ludoteca.core.words import quoted

LINK: Final = re.compile(r"(https?://[^/#?\s]+)/room/([A-Za-z0-9_-]+)/?(?:#(invited=)?([A-Za-z0-9_-]+))?")
FORM: Final = "a room's link, such as http://127.0.0.1:8000/room/Sy0vXqT1mYkZ"
SECRET_BYTES: Final = 24
FIRST_WAIT: Final = 0.4
LONGEST_WAIT: Final = 15.0
PATIENCE: Final = 30.0
"""Seconds for an answer of the server's; silence is asked for a sign of life by the connection itself."""
LARGEST: Final = 1 << 24
"""Bytes of a frame."""
FINAL: Final = range(4400, 4500)
"""Codes of a closed connection after which another one is of no use."""
OVER: Final = -4
"""In place of the player to move when the game is over."""
RETRIED: Final = 500
"""From this status on the server is in trouble, and may be asked again."""

READ: Final = "read"
"""The request for the position and the legal moves in notation."""
WRONG: Final = {"notation": Fault.UNREADABLE, "large": Fault.UNREADABLE, "illegal": Fault.ILLEGAL}
"""Refusals of a move that are the program's fault."""
OVERTAKEN: Final = ("stale", "duplicate", "turn", "over", "open")
"""Refusals of what was decided before something else happened, which the room tells as well."""
PASSING: Final = ("rate", "slow", "storage", "waiting", "failed", "busy", "crowded", "connections")
"""Refusals after which the same may be asked again."""


class RoomError(LudotecaError):
    """The program has no seat in the room, or cannot keep it; the message says why."""


class Link(NamedTuple):
    """What a room's link says."""

    server: str
    room: str
    token: str
    """The secret of a seat; empty where one has to be taken."""
    invitation: str

    @classmethod
    def read(cls, text: str) -> "Link":
        """The link as it stands in the address bar, or as the room's page gives it. Raises RoomError."""
        found = LINK.fullmatch(text.strip())
        if not found:
            raise RoomError(f"read {quoted(text)}, expected {FORM}")
        server, room, invited, secret = found.groups("")
        return cls(server, room, "" if invited else secret, secret if invited else "")

    @property
    def socket(self) -> str:
        """The address of the room's WebSocket."""
        return f"ws{self.server.removeprefix('http')}/ws/{self.room}"


class Move(msgspec.Struct):
    """A line of the room's log."""

    player: int
    text: str


class Clock(msgspec.Struct):
    """Milliseconds that each player has left."""

    left: list[int]


class Over(msgspec.Struct):
    """How the game ended."""

    reason: str
    returns: list[float]
    scores: list[int]


class Sitting(msgspec.Struct):
    """A seat and who has it."""

    kind: str


class Frame(msgspec.Struct):
    """What a frame of the room may have: those of each kind have a part of it."""

    t: str = ""
    n: int = 0
    id: int = -1
    # of `room` and `event`
    game: str = ""
    parameters: dict[str, Any] = {}
    seats: list[Sitting] | None = None
    you: int = -1
    ply: int = 0
    position_n: int = 0
    mover: int = -1
    log: list[Move] = []
    line: Move | None = None
    clocks: Clock | None = None
    over: Over | None = None
    # of `text`
    position: str = ""
    moves: list[str] = []
    give_up: str = ""
    # of `error`
    code: str = ""
    message: Any = ""


def take_seat(link: Link, name: str, say: Callable[[str], None]) -> str:
    """Take an open seat of the room: gives its secret. Raises RoomError when there is none.

    The secret is ours: asked again with it, after no answer came, the server gives the same seat.
    """
    token = secrets.token_urlsafe(SECRET_BYTES)
    body = json.dumps({"name": name, "token": token, "invitation": link.invitation}).encode()
    for wait in waits():
        request = urllib.request.Request(  # noqa: S310  # the link is of http or https
            f"{link.server}/api/rooms/{link.room}/seats", body, {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                answer.read()
            say(f"the seat is kept for whoever has this link: {link.server}/room/{link.room}#{token}")
            return token
        except urllib.error.HTTPError as error:
            with error:
                why = refusal_in(error.read())
            if error.code < RETRIED:
                raise RoomError(f"no seat in {link.server}/room/{link.room}: {why or error}") from None
            say(f"the server says: {why or error}; trying again")
        except urllib.error.URLError as error:
            raise RoomError(f"no server answers at {link.server}: {error.reason}") from None
        except TimeoutError:
            say("the server does not answer; trying again")
        time.sleep(wait)  # a server that is busy or starting is not asked again at once
    raise AssertionError("there is always another wait")


def waits() -> Iterator[float]:
    """How long to wait before each new try, in seconds: ever longer, and not at the same moment as others."""
    wait = FIRST_WAIT
    while True:
        yield wait * random.uniform(0.5, 1.5)
        wait = min(2 * wait, LONGEST_WAIT)


def refusal_in(answer: bytes) -> str:
    """The words of a refusal over HTTP; empty when it is none."""
    try:
        return worded(msgspec.json.decode(answer, type=Frame))
    except msgspec.MsgspecError:
        return ""


def worded(refused: Frame, game: str = "") -> str:
    """Why something was refused, in English; the code where this version has no words for it."""
    packages = ["ludoteca.server", *([registry.find(game).package] if game in registry.names() else [])]
    for package in packages:
        try:
            return in_words(_as_tuples(refused.message), catalogue(package, ENGLISH))
        except ContractError:
            continue
    return refused.code


def _as_tuples(message: Any) -> Any:
    return tuple(map(_as_tuples, message)) if isinstance(message, list) else message


class Seat:
    """A program's seat while its game lasts. What has to be told to the person who started it goes through `say`."""

    def __init__(self, link: Link, token: str, program: Conversation, say: Callable[[str], None]) -> None:
        self._link = link
        self._token = token
        self._program = program
        self._say = say
        self._room = Frame()
        self._has_joined = False
        self._begun = False
        self._told = 0  # so many actions the program has been told
        self._answer = ""  # to the question in the position after so many actions
        self._answered = -1
        self._legal: list[str] = []
        self._asked = False  # the room has been asked for the position
        self._number = 0
        self._fault: FaultError | None = None

    def play(self) -> Over:
        """Play until the game is over. A connection that breaks is made again, for as long as it takes.

        Raises RoomError where there is nothing to play, and FaultError for the program, which has then given up the game.
        """
        pause = waits()
        while True:
            heard = self._room.n
            try:
                with connect(self._link.socket, open_timeout=PATIENCE, max_size=LARGEST) as socket:
                    return self._converse(socket)
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code in FINAL:
                    raise RoomError(f"the server has closed the connection for good ({closed.rcvd})") from None
                self._say("the connection has broken; trying again")
            except (OSError, InvalidHandshake) as error:
                if not self._has_joined:
                    raise RoomError(f"{self._link.server} does not answer as a server of rooms does: {error}") from None
                self._say(f"no connection ({error}); trying again")
            if self._room.n != heard:
                pause = waits()
            time.sleep(next(pause))  # a server that is down or starting is not called again at once

    def _converse(self, socket: ClientConnection) -> Over:
        """Say hello, and do what the room's frames ask for, until the game is over."""
        self._asked = False
        socket.send(json.dumps({"t": "hello", "token": self._token}))
        while True:
            frame = _decoded(socket.recv())
            if frame.t == "room":
                self._enter(socket, frame)
                if self._fault and not frame.over:  # the connection broke before the room had heard of it
                    with self._resigning(socket):
                        raise self._fault
            elif frame.t == "event" and not self._follow(frame):
                socket.send(json.dumps({"t": "hello", "token": self._token}))
            elif frame.t == "text":
                self._asked = False
                self._take_turn(socket, frame)
            elif frame.t == "error":
                self._hear_refusal(socket, frame)
            if over := self._room.over:
                if self._fault:
                    raise self._fault
                self._tell()
                self._program.end(Result(over.returns, over.scores))
                return over
            if not self._asked and self._room.mover >= 0 and (not self._begun or self._is_mine()):
                self._asked = True
                self._request(socket, READ)

    def _enter(self, socket: ClientConnection, whole: Frame) -> None:
        """The whole of the room has come."""
        if whole.you < 0:
            raise self._fault or RoomError("an agent has taken over the program's seat")
        if not self._has_joined:
            self._say(f"seat {whole.you + 1} of {len(whole.seats or [])}, {whole.game}; the game begins when all are taken")
        self._has_joined, self._room, self._asked = True, whole, False
        self._tell()
        if whole.mover == whole.you and self._answered == whole.position_n:
            self._write(socket)  # nobody knows whether it has come

    def _follow(self, event: Frame) -> bool:
        """Something has happened. False when something else was missed before it."""
        room = self._room
        if event.n <= room.n:
            return True
        if event.n > room.n + 1:
            return False
        room.n, room.ply, room.position_n, room.mover = event.n, event.ply, event.position_n, event.mover
        room.seats, room.clocks, room.over = event.seats or room.seats, event.clocks or room.clocks, event.over or room.over
        if event.line:
            room.log.append(event.line)
            self._tell()
        return True

    def _tell(self) -> None:
        """Tell the program what was played since."""
        if self._begun:
            for move in self._room.log[self._told :]:
                self._program.see(move.player, move.text, now=True)
            self._told = len(self._room.log)

    def _is_mine(self) -> bool:
        """True when the program is to move, and the room has not got its answer yet."""
        return self._room.mover == self._room.you and self._answered < self._room.position_n

    def _left(self) -> Left:
        room = self._room
        bank = room.clocks.left[room.you] / 1000 if room.clocks else None
        return Left(self._program.limits.move, bank)

    def _take_turn(self, socket: ClientConnection, text: Frame) -> None:
        """The position has come: the program is told of the game once, and asked when it is to move. Raises FaultError."""
        room = self._room
        if text.n != room.position_n or room.over:
            return  # something has happened meanwhile
        with self._resigning(socket):
            if not self._begun:
                players = len(room.seats or [])
                self._program.begin(room.game, room.parameters, room.you, players, self._left(), text.position)
                self._begun, self._told = True, len(room.log)
            if text.moves and self._is_mine():
                self._legal = text.moves
                concede = text.give_up if len(text.moves) > 1 else ""
                others = [move for move in text.moves if move != concede]
                self._answer = self._program.ask(text.position, others, concede, self._left())
                self._answered = room.position_n
                self._write(socket)

    def _write(self, socket: ClientConnection) -> None:
        self._request(socket, "write", n=self._answered, text=self._answer)

    def _hear_refusal(self, socket: ClientConnection, refused: Frame) -> None:
        """Something was refused. Raises RoomError where nothing is left to do, FaultError for a move that is none."""
        why = worded(refused, self._room.game)
        if refused.code in WRONG and refused.id >= 0:
            meant = alike(self._answer, self._legal)
            if meant and meant != self._answer:
                self._answer = meant
                self._write(socket)
                return
            with self._resigning(socket):
                raise self._program.fault(WRONG[refused.code], f"it answered {quoted(self._answer)}: {why}")
        if refused.code in PASSING:
            self._say(f"the server says: {why}; trying again")
            time.sleep(FIRST_WAIT)  # what it lacks passes by itself, and it says nothing when it has
            socket.send(json.dumps({"t": "hello", "token": self._token}))
        elif refused.code in ("malformed", "reload"):
            raise RoomError(
                f"the server at {self._link.server} is of another version of Ludoteca: it does not understand this one"
            )
        elif refused.code not in OVERTAKEN:
            raise RoomError(f"the room says: {why}")

    @contextmanager
    def _resigning(self, socket: ClientConnection) -> Iterator[None]:
        """Gives the game up for a program that has done something wrong, so that nobody waits for it."""
        try:
            yield
        except FaultError as fault:
            self._fault = fault
            number = self._request(socket, "resign", n=self._room.position_n)
            while (frame := _decoded(socket.recv(PATIENCE))).id != number or frame.t not in ("done", "error"):
                pass
            raise

    def _request(self, socket: ClientConnection, kind: str, **fields: Any) -> int:
        self._number += 1
        socket.send(json.dumps({"t": kind, "id": self._number, **fields}))
        return self._number


def _decoded(text: str | bytes) -> Frame:
    try:
        return msgspec.json.decode(text, type=Frame)
    except msgspec.ValidationError as error:
        raise RoomError(
            f"the server is of another version of Ludoteca: a frame of its is not understood ({error})"
        ) from None
