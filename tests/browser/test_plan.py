"""A choice during the moves of others waits for the player's turn, and is then played if it is legal."""

from ludoteca.core.game import load
from tests.browser.conftest import PHONE, NewPage
from tests.browser.rooms import wait_for_log
from tests.browser.serving import Server
from tests.browser.test_previews import CORNER, item


def test_a_move_is_chosen_in_advance(server: Server, new_page: NewPage) -> None:
    game = load("okupacio", players=2, board="4x4")
    origin = {"room": server.record(game.state_from_string(CORNER)), "ply": 0}
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "open"}]
    room, first = server.new_room(game.name, seats, parameters=game.parameters, **{"from": origin})
    token = server.ask(f"/api/rooms/{room.rsplit('/', 1)[1]}/seats", {"name": "Ion"})["token"]
    mover, page = new_page(first), new_page(f"{room}#{token}", **PHONE)
    mover.wait_for_selector("#board.mine")
    ahead = page.get_by_role("button", name="Choose in advance")
    ahead.wait_for()
    item(page, "da").tap()
    page.wait_for_selector('#board [data-id="da"].pending')
    page.locator("#task").get_by_text("In advance: takes da (row 4, column 1)", exact=True).wait_for()
    item(mover, "ba").click()
    wait_for_log(page, 2)  # it was played by itself
    assert item(page, "stone-da").count() == 1
    ahead.wait_for()
    item(page, "dd").tap()
    page.wait_for_selector('#board [data-id="dd"].pending')
    mover.wait_for_selector("#board.mine")
    item(mover, "dd").click()  # the player who takes it
    page.locator("#notice").get_by_text("not possible any more").wait_for()
    page.wait_for_selector("#board.mine")
    item(page, "ad").tap()
    wait_for_log(page, 4)
    ahead.click()
    page.wait_for_selector("#board.ahead")
    page.locator("#board .lit").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#board .pending")
    page.keyboard.press("Escape")
    page.wait_for_selector("#board .pending", state="detached")
    assert page.locator("#board.ahead").count() == 0
    assert page.locator("#log li").count() == 4
