"""The lobby: making games of every kind, drawing a board, joining what others have made, records from files."""

import re
from typing import Any

import pytest

from ludoteca.core.game import load
from ludoteca.core.levels import names_for
from ludoteca.core.spec import GameSpec, Integer, OneOf, Text
from ludoteca.server.http.catalogue import together
from tests.browser.conftest import PHONE, NewPage
from tests.browser.players import against_agents, drawn, each_kind, players, situation, small
from tests.browser.serving import Server

WITH_GRID = next(
    spec for spec in drawn() if any(isinstance(kind, Text) and kind.grid for kind in spec.parameters)
)  # fmt: skip
OF_FOUR = next(spec for spec in drawn() if spec.players == 4)


def dialog_of(page: Any, spec: GameSpec) -> Any:
    page.locator(".card").filter(has_text=spec.title).locator(".card-main").click()
    page.wait_for_selector("dialog[open]")
    return page.locator("dialog")


def room_of(page: Any) -> dict[str, Any]:
    """The server's data of the room that the page shows."""
    page.wait_for_url("**/room/*")
    page.wait_for_selector("#room:not([hidden])")
    found: dict[str, Any] = page.evaluate("import('/static/room.js').then((m) => m.page.room)")
    return found


@each_kind
def test_a_game_is_made_as_it_stands(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(server.address)
    dialog = dialog_of(page, spec)
    dialog.get_by_label("Your name").fill("Mireia")
    for choice in dialog.locator(".seat-row select").all()[1:]:
        choice.select_option("random")
    dialog.get_by_role("button", name="Start").click()
    room = room_of(page)
    assert room["game"] == spec.name
    assert [seat["kind"] for seat in room["seats"]] == ["person"] + ["agent"] * (len(room["seats"]) - 1)
    assert room["seats"][0]["name"] == "Mireia"
    assert room["clock"] is None
    for kind in spec.parameters:
        if kind.name == "players":
            assert room["parameters"]["players"] == max(kind.default, 2), "an opponent"
        elif isinstance(kind, Integer | OneOf):
            assert room["parameters"][kind.name] == kind.default
        else:
            assert room["parameters"][kind.name] == kind.canonical(kind.default)


def test_each_face_is_that_of_a_program(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    dialog = dialog_of(page, WITH_GRID)
    seen = set()
    for agent in names_for(WITH_GRID):
        dialog.locator(".seat-row select").nth(1).select_option(agent)
        addresses = {use.get_attribute("href") for use in dialog.locator(".seat-row:nth-child(2) use, .deed use").all()}
        assert len(addresses) == 1
        seen |= addresses
    faces = page.request.get(f"{server.address}/static/faces.svg").text()
    assert {address.partition("#")[2] for address in seen} == set(re.findall(r'id="(\w+)"', faces))


BOXES = """() => [...document.querySelectorAll(".card-picture")].map((place) => {
  const { x, y, width, height } = place.getBoundingClientRect();
  return [x, y, width, height, getComputedStyle(place).backgroundColor];
})"""


def test_covers_that_come_late_leave_their_place_and_their_ground(server: Server, new_page: NewPage) -> None:
    page, held = new_page(), list[Any]()
    page.route("**/picture.svg*", lambda route: held.append(route))
    page.goto(server.address, wait_until="commit")
    page.wait_for_selector(".card-picture")
    asked = [route.request.url for route in held]
    assert all(sum(f"/{spec.name}/" in url for url in asked) == 1 for spec in drawn())  # the script has asked for none
    before = page.evaluate(BOXES)
    assert len({ground for *_, ground in before}) > 1  # each game's own
    assert all(abs(width - 1.5 * height) <= 2 and height > 80 for _, _, width, height, _ in before)
    for route in held:
        route.continue_()
    page.wait_for_function("() => [...document.images].every((image) => image.complete || !image.offsetParent)")
    assert page.evaluate(BOXES) == before


def test_headings_have_the_typeface_of_the_pages(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    page.wait_for_function("() => [...document.fonts].every((font) => font.status === 'loaded') && document.fonts.size > 0")
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily").startswith("Sansita")


PLAYED = """games => {
  const seen = { others: ["Ion"], state: "turn" };
  const seats = games.map((game) => ({ room: `r-${game}`, token: "t", seat: 0, game, since: 1, seen }));
  localStorage.setItem("ludoteca.seats", JSON.stringify(seats));
}"""


@pytest.mark.parametrize(("width", "height", "games"), [(1366, 768, 5), (390, 844, 2)])
def test_a_returning_player_sees_how_to_play_without_scrolling(
    server: Server, new_page: NewPage, width: int, height: int, games: int
) -> None:
    page = new_page(server.address, viewport={"width": width, "height": height})
    page.evaluate(PLAYED, [spec.name for spec in drawn()])
    page.reload()
    page.locator("#my-rooms li").nth(len(drawn()) - 1).wait_for(state="attached")
    boxes = [each.bounding_box() for each in page.get_by_role("button", name="Play now").all()[:games]]
    assert all(box["y"] + box["height"] <= height for box in boxes)
    assert len({each.bounding_box()["y"] for each in page.locator("#my-rooms li").all()}) == 1, "one row"
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@each_kind
def test_a_friend_is_invited_with_two_clicks_and_sees_to_what(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    host = new_page(server.address)
    card = host.locator(".card").filter(has_text=spec.title)
    card.get_by_role("button", name="With friends").click()
    host.get_by_role("button", name="Get the link").click()
    link = host.get_by_label("Send this link").input_value()
    guest = new_page(link, viewport={"width": 390, "height": 844})
    guest.get_by_role("heading", name=f"Guest invites you to {spec.title}").wait_for()
    assert "no time limit" in guest.locator(".invite").inner_text()
    for seen in (".invite img:visible", ".invite a[href^='/learn/']", ".invite button"):
        assert guest.locator(seen).bounding_box()["y"] < 700, seen
    assert guest.locator("h1").inner_text() == spec.title


def test_a_lesson_is_offered_in_the_first_game_only(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    for shown in (True, False):
        page.goto(server.address)
        page.locator(".card").filter(has_text=WITH_GRID.title).get_by_role("button", name="Play now").click()
        page.wait_for_selector("#board.mine")
        assert page.locator("#first").is_visible() == shown


def test_play_now_has_an_opponent_in_a_game_for_one(server: Server, new_page: NewPage) -> None:
    alone = next(spec for spec in drawn() for kind in spec.parameters if kind.name == "players" and kind.default == 1)
    page = new_page(server.address)
    page.locator(".card").filter(has_text=alone.title).get_by_role("button", name="Play now").click()
    assert {seat["kind"] for seat in room_of(page)["seats"]} == {"person", "agent"}


def test_everything_can_be_chosen(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    dialog = dialog_of(page, WITH_GRID)
    dialog.get_by_role("button", name="More").first.click()
    seats = dialog.locator(".seat-row select")
    assert seats.count() == players(WITH_GRID, small(WITH_GRID)) + 1
    seats.nth(0).select_option("open")
    seats.nth(1).select_option("me")
    seats.nth(2).select_option("random")
    dialog.get_by_label("Clock").select_option("bank")
    dialog.get_by_label("Time per game").select_option("5")
    dialog.get_by_label("Increment per move").select_option("2")
    dialog.get_by_label("Show the game in the lobby").check()
    dialog.get_by_role("button", name="Start").click()
    room = room_of(page)
    assert [seat["kind"] for seat in room["seats"]] == ["open", "person", "agent"]
    assert room["clock"] == {"bank": 300, "increment": 2}
    assert room["you"] == 1
    guest = new_page(server.address)
    guest.locator("#rooms .room-link").first.click()
    guest.get_by_label("Your name").fill("Ion")
    guest.get_by_role("button", name="Take the seat").click()
    guest.wait_for_selector("#board.mine")
    assert guest.locator(".clock").count() == 3


def test_friends_behind_one_address_sit_down_by_invitation(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    parameters = small(WITH_GRID)
    parameters["players"] += 1
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "open"}, {"kind": "open"}]
    room, seat = server.new_room(WITH_GRID.name, seats, parameters=parameters, listed=True)
    server.ask(f"/api/rooms/{room.rpartition('/')[2]}/seats", {"name": "Bru"})
    host, guest = new_page(seat), new_page(room)
    guest.get_by_label("Your name").fill("Ion")
    guest.get_by_role("button", name="Take the seat").click()
    guest.get_by_text("somebody from your network already has a seat here").wait_for()
    link = host.get_by_label("Send this link").input_value()
    assert host.url == link != seat
    guest.goto(link)
    guest.get_by_role("button", name="Take the seat").click()
    host.wait_for_selector("#board.mine")
    guest.locator(".plate", has_text="you").get_by_text("Ion").wait_for()
    troubles[:] = [said for said in troubles if "status of 403" not in said]


def test_a_game_from_a_known_position_says_so_in_the_lobby_the_invitation_and_the_room(
    server: Server, new_page: NewPage
) -> None:
    start = load(WITH_GRID.name, **small(WITH_GRID)).new_initial_state(0)
    record = server.record(start)
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "open"}]
    host = new_page(server.new_room("", seats, listed=True, **{"from": {"room": record, "ply": 0}})[1])
    host.locator(".invite").get_by_text("From a known position").wait_for()
    guest = new_page(server.address)
    guest.locator("#rooms .room-row", has_text="From a known position").get_by_role("link").click()
    guest.get_by_role("button", name="Take the seat").wait_for()
    assert "From a known position" in guest.locator(".invite").inner_text()
    guest.get_by_label("Your name").fill("Ion")
    guest.get_by_role("button", name="Take the seat").click()
    host.wait_for_selector("#board.mine")
    for page in (host, guest):
        page.locator("#known").get_by_text("may know what is hidden").wait_for()


def test_a_board_is_drawn_with_the_mouse(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    dialog = dialog_of(page, WITH_GRID)
    dialog.get_by_role("button", name="Clear").click()
    cells = dialog.locator(".grid-cells .cell")
    cells.nth(1).scroll_into_view_if_needed()
    first, third = cells.nth(1).bounding_box(), cells.nth(3).bounding_box()
    page.mouse.move(first["x"] + 4, first["y"] + 4)
    page.mouse.down()
    page.mouse.move(third["x"] + 4, third["y"] + 4, steps=12)
    page.mouse.up()
    assert page.evaluate("document.querySelectorAll('.grid-cells .kind-1').length") == 3
    assert drawn_board(page, dialog).startswith(".###.")


def test_a_board_is_drawn_with_the_keyboard(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    dialog = dialog_of(page, WITH_GRID)
    dialog.get_by_role("button", name="Clear").click()
    dialog.locator(".grid-cells").focus()
    for key in ("ArrowRight", " ", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert drawn_board(page, dialog).split("/")[:2] == [".#" + "." * 8, "..#" + "." * 7]


def test_a_board_grows_shrinks_and_comes_from_a_file(server: Server, new_page: NewPage, tmp_path: Any) -> None:
    page = new_page(server.address, **PHONE)
    dialog = dialog_of(page, WITH_GRID)
    size = dialog.locator(".grid-size")
    before = size.inner_text()
    dialog.get_by_role("button", name="One more row").click()
    dialog.get_by_role("button", name="One column fewer").click()
    assert size.inner_text() != before
    file = tmp_path / "board.txt"
    file.write_text("....\n.#..\n....\n...#\n")
    dialog.locator("input[type=file]").set_input_files(file)
    dialog.locator(".grid-size", has_text="4 × 4").wait_for()  # the file is read beside
    assert drawn_board(page, dialog) == "..../.#../..../...#"


def drawn_board(page: Any, dialog: Any) -> str:
    """A picture of the drawn board, with which the game is made."""
    grid = next(kind for kind in WITH_GRID.parameters if isinstance(kind, Text) and kind.grid)
    cells = page.evaluate("""() => {
      const editor = document.querySelector(".grid-cells");
      const width = Number(editor.style.getPropertyValue("--columns"));
      const signs = [...editor.children].map((cell) => cell.classList.contains("kind-1"));
      return [width, signs];
    }""")
    assert grid.grid
    width, signs = cells
    text = "".join(grid.grid.symbols[sign] for sign in signs)
    picture = "/".join(text[row : row + width] for row in range(0, len(text), width))
    dialog.locator(".seat-row select").nth(1).select_option("random")
    dialog.get_by_role("button", name="Start").click()
    assert room_of(page)["parameters"][grid.name] == grid.canonical(picture)
    return picture


def test_what_does_not_go_together_is_told(server: Server, new_page: NewPage, troubles: list[str], tmp_path: Any) -> None:
    page = new_page(server.address)
    dialog = dialog_of(page, WITH_GRID)
    file = tmp_path / "board.txt"
    file.write_text("what is this?")
    dialog.locator("input[type=file]").set_input_files(file)
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_selector("dialog .notice:not([hidden])")
    assert "what" in dialog.locator(".notice").inner_text()
    seen = "found => { const box = found.getBoundingClientRect();"
    seen += " return found.contains(document.elementFromPoint(box.x + box.width / 2, box.bottom - 4)); }"
    assert dialog.locator(".notice").evaluate(seen), "nothing lies over it"
    troubles[:] = [said for said in troubles if "status of 400" not in said]


def test_a_form_offers_only_what_goes_together(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if together(spec))
    page = new_page(server.address)
    dialog = dialog_of(page, spec)
    dialog.get_by_role("button", name="Less").first.click()
    alone = dialog.locator(".others .field").count()
    dialog.locator(".others").get_by_role("button", name="More").click()
    dialog.locator(".others .pill").last.click()
    dialog.get_by_role("button", name="More").first.click()
    assert 0 < dialog.locator(".others .field").count() < alone, "several have less to choose, and something else"
    dialog.get_by_role("button", name="Start").click()
    room = room_of(page)
    assert room["parameters"]["players"] == 2
    assert not spec.conflict(room["parameters"])


def test_a_file_that_is_no_record_is_refused(server: Server, new_page: NewPage, troubles: list[str], tmp_path: Any) -> None:
    page = new_page(server.address)
    file = tmp_path / "record.json"
    file.write_text("{}")
    page.locator("#record input").set_input_files(file)
    page.wait_for_selector("#record-trouble:not([hidden])")
    troubles[:] = [said for said in troubles if "status of 400" not in said]


@each_kind
def test_the_rules_are_told_with_pictures(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(f"{server.address}/guide/{spec.name}", locale="ro")
    page.wait_for_selector(".guide section")
    scenes = page.locator(".guide .scene")
    assert scenes.count() > 0
    assert scenes.first.locator(".item").count() > 0
    assert page.locator("h1").inner_text() == spec.title
    titles = [each.inner_text() for each in page.locator(".guide h2").all()]
    assert [each.text_content() for each in page.locator("#links a").all()] == titles
    assert all(each.inner_text() for each in page.locator(".guide figcaption").all())
    page.set_viewport_size({"width": 320, "height": 640})
    page.locator("#contents:not([open])").wait_for()  # a disclosure where it is narrow, told by the next frame
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("#play").click()
    page.locator("dialog[open]").wait_for()


def test_an_address_without_a_page_says_so_and_leads_back(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    page = new_page(f"{server.address}/guide/chess", locale="ro")
    page.get_by_role("heading", name="Aici nu este nimic").wait_for()
    page.locator("#language").select_option("pt")
    page.get_by_role("heading", name="Aqui não há nada").wait_for()
    page.get_by_role("link", name="Voltar").click()
    page.wait_for_selector(".card")
    troubles[:] = [said for said in troubles if "status of 404" not in said]


def test_the_theme_is_kept(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address, color_scheme="light")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Light", exact=True).check()
    assert page.evaluate(ground) == light
    page.get_by_label("Dark", exact=True).check()
    page.wait_for_function(f"light => {ground} !== light", arg=light)
    dark = page.evaluate(ground)
    page.reload()
    page.wait_for_selector(".card")
    assert page.evaluate(ground) == dark


def test_reduced_motion_moves_nothing(server: Server, new_page: NewPage) -> None:
    moving = {}
    for motion in ("reduce", "no-preference"):
        page = new_page(reduced_motion=motion)
        page.add_init_script("""
          window.flights = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...how) { window.flights++; return animate.apply(this, how); };
        """)
        spec = WITH_GRID
        seats = [{"kind": "agent", "agent": "random"}, {"kind": "person", "name": "Mireia"}]
        page.goto(server.new_room(spec.name, seats, parameters=small(spec))[1])
        page.wait_for_selector("#board.mine")
        item = page.locator("#board .lit .halo").first.bounding_box()
        page.mouse.click(item["x"] + item["width"] / 2, item["y"] + item["height"] / 2)
        page.wait_for_selector("#log li:nth-child(2)", state="attached")
        assert situation(page)["count"] >= 2
        moving[motion] = page.evaluate("window.flights")
    assert moving["reduce"] == 0
    assert moving["no-preference"] > 0


def test_a_game_is_played_at_once_with_the_settings_used_last(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    card = page.locator(".card").filter(has_text=WITH_GRID.title)
    card.get_by_role("button", name="Play now").click()
    room = room_of(page)
    assert [seat["kind"] for seat in room["seats"]] == ["person"] + ["agent"] * (len(room["seats"]) - 1)
    assert len(room["seats"]) == next(kind.default for kind in WITH_GRID.parameters if kind.name == "players")
    page.goto(server.address)
    dialog = dialog_of(page, WITH_GRID)
    dialog.get_by_role("button", name="More").first.click()
    dialog.locator(".seat-row select").nth(2).select_option("random")
    dialog.get_by_label("Clock").select_option("bank")
    dialog.get_by_role("button", name="Start").click()
    chosen = room_of(page)
    page.goto(server.address)
    card.get_by_role("button", name="Play now").click()
    page.wait_for_url(lambda address: "/room/" in address and chosen["room"] not in address)
    again = room_of(page)
    assert again["room"] != chosen["room"]
    assert again["parameters"] == chosen["parameters"]
    assert again["clock"] == chosen["clock"] == {"bank": 600, "increment": 5}
    assert [seat["agent"] for seat in again["seats"]] == [seat["agent"] for seat in chosen["seats"]]


def seats_after(page: Any, server: Server, button: str, others: list[str] | None = None) -> list[str]:
    """The seats of a new game of that button: the value of each choice in its dialog, or the agent of each seat of its room.

    The dialog's choices for the other seats are set to `others`.
    """
    page.goto(server.address)
    page.locator(".card").filter(has_text=OF_FOUR.title).get_by_role("button", name=button).click()
    if others is None:
        return [seat["agent"] or seat["kind"] for seat in room_of(page)["seats"]]
    choices = page.locator("dialog .seat-row select")
    suggested: list[str] = choices.evaluate_all("all => all.map((choice) => choice.value)")
    for number, other in enumerate(others, 1):
        choices.nth(number).select_option(other)
    page.get_by_role("button", name="Get the link").click()
    room_of(page)
    return suggested


def test_a_game_with_friends_leaves_play_now_to_programs(server: Server, new_page: NewPage) -> None:
    page = new_page()
    assert seats_after(page, server, "With friends", ["open", "open", "open"]) == ["me", "open", "open", "open"]
    assert seats_after(page, server, "Play now") == ["person", "3", "3", "3"]
    seats_after(page, server, "With friends", ["1", "open", "open"])
    assert seats_after(page, server, "Play now") == ["person", "1", "1", "1"], "the last level"
    assert seats_after(page, server, "With friends", []) == ["me", "1", "open", "open"], "it has its own settings"


def test_ones_own_games_come_first_and_say_how_they_stand(server: Server, new_page: NewPage) -> None:
    spec = WITH_GRID
    page = new_page(against_agents(server, spec))
    page.wait_for_selector("#board.mine")
    page.goto(server.address)
    row = page.locator("#my-rooms .room-row").first
    assert "with Random" in row.inner_text()
    assert "Your turn" in row.inner_text()
    row.locator("a").click()
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    page.wait_for_selector("#ending:not([hidden])")
    page.goto(server.address)
    assert "Lost" in row.inner_text()
    assert "won: 0 of 1" in page.locator(".card").filter(has_text=spec.title).inner_text()


def look(page: Any, server: Server, name: str) -> None:
    """Look for an opponent, with that name."""
    page.goto(server.address)
    page.evaluate("name => localStorage.setItem('ludoteca.name', name)", name)
    page.locator(".card").filter(has_text="Conclave").get_by_role("button", name="Find an opponent").click()
    page.wait_for_url("**/room/*")


def test_strangers_who_look_for_an_opponent_meet_without_names(server: Server, new_page: NewPage) -> None:
    ana, bru = new_page(), new_page()
    look(ana, server, "Ana")
    ana.locator("#task", has_text="Looking for an opponent…").wait_for()
    look(bru, server, "Bru")
    assert ana.url.partition("#")[0] == bru.url.partition("#")[0]
    for page, own in ((ana, "Ana"), (bru, "Bru")):
        page.locator(".players").get_by_text(own).wait_for()
        page.locator(".players").get_by_text("Guest").wait_for()
    bru.locator("#settings").click()
    bru.get_by_label("Names of strangers").check()
    bru.locator(".players").get_by_text("Ana").wait_for()


def test_a_program_plays_when_no_opponent_comes(server: Server, new_page: NewPage) -> None:
    page = new_page()
    look(page, server, "Ana")
    page.locator("#task", has_text="Looking for an opponent…").wait_for()
    assert page.get_by_role("button", name="Play against a program").count() == 0
    page.evaluate("sessionStorage.setItem('ludoteca.looking.' + location.pathname.split('/')[2], Date.now() - 19_500)")
    page.reload()
    page.get_by_role("button", name="Play against a program instead").click()
    page.wait_for_selector("#board.mine")
    page.locator(".players").get_by_text("Level 3").wait_for()


def test_an_open_game_of_the_lobby_is_joined_in_one_touch(server: Server, new_page: NewPage) -> None:
    room, seat = server.new_room("conclave", [{"kind": "person", "name": "Mireia"}, {"kind": "open"}], listed=True)
    host, guest = new_page(seat), new_page(server.address)
    row = guest.locator("#rooms .room-row").filter(has=guest.locator(f"a[href='{room.removeprefix(server.address)}']"))
    row.get_by_text("Guest").wait_for()
    row.get_by_role("button", name="Join").click()
    guest.wait_for_url(f"{room}*")
    host.wait_for_selector("#board.mine")
    guest.locator(".players").get_by_text("you", exact=True).wait_for()
    assert guest.get_by_text("Mireia").count() == 0
