"""A game on a turned or mirrored board, with the tiles turned and mirrored too, stays the same game."""

from random import Random
from typing import Any, Final

import numpy as np
import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.reading import DASH
from ludoteca.core.symmetries import Symmetry
from ludoteca.games.metro import board, tiles
from ludoteca.games.metro.learn.symmetries import CHANGES, NO_SYMMETRY, Change
from ludoteca.games.metro.notation import face_name, hand_of, kind_name, read_kind

GENERATOR: Final = "0123456789abcdef"


@pytest.mark.parametrize(
    ("chosen", "number", "every"),
    [
        ({"side": 4}, 8, 1),
        ({"side": 6, "tiles": "stack"}, 8, 5),
        ({"players": 2, "rotate": "yes"}, 8, 7),
        ({"players": 5}, 1, 1),
    ],
    ids=str,
)
def test_a_changed_game_is_the_same_game(chosen: dict[str, Any], number: int, every: int) -> None:
    game = ludoteca.load("metro", **chosen)
    symmetries = ludoteca.symmetries(game)
    assert len(symmetries) == number
    for change, symmetry in list(zip(CHANGES, symmetries, strict=False))[::every]:
        assert symmetry.name == str(change)
        play_both(game.new_initial_state(number), change, symmetry, Random(number))


def play_both(one: State, change: Change, symmetry: Symmetry, random: Random) -> None:
    """A random game and the changed one next to it. Masks, observations and scores are the same, after the change.

    Where tiles come without end, the changed game is given the changed tile after each move.
    """
    game, players = one.game, one.game.num_players()
    shift = change.seats(int(game.parameters["side"]), players)
    two = game.state_from_string(changed(one, change, shift))
    while not one.is_terminal():
        seat, numbers = one.current_player(), one.observation(one.current_player()).numbers
        mask = one.action_mask()
        assert (symmetry.actions_of(mask, numbers) == two.action_mask()).all()
        for each in range(players if len(one.history()) % 5 == 0 else 0):
            seen, other = one.observation(each), two.observation((each + shift) % players)
            assert (symmetry.planes_of(seen.planes) == other.planes).all()
            assert (symmetry.numbers_of(seen.numbers) == other.numbers).all()
        assert two.current_player() == (seat + shift) % players
        number = random.choice(np.flatnonzero(mask).tolist())
        chosen = np.eye(len(mask), dtype=np.uint8)[number]
        one.apply_action(one.decode_action(number))
        two.apply_action(two.decode_action(int(symmetry.actions_of(chosen, numbers).argmax())))
        assert np.roll(one.scores(), shift).tolist() == two.scores()
        if one.position.raw.endless:
            two = as_expected(two, game.state_from_string(changed(one, change, shift)))
    assert str(two) == str(as_expected(two, game.state_from_string(changed(one, change, shift))))
    assert two.is_terminal()


def as_expected(state: State, expected: State) -> State:
    """The expected position, with the same board as the state."""
    assert str(state).split()[0] == str(expected).split()[0]
    return expected


def changed(state: State, change: Change, shift: int) -> str:
    """The position in which everything is changed, as text."""
    position, side, players = state.position.raw, int(state.game.parameters["side"]), state.game.num_players()
    names = {
        change.place(side, place): face_name(change.face(face)) if face else "1"
        for place, face in zip(board.spaces(side), position.faces.tolist(), strict=False)
    }
    rows = [",".join(names.get((x, y), "*") for x in range(1, side + 1)) for y in range(1, side + 1)]

    def in_hand(name: str) -> str:
        return DASH if name == DASH else kind_name(change.kind(read_kind(position, name, "")))

    seats = np.roll(np.arange(players), shift).tolist()
    hands = ["+".join(map(in_hand, hand_of(position, seat).split("+"))) for seat in seats]
    kinds = [kind for kind in position.stack.tolist()[::-1] if kind != tiles.NONE]
    stack = ",".join(kind_name(change.kind(kind)) for kind in kinds) or DASH
    mover = DASH if state.is_terminal() else (state.current_player() + shift) % players + 1
    return f"{'/'.join(rows)} {mover} {'/'.join(hands)} {GENERATOR if position.endless else stack}"


def test_trains_of_three_and_more_keep_their_order_on_no_other_board() -> None:
    for players in range(1, 7):
        kept = [str(change) for change in CHANGES if change.seats(8, players) != NO_SYMMETRY]
        assert len(kept) == (8 if players <= 2 else 1)
    assert [change.seats(8, 2) for change in CHANGES] == [0, 0, 0, 0, 1, 1, 1, 1]


def test_many_positions_are_changed_at_once() -> None:
    game = ludoteca.load("metro")
    symmetry = ludoteca.symmetries(game)[5]
    states = [game.new_initial_state(seed) for seed in range(40)]
    masks, numbers = np.stack([s.action_mask() for s in states]), np.stack([s.observation(0).numbers for s in states])
    together = symmetry.actions_of(masks, numbers)
    assert (together == [symmetry.actions_of(mask, row) for mask, row in zip(masks, numbers, strict=True)]).all()
    back = symmetry.then(symmetry)
    assert (back.actions_of(masks, numbers) == masks).all()
    with pytest.raises(TypeError, match="mirrored and turned 90 degrees: the actions depend on the hand"):
        symmetry.actions_of(masks)
