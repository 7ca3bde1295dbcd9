"""Exact play against brute force, which plays all legal actions."""

import itertools
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from random import Random
from types import SimpleNamespace

import pytest

from ludoteca.agents.agent import new_searcher
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game, State, load
from ludoteca.core.position import Position
from ludoteca.games.okupacio.play import endgame
from ludoteca.search import exact, findings
from ludoteca.search.exact import Solver, applies
from ludoteca.search.findings import SLICE_SECONDS, Budget
from ludoteca.search.searcher import Settings

PLENTY = Budget(simulations=10**9)
BOARDS = ("4x4", "8x8", "....../.#.#../....../.##.../......")


@cache
def game(name: str, compiled: bool = True, **chosen: int | str) -> Game:
    return load(name, compiled=compiled, **chosen)


@cache
def solver(one: Game, entries: int = 1 << 14) -> Solver:
    return Solver(one, entries)


def endings(one: Game, free: int, seed: int) -> Iterator[State]:
    """Positions of random games with this many free cells, or a few less."""
    random = Random(seed)
    while True:
        state = one.new_initial_state(0)
        while not state.is_terminal() and len(state.legal_actions()) - 1 > free:
            state.apply_action(random.choice(state.legal_actions()[:-1]))
        if not state.is_terminal():
            yield state


def brute(state: State) -> list[float]:
    """The result of each player if all play best and none gives up."""
    if state.is_terminal():
        return state.returns()
    player = state.current_player()
    return max((brute(state.child(action)) for action in state.legal_actions()[:-1]), key=lambda pay: pay[player])


def solved(one: Solver, state: State) -> tuple[list[float], list[int]]:
    found = one.solve(state.information_state(state.current_player()), PLENTY)
    assert found is not None
    assert all(choice.solved for choice in found.choices)
    assert found.player == state.current_player()
    return list(found.values), list(found.line)


def end_of(state: State, line: list[int]) -> list[float]:
    for action in line:
        state = state.child(action)
    assert state.is_terminal()
    return state.returns()


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("free", "positions"), [(3, 15), (5, 8)])
def test_endings_of_two_armies_are_worth_what_brute_force_says(board: str, free: int, positions: int) -> None:
    one = game("okupacio", board=board)
    for state, _ in zip(endings(one, free, free), range(positions), strict=False):
        values, line = solved(solver(one), state)
        assert values == brute(state), state
        assert end_of(state, line) == values


def test_every_choice_is_worth_what_brute_force_says() -> None:
    one, kinds = game("okupacio", board="5x6"), set()
    for state, _ in zip(endings(one, 5, 8), range(15), strict=False):
        found = solver(one).solve(state.information_state(state.current_player()), PLENTY)
        assert found is not None
        for choice in found.choices:
            assert list(choice.values) == brute(state.child(choice.action))
        won = found.values[found.player] == 1
        assert won or len(found.choices) == len(state.legal_actions()) - 1
        kinds.add(won)
    assert kinds == {True, False}


def test_of_three_armies_two_must_be_left() -> None:
    one = game("okupacio", board="4x4", players=3)
    random = Random(5)
    for _ in range(20):
        state = one.new_initial_state(0)
        for _ in range(9):
            if not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()[:-1]))
        if state.is_terminal():
            continue
        assert solver(one).solve(state.information_state(state.current_player()), PLENTY) is None
        state.apply_action(one.rules.CONCEDE)
        while not state.is_terminal() and len(state.legal_actions()) > 7:
            state.apply_action(random.choice(state.legal_actions()[:-1]))
        if not state.is_terminal():
            assert solved(solver(one), state)[0] == brute(state)


def test_the_table_changes_nothing() -> None:
    one = game("okupacio", board="8x8")
    large, none = Solver(one), Solver(one, 4)
    for state, _ in zip(endings(one, 10, 3), range(15), strict=False):
        assert solved(large, state)[0] == solved(none, state)[0]
    assert large.nodes < none.nodes / 2


def test_it_finds_the_same_interpreted() -> None:
    fast = game("okupacio", board="4x4")
    quick, lazy = Solver(fast, 1 << 10), Solver(game("okupacio", compiled=False, board="4x4"), 1 << 10)
    for state, _ in zip(endings(fast, 5, 2), range(5), strict=False):
        one, two = (one.solve_position(Position(one.game, state.position.array), PLENTY) for one in (quick, lazy))
        assert one is not None
        assert two is not None
        assert one._replace(seconds=0) == two._replace(seconds=0)


def gain(state: State) -> int:
    """How far the first player gets ahead from here, by brute force."""

    def at_end(state: State) -> int:
        if state.is_terminal():
            return endgame.advantage(state.raw, 0)
        ends = [at_end(state.child(action)) for action in state.legal_actions()[:-1]]
        return max(ends) if state.current_player() == 0 else min(ends)

    return at_end(state) - endgame.advantage(state.raw, 0)


def test_positions_with_equal_keys_go_on_alike() -> None:
    one = game("okupacio", board="4x4")
    alike: dict[int, list[State]] = defaultdict(list)
    for state, _ in zip(endings(one, 7, 4), range(25), strict=False):
        for order in permutations(state.legal_actions()[:-1][:4]):
            reached = state.clone()
            for action in order:
                if action in reached.legal_actions():
                    reached.apply_action(action)
            if not reached.is_terminal():
                alike[endgame.position_key(reached.raw)].append(reached)
    groups = [{state.content(): state for state in group} for group in alike.values()]
    assert sum(len(group) > 1 for group in groups) > 10
    for group in groups:
        first, *others = group.values()
        for other in others:
            assert other.legal_actions() == first.legal_actions()
            assert other.current_player() == first.current_player()
            assert gain(other) == gain(first)


@pytest.mark.parametrize("board", BOARDS)
def test_no_game_leaves_its_bounds(board: str) -> None:
    random, seen = Random(1), set()
    for state, _ in zip(endings(game("okupacio", board=board), 12, 1), range(25), strict=False):
        bounds = []
        while not state.is_terminal():
            now, worst, best = (hook(state.raw, 0) for hook in (endgame.advantage, endgame.most_loss, endgame.most_gain))
            bounds.append((now - worst, now + best))
            state.apply_action(random.choice(state.legal_actions()[:-1]))
        end = endgame.advantage(state.raw, 0)
        assert all(low <= end <= high for low, high in bounds)
        assert (end > 0) == (state.returns() == [1, 0])
        seen.add(end > 0)
    assert len(seen) == 2


def star(owners: str) -> str:
    """A free cell in the middle, with these cells around it. All others belong to A."""
    above, left, right, below = list(owners)
    return f"AAAAAA/AA{above}AAA/A{left}.{right}AA/AA{below}AAA/AAAAAA A 30 0:1,0:0"


def test_every_owner_beside_a_free_cell_makes_another_key() -> None:
    one = game("okupacio", board="5x6")
    keys = set()
    for owners in range(81):
        text = "".join("AB."[owners // 3**i % 3] for i in range(4))
        keys.add(endgame.position_key(one.state_from_string(star(text)).raw))
    assert len(keys) == 81


def test_a_search_that_ran_out_goes_on_where_it_was() -> None:
    one = game("okupacio", board="8x8")
    state = next(endings(one, 18, 9))
    known, needed = state.information_state(state.current_player()), Solver(one)
    whole = needed.solve(known, PLENTY)
    patient, tries = Solver(one), 1
    while patient.solve(known, Budget(simulations=1000)) is None and tries < 20:
        tries += 1
    assert 1 < tries < 2 + needed.nodes // 4000
    assert whole is not None
    assert whole.simulations == needed.nodes > 8000


@pytest.mark.parametrize(("depth", "is_enough"), [(2, False), (3, True)])
def test_a_position_with_lines_beyond_the_greatest_depth_has_no_result(
    depth: int, is_enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "DEEPEST", depth)
    one = game("okupacio", compiled=False, board="4x4")
    known = [Position(one, state.position.array) for state, _ in zip(endings(one, 3, 2), range(3), strict=False)]
    assert all(Solver(one, 4).solve_position(each, PLENTY) for each in known) == is_enough


@pytest.mark.parametrize("budget", [Budget(seconds=1.0), Budget(cpu=1.0)])
def test_a_share_of_no_time_is_not_enough(budget: Budget) -> None:
    state = next(endings(game("okupacio", board="8x8"), 16, 9))
    assert Solver(state.game).solve(state.information_state(state.current_player()), budget, 0.0) is None


def test_processor_time_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    one = game("okupacio", board="8x8")
    state = next(endings(one, 18, 9))
    known = state.information_state(state.current_player())
    nodes = []
    for wall in (0.0, 1.0):  # seconds that go by on the wall at each look: no matter
        ticks = {name: itertools.count(0.0, step) for name, step in (("perf_counter", wall), ("thread_time", SLICE_SECONDS))}
        monkeypatch.setattr(findings, "time", SimpleNamespace(**{name: tick.__next__ for name, tick in ticks.items()}))
        solver = Solver(one)
        assert solver.solve(known, Budget(cpu=0.1)) is None
        nodes.append(solver.nodes)
        assert solver.solve(known, Budget(cpu=100.0)) is not None
    assert nodes[0] == nodes[1] > 0


def test_a_search_plays_exactly_where_it_can() -> None:
    one = game("okupacio", board="8x8")
    state = next(endings(one, 12, 2))
    known = state.information_state(state.current_player())
    exact = new_searcher(one).search(known, Budget(simulations=4000))
    alone = Solver(one).solve(known, PLENTY)
    assert alone is not None
    assert exact.choices == alone.choices
    tree = new_searcher(one, Settings(exact=0.0, deepen=False)).search(known, Budget(simulations=100))
    assert tree.simulations == 100
    assert not any(choice.solved for choice in tree.choices)
    early = one.new_initial_state(0).information_state(0)
    assert not any(choice.solved for choice in new_searcher(one).search(early, Budget(simulations=100)).choices)


def test_a_game_without_endings_is_refused() -> None:
    assert not applies(game("conclave"))
    with pytest.raises(ContractError, match="conclave has no module endgame"):
        Solver(game("conclave"))
