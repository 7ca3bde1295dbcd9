"""Pauses before agents' answers, so that the time of an answer reveals nothing about hidden cards.

An agent does not search if only one action is legal, and a search ends early if its result is certain. In a game with hidden
cards, a quick answer would reveal this to the opponents. So such an answer is delayed until it has taken as long as another
recent answer of the agent.
"""

from collections import deque
from heapq import nsmallest
from random import SystemRandom
from typing import Final, TypeAlias

import msgspec

from ludoteca.search.searcher import Budget
from ludoteca.server.jobs import Think

RECENT: Final = 200
"""The number of answers of each agent whose times are remembered."""
NEAREST: Final = 8
"""The number of answers from which one is chosen at random to set the length of a pause: those given at the nearest stages
of the game, because a search takes less time near the end."""
AGENTS: Final = 256
"""Agents whose answers are remembered, each for one game with its parameters and one move of a turn."""
USUAL: Final = 20_000.0
"""Simulations a second that are assumed for an agent without answers yet. Slow games reach less, and fast games more."""

Answers: TypeAlias = deque[tuple[int, float]]
"""For each answer, how many actions of the game the seat had seen, and the seconds that the answer took."""

_random: Final = SystemRandom()


class Pauses:
    """The times of the recent answers of each agent in games with hidden cards, and the pauses that follow from them."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes, str, int], Answers] = {}

    def after(self, job: Think, budget: Budget, seconds: float, *, is_early: bool) -> float:
        """Return the seconds to wait after an answer to `job` that took `seconds`. If the answer came early (`is_early`),
        the pause makes it as long as an earlier answer. Otherwise remember the time of the answer, and return 0. `budget`
        gives the usual time if there is no earlier answer.
        """
        key = job.game, msgspec.json.encode(job.parameters), job.agent, job.moves
        known = self._known[key] = self._known.pop(key, deque(maxlen=RECENT))
        if len(self._known) > AGENTS:
            del self._known[next(iter(self._known))]
        if is_early:
            return max(0.0, drawn(known, len(job.seen), usual(budget)) - seconds)
        known.append((len(job.seen), seconds))
        return 0.0


def drawn(known: Answers, ply: int, otherwise: float) -> float:
    """Return the seconds of one of the NEAREST answers, chosen at random. Of answers at the same distance from `ply`, newer
    answers are preferred. If there are no answers, return `otherwise`.
    """
    nearest = nsmallest(NEAREST, reversed(known), key=lambda answer: abs(answer[0] - ply))
    return _random.choice(nearest)[1] if nearest else otherwise


def usual(budget: Budget) -> float:
    """Return the seconds that a search with this budget usually takes."""
    return budget.seconds or budget.cpu or (budget.simulations or 0) / USUAL
