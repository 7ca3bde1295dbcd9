"""Okupació as numbers for a learner."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludoteca.core.contract import Floats, RawPosition
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.board import read_numbers


def shape(parameters: Mapping[str, Any]) -> tuple[int, int, int]:
    """The numbers of planes, rows and columns of `observation`."""
    rows = read_numbers(parameters["board"])
    return parameters["players"] + 2, len(rows), len(rows[0])


def observation(view: RawPosition, player: int) -> Floats:
    """Planes of 0 and 1, float32: the cells of the player's army, of the armies after it in turn order, free ones, walls.

    For a spectator the armies are counted from A.
    """
    sheet = view.owner.reshape(-1, rules.ROW)[1 : int(view.rows) + 1, : int(view.columns)]
    first, players = max(player, 0), int(view.players)
    owners = [(first + i) % players for i in range(players)]
    return np.stack([sheet == owner for owner in (*owners, rules.FREE, rules.WALL)]).astype(np.float32)
