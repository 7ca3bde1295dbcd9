"""The known facts of positions, in the library and in the oracle.

The README.txt of this checkout's goldens names their origin. The goldens of ../shared are read in that folder.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.games import metro
from ludoteca.games.metro import GameState, Move, board, rules
from ludoteca.games.metro.tiles import oriented
from tests.metro import oracle

OWN = json.loads((Path(__file__).parents[1] / "golden" / "metro" / "solo.json").read_text(encoding="utf-8"))
SHARED = Path(__file__).parents[3] / "shared" / "golden" / "metro"
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="there is no ../shared")

Facts = dict[str, Any]


def shared(name: str) -> Facts:
    facts: Facts = json.loads((SHARED / name).read_text(encoding="utf-8"))
    return facts


def move_of(text: str) -> Move:
    x, y, tile, rotation = text.replace(",", " ").split()
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
    """Both goldens' way to write paths: "2 0" or "(2, 0)", "#5 R0" or "#5/R0"."""
    return {
        tuple(int(number) for number in entry.strip("()").replace(",", " ").split()): [
            tuple(tile.replace("/", " ").split()) for tile in tiles
        ]
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


# Goldens next to the checkout


@needs_shared
def test_the_shared_example() -> None:
    told = shared("solo.json")["document_example"]
    moves = [move_of(text) for text in told["moves"]]
    assert facts_of(moves) == oracle_facts_of(moves) == expected(told)


@needs_shared
def test_the_shared_first_moves() -> None:
    for told in shared("solo.json")["after_one_move"]:
        moves = [Move(tuple(told["space"]), told["tile"], told["rotation"])]
        entries = {tuple(entry) for entry in told["open_entries"]}
        for facts in (facts_of(moves), oracle_facts_of(moves)):
            assert (set(facts["open"]), facts["available"]) == (entries, told["available_after"])


@needs_shared
def test_the_shared_unavailable_moves() -> None:
    start = metro.initial_game_state()
    for space, tile, rotation in shared("solo.json")["unavailable_on_the_empty_board"]:
        assert not metro.available_move(start, Move(tuple(space), tile, rotation))
        assert (tuple(space), (tile, int(rotation[1]))) not in oracle.available({}, 8)


@needs_shared
def test_the_shared_figures_are_those_of_the_rules_page() -> None:
    assert shared("solo.json")["only_one_tile_id"] == FIGURES


def published(told: Facts) -> list[Move]:
    return [Move(tuple(space), tile, rotation) for space, tile, rotation in told["placements"]]


@needs_shared
@pytest.mark.parametrize("kind", ["full_boards", "partial_boards"])
def test_the_shared_published_boards(kind: str) -> None:
    for told in shared("published.json")[kind]:
        state = ludoteca.load("metro", players=told["players"]).new_initial_state(seed=1)
        for space, tile, rotation in published(told):
            rules.place(state.raw, board.space_at(8, space), oriented(int(tile[1:]), int(rotation[1:])))
        assert state.scores() == told["scores"]
        assert oracle.scores(laid(published(told)), 8, told["players"]) == told["scores"]


@needs_shared
def test_the_shared_published_sequences() -> None:
    for told in shared("published.json")["legal_sequences"]:
        tiles: oracle.Board = {}
        legal = []
        for space, (tile, turned) in laid_in_order(published(told)):
            legal.append((space, (tile, turned)) in oracle.published_places(tiles, 8, [(tile, turned)]))
            tiles[space] = (tile, turned)
        assert all(legal) == told["legal"]


def laid_in_order(moves: list[Move]) -> list[tuple[oracle.Space, oracle.Tile]]:
    return [(space, (tile, int(rotation[1]))) for space, tile, rotation in moves]
