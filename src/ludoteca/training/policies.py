"""Teachers of policies (`core.contract.PolicyOptions`), which learn from games of searches and greedy players."""

from collections.abc import Callable
from typing import Final

import numpy as np

from ludoteca.agents.agent import GreedyAgent, derived_seed
from ludoteca.core.contract import Floats, Integers
from ludoteca.core.game import Game
from ludoteca.core.native import Binding
from ludoteca.core.position import InformationState
from ludoteca.core.rng import new_rng
from ludoteca.search.findings import Budget
from ludoteca.search.searcher import Searcher
from ludoteca.search.searcher import Settings as HowToSearch
from ludoteca.search.tree import UNITS
from ludoteca.training import imitation
from ludoteca.training.imitation import Desk
from ludoteca.training.lessons import Doubles, Learned, Lesson, Report, Strength, strength_of
from ludoteca.training.settings import Settings, learned_module

NODES: Final = 200_000
"""The size of a search's tree."""

Chooser = Callable[[InformationState], int]


class PolicyTeacher:
    """Plays the lessons and duels of one training of a policy."""

    reference = "greedy"
    """The opponent for measurements: the game's heuristics."""

    def __init__(self, settings: Settings, *, compiled: bool = True) -> None:
        """Compile the game, or read it from the cache. Raises LudotecaError."""
        self.settings = settings
        self._games = settings.games(compiled=compiled)
        spec = self._games[0].spec
        self._options = learned_module(spec)
        self._before = spec.module(self._options.BEFORE)
        self._kernel: Binding = self._games[0].bind(imitation, values=self._options)
        wins = self._games[0].utility() == "win" and self._games[0].num_players() > 1
        self.unit = "wins" if wins else "points"
        """The unit of strength."""
        self.of_errors = "probability"
        self.even = float(np.mean([1 / game.num_players() for game in self._games])) if wins else 0.0
        """The strength between equal players."""
        self.size: int = self._options.FEATURES

    def new(self) -> Learned:
        """Return the weights before the first game."""
        weights, drift, travel = (np.zeros(self.size, np.float32) for _ in range(3))
        return Learned(weights, drift, travel)

    def give(self, lesson: Lesson, learned: Learned) -> Report:
        """Play a lesson, with the variants in turn. The same lesson and weights give the same report on every machine."""
        learned = Learned(*(numbers.copy() for numbers in learned))
        errors: Floats = np.zeros(2, np.float32)
        seed = derived_seed(self.settings.seed, "lesson", lesson.number, lesson.core)
        random, actions = np.random.default_rng(seed), 0
        for number in range(self.settings.round):
            game = self._games[number % len(self._games)]
            greedy = random.random() < self.settings.constants.greedy
            actions += self._play(game, greedy, derived_seed(seed, "game", number), learned, errors)
        return Report(learned, actions, float(errors[0]), int(errors[1]))

    def _play(self, game: Game, greedy: bool, seed: int, learned: Learned, errors: Floats) -> int:
        """Play a game, and learn from each action that was not random. Return the number of actions."""
        players = range(game.num_players())
        choosers = [self._new_chooser(game, greedy, derived_seed(seed, player)) for player in players]
        random, desk, constants = np.random.default_rng(seed), _new_desk(game, self._options.ACTIVE), self.settings.constants
        state = game.new_initial_state(derived_seed(seed, "deal"))
        while not state.is_terminal():
            player = state.current_player()
            legal = state.position.choices()
            if len(legal) == 1 or random.random() < constants.explore:
                state.apply_action(int(random.choice(legal)))
                continue
            action = choosers[player](state.information_state(player))
            desk.states[0] = state.position.array[0]
            self._kernel.learn(desk.states, action, desk, learned, constants.rate, errors)
            state.apply_action(action)
        return len(state.history())

    def _new_chooser(self, game: Game, greedy: bool, seed: int) -> Chooser:
        """Return the choice of a greedy player, or of a search without the policy."""
        if greedy:
            agent = GreedyAgent(game, seed)
            return lambda state: agent.choose(state).action
        searcher = Searcher(game, self._before, HowToSearch(nodes=NODES), seed)
        budget = Budget(simulations=self.settings.constants.simulations)
        return lambda state: searcher.search(state, budget).action

    def measure(self, learned: Learned, last: Learned | None, games: int, seed: object) -> Strength:
        """Return the strength of the likeliest options against those of the last weights or, without these, greedy play.

        Each deal is played from every seat. In games for wins, the strength is the player's share of the wins. In games for
        points, it is the lead over an opponent in the same seat on the same deal.
        """
        found = []
        for number, game in enumerate(self._games):
            deals = -(-games // (game.num_players() * len(self._games)))
            start = derived_seed(self.settings.seed, "duel", seed, number)
            played = self._duel(game, start, learned, last, deals)
            if self.unit == "points":
                played -= self._duel(game, start, last, last, deals)
            found.append(played)
        return strength_of(np.concatenate(found))

    def _duel(self, game: Game, seed: int, one: Learned | None, other: Learned | None, deals: int) -> Doubles:
        """Return the mean utility of the first side in each deal. A side of None is greedy."""
        rng, desk, found = new_rng(seed), _new_desk(game, self._options.ACTIVE), []
        out: Integers = np.zeros(game.num_players(), np.int64)
        for _ in range(deals):  # one call for each deal, so that Ctrl-C takes effect
            sides = one or self.new(), other or self.new(), one is None, other is None
            self._kernel.duel(game.prepared.array, desk, rng, *sides, 1, out)
            found.append(out.mean() / UNITS)
        return np.array(found)


def _new_desk(game: Game, active: int) -> Desk:
    most: int = game.rules.MAX_LEGAL
    legal, worth, options = (np.zeros(most, np.int64) for _ in range(3))
    return Desk(
        game.new_array(1),
        legal,
        worth,
        options,
        np.zeros(most * active, np.int64),
        np.zeros(most, np.float32),
        np.zeros(game.num_players(), np.int64),
        np.zeros(4, np.uint64),
    )
