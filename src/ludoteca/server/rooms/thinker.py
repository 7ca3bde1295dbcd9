"""The agents of a room: how they are asked for moves and for hints, with no more than their seat knows."""

import logging
from typing import Final, NamedTuple

from ludoteca.agents.agent import HINTS_BY, derived_seed, needs_compiling
from ludoteca.server.jobs import Listener, Progress, Think, Thought, Valued, ignore_progress
from ludoteca.server.model import fair
from ludoteca.server.model.events import AGENT
from ludoteca.server.model.table import Table
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.broadcast import Audience
from ludoteca.server.thinking.workers import Workers

TRIES: Final = 2
"""How often an agent is asked whose process ends or takes too long; then one that does not search plays its move."""
SEED_BYTES: Final = 16

log: Final = logging.getLogger(__name__)


class Turn(NamedTuple):
    """A turn of an agent."""

    ply: int
    seat: int


class Thinker:
    """Asks processes for what the agents of a table play."""

    def __init__(self, table: Table, workers: Workers, audience: Audience) -> None:
        self._table = table
        self._workers = workers
        self._note = audience.note
        self._note_weaker = audience.note_weaker
        self._turns: dict[int, int] = {}
        """The ply at which each seat was first asked about in its turn."""
        self.is_hinting = False
        """True while a hint is being made: there is one at a time."""

    def turn(self) -> Turn | None:
        """The turn, if an agent is to move; None when it is a person's, or nobody's."""
        ply, seat = self._table.ply, self._table.mover
        return Turn(ply, seat) if seat >= 0 and self._table.seats[seat].kind == AGENT else None

    async def choose(self, turn: Turn, address: str) -> int | None:
        """The action of the agent whose turn it is, asked for that address.

        When the agent fails TRIES times, the table's stand-in chooses. None when the turn is over, or everybody has failed.
        """

        def listen(progress: Progress | Valued) -> None:
            if isinstance(progress, Progress):
                self._note(progress.what, turn.seat)

        for tried in range(TRIES + 1):
            if self.turn() != turn:
                return None
            if tried == TRIES:
                self._note("hurried", turn.seat)
            agent = self._table.seats[turn.seat].agent if tried < TRIES else self._table.stand_in()
            slow = needs_compiling(agent, self._table.game)
            listener = listen if slow else ignore_progress  # others do no more than a moment's work
            try:
                return (await self._think(self.job(turn.seat, agent), address, listener)).action
            except RefusalError as refusal:
                log.error("room %s: the agent of seat %d: %s", self._table.row.id, turn.seat, refusal)
        self._note("stuck", turn.seat)
        return None

    async def hint(self, seat: int, address: str, listen: Listener) -> Thought:
        """The move of an agent in that seat, with its reasons, asked for that address. Raises RefusalError."""
        return await self._think(self.job(seat, HINTS_BY, explain=True), address, listen)

    async def _think(self, job: Think, address: str, listen: Listener) -> Thought:
        """Ask the processes, and tell the clients where the answer is weaker than it will be, until that is over."""
        thought = await self._workers.think(job, address, listen)
        if thought.is_weaker:
            self._workers.compilations.follow(job.game, job.parameters, self._note_weaker)
        return thought

    def job(self, seat: int, agent: str, *, explain: bool = False) -> Think:
        """The job of choosing for a seat, with all that the seat knows and nothing else.

        All moves of a turn have the seed of its first one: by that the process knows the agent that is thinking about it.
        """
        table = self._table
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
        )
