"""The actor of a room: it brings one event after the other to the room, and carries out the effects (`model.room`).

All work of a room goes into its queue (`do`). One task works through the queue, so two things never happen at the same time
in a room.
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
"""Requests that may wait in a room's queue. Then the sockets wait."""
QUICK: Final = 20
"""Lines of a log that are written while the loop waits. More are written in a thread."""
UNSTORED: Final = 3.0
"""Seconds after which clients are sent that an event is not stored yet. A healthy database takes a hundredth of that."""
KEPT: Final = 30.0
"""Seconds without a connection for which the room of a player who looks for an opponent is kept: pages may load slowly."""
NEAR: Final = 30.0
"""Seconds before the end of a player's time from which on a room is awake."""

T = TypeVar("T")
log: Final = logging.getLogger(__name__)


class Rest(NamedTuple):
    """The clock that runs in a room, by the server's monotonic clock, in seconds."""

    began: float
    """When the player to move could move."""
    due: float
    """When that player's time is up, or before."""
    came: Set[int] = frozenset()
    """The seats whose persons are known to have been in the room."""


class RoomActor:
    """A room with its queue, its timers and the jobs that its agents have asked for."""

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
        """Of the lease under which this server has the room."""
        self.has_failed = False
        self.guests = 0
        """Sockets of this room, including those before their hello, and a request that is carried out."""
        self.strangers: Counter[str] = Counter()
        """Seats of a listed room that were taken without invitation since it woke, by address."""
        self.quiet_since = time.monotonic()
        self._factory = factory
        self._store = store
        self._workers = workers
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._thinking: asyncio.Task[None] | None = None
        self._queue: asyncio.Queue[Callable[[], Awaitable[Any]]] = asyncio.Queue(MOST_QUEUED)
        self._tasks: set[asyncio.Task[None]] = set()
        """The task of the room, and tasks next to it."""
        self.start(self._run())
        for effect in self.model.effects:
            self._carry_out(effect)

    def connections(self) -> Sequence[Connection]:
        """Return the connections of all clients that have said hello."""
        return cast(Sequence[Connection], self.audience.connections())

    # the queue

    async def do(self, work: Callable[[], Awaitable[Any]]) -> None:
        """Have something done in its turn. Raises RefusalError if the room has failed."""
        if self.has_failed:
            raise RefusalError("failed")
        await self._queue.put(work)

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Let the room do something when its turn comes, and return the result.

        Raises the RefusalError of the work, and (`waiting`) if it takes too long. In the second case, it may still be done
        later.
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
        """Have something done in another task. It ends with the room."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_end)
        return task

    async def _run(self) -> None:
        while not self.has_failed:
            await (await self._queue.get())()

    def _on_end(self, task: "asyncio.Task[None]") -> None:
        """Log the error of a task that has ended, and end the room. A bug in one room must not end the others."""
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            what = "room %s: it is closed, and made again from its events when somebody comes"
            log.error(what, self.table.row.id, exc_info=error)
            self.close(FAILED)

    def waiting(self) -> int:
        """Return the number of requests in its queue."""
        return self._queue.qsize()

    def is_quiet(self) -> bool:
        """Return True if the room may sleep: no client is there, nothing waits, and no clock ends soon. Clocks go on while
        it sleeps.
        """
        rest = self.rest()
        is_due = rest is not None and rest.due <= time.monotonic() + NEAR
        return not (self.guests or len(self._tasks) > 1 or is_due) and self._queue.empty()

    def is_abandoned(self) -> bool:
        """Return True if the player who looked for an opponent has left before another person came."""
        table = self.table
        is_alone = table.is_sought and bool(table.open_seats) and len(table.people()) == 1
        return is_alone and not self.audience.present() and self.quiet_since <= time.monotonic() - KEPT

    def rest(self) -> Rest | None:
        """Return the clock that runs; None if there is none."""
        if not self.table.runs_clock():
            return None
        return Rest(self.model.turn_began, self.model.due(), self.table.came)

    def close(self, code: int, why: RefusalError | None = None) -> None:
        """End the room in this process, and say why. Stored events stay."""
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
        """Wait until the tasks of a room that is closed have ended."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    # clients

    async def answer(self, connection: Connection, request: Request, arrived: float) -> None:
        """Carry out a request that arrived then (`time.monotonic`), in the room's task."""
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
        """Forget a client that has gone, in the room's task."""
        self.quiet_since = time.monotonic()
        await self.perform(effects.Gone(connection))

    async def put_out(self, seat: int, why: RefusalError) -> None:
        """End the connections of a seat's person, and say why, in the room's task."""
        for connection in [each for each in self.connections() if each.seat == seat]:
            await self.leave(connection)
            connection.seat, connection.has_joined = SPECTATOR, False  # waiting requests are refused
            connection.refuse(-1, why)
            connection.close(FORBIDDEN)

    async def happen(self, event: StoredEvent) -> None:
        """Store an event and then apply it, in the room's task. Raises RefusalError if it cannot be stored."""
        await self.perform(effects.Call(partial(self.model.happen, event)))

    async def look_up(self) -> None:
        """If the last write failed, find out whether the event was stored nevertheless. Raises RefusalError (`stale`) if it
        was and changed the position.
        """
        await self.perform(effects.Call(self.model.look_up))

    # events and effects

    async def perform(self, event: RoomEvent) -> None:
        """Bring an event to the room, carry out its effects and answer its questions.

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
        """Bring an event in its turn, after earlier events."""
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
        """Store an event. If that takes long, send the clients a note: this is the only frame that they get before the event
        is stored.

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
        """Count an event that is stored but not yet applied. If it ends the game, write that to the journal."""
        table = self.table
        EVENTS.labels(table.game.name, events.tag_of(event)).inc()
        if is_last:
            moves = table.ply + isinstance(event, Moved)
            logs.note("game over", room=table.row.id, game=table.game.name, moves=moves)

    def _leave_to_others(self) -> None:
        """End the room in this process, because another server has taken it."""
        log.warning("room %s: another server has it", self.table.row.id)
        self.close(RESTART)

    # agents

    async def _think(self, ask: effects.Ask) -> None:
        """Ask an agent for its move, in another task."""
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
        """Ask an agent for a hint, in another task."""
        found: Thought | RefusalError
        try:
            found = await self._ask(ask.job, ask.client.address, self._listener(ask.seat, ask.client))
        except RefusalError as refusal:
            found = refusal
        await self.do(partial(self.perform, effects.HintFound(ask.client, ask.request, found)))

    async def _ask(self, job: Think, address: str, listen: Listener) -> Thought:
        """Ask the processes. If the answer is weaker than it could be, because code is still compiled, tell the clients
        until that is over.
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
