"""A game with its parameters, and its states: the Python API with the names of OpenSpiel, the same for every game."""

import secrets
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from operator import index
from types import ModuleType
from typing import Any, Final, SupportsIndex

import numpy as np

from ludoteca.core import contract, native, registry, steps
from ludoteca.core.contract import SPECTATOR, Bytes, Floats, RawPosition, RawPositions, Words
from ludoteca.core.errors import ContractError, IllegalActionError, LudotecaError, ParameterError, RecordError, ReplayError
from ludoteca.core.features import Features, Observation
from ludoteca.core.messages import ENGLISH, Message, catalogue, counted, in_words
from ludoteca.core.position import InformationState, Position
from ludoteca.core.quantities import whole_number
from ludoteca.core.record import FromPosition, Record, Result, Seed, Start
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Placed, Scene, marked
from ludoteca.core.seeds import SEED_BITS
from ludoteca.core.spec import GameSpec, resolve
from ludoteca.core.svg import paint
from ludoteca.core.tables import struct_dtype

_INT64: Final = range(-(2**63), 2**63)

Seen = tuple[int, ...]
"""An action of the history, followed by the action as the spectator sees it and as each player sees it."""


def load(game: "str | Game", *, compiled: bool = False, **chosen: Any) -> "Game":
    """Return the game of that name with these parameters. Other parameters take their defaults. A `Game` stays the same.

    Interpreted rules start at once and take about 100 microseconds a move. Compiled rules take about 10, but compiling takes
    seconds the first time on a machine. To play many games, bind your loop to the rules (`Game.bind`).

    Raises UnknownGameError if there is no such game, and ParameterError or NotationError if it refuses a parameter.

    >>> load("okupacio", players=3).parameters["players"]
    3
    """
    if chosen and isinstance(game, Game):
        raise ParameterError(f"{game!r} has all its parameters: read {', '.join(chosen)} besides it")
    return game if isinstance(game, Game) else Game(registry.find(game), chosen, compiled=compiled)


def open_record(record: Record, *, compiled: bool = False) -> "State":
    """Return the last state of a recorded game, replayed by the rules. Raises LudotecaError if the record has any fault."""
    game = load(record.game, compiled=compiled, **record.parameters)
    return game.replay(record)


class Game:
    """A game with its parameters. Two games with the same parameters are equal."""

    def __init__(self, spec: GameSpec, chosen: Mapping[str, Any] | None = None, *, compiled: bool = False) -> None:
        self.spec = spec
        self.parameters = self._resolve(chosen or {})
        self._players = int(self.parameters.get("players", spec.players))
        self.compiled = compiled
        self.rules = spec.module("rules")
        self.notation = spec.module("notation")
        lacking = contract.missing(self.rules)
        if lacking:
            raise ContractError(f"the rules of {spec.name} lack {', '.join(lacking)}")
        self.dtype = struct_dtype(self.rules.STATE)
        self._prepared = self.new_array()
        self.rules.setup(
            self._prepared[0], **{kind.name: kind.encode(self.parameters[kind.name]) for kind in spec.parameters}
        )

    def _resolve(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        values = resolve(self.spec.name, self.spec.parameters, chosen)
        if clash := self.spec.conflict(values):
            raise ParameterError(("parameters.clash", self.spec.name, clash), self.spec.package)
        return values

    @property
    def prepared(self) -> Position:
        """The position before the deal, as a new object. Stored in the game, to which it refers, it would be freed late."""
        return Position(self, self._prepared)

    @cached_property
    def steps(self) -> native.Binding:
        """The functions of the rules one by one, bound to this game, for `core.position`."""
        return self.bind(steps)

    def hasten(self) -> None:
        """Use compiled functions of the rules from now on, if their machine code is stored. The results stay the same.

        Loading it takes a second the first time in a process, so a thread may do it while the game is played.
        """
        if native.is_compiled(self.steps):
            self.steps = native.bind(native.Modules(self.rules, steps), compiled=True)

    def new_array(self, n: int = 1) -> RawPositions:
        """Return an array of n raw positions, all zero."""
        return np.ndarray(n, self.dtype, bytearray(n * self.dtype.itemsize))  # `np.zeros` goes field by field

    @cached_property
    def content_mask(self) -> Bytes:
        """A byte for each byte of a raw position: 0 in fields that may differ in equal positions (DERIVED), else 255."""
        mask = np.full(self.dtype.itemsize, 255, np.uint8)
        for name in self.rules.DERIVED:
            field, offset, *_ = (self.dtype.fields or {})[name]
            mask[offset : offset + field.itemsize] = 0
        return mask

    @cached_property
    def features(self) -> Features:
        """The maker of observations and action numbers for learners. Raises ContractError if the game has none."""
        return Features(self)

    def bind(
        self,
        generic: ModuleType,
        policy: ModuleType | None = None,
        values: ModuleType | None = None,
        features: ModuleType | None = None,
        value: ModuleType | None = None,
    ) -> native.Binding:
        """Bind this game's rules to a generic module, compiled if this game is (`native.bind`)."""
        return native.bind(native.Modules(self.rules, generic, policy, values, features, value), compiled=self.compiled)

    @property
    def name(self) -> str:
        """The name of the game, as `load` takes it."""
        return self.spec.name

    @property
    def mode(self) -> str:
        """How the rules run: `"compiled"` if the game was made with `compiled=True`, else `"interpreted"`."""
        return "compiled" if self.compiled else "interpreted"

    def in_english(self, message: Message) -> str:
        """Return the English text of a message of this game (a key with arguments, see `core.messages`)."""
        return in_words(message, catalogue(self.spec.package, ENGLISH))

    def num_players(self) -> int:
        """Return the number of players."""
        return self._players

    def num_distinct_actions(self) -> int:
        """Return n if the actions are the numbers 0 .. n - 1. Return 0 if they are sparse numbers, such as sets of cards."""
        return int(self.rules.ACTIONS)

    def max_game_length(self) -> int:
        """Return the most actions of any game."""
        return int(self.rules.MAX_MOVES)

    def turns_have_moves(self) -> bool:
        """Return True if a turn consists of several moves (`core.contract.Turns`)."""
        return hasattr(self.rules, "begins_turn")

    def utility(self) -> str:
        """Return `"points"` if the returns are the scores, as always for one player, or `"win"` if the winners share 1."""
        return "points" if self.num_players() == 1 else str(self.rules.UTILITY)

    def min_utility(self) -> float:
        """Return the lowest possible return."""
        return 0.0 if self.utility() == "win" else float(contract.min_score(self.rules))

    def max_utility(self) -> float:
        """Return the highest possible return."""
        return 1.0 if self.utility() == "win" else float(self.rules.MAX_SCORE)

    def new_initial_state(self, seed: SupportsIndex | None = None) -> "State":
        """Return a new game. The same seed (0 .. 2^256 - 1) gives the same deal. The default is a random seed."""
        return State.deal(self, secrets.randbits(SEED_BITS) if seed is None else whole_number("seed", seed, SEED_BITS))

    def state_from_string(self, position: str) -> "State":
        """Return the state of a text as `str(state)` writes it. Raises NotationError if it is no position of this game."""
        return State.from_position(self, position)

    def state_at(self, start: Start) -> "State":
        """Return the first state of a record. Raises NotationError if the record starts from no position of this game."""
        return self.state_from_string(start.position) if isinstance(start, FromPosition) else State.deal(self, int(start))

    def deserialize_state(self, text: str) -> "State":
        """Return the state that `State.serialize` wrote. Raises RecordError if it was edited or is of another game."""
        return self.replay(Record.from_json(text))

    def replay(self, record: Record) -> "State":
        """Replay a record and return its last state. Raises ReplayError if the rules refuse an action or the result."""
        if record.game != self.name or self._resolve(record.parameters) != self.parameters:
            raise ReplayError(("record.of", record.game, str(record.parameters), self.name, str(self.parameters)))
        if record.rules > self.spec.rules_version:
            raise RecordError(("record.rules", record.rules, self.name, self.spec.rules_version))
        if record.players and len(record.players) != self.num_players():
            raise ReplayError(("record.names", counted("player", len(record.players)), self.num_players()))
        try:
            state = self.state_at(record.start)
        except LudotecaError as error:
            raise ReplayError(("record.start", error.message), self.spec.package) from None
        for number, text in enumerate(record.actions, 1):
            try:
                state.apply_action(state.string_to_action(text))
            except LudotecaError as error:
                which = ("record.action", number, len(record.actions), repr(text[:40]), error.message)
                raise ReplayError(which, self.spec.package) from None
        result = state.result()
        if record.result != result:
            played = counted("action", len(record.actions))
            raise ReplayError(("record.result", _describe(record.result), played, _describe(result)))
        return state

    def __deepcopy__(self, _: dict[int, Any]) -> "Game":
        return self  # it never changes

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Game, compiled=self.compiled), (self.spec, self.parameters)

    def _repr_svg_(self) -> str | None:
        """Return the board before the first move, as a spectator sees it, for a notebook."""
        return self.new_initial_state(0)._repr_svg_()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Game) and (self.name, self.parameters) == (other.name, other.parameters)

    def __hash__(self) -> int:
        return hash((self.name, *sorted(self.parameters.items())))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"ludoteca.load({self.name!r}{chosen}{', compiled=True' if self.compiled else ''})"


class State:
    """A position and the actions that led to it. Equal states have equal positions, even with different histories.

    `position` holds secrets that only the engine may read. A player may know the `view` and the actions as that player saw
    them. A state changes while it is played, so put clones into a set or a dictionary.

    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> state.apply_action(state.string_to_action("ab"))
    >>> state.current_player(), state.scores(), state.returns()
    (1, [1, 0], [0.0, 0.0])
    """

    __slots__ = ("_before", "_history", "game", "position", "start")

    def __init__(self, position: Position, start: Start, history: list[Seen], before: int = 0) -> None:
        self.game = position.game
        self.position = position
        self.start = start
        self._history = history
        self._before = before  # the number of actions in the history before the start

    @classmethod
    def deal(cls, game: Game, seed: int) -> "State":
        """Return a new game, dealt from a seed from 0 to 2^256 - 1."""
        position = game.prepared.copy()
        position.deal(new_rng(seed))
        return cls(position, Seed.of(seed), [])

    @classmethod
    def from_position(cls, game: Game, text: str) -> "State":
        """Return the state of a position in the game's notation. Raises NotationError if the game has no such position."""
        position = game.prepared.copy()
        game.notation.string_to_position(position.raw, text)
        return cls(position, FromPosition(text), [])

    # actions

    def current_player(self) -> int:
        """Return the player to move, from 0, or -4 when the game is over."""
        return self.position.current_player()

    def legal_actions(self) -> list[int]:
        """Return the legal actions, sorted. There are none when the game is over."""
        legal: list[int] = self.position.legal_actions().tolist()
        return legal

    def legal_actions_mask(self) -> list[int]:
        """Return one number for each action, 1 if it is legal. Raises ContractError for a game whose actions are sparse."""
        if not self.game.num_distinct_actions():
            raise ContractError(f"the actions of {self.game.name} have no list: use action_mask() or legal_actions()")
        return [*map(int, np.isin(range(self.game.num_distinct_actions()), self.position.legal_actions()))]

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self.position.is_terminal()

    def apply_action(self, action: int) -> None:
        """Play an action. Raises IllegalActionError with the reason if it is not legal. The state is unchanged then."""
        seen = self.position.apply(action) if (action := index(action)) in _INT64 else ()
        if not seen:
            raise IllegalActionError(self.refused(action), self.game.spec.package)
        self._history.append((action, *seen))

    def refusal(self, action: int) -> str:
        """Return the reason why an action is not legal here, as an English sentence."""
        return self.game.in_english(self.refused(action))

    def refused(self, action: int) -> Message:
        """Return the reason why an action is not legal here, as a message for any language."""
        if self.is_terminal():
            return ("over",)
        message: Message = self.game.notation.refusal(self.raw, index(action))
        return message

    def random_action(self, rng: Words) -> int:
        """Return a legal action, drawn by `rng` with equal chances, but never the one that gives up."""
        if self.is_terminal():
            raise IllegalActionError(self.refused(0), self.game.spec.package)
        return self.position.random_action(rng)

    # results

    def scores(self) -> list[int]:
        """Return the points by the game's own rules, one number for each player."""
        return self.position.scores()

    def winners(self) -> list[int]:
        """Return the players who share the win. The list is empty while the game goes on, and after a game that is void."""
        return self.position.winners()

    def returns(self) -> list[float]:
        """Return the winners' shares of 1, or the scores in a game for points. All are 0 until the end and if it is void."""
        winners = self.winners()
        if not winners:
            return [0.0] * self.game.num_players()
        if self.game.utility() == "points":
            return [float(score) for score in self.scores()]
        return [(player in winners) / len(winners) for player in range(self.game.num_players())]

    def result(self) -> Result | None:
        """Return the returns and the scores in the form for a record, or None while the game goes on."""
        return Result(self.returns(), self.scores()) if self.is_terminal() else None

    # copies

    def clone(self) -> "State":
        """Return an independent copy."""
        return State(self.position.copy(), self.start, self._history.copy(), self._before)

    def states(self) -> "Iterator[State]":
        """Yield every state of the game: a copy of the first state, and a copy after each action."""
        walk = self.game.state_at(self.start)
        yield walk.clone()
        for action in self.history()[self._before :]:
            walk.apply_action(action)
            yield walk.clone()

    def child(self, action: int) -> "State":
        """Return a copy in which the action has been played."""
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def __deepcopy__(self, _: dict[int, Any]) -> "State":
        return self.clone()  # only the position and the history ever change

    def history(self, first: int = 0) -> list[int]:
        """Return the actions played so far, from action `first` on."""
        return [seen[0] for seen in self._history[first:]]

    # text

    def action_to_string(self, action: int) -> str:
        """Return an action in the game's notation. Illegal actions may have no text."""
        return str(self.game.notation.action_to_string(self.raw, index(action)))

    def string_to_action(self, text: str) -> int:
        """Return the action that a text names, legal or not. Raises NotationError if it names none."""
        return int(self.game.notation.string_to_action(self.raw, text))

    def __str__(self) -> str:
        return str(self.game.notation.position_to_string(self.raw))

    def __repr__(self) -> str:
        return f"{self.game!r}.state_from_string({str(self)!r})"

    # the knowledge of a seat

    def view(self, player: int) -> Position:
        """Return the player's knowledge of the position, with zeros in all other fields. Use -1 for a spectator."""
        return self.position.conceal(player)

    def scene(self, player: int = SPECTATOR, before: "State | None" = None) -> Scene:
        """Return what the player sees as items with places, for drawing. The items of the last action are marked.

        `before` is the state before this action. Raises ContractError if the game has no scenes.
        """
        move = (before or [*self.states()][-2:][0]).current_player(), self.placed(player, before)
        return marked(self.game.spec.module("scene").draw(self.view(player).raw, player), [move])

    def placed(self, player: int = SPECTATOR, before: "State | None" = None) -> Placed:
        """Return the items that the last action has put on the board. Without `before`, the game is played again."""
        if len(self._history) == self._before or not self.game.spec.has("scene"):
            return Placed()
        earlier = before or [*self.states()][-2]
        views, (seen,) = [state.view(player).raw for state in (earlier, self)], self.seen_actions(player, -1)
        placed: Placed = self.game.spec.module("scene").placed(*views, player, seen)
        return placed

    def _repr_svg_(self) -> str | None:
        """Return the picture that a spectator sees, for a notebook."""
        return paint(self.game.spec, self.scene()) if self.game.spec.has("scene") else None

    def information_state(self, player: int) -> InformationState:
        """Return the player's knowledge (the view and the seen actions), from which agents and searches choose."""
        return InformationState(player, self.view(player), tuple(self.seen_actions(player)), real=True)

    def observation_string(self, player: int) -> str:
        """Return the player's knowledge of the position in the game's notation. Use -1 for a spectator."""
        return str(self.game.notation.position_to_string(self.view(player).raw))

    def information_state_string(self, player: int) -> str:
        """Return the view and every action as the player saw it. It is equal for states that look the same to the player."""
        seen = ",".join(str(action) for action in self.seen_actions(player))
        return f"{player}|{self.observation_string(player)}|{seen}"

    def observation(self, player: int) -> Observation:
        """Return the view for a learner: planes and single numbers. `game.features.layout` has their names."""
        return self.game.features.observe(self.view(player), player)

    def observation_tensor(self, player: int) -> Floats:
        """Return the observation as a row of float32, planes before numbers. `game.features.layout.split` separates them."""
        planes, numbers = self.observation(player)
        tensor: Floats = np.concatenate([planes.ravel(), numbers], dtype=np.float32)
        return tensor

    def action_mask(self) -> Bytes:
        """Return one byte for each of the learners' action numbers, 1 if the number has a legal action."""
        return self.game.features.mask(self.position)

    def encode_action(self, action: int) -> int:
        """Return the action number by which learners know a legal action, or -1 if the action has none."""
        return self.game.features.encode(self.position, action)

    def decode_action(self, number: int) -> int:
        """Return the legal action with an action number of learners. Raises IllegalActionError if no legal action has it."""
        return self.game.features.decode(self.position, number)

    def seen_action(self, action: int, player: int) -> int:
        """Return the action as the player would see it if it were played now. Use -1 for a spectator."""
        return self.position.seen_action(action, player)

    def seen_actions(self, player: int, first: int = 0) -> list[int]:
        """Return the history from action `first` on as the player saw it. Use -1 for a spectator."""
        return [seen[player + 2] for seen in self._history[first:]]

    def resample_from_infostate(self, player: int, rng: Words) -> "State":
        """Return a state with one of the deals that fit the player's view, all equally likely.

        Its history is the one that the player saw. So it cannot be replayed from an earlier position.
        """
        position = self.view(player).redeal(player, rng)
        start = FromPosition(str(self.game.notation.position_to_string(position.raw)))
        history = [(action,) * (self.game.num_players() + 2) for action in self.seen_actions(player)]
        return State(position, start, history, len(history))

    # the position in memory, and the record on disk

    @property
    def raw(self) -> RawPosition:
        """The position in the layout of the rules (`rules.STATE`), secrets included. It is a view, not a copy."""
        return self.position.raw

    def content(self) -> bytes:
        """Return the bytes of the position, with zeros in fields that may differ between equal positions (DERIVED)."""
        return self.position.content()

    def to_record(self) -> Record:
        """Return the game so far as a record, which can be written to a file (`Record.to_json`)."""
        walk, actions = self.game.state_at(self.start), list[str]()
        for action in self.history()[self._before :]:
            actions.append(walk.action_to_string(action))
            walk.apply_action(action)
        return Record(
            game=self.game.name,
            rules=self.game.spec.rules_version,
            parameters=self.game.parameters,
            start=self.start,
            actions=actions,
            result=self.result(),
        ).sealed()

    def serialize(self) -> str:
        """Return a text for `Game.deserialize_state`. It restores an equal state with the same history."""
        return self.to_record().to_json()

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.position, self.start, self._history, self._before)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self.content() == other.content()

    def __hash__(self) -> int:
        return hash((self.game, self.content()))


def _describe(result: Result | None) -> Message:
    return ("record.returns", str(result.returns), str(result.scores)) if result else ("record.unfinished",)
