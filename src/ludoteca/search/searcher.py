"""Search for people and programs in Python: an information state in, findings out.

Monte Carlo tree search runs compiled, in as many threads as asked, each with a tree of its own; their results are added up.
What was found about the moves that were then played is kept for the next search of the same game. Where two play for the win
and nothing is hidden, a learned value is searched by iterative deepening (`search.deepener`) in its place.
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
from ludoteca.core.arrays import struct_dtype
from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import NotationError, SearchError
from ludoteca.core.game import Game
from ludoteca.core.native import Binding
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.core.value import LearnedValue
from ludoteca.search import exact, ismcts, mcts
from ludoteca.search.deepener import Deepener
from ludoteca.search.deepener import applies as deepens
from ludoteca.search.findings import Budget as Budget
from ludoteca.search.findings import Elapsed, Pace, Stopwatch
from ludoteca.search.findings import Findings as Findings
from ludoteca.search.findings import RootMove as RootMove
from ludoteca.search.leaf import TO_THE_END, Learned
from ludoteca.search.prior import Prior, trust_in
from ludoteca.search.tree import COUNTERS, FULL, JUST_FILLED, NODE, STAYS_FULL, UNITS, USED, Scratch, Tree

EXPAND_AT: Final = 4
EXPLORE: Final = 0.7
WIDEN: Final = 4.0
FIRST_SIMULATIONS: Final = 16
"""The number of simulations before the first look at the clock, compiled."""
LINE_VISITS: Final = 20
"""A move with fewer visits is not shown in a line."""


@dataclass(frozen=True)
class Settings:
    """The settings of a search. Where one of the first five is None, the game's heuristics say it, or the default does."""

    expand_at: int | None = None
    """The number of visits at which a node gets children."""
    explore: float | None = None
    """UCB1's constant, in the range of all results so far."""
    widen: float | None = None
    """A node looks at no more than 1 + widen * sqrt(visits) of its children."""
    cut: int | None = None
    """Actions of a playout after which the game's learned value is asked, if it has one; -1: playouts go to the end."""
    rave: float | None = None
    """How fast results of actions played later lose to those of actions played now, where nothing is hidden; 0: at once."""
    nodes: int = 1_000_000
    """The size of each thread's tree. When it is full, the half that was visited most is kept."""
    threads: int = 1
    """Iterative deepening keeps to one."""
    deepen: bool = True
    """Search by iterative deepening where that applies (`search.deepener`), and not by playouts."""
    exact: float = 0.25
    """The largest share of the budget to spend on exact play first, where it applies (`search.exact`); 0 for none."""


class Searcher:
    """A search that can be asked again as its game goes on. The same seed and budget in simulations give the same findings.

    `policy` is the game's heuristics, or another module with `playout_action`; without one playouts are uniform. `priors`
    is a module with `action_values`, if they do not come from the policy: they say which actions are tried first. `value` is
    what has been learned about positions: playouts are cut short by it, as far as the settings or the heuristics say.
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
        game.bind(steps)  # compiled with the search, and not while somebody waits for a move
        self._deepener = Deepener(game, value, seed) if value and self.settings.deepen and deepens(game, value) else None
        self._workers: list[_Worker] = []
        self._prior: Prior | None = None
        if not self._deepener:
            heuristics = priors or policy
            shape = _shape(self.settings, heuristics, game.parameters)
            shape = shape if value else shape._replace(cut=TO_THE_END)
            if shape.rave and not (game.spec.perfect_information and game.rules.ACTIONS):
                raise SearchError(f"rave: read {shape.rave}, expected 0: it needs numbered actions, and nothing hidden")
            kernel, nodes, threads = self._bind(game), self.settings.nodes, self.settings.threads
            self._workers = [_Worker(game, kernel, shape, value, nodes, seed, i) for i in range(threads)]
            trust = trust_in(heuristics, _constants(heuristics, game.parameters))
            self._prior = Prior(game, heuristics, trust) if heuristics and trust else None
        self._known: InformationState | None = None
        self._telling = Elapsed()  # what adding up the last findings took: so much of the next budget is kept for it
        self._solver = exact.Solver(game) if self.settings.exact > 0 and exact.applies(game) else None

    def _bind(self, game: Game) -> Binding:
        policy, priors = self._heuristics
        kind = mcts if game.spec.perfect_information else ismcts
        return game.bind(kind, policy, priors, value=self._value.module if self._value else None)

    def bindings(self) -> list[Binding]:
        """All that it has bound to the game."""
        searching = self._deepener.kernel if self._deepener else self._workers[0].kernel
        return [self.game.bind(steps), searching, *([self._solver.kernel] if self._solver else [])]

    def use(self, game: Game) -> None:
        """Go on with the same game bound another way, interpreted or compiled. What is known stays."""
        self.game = game
        game.bind(steps)
        if self._deepener:
            self._deepener.use(game)
        if self._solver:
            self._solver.use(game)
        for worker in self._workers:
            worker.kernel = self._bind(game)

    def search(self, state: InformationState, budget: Budget, watch: Callable[[float], None] | None = None) -> Findings:
        """Search from the player's view.

        `watch` is called now and then with the share of the budget that is spent. Raises SearchError when there is nothing
        to choose or to spend.
        """
        return self.evaluate(check_turn(self.game, state), budget, watch)

    def evaluate(self, state: InformationState, budget: Budget, watch: Callable[[float], None] | None = None) -> Findings:
        """The same from the view of any seat, on anybody's turn: the choices are those of the player to move."""
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
        cpu = stopwatch.read().cpu + self._telling.cpu

        def run(worker: _Worker, most: float) -> bool:
            clock = Stopwatch(Elapsed(stopwatch.read().wall + self._telling.wall, cpu))  # of the worker's own thread
            return worker.run(state, budget, clock, most, watch if worker is self._workers[0] else None)

        n, simulations = len(self._workers), budget.simulations
        shares = [inf if simulations is None else simulations // n + (i < simulations % n) for i in range(n)]
        if n == 1:
            late = [run(self._workers[0], shares[0])]
        else:
            with ThreadPoolExecutor(n) as pool:
                late = list(pool.map(run, self._workers, shares))
        telling = Stopwatch()
        is_cut = was_cut or (any(late) and simulations is not None)
        findings = self._findings(state, stopwatch.read().wall)._replace(cut=is_cut)
        self._telling = telling.read()
        return findings

    def recall(self, state: InformationState) -> Findings | None:
        """What is known of a position, without searching, from searches of those before; None where that is nothing.

        The findings name the simulations that it comes from, and no time. Raises SearchError, as `search` does.
        """
        state = check_turn(self.game, state)
        self._move_roots(state)
        legal = state.redeal(new_rng(0)).legal_actions().tolist()
        if not self._workers or not all(worker.knows_any(legal) for worker in self._workers):
            return None
        return self._findings(state, 0.0)._replace(simulations=sum(worker.visits() for worker in self._workers))

    def _move_roots(self, state: InformationState) -> None:
        """Keep what the trees know, if this position comes after the one they are for."""
        known, self._known = self._known, state
        moves = None
        if known and (known.player, known.seen) == (state.player, state.seen[: len(known.seen)]):
            moves = state.seen[len(known.seen) :]
        if known and not moves and known.view.tobytes() != state.view.tobytes():  # the same actions in another deal
            moves = None
        for worker in self._workers:
            worker.move_root(moves)

    def _findings(self, state: InformationState, seconds: float) -> Findings:
        """The workers' trees added up."""
        mover = state.view.current_player()
        points = self.game.utility() == "points"
        tallies = [worker.tally() for worker in self._workers]
        root = _join([entry for entry, _ in tallies])
        children = [entries for _, entries in tallies]
        options = {action for entries in children for action in entries}
        if mover == state.player:  # whose actions are known now; the tree may also have what other deals allowed before
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
    """The state, known to be real. Raises SearchError for one of another game, one that is over, one that no deal fits."""
    if state.game != game:
        raise SearchError(f"the state is of {state.game!r}, expected one of {game!r}")
    if not state.real:
        check_fits(state)
    if state.view.current_player() == TERMINAL:
        raise SearchError("the game is over: there is nothing to choose")
    return replace(state, real=True)


def check_turn(game: Game, state: InformationState) -> InformationState:
    """The same; raises SearchError, which says why, where the state's player has nothing to choose."""
    checked = check_game(game, state)
    mover = state.view.current_player()
    if mover != state.player:
        raise SearchError(f"it is the turn of player {mover}, and the state is what player {state.player} knows")
    return checked


def check_fits(state: InformationState) -> None:
    """Deal once, write the position, read it again, and compare what the player sees.

    Raises SearchError, which says what clashes. All is interpreted, since a view that no deal fits may lead compiled code
    out of its arrays or round in circles.
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
        raise _misfit(state, f"dealt again, there is other {', '.join(clash)}")


def _misfit(state: InformationState, why: str) -> SearchError:
    return SearchError(f"no deal fits what player {state.player} knows: {why}")


class _Shape(NamedTuple):
    """The settings that kernels take, in the order of their parameters: the last one only where nothing is hidden."""

    expand_at: int
    explore: float
    widen: float
    cut: int
    rave: float


def _shape(settings: Settings, heuristics: ModuleType | None, parameters: Mapping[str, Any]) -> _Shape:
    """The settings chosen, else those of the game's heuristics, else the defaults."""
    given = _constants(heuristics, parameters)

    def chosen(name: str, ours: float) -> float:
        value: float | None = getattr(settings, name)
        return given.get(name.upper(), getattr(heuristics, name.upper(), ours)) if value is None else value

    explore, widen, cut = chosen("explore", EXPLORE), chosen("widen", WIDEN), int(chosen("cut", TO_THE_END))
    return _Shape(int(chosen("expand_at", EXPAND_AT)), explore, widen, cut, chosen("rave", 0.0))


def _constants(heuristics: ModuleType | None, parameters: Mapping[str, Any]) -> Mapping[str, float]:
    """What the heuristics say for these parameters, besides their constants for all."""
    given: Mapping[str, float] = heuristics.constants(parameters) if heuristics and hasattr(heuristics, "constants") else {}
    return given


class _Entry(NamedTuple):
    """A node in a tally."""

    visits: int
    sums: "np.ndarray[Any, np.dtype[np.float64]]"
    solved: bool


def _join(entries: list[_Entry]) -> _Entry:
    """The sum of one node in several trees; where a tree has solved it, only that value counts."""
    solved = [entry for entry in entries if entry.solved]
    counted = solved[:1] or entries
    visits = sum(entry.visits for entry in entries)
    sums = sum(entry.sums for entry in counted) * (visits / max(1, sum(entry.visits for entry in counted)))
    return _Entry(visits, np.asarray(sums), bool(solved))


def _merit(choice: RootMove, player: int, *, points: bool, solved: bool) -> tuple[float, float, float]:
    """The order of choices: a certain win, then visits (a certain loss is last), then value; solved points go by value."""
    value = choice.values[player]
    if points:
        return (value, choice.visits, 0) if solved else (0, choice.visits, value)
    certain = choice.solved and (value >= 1) - (value <= 0)
    return certain, choice.visits, value


class _Worker:
    """A thread's tree, and its search."""

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
        self._learned = new_learned(game, value)
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
        """Search at most `most` simulations, until the budget is spent or the root is solved.

        Return True if the time ended the search. At least one simulation is run, however short the time is.
        """
        pace = Pace(budget, stopwatch, most, FIRST_SIMULATIONS if self.kernel.compiled else 1, watch=watch)
        perfect = self._game.spec.perfect_information
        root = state.redeal(self._rng) if perfect else state.view.copy()
        observer, shape = ((), self._shape) if perfect else ((state.player,), self._shape[:-1])
        while not pace.is_spent() or (pace.is_late and not pace.done):
            n, memory = pace.slice(), (self._tree, self._scratch, self._rng)
            done = int(self.kernel.simulate(root.array, *memory, *observer, n, *shape, self._learned))
            pace.add(done)
            if self._tree.counters[FULL] == JUST_FILLED:
                self._keep(0)
            elif done < n:
                break
        self.simulations = pace.done
        return pace.is_late

    def move_root(self, moves: tuple[int, ...] | None) -> None:
        """Follow the moves played since. Begin anew without any, and where the tree knows nothing of them."""
        node: int | None = 0 if moves is not None and self._tree.counters[USED] else None
        for action in moves or ():
            node = None if node is None else self._child(node, action)
        if node is None:
            self._tree.counters[USED] = 0
        elif node or self._tree.counters[USED] > len(self._tree.nodes) // 2:
            self._keep(node)
        if self._tree.nodes[0]["solved"] and not self._tree.nodes[0]["count"]:  # what it was solved by was not kept
            self._tree.counters[USED] = 0

    def _keep(self, node: int) -> None:
        """Keep what is below a node, but no more than half a tree: that which was visited most."""
        size = len(self._tree.nodes)
        self.kernel.move_root(self._tree, self._spare, self._players, node, size // 2)
        self._tree, self._spare = self._spare, self._tree
        if self._tree.counters[USED] > size * 3 // 4:  # the root's children alone: there would be no end of keeping
            self._tree.counters[FULL] = STAYS_FULL

    def knows_any(self, actions: Sequence[int]) -> bool:
        """True when the root has been searched, and one of the actions with it."""
        return bool(self._tree.counters[USED]) and any(self._child(0, action) is not None for action in actions)

    def visits(self) -> int:
        """Those of the root."""
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
        """The most visited actions after the given one, while they have LINE_VISITS visits or more."""
        node = self._child(0, action)
        while node is not None:
            visits = {child: int(self._tree.nodes[child]["visits"]) for child in self._children(node)}
            node = max(visits, key=lambda child: visits[child], default=None)
            if node is not None and visits[node] < LINE_VISITS:
                return
            if node is not None:
                yield int(self._tree.nodes[node]["action"])


def new_tree(game: Game, nodes: int) -> Tree:
    """Arrays that the system provides page by page, as they are used."""
    return Tree(
        np.zeros(nodes, struct_dtype(NODE)),
        np.zeros(nodes * game.num_players(), np.int64),
        np.zeros(game.rules.MAX_MOVES + 1, np.int64),
        np.zeros(COUNTERS, np.int64),
    )


def new_scratch(game: Game) -> Scratch:
    """The memory for simulations of this game."""
    most = game.rules.MAX_LEGAL
    legal, keys, worth = (np.zeros(most, np.int64) for _ in range(3))
    table = np.zeros(1 << (2 * most).bit_length(), np.int64)
    played = np.zeros(game.num_players() * game.rules.ACTIONS + 1, np.int64)
    return Scratch(game.new_array(), legal, keys, worth, table, np.zeros(game.num_players(), np.int64), played)


def new_learned(game: Game, value: LearnedValue | None) -> Learned:
    """A game's learned value for kernels, or what stands for none."""
    sums = np.zeros(game.num_players(), np.int64)
    if value is None:
        return Learned(np.zeros(1, np.float32), np.zeros(1, np.int64), sums)
    return Learned(value.weights, np.zeros(value.module.ACTIVE, np.int64), sums)
