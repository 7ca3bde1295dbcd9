"""The rules, one paragraph of the document after the other: a position as text, a move, and the position after it.

Most boards here are a cross of open cells in a field of walls, with `cc` in its middle. `dc` is played. `aa` is far from the
cross and stays free, so that the game goes on. If an arm of the cross is missing, `cc` has a neighbour less.
"""

import re

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.okupacio import control, standings
from ludoteca.games.okupacio.ranking import Control


def at(position: str) -> State:
    """Return the state of a position, on the board of its rows."""
    rows, *_, armies = position.split()
    game = ludoteca.load("okupacio", players=armies.count(",") + 1, board=re.sub("[A-J]", ".", rows))
    return game.state_from_string(position)


def rows(state: State) -> str:
    return str(state).split()[0]


def after(cells: str, *moves: str) -> State:
    """Return a position of three armies after these moves. A begins."""
    state = at(f"{cells} A 30 0:2,0:1,0:0")
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def open_moves(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


# “Ocupació de caselles adjacents”

CROSS = [
    pytest.param("#####/##.##", "#####/##A##", id="1: free"),
    pytest.param("#####/##B##", "#####/##A##", id="1: another's"),
    pytest.param("#####/##A##", "#####/##A##", id="1: mine already"),
    pytest.param("#####/#A.##", "#####/#AA##", id="2: both mine, free"),
    pytest.param("#####/#AB##", "#####/#AA##", id="2: both mine, another's"),
    pytest.param("##A##/##B##", "##A##/##A##", id="2: both mine, another's, in a straight line"),
    pytest.param("#####/#..##", "#####/#..##", id="2: one mine, free, the other free"),
    pytest.param("#####/#B.##", "#####/#B.##", id="2: one mine, free, the other another's"),
    pytest.param("#####/#.B##", "#####/#.B##", id="2: one mine, another's, the other free"),
    pytest.param("#####/#BB##", "#####/#BB##", id="2: one mine, another's, the other the same army's"),
    pytest.param("#####/#A.A#", "#####/#AAA#", id="3a: all mine, free"),
    pytest.param("#####/#ABA#", "#####/#AAA#", id="3a: all mine, another's"),
    pytest.param("##A##/#AB##", "##A##/#AA##", id="3a: all mine, another's, the wall beside"),
    pytest.param("#####/#A..#", "#####/#AA.#", id="3b: two mine, free, the third free"),
    pytest.param("#####/#A.B#", "#####/#AAB#", id="3b: two mine, free, the third another's"),
    pytest.param("##A##/#B.##", "##A##/#BA##", id="3b: two mine, free, in a straight line"),
    pytest.param("##B##/#A.##", "##B##/#AA##", id="3b: two mine, free, round a corner"),
    pytest.param("#####/#AB.#", "#####/#AB.#", id="3: two mine but another's, the third free"),
    pytest.param("#####/#ABB#", "#####/#ABB#", id="3: two mine but another's, the third the same army's"),
    pytest.param("#####/#ABC#", "#####/#ABC#", id="3: two mine but another's, the third a third army's"),
    pytest.param("#####/#...#", "#####/#...#", id="3: one mine, free, the others free"),
    pytest.param("#####/#B.B#", "#####/#B.B#", id="3: one mine, free, the others another's"),
    pytest.param("##A##/#A.A#", "##A##/#AAA#", id="4a: all mine, free"),
    pytest.param("##A##/#ABA#", "##A##/#AAA#", id="4a: all mine, another's"),
    pytest.param("##A##/#A..#", "##A##/#AA.#", id="4b: three mine, free, the fourth free"),
    pytest.param("##A##/#A.B#", "##A##/#AAB#", id="4b: three mine, free, the fourth another's"),
    pytest.param("##B##/#A.A#", "##B##/#AAA#", id="4b: three mine, free, the fourth opposite"),
    pytest.param("##A##/#AB.#", "##A##/#AA.#", id="4c: three mine, another's, the fourth free"),
    pytest.param("##A##/#ABC#", "##A##/#AAC#", id="4c: three mine, another's, the fourth a third army's"),
    pytest.param("##C##/#ABA#", "##C##/#AAA#", id="4c: three mine, another's, the fourth opposite"),
    pytest.param("##A##/#ABB#", "##A##/#ABB#", id="4: three mine, another's, the fourth the same army's"),
    pytest.param("##B##/#ABA#", "##B##/#ABA#", id="4: three mine, another's, the fourth opposite and the same army's"),
    pytest.param("##A##/#...#", "##A##/#...#", id="4: two mine, free, the others free"),
    pytest.param("##A##/#.B.#", "##A##/#.B.#", id="4: two mine, another's, the others free"),
    pytest.param("##C##/#ABC#", "##C##/#ABC#", id="4: two mine, another's, the others a third army's"),
    pytest.param("##.##/#...#", "##.##/#...#", id="4: one mine, all free"),
]


@pytest.mark.parametrize(("before", "expected"), CROSS)
def test_a_neighbour_falls_as_its_paragraph_says(before: str, expected: str) -> None:
    state = after(f".####/{before}/##.##", "dc")
    assert rows(state) == f".####/{expected}/##A##"


IN_THE_OPEN = [
    pytest.param(".A../..../..../....", "ba", "AA../A.../..../....", id="a corner has two neighbours"),
    pytest.param("..../..../..../.A..", "ca", "..../..../A.../AA..", id="the lowest row"),
    pytest.param("..../..../...A/....", "dc", "..../..../...A/..AA", id="the last column"),
    pytest.param("A.../..../..../....", "bb", "AA../AA../..../....", id="an edge cell has three: two of them at once"),
    pytest.param("AB../..../..../....", "bb", "AB../AA../..../....", id="an edge cell of another's stays"),
    pytest.param(".A../A.A./..../....", "cb", ".A../AAA./AA../....", id="the middle has four"),
    pytest.param("..../.#../..../....", "ab", ".A../.#../..../....", id="a wall is no neighbour to count: nothing mine"),
    pytest.param("A.../.#../..../....", "ca", "A.../A#../A.../....", id="beside a wall an edge cell has two"),
    pytest.param("..A./.#../..../....", "cc", "..A./.#A./..A./....", id="beside a wall a middle cell has three"),
    pytest.param("..A./..../..../....", "ba", "..A./A.../..../....", id="the end of a row does not touch the next one"),
]


@pytest.mark.parametrize(("before", "move", "expected"), IN_THE_OPEN)
def test_walls_and_the_edge_are_no_neighbours(before: str, move: str, expected: str) -> None:
    assert rows(after(before, move)) == expected


def test_nothing_cascades() -> None:
    state = after(".####/#####/#A..#/##.##", "dc")
    assert rows(state) == ".####/#####/#AA.#/##A##"  # cd, whose only neighbour is now A's, does not touch dc


def test_one_move_takes_all_the_neighbours_that_fall() -> None:
    state = after(".####/##B##/#..C#/##A##", "cc")
    assert rows(state) == ".####/##A##/#AAA#/##A##"
    assert [(line.cells, line.captured) for line in standings(state)] == [(5, 2), (0, 0), (0, 0)]


def test_to_take_a_free_cell_is_no_capture() -> None:
    state = after(".####/##B##/#A.A#/##.##", "dc")
    assert [(line.player, line.cells, line.captured) for line in standings(state)] == [(0, 4, 0), (1, 1, 0), (2, 0, 0)]


# the turn

EXAMPLE = [
    ("ab", "AA#./#.../##../...#", ["A 2 0 0", "B 0 0 2", "C 0 0 1"]),
    ("bc", "AA#./#.B./##../...#", ["A 2 0 1", "B 1 0 0", "C 0 0 2"]),
    ("db", "AA#./#.B./##../CC.#", ["A 2 0 2", "C 2 0 0", "B 1 0 1"]),
    ("cc", "AA#./#.B./##A./CC.#", ["A 3 0 0", "C 2 0 1", "B 1 0 2"]),
    ("bd", "AA#B/#.BB/##A./CC.#", ["A 3 0 1", "B 3 0 0", "C 2 0 2"]),
    ("cd", "AA#B/#.BB/##AC/CC.#", ["A 3 0 2", "B 3 0 1", "C 3 0 0"]),
    ("00", "..#B/#.BB/##.C/CC.#", ["B 3 0 2", "C 3 0 1"]),
    ("dc", "..#B/#.BB/##BC/CCB#", ["B 5 0 0", "C 3 0 2"]),
    ("bb", "..#B/#CBB/##BC/CCB#", ["B 5 0 1", "C 4 0 0"]),
    ("ab", "BB#B/#BBB/##BC/CCB#", ["B 8 1 0", "C 3 0 1"]),
]


def table(state: State) -> list[str]:
    return [f"{chr(65 + line.player)} {line.cells} {line.captured} {line.idle}" for line in standings(state)]


def test_the_example_of_the_document() -> None:
    state = ludoteca.load("okupacio", players=3, board="4 4 2 1 1 1 3 2 5 1").new_initial_state()
    for move, cells, lines in EXAMPLE:
        state.apply_action(state.string_to_action(move))
        assert (rows(state), table(state)) == (cells, lines)
    assert (state.winners(), control(state)) == ([1], Control(1, "row", 0))


@pytest.mark.parametrize(
    ("moves", "idle"),
    [
        pytest.param(["ab", "dd"], {0: 1, 1: 0, 2: 2}, id="two moves"),
        pytest.param(["ab", "dd", "da"], {0: 2, 1: 1, 2: 0}, id="a round"),
        pytest.param(["ab", "00", "dd"], {0: 2, 2: 0}, id="and the round goes on"),
    ],
)
def test_a_turn_adds_one_to_everybody_elses_sense_tirar(moves: list[str], idle: dict[int, int]) -> None:
    state = at("..../..../..../.... A 0 0:2,0:1,0:0")
    for move in moves:
        state.apply_action(state.string_to_action(move))
    assert {line.player: line.idle for line in standings(state)} == idle


def test_every_free_cell_may_be_taken_and_giving_up_is_last() -> None:
    state = at(".A#B/#.#A/AABB/.### A 30 0:1,0:0")
    assert open_moves(state) == ["aa", "bb", "da", "00"]


# “o bé abandonar la partida”


def test_the_cells_of_an_army_that_gives_up_become_free() -> None:
    state = after("AAB./A.B./...C/AA..", "00")
    assert rows(state) == "..B./..B./...C/...."
    assert {"aa", "ab", "ba", "da", "db"} <= set(open_moves(state))


def test_an_army_that_gave_up_is_out_of_the_table_and_leaves_nothing() -> None:
    state = at("AAB./A.B./...C/.... A 30 5:2,3:1,0:0")
    state.apply_action(state.string_to_action("00"))
    assert table(state) == ["B 2 3 2", "C 1 0 1"]
    assert str(state).endswith(" B 31 -,3:2,0:1")
    assert state == at(str(state))


@pytest.mark.parametrize(
    ("armies", "moves", "movers"),
    [
        pytest.param("A 30 0:2,0:1,0:0", ["00", "bb", "cc", "dd"], "ABCBC", id="the first"),
        pytest.param("B 30 0:0,0:2,0:1", ["00", "bb", "cc", "dd"], "BCACA", id="one in the middle"),
        pytest.param("C 30 0:1,0:0,0:2", ["00", "bb", "cc", "dd"], "CABAB", id="the last"),
        pytest.param("D 30 -,0:0,0:1,0:2", ["00", "bb", "cc"], "DBCB", id="the last, with the first gone"),
    ],
)
def test_an_army_that_gave_up_is_out_of_the_order(armies: str, moves: list[str], movers: str) -> None:
    state = at(f"..../..../..../.... {armies}")
    seen = [state.current_player()]
    for move in moves:
        state.apply_action(state.string_to_action(move))
        seen.append(state.current_player())
    assert seen == [ord(mover) - ord("A") for mover in movers]


def test_the_last_army_left_wins_at_once() -> None:
    state = at("AAA./A.B./..../.... A 30 4:1,0:0")
    state.apply_action(state.string_to_action("00"))
    assert state.is_terminal()
    assert (state.winners(), state.returns(), rows(state)) == ([1], [0, 1], "..../..B./..../....")


# “La partida acaba quan totes les caselles estan ocupades”


@pytest.mark.parametrize(
    ("before", "move", "expected"),
    [
        pytest.param("AABB/AABB/BBAA/BBB.", "dd", "AABB/AABB/BBAA/BBBA", id="the last free cell is played"),
        pytest.param("AABB/AABB/BBAA/BB..", "dd", "AABB/AABB/BBAA/BBAA", id="the last two fall at once"),
    ],
)
def test_the_game_ends_when_no_cell_is_free(before: str, move: str, expected: str) -> None:
    state = at(f"{before} A 30 0:1,0:0")
    state.apply_action(state.string_to_action(move))
    assert rows(state) == expected
    assert state.is_terminal() == ("." not in expected)


@pytest.mark.parametrize(
    ("position", "order"),
    [
        pytest.param("AAAB/AAAB/AAAB/AABB - 30 0:0,9:1", "AB", id="cells before all else"),
        pytest.param("AAAB/ABBB/ABBB/ABBB - 30 9:1,0:0", "BA", id="cells, however few were taken from others"),
        pytest.param("AABB/AABB/AABB/AABB - 30 1:0,0:1", "AB", id="then cells taken from others"),
        pytest.param("AABB/AABB/AABB/AABB - 30 1:1,2:0", "BA", id="then cells taken, however short the wait"),
        pytest.param("AABB/AABB/AABB/AABB - 30 3:1,3:0", "AB", id="then who has waited longer"),
        pytest.param("AABB/CCDD/AABB/CCDD - 30 1:0,2:1,1:2,2:3", "DBCA", id="all ties at once"),
    ],
)
def test_the_standings(position: str, order: str) -> None:
    state = at(position)
    assert "".join("ABCD"[line.player] for line in standings(state)) == order
    assert state.winners() == [standings(state)[0].player]


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        pytest.param("AAAA/ABAB/BABA/ABAB", ("A", "row", "a"), id="a row"),
        pytest.param("ABAB/BBBB/AAAA/BABA", ("B", "row", "b"), id="the first of two rows"),
        pytest.param("ABAB/ABBA/AABB/ABAA", ("A", "column", "a"), id="a column"),
        pytest.param("ABAB/BABB/AABB/BAAB", ("B", "column", "d"), id="the last column"),
        pytest.param("ABAB/AABA/ABBA/#BBB", ("B", "row", "d"), id="a row before a column"),
        pytest.param("A##A/BAAB/ABBA/BABA", ("A", "row", "a"), id="walls in a row are skipped"),
        pytest.param("ABAB/A#BA/#AAB/ABBA", ("A", "column", "a"), id="walls in a column are skipped"),
        pytest.param("A###/BABA/ABAB/BABA", ("A", "row", "a"), id="a row with one open cell"),
        pytest.param("ABAB/####/BABA/ABAB", None, id="a row of walls belongs to nobody"),
        pytest.param("ABA#/BAB#/ABB#/BAA#", None, id="a column of walls belongs to nobody"),
        pytest.param("ABAB/BABA/ABAB/BABA", None, id="nothing"),
        pytest.param("AAA./A.../A.../....", None, id="a free cell in the row and in the column"),
        pytest.param("AA.A/AAAA/A.../....", ("A", "row", "b"), id="a row further down"),
        pytest.param("A#.A/.A../A#../...A", None, id="free cells and walls"),
        pytest.param("..../..../..../....", None, id="nobody's row"),
    ],
)
def test_control_of_a_row_or_column(cells: str, found: tuple[str, str, str] | None) -> None:
    line = control(at(f"{cells} - 30 {'0:0,-' if '.' in cells else '0:1,0:0'}"))
    assert (line and ("AB"[line.player], line.line, "abcd"[line.number])) == found
