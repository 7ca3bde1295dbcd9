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
        bound.observe_in(state.position.array, seat, planes[ROOM:-ROOM], np.zeros(0, np.float32))
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


def test_the_example_of_the_page() -> None:
    state = ludoteca.load("okupacio", players=2, board="..#./..../..../.#..").new_initial_state()
    state.apply_action(state.string_to_action("bc"))
    assert state.observation(1).planes[1].tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert (state.encode_action(state.string_to_action("ca")), state.action_to_string(state.decode_action(8))) == (8, "ca")
