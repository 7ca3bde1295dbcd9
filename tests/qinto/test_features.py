"""The observations of learners, against the rules' page, and the numbers of actions."""

from collections import Counter
from typing import Final

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.learn.features import PASS, PLACES, PUT, WINDOW
from ludoteca.games.qinto.names import hand_of, pile_names, place_near, tiles_of
from tests.qinto import oracle
from tests.qinto.oracle import DECK, Cell
from tests.qinto.positions import at, grid_of

MIDDLE: Final = WINDOW // 2
COLOURS: Final = ("black", "blue", "green", "red", "yellow")


@pytest.mark.parametrize(("variant", "players"), [("light", 4), ("plus", 3)])
def test_planes_and_numbers_are_what_their_names_say(variant: str, players: int) -> None:
    game, rng = ludoteca.load("qinto", variant=variant, players=players), new_rng(1)
    layout, state = game.features.layout, game.new_initial_state(1)
    while not state.is_terminal():
        if len(state.history()) % 19 == 0:
            for seat in range(SPECTATOR, players):
                planes, numbers = state.observation(seat)
                expected = np.zeros_like(planes)
                for (name, row, column), value in on_grid(state, seat).items():
                    expected[layout.planes.index(name), row, column] = value
                assert not [layout.planes[plane] for plane, _, _ in np.argwhere(planes != expected)]
                shown = dict(zip(layout.numbers, numbers.tolist(), strict=True))
                assert shown == pytest.approx(dict.fromkeys(layout.numbers, 0) | behind(state, seat))
        state.apply_action(state.random_action(rng))


def on_grid(state: State, seat: int) -> dict[tuple[str, int, int], int]:
    """Return the values of the planes that are not 0, by plane, row and column of the window."""
    position, grid = state.position.raw, tiles_of(state.position.raw)
    lines = list(zip(*grid, strict=True)) or [(0,), (0,)]
    middle = [min(some) + (max(some) - min(some)) // 2 for some in lines]

    def place(cell: Cell) -> tuple[int, int]:
        row, column = ((line - of + MIDDLE) % WINDOW for line, of in zip(cell, middle, strict=True))
        return row, column

    shown = {}
    for cell, tile in grid.items():
        shown[shape_name(tile), *place(cell)] = shown[colour_name(tile), *place(cell)] = 1
    hand = set(hand_of(position, seat)) if seat >= 0 else set()
    for empty in {other for cell in grid for other in oracle.neighbours(cell)} - set(grid) or {(0, 0)}:
        fitting = sum(oracle.fits({**grid, empty: tile}, empty) for tile in hand)
        key = ("tiles of the hand that fit", *place(empty))
        shown[key] = max(fitting, shown.get(key, 0))
    turn = str(state).split()[-1].partition(":")[2]
    if turn.startswith("swap"):
        for text in turn.split("@")[1:]:
            row, column = map(int, text.split(","))
            shown["swapped in this turn", *place((row, column))] = 1
    if position.phase == rules.ADDING:
        ends = [end for end, line in zip(position.ends.tolist(), (1, 1, 2, 2), strict=True) if position.line in (0, line)]
        for end in ends:
            shown["end of the line of this turn", *place(place_near(grid, end))] = 1
    return shown


def behind(state: State, seat: int) -> dict[str, float]:
    """Return the numbers after the planes that are not 0, by name."""
    position, players = state.position.raw, state.game.num_players()
    hand = Counter(hand_of(position, seat)) if seat >= 0 else Counter[str]()
    shown: dict[str, float] = {}
    for slot, (tile, number) in enumerate(hand.items(), 1):
        if tile != "?":
            shown |= {f"{shape_name(tile)} in slot {slot}": 1, f"{colour_name(tile)} in slot {slot}": 1}
            shown[f"two tiles in slot {slot}"] = number - 1
    view = state.view(seat).raw
    under = Counter(pile_names(view, seat if view.share else 0)) if seat >= 0 else Counter[str]()
    del under["?"]
    shown |= {f"{tile} known in the pile": number for tile, number in under.items()}
    unseen = Counter(DECK) - Counter(tiles_of(position).values()) - +hand - under
    shown |= {f"{tile} not seen": number for tile, number in unseen.items()}
    who = ["own", *(f"player +{i}'s" for i in range(1, players))]
    for i, whose in enumerate(who):
        other = (max(seat, 0) + i) % players
        shown[f"{whose} turn"] = float(position.mover == other)
        shown[f"{whose} hand, of 5"] = position.in_hand[other] / 5
        shown[f"{whose} pile, of 60"] = position.piled[other if position.share else 0] / 60
        shown[f"{whose} known tiles in the pile, of 60"] = int(position.known[other]).bit_count() / 60
        shown[f"{whose} points, of 200"] = position.points[other] / 200
    for trace in str(state).split()[3].split(";"):
        tile, _, where = trace.partition(":")
        if where.isdigit():
            key = f"{who[(int(where) - 1 - max(seat, 0)) % players]} hand was seen to get {tile}"
            shown[key] = shown.get(key, 0) + 1
    shown[("nothing done", "adding", "swapping", "trading")[position.phase]] = 1
    if position.line:
        shown[f"adding to a {'row' if position.line == rules.ROW else 'column'}"] = 1
    shown["tiles added, of 5"] = position.laid / 5
    shown["another turn follows"] = float(position.again)
    shown["turns without an added tile, of those that end the game"] = position.idle / (position.rounds * players)
    return shown


def shape_name(tile: str) -> str:
    return "open shape" if tile[0] == "W" else f"shape {tile[0]}"


def colour_name(tile: str) -> str:
    return "open colour" if tile[1] == "W" else f"colour {COLOURS['bBGRY'.index(tile[1])]}"


def planes(state: State, player: int) -> dict[str, list[tuple[int, int]]]:
    """Return the places in which planes are not 0, as rows and columns from the middle of the window."""
    shown = zip(state.game.features.layout.planes, state.observation(player).planes, strict=True)
    return {name: [(int(row) - MIDDLE, int(column) - MIDDLE) for row, column in np.argwhere(plane)] for name, plane in shown}


def test_the_middle_of_the_window_is_the_middle_of_the_grid() -> None:
    shown = planes(at(grid_of("1b 2G WR"), ["1G", "2R", "3B", "4Y", "5b"]), 0)
    assert shown["shape 1"] == shown["colour black"] == [(0, -1)]
    assert shown["open shape"] == shown["colour red"] == [(0, 1)]
    rim = [(-1, -1), (-1, 0), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 0), (1, 1)]
    assert shown["tiles of the hand that fit"] == rim
    assert not shown["end of the line of this turn"]


def test_the_line_of_a_turn_shows_where_it_goes_on() -> None:
    state = at(grid_of("1b"), ["1G", "1R", "3B", "4Y", "5b"])
    for text in ("+1G@0,1", "+1R@0,2"):
        state.apply_action(state.string_to_action(text))
    assert planes(state, 0)["end of the line of this turn"] == [(0, -2), (0, 2)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("+1G@0,2", PLACES * 0 + WINDOW * 8 + 8 + 2),
        ("+1G@-1,0", PLACES * 0 + WINDOW * 7 + 8),
        ("~1R@0,1", PLACES * 1 + WINDOW * 8 + 8 + 1),
        ("-5b", PUT + 4),
        ("end", PASS),
    ],
)
def test_an_action_is_a_slot_and_a_place_in_the_window(text: str, number: int) -> None:
    state = at(grid_of("1b 1B WR", left=-1), ["1G", "1R", "3B", "4Y", "5b"])
    action = state.string_to_action(text)
    assert (state.encode_action(action), state.decode_action(number)) == (number, action)


def test_a_grid_that_is_larger_than_the_window_goes_on_at_its_other_edge() -> None:
    state, rng = ludoteca.load("qinto").new_initial_state(LONG), new_rng(LONG)
    while not state.is_terminal():
        legal = state.legal_actions()
        shared = Counter(state.encode_action(action) for action in legal)
        assert sorted(shared) == np.flatnonzero(state.action_mask()).tolist()
        for action in legal if len(state.history()) % 3 == 0 else ():
            number = state.encode_action(action)
            played = state.decode_action(number)
            assert played == action or (shared[number] > 1 and played in legal and state.encode_action(played) == number)
        state.apply_action(state.random_action(rng))
    rows, columns = zip(*tiles_of(state.position.raw), strict=True)
    assert max(max(rows) - min(rows), max(columns) - min(columns)) + 1 > WINDOW


LONG: Final = 610
"""The seed of a game whose grid has 22 rows or columns at the end."""
