"""The player sees the effect of a choice before it is played: by mouse, by keyboard, by finger."""

from typing import Any

from ludoteca.core.game import Game, load
from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.serving import Server

CORNER = ".A../..../..../.... A 9 0:1,0:0"
"""The player who takes ba also gets aa."""
SEVEN = "8/8/8/3,*,*,3/3,*,*,3/8/8/8 1 7 0123456789abcdef"
"""An empty board, and a tile that can be turned."""
GHOSTS = "#board .ghosts .item"


def okupacio(server: Server) -> str:
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "random"}]
    return from_position(server, load("okupacio", players=2, board="4x4"), CORNER, seats)


def metro(server: Server) -> str:
    return from_position(server, load("metro"), SEVEN, [{"kind": "person", "name": "Mireia"}])


def from_position(server: Server, game: Game, position: str, seats: list[dict[str, str]]) -> str:
    origin = {"room": server.record(game.state_from_string(position)), "ply": 0}
    return server.new_room(game.name, seats, parameters=game.parameters, **{"from": origin})[1]


def item(page: Any, name: str) -> Any:
    return page.locator(f'#board [data-id="{name}"]')


def angle(page: Any) -> str:
    """The rotation of the tile that is shown."""
    return str(page.locator(GHOSTS).first.get_attribute("transform"))


def until_turned(page: Any, before: str) -> None:
    page.wait_for_function(
        "([ghosts, before]) => (document.querySelector(ghosts)?.getAttribute('transform') ?? before) !== before",
        arg=[GHOSTS, before],
    )


def test_the_pieces_that_would_come_are_seen_under_the_pointer(server: Server, new_page: NewPage) -> None:
    page = new_page(okupacio(server), **MOVING)
    page.wait_for_selector("#board.mine")
    task = page.locator("#task").inner_text()
    item(page, "ba").hover()
    page.wait_for_selector(GHOSTS)
    assert page.locator(GHOSTS).count() == 2
    assert page.locator("#task").inner_text() == "Takes ba (row 2, column 1), and with it aa"
    assert "marked" in item(page, "aa").get_attribute("class")
    page.locator("#title").hover()
    page.wait_for_selector(GHOSTS, state="detached")
    assert page.locator("#task").inner_text() == task
    item(page, "ba").click()
    page.wait_for_selector('#board [data-id="stone-aa"]')
    assert page.locator(GHOSTS).count() == 0


LIES_AFTER = """id => {
  const [lit, train] = [document.activeElement, document.querySelector(`#board [data-id="${id}"]`)];
  return Boolean(lit.compareDocumentPosition(train) & Node.DOCUMENT_POSITION_FOLLOWING);
}"""
"""True if the Tab key comes to an item after the one that has the focus."""


def test_the_tile_is_turned_by_wheel_key_and_touch_and_lies_as_it_was_seen(server: Server, new_page: NewPage) -> None:
    page = new_page(metro(server), **MOVING)
    page.wait_for_selector("#board.mine")
    item(page, "space-3-1").hover()
    page.wait_for_selector(GHOSTS)
    first = angle(page)
    page.mouse.wheel(0, 100)
    until_turned(page, first)
    second = angle(page)
    item(page, "space-3-1").click()  # chosen, but for how it is turned
    assert angle(page) == second
    page.keyboard.press("r")
    until_turned(page, second)
    third = angle(page)
    item(page, "space-3-1").click()
    until_turned(page, third)
    fourth = angle(page)
    assert len({first, second, third, fourth}) == 4
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_selector('#board [data-id="tile-3-1"]')
    assert item(page, "tile-3-1").get_attribute("transform") == fourth
    page.mouse.move(1, 1)
    page.evaluate("Promise.allSettled(document.getAnimations().map((motion) => motion.finished))")  # tracks come in stages
    own = page.locator("#board [class*=' of-train-']").first.get_attribute("class").partition(" of-")[2].split()[0]
    item(page, own).hover()  # a train is shown with its whole path
    page.wait_for_selector("#board.following .followed")
    assert page.locator("#board .followed").count() == page.locator(f"#board .of-{own}").count()
    page.mouse.move(1, 1)
    page.wait_for_selector("#board:not(.following)")
    assert page.locator("#board .lit").count(), "the keyboard goes to trains while there is something else to do"
    assert page.locator("#board [tabindex='0']").count() == 2, "by one stop more, not by one for each"
    page.locator("#board [tabindex='0'].lit").focus()
    to_the_train = "Tab" if page.evaluate(LIES_AFTER, own) else "Shift+Tab"
    page.keyboard.press(to_the_train)
    trains = page.locator("#board .train").count()
    for _ in range(trains):
        if page.evaluate("document.activeElement.dataset.id") == own:
            break
        page.keyboard.press("PageDown")
    page.wait_for_selector("#board.following .followed")
    assert page.locator("#board .followed").count() == page.locator(f"#board .of-{own}").count()
    page.keyboard.press("Shift+Tab" if to_the_train == "Tab" else "Tab")
    page.wait_for_selector("#board .lit:focus")


def test_a_finger_that_stays_on_a_cell_sees_what_would_come(server: Server, new_page: NewPage) -> None:
    page = new_page(okupacio(server), **PHONE, **MOVING)
    page.wait_for_selector("#board.mine")
    box = item(page, "ba").bounding_box()
    touch = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_selector(GHOSTS)
    assert page.locator("#log li").count() == 0
    touch.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    page.wait_for_selector(GHOSTS, state="detached")
    assert page.locator("#log li").count() == 0


def test_the_keyboard_sees_it_too(server: Server, new_page: NewPage) -> None:
    page = new_page(okupacio(server), **MOVING)
    page.wait_for_selector("#board.mine")
    item(page, "ba").focus()
    page.wait_for_selector(GHOSTS)
    assert page.locator("#task").inner_text() == "Takes ba (row 2, column 1), and with it aa"
