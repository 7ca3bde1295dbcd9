"""Rooms whose connections break, and a server that dies."""

from typing import Any

import pytest

from tests.browser.conftest import NewPage
from tests.browser.players import (
    Mouse,
    against_agents,
    drawn,
    play_to_the_end,
    situation,
)
from tests.browser.rooms import (
    LOST,
    OPEN,
    find_connection,
    lose_connection,
    move,
    sit,
    wait_for_log,
    with_a_friend,
    with_a_friend_here,
)
from tests.browser.serving import Server


def test_a_lost_connection_is_told_and_found_again(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    lose_connection(friend)
    count = move(mine)
    assert situation(friend)["count"] < count
    find_connection(friend, troubles)
    friend.wait_for_selector("#board.mine")
    wait_for_log(friend, count)


def test_touched_items_stay_after_a_lost_connection(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    spec = next(spec for spec in drawn() if not getattr(spec.module("scene"), "SENDS_AT_ONCE", True))
    page = new_page(against_agents(server, spec))
    page.wait_for_selector("#board.mine")
    Mouse(page, 2).touch(situation(page)["lit"][0])
    page.wait_for_selector("#board .touched")
    lose_connection(page)
    find_connection(page, troubles)
    assert situation(page)["touched"] == 1
    page.keyboard.press("Enter")
    wait_for_log(page, 1)


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


def test_a_move_that_is_not_stored_yet_is_told_until_it_is(server: Server, new_page: NewPage) -> None:
    page = new_page()
    held: list[str] = []
    rooms: list[Any] = []

    def hold_what_follows_a_move(socket: Any) -> None:
        behind = socket.connect_to_server()
        rooms.append(socket)

        def from_page(text: str) -> None:
            behind.send(text)
            if '"t":"play"' in text:
                socket.send('{"t":"note","kind":"unstored"}')
                held.append(text)

        socket.on_message(from_page)
        behind.on_message(lambda text: held.append(text) if held else socket.send(text))

    page.route_web_socket("**/ws/**", hold_what_follows_a_move)
    page.goto(with_a_friend_here(server, new_page))
    page.wait_for_selector("#board.mine")
    player = Mouse(page, 0)
    while not held:
        player.step()
        page.wait_for_timeout(20)
    page.locator("#notice").get_by_text("not stored yet").wait_for()
    while len(held) < 2:
        page.wait_for_timeout(20)
    for text in held[1:]:
        rooms[0].send(text)
    page.wait_for_selector("#notice[hidden]", state="attached")


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


def test_the_server_may_die_at_any_time(tmp_path: Any, new_page: NewPage, troubles: list[str]) -> None:
    server = Server(tmp_path / "games.sqlite")
    server.start()
    try:
        page = new_page(against_agents(server, OPEN))
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
