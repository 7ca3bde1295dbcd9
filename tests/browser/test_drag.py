"""Items are dragged to their places, by mouse and by finger, also in games that the page does not know."""

from typing import Any

from ludoteca.core.game import load
from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.serving import Server
from tests.browser.test_previews import GHOSTS, from_position, item, metro

LEAD = "A♠2♠2♥7♣8♣Q♥K♦/A♥2♦3♠4♥5♦6♣7♠/A♦2♣3♥4♦5♣6♠8♠/A♣3♦4♣5♠6♥7♥8♦ - 0 1"
"""Player 1 leads. In the hand, c4 and c5 are a pair, and c0 is alone."""
SEATS = [{"kind": "person", "name": "Mireia"}] + [{"kind": "agent", "agent": "random"}] * 3


def middle(page: Any, name: str) -> tuple[float, float]:
    """The place of an item when it no longer moves: cards are lifted, and the board makes room for buttons."""
    there = item(page, name)
    there.element_handle().wait_for_element_state("stable")
    box = there.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Hand:
    """A mouse that drags, or a finger."""

    def __init__(self, page: Any, *, finger: bool) -> None:
        self.page = page
        self.touch = page.context.new_cdp_session(page) if finger else None

    def to(self, kind: str, place: tuple[float, float]) -> None:
        if self.touch:
            points = [] if kind == "up" else [{"x": place[0], "y": place[1]}]
            name = {"down": "touchStart", "move": "touchMove", "up": "touchEnd"}[kind]
            self.touch.send("Input.dispatchTouchEvent", {"type": name, "touchPoints": points})
        elif kind == "move":
            self.page.mouse.move(*place, steps=3)
        else:
            getattr(self.page.mouse, kind)()

    def take(self, name: str) -> None:
        place = middle(self.page, name)
        if not self.touch:
            self.page.mouse.move(*place)
        self.to("down", place)
        self.to("move", (place[0] + 6, place[1] - 12))
        self.to("move", (place[0] + 12, place[1] - 24))
        self.page.wait_for_selector("#board.dragging")

    def bring(self, name: str) -> None:
        place = middle(self.page, name)
        self.to("move", place)
        self.page.wait_for_selector(f'#board [data-id="{name}"].target')

    def let_go(self, name: str) -> None:
        self.to("up", middle(self.page, name))
        self.page.wait_for_selector("#board:not(.dragging)")


def count(page: Any) -> int:
    return int(page.locator("#log li").count())


def test_a_tile_is_dragged_onto_a_space_and_lies_as_it_was_taken(server: Server, new_page: NewPage) -> None:
    page = new_page(metro(server), **MOVING)
    page.wait_for_selector("#board.mine")
    hand, tile = Hand(page, finger=False), page.locator("#board .item.turn").nth(1).get_attribute("data-id")
    hand.take(tile)
    assert page.locator('#board [data-id^="space-"].goal').count() > 10
    page.keyboard.press("Escape")  # it goes back
    page.wait_for_selector("#board:not(.dragging)")
    page.mouse.up()
    assert (count(page), page.locator("#board .touched, #board .carried").count()) == (0, 0)
    hand.take(tile)
    hand.bring("space-3-1")
    page.wait_for_selector(GHOSTS)
    hand.let_go("space-3-1")
    page.wait_for_selector('#board [data-id="tile-3-1"]')
    assert tile.removeprefix("turn-") in page.locator("#log .told").first.inner_text()


def test_a_finger_chooses_and_brings_cards_to_the_table(server: Server, new_page: NewPage) -> None:
    page = new_page(from_position(server, load("cartas"), LEAD, SEATS), **PHONE, **MOVING)
    page.wait_for_selector("#board.mine")
    hand = Hand(page, finger=True)
    hand.take("c4")
    hand.bring("mat")
    hand.let_go("mat")  # there is another two: it waits
    assert count(page) == 0
    assert page.locator("#board .touched").count() == 1
    page.touchscreen.tap(*middle(page, "c5"))
    page.wait_for_selector('#board [data-id="c5"].touched')
    hand.take("c4")  # and both come, as they are chosen
    assert page.locator("#board .carried").count() == 2
    hand.let_go("seat-1")  # which is no place for them
    assert (count(page), page.locator("#board .touched").count()) == (0, 2)
    hand.take("c5")
    hand.bring("mat")
    hand.let_go("mat")
    page.wait_for_selector("#log li")
    assert "2" in page.locator("#log li").first.inner_text()
    assert page.evaluate("scrollY") == 0
    x, y = middle(page, "chart")  # which is no card: the page scrolls
    for kind, up in (("down", 0), ("move", 30), ("move", 60), ("move", 90), ("up", 90)):
        hand.to(kind, (x, y - up))
    page.wait_for_function("() => scrollY > 0")


def test_what_a_touched_item_owns_stays_lit_until_the_next_touch(server: Server, new_page: NewPage) -> None:
    page = new_page(from_position(server, load("cartas"), LEAD, SEATS), **PHONE)
    page.wait_for_selector("#board.mine")
    page.touchscreen.tap(*middle(page, "chart"))
    page.wait_for_selector('#board [data-id="chart"].followed')
    assert page.locator("#notice").is_hidden()
    page.touchscreen.tap(*middle(page, "c0"))
    page.wait_for_selector('#board [data-id="chart"]:not(.followed)')
