"""What tells a person that something has happened: sounds, the tab's icon, notifications."""

from typing import Any

from tests.browser.conftest import NewPage
from tests.browser.players import one_of_each_kind
from tests.browser.rooms import move, sit, wait_for_log, with_a_friend
from tests.browser.serving import Server
from tests.browser.test_previews import okupacio

OPEN = next(one_of_each_kind())
COUNT_TONES = """
  window.tones = 0;
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); };
"""
NOTES = """
  window.notes = [];
  window.Notification = class {
    static permission = "granted";
    constructor(title, more) { window.notes.push([title, more.body]); }
  };
  Object.defineProperty(document, "hidden", { get: () => true });
"""
"""Replacements for functions of the browser. Without windows it shows no notifications, and its pages are never hidden."""


def icon(page: Any) -> str:
    return str(page.locator("link[rel=icon]").get_attribute("href")).partition("?")[0]


def test_a_move_is_heard_unless_sounds_are_off(server: Server, new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(COUNT_TONES)
    page.goto(okupacio(server))  # no such game is over after two moves
    page.wait_for_selector("#board.mine")
    assert page.evaluate("tones") == 0
    move(page)
    page.wait_for_function("tones > 0")
    page.get_by_role("button", name="Sounds: on").click()
    page.wait_for_selector("#board.mine")
    before = page.evaluate("tones")
    lines = move(page)
    wait_for_log(page, lines)
    assert page.evaluate("tones") == before
    page.reload()
    page.get_by_role("button", name="Sounds: off").wait_for()


def test_the_tab_and_a_notification_say_whose_turn_it_is(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    mine, friend = new_page(), new_page(room)
    mine.add_init_script(NOTES)
    mine.goto(seat)
    sit(friend, "Ion")
    mine.wait_for_selector("#board.mine")
    assert icon(mine).endswith("icon-turn.svg")
    move(mine)
    friend.wait_for_selector("#board.mine")
    assert icon(mine).endswith("icon.svg")
    assert icon(friend).endswith("icon-turn.svg")
    notes = len(mine.evaluate("notes"))
    move(friend)
    mine.wait_for_function("before => notes.length > before", arg=notes)
    assert mine.evaluate("notes").pop() == ["Your turn", "Okupació"]


def test_players_say_phrases_until_they_are_muted(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN)
    ana, bru, spectator = new_page(seat), new_page(room), new_page(room)
    sit(bru, "Ion")
    say(ana, "Good luck")
    for page in (ana, bru, spectator):
        page.locator(".plate", has_text="Mireia").get_by_text("Good luck").wait_for()
        page.locator("#said", has_text="Mireia: Good luck").wait_for()
    assert bru.locator("#said").get_attribute("aria-live") == "polite"
    assert spectator.get_by_role("button", name="Say…").count() == 0
    bru.get_by_role("button", name="Say…").click()
    bru.get_by_label("Mute Mireia").check()
    bru.reload()
    ana.wait_for_timeout(5_000)  # the silence between two phrases
    say(ana, "Oops")
    spectator.locator("#said", has_text="Mireia: Oops").wait_for()
    say(bru, "Sorry")
    bru.locator("#said", has_text="Ion: Sorry").wait_for()
    assert bru.get_by_text("Oops").count() == 0


def say(page: Any, phrase: str) -> None:
    page.get_by_role("button", name="Say…").click()
    page.get_by_role("button", name=phrase, exact=True).click()


def test_a_player_gives_the_opponent_time(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, OPEN, clock={"bank": 600, "increment": 0})
    ana, bru, spectator = new_page(seat), new_page(room), new_page(room)
    sit(bru, "Ion")
    clock = spectator.locator(".plate", has_text="Ion").locator(".clock")
    for time in ("10:15", "10:30", "10:45", "11:00", "11:15"):
        ana.get_by_role("button", name="give Ion more time").click()
        clock.get_by_text(time).wait_for()
    ana.get_by_role("button", name="give Ion more time").click()
    ana.locator("#notice", has_text="at most 5 times").wait_for()
    assert spectator.get_by_text("+15 s").count() == 0
