"""The scene of Conclave: visible faces, origins of moving cards, touches, and texts in every language."""

from collections.abc import Sequence

import pytest

import ludoteca
from ludoteca.core.game import State
from ludoteca.core.messages import Message, catalogue, in_words
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Item
from ludoteca.games.conclave import GAME, rules
from ludoteca.games.conclave.view import scene
from tests.conclave.test_rules import ANNA, BEA, BORDER, CARLA, at, followers, play, score

NAMES = ("Anna", "Bea", "Carla", "Dani")


def items(state: State, seat: int) -> dict[str, Item]:
    return {item.id: item for item in state.scene(seat).items}


def english(message: Message) -> str:
    return in_words(message, catalogue(GAME.package, "en"), NAMES)


# Visible cards


def test_a_hand_is_open_to_its_seat_only() -> None:
    state = at(hands=f"{ANNA}/{BEA}/{CARLA}", followers="-/-/-")
    assert {*ANNA.split(",")} <= items(state, 0).keys()
    for seat in (-1, 1, 2):
        drawn = items(state, seat)
        assert not {*ANNA.split(",")} & drawn.keys()
        assert [drawn[f"hand-0-{place}"].sprite for place in range(4)] == ["p", "t", "t", "t"]


def test_ones_own_hand_is_at_the_bottom_and_turns_go_downwards() -> None:
    state = at(hands=f"{ANNA}/{BEA}/{CARLA}", followers="-/-/-")
    for seat in range(3):
        drawn = items(state, seat)
        signs = [drawn[f"seat-{(seat + number) % 3}"].y for number in (1, 2, 0)]
        assert signs == sorted(signs)
        assert drawn[f"slot-{seat}-0"].y == max(item.y for item in drawn.values())


def test_piles_show_their_backs_in_order() -> None:
    drawn = items(at(left="o1s,b4s,r1s"), 0)
    pile = sorted(
        (item for name, item in drawn.items() if name.startswith("deck-") and item.x < 80), key=lambda item: item.y
    )
    assert [item.sprite for item in pile] == ["o", "b", "r"]
    assert (drawn["pile-0"].x, drawn["pile-0"].y) == (pile[0].x, pile[0].y)
    assert drawn["count-0"].text == "3"
    assert english(drawn["pile-0"].label) == "left pile, cards: 3; backs from the top: o b r"


# Movements

ALONE = "b1c,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-"


def test_an_emissary_goes_from_the_hand_to_the_board() -> None:
    state = at()
    before = items(state, 0)["t1c"]
    play(state, "1:11")
    after = items(state, 0)["t1c"]
    assert (before.x, before.y) != (after.x, after.y)
    assert "last" in after.classes.split()
    assert "last" not in items(play(state, "e"), 0)["t1c"].classes.split()


def test_others_see_it_come_from_its_place_in_the_hand() -> None:
    state = play(at(), "1:11")
    assert items(state, -1)["t1c"].start == "slot-0-1"
    assert items(play(state, "e", "0:12"), -1)["v1c"].start == "slot-1-0"


def test_where_there_is_one_pile_nothing_is_drawn_by_an_action_of_its_own() -> None:
    drawn = items(play(at(right="-"), "1:11", "0:12"), -1)
    assert (drawn["v1c"].start, drawn["hand-1-0"].start) == ("slot-1-0", "pile-0")


def test_who_keeps_sends_in_the_same_turn() -> None:
    state = play(at(followers="v1g/-", mover="1:cede"), "keep", "1:11")
    assert items(state, -1)["t1c"].start == "slot-0-1"


def test_drawn_cards_come_from_the_pile() -> None:
    left, right = (play(at(), "1:11", pile) for pile in "ed")
    assert items(left, 0)["o1s"].start == "pile-0"
    assert items(right, 0)["t1s"].start == "pile-1"
    assert items(left, 1)["hand-0-1"].start == "pile-0"


def test_only_a_card_that_has_just_been_drawn_comes_from_a_pile() -> None:
    state = play(at(), "1:11", "e")
    for seat, drawn in ((0, "o1s"), (1, "hand-0-1")):
        piled = [item.id for item in state.scene(seat).items if item.start.startswith("pile-")]
        assert piled == [drawn]
    assert not [item.id for item in play(state, "0:12").scene(0).items if item.start.startswith("pile-")]


def test_followers_come_from_the_board() -> None:
    state = at("b5c,b4c,-,-/-,-,-,-/-,-,-,-/-,-,-,-", f"b1s,t1c,t2c,t3c/{BEA}")
    assert {"b5c", "b4c"} <= items(state, 1).keys()
    play(state, "0:02")
    assert followers(state)[0] == "b4c,b5c"
    drawn = items(state, 1)
    zone = drawn["zone-0-b"]
    assert all(
        abs(drawn[name].x - zone.x) < zone.w / 2 and abs(drawn[name].y - zone.y) < zone.h / 2 for name in ("b5c", "b4c")
    )


def test_the_last_cards_of_a_hand_come_from_its_owner() -> None:
    state = at(ALONE, f"-,t1c,t2c,t3c/{BEA}", left="-", right="-", mover="2:send")
    play(state, "0:11")
    assert state.is_terminal()
    drawn = items(state, 0)
    assert [drawn[name].start for name in ("v2c", "v3c", "v5c")] == ["seat-1"] * 3
    assert drawn["v1c"].start == "slot-1-0"
    assert not any(name.startswith("hand-") for name in drawn)


# Followers


def test_sums_are_crowned_where_they_control() -> None:
    drawn = items(at(left="o1s", followers="b5g,b4s,o3g,r4g/b2s,o3s"), 0)
    sums = {name: item.text for name, item in drawn.items() if name.startswith("sum-")}
    assert sums == {"sum-0-b": "9", "sum-0-o": "3", "sum-0-r": "4", "sum-1-b": "2", "sum-1-o": "3"}
    marks = {name for name in drawn if name.startswith(("crown-", "drop-"))}
    assert marks == {"crown-b", "crown-o", "crown-o-1", "crown-r", "drop-1-b"}
    assert drawn["points-1"].text == "2"
    assert english(drawn["zone-0-b"].label) == "followers of Anna: blue, sum 9, controlled (b4s b5g)"
    assert english(drawn["zone-1-b"].label) == "followers of Bea: blue, sum 2, not controlled (b2s)"
    assert english(drawn["zone-1-t"].label) == "followers of Bea: orange, none"


def test_a_crown_that_changes_its_owner_is_the_same_item() -> None:
    before, after = (items(at(followers=f"b2g/{given}"), 0) for given in ("b1s", "b5s"))
    assert before["crown-b"].y > after["crown-b"].y


@pytest.mark.parametrize("players", [2, 4])
def test_points_are_those_of_the_rules(players: int) -> None:
    state, rng = ludoteca.load("conclave", players=players).new_initial_state(7), new_rng(7)
    while not state.is_terminal():
        state.apply_action(state.random_action(rng))
        drawn = state.scene(-1)
        points = [int(rules.disappointment(state.raw, player)) for player in range(players)]
        assert [standing.facts[0][1] for standing in drawn.standings] == points
    score = f"with the least disappointment. Points: {min(points)}" if min(points) else "without any disappointment"
    assert english(drawn.task) == f"{NAMES[state.winners()[0]]} wins {score}"
    assert "winner" in {item.id for item in drawn.items}


# Touches


def touches(state: State) -> dict[str, set[str]]:
    mover = state.current_player()
    choices = scene.choices(state.view(mover).raw, mover, state.legal_actions())
    return {state.action_to_string(choice.action): set(choice.touches) for choice in choices}


def test_a_sending_is_a_card_and_a_hole() -> None:
    sendings = touches(at())
    assert len(sendings) == 16
    assert sendings["1:12"] == {"t1c", "cell-6"}


def test_a_cession_is_followers_and_a_player_and_keeping_a_button() -> None:
    state = at(hands=f"{ANNA}/{BEA}/{CARLA}", followers="b2s,o3g/b5g/v1g", mover="1:cede")
    assert touches(state) == {
        "o>2": {"zone-0-o", "seat-1"},
        "b>3": {"zone-0-b", "seat-2"},
        "o>3": {"zone-0-o", "seat-2"},
        "keep": set(),
    }


def test_a_draw_is_a_pile() -> None:
    assert touches(play(at(), "1:11")) == {"e": {"pile-0"}, "d": {"pile-1"}}


@pytest.mark.parametrize(
    ("given", "mover", "touched", "why"),
    [
        ("-/-", "1:send", ["t1c", "b1c"], "the cell 00 is taken"),
        ("-/-", "1:send", ["pile-0"], "this is not possible now: send an emissary"),
        ("v1g/-", "1:cede", ["t1c"], "this is not possible now: cede a magic, or nothing"),
        ("v1g/-", "1:cede", ["zone-0-v", "seat-0"], "you cannot cede to yourself"),
        ("v1g,p1g/p2g", "1:cede", ["seat-1", "zone-0-p"], "Bea has followers of magic p already"),
        ("v1g/-", "1:cede", ["zone-0-v", "seat-3"], "no player 4"),
    ],
)
def test_touching_what_may_not_be_played_is_refused_with_a_reason(
    given: str, mover: str, touched: Sequence[str], why: str
) -> None:
    state = at(followers=given, mover=mover)
    action = scene.interpret(state.view(0).raw, 0, touched)
    assert action not in state.legal_actions()
    assert why in english(state.refused(action))


@pytest.mark.parametrize(
    "touched",
    [
        [], ["t1c"], ["t1c", "t2c"], ["cell-99", "t1c"], ["cell-", "t1c"], ["zone-1-v", "seat-0"], ["zone-0-x", "seat-1"],
        ["seat-9", "zone-0-v"], ["t1c", "cell-5", "cell-6"], ["hand-1-0"], ["pile-2"], ["-", "cell-5"],
    ],
)  # fmt: skip
def test_touching_anything_else_means_nothing(touched: Sequence[str]) -> None:
    assert scene.interpret(at().view(0).raw, 0, touched) == -1


# Texts


def test_what_is_sent_is_named_to_who_sees_it() -> None:
    state = at()
    action = state.string_to_action("1:12")
    assert english(scene.describe(state.view(0).raw, 0, action)) == "sends orange 1 (crow) to row 1, column 2"
    for seat in (-1, 1):
        told = "sends a wizard (orange) from place 1 of the hand to row 1, column 2"
        assert english(scene.describe(state.view(seat).raw, seat, action)) == told


@pytest.mark.parametrize("seat", [-1, 0, 1])
@pytest.mark.parametrize(
    ("state", "action", "told"),
    [
        (at(), "1:12", "sends orange 1 (crow) to row 1, column 2"),
        (at(left="-", right="-"), "1:12", "sends orange 1 (crow) to row 1, column 2"),
        (play(at(), "1:12"), "e", "draws from the left pile"),
        (at(followers="v1g/-", mover="1:cede"), "v>2", "cedes the followers (green) to Bea"),
    ],
)
def test_what_has_been_sent_is_named_to_all(seat: int, state: State, action: str, told: str) -> None:
    before, played = state.view(seat).raw, state.string_to_action(action)
    after = state.child(played).view(seat).raw
    assert english(scene.tell(before, after, seat, played)) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("v>2", "cedes the followers (green) to Bea"),
        ("keep", "cedes nothing"),
        ("e", "draws from the left pile"),
        ("d", "draws from the right pile"),
    ],
)
def test_the_rest_of_a_turn_is_told(text: str, told: str) -> None:
    state = at(followers="v1g/-", mover="1:cede")
    assert english(scene.describe(state.view(1).raw, 1, state.string_to_action(text))) == told


@pytest.mark.parametrize(
    ("state", "task"),
    [
        (at(followers="v1g/-", mover="1:cede"), "Give the followers of a magic to a player without any (cede)"),
        (at(), "Send a wizard from your hand into a hole of the board"),
        (play(at(), "1:11"), "Draw the top card of one of the two piles"),
        (at(left="-", right="-"), "Last round, turns left: 2. Send a wizard"),
    ],
)
def test_the_task(state: State, task: str) -> None:
    assert english(state.scene(0).task).startswith(task)


@pytest.mark.parametrize(
    ("sets", "ending"),
    [
        (("b1c,o3c", "b2c,o2c"), "Anna wins with the least disappointment. Points: 1"),
        (("b1c,o3c", "o2c"), "Anna wins without any disappointment"),
        (
            ("b2c,o2c", "b1c,o3c", "b3c,o1c"),
            "Bea and Carla tie with the least disappointment. Points: 1. Bea comes first in playing order, and wins",
        ),
        (
            ("b1c", "o1c"),
            "Anna and Bea tie with the least disappointment. Points: 0. Anna comes first in playing order, and wins",
        ),
    ],
)
def test_the_ending_says_why(sets: Sequence[str], ending: str) -> None:
    assert english(score(*sets).scene(0).task) == ending


@pytest.mark.parametrize(
    ("state", "action", "told"),
    [
        (at(), "1:11", "sums: row 2, column 3; no wizard follows"),
        (
            at(
                "b1s,p4c,v2c,o2g/r4s,-,v4c,o3g/t2g,-,-,p3g/r2c,b3g,t1s,-",
                "v5s,b5g,r1s,t4c/p1c,p2c,p3c,v1g",
                left="b4s",
                right="b5s",
            ),
            "0:11",
            "sums: row 16, column 9; these follow you: red 4 (boar) and green 4 (crow)",
        ),
        (
            at(
                "p4c,r4s,v2g,o3g/b1g,o2s,-,p3c/t2g,v4c,r2s,p2g/r2c,b3g,b2g,t4s",
                "t1c,b5g,r1s,v5s/p1c,o1s,t3c,v1g",
                left="b4s",
                right="b5s",
            ),
            "0:12",
            "sums: row 7, column 7; last hole, no wizard convinced: in the magic crisis these follow you: ",
        ),
    ],
)
def test_the_preview_names_sums(state: State, action: str, told: str) -> None:
    assert english(scene.preview(state.view(0).raw, 0, state.string_to_action(action)).told).startswith(told)


def test_all_boards_are_drawn_alike() -> None:
    """The board shows the coordinates of the notation and of the log."""
    drawn = items(at(BORDER), 0)
    assert [drawn[f"column-{number}"].text for number in range(4)] == ["0", "1", "2", "3"]
    assert all(drawn[f"row-{number}"].y == drawn[name].y for number, name in enumerate(("b1c", "o1c", "o3c", "r1c")))
