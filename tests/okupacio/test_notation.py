"""Boards, moves and positions as text: reading, writing, and the errors for other texts."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import State
from ludoteca.games.okupacio import board

SMALL = "4 4 2 1 1 1 3 2 5 1"
SMALL_ROWS = ["..#.", "#...", "##..", "...#"]
DOCUMENT_ROWS = [
    ".......#..",
    ".......#..",
    ".......#..",
    ".#.....##.",
    ".#........",
    "####.#....",
    ".....#..##",
    "..#.....#.",
    "#.#...###.",
    "#.#.#...#.",
    "#.#.#...#.",
    "#.###.....",
    "....#....#",
    "....#....#",
]
HUGE = "9" * 5000


@st.composite
def boards(draw: st.DrawFn) -> list[str]:
    rows, columns = draw(st.integers(4, 25)), draw(st.integers(4, 25))
    cells = "." + draw(st.text(".#", min_size=rows * columns - 1, max_size=rows * columns - 1))
    return re.findall("." * columns, cells)


def damaged(*texts: str) -> st.SearchStrategy[str]:
    """Return any text, a text of the same characters, or one of the texts with a part replaced."""

    def damage(text: str, start: int, length: int, patch: str) -> str:
        return text[:start] + patch + text[start + length :]

    patches = st.one_of(st.text(max_size=3), st.sampled_from("/ #.,:-ABZaz019\n"))
    some = st.builds(damage, st.sampled_from(texts), st.integers(0, max(map(len, texts))), st.integers(0, 3), patches)
    return st.one_of(st.text(), st.text("".join(texts)), some)


# boards


@pytest.mark.parametrize(
    ("numbers", "rows"), [(SMALL, SMALL_ROWS), (board.DOCUMENT, DOCUMENT_ROWS)], ids=["4 x 4", "14 x 10"]
)
def test_the_documents_boards(numbers: str, rows: list[str]) -> None:
    assert board.read_numbers(numbers) == rows
    assert board.write_numbers(rows) == numbers


@pytest.mark.slow
@given(boards())
def test_a_board_survives_numbers_and_both_forms_of_its_picture(rows: list[str]) -> None:
    numbers = board.write_numbers(rows)
    assert board.read_numbers(numbers) == rows
    assert {board.canonical(text) for text in (numbers, "/".join(rows), "\n".join(rows) + "\n")} == {numbers}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("4 4\n2 1 1 1\n3 2 5 1\n", id="lines"),
        pytest.param("4 4\r\n2 1 1 1\r\n3 2 5 1\r\n", id="CRLF"),
        pytest.param("\ufeff4 4 2 1 1 1 3 2 5 1", id="byte order mark"),
        pytest.param("04 004 2 1 1 1 3 2 5 0000000000000001", id="leading zeros"),
        pytest.param("..#./#.../##../...#", id="picture with strokes"),
        pytest.param("\n  ..#.\n  #...\n  ##..\n  ...#\n", id="picture indented"),
    ],
)
def test_ways_to_write_a_board(text: str) -> None:
    assert board.canonical(text) == SMALL


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("8x8", "8 8 64"), ("4x25", "4 25 100"), (" 25x4\n", "25 4 100"), ("04X4", "4 4 16"), ("8×8", "8 8 64")],
)
def test_an_open_board_by_its_size(text: str, numbers: str) -> None:
    assert board.canonical(text) == numbers


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "ends after 0 numbers", id="nothing"),
        pytest.param("4", "ends after 1 number", id="rows alone"),
        pytest.param("26 4 104", "number 1 of the board (rows) is 26: expected 4 to 25", id="too many rows"),
        pytest.param("4 3 12", "number 2 of the board (columns) is 3: expected 4 to 25", id="too few columns"),
        pytest.param("0 4 16", "number 1 of the board is '0'", id="no rows"),
        pytest.param("4 4 2 0 14", "number 4 of the board is '0'", id="zero"),
        pytest.param("4 +4 16", "number 2 of the board is '+4'", id="sign"),
        pytest.param("4 4 0x10", "number 3 of the board is '0x10'", id="hexadecimal"),
        pytest.param("4,4,16", "number 1 of the board is '4,4,16'", id="commas"),
        pytest.param("4 4 16\x00", r"number 3 of the board is '16\x00'", id="NUL"),
        pytest.param("٤ 4 16", "number 1 of the board is '٤'", id="Arabic digit"),
        pytest.param("4 \ufeff4 16", r"number 2 of the board is '\ufeff4'", id="a byte order mark elsewhere"),
        pytest.param(f"4 4 {HUGE}", "number 3 of the board is 999999999...", id="count of 5000 digits"),
        pytest.param("4 4 17", "number 3 of the board is 17: after 0 cells only 16", id="one too many"),
        pytest.param("4 4 16 1", "number 4 of the board is 1: after 16 cells only 0", id="a count after the end"),
        pytest.param("4 4 15", "ends after number 3, which is 15: its counts fill 15 cells of 16", id="one too few"),
    ],
)
@pytest.mark.parametrize("read", [board.read_numbers, board.canonical], ids=["file", "parameter"])
def test_numbers_that_are_no_board(read: Callable[[str], object], text: str, says: str) -> None:
    with pytest.raises(NotationError, match=re.escape(says)):
        read(text)


@pytest.mark.parametrize("text", ["4 4 16.", ".5 4 16"])
def test_a_decimal_is_named_in_a_file_and_refused_as_a_parameter(text: str) -> None:
    place, word = next((i, word) for i, word in enumerate(text.split(), 1) if "." in word)
    with pytest.raises(NotationError, match=re.escape(f"number {place} of the board is {word!r}")):
        board.read_numbers(text)
    with pytest.raises(NotationError):
        board.canonical(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("/".join(["...."] * 26), "the board has 26 rows: expected 4 to 25", id="too many rows"),
        pytest.param(".../.../.../...", "the board has 3 columns: expected 4 to 25", id="too few columns"),
        pytest.param("..../.../..../....", "row b of the board has 3 cells: row a has 4", id="a short row"),
        pytest.param("..../..x./..../....", "row b of the board holds 'x': expected . (open) or # (wall)", id="a sign"),
        pytest.param("..../.A../..../....", "row b of the board holds 'A'", id="an army"),
        pytest.param("#.../..../..../....", "the first cell of the board is a wall", id="a wall at the beginning"),
        pytest.param("." + "/" * 1_114_100, "the board has 1114101 rows", id="a row that Unicode cannot name"),
        pytest.param("26x4", "the board has 26 rows: expected 4 to 25", id="a size of too many rows"),
        pytest.param("4x999", "the board has 999 columns: expected 4 to 25", id="a size of too many columns"),
        pytest.param("4x4x4", "number 1 of the board is", id="three sides"),
    ],
)
def test_pictures_that_are_no_board(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=re.escape(says)):
        board.canonical(text)


@given(damaged(SMALL, "8x8", "/".join(SMALL_ROWS), "4 25 100"))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    try:
        numbers = board.canonical(text)
    except NotationError:
        return
    assert board.canonical(numbers) == numbers == board.canonical("/".join(board.read_numbers(numbers)))


# moves


def small(cells: str = "..#./#.../##../...#", rest: str = "A 0 0:1,0:0") -> State:
    """Return a position of two armies on the document's 4 x 4 board."""
    return ludoteca.load("okupacio", board=SMALL).state_from_string(f"{cells} {rest}")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ab", "ab"),
        ("\ta\v\f\r\nb", "ab"),
        ("0\r\n0\r\n", "00"),
    ],
)
def test_ways_to_write_a_move(text: str, name: str) -> None:
    state = small()
    assert state.action_to_string(state.string_to_action(text)) == name


@pytest.mark.parametrize("text", ["", "a", "a b c", "000", "Ab", "a0", "a-b", "aç", "a\xa0b", "００", "ab\x00", "\ud800b"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotationError, match="is no move: expected two letters, row and column, such as ab, or 00 to resign"):
        small().string_to_action(text)


@pytest.mark.parametrize("text", ["ae", "ea", "zz"])
def test_a_move_outside_the_board(text: str) -> None:
    with pytest.raises(NotationError, match=f"{text} is outside the board, which has rows a to d and columns a to d"):
        small().string_to_action(text)


def test_rows_and_columns_are_told_apart_outside_the_board() -> None:
    state = ludoteca.load("okupacio", board="4x25").new_initial_state()
    assert state.action_to_string(state.string_to_action("dy")) == "dy"
    with pytest.raises(NotationError, match="ea is outside the board, which has rows a to d and columns a to y"):
        state.string_to_action("ea")


@pytest.mark.parametrize(
    ("text", "says"),
    [("ac", "ac is a wall"), ("aa", "aa already belongs to army A"), ("cd", "cd already belongs to army B")],
)
def test_why_a_move_is_refused(text: str, says: str) -> None:
    state = small("A.#./#.../##.B/...#")
    before = state.clone()
    with pytest.raises(IllegalActionError, match=f"^{says}$"):
        state.apply_action(state.string_to_action(text))
    assert (state, state.history()) == (before, [])


@pytest.mark.parametrize("action", [-1, 4, 104, 651, 10**30])
def test_why_an_action_that_is_no_cell_is_refused(action: int) -> None:
    says = f"action {action} is not a cell of the board, which has rows a to d and columns a to d"
    with pytest.raises(IllegalActionError, match=f"^{says}$"):
        small().apply_action(action)


@pytest.mark.parametrize("text", ["ab", "ac", "00"])
def test_why_a_move_after_the_end_is_refused(text: str) -> None:
    state = small("A.#./#.../##../...#", "- 9 0:0,-")
    with pytest.raises(IllegalActionError, match=r"^the game is over: no action is legal$"):
        state.apply_action(state.string_to_action(text))


@given(damaged("ab", "a b", "00", "zz"))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    state = small()
    try:
        action = state.string_to_action(text)
    except NotationError:
        return
    assert state.string_to_action(state.action_to_string(action)) == action


# positions

POSITIONS = [
    "..#./#.../##../...# A 0 0:1,0:0",
    "AB#./#.../##../...# B 7 3:0,0:2",
    "AA#A/#BBA/##BA/BBA# - 12 0:1,5:0",
    "A.#./#.../##../...# - 2 0:0,-",
    "..#./#.../##../...# - 999999 -,999999:999999",
]


@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_both_ways(position: str) -> None:
    game = ludoteca.load("okupacio", board=SMALL)
    state = game.state_from_string(position)
    assert str(state) == position
    assert repr(state).endswith(f".state_from_string({position!r})")


OPEN = "..#./#.../##../...#"


@pytest.mark.parametrize(
    ("position", "says"),
    [
        pytest.param("", "the position has 0 parts: expected 4: rows, army to move, turns played, armies", id="nothing"),
        pytest.param(f"{OPEN} A 0 0:1,0:0 x", "the position has 5 parts", id="a part too many"),
        pytest.param(f"{OPEN} A -1 0:1,0:0", "the turns played: read '-1'", id="turns below 0"),
        pytest.param(f"{OPEN} A ٣ 0:1,0:0", "the turns played: read '٣'", id="an Arabic digit"),
        pytest.param(f"{OPEN} A 0 0:1", "the position has 1 army: expected 2", id="an army is missing"),
        pytest.param(f"{OPEN} A 0 0:1,0:0,0:2", "the position has 3 armies: expected 2", id="an army too many"),
        pytest.param(f"{OPEN} A 0 0:1,5", "army B is '5'", id="half an army"),
        pytest.param(f"{OPEN} A 0 0:1,0:", "the turns without a move of army B: read ''", id="turns without a move"),
        pytest.param(f"{OPEN} - 0 -,-", "every army has given up: the last one that is left cannot", id="nobody left"),
        pytest.param(f"{OPEN} A 0 0:3,0:3", "armies A and B moved last in the same turn", id="the same turn"),
        pytest.param("..#./#../##../...# A 0 0:1,0:0", "row b has 3 cells: expected 4", id="columns"),
        pytest.param("..../#.../##../...# A 0 0:1,0:0", "ac is '.': on this game's board it is a wall", id="wall gone"),
        pytest.param("#.#./#.../##../...# A 0 0:1,0:0", "aa is '#': on this game's board it is open", id="new wall"),
        pytest.param("C.#./#.../##../...# A 0 0:1,0:0", "aa is 'C': expected . or # or an army", id="army C"),
        pytest.param("B.#./#.../##../...# - 0 0:1,-", "aa is 'B': expected . or # or an army that is playing", id="gone"),
        pytest.param(f"{OPEN} - 0 0:1,0:0", "the army to move is '-': the game is not over", id="not over"),
        pytest.param(f"{OPEN} A 0 0:1,-", "the army to move is 'A': the game is over: expected -", id="over, one left"),
        pytest.param(f"{OPEN} C 0 0:1,0:0", "the army to move is 'C': expected one of A, B", id="mover C"),
    ],
)
def test_what_is_no_position(position: str, says: str) -> None:
    game = ludoteca.load("okupacio", board=SMALL)
    with pytest.raises(NotationError, match=re.escape(says)):
        game.state_from_string(position)


def test_an_army_that_gave_up_does_not_move() -> None:
    game = ludoteca.load("okupacio", players=3, board=SMALL)
    with pytest.raises(NotationError, match="the army to move is 'B': expected one of A, C"):
        game.state_from_string(f"{OPEN} B 9 0:1,-,0:0")


@given(damaged(*POSITIONS))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    game = ludoteca.load("okupacio", board=SMALL)
    try:
        state = game.state_from_string(text)
    except NotationError:
        return
    assert game.state_from_string(str(state)) == state
