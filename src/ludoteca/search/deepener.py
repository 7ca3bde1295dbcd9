"""Iterative deepening for people and programs in Python: a position in, findings out (`search.deepening`)."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from ludoteca.core.arrays import struct_dtype
from ludoteca.core.rng import draw, new_rng
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
from ludoteca.search.leaf import FURTHEST_BEHIND, LOGIT, ODDS, Learned
from ludoteca.search.tree import logarithm

if TYPE_CHECKING:
    from ludoteca.core.game import Game
    from ludoteca.core.position import Position
    from ludoteca.core.value import LearnedValue

DEEPEST: Final = 60
"""No search goes farther."""
FIRST_NODES: Final = 512
"""The number of positions before the first look at the clock."""
NODES_PER_SIMULATION: Final = 32
"""So many positions count as a simulation, which takes about as long."""
WIDE_DEPTH: Final = 2
"""Up to this depth all actions get values of their own; later only those that may be the best."""
ASPIRATION_DEPTH: Final = 3
"""From this depth on, the value is looked for near that of the search before."""
ASPIRATION_WINDOW: Final = 64
"""How near, in parts of LOGIT."""
FIRST_MARGIN: Final = 160
"""What a value may change by for each action of depth, in parts of LOGIT, where the root does not tell."""
LEAST_MARGIN: Final = 16
"""And the least of that where it does."""
SHALLOW_DEPTH: Final = 4
"""Up to this depth positions are left unsearched where one look ahead says enough (`Manner.margin`)."""
AGES: Final = 100
REDUCTION_DIVISOR: Final = 2.0
"""The logarithms of depth and place, multiplied and divided by this, are the reduction."""


def applies(game: "Game", value: "LearnedValue | None") -> bool:
    """True for a game that is searched so: of two, for the win, with nothing hidden and a learned value that looks ahead."""
    return (
        value is not None
        and game.num_players() == 2
        and game.utility() == "win"
        and game.spec.perfect_information
        and all(hasattr(value.module, name) for name in ("state_key", "sums_after"))
    )


def reductions() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """By depth and place, by how much an action is first searched less deep."""
    table = np.zeros((PLACES, PLACES), np.int64)
    for depth in range(3, PLACES):
        for place in range(2, PLACES):
            table[depth, place] = min(depth - 2, int(logarithm(depth) * logarithm(place + 1) / REDUCTION_DIVISOR))
    return table.ravel()


class Deepener:
    """Searches positions of one game, and keeps its table for the next. `entries` is a power of two from 4 on.

    The same seed, budget in simulations and positions in the same order give the same findings.
    """

    def __init__(self, game: "Game", value: "LearnedValue", seed: int = 0, entries: int = 1 << 18) -> None:
        self._value = value
        self.kernel = game.bind(deepening, value=value.module)
        self._learned = Learned(value.weights, np.zeros(value.module.ACTIVE, np.int64), np.zeros(2, np.int64))
        self._line = new_line(game)
        self._entries = np.zeros(entries, struct_dtype(ENTRY))
        self._options = np.zeros(game.rules.MAX_LEGAL, struct_dtype(OPTION))
        self._rng = new_rng(seed)
        self._reductions = reductions()
        self._margin = FIRST_MARGIN

    def use(self, game: "Game") -> None:
        """Go on with the same game bound another way; what is known stays."""
        self.kernel = game.bind(deepening, value=self._value.module)

    @property
    def nodes(self) -> int:
        """The number of positions looked at so far, in all searches."""
        return int(self._line.counters[NODES])

    def search(
        self, root: "Position", budget: Budget, stopwatch: Stopwatch, watch: Callable[[float], None] | None = None
    ) -> Findings:
        """Search a position that is not terminal, until the budget is spent or the result is certain."""
        counters, before = self._line.counters, self.nodes
        counters[AGE] = (counters[AGE] + 1) % AGES
        self._margin = FIRST_MARGIN
        most = math.inf if budget.simulations is None else budget.simulations
        pace = Pace(budget, stopwatch, most * NODES_PER_SIMULATION, FIRST_NODES, watch=watch)
        count = int(self.kernel.list_root(root.array, self._line, self._learned, self._options))
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
        """Search to that depth, at first near the value of the search before, and put the best option first."""
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
                searched = self._line, self._entries, self._options, self._learned, manner
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
        """True when the best option wins, or all others lose."""
        best, others = self._options[0], self._options[1:count]
        return bool(abs(best["value"]) == WON or (others["value"] == -WON).all())

    def _values(self, count: int) -> dict[int, int]:
        """What is known of each option."""
        return {int(option["action"]): int(option["value"]) for option in self._options[:count]}

    def _sort(self, count: int, start: int) -> None:
        """Put the options in the order of their values, from `start` on."""
        part = self._options[start:count]
        part[:] = part[np.argsort(-part["value"], kind="stable")]

    def _findings(self, root: "Position", count: int, simulations: int, stopwatch: Stopwatch) -> Findings:
        """What is known, the best option first."""
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
        """The actions that were found best, as far as the table has them."""
        line, position = [action], root.copy()
        position.apply(action)
        while len(line) < DEEPEST and not position.is_terminal():
            following = int(self.kernel.recall(position.array, self._entries))
            if following < 0 or not position.apply(following):
                break
            line.append(following)
        return tuple(line)


def _change(before: dict[int, int], after: dict[int, int]) -> int:
    """The margin, from what looking one action further changed at the root: the root of the mean square of the changes.

    Early in a game of Okupació that is a quarter of a logit, near its end one and a half: no number fits both.
    """
    changes = [after[action] - value for action, value in before.items() if abs(value) < WON and abs(after[action]) < WON]
    return (
        max(LEAST_MARGIN, math.isqrt(sum(change * change for change in changes) // len(changes)))
        if changes
        else FIRST_MARGIN
    )


def _shares(value: int, player: int) -> tuple[float, float]:
    """What both may expect, by the table of odds; a certain result is 1 or 0."""
    if abs(value) == WON:
        mine = 1.0 if value > 0 else 0.0
    else:
        behind = min(abs(value), FURTHEST_BEHIND * LOGIT - 1)
        ahead = int(ODDS[0]) / (int(ODDS[0]) + int(ODDS[behind]))
        mine = ahead if value > 0 else 1.0 - ahead
    return (mine, 1.0 - mine) if player == 0 else (1.0 - mine, mine)


def new_line(game: "Game") -> Line:
    """Arrays that the system provides page by page, as they are used."""
    most = game.rules.MAX_LEGAL
    actions, worth, legal, counters = (np.zeros(n, np.int64) for n in (DEEPEST * most, DEEPEST * most, most, COUNTERS))
    frames = np.zeros(DEEPEST, struct_dtype(FRAME))
    return Line(game.new_array(DEEPEST + 1), frames, actions, worth, legal, np.zeros(most, np.float32), counters)
