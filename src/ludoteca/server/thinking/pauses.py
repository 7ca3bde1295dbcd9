"""Pauses before the answers of agents, so that the time of an answer reveals nothing about hidden cards.

An agent does not search if one action is legal, and a search ends early if its result is certain. In a game with hidden
cards, the time of such an answer would show that. So it waits as long as other answers of that agent took recently.
"""

from collections import deque
from heapq import nsmallest
from random import SystemRandom
from typing import Final, TypeAlias

import msgspec

from ludoteca.search.searcher import Budget
from ludoteca.server.jobs import Think

RECENT: Final = 200
"""Answers of an agent that are remembered."""
NEAREST: Final = 8
"""A pause is drawn from this many answers: the nearest in the game, as a search takes less time near the end."""
AGENTS: Final = 256
"""Agents, each with its game, its parameters and its move in a turn, of which answers are remembered."""
USUAL: Final = 20_000.0
"""Simulations a second that are assumed before an agent has answered. Slow games make fewer, and fast ones more."""

Answers: TypeAlias = deque[tuple[int, float]]
"""How many actions the seat had seen, and the seconds of the answer."""

_random: Final = SystemRandom()


class Pauses:
    """The times of the last answers of each agent in a game, for games with hidden cards."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes, str, int], Answers] = {}

    def after(self, job: Think, budget: Budget, seconds: float, *, is_early: bool) -> float:
        """Return the seconds to wait after an answer that took this many; 0 if it took as long as usual."""
        key = job.game, msgspec.json.encode(job.parameters), job.agent, job.moves
        known = self._known[key] = self._known.pop(key, deque(maxlen=RECENT))
        if len(self._known) > AGENTS:
            del self._known[next(iter(self._known))]
        if is_early:
            return max(0.0, drawn(known, len(job.seen), usual(budget)) - seconds)
        known.append((len(job.seen), seconds))
        return 0.0


def drawn(known: Answers, ply: int, otherwise: float) -> float:
    """Draw the seconds of one of the NEAREST answers, the newest first of equally near ones."""
    nearest = nsmallest(NEAREST, reversed(known), key=lambda answer: abs(answer[0] - ply))
    return _random.choice(nearest)[1] if nearest else otherwise


def usual(budget: Budget) -> float:
    """Return the seconds that a search with this budget usually takes."""
    return budget.seconds or budget.cpu or (budget.simulations or 0) / USUAL
