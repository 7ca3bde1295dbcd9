"""The known facts of positions, in the library and in the oracle.

The README.txt of the goldens names their origin.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from ludoteca.games import metro
from ludoteca.games.metro import GameState, Move
from tests.metro import oracle

OWN = json.loads((Path(__file__).parents[1] / "golden" / "metro" / "solo.json").read_text(encoding="utf-8"))

Facts = dict[str, Any]


def move_of(text: str) -> Move:
    x, y, tile, rotation = text.split()
    return Move((int(x), int(y)), tile, rotation)


def played(moves: list[Move], side: int = 8) -> GameState:
    state = metro.initial_game_state(side)
    for move in moves:
        state = metro.apply_move(state, move)
    return state


def laid(moves: list[Move]) -> oracle.Board:
    return {space: (tile, int(rotation[1])) for space, tile, rotation in moves}


def facts_of(moves: list[Move], side: int = 8) -> Facts:
    state = played(moves, side)
    return {
        "open": {path.entry: list(path.tiles) for path in metro.get_open_paths(state)},
        "closed": {path.entry: list(path.tiles) for path in metro.get_closed_paths(state)},
        "score": metro.get_score(state),
        "available": len(metro.available_move(state)),
    }


def oracle_facts_of(moves: list[Move], side: int = 8) -> Facts:
    tiles = laid(moves)

    def known(paths: list[oracle.Path]) -> dict[oracle.Space, list[tuple[str, str]]]:
        return {path.entry: [(tile, f"R{turned}") for tile, turned in path.tiles] for path in paths}

    return {
        "open": known(oracle.open_paths(tiles, side)),
        "closed": known(oracle.closed_paths(tiles, side)),
        "score": oracle.scores(tiles, side, 1)[0],
        "available": len(oracle.available(tiles, side)),
    }


def paths_of(told: dict[str, list[str]]) -> dict[tuple[int, ...], list[tuple[str, ...]]]:
    return {
        tuple(int(number) for number in entry.split()): [tuple(tile.split()) for tile in tiles]
        for entry, tiles in told.items()
    }


def expected(told: Facts) -> Facts:
    counted = {"score": told["score"], "available": told.get("available", told.get("available_after"))}
    return {"open": paths_of(told["open"]), "closed": paths_of(told["closed"]), **counted}


@pytest.mark.parametrize("told", OWN, ids=lambda told: f"{told['side']}-{len(told['moves'])}")
def test_positions(told: Facts) -> None:
    moves = [move_of(text) for text in told["moves"]]
    assert facts_of(moves, told["side"]) == expected(told)
    assert oracle_facts_of(moves, told["side"]) == expected(told)


# The figures of the rules page

CORNERS = [(x, y) for x in (1, 8) for y in (1, 8)]


def test_the_empty_board_has_448_available_moves() -> None:
    moves = metro.available_move(metro.initial_game_state())
    assert len(moves) == len(set(moves)) == 448
    assert {(space, (tile, int(rotation[1]))) for space, tile, rotation in moves} == oracle.available({}, 8)
    assert [sum(move.space == corner for move in moves) for corner in CORNERS] == [4, 4, 4, 4]


def test_after_one_move_there_are_444_or_454() -> None:
    start = metro.initial_game_state()
    for move in metro.available_move(start)[::7]:
        assert len(metro.available_move(metro.apply_move(start, move))) == (444 if move.space in CORNERS else 454)


FIGURES = {"#9": [60, 0, 32], "#8": [60, 0, 32], "#6": [56, 4, 20], "#10": [56, 4, 20], "#1": [0, 0, 0]}


@pytest.mark.parametrize("tile", FIGURES)
def test_with_only_one_tile_to_draw_any_play_comes_to_the_same(tile: str) -> None:
    state = metro.initial_game_state()
    while moves := [move for move in metro.available_move(state) if move.tile_id == tile]:
        state = metro.apply_move(state, moves[len(state.tiles) % len(moves)])
    counts = [len(state.tiles), len(metro.get_open_paths(state)), len(metro.get_closed_paths(state))]
    assert counts == FIGURES[tile]
