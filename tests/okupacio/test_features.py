"""Observations for learners, compared with the position's cells: boards of every width, all numbers of players."""

from random import Random

import numpy as np
import pytest

import ludoteca
from ludoteca.core import learners
from ludoteca.core.game import State
from ludoteca.games.okupacio.learn import features
from ludoteca.games.okupacio.rules import FREE, WALL, cell_at

ROOM = 16
"""The number of bytes before and after a buffer. They must not change."""


def position(rows: int, columns: int, players: int, random: Random, *, compiled: bool) -> State:
    """Return a random position on a board with some walls."""
    board = ["".join(random.choice("......#") for _ in range(columns)) for _ in range(rows - 2)]
    game = ludoteca.load(
        "okupacio", board="/".join([columns * ".", *board, columns * "."]), players=players, compiled=compiled
    )
    state, rng = game.new_initial_state(), ludoteca.new_rng(random.getrandbits(64))
    for _ in range(random.randrange(rows * columns // 2)):
        if not state.is_terminal():
            state.apply_action(state.random_action(rng))
    return state


def holders(state: State) -> list[int]:
    """Return the owner of each cell, row by row. It may be FREE or WALL."""
    rows, columns = state.game.features.layout.rows, state.game.features.layout.columns
    return [int(state.raw.owner[cell_at(row, column)]) for row in range(rows) for column in range(columns)]


def check(state: State) -> None:
    layout, cells, players = state.game.features.layout, holders(state), state.game.num_players()
    bound = state.game.bind(learners, features=features)
    assert {*cells} <= {*range(players), FREE, WALL}
    for seat in (-1, 0, players - 1):
        planes = np.full(layout.cells + 2 * ROOM, 99, np.uint8)
        planes[ROOM:-ROOM] = 0
        bound.observe_in(state.position.array, seat, planes[ROOM:-ROOM], np.zeros(len(layout.numbers), np.float32))
        assert (planes[:ROOM] == 99).all()
        assert (planes[-ROOM:] == 99).all()
        order = [*((max(seat, 0) + i) % players for i in range(players)), FREE]
        assert planes[ROOM:-ROOM].reshape(-1, len(cells)).tolist() == [[int(c == one) for c in cells] for one in order]
    mask = np.full(layout.actions + 2 * ROOM, 99, np.uint8)
    mask[ROOM:-ROOM] = 0
    bound.action_mask_in(state.position.array, mask[ROOM:-ROOM])
    assert mask.tolist() == [*ROOM * [99], *(int(c == FREE and not state.is_terminal()) for c in cells), *ROOM * [99]]
    for number, holder in enumerate(cells):
        action = (
            features.encode_action(state.raw, state.game.features.action_of(state.position, number))
            if holder == FREE
            else -1
        )
        assert action == (number if holder == FREE and not state.is_terminal() else -1)


@pytest.mark.slow
@pytest.mark.parametrize("columns", range(4, 26))
def test_every_cell_is_in_the_plane_of_its_holder(columns: int) -> None:
    random = Random(columns)
    check(position(25, columns, 2 + columns % 9, random, compiled=True))


@pytest.mark.parametrize("columns", [4, 9, 16])
def test_interpreted_it_is_the_same(columns: int) -> None:
    check(position(4 + columns % 3, columns, 2 + columns % 9, Random(columns), compiled=False))


def test_who_has_given_up_owns_nothing_and_at_the_end_nothing_can_be_chosen() -> None:
    state = ludoteca.load("okupacio", board="4x4", players=2).new_initial_state()
    for text in ("aa", "bb", "00"):
        state.apply_action(state.string_to_action(text))
    assert state.is_terminal()
    assert not state.action_mask().any()
    assert state.observation(0).planes.sum(axis=(1, 2)).tolist() == [0, 1, 15]
    with pytest.raises(ludoteca.core.errors.IllegalActionError, match="read action number 3: the game is over"):
        state.decode_action(3)


def test_numbers_have_what_decides_between_armies_with_equally_many_cells() -> None:
    state = ludoteca.load("okupacio", players=4, board="4x4").state_from_string("A.../.B../..C./.... B 9 2:0,0:4,1:3,-")
    names, seen = state.game.features.layout.numbers, state.observation(1).numbers.tolist()
    assert dict(zip(names, seen, strict=True)) == {
        "captured: own": 0, "captured: +1": 1 / 16, "captured: +2": 0, "captured: +3": 2 / 16,
        "last move: own": 3 / 4, "last move: +1": 2 / 4, "last move: +2": 0, "last move: +3": 1 / 4,
        "to move: own": 1, "to move: +1": 0, "to move: +2": 0, "to move: +3": 0,
    }  # fmt: skip


def test_two_positions_that_differ_in_captured_cells_alone_look_different() -> None:
    game = ludoteca.load("okupacio", players=2, board="4x4")
    won = game.state_from_string("BBB./BBAA/BBAA/AAAA B 11 0:0,0:1")
    lost = game.state_from_string("BBB./BBAA/BBAA/AAAA B 11 0:0,1:1")
    assert (won.child(3).returns(), lost.child(3).returns()) == ([1, 0], [0, 1])
    assert won.observation_tensor(1).tolist() != lost.observation_tensor(1).tolist()


@pytest.mark.parametrize("games", [300, pytest.param(3000, marks=pytest.mark.soak)])
def test_endings_that_look_the_same_have_the_same_value(games: int) -> None:
    game, rng, values = ludoteca.load("okupacio", players=2, board="4x4"), ludoteca.new_rng(5), dict[bytes, float]()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.raw.n_free <= 2:
                seen = state.observation_tensor(state.current_player()).tobytes()
                assert values.setdefault(seen, value_of(state)) == value_of(state)
            state.apply_action(state.random_action(rng))


def value_of(state: State) -> float:
    """Return the mover's return with the best play of both."""
    mover, best = state.current_player(), 0.0
    for number in np.flatnonzero(state.action_mask()).tolist():
        after = state.child(state.decode_action(number))
        value = after.returns()[mover] if after.is_terminal() else 1 - value_of(after)
        best = max(best, value)
    return best


def test_the_example_of_the_page() -> None:
    state = ludoteca.load("okupacio", players=2, board="..#./..../..../.#..").new_initial_state()
    state.apply_action(state.string_to_action("bc"))
    assert state.observation(1).planes[1].tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert (state.encode_action(state.string_to_action("ca")), state.action_to_string(state.decode_action(8))) == (8, "ca")
