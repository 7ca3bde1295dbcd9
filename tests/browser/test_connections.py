"""Rooms whose connections break, and a server that dies."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
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
    CODES,
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


@contextmanager
def relay(server: Server) -> Iterator[tuple[int, list[Event]]]:
    """A port that leads to the server, and its connections so far. One that is set swallows all bytes and closes nothing."""
    connections: list[Event] = []
    threads: list[Thread] = []

    def start(work: Callable[..., None], *arguments: Any) -> Thread:
        threads.append(Thread(target=work, args=arguments, daemon=True))
        threads[-1].start()
        return threads[-1]

    def pump(source: socket.socket, target: socket.socket, swallows: Event) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if not swallows.is_set():
                    target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def connect(here: socket.socket, swallows: Event) -> None:
        with here, socket.create_connection(("127.0.0.1", server.port)) as there:
            back = start(pump, there, here, swallows)
            pump(here, there, swallows)
            back.join()

    def accept() -> None:
        with suppress(OSError):
            while True:
                here = listening.accept()[0]
                connections.append(Event())
                start(connect, here, connections[-1])

    with socket.create_server(("127.0.0.1", 0)) as listening:
        start(accept)
        yield listening.getsockname()[1], connections
        listening.shutdown(socket.SHUT_RDWR)
    for thread in threads:
        thread.join()


DOUBTS = "import('/static/room.js').then(({page}) => page.connection.doubt)"
"""True while the page waits for a sign of life."""


def stop_clock(page: Any) -> None:
    """Stop the clock of the page, which was installed, at a time at which the page may send a ping."""
    page.clock.pause_at(now(page) / 1000 + 1)
    for _ in range(10):
        page.clock.run_for(500)
        while page.evaluate(DOUBTS):
            page.wait_for_timeout(20)


def now(page: Any) -> float:
    time: float = page.evaluate("Date.now()")
    return time


def test_a_move_on_a_dead_connection_is_stored_soon_and_once(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.clock.install()
    with relay(server) as (port, connections):
        page.goto(with_a_friend_here(server, new_page).replace(f":{server.port}/", f":{port}/"))
        page.wait_for_selector("#board.mine")
        stop_clock(page)
        began = now(page)
        for each in connections:
            each.set()
        before = len(connections)
        Mouse(page, 0).step()
        page.clock.run_for(1_900)
        assert page.locator("#banner").is_hidden()
        page.clock.run_for(200)
        assert page.locator("#banner").inner_text() == "Connection lost. Trying again…"
        while len(connections) == before:
            page.clock.run_for(500)
            page.wait_for_timeout(50)
        assert now(page) - began < 6_000
        page.clock.resume()
        wait_for_log(page, 1)
        page.wait_for_selector("#banner[hidden]", state="attached")
        page.wait_for_function("import('/static/room.js').then(({page: {talk}}) => talk.open.size === 0)")
        assert situation(page)["count"] == 1
        page.context.close()


class Watched:
    """The sockets of a page, and the kinds of the frames that it has sent."""

    def __init__(self, page: Any, holds: tuple[str, ...] = ()) -> None:
        self.sockets: list[Any] = []
        self.sent: list[str] = []
        self.held: list[str] = []
        """Frames of these kinds, which the page is not sent."""
        self.heard: list[str] = []
        self.is_dead = False
        self._holds = holds
        page.route_web_socket("**/ws/**", self._watch)

    def _watch(self, socket: Any) -> None:
        behind = socket.connect_to_server()
        self.sockets.append(socket)

        def from_page(text: str) -> None:
            self.sent.append(json.loads(text)["t"])
            behind.send(text)

        def from_room(text: str) -> None:
            kind = json.loads(text)["t"]
            if kind in self._holds:
                self.held.append(text)
            elif not self.is_dead or socket is not self.sockets[0]:
                self.heard.append(kind)
                socket.send(text)

        socket.on_message(from_page)
        behind.on_message(from_room)


SIGNS = {
    "after a silence": "0",
    "resume": "document.dispatchEvent(new Event('resume'))",
    "visible again": "document.dispatchEvent(new Event('visibilitychange'))",
    "pageshow": "window.dispatchEvent(new Event('pageshow'))",
    "focus": "window.dispatchEvent(new Event('focus'))",
    "online": "window.dispatchEvent(new Event('online'))",
}


@pytest.mark.parametrize(
    "sign", [pytest.param(sign, marks=[pytest.mark.soak] if number > 1 else []) for number, sign in enumerate(SIGNS)]
)
def test_a_half_open_connection_is_noticed(server: Server, new_page: NewPage, sign: str) -> None:
    page = new_page()
    watched = Watched(page)
    page.clock.install()
    page.goto(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    stop_clock(page)
    heard = page.evaluate("import('/static/room.js').then(({page}) => page.connection.heard)")
    watched.is_dead = True
    watched.sent.clear()
    for _ in range(3):
        page.evaluate(SIGNS[sign])
    while not page.evaluate(DOUBTS):
        page.clock.run_for(500)
    assert sign != "after a silence" or 25_000 < now(page) - heard < 27_000
    page.clock.run_for(3_000)
    assert len(watched.sockets) == 1
    page.clock.run_for(2_000)
    page.wait_for_selector("#banner[hidden]", state="attached")
    assert len(watched.sockets) == 2
    assert watched.sent[:2] == ["ping", "hello"]
    page.clock.resume()
    move(page)


SLOW = {
    "a hint": (("hinted",), ".hint-text"),
    "a store": (("event", "done"), "#log li"),
    "a first load": (("room",), "#board.mine"),
}


@pytest.mark.parametrize("what", SLOW)
def test_a_slow_answer_is_waited_for(server: Server, new_page: NewPage, what: str) -> None:
    page, (holds, shown) = new_page(), SLOW[what]
    watched = Watched(page, holds)
    page.clock.install()
    page.goto(against_agents(server, OPEN))
    if what != "a first load":
        page.wait_for_selector("#board.mine")
        page.get_by_role("button", name="Hint").click() if what == "a hint" else Mouse(page, 0).step()
    while not watched.held:
        page.wait_for_timeout(20)
    for _ in range(12):
        page.clock.run_for(500)
        while page.evaluate(DOUBTS):
            page.wait_for_timeout(20)
    assert page.locator("#banner").is_hidden()
    for text in watched.held:
        watched.sockets[0].send(text)
    page.wait_for_selector(shown, state="attached")
    assert len(watched.sockets) == 1


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
    while not any('"t":"event"' in text for text in held[1:]):
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


def test_a_page_of_an_older_version_says_so_in_its_language_and_loads_again(server: Server, new_page: NewPage) -> None:
    page, loaded = new_page(locale="ca"), list[Any]()

    def send_as_an_older_version(socket: Any) -> None:
        loaded.append(socket)
        room, is_old = socket.connect_to_server(), len(loaded) == 1
        socket.on_message(lambda text: room.send(text.replace('"n":', '"at":') if is_old else text))

    page.route_web_socket("**/ws/**", send_as_an_older_version)
    page.goto(with_a_friend_here(server, new_page))
    for is_old in (True, False):
        page.wait_for_selector("#board.mine")
        page.evaluate(CODES)
        page.locator("#notation").fill("aa")
        page.locator("#notation").press("Enter")
        if is_old:
            page.locator("#notice").get_by_text("Aquesta pàgina és d'abans d'una actualització del servidor.").wait_for()
            page.get_by_role("button", name="Torna a carregar la pàgina").click()
    wait_for_log(page, 1)
    assert len(loaded) == 2
