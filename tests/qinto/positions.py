"""Positions for tests: a grid as a picture and a hand. All other tiles go to the other hands and into the piles."""

from collections import Counter
from collections.abc import Iterable, Mapping

import ludoteca
from ludoteca.core.game import State
from tests.qinto.oracle import DECK, HAND, Grid


def grid_of(picture: str, top: int = 0, left: int = 0) -> Grid:
    """The tiles of a picture, rows of tiles and dots, whose upper left corner is at (top, left)."""
    rows = enumerate(line.split() for line in picture.strip().splitlines())
    return {(top + row, left + at): tile for row, words in rows for at, tile in enumerate(words) if tile != "."}


def written(grid: Mapping[tuple[int, int], str]) -> str:
    """The grid in a position's text."""
    if not grid:
        return "-"
    rows, columns = ([cell[i] for cell in grid] for i in (0, 1))
    across = range(min(columns), max(columns) + 1)
    lines = ("".join(grid.get((row, column), "..") for column in across) for row in range(min(rows), max(rows) + 1))
    return f"{min(rows)},{min(columns)}:{'/'.join(lines)}"


def at(grid: Grid, hand: Iterable[str], variant: str = "light", players: int = 2, turn: str = "1:choose") -> State:
    """A state in which player 1 has these tiles in hand, and the grid is this one."""
    mine = list(hand)
    rest = list((Counter(DECK) - Counter(grid.values()) - Counter(mine)).elements())
    hands = [mine, *(rest[HAND * other : HAND * (other + 1)] for other in range(players - 1))]
    rest = rest[HAND * (players - 1) :]
    share = len(DECK) // players - HAND
    piles = [rest[share * player : share * (player + 1)] for player in range(players)] if variant == "light" else [rest]
    parts = [
        written(grid),
        "/".join(",".join(tiles) or "-" for tiles in hands),
        "/".join(",".join(tiles) or "-" for tiles in piles),
        "-",
        ",".join(players * "0"),
        "0",
        turn,
    ]
    return ludoteca.load("qinto", variant=variant, players=players).state_from_string(" ".join(parts))
