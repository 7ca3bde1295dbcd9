"""The scene of a position: its items, the meaning of touches, and the texts about actions."""

import re
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.contract import RawPosition
from ludoteca.core.game import State
from ludoteca.core.guide import state_of
from ludoteca.core.messages import PICTURE, Message
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Item, Scene
from ludoteca.games import okupacio
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.notation import cell_name
from ludoteca.games.okupacio.view import guide, scene

BOARD = "..#./#.../##../...#"
"""The document's 4 x 4 board."""


STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def position(rows: str, rest: str = "A 9 0:2,0:1,0:0", board: str = BOARD) -> State:
    return ludoteca.load("okupacio", players=3, board=board).state_from_string(f"{rows} {rest}")


def record(state: State) -> RawPosition:
    return state.view(0).raw


def drawn(state: State) -> Scene:
    return scene.draw(record(state), 0)


def items(picture: Scene) -> dict[str, Item]:
    return {item.id: item for item in picture.items}


def told(state: State, text: str) -> str:
    return state.game.in_english(scene.describe(record(state), 0, state.string_to_action(text)))


# Items


def test_every_cell_is_an_item_and_every_stone_lies_upon_its_own() -> None:
    seen = items(drawn(position("AA#./#.B./##../.C.#")))
    assert [name for name, item in seen.items() if item.sprite == "wall"] == ["ac", "ba", "ca", "cb", "dd"]
    stones = {name: item for name, item in seen.items() if item.sprite.startswith("army-")}
    assert {name: item.sprite[-1] for name, item in stones.items()} == {
        "stone-aa": "0", "stone-ab": "0", "stone-bc": "1", "stone-db": "2",
    }  # fmt: skip
    assert "player-1" in seen["stone-bc"].classes.split()
    assert (seen["stone-bc"].x, seen["stone-bc"].y) == (seen["bc"].x, seen["bc"].y)
    assert (seen["bc"].x - seen["ba"].x, seen["bc"].y - seen["ac"].y) == pytest.approx((2, 1))


def test_a_screen_reader_hears_of_every_cell() -> None:
    state = position("AA#./#.B./##../.C.#")
    seen = items(drawn(state))
    heard = [state.game.in_english(seen[name].label) for name in ("ad", "ac", "bc")]
    assert heard == ["ad: free", "ac: wall", "bc: army B"]
    assert not any(item.label for name, item in seen.items() if "-" in name)


def test_the_stone_that_was_placed_is_marked_and_stones_that_are_captured_turn_over() -> None:
    before = ludoteca.load("okupacio", players=2, board="4x4").state_from_string("ABBA/..BA/..AA/.B.. A 8 0:1,0:0")
    seen = [items(before.scene(0)), items(before.child(before.string_to_action("ca")).scene(0))]
    assert [name for name, item in seen[1].items() if "last" in item.classes] == ["stone-ca"]
    turned = [name for name, item in seen[0].items() if name in seen[1] and seen[1][name].sprite != item.sprite]
    assert turned == [name for name in turned if name.startswith("stone-")]


def test_the_neighbours_of_a_cell_turn_over_at_different_times() -> None:
    full = drawn(position("AAAAA/AAAAA/AAAAA/AAAAA/AAAA.", board="5x5"))
    waves = {item.id[-2:]: re.findall(r"wave-\d", item.classes)[0] for item in full.items if item.id.startswith("stone-")}
    for row, column in product("bcd", repeat=2):
        around = {waves[chr(ord(row) + down) + chr(ord(column) + right)] for right, down in STEPS}
        assert len(around) == len(STEPS)
        assert waves[row + column] not in around


def test_letters_have_one_size_on_all_boards() -> None:
    sizes = {
        round(item.h / max(picture.width, picture.height), 6)
        for board in ("4x4", "25x4", "25x25")
        for picture in [drawn(ludoteca.load("okupacio", players=2, board=board).new_initial_state())]
        for item in picture.items
        if "code" in item.classes
    }
    assert len(sizes) == 1


def test_the_bar_shows_the_share_of_each_army() -> None:
    seen = items(drawn(position("AA#./#.B./##../.C.#")))
    open_cells, whole = 11, seen["shares"]
    assert {name: round(item.w / whole.w * open_cells, 1) for name, item in seen.items() if item.sprite == "share"} == {
        "share-0": 2, "share-1": 1, "share-2": 1,
    }  # fmt: skip
    assert seen["share-0"].x - seen["share-0"].w / 2 == pytest.approx(whole.x - whole.w / 2, abs=0.001)
    assert seen["share-2"].x + seen["share-2"].w / 2 == pytest.approx(whole.x + whole.w / 2, abs=0.001)


def test_the_armies_have_signs_of_their_own() -> None:
    svg = okupacio.GAME.file("sprites.svg").read_text(encoding="utf-8")
    signs = re.findall(r'<symbol id="army-\d"[^>]*><use href="#stone"/>(.*?)</symbol>', svg)
    assert len(set(signs)) == len(signs) == rules.MAX_PLAYERS


def test_a_line_is_not_marked_before_the_end() -> None:
    assert all(item.sprite != "held" for item in drawn(position("AA#./#BBB/##../...#")).items)


def test_the_line_that_an_army_holds_at_the_end_is_marked() -> None:
    over = position("AA#B/#BBB/##BB/CCC#", "- 9 0:2,0:1,0:0")
    seen = items(drawn(over))
    assert [name for name, item in seen.items() if item.sprite == "held"] == ["held"]
    assert (seen["held"].y, seen["held"].classes) == (seen["ba"].y, "player-1")
    assert over.game.in_english(drawn(over).task) == (
        "player 2 wins. Cells: 6; captured from others: 0. "
        "Apart from that, row b is held by player 2: an honour, which does not change the winner."
    )


def test_nobody_holds_a_line() -> None:
    over = position("AA#B/#ABB/##AC/CCB#", "- 9 0:2,0:1,0:0")
    assert all(item.sprite != "held" for item in drawn(over).items)
    assert over.game.in_english(drawn(over).task).endswith("Nobody controls a whole row or column.")


def test_the_end_says_that_waiting_decided() -> None:
    over = position("AA#B/#ABB/##AC/CCC#", "- 9 0:2,0:1,0:0")
    assert over.game.in_english(drawn(over).task).startswith(
        "player 1 wins. Cells: 4; captured from others: 0. Others have as many of both, but player 1 has waited longest"
    )


def test_the_table_stands_best_first_and_then_those_who_have_given_up() -> None:
    picture = drawn(position("BB#./#.../##../.C.#", "B 9 -,2:1,0:0"))
    table = [(line.player, [value for _, value in line.facts], line.out) for line in picture.standings]
    assert table == [(1, [2, "18 %", 2], False), (2, [1, "9 %", 0], False), (0, ["–", "–", "–"], True)]


# Touches


def test_cells_are_touched_and_giving_up_is_a_button() -> None:
    state = position("AA#./#.B./##../.C.#")
    offered = {choice.action: choice for choice in scene.choices(record(state), 0, state.legal_actions())}
    assert sorted(offered) == state.legal_actions()
    assert offered[state.string_to_action("ad")].touches == ("ad",)
    assert (offered[rules.CONCEDE].touches, offered[rules.CONCEDE].label) == ((), ("choice.give_up",))


def meaning(state: State, *touched: str) -> str:
    action = scene.interpret(record(state), 0, touched)
    return state.refusal(action) if action >= 0 else ""


@pytest.mark.parametrize(
    ("touched", "says"),
    [
        (["ac"], "ac is a wall"),
        (["bc"], "bc already belongs to army B"),
        (["stone-bc"], "bc already belongs to army B"),
        (["stone-bc", "bc"], "bc already belongs to army B"),
        (["ad", "bc"], ""),
        (["plate"], ""),
        (["row-a"], ""),
        (["zz"], ""),
        ([], ""),
    ],
)
def test_what_is_touched_in_vain_says_why(touched: Sequence[str], says: str) -> None:
    assert meaning(position("AA#./#.B./##../.C.#"), *touched) == says


# Texts about actions


@pytest.mark.parametrize(
    ("rows", "move", "says"),
    [
        ("..#./#.../##../...#", "bb", "takes bb (row 2, column 2)"),
        ("..#./#.../##../...#", "ab", "takes ab (row 1, column 2), and with it aa"),
        ("..#./#.../##../B.A#", "db", "takes db (row 4, column 2), and with it da (from player 2)"),
        ("..#./#.../##../...#", "00", "resigns"),
    ],
)
def test_a_move_is_told_with_what_falls(rows: str, move: str, says: str) -> None:
    assert told(position(rows), move) == says


def test_a_free_cell_that_falls_is_shown_as_the_piece_of_its_new_army() -> None:
    state = position("..#./#.../##../...#")
    assert [piece for piece, _ in pictures(scene.describe(record(state), 0, state.string_to_action("ab")))] == ["army-0"] * 2


def pictures(message: Message) -> list[tuple[Any, Any]]:
    """Return the sprites in a message, with their classes."""
    if not isinstance(message, tuple):
        return []
    if message[0] == PICTURE:
        return [(message[2], message[4])]
    return [picture for part in message[1:] for picture in pictures(part)]


def flat(message: Message) -> set[str]:
    if isinstance(message, tuple):
        if message[0] == PICTURE:
            return flat(("", message[1]))
        return set().union(*(flat(part) for part in message[1:]))
    return {message} if isinstance(message, str) and message.islower() else set()


@pytest.mark.parametrize("seed", range(6))
def test_what_is_told_is_what_happens(seed: int) -> None:
    state, rng = ludoteca.load("okupacio", players=2 + seed, board="10x12").new_initial_state(seed), new_rng(seed)
    while not state.is_terminal():
        action, before = state.random_action(rng), state.raw.owner.tolist()
        message = scene.describe(record(state), 0, action)
        state.apply_action(action)
        changed = {cell_name(cell) for cell, owner in enumerate(state.raw.owner.tolist()) if owner != before[cell]}
        assert flat(message) == changed


# The guide


def guided(key: str) -> State:
    """Return the position above a caption of the guide."""
    pictures = [part.picture for part in guide.GUIDE.parts if part.picture]
    (picture,) = [each for each in pictures if each.caption == (key,)]
    return state_of(registry.find("okupacio"), guide.GUIDE, picture)[0]


@pytest.mark.parametrize(
    ("key", "move", "says"),
    [
        ("two", "da", "takes da (row 4, column 1), and with it ea (from player 2)"),
        ("three", "cb", "takes cb (row 3, column 2), and with it ca"),
        ("three_other", "ce", "takes ce (row 3, column 5)"),
        ("four", "cd", "takes cd (row 3, column 4), and with it cc"),
        ("four_safe", "cd", "takes cd (row 3, column 4)"),
        ("four_falls", "cd", "takes cd (row 3, column 4), and with it cc (from player 2)"),
    ],
)
def test_the_guide_tells_the_truth(key: str, move: str, says: str) -> None:
    assert told(guided(f"shown.{key}"), move) == says


def test_the_guides_numbers_of_neighbours() -> None:
    state = guided("shown.neighbours")
    cells = [state.string_to_action(text) + rules.ROW for text in ("aa", "ea", "cf", "cc")]
    assert [rules.degree_of(state.raw, cell) for cell in cells] == [1, 2, 3, 4]


def test_the_guides_end() -> None:
    state = guided("shown.end")
    assert (state.winners(), state.scores()[1]) == ([1], 10)
    assert state.game.in_english(drawn(state).task).endswith(
        "Apart from that, column a is held by player 1: an honour, which does not change the winner."
    )
