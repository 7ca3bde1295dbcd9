"""Exact play where two sides are left and little is left to play, for people and programs in Python.

It applies to games with an `endgame` module (`core.contract.Endgame`), in the positions that `endgame_size` measures.
"""

import time
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ludoteca.core.contract import struct_dtype
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.search import alphabeta
from ludoteca.search.alphabeta import CHOSEN, COUNTERS, ENTRY, FAR, FRAME, NODES, OVERFULL, UNTOLD, VALUE, Line
from ludoteca.search.findings import Budget, Choice, Findings
from ludoteca.search.tree import UNITS

DEEPEST: Final = 160
"""Room for so many moves in a row."""
ACTIONS: Final = 1 << 15
"""Room for the actions of all positions on the way."""
SLICE: Final = 0.004
"""Seconds between two looks at the clock."""
FIRST: Final = 32
"""Positions before the first look."""
NODES_A_SIMULATION: Final = 8
"""How many positions take about as long as a simulation."""
NODES_A_SECOND: Final = 1_000_000
"""How many are looked at in a second, about."""
HOPE: Final = 4
"""What is estimated to take so many times the positions that may be looked at is tried all the same."""


def applies(game: Game) -> bool:
    """Has the game endings that can be played exactly?"""
    return game.spec.has("endgame")


class Solver:
    """Plays endings of a game exactly. What it learns about positions it knows at the next search.

    `entries`, a power of two from 4 on, is the size of its table; an entry takes 32 bytes. Raises ContractError for a game
    without endings.
    """

    def __init__(self, game: Game, entries: int = 1 << 18) -> None:
        self.game = game
        self._kernel = game.bind(alphabeta, None, game.spec.module("endgame"))
        self._line = _new_line(game)
        self._entries = np.zeros(entries, struct_dtype(ENTRY))
        self._window = (-1, 1) if game.utility() == "win" else (-FAR, FAR)

    @property
    def nodes(self) -> int:
        """Positions looked at so far, in all searches."""
        return int(self._line.counters[NODES])

    def solve(self, state: InformationState, budget: Budget, share: float = 1.0) -> Findings | None:
        """Play a position exactly where that applies and takes no more than that share of the budget; else None.

        The choices are the actions that had to be looked at, all solved, the best first: one that wins, or of those that
        lose alike the one that took most work to refute. Their visits are positions looked at.
        """
        root = state.redeal(new_rng(0)) if self.game.spec.perfect_information else state.view
        return self.solve_position(root, budget, share)

    def solve_position(self, root: Position, budget: Budget, share: float = 1.0) -> Findings | None:
        """The same for a position, whole or concealed, that is not terminal."""
        start, nodes, player = time.perf_counter(), self.nodes, root.current_player()
        limit = _Limit(budget, share, nodes, start)
        if not limit.is_worth_trying(int(self._kernel.measure(root.array))):
            return None
        try:
            outcomes = self._outcomes(root, player, limit)
        except _BudgetSpentError:
            return None
        if not outcomes:
            return None
        outcomes.sort(key=lambda outcome: (outcome.advantage, outcome.work), reverse=True)
        choices = tuple(Choice(one.line[0], one.work, one.values, solved=True) for one in outcomes)
        seconds = time.perf_counter() - start
        return Findings(player, choices, choices[0].values, self.nodes - nodes, seconds, outcomes[0].line)

    def _outcomes(self, root: Position, player: int, limit: "_Limit") -> "list[_Outcome]":
        """What the actions lead to, up to the first that leads to the best possible; none if that is not known for sure."""
        most, known, outcomes = self._most(root, player), True, []
        for action in self._ranked(root):
            before, child = self.nodes, root.copy()
            value = self._value_after(child, action, player, limit)
            if value.proven or value.advantage >= most:
                line = (action, *self._follow(child, player, limit))
                outcomes.append(_Outcome(value.advantage, self.nodes - before + 1, self._pay(child), line))
            if value.advantage >= most:
                return outcomes
            known = known and value.proven
        return outcomes if known else []

    def _value_after(self, child: Position, action: int, player: int, limit: "_Limit") -> "_Value":
        """Play an action, and value where it leads."""
        child.apply(action)
        if child.is_terminal():
            return _Value(self._in_pay(self._assess(child, player)[0]), True, action)
        return self._value(child, player, limit)

    def _follow(self, position: Position, player: int, limit: "_Limit") -> Iterator[int]:
        """Play on to the end, best moves all."""
        while not position.is_terminal():
            action = self._value(position, player, limit).action
            position.apply(action)
            yield action

    def _value(self, position: Position, player: int, limit: "_Limit") -> "_Value":
        """What a position, not terminal, is worth to a player."""
        counters = self._line.counters
        self._kernel.begin(position.array, self._line, player, *self._window)
        over = False
        while not over:
            before, start = self.nodes, time.perf_counter()
            over = bool(self._kernel.go_on(self._line, self._entries, player, limit.slice(before)))
            limit.adapt(self.nodes - before, time.perf_counter() - start)
        if counters[OVERFULL]:
            raise _BudgetSpentError
        return _Value(self._in_pay(int(counters[VALUE])), not counters[UNTOLD], int(counters[CHOSEN]))

    def _most(self, root: Position, player: int) -> int:
        """No result is better."""
        return self._in_pay(self._assess(root, player)[2])

    def _in_pay(self, advantage: int) -> int:
        """In games for wins all wins are alike."""
        return advantage if self._window[1] == FAR else (advantage > 0) - (advantage < 0)

    def _assess(self, position: Position, player: int) -> list[int]:
        out = np.zeros(3, np.int64)
        self._kernel.assess(position.array, player, out)
        return out.tolist()

    def _ranked(self, root: Position) -> list[int]:
        """The actions, but for giving up, the most promising first."""
        legal = root.choices()
        out = np.zeros(len(legal), np.int64)
        self._kernel.rank_actions(root.array, legal, len(legal), out)
        ranked: list[int] = legal[np.argsort(-out, kind="stable")].tolist()
        return ranked

    def _pay(self, position: Position) -> tuple[float, ...]:
        """What every player gets at the end of a game."""
        out = np.zeros(self.game.num_players(), np.int64)
        self._kernel.pay(position.array, out)
        unit = UNITS if self.game.utility() == "win" else 1
        return tuple((out / unit).tolist())


class _BudgetSpentError(Exception):
    """Never leaves this module."""


class _Value(NamedTuple):
    """What a position is worth to the player for whom it was searched."""

    advantage: int
    """At the end, with best play; in games for wins only its sign."""
    proven: bool
    """False when the position, concealed, does not tell all that may be played: then it is worth this or more."""
    action: int
    """The best one."""


class _Outcome(NamedTuple):
    """What an action at the root leads to."""

    advantage: int
    work: int
    """How many positions it took to find out."""
    values: tuple[float, ...]
    line: tuple[int, ...]
    """From the action to the end."""


class _Limit:
    """How far a search may go."""

    def __init__(self, budget: Budget, share: float, nodes: int, start: float) -> None:
        simulations, seconds = budget
        by_count = float("inf") if simulations is None else share * simulations * NODES_A_SIMULATION
        by_time = float("inf") if seconds is None else share * seconds * NODES_A_SECOND
        self._hope = HOPE * min(by_count, by_time)
        self._nodes = nodes + by_count
        self._deadline = float("inf") if seconds is None else start + share * seconds
        self._size = FIRST

    def is_worth_trying(self, size: int) -> bool:
        """Is an ending of that size (`endgame_size`) likely enough to be solved?"""
        return size >= 0 and 2.0**size <= self._hope

    def slice(self, nodes: int) -> int:
        """Positions to look at before the next look at the clock. Raises _BudgetSpentError when none is left."""
        if nodes >= self._nodes or time.perf_counter() >= self._deadline:
            raise _BudgetSpentError
        return int(min(self._size, self._nodes - nodes + 1))

    def adapt(self, nodes: int, seconds: float) -> None:
        """Choose the next slice to last as long as it should."""
        self._size = max(FIRST, int(nodes * min(4.0, SLICE / max(seconds, 1e-6))))


def _new_line(game: Game) -> Line:
    """Arrays that the system provides page by page, as they are used."""
    most = game.rules.MAX_LEGAL
    return Line(
        game.new_array(DEEPEST + 1),
        np.zeros(DEEPEST, struct_dtype(FRAME)),
        *(np.zeros(n, np.int64) for n in (ACTIONS, ACTIONS, most, most, COUNTERS)),
    )
