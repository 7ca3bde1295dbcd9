"""Rooms with programs: replacements of absent players, hints, compilation during a game, analysis."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludoteca.agents.agent import new_searcher
from ludoteca.core import codecache
from ludoteca.core.codecache import ENVIRONMENT
from ludoteca.core.game import load
from tests.browser.conftest import NewPage
from tests.browser.players import (
    Mouse,
    against_agents,
    at_random,
    play_to_the_end,
    players,
    situation,
    small,
)
from tests.browser.rooms import OPEN, find_connection, lose_connection, move, seat_link, sit, with_a_friend
from tests.browser.serving import Server

COMPILING = 240_000
"""Milliseconds in which an agent that searches is compiled, the first time on a machine."""


def test_an_agent_plays_for_who_is_away_until_the_person_comes_back(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    assert mine.locator(".badge.away").count() == 0
    link = seat_link(friend)
    friend.context.close()
    mine.get_by_role("button", name="Let a program play").click()
    mine.get_by_text("Level 4").first.wait_for()
    assert "Ion" not in mine.locator(".players").inner_text()
    again = new_page(link)
    again.locator(".players").get_by_text("you", exact=True).wait_for()
    mine.locator(".players").get_by_text("Ion").wait_for()
    assert mine.get_by_text("Level 4").count() == 0


@pytest.fixture(scope="module")
def _compiled() -> None:
    """The servers' processes have a low priority, so next to other tests they would compile for minutes."""
    new_searcher(load(OPEN.name, compiled=True))


@pytest.mark.usefixtures("_compiled")
def test_a_hint_shows_what_to_touch_and_says_it_in_words(server: Server, new_page: NewPage) -> None:
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "random"}]
    page = new_page(server.new_room(OPEN.name, seats, parameters={"board": "6x6"})[1], locale="ca")
    page.wait_for_selector("#board.mine.many")
    assert page.locator("#board .lit .halo").first.evaluate("halo => getComputedStyle(halo).fill") == "none", "no dots"
    page.get_by_role("button", name="Pista").click()
    page.wait_for_selector("#board .hinted", state="attached", timeout=COMPILING)
    assert page.locator("#board .hinted.lit").count() == page.locator("#board .hinted").count()
    large = page.locator("#board .hinted .halo").first.evaluate("halo => halo.getBoundingClientRect().width")
    assert large > 0.5 * page.locator("#board .hinted").first.evaluate(
        "item => item.querySelector('use').getBoundingClientRect().width"
    )
    hint = page.locator(".hint-text > p")
    assert re.match(
        r"Pista: Un bon jugador ocupa [a-f]{2}\b.*\. (Probabilitat de guanyar: |Encara no es veu)", hint.inner_text()
    )
    more = page.locator(".hint-text details")
    assert not more.locator("code").is_visible(), "notation is for who asks"
    more.locator("summary").click()
    first, *then = more.locator("code").inner_text().split(" · ")
    assert f"ocupa {first}" in hint.inner_text()
    assert sum(f"ocupa {cell}" in hint.inner_text() for cell in then) == 0, "how it goes on is told once"
    move(page)
    page.wait_for_selector("#board.mine")
    assert page.locator("#board .hinted").count() == 0


@pytest.mark.soak
@pytest.mark.usefixtures("_compiled")
def test_a_hint_stays_after_a_lost_connection_and_comes_if_it_was_asked_for(
    server: Server, new_page: NewPage, troubles: list[str]
) -> None:
    page = new_page(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    lose_connection(page)
    page.get_by_role("button", name="Hint").click()
    find_connection(page, troubles)
    page.wait_for_selector("#board .hinted", state="attached", timeout=COMPILING)
    hinted = page.locator("#board .hinted").count()
    lose_connection(page)
    find_connection(page, troubles)
    assert page.locator("#board .hinted").count() == hinted
    move(page)
    page.wait_for_selector("#board .hinted", state="detached")


@contextmanager
def not_compiled(folder: Path) -> Iterator[str]:
    """The address of a server that has to compile for a few seconds before programs are ready."""
    for code in codecache.root().glob(f"*.{OPEN.name}.*.code"):
        if "+ludoteca.core.steps-" not in code.name:
            shutil.copy(code, folder)
    options = "--port", "0", "--no-open", "--pace", "0", "--data", str(folder / "games.sqlite")
    command, environment = [sys.executable, "-m", "ludoteca", "serve", *options], os.environ | {ENVIRONMENT: str(folder)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().split()[-1].rstrip("/")
        finally:
            server.terminate()


def asked(address: str, body: bytes) -> dict[str, str]:
    with urllib.request.urlopen(urllib.request.Request(address, body)) as answer:
        found: dict[str, str] = json.load(answer)
    return found


@pytest.mark.soak
@pytest.mark.usefixtures("_compiled")
def test_programs_play_at_once_and_say_how_far_they_are_from_ready(tmp_path: Path, new_page: NewPage) -> None:
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "8"}]
    with not_compiled(tmp_path) as where:
        made = asked(f"{where}/api/rooms", json.dumps({"game": OPEN.name, "seats": seats}).encode())
        page = new_page(f"{where}/room/{made['room']}#{made['token']}")
        page.wait_for_selector("#board.mine")
        move(page)
        page.wait_for_selector("#weaker:not([hidden])", timeout=COMPILING)
        said = page.locator("#weaker").inner_text().strip()
        assert re.fullmatch(r"Programs play faster and weaker until they are ready: \d+ %", said)
        page.wait_for_selector("#weaker[hidden]", state="attached", timeout=COMPILING)
        page.close()


@pytest.mark.soak
@pytest.mark.usefixtures("_compiled")
def test_an_analysis_says_how_far_it_is_from_the_first_second_on(tmp_path: Path, new_page: NewPage) -> None:
    with not_compiled(tmp_path) as where:
        page = new_page(f"{where}/room/{asked(f'{where}/api/records', at_random(OPEN).serialize().encode())['room']}")
        page.get_by_role("button", name="Analyse").click()
        bar = page.locator("#ending progress")
        bar.wait_for()
        assert re.fullmatch(r"Preparing the analysis, .*: \d+ %", page.locator("#ending .weaker").inner_text().strip())
        page.wait_for_function("() => document.querySelector('#ending progress').value > 50", timeout=COMPILING)
        page.wait_for_selector(".graph", timeout=COMPILING)
        assert bar.is_hidden()
        page.close()


@pytest.mark.usefixtures("_compiled")
def test_a_game_is_analysed_after_its_end(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN))
    play_to_the_end(page, Mouse(page, 3))
    result = page.locator("#result.shown")
    assert re.match(r"(You|Random) won, by \d+ cells?", result.get_by_role("status").first.inner_text())
    assert page.locator(".celebration").count() == 0, "less motion was asked for"
    counted = result.locator(".points b").all_inner_texts()
    assert sorted(counted) == sorted(page.locator(".plate .fact:first-child b").all_inner_texts())
    result.get_by_role("button", name="Close").click()
    result.wait_for(state="detached")
    assert re.match(r"(You|Random) won, by \d+ cells?", page.locator("#verdict").inner_text()), "the line keeps the verdict"
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".graph", timeout=COMPILING)
    count = situation(page)["count"]
    assert page.locator(".graph .value").count() == players(OPEN, small(OPEN))
    points = page.locator(".graph .value").first.get_attribute("points")
    assert len(points.split()) == count
    cost = page.locator(".costs button").first
    if cost.count():
        number = int(cost.locator(".number").inner_text())
        assert cost.locator(".sure").inner_text() == "for certain"  # so small a board is played out exactly
        cost.click()
        page.wait_for_selector("#replay.past")
        assert page.locator("#replay .count").inner_text() == f"{number - 1} / {count}"
        page.keyboard.press("End")
        page.locator("body").press("n")
        page.wait_for_function("() => /Better: /.test(document.getElementById('task').textContent)")
        assert page.locator("#board .sign").count() == page.locator("#board .item.played, #board .item.better").count() > 0
        page.get_by_role("button", name="Previous mistake").click()
        page.locator("body").press("ArrowRight")
    page.reload()
    page.wait_for_selector(".graph")  # a page that comes later has it already
