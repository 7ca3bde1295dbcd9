"""Runs a room (one game with its players) inside a web page, without a server. Messages of the page come in as texts,
messages to the page go out, and agents think between them.

The messages (*frames*) are the same as on the socket of a server. `Room.handle` makes all decisions. This module stores the
room's events, answers the room's questions, and lets its agents think. It never waits: the page calls `wake` at the time
that `next_due` returns.
"""

import time
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from ludoteca.core.errors import LudotecaError
from ludoteca.search.searcher import Settings as SearchSettings
from ludoteca.server import frames, jobs
from ludoteca.server.model import creation, effects, events, replay
from ludoteca.server.model.events import RoomRow
from ludoteca.server.model.room import Room
from ludoteca.server.model.table import Table
from ludoteca.server.model.tokens import digest
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings
from ludoteca.server.thinking import analyses, worker

SEARCHES: Final = SearchSettings(nodes=100_000)
"""The settings of agents' searches. A tree of the usual size would take up to a gigabyte of the page's memory."""


class Kept(msgspec.Struct, omit_defaults=True):
    """A room as the browser stores it. Before the room is made, it has the page's request for a room (`wish`) or the
    `record` of a game. Afterwards it has the room's settings (`row`) and `events`.
    """

    game: str
    token: str = ""
    """The secret with which the person's browser returns to the seat."""
    wish: creation.RoomWished | None = None
    record: str = ""
    row: RoomRow | None = None
    events: list[msgspec.Raw] = []


class Shell:
    """A room in a page: a game of one person against agents, or a recorded game to look at."""

    def __init__(self, name: str, kept: Kept, origin: Kept | None = None, settings: Settings | None = None) -> None:
        """Open the room with the id `name`, or make it if `kept` has none yet. `origin` is another room, if the new game
        begins from one of its positions.

        Raises RefusalError if a server would refuse the request, the record or the stored room.
        """
        if kept.row is None:
            kept.row, kept.wish, kept.record = _made(name, kept, origin), None, ""
        self.kept = kept
        self.changed: dict[str, Kept] = {name: kept}
        """The rooms that the browser has to store again, by id."""
        self._client = effects.Client("here")
        self._decoder: msgspec.json.Decoder[frames.Request] = msgspec.json.Decoder(frames.Request)
        self._sent: list[str] = []
        self._due: dict[str, float] = {}
        """The times at which timers of the room end, by name."""
        self._asked: tuple[effects.Ask, float] | None = None
        """The turn of an agent, and the time at which it may begin to think."""
        self._hint: effects.AskForHint | None = None
        self._analysis: analyses.Analysis | None = None
        self._values: Iterator[jobs.Valued] | None = None
        """An iterator over the moves that are still to be analysed, or None if no analysis is running."""
        self.table = _folded(kept)
        self._room = Room(self.table, settings or Settings(), time.monotonic())
        for effect in self._room.effects:
            self._carry_out(effect)

    def hear(self, text: str) -> list[str]:
        """Return the messages to the page that answer a message of the page. All are JSON texts."""
        return self._frames_of(effects.Received(self._client, self._decoder.decode(text)))

    def next_due(self) -> float | None:
        """Return the seconds until the page should call `wake`, or None if the room waits for nothing but the person."""
        if self._hint or self._values:
            return 0.0
        times = [*self._due.values(), *([self._asked[1]] if self._asked else [])]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def wake(self) -> list[str]:
        """Do the next piece of work whose time has come, and return its messages to the page: a hint, the end of a timer, an
        agent's move, or the analysis of one move.
        """
        now = time.monotonic()
        if hint := self._hint:
            self._hint = None
            return self._frames_of(effects.HintFound(hint.client, hint.request, _think(hint.job)))
        if ringing := [name for name, due in self._due.items() if due <= now]:
            del self._due[ringing[0]]
            return self._frames_of(effects.Due(ringing[0]))
        if self._asked and self._asked[1] <= now:
            ask, self._asked = self._asked[0], None
            found = _think(ask.job)
            return self._frames_of(effects.Chosen(ask.turn, found.action if isinstance(found, jobs.Thought) else None))
        if self._analysis and self._values:
            if move := next(self._values, None):
                self._analysis.moves.append(move)
            else:
                self._analysis.conclude(self.table.state)
                self._values = None
        return []

    def analysis(self, *, begins: bool = False) -> dict[str, Any]:
        """Return the state of the game's analysis, in the form of a server's answer. With `begins`, start it: each later
        call of `wake` then analyses a move.

        Raises RefusalError (`running`) if the game is not over.
        """
        if not self.table.is_over:
            raise RefusalError("running")
        state = self.table.state
        found = self._analysis or analyses.Analysis(len(state.history()), state.game.utility())
        if begins and not self._analysis:
            found.state, self._analysis = jobs.THINKING, found
            self._values = worker.values_of(jobs.Analyse(state.serialize(), analyses.SIMULATIONS), SEARCHES)
        return analyses.as_object(found)

    def _frames_of(self, event: effects.RoomEvent) -> list[str]:
        """Give an event to the room, carry out its effects, and return the messages to the page."""
        following: effects.RoomEvent | None = event
        while following is not None:
            found, following = self._room.handle(following, time.monotonic()), None
            for effect in found:
                if isinstance(effect, effects.Question):
                    following = effects.Answered(self._answer_to(effect))
                else:
                    self._carry_out(effect)
        sent, self._sent = self._sent, []
        return sent

    def _answer_to(self, question: effects.Question) -> object:
        match question:
            case effects.Append(event):
                self.kept.events.append(msgspec.Raw(events.encode(event)))
                self.changed[self.table.row.id] = self.kept
                return None
            case effects.Look(n):
                return [events.decode(bytes(data)) for data in self.kept.events[n:]]
            case effects.MakeNext():
                row = creation.make_next(self.table)
                self.changed[row.id] = Kept(row.game, self.kept.token, row=row)
                return row.id

    def _carry_out(self, effect: effects.Effect) -> None:
        match effect:
            case effects.Send(clients, frame):
                self._sent += [msgspec.json.encode(frame).decode()] * len(clients)
            case effects.Refuse(_, number, refusal):
                self._sent.append(msgspec.json.encode(frames.Refused(number, refusal.code, refusal.message)).decode())
            case effects.Timer(name, seconds):
                self._due.pop(name, None)
                if seconds is not None:
                    self._due[name] = time.monotonic() + seconds
            case effects.Ask():
                self._asked = effect, time.monotonic() + effect.delay
            case effects.StopAsking():
                self._asked = None
            case effects.AskForHint():
                self._hint = effect  # a page has no connection that `Close` could end


def _made(name: str, kept: Kept, origin: Kept | None) -> RoomRow:
    """Return the settings of a new room for a request or a record, with the id `name` and the secret of the seat that the
    page has chosen.
    """
    if kept.wish is None:
        found = worker.read(jobs.Read(kept.record), lambda _: None)
        return msgspec.structs.replace(creation.make_record(found)[0], id=name)
    row, made = creation.make(kept.wish, _folded(origin) if origin else None)
    options, _ = events.with_secret(row, [], digest(made.token), digest(kept.token))
    return msgspec.structs.replace(row, id=name, options=options)


def _folded(kept: Kept) -> Table:
    """Return the table (the game and its seats) of a room, after all its events. Raises RefusalError if the rules do not
    allow the events.
    """
    assert kept.row
    rows = [events.EventRow(n, bytes(data), 0.0) for n, data in enumerate(kept.events, 1)]
    try:
        return replay.folded(kept.row, rows)
    except (LudotecaError, msgspec.MsgspecError) as error:
        raise error if isinstance(error, RefusalError) else RefusalError("failed") from error


def _think(job: jobs.Think) -> jobs.Thought | RefusalError:
    """Let an agent think, and return its decision, or the refusal that says why it could not."""
    job.waits = True  # everything is compiled here
    try:
        return worker.think(job, lambda _: None, SEARCHES)
    except RefusalError as refusal:
        return refusal
    except LudotecaError as error:
        return RefusalError("thinking", error.message, game=job.game)
