"""Rooms: two people and a spectator, looking back, languages."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ludoteca.core.game import load
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from tests.browser.conftest import MOVING, PHONE, NewPage
from tests.browser.players import (
    Keyboard,
    Mouse,
    against_agents,
    at_random,
    drawn,
    play_to_the_end,
    short,
    situation,
    small,
)
from tests.browser.rooms import CODES, HIDDEN, OPEN, move, seat_link, sit, wait_for_log, with_a_friend
from tests.browser.serving import Server


def test_two_browsers_play_each_other_while_one_watches(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, HIDDEN, **short(server, HIDDEN))
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    watching = new_page(room)
    for page in (mine, friend, watching):
        page.locator("#spectators").get_by_text("Spectators: 1", exact=True).wait_for()
    pages: list[tuple[Any, Mouse | Keyboard]] = [(mine, Mouse(mine, 4)), (friend, Keyboard(friend, 5))]
    while not situation(mine)["over"]:
        for page, player in pages:
            if situation(page)["mine"]:
                player.step()
        page.wait_for_timeout(20)
    for page in (mine, friend, watching):
        page.wait_for_selector("#ending:not([hidden])")
        assert "Mireia" in page.locator(".players").inner_text()
        assert "Ion" in page.locator(".players").inner_text()
    count = situation(mine)["count"]
    for page in (friend, watching):
        wait_for_log(page, count)
        assert situation(page)["count"] == count
    assert watching.locator("#board .lit").count() == 0
    assert watching.locator(".ending").get_by_role("button", name="Rematch").count() == 0


def test_a_guest_goes_on_typing_a_name_while_others_sit_down(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if not spec.players)
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "open"}, {"kind": "open"}]
    room, _ = server.new_room(spec.name, seats, parameters={"players": 3})
    page = new_page(room)
    name = page.get_by_label("Your name")
    name.press_sequentially("Io")
    sit(new_page(room), "Bru")
    page.get_by_text("Seats free: 1").wait_for()
    page.keyboard.type("n")
    assert name.input_value() == "Ion"


def test_the_maker_lets_a_program_sit_in_an_empty_chair(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if spec.players == 4)
    seats = [{"kind": "person", "name": "Mireia"}, {"kind": "open"}, {"kind": "open"}, {"kind": "open"}]
    room, seat = server.new_room(spec.name, seats)
    mine, friend = new_page(seat, viewport={"width": 390, "height": 844}), new_page(room)
    sit(friend, "Ion")
    program = mine.get_by_role("button", name="Let a program play")
    program.nth(1).wait_for()
    assert program.count() == 2
    program.first.click()
    mine.locator(".players").get_by_text("Level 3").wait_for()
    friend.get_by_role("button", name="Let a program play").click()
    friend.get_by_text("Waiting for the others to agree").wait_for()
    friend.get_by_role("button", name="Cancel").click()
    program.click()
    for page in (mine, friend):
        page.locator("#task", has_text="Waiting for players").wait_for(state="detached")
        assert page.get_by_role("button", name="Let a program play").count() == 0


def test_a_program_is_offered_for_an_absent_player_once_the_seat_is_no_longer_kept(
    server: Server, new_page: NewPage
) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(), new_page(room)

    def keep_seats(socket: Any) -> None:
        behind = socket.connect_to_server()
        behind.on_message(lambda text: socket.send(text.replace('"kept":0', '"kept":20000')))

    mine.route_web_socket("**/ws/**", keep_seats)
    mine.clock.install()
    mine.goto(seat)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    friend.context.close()
    mine.get_by_text("away", exact=True).wait_for()
    mine.clock.run_for(19_000)
    assert mine.get_by_role("button", name="Let a program play").count() == 0
    mine.clock.run_for(1_000)
    mine.get_by_role("button", name="Let a program play").click()
    mine.locator(".players").get_by_text("Level 4").wait_for()


def test_a_notice_about_a_player_ends_when_the_player_is_back(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    move(mine)
    friend.goto("about:blank")
    mine.get_by_text("away", exact=True).wait_for()
    mine.get_by_role("button", name="Undo").click()
    mine.locator("#notice").get_by_text("Ion is away: an undo needs all players").wait_for()
    friend.goto(room)
    mine.wait_for_selector("#notice[hidden]", state="attached")


def test_what_a_player_does_is_told_in_that_turn_only(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend, sockets = new_page(), new_page(room), list[Any]()

    def note(socket: Any) -> None:
        socket.connect_to_server()
        sockets.append(socket)

    mine.route_web_socket("**/ws/**", note)
    mine.goto(seat)
    sit(friend, "Ion")
    move(mine)
    sockets[0].send('{"t":"note","kind":"hurried","player":1}')
    mine.locator("#task", has_text="Ion takes too long").wait_for()
    move(friend)
    move(mine)
    mine.locator("#task", has_text="Ion to play").wait_for()


@pytest.mark.parametrize(("code", "is_told"), [("late", True), ("stale", False)])
def test_a_hint_that_is_refused_is_no_longer_waited_for(server: Server, new_page: NewPage, code: str, is_told: bool) -> None:
    page = new_page()

    def refuse(socket: Any) -> None:
        behind = socket.connect_to_server()

        def from_page(text: str) -> None:
            frame = json.loads(text)
            refused = {"t": "error", "id": frame.get("id"), "code": code, "message": [f"error.{code}", "Level 8", 3]}
            if frame["t"] == "hint":
                socket.send(json.dumps(refused))
            else:
                behind.send(text)

        socket.on_message(from_page)

    page.route_web_socket("**/ws/**", refuse)
    page.goto(against_agents(server, OPEN))
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Hint").wait_for()
    assert page.locator("#notice").is_visible() == is_told


def test_both_resign_at_once_and_nobody_is_told_of_a_fault(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend, held = new_page(seat), new_page(), list[Any]()

    def hold(socket: Any) -> None:
        behind = socket.connect_to_server()
        socket.on_message(lambda text: held.append((behind, text)) if '"t":"resign"' in text else behind.send(text))

    friend.route_web_socket("**/ws/**", hold)
    friend.goto(room)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    for page in (friend, mine):
        page.get_by_role("button", name="Resign").click()
        page.locator("dialog").get_by_role("button", name="Resign").click()
    friend.wait_for_selector("#ending:not([hidden])")
    behind, text = held[0]
    behind.send(text)
    friend.wait_for_function("import('/static/room.js').then(({page: {talk}}) => talk.open.size === 0)")
    for page in (friend, mine):
        page.locator("#task", has_text="Mireia has resigned. The winner is Ion.").wait_for()
        assert page.locator("#notice").is_hidden()
    assert friend.locator("#result").get_by_role("status").all_inner_texts() == ["You won", "Mireia has resigned."]


def test_news_that_arrives_before_the_texts_is_put_into_words_later(server: Server, new_page: NewPage) -> None:
    room, _ = with_a_friend(server, OPEN)
    page, held = new_page(), list[Any]()
    page.route("**/static/messages/en.json*", lambda route: held.append(route))
    with page.expect_response(f"**/games/{OPEN.name}/messages/en.json*"):
        page.goto(room, wait_until="commit")
    new_page(room)
    page.wait_for_selector("#spectators:not([hidden])", state="attached")
    held[0].continue_()
    page.locator("#spectators").get_by_text("Spectators: 2", exact=True).wait_for()


STAY_IN_THE_AIR = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how);
    animation.pause();
    return animation;
  };
"""
"""A moving item does not arrive by itself."""


def test_the_plates_wait_for_the_pieces_of_one_move_and_not_for_those_of_the_next(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    pages = [new_page(seat), new_page(room)]
    sit(pages[1], "Ion")
    at_once, later = new_page(room), new_page(**MOVING)
    later.add_init_script(STAY_IN_THE_AIR)
    later.goto(room)
    later.wait_for_selector(".players")
    facts = [later.locator(".plate .fact b").all_inner_texts()]
    for number in range(5):
        move(pages[number % 2])
        for page in (at_once, later):
            wait_for_log(page, number + 1)
        facts.append(at_once.locator(".plate .fact b").all_inner_texts())
        assert later.locator(".plate .fact b").all_inner_texts() == facts[-2]
        assert (later.locator(".players .changed").count() > 0) == (number > 0 and facts[-2] != facts[-3])
    assert len({tuple(row) for row in facts}) > 2


def test_the_result_waits_for_the_last_pieces(server: Server, new_page: NewPage) -> None:
    ended = at_random(OPEN)
    origin = {"room": server.record(ended), "ply": len(ended.history()) - 1}
    room, seat = with_a_friend(server, OPEN, **{"from": origin})
    friend = server.ask(f"/api/rooms/{room.rsplit('/', 1)[1]}/seats", {"name": "Ion"})["token"]
    pages = [new_page(**MOVING), new_page(**MOVING)]
    for page, address in zip(pages, (seat, f"{room}#{friend}"), strict=True):
        page.add_init_script(STAY_IN_THE_AIR)
        page.goto(address)
        page.wait_for_selector(".players")
    mover = next(page for page in pages if situation(page)["mine"])
    task = mover.locator("#task").inner_text()
    move(mover)
    seen = {"result": "#result.shown", "ending": "#ending:not([hidden])", "winner": ".badge.won"}
    assert {name: mover.locator(selector).count() for name, selector in seen.items()} == dict.fromkeys(seen, 0)
    assert mover.locator("#task").inner_text() == task
    mover.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
    mover.wait_for_selector("#result.shown")
    assert mover.locator(".badge.won").count() == 1
    assert mover.locator("#task").inner_text() != task


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "telephone"])
def test_both_agree_to_a_rematch(server: Server, new_page: NewPage, device: dict[str, Any]) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat, **device), new_page(room, **device)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    mine.get_by_role("button", name="Resign").click()
    mine.locator("dialog").get_by_role("button", name="Resign").click()
    mine.get_by_role("button", name="Rematch", exact=True).click()
    friend.get_by_role("button", name="Accept the rematch").click()
    for page in (mine, friend):
        page.wait_for_url(lambda url: url not in (seat, room) and "/room/" in url)
        page.wait_for_selector("#room:not([hidden])")
    move(friend)  # the player who was second begins
    wait_for_log(mine, 1)
    mine.go_back()
    mine.get_by_role("link", name="Go to the new game").wait_for()


def test_the_page_says_who_has_still_to_come_and_nobody_loses_without_them(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN, clock={"move": 60})
    server.ask(f"/api/rooms/{room.rpartition('/')[2]}/seats", {"name": "Ion"})
    page = new_page(seat)
    page.locator("#advice").get_by_text("No clock runs yet. Still to come: Ion.").wait_for()
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_text("Nobody loses, because not all players have come.").wait_for()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    for place in ("#result", "#task"):
        page.locator(place).get_by_text("Nobody loses, because not all players have come.").wait_for()
    assert page.locator(".badge.won").count() == 0


def test_a_question_is_declined_withdrawn_and_agreed_to(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat), new_page(room)
    sit(friend, "Ion")
    move(mine)
    mine.get_by_role("button", name="Undo").click()
    friend.get_by_role("button", name="Decline").click()
    mine.locator("#advice").get_by_text("Ion does not agree.").wait_for()
    assert mine.get_by_role("button", name="Undo").count() == 0
    move(friend)
    mine.get_by_role("button", name="Undo").click()
    mine.get_by_role("button", name="Cancel").click()
    mine.get_by_role("button", name="Undo").wait_for()
    friend.locator("#advice").get_by_text("would like to take a move back").wait_for(state="detached")
    assert mine.get_by_role("button", name="Delete").count() == 0  # the friend has played
    move(mine)
    mine.get_by_role("button", name="Undo").click()
    friend.locator("#advice").get_by_text("would like to take a move back").wait_for()
    move(friend)
    for page, question in ((mine, "Waiting for the others"), (friend, "would like to take a move back")):
        wait_for_log(page, 4)
        assert page.locator("#advice").get_by_text(question).count() == 0  # the move has settled it
    mine.get_by_role("button", name="Undo").click()
    friend.get_by_role("button", name="Agree").click()
    for page in (mine, friend):
        page.wait_for_function("() => document.querySelectorAll('#log li').length === 2")


def test_a_move_against_a_program_is_taken_back(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), **MOVING)
    page.wait_for_selector("#board.mine")
    assert page.get_by_role("button", name="Undo").count() == 0
    before = page.locator("#board .item.lit").count()
    move(page)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('#log li').length === 0")
    page.wait_for_selector("#board.mine")
    assert page.locator("#board .item.lit").count() == before
    move(page)


def test_no_address_has_a_secret_in_it_and_a_link_to_the_seat_goes_on_elsewhere(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    ion = server.ask(f"/api/rooms/{room.rpartition('/')[2]}/seats", {"name": "Ion"})["token"]
    mine = new_page(seat)
    tab = mine.context.new_page()
    tab.goto(f"{room}#{ion}")
    for page, name in ((mine, "Mireia"), (tab, "Ion")):
        page.locator(".plate", has_text="you").get_by_text(name).wait_for()
        page.reload()
        page.locator(".plate", has_text="you").get_by_text(name).wait_for()
        assert page.url == room
    count = move(new_page(seat_link(mine)))
    wait_for_log(tab, count)


def test_a_link_goes_by_code_and_by_the_telephones_share_sheet_and_the_position_as_a_picture(
    server: Server, new_page: NewPage
) -> None:
    room, seat = with_a_friend(server, OPEN)
    token, asked = seat.partition("#")[2], []
    page = new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script("navigator.share = async (what) => { window.sent = what; };")  # a browser without windows has none
    page.goto(seat)
    page.get_by_role("button", name="Share").click()
    dialog = page.locator("dialog")
    dialog.get_by_role("button", name="Send…").first.click()
    assert page.evaluate("sent") == {"title": OPEN.title, "url": room}
    drawn = []
    for number in range(2):
        dialog.get_by_role("button", name="QR code").nth(number).click()
        code = dialog.get_by_role("img", name="QR code of the link").nth(number)
        code.wait_for()
        drawn.append(code.locator("path").get_attribute("d"))
    assert 0 < len(drawn[0]) < len(drawn[1]), "the link of a seat is longer"
    assert not any(token in address for address in asked), "the code of a seat is made in the browser"
    picture = page.request.get(server.address + dialog.get_by_role("link", name="as a picture").get_attribute("href"))
    assert picture.headers["content-type"] == "image/png"


COUNT_FRAMES = """const send = WebSocket.prototype.send; window.sent = 0;
    WebSocket.prototype.send = function (frame) { window.sent += 1; send.call(this, frame); };"""
RUSH = f"""() => {{ {COUNT_FRAMES} const slider = document.getElementById("slider");
    for (let at = 0; at < 600; at++) {{ slider.value = String(at % 2); slider.dispatchEvent(new Event("input")); }} }}"""
SENT = "() => window.sent"


def test_a_game_is_looked_through_after_its_end(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, HIDDEN, **short(server, HIDDEN)))
    play_to_the_end(page, Mouse(page, 6))
    last = situation(page)["count"]
    drawn_at_end = page.locator("#board").inner_html()
    page.locator("body").press("ArrowLeft")
    page.wait_for_selector(f"#log li.here[data-ply='{last - 1}']")
    page.get_by_role("button", name="To the start").click()
    page.wait_for_selector("#replay.past")
    page.wait_for_function("before => document.getElementById('board').innerHTML !== before", arg=drawn_at_end)
    page.locator("#slider").focus()
    page.keyboard.press("End")
    page.locator("#replay .count").get_by_text(f"{last} / {last}", exact=True).wait_for()
    page.get_by_label("Seen by").select_option("1")
    page.wait_for_selector(f"#log li.here[data-ply='{last}']")
    page.evaluate(RUSH)  # more positions than a client may request at once
    page.wait_for_selector("#log li.here[data-ply='1']")
    assert page.evaluate(SENT) < 10
    assert page.locator("#notice").is_hidden()
    with page.expect_download() as kept:
        page.get_by_role("link", name="Save game").click()
    upload(page, server, kept.value.path())
    assert situation(page)["count"] == last
    names = [page.locator(f".plate.player-{seat} .name").inner_text() for seat in range(2)]
    assert names == ["Mireia", "Random"], "a record keeps who played"
    page.get_by_role("button", name="Delete").click()  # the person who opened the record, although there is no seat
    page.locator("dialog").get_by_role("button", name="Delete").click()
    page.locator("#banner").get_by_text("the person who created this game has deleted it", exact=False).wait_for()


def upload(page: Any, server: Server, file: Any) -> None:
    page.goto(server.address)
    page.locator("#record input").set_input_files(file)
    page.wait_for_url("**/room/*")
    page.wait_for_selector("#ending:not([hidden])")


def test_one_plays_on_from_a_position(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN))
    play_to_the_end(page, Mouse(page, 7))
    first = page.url
    assert page.get_by_role("button", name="Play from here").count() == 0, "at the end there is nothing to play"
    for _ in range(3):
        page.locator("body").press("ArrowLeft")
    page.get_by_role("button", name="Play from here").click()
    page.locator("dialog select").nth(1).select_option("random")
    page.get_by_role("button", name="Play on", exact=True).click()
    page.wait_for_url(lambda url: url != first)
    play_to_the_end(page, Mouse(page, 8))


def test_the_language_changes_without_a_new_page(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), locale="pt-PT")
    move(page)
    assert page.locator("html").get_attribute("lang") == "pt"
    page.evaluate("window.stays = true")
    seen, titles = set(), set()
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        page.wait_for_selector(f"html[lang={language}]")
        page.wait_for_selector("#board.mine")
        titles.add(page.title())
        seen.add((page.locator("#task").inner_text(), page.locator("#log li .told").first.inner_text()))
    assert len(seen) == len(LANGUAGES)
    assert len(titles) == len(LANGUAGES)
    assert page.evaluate("window.stays")


def test_a_refused_touch_says_why(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), locale="ca")
    move(page)
    page.wait_for_selector("#board.mine")
    dark = page.evaluate("""() => {
      const named = [...document.querySelectorAll("#board .item[aria-label]:not(.lit)")];
      const box = named[0].getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }""")
    page.mouse.click(*dark)
    page.wait_for_selector("#notice:not([hidden])")
    assert page.locator("#notice").inner_text()


def test_a_move_can_be_written(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN), locale="ca")
    page.wait_for_selector("#board.mine")
    page.evaluate(CODES)
    page.get_by_label("Jugada en notació").fill("what?")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice:not([hidden])")
    said = in_words(("unread.move", "'what?'", "00"), catalogue(OPEN.package, "ca"))
    assert page.locator("#notice").inner_text() == in_words(("error.notation", said), catalogue("ludoteca.server", "ca"))
    start = load(OPEN.name, **small(OPEN)).new_initial_state(0)  # nothing is hidden, so every deal is this one
    page.get_by_label("Jugada en notació").fill(start.action_to_string(start.legal_actions()[0]))
    page.keyboard.press("Enter")
    wait_for_log(page, 1)


def test_a_click_leaves_the_arrows_to_the_game_and_no_key_stops_at_the_whole_drawing(
    server: Server, new_page: NewPage
) -> None:
    page = new_page(against_agents(server, OPEN))
    count = move(page)
    page.wait_for_selector("#board.mine")
    page.locator("#board .item[aria-label]:not(.lit)").first.click(force=True)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Position after move").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#board.mine")
    stops = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        stops.add(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('class')"))
    assert any("item" in stop for stop in stops if stop)
    assert stops.isdisjoint({"board", "frame", "scene"})
    assert count


def test_a_move_that_is_under_way_is_seen(server: Server, new_page: NewPage) -> None:
    page = new_page()
    held: list[Any] = []

    def hold(socket: Any) -> None:
        behind = socket.connect_to_server()
        socket.on_message(lambda text: held.append((behind, text)) if '"t":"play"' in text else behind.send(text))

    page.route_web_socket("**/ws/**", hold)
    page.goto(against_agents(server, OPEN))
    page.wait_for_selector("#board.mine")
    Mouse(page, 1).step()
    page.wait_for_selector("#board .item.pending")
    page.get_by_text("Sending the move").wait_for()
    behind, text = held[0]
    behind.send(text)
    wait_for_log(page, 1)
    page.wait_for_selector("#board .item.pending", state="detached")


def test_a_touch_selects_where_cards_are_played_alone_or_together(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if not getattr(spec.module("scene"), "SENDS_AT_ONCE", True))
    page = new_page(against_agents(server, spec))
    page.wait_for_selector("#board.mine")
    player = Mouse(page, 2)
    for name in situation(page)["lit"][::5]:
        before = situation(page)["count"]
        player.touch(name)
        page.wait_for_selector("#board .touched")
        page.get_by_role("button", name="Clear choice").click()
        assert situation(page)["count"] == before
    player.touch(situation(page)["lit"][0])
    page.keyboard.press("Enter")
    wait_for_log(page, before + 1)


def test_who_made_a_room_deletes_it_and_all_are_told(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(seat, **PHONE), new_page(room)
    friend.get_by_role("button", name="Take the seat").wait_for()
    assert friend.get_by_role("button", name="Delete").count() == 0
    mine.get_by_role("button", name="Delete").tap()
    assert mine.evaluate("document.documentElement.scrollWidth <= innerWidth")
    mine.locator("dialog").get_by_role("button", name="Delete").tap()
    for page in (mine, friend):
        page.locator("#banner").get_by_text("the person who created this game has deleted it").wait_for()
        page.wait_for_selector("#notice", state="hidden")  # it is shown once, and no button is offered any more
        assert page.locator("#tools > *, #controls > *").count() == 0


def test_a_room_that_has_just_been_deleted_is_no_trouble(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    _, seat = with_a_friend(server, OPEN)
    slow, quick, held = new_page(seat), new_page(seat), list[Any]()
    slow.route("**/api/rooms/*", lambda route: held.append(route))
    for page in (slow, quick):
        page.get_by_role("button", name="Delete").click()
        page.locator("dialog").get_by_role("button", name="Delete").click()
    slow.locator("#banner").get_by_text("has deleted it").wait_for()
    with slow.expect_response("**/api/rooms/*") as answer:
        held[0].continue_()
    assert answer.value.status == 404
    slow.wait_for_timeout(100)
    assert slow.locator("#notice").is_hidden()
    troubles[:] = [said for said in troubles if "404" not in said]


def test_a_room_that_cannot_be_opened_says_why_in_every_language(tmp_path: Path, new_page: NewPage) -> None:
    server = Server(tmp_path / "games.sqlite")
    server.start()
    seat = against_agents(server, OPEN)
    first = new_page(seat)
    move(first)
    first.context.close()
    server.stop()
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as database, database:
        database.execute("UPDATE rooms SET rules = rules - 1")
        database.execute("UPDATE events SET data = replace(CAST(data AS TEXT), 'moved', 'stirred')")
    server.start()
    try:
        page = new_page()
        sockets: list[Any] = []
        page.on("websocket", lambda socket: sockets.append(socket))
        page.clock.install()
        page.goto(seat)
        page.get_by_role("link", name="Back to the lobby").wait_for()
        banner = page.locator("#banner")
        assert banner.inner_text().startswith(
            f"This game follows version {load(OPEN.name).spec.rules_version - 1} of the rules"
        )
        said = set()
        for language in LANGUAGES:
            page.locator("#language").select_option(language)
            page.wait_for_selector(f"html[lang={language}]")
            said.add(banner.inner_text())
        assert len(said) == len(LANGUAGES)
        page.clock.run_for(120_000)
        assert len(sockets) == 1, "it does not come back"
    finally:
        server.stop()


def test_time_that_is_up_ends_a_game(server: Server, new_page: NewPage) -> None:
    page = new_page(against_agents(server, OPEN, clock={"move": 5}))
    page.wait_for_selector("#ending:not([hidden])")
    assert page.locator("#task").inner_text() == "Mireia has run out of time. The winner is Random."
    assert page.locator(".players .badge", has_text="out of time").count() == 1
    page.locator("#language").select_option("es")
    page.wait_for_selector("html[lang=es]")
    assert page.locator("#task").inner_text() == "A Mireia se le ha acabado el tiempo. Gana Azar."
