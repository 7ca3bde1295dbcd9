"""The heuristics: positions in which a certain cell has the highest value, and a slow way to compute values."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import ludoteca
from ludoteca.core import hints
from ludoteca.core.game import Game, State
from ludoteca.core.native import Binding
from ludoteca.core.rng import draw, new_rng
from ludoteca.games.okupacio import board, rules
from ludoteca.games.okupacio.play import heuristics, patterns
from tests.okupacio.test_rules import at


def bound(game: Game) -> Binding:
    return game.bind(hints, heuristics)


def looks(state: State) -> dict[int, int]:
    """Return the heuristic value of every legal action."""
    actions = np.array(state.legal_actions(), np.int64)
    values = np.zeros(len(actions), np.int64)
    bound(state.game).value_actions(state.position.array, actions, len(actions), values)
    return dict(zip(actions.tolist(), values.tolist(), strict=True))


def best(state: State) -> list[str]:
    """Return the actions with the highest value."""
    values = looks(state)
    return sorted(state.action_to_string(action) for action, value in values.items() if value == max(values.values()))


EMPTY = "......../......../......../"


@pytest.mark.parametrize(
    ("rows", "stands_out"),
    [
        pytest.param(f"......../.A....../AB....../{EMPTY}....B.../........", "db", id="one that closes in the next army's"),
        pytest.param(
            f"......../.A....../AB....../{EMPTY}.....A../....A...", "db", id="rather than one that closes in a free one"
        ),
        pytest.param("AB../.A../..../....", "ac", id="at the edge"),
    ],
)
def test_a_cell_stands_out(rows: str, stands_out: str) -> None:
    assert best(at(f"{rows} A 30 0:2,0:1")) == [stands_out]


def test_giving_up_comes_last() -> None:
    values = looks(at("A.../..../..../...B A 2 0:0,0:1"))
    assert min(values, key=lambda action: values[action]) == rules.CONCEDE
    assert sorted(values.values())[1] > heuristics.WORST


def games(number: int) -> Iterator[State]:
    """Yield positions of random games with two to five armies, some of which give up."""
    for seed in range(number):
        random, rng = Random(seed), new_rng(seed)
        game = ludoteca.load("okupacio", players=2 + seed % 4, board=board.sample(random))
        state = game.new_initial_state(seed)
        while not state.is_terminal():
            yield state
            state.apply_action(rules.CONCEDE if random.random() < 0.02 else state.random_action(rng))


def slow_look(state: State, action: int) -> int:
    """Return the value of an action: count owners on the board, and read the tables as they are written."""
    record, mover = state.raw, state.current_player()
    order = [*range(mover + 1, state.game.num_players()), *range(mover)]
    following = next(player for player in order if rules.is_playing(record, player))
    kinds = {rules.FREE: 0, mover: patterns.MINE, following: patterns.NEXT}

    def around(cell: int) -> list[int]:
        owners = [int(record.owner[cell + step]) for step in (-rules.ROW, -1, 1, rules.ROW)]
        return [owner for owner in owners if owner != rules.WALL]

    cell = action + rules.ROW
    owners = around(cell)
    value = patterns._OF_THE_CELL[len(owners)][owners.count(mover)][owners.count(following)]
    for neighbour in (cell - rules.ROW, cell - 1, cell + 1, cell + rules.ROW):
        owner = int(record.owner[neighbour])
        if owner != rules.WALL:
            owners = around(neighbour)
            row = patterns._OF_NEIGHBOURS[len(owners)][owners.count(mover)][owners.count(following)]
            value += row[kinds.get(owner, patterns.ANOTHERS)]
    return value


@pytest.mark.slow
def test_looks_are_those_of_the_tables() -> None:
    for state in games(4):
        values = looks(state)
        del values[rules.CONCEDE]
        assert values == {action: slow_look(state, action) for action in values}


def test_playouts_take_the_best_of_a_few_cells() -> None:
    for state in games(2):
        rng, same = new_rng(1), new_rng(1)
        free, n = state.raw.free, int(state.raw.n_free)
        seen = [int(free[draw(same, n)]) - rules.ROW for _ in range(heuristics.LOOKS_AT)]
        assert bound(state.game).choose_by_policy(state.position.array, rng) == max(seen, key=looks(state).__getitem__)
        assert rng.tolist() == same.tolist()


def test_what_looks_best_beats_chance() -> None:
    game, wins = ludoteca.load("okupacio", players=2, board="6x6"), 0
    for seed in range(6):
        state, rng = game.new_initial_state(seed), new_rng(seed)
        while not state.is_terminal():
            values = looks(state) if state.current_player() == seed % 2 else {}
            state.apply_action(max(values, key=values.__getitem__) if values else state.random_action(rng))
        wins += seed % 2 in state.winners()
    assert wins == 6
