"""The reader of positions: the texts that it accepts, and its errors for other texts."""

import re
from collections.abc import Callable

import pytest

from ludoteca.core.contract import TERMINAL
from ludoteca.core.errors import NotationError
from ludoteca.core.reading import check_end, read_list, read_mover, read_number, read_parts

PLAYERS = {"A": 0, "C": 2}


def test_what_is_read() -> None:
    assert read_parts(" 1/2   A\t- ", "hands", "mover", "pile") == ["1/2", "A", "-"]
    assert read_list("1/2//", "/", 4, "hand") == ["1", "2", "", ""]
    assert [read_number(text, "the passes", 12) for text in ("0", "7", "12", "007")] == [0, 7, 12, 7]
    assert read_mover("C", False, PLAYERS) == 2
    assert read_mover("-", True, PLAYERS) == TERMINAL
    check_end("B", False)
    check_end("-", True)


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda: read_parts("", "hands", "mover"), "the position has 0 parts: expected 2: hands, mover"),
        (lambda: read_parts("a b c", "hands", "mover"), "the position has 3 parts: expected 2: hands, mover"),
        (lambda: read_list("a", "/", 2, "hand"), "the position has 1 hand: expected 2"),
        (lambda: read_list("a,b,c", ",", 2, "army", plural="armies"), "the position has 3 armies: expected 2"),
        (lambda: read_list("a,b,c", ",", 2, "cell", of="row b"), "row b has 3 cells: expected 2"),
        (lambda: read_number("13", "the passes", 12), "the passes: read '13', expected a number from 0 to 12"),
        (lambda: read_number("-1", "the passes", 12), "the passes: read '-1', expected a number from 0 to 12"),
        (lambda: read_number("٣", "the passes", 12), "the passes: read '٣', expected a number from 0 to 12"),
        (lambda: read_number("9" * 5000, "a", 1), f"a: read '{'9' * 40}…', expected a number from 0 to 1"),
        (lambda: read_mover("B", False, PLAYERS), "the player to move is 'B': expected one of A, C"),
        (lambda: read_mover("-", False, PLAYERS), "the player to move is '-': the game is not over"),
        (lambda: read_mover("A", True, PLAYERS, "the army"), "the army is 'A': the game is over: expected -"),
        (lambda: check_end("\n", True, "the turn"), "the turn is '\\n': the game is over: expected -"),
    ],
)
def test_what_is_refused(read: Callable[[], object], says: str) -> None:
    with pytest.raises(NotationError, match=f"^{re.escape(says)}$"):
        read()
