"""Positions of a game, complete or concealed, and the knowledge of a seat: the input of agents and searches."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoteca.core.contract import SPECTATOR, Integers, RawPosition, RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.game import Game


class Position:
    """One position in the layout of the game's rules, without its history.

    It is complete, secrets included, or it contains only what one player knows, and zeros in all other fields (`conceal`).
    The methods are those of `core.contract.Rules`, interpreted or compiled like the game. They allocate the arrays that the
    rules need.
    """

    __slots__ = ("array", "game")

    array: RawPositions
    """An array with the raw position as its only element, as bindings take it (`Game.bind`)."""

    def __init__(self, game: "Game", array: RawPositions) -> None:
        self.game = game
        self.array = array

    @classmethod
    def from_bytes(cls, game: "Game", content: bytes) -> "Position":
        """Return the position that `tobytes` wrote."""
        return cls(game, np.ndarray(1, game.dtype, bytearray(content)))

    @property
    def raw(self) -> RawPosition:
        """The raw position, for rules and notation. It is a view into `array`, not a copy."""
        return self.array[0]

    def tobytes(self) -> bytes:
        """Return the bytes of the position."""
        return self.array.tobytes()

    def content(self) -> bytes:
        """Return the bytes of the position, with zeros in fields that may differ between equal positions (DERIVED)."""
        if not self.game.rules.DERIVED:
            return self.tobytes()
        known: bytes = (self.array.view(np.uint8) & self.game.content_mask).tobytes()
        return known

    def copy(self) -> "Position":
        """Return a copy with its own memory. NumPy's `copy` goes field by field and takes ten times as long."""
        return Position.from_bytes(self.game, self.array.tobytes())

    # the contract

    def deal(self, rng: Words) -> None:
        """Deal, in a position that has only been set up."""
        self.game.steps.deal_in(self.array, rng)

    def current_player(self) -> int:
        """Return the player to move, from 0, or TERMINAL when the game is over."""
        return int(self.game.steps.current_player_in(self.array))

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return bool(self.game.steps.is_terminal_in(self.array))

    def legal_actions(self) -> Integers:
        """Return the legal actions, sorted. There are none when the game is over."""
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
        """Return the legal actions that do not spoil the game, sorted. Agents with heuristics or a search consider only
        these.
        """
        legal, spoils = self.choices(), getattr(self.game.rules, "spoils", None)
        return legal if spoils is None else legal[[not spoils(self.raw, action) for action in legal.tolist()]]

    def random_action(self, rng: Words) -> int:
        """Return a uniformly random legal action, except the one that gives up. The game must not be over."""
        return int(self.game.steps.random_action_in(self.array, rng))

    def apply(self, action: int) -> tuple[int, ...]:
        """Play an action. Return the action as the spectator and then each player sees it.

        Return an empty tuple, and do not play the action, if it is not legal.
        """
        legal = np.empty(self.game.rules.MAX_LEGAL, np.int64)
        seen = np.empty(self.game.num_players() + 1, np.int64)
        return tuple(seen.tolist()) if self.game.steps.apply_in(self.array, action, legal, seen) else ()

    def scores(self) -> list[int]:
        """Return the points of the game's own rules, one number for each player."""
        out = np.zeros(self.game.num_players(), np.int64)
        self.game.steps.scores_in(self.array, out)
        return out.tolist()

    def winners(self) -> list[int]:
        """Return the players who share the win. There are none while the game goes on, and if it is void."""
        won = int(self.game.steps.winners_in(self.array))
        return [player for player in range(self.game.num_players()) if won >> player & 1]

    def begins_turn(self) -> bool:
        """Return True if the mover has not moved yet in this turn. It is always True if each turn has a single move."""
        return not self.game.turns_have_moves() or bool(self.game.rules.begins_turn(self.raw))

    def seen_action(self, action: int, player: int) -> int:
        """Return the action as the player would see it if it were played now. Use SPECTATOR for a spectator."""
        return int(self.game.steps.seen_action_in(self.array, action, player))

    def conceal(self, player: int) -> "Position":
        """Return a player's view, or a spectator's for -1. Raises ValueError for a player that the game does not have."""
        if not SPECTATOR <= player < self.game.num_players():
            raise ValueError(f"player {player}: expected -1 (a spectator) to {self.game.num_players() - 1}")
        view = Position(self.game, self.game.new_array())
        self.game.steps.conceal_in(self.array, player, view.array)
        return view

    def redeal(self, player: int, rng: Words) -> "Position":
        """Return a complete position for this view of the player, uniformly among the deals that fit it."""
        whole = self.copy()
        self.game.steps.redeal_in(whole.array, player, rng)
        return whole

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position) or self.game != other.game:
            return False
        # most equal positions have equal bytes, and comparing those takes a tenth of the time
        return self.tobytes() == other.tobytes() or self.content() == other.content()

    def __repr__(self) -> str:
        return f"<Position of {self.game.name}: {self.game.notation.position_to_string(self.raw)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the bytes, because each process makes its own class of the array's elements."""
        return Position.from_bytes, (self.game, self.tobytes())


@dataclass(frozen=True, eq=False)
class InformationState:
    """A player's view of a position and the actions so far as that player saw them. It can be pickled."""

    player: int
    view: Position
    """Concealed from all but this player."""
    seen: tuple[int, ...]
    real: bool = False
    """True if it was made from a complete position, so that a deal fits it. Others are checked before they are used."""

    @property
    def game(self) -> "Game":
        return self.view.game

    def redeal(self, rng: Words) -> Position:
        """Return a complete position that looks the same to the player, uniformly among the deals that fit."""
        return self.view.redeal(self.player, rng)
