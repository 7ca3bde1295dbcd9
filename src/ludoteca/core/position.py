"""Positions of a game, and the knowledge that a seat has of a position, from which agents and searches choose
their actions.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoteca.core.contract import SPECTATOR, Integers, RawPosition, RawPositions, Words

if TYPE_CHECKING:
    from ludoteca.core.game import Game


class Position:
    """One position of a game, without its history. It is complete, hidden cards included, or it is concealed: it then has
    only the knowledge of one player, and zeros in all other fields (`conceal`).

    The methods are the functions of the game's rules (`core.contract.Rules`), interpreted or compiled like the game. They
    allocate the arrays that the rules need, and return Python values.
    """

    __slots__ = ("array", "game")

    array: RawPositions
    """An array with the raw position as its only element, as bindings take it (`Game.bind`)."""

    def __init__(self, game: "Game", array: RawPositions) -> None:
        self.game = game
        self.array = array

    @classmethod
    def from_bytes(cls, game: "Game", content: bytes) -> "Position":
        """Return the position from the bytes that `tobytes` returned."""
        return cls(game, np.ndarray(1, game.dtype, bytearray(content)))

    @property
    def raw(self) -> RawPosition:
        """The position as an element of `array`, as rules and notation take it. It is a view into that array, not a copy."""
        return self.array[0]

    def tobytes(self) -> bytes:
        """Return the bytes of the position in memory, from which `from_bytes` makes an equal position."""
        return self.array.tobytes()

    def content(self) -> bytes:
        """Return the bytes of the position, but zeros in the fields that may differ between equal positions, such as the
        order of a list (`Rules.DERIVED`). Equal positions have equal bytes.
        """
        if not self.game.rules.DERIVED:
            return self.tobytes()
        known: bytes = (self.array.view(np.uint8) & self.game.content_mask).tobytes()
        return known

    def copy(self) -> "Position":
        """Return a copy with memory that it does not share. It does not use NumPy's `copy`, which goes field by field and
        takes ten times as long.
        """
        return Position.from_bytes(self.game, self.array.tobytes())

    # the contract

    def deal(self, rng: Words) -> None:
        """Make all random choices of the game with the generator `rng`. The position must be one that has been set up but
        not dealt (`Game.prepared`).
        """
        self.game.steps.deal_in(self.array, rng)

    def current_player(self) -> int:
        """Return the player to move, from 0, or TERMINAL (-4) when the game is over."""
        return int(self.game.steps.current_player_in(self.array))

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return bool(self.game.steps.is_terminal_in(self.array))

    def legal_actions(self) -> Integers:
        """Return the legal actions in ascending order. When the game is over, the array is empty."""
        out = np.empty(self.game.rules.MAX_LEGAL, np.int64)
        legal = out[: self.game.steps.legal_actions_in(self.array, out)]
        legal.sort()
        return legal

    def choices(self) -> Integers:
        """Return the legal actions in ascending order, without the action that gives up."""
        legal = self.legal_actions()
        kept: Integers = legal[legal != self.game.rules.CONCEDE]
        return kept

    def candidates(self) -> Integers:
        """Return the legal actions that an agent with heuristics or a search considers, in ascending order. Giving up is not
        among them, and neither are actions that end the game without a winner, or let the next players do so
        (`core.contract.Spoiling`).
        """
        legal, spoils = self.choices(), getattr(self.game.rules, "spoils", None)
        return legal if spoils is None else legal[[not spoils(self.raw, action) for action in legal.tolist()]]

    def random_action(self, rng: Words) -> int:
        """Return a legal action, drawn by `rng` with equal chances, but never the one that gives up. The game must not be
        over.
        """
        return int(self.game.steps.random_action_in(self.array, rng))

    def apply(self, action: int) -> tuple[int, ...]:
        """Play an action if it is legal. Return the action as the spectator sees it, and then as each player sees it.

        If the action is not legal, the position does not change, and the result is an empty tuple.
        """
        legal = np.empty(self.game.rules.MAX_LEGAL, np.int64)
        seen = np.empty(self.game.num_players() + 1, np.int64)
        return tuple(seen.tolist()) if self.game.steps.apply_in(self.array, action, legal, seen) else ()

    def scores(self) -> list[int]:
        """Return the points by the game's own rules, one number for each player."""
        out = np.zeros(self.game.num_players(), np.int64)
        self.game.steps.scores_in(self.array, out)
        return out.tolist()

    def winners(self) -> list[int]:
        """Return the players who share the win. The list is empty while the game goes on, and after a game that is void."""
        won = int(self.game.steps.winners_in(self.array))
        return [player for player in range(self.game.num_players()) if won >> player & 1]

    def begins_turn(self) -> bool:
        """Return True if the player to move has not yet made a move in this turn. If each turn is a single move, it is
        always True.
        """
        return not self.game.turns_have_moves() or bool(self.game.rules.begins_turn(self.raw))

    def seen_action(self, action: int, player: int) -> int:
        """Return the number under which `player` would see the action if it were played now, such as a drawn card without
        its face. Use SPECTATOR for a spectator.
        """
        return int(self.game.steps.seen_action_in(self.array, action, player))

    def conceal(self, player: int) -> "Position":
        """Return the knowledge of `player`, or of a spectator for -1, as a concealed position. Raises ValueError if the game
        has no such player.
        """
        if not SPECTATOR <= player < self.game.num_players():
            raise ValueError(f"player {player}: expected -1 (a spectator) to {self.game.num_players() - 1}")
        view = Position(self.game, self.game.new_array())
        self.game.steps.conceal_in(self.array, player, view.array)
        return view

    def redeal(self, player: int, rng: Words) -> "Position":
        """Return a complete position that fits this view, drawn by `rng` with equal chances. This position must be the view
        of `player`.
        """
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
        """Pickle the position as its bytes, because each process makes the class of the array's elements again."""
        return Position.from_bytes, (self.game, self.tobytes())


@dataclass(frozen=True, eq=False)
class InformationState:
    """The knowledge of one player: the concealed position, and all actions so far as that player saw them. Agents and
    searches receive it. It can be pickled.
    """

    player: int
    view: Position
    """The position with only the knowledge of `player`."""
    seen: tuple[int, ...]
    real: bool = False
    """True if it was made from a complete position, so that a deal fits. If False, searches first check that one does."""

    @property
    def game(self) -> "Game":
        return self.view.game

    def redeal(self, rng: Words) -> Position:
        """Return a complete position that looks the same to the player, drawn by `rng` with equal chances from those that
        fit.
        """
        return self.view.redeal(self.player, rng)
