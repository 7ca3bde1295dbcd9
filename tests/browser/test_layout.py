"""The places of elements in a room on screens of ten sizes: the board has room, and no element covers it."""

from typing import Any

import pytest

from ludoteca.core.messages import LANGUAGES, catalogue
from ludoteca.core.spec import GameSpec, Integer
from tests.browser.conftest import MOVING, PATIENCE, PHONE, NewPage
from tests.browser.players import Mouse, against_agents, at_random, drawn, players, short, small, until_turn
from tests.browser.rooms import HIDDEN, sit, with_a_friend
from tests.browser.serving import Server

SIDEWAYS = [(1366, 768), (844, 390), (683, 384), (800, 600), (568, 320)]
"""Wider than tall. 683 x 384 is the first with a zoom of 200 %."""
OTHERS = [(320, 568), (390, 844), (844, 390), (1366, 768), (2560, 1440)]
"""The sizes at which only the soak plays whole games."""
UPRIGHT = [(820, 1180), (390, 844), (600, 900), (360, 640), (320, 640)]

MEASURE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [svg, stage, status, controls] = ["#board", ".stage", "#status", "#controls"].map(box);
  const view = document.getElementById("board").viewBox.baseVal;
  const scale = Math.min(svg.width / view.width, svg.height / view.height);
  const covered = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const [across, down] = [x + width / 2, y + height / 2];
    return down > 0 && down < innerHeight && !document.elementFromPoint(across, down)?.closest("#board");
  };
  const log = box("#log"), seen = Math.min(log.bottom, innerHeight, box(".side").bottom) - log.top;
  const choice = document.getElementById("language"), width = choice.offsetWidth;
  choice.style.cssText = "width: max-content; max-width: none";
  const letters = choice.parentElement.querySelector("span").offsetWidth;
  const whole = letters > 0 || width >= choice.offsetWidth;
  choice.style.cssText = "";
  const cut = [...document.querySelectorAll("#status p, .plate .fact b, .plate .clock")].filter((part) =>
    part.checkVisibility() && (part.scrollWidth > part.clientWidth + 1 && !part.matches(".latest, .first, b, .clock")
      || part.getBoundingClientRect().right > innerWidth + 1));
  return {
    wide: document.documentElement.scrollWidth > innerWidth,
    beside: status.left >= stage.right,
    board: [view.width * scale, view.height * scale],
    bottom: stage.bottom,
    buttons: controls.bottom,
    height: innerHeight,
    over: controls.top < stage.bottom && controls.bottom > stage.top && controls.left < stage.right,
    covered: [...document.querySelectorAll("#board .lit .halo")].filter(covered).length,
    log: seen,
    language: whole,
    cut: cut.map((part) => part.textContent),
    names: Math.min(...[...document.querySelectorAll(".plate .name")].map((name) => name.clientWidth)),
  };
}"""

PLACES = """() => [...document.querySelectorAll("#room *")]
  .filter((part) => part.checkVisibility() && !part.closest(".speech, #said, #spectators, .clock, #board > *"))
  .map((part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [part.tagName, part.id, x, y, width, height].join(" ");
  })"""
"""Returns the places of the page's parts, except phrases, clocks, the number of spectators and the items of the board."""
SPEECHES = """() => [...document.querySelectorAll(".speech")].map((speech) => {
  const [box, name] = [speech, speech.parentElement.querySelector(".name")].map((part) => part.getBoundingClientRect());
  return {
    whole: speech.scrollWidth <= speech.clientWidth,
    apart: name.bottom <= box.top + 1,
    size: parseFloat(getComputedStyle(speech).fontSize),
    on_top: document.elementFromPoint(box.x + 4, box.y + box.height / 2) === speech,
  };
})"""

COUNT_SHIFTS = """() => {
  window.shifts = [];
  const part = ({ node }) => (node?.closest ? node : node?.parentElement)?.closest("[id]")?.id;
  new PerformanceObserver((list) => {
    const caused = list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput);
    window.shifts.push(...caused.map(({ value, sources }) => [value, sources.map(part)]));
  }).observe({ type: "layout-shift", buffered: true });
}"""
"""Collects the layout shifts of a page that no input has caused, with the ids of the parts that moved."""
PLACE = """() => {
  const { x, y, width, height } = document.getElementById("board").getBoundingClientRect();
  return [x, y + scrollY, width, height];
}"""
"""Returns the place and the size of the board on the page."""

LAST_LINE_IS_SEEN = """() => {
  const [list, last] = ["#log", "#log li:last-child"].map((found) => document.querySelector(found).getBoundingClientRect());
  return last.bottom <= list.bottom && last.top >= list.top;
}"""
LOOKS = """(selector) => {
  const item = document.querySelector(selector);
  const { fill, strokeWidth } = getComputedStyle(item.querySelector(".halo"));
  return { fill, stroke: parseFloat(strokeWidth), filter: getComputedStyle(item).filter };
}"""


def most_players(spec: GameSpec) -> dict[str, Any]:
    """Four players if the game allows four with its other defaults."""
    number = {
        kind.name: min(4, kind.high) for kind in spec.parameters if isinstance(kind, Integer) and kind.name == "players"
    }
    return {} if spec.conflict({kind.name: kind.default for kind in spec.parameters} | number) else number


def measured(page: Any, size: tuple[int, int]) -> dict[str, Any]:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("scrollTo(0, 0), new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: dict[str, Any] = page.evaluate(MEASURE)
    return found


def check_everywhere(found: dict[str, Any], where: Any) -> None:
    assert not found["wide"], f"{where}: the page scrolls sideways"
    assert found["cut"] == [], f"{where}: words are cut off"
    assert found["buttons"] <= found["height"], f"{where}: the buttons are in sight"
    assert found["names"] >= 30, f"{where}: names cannot be told apart"
    assert not found["over"], f"{where}: the buttons lie over the board"
    assert found["language"], f"{where}: the language is cut off"
    assert found["covered"] == 0, f"{where}: something lies over what is to be touched"


@pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)
def test_the_board_has_room_on_every_screen(server: Server, new_page: NewPage, spec: GameSpec) -> None:
    parameters = most_players(spec)
    count = spec.players or parameters.get("players") or spec.parameters[0].default
    seats = [
        {"kind": "person", "name": "Maria Margarida Albuquerque"},
        *[{"kind": "agent", "agent": "random"}] * (int(count) - 1),
    ]
    made = server.new_room(spec.name, seats, parameters=parameters, clock={"bank": 3600, "increment": 5})
    page = new_page(made[1])
    page.wait_for_selector("#board.mine")
    for size in SIDEWAYS:
        found = measured(page, size)
        check_everywhere(found, size)
        if size == (844, 390):
            assert found["log"] >= 36, f"{size}: the last move is seen beside four players, a clock and a long name"
        assert found["beside"], f"{size}: all else stands beside the board"
        assert found["board"][1] > 0.75 * size[1] or found["board"][0] > 0.5 * size[0], f"{size}: {found['board']}"
        assert found["bottom"] <= size[1], f"{size}: the whole board is seen"
    for size in UPRIGHT:
        found = measured(page, size)
        check_everywhere(found, size)
        assert found["board"][0] > 0.9 * size[0] or found["board"][1] > 0.5 * size[1], f"{size}: {found['board']}"
        assert found["bottom"] <= size[1], f"{size}: the whole board is seen, one's own hand too"
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        page.wait_for_selector(f"html[lang={language}]")
        check_everywhere(measured(page, UPRIGHT[-1]), language)


@pytest.mark.parametrize("name", [spec.name for spec in drawn() if spec.players in (0, 2)])
def test_names_have_room_next_to_clocks_of_hours(server: Server, new_page: NewPage, name: str) -> None:
    parameters = {"side": 8, "players": 2} if name == "metro" else {}
    seats = [{"kind": "person", "name": "Maria Margarida Albuquerque"}, {"kind": "open"}]
    room, seat = server.new_room(name, seats, parameters=parameters, clock={"bank": 3600, "increment": 5})
    page = new_page(seat)
    sit(new_page(room), "Gheorghe Constantinescu")
    page.wait_for_selector("#board.mine")
    for size in [(1366, 768), (1600, 900), (1920, 1080), (2560, 1440), (390, 844), (360, 640)]:
        assert measured(page, size)["names"] >= 60, size


def test_the_end_of_the_log_stays_in_sight(server: Server, new_page: NewPage) -> None:
    game = max((at_random(drawn()[0], seed) for seed in range(1, 4)), key=lambda game: len(game.history()))
    record = server.record(game)
    page = new_page(f"{server.address}/room/{record}")
    page.wait_for_selector("#ending:not([hidden])")
    for height in (1000, 700, 600):
        page.set_viewport_size({"width": 1366, "height": height})
        page.wait_for_function(LAST_LINE_IS_SEEN)
    page.evaluate("document.querySelector('#ending').style.minHeight = '300px'")
    page.wait_for_function(LAST_LINE_IS_SEEN)
    for width, height in [*SIDEWAYS, *UPRIGHT]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("() => document.querySelector('#verdict').getBoundingClientRect().bottom <= innerHeight")


def shifts_of_a_game(page: Any) -> tuple[list[Any], set[tuple[float, ...]]]:
    """Play to the end. Return the layout shifts without an input, and the places of the board."""
    page.wait_for_selector("#board.mine", state="attached")
    page.wait_for_timeout(500)  # an input is forgotten by the browser after half a second
    page.evaluate("window.shifts = []")
    player, places = Mouse(page, 3, taps=page.evaluate("navigator.maxTouchPoints > 0")), {tuple(page.evaluate(PLACE))}
    while until_turn(page):
        player.step()
        places.add(tuple(page.evaluate(PLACE)))
    page.wait_for_selector("#verdict:not([hidden])")
    page.wait_for_timeout(500)
    places.add(tuple(page.evaluate(PLACE)))
    return page.evaluate("window.shifts"), places


def longest(spec: GameSpec) -> str:
    """The language with the longest texts of a game."""
    return max(LANGUAGES, key=lambda language: len(str(catalogue(spec.package, language))))


@pytest.mark.parametrize(
    "spec", [drawn()[0], *(pytest.param(spec, marks=pytest.mark.soak) for spec in drawn()[1:])], ids=lambda spec: spec.name
)
@pytest.mark.parametrize("size", [(360, 640), *(pytest.param(size, marks=pytest.mark.soak) for size in OTHERS)], ids=str)
def test_nothing_jumps_to_the_end_of_a_game(
    server: Server, new_page: NewPage, spec: GameSpec, size: tuple[int, int]
) -> None:
    parameters = small(spec) if spec.perfect_information else most_players(spec)
    name = "Maria Margarida Albuquerque"
    others = [{"kind": "agent", "agent": "random"}] * (players(spec, parameters) - 1)
    seats = [{"kind": "person", "name": name}, *others]
    start = {} if size in OTHERS else short(server, spec, parameters)
    wished = {"parameters": parameters, "clock": {"bank": 3600, "increment": 5}} | start
    kind = PHONE if min(size) < 600 else {}
    page = new_page(**MOVING, **kind | {"viewport": {"width": size[0], "height": size[1]}}, locale=longest(spec))
    page.add_init_script(f"({COUNT_SHIFTS})()")
    page.goto(server.new_room(spec.name, seats, **wished)[1])
    shifted, places = shifts_of_a_game(page)
    assert sum(value for value, _ in shifted) <= 0.05, shifted
    assert len(places) == 1, f"the board has moved: {places}"
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_the_latest_move_is_one_line_under_the_task_on_a_telephone(server: Server, new_page: NewPage) -> None:
    record = server.record(at_random(drawn()[0]))
    page = new_page(f"{server.address}/room/{record}", **PHONE)
    latest = page.locator("#latest")
    page.wait_for_selector("#verdict:not([hidden])")
    assert latest.is_hidden(), "the verdict and its reason have the place"
    page.get_by_role("button", name="One move back").tap()
    page.wait_for_selector("#log li:nth-last-child(2).here", state="attached")
    assert latest.inner_text() == page.locator("#log .here .told").inner_text()
    task, line, board = (part.bounding_box() for part in (page.locator("#task"), latest, page.locator("#board")))
    assert task["y"] + task["height"] <= line["y"] < board["y"]
    assert line["height"] < 30
    page.get_by_role("button", name="To the start").tap()
    page.wait_for_selector("#latest:empty", state="attached")
    assert page.locator("#board").bounding_box() == board, "the board stays where it is"
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("button", name="One move forward").click()
    page.wait_for_selector("#latest:not(:empty)", state="attached")
    assert latest.is_hidden(), "the list of moves has room"


def test_phrases_are_in_view_on_a_telephone(server: Server, new_page: NewPage) -> None:
    room, seat = with_a_friend(server, HIDDEN)
    sit(new_page(room), "Ion")
    page = new_page(seat, **PHONE)
    say = page.get_by_role("button", name="Say…")
    say.wait_for()
    box = say.bounding_box()
    assert box["y"] + box["height"] <= PHONE["viewport"]["height"]


@pytest.mark.parametrize("name", ["conclave", pytest.param("okupacio", marks=pytest.mark.soak)])
def test_a_phrase_is_a_bubble_at_the_seat_and_moves_nothing(server: Server, new_page: NewPage, name: str) -> None:
    """Conclave has the longest facts, Okupació the most of them."""
    seats = [{"kind": "person", "name": "Maria Margarida Albuquerque"}, {"kind": "open"}]
    room, seat = server.new_room(name, seats, clock={"bank": 3600, "increment": 5})
    page, friend = new_page(), new_page(room)
    page.clock.install()
    page.goto(seat)
    sit(friend, "Ion")
    page.wait_for_selector("#board.mine")
    page.wait_for_selector(".badge.away", state="detached")
    page.wait_for_selector("#spectators", state="hidden")  # on a slow machine, the friend was counted before sitting down
    page.clock.pause_at(page.evaluate("Date.now()") + 4 * PATIENCE)  # a phrase stays
    before = {}
    sizes = [(1366, 768), (1920, 1080), (844, 390), (390, 844)]
    for size in sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        before[size] = page.evaluate(PLACES)
    for speaker, phrase in ((friend, "Another game?"), (page, "Good game")):
        speaker.get_by_role("button", name="Say…").click()
        speaker.get_by_role("button", name=phrase, exact=True).click()
        page.locator(".speech", has_text=phrase).wait_for()
    for size in sizes:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.evaluate(PLACES) == before[size], size
    for language in LANGUAGES:
        page.locator("#language").select_option(language)
        page.wait_for_selector(f"html[lang={language}]")
        for size in sizes:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            speeches = page.evaluate(SPEECHES)
            assert len(speeches) == 2
            for speech in speeches:
                where = f"{language}, {size}: {speech}"
                assert speech["size"] >= 10, where
                assert speech["whole"], where
                assert speech["apart"], f"{where}: the name is covered"
                assert speech["on_top"], where


def test_the_buttons_of_a_replay_and_its_slider_are_one_line_on_a_telephone(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if not spec.perfect_information)  # the seat that sees is chosen next to them
    record = server.record(at_random(spec))
    page = new_page(f"{server.address}/room/{record}", **PHONE)
    page.wait_for_selector("#verdict:not([hidden])")
    boxes = [part.bounding_box() for part in page.locator("#replay :is(button, input, output)").all()]
    assert max(box["y"] for box in boxes) < min(box["y"] + box["height"] for box in boxes)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_touched_is_lifted_and_keeps_its_colours(server: Server, new_page: NewPage) -> None:
    spec = next(spec for spec in drawn() if not spec.perfect_information and spec.players == 0)
    page = new_page(against_agents(server, spec))
    page.wait_for_selector("#board.mine")
    plain, place = (page.evaluate(LOOKS, f"#board .lit{which}") for which in (":not(.place)", ".place"))
    assert place["fill"] != "none"  # an empty place: a dot
    page.evaluate("import('/static/room.js').then(({page: {board}}) => board.press(board.stops().at(-1).id))")
    lifted = page.evaluate(LOOKS, "#board .touched")
    assert (plain["fill"], lifted["fill"]) == ("none", "none")
    assert plain["filter"] == "none"
    assert "lifted" in lifted["filter"]
    assert lifted["stroke"] > plain["stroke"]


@pytest.mark.parametrize(("settings", "flights"), [(MOVING, 56), ({}, 0)])
def test_the_hands_are_dealt_unless_a_person_asks_for_less_motion(
    server: Server, new_page: NewPage, settings: dict[str, Any], flights: int
) -> None:
    page = new_page(**settings)
    page.add_init_script(
        "window.flights = 0; const old = Element.prototype.animate;"
        "Element.prototype.animate = function (...how) { flights += 'transform' in how[0]; return old.apply(this, how); }"
    )
    seats = [{"kind": "person", "name": "Rui"}, *[{"kind": "open"}] * 3]
    page.goto(server.new_room("cartas", seats)[1])
    page.wait_for_selector("#lounge:not([hidden])")
    assert page.evaluate("flights") == flights
