"""The scene of Q!nto, touches and words. Laws of all games check ids, words and secrets."""

from collections.abc import Iterable
from random import Random

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.messages import Message
from ludoteca.core.scene import Item, flat
from ludoteca.games.qinto import rules
from ludoteca.games.qinto.names import HIDDEN, hand_of, pile_names, piles_of, tiles_of
from ludoteca.games.qinto.view import guide, scene
from ludoteca.games.qinto.view.seats import SPRITE
from tests.qinto.positions import at, grid_of
from tests.qinto.test_notation import staircase

GRID = grid_of("1b 1G 1R 1B\n2b .  .  WW\n.  .  .  4R")
TILES = {sprite for name, sprite in SPRITE.items() if name != HIDDEN}
HAND = ["2B", "5b", "1W", "5b", "1b"]


def played(state: State, steps: str) -> State:
    for step in steps.split():
        state.apply_action(state.string_to_action(step))
    return state


def items(state: State, player: int = 0) -> dict[str, Item]:
    return {item.id: item for item in state.scene(player).items}


def english(state: State, message: Message) -> str:
    return state.game.in_english(message)


# The grid


def test_cells_are_named_as_in_notation_and_are_next_to_their_numbers() -> None:
    drawn = items(at(GRID, HAND))
    assert (drawn["tile/1,3"].sprite, drawn["tile/1,3"].x, drawn["tile/1,3"].y) == (
        "qinto-WW", drawn["column/3"].x, drawn["row/1"].y,
    )  # fmt: skip
    assert drawn["cell/2,0"].x == drawn["column/0"].x
    assert "cell/3,0" not in drawn


@pytest.mark.parametrize(
    ("grid", "step"),
    [(GRID, "+1W@0,-1"), (grid_of("1b 1G 1R 1B\n. . . 2B 2G 2R 2Y"), "+1W@0,-1"), (GRID, "-5b"), (GRID, "end")],
)
def test_a_turn_moves_no_tile_and_no_rack(grid: dict[tuple[int, int], str], step: str) -> None:
    state = at(grid, HAND)
    before, width = places(state), state.scene(0).width
    after = places(played(state, step))
    assert (before.items() <= after.items(), state.scene(0).width) == (True, width)


def places(state: State) -> dict[str, tuple[float, float, float]]:
    """Return the places and the sizes of the tiles on the grid, the racks and the own pile."""
    parts = ("tile/", "rack", "pile/0")
    return {name: (item.x, item.y, item.w) for name, item in items(state).items() if name.startswith(parts)}


def test_in_a_picture_the_whole_grid_is_between_the_racks() -> None:
    drawn = {item.id: item for item in flat(at(staircase(1), ["1Y", "2Y", "3Y", "4Y", "5Y"]).scene(0)).items}
    tiles = [item for name, item in drawn.items() if name.startswith("tile/")]
    assert all(drawn["rack/1"].y < tile.y < drawn["rack"].y for tile in tiles)
    assert max(tile.w for tile in tiles) < 0.5


def test_a_grid_of_few_tiles_is_drawn_with_room_around_it() -> None:
    empty, first = (state.scene(0) for state in (at({}, HAND), played(at({}, HAND), "+5b@0,0")))
    assert (empty.width, empty.height) == (first.width, first.height)
    assert [item.id for item in empty.items if item.id.startswith("cell/")] == ["cell/0,0"]


@pytest.mark.parametrize("down", [1, -1])
def test_a_grid_that_crosses_the_seam_is_drawn_in_one_piece(down: int) -> None:
    grid = staircase(down)
    drawn = items(at(grid, ["1Y", "2Y", "3Y", "4Y", "5Y"]))
    first = drawn["tile/0,0"]
    beyond = drawn[f"tile/{-28 * down},8"]
    assert (beyond.x - first.x, beyond.y - first.y) == (8.0, 36.0 * down)
    assert drawn["row/-32"].y - drawn["row/31"].y == 1.0


def test_what_was_played_last_is_marked_and_comes_from_the_hand() -> None:
    state = played(at(GRID, HAND), "+1W@0,-1")
    tile = items(state, 0)["tile/0,-1"]
    assert (tile.classes, tile.start) == ("field last by-0", "hand/1W")
    assert items(state, 1)["tile/0,-1"].start == "back/0/4"
    assert "back/0/4" not in items(state, 1)
    assert items(played(state, "end"))["tile/0,-1"].classes == "field"


def test_a_wild_that_was_swapped_comes_from_the_grid() -> None:
    state = played(at(GRID, HAND), "~5b@1,3")
    assert items(state, 0)["hand/WW"].start == "tile/1,3"
    assert items(state, 0)["hand/2B"].start == "pile/0"


@pytest.mark.parametrize(
    ("picture", "lines"),
    [
        ("1b 1G 1R 1B 1Y", {"qinto/row/0,0": 0}),
        ("1b\n1G\n1R\n1B\n1Y", {"qinto/column/0,0": 90}),
        ("1b 1G 1R 1B", {}),
        ("1b 1G 1R 1B 1Y\n2b .  .  .  2Y\n3b\n4b\n5b", {"qinto/row/0,0": 0, "qinto/column/0,0": 90}),
    ],
)
def test_lines_of_five_are_framed(picture: str, lines: dict[str, int]) -> None:
    drawn = items(at(grid_of(picture), ["2B", "1W", "4R", "3G", "WW"]))
    assert {name: item.angle for name, item in drawn.items() if name.startswith("qinto/")} == lines
    for name, item in drawn.items():
        if name.startswith("qinto/row"):
            assert (item.x, item.y, item.w) == (drawn["tile/0,2"].x, drawn["tile/0,2"].y, 5)


# Players


def test_two_equal_tiles_are_one_thing_to_touch() -> None:
    drawn = items(at(GRID, HAND))
    label = drawn["hand/5b"].label
    assert isinstance(label, tuple)
    assert (label[0], drawn["hand/5b/2"].label) == ("hand.two", "")
    assert [name for name in drawn if name.startswith("hand/")] == ["hand/1b", "hand/2B", "hand/5b/2", "hand/5b", "hand/1W"]


def test_others_are_seen_in_turn_order_and_from_behind() -> None:
    state = at(GRID, HAND, players=4)
    for seat, others in ((0, [1, 2, 3]), (2, [3, 0, 1]), (-1, [0, 1, 2, 3])):
        drawn = items(state, seat)
        signs = [int(name.removeprefix("seat/")) for name in drawn if name.startswith("seat/")]
        assert signs == others + ([seat] if seat >= 0 else [])
        backs = [item.sprite for name, item in drawn.items() if name.startswith("back/")]
        assert backs == 5 * len(others) * ["qinto-back"]
    assert not [name for name in items(state, -1) if name.startswith("hand/")]


def test_tiles_put_under_the_pile_are_shown_to_the_player_who_put_them_there() -> None:
    state = played(at(GRID, HAND), "-1W -1b end")
    drawn = items(state)
    assert [(name, item.sprite) for name, item in drawn.items() if name.startswith("under/")] == [
        ("under/1W/1", "qinto-1W"), ("under/1b/1", "qinto-1b"),
    ]  # fmt: skip
    label = english(state, drawn["under/1b/1"].label)
    assert label == "spade, black (1b), which you put under the pile; place from the top: 25"
    assert not any("under" in name for name in items(state, 1))


def test_a_wild_that_was_seen_to_go_to_a_hand_is_seen_there_and_then_perhaps() -> None:
    state = played(at(GRID, HAND), "~5b@1,3 end")
    assert items(state, 1)["back/0/4"].sprite == "qinto-WW"
    played(state, "end -WW")
    drawn = items(state, 1)
    assert [item.sprite for name, item in drawn.items() if name.startswith("back/0/")] == 4 * ["qinto-back"]
    assert drawn["maybe/0/0"].sprite == "qinto-WW"


def test_a_wild_put_under_the_common_pile_is_perhaps_there() -> None:
    state = played(at(GRID, HAND, "classic"), "~5b@1,3 end end -WW")
    assert items(state, 1)["maybe/pile/0"].sprite == "qinto-WW"


def test_a_spectator_sees_the_common_pile() -> None:
    assert items(at(GRID, HAND, "classic"), -1)["pile/0"].text == "43"
    assert {name for name in items(at(GRID, HAND), -1) if name.startswith("pile/")} == {"pile/0", "pile/1"}


def test_standings() -> None:
    light, plus = ludoteca.load("qinto").new_initial_state(1), played(at(GRID, HAND, "plus"), "+1W@0,4")
    assert [[english(light, part) for part in fact] for fact in light.scene().standings[1].facts] == [
        ["left", "30"], ["pile", "25"],
    ]  # fmt: skip
    assert [[english(plus, part) for part in fact] for fact in plus.scene().standings[0].facts] == [
        ["points", "10"], ["hand", "4"],
    ]  # fmt: skip


# Touching


def test_a_tile_and_where_it_goes() -> None:
    state = at(GRID, HAND)
    legal = state.legal_actions()
    touches = {choice.action: choice.touches for choice in scene.choices(state.raw, 0, legal)}
    for text, expected in (
        ("+5b@2,0", {"hand/5b", "cell/2,0"}),
        ("~5b@1,3", {"hand/5b", "tile/1,3"}),
        ("-1W", {"hand/1W", "pile/0"}),
        ("end", set()),
    ):
        assert set(touches[state.string_to_action(text)]) == expected


@pytest.mark.parametrize(
    ("variant", "touched", "text"),
    [
        ("light", ["hand/5b", "cell/0,4"], "+5b@0,4"),
        ("light", ["cell/0,4", "hand/5b"], "+5b@0,4"),
        ("light", ["hand/5b", "tile/0,0"], "~5b@0,0"),
        ("light", ["pile/0", "hand/5b"], "-5b"),
        ("classic", ["pile/0", "hand/5b"], "-5b"),
        ("light", ["hand/5b", "pile/1"], ""),
        ("light", ["hand/5b", "hand/1b"], ""),
        ("light", ["hand/5b"], ""),
        ("light", ["cell/0,4", "tile/0,0"], ""),
        ("light", ["hand/5b", "cell/0,4", "cell/2,0"], ""),
        ("light", ["hand/5b", "seat/1"], ""),
        ("light", [], ""),
    ],
)
def test_what_touching_means(variant: str, touched: list[str], text: str) -> None:
    state = at(GRID, HAND, variant)
    assert scene.interpret(state.raw, 0, touched) == (state.string_to_action(text) if text else -1)


@pytest.mark.parametrize(("variant", "players"), [("light", 3), ("classic", 2)])
def test_after_the_end_all_seats_see_hands_and_piles(variant: str, players: int) -> None:
    state = ludoteca.load("qinto", variant=variant, players=players).new_initial_state(1)
    while not state.is_terminal():
        state.apply_action(rules.END)
    names = [name for pile in piles_of(state.raw) for name in pile_names(state.raw, pile)]
    names += [name for player in range(players) for name in hand_of(state.raw, player)] + list(tiles_of(state.raw).values())
    for seat in range(-1, players):
        assert len(shown_of(items(state, seat).values())) < len(names)
        view = state.view(seat).raw
        scene.reveal(state.raw, view)
        drawn = flat(scene.draw(view, seat))
        assert shown_of(drawn.items) == sorted(names)
        for item in drawn.items:
            assert item.w / 2 <= item.x <= drawn.width - item.w / 2, item.id
            assert item.h / 2 <= item.y <= drawn.height - item.h / 2, item.id


def shown_of(drawn: Iterable[Item]) -> list[str]:
    """Return the names of the tiles that are drawn open."""
    return sorted(item.sprite.removeprefix("qinto-") for item in drawn if item.sprite in TILES)


# Words


@pytest.mark.parametrize(
    ("steps", "text", "seat", "told"),
    [
        ("", "+5b@2,0", 1, "adds club, black (5b) at 2,0: a line of 3"),
        ("", "+5b@-1,1", 1, "adds club, black (5b) at -1,1"),
        ("", "+1W@0,4", 0, "adds spade, any colour (1W) at 0,4: a Q!nto"),
        ("", "~5b@1,3", 1, "swaps club, black (5b) for the wild at 1,3"),
        ("", "-1W", 0, "puts spade, any colour (1W) under the pile"),
        ("", "-1W", 1, "puts a tile under the pile"),
        ("", "end", 1, "passes"),
        ("+5b@2,0", "end", 1, "ends the turn"),
    ],
)
def test_the_log(steps: str, text: str, seat: int, told: str) -> None:
    state = played(at(GRID, HAND), steps)
    seen = state.seen_action(state.string_to_action(text), seat)
    assert english(state, scene.describe(state.view(seat).raw, seat, seen)) == told


@pytest.mark.parametrize(
    ("steps", "task", "button"),
    [
        ("", "add tiles in a line, swap one for a wild, or trade at the pile", "Pass"),
        ("+5b@2,0", "go on with this line, or end the turn", "End turn"),
        ("~5b@1,3", "swap more tiles for wilds, or end the turn", "End turn"),
        ("-5b", "trade more tiles, or end the turn and draw new ones", "End turn"),
        ("+1W@0,4", "a Q!nto, so another turn follows: go on with this line, or end the turn", "End turn"),
    ],
)
def test_the_task(steps: str, task: str, button: str) -> None:
    state = played(at(GRID, HAND), steps)
    assert english(state, state.scene(0).task) == task
    (end,) = scene.choices(state.raw, 0, [rules.END])
    assert english(state, end.label) == button


def test_the_task_says_when_nobody_adds_tiles() -> None:
    state = played(at(GRID, HAND), "end end end end")
    assert english(state, state.scene(0).task).endswith("at the pile. Turns left if nobody adds a tile: 4")


@pytest.mark.parametrize(
    ("players", "adds", "said"),
    [
        (2, 0, "player 1 and player 2 share the win"),
        (4, 0, "player 1, player 2, player 3 and player 4 share the win"),
        (4, 1, "player 1 wins"),
    ],
)
def test_how_it_ends_when_nobody_adds_tiles(players: int, adds: int, said: str) -> None:
    state = ludoteca.load("qinto", players=players).new_initial_state(1)
    for _ in range(adds):
        state.apply_action(state.legal_actions()[0])
    while not state.is_terminal():
        state.apply_action(rules.END)
    assert english(state, state.scene().task) == f"no player adds tiles any more: {said}"


@pytest.mark.parametrize(("variant", "seed"), [("light", 1), ("classic", 1), ("classic", 2)])
def test_how_it_ends_when_a_player_lays_the_last_tile(variant: str, seed: int) -> None:
    state = laid_out(variant, seed)
    (out,) = (seat for seat in range(2) if not state.raw.in_hand[seat])
    (winner,) = state.winners()
    last = f"player {out + 1} lays the last tile"
    expected = f"{last} and wins" if winner == out else f"{last}: player {winner + 1} wins"
    assert english(state, state.scene().task) == expected


def laid_out(variant: str, seed: int) -> State:
    """Return the end of a random game in which players add tiles whenever they can, until a player has none."""
    random, state = Random(seed), ludoteca.load("qinto", variant=variant).new_initial_state(seed)
    while not state.is_terminal():
        legal = state.legal_actions()
        adds = [action for action in legal if state.action_to_string(action)[0] == "+"]
        state.apply_action(random.choice(adds or [action for action in legal if action >= rules.TRADE]))
    return state


# The pictures of the guide


def guided(grid: str, hand: str = "", variant: str = "light") -> State:
    text = guide.position(grid, hand)
    if variant == "light":
        return ludoteca.load("qinto").state_from_string(text)
    lying, hands, piles, *rest = text.split()
    return ludoteca.load("qinto", variant=variant).state_from_string(
        " ".join([lying, hands, piles.replace("/", ","), *rest])
    )


def test_the_guides_last_tile_scores_what_is_said() -> None:
    state = played(guided("0,0:2G2R/3G3R/4G..", "4R 1W 2B 5Y 4b", "classic"), "+4R@2,1")
    assert state.scores() == [2 + 3, 0]


def test_the_guides_diagonal_scores_in_plus() -> None:
    grid = "0,0:1b1B../..2B2G"
    lone = [played(guided(grid, "3G 1W 2Y 5Y 4b", variant), "+3G@2,2").scores()[0] for variant in ("classic", "plus")]
    assert lone == [2, 2 + 3]


# In advance


@pytest.mark.parametrize("variant", ["light", "classic"])
def test_what_is_chosen_in_advance_is_what_could_be_played_if_the_turn_ended_now(variant: str) -> None:
    """The planned steps of the next player are the legal first steps after the present turn, in each of its states."""
    state, random, swapped = ludoteca.load("qinto", variant=variant, players=2).new_initial_state(4), Random(4), False
    while not state.is_terminal():
        after, seat = state.child(rules.END), 1 - state.current_player()
        if after.current_player() == seat:
            planned = state.view(seat).copy()
            scene.begin_turn(planned.raw, seat)
            assert planned.choices().tolist() == after.legal_actions()
            swapped = swapped or state.raw.phase == rules.SWAPPING
        state.apply_action(
            random.choice([action for action in state.legal_actions() if action < rules.TRADE] or [rules.END])
        )
    assert swapped
