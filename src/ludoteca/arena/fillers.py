"""The players with which a format of a game's own fills its groups."""

from collections.abc import Sequence
from typing import Final

from ludoteca.core.formats import Fill
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.record import Result
from ludoteca.core.rng import new_rng


class FillerPlayer:
    """Plays as the game's `formats.fill` does."""

    isolation: Final = "in this process"
    errors: Final = ""
    reads: Final = False
    faults: Final[Sequence[tuple[str, str]]] = ()

    def __init__(self, game: Game) -> None:
        self._fill: Fill = game.spec.module("formats").fill
        self._rng = new_rng(0)

    def begin(self, state: InformationState, seed: int) -> None:  # noqa: ARG002  # what a player is told
        """A new game, with random numbers of its own."""
        self._rng = new_rng(seed)

    def see(self, mover: int, action: str) -> None:
        """It reads no texts."""

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        """What the filler plays."""
        return self._fill(state.view.raw, legal, self._rng)

    def end(self, state: InformationState, result: Result | None) -> None:
        """Nothing is remembered."""

    def close(self) -> None:
        """Nothing was started."""
