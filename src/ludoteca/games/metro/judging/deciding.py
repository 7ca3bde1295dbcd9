"""Finds the branches of the assignment that decide the answer to a question, and finds moves that show a branch. Everything
is computed from the position, without the program.
"""

from collections.abc import Iterable
from random import Random
from typing import Final

from ludoteca.games.metro.board import beyond, border, is_centre
from ludoteca.games.metro.paths import TracedPath, paths_of
from ludoteca.games.metro.text import predicates
from ludoteca.games.metro.text.predicates import ROTATION_IDS, TILE_IDS, GameState, Move, Space
from ludoteca.games.metro.tiles import EAST, FACES, NORTH, SIDES, SOUTH, WEST, distinct_rotations, exits, oriented

_ENTRIES: Final = {NORTH: "entry-above", SOUTH: "entry-below", WEST: "entry-left", EAST: "entry-right"}
_SPACES: Final = tuple((x, y) for y in range(1, 9) for x in range(1, 9))


def of_paths(state: GameState, *, closed: bool) -> frozenset[str]:
    """Return the branches that decide the answer to the question for the closed paths, or for the open paths if `closed` is
    False.
    """
    listed = [path for path in paths_of(state.raw) if path.closed == closed]
    return frozenset().union(*(of_path(path) for path in listed))


def of_path(path: TracedPath) -> set[str]:
    """Return the branches that decide how a path is listed: its entry, its kind and its tiles."""
    found = {"entry", _ENTRIES[path.train.side], "closed" if path.closed else "open"}
    if path.central:
        found.add("centre")
    places = [step.place for step in path.steps]
    if path.end == path.train.outside:  # such a path always passes its first tile twice
        found.add("closed-home")
    elif len(set(places)) < len(places):
        found.add("twice")
    if len({step.face for step in path.steps}) > 1:
        found.add("order")
    for step in path.steps:
        found.add(f"track-{(step.left - step.entered) % SIDES}")
        if FACES[step.face - 1][1]:
            found.add("rotated")
    return found


def of_move(state: GameState, move: Move) -> frozenset[str]:
    """Return the branches that decide whether a move is available: all rules that forbid it, or, if none does, the rule that
    allows its space.
    """
    space, taken = move.space, {space for space, _, _ in state.tiles}
    around = [beyond(space, side) for side in range(SIDES)]
    edges = border(state.side, space)
    number, times = TILE_IDS.index(move.tile_id) + 1, ROTATION_IDS.index(move.rotation_id)
    ways = exits(oriented(number, times % distinct_rotations(number)))
    reasons = {
        "centre-space": is_centre(state.side, space),
        "taken": space in taken,
        "rotations": times >= distinct_rotations(number),
        "length-1": any(ways[side] == side for side in edges),
        "length-1-corner": any(ways[side] in edges and ways[side] != side for side in edges),
    }
    if not edges and not taken.intersection(around):
        reasons["beside-centre" if any(is_centre(state.side, place) for place in around) else "alone"] = True
    return frozenset(key for key, holds in reasons.items() if holds) or frozenset(("edge" if edges else "beside",))


def of_all(state: GameState) -> frozenset[str]:
    """Return the branches that decide the list of all available moves."""
    return frozenset(("rotations", "edge", "length-1", *(("beside",) if state.tiles else ())))


def some_move(state: GameState, wanted: str, random: Random) -> Move | None:
    """Return a random move whose availability only the branch `wanted` decides, or None if 400 tries find none."""
    for _ in range(400):
        move = Move(random.choice(_SPACES), random.choice(TILE_IDS), random.choice(ROTATION_IDS))
        if of_move(state, move) == {wanted}:
            return move
    return None


def open_ends(state: GameState) -> list[Space]:
    """Return the spaces at the ends of open paths."""
    return [path.end for path in paths_of(state.raw) if not path.closed]


def some_moves(state: GameState, spaces: Iterable[Space], random: Random, number: int) -> list[Move]:
    """Return at most `number` random available moves. They are on the given spaces if any available move is."""
    moves, near = predicates.available_move(state), set(spaces)
    there = [move for move in moves if move.space in near] or moves
    return random.sample(there, min(number, len(there)))
