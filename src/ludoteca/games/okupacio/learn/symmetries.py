"""The symmetries of Okupació for learners: a board may be turned and mirrored if its size and its walls stay the same."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ludoteca.core.symmetries import Factor, Symmetry
from ludoteca.games.okupacio.board import read_numbers
from ludoteca.games.okupacio.learn.features import layout

TURNS: Final = 4


def factors(parameters: Mapping[str, Any]) -> list[Factor]:
    """Return the only group of symmetries: the turned and mirrored boards with the same size and walls, at most eight."""
    board, shape = np.array([list(row) for row in read_numbers(parameters["board"])]), layout(parameters)
    places = np.arange(board.size).reshape(board.shape)
    kept = list[Symmetry]()
    for mirrored in (False, True):
        for turns in range(TURNS):
            name = " and ".join(["mirrored"] * mirrored + [f"turned {90 * turns} degrees"] * bool(turns))
            moved = np.rot90(np.fliplr(places) if mirrored else places, turns)
            if moved.shape == board.shape and (board.ravel()[moved] == board).all():
                cells = moved.ravel()
                planes = np.concatenate([cells + plane * board.size for plane in range(len(shape.planes))])
                kept.append(Symmetry(name, planes, np.arange(len(shape.numbers)), cells))
    return [Factor(len(kept), kept.__getitem__)]
