"""A position of a game, whole or concealed, and all that a seat knows: what agents and searches are given."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoteca.core.contract import SPECTATOR, Integers, RawPosition, RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.game import Game


class Position:
    """One position in the layout of the game's rules, without the way that led to it.

    It is whole, secrets included, or what a player may know of one (`conceal`), all else zero. The methods are those of
    `core.contract.Rules`, interpreted or compiled as the game is, with the memory that they need.
    """

    __slots__ = ("array", "game")

    array: RawPositions
    """The raw position in an array of one, which is what bindings take (`Game.bind`)."""

    def __init__(self, game: "Game", array: RawPositions) -> None:
        self.game = game
        self.array = array

    @classmethod
    def from_bytes(cls, game: "Game", content: bytes) -> "Position":
        """The position that `tobytes` wrote."""
        return cls(game, np.ndarray(1, game.dtype, bytearray(content)))

    @property
    def raw(self) -> RawPosition:
        """The raw position, as rules and notation take it: a view into `array`, not a copy."""
        return self.array[0]

    def tobytes(self) -> bytes:
        """Its bytes."""
        return self.array.tobytes()

    def content(self) -> bytes:
        """Its bytes, with zeros for the fields that equal positions may differ in (DERIVED)."""
        if not self.game.rules.DERIVED:
            return self.tobytes()
        known: bytes = (self.array.view(np.uint8) & self.game.content_mask).tobytes()
        return known

    def copy(self) -> "Position":
        """The same position in memory of its own; NumPy's `copy` goes field by field and takes ten times as long."""
        return Position.from_bytes(self.game, self.array.tobytes())

    # the contract

    def deal(self, rng: Words) -> None:
        """Deal, on a position that is only set up."""
        self.game.steps.deal_in(self.array, rng)

    def current_player(self) -> int:
        """The player to move, from 0; TERMINAL when the game is over."""
        return int(self.game.steps.current_player_in(self.array))

    def is_terminal(self) -> bool:
        """True when the game is over."""
        return bool(self.game.steps.is_terminal_in(self.array))

    def legal_actions(self) -> Integers:
        """The legal actions, sorted; none when the game is over."""
        out = np.empty(self.game.rules.MAX_LEGAL, np.int64)
        legal = out[: self.game.steps.legal_actions_in(self.array, out)]
        legal.sort()
        return legal

    def choices(self) -> Integers:
        """Return the legal actions except the one that gives up, sorted."""
        legal = self.legal_actions()
        kept: Integers = legal[legal != self.game.rules.CONCEDE]
        return kept

    def candidates(self) -> Integers:
        """Return the choices that do not spoil the game, sorted: what agents consider that go by heuristics or search."""
        legal, spoils = self.choices(), getattr(self.game.rules, "spoils", None)
        return legal if spoils is None else legal[[not spoils(self.raw, action) for action in legal.tolist()]]

    def random_action(self, rng: Words) -> int:
        """A uniformly random legal action, but never the one that gives up. The game is not over."""
        return int(self.game.steps.random_action_in(self.array, rng))

    def apply(self, action: int) -> tuple[int, ...]:
        """Play an action. Return it as the spectator sees it, then as each player does; nothing if it is not legal.

        An action that is not legal is not played.
        """
        legal = np.empty(self.game.rules.MAX_LEGAL, np.int64)
        seen = np.empty(self.game.num_players() + 1, np.int64)
        return tuple(seen.tolist()) if self.game.steps.apply_in(self.array, action, legal, seen) else ()

    def scores(self) -> list[int]:
        """The points of the game's own rules, one number for each player."""
        out = np.zeros(self.game.num_players(), np.int64)
        self.game.steps.scores_in(self.array, out)
        return out.tolist()

    def winners(self) -> list[int]:
        """The players who share the win; none while the game goes on, and when it is void."""
        won = int(self.game.steps.winners_in(self.array))
        return [player for player in range(self.game.num_players()) if won >> player & 1]

    def begins_turn(self) -> bool:
        """True when the mover has done nothing yet in this turn; always, where a turn is one move."""
        return not self.game.turns_have_moves() or bool(self.game.rules.begins_turn(self.raw))

    def seen_action(self, action: int, player: int) -> int:
        """The action as the player would see it, if it were played now; SPECTATOR for a spectator."""
        return int(self.game.steps.seen_action_in(self.array, action, player))

    def conceal(self, player: int) -> "Position":
        """What the player may know of it; -1 for a spectator. Raises ValueError for a player that the game does not have."""
        if not SPECTATOR <= player < self.game.num_players():
            raise ValueError(f"player {player}: expected -1 (a spectator) to {self.game.num_players() - 1}")
        view = Position(self.game, self.game.new_array())
        self.game.steps.conceal_in(self.array, player, view.array)
        return view

    def redeal(self, player: int, rng: Words) -> "Position":
        """This view of the player's made whole: uniformly among the deals that fit it."""
        whole = self.copy()
        self.game.steps.redeal_in(whole.array, player, rng)
        return whole

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or self.game != other.game:
            return False
        # most that are equal are so in all their bytes, which takes a tenth of the time to find out
        return self.tobytes() == other.tobytes() or self.content() == other.content()

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}: {self.game.notation.position_to_string(self.raw)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bytes: the class of the array's elements is made anew in each process."""
        return Position.from_bytes, (self.game, self.tobytes())


@dataclass(frozen=True, eq=False)
class InformationState:
    """A seat's view of a position and the actions so far as that seat has seen them. It can be pickled."""

    player: int
    view: Position
    """Concealed from all but this player."""
    seen: tuple[int, ...]
    real: bool = False
    """True when it was made from a whole position, so that a deal fits it; others are checked before they are used."""

    @property
    def game(self) -> "Game":
        """The game that is played."""
        return self.view.game

    def redeal(self, rng: Words) -> Position:
        """A whole position that the player cannot tell from the real one, uniformly among the deals that fit."""
        return self.view.redeal(self.player, rng)
