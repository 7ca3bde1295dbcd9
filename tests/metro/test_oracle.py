"""Random games. After every move, all visible facts are compared with the oracle, which follows the rules page."""

from random import Random
from typing import Any

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.metro import board, paths
from ludoteca.games.metro.board import action_of
from ludoteca.games.metro.notation import why_not_placed
from ludoteca.games.metro.tiles import FACE_OF, FACES, NONE, ORIENTED, tile_id
from tests.metro.oracle import STACK, TRACKS, Oracle, Tile, available, rotations
from tests.metro.oracle import paths as walked

GAMES = {4: 8, 8: 1, 12: 1}
"""By side: the oracle is slow on larger boards."""
SOLO = [(side, tiles) for side in GAMES for tiles in ("endless", "stack")]
SEVERAL = [(2, "no"), (3, "yes"), (6, "no")]


def tile_of(kind: int) -> Tile | None:
    """A tile of the oracle. If it may be turned, it is unturned."""
    if kind == NONE:
        return None
    if kind > ORIENTED:
        return f"#{tile_id(kind)}", 0
    number, times = FACES[kind - 1]
    return f"#{number}", times


class Deal:
    """The oracle's tiles are those of the state: seen one by one in the endless draw, a stack known from the start else."""

    def __init__(self, state: State) -> None:
        record = state.raw
        self.state = state
        dealt = [int(record.hands[player]) or int(record.tile) for player in range(state.game.num_players())]
        self.known = [] if record.endless else [*dealt, *record.stack[: record.stacked].tolist()[::-1]]

    def draw(self) -> Tile | None:
        if self.state.raw.endless:
            return tile_of(int(self.state.raw.tile))
        return tile_of(self.known.pop(0)) if self.known else None

    def oracle(self) -> Oracle:
        players, rotate = self.state.game.num_players(), self.state.game.parameters["rotate"] == "yes"
        return Oracle(players, int(self.state.raw.side), rotate, self.draw, lambda: bool(self.known))


def shown(state: State) -> dict[str, object]:
    record = state.raw
    return {
        "moves": set() if state.is_terminal() else set(map(state.action_to_string, state.legal_actions())),
        "mover": state.current_player(),
        "tile": None if state.is_terminal() else tile_of(int(record.tile)),
        "scores": state.scores(),
        "winners": state.winners(),
        "paths": {
            (path.train.outside, tuple(tile_of(step.face) for step in path.steps), path.closed, path.central, path.points)
            for path in paths.paths_of(record)
        },
    }


def expected(oracle: Oracle) -> dict[str, object]:
    moves = set() if oracle.over else {f"{x} {y} R{turned}" for (x, y), turned in oracle.placements()}
    return {
        "moves": moves | ({"decline"} if oracle.may_decline() else set()),
        "mover": -4 if oracle.over else oracle.mover,
        "tile": None if oracle.over else oracle.tile,
        "scores": oracle.scores(),
        "winners": oracle.winners(),
        "paths": {
            (path.entry, path.tiles, path.end != "", path.end == "centre", path.points)
            for path in walked(oracle.board, oracle.side)
        },
    }


def play(random: Random, **parameters: Any) -> Oracle:
    """A random game, played by both side by side."""
    state = ludoteca.load("metro", **parameters).new_initial_state(random.getrandbits(64))
    oracle = Deal(state).oracle()
    while (seen := shown(state)) and not oracle.over:
        assert seen == expected(oracle)
        move = random.choice(sorted(map(state.action_to_string, state.legal_actions())))
        state.apply_action(state.string_to_action(move))
        if move == "decline":
            oracle.decline()
        else:
            x, y, rotation = move.split()
            oracle.place((int(x), int(y)), int(rotation[1]))
    assert seen == expected(oracle)
    return oracle


@pytest.mark.parametrize(("side", "tiles"), SOLO)
def test_solo_games_follow_the_rules_page_move_by_move(side: int, tiles: str) -> None:
    games = [play(Random(seed), side=side, tiles=tiles) for seed in range(GAMES[side])]
    assert max(len(oracle.board) for oracle in games) > side


@pytest.mark.parametrize(("players", "rotate"), SEVERAL)
def test_published_games_follow_the_rules_page_move_by_move(players: int, rotate: str) -> None:
    oracle = play(Random(players), players=players, rotate=rotate)
    assert len(oracle.board) == 60


@pytest.mark.parametrize("side", [4, 12])
def test_every_tile_not_only_the_next_may_go_where_the_oracle_says(side: int) -> None:
    state = ludoteca.load("metro", side=side).new_initial_state(seed=2)
    oracle, random = Deal(state).oracle(), Random(2)
    for _ in range(12):
        assert any_tile(state) == available(oracle.board, side)
        if oracle.over:
            break
        space, turned = random.choice(sorted(oracle.placements()))
        state.apply_action(action_of(board.spaces(side).index(space), FACE_OF[state.raw.tile, turned]))
        oracle.place(space, turned)


def any_tile(state: State) -> set[tuple[tuple[int, int], Tile]]:
    return {
        (space, (f"#{tile}", times))
        for space in board.spaces(int(state.raw.side))
        for face, (tile, times) in enumerate(FACES, 1)
        if not why_not_placed(state.raw, space, face)
    }


def test_the_stack_is_that_of_the_published_game() -> None:
    record = ludoteca.load("metro", players=2).new_initial_state(seed=3).raw
    kinds = [*record.stack[: record.stacked], record.tile, record.hands[1]]
    assert sorted(STACK) == sorted(tile_of(int(kind)) or ("", 0) for kind in kinds)
    record = ludoteca.load("metro", tiles="stack").new_initial_state(seed=3).raw
    assert sorted(name for name, _ in STACK) == sorted(
        (tile_of(int(kind)) or ("", 0))[0] for kind in [*record.stack[: record.stacked], record.tile]
    )


def test_the_oriented_tiles_are_the_distinct_ones() -> None:
    assert [(f"#{tile}", times) for tile, times in FACES] == [
        (name, turned) for name in TRACKS for turned in rotations(name)
    ]
