"""An agent that searches (`ludoteca.search`), with the game's heuristics where it has any."""

from types import ModuleType

from ludoteca.agents.agent import Decision, Watch
from ludoteca.core.game import Game
from ludoteca.core.position import InformationState
from ludoteca.core.rng import new_rng
from ludoteca.search.knowledge import check_turn
from ludoteca.search.searcher import Budget, Searcher, Settings


class SearchAgent:
    """Searches from what its seat knows, for so many simulations or seconds a move. Raises SearchError for a budget of 0.

    `heuristic_playouts` settles whether playouts follow the game's heuristics; by default the game says.
    """

    def __init__(
        self,
        game: Game,
        budget: Budget,
        settings: Settings | None = None,
        seed: int = 0,
        heuristic_playouts: bool | None = None,
    ) -> None:
        budget.check()
        self.game = game
        self.budget = budget
        self._searcher = new_searcher(game, settings, seed, heuristic_playouts)
        self._rng = new_rng(seed)

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        """What the search finds best; it is not asked when there is only one thing to do."""
        state = check_turn(self.game, state)
        legal = state.redeal(self._rng).choices()
        if len(legal) == 1:
            return Decision(int(legal[0]))
        findings = self._searcher.search(state, self.budget, watch)
        return Decision(findings.action, findings)


def new_searcher(
    game: Game, settings: Settings | None = None, seed: int = 0, heuristic_playouts: bool | None = None
) -> Searcher:
    """A search that uses the game's heuristics as the game says."""
    policy, priors = search_modules(game, heuristic_playouts)
    return Searcher(game, policy, settings, seed, priors)


def search_modules(game: Game, heuristic_playouts: bool | None = None) -> tuple[ModuleType | None, ModuleType | None]:
    """Where a search takes its playouts from (None: they are uniform) and where its values of actions."""
    if not game.spec.has("heuristics"):
        return None, None
    heuristics = game.spec.module("heuristics")
    follow = game.spec.heuristic_playouts if heuristic_playouts is None else heuristic_playouts
    return heuristics if follow else None, None if follow else heuristics
