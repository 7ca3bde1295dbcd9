"""The game in the terminal and the list of moves, as a person meets them: typed, printed."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.core import console as driver
from ludoteca.games.metro.text import console, console_game
from ludoteca.games.metro.text.predicates import Move
from ludoteca.games.metro.tiles import tile_id
from tests import consoles
from tests.consoles import no_file
from tests.metro.test_goldens import OWN, Facts

EXAMPLE = OWN[0]["moves"]
GAME = ludoteca.load("metro")
SEED = next(seed for seed in range(100) if tile_id(int(GAME.new_initial_state(seed).raw.tile)) == 5)
"""One that draws #5 first."""


run_program = partial(consoles.run, "metro")


def game(typed: str, *arguments: str) -> consoles.Run:
    return run_program(typed, "--seed", str(SEED), *arguments)


# A list of moves


def listed(moves: list[str], *arguments: str) -> consoles.Run:
    return run_program("".join(f"{move}\n" for move in moves), "moves", *arguments)


def test_the_documents_example() -> None:
    run = listed(EXAMPLE)
    assert (run.status, run.complaints) == (0, [])
    assert run.lines[-6:] == [
        "Trasee închise: 2",
        "  trenul 6 (3,0): #6R0 #5R0 #7R2 #3R2 #9R0   lungime 5, puncte 5",
        "  trenul 7 (2,0): #5R0 #6R0 #2R1 #7R2 #5R0   lungime 5, puncte 5",
        "Trasee deschise: 1",
        "  trenul 11 (0,3): #9R0 #3R2   lungime 2",
        "Scor: 10",
    ]


@pytest.mark.parametrize("told", OWN, ids=lambda told: f"{told['side']}-{len(told['moves'])}")
def test_goldens(told: Facts) -> None:
    lines = listed(told["moves"], "--side", str(told["side"])).lines
    assert lines[-1] == f"Scor: {told['score']}"
    assert f"Trasee închise: {len(told['closed'])}" in lines
    assert f"Trasee deschise: {len(told['open'])}" in lines
    for kind in ("closed", "open"):
        for entry, tiles in told[kind].items():
            path = f"({entry.replace(' ', ',')}): {' '.join(tile.replace(' ', '') for tile in tiles)}   lungime {len(tiles)}"
            assert sum(path in line for line in lines) == 1


@pytest.mark.parametrize("line", ['"2,1,#5,R0",', "  2\t1  5 r0 ", "move((2,1),'#5','R0')."])
def test_moves_may_be_written_in_many_ways(line: str) -> None:
    assert console_game.read_move(line) == Move((2, 1), "#5", "R0")


def test_empty_lines_do_not_count_as_moves_and_a_last_line_needs_no_end() -> None:
    run = run_program("\n2 1 #5 R0\r\n\n3 1 #6 R0", "moves")
    assert (run.status, run.lines[-1]) == (0, "Scor: 0")


WRONG = [
    ("2 1 #5", "o mutare se scrie x y #carte Rk, de exemplu 2 1 #5 R0"),
    ("2 1 #11 R0", "nu există cartea #11: sunt #1 #2 #3 #4 #5 #6 #7 #8 #9 #10"),
    ("1 1 #9 R2", "cartea #9 se așază numai cu R0"),
    (
        "1 1 #1 R0",
        "cartea #1 R0 pe (1,1) ar face un traseu de lungime 1, de la un tren direct într-o gară; #1 are loc pe (2,2)",
    ),
    (
        "3 1 #2 R2",
        "cartea #2 R2 pe (3,1) ar face un traseu de lungime 1, de la un tren direct într-o gară; aici #2 se poate cu R0 R1",
    ),
    ("2 1 #1 R0", "(2,1) nu este liber: acolo se află cartea #9 R0; #1 are loc pe (2,2)"),
    ("4 4 #1 R0", "(4,4) este în centru, unde nu se pun cărți; #1 are loc pe (2,2)"),
    ("9 1 #1 R0", "(9,1) este în afara tablei: x și y sunt de la 1 la 8; #1 are loc pe (2,2)"),
    ("6 6 #1 R0", "(6,6) nu este nici la marginea tablei, nici lângă o carte; #1 are loc pe (2,2)"),
]


@pytest.mark.parametrize(("line", "says"), WRONG)
def test_a_wrong_move_says_its_line_what_was_read_and_what_is_possible(line: str, says: str) -> None:
    run = listed(["2 1 #9 R0", line, "8 8 #9 R0"])
    assert (run.status, run.text) == (1, "")
    assert run.complaints == [f"linia 2: am citit „{line}”: {says}"]


# A game


def test_a_game_is_played_to_its_end_with_the_first_possible_moves() -> None:
    """It asks what is possible, then plays the first of that."""
    printed: list[str] = []
    typed: list[str] = []

    def type_line() -> str:
        found = re.match(r"Cartea #\d+ are loc pe: \((\d+),(\d+)\) (R\d)", printed[-1])
        typed.append(" ".join(found.groups()) if found else "m")
        return typed[-1] + "\n"

    status = driver.run(GAME.spec, ["--seed", str(SEED)], no_file, type_line, printed.append, pytest.fail)
    *_, paths, score, ending = "".join(printed).splitlines()
    assert status == 0
    assert len(typed) > 8
    assert "lungime" in paths
    assert score.startswith("Scor: ")
    assert ending.startswith("Jocul s-a terminat: cartea #")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"side": 4, "tiles": "stack"}, "nu mai sunt spații libere."),
        ({"side": 4}, "cartea #{} nu mai are loc, oriunde ar face un traseu de lungime 1."),
        ({"side": 10, "tiles": "stack"}, "nu mai sunt cărți."),
    ],
)
def test_the_end_says_which_reason_holds(options: dict[str, Any], says: str) -> None:
    """Of games that are played to the end with the first possible moves, the first that ends for that reason."""
    reasons = {"spații libere": "no space is free", "lungime 1": "a tile has no place", "cărți.": "no tile is left"}
    for seed in range(40):
        state = ludoteca.load("metro", **options).new_initial_state(seed)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        moves = "".join(f"{state.action_to_string(action)}\n" for action in state.history()) or "\n"
        printed = run_program(moves, "--seed", str(seed), *(f"--{name}={value}" for name, value in options.items())).lines
        line = next(line for line in printed if line.startswith("Jocul s-a terminat: "))
        (said,) = (reason for words, reason in reasons.items() if words in line)
        left = "a tile has no place" if state.raw.tile else "no tile is left"
        assert said == (left if state.raw.free.any() else "no space is free")
        if line == f"Jocul s-a terminat: {says.format(tile_id(int(state.raw.tile)))}":
            return
    pytest.fail("no game ended so")


def test_the_same_seed_gives_the_same_game_and_it_is_told() -> None:
    first = run_program("q\n")
    seed = first.lines[0].partition("sămânța ")[2].partition(".")[0]
    assert run_program("q\n", "--seed", seed).text == first.text
    assert run_program("q\n", f"--seed={seed}").text == first.text


def test_the_next_tile_is_shown_in_all_its_rotations() -> None:
    run = game("q\n")
    at = run.lines.index("Urmează cartea #5:")
    assert run.lines[at + 5].split() == ["R0", "R1", "R2", "R3"]


def test_what_is_left_of_the_stack_is_shown() -> None:
    assert "În teanc: 59." in run_program("q\n", "--tiles", "stack", "--seed", "1", "--side", "8").lines


def answers(line: str) -> list[str]:
    """The output for a line, before the next prompt."""
    prompt = "Mutarea (x y rotația):\n"
    return game(f"{line}\nq\n").text.split(prompt)[1].splitlines()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("foo", "Am citit „foo”: mutarea se scrie x y rotația, de exemplu 2 1 R0. ? explică."),
        ("1 1 R9", "Nu se poate: cartea #5 se așază numai cu R0 R1 R2 R3."),
        ("0 1 R0", "Nu se poate: (0,1) este în afara tablei: x și y sunt de la 1 la 8."),
        ("4 5 R0", "Nu se poate: (4,5) este în centru, unde nu se pun cărți."),
        ("3 3 R0", "Nu se poate: (3,3) nu este nici la marginea tablei, nici lângă o carte."),
    ],
)
def test_what_cannot_be_read_or_played_says_so_and_the_game_stands(line: str, says: str) -> None:
    first, *_ = answers(line)
    assert first == says
    assert game(f"{line}\nq\n").lines[-1] == "Scor: 0"


def test_what_is_possible_on_the_space_or_elsewhere_is_told() -> None:
    refused = answers("2 1 R3")
    assert refused[1] == "Pe (2,1) se poate cu R0 R1 R2."
    elsewhere = answers("3 3 R0")
    assert elsewhere[1].startswith("Cartea #5 are loc pe: (2,1) R0 R1 R2, (3,1) R0 R1 R2,")


def test_help_explains() -> None:
    assert "x y rotația" in " ".join(answers("?"))


def test_a_list_typed_into_the_game_is_read_as_one() -> None:
    run = game("".join(f"{move}\n" for move in EXAMPLE))
    assert (run.status, run.lines[-1]) == (0, "Scor: 10")


# How it is called


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--side", "7"], "am citit '--side 7', așteptam un număr întreg de la 4 la 12, din 2 în 2"),
        (["--tiles", "all"], "am citit '--tiles all', așteptam unul dintre endless, stack"),
        (["--seed", "x"], "am citit '--seed x', așteptam un număr de la 0 la 2^256 - 1"),
        (["--players", "2"], f"am citit '--players', așteptam {console.USAGE}"),
        (["mutari"], f"am citit 'mutari', așteptam {console.USAGE}"),
        (["moves", "--seed", "1"], console.NO_DRAW),
    ],
)  # fmt: skip
def test_a_wrong_argument(arguments: list[str], says: str) -> None:
    run = run_program("", *arguments)
    assert (run.status, run.text, run.complaints) == (1, "", [says])


@pytest.mark.parametrize(("option", "name"), [("--prolog", "T3.pl"), ("--prolog-bot", "bot.pl")])
def test_prolog_prints_where_the_file_is(option: str, name: str) -> None:
    file = Path(run_program("", option).text.removesuffix("\n"))
    assert (file.name, file.is_file()) == (name, True)


def test_one_game_in_ten_is_over_at_once_and_asks_for_no_move() -> None:
    run = run_program("\n", "--seed", "3")
    assert run.status == 0
    assert run.lines[-2:] == [
        "Jocul s-a terminat: cartea #1 nu mai are loc, oriunde ar face un traseu de lungime 1.",
        "Enter încheie.",
    ]
    assert "Mutarea" not in run.text


def test_a_list_of_moves_is_read_whatever_tile_comes_first() -> None:
    text = "".join(f"{move}\n" for move in EXAMPLE)
    assert (
        run_program(text, "--seed", "3").lines[-6:]
        == run_program(text, "--seed", str(SEED)).lines[-6:]
        == listed(EXAMPLE).lines[-6:]
    )
