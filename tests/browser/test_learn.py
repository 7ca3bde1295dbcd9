"""A player plays through a guided first game, which leads into a game against the easiest programs."""

import re
from typing import Any

import httpx

from ludoteca.core import registry
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.spec import GameSpec
from tests.browser.conftest import MOVING, NewPage
from tests.browser.players import each_kind_of
from tests.browser.serving import Server

LEARNT = [spec for spec in registry.registered_games() if spec.has("lesson")]
SCREENS = [(1366, 768), (2560, 1440), (683, 384), (844, 390), (820, 1180), (390, 844), (360, 640)]

MEASURE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [board, says, steps] = ["#board", "#says", "#steps button:last-child"].map(box);
  const beside = (one, other) => one.right <= other.left || one.bottom <= other.top;
  const apart = (one, other) => beside(one, other) || beside(other, one);
  return {
    wide: document.documentElement.scrollWidth > innerWidth,
    scrolls: document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight,
    reached: steps.bottom <= innerHeight,
    apart: apart(board, says) && apart(board, steps) && apart(says, steps),
    board: Math.min(board.width, board.height),
  };
}"""


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


@each_kind_of(LEARNT)
def test_a_first_game_is_gone_through_and_a_real_one_follows(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page, name = new_page(), spec.name
    page.goto(f"{server.address}/learn/{name}")
    steps = httpx.get(f"{server.address}/games/{name}/lesson.json", timeout=60).json()
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
    page = new_page(f"{server.address}/learn/okupacio", **MOVING)
    page.locator("#board .item.lit").first.click()
    page.get_by_role("button", name="Next").click()
    page.locator("#board [data-id='cc']").click()
    page.get_by_text("That is a legal move too").wait_for()
    page.locator("#board [data-id='ba']").hover()
    page.locator("#foretold", has_text="and with it").wait_for()
    page.reload()
    page.get_by_text("Step 2 of").wait_for()
    page.locator("#board [data-id='ba']").click()
    page.get_by_text("captured aa").wait_for()
    page.get_by_role("button", name="Back").click()
    page.get_by_text("Step 1 of").wait_for()


def test_what_does_not_fit_is_told_so_and_pages_lead_here(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script("localStorage.setItem('ludoteca.lesson.qinto', 1)")
    page.goto(f"{server.address}/learn/qinto")
    page.locator("#board [data-id='cell/0,2'].hinted").wait_for()
    page.locator("#board [data-id='hand/2G']").click()
    page.locator("#board [data-id='cell/0,2']").click()
    page.locator("#heard", has_text="does not fit there").wait_for()
    page.locator("#board [data-id='hand/5R'].hinted").click()  # the cell is touched already
    page.locator(".done #heard", has_text="that fits").wait_for()
    assert not page.locator("#board .hinted").count()
    page.goto(f"{server.address}/guide/qinto")
    page.get_by_role("link", name="Learn it").click()
    page.get_by_text("Step 2 of").wait_for()
    page.goto(server.address)
    page.locator(".card", has=page.get_by_text("Q!nto", exact=True)).locator(".card-main").click()
    page.get_by_role("dialog").get_by_role("link", name="Learn it").click()
    page.wait_for_url("**/learn/qinto")


def test_all_is_seen_at_once_however_long_the_texts_are(server: Server, new_page: NewPage) -> None:
    """The step with most to say, in each language: the board, the words and the way on, without scrolling."""
    page = new_page()
    page.goto(server.address)
    for language in LANGUAGES:
        said = [
            (len(in_words(step.told, texts)) + len(in_words(step.asked, texts)), spec.name, number)
            for spec in LEARNT
            for texts in [catalogue(spec.package, language)]
            for number, step in enumerate(spec.module("lesson").STEPS)
        ]
        _, name, number = max(said)
        kept = {"ludoteca.language": language, f"ludoteca.lesson.{name}": str(number)}
        page.evaluate("(kept) => Object.entries(kept).forEach(([key, value]) => localStorage.setItem(key, value))", kept)
        page.goto(f"{server.address}/learn/{name}")
        page.locator("#told:not(:empty)").wait_for()
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            seen = page.evaluate(MEASURE)
            where = f"{name}, step {number + 1}, {language}, {width} x {height}: {seen}"
            assert seen["reached"], where
            assert seen["apart"], where
            assert not seen["scrolls"], where
            assert seen["board"] >= 190, where
        for height in (640, 256):
            page.set_viewport_size({"width": 320, "height": height})
            assert not page.evaluate(MEASURE)["wide"], f"{name}, step {number + 1}, {language}, 320 x {height}"
