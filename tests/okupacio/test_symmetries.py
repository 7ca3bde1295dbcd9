"""A game stays the same if it is turned or mirrored from its first move on."""

from random import Random
from typing import Any

import numpy as np
import pytest

import ludoteca


@pytest.mark.parametrize(
    ("board", "number"),
    [("5x5", 8), ("4x6", 4), ("..#./..../..../.#..", 2), ("...#/..../..../#...", 4)],
)
def test_a_changed_game_is_the_same_game(board: str, number: int) -> None:
    game = ludoteca.load("okupacio", players=3, board=board)
    symmetries = ludoteca.symmetries(game)
    assert len(symmetries) == number
    assert len({symmetry.actions.tobytes() for symmetry in symmetries}) == number
    for symmetry in symmetries:
        play_both(game, symmetry, Random(number))


def play_both(game: Any, symmetry: Any, random: Random) -> None:
    """Play a random game and its image. The masks, the observations and the results must be images of each other, too."""
    one, two = game.new_initial_state(), game.new_initial_state()
    goes_to = np.argsort(symmetry.actions)
    while not one.is_terminal():
        assert (symmetry.actions_of(one.action_mask()) == two.action_mask()).all()
        for seat in range(-1, game.num_players()):
            assert (symmetry.planes_of(one.observation(seat).planes) == two.observation(seat).planes).all()
        number = random.choice(np.flatnonzero(one.action_mask()).tolist())
        one.apply_action(one.decode_action(number))
        two.apply_action(two.decode_action(int(goes_to[number])))
    assert (one.returns(), one.scores()) == (two.returns(), two.scores())


def test_a_board_whose_walls_lie_unevenly_has_no_symmetry_but_itself() -> None:
    symmetries = ludoteca.symmetries(ludoteca.load("okupacio"))
    assert [symmetry.name for symmetry in symmetries] == [""]
    with pytest.raises(IndexError, match="symmetry 1: there are 1"):
        symmetries[1]
