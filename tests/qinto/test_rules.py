"""The rules, one by one: position, act, assert. Tiles that are not named are somewhere."""

from collections import Counter
from random import Random

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.qinto import rim, tiles
from ludoteca.games.qinto.hidden import give, take
from ludoteca.games.qinto.names import read_kind
from tests.qinto.oracle import DECK, HAND, Grid
from tests.qinto.positions import at, grid_of


def having(grid: Grid, hand: list[str], variant: str = "light") -> State:
    """A position of two in which player 1 has this hand. Tiles that it lacks are taken out of the game."""
    others = list((Counter(DECK) - Counter(grid.values()) - Counter(hand)).elements())[: HAND - len(hand)]
    state = at(grid, hand + others, variant)
    for tile in others:
        give(state.raw, 0, read_kind(tile))
        state.raw.in_hand[0] -= 1
    return state


def play(state: State, *steps: str) -> State:
    for step in steps:
        state.apply_action(state.string_to_action(step))
    return state


def texts(state: State) -> set[str]:
    return {state.action_to_string(action) for action in state.legal_actions()}


def adds(state: State) -> set[str]:
    return {text for text in texts(state) if text[0] == "+"}


# Lines


@pytest.mark.parametrize(
    ("row", "tile", "fits"),
    [
        ("1b 2b", "3b", True),  # equal colours, different shapes
        ("1b 2b", "1b", False),  # two shapes of three are equal
        ("1b 2G", "3b", False),  # two colours of three are equal
        ("1b 1b", "1G", False),
        ("1b", "1b", True),  # identical tiles side by side
        ("1b WW", "1G", True),
        ("1b WG 3R", "2G", False),
        ("1b WG 3R", "2Y", True),
        ("1b 4W WW", "4b", False),
        ("1b 1W WW", "1R", True),
        ("1b 2B 3G 4R", "5Y", True),
        ("1b 2B 3G 4R", "WW", True),
        ("1b 2B 3G 4R 5Y", "WW", False),  # six in a row
    ],
)
def test_lines(row: str, tile: str, fits: bool) -> None:
    state = having(grid_of(row), [tile])
    assert (f"+{tile}@0,{len(row.split())}" in texts(state)) == fits
    assert (f"+{tile}@0,-1" in texts(state)) == fits


def test_a_wild_may_stand_for_different_tiles_across_and_down() -> None:
    state = having(grid_of("1b WW 3R\n.  2G ."), ["5B"])
    assert "+5B@2,1" in texts(state)  # down: 3R, say; across it is 2G
    assert "+5B@-1,1" in texts(state)


def test_a_tile_between_two_lines_must_fit_both() -> None:
    """Its row is 1b 1G _ 1R, its column _ 2R 3R."""
    state = having(grid_of("1b 1G .  1R\n1Y .  2R 4R\n1R 2R 3R 5R"), ["1Y", "4R", "1W", "WB", "WW"])
    assert {text for text in adds(state) if text.endswith("@0,2")} == {"+1W@0,2", "+WW@0,2"}


# Adding


def test_the_first_tile_has_one_cell_and_the_next_ones_go_on_in_one_line() -> None:
    state = ludoteca.load("qinto").new_initial_state(3)
    assert {text.partition("@")[2] for text in adds(state)} == {"0,0"}
    state = having({}, ["1b", "2b", "3b", "4G", "5R"])
    play(state, "+1b@0,0", "+2b@0,1")
    assert adds(state) == {"+3b@0,2", "+3b@0,-1"}


def test_a_line_goes_on_through_old_tiles() -> None:
    state = having(grid_of("1b . 3b\n1G 1R 1B"), ["2b", "5b", "4b"])
    play(state, "+2b@0,1")
    assert {"+4b@0,3", "+4b@0,-1", "+5b@0,3", "+5b@0,-1"} <= adds(state)
    play(state, "+4b@0,3")
    assert adds(state) == {"+5b@0,4", "+5b@0,-1"}


def test_a_turn_that_adds_does_nothing_else() -> None:
    state = having(grid_of("1b WW"), ["1G", "1R", "3Y"])
    play(state, "+1G@1,0")
    assert all(text[0] == "+" or text == "end" for text in texts(state))


def test_the_hand_is_refilled_at_the_end_of_the_turn_and_the_next_player_moves() -> None:
    state = having(grid_of("1b"), ["1G", "1R", "3Y", "4Y", "5Y"])
    play(state, "+1G@0,1", "+1R@0,2")
    assert int(state.raw.in_hand[0]) == 3
    play(state, "end")
    assert int(state.raw.in_hand[0]) == 5
    assert state.current_player() == 1


def test_a_q_nto_along_the_line_or_across_it_gives_another_turn_in_light_only() -> None:
    for picture, cell in (("1b 2b 3b 4b", "0,4"), ("1b\n2b\n3b\n4b", "4,0")):
        for variant, follows in (("light", 0), ("classic", 1)):
            state = play(having(grid_of(picture), ["5b", "1G", "1R"], variant), f"+5b@{cell}", "end")
            assert state.current_player() == follows
            assert texts(state) >= {"end"}


def test_who_lays_his_last_tile_wins_at_once_in_the_middle_of_a_line() -> None:
    state = last_tiles("light")
    play(state, "+1G@0,1")
    assert not state.is_terminal()
    play(state, "+1R@0,2")
    assert state.is_terminal()
    assert state.winners() == [0]
    assert state.scores()[0] == 0
    assert state.raw.idle == 0


def last_tiles(variant: str) -> State:
    """Player 1 has 1G and 1R left and no pile. All other tiles except 1b are in the other's pile or hand (in Light)."""
    state = ludoteca.load("qinto", variant=variant).new_initial_state(1)
    record = state.raw
    if variant != "light":
        record.grid[rim.START] = 0
        rim.open_rim(record)
    for field in ("held", "paired", "in_hand", "piled", "piles", "on_grid", "grid", "slots"):
        record[field] = 0
    rim.clear_rim(record)
    rim.lay(record, 1, rim.START)
    rim.clear_ends(record, 0, 4)
    for player, kinds in enumerate([(3, 4), (9, 10)]):
        for kind in kinds:
            take(record, player, kind)
        record.in_hand[player] = 2
    return state


# Swapping


def test_swaps_one_after_another_each_cell_once() -> None:
    state = having(grid_of("1b WW\n. WG\n. 3G\n. 4G"), ["1G", "4R"])
    assert "~4R@1,1" not in texts(state)
    play(state, "~1G@1,1")
    assert "~WG@0,1" in texts(state)  # the wild that was taken
    play(state, "~WG@0,1")
    assert not {text for text in texts(state) if text.endswith("@0,1")}  # a wild, but not twice in a turn
    play(state, "end", "end")
    assert "~WW@0,1" in texts(state)
    assert state.raw.idle == 2


def test_an_equal_wild_is_no_swap() -> None:
    state = having(grid_of("1b WW"), ["WW", "1G"])
    swaps = {text for text in texts(state) if text[0] == "~"}
    assert swaps == {"~1G@0,1"}


def test_a_swapped_tile_must_fit_row_and_column() -> None:
    state = having(grid_of("1b WW 1R\n. 2G .\n. 3G ."), ["1Y", "1G", "3G", "WG"])
    assert {text for text in texts(state) if text[0] == "~"} == {"~1G@0,1", "~WG@0,1"}


def test_a_swap_gives_no_other_turn_and_the_hand_keeps_its_size() -> None:
    state = having(grid_of("1b 2b 3b 4b WW"), ["5b", "1G", "1R", "1Y", "2Y"])
    play(state, "~5b@0,4")
    assert int(state.raw.in_hand[0]) == 5
    play(state, "end")
    assert state.current_player() == 1


# Passing


def test_tiles_go_under_the_pile_in_the_chosen_order_and_others_see_how_many() -> None:
    state = having(grid_of("1b"), ["1G", "1R", "3Y", "4Y", "5Y"])
    before = state.raw.piles[: int(state.raw.piled[0])].tolist()
    play(state, "-4Y", "-1G")
    assert state.raw.piles[: len(before) + 2].tolist() == [3, 20, *before]
    assert [state.action_to_string(action) for action in state.seen_actions(1)] == ["-?", "-?"]
    play(state, "end")
    assert int(state.raw.in_hand[0]) == 5
    assert state.raw.piles[: len(before)].tolist() == [3, 20, *before[:-2]]
    assert state.current_player() == 1
    assert state.raw.idle == 1


def test_every_tile_of_the_hand_may_be_traded_even_without_a_pile() -> None:
    state = last_tiles("light")
    play(state, "-1G", "-1R")
    assert texts(state) == {"end"}
    play(state, "end")
    assert int(state.raw.in_hand[0]) == 2


# The deal


def test_classic_has_one_pile_and_its_top_tile_starts_the_grid() -> None:
    record = ludoteca.load("qinto", variant="classic", players=4).new_initial_state(5).raw
    assert record.piled.tolist() == [60 - 4 * 5 - 1, 0, 0, 0]
    assert record.grid[rim.START] > 0
    assert int((record.grid > 0).sum()) == 1


@pytest.mark.slow
def test_every_order_of_the_deck_is_equally_likely_as_far_as_first_tiles_show() -> None:
    game, seen = ludoteca.load("qinto", compiled=True), [0] * (tiles.KINDS + 1)
    for seed in range(1500):
        seen[int(game.new_initial_state(seed).raw.piles[0])] += 1
    expected = [1500 * tiles.copies(kind) / tiles.TILES for kind in range(1, tiles.KINDS + 1)]
    chi_square = sum((found - mean) ** 2 / mean for found, mean in zip(seen[1:], expected, strict=True))
    assert chi_square < 33 + 5 * 66**0.5


# Classic and Plus


@pytest.mark.parametrize(
    ("picture", "steps", "points"),
    [
        ("1b", ["+1G@0,1"], 2),
        ("1b", ["+1G@0,1", "+1R@0,2"], 3),
        ("1b .  1R\n2b 3G 4R", ["+1G@0,1"], 3 + 2),  # and its column
        ("1b\n2G 3R", ["+2b@0,1"], 2 + 2),
        ("1b 1B\n2b .", ["+2B@1,1"], 2 + 2),
        ("1b 1B 1G 1R", ["+1Y@0,4"], 5 + 5),
        ("1b .  1G 1R\n2b 3G 4R .", ["+1B@0,1", "+1Y@0,4"], 5 + 5 + 2),
        ("1b .  1G\n2b 3G 4R", ["+1B@0,1", "+1R@0,3", "+1Y@0,-1"], 5 + 5 + 2),
        ("2b .  2G\n1b .  1G\n3b 3B 3G", ["+2B@0,1", "+1B@1,1"], 3 + 3 + 3),
        ("2b .  2G\n1b .  1G\n3b 3B 3G", ["+1B@1,1", "+2B@0,1"], 3 + 3 + 3),
    ],
)
def test_a_turn_of_classic_scores_its_lines(picture: str, steps: list[str], points: int) -> None:
    hand = [step[1:3] for step in steps]
    state = play(having(grid_of(picture), [*hand, "5G"], "classic"), *steps, "end")
    assert state.scores() == [points, 0]


def test_five_tiles_in_a_turn_score_five_more() -> None:
    state = having(grid_of("1b"), ["2b", "2B", "2G", "2R", "2Y"], "classic")
    play(state, "+2b@1,0", "+2B@1,1", "+2G@1,2", "+2R@1,3")
    before = state.scores()[0]
    assert before == 2 + 4
    play(state, "+2Y@1,4")
    assert state.scores()[0] == before + 1 + 5 + 5


@pytest.mark.parametrize("variant", ["classic", "plus"])
def test_the_last_tile_scores_five_more(variant: str) -> None:
    state = play(last_tiles(variant), "+1G@0,1", "+1R@0,2")
    assert state.is_terminal()
    assert state.scores() == [3 + 5, 0]
    assert state.winners() == [0]


def test_swaps_and_passes_score_nothing_and_points_may_be_shared() -> None:
    state = having(grid_of("1b WW"), ["1G", "1R"], "classic")
    play(state, "~1G@0,1", "end", "end")
    assert state.scores() == [0, 0]
    for _ in range(6):
        play(state, "end")
    assert state.is_terminal()
    assert state.winners() == [0, 1]


@pytest.mark.parametrize(
    ("picture", "left", "step", "extra"),
    [
        ("1b 1G", 0, "+1R@0,2", 0),
        ("1b .  .\n1G 2G .\n.  2R .", 0, "+3R@2,2", 3),
        ("1b .  .\n1G 2G .\n.  2R .", 0, "+3b@2,2", 0),  # 1b 2G 3b
        (".  .  1b\n.  2G 1G\n.  2R .", -2, "+3R@2,-2", 3),  # the other diagonal
        ("1b .  .  .\n1G 2G .  .\n.  2R 3R .\n.  .  3Y 4Y\n.  .  .  4B", 0, "+5B@4,4", 5 + 5),
        ("1b .  .  .\n1G 2G .  .\n.  2R 3R .\n.  .  3Y 4Y\n.  .  .  4B", 0, "+1b@4,4", 4),  # 2G 3R 4Y 1b
        ("1b .  .\n2b .  2R\n3b 3B 3R", 0, "+2G@1,1", 3),  # in the middle: 1b 2G 3R
    ],
)
def test_plus_scores_diagonals(picture: str, left: int, step: str, extra: int) -> None:
    grid = grid_of(picture, left=left)
    classic, plus = (play(having(grid, [step[1:3]], variant), step, "end").scores()[0] for variant in ("classic", "plus"))
    assert plus - classic == extra


# Torus, rim


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_grid_wanders_over_the_seam_of_the_torus(upright: bool, sign: int) -> None:
    """A staircase of four tiles ahead, one aside, compared with a plane that has no seam."""
    record = ludoteca.load("qinto").new_initial_state(1).raw
    places = [(sign * (step - step // 5), step // 5) for step in range(50)]
    for ahead, aside in places:
        rim.lay(record, tiles.ANYTHING, cell_at(ahead, aside, upright))
        record.n_wilds = 0  # there are fewer
    beside = {(a + x, b + y) for a, b in places for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1))} - set(places)
    listed = record.rim[1 : int(record.n_rim) + 1].tolist()
    assert sorted(listed) == sorted(cell_at(*place, upright) for place in beside)
    assert all(rim.around_rim(record, cell) == rim.around_tile(record, cell) for cell in listed)


def cell_at(ahead: int, aside: int, upright: bool) -> int:
    down, right = (ahead, aside) if upright else (aside, ahead)
    return rim.beside(rim.below(rim.START, down), right)


def test_the_set_of_kinds_that_fit_a_run_is_that_of_each_kind_tried() -> None:
    random = Random(1)
    for _ in range(150):
        kinds = [random.randint(1, tiles.KINDS) for _ in range(random.randint(0, 5))]
        run = 0
        for kind in kinds:
            run = tiles.join(run, int(tiles.RUN_OF[kind]))
        fitting = tiles.fitting(run)
        assert tiles.length(run) == len(kinds)
        assert tiles.is_valid(run) == agrees(kinds)
        for kind in range(1, tiles.KINDS + 1):
            assert bool(fitting >> kind & 1) == (len(kinds) < 5 and agrees([*kinds, kind]))


def agrees(kinds: list[int]) -> bool:
    """Are the known colours all equal or all different, and the known shapes?"""
    for value in (tiles.shape_of, tiles.colour_of):
        known = [value(kind) for kind in kinds if value(kind) != tiles.OPEN]
        if len(set(known)) not in (0, 1, len(known)):
            return False
    return True
