"""Exact play near the end of a game: finds the result with best play by two sides, by a search of all continuations. It is
the interface of the compiled `search.alphabeta` in Python.

It can be used in games with a module `endgame` (`core.contract.Endgame`), and in positions for which the module's
`endgame_size` is small enough.
"""

from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.core.tables import struct_dtype
from ludoteca.search import alphabeta
from ludoteca.search.alphabeta import CHOSEN, COUNTERS, ENTRY, FAR, FRAME, NODES, OVERFULL, UNTOLD, VALUE, Line
from ludoteca.search.findings import Budget, Elapsed, Findings, Pace, RootMove, Stopwatch
from ludoteca.search.tree import UNITS

if TYPE_CHECKING:
    from ludoteca.core.game import Game

DEEPEST: Final = 160
"""The greatest length of a line of play, in actions."""
MOST_ACTIONS: Final = 1 << 15
"""The greatest number of legal actions in all positions of a line of play together."""
FIRST_NODES: Final = 32
"""The number of positions that are searched before the first look at the clock."""
NODES_PER_SIMULATION: Final = 8
"""The number of positions that take about as long as a simulation."""
NODES_PER_SECOND: Final = 1_000_000
"""The approximate speed of the search, in positions a second."""
MOST_BUDGETS: Final = 4
"""A position is searched if its estimated size is at most this many times the budget's positions."""


def applies(game: "Game") -> bool:
    """Return True if the game has the module `endgame`, so that positions near its end can be played exactly."""
    return game.spec.has("endgame")


class Solver:
    """Plays positions near the end of a game exactly. It keeps its table of positions for the next search.

    `entries` is the size of the table, a power of two from 4 on. An entry takes 32 bytes. Raises ContractError if the game
    has no module `endgame`.
    """

    def __init__(self, game: "Game", entries: int = 1 << 18) -> None:
        self.game = game
        self.kernel = game.bind(alphabeta, None, game.spec.module("endgame"))
        self._line = new_line(game)
        self._entries = np.zeros(entries, struct_dtype(ENTRY))
        self._window = (-1, 1) if game.utility() == "win" else (-FAR, FAR)
        self.was_cut = False
        """True if the last search had no result because its time was over, and not because of its number of positions."""

    @property
    def nodes(self) -> int:
        """The number of positions visited in all searches so far."""
        return int(self._line.counters[NODES])

    def use(self, game: "Game") -> None:
        """Continue with the same game in another form, interpreted or compiled. The table stays."""
        self.game = game
        self.kernel = game.bind(alphabeta, None, game.spec.module("endgame"))

    def solve(self, state: InformationState, budget: Budget, share: float = 1.0) -> Findings | None:
        """Return the findings of exact play from a player's knowledge. Return None if exact play is impossible here, or
        takes more than this share of the budget.

        The choices are the searched actions, all marked as solved, with the best first. Of equally good actions, the one
        with the largest search comes first, because it is the hardest to refute. `visits` of a choice is the number of
        positions that were searched after it.
        """
        root = state.redeal(new_rng(0)) if self.game.spec.perfect_information else state.view
        return self.solve_position(root, budget, share)

    def solve_position(self, root: Position, budget: Budget, share: float = 1.0) -> Findings | None:
        """Return the findings of exact play in a position, with the same meaning as in `solve`. The position may be complete
        or concealed. The game must not be over.
        """
        stopwatch, nodes, player, self.was_cut = Stopwatch(), self.nodes, root.current_player(), False
        most = inf if budget.simulations is None else share * budget.simulations * NODES_PER_SIMULATION
        in_time = budget.left(Elapsed(), share) * NODES_PER_SECOND
        size = int(self.kernel.measure(root.array))
        if size < 0 or 2.0**size > MOST_BUDGETS * min(most, in_time):
            return None
        pace = Pace(budget, stopwatch, most, FIRST_NODES, share)
        try:
            outcomes = self._outcomes(root, player, pace)
        except _BudgetSpentError:
            self.was_cut = pace.is_late
            return None
        if not outcomes:
            return None
        outcomes.sort(key=lambda outcome: (outcome.advantage, outcome.work), reverse=True)
        choices = tuple(RootMove(one.line[0], one.work, one.values, solved=True) for one in outcomes)
        seconds = stopwatch.read().wall
        return Findings(player, choices, choices[0].values, self.nodes - nodes, seconds, outcomes[0].line)

    def _outcomes(self, root: Position, player: int, pace: Pace) -> "list[_Outcome]":
        """Return the outcomes of the actions. The list ends with the first action that has the best possible outcome,
        because the others need no search.

        The list is empty if it is not certain which action is best.
        """
        legal = root.candidates()
        values = np.zeros(len(legal), np.int64)
        self.kernel.rank_actions(root.array, legal, len(legal), values)
        most, known, outcomes = self._assess(root, player)[2], True, []
        for action in legal[np.argsort(-values, kind="stable")].tolist():
            before, child = self.nodes, root.copy()
            child.apply(action)
            advantage, proven = self._assess(child, player)[0], True
            if not child.is_terminal():
                advantage, proven, _ = self._search(child, player, pace)
            if proven or advantage >= most:
                line = [action]
                while not child.is_terminal():
                    line.append(self._search(child, player, pace)[2])
                    child.apply(line[-1])
                paid = np.zeros(self.game.num_players(), np.int64)
                self.kernel.pay(child.array, paid)
                values_at_end = tuple((paid / UNITS).tolist())
                outcomes.append(_Outcome(advantage, self.nodes - before + 1, values_at_end, tuple(line)))
            if advantage >= most:
                return outcomes
            known = known and proven
        return outcomes if known else []

    def _search(self, position: Position, player: int, pace: Pace) -> tuple[int, bool, int]:
        """Return the player's advantage with best play (`core.contract.Endgame`), True if it is exact, and the best action.

        The game must not be over. If the search met a concealed position in which some actions may be unknown, the advantage
        is only a lower bound. Raises _BudgetSpentError if the budget is spent first.
        """
        counters = self._line.counters
        self.kernel.begin(position.array, self._line, player, *self._window)
        over = False
        while not over:
            if pace.is_spent():
                raise _BudgetSpentError
            before = self.nodes
            over = bool(self.kernel.go_on(self._line, self._entries, player, pace.slice()))
            pace.add(self.nodes - before)
        if counters[OVERFULL]:
            raise _BudgetSpentError
        return self._worth(int(counters[VALUE])), not counters[UNTOLD], int(counters[CHOSEN])

    def _assess(self, position: Position, player: int) -> tuple[int, int, int]:
        """Return the player's advantage in a position (`core.contract.Endgame`), and the lowest and the highest advantage
        that is still possible at the end.
        """
        out = np.zeros(3, np.int64)
        self.kernel.assess(position.array, player, out)
        now, least, most = (self._worth(value) for value in out.tolist())
        return now, least, most

    def _worth(self, advantage: int) -> int:
        """Return an advantage as the search compares it. In games for wins all wins are equal, so it is the sign: -1, 0 or
        1.
        """
        return advantage if self._window[1] == FAR else (advantage > 0) - (advantage < 0)


class _BudgetSpentError(Exception):
    """The budget is spent before the search is finished. It is raised and caught in this module only."""


class _Outcome(NamedTuple):
    """The outcome of one action at the root, if all players play their best after it."""

    advantage: int
    """The player's advantage at the end of the game. In games for wins it is only the sign."""
    work: int
    """The number of positions that were searched to find it."""
    values: tuple[float, ...]
    line: tuple[int, ...]
    """The actions from this one to the end."""


def new_line(game: "Game") -> Line:
    """Return the memory for one search of a game. It is large, but the system provides each page of it only when it is first
    used.
    """
    most = game.rules.MAX_LEGAL
    return Line(
        game.new_array(DEEPEST + 1),
        np.zeros(DEEPEST, struct_dtype(FRAME)),
        *(np.zeros(n, np.int64) for n in (MOST_ACTIONS, MOST_ACTIONS, most, most, COUNTERS)),
    )
