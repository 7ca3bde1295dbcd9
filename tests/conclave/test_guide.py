"""The statements of the rules page about its positions are true by the rules."""

import ludoteca
from ludoteca.core.game import State
from ludoteca.games.conclave.view import guide
from tests.conclave.test_rules import followers, play


def at(position: str) -> State:
    return ludoteca.load("conclave", **guide.GUIDE.parameters).state_from_string(position)


def test_the_numbers_of_the_deal_are_those_of_the_rules() -> None:
    removed, piles = [], []
    for players in (2, 3, 4):
        raw = ludoteca.load("conclave", players=players).new_initial_state(1).raw
        left, right = (raw.bottom - raw.top).tolist()
        assert left == right
        piles.append(left)
        removed.append(90 - 4 * players - 12 - left - right)
    assert removed == [36, 30, 24]
    assert piles == [17, 18, 19]


def test_the_picture_of_the_start_is_a_deal_of_the_document() -> None:
    assert str(ludoteca.load("conclave", players=3, deal="document:5").new_initial_state(1)) == guide.DEALT


def test_what_is_told_of_the_pictures_is_so() -> None:
    cession = at(guide.CESSION)
    legal = {cession.action_to_string(action) for action in cession.legal_actions()}
    assert "o>3" in legal
    assert "o>2" not in legal
    assert play(at(guide.START), "0:11") == at(guide.SENT)
    assert followers(at(guide.SENT))[0] == "r4s,v4c"
    assert followers(play(at(guide.CRISIS), "0:12"))[0] == "b1g,b2g,o2s,r2s,v2g"
    assert at(guide.LAST).raw.turns_left == 2
    assert at(guide.END).scores() == [13, 1, 0]


def test_a_hole_parts_those_who_would_listen() -> None:
    assert followers(play(at(guide.START), "0:21"))[0] == "-"


def test_the_first_hole_is_filled_from_the_pile_that_was_drawn_from() -> None:
    after = str(play(at(guide.SENT), "e"))
    assert after.split()[0].split("/")[1] == "t5g,v5s,-,o3g"
    assert after.split()[1].startswith("b4s,b5g,r1s,t4c/")
