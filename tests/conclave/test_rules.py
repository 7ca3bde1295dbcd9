"""A position for every rule of the document's sections 3 to 6, with figures 3 to 7."""

import pytest

import ludoteca
from ludoteca.core.errors import IllegalActionError
from ludoteca.core.game import State

ANNA = "p5g,t1c,t2c,t3c"
BEA = "v1c,v2c,v3c,v5c"
CARLA = "p1c,p2c,p3c,b1s"
BORDER = "b1c,b2c,b3c,b4c/o1c,-,-,o2c/o3c,-,-,o4c/r1c,r2c,r3c,r4c"
"""A board as at the start. The sums of row 1 and column 1 with a small card are less than 10."""


def at(
    board: str = BORDER,
    hands: str = f"{ANNA}/{BEA}",
    followers: str = "-/-",
    left: str = "o1s,o2s,o3s,o4s,o5s",
    right: str = "t1s,t2s,t3s,t4s,t5s",
    mover: str = "1:send",
) -> State:
    game = ludoteca.load("conclave", players=hands.count("/") + 1)
    return game.state_from_string(f"{board} {hands} {followers} {left} {right} {mover}")


def play(state: State, *texts: str) -> State:
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def part(state: State, number: int) -> list[str]:
    return str(state).split()[number].split("/")


def board(state: State) -> list[str]:
    return part(state, 0)


def hands(state: State) -> list[str]:
    return part(state, 1)


def followers(state: State) -> list[str]:
    return part(state, 2)


def left(state: State) -> str:
    return part(state, 3)[0]


def right(state: State) -> str:
    return part(state, 4)[0]


def mover(state: State) -> str:
    return part(state, 5)[0]


def texts(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


# 3 Preparació del joc


# 4.1 Cedir influència


def test_figure_3_ochre_goes_to_player_3_who_has_none_and_not_to_player_2() -> None:
    state = at(hands=f"{ANNA}/{BEA}/{CARLA}", followers="o1g,o3g,v1g/o5g,b5g/b5c", mover="1:cede")
    assert texts(state) == ["v>2", "o>3", "v>3", "keep"]
    with pytest.raises(IllegalActionError, match="player 2 has followers of magic o already"):
        play(state, "o>2")
    play(state, "o>3")
    assert followers(state) == ["v1g", "b5g,o5g", "b5c,o1g,o3g"]
    assert mover(state) == "1:send"


def test_only_one_magic_a_turn() -> None:
    state = play(at(followers="o1g,v1g/-", mover="1:cede"), "o>2")
    with pytest.raises(IllegalActionError, match="now: send an emissary"):
        play(state, "v>2")


def test_what_was_received_can_be_handed_back_in_the_next_turn() -> None:
    state = play(at(followers="o1g/-", mover="1:cede"), "o>2", "0:11", "e")
    assert mover(state) == "2:cede"
    assert texts(state) == ["o>1", "keep"]
    assert followers(play(state, "o>1")) == ["o1g", "-"]


def test_keep_is_offered_only_when_something_could_be_ceded() -> None:
    assert texts(at(followers="o1g/-", mover="1:cede")) == ["o>2", "keep"]
    assert mover(play(at(followers="b1g/b2g"), "0:11", "e")) == "2:send"  # both have blue, so no player could receive it
    assert mover(play(at(followers="b1g/-"), "0:11", "e")) == "2:send"  # player 2 has nothing
    assert mover(play(at(followers="-/b1g"), "0:11", "e")) == "2:cede"


# 4.2 Fer jugada


FIGURE_4 = "b2c,p4s,b3c,b4c/v4g,-,r4g,o5c/o3c,-,-,o4c/r1c,r2c,r3c,r4c"


def test_figure_4_the_row_convinces_the_column_does_not() -> None:
    """The row sums to 18. In the column only the purple card above is in contact, and the sum is 9."""
    state = play(at(FIGURE_4), "0:11")
    assert board(state) == ["b2c,p4s,b3c,b4c", "-,p5g,-,o5c", "o3c,-,-,o4c", "r1c,r2c,r3c,r4c"]
    assert followers(state) == ["r4g,v4g", "-"]


def test_ten_is_enough_and_nine_is_not() -> None:
    enough = at("-,-,-,-/-,-,p4c,-/-,-,-,-/-,-,p1s,p2s", hands=f"p5g,t1c,t2c,t3c/{BEA}")
    assert followers(play(enough.clone(), "0:11")) == ["-", "-"]  # 5 + 4
    ten = at("-,-,-,-/-,-,p4c,p1s/-,-,-,-/-,-,-,p2s")
    assert followers(play(ten, "0:11")) == ["p1s,p4c", "-"]  # 5 + 4 + 1


def test_a_hole_ends_the_contact() -> None:
    state = at("-,-,-,-/-,p4c,-,p3s/-,-,-,-/-,-,-,-")
    assert followers(play(state, "0:10")) == ["-", "-"]  # 5 + 4, without the 3


def test_the_hole_that_the_row_makes_does_not_matter_to_the_column() -> None:
    """The row is checked first. It takes no card from the emissary's column."""
    state = at("-,r3g,-,-/p4c,-,p1s,-/-,r2g,-,-/-,-,-,-")
    state = play(state, "0:11")
    assert followers(state) == ["p1s,p4c,r2g,r3g", "-"]  # row 5 + 4 + 1, column 5 + 3 + 2
    assert board(state)[1] == "-,p5g,-,-"


def test_magic_or_brotherhood_convinces_and_nothing_else() -> None:
    state = at("-,-,-,-/p1c,-,r4g,v5s/-,-,-,-/-,-,-,-")
    state = play(state, "0:11")
    assert followers(state) == ["p1c,r4g", "-"]
    assert board(state)[1] == "-,p5g,-,v5s"


def test_who_is_taken_convinces_nobody_in_turn() -> None:
    state = at("-,-,r5c,-/-,-,r5g,-/-,-,r4s,-/-,-,-,-")
    state = play(state, "0:11")
    assert followers(state) == ["r5g", "-"]  # 10 in the row. The column of the red card does not count
    assert board(state) == ["-,-,r5c,-", "-,p5g,-,-", "-,-,r4s,-", "-,-,-,-"]


def test_the_emissary_stays_and_the_first_row_and_the_last_column_are_lines_too() -> None:
    state = at("p1c,p2s,p3c,-/-,-,-,r4g/-,-,-,r5g/-,-,-,r1g", hands=f"p5g,t1c,t2c,t3c/{BEA}")
    assert followers(play(state, "0:03")) == ["p1c,p2s,p3c,r1g,r4g,r5g", "-"]


def test_any_card_of_the_hand_into_any_hole() -> None:
    assert texts(at()) == [f"{place}:{cell}" for place in range(4) for cell in ("11", "12", "21", "22")]


# 4.2.1 Crisi màgica


FIGURE_5 = "b1c,r1g,b3c,b4c/o1c,-,v1s,t1g/o3c,v2s,b5s,o4c/r1c,t2g,r3c,r4c"
"""One hole. With a purple five in it, the row has 1 + 5 + 1 + 1 and the column 1 + 5 + 2 + 2."""


def test_figure_5_a_crisis_takes_all_of_other_brotherhoods() -> None:
    state = play(at(FIGURE_5, hands=f"p4g,t1c,t2c,t3c/{BEA}"), "0:11")  # row 7, column 9
    assert board(state) == ["b1c,r1g,b3c,b4c", "-,p4g,-,t1g", "o3c,-,b5s,o4c", "r1c,t2g,r3c,r4c"]
    assert followers(state) == ["o1c,v1s,v2s", "-"]


def test_no_crisis_when_somebody_was_convinced() -> None:
    state = play(at(FIGURE_5), "0:11")  # the column sums to 10: the red and orange gazelles follow
    assert followers(state) == ["r1g,t2g", "-"]
    assert board(state)[1] == "o1c,p5g,v1s,t1g"


def test_no_crisis_when_a_hole_is_left() -> None:
    state = play(at(FIGURE_5.replace("b4c", "-"), hands=f"p4g,t1c,t2c,t3c/{BEA}"), "0:11")
    assert followers(state) == ["-", "-"]


def test_a_crisis_takes_up_to_six_and_magic_does_not_matter() -> None:
    full = "b1c,p1c,b3c,b4c/p1s,-,p2c,r1s/o3c,b2s,o5s,o4c/r1c,t1c,r3c,r4c"
    state = play(at(full, hands=f"p3g,t2c,t3c,t4c/{BEA}", left="v1s,v2s,v3s", right="v4s"), "0:11")
    assert followers(state) == ["b2s,p1c,p1s,p2c,r1s,t1c", "-"]


# 4.3 Robar una carta


def test_the_card_drawn_goes_where_the_emissary_was() -> None:
    state = play(at(), "2:11")
    assert (mover(state), hands(state)[0]) == ("1:draw", "p5g,t1c,-,t3c")
    assert texts(state) == ["e", "d"]
    assert hands(play(state.clone(), "e"))[0] == "p5g,t1c,o1s,t3c"
    assert hands(play(state.clone(), "d"))[0] == "p5g,t1c,t1s,t3c"
    assert (left(play(state, "d")), right(state)) == ("o1s,o2s,o3s,o4s,o5s", "t2s,t3s,t4s,t5s")


@pytest.mark.parametrize(("pile", "hand"), [({"left": "-"}, "t1s,t1c,t2c,t3c"), ({"right": "-"}, "o1s,t1c,t2c,t3c")])
def test_with_one_pile_nothing_is_asked(pile: dict[str, str], hand: str) -> None:
    state = play(at(**pile), "0:11")
    assert (mover(state), hands(state)[0]) == ("2:send", hand)


# 4.4 Omplir el tauler


SIX_HOLES = "b1c,b2c,-,b4c/o1c,-,-,o2c/o3c,-,-,o4c/r1c,-,-,r4c"


def test_figure_6_two_of_six_holes_are_filled_from_the_pile_of_the_draw_in_reading_order() -> None:
    state = play(at(SIX_HOLES), "1:11", "e")  # no wizard is taken, and six holes are left
    assert board(state) == ["b1c,b2c,o2s,b4c", "o1c,t1c,o3s,o2c", "o3c,-,-,o4c", "r1c,-,-,r4c"]
    assert (left(state), right(state)) == ("o4s,o5s", "t1s,t2s,t3s,t4s,t5s")


def test_four_holes_or_fewer_are_left_as_they_are() -> None:
    state = play(at(SIX_HOLES.replace("-,-,o4c", "v4c,-,o4c").replace("-,b4c", "b5c,b4c")), "1:11", "e")
    assert sum(row.split(",").count("-") for row in board(state)) == 4
    assert left(state) == "o2s,o3s,o4s,o5s"


@pytest.mark.parametrize(
    ("pile", "start", "cards"),
    [("e", ("o1s,o2s", "t1s,t2s"), ("-", "t2s")), ("d", ("o1s,o2s", "t1s,t2s"), ("o2s", "-"))],
)
def test_a_refill_goes_on_with_the_other_pile(pile: str, start: tuple[str, str], cards: tuple[str, str]) -> None:
    state = play(at(SIX_HOLES, left=start[0], right=start[1]), "1:11", pile)
    first, then = ("o2s", "t1s") if pile == "e" else ("t2s", "o1s")
    assert board(state)[:2] == [f"b1c,b2c,{first},b4c", f"o1c,t1c,{then},o2c"]
    assert (left(state), right(state)) == cards


def test_a_refill_ends_with_the_cards() -> None:
    state = play(at(SIX_HOLES, left="o1s,o2s", right="-"), "1:11")
    assert board(state)[:2] == ["b1c,b2c,o2s,b4c", "o1c,t1c,-,o2c"]
    assert (mover(state), state.raw.turns_left) == ("2:send", 2)


# 5 Final de la partida


def test_everybody_has_one_more_turn_when_the_piles_are_empty() -> None:
    state = play(at(left="o1s", right="-"), "0:11")
    assert hands(state) == ["o1s,t1c,t2c,t3c", BEA]
    play(state, "0:12")
    assert (mover(state), hands(state)[1]) == ("1:send", "-,v2c,v3c,v5c")
    play(state, "3:21")
    assert (mover(state), hands(state)) == ("-", ["-,-,-,-", "-,-,-,-"])
    assert followers(state)[1] == "v2c,v3c,v5c"
    assert set(followers(state)[0].split(",")) >= {"o1s", "t1c", "t2c"}


def test_the_last_round_begins_after_the_one_who_emptied_the_piles() -> None:
    state = at(hands=f"{ANNA}/{BEA}/{CARLA}", followers="-/-/-", left="-", right="t1s", mover="2:send")
    seats = []
    while not state.is_terminal():
        seats.append(mover(state)[0])
        play(state, texts(state)[0])
    assert seats == ["2", "3", "1", "2"]


def test_one_may_cede_in_the_last_round() -> None:
    assert followers(play(at(left="-", right="-", followers="o1g/-", mover="1:cede"), "o>2")) == ["-", "o1g"]


def test_nothing_is_drawn_or_filled_in_the_last_round() -> None:
    state = play(at(SIX_HOLES, left="-", right="-"), "1:11")
    assert (hands(state)[0], board(state)[1]) == ("p5g,-,t2c,t3c", "o1c,t1c,-,o2c")


# The dead end, which the document is silent about


FULL = "b1c,b2g,b3c,b4c/o1g,-,o2g,t1g/o3c,v1g,b5s,o4c/r1c,t2g,r3c,r4c"


def test_a_crisis_that_takes_nobody_ends_the_game_after_the_draw() -> None:
    state = play(at(FULL, hands=f"p1g,t1c,t2c,t3c/{BEA}"), "0:11")
    assert mover(state) == "1:draw"
    play(state, "d")
    assert (mover(state), hands(state)) == ("-", ["-,-,-,-", "-,-,-,-"])
    assert followers(state) == ["t1c,t1s,t2c,t3c", "v1c,v2c,v3c,v5c"]
    assert (left(state), right(state)) == ("o1s,o2s,o3s,o4s,o5s", "t2s,t3s,t4s,t5s")


def test_a_dead_end_with_one_pile_left() -> None:
    assert mover(play(at(FULL, hands=f"p1g,t1c,t2c,t3c/{BEA}", left="-"), "0:11")) == "-"


def test_a_dead_end_in_the_last_round() -> None:
    state = play(at(FULL, hands=f"p1g,t1c,t2c,t3c/{BEA}", left="-", right="-"), "0:11")
    assert (mover(state), followers(state)) == ("-", ["t1c,t2c,t3c", "v1c,v2c,v3c,v5c"])


# 6 Puntuació


def score(*sets: str) -> State:
    hands = "/".join(["-"] * len(sets))
    return at("-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-", hands, "/".join(sets), left="-", right="-", mover="-")


def test_figure_7_one_controls_nothing_another_all_but_blue_the_third_ties_for_orange() -> None:
    first = "b1c,b3c,o5c,p1c,p3c,r1c,r2c,t1c,t4c,v2c,v4c"  # b 4, o 5, p 4, r 3, t 5, v 6
    second = "b2c,b5c,o5g,o2c,p5c,p4c,r5c,t5c,t2c,v5c,v3c"  # b 7, o 7, p 9, r 5, t 7, v 8
    third = "b5g,b4c,o1c,r4c,t4g,t3c"  # b 9, o 1, r 4, t 7
    state = score(first, second, third)
    assert state.scores() == [27, 7, 5]
    assert state.winners() == [2]
    assert state.returns() == [0, 0, 1]


def test_a_tie_goes_to_the_earliest() -> None:
    state = score("b1c,o3c", "b2c,o2c", "b3c,o1c")
    assert (state.scores(), state.winners()) == ([1, 4, 1], [0])
    state = score("b2c,o2c", "b1c,o3c", "b3c,o1c")
    assert (state.scores(), state.winners()) == ([4, 1, 1], [1])
    assert score("-", "-").winners() == [0]


def test_nobody_wins_before_the_end() -> None:
    assert at(followers="b1g/b5g").winners() == []
    assert at(followers="b1g/b5g").scores() == [1, 0]
