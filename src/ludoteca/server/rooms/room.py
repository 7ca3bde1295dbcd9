"""A room: a queue and a fold.

Whatever is wanted of a room goes into its queue (`do`). Its one task does one thing after the other, so nothing happens at
the same time as something else. An event is stored before the table is changed and anybody is told.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple, NoReturn, TypeAlias, TypeVar

from ludoteca.core.contract import SPECTATOR
from ludoteca.server import journal
from ludoteca.server.frames import Clock, Hello
from ludoteca.server.measures import Measures
from ludoteca.server.model import events
from ludoteca.server.model.events import PERSON, Asked, Flagged, Moved, StoredEvent, Taken
from ludoteca.server.model.table import Step, Table, replacement
from ludoteca.server.model.tokens import seat_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.broadcast import Audience
from ludoteca.server.rooms.connection import FAILED, FORBIDDEN, RESTART, TRY_LATER, Connection
from ludoteca.server.rooms.thinker import Thinker, Turn
from ludoteca.server.settings import PATIENCE, Settings
from ludoteca.server.store.database import LostError, StoreError
from ludoteca.server.store.store import Store
from ludoteca.server.thinking.workers import Workers

MOST_QUEUED: Final = 256
"""Requests that may wait in a room's queue; then the sockets wait."""
QUICK: Final = 20
"""Lines of a log that are written while the loop waits; more are written in a thread."""
AGAIN: Final = 1.0
"""Seconds after which is tried again what could not be stored."""
LATE: Final = 0.005
"""Seconds after the end of a player's time at which it is looked at."""

NEAR: Final = 30.0
"""Seconds before the end of a player's time from which on a room is awake."""

Work: TypeAlias = Callable[[], Awaitable[None]]
T = TypeVar("T")
log: Final = logging.getLogger(__name__)


class Rest(NamedTuple):
    """The clock that runs in a room, by the server's monotonic clock, in seconds."""

    began: float
    """When the player to move could move."""
    due: float
    """When that player's time is up, or before."""


class Room:
    """A table, its clients and its agents."""

    def __init__(
        self,
        table: Table,
        epoch: int,
        store: Store,
        workers: Workers,
        settings: Settings,
        measures: Measures,
        make_next: "MakeNext",
        maker: str = "",
        began: float | None = None,
    ) -> None:
        self.table = table
        self.epoch = epoch
        """Of the lease under which this server has the room."""
        self.measures = measures
        self.audience = Audience(table, settings)
        self.thinker = Thinker(table, workers, self.audience)
        self.settings = settings
        self.maker = maker
        """The address for which its agents think: of who made the room, or, after a restart, of who joined it first."""
        self.has_failed = False
        self.guests = 0
        """Sockets that are served here, those included that have not said hello yet, and a request that is carried out."""
        self.strangers: Counter[str] = Counter()
        """Seats of a listed room that were taken without invitation since it woke, by address."""
        self.quiet_since = time.monotonic()
        self._make_next = make_next
        self._store = store
        self._is_unsure = False
        """True when it is not known whether the last event was stored."""
        self._turn_began = began or time.monotonic()
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: tuple[Turn, asyncio.Task[None]] | None = None
        self._queue: asyncio.Queue[Work] = asyncio.Queue(MOST_QUEUED)
        self._tasks: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = asyncio.create_task(self._run())
        self._task.add_done_callback(self._on_end)
        self._go_on()

    # the queue

    async def do(self, work: Work) -> None:
        """Have something done in its turn. Raises RefusalError when the room has failed."""
        if self.has_failed:
            raise RefusalError("failed")
        await self._queue.put(work)

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Have something done in its turn, and return its result.

        Raises RefusalError: its own, or `waiting` when there is no answer yet; it may be done all the same.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def settle() -> None:
            self.guests += 1  # so that it does not fall asleep over it
            try:
                result = await work()
            except RefusalError as refusal:
                if not done.done():
                    done.set_exception(refusal)
            else:
                if not done.done():
                    done.set_result(result)
            finally:
                self.guests -= 1

        await self.do(settle)
        try:
            return await asyncio.wait_for(done, PATIENCE)
        except TimeoutError:
            raise RefusalError("failed" if self.has_failed else "waiting") from None

    def start(self, work: Awaitable[None]) -> "asyncio.Task[None]":
        """Have something done beside the room's task; it ends with the room."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_end)
        return task

    async def _run(self) -> None:
        while not self.has_failed:
            await (await self._queue.get())()

    def _on_end(self, task: "asyncio.Task[None]") -> None:
        """A bug in one room must not end the others, and is not hidden."""
        self._tasks.discard(task)
        if task is self._task:  # what has ended it refers to the room, which is to be freed at once
            self._task = None
        if not task.cancelled() and (error := task.exception()):
            what = "room %s: it is closed, and made again from its events when somebody comes"
            log.error(what, self.table.row.id, exc_info=error)
            self.close(FAILED)

    def waiting(self) -> int:
        """The number of requests in its queue."""
        return self._queue.qsize()

    def is_quiet(self) -> bool:
        """True when nobody is there and nothing waits, nor will soon: a clock runs on while its room sleeps."""
        rest = self.rest()
        is_due = rest is not None and rest.due <= time.monotonic() + NEAR
        return not (self.guests or self._tasks or is_due) and self._queue.empty()

    def rest(self) -> "Rest | None":
        """The clock that runs; None when there is none."""
        if not self.table.runs_clock():
            return None
        return Rest(self._turn_began, time.monotonic() + self._left() / 1000)

    def close(self, code: int, why: RefusalError | None = None) -> None:
        """End the room in this process, and say why; what was stored stays."""
        self.has_failed = True
        for connection in self.audience.connections():
            if why:
                connection.refuse(-1, why)
            connection.close(code)
        if self._timer:
            self._timer.cancel()
        self._thinking = None
        for task in (*self._tasks, self._task):
            if task and task is not asyncio.current_task():
                task.cancel()

    # clients

    async def join(self, connection: Connection, hello: Hello) -> None:
        """Answer a client that says hello, for the first time or again, with the whole."""
        table, audience = self.table, self.audience
        try:
            seat = SPECTATOR if hello.token is None else await self._seat_of(hello.token)
            audience.check_place(seat, connection)
        except RefusalError as refusal:
            connection.refuse(-1, refusal)
            connection.close(FORBIDDEN if refusal.code == "token" else TRY_LATER)
            return
        self.maker = self.maker or connection.address
        before = audience.present()
        if table.ply > len(table.history.written(seat)) + QUICK:
            await asyncio.to_thread(table.history.lines, seat)
        audience.place(connection, seat, self.clocks())
        if before != audience.present():
            audience.tell_presence(but=connection)
            if table.asked.get(replacement(seat)):
                with suppress(RefusalError):  # not stored: whoever wants it asks again
                    await self.happen(Asked(replacement(seat), []))
        self._go_on()

    async def _seat_of(self, token: str) -> int:
        """The seat of that secret, taken back from the agent that replaced its person; a person who gave up is a spectator.

        Raises RefusalError for a secret of no seat here, and where it cannot be stored that the seat is taken back.
        """
        seat = seat_of(token, [occupant.token for occupant in self.table.seats])
        if seat is None:
            raise RefusalError("token")
        occupant = self.table.seats[seat]
        if occupant.is_replaced and not self.table.is_over:
            await self.happen(Taken(seat, occupant.name, occupant.token))
        return seat if self.table.seats[seat].kind == PERSON else SPECTATOR

    async def leave(self, connection: Connection) -> None:
        """Forget a client that has gone."""
        before = self.audience.present()
        self.audience.remove(connection)
        self.quiet_since = time.monotonic()
        if before != self.audience.present():
            self.audience.tell_presence()

    # events

    async def happen(self, event: StoredEvent) -> None:
        """Store an event, and then have it happen. Raises RefusalError where it cannot be stored, and nothing happens."""
        await self.look_up()
        table = self.table
        step = table.prepare(event)
        marks = {"over": step.ends, "begun": isinstance(event, Moved) and table.ply == 0}
        try:
            with self.measures.storing.timed():
                await self._store.append(
                    table.row.id, table.n + 1, events.encode(event), time.time(), epoch=self.epoch, **marks
                )
        except LostError:
            self._leave_to_others()
        except StoreError as error:
            self._is_unsure = True
            self.start(self._look_up_later())
            log.error("room %s, event %d: %s", table.row.id, table.n + 1, error)
            raise RefusalError("storage") from None
        self._commit(step)

    async def play(self, seat: int, action: int) -> None:
        """Have a legal action of the player to move played."""
        used = self._used() if self.table.runs_clock() else 0
        await self.happen(Moved(seat, self.table.state.action_to_string(action), used))

    async def make_next(self, address: str) -> str:
        """Make the room of the next game, which somebody at that address wants, and return its name. Raises RefusalError."""
        return await self._make_next(self, address)

    def _leave_to_others(self) -> NoReturn:
        """End the room in this process: another server has it, and what is known here is old. Raises RefusalError."""
        log.warning("room %s: another server has it", self.table.row.id)
        self.close(RESTART)
        raise RefusalError("storage")

    async def look_up(self) -> None:
        """If the store failed, look first whether the event is there after all. Raises RefusalError if it is."""
        if not self._is_unsure:
            return
        try:
            rows = await self._store.events(self.table.row.id)
        except StoreError:
            raise RefusalError("storage") from None
        if any(row.epoch != self.epoch for row in rows[self.table.n :]):
            self._leave_to_others()
        self._is_unsure, before = False, self.table.ply
        for row in rows[self.table.n :]:
            self._commit(self.table.prepare(events.decode(row.data)))
        if before != self.table.ply:
            raise RefusalError("stale", before, self.table.ply)

    async def _look_up_later(self) -> None:
        async def look() -> None:
            try:
                await self.look_up()
            except RefusalError:
                if self._is_unsure:
                    self.start(self._look_up_later())

        await asyncio.sleep(AGAIN)
        await self.do(look)

    def _commit(self, step: Step) -> None:
        """Have a stored event happen, tell all of it, and go on."""
        table = self.table
        turn = table.mover, table.ply, table.runs_clock()
        table.commit(step)
        self.measures.events[table.game.name, events.tag_of(step.event)] += 1
        if step.ends:
            journal.note("game over", room=table.row.id, game=table.game.name, moves=table.ply)
        if turn != (table.mover, table.ply, table.runs_clock()):
            self._turn_began = time.monotonic()
        if isinstance(step.event, Taken):
            self.audience.begin_absence(step.event.seat)
        self.audience.announce(step, self.clocks())
        if not isinstance(step.event, Moved):
            self.audience.make_spectators(self.clocks())
        self._go_on()

    def _go_on(self) -> None:
        """Set the clock that runs, and have the agent think whose turn it is."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self.table.runs_clock():
            self._set_timer(max(0, self._left()) / 1000 + LATE)
        turn = self.thinker.turn()
        if self._thinking and self._thinking[0] != turn:
            self._thinking[1].cancel()
            self._thinking = None
        if turn and self.audience.connections() and not self._thinking:
            self._thinking = turn, self.start(self._have_agent_play(turn))

    # clocks

    def clocks(self) -> Clock | None:
        """The time that each player has left now."""
        clocks = self.table.clocks
        if clocks is None:
            return None
        left, running = clocks.left.copy(), self.table.runs_clock()
        if running:
            left[self.table.mover] = max(0, self._left())
        return Clock(left, running)

    def _used(self) -> int:
        """Milliseconds since the player to move could move."""
        return int(1000 * (time.monotonic() - self._turn_began))

    def _left(self) -> int:
        """Milliseconds that the player to move has left; 1 when no clock runs."""
        clocks = self.table.clocks
        return clocks.left[self.table.mover] - self._used() if clocks and self.table.runs_clock() else 1

    async def check_time(self) -> None:
        """If the time of the player to move is up, the seat is lost. Raises RefusalError where that cannot be stored."""
        if self._left() <= 0:
            seat = self.table.mover
            await self.happen(Flagged(seat, "" if self.table.ends_by(seat) else self.table.stand_in()))

    def _set_timer(self, seconds: float) -> None:
        async def look() -> None:
            try:
                await self.check_time()
            except RefusalError:  # not stored: it is tried again
                self._set_timer(AGAIN)

        def begin() -> None:
            self._timer = None
            self.start(self.do(look))

        self._timer = asyncio.get_running_loop().call_later(seconds, begin)

    # agents

    async def _have_agent_play(self, turn: Turn) -> None:
        """Ask the agent beside the room's task, and have its move played, for as long as it is its turn."""
        await asyncio.sleep(self.settings.pace * (2 if self.audience.is_shown_more() else 1))
        with self.measures.thinking.timed():
            action = await self.thinker.choose(turn, self.maker)
        if action is None:
            if self._thinking and self._thinking[0] == turn:  # everybody has failed: asked again when somebody comes
                self._thinking = None
            return

        async def play() -> None:
            if self.thinker.turn() != turn:
                return
            self._thinking = None
            try:
                self.table.now.check_legal(turn.seat, action)
                await self.play(turn.seat, action)
            except RefusalError as refusal:
                log.error("room %s: the move of the agent of seat %d: %s", self.table.row.id, turn.seat, refusal)
                self.start(self._go_on_later())

        await self.do(play)

    async def _go_on_later(self) -> None:
        await asyncio.sleep(AGAIN)
        self._go_on()


MakeNext: TypeAlias = Callable[[Room, str], Awaitable[str]]
"""Makes the room of the next game for the client at that address, and returns its name."""
