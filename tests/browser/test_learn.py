"""A guided first game is gone through with one's own hands, and leads into a game against the easiest programs."""

import re
from typing import Any

import httpx
import pytest

from ludoteca.core import registry
from tests.browser.conftest import NewPage
from tests.browser.serving import Server

LEARNT = [spec for spec in registry.games() if spec.has("lesson")]


def answer(page: Any, step: dict[str, Any]) -> None:
    """Do what is asked, by the keyboard: the first answer's touches, or its button."""
    action = next(iter(step["after"]))
    touches = next(touches for number, touches, _ in step["choices"] if number == action)
    for touch in touches:
        page.locator(f"#board [data-id='{touch}']").press("Enter")
    if not touches:
        page.locator("#steps button.choice", has_text=re.compile(".")).nth(
            [number for number, touched, _ in step["choices"] if not touched].index(action)
        ).press("Enter")
    elif page.locator("#steps").get_by_role("button", name="Play", exact=True).count():
        page.locator("#steps").get_by_role("button", name="Play", exact=True).press("Enter")


@pytest.mark.parametrize("name", [spec.name for spec in LEARNT])
def test_a_first_game_is_gone_through_and_a_real_one_follows(server: Server, new_page: NewPage, name: str) -> None:
    page = new_page()
    page.goto(f"{server.address}/learn/{name}")
    steps = httpx.get(f"{server.address}/games/{name}/lesson.json").json()
    forward = page.get_by_role("button", name="Next")
    for number, step in enumerate(steps, 1):
        page.get_by_text(f"Step {number} of {len(steps)}").wait_for()
        if step["asked"]:
            assert forward.count() == 0, "first it is done"
            answer(page, step)
        forward.press("Enter")
    page.get_by_text("You have learned it").wait_for()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/room/*")
    page.locator(".players .name").first.wait_for()
    others = [each for each in page.locator(".players .name").all_inner_texts() if "Level" in each]
    assert all(each.startswith("Level 1") for each in others)
    assert len(others) == page.locator(".players .name").count() - 1, "all others are programs"


def test_another_move_is_told_and_the_way_back_is_open(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/learn/okupacio")
    page.locator("#board .item.lit").first.click()
    page.get_by_role("button", name="Next").click()
    page.locator("#board [data-id='cc']").click()
    page.get_by_text("That may be played, too").wait_for()
    page.reload()
    page.get_by_text("Step 2 of").wait_for()
    page.locator("#board [data-id='ba']").click()
    page.get_by_text("captured aa").wait_for()
    page.get_by_role("button", name="Back").click()
    page.get_by_text("Step 1 of").wait_for()


def test_a_game_without_one_has_no_such_page(server: Server) -> None:
    for path in ("/learn/nothing", "/games/nothing/lesson.json"):
        assert httpx.get(server.address + path).status_code == 404
