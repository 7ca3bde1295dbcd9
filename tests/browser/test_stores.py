"""Pages in browsers that keep nothing: site data are blocked, the stores are full, or what was kept is damaged."""

from typing import Any

import pytest

from tests.browser.conftest import NewPage
from tests.browser.players import against_agents
from tests.browser.rooms import OPEN, sit, with_a_friend
from tests.browser.serving import Server

BLOCKED = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get: () => { throw new DOMException("Access is denied", "SecurityError"); } });
"""
"""What Chromium does when site data are blocked. The browser without windows does not read that preference of a profile."""
FULL = """
Storage.prototype.setItem = () => { throw new DOMException("The quota has been exceeded", "QuotaExceededError"); };
"""
DAMAGED = """
for (const key of ["seats", "settings", "keys", "name", "theme", "motion", "codes", "language", "sounds", "lesson.okupacio"])
  localStorage.setItem(`ludoteca.${key}`, %r);
"""
KEEPS_NOTHING = {"blocked": BLOCKED, "full": FULL}
SAID = "This browser keeps nothing. Keep this link to come back to your seat."

for_each_refusal = pytest.mark.parametrize("script", KEEPS_NOTHING.values(), ids=KEEPS_NOTHING)


def with_script(new_page: NewPage, script: str, address: str) -> Any:
    page = new_page()
    page.add_init_script(script)
    page.goto(address)
    return page


def link_of(page: Any) -> str:
    """The link that the page shows to a player whose browser keeps nothing."""
    link: str = page.get_by_label(SAID).input_value()
    return link


@for_each_refusal
def test_a_player_whose_browser_keeps_nothing_has_a_link_to_the_seat(server: Server, new_page: NewPage, script: str) -> None:
    room, _ = with_a_friend(server, OPEN)
    page = with_script(new_page, script, room)
    sit(page, "Ion")
    link = link_of(page)
    assert link.startswith(f"{room}#")
    page.reload()
    page.locator(".players").get_by_text("you", exact=True).wait_for()
    page.locator("#unkept").get_by_role("button", name="Close").click()
    assert page.locator("#unkept").is_hidden()
    page.goto(server.address)
    page.goto(link)
    page.locator(".players").get_by_text("you", exact=True).wait_for()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check()
    assert page.locator(":root").get_attribute("data-theme") == "dark"


@for_each_refusal
def test_a_game_starts_in_a_browser_that_keeps_nothing(server: Server, new_page: NewPage, script: str) -> None:
    page = with_script(new_page, script, server.address)
    page.locator(".card", has_text="Okupació").get_by_role("button", name="Play now").click()
    page.wait_for_selector("#board.mine")
    assert page.url == link_of(page)


DAMAGES = ["{", '[{"room": 1}]', "null", "[null]", '{"okupacio": 1}', "-1", '"x"', "[]"]


@pytest.mark.parametrize(
    "script",
    [
        *(pytest.param(script, id=name) for name, script in KEEPS_NOTHING.items()),
        *(
            pytest.param(DAMAGED % text, id=text, marks=[pytest.mark.soak] if text in DAMAGES[2:] else [])
            for text in DAMAGES
        ),
    ],
)
def test_every_page_opens_where_nothing_is_kept(server: Server, new_page: NewPage, script: str) -> None:
    page = with_script(new_page, script, server.address)
    page.locator(".card", has_text="Okupació").locator(".card-main").click()
    page.get_by_role("button", name="Start").wait_for()
    page.goto(f"{server.address}/guide/okupacio")
    page.locator("#sections h2").first.wait_for()
    page.goto(f"{server.address}/learn/okupacio")
    page.locator("#told span").wait_for()
    page.goto(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")


def test_a_browser_that_keeps_the_seat_says_nothing(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    assert page.locator("#unkept").is_hidden()
    assert "#" not in page.url
