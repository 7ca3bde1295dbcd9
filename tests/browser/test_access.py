"""What axe-core finds on every page: nothing serious. It is a tool for checks, got by `npm ci --prefix web`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ludoteca.core import registry
from ludoteca.core.spec import GameSpec
from tests.browser.conftest import PHONE, NewPage
from tests.browser.players import (
    MOST_STEPS,
    Mouse,
    against_agents,
    drawn,
    each_kind,
    one_of_each_kind,
    play_to_the_end,
    until_turn,
)
from tests.browser.serving import Server

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = ("serious", "critical")
IMPACTS = ("minor", "moderate", *SERIOUS)
ALL: Final = None
OF_COLORS: Final = ["color-contrast", "link-in-text-block"]
"""Rules, as axe names them."""
STILL = """() => document.getAnimations().every(
  (moving) => moving.playState !== "running" || moving.effect.getComputedTiming().endTime === Infinity)"""

FOCUSED = "found => found.length ? found.includes(document.activeElement) : null"
"""True if the focus is on one of these elements, and null if there are none."""
ON_BOARD = "document.activeElement.closest('#board') !== null"
MOST_STOPS = 40
"""More than a page has for the Tab key."""
IN_A_ROW = 14
"""As many as a hand has cards: the stops of an arrow key."""

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: npm ci --prefix web")


def serious_in_both_themes(page: Any) -> list[str]:
    found = []
    for theme, rules in (("dark", ALL), ("light", OF_COLORS)):  # nothing else differs
        page.emulate_media(color_scheme=theme)
        found += [f"{theme}: {said}" for said in serious(page, rules)]
    return found


def serious(page: Any, rules: list[str] | None = ALL) -> list[str]:
    return broken_rules(page, rules, SERIOUS)


def broken_rules(page: Any, rules: list[str] | None = ALL, impacts: tuple[str, ...] = IMPACTS) -> list[str]:
    page.wait_for_function(STILL)  # what fades in has not its colours yet
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = page.evaluate("options => axe.run(document, options).then((found) => found.violations)", options)
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in impacts
        for node in rule["nodes"][:5]
    ]


def test_lobby_and_dialogs(server: Server, new_page: NewPage) -> None:
    page = new_page(server.address)
    page.wait_for_selector(".card")
    assert serious_in_both_themes(page) == []
    for number in range(page.locator(".card").count()):
        page.locator(".card-main").nth(number).click()
        page.wait_for_selector("dialog[open]")
        assert (serious(page) if number else serious_in_both_themes(page)) == []  # all have the same colours
        page.keyboard.press("Escape")


def test_a_first_game(server: Server, new_page: NewPage) -> None:
    page = new_page(f"{server.address}/learn/okupacio")
    page.locator("#board .lit").first.click()
    page.get_by_role("button", name="Next").press("Enter")
    assert page.evaluate("document.activeElement.id") == "says", "the keyboard goes on from what is said"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#board') !== null")
    assert serious_in_both_themes(page) == []


@each_kind
def test_a_game_under_way(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(against_agents(server, spec, clock={"move": 600}))
    page.wait_for_selector("#board.mine")
    Mouse(page, 1).step()
    assert serious_in_both_themes(page) == []


@each_kind
def test_the_rules(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    page = new_page(f"{server.address}/guide/{spec.name}")
    page.wait_for_selector(".guide section")
    assert serious(page) == []


def test_a_game_that_is_over(server: Server, new_page: NewPage) -> None:
    _, with_a_deal = one_of_each_kind()
    page = new_page(against_agents(server, with_a_deal), **PHONE)
    play_to_the_end(page, Mouse(page, 1, taps=True))
    page.locator(".fairness summary").click()
    assert serious_in_both_themes(page) == []


def test_a_room_with_open_seats(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if spec.players == 0)
    number = 2
    room, seat = server.new_room(
        spec.name, [{"kind": "person", "name": "Mireia"}, {"kind": "open"}], parameters={"players": number}
    )
    for address in (seat, room):
        page = new_page(address)
        page.wait_for_selector(".invite")
        assert serious(page) == []
    page.get_by_role("button", name="Share").click()
    page.locator("dialog").get_by_role("button", name="QR code").click()
    page.locator("dialog .qr svg").wait_for()
    assert serious_in_both_themes(page) == []


def test_where_there_is_nothing(server: Server, new_page: NewPage, troubles: list[str]) -> None:
    page = new_page(f"{server.address}/nothing")
    page.get_by_role("link", name="Back to the lobby").wait_for()
    assert serious_in_both_themes(page) == []
    troubles.clear()  # that the page has status 404


def named_in(page: Any, zone: str) -> set[str]:
    """The names of the items that the accessibility tree has in a group of the board."""
    group = page.locator("#board").get_by_role("group", name=zone, exact=True)
    return set(re.findall(r'- (?:img|button) "([^"]+)"', group.aria_snapshot())) if group.count() else set()


@pytest.mark.parametrize(("name", "table"), [("cartas", "On the table"), ("conclave", "On the board")])
def test_a_hand_and_the_table_are_groups_with_names(server: Server, new_page: NewPage, name: str, table: str) -> None:
    page = new_page(against_agents(server, registry.find(name), clock={"move": 600}))
    player = Mouse(page, 1)
    while until_turn(page) and len(named_in(page, table)) < 2:  # one item says that the table is free
        player.step()
    held = set(page.locator("#board .grip").evaluate_all("cards => cards.map((card) => card.ariaLabel)"))
    assert held
    assert named_in(page, "Your hand") == held
    assert named_in(page, table)
    assert not named_in(page, table) & held


def keys(page: Any) -> Iterator[str]:
    """The keys that reach everything: Tab, and arrow keys on the board."""
    for _ in range(MOST_STOPS):
        if page.evaluate(ON_BOARD):
            yield from ["ArrowRight"] * IN_A_ROW + ["ArrowLeft"] * IN_A_ROW
        yield "Tab"


def go_to(page: Any, target: Any) -> bool:
    """Bring the focus to an element of some role and name with the keyboard; False if it goes meanwhile."""
    for key in keys(page):
        if (is_here := target.evaluate_all(FOCUSED)) is not False:
            return bool(is_here)
        page.keyboard.press(key)
    raise AssertionError(f"no way to {target} with the keyboard")


def test_a_whole_game_by_roles_names_and_the_keyboard(server: Server, new_page: NewPage) -> None:
    """Programs that pass at random also make it void."""
    page = new_page(against_agents(server, registry.find("cartas")))
    hand = page.get_by_role("group", name="Your hand", exact=True)
    cards = hand.get_by_role("button", pressed=False)
    play, give_way = (page.get_by_role("button", name=name, exact=True) for name in ("Play", "Pass"))
    for _ in range(MOST_STEPS):
        if not until_turn(page):
            break
        target = next((found for found in (play, cards, give_way) if found.count()), None)
        if target and go_to(page, target):
            page.keyboard.press("Enter")
    page.get_by_role("group", name=re.compile("has played all cards and wins|the game is void")).wait_for()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1366, 768)])
def test_no_rule_is_broken_at_any_size(server: Server, new_page: NewPage, width: int, height: int) -> None:
    spec = next(one_of_each_kind())
    pages = {
        server.address: ".card",
        against_agents(server, spec, clock={"move": 600}): "#board.mine",
        f"{server.address}/learn/{spec.name}": "#board .lit",
        f"{server.address}/guide/{spec.name}": ".guide section",
    }
    page = new_page(viewport={"width": width, "height": height})
    for address, selector in pages.items():
        page.goto(address)
        page.wait_for_selector(selector)
        assert broken_rules(page) == [], address
