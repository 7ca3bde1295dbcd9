"""The observations of Metro, against a walk over the tiles, and the numbers of actions."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pytest

import ludoteca
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.games.metro import board, tiles
from ludoteca.games.metro.board import Place
from ludoteca.games.metro.notation import face_name, kind_name

EXAMPLE: Final = "1,5R0,6R0,5/1,7R2,2R1,5/9R0,3R2,6/3,*,*,3/3,*,*,3/8/8/8 1 9 0123456789abcdef"
"""The document's example."""


@pytest.mark.parametrize(
    "chosen",
    [{"side": 12, "tiles": "stack"}, {"players": 3}, {"players": 6, "rotate": "yes"}],
    ids=str,
)
def test_planes_and_numbers_are_what_their_names_say(chosen: dict[str, Any]) -> None:
    game, rng = ludoteca.load("metro", **chosen), new_rng(1)
    layout, state = game.features.layout, game.new_initial_state(2)
    while not state.is_terminal():
        if len(state.history()) % 19 == 0:
            for seat in range(SPECTATOR, game.num_players()):
                planes, numbers = state.observation(seat)
                expected = np.zeros_like(planes)
                for name, (x, y), value in shown_on_board(state, max(seat, 0)):
                    expected[layout.planes.index(name), y - 1, x - 1] = value
                assert not [layout.planes[plane] for plane, _, _ in np.argwhere(planes != expected)]
                assert dict(zip(layout.numbers, numbers.tolist(), strict=True)) == pytest.approx(
                    dict.fromkeys(layout.numbers, 0) | dict(other_numbers(state, max(seat, 0)))
                )
        state.apply_action(state.random_action(rng))


def shown_on_board(state: State, me: int) -> Iterator[tuple[str, Place, int]]:
    """The values other than 0, by plane and place."""
    position, side = state.position.raw, int(state.game.parameters["side"])
    faces = dict(zip(board.spaces(side), position.faces.tolist(), strict=False))
    free = [place for place, face in faces.items() if face == tiles.NONE]
    for place, face in faces.items():
        yield ("free" if face == tiles.NONE else f"tile {face_name(face)}"), place, 1
    for place in free:
        around = [board.beyond(place, across) for across in range(tiles.SIDES)]
        if any(board.is_outside(side, other) or faces.get(other, tiles.NONE) != tiles.NONE for other in around):
            yield "a tile may lie here", place, 1
        for across, name in enumerate("WSEN"):
            end, _, lanes = follow(faces, board.beyond(place, across), (across + 2) % tiles.SIDES)
            if board.is_outside(side, end):
                yield f"lanes out across {name} to a station outside", place, lanes
            elif board.is_centre(side, end):
                yield f"lanes out across {name} to the centre", place, lanes
    players = state.game.num_players()
    for train, owner in zip(board.trains(side), board.owners(side, players), strict=True):
        end, across, lanes = follow(faces, train.inside, train.side)
        if end in free:
            whose = "nobody's" if owner == board.NOBODY else whose_name((owner - me) % players)
            yield f"{whose} train comes in across {'WSEN'[across]}, lanes so far", end, lanes


def follow(faces: dict[Place, int], place: Place, across: int) -> tuple[Place, int, int]:
    """Follow a lane over tiles, from a side of a place. Return the last place, the side there, and the number of lanes."""
    lanes = 1
    while face := faces.get(place, tiles.NONE):
        out = tiles.exits(face)[across]
        place, across, lanes = board.beyond(place, out), (out + 2) % tiles.SIDES, lanes + 1
    return place, across, lanes


def other_numbers(state: State, me: int) -> Iterator[tuple[str, float]]:
    """The numbers behind the planes that are not 0."""
    position, players = state.position.raw, state.game.num_players()
    if position.tile:
        yield f"{kind_name(position.tile)} is to be placed", 1
    stack = position.stack.tolist()
    for kind in set(stack) - {tiles.NONE}:
        yield f"{kind_name(kind)} left in the stack", stack.count(kind)
    for i in range(players):
        seat = (me + i) % players
        yield f"{whose_name(i)} points, in hundreds", state.scores()[seat] / 100
        if players > 1:
            yield f"{whose_name(i)} turn", float(state.current_player() == seat)
        if position.hands[seat]:
            yield f"{whose_name(i)} hand has {kind_name(position.hands[seat])}", 1


def whose_name(after: int) -> str:
    return f"player +{after}'s" if after else "own"


def test_the_documents_example() -> None:
    state = ludoteca.load("metro").state_from_string(EXAMPLE)
    layout, (planes, numbers) = state.game.features.layout, state.observation(0)
    named = dict(zip(layout.planes, planes, strict=True))
    assert np.argwhere(named["tile 5R0"]).tolist() == [[0, 1]]
    assert named["own train comes in across N, lanes so far"][3, 1] == 3  # after 9R0 and 3R2
    assert dict(zip(layout.numbers, numbers.tolist(), strict=True))["own points, in hundreds"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("chosen", "text", "number"),
    [
        ({}, "3 1 R2", 2 * 64 + 2), ({"side": 12}, "1 12 R0", 11 * 12), ({"players": 4}, "8 2", 8 + 7),
        ({"players": 4}, "decline", 64), ({"players": 2, "rotate": "yes"}, "decline", 4 * 64),
    ],
)  # fmt: skip
def test_an_action_is_a_rotation_and_a_cell_of_the_planes(chosen: dict[str, Any], text: str, number: int) -> None:
    game = ludoteca.load("metro", **chosen)
    deals = (game.new_initial_state(seed) for seed in range(100))
    state = next(
        state for state in deals if any(state.action_to_string(each).startswith(text) for each in state.legal_actions())
    )
    action = next(each for each in state.legal_actions() if state.action_to_string(each).startswith(text))
    assert (state.encode_action(action), state.decode_action(number)) == (number, action)
    assert state.action_mask()[number] == 1
