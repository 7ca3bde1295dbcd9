"""Every game that can be drawn is played to its end in the browser, by players without knowledge of the games."""

from typing import Any

import pytest

from ludoteca.core.spec import GameSpec
from tests.browser.conftest import PHONE, NewPage
from tests.browser.players import (
    Keyboard,
    Mouse,
    against_agents,
    at_random,
    drawn,
    each_kind,
    play_to_the_end,
    short,
    situation,
)
from tests.browser.serving import Server

STILLS = 3
"""Positions of a game that are checked, in addition to its first."""

each_game = pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)


def check_end(page: Any) -> None:
    seen = situation(page)
    assert seen["over"]
    assert seen["count"] > 0
    assert page.locator("#task").inner_text()


def is_as_wide_as_the_telephone(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"])


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["end", "whole"])
@each_game
def test_mouse_plays_a_game_to_its_end(server: Server, new_page: NewPage, spec: GameSpec, whole: bool) -> None:
    start = {} if whole else short(server, spec)
    page = new_page(against_agents(server, spec, **start))
    play_to_the_end(page, Mouse(page, 1))
    check_end(page)
    promised = not start and not spec.perfect_information  # a deal that is known from elsewhere is not promised
    assert page.locator(".fairness .fair").count() == promised


@each_kind
def test_keyboard_alone_plays_a_game_to_its_end(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(against_agents(server, spec, **short(server, spec)))
    play_to_the_end(page, Keyboard(page, 2))
    check_end(page)


@pytest.mark.soak
@each_game
def test_every_position_of_a_game_is_as_wide_as_a_telephone(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    whole = max((at_random(spec, seed) for seed in range(1, 6)), key=lambda game: len(game.history()))
    record = server.record(whole)
    page = new_page(f"{server.address}/room/{record}", **PHONE)
    page.wait_for_selector("#ending:not([hidden])")
    last = situation(page)["count"]
    assert last == len(whole.history())
    for still in range(STILLS):
        ply = last * still // STILLS
        page.locator("#slider").fill(str(ply))
        page.get_by_text(f"Position after move {ply} of {last}").wait_for()
        assert page.locator("#board .item").count()
        assert is_as_wide_as_the_telephone(page)
