"""A server whose addresses all begin with a path: a person who plays there never asks for an address outside it."""

from pathlib import Path
from typing import Any

from tests.browser.conftest import NewPage
from tests.browser.rooms import OPEN, move
from tests.browser.serving import Server


def test_a_game_is_played_below_a_path(tmp_path: Path, new_page: NewPage) -> None:
    server = Server(tmp_path / "games.sqlite", "/games")
    server.start()
    try:
        asked, missing = list[str](), list[str]()
        page = new_page()

        def note(answer: Any) -> None:
            asked.append(answer.url)
            if answer.status >= 400:
                missing.append(answer.url)

        page.context.on("response", note)
        page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
        page.goto(f"{server.address}/")
        page.locator(".card").filter(has_text=OPEN.title).get_by_role("button", name="Play now").click()
        move(page)
        page.get_by_role("button", name="Share").click()
        assert page.locator(".link-field input").first.input_value() == page.url
        page.keyboard.press("Escape")
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Rules").click()
        guide = opened.value
        guide.locator(".guide section .scene").first.wait_for()
        guide.locator("#learn").click()
        guide.locator("#board .lit").first.wait_for(state="attached")
        guide.locator(".brand").click()
        guide.locator("#my-rooms .room-link").click()
        guide.wait_for_selector("#log li", state="attached")
        assert guide.url == page.url
        page.context.close()  # before its server ends, or it reports a lost connection
    finally:
        server.stop()
    assert not missing
    assert any("/games/ws/" in address for address in asked)
    assert not [address for address in asked if not address.startswith(f"{server.address}/")]
