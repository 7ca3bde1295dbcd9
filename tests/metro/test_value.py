"""The features of the learned value. A tile changes it by the difference of two whole values."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ludoteca
from ludoteca.core.errors import ContractError
from ludoteca.core.game import State
from ludoteca.core.rng import draw, new_rng
from ludoteca.core.value import read_value
from ludoteca.games.metro import GAME, rules
from ludoteca.games.metro.board import FACE, FACE_BITS, lane, lane_out, spaces
from ludoteca.games.metro.play import value
from ludoteca.games.metro.play.afterstates import PARTS, best_place, change
from ludoteca.games.metro.play.heuristics import WEIGHTS
from ludoteca.games.metro.play.open_chains import CLASS, CLASSES, FEATURES, INNER, LENGTHS, PHASES, UNPAID
from ludoteca.games.metro.play.value import ACTIVE, active_features
from ludoteca.training.batches import GameBatch
from ludoteca.training.settings import Settings, constants_of
from ludoteca.training.values import ValueLoss


def active(state: State, player: int = 0) -> list[int]:
    out = np.zeros(ACTIVE, np.int64)
    count = active_features(state.raw, player, out)
    return [int(feature) for feature in out[:count]]


def worth(state: State) -> int:
    """Points and points to come, in PARTS, from all active features."""
    return PARTS * int(state.raw.points[0]) + sum(int(WEIGHTS[feature]) for feature in active(state))


def named(features: list[int]) -> Counter[str]:
    """The kinds of chains among the features, with their lengths."""
    kinds = ("train", "central", "outer", "dead", "from", "to")
    told = (divmod(feature // CLASSES, LENGTHS) for feature in features if feature < UNPAID)
    return Counter(f"{kinds[where // PHASES]} {length}" for where, length in told)


def test_lanes_are_of_one_class_with_their_seven_images() -> None:
    into = Counter(int(CLASS[lane(place, side)]) for place in spaces(8) for side in range(4))
    assert sorted(into.values()) == [8] * 30
    out = {int(CLASS[lane_out(place, side)]) for place in spaces(8) for side in range(4)}
    assert out | into.keys() == set(range(CLASSES))
    assert len(out - into.keys()) == 5  # four into outer stations, one into central ones


def test_an_empty_board_has_32_trains_40_stations_and_8_ways_out_of_the_centre() -> None:
    features = active(ludoteca.load("metro").new_initial_state(1))
    assert named(features) == {"train 0": 32, "outer 0": 32, "central 0": 8, "dead 0": 8}
    assert Counter(features)[UNPAID] == 240 // 16
    assert features[-1] == INNER + 4 * 60


def test_a_tile_with_straight_tracks_in_the_corner() -> None:
    """Two trains go on, and two stations are one space further away. #1 would have no place."""
    state = ludoteca.load("metro").state_from_string("9R0,7/8/8/3,*,*,3/3,*,*,3/8/8/8 1 9 0123456789abcdef")
    told = {"train 0": 30, "train 1": 2, "outer 0": 30, "outer 1": 2, "central 0": 8, "dead 0": 8}
    assert named(active(state)) == told
    assert active(state)[-1] == INNER + 4 * 59


@pytest.mark.parametrize("seed", [1, 2])
def test_the_change_is_the_difference_of_whole_values(seed: int) -> None:
    state, rng = ludoteca.load("metro").new_initial_state(seed), new_rng(seed)
    while not state.is_terminal():
        legal = state.legal_actions()
        if len(state.history()) % 9 == seed:
            differences = {
                worth(after) - int(change(state.raw, action, WEIGHTS, PARTS))
                for action in legal
                if not (after := state.child(action)).is_terminal()
            }
            assert len(differences) <= 1
            most = max(int(change(state.raw, action, WEIGHTS, PARTS)) for action in legal)
            assert change(state.raw, int(best_place(state.raw, WEIGHTS, PARTS)), WEIGHTS, PARTS) == most
        state.apply_action(legal[draw(rng, len(legal))])


def test_chains_that_come_back_to_the_space_and_closed_circles_are_counted_once() -> None:
    """#1 sends every train back to its side of entry: next to each other, such tiles close circles."""
    state, rng = ludoteca.load("metro", side=8).new_initial_state(5), new_rng(5)
    for _ in range(25):
        state.apply_action(state.random_action(rng))
    raw = state.raw
    for kind in (25, 33):  # 1 and 9, which turn back or to the next side
        raw.hands[0] = kind
        rules.begin_turn(raw, 0)
        legal = state.legal_actions()
        whole = {whole_after(state, action) - int(change(raw, action, WEIGHTS, PARTS)) for action in legal}
        assert len(legal) > 5
        assert len(whole) == 1


def whole_after(state: State, action: int) -> int:
    """The worth right after the tile is laid, whether or not the game goes on."""
    after = state.clone()
    rules.place(after.raw, action >> FACE_BITS, action & FACE)
    return worth(after)


def test_only_the_game_of_one_on_8_x_8_has_weights() -> None:
    names = {(players, side): value.weights({"players": players, "side": side}) for players in (1, 2, 4) for side in (6, 8)}
    assert names == {key: "solo" if key == (1, 8) else "" for key in names}


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    np.savez_compressed(path, weights=np.zeros(7, np.float16), card="{}")
    with pytest.raises(ContractError, match=re.escape(f"expected ({FEATURES},)")):
        read_value(value, path)


def loss_of(games: int, *, compiled: bool) -> ValueLoss:
    return ValueLoss(Settings("metro", ({},), 4, 1, games, constants_of(GAME)), compiled=compiled)


def test_what_is_known_stays_and_full_boards_bring_nothing_more() -> None:
    loss = loss_of(2, compiled=False)
    taught = loss.play(GameBatch(0, 0), loss.new()).fit
    assert taught.weights[UNPAID:INNER].tolist() == [16, 4, 1]
    assert taught.weights[INNER:].any()
    assert not taught.weights[INNER : INNER + 4].any(), "full boards are ends"


@pytest.mark.soak
def test_a_short_training_beats_none_and_goes_alike_every_time() -> None:
    loss = loss_of(1500, compiled=True)
    before = loss.new()
    taught, again = (loss.play(GameBatch(0, 0), before).fit for _ in range(2))
    assert np.array_equal(taught.weights, again.weights)
    assert loss.measure(taught, before, 300, "test").low > 10, "points more"
