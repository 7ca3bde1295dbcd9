"""A grid that is larger than its window: tiles keep their size, the last turn is in sight, and a finger slides the grid."""

from typing import Any

from ludoteca.core.game import load
from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.serving import Server
from tests.browser.test_drag import Hand
from tests.browser.test_previews import from_position, item
from tests.qinto.positions import at
from tests.qinto.test_notation import staircase

SIZES = "nodes => nodes.map(node => node.getBoundingClientRect().width)"
IN_SIGHT = """id => {
  const [tile, field] = [`[data-id="${id}"] .halo`, ".sheet"]
    .map((found) => document.querySelector(`.field ${found}`)?.getBoundingClientRect());
  if (!tile) return false;
  const [across, down] = [tile.left >= field.left - 1 && tile.right <= field.right + 1, tile.top >= field.top - 1];
  return across && down && tile.bottom <= field.bottom + 1;
}"""
MOVED = """y => document.querySelector('[data-id="tile/0,0"]').getBoundingClientRect().y < y"""
PRESS = "ids => import('/static/room.js').then(({page: {board}}) => ids.forEach((id) => board.press(id)))"


def wide(server: Server, new_page: NewPage) -> Any:
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "agent", "agent": "random"}]
    state = at(staircase(1), ["1Y", "2Y", "3Y", "4Y", "5Y"])
    page = new_page(from_position(server, load("qinto"), str(state), seats), **PHONE, **MOVING)
    page.wait_for_selector("#board.mine .field.wide")
    return page


def until_in_sight(page: Any, name: str) -> None:
    page.wait_for_function(IN_SIGHT, arg=name)


def test_tiles_keep_their_size_and_the_last_one_comes_into_sight(server: Server, new_page: NewPage) -> None:
    page = wide(server, new_page)
    assert min(page.locator('.field [data-id^="tile/"] .halo').evaluate_all(SIZES)) >= 44
    assert not page.evaluate(IN_SIGHT, "cell/0,-1")
    rack = item(page, "rack").bounding_box()
    page.evaluate(PRESS, ["hand/1Y", "cell/0,-1"])
    until_in_sight(page, "tile/0,-1")
    assert item(page, "rack").bounding_box() == rack
    assert min(page.locator('.field [data-id^="tile/"] .halo').evaluate_all(SIZES)) >= 44


def test_the_field_slides_under_a_finger_and_to_the_focus(server: Server, new_page: NewPage) -> None:
    page = wide(server, new_page)
    item(page, "tile/0,0").focus()
    until_in_sight(page, "tile/0,0")
    page.wait_for_function("() => document.querySelector('.field > g').getAnimations().length === 0")
    before = item(page, "tile/0,0").bounding_box()
    finger = Hand(page, finger=True)
    sheet = page.locator(".field .sheet").bounding_box()
    x, bottom = sheet["x"] + sheet["width"] / 2, sheet["y"] + sheet["height"] - 10
    finger.to("down", (x, bottom))
    for up in (20, 40, 60):
        finger.to("move", (x, bottom - up))
    page.wait_for_function(MOVED, arg=before["y"] - 40)
    finger.to("up", (x, bottom - 60))
    assert round(item(page, "tile/0,0").bounding_box()["x"]) == round(before["x"])
