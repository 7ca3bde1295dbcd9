"""What axe-core finds on every page: nothing serious. It is a tool for checks, got by `npm ci --prefix web`.

Whole screens are also gone through by roles, accessible names and the keyboard alone.
"""

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
    at_random,
    drawn,
    each_kind,
    one_of_each_kind,
    short,
    until_turn,
)
from tests.browser.rooms import sit, with_a_friend
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
ITEMS = "#board [data-id][tabindex]"
MOST_STOPS = 40
"""More than a page has for the Tab key."""
IN_A_ROW = 14
"""The stops of an arrow key: one for each card of a hand."""

WINDOWS: Final = ((1366, 768), (820, 1180), (390, 844))
"""A laptop, a tablet and a telephone."""
LISTEN = """
  globalThis.heard = [];
  const live = "[role=status], [role=alert], [aria-live=polite], output";
  new MutationObserver((changes) => {
    const texts = new Map();
    for (const { target, addedNodes } of changes) {
      if (!target.closest?.(live)?.checkVisibility()) continue;
      texts.set(target, [texts.get(target), ...[...addedNodes].map((added) => added.textContent)].join(""));
    }
    heard.push(...[...texts.values()].map((text) => text.trim()).filter(Boolean));
  }).observe(document, { subtree: true, childList: true });
"""
"""Notes new texts in live regions. A screen reader reads these out. A region that is itself new does not count."""
HEARD = """pattern => {
  const at = heard.findIndex((text) => new RegExp(pattern).test(text));
  return heard.splice(0, at + 1).length > 0;
}"""
"""Returns whether such a text was read out. That text and those before it are forgotten then."""
FOCUS_FAULT = """() => {
  const focused = document.activeElement;
  if (focused === document.body) return "nothing has the focus";
  const ringed = focused.matches("#board .item") && document.querySelector("#board .ring.seen");
  if (!ringed && getComputedStyle(focused).outlineStyle === "none") return `no frame around ${focused.outerHTML}`;
  const { top, bottom, left, right } = focused.getBoundingClientRect();
  const inside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return inside ? "" : `out of the window: ${focused.outerHTML}`;
}"""
"""Returns the fault of the focus, or an empty text."""

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
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
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
    spec = registry.find(name)
    game = at_random(spec)
    last = max(ply for ply, state in enumerate(game.states()) if state.current_player() == 0)
    page = new_page(against_agents(server, spec, **{"from": {"room": server.record(game), "ply": last}}))
    page.wait_for_selector("#board.mine")
    held = set(page.locator("#board .grip").evaluate_all("cards => cards.map((card) => card.ariaLabel)"))
    assert held
    assert named_in(page, "Your hand") == held
    assert named_in(page, table)
    assert not named_in(page, table) & held


def keys(page: Any, is_on_board: bool) -> Iterator[str]:
    """The keys that reach everything: Tab, and on the board arrow keys and Page Down."""
    for _ in range(MOST_STOPS):
        if is_on_board and page.evaluate(ON_BOARD):
            yield from ["ArrowRight"] * IN_A_ROW + ["ArrowLeft"] * IN_A_ROW
            yield from ["PageDown"] * page.locator(ITEMS).count()
        yield "Tab"


def go_to(page: Any, target: Any) -> bool:
    """Bring the focus to an element of this role and name with the keyboard. Return False if the element disappears."""
    is_on_board = page.locator("#board").locator(target).count() > 0
    for key in keys(page, is_on_board):
        if (is_here := target.evaluate_all(FOCUSED)) is not False:
            return bool(is_here)
        page.keyboard.press(key)
    raise AssertionError(f"no way to {target} with the keyboard")


def test_a_game_is_played_to_its_end_by_roles_names_and_the_keyboard(server: Server, new_page: NewPage) -> None:
    """Programs that pass at random also make it void."""
    spec = registry.find("cartas")
    page = new_page(against_agents(server, spec, **short(server, spec)))
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


def heard_page(new_page: NewPage, address: str) -> Any:
    """Open a page, and note the texts that a screen reader reads out there."""
    page = new_page()
    page.add_init_script(LISTEN)
    page.goto(address)
    return page


def hear(page: Any, pattern: str) -> None:
    """Wait until such a text is read out."""
    page.wait_for_function(HEARD, arg=pattern)


def press(page: Any, target: Any, key: str = "Enter") -> None:
    """Go to an element with the keyboard, and press a key there. The focus is seen before and after."""
    target.first.wait_for()
    assert go_to(page, target), f"{target} has gone"
    assert page.evaluate(FOCUS_FAULT) == ""
    page.keyboard.press(key)
    assert page.evaluate(FOCUS_FAULT) == ""


def described(page: Any, role: str, description: str) -> Any:
    return page.get_by_role(role).and_(page.locator(f'[aria-description="{description}"]'))


def is_focused(target: Any) -> bool:
    return bool(target.evaluate("found => found === document.activeElement"))


def broken_at_any_size(page: Any) -> list[str]:
    """Return the rules that the page breaks in any of the windows. It is in the first one afterwards."""
    found = []
    for width, height in reversed(WINDOWS):
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width} x {height}: {said}" for said in broken_rules(page)]
    return found


def recorded(server: Server, name: str, seed: int = 1) -> tuple[str, int]:
    """The address of a small game that is over, and the number of its moves."""
    ended = at_random(registry.find(name), seed)
    room = server.record(ended)
    return f"{server.address}/room/{room}", len(ended.history())


@pytest.mark.soak
def test_a_lesson_by_roles_names_and_the_keyboard(server: Server, new_page: NewPage) -> None:
    page = heard_page(new_page, f"{server.address}/learn/qinto")
    marked, following, told = (
        described(page, "button", "marked"),
        page.get_by_role("button", name="Next"),
        page.get_by_role("group", name=re.compile(r"^Step \d+ of 12$|^You have learned it$")),
    )

    def follow() -> None:
        """Touch what is marked: a tile, then its cell."""
        for _ in range(2):
            if marked.count():
                press(page, marked)
        assert is_focused(following)

    hear(page, "^Touch any tile of your hand")
    assert broken_at_any_size(page) == []
    press(page, page.get_by_role("button", name="Pass"))
    hear(page, r"^Not yet\. That is a legal move too")
    assert is_focused(page.get_by_role("button", name="Pass"))
    follow()
    hear(page, r"^Right\. The game begins with this tile")
    assert broken_at_any_size(page) == []
    press(page, following)
    assert is_focused(told)
    hear(page, r"^Put club, red \(5R\) on the marked cell")
    press(page, page.get_by_role("button", name="exclamation mark, green (2G), in your hand"))
    press(page, page.get_by_role("button", name=re.compile("^cell ")).first)
    hear(page, r"^Not yet\. That is allowed: any two tiles make a line")
    follow()
    hear(page, r"^Right\. One colour and three different shapes")
    press(page, following)
    hear(page, "^Only one tile of your hand fits there")
    assert marked.count() == 0, "the player is to find it"
    press(page, page.get_by_role("button", name="spade, green (1G), in your hand"))
    press(page, page.get_by_role("button", name="cell 0,2"))
    hear(page, r"^Right\. Three colours and three shapes")
    page.evaluate("localStorage.setItem('ludoteca.lesson.qinto', 6)")
    page.reload()
    hear(page, "^Press “End turn”")
    press(page, page.get_by_role("button", name="End turn"))
    hear(page, r"^Right\. You added two tiles")
    page.evaluate("localStorage.setItem('ludoteca.lesson.qinto', 11)")
    page.reload()
    hear(page, r"see what it scores")
    follow()
    hear(page, r"^Right\. It scored 5 points")
    press(page, following)
    hear(page, "^That was the whole game")
    assert is_focused(told)
    assert broken_at_any_size(page) == []
    press(page, page.get_by_role("button", name="Back"))
    hear(page, r"see what it scores")


def test_a_hint_by_roles_names_and_the_keyboard(server: Server, new_page: NewPage) -> None:
    page = heard_page(new_page, against_agents(server, registry.find("conclave")))
    press(page, page.get_by_role("button", name="Hint"))
    hear(page, "^Looking for a hint")
    marked = described(page, "button", "marked")
    hear(page, r"^Hint: .* row \d, column \d\. \S")
    assert page.evaluate(FOCUS_FAULT) == ""
    told = page.get_by_role("region", name="What you can do")
    names = marked.evaluate_all("found => found.map((item) => item.ariaLabel)")
    assert len(names) == 2
    assert all(name.removeprefix("hole: ") in told.inner_text() for name in names)
    press(page, told.get_by_text("More", exact=True), "Space")
    page.get_by_text("In notation:").wait_for()
    assert broken_at_any_size(page) == []
    moves = page.get_by_role("list", name="Moves").get_by_role("listitem")
    before = moves.count()
    for name in names:
        press(page, page.get_by_role("button", name=name, exact=True))
    if (play := page.get_by_role("button", name="Play", exact=True)).count():
        press(page, play)
    moves.nth(before).wait_for()
    until_turn(page)
    assert marked.count() == 0
    assert page.evaluate(FOCUS_FAULT) == ""


@pytest.mark.soak
def test_an_analysis_by_roles_names_and_the_keyboard(server: Server, new_page: NewPage) -> None:
    address, count = recorded(server, "okupacio")
    page = heard_page(new_page, address)
    press(page, page.get_by_role("button", name="Analyse"))
    hear(page, r"^(Preparing the analysis, .*|Analysing: \d+ of \d+)")
    hear(page, r"^What decided it: player 2 takes db \(row 4, column 2\)")
    assert is_focused(page.get_by_role("heading", name="What the moves were worth"))
    ending = page.get_by_role("region", name="After the game")
    costly = ending.get_by_role(
        "button", name=re.compile(r"^1 player 1 takes ad \(row 1, column 4\) cost: 100 % better .* for certain$")
    )
    press(page, costly)
    hear(page, r"^player 1 takes ad \(row 1, column 4\) \(move 1\)\. Better: takes ab \(row 1, column 2\)")
    assert described(page, "img", "in the move that was played").evaluate_all(
        "all => all.map((item) => item.ariaLabel)"
    ) == ["ad: free"]
    assert described(page, "img", "in the better move").count() > 0
    press(page, page.get_by_role("button", name="Next mistake"))
    hear(page, r"^player 2 takes dc \(row 4, column 3\) \(move 2\)\. Better")
    assert is_focused(page.get_by_role("button", name="Next mistake"))
    press(page, ending.get_by_text("All moves in numbers"))
    rated = ending.get_by_role("listitem").get_by_text(re.compile(r"^Move \d+, .*; cost: "))
    assert rated.count() == count
    assert (
        rated.first.inner_text()
        == "Move 1, player 1 takes ad (row 1, column 4): player 1 0 % and player 2 100 %; cost: 100 %"
    )
    assert broken_at_any_size(page) == []


@pytest.mark.soak
def test_a_replay_by_roles_names_and_the_keyboard(server: Server, new_page: NewPage) -> None:
    address, count = recorded(server, "metro", 8)
    page = heard_page(new_page, address)
    forward, slider = page.get_by_role("button", name="One move forward"), page.get_by_role("slider", name="Move")
    moves = page.get_by_role("list", name="Moves").get_by_role("button")
    moves.nth(count - 1).wait_for()
    played = [" ".join(line.split()[1:]) for line in moves.all_inner_texts()]
    press(page, page.get_by_role("button", name="To the start"))
    hear(page, f"^Position after move 0 of {count}$")
    assert is_focused(page.get_by_role("button", name="To the start"))
    for number, move in enumerate(played, 1):
        press(page, forward)
        hear(page, f"^{re.escape(move)}$")
        assert moves.and_(page.locator("[aria-current=true]")).inner_text().startswith(str(number))
    assert is_focused(forward), "it does nothing more, and keeps the focus"
    press(page, slider, "ArrowLeft")
    hear(page, f"^Position after move {count - 1} of {count}$")
    assert broken_at_any_size(page) == []
    page.keyboard.press("Home")
    hear(page, f"^Position after move 0 of {count}$")
    press(page, page.get_by_role("button", name="Run through the moves"), "Space")
    hear(page, f"^{re.escape(played[0])}$")
    press(page, page.get_by_role("button", name="Pause"), "Space")
    page.get_by_role("button", name="Run through the moves").wait_for()


def test_an_offer_of_a_rematch_is_read_out_and_seen(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, registry.find("okupacio"))
    friend, page = new_page(room), heard_page(new_page, seat)
    sit(friend, "Ion")
    press(page, page.get_by_role("button", name="Resign"))
    press(page, page.get_by_role("dialog").get_by_role("button", name="Resign"))
    friend.get_by_role("button", name="Rematch", exact=True).press("Enter")
    assert is_focused(friend.get_by_role("button", name="Rematch offered"))
    hear(page, r"^Ion offers a rematch\.$")
    result = page.locator("#after")
    result.get_by_text("Ion offers a rematch.").wait_for()
    result.get_by_role("button", name="Decline").wait_for()
    assert broken_at_any_size(page) == []
    assert go_to(page, result.get_by_role("button", name="Accept the rematch"))


def test_a_question_about_an_absent_player_is_read_out(server: Server, new_page: NewPage) -> None:
    seats = [{"kind": "person", "name": "Mireia"}, *[{"kind": "open"}] * 2, {"kind": "agent", "agent": "random"}]
    room, seat = server.new_room("cartas", seats)
    page, friend, absent = heard_page(new_page, seat), new_page(room), new_page(room)
    sit(friend, "Ion")
    sit(absent, "Rui")
    absent.close()
    friend.get_by_role("button", name="Let a program play").press("Enter")
    assert is_focused(friend.get_by_role("button", name="Waiting for the others to agree"))
    hear(page, r"^Ion would like a program to play for Rui\.$")
    assert go_to(page, page.get_by_role("button", name="Agree that a program plays"))


@pytest.mark.parametrize(
    ("width", "height"), [(390, 844), *(pytest.param(*size, marks=pytest.mark.soak) for size in ((844, 390), (1366, 768)))]
)
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
