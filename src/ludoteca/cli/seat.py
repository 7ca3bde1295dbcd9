"""Takes a seat in a room of a server, and lets a program play there until the game is over. `ludoteca bot connect` uses
this.

A client needs few fields of each frame (a message from the room), and may meet servers of other versions. So all kinds of
frames are read as one struct, and unknown kinds and fields are ignored. The module is part of `cli` because it connects
rooms of the server with programs of the arena.
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
from ludoteca.core.errors import LudotecaError
from ludoteca.core.messages import ENGLISH, catalogue, in_words
from ludoteca.core.record import Result
from ludoteca.core.words import quoted
from ludoteca.server.frames import Clock, Line, Over

LINK: Final = re.compile(r"(https?://[^/#?\s]+(?:/[^/#?\s]+)*)/room/([A-Za-z0-9_-]+)/?(?:#(invited=)?([A-Za-z0-9_-]+))?")
FORM: Final = "a room's link, such as http://127.0.0.1:8000/room/Sy0vXqT1mYkZ"
SECRET_BYTES: Final = 24
FIRST_WAIT_SECONDS: Final = 0.4
LONGEST_WAIT_SECONDS: Final = 15.0
ANSWER_WITHIN_SECONDS: Final = 30.0
LARGEST_FRAME_BYTES: Final = 1 << 24
FINAL_CODES: Final = range(4400, 4500)
"""The WebSocket codes of closed connections after which the client does not connect again."""
RETRIED_STATUS: Final = 500
"""From this HTTP status on, a request is sent again."""

READ: Final = "read"
"""The kind of the request for the position and the legal moves in notation."""
FAULTS: Final = {"notation": Fault.UNREADABLE, "large": Fault.UNREADABLE, "illegal": Fault.ILLEGAL}
"""The codes with which the room refuses a wrong move, and the faults of the program to which they lead."""
LATE: Final = ("stale", "duplicate", "turn", "over", "open")
"""The codes of refusals that need no answer: another event came before the request, and the room sends that event, too."""
TEMPORARY: Final = ("rate", "storage", "waiting", "failed", "busy", "crowded", "connections")
"""The codes of refusals that pass, so that the client tries again."""


class RoomError(LudotecaError):
    """The program gets no seat in the room, or loses it. The message says why."""


class Link(NamedTuple):
    """The parts of a room's link."""

    server: str
    room: str
    token: str
    """The secret of a seat; empty if the program has to take a seat first."""
    invitation: str

    @classmethod
    def read(cls, text: str) -> "Link":
        """Return the parts of a link from the browser's address bar or from the room's page. Raises RoomError if the text is
        not the link of a room.
        """
        found = LINK.fullmatch(text.strip())
        if not found:
            raise RoomError(f"read {quoted(text)}, expected {FORM}")
        server, room, invited, secret = found.groups("")
        return cls(server, room, "" if invited else secret, secret if invited else "")

    @property
    def socket(self) -> str:
        """The address of the room's WebSocket."""
        return f"ws{self.server.removeprefix('http')}/ws/{self.room}"


class Frame(msgspec.Struct):
    """A frame of the room. Frames of each kind have only some of these fields."""

    t: str = ""
    n: int = 0
    id: int = -1
    # of `room` and `event`
    game: str = ""
    parameters: dict[str, Any] = {}
    seats: list[Any] = []
    you: int = -1
    position_n: int = 0
    mover: int = -1
    log: list[Line] = []
    line: Line | None = None
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
    """Take an open seat of the room under `name`, and return the seat's token, the secret with which a client acts for it.
    `say` shows messages to the user. Raises RoomError if there is no open seat.

    The client chooses the token. So if no answer comes and the request is sent again, the server gives the same seat.
    """
    token = secrets.token_urlsafe(SECRET_BYTES)
    body = json.dumps({"name": name, "token": token, "invitation": link.invitation}).encode()
    pause = waits()
    while True:
        address, headers = f"{link.server}/api/rooms/{link.room}/seats", {"content-type": "application/json"}
        request = urllib.request.Request(address, body, headers)  # noqa: S310  # the link is of http or https
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_SECONDS) as answer:  # noqa: S310
                answer.read()
            say(f"this link has the seat: {link.server}/room/{link.room}#{token}")
            return token
        except urllib.error.HTTPError as error:
            with error:
                why = refusal_in(error.read())
            if error.code < RETRIED_STATUS:
                raise RoomError(f"no seat in {link.server}/room/{link.room}: {why or error}") from None
            say(f"the server says: {why or error}; trying again")
        except urllib.error.URLError as error:
            raise RoomError(f"no server answers at {link.server}: {error.reason}") from None
        except TimeoutError:
            say("the server does not answer; trying again")
        time.sleep(next(pause))  # the server may be busy or starting


def waits() -> Iterator[float]:
    """Yield the seconds to wait before each new try. They grow, and are random so that clients do not all try at the same
    time.
    """
    wait = FIRST_WAIT_SECONDS
    while True:
        yield wait * random.uniform(0.5, 1.5)
        wait = min(2 * wait, LONGEST_WAIT_SECONDS)


def refusal_in(answer: bytes) -> str:
    """Return the words of a refusal over HTTP, or an empty text for another answer."""
    try:
        return worded(msgspec.json.decode(answer, type=Frame))
    except msgspec.MsgspecError:
        return ""


def worded(refused: Frame, game: str = "") -> str:
    """Return the reason of a refusal in English, or its code if this version has no words for it. `game` is the name of the
    game, whose texts the reason may use.
    """
    try:
        own = catalogue(registry.find(game).package, ENGLISH) if game in registry.names() else {}
        return in_words(_as_tuples(refused.message), {**own, **catalogue("ludoteca.server", ENGLISH)})
    except LookupError:
        return refused.code


def _as_tuples(message: Any) -> Any:
    return tuple(map(_as_tuples, message)) if isinstance(message, list) else message


class Seat:
    """The seat of a program during a game. `token` is the secret of the seat, and `say` shows messages to the person who
    started the program.
    """

    def __init__(self, link: Link, token: str, program: Conversation, say: Callable[[str], None]) -> None:
        self._link = link
        self._token = token
        self._program = program
        self._say = say
        self._room = Frame()
        self._begun = False
        self._seen = 0  # the number of actions that the program has seen
        self._answer = ""  # the answer in the position with the number `_answered`
        self._answered = -1
        self._legal: list[str] = []
        self._asked = False  # True while the room has not yet answered with the position
        self._number = 0
        self._fault: FaultError | None = None

    def play(self) -> Over:
        """Play until the game is over, and return its end. If the connection breaks, connect again until that succeeds.

        Raises RoomError if the program cannot play in this room. After a fault of the program, gives up the game and raises
        FaultError.
        """
        pause = waits()
        while True:
            heard = self._room.n
            try:
                with connect(self._link.socket, open_timeout=ANSWER_WITHIN_SECONDS, max_size=LARGEST_FRAME_BYTES) as socket:
                    return self._converse(socket)
            except ConnectionClosed as closed:
                if closed.rcvd and closed.rcvd.code in FINAL_CODES:
                    raise RoomError(f"the server has ended the connection ({closed.rcvd})") from None
                self._say("the connection has broken; trying again")
            except (OSError, InvalidHandshake) as error:
                if not self._room.t:
                    raise RoomError(f"{self._link.server} does not answer like a server of Ludoteca: {error}") from None
                self._say(f"no connection ({error}); trying again")
            if self._room.n != heard:
                pause = waits()
            time.sleep(next(pause))  # the server may be down or starting

    def _converse(self, socket: ClientConnection) -> Over:
        """Say hello to the room, and answer its frames until the game is over. Return the end of the game."""
        self._asked = False
        socket.send(json.dumps({"t": "hello", "token": self._token}))
        while True:
            frame = _decoded(socket.recv())
            if frame.t == "room":
                self._enter(socket, frame)
                if self._fault and not frame.over:  # the connection broke before the room received it
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
                self._send_moves()
                self._program.end(Result(over.returns, over.scores))
                return over
            if not self._asked and self._room.mover >= 0 and (not self._begun or self._is_mine()):
                self._asked = True
                self._request(socket, READ)

    def _enter(self, socket: ClientConnection, whole: Frame) -> None:
        """Read the whole state of the room."""
        if whole.you < 0:
            raise self._fault or RoomError("an agent has taken over the program's seat")
        if not self._room.t:
            self._say(f"seat {whole.you + 1} of {len(whole.seats)}, {whole.game}; the game begins when all are taken")
        self._room, self._asked = whole, False
        self._send_moves()
        if whole.mover == whole.you and self._answered == whole.position_n:
            self._write(socket)  # the room may not have received it

    def _follow(self, event: Frame) -> bool:
        """Apply an event to the known state of the room. Return False if an earlier event is missing."""
        room = self._room
        if event.n <= room.n:
            return True
        if event.n > room.n + 1:
            return False
        room.n, room.position_n, room.mover = event.n, event.position_n, event.mover
        room.clocks, room.over = event.clocks or room.clocks, event.over or room.over
        if event.line:
            room.log.append(event.line)
            self._send_moves()
        return True

    def _send_moves(self) -> None:
        """Send the program the new moves."""
        if self._begun:
            for move in self._room.log[self._seen :]:
                self._program.see(move.player, move.text, now=True)
            self._seen = len(self._room.log)

    def _is_mine(self) -> bool:
        """Return True if the program is to move and has not yet answered."""
        return self._room.mover == self._room.you and self._answered < self._room.position_n

    def _left(self) -> Left:
        bank = self._room.clocks.left[self._room.you] / 1000 if self._room.clocks else None
        return Left(self._program.limits.move, bank)

    def _take_turn(self, socket: ClientConnection, text: Frame) -> None:
        """Read the position from the frame `text`. Start the program's game if that has not happened. If the program is to
        move, ask it for a move and send the move to the room.

        Raises FaultError if the program cannot be started or does not answer correctly. Before that, the seat gives up the
        game.
        """
        room = self._room
        if text.n != room.position_n or room.over:
            return  # there is a newer position
        with self._resigning(socket):
            if not self._begun:
                self._program.begin(room.game, room.parameters, room.you, len(room.seats), self._left(), text.position)
                self._begun, self._seen = True, len(room.log)
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
        """Handle a refusal: send the move or `hello` again if that can help. Raises RoomError if the game cannot go on, and
        FaultError if the program's move was wrong.
        """
        why = worded(refused, self._room.game)
        if refused.code in FAULTS and refused.id >= 0:
            meant = alike(self._answer, self._legal)
            if meant and meant != self._answer:
                self._answer = meant
                self._write(socket)
                return
            with self._resigning(socket):
                raise self._program.fault(FAULTS[refused.code], f"it answered {quoted(self._answer)}: {why}")
        if refused.code in TEMPORARY:
            self._say(f"the server says: {why}; trying again")
            time.sleep(FIRST_WAIT_SECONDS)  # the server does not say when it is ready
            socket.send(json.dumps({"t": "hello", "token": self._token}))
        elif refused.code in ("malformed", "reload"):
            raise RoomError(
                f"the server at {self._link.server} has another version of Ludoteca and does not understand this one"
            )
        elif refused.code not in LATE:
            raise RoomError(f"the room says: {why}")

    @contextmanager
    def _resigning(self, socket: ClientConnection) -> Iterator[None]:
        """If the `with` block raises FaultError, give up the game in the room, so that the opponents need not wait."""
        try:
            yield
        except FaultError as fault:
            self._fault = fault
            number = self._request(socket, "resign", n=self._room.position_n)
            while (frame := _decoded(socket.recv(ANSWER_WITHIN_SECONDS))).id != number or frame.t not in ("done", "error"):
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
        raise RoomError(f"the server has another version of Ludoteca and sent an unknown frame ({error})") from None
