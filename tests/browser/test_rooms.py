"""Rooms: two people, one who watches, broken connections, a server that dies, looking back, languages."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludoteca.agents.agent import new_searcher
from ludoteca.core import codecache
from ludoteca.core.codecache import ENVIRONMENT
from ludoteca.core.game import load
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.spec import GameSpec
from tests.browser.conftest import PHONE, NewPage
from tests.browser.players import (
    Keyboard,
    Mouse,
    against_agents,
    drawn,
    one_of_each_kind,
    play_to_the_end,
    players,
    short,
    situation,
    small,
)
from tests.browser.serving import Server

LOST = re.compile(
    r"Failed to load resource: net::ERR_(INTERNET_DISCONNECTED|CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE)"
    r"|WebSocket connection to '[^']*' failed: .*"
)
"""What a browser says of a connection that a test has broken: it depends on what was under way."""
COMPILING = 240_000
"""Milliseconds in which an agent that searches is compiled, the first time on a machine."""


OPEN = next(one_of_each_kind())
for_both_kinds = pytest.mark.parametrize("spec", list(one_of_each_kind()), ids=lambda spec: spec.name)


def with_a_friend(server: Server, spec: GameSpec, **wished: Any) -> tuple[str, str]:
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "open"}]
    return server.new_room(spec.name, seats, parameters=small(spec), **wished)


def sit(page: Any, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take the seat").click()
    page.locator(".players").get_by_text("you", exact=True).wait_for()  # the page has come again with the seat's secret


def wait_for_log(page: Any, count: int) -> None:
    page.wait_for_selector(f"#log li:nth-child({count})", state="attached")


def move(page: Any, seed: int = 0) -> int:
    """Play until one more line is in the log; how many there are then."""
    page.wait_for_selector("#board.mine", state="attached")
    before = situation(page)["count"]
    player = Mouse(page, seed)
    while situation(page)["count"] == before:
        player.step()
        page.wait_for_timeout(50)
    return int(situation(page)["count"])


@for_both_kinds
def test_two_browsers_play_each_other_while_one_watches(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    room, seat = with_a_friend(server, spec, **short(server, spec))
    mine, friend = new_page(seat, reduced_motion="reduce"), new_page(room, reduced_motion="reduce")
    sit(friend, "Ion")
    watching = new_page(room, reduced_motion="reduce")
    for page in (mine, friend, watching):
        page.locator("#spectators").get_by_text("Spectators: 1", exact=True).wait_for()
    pages: list[tuple[Any, Mouse | Keyboard]] = [(mine, Mouse(mine, 4)), (friend, Keyboard(friend, 5))]
    while not situation(mine)["over"]:
        for page, player in pages:
            if situation(page)["mine"]:
                player.step()
        page.wait_for_timeout(20)
    for page in (mine, friend, watching):
        page.wait_for_selector("#ending:not([hidden])")
        assert "Mireia" in page.locator(".players").inner_text()
        assert "Ion" in page.locator(".players").inner_text()
    count = situation(mine)["count"]
    for page in (friend, watching):
        wait_for_log(page, count)
        assert situation(page)["count"] == count
    assert watching.locator("#board .lit").count() == 0
    assert watching.locator(".ending").get_by_role("button", name="Rematch").count() == 0


def test_both_agree_to_a_rematch(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    mine.get_by_role("button", name="Resign").click()
    mine.locator("dialog").get_by_role("button", name="Resign").click()
    mine.get_by_role("button", name="Rematch", exact=True).click()
    friend.get_by_role("button", name="Accept the rematch").click()
    for page in (mine, friend):
        page.get_by_role("link", name="Go to the new game").click()
        page.wait_for_selector("#room:not([hidden])")
    move(friend)  # who was second begins
    wait_for_log(mine, 1)


def test_giving_up_asks_first(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    assert not situation(page)["over"]
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    page.wait_for_selector("#ending:not([hidden])")


def test_a_move_against_a_program_is_taken_back(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    assert page.get_by_role("button", name="Undo").count() == 0
    before = page.locator("#board .item.lit").count()
    move(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('#log li').length === 0")
    page.wait_for_selector("#board.mine")
    assert page.locator("#board .item.lit").count() == before
    move(page)


def test_a_move_among_people_is_taken_back_when_they_agree(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    move(mine)
    mine.get_by_role("button", name="Undo").click()
    mine.get_by_text("Waiting for the others to agree to the undo").wait_for()
    friend.get_by_text("Mireia would like to take a move back.").wait_for()
    friend.get_by_role("button", name="Agree").click()
    for page in (mine, friend):
        page.wait_for_function("() => document.querySelectorAll('#log li').length === 0")
    mine.wait_for_selector("#board.mine")


def test_who_leaves_finds_the_seat_again(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN))
    count = move(page)
    page.goto(server.address)
    page.locator("#my-rooms .room-link").first.click()
    page.wait_for_selector("#board.mine")
    assert situation(page)["count"] >= count


def seat_link(page: Any) -> str:
    """The link with which the person of the page goes on elsewhere."""
    page.get_by_role("button", name="Share").click()
    link: str = page.get_by_label("Your seat, to go on from another device").input_value()
    page.get_by_role("button", name="Close").click()
    return link


def test_no_address_has_a_secret_in_it_and_a_link_to_the_seat_goes_on_elsewhere(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    ion = server.ask(f"/api/rooms/{room.rpartition('/')[2]}/seats", {"name": "Ion"})["token"]
    mine = new_page(seat)
    tab = mine.context.new_page()
    tab.goto(f"{room}#{ion}")
    for page, name in ((mine, "Mireia"), (tab, "Ion")):
        page.locator(".players tr", has_text="you").get_by_text(name).wait_for()
        page.reload()
        page.locator(".players tr", has_text="you").get_by_text(name).wait_for()
        assert page.url == room
    count = move(new_page(seat_link(mine)))
    wait_for_log(tab, count)


def test_a_link_goes_by_code_and_by_the_telephones_share_sheet_and_the_position_as_a_picture(
    server: Server, new_page: NewPage
) -> None:
    room, seat = with_a_friend(server, OPEN)
    token, asked = seat.partition("#")[2], []
    page = new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script("navigator.share = async (what) => { window.sent = what; };")  # a browser without windows has none
    page.goto(seat)
    page.get_by_role("button", name="Share").click()
    dialog = page.locator("dialog")
    dialog.get_by_role("button", name="Send…").first.click()
    assert page.evaluate("sent") == {"title": OPEN.title, "url": room}
    drawn = []
    for number in range(2):
        dialog.get_by_role("button", name="QR code").nth(number).click()
        code = dialog.get_by_role("img", name="QR code of the link").nth(number)
        code.wait_for()
        drawn.append(code.locator("path").get_attribute("d"))
    assert 0 < len(drawn[0]) < len(drawn[1]), "the link of a seat is longer"
    assert not any(token in address for address in asked), "the code of a seat is made in the browser"
    picture = page.request.get(server.address + dialog.get_by_role("link", name="as a picture").get_attribute("href"))
    assert picture.headers["content-type"] == "image/png"


def test_a_lost_connection_is_told_and_found_again(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    friend.context.set_offline(True)
    friend.wait_for_selector("#banner:not([hidden])")
    count = move(mine)
    assert situation(friend)["count"] < count
    friend.context.set_offline(False)
    friend.wait_for_selector("#board.mine")
    assert friend.locator("#banner").is_hidden()
    wait_for_log(friend, count)
    troubles[:] = [said for said in troubles if not LOST.fullmatch(said)]


def test_a_half_open_connection_is_noticed(server: Server, new_page: NewPage) -> None:
    page = new_page()
    silent = []

    def swallow(socket: Any) -> None:
        behind = socket.connect_to_server()
        behind.on_message(lambda text: None if socket in silent else socket.send(text))
        sockets.append(socket)

    sockets: list[Any] = []
    page.route_web_socket("**/ws/**", swallow)
    page.clock.install()
    page.goto(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    silent.append(sockets[0])
    heard = page.evaluate("import('/static/room.js').then(({page}) => page.connection.heard)")
    while page.locator("#banner").is_hidden() and len(sockets) == 1:
        page.clock.run_for(1000)
    assert 33_000 < page.evaluate("Date.now()") - heard < 36_000, "it asked after 25 seconds, and had no answer for 8"
    page.clock.run_for(2_000)
    page.wait_for_selector("#banner[hidden]", state="attached")
    assert len(sockets) == 2
    page.clock.resume()
    move(page)


@pytest.mark.parametrize("arrives", [True, False], ids=["answer lost", "move lost"])
def test_a_move_is_played_once_when_the_connection_breaks_under_it(server: Server, new_page: NewPage, arrives: bool) -> None:
    page = new_page()
    sockets: list[Any] = []

    def break_first(socket: Any) -> None:
        behind = socket.connect_to_server()
        sockets.append(socket)
        cut = []

        def from_page(text: str) -> None:
            if len(sockets) == 1 and '"t":"play"' in text:
                cut.append(text)
                if arrives:
                    behind.send(text)
                socket.close(code=1011)
            else:
                behind.send(text)

        def from_room(text: str) -> None:
            if not cut:
                socket.send(text)

        socket.on_message(from_page)
        behind.on_message(from_room)

    page.route_web_socket("**/ws/**", break_first)
    page.goto(with_a_friend_here(server, new_page))
    page.wait_for_selector("#board.mine")
    assert move(page) == 1
    while len(sockets) < 2:
        page.wait_for_timeout(20)
    page.wait_for_function("import('/static/room.js').then(({page: {talk}}) => !talk.broken && talk.open.size === 0)")
    assert len(sockets) == 2
    assert situation(page)["count"] == 1
    assert page.locator("#notice").is_hidden()


def test_a_seat_is_had_though_the_answer_was_lost(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    room, _ = with_a_friend(server, OPEN)
    friend = new_page()
    lost: list[int] = []

    def lose_first(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    friend.route("**/seats", lose_first)
    friend.goto(room)
    sit(friend, "Ion")
    assert lost == [201]
    troubles[:] = [said for said in troubles if "net::ERR_FAILED" not in said]


def with_a_friend_here(server: Server, new_page: NewPage) -> str:
    """A seat in a room in which a friend sits, who does nothing."""
    room, seat = with_a_friend(server, OPEN)
    sit(new_page(room), "Ion")
    return seat


def test_the_server_may_die_at_any_time(tmp_path: Any, new_page: NewPage, troubles: list[str]) -> None:
    server = Server(tmp_path / "games.sqlite")
    server.start()
    try:
        page = new_page(against_agents(server, OPEN), reduced_motion="reduce")
        for turn in range(2):
            count = move(page, turn)
            server.kill()
            page.wait_for_selector("#banner:not([hidden])")
            server.start()
            page.wait_for_selector("#banner[hidden]", state="attached")
            assert situation(page)["count"] >= count
        play_to_the_end(page, Mouse(page, 9))
    finally:
        server.stop()
    assert situation(page)["over"]
    page.context.close()
    troubles[:] = [said for said in troubles if not LOST.fullmatch(said)]


@for_both_kinds
def test_a_game_is_looked_through_after_its_end(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(against_agents(server, spec, **short(server, spec)), reduced_motion="reduce")
    play_to_the_end(page, Mouse(page, 6))
    last = situation(page)["count"]
    drawn_at_end = page.locator("#board").inner_html()
    page.locator("body").press("ArrowLeft")
    page.wait_for_selector(f"#log li.here[data-ply='{last - 1}']")
    page.get_by_role("button", name="To the start").click()
    page.wait_for_selector("#replay.past")
    page.wait_for_function("before => document.getElementById('board').innerHTML !== before", arg=drawn_at_end)
    page.locator("#slider").focus()
    page.keyboard.press("End")
    page.locator("#replay .count").get_by_text(f"{last} / {last}", exact=True).wait_for()
    page.get_by_label("Seen by").select_option("1")
    page.wait_for_selector(f"#log li.here[data-ply='{last}']")
    with page.expect_download() as kept:
        page.get_by_role("link", name="Save game").click()
    upload(page, server, kept.value.path())
    assert situation(page)["count"] == last
    names = [page.locator(f".players .player-{seat} .name").inner_text() for seat in range(2)]  # rows go by who is ahead
    assert names == ["Mireia", "Random"], "a record keeps who played"
    page.get_by_role("button", name="Delete").click()  # who opened the record, though there is no seat
    page.locator("dialog").get_by_role("button", name="Delete").click()
    page.locator("#banner").get_by_text("deleted by who opened it").wait_for()


def upload(page: Any, server: Server, file: Any) -> None:
    page.goto(server.address)
    page.locator("#record input").set_input_files(file)
    page.wait_for_url("**/room/*")
    page.wait_for_selector("#ending:not([hidden])")


def test_one_plays_on_from_a_position(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), reduced_motion="reduce")
    play_to_the_end(page, Mouse(page, 7))
    first = page.url
    assert page.get_by_role("button", name="Play from here").count() == 0, "at the end there is nothing to play"
    for _ in range(3):
        page.locator("body").press("ArrowLeft")
    page.get_by_role("button", name="Play from here").click()
    page.locator("dialog select").nth(1).select_option("random")
    page.get_by_role("button", name="Play on", exact=True).click()
    page.wait_for_url(lambda url: url != first)
    play_to_the_end(page, Mouse(page, 8))


def test_the_language_changes_without_a_new_page(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), locale="pt-PT")
    move(page)
    assert page.locator("html").get_attribute("lang") == "pt"
    page.evaluate("window.stays = true")
    seen, titles = set(), set()
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        page.wait_for_selector(f"html[lang={language}]")
        page.wait_for_selector("#board.mine")
        titles.add(page.title())
        seen.add((page.locator("#task").inner_text(), page.locator("#log li .told").first.inner_text()))
    assert len(seen) == len(LANGUAGES)
    assert len(titles) == len(LANGUAGES)
    assert page.evaluate("window.stays")


def test_a_refused_touch_says_why(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), locale="ca")
    move(page)
    page.wait_for_selector("#board.mine")
    dark = page.evaluate("""() => {
      const named = [...document.querySelectorAll("#board .item[aria-label]:not(.lit)")];
      const box = named[0].getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }""")
    page.mouse.click(*dark)
    page.wait_for_selector("#notice:not([hidden])")
    assert page.locator("#notice").inner_text()


def test_a_move_can_be_written(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), locale="ca")
    page.wait_for_selector("#board.mine")
    page.get_by_label("Jugada en notació").fill("what?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice:not([hidden])")
    said = in_words(("unread.move", "'what?'", "00"), catalogue(OPEN.package, "ca"))
    assert page.locator("#notice").inner_text() == in_words(("error.notation", said), catalogue("ludoteca.server", "ca"))
    start = load(OPEN.name, **small(OPEN)).new_initial_state(0)  # nothing is hidden, so every deal is this one
    page.get_by_label("Jugada en notació").fill(start.action_to_string(start.legal_actions()[0]))
    page.keyboard.press("Enter")
    wait_for_log(page, 1)


def test_a_click_leaves_the_arrows_to_the_game_and_no_key_stops_at_the_whole_drawing(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(against_agents(server, OPEN))
    count = move(page)
    page.wait_for_selector("#board.mine")
    page.locator("#board .item[aria-label]:not(.lit)").first.click(force=True)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Position after move").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#board.mine")
    stops = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        stops.add(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('class')"))
    assert any("item" in stop for stop in stops if stop)
    assert stops.isdisjoint({"board", "frame", "scene"})
    assert count


def test_a_move_that_is_under_way_is_seen(server: Server, new_page: NewPage) -> None:
    page = new_page()
    held: list[Any] = []

    def hold(socket: Any) -> None:
        behind = socket.connect_to_server()
        socket.on_message(lambda text: held.append((behind, text)) if '"t":"play"' in text else behind.send(text))

    page.route_web_socket("**/ws/**", hold)
    page.goto(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    Mouse(page, 1).step()
    page.wait_for_selector("#board .item.pending")
    page.get_by_text("Sending the move").wait_for()
    behind, text = held[0]
    behind.send(text)
    wait_for_log(page, 1)
    page.wait_for_selector("#board .item.pending", state="detached")


def test_a_touch_selects_where_cards_are_played_alone_or_together(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if not getattr(spec.module("scene"), "SENDS_AT_ONCE", True))
    page = new_page(against_agents(server, spec))
    page.wait_for_selector("#board.mine")
    player = Mouse(page, 2)
    for name in situation(page)["lit"][::5]:
        before = situation(page)["count"]
        player.touch(name)
        page.wait_for_selector("#board .touched")
        page.get_by_role("button", name="Clear choice").click()
        assert situation(page)["count"] == before
    player.touch(situation(page)["lit"][0])
    page.keyboard.press("Enter")
    wait_for_log(page, before + 1)


def test_an_unknown_room_says_so(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/room/nothing")
    page.wait_for_selector("#banner:not([hidden])")
    assert page.locator("#banner a.button").get_attribute("href") == "/"  # for a page that has nothing else


def test_who_made_a_room_deletes_it_and_all_are_told(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat, **PHONE), new_page(room)
    friend.get_by_role("button", name="Take the seat").wait_for()
    assert friend.get_by_role("button", name="Delete").count() == 0
    mine.get_by_role("button", name="Delete").tap()
    assert mine.evaluate("document.documentElement.scrollWidth <= innerWidth")
    mine.locator("dialog").get_by_role("button", name="Delete").tap()
    for page in (mine, friend):
        page.locator("#banner").get_by_text("this table has been deleted by who opened it").wait_for()
        page.wait_for_selector("#notice", state="hidden")  # it is said once, and nothing is offered any more
        assert page.locator("#tools > *, #controls > *").count() == 0


def test_a_room_that_cannot_be_opened_says_why_in_every_language(tmp_path: Path, new_page: NewPage) -> None:
    server = Server(tmp_path / "games.sqlite")
    server.start()
    seat = against_agents(server, OPEN)
    first = new_page(seat)
    move(first)
    first.context.close()
    server.stop()
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as database, database:
        database.execute("UPDATE rooms SET rules = rules - 1")
        database.execute("UPDATE events SET data = replace(CAST(data AS TEXT), 'moved', 'stirred')")
    server.start()
    try:
        page = new_page()
        sockets: list[Any] = []
        page.on("websocket", lambda socket: sockets.append(socket))
        page.clock.install()
        page.goto(seat)
        page.get_by_role("link", name="Back to the lobby").wait_for()
        banner = page.locator("#banner")
        assert banner.inner_text().startswith(
            f"This table follows version {load(OPEN.name).spec.rules_version - 1} of the rules"
        )
        said = set()
        for language in LANGUAGES:
            page.locator("#language").select_option(language)
            page.wait_for_selector(f"html[lang={language}]")
            said.add(banner.inner_text())
        assert len(said) == len(LANGUAGES)
        page.clock.run_for(120_000)
        assert len(sockets) == 1, "it does not come back"
    finally:
        server.stop()


def test_clocks_run_down(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN, clock={"move": 60}))
    page.wait_for_selector("#board.mine")
    first = page.locator(".turn .clock").text_content()
    page.wait_for_function("before => document.querySelector('.turn .clock').textContent < before", arg=first)


def test_time_that_is_up_ends_a_game(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN, clock={"move": 5}))
    page.wait_for_selector("#ending:not([hidden])")
    assert page.locator("#task").inner_text() == "Mireia has run out of time. Random wins."
    assert page.locator(".players .badge", has_text="out of time").count() == 1
    page.locator("#language").select_option("es")
    page.wait_for_selector("html[lang=es]")
    assert page.locator("#task").inner_text() == "A Mireia se le ha acabado el tiempo. Gana Azar."


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
    """The servers' processes think at a low priority: beside other tests they would compile for minutes."""
    new_searcher(load(OPEN.name, compiled=True))


@pytest.mark.usefixtures("_compiled")
def test_a_hint_shows_what_to_touch_and_says_it_in_words(server: Server, new_page: NewPage) -> None:
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "random"}]
    page = new_page(server.new_room(OPEN.name, seats, parameters={"board": "6x6"})[1], locale="ca")
    page.wait_for_selector("#board.mine.many")
    page.get_by_role("button", name="Pista").click()
    page.wait_for_selector("#board .hinted", state="attached", timeout=COMPILING)
    assert page.locator("#board .hinted.lit").count() == page.locator("#board .hinted").count()
    halo = "found => getComputedStyle(found.querySelector('.halo'))"
    stroke, width = (
        page.locator("#board .hinted").first.evaluate(f"{halo}[{name!r}]") for name in ("stroke", "strokeWidth")
    )
    others = page.locator("#board .lit:not(.hinted)").first.evaluate(f"{halo}['stroke']")
    assert stroke != others
    assert float(width.removesuffix("px")) >= 5
    hint = page.locator(".hint-text > p")
    assert re.match(r"Pista: Un bon jugador ocupa [a-f]{2}\b.*\. Probabilitat de guanyar: \d+ %, ", hint.inner_text())
    more = page.locator(".hint-text details")
    assert not more.locator("code").is_visible(), "notation is for who asks"
    more.locator("summary").click()
    first, *then = more.locator("code").inner_text().split(" · ")
    assert f"ocupa {first}" in hint.inner_text()
    assert sum(f"ocupa {cell}" in hint.inner_text() for cell in then) == 0, "how it goes on is told once"
    move(page)
    page.wait_for_selector("#board.mine")
    assert page.locator("#board .hinted").count() == 0


@pytest.mark.usefixtures("_compiled")
def test_programs_play_at_once_and_say_how_far_they_are_from_ready(tmp_path: Path, new_page: NewPage) -> None:
    for code in codecache.root().glob(f"*.{OPEN.name}.*.code"):
        if "+ludoteca.core.steps-" not in code.name:  # so that a few seconds' work is left
            shutil.copy(code, tmp_path)
    options = "--port", "0", "--no-open", "--pace", "0", "--data", str(tmp_path / "games.sqlite")
    command, environment = [sys.executable, "-m", "ludoteca", "serve", *options], os.environ | {ENVIRONMENT: str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            where = server.stdout.readline().split()[-1].rstrip("/")
            seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "8"}]
            body = json.dumps({"game": OPEN.name, "seats": seats}).encode()
            with urllib.request.urlopen(urllib.request.Request(f"{where}/api/rooms", body)) as answer:
                made = json.load(answer)
            page = new_page(f"{where}/room/{made['room']}#{made['token']}")
            page.wait_for_selector("#board.mine")
            move(page)
            page.wait_for_selector("#weaker:not([hidden])", timeout=COMPILING)
            said = page.locator("#weaker").inner_text().strip()
            assert re.fullmatch(r"Programs play faster and weaker until they are ready: \d+ %", said)
            page.wait_for_selector("#weaker[hidden]", state="attached", timeout=COMPILING)
            page.close()
        finally:
            server.terminate()


@pytest.mark.usefixtures("_compiled")
def test_a_game_is_analysed_after_its_end(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), reduced_motion="reduce")
    play_to_the_end(page, Mouse(page, 3))
    result = page.locator("#result")
    assert re.match(r"(You|Random) won, by \d+ cells?", result.get_by_role("status").inner_text())
    assert page.locator(".celebration").count() == 0, "less motion was asked for"
    result.get_by_role("button", name="Put away").click()
    assert result.inner_text() == ""
    assert page.evaluate("document.activeElement.textContent") == "Analyse", "what stood there is among the rest"
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
    page.wait_for_selector(".graph")  # for whoever comes later it is there already
