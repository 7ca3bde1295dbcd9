"""Everything that a seat knows, and nothing else: what agents and searches are given."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoteca.core.contract import Words
from ludoteca.core.position import Position

if TYPE_CHECKING:
    from ludoteca.core.game import Game


@dataclass(frozen=True, eq=False)
class InformationState:
    """A seat's view of a position and the actions so far as that seat has seen them. It can be pickled."""

    player: int
    view: Position
    """Concealed from all but this player."""
    seen: tuple[int, ...]
    real: bool = False
    """True when it was made from a whole position, so that a deal fits it; before others are used, that is looked into."""

    @property
    def game(self) -> "Game":
        """The game that is played."""
        return self.view.game

    def redeal(self, rng: Words) -> Position:
        """A whole position that the player cannot tell from the real one, uniformly among the deals that fit."""
        return self.view.redeal(self.player, rng)
