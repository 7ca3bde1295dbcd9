"""Every agent over every game: its knowledge, its legal choices, its seed, and the inputs that it refuses."""

import copy
import math
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from importlib import import_module
from itertools import count, islice
from random import Random
from types import ModuleType

import numpy as np
import pytest

import duel
from ludoteca.agents.agent import (
    Agent,
    CarelessAgent,
    Decision,
    GlancingAgent,
    GreedyAgent,
    Meanwhile,
    RandomAgent,
    Watch,
    budget_of,
    new_agent,
)
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError, SearchError
from ludoteca.core.game import Game, State
from ludoteca.core.levels import BY_SIMULATIONS, NAMES, levels_of, names_for, needs_compiling, quick_name_for
from ludoteca.core.native import Binding
from ludoteca.core.position import InformationState, Position
from ludoteca.core.rng import new_rng
from ludoteca.core.seeds import derived_seed
from ludoteca.core.spec import GameSpec
from ludoteca.search.searcher import Budget
from ludoteca.testing import Effort
from ludoteca.testing.levels import levels_are_sound

GAMES = [*registry.registered_games(), duel.GAME]
AGENTS = ["random", "greedy", "1", "12x"]
DUEL = Game(duel.GAME)


def on_the_way(game: Game, seed: int, looks: int) -> Iterator[State]:
    """Some positions of a random game."""
    random, rng, state = Random(seed), new_rng(seed), game.new_initial_state(seed)
    while looks and not state.is_terminal():
        if random.random() < 0.2:
            looks -= 1
            yield state
        state.apply_action(state.random_action(rng))


def quick(spec: GameSpec) -> Game:
    """A game as agents play it. The toy game is interpreted, because no other test needs its search compiled."""
    return Game(spec, compiled=spec is not duel.GAME)


def agents_of(spec: GameSpec) -> list[str]:
    return [name for name in AGENTS if name in names_for(spec) or name not in NAMES]


def plain(decision: Decision) -> Decision:
    """A decision without its time."""
    return decision._replace(findings=decision.findings and decision.findings._replace(seconds=0.0))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_what_is_hidden_changes_no_decision(spec: GameSpec) -> None:
    game, rng = quick(spec), new_rng(7)
    for name in agents_of(spec):
        for state in on_the_way(game, seed=3, looks=3):
            seat = state.current_player()
            known = [state, *(state.resample_from_infostate(seat, rng) for _ in range(3))]
            decisions = [plain(new_agent(name, game, seed=5).choose(one.information_state(seat))) for one in known]
            assert decisions == [decisions[0]] * 4, f"{name} knows what it should not in {state!r}"


@pytest.mark.parametrize("spec", registry.registered_games(), ids=lambda spec: spec.name)
def test_an_agent_that_goes_on_compiled_decides_as_if_it_had_always_been(spec: GameSpec) -> None:
    asked: list[int] = []

    def is_ready(bindings: Sequence[Binding]) -> bool:
        asked.append(len(bindings))
        return len(asked) > 3

    compiled = new_agent("12x", Game(spec, compiled=True), seed=5)
    other = new_agent("12x", Game(spec), seed=5, meanwhile=Meanwhile(math.inf, is_ready))
    state, rng = Game(spec).new_initial_state(3), new_rng(3)
    seat, moves = state.current_player(), 0
    while moves < 6 and not state.is_terminal():
        if state.current_player() == seat:
            decisions = [plain(agent.choose(state.information_state(seat))) for agent in (compiled, other)]
            assert decisions[0] == decisions[1]
            moves += 1
        state.apply_action(state.random_action(rng))
    assert other.game.compiled == (moves > 3)


@pytest.mark.parametrize("name", ["100000000x", "3600cpu"])
def test_a_search_that_is_cut_short_meanwhile_says_so(name: str) -> None:
    state = DUEL.new_initial_state(1)
    state.apply_action(state.legal_actions()[0])
    agent = new_agent(name, DUEL, meanwhile=Meanwhile(0.01, lambda _: False))
    decision = agent.choose(state.information_state(state.current_player()))
    assert decision.findings
    assert decision.is_weaker
    assert decision.findings.simulations < 100_000_000


def test_a_search_that_ends_in_time_meanwhile_is_as_good() -> None:
    state = DUEL.new_initial_state(1)
    agent = new_agent("5x", DUEL, meanwhile=Meanwhile(math.inf, lambda _: False))
    decision = agent.choose(state.information_state(0))
    assert not decision.is_weaker
    assert plain(decision) == plain(new_agent("5x", DUEL).choose(state.information_state(0)))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_agents_play_legal_actions_and_do_not_give_up(spec: GameSpec) -> None:
    game = quick(spec)
    for name in agents_of(spec):
        for state in on_the_way(game, seed=4, looks=4):
            action = new_agent(name, game).choose(state.information_state(state.current_player())).action
            assert action in state.legal_actions()
            assert action != game.rules.CONCEDE


@pytest.mark.slow
@pytest.mark.parametrize(("name", "chosen", "moves"), [("metro", {"players": 1}, 12), ("qinto", {}, 6)])
def test_what_was_searched_before_a_tile_came_to_light_leads_to_no_illegal_action(
    name: str, chosen: dict[str, int], moves: int
) -> None:
    game = Game(registry.find(name), chosen, compiled=True)
    agents = [new_agent("40x", game, seed) for seed in range(game.num_players())]
    state = game.new_initial_state(2)
    for _ in range(moves):
        player = state.current_player()
        decision = agents[player].choose(state.information_state(player))
        found = decision.findings.choices if decision.findings else ()
        assert {choice.action for choice in found} <= set(state.legal_actions())
        state.apply_action(decision.action)  # which refuses an action that is not legal


@pytest.mark.parametrize("again", [lambda known: pickle.loads(pickle.dumps(known)), copy.deepcopy], ids=["pickle", "copy"])
def test_what_a_seat_knows_can_be_sent_to_another_process(again: Callable[[InformationState], InformationState]) -> None:
    known = DUEL.new_initial_state(9).information_state(0)
    other = again(known)
    assert (other.game, other.player, other.seen, other.real) == (known.game, known.player, known.seen, known.real)
    assert other.view.tobytes() == known.view.tobytes()
    assert other.view is not known.view
    one, same = (plain(new_agent("12x", DUEL, seed=5).choose(each)) for each in (known, other))
    assert one == same


def play_out(game: Game, names: tuple[str, str], seed: int) -> State:
    agents = [new_agent(name, game, derived_seed(seed, seat)) for seat, name in enumerate(names)]
    state = game.new_initial_state(seed)
    while not state.is_terminal():
        seat = state.current_player()
        state.apply_action(agents[seat].choose(state.information_state(seat)).action)
    return state


@pytest.mark.parametrize("names", [("random", "2"), ("greedy", "30x")])
def test_a_seed_decides_a_game(names: tuple[str, str]) -> None:
    one, same, *others = (play_out(DUEL, names, seed).history() for seed in (8, 8, 1, 2, 3))
    assert one == same
    assert any(other != one for other in others)


def test_greedy_takes_what_looks_best_and_any_of_equals() -> None:
    state = DUEL.new_initial_state(1)
    deck, known = DUEL.rules.DECK, state.information_state(0)
    worth = {action: action if action < deck else 2 * deck - action for action in state.legal_actions()[:-1]}
    best = {action for action in worth if worth[action] == max(worth.values())}
    assert {GreedyAgent(DUEL, seed).choose(known).action for seed in range(20)} == best
    even = Game(replace_module(duel.GAME, heuristics="tests.agents.even"))
    chosen = {
        GreedyAgent(even, seed).choose(replace(known, view=Position(even, known.view.array))).action for seed in range(100)
    }
    assert chosen == set(state.legal_actions()) - {DUEL.rules.CONCEDE}


@dataclass(frozen=True)
class Altered(GameSpec):
    """A game with these modules in place of its own. None removes a module."""

    instead: tuple[tuple[str, str | None], ...] = ()

    def has(self, name: str) -> bool:
        return bool(dict(self.instead).get(name, super().has(name)))

    def module(self, name: str) -> ModuleType:
        other = dict(self.instead).get(name)
        return super().module(name) if other is None else import_module(other)


def replace_module(spec: GameSpec, **instead: str | None) -> GameSpec:
    own = {field.name: getattr(spec, field.name) for field in fields(spec)}
    return Altered(**own, instead=tuple(instead.items()))


def test_greedy_needs_heuristics() -> None:
    with pytest.raises(ParameterError, match="greedy: duel has no heuristics to go by; there are random and the levels"):
        new_agent("greedy", Game(replace_module(duel.GAME, heuristics=None)))


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_careless_agent_plays_a_share_of_its_moves_at_random(share: float) -> None:
    known = DUEL.new_initial_state(1).information_state(0)
    best = GreedyAgent(DUEL).choose(known).action
    agent: Agent = CarelessAgent(GreedyAgent(DUEL), RandomAgent(DUEL), share, seed=2)
    found = [agent.choose(known).action == best for _ in range(1000)]
    assert np.mean(found) == pytest.approx(1 - share * 3 / 4, abs=0.06), "of four actions one is the best"


@pytest.mark.parametrize("notices", [0.3, 1.0])
def test_who_glances_plays_the_best_of_what_it_notices(notices: float) -> None:
    known = DUEL.new_initial_state(1).information_state(0)
    legal = known.redeal(new_rng(0)).choices().tolist()
    worth = {action: action if action < DUEL.rules.DECK else 2 * DUEL.rules.DECK - action for action in legal}
    ranked = sorted(legal, key=lambda action: -worth[action])
    agent = GlancingAgent(DUEL, notices, seed=3)
    counts = Counter(agent.choose(known).action for _ in range(4000))
    none = (1 - notices) ** len(legal)
    expected = [notices * (1 - notices) ** place + none / len(legal) for place in range(len(legal))]
    assert [counts[action] / 4000 for action in ranked] == pytest.approx(expected, abs=0.04)


class Noting(RandomAgent):
    """Notes its name when it is asked."""

    def __init__(self, game: Game, name: str, asked: list[str]) -> None:
        super().__init__(game)
        self._name, self._asked = name, asked

    def choose(self, state: InformationState, watch: Watch | None = None) -> Decision:
        self._asked.append(self._name)
        return super().choose(state, watch)


def test_a_careless_turn_is_careless_to_its_end() -> None:
    game, asked, turns = Game(registry.find("qinto")), list[str](), list[set[str]]()
    agent = CarelessAgent(Noting(game, "careful", asked), Noting(game, "careless", asked), 0.5, seed=1)
    for state in (game.new_initial_state(seed) for seed in range(12)):
        for _ in range(8):
            player = state.current_player()
            turns += [set()] if state.view(player).begins_turn() else []
            state.apply_action(agent.choose(state.information_state(player)).action)
            turns[-1].add(asked[-1])
    assert len(turns) < len(asked), "some turns are of several moves"
    assert {len(turn) for turn in turns} == {1}
    assert {name for turn in turns for name in turn} == {"careful", "careless"}


def test_a_game_without_levels_of_its_own_is_searched_more_and_more() -> None:
    bare = replace_module(duel.GAME, levels=None)
    assert list(levels_of(bare, {}).values()) == list(BY_SIMULATIONS)
    assert budget_of("3", Game(bare)) == Budget(simulations=20)
    assert budget_of("8", Game(bare)) == Budget(seconds=2)
    levels_are_sound(bare, Effort(games=2))


def test_a_level_that_does_not_search_needs_no_compiling() -> None:
    assert not any(needs_compiling(name, DUEL) for name in ("random", "greedy", "1", "2", "3"))
    assert all(needs_compiling(name, DUEL) for name in ("4", "8", "12x"))


def test_a_game_without_heuristics_is_played_by_all_but_greedy() -> None:
    assert (names_for(duel.GAME), quick_name_for(duel.GAME)) == (list(NAMES), "greedy")
    bare = replace_module(duel.GAME, heuristics=None)
    assert (names_for(bare), quick_name_for(bare)) == ([name for name in NAMES if name != "greedy"], "random")


def test_the_only_thing_to_do_is_done_without_a_search() -> None:
    game = Game(registry.find("cartas"))
    state = game.state_from_string("3♠3♥/4♦/4♥/A♠ K♠ 0 1")
    assert state.legal_actions() == [0]
    assert new_agent("7", game).choose(state.information_state(0)) == Decision(0)


@pytest.mark.parametrize("name", NAMES)
def test_who_is_not_to_move_is_not_asked(name: str) -> None:
    state = DUEL.new_initial_state(1)
    with pytest.raises(SearchError, match="it is the turn of player 0, and the state belongs to player 1"):
        new_agent(name, DUEL).choose(state.information_state(1))
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(SearchError, match="the game is over: there is nothing to choose"):
        new_agent(name, DUEL).choose(state.information_state(0))


def test_a_state_of_another_game_is_refused() -> None:
    other = Game(duel.GAME, {"cards": 8}).new_initial_state(1)
    with pytest.raises(SearchError, match=r"the state is of .*cards=8.*, expected one of .*cards=6"):
        RandomAgent(DUEL).choose(other.information_state(0))


@pytest.mark.parametrize("name", ["0", "9", "1.5x", "-3x", "3 s", "cpu", "", "random "])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(
        ParameterError, match="expected random, greedy, a level from 1 to 8 \\(some games have fewer\\), or a budget"
    ):
        new_agent(name, DUEL)


@pytest.mark.parametrize("name", ["0x", "0.000s", "0.0cpu"])
def test_a_budget_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(SearchError, match="expected more than 0"):
        new_agent(name, DUEL)


def test_seeds_for_two_purposes_differ() -> None:
    seeds = {derived_seed(1), derived_seed(2), derived_seed(1, "hint"), derived_seed(1, "hint", 2), derived_seed(1, "hint2")}
    assert len(seeds) == 5
    assert all(0 <= seed < 1 << 128 for seed in seeds)


# what no deal fits


def views(spec: GameSpec) -> Iterator[InformationState]:
    """Six, of several games if they are short."""
    found = (state for seed in count(6) for state in on_the_way(Game(spec), seed, looks=6))
    for state in islice(found, 6):
        known = state.information_state(state.current_player())
        yield replace(known, real=False)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_what_was_concealed_elsewhere_is_searched_like_any_other(spec: GameSpec) -> None:
    for known in views(spec):
        one, same = (RandomAgent(known.game).choose(view) for view in (known, replace(known, real=True)))
        assert one == same


def test_facts_that_clash_are_named() -> None:
    game = Game(registry.find("cartas"))
    known = replace(game.state_from_string("3♠3♥/4♦5♥/4♥/A♠ - 0 1").information_state(0), real=False)
    known.view.raw.played ^= known.view.raw.hands[0]  # as if the cards in the hand had been no part of the deck
    with pytest.raises(SearchError, match="no deal fits the knowledge of player 0: "):
        RandomAgent(game).choose(known)


def test_a_secret_that_no_seat_is_told_is_named() -> None:
    known = replace(DUEL.new_initial_state(1).information_state(0), real=False)
    known.view.raw.hands[1] = 1
    with pytest.raises(
        SearchError, match="no deal fits the knowledge of player 0: another deal gives other values of hands"
    ):
        RandomAgent(DUEL).choose(known)


def tampered(known: InformationState, random: Random) -> Iterator[InformationState]:
    """One field after the other with one number changed."""
    for name in known.game.dtype.names or ():
        copy = replace(known, view=known.view.copy())
        values = copy.view.array[name].reshape(-1)
        values[random.randrange(len(values))] ^= type(values[0])(random.choice([1, 2, 7, 21]))
        yield copy


@pytest.mark.parametrize("spec", registry.registered_games(), ids=lambda spec: spec.name)
def test_tampered_views_end_in_an_action_or_an_error(spec: GameSpec) -> None:
    """There is no loop and no crash. If there is an action, the view belongs to a position."""
    random, refused = Random(1), 0
    for known in views(spec):
        for other in tampered(known, random):
            try:
                RandomAgent(known.game).choose(other)
            except SearchError:
                refused += 1
    assert refused
