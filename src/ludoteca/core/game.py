"""A game with its parameters chosen, and its states: the Python face, in the words of OpenSpiel, the same for every game."""

import secrets
from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from operator import index
from types import ModuleType
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from ludoteca.core import contract, native, registry, steps
from ludoteca.core.arrays import struct_dtype
from ludoteca.core.contract import SPECTATOR, Bytes, Floats, RawPosition, RawPositions, Words
from ludoteca.core.errors import (
    ContractError,
    IllegalActionError,
    LudotecaError,
    ParameterError,
    RecordError,
    ReplayError,
)
from ludoteca.core.features import Features, Observation
from ludoteca.core.messages import ENGLISH, Message, catalogue, counted, in_words
from ludoteca.core.position import InformationState, Position
from ludoteca.core.record import FromPosition, Record, Result, Seed, Start
from ludoteca.core.rng import SEED_BITS, new_rng
from ludoteca.core.scene import Scene
from ludoteca.core.spec import GameSpec, resolve
from ludoteca.core.svg import paint

_INT64: Final = range(-(2**63), 2**63)

Seen = tuple[int, ...]
"""An action of the history: itself, then as the spectator sees it, then as each player does."""


def load(name: str, *, compiled: bool = False, **chosen: Any) -> "Game":
    """The game of that name with these parameters; the others take their defaults.

    Interpreted, everything starts at once and a move takes about a hundred microseconds. Compiled, it takes about ten,
    nearly all of them the calls from Python: what plays many games is better bound to the rules (`Game.bind`).
    Compiling takes seconds the first time on a machine.

    Raises UnknownGameError and ParameterError, which say what is possible.
    """
    return Game(registry.find(name), chosen, compiled=compiled)


def open_record(record: Record, *, compiled: bool = False) -> "State":
    """The state at the end of a record, played again by the rules. Raises LudotecaError: nothing is half-loaded."""
    game = load(record.game, compiled=compiled, **record.parameters)
    return game.replay(record)


class Game:
    """A game with its parameters chosen. Two games with the same parameters are equal."""

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
        """The position that is set up and not dealt. (A game that kept it would refer to itself, and be freed late.)"""
        return Position(self, self._prepared)

    @cached_property
    def steps(self) -> native.Binding:
        """The contract's functions one by one (`core.steps`), for `core.position`."""
        return self.bind(steps)

    def hasten(self) -> None:
        """Have the contract's functions run compiled from now on, if their machine code is kept: with the same results.

        Reading it takes a second the first time in a process, so a thread may do it while the game is played.
        """
        if native.is_compiled(self.steps):
            self.steps = native.bind(native.Modules(self.rules, steps), compiled=True)

    def new_array(self, n: int = 1) -> RawPositions:
        """An array of n raw positions, all zero."""
        return np.ndarray(n, self.dtype, bytearray(n * self.dtype.itemsize))  # `np.zeros` goes field by field

    @cached_property
    def content_mask(self) -> Bytes:
        """A byte for each of a raw position: 0 in the fields that equal positions may differ in (DERIVED), else 255."""
        mask = np.full(self.dtype.itemsize, 255, np.uint8)
        for name in self.rules.DERIVED:
            field, offset, *_ = (self.dtype.fields or {})[name]
            mask[offset : offset + field.itemsize] = 0
        return mask

    @cached_property
    def features(self) -> Features:
        """What learners see of this game, and their numbers of its actions. Raises ContractError when it has none."""
        return Features(self)

    def bind(
        self,
        generic: ModuleType,
        policy: ModuleType | None = None,
        values: ModuleType | None = None,
        features: ModuleType | None = None,
        value: ModuleType | None = None,
    ) -> native.Binding:
        """This game's rules under a generic module, running as this game runs (`native.bind`)."""
        return native.bind(native.Modules(self.rules, generic, policy, values, features, value), compiled=self.compiled)

    @property
    def name(self) -> str:
        """The game's name, as `load` takes it."""
        return self.spec.name

    @property
    def mode(self) -> str:
        """How the rules run: `"compiled"` or `"interpreted"`."""
        return "compiled" if self.compiled else "interpreted"

    def in_english(self, message: Message) -> str:
        """A message of this game in words."""
        return in_words(message, catalogue(self.spec.package, ENGLISH))

    def num_players(self) -> int:
        """How many play."""
        return self._players

    def num_distinct_actions(self) -> int:
        """Actions are 0 .. this - 1; 0 when they are sparse."""
        return int(self.rules.ACTIONS)

    def max_game_length(self) -> int:
        """No game has more actions."""
        return int(self.rules.MAX_MOVES)

    def turns_have_moves(self) -> bool:
        """True when a turn is of several moves (`core.contract.Turns`)."""
        return hasattr(self.rules, "begins_turn")

    def utility(self) -> str:
        """What is played for: `"win"` or `"points"`; always points in a game for one player, who has no opponents."""
        return "points" if self.num_players() == 1 else str(self.rules.UTILITY)

    def min_utility(self) -> float:
        """No return is lower."""
        return 0.0 if self.utility() == "win" else float(contract.min_score(self.rules))

    def max_utility(self) -> float:
        """No return is higher."""
        return 1.0 if self.utility() == "win" else float(self.rules.MAX_SCORE)

    def new_initial_state(self, seed: int | None = None) -> "State":
        """A new game. The same seed (0 .. 2^256 - 1) gives the same deal; without one it is drawn from the system."""
        return State.deal(self, secrets.randbits(SEED_BITS) if seed is None else seed)

    def state_from_string(self, position: str) -> "State":
        """The state in a position written as `str(state)` writes it. Raises NotationError."""
        return State.from_position(self, position)

    def state_at(self, start: Start) -> "State":
        """The state that a record starts from. Raises NotationError."""
        return self.state_from_string(start.position) if isinstance(start, FromPosition) else State.deal(self, int(start))

    def deserialize_state(self, text: str) -> "State":
        """The state that `State.serialize` wrote. Raises RecordError."""
        return self.replay(Record.from_json(text))

    def replay(self, record: Record) -> "State":
        """Play a record again: the state at its end. Raises ReplayError, which names the first action that fails and why."""
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
                which = ("record.action", number, len(record.actions), repr(text), error.message)
                raise ReplayError(which, self.spec.package) from None
        result = state.result()
        if record.result != result:
            played = counted("action", len(record.actions))
            raise ReplayError(("record.result", _describe(record.result), played, _describe(result)))
        return state

    def __deepcopy__(self, _: dict[int, Any]) -> "Game":
        """A game never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Game, compiled=self.compiled), (self.spec, self.parameters)

    def _repr_svg_(self) -> str | None:
        """In a notebook, the board before the first move, as a spectator sees it."""
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
    """A position and the actions that led to it. Equal states have equal positions, whatever led there.

    `position` holds secrets: nothing outside the engine may see it. A seat may know its `view` and the actions as it has
    seen them. A state changes while it is played, so a set or a dictionary should hold clones.
    """

    __slots__ = ("_before", "_history", "game", "position", "start")

    def __init__(self, position: Position, start: Start, history: list[Seen], before: int = 0) -> None:
        self.game = position.game
        self.position = position
        self.start = start
        self._history = history
        self._before = before  # how much of the history lies before the start

    @classmethod
    def deal(cls, game: Game, seed: int) -> "State":
        """A new game from a seed of up to 256 bits."""
        position = game.prepared.copy()
        position.deal(new_rng(seed))
        return cls(position, Seed.of(seed), [])

    @classmethod
    def from_position(cls, game: Game, text: str) -> "State":
        """The state that the game's notation writes so. Raises NotationError."""
        position = game.prepared.copy()
        game.notation.string_to_position(position.raw, text)
        return cls(position, FromPosition(text), [])

    # what may be played

    def current_player(self) -> int:
        """The player to move, from 0; -4 when the game is over."""
        return self.position.current_player()

    def legal_actions(self) -> list[int]:
        """The legal actions, sorted; none when the game is over."""
        legal: list[int] = self.position.legal_actions().tolist()
        return legal

    def legal_actions_mask(self) -> list[int]:
        """One number for each action, 1 where it is legal. Not for games whose actions are sparse."""
        mask = np.zeros(self.game.num_distinct_actions(), np.int64)
        mask[self.position.legal_actions()] = 1
        return mask.tolist()

    def is_terminal(self) -> bool:
        """True when the game is over."""
        return self.position.is_terminal()

    def apply_action(self, action: int) -> None:
        """Play an action. Raises IllegalActionError, which says why, and leaves the state as it was."""
        action = index(action)
        seen = self.position.apply(action) if action in _INT64 else ()
        if not seen:
            raise IllegalActionError(self.refused(action), self.game.spec.package)
        self._history.append((action, *seen))

    def refusal(self, action: int) -> str:
        """Why an action is not legal here, in a sentence."""
        return self.game.in_english(self.refused(action))

    def refused(self, action: int) -> Message:
        """Why an action is not legal here, as a message for any language."""
        if self.is_terminal():
            return ("over",)
        message: Message = self.game.notation.refusal(self.raw, index(action))
        return message

    def random_action(self, rng: Words) -> int:
        """A uniformly random legal action, but never the one that gives up."""
        if self.is_terminal():
            raise IllegalActionError(self.refused(0), self.game.spec.package)
        return self.position.random_action(rng)

    # how it ends

    def scores(self) -> list[int]:
        """The points of the game's own rules, one number for each player."""
        return self.position.scores()

    def winners(self) -> list[int]:
        """The players who share the win; none while the game goes on, and when it is void."""
        return self.position.winners()

    def returns(self) -> list[float]:
        """1 shared by the winners, or the scores, as the utility says; zeros before the end, and when the game is void."""
        winners = self.winners()
        if not winners:
            return [0.0] * self.game.num_players()
        if self.game.utility() == "points":
            return [float(score) for score in self.scores()]
        return [(player in winners) / len(winners) for player in range(self.game.num_players())]

    def result(self) -> Result | None:
        """The returns and scores as a record has them; None while the game goes on."""
        return Result(self.returns(), self.scores()) if self.is_terminal() else None

    # copies

    def clone(self) -> "State":
        """A copy that can be played on separately."""
        return State(self.position.copy(), self.start, self._history.copy(), self._before)

    def states(self) -> "Iterator[State]":
        """Every state of the game: a copy of this one as it was at the start, and after each action."""
        walk = self.game.state_at(self.start)
        yield walk.clone()
        for action in self.history()[self._before :]:
            walk.apply_action(action)
            yield walk.clone()

    def child(self, action: int) -> "State":
        """A copy with the action played."""
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def __deepcopy__(self, _: dict[int, Any]) -> "State":
        """Nothing that a state holds besides its position and its history ever changes."""
        return self.clone()

    def history(self, first: int = 0) -> list[int]:
        """The actions played so far, from action `first` on."""
        return [seen[0] for seen in self._history[first:]]

    # text

    def action_to_string(self, action: int) -> str:
        """An action in the game's notation; only legal actions are sure to have a text."""
        return str(self.game.notation.action_to_string(self.raw, index(action)))

    def string_to_action(self, text: str) -> int:
        """The action that a text stands for, legal or not. Raises NotationError when it stands for none."""
        return int(self.game.notation.string_to_action(self.raw, text))

    def __str__(self) -> str:
        return str(self.game.notation.position_to_string(self.raw))

    def __repr__(self) -> str:
        return f"{self.game!r}.state_from_string({str(self)!r})"

    # what a seat may know

    def view(self, player: int) -> Position:
        """What the player may know of the position, all else zero; -1 for a spectator."""
        return self.position.conceal(player)

    def scene(self, player: int = SPECTATOR, lit: int = 1) -> Scene:
        """What the player sees, as things with places; the last `lit` actions are highlighted.

        Raises ContractError when the game has no scenes.
        """
        seen = self.seen_actions(player)
        scene: Scene = self.game.spec.module("scene").draw(self.view(player).raw, player, seen[max(len(seen) - lit, 0) :])
        return replace(scene, items=tuple(scene.items))

    def _repr_svg_(self) -> str | None:
        """In a notebook, the picture that a spectator sees."""
        return paint(self.game.spec, self.scene()) if self.game.spec.has("scene") else None

    def information_state(self, player: int) -> InformationState:
        """What the player knows, for an agent to choose from."""
        return InformationState(player, self.view(player), tuple(self.seen_actions(player)), real=True)

    def observation_string(self, player: int) -> str:
        """The view in the game's notation."""
        return str(self.game.notation.position_to_string(self.view(player).raw))

    def information_state_string(self, player: int) -> str:
        """The view and every action as the player has seen it: the same in all states that the player cannot tell apart."""
        seen = ",".join(str(action) for action in self.seen_actions(player))
        return f"{player}|{self.observation_string(player)}|{seen}"

    def observation(self, player: int) -> Observation:
        """The view as numbers for a learner: planes and single numbers, which `game.features.layout` names."""
        return self.game.features.observe(self.view(player), player)

    def observation_tensor(self, player: int) -> Floats:
        """The observation as one row of float32, planes, then numbers; `game.features.layout.split` takes it apart."""
        planes, numbers = self.observation(player)
        tensor: Floats = np.concatenate([planes.ravel(), numbers], dtype=np.float32)
        return tensor

    def action_mask(self) -> Bytes:
        """One byte for each of the learners' numbers of actions, 1 where it stands for a legal action."""
        return self.game.features.mask(self.position)

    def encode_action(self, action: int) -> int:
        """The learners' number of a legal action; -1 if it has none."""
        return self.game.features.encode(self.position, action)

    def decode_action(self, number: int) -> int:
        """The legal action for which a learners' number stands. Raises IllegalActionError, which says what is possible."""
        return self.game.features.decode(self.position, number)

    def seen_action(self, action: int, player: int) -> int:
        """What the player would see if this action were played now; -1 for a spectator."""
        return self.position.seen_action(action, player)

    def seen_actions(self, player: int, first: int = 0) -> list[int]:
        """The history from action `first` on as the player has seen it; -1 for a spectator."""
        return [seen[player + 2] for seen in self._history[first:]]

    def resample_from_infostate(self, player: int, rng: Words) -> "State":
        """A state that the player cannot tell from this one, uniformly among the deals that fit the player's view.

        Its history is the one that the player has seen; it cannot be replayed from before this moment.
        """
        position = self.view(player).redeal(player, rng)
        start = FromPosition(str(self.game.notation.position_to_string(position.raw)))
        seats = self.game.num_players() + 2
        history = [(action,) * seats for action in self.seen_actions(player)]
        return State(position, start, history, len(history))

    # the position in memory, and the record on disk

    @property
    def raw(self) -> RawPosition:
        """The position in the rules' layout (`rules.STATE`), secrets included; a view, not a copy."""
        return self.position.raw

    def content(self) -> bytes:
        """The position's bytes, with zeros for the fields that equal positions may differ in (DERIVED)."""
        return self.position.content()

    def to_record(self) -> Record:
        """The game so far as a record, sealed."""
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
        """A text from which `Game.deserialize_state` makes an equal state with the same history."""
        return self.to_record().to_json()

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.position, self.start, self._history, self._before)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self.content() == other.content()

    def __hash__(self) -> int:
        return hash((self.game, self.content()))


def _describe(result: Result | None) -> Message:
    return ("record.returns", str(result.returns), str(result.scores)) if result else ("record.unfinished",)
