"""A room: one task that does one thing after the other, so that nothing happens at the same time as something else.

What happens is stored before the table is changed and anybody is told. Whoever wants something of a room puts it into
its queue (`do`).
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

from ludoteca.agents.agent import derived_seed, needs_compiling
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.server.frames import Clock, Hello, Note
from ludoteca.server.model import events, fair
from ludoteca.server.model.events import AGENT, PERSON, Asked, Flagged, Happening, Moved, Taken
from ludoteca.server.model.table import Table, replacement
from ludoteca.server.model.tokens import seat_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.broadcast import Teller, seats, told
from ludoteca.server.rooms.connection import FAILED, FORBIDDEN, TRY_LATER, Connection, encoded
from ludoteca.server.settings import PATIENCE, Settings
from ludoteca.server.store.errors import StoreError
from ludoteca.server.store.store import Store
from ludoteca.server.thinking.workers import Progress, Think, Valued, Workers

WAITING: Final = 256
"""Requests that may wait in a room; then the sockets wait."""
TRIES: Final = 2
"""An agent whose process ends or takes too long is asked so often; then one that does not search plays its move."""
QUICK: Final = 20
"""So many lines of a log are written while the loop waits; more, beside it."""
SEED_BYTES: Final = 16
AGAIN: Final = 1.0
"""Seconds after which is tried again what could not be stored."""

Work = Callable[[], Awaitable[None]]
T = TypeVar("T")
log: Final = logging.getLogger(__name__)


class Room:
    """A table and those around it."""

    def __init__(self, table: Table, store: Store, workers: Workers, settings: Settings, maker: str = "") -> None:
        self.table = table
        self.maker = maker
        """The address for which its agents think: of who made the room, or, after a restart, of who joined it first."""
        self.workers = workers
        self.settings = settings
        self.hinting = False
        self.has_failed = False
        self.guests = 0
        """Sockets that are served here, those included that have not said hello yet, and a request that is carried out."""
        self.strangers: Counter[str] = Counter()
        """Seats of a listed room that were taken without invitation since it woke, by address."""
        self.quiet_since = time.monotonic()
        self._store = store
        self._teller = Teller(table)
        self._around: dict[int, set[Connection]] = {}
        self._away_since: dict[int, float] = {}
        self._queue: asyncio.Queue[Work] = asyncio.Queue(WAITING)
        self._unsure = False
        self._began = self._made = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: tuple[tuple[int, int], asyncio.Task[None]] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._task = asyncio.create_task(self._run())
        self._task.add_done_callback(self._ended)
        self._go_on()

    # the task

    async def do(self, work: Work) -> None:
        """Have something done in its turn. Raises RefusalError when the room has failed."""
        if self.has_failed:
            raise RefusalError("failed")
        await self._queue.put(work)

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Have something done in its turn, and give what it gives.

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
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """A bug in one room must not end the others; nothing of it is hidden."""
        what = "room %s: it is closed, and made again from its events when somebody comes"
        log.error(what, self.table.row.id, exc_info=error)
        self.close(FAILED)

    async def _run(self) -> None:
        while not self.has_failed:
            await (await self._queue.get())()

    def close(self, code: int, why: RefusalError | None = None) -> None:
        """End the room in this process, and say why; what was stored stays."""
        self.has_failed = True
        for connection in self.connections():
            if why:
                connection.refuse(-1, why)
            connection.close(code)
        if self._timer:
            self._timer.cancel()
        for task in (*self._tasks, self._task):
            if task is not asyncio.current_task():
                task.cancel()

    def is_quiet(self) -> bool:
        """True when nobody is there and nothing runs or waits."""
        return not (self.guests or self._tasks or self._timer) and self._queue.empty()

    # who is there

    def connections(self) -> list[Connection]:
        """All sockets that have said hello."""
        return [connection for audience in self._around.values() for connection in audience]

    def present(self) -> list[int]:
        """The seats whose persons are there."""
        return [seat for seat in self._around if seat != SPECTATOR]

    async def join(self, connection: Connection, hello: Hello) -> None:
        """Somebody says hello, for the first time or again: the whole is the answer."""
        try:
            seat = SPECTATOR if hello.token is None else await self._seat_of(hello.token)
            self._check_place(seat, connection)
        except RefusalError as refusal:
            connection.refuse(-1, refusal)
            connection.close(FORBIDDEN if refusal.code == "token" else TRY_LATER)
            return
        self.maker = self.maker or connection.address
        before = self.present()
        if self.table.ply > len(self.table.story.written(seat)) + QUICK:
            await asyncio.to_thread(self.table.story.lines, seat)
        self._place(connection, seat)
        if before != self.present():
            await self._comes(seat, connection)
        self._go_on()

    async def _seat_of(self, token: str) -> int:
        """The seat of that secret: taken back from the agent that replaced its person; who has given up is a spectator.

        Raises RefusalError for no secret of this room, and where it cannot be stored that the seat is taken back.
        """
        seat = seat_of(token, [sitter.token for sitter in self.table.seats])
        if seat is None:
            raise RefusalError("token")
        sitter = self.table.seats[seat]
        if sitter.is_replaced and not self.table.is_over:
            await self.happen(Taken(seat, sitter.name, sitter.token))
        return seat if self.table.seats[seat].kind == PERSON else SPECTATOR

    def _check_place(self, seat: int, connection: Connection) -> None:
        """That one more may see what that seat sees. Raises RefusalError."""
        others = self._around.get(seat, set()) - {connection}
        if seat != SPECTATOR:
            is_full = len(others) >= self.settings.screens
        else:
            neighbours = sum(other.address == connection.address for other in others)
            is_full = len(others) >= self.settings.spectators or neighbours >= self.settings.spectators_of_address
        if is_full:
            raise RefusalError("full")

    def keeps_seat(self, seat: int) -> float:
        """Seconds for which the seat of a person who is away is kept."""
        return self._away_since.get(seat, self._made) + self.settings.absence - time.monotonic()

    async def _comes(self, seat: int, connection: Connection) -> None:
        self._tell_presence(but=connection)
        if self.table.asked.get(replacement(seat)):
            with suppress(RefusalError):  # not stored: it is asked again by who wants it
                await self.happen(Asked(replacement(seat), []))

    async def leave(self, connection: Connection) -> None:
        """A socket is gone."""
        before = self.present()
        self._put_away(connection)
        self.quiet_since = time.monotonic()
        if before != self.present():
            self._tell_presence()

    def _put_away(self, connection: Connection) -> None:
        audience = self._around.get(connection.seat)
        if audience is None:
            return
        audience.discard(connection)
        if not audience:
            self._away_since[connection.seat] = time.monotonic()
            del self._around[connection.seat]
            self._teller.forget(connection.seat)

    def _tell_presence(self, but: Connection | None = None) -> None:
        text = encoded(Note("present", seats(self.table, self.present())))
        for connection in self.connections():
            if connection is not but:
                connection.send(text)

    def note(self, kind: str, player: int) -> None:
        """Tell all what passes."""
        text = encoded(Note(kind, player=player))
        for connection in self.connections():
            connection.send(text)

    # what happens

    async def happen(self, event: Happening) -> None:
        """Store an event, and then have it happen. Raises RefusalError where it cannot be stored, and nothing happens."""
        await self.look_up()
        after = self.table.prepare(event)
        row = self.table.n + 1, events.encode(event), time.time()
        over, begun = self.table.ends(event, after), isinstance(event, Moved) and self.table.ply == 0
        try:
            await self._store.append(self.table.row.id, *row, over=over, begun=begun)
        except StoreError as error:
            self._unsure = True
            self.start(self._look_up_later())
            log.error("room %s, event %d: %s", self.table.row.id, self.table.n + 1, error)
            raise RefusalError("storage") from None
        self._commit(event, after)

    def _commit(self, event: Happening, after: State | None) -> None:
        """It is stored: it happens, and all are told."""
        table = self.table
        ends, turn = table.ends(event, after), (table.mover, table.ply, table.runs_clock())
        table.commit(event, after)
        if turn != (table.mover, table.ply, table.runs_clock()):
            self._began = time.monotonic()
        if isinstance(event, Taken):
            self._away_since[event.seat] = time.monotonic()
        self._announce(event, ended=ends)
        self._unseat()
        self._go_on()

    def _unseat(self) -> None:
        """Those whose seat an agent has taken over see from now on what all may see."""
        for seat in self.present():
            if self.table.seats[seat].kind == AGENT:
                for connection in list(self._around[seat]):
                    self._place(connection, SPECTATOR)

    def _place(self, connection: Connection, seat: int) -> None:
        """Put a connection among those who see what that seat sees, and show it the whole."""
        self._put_away(connection)
        self._around.setdefault(seat, set()).add(connection)
        connection.seat, connection.has_joined = seat, True
        connection.tell(self._teller.whole(seat, self.present(), self.clocks()))

    async def look_up(self) -> None:
        """If the store failed, see first whether what it refused is there after all. Raises RefusalError: then it was."""
        if not self._unsure:
            return
        try:
            rows = await self._store.events(self.table.row.id)
        except StoreError:
            raise RefusalError("storage") from None
        self._unsure, before = False, self.table.ply
        for row in rows[self.table.n :]:
            event = events.decode(row.data)
            self._commit(event, self.table.prepare(event))
        if before != self.table.ply:
            raise RefusalError("stale", before, self.table.ply)

    async def _look_up_later(self) -> None:
        await asyncio.sleep(AGAIN)
        await self.do(self._settle)

    async def _settle(self) -> None:
        try:
            await self.look_up()
        except RefusalError:
            if self._unsure:
                self.start(self._look_up_later())

    def _announce(self, event: Happening, *, ended: bool) -> None:
        common = told(self.table, event, self.present(), self.clocks(), ended=ended)
        for seat, audience in list(self._around.items()):
            text = encoded(self._teller.event(event, seat, common))
            for connection in audience:
                connection.send(text)

    # time

    def used(self) -> int:
        """Milliseconds since the player to move could move."""
        return int(1000 * (time.monotonic() - self._began))

    def clocks(self) -> Clock | None:
        """What each has left now."""
        clocks = self.table.clocks
        if clocks is None:
            return None
        left, running = clocks.left.copy(), self.table.runs_clock()
        if running:
            left[self.table.mover] = max(0, left[self.table.mover] - self.used())
        return Clock(left, running)

    def _left(self) -> int:
        clocks = self.table.clocks
        return clocks.left[self.table.mover] - self.used() if clocks and self.table.runs_clock() else 1

    async def check_time(self) -> None:
        """If the time of the player to move is up, the seat is lost."""
        if self._left() > 0:
            return
        seat = self.table.mover
        agent = "" if self.table.ends_by(seat) else self.table.stand_in()
        await self.happen(Flagged(seat, agent))

    async def _ring(self) -> None:
        try:
            await self.check_time()
        except RefusalError:  # not stored: it is tried again
            self._timer = asyncio.get_running_loop().call_later(AGAIN, self._rings)

    def _rings(self) -> None:
        self._timer = None
        self.start(self.do(self._ring))

    # what comes next

    def _go_on(self) -> None:
        """Set the clock that runs, and have the agent think whose turn it is."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        table = self.table
        if table.runs_clock():
            self._timer = asyncio.get_running_loop().call_later(max(0, self._left()) / 1000 + 0.005, self._rings)
        turn = self._turn_of_agent()
        if self._thinking and self._thinking[0] != turn:
            self._thinking[1].cancel()
            self._thinking = None
        if turn and self._around and not self._thinking:
            self._thinking = turn, self.start(self._think(*turn))

    def _turn_of_agent(self) -> tuple[int, int] | None:
        """The ply and the seat of the agent to move; None when a person is to move, or nobody."""
        ply, seat = self.table.ply, self.table.mover
        return (ply, seat) if seat >= 0 and self.table.seats[seat].kind == AGENT else None

    async def _think(self, ply: int, seat: int) -> None:
        """Ask the agent, and have its move played, for as long as it is its turn. The game goes on without it if need be."""
        await asyncio.sleep(self.settings.pace)
        table = self.table
        for asked in range(TRIES + 1):
            if self._turn_of_agent() != (ply, seat):
                return
            if asked == TRIES:
                self.note("hurried", seat)
            agent = table.seats[seat].agent if asked < TRIES else table.stand_in()
            try:
                thought = await self.workers.think(self.job(seat, agent), self.maker, partial(self._listen, seat, agent))
            except RefusalError as refusal:
                log.error("room %s: the agent of seat %d: %s", table.row.id, seat, refusal)
            else:
                await self.do(partial(self._agent_plays, ply, seat, thought.action))
                return
        self.note("stuck", seat)
        self._thinking = None

    def job(self, seat: int, agent: str, *, explain: bool = False) -> Think:
        """What a process needs to know to choose for a seat: what that seat knows."""
        state = self.table.state
        return Think(
            game=self.table.game.name,
            parameters=self.table.game.parameters,
            player=seat,
            view=state.view(seat).tobytes(),
            seen=tuple(state.seen_actions(seat)),
            agent=agent,
            seed=self._seed(agent, seat, self.table.ply),
            explain=explain,
        )

    def _seed(self, *purpose: object) -> bytes:
        row = self.table.row
        return derived_seed(fair.number(row.seed or row.nonce), row.id, *purpose).to_bytes(SEED_BYTES, "big")

    def _listen(self, seat: int, agent: str, progress: Progress | Valued) -> None:
        """Tell all what an agent does that does more than a moment's work."""
        if isinstance(progress, Progress) and needs_compiling(agent):
            self.note(progress.what, seat)

    async def _agent_plays(self, ply: int, seat: int, action: int) -> None:
        if self._turn_of_agent() != (ply, seat):
            return
        self._thinking = None
        try:
            self.table.story.now.check_legal(seat, action)
            await self.play(seat, action)
        except RefusalError as refusal:
            log.error("room %s: the move of the agent of seat %d: %s", self.table.row.id, seat, refusal)
            self.start(self._later(self._go_on))

    async def _later(self, work: Callable[[], None]) -> None:
        await asyncio.sleep(AGAIN)
        work()

    async def play(self, seat: int, action: int) -> None:
        """Have a legal action of the player to move played."""
        used = self.used() if self.table.runs_clock() else 0
        await self.happen(Moved(seat, self.table.state.action_to_string(action), used))
