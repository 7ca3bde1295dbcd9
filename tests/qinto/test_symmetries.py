"""A game with other names of colours and shapes, and on a transposed grid, stays the same game."""

import re
from random import Random
from typing import Final

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.symmetries import Symmetry
from ludoteca.games.qinto.names import COLOURS, SHAPES

WAYS: Final = 24
"""The number of ways to exchange four names."""
EXCHANGED: Final = WAYS * WAYS
TRANSPOSED: Final = 2 * EXCHANGED
OF_COLOURS: Final = "21345W"
"""The shapes that are exchanged with the colours."""
MOVES: Final = 30


@pytest.mark.parametrize(
    ("variant", "players", "number", "name"),
    [
        ("light", 4, 5 * WAYS, "shapes 12543"),
        ("light", 2, TRANSPOSED, "transposed"),
        ("classic", 3, 17 + 11 * WAYS + EXCHANGED, "colours bRYGB, shapes 32541, colours and shapes exchanged"),
        ("plus", 2, 2 * TRANSPOSED - 1, "colours bYRGB, shapes 52431, colours and shapes exchanged, transposed"),
    ],
)
def test_a_changed_game_is_the_same_game(variant: str, players: int, number: int, name: str) -> None:
    game = ludoteca.load("qinto", variant=variant, players=players)
    symmetries = ludoteca.symmetries(game)
    assert len(symmetries) == 2 * TRANSPOSED
    assert symmetries[number].name == name
    play_both(game.new_initial_state(number), symmetries[number], Random(number))


def play_both(one: State, symmetry: Symmetry, random: Random) -> None:
    """Play a random game and the changed game. Masks, observations and scores must be the same after the change."""
    two = one.game.state_from_string(renamed(str(one), symmetry.name))
    while not one.is_terminal() and len(one.history()) < MOVES:
        seen, mask = one.observation(one.current_player()), one.action_mask()
        assert (symmetry.actions_of(mask, seen.numbers) == two.action_mask()).all()
        for seat in range(SPECTATOR, one.game.num_players()) if len(one.history()) % 7 == 0 else ():
            planes, numbers = one.observation(seat)
            assert (symmetry.planes_of(planes) == two.observation(seat).planes).all()
            assert (symmetry.numbers_of(numbers) == two.observation(seat).numbers).all()
        number = random.choice(np.flatnonzero(mask).tolist())
        chosen = np.eye(len(mask), dtype=np.uint8)[number]
        one.apply_action(one.decode_action(number))
        two.apply_action(two.decode_action(int(symmetry.actions_of(chosen, seen.numbers).argmax())))
    assert (one.scores(), one.is_terminal(), one.current_player()) == (two.scores(), two.is_terminal(), two.current_player())


def renamed(position: str, name: str) -> str:
    """Return the text of a deal with the tiles renamed by a symmetry, given by its name. The grid has at most one tile."""
    shapes, colours = SHAPES, COLOURS
    for change in name.split(", "):
        if found := re.fullmatch("colours ([bBGRY]{5})", change):
            colours = found[1] + "W"
        elif found := re.fullmatch("shapes ([1-5]{5})", change):
            shapes = found[1] + "W"
    exchanged = "colours and shapes exchanged" in name

    def tile(found: re.Match[str]) -> str:
        shape, colour = shapes[SHAPES.index(found[0][0])], colours[COLOURS.index(found[0][1])]
        return OF_COLOURS[COLOURS.index(colour)] + COLOURS[OF_COLOURS.index(shape)] if exchanged else shape + colour

    first, *rest = position.split()
    tiles, others = [first, *rest[:2]], rest[2:]
    return " ".join([*(re.sub("[1-5W][bBGRYW]", tile, part) for part in tiles), *others])
