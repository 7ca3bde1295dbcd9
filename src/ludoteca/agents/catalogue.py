"""The agents by name, and what a level is."""

import re
from typing import Final, NamedTuple

from ludoteca.agents.agent import Agent
from ludoteca.agents.searching import SearchAgent
from ludoteca.agents.simple import CarelessAgent, GreedyAgent, RandomAgent
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.search.searcher import Budget, Settings


class Level(NamedTuple):
    """How strong an agent is that searches."""

    budget: Budget
    """For every move that it thinks about."""
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
"""A person's ladder: a beginner beats the first; budgets in simulations play alike on every machine."""

SIMPLE: Final = ("random", "greedy")
"""The agents that do not search; `greedy` needs the game's heuristics."""
NAMES: Final = (*SIMPLE, *LEVELS)
HINTS_BY: Final = "1s"
"""The agent that gives hints, in the terminal and in the browser: it thinks for a second."""
POSSIBLE: Final = "random, greedy, a level from 1 to 8, or a budget a move such as 500x (simulations) or 0.5s (seconds)"

_BUDGET: Final = re.compile(r"([0-9]{1,9})x|([0-9]{1,5}(?:\.[0-9]{1,3})?)s")


def new_agent(name: str, game: Game, seed: int = 0, settings: Settings | None = None) -> Agent:
    """The agent of that name; it runs as the game does, and who searches had better have a compiled one.

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
    simulations, seconds = found.groups()
    return Budget(simulations=int(simulations)) if simulations else Budget(seconds=float(seconds))
