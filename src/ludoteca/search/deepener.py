"""Iterative deepening for games of two players: an alpha-beta search to depth 2, then to depth 3 and so on, with the learned
value at the end of each line. It is the interface of the compiled `search.deepening` in Python.
"""

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
"""The number of positions that are searched before the first look at the clock."""
NODES_PER_SIMULATION: Final = 32
"""The number of positions that count as one simulation of a budget. They take about as long."""
WIDE_DEPTH: Final = 2
"""Up to this depth the search finds the value of each action. Beyond it, the search finds only the best action."""
ASPIRATION_DEPTH: Final = 3
"""From this depth on, a search assumes that the value is in a window around the value of the search before."""
ASPIRATION_WINDOW: Final = 64
"""The distance from that value to both ends of the window, in parts of LOGIT."""
FIRST_MARGIN: Final = 160
"""How much a value is assumed to change with each action of depth, in parts of LOGIT, before it is measured."""
LEAST_MARGIN: Final = 16
"""The smallest measured change of this kind that is used, in parts of LOGIT."""
SHALLOW_DEPTH: Final = 4
"""Up to this depth, a look ahead of one action may make a deeper search unnecessary (`Manner.margin`)."""
AGES: Final = 100
"""The searches that use one table are numbered from 0 to AGES - 1, and then from 0 again."""
REDUCTION_DIVISOR: Final = 2.0
"""An action's depth is reduced by log(depth) * log(place in the order of actions) / REDUCTION_DIVISOR."""


def applies(game: "Game", value: "LearnedValue | None") -> bool:
    """Return True if iterative deepening can search the game: two players play for the win, nothing is hidden, and the
    learned value has the functions `state_key` and `sums_after` (`core.contract.Value`).
    """
    return (
        value is not None
        and game.num_players() == 2
        and game.utility() == "win"
        and game.spec.perfect_information
        and all(hasattr(value.module, name) for name in ("state_key", "sums_after"))
    )


def reductions() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return a flat table of depth reductions, at index PLACES * depth + place. An action at this place in the order of
    actions is first searched with so many actions less depth, because later actions are rarely the best.
    """
    table = np.zeros((PLACES, PLACES), np.int64)
    for depth in range(3, PLACES):
        for place in range(2, PLACES):
            table[depth, place] = min(depth - 2, int(logarithm(depth) * logarithm(place + 1) / REDUCTION_DIVISOR))
    return table.ravel()


class Deepener:
    """Searches positions of one game by iterative deepening. It keeps its table of positions for the next search.

    `value` is the game's learned value. `entries` is the size of the table, a power of two from 4 on. The same seed, the
    same budget in simulations and the same sequence of positions give the same findings.
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
        """Continue with the same game in another form, interpreted or compiled. The table stays."""
        self.kernel = game.bind(deepening, value=self._value.module)

    @property
    def nodes(self) -> int:
        """The number of positions visited in all searches so far."""
        return int(self._line.counters[NODES])

    def search(
        self, root: "Position", budget: Budget, stopwatch: Stopwatch, watch: Callable[[float], None] | None = None
    ) -> Findings:
        """Search a position until the budget is spent or the best action is certain. The game must not be over.

        `stopwatch` was started at the beginning of the budget's time. `watch` is called several times a second with the
        share of the budget that is spent.
        """
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
        """Search to one depth, and move the best of the `count` options (the root's actions) to the front. If the budget
        ends first, the search stops in the middle.
        """
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
        """Return True if more depth cannot change the choice: the best option is a certain win or loss, or all others are
        certain losses.
        """
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
        """Return the action and the best replies after it, up to a position that the table does not have."""
        line, position = [action], root.copy()
        position.apply(action)
        while len(line) < DEEPEST and not position.is_terminal():
            following = int(self.kernel.recall(position.array, self._entries))
            if following < 0 or not position.apply(following):
                break
            line.append(following)
        return tuple(line)


def _change(before: dict[int, int], after: dict[int, int]) -> int:
    """Return how much values change if the search goes one action deeper, in parts of LOGIT: the root mean square of such
    changes at the root. `before` and `after` are the values of two depths, by action.

    It is measured because no constant fits a whole game. Early in a game of Okupació it is a quarter of a logit, and near
    the end one and a half.
    """
    changes = [after[action] - value for action, value in before.items() if abs(value) < WON and abs(after[action]) < WON]
    if not changes:
        return FIRST_MARGIN
    return max(LEAST_MARGIN, math.isqrt(sum(change * change for change in changes) // len(changes)))


def _shares(value: int, player: int) -> tuple[float, float]:
    """Return the expected shares of the win of players 0 and 1. `value` is in parts of LOGIT, and high values are good for
    `player`.

    If the result is certain, the shares are exactly 1 and 0.
    """
    if abs(value) == WON:
        mine = 1.0 if value > 0 else 0.0
    else:
        behind = min(abs(value), FURTHEST_BEHIND * LOGIT - 1)
        ahead = int(ODDS[0]) / (int(ODDS[0]) + int(ODDS[behind]))
        mine = ahead if value > 0 else 1.0 - ahead
    return (mine, 1.0 - mine) if player == 0 else (1.0 - mine, mine)


def new_line(game: "Game") -> Line:
    """Return the memory for searches of a game. It is large, but the system provides each page of it only when it is first
    used.
    """
    most = game.rules.MAX_LEGAL
    actions, worth, legal, counters = (np.zeros(n, np.int64) for n in (DEEPEST * most, DEEPEST * most, most, COUNTERS))
    frames = np.zeros(DEEPEST, struct_dtype(FRAME))
    return Line(game.new_array(DEEPEST + 1), frames, actions, worth, legal, np.zeros(most, np.float32), counters)
