"""A room without input and output: an event comes in, effects come out.

`Room.handle` reads no clock, sends nothing and stores nothing. Its caller, the shell, brings one event after the other and
carries out the effects in their order. The last effect may be a question (`effects.Question`), such as "is this stored?".
The shell then brings the answer before any other event. So an event is stored before the table changes, and before any
client hears of it.
"""

import logging
from contextlib import suppress
from typing import Any, Final

from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.levels import needs_compiling
from ludoteca.core.seeds import derived_seed
from ludoteca.server.frames import Clock, Done, Hello, Note
from ludoteca.server.jobs import Think
from ludoteca.server.model import effects, fair, requests
from ludoteca.server.model.audience import COUNT, Audience
from ludoteca.server.model.effects import Client, Timer, Work
from ludoteca.server.model.events import AGENT, PERSON, Asked, Flagged, Moved, StoredEvent, Taken
from ludoteca.server.model.table import Step, Table, replacement
from ludoteca.server.model.tokens import seat_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings

RETRY_SECONDS: Final = 1.0
"""Seconds after which the room tries again to store an event, or looks whether it was stored."""
LATE: Final = 0.005
"""Seconds after the end of a player's time at which the room looks at it."""
AGENT_TRIES: Final = 2
"""How often an agent is asked if its process fails. Then an agent that does not search plays the move."""
SEED_BYTES: Final = 16
CLOCK: Final = "clock"
LOOK: Final = "look"
GO_ON: Final = "go on"
"""Names of timers."""

log: Final = logging.getLogger(__name__)


class InvariantError(Exception):
    """A room is in a state that its rules exclude. It is a bug."""


class Room:
    """A table, its clients and its agents."""

    def __init__(self, table: Table, settings: Settings, now: float, maker: str = "", began: float | None = None) -> None:
        """`began` is when the player to move could move, if that was before now."""
        self.table = table
        self.effects: list[effects.Effect] = []
        """The effects of the event that the room handles, or of its beginning. The audience adds frames to the same list."""
        self.audience = Audience(table, settings, now, self.effects)
        self.settings = settings
        self.maker = maker
        """The address for which its agents think: of its maker, or of the client that joined first after a restart."""
        self.is_hinting = False
        """True while an agent thinks about a hint. There is one at a time."""
        self.spoken: dict[int, float] = {}
        """When each seat said a phrase last."""
        self.turn_began = now if began is None else began
        """When the player to move could move."""
        self._has_begun = False
        """True once it is stored that the game has begun."""
        self.refusal: RefusalError | None = None
        """Why the last work ended, if it was refused."""
        self._work: Work | None = None
        """The work that waits for an answer."""
        self._is_unsure = False
        """True while it is not known whether the last event was stored."""
        self._asked: effects.Turn | None = None
        """The turn about which an agent thinks."""
        self._tries = 0
        self._turns: dict[int, int] = {}
        """The ply at which each seat was first asked about in its turn."""
        self._go_on()

    def handle(self, event: effects.RoomEvent, now: float) -> list[effects.Effect]:
        """Handle an event that happens at the time `now`, and return the effects in the order in which they must be carried
        out. `now` is in seconds of a clock that never goes back.
        """
        self.effects.clear()
        self.audience.now, self.refusal = now, None
        try:
            if not isinstance(event, effects.Answered):
                self._work = self._work_for(event)
                question = next(self._work)
            elif self._work is None:
                return []
            elif event.refusal:
                question = self._work.throw(event.refusal)
            else:
                question = self._work.send(event.value)
            self.effects.append(question)
        except StopIteration:
            self._work = None
        except RefusalError as refusal:
            self.refusal, self._work = refusal, None
        self._check()
        return self.effects.copy()

    def _check(self) -> None:
        """Check the invariants of a room. Raises InvariantError if one does not hold.

        The room then ends, and is made again from its stored events for the next client.
        """
        table, turn = self.table, self.turn()
        holds = {
            "a client sees the view of its seat": all(client.seat == seat for seat, client in self.audience.places()),
            "only persons have clients": all(table.seats[seat].kind != AGENT for seat in self.audience.present()),
            "the agent to move thinks, and no other": self._asked is None or self._asked == turn or self._work is not None,
            "no player has less than no time": table.clocks is None or min(table.clocks.left) >= 0,
            "nobody is to move once the game is over": table.is_over == (table.mover == TERMINAL),
            "seats of the table agree to questions": all(
                seat in range(len(table.seats)) for seats in table.asked.values() for seat in seats
            ),
            "every action has a player": len(table.history.movers) == len(table.history.actions),
        }
        if broken := [name for name, is_so in holds.items() if not is_so]:
            raise InvariantError(f"room {table.row.id}: it does not hold that {', and that '.join(broken)}")

    def _work_for(self, event: effects.RoomEvent) -> Work:
        match event:
            case effects.Received(client, request):
                yield from self._answer(client, request)
            case effects.Gone(client):
                before = self.audience.present()
                self.audience.remove(client)
                if before != self.audience.present():
                    self.audience.send_presence()
            case effects.Due(name):
                yield from self._on_timer(name)
            case effects.Chosen(turn, action):
                yield from self._play_for_agent(turn, action)
            case effects.Progressed(what, seat, client):
                self.audience.send(Note(what, player=seat), None if client is None else [client])
            case effects.Weaker(percent):
                self.audience.send(Note("weaker", percent=percent))
            case effects.HintFound(client, request, found):
                requests.give_hint(self, client, request, found)
            case effects.Call(work):
                yield from work()

    # clients

    def _answer(self, client: Client, request: Any) -> Work:
        if isinstance(request, Hello):
            yield from self._join(client, request)
            return
        try:
            if not client.has_joined:
                raise RefusalError("hello")
            handle = requests.CHANGES.get(type(request)) or requests.QUESTIONS[type(request)]
            if work := handle(self, client, request):
                yield from work
            if type(request) in requests.CHANGES:
                self.audience.send(Done(request.id, self.table.n), [client])
        except RefusalError as refusal:
            self.refuse(client, request.id, refusal)

    def refuse(self, client: Client, number: int, refusal: RefusalError) -> None:
        """Refuse the request of that number."""
        self.effects.append(effects.Refuse(client, number, refusal))

    def _join(self, client: Client, hello: Hello) -> Work:
        """Answer a client that says hello, for the first time or again, with everything that its seat may see."""
        table, audience, ran = self.table, self.audience, self.table.runs_clock()
        try:
            seat = SPECTATOR if hello.token is None else (yield from self._take_back(hello.token))
            audience.check_place(seat, client)
        except RefusalError as refusal:
            self.refuse(client, -1, refusal)
            self.effects.append(effects.Close(client, effects.FORBIDDEN if refusal.code == "token" else effects.TRY_LATER))
            return
        self.maker = self.maker or client.address
        before, starts = audience.present(), not ran and table.runs_clock()
        if starts:
            self.turn_began = audience.now
        audience.place(client, seat, self.clocks())
        if before != audience.present():
            audience.send_presence(self.clocks() if starts else None, but=client)
            if table.asked.get(replacement(seat)):
                with suppress(RefusalError):  # not stored: the players who want it ask again
                    yield from self.happen(Asked(replacement(seat), []))
        self._go_on()

    def seat_for(self, token: str) -> int | None:
        """Return the seat with this token; None if no seat has it."""
        return seat_of(token, [occupant.token for occupant in self.table.seats])

    def _take_back(self, token: str) -> Work:
        """Return the seat with that secret, after its person has taken it back from the agent that replaced the person.

        A person who gave up only watches. Raises RefusalError if no seat of this room has the secret, or if the change
        cannot be stored.
        """
        seat = self.seat_for(token)
        if seat is None:
            raise RefusalError("token")
        self.table.came.add(seat)
        occupant = self.table.seats[seat]
        if occupant.is_replaced and not self.table.is_over:
            yield from self.happen(Taken(seat, occupant.name, occupant.token))
        return seat if self.table.seats[seat].kind == PERSON else SPECTATOR

    # events

    def happen(self, event: StoredEvent) -> Work:
        """Store an event and then apply it. Raises RefusalError if it cannot be stored, and then it is not applied."""
        yield from self.look_up()
        yield from self._store(self.table.prepare(event))

    def _store(self, step: Step) -> Work:
        table = self.table
        has_moves = table.ply > 0 or isinstance(step.event, Moved)
        begins = has_moves and not self._has_begun and not table.missing()
        try:
            yield effects.Append(step.event, table.n + 1, step.ends, begins)
        except RefusalError:
            self._is_unsure = True
            self.effects.append(Timer(LOOK, RETRY_SECONDS))
            raise
        self._has_begun |= begins
        self._commit(step)

    def play(self, seat: int, action: int) -> Work:
        """Have a legal action of the player to move played."""
        used = self.used()
        yield from self.look_up()
        yield from self._store(self.table.move(seat, action, used))

    def look_up(self) -> Work:
        """If the last write failed, find out whether the event was stored nevertheless. If it was, apply it. Raises
        RefusalError (`stale`) if this changed the position.
        """
        if not self._is_unsure:
            return
        stored: list[StoredEvent] = yield effects.Look(self.table.n)
        self._is_unsure, before = False, self.table.position_n
        for event in stored:
            self._commit(self.table.prepare(event))
        if before != self.table.position_n:
            raise RefusalError("stale")

    def _commit(self, step: Step) -> None:
        """Apply a stored event, send it and start the next turn."""
        table = self.table
        turn = table.mover, table.ply, table.runs_clock()
        table.commit(step)
        if turn != (table.mover, table.ply, table.runs_clock()):
            self.turn_began = self.audience.now
        self.audience.announce(step, self.clocks())
        self._go_on()

    def _go_on(self) -> None:
        """Set the timer of the running clock. If an agent is to move, ask it for its action."""
        now = self.audience.now
        due = max(now, self.due()) - now + LATE if self.table.runs_clock() else None
        self.effects.append(Timer(CLOCK, due))
        turn = self.turn()
        if self._asked and self._asked != turn:
            self._asked = None
            self.effects.append(effects.StopAsking())
        if turn and self.audience.connections() and not self._asked:
            self._asked, self._tries = turn, 0
            self._ask(turn, self.settings.pace * (2 if self.audience.teller.showed_more else 1))

    # time

    def _on_timer(self, name: str) -> Work:
        try:
            if name == COUNT:
                self.audience.send_count()
            elif name == GO_ON:
                self._go_on()
            elif name == CLOCK:
                yield from self.check_time()
            elif name == LOOK:
                yield from self.look_up()
        except RefusalError:
            if name == CLOCK or self._is_unsure:
                self.effects.append(Timer(name, RETRY_SECONDS))

    def clocks(self) -> Clock | None:
        """Return the time that each player has left now."""
        clocks = self.table.clocks
        if clocks is None:
            return None
        left, running = clocks.left.copy(), self.table.runs_clock()
        if running:
            left[self.table.mover] = max(0, self.left())
        return Clock(left, running)

    def used(self) -> int:
        """Milliseconds since the player to move could move; 0 if no clock runs."""
        return max(0, int(1000 * (self.audience.now - self.turn_began))) if self.table.runs_clock() else 0

    def left(self) -> int:
        """Return the milliseconds that the player to move had left at the last event, or 1 if no clock runs."""
        clocks = self.table.clocks
        return clocks.left[self.table.mover] - self.used() if clocks and self.table.runs_clock() else 1

    def due(self) -> float:
        """Return when the time of the player to move will be up, by the clock of the events. Call it only if a
        clock runs.
        """
        assert self.table.clocks
        return self.turn_began + self.table.clocks.left[self.table.mover] / 1000

    def check_time(self) -> Work:
        """If the time of the player to move is up, the player loses the seat. Raises RefusalError if that cannot
        be stored.
        """
        if self.left() <= 0:
            seat = self.table.mover
            yield from self.happen(Flagged(seat, "" if self.table.ends_by(seat) else self.table.stand_in()))

    # agents

    def turn(self) -> effects.Turn | None:
        """Return the turn of the agent that is to move, or None if a person is to move or the game is over."""
        seat = self.table.mover
        return effects.Turn(self.table.position_n, seat) if seat >= 0 and self.table.seats[seat].kind == AGENT else None

    def _ask(self, turn: effects.Turn, delay: float) -> None:
        """Have the agent think. After AGENT_TRIES failures, have the table's substitute think."""
        agent = self.table.seats[turn.seat].agent if self._tries < AGENT_TRIES else self.table.stand_in()
        is_slow = needs_compiling(agent, self.table.game)
        self.effects.append(effects.Ask(turn, self.job(turn.seat, agent), self.maker, delay, is_slow))

    def _play_for_agent(self, turn: effects.Turn, action: int | None) -> Work:
        if self.turn() != turn or self._asked != turn:
            return
        if action is None:
            self._tries += 1
            if self._tries > AGENT_TRIES:  # all have failed: asked again when a client comes
                self._asked = None
                self.audience.send(Note("stuck", player=turn.seat))
                return
            if self._tries == AGENT_TRIES:
                self.audience.send(Note("hurried", player=turn.seat))
            self._ask(turn, 0.0)
            return
        self._asked = None
        try:
            self.table.now.check_legal(turn.seat, action)
            yield from self.play(turn.seat, action)
        except RefusalError as refusal:
            log.error("room %s: the move of the agent of seat %d: %s", self.table.row.id, turn.seat, refusal)
            self.effects.append(Timer(GO_ON, RETRY_SECONDS))

    def job(self, seat: int, agent: str, *, explain: bool = False) -> Think:
        """Return a job for a thinking process: choose for a seat. The job contains what that seat knows, and nothing else.

        All moves of one turn get the seed of its first move, so that the process can recognize the agent that is still
        thinking about this turn.
        """
        table = self.table
        if seat not in self._turns or table.state.view(seat).begins_turn():
            self._turns[seat] = table.ply
        seed = derived_seed(fair.number(table.row.seed or table.row.nonce), table.row.id, agent, seat, self._turns[seat])
        return Think(
            game=table.game.name,
            parameters=table.game.parameters,
            player=seat,
            view=table.state.view(seat).tobytes(),
            seen=tuple(table.state.seen_actions(seat)),
            agent=agent,
            seed=seed.to_bytes(SEED_BYTES, "big"),
            explain=explain,
            moves=table.ply - self._turns[seat],
        )
