"""The features of the learned value, compared with a slow and obvious way to compute them."""

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

from ludoteca.core.contract import Floats, RawPosition
from ludoteca.core.game import State, load
from ludoteca.core.spec import GameSpec
from ludoteca.games.okupacio import GAME, rules
from ludoteca.games.okupacio.play import value

BOARDS = ("5x25", "..#./.#../..../#...", "....../.#.#../....../.##.../......")


def positions(text: str, seed: int) -> list[State]:
    """Return the positions of a random game from the first on, without the end."""
    random, found = Random(seed), list[State]()
    state = load("okupacio", players=2, board=text).new_initial_state(0)
    while not state.is_terminal():
        found.append(state.clone())
        state.apply_action(random.choice(state.legal_actions()[:-1]))
    return found


def kind_at(state: RawPosition, player: int, row: int, column: int) -> int:
    if not (0 <= row < state.rows and 0 <= column < state.columns):
        return value.WALLED
    owner = int(state.owner[rules.cell_at(row, column)])
    return {rules.FREE: 0, rules.WALL: value.WALLED, player: value.MINE}.get(owner, value.THEIRS)


def windows(state: RawPosition, player: int) -> Counter[int]:
    """Return the patterns around open cells, read cell by cell."""
    found = Counter[int]()
    for row in range(state.rows):
        for column in range(state.columns):
            if kind_at(state, player, row, column) != value.WALLED:
                places = [(row + down, column + right) for right in (-1, 0, 1) for down in (-1, 0, 1)]
                found[int("".join(str(kind_at(state, player, *place)) for place in places), 4)] += 1
    return found


def random_weights(seed: int) -> Floats:
    """Return weights with the precision of a file, half floats. Windows around walls are never active and have weight 0."""
    shared = value.sharing()
    compact = np.random.default_rng(seed).normal(size=int(shared.max()) + 1).astype(np.float16).astype(np.float32)
    compact[shared[[phase << 18 | value.WALLED << 8 for phase in range(value.PHASES)]]] = 0
    weights: Floats = compact[shared]
    return weights


def summed(state: RawPosition, player: int, weights: Floats) -> float:
    active = np.zeros(value.ACTIVE, np.int64)
    return float(weights[active[: value.active_features(state, player, active)]].sum(dtype=np.float64))


@pytest.mark.parametrize("text", BOARDS)
def test_the_windows_are_those_of_a_slow_scan(text: str) -> None:
    active = np.zeros(value.ACTIVE, np.int64)
    for state in positions(text, 1)[::9]:
        player = state.current_player()
        found = active[: value.active_features(state.raw, player, active)]
        free, total = int(state.raw.n_free), int(state.raw.n_free + state.raw.cells.sum())
        phase = min(value.PHASES - 1, value.PHASES * free // total)
        expected = windows(state.raw, player)
        assert Counter((found[found < value.LEADS_AT] & 0x3FFFF).tolist()) == expected
        assert set((found[found < value.LEADS_AT] >> 18).tolist()) == {phase}
        assert len(found) == expected.total() + 2
        assert ((found >= 0) & (found < value.FEATURES)).all()


def test_a_lead_in_cells_and_one_in_captures_are_seen() -> None:
    active = np.zeros(value.ACTIVE, np.int64)
    seen = set[tuple[int, int, int]]()
    for seed in range(12):
        for state in positions("5x5", seed):
            player, raw = state.current_player(), state.raw
            *_, lead, captures = active[: value.active_features(raw, player, active)].tolist()
            phase = min(value.PHASES - 1, value.PHASES * int(raw.n_free) // 25)
            ahead = int(raw.captured[player] - raw.captured[1 - player])
            where = (phase * 2 + int(raw.n_free) % 2) * (2 * value.FURTHEST + 1) + value.FURTHEST
            assert lead == value.LEADS_AT + where + int(raw.cells[player] - raw.cells[1 - player])
            assert captures == value.CAPTURES_AT + 3 * phase + (0, 2, 1)[(ahead > 0) - (ahead < 0)]
            seen.add((phase, lead, captures))
    assert len(seen) > 50


def test_a_window_turned_or_mirrored_has_the_same_weight() -> None:
    shared, random = value.sharing(), np.random.default_rng(2)
    for window in random.integers(0, 4, (50, 3, 3)):
        images = [np.rot90(some, turns) for some in (window, window.T) for turns in range(4)]
        assert len({int(shared[int("".join(map(str, image.ravel())), 4)]) for image in images}) == 1


def test_what_differs_has_weights_of_its_own() -> None:
    shared = value.sharing()
    assert shared.shape == (value.FEATURES,)
    assert set(shared.tolist()) == set(range(shared.max() + 1))
    patterns = np.arange(1 << 18)
    open_patterns = int(((patterns >> 8 & 3) != value.WALLED).sum())
    assert open_patterns / 8 < len(set(shared[: 1 << 18].tolist())) < open_patterns / 6
    groups = [set(shared[phase << 18 : (phase + 1) << 18].tolist()) for phase in range(value.PHASES)]
    assert not set.intersection(*groups)


@pytest.mark.parametrize("text", BOARDS)
def test_sums_after_actions_are_those_of_the_positions_after_them(text: str) -> None:
    weights, scratch = random_weights(4), np.zeros(value.ACTIVE, np.int64)
    ends = list[float]()
    for state in positions(text, 5)[::9] + positions(text, 6)[-2:]:
        actions, player = np.array(state.legal_actions()[:-1])[-60:], state.current_player()
        found = np.zeros(len(actions), np.float32)
        assert value.sums_after(state.raw, actions, len(actions), math.nan, weights, scratch, found) == len(actions)
        for action, worth in zip(actions.tolist(), found.tolist(), strict=True):
            after = state.child(action)
            if after.is_terminal():
                assert worth == (math.inf if after.returns()[player] == 1 else -math.inf)
                ends.append(worth)
            else:
                assert worth == np.float32(-summed(after.raw, 1 - player, weights))
    assert ends


def test_keys_are_equal_where_the_features_are() -> None:
    """Compare positions of several games. Most are different. Some are reached twice, in another order."""
    active, known = np.zeros(value.ACTIVE, np.int64), dict[int, tuple[object, ...]]()
    reached = 0
    for seed in range(30):
        for state in positions("..../.#../...#/....", seed):
            raw, player = state.raw, state.current_player()
            found = active[: value.active_features(raw, player, active)]
            kinds = tuple(kind_at(raw, player, row, column) for row in range(4) for column in range(4))
            facts = (kinds, tuple(found.tolist()), int(raw.captured[player] - raw.captured[1 - player]))
            reached += value.state_key(raw) in known
            assert known.setdefault(value.state_key(raw), facts) == facts
    assert reached > 20
    assert len(set(known.values())) == len(known)


def test_two_armies_have_weights_and_more_have_none() -> None:
    def name(spec: GameSpec, players: int) -> str:
        return str(spec.module("value").weights(load("okupacio", players=players, board="8x8").parameters))

    assert name(GAME, 2)
    assert not name(GAME, 3)


def test_valuing_stops_at_an_action_that_is_worth_enough() -> None:
    weights, scratch = random_weights(4), np.zeros(value.ACTIVE, np.int64)
    state = positions("8x8", 7)[20]
    actions = np.array(state.legal_actions()[:-1])
    every, some = (np.zeros(len(actions), np.float32) for _ in range(2))
    value.sums_after(state.raw, actions, len(actions), math.nan, weights, scratch, every)
    enough = float(np.sort(every)[-5])
    valued = value.sums_after(state.raw, actions, len(actions), enough, weights, scratch, some)
    assert valued == int(np.flatnonzero(every >= enough)[0]) + 1
    assert (some[:valued] == every[:valued]).all()
