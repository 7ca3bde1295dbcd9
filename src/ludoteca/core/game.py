"""A game with its parameters chosen: makes states."""

import secrets
from collections.abc import Mapping
from functools import cached_property, partial
from types import ModuleType
from typing import Any

import numpy as np

from ludoteca.core import contract, native, parameters, registry, steps
from ludoteca.core.contract import RawPositions
from ludoteca.core.errors import ContractError, LudotecaError, ParameterError, RecordError, ReplayError
from ludoteca.core.messages import ENGLISH, Message, catalogue, in_words
from ludoteca.core.position import Position
from ludoteca.core.record import FromPosition, Record, Result, Start
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.spec import GameSpec
from ludoteca.core.state import State
from ludoteca.core.words import counted


def load(name: str, *, compiled: bool = False, **chosen: Any) -> "Game":
    """The game of that name with these parameters; the others take their defaults.

    Interpreted, everything starts at once and a move takes about a hundred microseconds. Compiled, it takes about ten,
    nearly all of them the calls from Python: what plays many games is better bound to the rules (`Game.bind`).
    Compiling takes seconds the first time on a machine.

    Raises UnknownGameError and ParameterError, which say what is possible.
    """
    return Game(registry.find(name), chosen, compiled=compiled)


class Game:
    """A game with its parameters chosen. Two games with the same parameters are equal."""

    def __init__(self, spec: GameSpec, chosen: Mapping[str, Any] | None = None, *, compiled: bool = False) -> None:
        self.spec = spec
        self.parameters = self._resolve(chosen or {})
        self.compiled = compiled
        self.rules = spec.module("rules")
        self.notation = spec.module("notation")
        self.dtype = contract.struct_dtype(self.rules.STATE)
        self.prepared = self._prepare()

    def _resolve(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        values = parameters.resolve(self.spec.name, self.spec.parameters, chosen)
        if clash := self.spec.conflict(values):
            raise ParameterError(f"{self.spec.name}: {clash}")
        return values

    def _prepare(self) -> Position:
        lacking = contract.missing(self.rules)
        if lacking:
            raise ContractError(f"the rules of {self.spec.name} lack {', '.join(lacking)}")
        prepared = Position(self, self.new_array())
        arguments = {kind.name: kind.encode(self.parameters[kind.name]) for kind in self.spec.parameters}
        self.rules.setup(prepared.raw, **arguments)
        return prepared

    @cached_property
    def steps(self) -> native.Binding:
        """The contract's functions one by one (`core.steps`), for the positions of this game."""
        return self.bind(steps)

    def new_array(self, n: int = 1) -> RawPositions:
        """An array of n raw positions, all zero."""
        return np.zeros(n, self.dtype)

    def bind(
        self, generic: ModuleType, policy: ModuleType | None = None, values: ModuleType | None = None
    ) -> native.Binding:
        """This game's rules under a generic module, running as this game runs (`native.bind`)."""
        return native.bind(self.rules, generic, policy, values, compiled=self.compiled)

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
        return int(self.parameters.get("players", self.spec.players))

    def num_distinct_actions(self) -> int:
        """Actions are 0 .. this - 1; 0 when they are sparse."""
        return int(self.rules.ACTIONS)

    def max_game_length(self) -> int:
        """No game has more actions."""
        return int(self.rules.MAX_MOVES)

    def utility(self) -> str:
        """What is played for: `"win"` or `"points"`; always points by one who plays alone, with nobody to win against."""
        return "points" if self.num_players() == 1 else str(self.rules.UTILITY)

    def min_utility(self) -> float:
        """No return is lower."""
        return 0.0

    def max_utility(self) -> float:
        """No return is higher."""
        return 1.0 if self.utility() == "win" else float(self.rules.MAX_SCORE)

    def new_initial_state(self, seed: int | None = None) -> State:
        """A new game. The same seed (0 .. 2^256 - 1) gives the same deal; without one it is drawn from the system."""
        return State.deal(self, secrets.randbits(SEED_BITS) if seed is None else seed)

    def state_from_string(self, position: str) -> State:
        """The state in a position written as `str(state)` writes it. Raises NotationError."""
        return State.from_position(self, position)

    def state_at(self, start: Start) -> State:
        """The state that a record starts from. Raises NotationError."""
        return self.state_from_string(start.position) if isinstance(start, FromPosition) else State.deal(self, int(start))

    def deserialize_state(self, text: str) -> State:
        """The state that `State.serialize` wrote. Raises RecordError."""
        return self.replay(Record.from_json(text))

    def replay(self, record: Record) -> State:
        """Play a record again: the state at its end. Raises ReplayError, which names the first action that fails and why."""
        self._check_origin(record)
        try:
            state = self.state_at(record.start)
        except LudotecaError as error:
            raise ReplayError(f"the record's start: {error}") from None
        for number, text in enumerate(record.actions, 1):
            try:
                state.apply_action(state.string_to_action(text))
            except LudotecaError as error:
                raise ReplayError(f"action {number} of {len(record.actions)}, {text!r}: {error}") from None
        _check_result(state, record)
        return state

    def _check_origin(self, record: Record) -> None:
        if record.game != self.name or self._resolve(record.parameters) != self.parameters:
            raise ReplayError(
                f"the record is of {record.game} with {record.parameters}, not of {self.name} with {self.parameters}"
            )
        if record.rules > self.spec.rules_version:
            raise RecordError(
                f"the record follows version {record.rules} of the rules of {self.name}, and this Ludoteca knows "
                f"versions up to {self.spec.rules_version}: it was written by a newer one"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Game, compiled=self.compiled), (self.spec, self.parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.name, *sorted(self.parameters.items())))

    def _key(self) -> tuple[str, dict[str, Any]]:
        return self.name, self.parameters

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"ludoteca.load({self.name!r}{chosen}{', compiled=True' if self.compiled else ''})"


def open_record(record: Record, *, compiled: bool = False) -> State:
    """The state at the end of a record, played again by the rules. Raises LudotecaError: nothing is half-loaded."""
    game = load(record.game, compiled=compiled, **record.parameters)
    return game.replay(record)


def _check_result(state: State, record: Record) -> None:
    result = Result(state.returns(), state.scores()) if state.is_terminal() else None
    if record.result != result:
        raise ReplayError(
            f"the record tells of {_in_words(record.result)}, but its {counted(len(record.actions), 'action')} lead to "
            f"{_in_words(result)}"
        )


def _in_words(result: Result | None) -> str:
    return f"returns {result.returns} and scores {result.scores}" if result else "an unfinished game"
