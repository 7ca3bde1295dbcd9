"""The keyboard alone: the focus after a refusal, and the items that the keys of the board reach."""

import re
from typing import Any

from ludoteca.core import registry
from tests.browser.conftest import NewPage
from tests.browser.rooms import with_a_friend
from tests.browser.serving import Server
from tests.browser.test_previews import item, okupacio

IS_FOCUSED = "found => found === document.activeElement"


def hold(page: Any, address: str) -> list[Any]:
    """Hold the requests for an address, and return the list of them. The test answers them later."""
    held: list[Any] = []
    page.route(address, lambda route: held.append(route))
    return held


def test_a_refused_form_keeps_the_focus_on_its_button(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    room, _ = with_a_friend(server, registry.find("okupacio"))
    lobby, guest = new_page(f"{server.address}/#new=okupacio"), new_page(room)
    guest.get_by_label("Your name").fill("Ion")
    forms = [
        (lobby, "Start", "**/api/rooms", lobby.locator("dialog").get_by_role("alert")),
        (guest, "Take the seat", "**/seats", guest.locator("#lounge").get_by_role("alert")),
    ]
    for page, name, address, notice in forms:
        send = page.get_by_role("button", name=name)
        send.wait_for()
        held = hold(page, address)
        send.press("Enter")
        while not held:
            page.wait_for_timeout(20)
        assert send.is_disabled()
        send.press("Enter")
        held.pop().fulfill(status=429, json={"code": "limit", "message": "Try again later."})
        notice.get_by_text("Try again later.").wait_for()
        assert send.is_enabled()
        assert send.evaluate(IS_FOCUSED), name
        assert not held, f"{name}: the second press sent nothing"
    troubles[:] = [said for said in troubles if "status of 429" not in said]


def test_a_said_phrase_leaves_the_focus_on_the_button(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, registry.find("okupacio"))
    server.ask(f"/api/rooms/{room.rpartition('/')[2]}/seats", {"name": "Bru"})
    page = new_page(seat)
    say = page.get_by_role("button", name="Say…")
    say.press("Enter")
    page.get_by_role("button", name="Good luck").press("Enter")
    page.locator("#said", has_text="Good luck").wait_for()
    assert say.evaluate(IS_FOCUSED)


def test_shift_with_a_key_of_the_board_reaches_an_item_that_cannot_be_chosen(server: Server, new_page: NewPage) -> None:
    page = new_page(okupacio(server))
    page.wait_for_selector("#board.mine")
    taken, notice = item(page, "ab"), page.get_by_role("alert")
    assert "lit" not in str(taken.get_attribute("class"))
    item(page, "aa").focus()
    for key, name in (
        ("ArrowRight", "ac"),
        ("ArrowLeft", "aa"),
        ("PageDown", "ac"),
        ("Shift+PageUp", "ab"),
        ("Shift+Home", "aa"),
        ("Shift+ArrowRight", "ab"),
    ):
        page.keyboard.press(key)
        assert item(page, name).evaluate(IS_FOCUSED), f"{key} goes to {name}"
    assert page.locator("#board .ring.seen").count() == 1
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
        notice.filter(has_text=re.compile(r"\S")).wait_for()
        assert taken.evaluate(IS_FOCUSED)
        notice.evaluate("found => found.replaceChildren()")
    page.keyboard.press("ArrowRight")
    assert item(page, "ac").evaluate(IS_FOCUSED), "the usual keys go on with items that can be chosen"
    assert page.locator("#log li").count() == 0


def test_the_keys_of_the_board_are_explained(server: Server, new_page: NewPage) -> None:
    page = new_page(okupacio(server))
    page.get_by_role("button", name="Settings").press("Enter")
    page.get_by_text("Keys", exact=True).press("Enter")
    keys = page.get_by_role("dialog").get_by_role("listitem")
    keys.filter(has_text=re.compile("^Shift with these keys: go to any item")).wait_for()
