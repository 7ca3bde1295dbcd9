"""Settings: confirmation of moves, speed of movements, display of codes."""

from typing import Any

from tests.browser.conftest import MOVING, NewPage
from tests.browser.serving import Server
from tests.browser.test_previews import item, okupacio

NOTE_FLIGHTS = """
  window.flights = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    window.flights.push([how.delay ?? 0, how.duration]);
    return animate.call(this, frames, how);
  };
"""


def set_up(page: Any, label: str) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_label(label).check()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_a_move_that_is_to_be_confirmed_is_shown_first(server: Server, new_page: NewPage) -> None:
    page = new_page(**MOVING)
    page.add_init_script(NOTE_FLIGHTS)
    page.goto(okupacio(server))
    page.wait_for_selector("#board.mine")
    set_up(page, "Confirm moves")
    set_up(page, "Slow")
    item(page, "da").click()
    page.wait_for_selector('#board [data-id="da"].touched')
    item(page, "ba").click()  # another one, instead
    page.wait_for_selector('#board [data-id="ba"].touched')
    assert page.locator("#board .touched").count() == 1
    assert page.locator("#log li").count() == 0
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector("#log li:nth-child(2)", state="attached")
    flights = page.evaluate("flights")
    assert [0, 320] in flights  # the cell that is taken
    assert [320, 256] in flights  # then the neighbour that falls with it
    page.reload()
    page.wait_for_selector("#board.mine")
    page.locator("#board .lit").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#board .touched")
    assert page.locator("#log li").count() == 2
    page.keyboard.press("Enter")
    page.wait_for_selector("#log li:nth-child(3)", state="attached")
    names = "getComputedStyle(document.querySelector('#board')).getPropertyValue('--codes')"
    coordinate = "getComputedStyle(document.querySelector('#board [data-id=row-a] text')).opacity"
    codes = page.locator("#log .pictured .code").last
    assert page.locator("#log .pictured use[href='#army-0']").count() > 0
    assert codes.inner_text() != ""
    assert codes.bounding_box()["width"] < 5
    assert "(row " in page.locator("#log li").last.inner_text()
    assert (page.evaluate(names), page.evaluate(coordinate)) == ("0", "0")
    set_up(page, "Codes")
    assert (page.evaluate(names), page.evaluate(coordinate)) == ("", "1")
    assert codes.bounding_box()["width"] > 5
