"""The contract of a game's `rules.py`: plain functions over one element of a NumPy array, run interpreted or compiled.

`Rules` describes each function. Generic modules (playouts, steps, search) import the names below for the type checker only.
`core.native` gives them the functions of the game to which they are bound.

Rules are readable Python and as fast as C if they follow this:

1. Fields are signed, packed, and wide enough for every value they ever hold. Arithmetic uses 64 bits: write `i64(cell)`
   before a cell of a narrow array is added, multiplied or shifted. (Single numbers are read with 64 bits in any case.)
2. Read an array field into a local variable once (`owner = state.owner`). Interpreted code reads fields slowly.
3. Bit sets are non-negative signed 64-bit numbers. Unsigned numbers are for the generator and for `index(...)`, which spares
   compiled code the test for negative indices. An expression never mixes signed and unsigned numbers.
4. Copy a whole array as a field, `view.owner = state.owner`. The form `view.owner[:] = ...` takes seconds to compile. No
   index is negative or out of range: interpreted code checks this, compiled code does not.
5. Constants are module globals: numbers, tuples of numbers, read-only arrays. There are no closures, dicts, strings,
   exceptions or new arrays. Numba compiles a function again for each literal argument: write `draw(rng, i64(2))`.
6. Do not add bools. A function returns values of one type, early returns included.
"""

from collections.abc import Callable
from inspect import get_annotations
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, cast

import numpy as np

RawPosition: TypeAlias = Any
"""A position as rules take it, complete or concealed: an element of an array of `STATE`. `core.position` wraps it."""
RawPositions: TypeAlias = np.ndarray[Any, np.dtype[np.void]]  # npt.NDArray, without what numpy.typing imports
"""An array of raw positions, or of other structures with named fields."""
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
"""The state of a random number generator: four 64-bit words (`core.rng`)."""
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

i64 = cast(Callable[[Any], int], np.int64)
index = cast(Callable[[Any], int], np.uint64)

TERMINAL: Final = -4
"""The result of `current_player` when the game is over (OpenSpiel's number)."""
SPECTATOR: Final = -1
"""The player number of a spectator."""


BY_RESULTS: Final = -2
"""In place of an opponent's action: the search chooses the action (`Opponents`)."""


class Rules(Protocol):
    """A module of rules. Players, actions and scores are 64-bit integers. Players count from 0."""

    STATE: np.dtype[Any]
    """The layout of a raw position: packed, every byte in a field."""
    ACTIONS: int
    """Actions are 0 .. ACTIONS - 1. It is 0 if actions are sparse (sets of cards)."""
    CONCEDE: int
    """The action that gives up, which random playouts never choose. It is -1 if the game has none."""
    MAX_LEGAL: int
    """The most legal actions of any position."""
    MAX_MOVES: int
    """The most actions of any game."""
    UTILITY: str
    """`"win"`: the winners share 1. `"points"`: the returns are the scores. A single player always plays for points."""
    MAX_SCORE: int
    """The highest possible score."""
    MIN_SCORE: int = 0
    """The lowest possible score, never above 0."""
    DERIVED: tuple[str, ...]
    """The fields that may differ between equal positions: the order of lists, caches."""

    # `setup(state, ...)` takes the game's own parameters by name, so it has no fixed signature. It prepares everything
    # except chance, on a raw position of zeros, once per game.

    @staticmethod
    def deal(state: RawPosition, rng: Words) -> None:
        """Make all random choices of the game with the generator `rng`, on a copy of the position that `setup` has prepared.

        Later chance, such as a card that is drawn during play, is decided here too. The position stores it as an order of
        cards, or as the words of a random number generator. `conceal` hides both, and `redeal` draws them again.
        """

    @staticmethod
    def current_player(state: RawPosition) -> int:
        """Return the player to move, or TERMINAL if the game is over."""

    @staticmethod
    def legal_actions(state: RawPosition, out: Integers) -> int:
        """Write the legal actions to `out`, each once, in any order. Return how many there are: 0 when the game is over."""

    @staticmethod
    def random_action(state: RawPosition, rng: Words) -> int:
        """Return a legal action for playouts, drawn with equal chances, but never CONCEDE."""

    @staticmethod
    def apply(state: RawPosition, action: int) -> None:
        """Play an action. The caller has checked that it is legal."""

    @staticmethod
    def is_terminal(state: RawPosition) -> bool:
        """Return True if the game is over."""

    @staticmethod
    def scores(state: RawPosition, out: Integers) -> None:
        """Write the points by the game's own rules to `out`, one number for each player."""

    @staticmethod
    def winners(state: RawPosition) -> int:
        """Return the bit set of the players who share the win. It is 0 while the game goes on, and after a void game."""

    @staticmethod
    def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
        """Copy the knowledge of `player` (or SPECTATOR), field by field, from `state` to `view`, which is all zeros.

        Only copied fields can be seen, so a forgotten field reveals nothing. Therefore zero in a field that may be hidden
        must not mean anything else: number cards from 1, for example.
        """

    @staticmethod
    def redeal(state: RawPosition, player: int, rng: Words) -> None:
        """Turn `state`, a view of `player`, into a complete position that fits it. All such positions are equally likely."""

    @staticmethod
    def seen_action(state: RawPosition, action: int, player: int) -> int:
        """Return the action as `player` sees it, in the position in which it is played.

        For example, other players see that a card was drawn, but not which one. Such a hidden action may have a number from
        ACTIONS up, which no legal action has.
        """


class Turns(Protocol):
    """A function of `rules.py` for games in which a turn consists of several moves of one player.

    An agent then has one budget for a whole turn, and playouts that end at the learned value go on to the end of a turn. If
    a player can have several turns in a row, the rules have the constant `EXTRA_TURNS = True`.
    """

    @staticmethod
    def begins_turn(state: RawPosition) -> bool:
        """Return True if the mover has not moved yet in this turn. It depends on common knowledge only."""
        return True


class Checks(Protocol):
    """An optional function of `rules.py`, for games in which every player sees every action as it is.

    With it, a search with hidden information only checks the actions that it has stored for a position, and need not list
    all legal actions. The search calls it only if the constant ALLOWS is true.
    """

    @staticmethod
    def allows(state: RawPosition, action: int) -> bool:
        """Return True if this action, which is legal in some position of the same game, is legal here."""
        return True


class Spoiling(Protocol):
    """An optional function of `rules.py`, for games in which one player can end the game without a winner.

    Games with perfect information do not need it, because their search does not call it.
    """

    @staticmethod
    def spoils(state: RawPosition, action: int) -> bool:
        """Return True if this legal action ends the game without a winner, or lets the next players do so.

        Agents with heuristics or search never choose such an action. Another action is always legal.
        """
        return False


class Policy(Protocol):
    """A module that chooses the actions of playouts. Without one, `random_action` chooses them."""

    @staticmethod
    def playout_action(state: RawPosition, rng: Words) -> int:
        """Return a legal action, never CONCEDE."""
        return random_action(state, rng)


class Heuristics(Policy, Protocol):
    """A game's `heuristics.py`: the first choices of an experienced player. It is compiled, and written like rules.

    Constants may say how to search this game. A function `constants(parameters)`, which is not compiled, may give other
    numbers for some parameters, by the same names.

    - WIDEN (4): how far to trust `action_values`. A search looks at the best 1 + WIDEN * sqrt(visits) actions.
    - EXPLORE (0.7): the constant of UCB1.
    - EXPAND_AT (4): the number of visits at which a node gets children.
    - CUT (-1: never): the number of actions of a playout after which the learned value, if any, replaces the rest of the
      playout. If turns have several moves, the playout goes on to the end of the turn.
    - RAVE (0: off): for games without hidden information whose actions have numbers. The results of an action later in a
      simulation also count, until the action has been tried about 1 / RAVE times.
    - TRUST (0: choose the most visited action): the values of actions are expected results, in UNITs of a point or a win.
      Each counts as TRUST visits in the mean result of its action. The search chooses by this mean less CAUTION /
      sqrt(visits).
    """

    @staticmethod
    def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
        """Write to `out` how good each of the first `count` legal actions looks to the mover. Higher is better.

        Equal values are ordered at random. The values must depend only on what the mover knows.
        """
        for i in range(count):
            out[i] = 0


class Attention(Protocol):
    """An optional function of a game's `heuristics.py`, for levels that overlook actions. It is not compiled."""

    @staticmethod
    def is_obvious(state: RawPosition, action: int) -> bool:
        """Return True for a legal action that even a beginner does not overlook, such as playing the last card.

        It must depend only on what the mover knows.
        """


class Opponents(Protocol):
    """A function of a game's `heuristics.py`: how the opponents choose in the tree of a search with hidden information."""

    @staticmethod
    def opponent_action(state: RawPosition, rng: Words) -> int:
        """Return the action of the mover, who is an opponent of the searching player, in one deal that fits the searching
        player's knowledge.

        It is a legal action, but never CONCEDE, and depends only on what the mover would know in this deal. It may also be
        BY_RESULTS: then the search chooses for the mover by the results in its tree. That is weaker for opponents with
        hidden cards, because all deals share one tree, so such opponents ignore their own hands.
        """
        return BY_RESULTS


class Endgame(Protocol):
    """A game's `endgame.py`: functions for exact play between two sides (`search.exact`). It is compiled like rules.

    The solver tries all continuations. `player` is the side for which it plays, and all other players are the other side.
    The position may be concealed. The solver then plays the actions that are legal in the concealed position (see
    `tells_actions`).
    """

    @staticmethod
    def action_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:
        """Write to `out` how early to search each of the first `count` actions. Actions with higher values come earlier."""

    @staticmethod
    def endgame_size(state: RawPosition) -> int:
        """Return how much work exact play is: the binary logarithm of the number of positions to examine. Return -1 if exact
        play cannot be used here.
        """

    @staticmethod
    def position_key(state: RawPosition) -> int:
        """Return a number of 63 bits for a position. Two positions of one game may have the same key only if they have the
        same legal actions and the same gains.

        A gain is the advantage at the end of the game less the advantage now.
        """

    @staticmethod
    def advantage(state: RawPosition, player: int) -> int:
        """Return how far the player is ahead, -2^30 to 2^30.

        At the end it is higher for a better result of the player and a worse result of the other side. In a game for wins, a
        win is above 0, and a shared win is 0.
        """

    @staticmethod
    def most_gain(state: RawPosition, player: int) -> int:
        """Return a number that is at least as large as any growth of the player's advantage from here to the end."""

    @staticmethod
    def most_loss(state: RawPosition, player: int) -> int:
        """Return a number that is at least as large as any fall of the player's advantage from here to the end."""

    @staticmethod
    def tells_actions(state: RawPosition) -> bool:
        """Return False if the position is concealed and the mover may have actions that `legal_actions` does not list."""


class FeatureFunctions(Protocol):
    """A game's `features.py`: observations for a learner, and dense numbers for its actions. It is compiled like rules.

    It also has `layout(parameters)`, which is not compiled. It returns the names of the planes and numbers and the count of
    numbered actions (`core.features.FeatureLayout`). `leave_out(view)` clears what observations leave out on purpose.

    Action numbers start at 0. The action that gives up has no number. If a game has more actions than a learner can
    weigh, several actions share a number, or some have none. A position with an action to choose has at least one number to
    choose. The meaning of a number depends only on the mover's knowledge.
    """

    @staticmethod
    def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
        """Write what `player` (or SPECTATOR) knows to arrays of zeros: `planes`, each row by row, and `numbers`.

        The result must be the same for a complete position and for this player's view of it. Data of players are in turn
        order, beginning with this player. For a spectator they begin with the first player.
        """

    @staticmethod
    def action_mask(state: RawPosition, out: Bytes) -> None:
        """Write 1 to `out`, which is zero, at the number of each legal action of the mover."""

    @staticmethod
    def encode_action(state: RawPosition, action: int) -> int:
        """Return the action number of a legal action, or -1 if the action has no number."""

    @staticmethod
    def decode_action(state: RawPosition, number: int) -> int:
        """Return the legal action with a number from 0 to `actions` - 1, or -1 if there is none."""


class Value(Protocol):
    """A game's `value.py`: the features of a value learned from self-play. It is compiled like rules.

    A player's sum is the sum of the weights of the player's active features. Its meaning depends on the game:

    - wins, two players: the logarithm of the mover's odds of winning. The other player's features are not used.
    - wins, more players: the players' chances are in proportion to the exponentials of their sums.
    - points, or one player: the points still to come, in addition to those of `scores`.

    The position is complete, because searches deal hidden information first.

    The module also has `weights(parameters)`, not compiled. It returns the NAME of the weights for these parameters
    (`weights/NAME.npz` in the game's folder), or the empty text for a search without a value. It may have `sharing()`, not
    compiled, for features that share weights, such as symmetric ones. It returns the number of each feature's weight, an
    array of int64, (FEATURES,). `core.value` loads the weights.

    With `sums_after`, self-play values all actions of a position at once without playing them. With `state_key` in addition,
    games for wins between two players without hidden information are searched by iterative deepening (`search.deepening`)
    instead of playouts.

    Two constants are for self-play (`ludoteca train`). `KNOWN` maps numbers of weights to fixed weights that are not
    learned. `ENDS: True` is for points or one player, if chance may end the game before the next action. Final positions
    then have features and are learned from, so the value is the expectation before the chance event.
    """

    FEATURES: int
    """Features are 0 .. FEATURES - 1."""
    ACTIVE: int
    """The most active features of a player. A feature that is active several times counts several times."""

    @staticmethod
    def active_features(state: RawPosition, player: int, out: Integers) -> int:
        """Write the numbers of the player's active features in a position that is not terminal. Return how many there are.

        Return -1 for a player who can no longer win.
        """
        return 0

    @staticmethod
    def state_key(state: RawPosition) -> int:
        """Return a number of 63 bits for a position. Two positions of one game may have the same key only if they have equal
        sums, legal actions and futures.
        """
        return 0

    @staticmethod
    def sums_after(
        state: RawPosition, actions: Integers, count: int, enough: float, weights: Floats, scratch: Integers, out: Floats
    ) -> int:
        """Write the mover's expectation after each of the first `count` actions, all legal. Return how many were valued.

        In games for wins between two players it is the sum for the next player to move, negated if that is the opponent. It
        is plus or minus infinity if the action ends the game, and 0 if the win is then shared. In games for points or for
        one player it is the sum plus the points, less any amount that is the same after all actions. Valuing may stop at the
        first action whose value is at least `enough`. `scratch` has room for ACTIVE numbers.
        """
        return 0


class PolicyOptions(Protocol):
    """A game's `options.py`: the features of a policy learned from games of searches. It is compiled like rules.

    The policy distinguishes the mover's options, each with one action. The probability that a strong player takes an option
    is a softmax of sums. Each sum adds the weights of the option's active features. `ludoteca train` learns the weights
    (`weights/policy.npz` in the game's folder) for a game that has this module and no value. Heuristics may use them freely.

    The module also has the heuristics' `action_values`, which measure strength.
    """

    FEATURES: int
    """Features are 0 .. FEATURES - 1."""
    ACTIVE: int
    """The most active features of an option."""
    BEFORE: str
    """The module of the game's folder with heuristics that do not use the policy. Training learns from searches with
    them."""

    @staticmethod
    def list_options(state: RawPosition, actions: Integers, active: Integers) -> int:
        """Write an action for each of the mover's options, and ACTIVE features for each option, with -1 after the last one.

        Return the number of options, which is 1 if the policy does not choose.
        """

    @staticmethod
    def option_of(state: RawPosition, action: int, actions: Integers, count: int) -> int:
        """Return the option, of these, for a legal action, or -1 if there is none."""


class FunctionGroup(NamedTuple):
    """The functions of one protocol, as generic modules receive them."""

    protocol: type[Any]
    sources: tuple[str, ...]
    """Fields of `native.Modules`. The functions come from the first of these modules that is bound."""
    required: tuple[str, ...] = ()
    """Functions that the first of `sources` must have once it is bound."""
    has_defaults: bool = True
    """True if the bodies in the protocol replace missing functions. Otherwise only games with these functions are bound to
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
    """Return the names of the contract that a module of rules lacks, except for constants that have a default."""
    required = ("setup", *GROUPS[0].functions, *(name for name in CONSTANTS if not hasattr(Rules, name)))
    return [name for name in required if not hasattr(rules, name)]


def min_score(rules: ModuleType) -> int:
    """Return the constant MIN_SCORE of a module of rules, or 0 if it has none."""
    return int(getattr(rules, "MIN_SCORE", Rules.MIN_SCORE))
