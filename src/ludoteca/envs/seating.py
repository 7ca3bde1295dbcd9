"""The learner's seat and its opponents, with the same words in all environments."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from ludoteca.agents.agent import Agent, Decision, Watch, new_agent
from ludoteca.core import hints
from ludoteca.core.contract import Integers
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.position import InformationState
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.core.words import counted
from ludoteca.envs import kernel
from ludoteca.search.searcher import check_turn

if TYPE_CHECKING:
    from ludoteca.envs.batch import Batch

NewAgent = Callable[[Game, int], Agent]
"""Makes an agent from a game and a seed."""
Opponent = str | NewAgent
"""The name of an agent, `"heuristics"`, or a function that makes an agent."""
Opponents = Opponent | Sequence[Opponent]
"""One for all other seats, or one for each seat after the learner's, in turn order."""
Seat = int | Literal["random", "alternate"]
"""The learner's seat: the same in every game, drawn for every deal, or the next one in every deal."""

RANDOM: Final = "random"
ALTERNATE: Final = "alternate"
HEURISTICS: Final = "heuristics"
POLICIES: Final = (RANDOM, HEURISTICS)
"""The opponents that a batch plays in compiled code."""
REPORTS: Final = ("rewards", "terminated", "final_planes", "final_numbers")
"""The buffers that report the ends of games."""


class PolicyAgent:
    """Plays as the heuristics' playouts do, in a deal that fits its knowledge."""

    def __init__(self, game: Game, seed: int) -> None:
        if not game.spec.has("heuristics"):
            raise ParameterError(f"opponents: read 'heuristics', and {game.name} has none")
        self.game, self._rng = game, new_rng(seed)
        self._steps = game.bind(hints, game.spec.module("heuristics"))

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:  # noqa: ARG002  # there is no wait
        whole = check_turn(self.game, state).redeal(self._rng)
        return Decision(int(self._steps.choose_by_policy(whole.array, self._rng)))


def check_seat(game: Game, seat: Seat) -> Seat:
    """Return the seat. Raises ParameterError if the game has no such seat. The message lists the possible ones."""
    if isinstance(seat, str) and seat in (RANDOM, ALTERNATE):
        return seat
    if isinstance(seat, str | bool) or index(seat) not in range(game.num_players()):
        raise ParameterError(f"seat: read {seat!r}, expected 0 to {game.num_players() - 1}, 'random' or 'alternate'")
    return index(seat)


def makers(game: Game, opponents: Opponents) -> list[NewAgent]:
    """Return a function that makes an agent for each seat after the learner's.

    Raises ParameterError for a wrong number of opponents. Names are checked when agents are made.
    """
    others = game.num_players() - 1
    if isinstance(opponents, str) or callable(opponents):
        if not others and opponents != RANDOM:
            raise ParameterError(f"opponents: read {opponents!r}, and one plays {game.name} alone with these parameters")
        opponents = [opponents] * others
    if len(opponents) != others:
        raise ParameterError(f"opponents: read {counted(len(opponents), 'agent')}, expected one or {others}")
    return [_maker(opponent) if isinstance(opponent, str) else opponent for opponent in opponents]


def _maker(name: str) -> NewAgent:
    return PolicyAgent if name == HEURISTICS else partial(new_agent, name)


def seated(makers: Sequence[NewAgent], game: Game, seat: int, seed: int) -> dict[int, Agent]:
    """Return new agents by their seats, so that the same seed gives the same opponents."""
    seats = [(seat + 1 + i) % game.num_players() for i in range(len(makers))]
    return {at: make(game, derived_seed(seed, at)) for at, make in zip(seats, makers, strict=True)}


def play_on(state: State, agents: dict[int, Agent]) -> bool:
    """Let the agents play until another seat is to move or the game is over. Return True if one of them moved."""
    before = len(state.history())
    while (mover := state.current_player()) in agents:
        state.apply_action(agents[mover].choose(state.information_state(mover)).action)
    return len(state.history()) > before


class Tables:
    """The agents of all games of a batch, and their states, because a batch keeps no histories."""

    def __init__(self, game: Game, n: int, opponents: Opponents) -> None:
        """Make agents once, so that errors and compiling come now."""
        self.makers = makers(game, opponents)
        seated(self.makers, game, 0, 0)
        self.states: dict[int, State] = {}
        self.agents: list[dict[int, Agent]] = [{}] * n

    def begin(self, batch: "Batch", rows: Integers) -> None:
        """Make new agents for games that were dealt, and let them play until the learner is to move.

        What the buffers tell about the games before stays. Games that are over before are skipped, up to MOST_DEALS.
        """
        arrays = [array for name, array in batch.buffers._asdict().items() if name in REPORTS and len(array)]
        told, dealt = [array[rows] for array in arrays], rows
        for _ in range(kernel.MOST_DEALS):
            seats = batch.seats
            for i in dealt.tolist():
                self.states[i] = batch.state(i)
                self.agents[i] = seated(self.makers, batch.game, int(seats[i]), batch.deal_seed(i))
            moved = dealt[[play_on(self.states[i], self.agents[i]) for i in dealt.tolist()]]
            over = np.array([self.states[i].is_terminal() for i in moved.tolist()], np.bool_)
            batch.write(moved[~over], [self.states[i] for i in moved[~over].tolist()])
            dealt = moved[over]
            if not len(dealt):
                break
            batch.deal(dealt)
        for array, before in zip(arrays, told, strict=True):
            array[rows] = before

    def step(self, batch: "Batch", rows: Integers, numbers: Integers) -> None:
        """Play legal numbers of the learner, and the turns of the agents."""
        rows = rows[[not self.states[i].is_terminal() for i in rows.tolist()]]
        batch.buffers.rewards[:] = 0
        states = [self.states[i] for i in rows.tolist()]
        before = [state.scores() for state in states]
        for i, state in zip(rows.tolist(), states, strict=True):
            state.apply_action(state.decode_action(int(numbers[i])))
            play_on(state, self.agents[i])
        batch.write(rows, states)
        if batch.rewards == "score":
            batch.buffers.rewards[rows] = np.subtract([state.scores() for state in states], before)
        if batch.auto_reset:
            self.begin(batch, rows[batch.buffers.terminated[rows]])
