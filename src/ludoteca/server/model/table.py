"""The table of a room: its seats, its game and its clock, made by folding the room's events, new ones and stored ones alike.

step = table.prepare(event)    may fail, and changes nothing
... the event is stored ...
table.commit(step)             cannot fail
"""

from collections import Counter
from itertools import takewhile
from typing import Final, NamedTuple, assert_never

import msgspec

from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.game import Game, State, load
from ludoteca.core.levels import quick_name_for
from ludoteca.core.record import Player
from ludoteca.core.scene import Scene, marked
from ludoteca.server.frames import Over, Text
from ludoteca.server.model import events, fair
from ludoteca.server.model.clock import Clocks
from ludoteca.server.model.events import AGENT, OPEN, PERSON, Moved, RoomRow, StoredEvent
from ludoteca.server.model.history import History, Views, lead_of
from ludoteca.server.model.tokens import invitation

END: Final = "end"
RESIGNED: Final = "resigned"
TIME: Final = "time"
UNPLAYED: Final = "unplayed"
RECORD: Final = "record"
"""Why a game is over: `frames.Over.reason`."""
SEATS_OPEN: Final = -1
"""In place of the player to move, while seats are open."""
REMATCH: Final = "rematch"
UNDO: Final = "undo"
FROM_POSITION: Final = "position"
COMPUTABLE: Final = "computable"

REPLACEMENT: Final = "4"
"""The agent that plays in the place of a person who is away."""
OPPONENT: Final = "3"
"""The agent that plays in the place of a person who has not come."""


class Occupant(msgspec.Struct):
    """The person or agent that plays a seat."""

    kind: str
    name: str
    agent: str
    token: str
    resigned: bool = False
    timed_out: bool = False

    @property
    def is_replaced(self) -> bool:
        """True while an agent plays in the place of a person who has not given up, and may come back."""
        return self.kind == AGENT and bool(self.token) and not self.resigned


class Step(NamedTuple):
    """An event that may come next, and its effect."""

    event: StoredEvent
    after: State
    """The position after it: the same one, unless it is a move."""
    ends: bool
    """True if the game is over with it."""


class Table:
    """A room after some of its events."""

    def __init__(self, row: RoomRow) -> None:
        options = events.options_of(row)
        self.row = row
        self.clock_chosen = options.clock
        self.listed = options.listed
        self.is_sought = options.sought
        self.key = options.key
        self.is_record = options.record is not None
        self._is_from_position = options.start is not None
        self.n = 0
        """The number of the last event."""
        self.asked: dict[str, list[int]] = {}
        """The questions that are open, each with the seats that agree."""
        self.declined: dict[str, int] = {}
        """The questions that were declined in this position, each with the seat that did."""
        self.questions = 0
        """How often players asked or agreed."""
        self.rematch = ""
        self.given: Counter[int] = Counter()
        """How often each seat gave the opponent time."""
        self.taken_back = 0
        """How often actions were taken back."""
        self.is_among_people = False
        """True once two persons have sat here after the first move: the game keeps the rules of a game among people."""
        self.reason = ""
        """Why the game is over; empty until it is."""
        self._loser = SPECTATOR
        """The seat whose player gave up, if the game is over by that."""
        self.history = History.of_record(options.record) if options.record is not None else History(start_of(row, options))
        self.game: Game = self.state.game
        self._positions = [0] * (self.ply + 1)
        """For each position of the game, the number of the event that led to it."""
        self.seats = [Occupant(made.kind, made.name, made.agent, made.token) for made in options.seats]
        self.came: set[int] = set()
        """The seats whose persons have been here: by the events, and by the clients of a room."""
        self.clocks = Clocks(options.clock, len(self.seats)) if options.clock else None
        self._played: set[int] = set()
        """The seats that have played, including moves that were taken back."""
        self._increments: list[int] = []
        """The milliseconds that each action has brought its player: an increment, or the time of the next turn."""
        if self.is_record:
            self.reason = RECORD
        elif self.state.is_terminal():
            self.reason = END
        self._find_mover()

    def _find_mover(self) -> None:
        self.is_over = bool(self.reason)
        """True when nothing is played any more."""
        self.open_seats = [seat for seat, occupant in enumerate(self.seats) if occupant.kind == OPEN]
        """The seats that wait for a person."""
        self.mover = TERMINAL if self.is_over else SEATS_OPEN if self.open_seats else self.now.mover
        """The player to move, TERMINAL when the game is over, SEATS_OPEN while seats are open."""

    # the position

    @property
    def now(self) -> Views:
        """The position, as every seat sees it."""
        return self.history.now

    @property
    def state(self) -> State:
        """The position, secrets included."""
        return self.history.now.state

    @property
    def ply(self) -> int:
        """How many actions were played."""
        return self.history.ply

    @property
    def position_n(self) -> int:
        """The number of the last event that changed the position: its identity. After an undo, `ply` is no identity."""
        return self._positions[-1]

    def ply_of(self, position_n: int) -> int | None:
        """Return the number of actions that led to the position with this identity; None if there is no such position."""
        return self._positions.index(position_n) if position_n in self._positions else None

    def text(self, seat: int, number: int) -> Text:
        """Return the position and the legal actions of the seat in notation, as the answer to the request with
        that number.
        """
        state, view = self.state, self.now.view(seat).raw
        is_asked = seat >= 0 and seat == self.mover and self.seats[seat].kind == PERSON
        legal = self.now.legal if is_asked else []
        texts = [str(state.game.notation.action_to_string(view, action)) for action in legal]
        gives_up = [text for text, action in zip(texts, legal, strict=True) if action == state.game.rules.CONCEDE]
        return Text(
            number, self.position_n, self.ply, str(state.game.notation.position_to_string(view)), texts, "".join(gives_up)
        )

    def record(self) -> str:
        """Return the record of the game, with its players."""
        players = tuple(Player(agent=each.agent) if each.kind == AGENT else Player(each.name) for each in self.seats)
        named = players if any(each.name or each.agent for each in players) else ()
        return msgspec.structs.replace(self.state.to_record(), players=named).sealed().to_json()

    def runs_clock(self) -> bool:
        """True if the clock of the player to move runs. Clocks run from the moment when all persons have been here, but not
        for agents.
        """
        return self.clocks is not None and self.mover in self.people() and not self.missing()

    # the seats

    def people(self) -> list[int]:
        """The seats of persons who play on."""
        return [seat for seat, occupant in enumerate(self.seats) if occupant.kind == PERSON and not occupant.resigned]

    def missing(self) -> list[int]:
        """The seats of persons who play on and have not been here yet."""
        return [seat for seat in self.people() if seat not in self.came]

    def owners(self) -> list[int]:
        """The seats of persons who have not given up, including those in which an agent plays in place of the person."""
        return [seat for seat in range(len(self.seats)) if seat in self.people() or self.seats[seat].is_replaced]

    def may_ask(self, seat: int) -> bool:
        """True if the player of that seat may ask for hints, because all opponents are agents and have been since the first
        move.
        """
        others = self.seats[:seat] + self.seats[seat + 1 :]
        return seat in self.people() and not self.is_among_people and all(other.kind == AGENT for other in others)

    def conceded(self) -> list[int]:
        """The seats that have given up by an action of the rules, in the order of the game."""
        taken = zip(self.history.movers, self.history.actions, strict=True)
        return [seat for seat, action in taken if action == self.game.rules.CONCEDE]

    def is_maker(self, seat: int) -> bool:
        """True if the person of that seat has made the room."""
        return self.seats[seat].token == self.key != ""

    def may_be_deleted(self) -> bool:
        """True if the maker may delete the room: no other person has played in it."""
        return all(self.seats[seat].token in ("", self.key) for seat in self._played)

    def ends_by(self, seat: int) -> bool:
        """True if the game is over when that seat gives up: it has two players, or no other person who has been here still
        plays.
        """
        return len(self.seats) == 2 or not set(self.people()) - {seat, *self.missing()}

    def resignation(self, seat: int) -> events.Resigned:
        """Return the event that the player of that seat gives up."""
        ends = self.ends_by(seat)
        return events.Resigned(seat, "" if ends else self.stand_in(), ends and bool(set(self.missing()) - {seat}))

    def stand_in(self) -> str:
        """The name of the agent that takes over a seat whose player has given up: it answers at once."""
        return quick_name_for(self.game.spec)

    def replace_secret(self, old: str, new: str) -> None:
        """Replace an old token by a new one, for seats and for the right to delete the room. Both are given as SHA-256."""
        for occupant in self.seats:
            occupant.token = new if occupant.token == old else occupant.token
        self.key = new if self.key == old else self.key

    def invitation(self) -> str:
        """Return the text that lets friends take several seats of a listed room from one address. It is empty if none is
        needed.
        """
        return invitation(self.row.id, self.row.nonce) if self.listed else ""

    # the deal

    def known(self) -> str:
        """Return the reason why a player may know the hidden part of the deal. It is empty if no player can know it, and for
        a record.
        """
        if self._is_from_position:
            return FROM_POSITION
        return COMPUTABLE if not self.is_record and self.game.spec.computable(self.game.parameters) else ""

    def commitment(self) -> str:
        """Return the commitment to the deal; empty if the start was given, or if the game has no deal."""
        if self.is_record or not self.row.seed or self.game.spec.perfect_information:
            return ""
        return fair.commitment(fair.Draw(self.row.seed, self.row.nonce))

    # the end

    def scene(self, ply: int, seat: int) -> Scene:
        """Return the scene that the seat sees after `ply` actions. The last scene of a game that is over hides nothing."""
        return self.history.scene(ply, seat, is_open=self.is_over and ply == self.ply)

    def pictured(self, ply: int, seat: int) -> Scene:
        """Return the same scene as `scene`, for a picture. The items that the last turn placed are highlighted."""
        lines = self.history.lines(seat)[:ply]
        turn = takewhile(lambda line: line.player == lines[-1].player, reversed(lines))
        return marked(self.scene(ply, seat), [(line.player, line.placed) for line in turn])

    def over(self) -> Over | None:
        """Return how the game ended, with the seed of the deal, or None while the game goes on.

        If a player has given up before the rules ended the game, the other players share the win.
        """
        if not self.is_over:
            return None
        scores, by_rules = self.state.scores(), self.state.is_terminal()
        is_conceded = by_rules and self.history.actions[-1:] == [self.game.rules.CONCEDE]
        loser = self.history.movers[-1] if is_conceded else self._loser
        if self.reason == UNPLAYED:
            returns = [0.0] * len(self.seats)
        elif self._loser == SPECTATOR:
            returns = self.state.returns()
        elif self.game.utility() == "points":
            returns = [float(score) for score in scores]
        else:
            others = [not occupant.resigned for occupant in self.seats]
            returns = [float(stays) / max(1, sum(others)) for stays in others]
        return Over(
            reason=RESIGNED if is_conceded and self.reason == END else self.reason,
            by_rules=by_rules,
            loser=loser,
            returns=returns,
            scores=scores,
            seed=self.row.seed.hex(),
            nonce=self.row.nonce.hex() if self.commitment() else "",
            lead=lead_of(self.state) if loser == SPECTATOR else "",
            rematch=self.rematch,
        )

    def left_after_undo(self, ply: int, used: int) -> list[int]:
        """Return the milliseconds that each player would have left after an undo, less than 0 for a player who has used
        more.

        `used` is the time that the player to move has used. The game must have a clock.
        """
        assert self.clocks
        brought = list(zip(self.history.movers[ply:], self._increments[ply:], strict=True))
        return self.clocks.after_undo([*brought, (self.mover, used)], self.history.movers[ply])

    # the fold

    def move(self, seat: int, action: int, used: int) -> Step:
        """Return the step of a legal action of the player to move, which took `used` milliseconds. Nothing is
        changed yet.
        """
        after = self.state.child(action)
        return Step(Moved(seat, self.state.action_to_string(action), used), after, after.is_terminal())

    def prepare(self, event: StoredEvent) -> Step:
        """Return the step of an event, which `commit` applies. Nothing is changed yet. Raises LudotecaError if the rules
        refuse the move.
        """
        if isinstance(event, Moved):
            after = self.state.clone()
            after.apply_action(after.string_to_action(event.text))
            return Step(event, after, after.is_terminal())
        if isinstance(event, events.TakenBack):
            return Step(event, self.history.at(event.ply).state, ends=False)
        return Step(event, self.state, isinstance(event, events.Resigned | events.Flagged) and not event.agent)

    def commit(self, step: Step) -> None:
        """Apply an event that was prepared and is stored."""
        self.n += 1
        match step.event:
            case Moved(seat=seat, used=used):
                self._move(seat, used, step)
            case events.Taken(seat=seat, name=name, token=token):
                self.seats[seat] = Occupant(PERSON, name, "", token)
            case events.Resigned() | events.Flagged():
                self._give_up(step.event)
            case events.Replaced(seat=seat, agent=agent, used=used):
                self._replace(seat, agent, used)
            case events.Asked(what=what, seats=seats):
                self._ask(what, seats)
            case events.Declined(what=what, seat=seat):
                self._decline(what, seat)
            case events.TakenBack(ply=ply, used=used):
                self._take_back(ply, used)
            case events.TimeGiven(seat=seat, time=time):
                self._give(seat, time)
            case events.Rematched(room=room):
                self.rematch = room
                self.asked.pop(REMATCH, None)
            case _:
                assert_never(step.event)
        self.is_among_people |= self.ply > 0 and len(self.people()) > 1
        self._find_mover()

    def _move(self, seat: int, used: int, step: Step) -> None:
        increment = 0
        if self.seats[seat].kind == PERSON:
            self.came |= set(self.people()) if used else {seat}  # a clock runs once all have been here
        if self.clocks and self.seats[seat].kind == PERSON:
            increment = self.clocks.spend(seat, used, turn_is_over=step.ends or step.after.current_player() != self.mover)
        self._increments.append(increment)
        self._played.add(seat)
        self.history.add(step.after)
        self._positions.append(self.n)
        self.declined.clear()
        self.asked = {what: seats for what, seats in self.asked.items() if not what.startswith(UNDO)}
        if step.ends:
            self.reason = END
            self.asked.clear()

    def _replace(self, seat: int, agent: str, used: int) -> None:
        if self.clocks:
            self.clocks.spend(seat, used, turn_is_over=False)
        self.seats[seat].kind, self.seats[seat].agent = AGENT, agent
        self.asked.pop(replacement(seat), None)
        self.declined = {what: by for what, by in self.declined.items() if by != seat}

    def _ask(self, what: str, seats: list[int]) -> None:
        self.questions += 1
        self.came |= set(seats)
        self.declined.pop(what, None)
        self.asked[what] = seats
        if not seats:
            del self.asked[what]

    def _decline(self, what: str, seat: int) -> None:
        if seat not in self.asked.pop(what, ()):
            self.declined[what] = seat

    def _give(self, seat: int, time: int) -> None:
        self.given[seat] += 1
        if self.clocks:
            self.clocks.left[1 - seat] += time

    def _take_back(self, ply: int, used: int) -> None:
        if self.clocks:
            self.clocks.left = [max(0, left) for left in self.left_after_undo(ply, used)]
        del self._increments[ply:]
        self.history.cut(ply)
        self._positions[ply:] = [self.n]
        self.taken_back += 1
        self.asked.clear()
        self.declined.clear()

    def _give_up(self, event: events.Resigned | events.Flagged) -> None:
        seat = self.seats[event.seat]
        self._positions[-1] = self.n
        self.asked.clear()
        self.declined.clear()
        if isinstance(event, events.Flagged):
            self.came |= set(self.people())  # or no clock would have run
            seat.timed_out = True
            if self.clocks:
                self.clocks.left[event.seat] = 0
        elif event.unplayed:
            self.reason = UNPLAYED
            return
        seat.resigned = True
        if event.agent:
            seat.kind, seat.agent = AGENT, event.agent
        else:
            self.reason, self._loser = TIME if seat.timed_out else RESIGNED, event.seat


def replacement(seat: int) -> str:
    """Return the key in `Table.asked` of the request that an agent takes over that seat."""
    return f"replace {seat}"


def takeback(position_n: int, seat: int) -> str:
    """Return the key in `Table.asked` of the request to take back the last action of that seat, in the position with this
    number.
    """
    return f"{UNDO} {position_n} {seat}"


def start_of(row: RoomRow, options: events.Options) -> State:
    """The position that a room starts from. Raises LudotecaError for one that there cannot be."""
    game = load(row.game, **row.parameters)
    if options.start is not None:
        return game.state_from_string(options.start)
    return game.new_initial_state(fair.number(row.seed))
