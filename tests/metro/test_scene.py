"""The scene, its touches and its texts: connected tracks, the places of trains, and reasons for refusals."""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import dist
from typing import Any

import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.contract import RawPosition
from ludoteca.core.game import State
from ludoteca.core.guide import state_of
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Choice, Item, Scene
from ludoteca.games import metro
from ludoteca.games.metro import tiles
from ludoteca.games.metro.board import DECLINE
from ludoteca.games.metro.paths import Step, TracedPath, path_of, paths_of
from ludoteca.games.metro.tiles import SIDES
from ludoteca.games.metro.view import guide, scene

SPRITES = metro.GAME.file("sprites.svg").read_text(encoding="utf-8")
TO_COME = "0123456789abcdef"
EMPTY = "8/8/8/3,*,*,3/3,*,*,3/8/8/8"
EXAMPLE = "1,5R0,6R0,5/1,7R2,2R1,5/9R0,3R2,6/3,*,*,3/3,*,*,3/8/8/8"
"""The document's, whose paths its section “Reguli” counts."""
TO_THE_CENTRE = "4,9R0,3/4,9R0,3/4,9R0,3/3,*,*,3/3,*,*,3/8/8/8"

Point = tuple[float, float]


def solo(rows: str, tile: str, mover: str = "1") -> State:
    return ludoteca.load("metro").state_from_string(f"{rows} {mover} {tile} {TO_COME}")


def after(moves: int, seed: int = 2, **chosen: Any) -> State:
    state, rng = ludoteca.load("metro", **chosen).new_initial_state(seed), new_rng(seed)
    while not state.is_terminal() and len(state.history()) < moves:
        state.apply_action(state.random_action(rng))
    return state


def record(state: State) -> RawPosition:
    return state.view(0).raw


def drawn(state: State) -> Scene:
    return scene.draw(record(state), 0)


def items(state: State) -> dict[str, Item]:
    return {item.id: item for item in drawn(state).items}


def told(state: State, action: int) -> str:
    return state.game.in_english(scene.describe(record(state), 0, action))


# The tracks, as the symbols draw them

IN = {0: (0, 68), 1: (68, 100), 2: (100, 32), 3: (32, 0)}
"""The point at which a track enters a tile, by side. Trains keep to the right."""
OUT = {0: (0, 32), 1: (32, 100), 2: (100, 68), 3: (68, 0)}


def ends(further: int) -> tuple[Point, Point]:
    """The start and the end of the track that leaves this many sides further. It enters across the left side."""
    found = re.search(rf'<path id="way-{further}" d="M(\d+) (\d+) .*?(?:(H)(\d+)|(\d+) (\d+))"', SPRITES)
    assert found
    x, y, level, across, right, down = found.groups()
    return (float(x), float(y)), ((float(across), float(y)) if level else (float(right), float(down)))


def turned(point: Point, angle: int) -> Point:
    """Clockwise about the middle of a tile."""
    x, y = point
    for _ in range(angle // 90):
        x, y = 100 - y, x
    return x, y


@pytest.mark.parametrize("side", range(SIDES))
@pytest.mark.parametrize("further", range(SIDES))
def test_a_track_is_drawn_from_where_it_enters_to_where_it_leaves(side: int, further: int) -> None:
    path = path_of(solo(EMPTY, "9").raw, 1)._replace(steps=(Step((1, 1), 1, side, (side + further) % SIDES),))
    (item,) = scene._tracks(scene._still(8, 1), [path])
    begin, end = (turned(point, item.angle) for point in ends(further))
    assert item.sprite == f"track-{further}"
    assert (begin, end) == (IN[side], OUT[(side + further) % SIDES])


@pytest.mark.parametrize("face", range(1, tiles.ORIENTED + 1))
def test_a_tile_is_drawn_with_its_tracks(face: int) -> None:
    item = scene._tile(8, 0, face)
    symbol = re.search(rf'<symbol id="{item.sprite}" .*?</symbol>', SPRITES)
    assert symbol
    rails = re.findall(r'href="#rail-(\d)"(?: transform="rotate\(-(\d+) 50 50\)")?', symbol[0])
    tracks = [[turned(point, (item.angle - int(angle or 0)) % 360) for point in ends(int(k))] for k, angle in rails]
    expected = [[IN[side], OUT[left]] for side, left in enumerate(tiles.exits(face))]
    assert sorted(tracks) == sorted(expected)


def point_of(item: Item, point: Point) -> Point:
    x, y = turned(point, item.angle)
    return item.x + x / 100 - 0.5, item.y + y / 100 - 0.5


def line_of(state: State, path: TracedPath) -> list[Point]:
    """The points at which a drawn path passes from tile to tile."""
    seen = items(state)
    points: list[Point] = []
    for step in path.steps:
        item = seen[f"track-{step.place[0]}-{step.place[1]}-{step.entered}"]
        begin, end = ends(int(item.sprite[-1]))
        assert not points or points[-1] == pytest.approx(point_of(item, begin))
        points = [*points, point_of(item, begin), point_of(item, end)]
    return points


@pytest.mark.parametrize("chosen", [{"side": 4}, {"players": 5}])
def test_paths_are_drawn_from_train_to_station(chosen: dict[str, Any]) -> None:
    state = after(140, **chosen)
    seen = items(state)
    assert paths_of(record(state))
    for path in paths_of(record(state)):
        points, train = line_of(state, path), seen[f"train-{path.number}"]
        home = seen[f"home-{path.number}"] if path.closed else train
        assert dist((home.x, home.y), points[0]) < 0.3
        if path.closed:
            assert dist((train.x, train.y), points[-1]) < 0.8
            assert min(abs(train.x - points[-1][0]), abs(train.y - points[-1][1])) < 0.01


def test_every_train_is_somewhere_of_its_own() -> None:
    for chosen in ({}, {"players": 6}, {"side": 12}):
        seen = items(after(140, **chosen))
        places = [(item.x, item.y) for name, item in seen.items() if name.startswith(("train-", "home-", "sign-"))]
        assert min(dist(a, b) for i, a in enumerate(places) for b in places[:i]) > scene.TRAIN * 0.9


def test_closed_paths_lie_above_the_others() -> None:
    state = solo(EXAMPLE, "9")
    closed = ["closed" in item.classes for item in drawn(state).items if item.id.startswith("track-")]
    assert closed == sorted(closed)
    assert closed.count(True) == 10


def test_paths_have_the_colour_of_their_owner_and_trains_of_nobody_have_none() -> None:
    state = after(140, players=5)
    seen = items(state)
    assert seen["train-1"].classes == "train on-player player-0 of-train-1 code"
    assert seen["train-1"].sprite == "train-0"
    assert {seen[f"train-{number}"].sprite for number in (16, 17)} == {"train-none"}
    for path in paths_of(record(state)):
        step = path.steps[0]
        track = seen[f"track-{step.place[0]}-{step.place[1]}-{step.entered}"]
        colour = re.search(r"player-\d", seen[f"train-{path.number}"].classes)
        assert re.findall(r"player-\d", track.classes) == ([colour[0]] if colour else [])


def test_who_plays_alone_sees_a_colour_where_a_train_has_left() -> None:
    seen = items(solo(EXAMPLE, "9"))
    assert [n for n in range(1, 33) if "player-" in seen[f"train-{n}"].classes] == [6, 7, 11]


def test_players_have_signs_of_their_own() -> None:
    shapes = re.findall(r'<symbol id="train-\d" viewBox="0 0 100 100">(.*?) style', SPRITES)
    assert len(set(shapes)) == len(shapes) == 6


def test_what_a_train_travels_and_where_it_comes_from_are_its_own() -> None:
    state = after(140)
    seen = items(state)
    for path in paths_of(record(state)):
        own = {name for name, item in seen.items() if f"of-train-{path.number}" in item.classes.split()}
        tracks = {f"track-{step.place[0]}-{step.place[1]}-{step.entered}" for step in path.steps}
        train = {f"train-{path.number}"} if path.steps else set()
        assert own == tracks | train | ({f"home-{path.number}"} if path.closed else set())


def test_tracks_change_from_the_home_of_a_train_to_its_station() -> None:
    state = after(140)
    seen = items(state)
    for path in paths_of(record(state)):
        tracks = [seen[f"track-{step.place[0]}-{step.place[1]}-{step.entered}"] for step in path.steps]
        runs = [int(found[1]) for track in tracks if (found := re.search(r"run-(\d)", track.classes))]
        assert len(runs) == len(tracks)
        assert runs == sorted(runs)


@pytest.mark.parametrize(("chosen", "sheets", "text"), [({"players": 4}, 6, "56"), ({"players": 1}, 6, "∞")])
def test_the_stack_is_as_high_as_its_number(chosen: dict[str, Any], sheets: int, text: str) -> None:
    seen = items(after(0, **chosen))
    assert sum(item.sprite == "back" for item in seen.values()) == sheets
    assert seen["stack"].text == text


@pytest.mark.parametrize("chosen", [{"players": 1, "side": 4}, {"players": 1, "side": 12}, {"players": 6, "rotate": "yes"}])
def test_what_lies_below_the_board_has_room(chosen: dict[str, Any]) -> None:
    for moves in range(0, 40, 3):
        picture = drawn(after(moves, **chosen))
        below = [item for item in picture.items if item.y > picture.width and item.id[:4] in ("turn", "slot", "shee")]
        sides = sorted((item.x - item.w / 2, item.x + item.w / 2) for item in below if item.id[:4] == "turn")
        assert all(before[1] < later[0] for before, later in pairwise(sides))
        others = min(item.x - item.w / 2 for item in below if item.id[:4] != "turn")
        assert all(right < others for _, right in sides)
        assert all(item.x - item.w / 2 > 0 and item.x + item.w / 2 < picture.width for item in below)
        assert all(item.y + item.h / 2 < picture.height for item in below)


def test_a_preview_shows_the_points_of_the_trains_that_would_arrive() -> None:
    state = solo("4,9R0,3/4,9R0,3/8/3,*,*,3/3,*,*,3/8/8/8", "9")
    shown = scene.preview(record(state), 0, state.string_to_action("5 3 R0"))
    assert [item.text for item in shown.items if item.classes == "gain"] == ["+6"]


def test_a_tile_comes_from_where_it_was_offered() -> None:
    state = solo(EMPTY, "7")
    action = state.string_to_action("1 1 R2")
    laid = next(item for item in state.child(action).scene().items if item.id == "tile-1-1")
    assert (laid.start, laid.classes) == ("turn-7R2", "last by-0")
    assert (items(state)["turn-7R2"].sprite, items(state)["turn-7R2"].angle) == (laid.sprite, laid.angle)


def test_a_tile_in_hand_comes_from_the_stack_and_goes_to_where_it_is_offered() -> None:
    state = after(0, players=3)
    seen = items(state)
    kept = [(name, item.start) for name, item in seen.items() if name.startswith("hand-")]
    assert kept == [("hand-1", "stack"), ("hand-2", "stack")]
    assert [item.start for name, item in seen.items() if name.startswith("turn-")] == ["hand-0"]
    declined = items(state.child(DECLINE))
    assert "hand-0" in declined
    assert [item.start for name, item in declined.items() if name.startswith("turn-")] == ["stack"]


def test_what_is_left_of_the_stack() -> None:
    state = after(10, players=2)
    stack = items(state)["stack"]
    assert stack.text == str(state.raw.stacked)
    assert items(solo(EMPTY, "7"))["stack"].text == "∞"


def test_a_screen_reader_hears_of_trains() -> None:
    assert heard(solo(EXAMPLE, "9"), 1) == "train 1: no tile before it yet"
    assert heard(solo(EXAMPLE, "9"), 7) == "train 7: at a station, points: 5"
    assert heard(solo(EXAMPLE, "9"), 11) == "train 11: under way, tiles so far: 2"
    assert heard(solo(TO_THE_CENTRE, "9"), 4) == "train 4: in the centre, points: 6"
    assert heard(after(0, players=3), 1) == "train 1: no tile before it yet (player 1)"
    assert heard(after(0, players=3), 16) == "train 16: no tile before it yet (belongs to nobody)"


def heard(state: State, number: int) -> str:
    return state.game.in_english(items(state)[f"train-{number}"].label)


# Touches


def offered(state: State) -> dict[int, Choice]:
    return {choice.action: choice for choice in scene.choices(record(state), 0, state.legal_actions())}


def test_a_tile_that_can_be_turned_is_touched_with_its_space() -> None:
    state = solo(EMPTY, "7")
    assert sorted(offered(state)) == state.legal_actions()
    assert offered(state)[state.string_to_action("1 1 R2")].touches == ("turn-7R2", "space-1-1")


def test_a_tile_that_cannot_be_turned_needs_its_space_only() -> None:
    state = solo(EMPTY, "9")
    assert offered(state)[state.string_to_action("1 1 R0")].touches == ("space-1-1",)


def test_declining_is_a_button() -> None:
    state = after(0, players=3)
    assert (offered(state)[DECLINE].touches, offered(state)[DECLINE].label) == ((), ("choice.decline",))


def meaning(state: State, *touched: str) -> str:
    action = scene.interpret(record(state), 0, touched)
    return state.refusal(action) if action >= 0 else ""


@pytest.mark.parametrize(
    ("tile", "touched", "says"),
    [
        ("7", ["turn-7R1", "tile-2-1"], "2 1 is taken: tile 5R0 lies there"),
        ("7", ["tile-2-1"], "2 1 is taken: tile 5R0 lies there"),
        ("7", ["space-6-3"], "6 3 is neither on the edge of the board nor next to a tile"),
        (
            "4",
            ["turn-4R1", "space-7-1"],
            "tile 4R1 on 7 1 would make a path of length 1, from a train straight to a station",
        ),
        ("4", ["space-7-1"], ""),
        ("4", ["turn-4R0", "turn-4R1"], ""),
        ("4", ["space-7-1", "space-8-1"], ""),
        ("4", ["turn-4R1", "space-7-1", "stack"], ""),
        ("9", ["turn-9R0", "space-7-1"], ""),
        ("9", ["turn-9R0", "space-6-3"], "6 3 is neither on the edge of the board nor next to a tile"),
        ("9", [], ""),
    ],
)
def test_what_is_touched_in_vain_says_why(tile: str, touched: Sequence[str], says: str) -> None:
    assert meaning(solo(EXAMPLE, tile), *touched) == says


# Texts


def test_a_tile_is_told_with_what_it_brings() -> None:
    state = solo("4,9R0,3/4,9R0,3/8/3,*,*,3/3,*,*,3/8/8/8", "9")
    assert told(state, state.string_to_action("1 1 R0")) == "places tile 9R0 (column 1, row 1)"
    assert told(state, state.string_to_action("5 3 R0")) == "places tile 9R0 (column 5, row 3), and trains arrive: points: 6"


@pytest.mark.parametrize("players", [3])
def test_gains_are_told_by_player(players: int) -> None:
    state, rng = ludoteca.load("metro", players=players).new_initial_state(4), new_rng(4)
    seen = 0
    while not state.is_terminal():
        action, before = state.random_action(rng), state.scores()
        text = told(state, action)
        state.apply_action(action)
        gains = {n: now - then for n, (now, then) in enumerate(zip(state.scores(), before, strict=True), 1) if now > then}
        assert {int(n): int(points) for n, points in re.findall(r"player (\d) \+(\d+)", text)} == gains
        seen += len(gains)
    assert seen > players


def test_declining_is_told() -> None:
    state = after(0, players=3)
    assert re.fullmatch(r"keeps tile \d+R\d and draws another", told(state, DECLINE))


def task(state: State) -> str:
    return state.game.in_english(drawn(state).task)


def test_what_is_to_be_done() -> None:
    assert task(solo(EMPTY, "7")) == "Tile 7: choose how to turn it, and a space."
    assert task(solo(EMPTY, "9")) == "Place tile 9."
    assert task(after(0, players=3)).endswith(", or decline it.")
    assert not task(after(0, players=3).child(DECLINE)).endswith(", or decline it.")


def test_how_it_ended() -> None:
    several = after(140, players=4)
    (winner,) = several.winners()
    assert task(several) == f"player {winner + 1} wins. Points: {max(several.scores())}."


FULL = guide.FINISHED.replace("/1,4R0,", "/9R0,4R0,")


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (ludoteca.load("metro").state_from_string(guide.FINISHED), "Tile 6 has no place."),
        (ludoteca.load("metro").state_from_string(FULL), "The board is full."),
        (after(140, side=12, tiles="stack"), "The stack is used up."),
    ],
)
def test_a_game_alone_ends_with_a_reason(state: State, reason: str) -> None:
    closed = [path for path in paths_of(record(state)) if path.closed]
    assert task(state) == (
        f"{reason} Points: {state.scores()[0]}. Trains arrived: {len(closed)}, of them in the centre: "
        f"{sum(path.central for path in closed)}."
    )


def test_a_shared_win_names_all() -> None:
    state = next(state for seed in range(200) if len((state := after(140, seed, players=6)).winners()) > 1)
    assert all(f"player {player + 1}" in task(state) for player in state.winners())
    assert "share the win" in task(state)


def test_the_table_counts_the_trains_that_have_arrived() -> None:
    state = after(140, players=3)
    table = {line.player: [value for _, value in line.facts] for line in drawn(state).standings}
    assert [table[player][0] for player in range(3)] == state.scores()
    assert [table[player][1] for player in range(3)] == [("standing.of", 10, 10)] * 3


# The guide


def guided(key: str) -> State:
    """The position that a caption of the guide is about."""
    pictures = [part.picture for part in guide.GUIDE.parts if part.picture]
    (picture,) = [each for each in pictures if each.caption == (key,)]
    return state_of(registry.find("metro"), guide.GUIDE, picture)[0]


def test_the_guides_paths() -> None:
    points = {
        path.number: (path.points, len({step.place for step in path.steps})) for path in paths_of(guided("shown.path").raw)
    }
    assert points == {6: (5, 5), 7: (5, 4), 11: (0, 2)}
    assert [(path.number, path.points) for path in paths_of(guided("shown.centre").raw) if path.closed] == [(4, 6)]


def test_the_guides_path_that_is_too_short() -> None:
    state = guided("shown.short")
    assert "path of length 1" in state.refusal(state.string_to_action("4 1 R1"))


def test_the_guides_places() -> None:
    state = guided("shown.place")
    spaces = {state.action_to_string(action).rpartition(" ")[0] for action in state.legal_actions()}
    assert spaces >= {"4 1", "3 3"}
    assert "5 3" not in spaces


def test_a_tile_of_a_small_board_may_lead_straight_to_the_centre() -> None:
    deals = (ludoteca.load("metro", players=1, side=4).new_initial_state(seed) for seed in range(20))
    after = [state.child(action) for state in deals for action in state.legal_actions()]
    lengths = {(len(path.steps), path.points) for child in after for path in paths_of(child.raw) if path.central}
    assert lengths == {(1, 2)}
