"""Those who take part: agents of ours."""

from collections.abc import Sequence
from typing import Final

from ludoteca.agents.agent import Agent, derived_seed, needs_compiling, new_agent
from ludoteca.arena.player import Entrant, Player
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.record import Result
from ludoteca.core.spec import GameSpec

HERE: Final = "in this process"
"""The isolation of an agent of ours."""


def new_player(entrant: Entrant, game: Game, seat: int, seed: int) -> Player:
    """The entrant in one seat of the game. Raises ParameterError, which says what agents there are.

    The seed is for an agent's own random numbers, until `begin` brings another.
    """
    return AgentPlayer(entrant.agent, game, derived_seed(seed, seat))


def protocols_of(spec: GameSpec) -> dict[str, object]:
    """The protocols of the game's own document, by name."""
    return dict(spec.module("protocols").PROTOCOLS) if spec.has("protocols") else {}


class AgentPlayer:
    """An agent of ours. It runs interpreted or compiled, whichever it needs, whatever the referee's game does."""

    isolation = HERE
    errors = ""
    faults: Sequence[tuple[str, str]] = ()
    reads = False

    def __init__(self, name: str, game: Game, seed: int) -> None:
        self._name = name
        compiled = needs_compiling(name)
        self._game = game if game.compiled == compiled else Game(game.spec, game.parameters, compiled=compiled)
        self._agent: Agent = new_agent(name, self._game, seed)

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # the agent looks when it is asked
        """Begin a game with random numbers, and a memory, of its own."""
        self._agent = new_agent(self._name, self._game, seed)

    def see(self, mover: int, action: str) -> None:
        """An agent reads no texts."""

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:  # noqa: ARG002  # agents know the rules
        """What the agent plays."""
        return self._agent.choose(state).action

    def end(self, state: InformationState, result: Result | None) -> None:
        """There is nothing to tell an agent."""

    def close(self) -> None:
        """There is no program to end."""
