"""Mutants of our predicates, with mistakes of students' programs. Each is named after the mistake.

A mutant is a replaced function or a change in the source of one.
"""

from functools import partial
from typing import Final

from ludoteca.core.judging import Mutant
from ludoteca.games.metro.board import border
from ludoteca.games.metro.judging.mistakes import (
    added,
    all_paths,
    available,
    central_is_open,
    closed_at_a_tile_again,
    closed_if,
    comes_back_nowhere,
    comes_out_elsewhere,
    entry_inside,
    goes_around_corners_one_way,
    goes_around_corners_only,
    is_anywhere,
    is_at_home,
    is_beside_once_begun,
    is_free,
    is_in_a_row,
    is_long_above_and_left,
    is_long_from_one_side,
    is_near_a_corner,
    is_near_or_central,
    is_near_or_partly_central,
    is_near_the_centre,
    is_on_the_edge,
    is_on_the_edge_between_corners,
    is_on_the_upper_or_left_edge,
    none_to_a_tile_again,
    once_for_each_edge,
    once_for_the_edge_and_once_for_neighbours,
    paths_of_all_trains,
    pick_at_the_edge,
    play_game_with,
    trace,
    until_the_board_is_full,
    without_the_last,
)
from ludoteca.games.metro.tiles import EAST, NORTH, SIDES, SOUTH, WEST, distinct_rotations, rotated

_AVAILABLE: Final = ("predicates", "available_move")
_PATH: Final = ("paths", "path_of")
_ON: Final = "is not None:\n"
_STOPS: Final = (("play_game", _ON, "is not None and available_move(state, move):\n"),)
"""A game ends if the picked move is not available."""
_ANY: Final = (("play_game", "apply_move(state, move)", "state._after(move)"),)
"""A game continues without the predicate for moves."""
_UNBUILT: Final = "\\n  ".join(
    ("? ? ?", *(f"{name}: no answer" for name in ("get_move_rotation_id", "get_move_space", "get_move_tile_id")))
)


def _changed(name: str, branch: str, where: str, old: str, new: str, also: tuple[tuple[str, str, str], ...] = ()) -> Mutant:
    """Return a mutant with a change in the source of a function, such as `predicates.pick_move`."""
    module, _, function = where.rpartition(".")
    return Mutant(name, branch, module, function, old=old, new=new, also=also)


def _without_trains(name: str, branch: str, side: int) -> Mutant:
    return _changed(name, branch, "predicates._paths", "if path.steps", f"if path.steps and path.train.side != {side}")


MUTANTS: Final = (
    _changed(
        "the centre lies in the initial state",
        "initial",
        "predicates.initial_game_state",
        "return GameState(side=side)",
        "state = GameState(side=side)\n"
        '    state._set(state._position, side, tuple((each, "#1", "R0") for each in center_space(side)))\n'
        "    return state",
    ),
    _changed(
        "a tile lies in the initial state",
        "initial",
        "predicates.initial_game_state",
        "return GameState(side=side)",
        'state = GameState(side=side)\n    state._set(state._position, side, (((1, 1), "#9", "R0"),))\n    return state',
    ),
    _changed(
        "tiles that lie have no rotation",
        "tiles",
        "predicates.get_game_tiles",
        "list(state.tiles)",
        '[(space, tile_id, "R0") for space, tile_id, _ in state.tiles]',
    ),
    _changed(
        "tiles lie on row and column",
        "tiles",
        "predicates.get_game_tiles",
        "list(state.tiles)",
        "[(space[::-1], tile_id, turn) for space, tile_id, turn in state.tiles]",
    ),
    _changed(
        "one of the tiles that lie is missing",
        "tiles",
        "predicates.get_game_tiles",
        "list(state.tiles)",
        "list(state.tiles[:-1])",
    ),
    Mutant("a tile may lie on any free space", "alone", *_AVAILABLE, available(is_anywhere)),
    Mutant("a tile may lie on the edge only", "beside", *_AVAILABLE, available(is_on_the_edge)),
    Mutant("a tile above or below is no neighbour", "beside", *_AVAILABLE, available(is_in_a_row)),
    Mutant("every tile but the first lies beside another", "edge", *_AVAILABLE, available(is_beside_once_begun)),
    Mutant("only the upper and the left edge count", "edge", *_AVAILABLE, available(is_on_the_upper_or_left_edge)),
    Mutant("corners are no edge", "edge", *_AVAILABLE, available(is_on_the_edge_between_corners)),
    Mutant("a tile may lie beside the centre alone", "beside-centre", *_AVAILABLE, available(is_near_the_centre)),
    Mutant("a tile may touch others at a corner only", "alone", *_AVAILABLE, available(is_near_a_corner)),
    Mutant("a tile may lie in the centre", "centre-space", *_AVAILABLE, available(is_near_or_central)),
    Mutant("the centre is one space", "centre-space", *_AVAILABLE, available(is_near_or_partly_central)),
    Mutant("a tile may lie on another", "taken", *_AVAILABLE, available(free=lambda *_: True)),
    Mutant(
        "a tile on the edge may lie on another",
        "taken",
        *_AVAILABLE,
        available(free=lambda state, space: is_free(state, space) or bool(border(state.side, space))),
    ),
    Mutant("paths of length 1 may arise", "length-1", *_AVAILABLE, available(fits=lambda *_: True)),
    Mutant(
        "paths of length 1 may arise below and on the right",
        "length-1",
        *_AVAILABLE,
        available(fits=is_long_above_and_left),
    ),
    Mutant(
        "only paths of length 1 around a corner are refused",
        "length-1",
        *_AVAILABLE,
        available(fits=goes_around_corners_only),
    ),
    Mutant("a track may come back nowhere", "length-1", *_AVAILABLE, available(fits=comes_back_nowhere)),
    Mutant(
        "a path of length 1 may turn around a corner", "length-1-corner", *_AVAILABLE, available(fits=comes_out_elsewhere)
    ),
    Mutant(
        "a path of length 1 may turn around a corner one way",
        "length-1-corner",
        *_AVAILABLE,
        available(fits=goes_around_corners_one_way),
    ),
    Mutant("one train in a corner is looked at", "length-1-corner", *_AVAILABLE, available(fits=is_long_from_one_side)),
    Mutant("every tile has four rotations", "rotations", *_AVAILABLE, available(turns=lambda _: SIDES)),
    Mutant(
        "every tile with rotations has four",
        "rotations",
        *_AVAILABLE,
        available(turns=lambda tile: SIDES if distinct_rotations(tile) > 1 else 1),
    ),
    Mutant(
        "every tile that is rotated has two rotations",
        "rotations",
        *_AVAILABLE,
        available(turns=lambda tile: min(distinct_rotations(tile), 2)),
    ),
    Mutant(
        "tiles with two rotations are not rotated",
        "rotations",
        *_AVAILABLE,
        available(turns=lambda tile: distinct_rotations(tile) // SIDES * SIDES or 1),
    ),
    Mutant(
        "the last rotation is forgotten",
        "rotations",
        *_AVAILABLE,
        available(turns=lambda tile: max(1, distinct_rotations(tile) - 1)),
    ),
    Mutant("tiles are not rotated", "rotations", *_AVAILABLE, available(turns=lambda _: 1)),
    Mutant("moves are given twice", "all", *_AVAILABLE, available(copies=once_for_the_edge_and_once_for_neighbours)),
    Mutant("moves in a corner are given twice", "all", *_AVAILABLE, available(copies=once_for_each_edge)),
    Mutant("all moves are given twice", "all", *_AVAILABLE, available(copies=lambda *_: 2)),
    _changed(
        "the tile of a move is read, not compared",
        "with-tile",
        "judging.questions.moves_with",
        "read(move) == value",
        "isinstance(value, str) or read(move) == value",
    ),
    _changed(
        "the space of a move is read, not compared",
        "at-space",
        "judging.questions.moves_with",
        "read(move) == value",
        "isinstance(value, tuple) or read(move) == value",
    ),
    _changed(
        "moves with a known tile or space cannot be found",
        "at-space",
        "judging.questions.moves_with",
        "read(move) == value",
        "read(move) != read(move)",
    ),
    Mutant(
        "sides are counted clockwise",
        "track-1",
        *_PATH,
        partial(trace, way=lambda tracks, side: (side - tracks[side]) % SIDES),
    ),
    Mutant(
        "a connection names the side that it reaches",
        "track-1",
        *_PATH,
        partial(trace, way=lambda tracks, side: tracks[side]),
    ),
    Mutant(
        "the list of connections is read clockwise",
        "track-1",
        *_PATH,
        partial(trace, way=lambda tracks, side: (side + tracks[-side % SIDES]) % SIDES),
    ),
    Mutant(
        "the list of connections begins below",
        "track-1",
        *_PATH,
        partial(trace, way=lambda tracks, side: (side + tracks[(side - 1) % SIDES]) % SIDES),
    ),
    Mutant(
        "all connections of a tile are the first one",
        "track-1",
        *_PATH,
        partial(trace, way=lambda tracks, side: (side + tracks[0]) % SIDES),
    ),
    Mutant(
        "a rotation shifts the list to the left",
        "rotated",
        *_PATH,
        partial(trace, turned=lambda tracks, times: rotated(tracks, -times % SIDES)),
    ),
    Mutant("paths do not know of rotations", "rotated", *_PATH, partial(trace, turned=lambda tracks, _: tracks)),
    Mutant(
        "every rotation is R1",
        "rotated",
        *_PATH,
        partial(trace, turned=lambda tracks, times: rotated(tracks, min(times, 1))),
    ),
    Mutant(
        "a rotation is applied twice",
        "rotated",
        *_PATH,
        partial(trace, turned=lambda tracks, times: rotated(tracks, 2 * times % SIDES)),
    ),
    Mutant("a rotation is added to the list", "rotated", *_PATH, partial(trace, turned=added)),
    Mutant("a path passes a tile once", "twice", *_PATH, partial(trace, again=False)),
    Mutant("a path is closed where it comes to a tile again", "twice", *_PATH, closed_at_a_tile_again),
    Mutant("a path that passes a tile twice is missing", "twice", *_PATH, none_to_a_tile_again),
    _changed(
        "a tile that is passed twice is listed once",
        "twice",
        "predicates.get_path_tiles",
        "list(path.tiles)",
        "list(dict.fromkeys(path.tiles))",
    ),
    _changed(
        "tiles are listed without the one before",
        "twice",
        "predicates.get_path_tiles",
        "list(path.tiles)",
        "list(dict.fromkeys(path.tiles[::-1]))[::-1]",
    ),
    Mutant("a path that ends in the centre is open", "centre", *_PATH, central_is_open),
    Mutant(
        "a path that ends in the centre is missing",
        "centre",
        "predicates",
        "get_closed_paths",
        closed_if(lambda path: not path.central),
    ),
    Mutant(
        "only paths into the centre are closed",
        "centre",
        "predicates",
        "get_closed_paths",
        closed_if(lambda path: path.central),
    ),
    Mutant("the entry is the first space on the board", "entry", "predicates", "get_path_entry", entry_inside),
    _changed("the entry is row and column", "entry", "predicates.get_path_entry", "path.entry", "path.entry[::-1]"),
    _changed(
        "the entry is counted from 0",
        "entry",
        "predicates.get_path_entry",
        "path.entry",
        "path.entry[0] - 1, path.entry[1] - 1",
    ),
    _without_trains("no trains come from above", "entry-above", NORTH),
    _without_trains("no trains come from below", "entry-below", SOUTH),
    _without_trains("no trains come from the left", "entry-left", WEST),
    _without_trains("no trains come from the right", "entry-right", EAST),
    _changed(
        "tiles are listed from the path's end",
        "order",
        "predicates.get_path_tiles",
        "list(path.tiles)",
        "list(path.tiles)[::-1]",
    ),
    _changed("tiles are sorted", "order", "predicates.get_path_tiles", "list(path.tiles)", "sorted(path.tiles)"),
    _changed("a path's first tile is missing", "order", "predicates.get_path_tiles", "path.tiles", "path.tiles[1:]"),
    _changed(
        "a path's last tile is missing",
        "order",
        "predicates.get_path_tiles",
        "path.tiles",
        "(path.tiles[:-1] or path.tiles)",
    ),
    Mutant("closed paths are open, too", "open", "predicates", "get_open_paths", all_paths),
    Mutant("trains without a tile have open paths", "open", "predicates", "get_open_paths", paths_of_all_trains),
    _changed("there are no open paths", "open", "predicates.get_open_paths", "not path.closed", "False"),
    _changed(
        "open paths have two tiles or more",
        "open",
        "predicates.get_open_paths",
        "not path.closed",
        "not path.closed and len(path.steps) > 1",
    ),
    _changed(
        "the closed paths are given as open ones", "open", "predicates.get_open_paths", "not path.closed", "path.closed"
    ),
    Mutant("only paths that come home are closed", "closed", "predicates", "get_closed_paths", closed_if(is_at_home)),
    _changed("there are no closed paths", "closed", "predicates.get_closed_paths", "path.closed", "False"),
    _changed("open paths are closed, too", "closed", "predicates.get_closed_paths", " if path.closed", ""),
    _changed(
        "the open paths are given as closed ones", "closed", "predicates.get_closed_paths", "path.closed", "not path.closed"
    ),
    Mutant(
        "paths that come home are not closed",
        "closed-home",
        "predicates",
        "get_closed_paths",
        closed_if(lambda path: not is_at_home(path)),
    ),
    _changed(
        "paths that come home are open",
        "closed-home",
        "paths.path_along",
        "closed = place not in space_of",
        "closed = place not in space_of and place != train.outside",
    ),
    _changed("the space of a move is row and column", "move", "predicates.get_move_space", "move.space", "move.space[::-1]"),
    _changed(
        "a move cannot be built",
        "move",
        "judging.questions.move_text",
        'f"{_place(predicates.get_move_space(move))} {_turned(move)}"',
        f'"{_UNBUILT}"',
    ),
    _changed(
        "the rotation of a move is a number",
        "move",
        "predicates.get_move_rotation_id",
        "move.rotation_id",
        "move.rotation_id[1:]",
    ),
    _changed("the tile of a move is a number", "move", "predicates.get_move_tile_id", "move.tile_id", "move.tile_id[1:]"),
    _changed(
        "a move leads to the same state",
        "apply",
        "predicates.apply_move",
        "return state._after(move)",
        "return state",
        (("apply_move", "if reason := refusal(state, move)", "if reason := ''"), *_ANY),
    ),
    _changed(
        "a move lays its tile without rotation",
        "apply",
        "predicates.apply_move",
        "return state._after(move)",
        'return state._after(move._replace(rotation_id="R0"))',
    ),
    _changed(
        "a move changes the old state",
        "old-state",
        "predicates.apply_move",
        "return state._after(move)",
        "after = state._after(move)\n    state._set(after._position, after.side, after.tiles)\n    return after",
    ),
    Mutant("no place but those on the edge is found", "pick", "predicates", "pick_move", pick_at_the_edge),
    _changed(
        "a tile is laid on the last one",
        "pick",
        "predicates.pick_move",
        "if action < 0:",
        "if state.tiles:\n        return Move(state.tiles[-1][0], tile_id, ROTATION_IDS[0])\n    if action < 0:",
        _STOPS,
    ),
    _changed(
        "another tile is picked",
        "pick",
        "predicates.pick_move",
        "space_of(action)), tile_id,",
        'space_of(action)), "#1",',
        _STOPS,
    ),
    _changed(
        "no place is found beside tiles", "pick", "predicates.pick_move", "if action < 0:", "if action < 0 or state.tiles:"
    ),
    _changed(
        "a tile without a place is laid in a corner",
        "pick-none",
        "predicates.pick_move",
        "if action < 0:\n        return None",
        "if action < 0:\n        return Move((1, 1), tile_id, ROTATION_IDS[0])",
        _STOPS,
    ),
    _changed(
        "a tile without a place is laid in another corner",
        "pick-none",
        "predicates.pick_move",
        "if action < 0:\n        return None",
        "if action < 0:\n        return Move((8, 8), tile_id, ROTATION_IDS[0])",
        _STOPS,
    ),
    Mutant("the game ends a tile too early", "game-full", "predicates", "play_game", play_game_with(without_the_last)),
    _changed(
        "the game ends when the edge is full",
        "game-full",
        "predicates.play_game",
        _ON,
        "is not None and len(state.tiles) < 28:\n",
    ),
    _changed(
        "the game ends after half of the tiles",
        "game-full",
        "predicates.play_game",
        _ON,
        "is not None and len(state.tiles) < 30:\n",
    ),
    Mutant(
        "the game goes on until the board is full",
        "game-short",
        "predicates",
        "play_game",
        play_game_with(until_the_board_is_full),
    ),
    _changed(
        "a blank follows a rotation", "", "predicates.get_move_rotation_id", "move.rotation_id", 'f"{move.rotation_id} "'
    ),
)
