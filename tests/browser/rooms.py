"""Functions for tests of rooms: make a room with a friend, take a seat, move."""

import re
from typing import Any

from ludoteca.core.spec import GameSpec
from tests.browser.conftest import NewPage
from tests.browser.players import (
    Mouse,
    one_of_each_kind,
    situation,
    small,
)
from tests.browser.serving import Server

LOST = re.compile(
    r"Failed to load resource: net::ERR_(INTERNET_DISCONNECTED|CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE)"
    r"|WebSocket connection to '[^']*' failed: .*"
)
"""The possible errors of a browser about a connection that a test has broken."""

CODES = "document.documentElement.dataset.codes = 'on'"
"""Has the page show notation and the field for it, as the setting does."""

OPEN, HIDDEN = one_of_each_kind()


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
    """Play until one more line is in the log. Return the number of lines."""
    page.wait_for_selector("#board.mine", state="attached")
    before = situation(page)["count"]
    player = Mouse(page, seed)
    while situation(page)["count"] == before:
        player.step()
        page.wait_for_timeout(50)
    return int(situation(page)["count"])


def lose_connection(page: Any) -> None:
    page.context.set_offline(True)
    page.wait_for_selector("#banner:not([hidden])")


def find_connection(page: Any, troubles: list[str]) -> None:
    """Connect again, and remove the browser's messages about the lost connection."""
    page.context.set_offline(False)
    page.wait_for_selector("#banner[hidden]", state="attached")
    troubles[:] = [said for said in troubles if not LOST.fullmatch(said)]


def with_a_friend_here(server: Server, new_page: NewPage) -> str:
    """A seat in a room with a friend who does nothing."""
    room, seat = with_a_friend(server, OPEN)
    sit(new_page(room), "Ion")
    return seat


def seat_link(page: Any) -> str:
    """The link with which the person of the page goes on elsewhere."""
    page.get_by_role("button", name="Share").click()
    link: str = page.get_by_label("Your seat, to go on from another device").input_value()
    page.get_by_role("button", name="Close").click()
    return link
