"""The names of agents. The command line checks them before it loads NumPy."""

import re
from typing import Final

from ludoteca.core.errors import ParameterError

LEVELS: Final = tuple(str(number) for number in range(1, 9))
"""The levels for people, from a beginner to a master (`core.levels`)."""
SIMPLE: Final = ("random", "greedy")
"""The agents that do not search. `greedy` needs the game's heuristics."""
NAMES: Final = (*SIMPLE, *LEVELS)
POSSIBLE: Final = (
    "random, greedy, a level from 1 to 8, or a budget a turn such as 500x (simulations), 0.5s (seconds) or 0.5cpu (seconds "
    "of processor time)"
)
BUDGET: Final = re.compile(r"([0-9]{1,9})x|([0-9]{1,5}(?:\.[0-9]{1,3})?)(s|cpu)")
"""The notation of a budget: simulations, or a number of seconds and their clock."""


def is_name(name: str) -> bool:
    """Return True if an agent of some game has that name."""
    return name in NAMES or BUDGET.fullmatch(name) is not None


def check_name(name: str) -> None:
    """Raise ParameterError, which lists the names, if no agent has that name."""
    if not is_name(name):
        raise ParameterError(f"agent: read {name!r}, expected {POSSIBLE}")
