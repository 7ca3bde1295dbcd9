"""The interface of all searches in Python: `Searcher` takes an information state and a budget, and returns findings.

Monte Carlo tree search runs compiled, in one or more threads. Each thread has a separate tree, and their results are added
up. After a move has been played, the part of the trees below the move stays for the next search of the same game. If two
players play for the win, nothing is hidden, and the game has a learned value, iterative deepening (`search.deepener`)
searches instead.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import inf
from types import ModuleType
from typing import Any, Final, NamedTuple

import numpy as np

from ludoteca.core import steps
from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import NotationError, SearchError
from ludoteca.core.game import Game
from ludoteca.core.native import Binding
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.core.tables import struct_dtype
from ludoteca.core.value import LearnedValue
from ludoteca.search import exact, ismcts, mcts
from ludoteca.search.deepener import Deepener
from ludoteca.search.deepener import applies as deepens
from ludoteca.search.findings import Budget as Budget
from ludoteca.search.findings import Elapsed, Pace, Stopwatch
from ludoteca.search.findings import Findings as Findings
from ludoteca.search.findings import RootMove as RootMove
from ludoteca.search.leaf import TO_THE_END, Evaluator
from ludoteca.search.prior import Prior, trust_in
from ludoteca.search.tree import COUNTERS, FULL, JUST_FILLED, NODE, STAYS_FULL, UNITS, USED, Scratch, Tree

EXPAND_AT: Final = 4
"""The default of the setting `expand_at`. The next two constants are defaults, too."""
EXPLORE: Final = 0.7
WIDEN: Final = 4.0
FIRST_SIMULATIONS: Final = 16
"""The number of simulations before the first look at the clock, in a compiled search."""
LINE_VISITS: Final = 20
"""A line of best moves ends before a move with fewer visits."""


@dataclass(frozen=True)
class Settings:
    """The settings of a search.

    If one of the first five is None, it is taken from the game's heuristics (`core.contract.Heuristics`). If they do not
    define it either, it has a default.
    """

    expand_at: int | None = None
    """The number of visits from which a node of the tree gets children."""
    explore: float | None = None
    """The constant of UCB1. It is multiplied by the range of all results so far."""
    widen: float | None = None
    """At most 1 + widen * sqrt(visits) children of a node are searched."""
    cut: int | None = None
    """The number of actions of a playout before the learned value, if any, replaces the rest. -1 plays to the end."""
    rave: float | None = None
    """The constant of RAVE: how fast later uses of an action lose weight. 0 is off. It needs perfect information."""
    nodes: int = 1_000_000
    """The size of each thread's tree. When it is full, the search keeps the nodes with the most visits, up to half."""
    threads: int = 1
    """The number of threads. Iterative deepening always uses one."""
    deepen: bool = True
    """Use iterative deepening (`search.deepener`) instead of playouts, if it applies to the game."""
    exact: float = 0.25
    """The largest share of the budget for exact play before the search, if it applies (`search.exact`). 0 for none."""


class Searcher:
    """Searches positions of one game, again and again as the game goes on.

    The same seed, the same budget in simulations and the same sequence of positions give the same findings. `policy` is a
    module with `playout_action`, such as the game's heuristics. Without it, playouts are uniformly random. `priors` is a
    module with `action_values`, which says which actions to try first. Without it, `policy` does. `value` is the game's
    learned value, which replaces the rest of a playout if the settings or the heuristics have a `cut`.
    """

    def __init__(
        self,
        game: Game,
        policy: ModuleType | None = None,
        settings: Settings | None = None,
        seed: int = 0,
        priors: ModuleType | None = None,
        value: LearnedValue | None = None,
    ) -> None:
        self.game = game
        self.settings = settings or Settings()
        self._heuristics = policy, priors
        self._value = value
        game.bind(steps)  # so that it is compiled together with the search
        self._deepener = Deepener(game, value, seed) if value and self.settings.deepen and deepens(game, value) else None
        self._workers: list[_Worker] = []
        self._prior: Prior | None = None
        if not self._deepener:
            heuristics = priors or policy
            shape = _shape(self.settings, heuristics, game.parameters)
            shape = shape if value else shape._replace(cut=TO_THE_END)
            if shape.rave and not (game.spec.perfect_information and game.rules.ACTIONS):
                raise SearchError(
                    f"rave: read {shape.rave}, expected 0: it needs numbered actions and no hidden information"
                )
            kernel, nodes, threads = self._bind(game), self.settings.nodes, self.settings.threads
            self._workers = [_Worker(game, kernel, shape, value, nodes, seed, i) for i in range(threads)]
            trust = trust_in(heuristics, _constants(heuristics, game.parameters))
            self._prior = Prior(game, heuristics, trust) if heuristics and trust else None
        self._known: InformationState | None = None
        self._summing = Elapsed()  # the time to add up the last findings, which is reserved in the next budget
        self._solver = exact.Solver(game) if self.settings.exact > 0 and exact.applies(game) else None

    def _bind(self, game: Game) -> Binding:
        policy, priors = self._heuristics
        kind = mcts if game.spec.perfect_information else ismcts
        return game.bind(kind, policy, priors, value=self._value.module if self._value else None)

    def bindings(self) -> list[Binding]:
        """Return all compiled or interpreted bindings that a search uses."""
        searching = self._deepener.kernel if self._deepener else self._workers[0].kernel
        return [self.game.bind(steps), searching, *([self._solver.kernel] if self._solver else [])]

    def use(self, game: Game) -> None:
        """Continue with the same game in another form, interpreted or compiled. The trees and tables stay.

        Raises CompilerError, and changes nothing, if the game is compiled and the system forbids machine code.
        """
        game.bind(steps)
        self.game = game
        if self._deepener:
            self._deepener.use(game)
        if self._solver:
            self._solver.use(game)
        for worker in self._workers:
            worker.kernel = self._bind(game)

    def search(self, state: InformationState, budget: Budget, watch: Callable[[float], None] | None = None) -> Findings:
        """Return the findings of a search for a player who is to move.

        `watch` is called several times a second, with the share of the budget that is spent. Raises SearchError if the
        player is not to move, if no deal fits the state, or if the budget is empty.
        """
        return self.evaluate(check_turn(self.game, state), budget, watch)

    def evaluate(self, state: InformationState, budget: Budget, watch: Callable[[float], None] | None = None) -> Findings:
        """Return the findings of a search from the knowledge of any seat, even if another player is to move. The choices are
        those of the player to move. Raises SearchError if the game is over, if no deal fits the state, or if the budget is
        empty.
        """
        budget.check()
        state = check_game(self.game, state)
        stopwatch = Stopwatch()
        solved = self._solver.solve(state, budget, self.settings.exact) if self._solver else None
        if solved:
            return solved
        was_cut = self._solver is not None and self._solver.was_cut and budget.simulations is not None
        if self._deepener:
            findings = self._deepener.search(state.redeal(new_rng(0)), budget, stopwatch, watch)
            return findings._replace(cut=findings.cut or was_cut)
        self._move_roots(state)
        cpu = stopwatch.read().cpu + self._summing.cpu

        def run(worker: _Worker, most: float) -> bool:
            clock = Stopwatch(Elapsed(stopwatch.read().wall + self._summing.wall, cpu))  # it starts in the worker's thread
            return worker.run(state, budget, clock, most, watch if worker is self._workers[0] else None)

        n, simulations = len(self._workers), budget.simulations
        shares = [inf if simulations is None else simulations // n + (i < simulations % n) for i in range(n)]
        if n == 1:
            late = [run(self._workers[0], shares[0])]
        else:
            with ThreadPoolExecutor(n) as pool:
                late = list(pool.map(run, self._workers, shares))
        summing = Stopwatch()
        is_cut = was_cut or (any(late) and simulations is not None)
        findings = self._findings(state, stopwatch.read().wall)._replace(cut=is_cut)
        self._summing = summing.read()
        return findings

    def recall(self, state: InformationState) -> Findings | None:
        """Return what earlier searches found about this position, without a new search, or None if they have not reached it.

        The findings count the simulations of those searches, and have 0 seconds. Raises SearchError if the player is not to
        move or if no deal fits the state.
        """
        state = check_turn(self.game, state)
        self._move_roots(state)
        legal = state.redeal(new_rng(0)).legal_actions().tolist()
        if not self._workers or not all(worker.knows_any(legal) for worker in self._workers):
            return None
        return self._findings(state, 0.0)._replace(simulations=sum(worker.visits() for worker in self._workers))

    def _move_roots(self, state: InformationState) -> None:
        """Make this position the root of each tree, if it follows the position of the last search. Otherwise empty the
        trees.
        """
        known, self._known = self._known, state
        moves = None
        if known and (known.player, known.seen) == (state.player, state.seen[: len(known.seen)]):
            moves = state.seen[len(known.seen) :]
        if known and not moves and known.view.tobytes() != state.view.tobytes():  # the same actions, another deal
            moves = None
        for worker in self._workers:
            worker.move_root(moves)

    def _findings(self, state: InformationState, seconds: float) -> Findings:
        """Return the findings that result from adding up the trees of all threads."""
        mover = state.view.current_player()
        points = self.game.utility() == "points"
        tallies = [worker.tally() for worker in self._workers]
        root = _join([entry for entry, _ in tallies])
        children = [entries for _, entries in tallies]
        options = {action for entries in children for action in entries}
        if mover == state.player:  # the tree may have actions that were legal only in deals that no longer fit
            options &= set(state.redeal(new_rng(0)).legal_actions().tolist())
        joined = {
            action: _join([entries[action] for entries in children if action in entries]) for action in sorted(options)
        }
        choices = [
            RootMove(action, entry.visits, tuple((entry.sums / max(entry.visits, 1) / UNITS).tolist()), entry.solved)
            for action, entry in joined.items()
        ]
        choices.sort(key=lambda choice: _merit(choice, mover, points=points, solved=root.solved), reverse=True)
        values = choices[0].values if root.solved else tuple((root.sums / root.visits / UNITS).tolist())
        if self._prior and mover == state.player and not root.solved:
            choices = self._prior.order(state.redeal(new_rng(0)), choices, values)
        return Findings(
            mover,
            tuple(choices),
            values,
            sum(worker.simulations for worker in self._workers),
            seconds,
            (choices[0].action, *self._workers[0].line(choices[0].action)),
        )


def check_game(game: Game, state: InformationState) -> InformationState:
    """Return the state with `real` set to True, so that it is not checked again.

    Raises SearchError if it belongs to another game, if the game is over, or if no deal fits the state.
    """
    if state.game != game:
        raise SearchError(f"the state is of {state.game!r}, expected one of {game!r}")
    if not state.real:
        check_fits(state)
    if state.view.current_player() == TERMINAL:
        raise SearchError("the game is over: there is nothing to choose")
    return replace(state, real=True)


def check_turn(game: Game, state: InformationState) -> InformationState:
    """Return the state with `real` set to True. Raises SearchError if it belongs to another game, if the game is over, if no
    deal fits the state, or if its player is not to move.
    """
    checked = check_game(game, state)
    mover = state.view.current_player()
    if mover != state.player:
        raise SearchError(f"it is the turn of player {mover}, and the state belongs to player {state.player}")
    return checked


def check_fits(state: InformationState) -> None:
    """Check that a deal fits a player's view: deal once, write the complete position, read it again, and compare the
    player's view of it.

    Raises SearchError, which names the contradiction, if no deal fits. Everything here is interpreted, because compiled code
    does not check bounds: with a wrong view it could write outside its arrays or never end.
    """
    game = Game(state.game.spec, state.game.parameters)
    known = Position(game, state.view.array)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            deal = known.redeal(state.player, new_rng(0))
            whole = game.state_from_string(str(game.notation.position_to_string(deal.raw)))
    except NotationError as error:
        raise _misfit(state, str(error)) from None
    except (ArithmeticError, LookupError, ValueError, RuntimeWarning) as error:
        raise _misfit(state, f"a number in it is out of bounds ({type(error).__name__}: {error})") from None
    again = whole.view(state.player)
    hidden = set(game.dtype.names or ()) - set(game.rules.DERIVED)
    clash = sorted(name for name in hidden if again.array[name].tobytes() != known.array[name].tobytes())
    if clash:
        raise _misfit(state, f"another deal gives other values of {', '.join(clash)}")


def _misfit(state: InformationState, why: str) -> SearchError:
    return SearchError(f"no deal fits the knowledge of player {state.player}: {why}")


class _Shape(NamedTuple):
    """The settings of the compiled searches, in the order of their parameters. Only `mcts` takes the last one."""

    expand_at: int
    explore: float
    widen: float
    cut: int
    rave: float


def _shape(settings: Settings, heuristics: ModuleType | None, parameters: Mapping[str, Any]) -> _Shape:
    """Return each setting if it is given, else the constant of the game's heuristics, else the default."""
    given = _constants(heuristics, parameters)

    def chosen(name: str, ours: float) -> float:
        value: float | None = getattr(settings, name)
        return given.get(name.upper(), getattr(heuristics, name.upper(), ours)) if value is None else value

    explore, widen, cut = chosen("explore", EXPLORE), chosen("widen", WIDEN), int(chosen("cut", TO_THE_END))
    return _Shape(int(chosen("expand_at", EXPAND_AT)), explore, widen, cut, chosen("rave", 0.0))


def _constants(heuristics: ModuleType | None, parameters: Mapping[str, Any]) -> Mapping[str, float]:
    """Return the constants of the heuristics that are only for these parameters, by name. They replace the constants of the
    module.
    """
    given: Mapping[str, float] = heuristics.constants(parameters) if heuristics and hasattr(heuristics, "constants") else {}
    return given


class _Entry(NamedTuple):
    """The visits of a node in one or several trees, each player's added-up results, and whether the node is solved."""

    visits: int
    sums: "np.ndarray[Any, np.dtype[np.float64]]"
    solved: bool


def _join(entries: list[_Entry]) -> _Entry:
    """Add up the visits and sums of one node in several trees. If one of the trees has solved the node, only its value
    counts.
    """
    solved = [entry for entry in entries if entry.solved]
    counted = solved[:1] or entries
    visits = sum(entry.visits for entry in entries)
    sums = sum(entry.sums for entry in counted) * (visits / max(1, sum(entry.visits for entry in counted)))
    return _Entry(visits, np.asarray(sums), bool(solved))


def _merit(choice: RootMove, player: int, *, points: bool, solved: bool) -> tuple[float, float, float]:
    """Return the rank of a choice: certain wins come first and certain losses last. The others are ranked by visits, then by
    value.

    In games for points they are ranked by visits, or by value if the root is solved.
    """
    value = choice.values[player]
    if points:
        return (value, choice.visits, 0) if solved else (0, choice.visits, value)
    certain = choice.solved and (value >= 1) - (value <= 0)
    return certain, choice.visits, value


class _Worker:
    """The search of one thread: its tree, its memory and its random generator."""

    def __init__(
        self,
        game: Game,
        kernel: Binding,
        shape: _Shape,
        value: LearnedValue | None,
        nodes: int,
        seed: int,
        number: int,
    ) -> None:
        self._game = game
        self.kernel = kernel
        self._shape = shape
        self._number = number
        self._players = game.num_players()
        self._tree, self._spare = (new_tree(game, nodes) for _ in range(2))
        self._scratch = new_scratch(game)
        self._evaluator = new_evaluator(game, value)
        self._rng = new_rng((seed << 16) + number)
        self.simulations = 0

    def run(
        self,
        state: InformationState,
        budget: Budget,
        stopwatch: Stopwatch,
        most: float,
        watch: Callable[[float], None] | None,
    ) -> bool:
        """Run at most `most` simulations, until the budget is spent or the root is solved. At least one is run, however
        short the time is.

        Return True if the time limit ended the search.
        """
        pace = Pace(budget, stopwatch, most, FIRST_SIMULATIONS if self.kernel.compiled else 1, watch=watch)
        perfect = self._game.spec.perfect_information
        root = state.redeal(self._rng) if perfect else state.view.copy()
        observer, shape = ((), self._shape) if perfect else ((state.player,), self._shape[:-1])
        while not pace.is_spent() or (pace.is_late and not pace.done):
            n, memory = pace.slice(), (self._tree, self._scratch, self._rng)
            done = int(self.kernel.simulate(root.array, *memory, *observer, n, *shape, self._evaluator))
            pace.add(done)
            if self._tree.counters[FULL] == JUST_FILLED:
                self._keep(0)
            elif done < n:
                break
        self.simulations = pace.done
        return pace.is_late

    def move_root(self, moves: tuple[int, ...] | None) -> None:
        """Make the node after these moves the root. Empty the tree if `moves` is None, or if the tree has no such node."""
        node: int | None = 0 if moves is not None and self._tree.counters[USED] else None
        for action in moves or ():
            node = None if node is None else self._child(node, action)
        if node is None:
            self._tree.counters[USED] = 0
        elif node or self._tree.counters[USED] > len(self._tree.nodes) // 2:
            self._keep(node)
        if (
            self._tree.nodes[0]["solved"] and not self._tree.nodes[0]["count"]
        ):  # a solved root without its children shows no choices
            self._tree.counters[USED] = 0

    def _keep(self, node: int) -> None:
        """Make a node the root, and keep the most visited nodes below it, up to half of the tree's size."""
        size = len(self._tree.nodes)
        self.kernel.move_root(self._tree, self._spare, self._players, node, size // 2)
        self._tree, self._spare = self._spare, self._tree
        if self._tree.counters[USED] > size * 3 // 4:  # mostly the root's children, which always stay
            self._tree.counters[FULL] = STAYS_FULL

    def knows_any(self, actions: Sequence[int]) -> bool:
        """Return True if the root has a child for one of the actions."""
        return bool(self._tree.counters[USED]) and any(self._child(0, action) is not None for action in actions)

    def visits(self) -> int:
        """Return the visits of the root."""
        return int(self._tree.nodes[0]["visits"])

    def _children(self, node: int) -> range:
        parent = self._tree.nodes[node]
        return range(int(parent["first"]), int(parent["first"]) + int(parent["count"]))

    def _child(self, node: int, action: int) -> int | None:
        return next((child for child in self._children(node) if self._tree.nodes[child]["action"] == action), None)

    def tally(self) -> tuple[_Entry, dict[int, _Entry]]:
        """Return the root, and its children by their actions."""
        return self._entry(0), {int(self._tree.nodes[i]["action"]): self._entry(i) for i in self._children(0)}

    def _entry(self, node: int) -> _Entry:
        visits, solved = int(self._tree.nodes[node]["visits"]), bool(self._tree.nodes[node]["solved"])
        sums = self._tree.sums[node * self._players : (node + 1) * self._players].astype(np.float64)
        return _Entry(max(visits, 1), sums * max(visits, 1), True) if solved else _Entry(visits, sums, False)

    def line(self, action: int) -> Iterator[int]:
        """Yield the most visited actions after the given one, until an action has fewer than LINE_VISITS visits."""
        node = self._child(0, action)
        while node is not None:
            visits = {child: int(self._tree.nodes[child]["visits"]) for child in self._children(node)}
            node = max(visits, key=lambda child: visits[child], default=None)
            if node is not None and visits[node] < LINE_VISITS:
                return
            if node is not None:
                yield int(self._tree.nodes[node]["action"])


def new_tree(game: Game, nodes: int) -> Tree:
    """Return an empty tree with room for this many nodes. The system provides each page of its memory only when it is first
    used.
    """
    return Tree(
        np.zeros(nodes, struct_dtype(NODE)),
        np.zeros(nodes * game.num_players(), np.int64),
        np.zeros(game.rules.MAX_MOVES + 1, np.int64),
        np.zeros(COUNTERS, np.int64),
    )


def new_scratch(game: Game) -> Scratch:
    """Return the memory for simulations of this game."""
    most = game.rules.MAX_LEGAL
    legal, keys, worth = (np.zeros(most, np.int64) for _ in range(3))
    table = np.zeros(1 << (2 * most).bit_length(), np.int64)
    played = np.zeros(game.num_players() * game.rules.ACTIONS + 1, np.int64)
    return Scratch(game.new_array(), legal, keys, worth, table, np.zeros(game.num_players(), np.int64), played)


def new_evaluator(game: Game, value: LearnedValue | None) -> Evaluator:
    """Return a game's learned value in the form for compiled searches. Without a value, the arrays of weights and features
    have length one.
    """
    weights, active = (value.weights, value.module.ACTIVE) if value else (np.zeros(1, np.float32), 1)
    return Evaluator(weights, np.zeros(active, np.int64), np.zeros(game.num_players(), np.int64))
