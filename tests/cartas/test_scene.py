"""The scene in the browser: visible cards, their movements, touches, and texts in every language."""

import re
from collections.abc import Sequence

import pytest

import ludoteca
from ludoteca.core.bits import members
from ludoteca.core.game import State
from ludoteca.core.messages import Message, catalogue, in_words
from ludoteca.core.scene import Item
from ludoteca.games.cartas import GAME, rules
from ludoteca.games.cartas.view import scene
from tests.cartas.test_rules import bits, play, position

NAMES = ("Anna", "Bea", "Carla", "Dani")
TABLE = "5♠6♥K♣/A♠2♥3♦/A♥4♣/K♦7♠ 4♥ 2 1"


def items(state: State, seat: int) -> dict[str, Item]:
    return {item.id: item for item in state.scene(seat).items}


def ids(cards: str) -> list[str]:
    return [f"c{card}" for card in members(bits(cards))]


def english(message: Message) -> str:
    return in_words(message, catalogue(GAME.package, "en"), NAMES)


# Visible cards


def test_a_hand_is_open_to_its_seat_from_left_to_right() -> None:
    drawn = items(position(TABLE), 0)
    hand = [drawn[name] for name in ids("5♠6♥K♣")]
    assert [item.sprite for item in hand] == ["card-16", "card-21", "card-55"]
    assert [item.x for item in hand] == sorted(item.x for item in hand)
    assert not {*ids("A♠2♥3♦A♥4♣K♦7♠")} & {name for name, item in drawn.items() if item.sprite.startswith("card-")}


@pytest.mark.parametrize(("hand", "behind"), [("A♠2♥3♦4♣5♠6♥7♦8♣9♠10♥J♦", 5), ("A♠2♥3♦4♣5♠6♥7♦8♣9♠10♥", 0)])
def test_more_than_ten_cards_are_in_two_rows_with_the_low_ones_behind(hand: str, behind: int) -> None:
    drawn, middle = items(position(f"{hand}/A♥/A♦/A♣ - 0 1"), 0), scene.CORNERS[0].hand[1] - scene.BEHIND / 2
    assert [name for name in ids(hand) if drawn[name].y < middle] == ids(hand)[:behind]


def test_other_hands_are_backs_and_numbers() -> None:
    drawn = items(position(TABLE), 0)
    assert [sum(name.startswith(f"back-{player}-") for name in drawn) for player in range(4)] == [0, 3, 2, 2]
    assert [drawn[f"seat-{player}"].text for player in range(4)] == ["3", "3", "2", "2"]
    assert sum(name.startswith("back-") for name in items(position(TABLE), -1)) == 10


def test_play_goes_clockwise_from_ones_own_seat() -> None:
    for seat in range(4):
        drawn = items(position(TABLE), seat)
        own, left, top, right = (drawn[f"seat-{(seat + number) % 4}"] for number in range(4))
        assert left.x < top.x == own.x < right.x
        assert max(left.y, top.y, right.y) < own.y


def test_backs_tell_not_which_cards_are_gone() -> None:
    hands = "5♠6♥K♣/A♠2♥3♦/A♥4♣/K♦7♠"
    low, high = (play(position(f"{hands} - 0 1"), card) for card in ("5♠", "6♥"))
    backs = [[item for name, item in items(state, 1).items() if name.startswith("back-")] for state in (low, high)]
    assert backs[0] == backs[1]
    assert [item.id for item in backs[0] if item.id.startswith("back-0")] == ["back-0-0", "back-0-1"]


# Movements


def test_a_card_goes_from_the_hand_to_the_table_and_to_its_place_in_the_chart() -> None:
    state = position("5♠6♥K♣/A♠2♥7♦/A♥4♣/K♦7♠ 4♥ 0 1")
    (name,) = ids("6♥")
    assert items(state, 0)[name].sprite == "card-21"
    play(state, "6♥")
    drawn = items(state, 0)[name]
    assert drawn.sprite == "card-21"
    assert "last" in drawn.classes.split()
    play(state, "7♦")
    drawn = items(state, 0)[name]
    assert drawn.sprite == "mini-h"
    assert "last" not in drawn.classes.split()


def test_a_card_that_was_hidden_comes_from_the_end_of_the_fan() -> None:
    state = play(position("5♠6♥K♣/A♠2♥7♦/A♥4♣/K♦7♠ - 0 1"), "6♥")
    assert "back-0-2" not in items(state, 1)
    assert items(state, 1)[ids("6♥")[0]].start == "back-0-2"


def test_a_double_sequence_lies_in_pairs() -> None:
    drawn = items(position("K♠/K♥/K♦/K♣ 4♥4♦5♠5♥6♥6♦ 0 1"), -1)
    places = [(drawn[name].x, drawn[name].y) for name in ids("4♥4♦5♠5♥6♥6♦")]
    assert len({x for x, _ in places}) == 3
    assert len({y for _, y in places}) == 2


# Whose play it is


@pytest.mark.parametrize(
    ("text", "maker", "passed"),
    [
        ("4♥ 0 1", "3", ""), ("4♥ 2 1", "1", "23"), ("4♥ 1 3", "0", "1"), ("- 0 2", "", ""), ("- 3 2", "", "230"),
        ("- 4 -", "", "0123"),
    ],
)  # fmt: skip
def test_who_made_the_play_and_who_has_passed(text: str, maker: str, passed: str) -> None:
    drawn = items(position(f"5♠6♥/A♠2♥/A♥4♣/K♦7♠ {text}"), 0)
    assert ("maker" in drawn) == bool(maker)
    assert drawn["mat"].classes == (f"player-{maker} drop" if maker else "drop")
    assert {name[-1] for name in drawn if name.startswith("pass-")} == set(passed)


def test_the_last_play_of_a_game_is_the_winners() -> None:
    drawn = items(position("A♠2♥/-/A♥/K♦ 5♠ 0 -"), 0)
    assert drawn["mat"].classes == "player-1 drop"
    assert (drawn["winner"].x, drawn["winner"].y) == (drawn["seat-1"].x, drawn["seat-1"].y - 11)
    assert "turn" not in drawn


# Touches


def test_each_play_is_its_cards_and_passing_is_a_button() -> None:
    state = position("5♠5♥6♥7♦/A♠/A♥/A♦ - 0 1")
    choices = scene.choices(state.view(0).raw, 0, state.legal_actions())
    assert {choice.action: set(choice.touches) for choice in choices} == {
        action: {*ids(state.action_to_string(action))} if action else set() for action in state.legal_actions()
    }
    assert [choice.label for choice in choices if not choice.touches] == [("button.pass-lead",)]


@pytest.mark.parametrize(
    ("touched", "why"),
    [
        ("5♠6♥", "5♠6♥ is no combination"),
        ("5♠", "the highest card of 5♠ is not higher than 5♦"),
        ("5♥5♠", "a set of 2 does not answer a set of 1"),
        ("5♦", "5♦ is not in your hand"),
        ("5♠A♦", "A♦ is not in your hand"),
    ],
)
def test_touching_what_may_not_be_played_is_refused_with_a_reason(touched: str, why: str) -> None:
    state = position("5♠5♥6♥/A♠/A♥/A♦ 5♦ 0 1")
    action = scene.interpret(state.view(0).raw, 0, ids(touched))
    assert action not in state.legal_actions()
    assert why in english(state.refused(action))


@pytest.mark.parametrize("touched", [[], ["seat-1"], ["c16", "mat"], ["c56"], ["c-1"], ["c"], [""], ["back-1-0"]])
def test_touching_anything_else_means_nothing(touched: Sequence[str]) -> None:
    assert scene.interpret(position(TABLE).view(0).raw, 0, touched) == -1


# Texts


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("PASSO", "passes with the lead"),
        ("5♠", "plays 5♠"),
        ("5♠5♥", "plays a set of 2: 5♠ 5♥"),
        ("5♠6♥7♦", "plays a sequence of 3: 5♠ 6♥ 7♦"),
        ("5♠5♥6♥6♦7♦7♣", "plays a double sequence of 3: 5♠ 5♥ 6♥ 6♦ 7♦ 7♣"),
    ],
)
def test_plays_are_told(text: str, told: str) -> None:
    state = position("5♠5♥6♥6♦7♦7♣/A♠/A♥/A♦ - 0 1")
    action = state.string_to_action(text)
    assert {english(scene.describe(state.view(seat).raw, seat, action)) for seat in range(-1, 4)} == {told}
    shown = re.findall(r"'small-(\d+)'", str(scene.describe(state.view(0).raw, 0, action)))
    assert {f"c{card}" for card in shown} == set(ids(text.replace("PASSO", "")))


def test_a_pass_in_answer_is_just_a_pass() -> None:
    state = position(TABLE)
    assert english(scene.describe(state.view(0).raw, 0, rules.PASS)) == "passes"


@pytest.mark.parametrize(
    ("text", "task"),
    [
        (TABLE, "Play a card higher than 4♥, or pass"),
        ("3♠4♣/A♠/A♥/A♦ 5♥ 0 1", "None of your cards answers: pass"),
        ("5♠5♥/A♠/A♥/A♦ 4♥4♣ 0 1", "Answer a set of 2 with another one whose highest card is above 4♣, or pass"),
        ("5♠6♥/A♠/A♥/A♦ 4♥4♣ 0 1", "None of your cards answers: pass"),
        (
            "5♠6♥7♥/A♠/A♥/A♦ 3♠4♥5♦ 0 1",
            "Answer a sequence of 3 with another one whose highest card is above 5♦, or pass",
        ),
        ("5♠6♥8♥/A♠/A♥/A♦ 3♠4♥5♦ 0 1", "None of your cards answers: pass"),
        (
            "5♠6♥K♣/A♠/A♥/A♦ K♥ 0 1",
            "Play a card higher than K♥, or pass; four cards of one value and a double sequence of 3 answer it, too",
        ),
        (
            "5♠5♥6♠6♥7♥7♦/A♠/A♥/A♦ K♣ 0 1",
            "Play a card higher than K♣, or pass; four cards of one value and a double sequence of 3 answer it, too",
        ),
        ("5♠6♥/A♠/A♥/A♦ K♥ 0 1", "None of your cards answers: pass"),
        (
            "5♠5♥6♠6♥7♥7♦8♠8♥/A♠/A♥/A♦ K♥K♣ 0 1",
            "Answer a set of 2 with another one whose highest card is above K♣, or pass; "
            "a double sequence of 4 answers it, too",
        ),
        ("5♠5♥6♠6♥7♥7♦8♠9♥/A♠/A♥/A♦ K♥K♣ 0 1", "None of your cards answers: pass"),
        ("5♠6♥/A♠/A♥/A♦ - 0 1", "Play what you like: one card, or several that belong together"),
        ("-/A♠2♥/A♥/K♦ 5♠ 0 -", "Anna has played all cards and wins. Points: 4"),
        ("5♠/A♠2♥/A♥/K♦ - 4 -", "All four have passed: the game is void, and nobody gets points"),
    ],
)
def test_the_task(text: str, task: str) -> None:
    assert english(position(text).scene(0).task) == task


@pytest.mark.parametrize("seat", [-1, 1, 2, 3])
def test_the_task_hides_from_others_if_a_hand_answers(seat: int) -> None:
    hands = ("5♠6♥", "3♠4♥")
    assert len({english(position(f"{hand}/A♠/A♥/A♦ 5♥ 0 1").scene(seat).task) for hand in hands}) == 1


def test_standings_are_the_cards_left_and_at_the_end_the_points() -> None:
    def facts(text: str) -> list[list[tuple[str, Message]]]:
        standings = position(text).scene(-1).standings
        return [[(english(heading), value) for heading, value in standing.facts] for standing in standings]

    assert facts(TABLE) == [[("cards", 3)], [("cards", 3)], [("cards", 2)], [("cards", 2)]]
    assert facts("-/A♠2♥/A♥/K♦ 5♠ 0 -")[:2] == [[("cards", 0), ("points", 4)], [("cards", 2), ("points", 0)]]


def test_cards_have_names() -> None:
    drawn = items(position(TABLE), 0)
    assert [english(drawn[name].label) for name in ids("5♠6♥K♣")] == ["5 of spades", "6 of hearts", "king of clubs"]
    assert english(drawn["seat-1"].label) == "Bea, cards: 3"


def test_what_is_drawn_lies_within_the_table_whoever_wins() -> None:
    game = ludoteca.load("cartas")
    for seat in range(4):
        hands = ["3♠", "4♠", "5♠", "6♠"]
        hands[seat] = "-"
        state = game.state_from_string(f"{'/'.join(hands)} K♠ 0 -")
        for onlooker in range(-1, 4):
            for item in state.scene(onlooker).items:
                if item.sprite == "crown":
                    assert item.w / 2 <= item.x <= 160 - item.w / 2
                    assert item.h / 2 <= item.y <= 172 - item.h / 2
