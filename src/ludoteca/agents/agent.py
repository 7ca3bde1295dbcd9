"""Makes agents by their names, and defines how each kind chooses. An agent receives the information state of a player, which
is that player's knowledge of the game, and returns an action with its reasons.
"""

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final, NamedTuple, Protocol, TypeAlias, cast

import numpy as np

from ludoteca.core import hints
from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import CompilerError, NativeCacheWarning, ParameterError
from ludoteca.core.game import Game
from ludoteca.core.levels import BUDGET, HINTS_BY, LEVELS, SIMPLE, Level, check_name, level_of, levels_of
from ludoteca.core.native import Binding, is_compiled
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import draw, new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.core.value import LearnedValue, load_value
from ludoteca.search.searcher import Budget, Findings, Searcher, Settings, check_turn

HINT_SECONDS: Final = 1.0
"""The longest time of a hint. It ends earlier if the strongest level has a limit in simulations that is reached first."""
_PARTS: Final = 1 << 20
"""Chances are drawn as a number of these parts."""

Watch: TypeAlias = Callable[[float], None]
"""A function that receives the finished share of a search, from 0 to 1, several times a second."""


def all_compiled(bindings: Sequence[Binding]) -> bool:
    """Return True if the machine code of all these bindings exists, in this process or in a file."""
    return all(map(is_compiled, bindings))


class Decision(NamedTuple):
    """The action that an agent chose, and its reasons."""

    action: int
    findings: Findings | None = None
    """The results of the search. None if there was no search, for example because only one action is legal."""
    is_weaker: bool = False
    """True if the search was shorter than it usually is, because the rules are not compiled yet."""


class Meanwhile(NamedTuple):
    """How a searching agent plays while another process still compiles its rules: it searches with interpreted rules, which
    are slow, and for a limited time.

    Interpreted and compiled rules give the same results. So if the time limit does not end a search, its decision is the
    same as with compiled rules.
    """

    seconds: float = 1.5
    """The longest time of the searches for one turn."""
    is_ready: Callable[[Sequence[Binding]], bool] = all_compiled
    """A function that returns True if the agent can load these bindings as compiled code quickly. It then does so."""


class Agent(Protocol):
    """A player of one game. An agent with the same seed that receives the same states in the same order makes the same
    decisions.

    Use an agent for one seat only, because it remembers the knowledge of that seat.
    """

    @property
    def game(self) -> Game: ...

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """Return the decision for the player of the state. It is never to give up.

        `watch` is called during a search with its finished share. Raises SearchError if the player of the state is not to
        move.
        """


def new_agent(
    name: str, game: Game, seed: int = 0, settings: Settings | None = None, meanwhile: Meanwhile | None = None
) -> Agent:
    """Return the agent of that name: `random`, `greedy`, a level from "1" to "8", or a budget for a turn such as `500x`.

    `settings` are those of the search, if the agent has one. An agent that searches needs a compiled game, unless
    `meanwhile` says how to play until the rules are compiled. Raises ParameterError if the game has no such agent (the
    message lists the names), and SearchError if the budget is 0.

    >>> from ludoteca import load
    >>> game = load("okupacio", board="4x4")
    >>> state = game.new_initial_state(seed=1)
    >>> decision = new_agent("greedy", game, seed=1).choose(state.information_state(state.current_player()))
    >>> state.action_to_string(decision.action)
    'bd'
    """
    if name == "random":
        return RandomAgent(game, seed)
    if name == "greedy":
        return GreedyAgent(game, seed)
    if name not in LEVELS:
        return SearchAgent(game, _read_budget(name, game), settings, seed, meanwhile=meanwhile)
    return agent_of(level_of(name, game.spec, game.parameters), game, seed, settings, meanwhile)


def agent_of(
    level: Level, game: Game, seed: int = 0, settings: Settings | None = None, meanwhile: Meanwhile | None = None
) -> Agent:
    """Return the agent that plays at a level. The other parameters have the same meaning as in `new_agent`.

    >>> from ludoteca import load
    >>> from ludoteca.core.levels import levels_of
    >>> game = load("okupacio", board="4x4")
    >>> level = levels_of(game.spec, game.parameters)["1"]
    >>> level.simulations, level.notices
    (0, 0.05)
    >>> state = game.new_initial_state(seed=1)
    >>> state.action_to_string(agent_of(level, game, seed=1).choose(state.information_state(0)).action)
    'ba'
    """
    budget = _budget_of(level)
    if budget is None:
        return GlancingAgent(game, level.notices, seed)
    searching = SearchAgent(game, budget, settings, seed, meanwhile=meanwhile)
    if not level.careless:
        return searching
    return CarelessAgent(searching, GlancingAgent(game, level.notices, derived_seed(seed, "which")), level.careless, seed)


def budget_of(name: str, game: Game) -> Budget | None:
    """Return the search budget for a turn of the agent of that name, or None if the agent does not search, so that it
    answers at once.

    Raises ParameterError if there is no such agent. The message lists the names.

    >>> from ludoteca import load
    >>> game = load("okupacio", board="4x4")
    >>> budget_of("500x", game).simulations, budget_of("0.5s", game).seconds, budget_of("greedy", game)
    (500, 0.5, None)
    """
    if name in SIMPLE:
        return None
    return _budget_of(level_of(name, game.spec, game.parameters)) if name in LEVELS else _read_budget(name, game)


def _budget_of(level: Level) -> Budget | None:
    if not level.simulations and not level.seconds:
        return None
    return Budget(simulations=level.simulations or None, seconds=level.seconds or None)


def _read_budget(name: str, game: Game) -> Budget:
    if name == HINTS_BY:
        *_, strongest = levels_of(game.spec, game.parameters).values()
        return Budget(strongest.simulations if strongest.seconds and strongest.simulations else None, HINT_SECONDS)
    check_name(name)
    simulations, seconds, clock = cast(re.Match[str], BUDGET.fullmatch(name)).groups()
    if simulations:
        return Budget(simulations=int(simulations))
    return Budget(seconds=float(seconds)) if clock == "s" else Budget(cpu=float(seconds))


class RandomAgent:
    """Plays any legal action except giving up, with equal chances."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:  # noqa: ARG002  # there is no wait
        """Return a random action."""
        state = check_turn(self.game, state)
        legal = state.redeal(self._rng).choices()
        return Decision(int(legal[draw(self._rng, len(legal))]))


class GreedyAgent:
    """Plays the best action by the game's heuristics. If several actions are equally good, it draws one of them.

    Raises ParameterError for a game that has no heuristics.
    """

    def __init__(self, game: Game, seed: int = 0) -> None:
        if not game.spec.has("heuristics"):
            raise ParameterError(f"greedy: {game.name} has no heuristics to go by; there are random and the levels")
        self.game = game
        self._glances = GlancingAgent(game, 1.0, seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """Return the best action by the heuristics."""
        return self._glances.choose(state, watch)


class GlancingAgent:
    """Chooses at a glance: it notices each legal action with the chance `notices`, and plays the best noticed action by the
    game's heuristics.

    It always notices obvious actions (`core.contract.Attention`), and never plays an action that ends the game without a
    winner (`core.contract.Spoiling`). It plays a random action if it notices none or if the game has no heuristics, and
    draws one if several are equally good.
    """

    def __init__(self, game: Game, notices: float, seed: int = 0) -> None:
        self.game = game
        self._notices = int(notices * _PARTS)
        """The chance of an action, of _PARTS."""
        heuristics = game.spec.module("heuristics") if game.spec.has("heuristics") else None
        self._hints = game.bind(hints, heuristics) if heuristics else None
        self._is_obvious: Callable[[RawPosition, int], bool] | None = getattr(heuristics, "is_obvious", None)
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:  # noqa: ARG002  # there is no wait
        """Return the best of the actions that the agent notices this time."""
        state = check_turn(self.game, state)
        position = state.redeal(self._rng)
        legal = position.candidates()
        if self._notices < _PARTS:
            noticed = np.array([self._notices_action(position, action) for action in legal.tolist()])
            legal = legal[noticed] if noticed.any() else legal[[draw(self._rng, len(legal))]]
        if self._hints and len(legal) > 1:
            values = np.zeros(len(legal), np.int64)
            self._hints.value_actions(position.array, legal, len(legal), values)
            legal = legal[values == values.max()]
        return Decision(int(legal[draw(self._rng, len(legal))]))

    def _notices_action(self, position: Position, action: int) -> bool:
        by_chance = draw(self._rng, _PARTS) < self._notices
        return by_chance or (self._is_obvious is not None and self._is_obvious(position.raw, action))


class CarelessAgent:
    """Plays as one of two agents, chosen at random at the beginning of each turn: as `careless` with the chance `share`,
    else as `careful`.
    """

    def __init__(self, careful: Agent, careless: Agent, share: float, seed: int = 0) -> None:
        self.game = careful.game
        self._careful = careful
        self._careless = careless
        self._rng = new_rng(derived_seed(seed, "when"))
        self._share = int(share * _PARTS)
        self._now: Agent | None = None

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """Return the decision of the agent that was chosen for this turn."""
        if self._now is None or state.view.begins_turn():
            self._now = self._careless if draw(self._rng, _PARTS) < self._share else self._careful
        return self._now.choose(state, watch)


class SearchAgent:
    """Searches from the knowledge of its seat, with a budget for each turn. Raises SearchError for a budget of 0.

    `heuristic_playouts` is True if playouts follow the game's heuristics. By default the game decides this. `value` replaces
    the game's learned value. With `meanwhile`, the game may be interpreted: the agent searches it with a time limit until
    its rules are compiled. The tree of a search is kept for the next move.
    """

    def __init__(
        self,
        game: Game,
        budget: Budget,
        settings: Settings | None = None,
        seed: int = 0,
        heuristic_playouts: bool | None = None,
        value: LearnedValue | None = None,
        meanwhile: Meanwhile | None = None,
    ) -> None:
        budget.check()
        self.game = game
        self._budget = budget
        self._meanwhile = None if game.compiled else meanwhile
        self._turn = TurnBudget(budget if self._meanwhile is None else _limited(budget, self._meanwhile.seconds))
        self._searcher = new_searcher(game, settings, seed, heuristic_playouts, value)
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """Return the best action that a search finds, with the findings of the search.

        If only one action is worth considering, there is no search. In a turn of several moves there is no search either if
        the search of the last move has decided this one already (`TurnBudget.is_settled`).
        """
        state = check_turn(self.game, state)
        if self._meanwhile and self._meanwhile.is_ready(self._searcher.bindings()):
            self._go_on_compiled()
        legal = state.redeal(self._rng).candidates()
        within = self._turn.goes_on(state)
        findings, action = None, int(legal[0])
        if len(legal) > 1:
            findings = self._searcher.recall(state) if within else None
            if findings is None or not self._turn.is_settled(findings):
                findings = self._searcher.search(state, self._turn.budget(), watch)
                self._turn.searched(findings)
            action = findings.action
        self._turn.decided(state, action)
        return Decision(action, findings, self._is_weaker(findings))

    def _go_on_compiled(self) -> None:
        """Use compiled rules from now on. If the system forbids machine code, warn, and continue with interpreted rules and
        a limited time.
        """
        self._meanwhile = None
        game = Game(self.game.spec, self.game.parameters, compiled=True)
        try:
            self._searcher.use(game)
        except CompilerError as error:
            warnings.warn(f"{error}. Agents search interpreted rules, and are weaker", NativeCacheWarning, stacklevel=2)
        else:
            self.game, self._turn.whole = game, self._budget

    def _is_weaker(self, findings: Findings | None) -> bool:
        """Return True if the search was shorter than it would have been with compiled rules."""
        if findings is None or self._meanwhile is None:
            return False
        return findings.cut or (self._budget.simulations is None and not findings.choices[0].solved)


def _limited(budget: Budget, seconds: float) -> Budget:
    """Return the budget with a time limit of at most `seconds`."""
    return budget._replace(seconds=min(seconds, budget.seconds or seconds))


def new_searcher(
    game: Game,
    settings: Settings | None = None,
    seed: int = 0,
    heuristic_playouts: bool | None = None,
    value: LearnedValue | None = None,
) -> Searcher:
    """Return a search for a game, with the game's heuristics and its learned value.

    `heuristic_playouts` is True if playouts follow the heuristics. By default the game decides this. `value` replaces the
    learned value.
    """
    policy, priors = search_modules(game, heuristic_playouts)
    return Searcher(game, policy, settings, seed, priors, value or load_value(game))


def search_modules(game: Game, heuristic_playouts: bool | None = None) -> tuple[ModuleType | None, ModuleType | None]:
    """Return two modules for the search of a game. The first chooses the actions of playouts, and is None if playouts are
    uniformly random. The second values actions, if the first does not. Without heuristics both are None.
    """
    if not game.spec.has("heuristics"):
        return None, None
    heuristics = game.spec.module("heuristics")
    follow = game.spec.heuristic_playouts if heuristic_playouts is None else heuristic_playouts
    return heuristics if follow else None, None if follow else heuristics


FIRST_SHARE: Final = 0.6
"""The share of a turn's budget for the first move, in games whose turns have several moves."""
LATER_SHARE: Final = 0.5
"""The share of the remaining budget for each later move. Its search continues the tree of the search before."""


@dataclass
class TurnBudget:
    """Divides the budget of a turn among the moves of the turn. If a turn is a single move, this move gets the
    whole budget.
    """

    whole: Budget
    _spent: float = 0.0
    _share: float = 1.0
    """The share of the whole budget that the present move gets."""
    _expected: tuple[int, ...] | None = None
    """The seat's list of seen actions before its next move, if that move is in the same turn."""
    _pace: float = 0.0
    """The number of simulations that a search with the whole budget would run, from the last search."""

    def goes_on(self, state: InformationState) -> bool:
        """Start the budget of a move. Return True if the move belongs to the same turn as the last move that the agent
        chose.
        """
        within = state.seen == self._expected and not state.view.begins_turn()
        if not within:
            self._spent = 0.0
        self._share = LATER_SHARE * (1.0 - self._spent) if within else FIRST_SHARE if state.game.turns_have_moves() else 1.0
        return within

    def is_settled(self, known: Findings) -> bool:
        """Return True if this move needs no search: the most visited action in the findings of earlier searches leads by
        more visits than the budget of this move could add.
        """
        visits = sorted((choice.visits for choice in known.choices), reverse=True)
        runner_up = visits[1] if len(visits) > 1 else 0
        due = self.budget().simulations or self._share * self._pace
        return 0 < due < known.choices[0].visits - runner_up

    def budget(self) -> Budget:
        """Return the budget of the present move."""
        simulations, seconds, cpu = self.whole
        return Budget(
            None if simulations is None else max(1, round(self._share * simulations)),
            None if seconds is None else self._share * seconds,
            None if cpu is None else self._share * cpu,
        )

    def searched(self, findings: Findings) -> None:
        """Count the budget of the present move as spent. `findings` are the results of the search that spent it."""
        self._spent += self._share
        self._pace = findings.simulations / self._share

    def decided(self, state: InformationState, action: int) -> None:
        """Remember the action that the agent chose in this state, to notice whether the next state is in the same turn."""
        self._expected = (*state.seen, action)
