"""A room without a server: events go in by hand, effects are carried out in lists, and time is a number."""

from collections.abc import Callable
from itertools import count
from typing import Any

from ludoteca.core.game import State, load
from ludoteca.server import frames
from ludoteca.server.frames import Answer, Hello, Play, Refused
from ludoteca.server.model import effects
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.effects import Answered, Client, RoomEvent
from ludoteca.server.model.events import AGENT, PERSON, Options, RoomRow, SeatMade, StoredEvent
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.room import Room
from ludoteca.server.model.table import UNDO, Table, takeback
from ludoteca.server.model.tokens import digest
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings

MAKE_NEXT = "next"
"""The name of the room of the next game."""
NUMBERS = count(1)
SMALL = {"board": "4x4"}


def row_of(state: State, clock: dict[str, int] | None = None, agents: tuple[int, ...] = ()) -> RoomRow:
    """A room that starts from this position. The secret of each person is the number of the seat."""
    seats = [
        SeatMade(AGENT, agent="greedy") if seat in agents else SeatMade(PERSON, f"P{seat}", token=digest(str(seat)))
        for seat in range(state.game.num_players())
    ]
    return new_row(state.game, Options(seats, clock, start=str(state)), Draw(b"", b""))


class Machine:
    """A room, its clients and its store."""

    def __init__(self, row: RoomRow, settings: Settings | None = None) -> None:
        self.now = 0.0
        self.stored: list[StoredEvent] = []
        self.has_begun = False
        """True once the store knows that the game has begun."""
        self.acknowledges = True
        """False if the store does not say that it has stored an event."""
        self.loses = False
        """True if the store loses an event that it does not acknowledge."""
        self.sent: dict[Client, list[Answer]] = {}
        self.closed: dict[Client, int] = {}
        self.timers: dict[str, float] = {}
        self.asked: list[effects.Ask] = []
        self.hints: list[effects.AskForHint] = []
        self.room = Room(Table(row), settings or Settings(), self.now)
        for effect in self.room.effects:
            self._carry_out(effect)

    def bring(self, event: RoomEvent) -> None:
        """Have the room handle an event."""
        following: RoomEvent | None = event
        while following is not None:
            found, following = self.room.handle(following, self.now), None
            for effect in found:
                assert following is None, "a question is the last effect"
                if isinstance(effect, effects.Question):
                    following = self._answer_to(effect)
                else:
                    self._carry_out(effect)

    def _carry_out(self, effect: effects.Effect) -> None:
        match effect:
            case effects.Send(clients, frame):
                for client in clients:
                    self.sent[client].append(frame)
            case effects.Refuse(client, number, refusal):
                self.sent[client].append(Refused(number, refusal.code, refusal.message))
            case effects.Close(client, code):
                self.closed[client] = code
            case effects.Timer(name, seconds):
                self.timers.pop(name, None)
                if seconds is not None:
                    self.timers[name] = self.now + seconds
            case effects.Ask():
                self.asked.append(effect)
            case effects.AskForHint():
                self.hints.append(effect)
            case _:
                assert isinstance(effect, effects.StopAsking)

    def _answer_to(self, question: effects.Question) -> Answered:
        if isinstance(question, effects.MakeNext):
            return Answered(MAKE_NEXT)
        if isinstance(question, effects.Append):
            assert question.n == len(self.stored) + 1
            if self.acknowledges or not self.loses:
                self.stored.append(question.event)
                self.has_begun |= question.begins
        if not self.acknowledges:
            return Answered(refusal=RefusalError("storage"))
        return Answered(self.stored[question.n :])

    def wait(self, seconds: float) -> None:
        """Let time pass, and have the timers that are due brought in their order."""
        end = self.now + seconds
        while due := sorted((at, name) for name, at in self.timers.items() if at <= end):
            self.now = max(self.now, due[0][0])
            del self.timers[due[0][1]]
            self.bring(effects.Due(due[0][1]))
        self.now = end

    def join(self, seat: int | None = None, client: Client | None = None) -> Client:
        """A client that says hello for a seat, or as a spectator."""
        client = client or Client(f"address {len(self.sent)}")
        self.sent.setdefault(client, [])
        self.bring(effects.Received(client, Hello(token=None if seat is None else str(seat))))
        return client

    def leave(self, client: Client) -> None:
        """The client goes."""
        self.bring(effects.Gone(client))

    def ask(self, client: Client, request: Any) -> Any:
        """Send a request, and return the frame that answers it."""
        before = len(self.sent[client])
        self.bring(effects.Received(client, request))
        return next(frame for frame in self.sent[client][before:] if getattr(frame, "id", None) == request.id)

    def kinds(self, client: Client) -> list[str]:
        """The kinds of all frames that a client was sent."""
        return [str(frame.__struct_config__.tag) for frame in self.sent[client]]


def machine_of(agents: tuple[int, ...] = (), clock: dict[str, int] | None = None, **chosen: Any) -> Machine:
    game = load("okupacio", **{**SMALL, **chosen})
    return Machine(row_of(game.new_initial_state(0), clock, agents), Settings(pace=0.5, absence=30.0))


def play(machine: Machine, client: Client) -> Any:
    """The answer to the first legal move."""
    table = machine.room.table
    return machine.ask(client, Play(next(NUMBERS), table.position_n, str(table.now.legal[0])))


def undo(machine: Machine, client: Client) -> str:
    """Ask for an undo, or agree to the one that another player has asked for. Return `done` or the code of the refusal."""
    table = machine.room.table
    for what in table.asked:
        if what.startswith(UNDO) and what != takeback(table.position_n, client.seat):
            return say(machine, client, frames.Agree, what)
    return say(machine, client, frames.Undo, table.position_n)


def say(machine: Machine, client: Client, kind: Callable[..., Any], *arguments: Any) -> str:
    """Send a request, and return `done` or the code of the refusal."""
    answer = machine.ask(client, kind(next(NUMBERS), *arguments))
    return answer.code if isinstance(answer, Refused) else "done"
