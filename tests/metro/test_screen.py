"""The terminal's drawing: tracks that can be followed by eye, and readable without colours."""

import re
from functools import partial
from typing import Any

import pytest
from rich.console import Console

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.messages import catalogue, in_words
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import board, tiles
from ludoteca.games.metro.paths import paths_of
from ludoteca.games.metro.text import drawing
from ludoteca.games.metro.view import screen

EXAMPLE = "1,5R0,6R0,5/1,7R2,2R1,5/9R0,3R2,6/3,*,*,3/3,*,*,3/8/8/8 1 9 0123456789abcdef"


SAY = partial(in_words, templates=catalogue("ludoteca.games.metro", "en"))


def example() -> State:
    return ludoteca.load("metro").state_from_string(EXAMPLE)


def drawn(state: State, lit: tuple[str, ...] = (), width: int = 120) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(screen.draw(state.view(0).raw, lit, SAY))
    return captured.get()


def after(moves: int, **chosen: Any) -> State:
    state, rng = ludoteca.load("metro", **chosen).new_initial_state(2), new_rng(1)
    while not state.is_terminal() and len(state.history()) < moves:
        state.apply_action(state.random_action(rng))
    return state


@pytest.mark.parametrize("face", range(1, tiles.ORIENTED + 1))
def test_the_drawing_of_a_tile_leads_each_track_where_the_tile_does(face: int) -> None:
    assert tuple(drawing.strokes(face, side)[1] for side in range(tiles.SIDES)) == tiles.exits(face)
    used = [(stroke.column, stroke.row) for side in range(tiles.SIDES) for stroke in drawing.strokes(face, side)[0]]
    lines = drawing.picture(face)
    assert all(used.count(at) == (2 if lines[at[1]][at[0]] == "┼" else 1) for at in set(used))
    assert {(x, y) for y, line in enumerate(lines) for x, sign in enumerate(line) if sign != " "} == set(used)


def test_the_documents_example() -> None:
    assert drawing.lines(example().raw)[:15] == [
        "          1      2      3      4      5      6      7      8",
        "         8      7 7    6      5      4      3      2      1",
        "         ▼ ▲    ▼ ▲    ▼ ▲    ▼ ▲    ▼ ▲    ▼ ▲    ▼ ▲    ▼ ▲",
        "                ┗┓┃    ┃ │",
        " 1    ◀       ╮ ┏╋╋━━━━┛ ╰──                                   ◀32",
        "     9▶   ·   ╯ ┃┗╋━━━━┓ ╭──   ·      ·      ·      ·      ·   ▶",
        "                ┃ ┃    ┃ │",
        "                ┃ ┗┓   ┃ │",
        " 2    ◀       ──╂─╮┗━━━┛ │ ╭                                   ◀31",
        "    10▶   ·   ──╂─┼──────╯ ╰   ·      ·      ·      ·      ·   ▶",
        "                ┃ │    ╭─╮",
        "         │ │    ┃ │",
        " 3   6◀━━┿━┿━━━━┛ │ ╭                                          ◀30",
        "    11▶──┼─┼────╮ │ ╰   ·      ·      ·      ·      ·      ·   ▶",
        "         │ │    │ │",
    ]


def test_closed_paths_are_heavy_lines_and_others_light_ones() -> None:
    for side in (4, 8):
        state = after(40, side=side)
        rows = drawing.rows(state.raw)
        closed = {path.number: path.closed for path in paths_of(state.raw)}
        tracks = [sign for row in rows for sign in row if sign.path and not sign.train and sign.text not in "◀▶▲▼"]
        assert {sign.path for sign in tracks} == closed.keys()
        assert all((sign.text in "━┃┏┓┗┛╋┿╂") == closed[sign.path] for sign in tracks if sign.text not in "┿╂")


@pytest.mark.parametrize("side", [4, 12])
def test_every_train_is_numbered_and_every_arrival_named(side: int) -> None:
    state = after(200, side=side)
    text = "\n".join(drawing.lines(state.raw))
    assert max(len(line) for line in text.splitlines()) <= 7 * side + 11
    found = [int(word) for word in "".join(sign if sign.isdigit() else " " for sign in text).split()]
    arrived = [path.number for path in paths_of(state.raw) if path.closed]
    coordinates = 2 * list(range(1, side + 1))
    assert sorted(found) == sorted([*range(1, 4 * side + 1), *arrived, *coordinates])


def test_the_last_tile_has_marked_corners() -> None:
    state = after(6)
    assert drawn(state, state.placed().items).count("⌜") == 1
    assert "⌜" not in drawn(state)


def test_the_tile_to_be_placed_is_shown_in_its_rotations() -> None:
    text = drawn(ludoteca.load("metro").state_from_string(EXAMPLE.replace(" 1 9 ", " 1 8 ")))
    assert "tile 8\n" in text
    assert text.splitlines()[-2].split() == ["R0", "R1"]
    assert text.splitlines()[-1].strip() == "stack without end"


def test_several_players_are_told_apart_by_letters() -> None:
    state = after(12, players=3)
    text = drawn(state)
    assert "16-" in text
    assert "1a" in text
    assert [screen.sign(state.raw, player).plain for player in range(3)] == ["a", "b", "c"]
    assert "player 2 holds tile " in text
    assert f"stack, tiles left: {state.raw.stacked}\n" in text


def test_who_plays_alone_has_no_sign() -> None:
    assert screen.sign(after(6).raw, 0).plain == ""


@pytest.mark.parametrize(("players", "side"), [(1, 12), (3, 8)])
def test_the_arrows_of_the_small_board_lead_along_the_paths(players: int, side: int) -> None:
    state = after(40, players=players, **({"side": side} if players == 1 else {}))
    drawn_board, _ = screen.small(state.view(0).raw, (), SAY)
    console = Console(width=120, no_color=True)
    with console.capture() as captured:
        console.print(drawn_board)
    lines, width = [line.ljust(120) for line in captured.get().splitlines()], 3 if players == 1 else 4
    corner = {tiles.NORTH: (0, 0), tiles.EAST: (1, 0), tiles.WEST: (0, 1), tiles.SOUTH: (1, 1)}
    for path in paths_of(state.raw):
        place, entered, steps = path.train.inside, path.train.side, 0
        while place != path.end:
            across, down = corner[entered]
            arrow = lines[2 * place[1] + down][7 + width * (place[0] - 1) + across]
            left = (screen.CLOSED if path.closed else screen.ARROWS).index(arrow)
            place, entered, steps = board.beyond(place, left), left ^ 2, steps + 1
        assert steps == len(path.steps)


def test_the_small_board_names_trains_rows_columns_and_the_last_tile() -> None:
    state = after(6, players=3)
    drawn_board, things = screen.small(state.view(0).raw, state.placed().items, SAY)
    console = Console(width=80, no_color=True)
    with console.capture() as captured:
        console.print(drawn_board, things)
    text = captured.get()
    assert text.count("*") == 1
    assert text.splitlines()[0].split() == [str(x) for x in range(1, 9)]
    names = re.findall(r"\b(\d+)(?:[abc]\b|-)", text)
    assert sorted(map(int, names)) == list(range(1, 33))
    assert "player 2 holds tile " in text
