"""The player behind `pick_move`: legal, better than chance by far, and the same every time."""

import statistics
from collections import Counter
from time import sleep
from typing import Any

import pytest

from ludoteca.core.errors import NotationError
from ludoteca.games import metro
from ludoteca.games.metro import Move
from ludoteca.games.metro.play import strategy
from ludoteca.games.metro.text import predicates
from tests.metro.test_goldens import played


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    strategy.prepare()


@pytest.mark.parametrize("side", [4, 8, 12])
def test_what_is_picked_is_available(side: int) -> None:
    state = metro.initial_game_state(side)
    for tile in ("#9", "#5", "#7", "#2", "#10"):
        move = metro.pick_move(state, tile)
        assert move is not None
        assert move.tile_id == tile
        assert metro.available_move(state, move)
        state = metro.apply_move(state, move)


def test_a_tile_without_a_place_is_none_and_one_with_a_single_place_is_put_there() -> None:
    assert metro.pick_move(metro.initial_game_state(), "#1") is None
    state = played([Move((2, 1), "#9", "R0")])
    assert metro.pick_move(state, "#1") == Move((2, 2), "#1", "R0")


def test_an_unknown_tile() -> None:
    with pytest.raises(NotationError, match="read the tile '#11', expected one of #1"):
        metro.pick_move(metro.initial_game_state(), "#11")


def test_the_last_tile_goes_where_it_scores_most() -> None:
    state = metro.initial_game_state(4)
    while len(state.tiles) < 11:
        state = metro.apply_move(state, metro.available_move(state)[-1])
    ((tile, choices),) = Counter(move.tile_id for move in metro.available_move(state)).most_common(1)
    scored = {move: metro.get_score(metro.apply_move(state, move)) for move in metro.available_move(state)}
    picked = metro.pick_move(state, tile)
    assert choices > 1
    assert picked
    assert scored[picked] == max(score for move, score in scored.items() if move.tile_id == tile)


def test_a_game_of_random_tiles_scores_well_above_160() -> None:
    """About 340 on average when the first tile is not #1, which ends the game."""
    games = [metro.play_game(seed=seed) for seed in range(1, 3)]
    assert statistics.mean(metro.get_score(game) for game in games) > 200


def test_the_same_seed_gives_the_same_tiles() -> None:
    def tiles(seed: int) -> list[str]:
        drawn = predicates._random_tiles(seed)
        return [drawn(time) for time in range(20)]

    assert tiles(7) == tiles(7) != tiles(8)


def test_play_game_ends_when_the_caller_has_no_more_tiles() -> None:
    game = metro.play_game(lambda time: ("#9", "#5", None)[time])
    assert sorted(tile for _, tile, _ in game.tiles) == ["#5", "#9"]


def test_the_same_seed_and_tries_give_the_same_game() -> None:
    games = [metro.play_game(seed=seed, tries=40) for seed in (7, 7, 8)]
    assert len(games[0].tiles) > 20
    assert games[0] == games[1] != games[2]


def test_no_move_depends_on_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the games take, as many are played."""
    state = metro.initial_game_state()
    sample = strategy.prepare().sample
    picked = metro.pick_move(state, "#5", tries=300)

    def slow(*arguments: Any) -> None:
        sleep(0.02)
        sample(*arguments)

    monkeypatch.setitem(strategy.prepare()._functions, "sample", slow)
    assert metro.pick_move(state, "#5", tries=300) == picked


def test_without_tries_the_place_of_most_value_is_taken_and_nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy, "prepare", lambda: pytest.fail("nothing is to be compiled"))
    game = metro.play_game(seed=1, tries=0)
    assert game == metro.play_game(seed=1, tries=0)
    assert metro.get_score(game) > 100


@pytest.mark.soak
def test_more_tries_play_better() -> None:
    few, many = ([metro.play_game(seed=seed, tries=tries) for seed in range(1, 5)] for tries in (0, 400))
    assert sum(map(metro.get_score, few)) < sum(map(metro.get_score, many))


def test_tries_are_not_negative() -> None:
    with pytest.raises(ValueError, match="tries: read -1, expected 0 or more"):
        metro.pick_move(metro.initial_game_state(), "#5", tries=-1)
