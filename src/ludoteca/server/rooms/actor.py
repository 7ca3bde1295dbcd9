"""The actor of a room: the task that passes one event after the other to the model of the room (`model.room`), and carries
out the effects that the model returns, such as storing an event or sending a frame.

All work of a room goes into the actor's queue (`do`). One task works through the queue, so two things never happen in a room
at the same time.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence, Set
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar, assert_never, cast

import msgspec

from ludoteca.core.contract import SPECTATOR
from ludoteca.server import logs
from ludoteca.server.frames import Hello, Note, Request
from ludoteca.server.jobs import Listener, Progress, Think, Thought, Valued, ignore_progress
from ludoteca.server.measures import ANSWERING, EVENTS, STORING, THINKING
from ludoteca.server.model import effects, events
from ludoteca.server.model.effects import FAILED, FORBIDDEN, RESTART, Answered, Effect, Question, RoomEvent
from ludoteca.server.model.events import Moved, StoredEvent
from ludoteca.server.model.room import Room
from ludoteca.server.model.table import Table
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.connection import Connection
from ludoteca.server.rooms.factory import RoomFactory
from ludoteca.server.settings import ANSWER_WITHIN, Settings
from ludoteca.server.store.database import LostError, StoreError
from ludoteca.server.store.store import Store
from ludoteca.server.thinking.workers import Workers

MOST_QUEUED: Final = 256
"""Requests that may wait in a room's queue. When it is full, the server stops reading from the room's sockets."""
QUICK: Final = 20
"""Lines of the game's log that are computed while the event loop waits. More lines are computed in a thread."""
UNSTORED: Final = 3.0
"""Seconds after which clients get a note that an event is not stored yet. A healthy database takes a hundredth of it."""
KEPT: Final = 30.0
"""Seconds without a connection for which the room of a player who looks for an opponent is kept: pages may load slowly."""
NEAR: Final = 30.0
"""A room is in memory during the last NEAR seconds of a player's time, so that the end of the time is noticed."""

T = TypeVar("T")
log: Final = logging.getLogger(__name__)


class Rest(NamedTuple):
    """The state of a running clock in a room. All times are in seconds of the server's monotonic clock."""

    began: float
    """The time at which the turn of the player to move began."""
    due: float
    """The time at which that player's time is up, or an earlier time."""
    came: Set[int] = frozenset()
    """The seats whose persons are known to have been in the room."""


class RoomActor:
    """A room in memory, with its queue, its timers and the jobs of its agents.

    `epoch` is the number of the lease under which this server has the room, and `maker` the internet address of the room's
    maker. `began` is the time at which the present turn began, if it began before the room was loaded.
    """

    def __init__(
        self,
        table: Table,
        epoch: int,
        store: Store,
        workers: Workers,
        settings: Settings,
        factory: RoomFactory,
        maker: str = "",
        began: float | None = None,
    ) -> None:
        self.table = table
        self.model = Room(table, settings, time.monotonic(), maker, began)
        self.audience = self.model.audience
        self.epoch = epoch
        """The epoch (number) of the lease under which this server has the room."""
        self.has_failed = False
        self.guests = 0
        """The number of sockets of this room, including sockets before `hello`, plus one for a request over HTTP."""
        self.strangers: Counter[str] = Counter()
        """How many seats of a listed room each address has taken without an invitation since the room was loaded."""
        self.quiet_since = time.monotonic()
        self._factory = factory
        self._store = store
        self._workers = workers
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._thinking: asyncio.Task[None] | None = None
        self._queue: asyncio.Queue[Callable[[], Awaitable[Any]]] = asyncio.Queue(MOST_QUEUED)
        self._tasks: set[asyncio.Task[None]] = set()
        """The task that works through the queue, and further tasks of the room."""
        self.start(self._run())
        for effect in self.model.effects:
            self._carry_out(effect)

    def connections(self) -> Sequence[Connection]:
        """Return the connections of the clients that have joined the room with `hello`."""
        return cast(Sequence[Connection], self.audience.connections())

    # the queue

    async def do(self, work: Callable[[], Awaitable[Any]]) -> None:
        """Put `work` into the queue, and wait only while the queue is full. Raises RefusalError if the room has failed."""
        if self.has_failed:
            raise RefusalError("failed")
        await self._queue.put(work)

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Put `work` into the queue, wait until it is done, and return its result.

        Raises the RefusalError that the work raises. Raises RefusalError (`waiting`) if it takes more than ANSWER_WITHIN
        seconds. In that case, the work may still be done later.
        """
        done: asyncio.Future[T | RefusalError] = asyncio.get_running_loop().create_future()

        async def settle() -> None:
            self.guests += 1  # so that the room does not fall asleep
            try:
                done.set_result(await work())
            except RefusalError as refusal:
                done.set_result(refusal)
            finally:
                self.guests -= 1

        await self.do(settle)
        await asyncio.wait([done], timeout=ANSWER_WITHIN)
        result = done.result() if done.done() else RefusalError("failed" if self.has_failed else "waiting")
        if isinstance(result, RefusalError):
            raise result
        return result

    def start(self, work: Awaitable[None]) -> "asyncio.Task[None]":
        """Start a task for `work` next to the queue, and return it. The task is cancelled when the room is closed."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_end)
        return task

    async def _run(self) -> None:
        while not self.has_failed:
            await (await self._queue.get())()

    def _on_end(self, task: "asyncio.Task[None]") -> None:
        """Handle the end of a task of the room. If an error ended the task, log the error and close the room, so that a bug
        in one room does not affect other rooms.
        """
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            what = "room %s: it is closed, and made again from its events when somebody comes"
            log.error(what, self.table.row.id, exc_info=error)
            self.close(FAILED)

    def waiting(self) -> int:
        """Return the number of pieces of work in the room's queue."""
        return self._queue.qsize()

    def is_quiet(self) -> bool:
        """Return True if the room may be removed from memory: it has no client, no work waits, and no player's time ends
        soon. Clocks go on while a room is not in memory.
        """
        rest = self.rest()
        is_due = rest is not None and rest.due <= time.monotonic() + NEAR
        return not (self.guests or len(self._tasks) > 1 or is_due) and self._queue.empty()

    def is_abandoned(self) -> bool:
        """Return True if a player who looked for an opponent made this room, and has left it before another person came."""
        table = self.table
        is_alone = table.is_sought and bool(table.open_seats) and len(table.people()) == 1
        return is_alone and not self.audience.present() and self.quiet_since <= time.monotonic() - KEPT

    def rest(self) -> Rest | None:
        """Return the state of the running clock; None if no clock runs."""
        if not self.table.runs_clock():
            return None
        return Rest(self.model.turn_began, self.model.due(), self.table.came)

    def close(self, code: int, why: RefusalError | None = None) -> None:
        """Remove the room from this process: close all connections with the WebSocket code `code`, after a refusal if `why`
        is given, and cancel all timers and tasks. Stored events stay in the database.
        """
        self.has_failed = True
        for connection in self.connections():
            if why:
                connection.refuse(-1, why)
            connection.close(code)
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._thinking = None
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()

    async def ended(self) -> None:
        """Wait until all tasks of a closed room have ended."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    # clients

    async def answer(self, connection: Connection, request: Request, arrived: float) -> None:
        """Carry out a client's request. Called in the room's task. `arrived` is the time at which the request arrived, as
        given by `time.monotonic`.
        """
        if not isinstance(request, Hello):
            await self.perform(effects.Received(connection, request))
            ANSWERING.observe(time.monotonic() - arrived)
            return
        seat = SPECTATOR if request.token is None else self.model.seat_for(request.token)
        history = self.table.history
        if seat is not None and self.table.ply > len(history.written(seat)) + QUICK:
            await connection.processor.in_thread(connection.address, history.lines, seat)
        await self.perform(effects.Received(connection, request))

    async def leave(self, connection: Connection) -> None:
        """Remove a client that has disconnected. Called in the room's task."""
        self.quiet_since = time.monotonic()
        await self.perform(effects.Gone(connection))

    async def put_out(self, seat: int, why: RefusalError) -> None:
        """Close all connections of the person in a seat, after the refusal `why`. Called in the room's task."""
        for connection in [each for each in self.connections() if each.seat == seat]:
            await self.leave(connection)
            connection.seat, connection.has_joined = SPECTATOR, False  # waiting requests are refused
            connection.refuse(-1, why)
            connection.close(FORBIDDEN)

    async def happen(self, event: StoredEvent) -> None:
        """Store an event and then apply it to the room. Called in the room's task. Raises RefusalError if it cannot be
        stored.
        """
        await self.perform(effects.Call(partial(self.model.happen, event)))

    async def look_up(self) -> None:
        """If the last write failed, read from the database whether the event was stored nevertheless. Called in the room's
        task. Raises RefusalError (`stale`) if the event was stored and changed the position.
        """
        await self.perform(effects.Call(self.model.look_up))

    # events and effects

    async def perform(self, event: RoomEvent) -> None:
        """Pass an event to the model of the room and carry out the returned effects. If the last effect is a question, such
        as whether an event is stored, pass the answer to the model as the next event.

        Raises RefusalError if the room refuses the event.
        """
        payer = cast(Connection, event.client) if isinstance(event, effects.Received) else None
        following: RoomEvent | None = event
        while following is not None:
            began = time.thread_time()
            found, following = self.model.handle(following, time.monotonic()), None
            question: Question | None = None  # the last of the effects, if there is one
            for effect in found:
                if isinstance(effect, Question):
                    question = effect
                else:
                    self._carry_out(effect)
            if payer:
                payer.processor.spend(payer.address, time.thread_time() - began)
            if question:
                following = await self._answer_to(question)
        if self.model.refusal:
            raise self.model.refusal

    def _later(self, event: RoomEvent) -> None:
        """Put an event into the queue, so that it is handled after earlier events."""
        work = partial(self.perform, event)
        if self._queue.full():
            self.start(self.do(work))
        else:
            self._queue.put_nowait(work)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case effects.Send(clients, frame):
                text = msgspec.json.encode(frame) if clients else b""
                for connection in cast(Sequence[Connection], clients):
                    connection.send(text)
            case effects.Refuse(client, number, refusal):
                cast(Connection, client).refuse(number, refusal)
            case effects.Close(client, code):
                cast(Connection, client).close(code)
            case effects.Timer(name, seconds):
                self._set_timer(name, seconds)
            case effects.Ask() | effects.StopAsking():
                if self._thinking:
                    self._thinking.cancel()
                self._thinking = self.start(self._think(effect)) if isinstance(effect, effects.Ask) else None
            case effects.AskForHint():
                self.start(self._hint(effect))
            case _:
                raise AssertionError(f"{effect} is a question")

    def _set_timer(self, name: str, seconds: float | None) -> None:
        if timer := self._timers.pop(name, None):
            timer.cancel()
        if seconds is not None and not self.has_failed:
            self._timers[name] = asyncio.get_running_loop().call_later(seconds, self._on_due, name)

    def _on_due(self, name: str) -> None:
        self._timers.pop(name)
        self._later(effects.Due(name))

    async def _answer_to(self, question: Question) -> Answered:
        try:
            match question:
                case effects.Append():
                    await self._append(question)
                    return Answered()
                case effects.Look(n):
                    return Answered(await self._stored_after(n))
                case effects.MakeNext(address):
                    return Answered(await self._factory.make_next(self.table, self.model.maker, address))
                case _:
                    assert_never(question)
        except RefusalError as refusal:
            return Answered(refusal=refusal)

    async def _append(self, append: effects.Append) -> None:
        """Store an event. If this takes longer than UNSTORED seconds, send the clients a note, which is the only frame that
        they get before the event is stored.

        Raises RefusalError (`storage`) if the database refuses the event, or if another server has taken the room.
        """
        table = self.table
        marks = {"over": append.ends, "begun": append.begins}
        late = asyncio.get_running_loop().call_later(UNSTORED, self._send_unstored)
        try:
            began = time.monotonic()
            data = events.encode(append.event)
            await self._store.append(table.row.id, append.n, data, time.time(), epoch=self.epoch, **marks)
            STORING.observe(time.monotonic() - began)
        except LostError:
            self._leave_to_others()
            raise RefusalError("storage") from None
        except StoreError as error:
            log.error("room %s, event %d: %s", table.row.id, append.n, error)
            raise RefusalError("storage") from None
        finally:
            late.cancel()
        self.count(append.event, is_last=append.ends)

    def _send_unstored(self) -> None:
        for connection in self.connections():
            connection.tell(Note("unstored"))

    async def _stored_after(self, n: int) -> list[StoredEvent]:
        """Return the stored events after number `n`.

        Raises RefusalError (`storage`) if they cannot be read, or if another server has stored one of them.
        """
        try:
            rows = (await self._store.events(self.table.row.id))[n:]
        except StoreError:
            raise RefusalError("storage") from None
        if any(row.epoch != self.epoch for row in rows):
            self._leave_to_others()
            raise RefusalError("storage")
        found = [events.decode(row.data) for row in rows]
        for event in found:
            self.count(event)
        return found

    def count(self, event: StoredEvent, *, is_last: bool = False) -> None:
        """Count a stored event in the metrics. With `is_last`, the event ends the game, and this is written to the journal.
        Call it before the event is applied.
        """
        table = self.table
        EVENTS.labels(table.game.name, events.tag_of(event)).inc()
        if is_last:
            moves = table.ply + isinstance(event, Moved)
            logs.note("game over", room=table.row.id, game=table.game.name, moves=moves)

    def _leave_to_others(self) -> None:
        """Close the room in this process, because another server has taken it."""
        log.warning("room %s: another server has it", self.table.row.id)
        self.close(RESTART)

    # agents

    async def _think(self, ask: effects.Ask) -> None:
        """Ask an agent for its move after a delay, and put its answer into the queue. Runs in a task next to the queue."""
        await asyncio.sleep(ask.delay)
        action = None
        try:
            began = time.monotonic()
            listen = self._listener(ask.turn.seat) if ask.is_slow else ignore_progress
            action = (await self._ask(ask.job, ask.address, listen)).action
            THINKING.observe(time.monotonic() - began)
        except RefusalError as refusal:
            log.error("room %s: the agent of seat %d: %s", self.table.row.id, ask.turn.seat, refusal)
        await self.do(partial(self.perform, effects.Chosen(ask.turn, action)))

    async def _hint(self, ask: effects.AskForHint) -> None:
        """Ask an agent for a hint, and put the answer into the queue. Runs in a task next to the queue."""
        found: Thought | RefusalError
        try:
            found = await self._ask(ask.job, ask.client.address, self._listener(ask.seat, ask.client))
        except RefusalError as refusal:
            found = refusal
        await self.do(partial(self.perform, effects.HintFound(ask.client, ask.request, found)))

    async def _ask(self, job: Think, address: str, listen: Listener) -> Thought:
        """Send a job to a process and return the agent's choice. If the agent searched less because its code is not compiled
        yet, inform the clients of the progress of compiling from now on.
        """
        thought = await self._workers.think(job, address, listen)
        if thought.is_weaker:
            self._workers.compilations.follow(job.game, job.parameters, self._on_compiled)
        return thought

    def _on_compiled(self, percent: int) -> None:
        if not self.has_failed:
            self._later(effects.Weaker(percent))

    def _listener(self, seat: int, client: effects.Client | None = None) -> Listener:
        def listen(progress: Progress | Valued) -> None:
            if isinstance(progress, Progress):
                self._later(effects.Progressed(progress.what, seat, client))

        return listen
