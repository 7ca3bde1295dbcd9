"""Positions as text, both ways, views, and the errors for other texts."""

import re
from collections import Counter

import pytest

import ludoteca
from ludoteca.core.errors import NotationError
from ludoteca.core.game import State
from tests.qinto.oracle import DECK
from tests.qinto.positions import at, grid_of

GRID = grid_of("1b 1G 1R 1B\n2b .  .  WW\n.  .  .  4R")
HAND = ["2B", "5b", "1W", "WY", "1b"]


def parts_of(state: State) -> list[str]:
    return str(state).split()


def test_the_seven_parts() -> None:
    state = at(GRID, HAND)
    grid, hands, piles, wilds, points, idle, turn = parts_of(state)
    assert grid == "0,0:1b1G1R1B/2b....WW/......4R"
    assert hands.split("/")[0] == "1b,2B,5b,1W,WY"
    assert [pile.count(",") + 1 for pile in piles.split("/")] == [25, 18]
    assert (wilds, points, idle, turn) == ("-", "0,0", "0", "1:choose")
    assert state.game.state_from_string(str(state)) == state


def test_an_empty_grid() -> None:
    assert parts_of(at({}, HAND))[0] == "-"


@pytest.mark.parametrize(
    ("steps", "turn"),
    [
        ("+5b@2,0", "1:add@2,0:1"),
        ("+5b@1,1 +1b@1,2", "1:row@1,0:2"),
        ("+WY@3,3 +5b@4,3", "1:column@0,3:2:again"),
        ("+1W@0,4", "1:add@0,4:1:again"),
        ("~5b@1,3", "1:swap"),
        ("-5b -1b", "1:trade"),
        ("-5b end", "2:choose"),
        ("+1W@0,4 end", "1:choose"),
    ],
)
def test_the_turn(steps: str, turn: str) -> None:
    state = at(GRID, HAND)
    for step in steps.split():
        state.apply_action(state.string_to_action(step))
    assert parts_of(state)[6] == turn
    assert state.game.state_from_string(str(state)) == state


TRADED = (
    "-5,-3:........2YWW3G..................../........4R4G....................../........3G4b5B..2B3B....WR......../"
    "..WG5b..5W..5b....2b3W4Y1W....2G2G/..WW3Y5GWB4b..3b5Y1R4B..5B2B3B1B../1GWY1B1R..3Y4Y5Y1Y..2R..2b......../"
    "..4B4R......5R2R4W..1Y............/3R3R.............................. 1b,1G,5G/2Y,3b,4G,5R 1b1 - 69,63 0 "
)
"""All but the turn, in which a tile has been put under the common pile, which was empty before."""


def test_hands_may_lack_tiles_while_somebody_trades_into_an_empty_common_pile() -> None:
    game = ludoteca.load("qinto", variant="classic", players=2)
    assert str(game.state_from_string(f"{TRADED}1:trade")) == f"{TRADED}1:trade"
    with pytest.raises(NotationError, match="does not fit the pile and the turn"):
        game.state_from_string(f"{TRADED}1:choose")  # the player would have drawn it


def test_a_wild_that_a_swap_brought_is_marked_until_the_turn_ends() -> None:
    state = at(grid_of("1b WW"), HAND)
    state.apply_action(state.string_to_action("~WY@0,1"))
    assert parts_of(state)[3:] == ["WW:1", "0,0", "0", "1:swap@0,1"]
    assert state.game.state_from_string(str(state)) == state
    state.apply_action(state.string_to_action("end"))
    assert parts_of(state)[6] == "2:choose"


def test_what_was_put_under_a_pile_is_marked_and_wilds_are_followed() -> None:
    state = at(GRID, HAND)
    for step in ["~5b@1,3", "end", "end", "-WW", "-1b", "end"]:
        state.apply_action(state.string_to_action(step))
    _, _, piles, wilds, *_ = parts_of(state)
    assert piles.split("/")[0].endswith(",WW1,1b1")
    assert wilds == "WW:1,p1,p2"
    assert state.game.state_from_string(str(state)) == state


def test_a_view_has_marks_for_what_is_hidden() -> None:
    state = at(GRID, HAND, "classic")
    state.apply_action(state.string_to_action("-5b"))
    mine, others = (state.observation_string(seat).split() for seat in (0, 1))
    assert mine[1] == "1b,2B,1W,WY/?,?,?,?,?"
    assert mine[2].endswith("?,?,5b1")
    assert others[1].startswith("?,?,?,?/1")
    assert others[2].endswith("?,?,?1")
    assert (mine[0], mine[3:]) == (others[0], others[3:])


# Texts that are no position


GOOD = parts_of(at(GRID, HAND))
GRID_TEXT, (MINE, OTHERS), (PILE, OTHER_PILE) = GOOD[0], GOOD[1].split("/"), GOOD[2].split("/")


@pytest.mark.parametrize(
    ("part", "text", "why"),
    [
        (6, "", "the position has 6 parts: expected 7: grid, hands, piles, wilds, points, turns, turn"),
        (0, "1b", "the grid is '1b': expected -, or a corner, : and rows"),
        (0, "0:1b", "'0' is no cell"),
        (0, GRID_TEXT.replace("1b", "6b"), "'6b' is no tile"),
        (0, GRID_TEXT.replace("0,0", "0,1"), "is not connected to 0,0, where the first tile lies"),
        (0, GRID_TEXT.replace("4R", "..") + "/......4R", "the grid's 4R at 3,3 is not connected to 0,0"),
        (0, GRID_TEXT.replace("1B", "1G"), "fits neither row nor column"),
        (0, "-", "the position has 1 tile 1b: the deck has 2"),
        (1, MINE, "the position has 1 hand: expected 2"),
        (1, f"{MINE},2b/{OTHERS}", "the hand of player 1 has 6 tiles: expected 5 at most"),
        (1, f"2B,2B,2B/{OTHERS}", "there are 3 tiles 2B: the deck has 2"),
        (1, f"{MINE.replace('1W', '1W,1W').replace('1b,', '')}/{OTHERS}", "there are 2 tiles 1W: the deck has 1"),
        (1, f"?,?,?,?,?/{OTHERS}", "'?' is no tile"),
        (1, f"{MINE.replace('1b,', '')}/{OTHERS}", "the position has 1 tile 1b: the deck has 2"),
        (2, PILE, "the position has 1 pile: expected 2"),
        (2, f"{PILE},{OTHER_PILE}/-", "the pile of player 1 has 43 tiles: with the hand it begins with 30"),
        (2, f"{PILE}2/{OTHER_PILE}", "a tile of a pile is known to player '2': expected one who draws from that pile"),
        (3, "1W", "'1W': read '', expected a player or a place of a pile, such as p1"),
        (3, "1W:1,p60", "read 'p60', expected a player or a place of a pile"),
        (3, "1W:1,2", "'1W:1,2': expected one player, and places of his pile"),
        (3, "1W:2", "1W is not where it is said to be known"),
        (3, "5b:1", "'5b:1' tells of 5b: expected each wild once"),
        (3, "WW:1", "WW is not where it is said to be known"),
        (4, "0", "the position has 1 player's points: expected 2"),
        (4, "0,x", "the points of player 2: read 'x', expected a number from 0 to 0"),
        (4, "5,0", "the points of player 1: read '5', expected a number from 0 to 0"),
        (5, "-1", "the turns without an added tile: read '-1', expected a number from 0 to 8"),
        (5, "8", "the turn is '1:choose': the game is over: expected -"),
        (6, "-", "the turn is '-': the game is not over"),
        (6, "3:choose", "the turn is '3:choose': expected such as 1:choose, 1:trade, 1:swap, 1:add@0,0:1, or -"),
        (6, "1:choose@0,0", "the turn is choose and more: expected choose alone"),
        (6, "1:swap@0,0", "the turn is swap: expected the cells of wilds that swaps have brought, and nothing more"),
        (6, "1:swap@1,3@1,3", "the turn is swap: expected the cells of wilds that swaps have brought, and nothing more"),
        (6, "1:add@0,0", "the turn is add: expected the cell of a tile, : and how many were added, 1"),
        (6, "1:row@0,0:1", "the turn is row: expected the cell of a tile, : and how many were added, [2-5]"),
        (6, "1:add@0,0:1", "player 1 has 5 tiles in hand, which does not fit the pile and the turn"),
    ],
)  # fmt: skip
def test_what_is_no_position(part: int, text: str, why: str) -> None:
    parts = [*GOOD]
    parts[part] = text
    with pytest.raises(NotationError, match=re.escape(why)):
        ludoteca.load("qinto").state_from_string(" ".join(parts))


def test_in_classic_a_tile_lies_on_the_grid_and_no_turn_follows_a_qinto() -> None:
    game = ludoteca.load("qinto", variant="classic")
    parts = parts_of(at(GRID, HAND, "classic"))
    with pytest.raises(NotationError, match="the grid is empty: in Classic and Plus a tile of the pile starts it"):
        game.state_from_string(" ".join(["-", *parts[1:]]))
    with pytest.raises(NotationError, match="followed by another one, again: expected that in Light only"):
        game.state_from_string(" ".join([*parts[:6], "1:add@0,0:1:again"]))


def test_hands_are_full_while_there_is_a_pile() -> None:
    rest = list((Counter(DECK) - Counter(GRID.values()) - Counter(HAND)).elements())
    parts = [*GOOD]
    parts[1], parts[2] = f"{','.join(HAND)}/{','.join(rest[:4])}", f"{','.join(rest[4:29])}/{','.join(rest[29:])}"
    with pytest.raises(NotationError, match="player 2 has 4 tiles in hand, which does not fit the pile and the turn"):
        ludoteca.load("qinto").state_from_string(" ".join(parts))


def test_all_wilds_that_are_known_may_be_two_qinto_tiles() -> None:
    state = at(grid_of("1b 2b"), ["WW", "WW", "1R", "2R", "3R"])
    parts = parts_of(state)
    for wilds in ("WW:1;WW:1", "WW:1", "WW:1,p1;WW:1"):
        assert parts_of(state.game.state_from_string(" ".join([*parts[:3], wilds, *parts[4:]]))) is not None
    with pytest.raises(NotationError, match="WW is not where it is said to be known"):
        state.game.state_from_string(" ".join([*parts[:3], "WW:1;WW:2", *parts[4:]]))
