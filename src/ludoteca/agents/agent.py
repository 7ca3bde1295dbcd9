"""What every agent is: what a seat knows goes in, an action comes out, with what made the agent choose it."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeAlias

from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.search.searcher import Findings

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


def derived_seed(seed: int, *purpose: object) -> int:
    """A seed of 128 bits for one purpose of several: nobody shares a generator, least of all with the deal."""
    return int.from_bytes(hashlib.blake2b(repr((seed, *purpose)).encode(), digest_size=16).digest(), "big")
