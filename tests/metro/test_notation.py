"""Moves and positions as text, both ways, and the errors for other texts."""

import re
from typing import Any

import pytest

import ludoteca
from ludoteca.core.errors import NotationError
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import notation, tiles
from ludoteca.games.metro.board import DECLINE, action_of

GENERATOR = "0123456789abcdef"
EMPTY = "4/1,*,*,1/1,*,*,1/4"
SOLO = f"{EMPTY} 1 9 {GENERATOR}"


def solo(position: str = SOLO) -> State:
    return ludoteca.load("metro", side=4).state_from_string(position)


def refused(position: str, **chosen: Any) -> str:
    with pytest.raises(NotationError) as caught:
        ludoteca.load("metro", **(chosen or {"side": 4})).state_from_string(position)
    return str(caught.value)


def after(players: int, moves: int, seed: int = 1) -> State:
    state, rng = ludoteca.load("metro", players=players).new_initial_state(seed), new_rng(seed)
    while len(state.history()) < moves:
        state.apply_action(state.random_action(rng))
    return state


# Moves


@pytest.mark.parametrize("text", ["3 1 R1", "3,1,R1", "(3,1) r1", " 3  1 1 "])
def test_a_move_is_read_however_its_numbers_are_parted(text: str) -> None:
    state = solo(SOLO.replace(" 9 ", " 7 "))
    assert state.string_to_action(text) == action_of(2, tiles.oriented(7, 1))
    assert state.action_to_string(action_of(2, tiles.oriented(7, 1))) == "3 1 R1"


def test_declining_is_a_word() -> None:
    assert solo().string_to_action("decline") == DECLINE == 4480
    assert solo().action_to_string(4480) == "decline"


@pytest.mark.parametrize(("text", "says"), [
    ("", "'' is no move: expected x, y and a rotation, such as 3 2 R1, or decline"),
    ("3 1", "'3 1' is no move: expected x, y and a rotation, such as 3 2 R1, or decline"),
    ("3 1 R4", "'R4' is no rotation: expected R0, R1, R2 or R3"),
    ("3 1 R1", "R1: tile #9 is placed with R0"),
    ("5 1 R0", "'5 1' is no space of the board: expected x and y from 1 to 4"),
    ("0 1 R0", "'0 1' is no space of the board: expected x and y from 1 to 4"),
    ("2 3 R0", "2 3 is in the centre, where no tile may lie"),
])  # fmt: skip
def test_what_is_no_move(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=f"^{re.escape(says)}$"):
        solo().string_to_action(text)


# Positions


def test_a_position_of_one_who_plays_alone() -> None:
    state = solo(f"1,9R0,2/9R0,*,*,1/1,*,*,4R1/4 1 7 {GENERATOR}")
    assert str(state) == f"1,9R0,2/9R0,*,*,1/1,*,*,4R1/4 1 7 {GENERATOR}"
    assert state.scores() == [2 + 2 + 2]
    assert state.observation_string(0) == "1,9R0,2/9R0,*,*,1/1,*,*,4R1/4 1 7 endless"


def test_free_spaces_may_be_written_one_by_one() -> None:
    assert solo(SOLO.replace("4/1,", "-,-,1,1/-,", 1)) == solo()


def test_a_tile_declined_stands_before_the_one_to_be_placed() -> None:
    state = after(2, 4)
    kept = notation.kind_name(state.raw.tile)
    state.apply_action(DECLINE)
    hand = str(state).split()[2].split("/")[0]
    assert hand == f"{kept}+{notation.kind_name(state.raw.tile)}"
    assert state.game.state_from_string(str(state)) == state


def test_a_view_tells_how_many_are_left() -> None:
    state = after(2, 57)
    view, whole = state.observation_string(0).split(), str(state).split()
    assert view[:3] == whole[:3]
    stack = whole[3].split(",")
    assert view[3].split(",") == [
        f"{stack.count(name)}x{name}" for name in sorted({*stack}, key=lambda name: [*map(int, name.split("R"))])
    ]


@pytest.mark.parametrize(("position", "says"), [
    ("4/4", "the position has 1 part: expected 4: rows, player to move, hands, tiles to come"),
    (SOLO.replace("/4 1", " 1"), "the position has 3 rows: expected 4"),
    (SOLO.replace("4/", "3/", 1), "row 1 has 3 spaces: this game's board has 4 columns"),
    (SOLO.replace("4/", "4,1/", 1), "row 1 has 5 spaces: this game's board has 4 columns"),
    (SOLO.replace("4/", "9R0,*,2/", 1), "2 1 is '*': expected * in the centre, and there only"),
    (SOLO.replace("1,*,*,1", "2,*,1", 1), "2 2 is free: expected * in the centre, and there only"),
    (SOLO.replace("4/", "1,11R0,2/", 1), "2 1 is '11R0': expected a tile and its rotation, such as 7R2, "
                                         "1 6 9 10 with R0, 4 8 with R0 or R1, the others with R0 to R3"),
    (SOLO.replace("4/", "1,9R1,2/", 1), "2 1 is '9R1': expected a tile and its rotation, such as 7R2, "
                                        "1 6 9 10 with R0, 4 8 with R0 or R1, the others with R0 to R3"),
    (SOLO.replace("4/", "1,1R0,2/", 1), "2 1 is 1R0: there it makes a path of length 1"),
    (SOLO.replace(" 9 ", " 11 "), "a tile of player 1 is '11': expected a tile that may be turned, 1 to 10"),
    (SOLO.replace(" 9 ", " 9R0 "), "a tile of player 1 is '9R0': expected a tile that may be turned, 1 to 10"),
    (SOLO.replace(" 9 ", " 9/9 "), "the position has 2 hands: expected 1"),
    (SOLO.replace(" 9 ", " 9+9 "), "player 1 has 2 tiles: expected 1 at most"),
    (SOLO.replace(" 9 ", " - "), "player 1 is to move, and has no tile"),
    (SOLO.replace(" 1 9", " 2 9"), "the player to move is '2': expected one of 1"),
    (SOLO.replace(" 1 9", " - 9"), "the player to move is '-': the game is not over"),
    (SOLO.replace(" 1 9", " 1 1"), "the player to move is '1': the game is over: expected -"),
    (SOLO.replace(GENERATOR, "12"), "the generator is '12': expected 16 digits of 0 to f, not all 0"),
    (SOLO.replace(GENERATOR, "endless"), "'endless' is what a view tells of the tiles to come: expected the generator"),
])  # fmt: skip
def test_what_is_no_position(position: str, says: str) -> None:
    assert refused(position) == says


def test_a_tile_that_stands_alone_is_no_position() -> None:
    rows = "8/8/2,9R0,5/3,*,*,3/3,*,*,3/8/8/8"
    says = "the tile on 3 3 is neither on the edge of the board nor joined to it by other tiles"
    assert refused(f"{rows} 1 9 {GENERATOR}", side=8) == says


def test_the_tiles_must_be_those_of_the_game() -> None:
    rows, mover, hands, stack = str(after(2, 5)).split()
    names = stack.split(",")
    other = next(name for name in names if name != names[0])
    changed = f"{rows} {mover} {hands} {','.join([other, *names[1:]])}"
    assert "on the board, in hands and in the stack" in refused(changed, players=2)
    assert refused(f"{rows} {mover} {hands} 2x7R0", players=2).startswith("'2x7R0' is what a view tells of the stack")
    first, second = hands.split("/")
    assert (
        refused(f"{rows} {mover} -/{second} {stack},{first}", players=2) == "player 1 has no tile, though the stack has 54"
    )
    cut = ",".join(names * 2)
    assert (
        refused(f"{rows} {mover} {hands} {cut}", players=2) == f"the stack has {2 * len(names)} tiles: there are 60 in all"
    )
