"""What a game's `rules.py` holds: plain functions over one element of a NumPy array, run interpreted or compiled.

`Rules` is the contract in words. Generic modules (playouts, steps, search) import the names below for the type checker
only: `core.native` gives them the functions of the game to which they are bound.

Rules read like Python and run like C when they keep to this:

1. Fields are signed, packed, and wide enough for every value they ever hold; arithmetic is done in 64 bits: `i64(cell)`
   before a cell of a narrow array is added, multiplied or shifted. (Single numbers are read with 64 bits either way.)
2. Arrays are hoisted (`owner = state.owner`): reading a field is slow where rules are interpreted.
3. Bit sets are non-negative signed 64-bit numbers. Unsigned numbers are for the generator and for `index(...)`, which
   spares compiled code the test for negative indices; signed and unsigned numbers never meet in one expression.
4. A whole array is copied as a field, `view.owner = state.owner`: `view.owner[:] = ...` takes seconds to compile.
   No index is negative or out of range: interpreted code checks, compiled code does not.
5. Constants are module globals: numbers, tuples of numbers, read-only arrays. There are no closures, dicts, strings,
   exceptions or new arrays. Numba compiles a function again for each literal argument: write `draw(rng, i64(2))`.
6. Bools are not added. A function returns values of one type, early returns included.
"""

from collections.abc import Callable
from inspect import get_annotations
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, cast

import numpy as np

RawPosition: TypeAlias = Any
"""A position as rules take it, whole or concealed: an element of an array of `STATE`. `core.position` wraps it."""
RawPositions: TypeAlias = np.ndarray[Any, np.dtype[np.void]]  # npt.NDArray, without what numpy.typing imports
"""An array of raw positions, or of other structures with named fields."""
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
"""The state of a random number generator: four 64-bit words, see `core.rng`."""
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

i64 = cast(Callable[[Any], int], np.int64)
index = cast(Callable[[Any], int], np.uint64)

TERMINAL: Final = -4
"""What `current_player` gives when the game is over (OpenSpiel's number)."""
SPECTATOR: Final = -1
"""The player number of a spectator."""


BY_RESULTS: Final = -2
"""In place of an action of an opponent's: the search is to choose it (`Opponents`)."""


class Rules(Protocol):
    """A module of rules. Players, actions and scores are 64-bit integers; players count from 0."""

    STATE: np.dtype[Any]
    """The layout of a raw position: packed, every byte in a field."""
    ACTIONS: int
    """Actions are 0 .. ACTIONS - 1; 0 when they are sparse (sets of cards)."""
    CONCEDE: int
    """The action that gives up, which random playouts never choose; -1 where a game has none."""
    MAX_LEGAL: int
    """No position has more legal actions."""
    MAX_MOVES: int
    """No game has more actions."""
    UTILITY: str
    """`"win"`: the winners share 1; `"points"`: the returns are the scores, as they always are for a single player."""
    MAX_SCORE: int
    """No score is higher."""
    MIN_SCORE: int = 0
    """No score is lower; it is 0 in rules that do not say, and never above 0."""
    DERIVED: tuple[str, ...]
    """The fields in which equal positions may differ: the order of lists, caches."""

    # `setup(state, ...)` takes the game's own parameters by name, so it has no fixed signature. It does everything but
    # chance, on a raw position of zeros, once a game.

    @staticmethod
    def deal(state: RawPosition, rng: Words) -> None:
        """Deal: everything that is left to chance, on a copy of the position that `setup` prepared.

        Chance that comes later (a card drawn in play) is dealt here too: as an order, or as the words of a generator in
        the position, which `conceal` keeps back and `redeal` draws anew.
        """

    @staticmethod
    def current_player(state: RawPosition) -> int:
        """The player to move, or TERMINAL."""

    @staticmethod
    def legal_actions(state: RawPosition, out: Integers) -> int:
        """Write the legal actions to `out`, each once, in any order; return their number, 0 when the game is over."""

    @staticmethod
    def random_action(state: RawPosition, rng: Words) -> int:
        """A random action for playouts: uniform over the legal actions less CONCEDE."""

    @staticmethod
    def apply(state: RawPosition, action: int) -> None:
        """Play an action. The caller has checked that it is legal."""

    @staticmethod
    def is_terminal(state: RawPosition) -> bool:
        """True when the game is over."""

    @staticmethod
    def scores(state: RawPosition, out: Integers) -> None:
        """Write the points of the game's own rules to `out`, one number a player."""

    @staticmethod
    def winners(state: RawPosition) -> int:
        """The bit set of the players who share the win; 0 while the game goes on, and when it is void."""

    @staticmethod
    def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
        """Copy what `player` (or SPECTATOR) may know to a view of zeros: a white list, field by field.

        So zero means hidden, or nothing there, in every field that may be hidden: number cards from 1, for example.
        """

    @staticmethod
    def redeal(state: RawPosition, player: int, rng: Words) -> None:
        """Make a whole position of `player`'s view, uniformly among the deals that fit it."""

    @staticmethod
    def seen_action(state: RawPosition, action: int, player: int) -> int:
        """The action as `player` sees it, in the position in which it is played."""


class Turns(Protocol):
    """A function of `rules.py` for games in which a player makes several moves in a row that belong together: a turn.

    An agent then has one budget for a whole turn. Playouts that the learned value cuts short go on to the end of a turn.
    """

    @staticmethod
    def begins_turn(state: RawPosition) -> bool:
        """Return True if the mover has not moved yet in this turn. It depends on common knowledge only."""
        return True


class Checks(Protocol):
    """A function of `rules.py` for games in which all players see every action as it is: `seen_action` returns the action.

    A search with hidden information then checks the few actions that it knows in a position, and does not list all. It
    calls the function only if the constant ALLOWS is true.
    """

    @staticmethod
    def allows(state: RawPosition, action: int) -> bool:
        """Return True if this action, which is legal in some position of the same game, is legal here."""
        return True


class Spoiling(Protocol):
    """A function of `rules.py` for games in which one player can end the game without a winner.

    A search of a game with perfect information does not call it, so such a game has none.
    """

    @staticmethod
    def spoils(state: RawPosition, action: int) -> bool:
        """Return True if this legal action ends the game without a winner, or leaves that to the next players.

        Agents that go by heuristics or search never choose such an action. Another action is always legal.
        """
        return False


class Policy(Protocol):
    """A module that chooses the actions of playouts. Without one, `random_action` chooses them."""

    @staticmethod
    def playout_action(state: RawPosition, rng: Words) -> int:
        """Return a legal action, never CONCEDE."""
        return random_action(state, rng)


class Heuristics(Policy, Protocol):
    """A game's `heuristics.py`: what a player who knows the game looks at first. It is compiled, and written like rules.

    Constants may say how to search this game. `WIDEN` is how far to trust `action_values`: a search looks at the best
    1 + WIDEN * sqrt(visits) actions (4 by default). `EXPLORE` is UCB1's constant (0.7), and `EXPAND_AT` is the number of
    visits at which a node gets children (4). `CUT` is the number of actions of a playout after which the learned value is
    asked, where the game has one (-1: never): at the end of a turn, if turns have several moves. `RAVE`, where nothing is
    hidden and actions have numbers, lets an action's results later in a simulation count too, as long as it has been tried
    less than about 1 / RAVE times (0: not at all). With `TRUST` the values of actions are expected results, in UNITs of a
    point or a win: they count as so many visits when the search chooses, by the means less CAUTION / sqrt(visits) (0: the
    choice is what was visited most). A function `constants(parameters)`, which is not compiled, may give the numbers for
    some parameters, by these names; they go first.
    """

    @staticmethod
    def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
        """Write to `out` how good each of the first `count` actions, all legal, looks to the mover: higher is better.

        Among equal values chance decides. Values depend only on the mover's knowledge.
        """
        for i in range(count):
            out[i] = 0


class Attention(Protocol):
    """A function that a game's `heuristics.py` may also hold, for levels that overlook actions. It is not compiled."""

    @staticmethod
    def is_obvious(state: RawPosition, action: int) -> bool:
        """Return True for a legal action that no player overlooks, such as playing the last card.

        It depends only on the mover's knowledge.
        """


class Opponents(Protocol):
    """A function of a game's `heuristics.py`: how the opponents choose in the tree of a search with hidden information."""

    @staticmethod
    def opponent_action(state: RawPosition, rng: Words) -> int:
        """Return the action of the mover, an opponent of the searching player, in a deal that fits that player's knowledge.

        It is a legal action, never CONCEDE, that depends only on the mover's knowledge. Or it is BY_RESULTS: then the search
        chooses for the mover by the results in its tree. The tree is one for all deals, so opponents who choose by results
        know nothing of their own hands.
        """
        return BY_RESULTS


class Endgame(Protocol):
    """A game's `endgame.py`: what exact play needs where two sides are left (`search.exact`). It is compiled like rules.

    The solver tries all ways to play on; `player` is the side for which it plays, all others are the other side. It may be
    given a concealed position, and then plays what is legal in that: see `tells_actions`.
    """

    @staticmethod
    def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
        """Write to `out` how early each of the first `count` actions should be tried: higher is earlier."""

    @staticmethod
    def endgame_size(state: RawPosition) -> int:
        """The binary logarithm of how many positions have to be looked at; -1 where exact play does not apply."""

    @staticmethod
    def position_key(state: RawPosition) -> int:
        """A number of 63 bits: positions with equal keys, of one game, have the same legal actions and the same gains.

        A gain is the advantage at the end less the advantage now. In `solving.py`, which a game may have beside this module
        for solving it from the beginning (`search.proof`), a symmetry may stand between the legal actions.
        """

    @staticmethod
    def advantage(state: RawPosition, player: int) -> int:
        """How far the player is ahead, -2^30 to 2^30.

        At the end it is higher the better the result is for the player, and the worse it is for the other side; in a game
        for wins, a win is above 0, and a shared one is 0.
        """

    @staticmethod
    def most_gain(state: RawPosition, player: int) -> int:
        """A bound: from here on the player's advantage grows by no more than this."""

    @staticmethod
    def most_loss(state: RawPosition, player: int) -> int:
        """A bound: from here on the player's advantage shrinks by no more than this."""

    @staticmethod
    def tells_actions(state: RawPosition) -> bool:
        """False when the position is concealed and the mover may have actions that `legal_actions` does not find in it."""


class FeatureFunctions(Protocol):
    """A game's `features.py`: what a learner sees, and dense numbers for what it may do. It is compiled like rules.

    It holds `layout(parameters)` besides, which is not compiled and says what the planes and numbers are called and how many
    actions are numbered (`core.features.FeatureLayout`).

    Numbers of actions go from 0 up; the action that gives up has none. Where a game has more actions than a learner can
    weigh, one number stands for several of them, or some have none; but a position with an action to choose has a number to
    choose. What a number stands for depends on nothing that the mover may not know.
    """

    @staticmethod
    def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
        """Write what `player` (or SPECTATOR) knows: planes of rows of cells, one after another, and numbers. Both are zero.

        The position may be whole or concealed from all but this player, and the same is written for both. Players come in
        turn order from this one on; for a spectator, from the first.
        """

    @staticmethod
    def action_mask(state: RawPosition, out: Bytes) -> None:
        """Write 1 to `out`, which is zero, at each number that stands for a legal action of the mover."""

    @staticmethod
    def encode_action(state: RawPosition, action: int) -> int:
        """The number that stands for a legal action; -1 if it has none."""

    @staticmethod
    def decode_action(state: RawPosition, number: int) -> int:
        """The legal action for which a number from 0 to `actions` - 1 stands; -1 if it stands for none."""


class Value(Protocol):
    """A game's `value.py`: what a value learned from self-play looks at. It is compiled like rules.

    A player's sum in a position is that of the weights of the features that are active for that player. It means:

    - in games for wins between two, for the player to move: the logarithm of the odds of winning. Nobody looks at the
      other player's features then;
    - between more, the chances of the players are in proportion to the exponentials of their sums;
    - in games for points, and where one plays alone: the points that are still to come, besides those of `scores`.

    The position is whole, as searches deal what is hidden anew before they look at it.

    The module holds `weights(parameters)` besides, which is not compiled: the name of the weights for a game of these
    parameters, `weights/NAME.npz` in the game's folder; the empty text for a game that is searched without a value. And it
    may hold `sharing()`, not compiled: for each feature the number of its weight, an array of int64, (FEATURES,), where
    features share weights, such as those that a symmetry makes of each other. `core.value` loads the weights.

    With `sums_after`, self-play values all actions of a position at once, and plays none of them to see. With `state_key`,
    too, games for wins between two with nothing hidden are searched by iterative deepening (`search.deepening`) and not by
    playouts.

    Two constants may tell self-play more (`ludoteca train`): `KNOWN`, the weights that are known and not learned, by their
    numbers; and, in games for points and where one plays alone, `ENDS: True` where chance may end the game before the next
    action. Features are active in ends, too, then, and learned from, so that the value is what may be expected before chance
    has its turn.
    """

    FEATURES: int
    """Features are 0 .. FEATURES - 1."""
    ACTIVE: int
    """No position has more active features for a player; one that is active several times counts several times."""

    @staticmethod
    def active_features(state: RawPosition, player: int, out: Integers) -> int:
        """Write the features that are active for a player in a position that is not terminal. Return their number.

        It is -1 for a player who cannot win any more.
        """
        return 0

    @staticmethod
    def state_key(state: RawPosition) -> int:
        """Return a number of 63 bits. Positions of one game with equal keys have equal sums, legal actions and futures."""
        return 0

    @staticmethod
    def sums_after(
        state: RawPosition, actions: Integers, count: int, enough: float, weights: Floats, scratch: Integers, out: Floats
    ) -> int:
        """Write what the mover may expect after each of the first `count` actions, all legal; return how many were valued.

        In games for wins between two that is the sum of the weights active for the player who moves next, negated if this
        is the other one; plus or minus infinity where the action ends the game, and 0 where the win is then shared. In games
        for points, and where one plays alone, it is the sum and the points, less what is the same after all actions. Valuing
        may stop at the first action that is worth `enough`. `scratch` has room for ACTIVE numbers.
        """
        return 0


class PolicyOptions(Protocol):
    """A game's `options.py`: what a policy learned from games of searches looks at. It is compiled like rules.

    The mover's options are what the policy tells apart, an action for each. How likely a strong player takes one is a
    softmax of sums, each of the weights of the features that are active for the option. `ludoteca train` learns the weights,
    `weights/policy.npz` in the game's folder, for a game that has this module and no value; heuristics play by them as
    they like.

    The module has the heuristics' `action_values`, too, so that strength is measured by them.
    """

    FEATURES: int
    """Features are 0 .. FEATURES - 1."""
    ACTIVE: int
    """No option has more active features."""
    BEFORE: str
    """The module of the game's folder with heuristics that know nothing of the policy: searches by it are learned from."""

    @staticmethod
    def list_options(state: RawPosition, actions: Integers, active: Integers) -> int:
        """Write the mover's options, an action for each, and ACTIVE features for each, -1 after the last one.

        Return their number, which is 1 where the policy does not choose.
        """

    @staticmethod
    def option_of(state: RawPosition, action: int, actions: Integers, count: int) -> int:
        """The option, of these, that stands for a legal action; -1 for an action that none stands for."""


class FunctionGroup(NamedTuple):
    """The functions of one protocol, as generic modules receive them."""

    protocol: type[Any]
    sources: tuple[str, ...]
    """Fields of `native.Modules`. The functions come from the first of these modules that is bound."""
    required: tuple[str, ...] = ()
    """Functions that the first of `sources` must have once it is bound."""
    has_defaults: bool = True
    """True if the bodies in the protocol stand for missing functions. Else only games with these functions are bound to
    generic modules that call them."""

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the protocol's functions."""
        return tuple(name for name, value in vars(self.protocol).items() if isinstance(value, staticmethod))


GROUPS: Final = (
    FunctionGroup(Rules, ("rules",), has_defaults=False),
    FunctionGroup(Turns, ("rules",)),
    FunctionGroup(Checks, ("rules",)),
    FunctionGroup(Spoiling, ("rules",)),
    FunctionGroup(Policy, ("policy",), ("playout_action",)),
    FunctionGroup(Endgame, ("values",), has_defaults=False),
    FunctionGroup(Heuristics, ("values", "policy"), ("action_values",)),
    FunctionGroup(Opponents, ("values", "policy")),
    FunctionGroup(PolicyOptions, ("values",), has_defaults=False),
    FunctionGroup(
        FeatureFunctions, ("features",), ("observe", "action_mask", "encode_action", "decode_action"), has_defaults=False
    ),
    FunctionGroup(Value, ("value",), ("active_features",)),
)
"""All functions that generic modules receive."""
CONSTANTS: Final = tuple(get_annotations(Rules))
CHECKS: Final = "ALLOWS"
"""The constant that generic modules receive: True if the rules have the function `allows`."""

if TYPE_CHECKING:
    _rules = cast(Rules, None)
    _turns = cast(Turns, None)
    _checks = cast(Checks, None)
    _spoiling = cast(Spoiling, None)
    _heuristics = cast(Heuristics, None)
    _opponents = cast(Opponents, None)
    _endgame = cast(Endgame, None)
    _features = cast(FeatureFunctions, None)
    _value = cast(Value, None)
    _options = cast(PolicyOptions, None)
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
    ACTIONS = _rules.ACTIONS
    CONCEDE = _rules.CONCEDE
    UTILITY = _rules.UTILITY
    begins_turn = _turns.begins_turn
    allows = _checks.allows
    spoils = _spoiling.spoils
    ALLOWS: bool
    playout_action = _heuristics.playout_action
    action_values = _heuristics.action_values
    opponent_action = _opponents.opponent_action
    endgame_size = _endgame.endgame_size
    position_key = _endgame.position_key
    advantage = _endgame.advantage
    most_gain = _endgame.most_gain
    most_loss = _endgame.most_loss
    tells_actions = _endgame.tells_actions
    observe = _features.observe
    action_mask = _features.action_mask
    encode_action = _features.encode_action
    decode_action = _features.decode_action
    active_features = _value.active_features
    state_key = _value.state_key
    sums_after = _value.sums_after
    list_options = _options.list_options
    option_of = _options.option_of


def missing(rules: ModuleType) -> list[str]:
    """Return the names of the contract that a module of rules lacks. Constants with a default may be left out."""
    required = ("setup", *GROUPS[0].functions, *(name for name in CONSTANTS if not hasattr(Rules, name)))
    return [name for name in required if not hasattr(rules, name)]


def min_score(rules: ModuleType) -> int:
    """The rules' MIN_SCORE, or its default."""
    return int(getattr(rules, "MIN_SCORE", Rules.MIN_SCORE))
