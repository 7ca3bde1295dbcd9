"""Text of tiles and actions, both ways, and the reasons of refusals. Positions are in `test_positions`."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

import ludoteca
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import State
from ludoteca.games.qinto import notation, rules
from ludoteca.games.qinto.names import COPIES, KIND_OF, cell_of, kind_name, place_name, place_of, read_kind, tiles_of
from ludoteca.games.qinto.rim import CELLS
from tests.qinto.oracle import COLOURS, DECK, SHAPES, Cell, Grid, Oracle, agree, connects, fits, neighbours, run
from tests.qinto.positions import at, grid_of
from tests.qinto.test_oracle import oracle_of, step_of

GRID = grid_of("1b 1G 1R 1B\n2b .  .  WW\n.  .  .  4R")
HAND = ["2B", "5b", "1W", "WY", "1b"]


def test_tiles() -> None:
    assert Counter(DECK) == COPIES
    assert [kind_name(kind) for kind in KIND_OF.values()] == list(KIND_OF)
    assert kind_name(0) == "?"


@pytest.mark.parametrize("name", ["", "5", "b5", "6b", "0b", "2W", "Wb", "1bb", "?"])
def test_what_is_no_tile(name: str) -> None:
    with pytest.raises(NotationError, match="is no tile: expected a shape 1 to 5"):
        read_kind(name)


def test_cells_are_counted_from_the_first_tile_and_come_round() -> None:
    assert [place_name(place) for place in ((0, 0), (-1, 2), (31, -32), (32, -33))] == ["0,0", "-1,2", "31,-32", "-32,31"]
    assert all(cell_of(place_of(cell)) == cell for cell in range(CELLS))


# Actions


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("+5b@2,0", CELLS * KIND_OF["5b"] + 34 * 64 + 32), ("+WY@-1,0", CELLS * KIND_OF["WY"] + 31 * 64 + 32),
        ("~1W@1,3", CELLS * KIND_OF["1W"] + 33 * 64 + 35), ("-1b", rules.TRADE + KIND_OF["1b"]),
        ("-WW", rules.TRADE + KIND_OF["WW"]), ("-?", rules.TRADE), ("end", rules.END),
    ],
)  # fmt: skip
def test_actions(text: str, action: int) -> None:
    state = at(GRID, HAND)
    assert state.string_to_action(text) == action
    assert state.action_to_string(action) == text
    assert state.string_to_action(f"  {' '.join(text)} ") == action


def test_rows_and_columns_beyond_the_seam_read_as_those_they_are() -> None:
    state = at(GRID, HAND)
    assert state.string_to_action("+5b@66,-64") == state.string_to_action("+5b@2,0")
    assert state.string_to_action("+5b@32,-33") == state.string_to_action("+5b@-32,31")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "'' is no action: expected a tile and a cell such as +5b@-1,2 (add)"),
        ("5b@2,0", "'5b@2,0' is no action"),
        ("+5b", "'+5b' is no action"),
        ("+6b@2,0", "'6b' is no tile"),
        ("-", "'' is no tile"),
        ("+?@2,0", "'?' is no tile"),
        ("+5b@2", "'2' is no cell: expected row and column counted from the first tile, such as -1,2"),
        ("+5b@2,1000", "'2,1000' is no cell"),
        ("+5b@1,0", "'+5b@1,0': 1,0 is taken by 2b"),
        ("+5b@1,3", "'+5b@1,3': 1,3 is taken by WW: to swap for it is ~"),
        ("~5b@2,0", "'~5b@2,0': there is no tile at 2,0 to swap for: to add one is +"),
    ],
)
def test_what_is_no_action(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=re.escape(why)):
        at(GRID, HAND).string_to_action(text)


def test_others_see_that_a_tile_was_put_under_a_pile_and_not_which() -> None:
    state = at(GRID, HAND)
    action = state.string_to_action("-5b")
    assert [state.action_to_string(state.seen_action(action, seat)) for seat in (-1, 0, 1)] == ["-?", "-5b", "-?"]


# Why not


def refused(steps: str, text: str, hand: list[str] = HAND) -> str:
    """The reason of a refusal after some steps of a turn."""
    state = at(GRID, hand)
    for step in steps.split():
        state.apply_action(state.string_to_action(step))
    with pytest.raises(IllegalActionError) as error:
        state.apply_action(state.string_to_action(text))
    return str(error.value)


@pytest.mark.parametrize(
    ("steps", "text", "why"),
    [
        ("", "+3R@2,0", "the hand does not have 3R"),
        ("", "-3R", "the hand does not have 3R"),
        ("", "-?", "action 143360 names no tile"),
        ("", "+5b@9,9", "9,9 touches no tile"),
        ("", "+2B@0,4", "row 0 (1b 1G 1R 1B 2B) is invalid: its colours are neither all equal nor all different (1B and 2B "
         "agree, 1b does not)"),
        ("", "+1b@0,4", "row 0 (1b 1G 1R 1B 1b) is invalid: its colours are neither all equal nor all different (1b and 1b "
         "agree, 1G does not)"),
        ("", "+2B@2,0", "column 0 (1b 2b 2B) is invalid: its colours are neither all equal nor all different (1b and 2b "
         "agree, 2B does not)"),
        ("", "+1b@-1,3", "column 3 (1b 1B WW 4R) is invalid: its shapes are neither all equal nor all different (1b and 1B "
         "agree, 4R does not)"),
        ("", "~5b@0,0", "1b at 0,0 is not a wild: only wilds are swapped"),
        ("", "~1b@1,3", "column 3 (1B 1b 4R) is invalid: its shapes are neither all equal nor all different (1B and 1b "
         "agree, 4R does not)"),
        ("+1W@0,4", "+5b@0,5", "row 0 (1b 1G 1R 1B 1W 5b) would have 6 tiles: a line has 5 at most"),
        ("+5b@2,0", "+1b@1,1", "the tiles of a turn lie in one row or column, and 1,1 is outside it"),
        ("+5b@2,0", "+WY@2,2", "the tiles of a turn are connected, and the cell 2,1 between them is empty"),
        ("+5b@1,1 +1b@1,2", "+WY@2,2", "the tiles of a turn lie in one row or column, and 2,2 is outside it"),
        ("+5b@1,1 +1b@1,2", "+WY@1,5", "the tiles of a turn are connected, and the cell 1,4 between them is empty"),
        ("+5b@2,0", "-1b", "in this turn tiles are added, so none can be put under the pile: choose another action, or end"),
        ("-5b", "+1b@2,0", "in this turn tiles are put under the pile, so none can be added: choose another action, or end"),
        ("~5b@1,3", "+WW@2,0", "in this turn tiles are swapped, so none can be added: choose another action, or end"),
        ("~5b@1,3", "~WW@1,3", "5b at 1,3 is not a wild: only wilds are swapped"),
    ],
)  # fmt: skip
def test_why_an_action_is_refused(steps: str, text: str, why: str) -> None:
    assert refused(steps, text).startswith(why)


def test_a_wild_may_not_be_swapped_for_an_equal_one_or_twice() -> None:
    assert refused("", "~WW@1,3", ["WW", *HAND[:4]]) == "WW is at 1,3 already"
    state = at(grid_of("1b WW"), ["WG", *HAND[:4]])
    state.apply_action(state.string_to_action("~WG@0,1"))
    with pytest.raises(IllegalActionError, match="at 0,1 a tile was already swapped in this turn"):
        state.apply_action(state.string_to_action("~WW@0,1"))


def test_the_first_tile_has_its_cell() -> None:
    with pytest.raises(IllegalActionError, match="the first tile lies at 0,0"):
        at({}, HAND).apply_action(at({}, HAND).string_to_action("+5b@0,1"))


def test_numbers_that_are_no_actions_are_refused_in_words() -> None:
    state = at(GRID, HAND)
    assert state.refusal(rules.ACTIONS) == f"there is no action {rules.ACTIONS}"
    assert state.refusal(-1) == "there is no action -1"
    assert state.refusal(17) == "action 17 names no tile"


def staircase(down: int) -> Grid:
    """Nine columns of five tiles, each a step further: 37 rows, down or up from the first tile, so that rows come round."""
    colours = (COLOURS + COLOURS)[:9]
    return {(down * (4 * i + at), i): SHAPES[at] + colours[i] for i in range(9) for at in range(5)}


@pytest.mark.parametrize("down", [1, -1])
def test_a_grid_that_crosses_the_seam(down: int) -> None:
    grid = staircase(down)
    state = at(grid, ["1Y", "2Y", "3Y", "4Y", "5Y"])
    assert tiles_of(state.raw) == grid
    assert state.game.state_from_string(str(state)) == state
    beyond = {1: "+1Y@-28,9", -1: "+1Y@28,9"}[down]
    assert state.string_to_action(beyond) in state.legal_actions()
    assert state.action_to_string(state.string_to_action(beyond)) == beyond
    assert state.refusal(state.string_to_action(beyond.replace("1Y", "1R"))) == "the hand does not have 1R"
    assert state.refusal(state.string_to_action(f"+2Y@{28 * -down},10")) == f"{28 * -down},10 touches no tile"
    line = {1: "1R 2R 3R 4R 5R 1Y", -1: "1Y 5R 4R 3R 2R 1R"}[down]
    assert f"column 8 ({line}) would have 6 tiles" in state.refusal(state.string_to_action(f"+1Y@{27 * -down},8"))


# The reasons of all refusals are true


@pytest.mark.parametrize("seed", range(2))
def test_reasons_are_true(seed: int) -> None:
    """In random games, the reasons for refusing random illegal actions are true, by the oracle."""
    random, told = Random(seed), Counter[str]()
    variant = ["light", "classic", "plus"][seed % 3]
    state = ludoteca.load("qinto", variant=variant, players=2).new_initial_state(seed)
    oracle = oracle_of(state)
    while not oracle.over:
        legal = set(state.legal_actions())
        for action in {some_action(state, oracle, random) for _ in range(12)} - legal:
            check_refusal(state, oracle, action, told)
        action = step_of(state, random, "+~-"[random.randrange(3)], 0.7)
        oracle.play(state.action_to_string(action))
        state.apply_action(action)
    assert set(told) >= {"not_in_hand", "bent", "gap", "apart", "colours", "shapes", "not_wild"}


def some_action(state: State, oracle: Oracle, random: Random) -> int:
    """Mostly with a tile of the hand and near the grid."""
    kind = KIND_OF[random.choice([*oracle.hands[oracle.mover], *oracle.hands[oracle.mover], random.choice(DECK)])]
    near = [cell for tile in oracle.grid for cell in (tile, *neighbours(tile))] or [(0, 1)]
    far = (random.randrange(-40, 40), random.randrange(-40, 40))
    place = random.choice([random.choice(near), random.choice(near), random.choice(near), far])
    return random.choice([CELLS * kind + cell_of(place)] * 9 + [rules.TRADE + kind])


def check_refusal(state: State, oracle: Oracle, action: int, told: Counter[str]) -> None:
    text = state.action_to_string(action)
    sorts = {step[0] for step in oracle.steps}
    if sorts and text[0] not in sorts:
        assert re.match("in this turn tiles are .*, so none can be ", state.refusal(action))
        return
    why = notation.refusal(state.raw, action)
    assert isinstance(why, tuple)
    key = why[0].removeprefix("refused.")
    told[key] += 1
    assert is_true(key, why[1:], oracle, text), f"{text}: {state.refusal(action)}"


def is_true(key: str, said: Sequence[Any], oracle: Oracle, text: str) -> bool:
    """Whether the page says so, too."""
    tile, _, at_place = text[1:].partition("@")
    place = near_grid(oracle, at_place or "0,0")
    after = oracle.grid | {place: tile}
    if key in ("too_long", "colours", "shapes"):
        line, number, names = said[0]
        direction = (0, 1) if line == "row" else (1, 0)
        cells = run(after, place, direction)
        tiles = names.split()
        is_line = number == (place[direction[0] == 1] + 32) % 64 - 32 and tiles == [after[cell] for cell in cells]
        shapes, colours = ([name[part] for name in tiles] for part in (0, 1))
        if key == "too_long":
            return is_line and len(tiles) > 5 and bool(said[1] == len(tiles))
        one, other, odd = (name[key == "colours"] for name in said[1][1:])
        agrees = agree(colours, COLOURS) if key == "colours" else agree(shapes, SHAPES)
        return is_line and not agrees and bool(one == other != odd) and not fits(after, place)
    where = near_grid(oracle, said[0]) if said and "," in said[0] else place
    checks: dict[str, Callable[[], bool]] = {
        "not_in_hand": lambda: tuple(said) == (tile,) and oracle.hands[oracle.mover][tile] == 0,
        "bent": lambda: where == place and not_straight([*oracle.placed(), place]),
        "gap": lambda: where not in after and not connects(oracle.before, [*oracle.placed(), place]),
        "taken": lambda: bool(oracle.grid[place] == said[1]),
        "apart": lambda: where == place and not any(cell in oracle.grid for cell in neighbours(place)),
        "first": lambda: not oracle.grid and place != (0, 0),
        "not_wild": lambda: bool(oracle.grid[where] == said[1]) and "W" not in said[1],
        "same_tile": lambda: bool(oracle.grid[where] == said[1] == tile),
        "swapped": lambda: any(step.endswith(f"@{place[0]},{place[1]}") for step in oracle.steps),
    }
    return checks[key]()


def near_grid(oracle: Oracle, cell: str) -> Cell:
    """The cell of a name, where rows and columns come round after 64, as near to the middle of the grid as it comes."""
    middle = [(min(lines) + max(lines)) // 2 for lines in zip(*(oracle.grid or {(0, 0): ""}), strict=True)]
    row, column = map(int, cell.split(","))
    return (row - middle[0] + 32) % 64 + middle[0] - 32, (column - middle[1] + 32) % 64 + middle[1] - 32


def not_straight(places: list[Cell]) -> bool:
    rows, columns = zip(*places, strict=True)
    return min(len(set(rows)), len(set(columns))) > 1
