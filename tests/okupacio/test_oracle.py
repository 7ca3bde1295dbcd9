"""Random games. After every move the visible facts are compared with those of the oracle, which follows the document."""

from random import Random

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.okupacio import board, control, standings
from tests.okupacio.oracle import Cell, Oracle

LETTERS = "abcdefghijklmnopqrstuvwxy"
PARAGRAPHS = {"1", "2", "2 no", "3a", "3b", "3b no", "3 no", "4a", "4b", "4c", "4c no", "4 no"}


def name_of(cell: Cell) -> str:
    return LETTERS[cell[0]] + LETTERS[cell[1]]


def assert_same(state: State, oracle: Oracle) -> None:
    assert shown(state) == expected(oracle)


def shown(state: State) -> dict[str, object]:
    rows, mover, _, _ = str(state).split()
    found = control(state)
    return {
        "rows": rows.split("/"),
        "mover": mover,
        "table": [("ABCDEFGHIJ"[line.player], line.cells, line.captured, line.idle) for line in standings(state)],
        "moves": [state.action_to_string(action) for action in state.legal_actions()],
        "winners": ["ABCDEFGHIJ"[player] for player in state.winners()],
        "control": found and ("ABCDEFGHIJ"[found.player], found.line, LETTERS[found.number]),
    }


def expected(oracle: Oracle) -> dict[str, object]:
    over, table, found = oracle.is_over(), oracle.table(), oracle.control()
    return {
        "rows": [row.replace(" ", ".") for row in oracle.rows()],
        "mover": "-" if over else oracle.mover,
        "table": table,
        "moves": [] if over else [*map(name_of, oracle.free()), "00"],
        "winners": [table[0].army] if over else [],
        "control": found and (found[0], {"FILA": "row", "COLUMNA": "column"}[found[1]], found[2]),
    }


def choose(random: Random, oracle: Oracle) -> Cell:
    """Return a free cell. Half of the time it is next to a cell of the mover, because more happens there."""
    free = oracle.free()
    near = [cell for cell in free if oracle.mover in map(oracle.owner.get, oracle.adjacent(cell))]
    return random.choice(near if near and random.random() < 0.5 else free)


def play(random: Random, players: int, numbers: str, resignations: float) -> Oracle:
    """Play a random game in the library and in the oracle. Return the oracle."""
    state = ludoteca.load("okupacio", players=players, board=numbers).new_initial_state()
    oracle = Oracle(players, numbers)
    assert_same(state, oracle)
    while not oracle.is_over():
        if random.random() < resignations:
            move = "00"
            oracle.give_up()
        else:
            cell = choose(random, oracle)
            move = name_of(cell)
            oracle.take(cell)
        state.apply_action(state.string_to_action(move))
        assert_same(state, oracle)
    return oracle


@pytest.mark.parametrize("games", [15, pytest.param(400, marks=pytest.mark.soak)])
def test_random_games_follow_the_document_move_by_move(games: int) -> None:
    random = Random(games)
    for _ in range(games):
        play(random, random.randint(2, 10), board.sample(random), random.choice((0, 0, 0.02, 0.1)))


def test_random_games_of_two_come_to_every_paragraph() -> None:
    games = [play(Random(seed), 2, "8 8 1 1 17 2 20 1 22", 0) for seed in (7, 12)]
    assert {paragraph for game in games for paragraph in game.paragraphs} == PARAGRAPHS


@pytest.mark.parametrize("players", [2, 10])
def test_the_fewest_and_the_most_players_on_the_documents_board(players: int) -> None:
    play(Random(players), players, board.DOCUMENT, 0.005)


@pytest.mark.parametrize(("rows", "columns"), [(4, 25), (25, 4), pytest.param(25, 25, marks=pytest.mark.soak)])
def test_the_longest_boards(rows: int, columns: int) -> None:
    play(Random(rows), 4, f"{rows} {columns} {rows * columns}", 0.002)
