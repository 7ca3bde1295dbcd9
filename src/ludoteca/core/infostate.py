"""Everything that a seat knows, and nothing else: what agents and searches are given."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludoteca.core.contract import Records, from_content

if TYPE_CHECKING:
    from ludoteca.core.game import Game


@dataclass(frozen=True, eq=False)
class InformationState:
    """A seat's view of a position (an array of one concealed record) and the actions so far as that seat has seen them."""

    game: "Game"
    player: int
    view: Records
    seen: tuple[int, ...]
    real: bool = False
    """True when it was made from a whole position, so that a deal fits it; before others are used, that is looked into."""

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: the view as bytes, for the class of its records is made anew in each."""
        return _restore, (self.game, self.player, self.view.tobytes(), self.seen, self.real)


def _restore(game: "Game", player: int, view: bytes, seen: tuple[int, ...], real: bool) -> InformationState:
    return InformationState(game, player, from_content(view, game.dtype), seen, real)
