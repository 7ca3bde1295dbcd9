"""What a game's `rules.py` holds: plain functions over one element of a NumPy array, run interpreted or compiled.

`Rules` is the contract in words. Generic kernels (playouts, steps; later search) import the names below for the type
checker only: `core.native` gives them the functions of the game they are bound to.

Rules read like Python and run like C when they keep to this:

1. Fields are signed, packed, and wide enough for every value they ever hold; arithmetic is done in 64 bits: `i64(field)`
   before a narrow field is added, multiplied or shifted.
2. Arrays are hoisted (`owner = state.owner`): reading a field is slow where rules are interpreted.
3. Bit sets are non-negative 64-bit numbers. Unsigned numbers are for the generator and for `index(...)`, which spares
   compiled code the test for negative indices; the two kinds never meet in one expression.
4. A whole array is copied as a field, `view.owner = state.owner`: `view.owner[:] = ...` takes seconds to compile.
   No negative or out-of-range index: compiled code does not check, interpreted code does.
5. Constants are module globals: numbers, tuples of numbers, read-only arrays. No closures, dicts, strings, exceptions, and
   no new arrays. A literal argument, `draw(rng, 2)`, has the function compiled once more for it; `i64(2)` has not.
6. No bools are added. Functions with an early return of one kind return that kind everywhere.
"""

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

import numpy as np

RawPosition: TypeAlias = Any
"""A position as rules take it, whole or concealed (`core.position` wraps it): an element of an array of `STATE`."""
RawPositions: TypeAlias = np.ndarray[Any, np.dtype[np.void]]  # npt.NDArray, without what numpy.typing imports
"""An array of raw positions, or of other structures with named fields."""
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
"""A random number generator's state: four 64-bit words, see `core.rng`."""
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]

i64 = cast(Callable[[Any], int], np.int64)
index = cast(Callable[[Any], int], np.uint64)

TERMINAL: Final = -4
"""What `current_player` gives when the game is over (OpenSpiel's number)."""
SPECTATOR: Final = -1
"""The player number of a spectator."""


class Rules(Protocol):
    """A module of rules. Players, actions and scores are 64-bit integers; players count from 0."""

    STATE: np.dtype[Any]
    """The layout of a raw position: packed, every byte in a field."""
    ACTIONS: int
    """Actions are 0 .. ACTIONS - 1; 0 when they are sparse (sets of cards)."""
    CONCEDE: int
    """The action that gives up, which random playouts never choose; -1 where a game has none."""
    MAX_LEGAL: int
    """No state has more legal actions."""
    MAX_MOVES: int
    """No game is longer, counted in actions."""
    UTILITY: str
    """`"win"`: the winners share 1; `"points"`: the returns are the scores, as they always are of one who plays alone."""
    MAX_SCORE: int
    """No score is higher; none is below 0."""
    DERIVED: tuple[str, ...]
    """The fields that equal states may differ in: the order of lists, caches."""

    # `setup(state, ...)` takes the game's own parameters by name, so it has no one signature: everything but chance,
    # on a raw position of zeros, once a game.

    @staticmethod
    def deal(state: RawPosition, rng: Words) -> None:
        """All chance there is, on a copy of the position that `setup` prepared."""

    @staticmethod
    def current_player(state: RawPosition) -> int:
        """The player to move, or TERMINAL."""

    @staticmethod
    def legal_actions(state: RawPosition, out: Integers) -> int:
        """Write the legal actions to `out`, each once, in any order; give their number, 0 when terminal."""

    @staticmethod
    def random_action(state: RawPosition, rng: Words) -> int:
        """A playout's action: uniform over the legal actions less CONCEDE."""

    @staticmethod
    def apply(state: RawPosition, action: int) -> None:
        """Play a legal action: the caller has checked it."""

    @staticmethod
    def is_terminal(state: RawPosition) -> bool:
        """True when the game is over."""

    @staticmethod
    def scores(state: RawPosition, out: Integers) -> None:
        """Write the document's own points to `out`, one number a player."""

    @staticmethod
    def winners(state: RawPosition) -> int:
        """The bit set of those who share the win; 0 while playing, and when the game is void."""

    @staticmethod
    def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
        """Copy what `player` may know to a view of zeros: a white list, field by field. SPECTATOR for a spectator.

        So zero means hidden, or nothing there, in every field that may be hidden: cards, for one, are numbered from 1.
        """

    @staticmethod
    def redeal(state: RawPosition, player: int, rng: Words) -> None:
        """Make a whole state of `player`'s view, uniformly among the deals that fit it."""

    @staticmethod
    def seen_action(state: RawPosition, action: int, player: int) -> int:
        """The action as `player` sees it, in the state in which it is played."""


class Policy(Protocol):
    """A module that chooses the actions of playouts in place of `random_action`."""

    @staticmethod
    def playout_action(state: RawPosition, rng: Words) -> int:
        """A legal action, never CONCEDE."""


class Heuristics(Policy, Protocol):
    """A game's `heuristics.py`: what a player who knows the game looks at first. Compiled like rules, and as strict.

    Constants may say how to search this game: `WIDEN` how far to trust `action_values` (a search looks at the best
    1 + WIDEN * sqrt(visits) actions; 4, if it is not there), `EXPLORE` UCB1's constant (0.7), `EXPAND_AT` at how many visits
    a node gets children (4).
    """

    @staticmethod
    def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
        """Write to `out` how good each of the first `count` actions, all legal, looks to the mover: higher is better.

        Equal values are a toss-up. They depend on nothing that the mover may not know.
        """


class Endgame(Protocol):
    """A game's `endgame.py`: what exact play needs where two sides are left (`search.exact`). Compiled like rules.

    The solver plays a position on and on; `player` is the side it plays for, all others are the other side. It may be
    given a concealed position, and then plays as that has it: see `tells_actions`.
    """

    @staticmethod
    def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
        """Write to `out` how early each of the first `count` actions is to be tried: higher is earlier."""

    @staticmethod
    def endgame_size(state: RawPosition) -> int:
        """How much is left: about 2 to this power positions have to be looked at; -1 where exact play does not apply."""

    @staticmethod
    def position_key(state: RawPosition) -> int:
        """A number of 63 bits: positions with equal keys, of one game, have the same legal actions and the same gains.

        A gain is the advantage at the end less the advantage now.
        """

    @staticmethod
    def advantage(state: RawPosition, player: int) -> int:
        """How far the player is ahead, -2^30 to 2^30.

        At the end it is higher the better the player likes the result, and then the other side likes it less; in a game for
        wins, a win is above 0, and a shared one is 0.
        """

    @staticmethod
    def most_gain(state: RawPosition, player: int) -> int:
        """A bound: from here the player's advantage grows by no more than this."""

    @staticmethod
    def most_loss(state: RawPosition, player: int) -> int:
        """A bound: from here the player's advantage shrinks by no more than this."""

    @staticmethod
    def tells_actions(state: RawPosition) -> bool:
        """False when the position is concealed and the mover may have actions that `legal_actions` does not find in it."""


FUNCTIONS: Final = tuple(name for name, value in vars(Rules).items() if isinstance(value, staticmethod))
CONSTANTS: Final = tuple(name for name in vars(Rules)["__annotations__"])
HEURISTICS: Final = ("playout_action", "action_values")
"""The first of them makes a policy."""
ENDGAME: Final = tuple(
    name for name, value in vars(Endgame).items() if isinstance(value, staticmethod) and name not in HEURISTICS
)
"""What a module has besides `action_values` if exact play is to be bound to it."""

if TYPE_CHECKING:
    _rules = cast(Rules, None)
    _heuristics = cast(Heuristics, None)
    _endgame = cast(Endgame, None)
    deal = _rules.deal
    current_player = _rules.current_player
    legal_actions = _rules.legal_actions
    random_action = _rules.random_action
    apply = _rules.apply
    is_terminal = _rules.is_terminal
    scores = _rules.scores
    winners = _rules.winners
    conceal = _rules.conceal
    redeal = _rules.redeal
    seen_action = _rules.seen_action
    CONCEDE = _rules.CONCEDE
    UTILITY = _rules.UTILITY
    playout_action = _heuristics.playout_action
    action_values = _heuristics.action_values
    endgame_size = _endgame.endgame_size
    position_key = _endgame.position_key
    advantage = _endgame.advantage
    most_gain = _endgame.most_gain
    most_loss = _endgame.most_loss
    tells_actions = _endgame.tells_actions


@cache
def struct_dtype(layout: "np.dtype[Any]") -> "np.dtype[Any]":
    """The dtype of arrays of that layout whose elements have their fields as attributes, as they are in compiled code.

    `np.record` has attributes too, and takes ten times as long to read one.
    """
    fields = {name: property(itemgetter(name), _setter(name)) for name in layout.names or ()}
    return np.dtype((type("Element", (np.void,), {"__slots__": (), **fields}), layout))


def _setter(name: str) -> Callable[[Any, Any], None]:
    def store(element: Any, value: Any) -> None:
        element[name] = value

    return store


def missing(rules: ModuleType) -> list[str]:
    """The names of the contract that a module of rules lacks."""
    return [name for name in ("setup", *FUNCTIONS, *CONSTANTS) if not hasattr(rules, name)]
