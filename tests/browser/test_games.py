"""Every game that can be drawn is played to its end in the browser, by players who know none of them."""

from typing import Any

import pytest

from ludoteca.core.spec import GameSpec
from tests.browser.conftest import PHONE, NewPage
from tests.browser.players import Keyboard, Mouse, against_agents, drawn, play_to_the_end, situation
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

each_game = pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)


def check_end(page: Any) -> None:
    seen = situation(page)
    assert seen["over"]
    assert seen["count"] > 0
    assert page.locator("#task").inner_text()
    assert page.locator(".fairness .fair").count() == 1


@each_game
def test_mouse_plays_a_game_to_its_end(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(against_agents(server, spec), reduced_motion="reduce")
    play_to_the_end(page, Mouse(page, 1))
    check_end(page)


@each_game
def test_keyboard_alone_plays_a_game_to_its_end(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(against_agents(server, spec))
    play_to_the_end(page, Keyboard(page, 2))
    check_end(page)


@each_game
def test_finger_plays_a_game_to_its_end_on_a_telephone(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(against_agents(server, spec), **PHONE)
    play_to_the_end(page, Mouse(page, 3, taps=True))
    check_end(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
