"""Agents by name: what a seat knows goes in, an action comes out, with what made the agent choose it."""

import hashlib
import re
from collections.abc import Callable
from types import ModuleType
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np

from ludoteca.agents.turns import TurnBudget
from ludoteca.core import hints
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.rng import draw, new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.core.value import load_value
from ludoteca.search.searcher import Budget, Findings, Searcher, Settings, check_turn


class Level(NamedTuple):
    """How strong an agent is that searches."""

    budget: Budget
    """For every turn."""
    careless: float = 0.0
    """The share of moves that it plays at random."""


LEVELS: Final = {
    "1": Level(Budget(simulations=20), careless=0.8),
    "2": Level(Budget(simulations=20), careless=0.4),
    "3": Level(Budget(simulations=20)),
    "4": Level(Budget(simulations=80)),
    "5": Level(Budget(simulations=350)),
    "6": Level(Budget(simulations=1_500)),
    "7": Level(Budget(simulations=7_000)),
    "8": Level(Budget(seconds=2.0)),
}
"""The ladder for people: a beginner beats the first; budgets in simulations play alike on every machine."""

SIMPLE: Final = ("random", "greedy")
"""The agents that do not search; `greedy` needs the game's heuristics."""
NAMES: Final = (*SIMPLE, *LEVELS)
HINTS_BY: Final = "1s"
"""The agent that gives hints, in the terminal and in the browser: it thinks for a second."""
POSSIBLE: Final = (
    "random, greedy, a level from 1 to 8, or a budget a turn such as 500x (simulations), 0.5s (seconds) or 0.5cpu (seconds "
    "of processor time)"
)

_BUDGET: Final = re.compile(r"([0-9]{1,9})x|([0-9]{1,5}(?:\.[0-9]{1,3})?)(s|cpu)")
_FINE: Final = 1 << 20
"""A share of moves is drawn as a number of these parts."""

Watch: TypeAlias = Callable[[float], None]
"""Is called now and then with the share of the thinking that is done."""


class Decision(NamedTuple):
    """What an agent plays."""

    action: int
    findings: Findings | None = None
    """What a search found out; None where there was none, as when only one action is legal."""


class Agent(Protocol):
    """A player of one game. The same seed and the same questions in the same order give the same decisions.

    One agent plays one seat: what it remembers of a game is what that seat knows.
    """

    @property
    def game(self) -> Game: ...

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """What to play for the state's player, who is to move. Raises SearchError when that player is not.

        Never the action that gives up.
        """


def new_agent(name: str, game: Game, seed: int = 0, settings: Settings | None = None) -> Agent:
    """The agent of that name. It runs as the game does: one that searches should have a compiled game.

    Raises ParameterError, which says what names there are, and SearchError for a budget of 0.
    """
    if name == "random":
        return RandomAgent(game, seed)
    if name == "greedy":
        return GreedyAgent(game, seed)
    level = LEVELS.get(name) or Level(_read_budget(name))
    agent = SearchAgent(game, level.budget, settings, seed)
    return CarelessAgent(agent, level.careless, seed) if level.careless else agent


def names_for(spec: GameSpec) -> list[str]:
    """The names of the agents that can play the game."""
    return [name for name in NAMES if name != "greedy" or spec.has("heuristics")]


def quick_name_for(spec: GameSpec) -> str:
    """The name of the best agent for the game that does not search, and so needs no compiling."""
    return [name for name in names_for(spec) if name in SIMPLE][-1]


def budget_of(name: str) -> Budget | None:
    """What the agent of that name spends on a move; None for one that does not search, and answers at once.

    Raises ParameterError, which says what names there are.
    """
    if name in SIMPLE:
        return None
    level = LEVELS.get(name)
    return level.budget if level else _read_budget(name)


def needs_compiling(name: str) -> bool:
    """True for an agent that does so much that interpreted rules are too slow for it."""
    return name not in SIMPLE


def _read_budget(name: str) -> Budget:
    found = _BUDGET.fullmatch(name)
    if not found:
        raise ParameterError(f"agent: read {name!r}, expected {POSSIBLE}")
    simulations, seconds, clock = found.groups()
    if simulations:
        return Budget(simulations=int(simulations))
    return Budget(seconds=float(seconds)) if clock == "s" else Budget(cpu=float(seconds))


def derived_seed(seed: int, *purpose: object) -> int:
    """A 128-bit seed for one purpose, so that no two users share a generator."""
    return int.from_bytes(hashlib.blake2b(repr((seed, *purpose)).encode(), digest_size=16).digest(), "big")


class RandomAgent:
    """Plays any legal action but giving up, all equally likely."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:  # noqa: ARG002  # there is no wait
        """A random action."""
        state = check_turn(self.game, state)
        legal = state.redeal(self._rng).choices()
        return Decision(int(legal[draw(self._rng, len(legal))]))


class GreedyAgent:
    """Plays the action that looks best to the game's heuristics, a random one of equal ones.

    Raises ParameterError for a game that has no heuristics.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        if not game.spec.has("heuristics"):
            raise ParameterError(f"greedy: {game.name} has no heuristics to go by; there are random and the levels")
        self.game = game
        self._hints = game.bind(hints, game.spec.module("heuristics"))
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:  # noqa: ARG002  # there is no wait
        """The action that looks best."""
        state = check_turn(self.game, state)
        position = state.redeal(self._rng)
        legal = position.choices()
        values = np.zeros(len(legal), np.int64)
        self._hints.value_actions(position.array, legal, len(legal), values)
        best = legal[values == values.max()]
        return Decision(int(best[draw(self._rng, len(best))]))


class CarelessAgent:
    """Plays a share of its moves at random, and the others as another agent does."""

    def __init__(self, agent: Agent, share: float, seed: int = 0) -> None:
        self.game = agent.game
        self._agent = agent
        self._random = RandomAgent(agent.game, derived_seed(seed, "which"))
        self._rng = new_rng(derived_seed(seed, "when"))
        self._careless = int(share * _FINE)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """The other agent's choice, or a random action."""
        if draw(self._rng, _FINE) < self._careless:
            return self._random.choose(state)
        return self._agent.choose(state, watch)


class SearchAgent:
    """Searches from what its seat knows, with a budget for each turn. Raises SearchError for a budget of 0.

    `heuristic_playouts` settles whether playouts follow the game's heuristics; by default the game says.
    """

    def __init__(
        self,
        game: Game,
        budget: Budget,
        settings: Settings | None = None,
        seed: int = 0,
        heuristic_playouts: bool | None = None,
    ) -> None:
        budget.check()
        self.game = game
        self._turn = TurnBudget(budget)
        self._searcher = new_searcher(game, settings, seed, heuristic_playouts)
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """What the search finds best.

        There is no search when only one action is legal, and in a turn of several none that could not change the choice.
        """
        state = check_turn(self.game, state)
        legal = state.redeal(self._rng).choices()
        within = self._turn.goes_on(state)
        findings, action = None, int(legal[0])
        if len(legal) > 1:
            findings = self._searcher.recall(state) if within else None
            if findings is None or not self._turn.is_settled(findings):
                findings = self._searcher.search(state, self._turn.budget(), watch)
                self._turn.searched(findings)
            action = findings.action
        self._turn.decided(state, action)
        return Decision(action, findings)


def new_searcher(
    game: Game, settings: Settings | None = None, seed: int = 0, heuristic_playouts: bool | None = None
) -> Searcher:
    """A search that uses the game's heuristics as the game says."""
    policy, priors = search_modules(game, heuristic_playouts)
    return Searcher(game, policy, settings, seed, priors, load_value(game))


def search_modules(game: Game, heuristic_playouts: bool | None = None) -> tuple[ModuleType | None, ModuleType | None]:
    """Where a search takes its playouts from (None: they are uniform) and where its values of actions."""
    if not game.spec.has("heuristics"):
        return None, None
    heuristics = game.spec.module("heuristics")
    follow = game.spec.heuristic_playouts if heuristic_playouts is None else heuristic_playouts
    return heuristics if follow else None, None if follow else heuristics
