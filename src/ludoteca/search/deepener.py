"""Iterative deepening: the interface of `search.deepening` in Python."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from ludoteca.core.rng import draw, new_rng
from ludoteca.core.tables import struct_dtype
from ludoteca.search import deepening
from ludoteca.search.deepening import (
    AGE,
    CHOSEN,
    COUNTERS,
    ENTRY,
    EXACT,
    FRAME,
    NODES,
    OPTION,
    PLACES,
    VALUE,
    WON,
    Line,
    Manner,
)
from ludoteca.search.findings import Budget, Findings, Pace, RootMove, Stopwatch
from ludoteca.search.leaf import FURTHEST_BEHIND, LOGIT, ODDS, Evaluator
from ludoteca.search.tree import logarithm

if TYPE_CHECKING:
    from ludoteca.core.game import Game
    from ludoteca.core.position import Position
    from ludoteca.core.value import LearnedValue

DEEPEST: Final = 60
"""The greatest depth of a search, in actions."""
FIRST_NODES: Final = 512
"""The number of positions before the first look at the clock."""
NODES_PER_SIMULATION: Final = 32
"""The number of positions that count as a simulation. They take about as long."""
WIDE_DEPTH: Final = 2
"""Up to this depth the search finds the value of each action. Beyond it, it looks only for the best action."""
ASPIRATION_DEPTH: Final = 3
"""From this depth on, a search begins with a window around the value of the search before."""
ASPIRATION_WINDOW: Final = 64
"""The distance from that value to both ends of the window, in parts of LOGIT."""
FIRST_MARGIN: Final = 160
"""The assumed change of a value for each action of depth, in parts of LOGIT, before the root gives an estimate."""
LEAST_MARGIN: Final = 16
"""The lower limit of that estimate, in parts of LOGIT."""
SHALLOW_DEPTH: Final = 4
"""Up to this depth, a look ahead of one action may make a deeper search unnecessary (`Manner.margin`)."""
AGES: Final = 100
"""The searches of a table have numbers below this."""
REDUCTION_DIVISOR: Final = 2.0
"""A reduction is the logarithm of the depth, times the logarithm of the place, divided by this."""


def applies(game: "Game", value: "LearnedValue | None") -> bool:
    """Return True if iterative deepening can search the game: two players who play for the win, no hidden information, and a
    learned value with `sums_after`.
    """
    return (
        value is not None
        and game.num_players() == 2
        and game.utility() == "win"
        and game.spec.perfect_information
        and all(hasattr(value.module, name) for name in ("state_key", "sums_after"))
    )


def reductions() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return a table: by depth and place of an action, the number of actions by which its first search is less deep."""
    table = np.zeros((PLACES, PLACES), np.int64)
    for depth in range(3, PLACES):
        for place in range(2, PLACES):
            table[depth, place] = min(depth - 2, int(logarithm(depth) * logarithm(place + 1) / REDUCTION_DIVISOR))
    return table.ravel()


class Deepener:
    """Searches positions of one game by iterative deepening. The table of positions is kept for the next search.

    `entries` is the size of the table, a power of two from 4 on. The same seed, the same budget in simulations and the same
    sequence of positions give the same findings.
    """

    def __init__(self, game: "Game", value: "LearnedValue", seed: int = 0, entries: int = 1 << 18) -> None:
        self._value = value
        self.kernel = game.bind(deepening, value=value.module)
        self._evaluator = Evaluator(value.weights, np.zeros(value.module.ACTIVE, np.int64), np.zeros(2, np.int64))
        self._line = new_line(game)
        self._entries = np.zeros(entries, struct_dtype(ENTRY))
        self._options = np.zeros(game.rules.MAX_LEGAL, struct_dtype(OPTION))
        self._rng = new_rng(seed)
        self._reductions = reductions()
        self._margin = FIRST_MARGIN

    def use(self, game: "Game") -> None:
        """Continue with the same game, interpreted or compiled. The table stays."""
        self.kernel = game.bind(deepening, value=self._value.module)

    @property
    def nodes(self) -> int:
        """The number of positions visited in all searches so far."""
        return int(self._line.counters[NODES])

    def search(
        self, root: "Position", budget: Budget, stopwatch: Stopwatch, watch: Callable[[float], None] | None = None
    ) -> Findings:
        """Search a position, which is not terminal, until the budget is spent or the result is certain."""
        counters, before = self._line.counters, self.nodes
        counters[AGE] = (counters[AGE] + 1) % AGES
        self._margin = FIRST_MARGIN
        most = math.inf if budget.simulations is None else budget.simulations
        pace = Pace(budget, stopwatch, most * NODES_PER_SIMULATION, FIRST_NODES, watch=watch)
        count = int(self.kernel.list_root(root.array, self._line, self._evaluator, self._options))
        pace.done = self.nodes - before
        for i in range(count - 1, 0, -1):  # a random order, so that chance decides between equal options
            j = draw(self._rng, i + 1)
            self._options[[i, j]] = self._options[[j, i]]
        self._sort(count, 0)
        depth = 2
        while depth <= DEEPEST and not self._certain(count) and not pace.is_spent():
            self._deepen(root, count, depth, pace)
            depth += 1
        simulations = int(min(most, max(1, (self.nodes - before) // NODES_PER_SIMULATION)))
        is_cut = pace.is_late and budget.simulations is not None
        return self._findings(root, count, simulations, stopwatch)._replace(cut=is_cut)

    def _deepen(self, root: "Position", count: int, depth: int, pace: Pace) -> None:
        """Search to this depth, and move the best option to the front."""
        value = int(self._options[0]["value"])
        low, high = -WON, WON
        if depth >= ASPIRATION_DEPTH and abs(value) < WON:
            low, high = value - ASPIRATION_WINDOW, value + ASPIRATION_WINDOW
        manner = Manner(self._reductions, self._margin, SHALLOW_DEPTH, depth <= WIDE_DEPTH)
        counters, before = self._line.counters, self._values(count)
        while True:
            self.kernel.begin(root.array, self._line, self._options, count, depth, low, high)
            over = False
            while not over and not pace.is_spent():
                begun = self.nodes
                searched = self._line, self._entries, self._options, self._evaluator, manner
                over = bool(self.kernel.go_on(*searched, pace.slice()))
                pace.add(self.nodes - begun)
            chosen = int(counters[CHOSEN])
            if chosen >= 0:  # it moves to the front
                self._options[: chosen + 1] = np.roll(self._options[: chosen + 1], 1)
            if not over:
                return
            if chosen < 0 and low > -WON:
                low = -WON
            elif chosen >= 0 and counters[VALUE] >= high and high < WON:
                high = WON
            else:
                break
        if manner.wide:
            self._margin = _change(before, self._values(count))
            self._sort(count, 1)

    def _certain(self, count: int) -> bool:
        """Return True if the best option wins, or if all others lose."""
        best, others = self._options[0], self._options[1:count]
        return bool(abs(best["value"]) == WON or (others["value"] == -WON).all())

    def _values(self, count: int) -> dict[int, int]:
        """Return the value of each option by its action."""
        return {int(option["action"]): int(option["value"]) for option in self._options[:count]}

    def _sort(self, count: int, start: int) -> None:
        """Sort the options from `start` on by value, highest first."""
        part = self._options[start:count]
        part[:] = part[np.argsort(-part["value"], kind="stable")]

    def _findings(self, root: "Position", count: int, simulations: int, stopwatch: Stopwatch) -> Findings:
        """Return the findings of the options, with the best first."""
        self._sort(count, 1)
        player = root.current_player()
        choices: list[RootMove] = []
        for option in self._options[:count]:
            value, best = int(option["value"]), not choices
            solved = value == -WON or (value == WON and (best or option["bound"] == EXACT))
            choices.append(RootMove(int(option["action"]), int(option["work"]), _shares(value, player), solved))
        line = self._best_line(root, choices[0].action)
        return Findings(player, tuple(choices), choices[0].values, simulations, stopwatch.read().wall, line)

    def _best_line(self, root: "Position", action: int) -> tuple[int, ...]:
        """Return the action and the best replies after it, as long as the table has them."""
        line, position = [action], root.copy()
        position.apply(action)
        while len(line) < DEEPEST and not position.is_terminal():
            following = int(self.kernel.recall(position.array, self._entries))
            if following < 0 or not position.apply(following):
                break
            line.append(following)
        return tuple(line)


def _change(before: dict[int, int], after: dict[int, int]) -> int:
    """Return the margin: how much values change if the search goes one action deeper, as the root mean square of such
    changes at the root.

    It is measured because no constant fits a whole game. Early in a game of Okupació it is a quarter of a logit, and near
    the end one and a half.
    """
    changes = [after[action] - value for action, value in before.items() if abs(value) < WON and abs(after[action]) < WON]
    if not changes:
        return FIRST_MARGIN
    return max(LEAST_MARGIN, math.isqrt(sum(change * change for change in changes) // len(changes)))


def _shares(value: int, player: int) -> tuple[float, float]:
    """Return the expected share of the win of players 0 and 1, for a value that is good for `player` if it is high.

    A share is 1 if that player's win is certain, and 0 if the other player's win is certain.
    """
    if abs(value) == WON:
        mine = 1.0 if value > 0 else 0.0
    else:
        behind = min(abs(value), FURTHEST_BEHIND * LOGIT - 1)
        ahead = int(ODDS[0]) / (int(ODDS[0]) + int(ODDS[behind]))
        mine = ahead if value > 0 else 1.0 - ahead
    return (mine, 1.0 - mine) if player == 0 else (1.0 - mine, mine)


def new_line(game: "Game") -> Line:
    """Return the memory for searches. The system provides its pages when they are first used."""
    most = game.rules.MAX_LEGAL
    actions, worth, legal, counters = (np.zeros(n, np.int64) for n in (DEEPEST * most, DEEPEST * most, most, COUNTERS))
    frames = np.zeros(DEEPEST, struct_dtype(FRAME))
    return Line(game.new_array(DEEPEST + 1), frames, actions, worth, legal, np.zeros(most, np.float32), counters)
