"""The parts of the page that are sums and sets, one by one, in the browser that runs them."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random
from typing import Any

import pytest

from ludoteca.core.messages import LANGUAGES, LIST, catalogue, in_words
from tests.browser.serving import Server

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def page(server: Server, chromium: Any) -> Iterator[Any]:
    """One page for all, since nothing here changes it."""
    with closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(server.address)
        yield page


@pytest.fixture
def run(page: Any) -> Run:
    """Runs a function of the page on the exports of a module."""

    def run_it(module: str, body: str, argument: Any = None) -> Any:
        script = f"async (argument) => {{ const m = await import('/static/js/{module}.js'); {body} }}"
        return page.evaluate(script, argument)

    return run_it


@pytest.mark.parametrize("length", [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_sha256_is_that_of_hashlib(run: Run, length: int) -> None:
    data = Random(length).randbytes(length)
    found = run("sha256", "return m.sha256(m.fromHex(argument))", data.hex())
    assert found == hashlib.sha256(data).hexdigest()


def test_a_deal_is_fair_when_its_promise_is_kept(run: Run) -> None:
    seed, nonce = Random(1).randbytes(32), Random(2).randbytes(32)
    over = {"seed": seed.hex(), "nonce": nonce.hex()}
    promise = hashlib.sha256(seed + nonce).hexdigest()
    assert run("fair", "return m.isFair(...argument)", [promise, over])
    assert not run("fair", "return m.isFair(...argument)", [promise, over | {"seed": nonce.hex()}])


def test_a_game_is_an_animated_picture_if_it_is_not_too_long(run: Run) -> None:
    assert run("picture", "return [400, 401].map((moves) => m.filmLinks('a', '/a.gif', moves).length)") == [1, 0]


def test_points_below_zero_are_drawn_within_the_graph(run: Run) -> None:
    moves = [{"number": 1, "player": 0, "values": [-2, 2]}, {"number": 2, "player": 1, "values": [-1, 1]}]
    body = "const graph = new m.Graph(argument, [], 4, () => {}); return [-2, 0, 2].map((value) => graph.y(value))"
    lowest, middle, highest = run("graph", body, moves)
    assert 0 < highest < middle < lowest < 190
    assert middle == (lowest + highest) / 2


@pytest.mark.parametrize(
    ("movers", "seat", "players", "lit"),
    [
        ([], 0, 2, []),
        ([0, 0, 1, 0, 1, 1], 0, 2, [4, 5]),
        ([0, 0, 1, 0, 0, 1, 1], 1, 2, [5, 6]),
        ([0, 1, 2, 0, 1, 2], 0, 3, [4, 5]),
        ([0, 1, 2, 2, 0, 1, 1], 2, 3, [4, 5, 6]),
        ([1, 2, 1, 2, 1, 2], 0, 3, [4, 5]),
        ([0, 1, 1, 0, 1, 1], -1, 2, [4, 5]),
        ([0, 0, 0], 0, 1, [2]),
    ],
)
def test_the_new_moves_are_marked_at_most_one_turn_of_each_opponent(
    run: Run, movers: list[int], seat: int, players: int, lit: list[int]
) -> None:
    body = """
      const { movers, seat, players } = argument;
      const plies = [...movers, "ahead"].map((_, ply) => `${ply}`);
      const log = plies.map((id, ply) => ({ player: movers[ply] ?? 0, placed: { items: [id, "gone"] } }));
      const [room, scene] = [{ log, seats: Array(players) }, { items: plies.map((id) => ({ id, classes: "", start: "" })) }];
      const shown = m.markedScene(room, scene, movers.length, seat);
      if (m.markedScene(room, scene, movers.length, seat) !== shown) return "drawn twice";
      return shown.items.filter(({ id, classes }) => classes === `last by-${movers[id]}`).map(({ id }) => Number(id));
    """
    assert run("model", body, {"movers": movers, "seat": seat, "players": players}) == lit


def test_next_and_previous_mistake_go_through_all_or_through_ones_own(run: Run) -> None:
    moves = [{"number": number, "player": player, "cost": 0.1} for number, player in ((2, 0), (3, 1), (6, 0), (7, 1))]
    body = """
      const { Replay } = await import("/static/js/replay.js");
      const [looked, place] = [[], document.createElement("div")];
      const replay = new Replay(place, (ply, player) => looked.push([ply, player]));
      replay.update({ mover: -4, ply: 9, seats: [{}, {}], you: argument.you });
      const mistakes = new m.Mistakes(argument.moves, true, replay, argument.you, () => looked.push("narrowed"));
      for (const key of argument.keys) key === "click" ? mistakes.filter?.click() : mistakes.key(key);
      return [looked, mistakes.filter?.getAttribute("aria-pressed") ?? null];
    """
    all_of_them = [[1, 0], [2, 1], [5, 0], [6, 1], [1, 0]]
    assert run("mistakes", body, {"moves": moves, "you": 0, "keys": "nnnnn"}) == [all_of_them, "false"]
    own = ["narrowed", [5, 0], [1, 0], [5, 0]]
    for narrowed in ("m", "click"):
        assert run("mistakes", body, {"moves": moves, "you": 0, "keys": [narrowed, "p", "p", "p"]}) == [own, "true"]
    assert run("mistakes", body, {"moves": moves, "you": 0, "keys": "mmn"}) == [["narrowed", "narrowed", [1, 0]], "false"]
    assert run("mistakes", body, {"moves": moves, "you": -1, "keys": "mn"}) == [[[1, 0]], None], "a spectator has none"


def test_buttons_that_are_made_again_or_go_hand_the_focus_on(run: Run) -> None:
    body = """
      const place = document.createElement("div");
      place.tabIndex = -1;
      document.body.append(place);
      const made = (text) => m.button({ label: [text], press: () => {} });
      const [details, kept] = [document.createElement("details"), document.createElement("summary")];
      details.append(kept);
      const found = [];
      const note = () => {
        const { ariaLabel, tagName } = document.activeElement;
        found.push(ariaLabel ?? tagName);
      };
      m.refill(place, [made("play"), made("close")]);
      place.querySelector("button").focus();
      for (const parts of [[made("close"), made("play")], [details, made("play")], [details]]) {
        m.refill(place, parts);
        note();
      }
      kept.focus();
      m.refill(place, [made("play"), details]);
      note();
      m.refill(place, []);
      note();
      place.remove();
      return found;
    """
    assert run("dom", body) == ["play", "play", "DIV", "SUMMARY", "DIV"]


def test_a_button_under_the_keyboard_is_disabled_when_the_focus_leaves_it(run: Run) -> None:
    body = """
      const [made, other] = ["play", "close"].map((text) => m.button({ label: [text], press: () => {} }));
      document.body.append(made, other);
      const found = [];
      const note = () => found.push([document.activeElement === made, made.disabled, made.ariaDisabled]);
      m.enable(made, false);
      note();
      m.enable(made, true);
      made.focus({ focusVisible: true });
      m.enable(made, false);
      note();
      other.focus();
      note();
      made.remove();
      other.remove();
      return found;
    """
    assert run("dom", body) == [[False, True, None], [True, False, "true"], [False, True, None]]


@pytest.mark.parametrize(
    ("winners", "decided"), [([0], ["mistake.decided", 3]), ([1], ["mistake.decided", 6]), ([0, 1], ["mistake.most", 3])]
)
def test_what_decided_a_game_is_a_move_of_one_who_has_not_won(run: Run, winners: list[int], decided: list[Any]) -> None:
    costs = ((2, 0, 0.5), (3, 1, 0.9), (6, 0, 0.5), (7, 1, 0.1))
    moves = [{"number": number, "player": player, "cost": cost, "played": {"told": ""}} for number, player, cost in costs]
    body = "return new m.Mistakes(argument[0], true, null, -1, () => {}).decisive(argument[1]).told.slice(0, 2)"
    assert run("mistakes", body, [moves, winners]) == decided
    assert run("mistakes", "return new m.Mistakes([], true, null, -1, () => {}).decisive([0])") is None


SEATS = [{"resigned": False, "timed_out": False}] * 3
OVER = {"reason": "end", "by_rules": True, "loser": -1, "lead": "", "scores": [3, 0, 1]}
WON = [1, 0, 0]


@pytest.mark.parametrize(
    ("you", "over", "said"),
    [
        (0, {"returns": WON, "lead": ["point.few", 3]}, ["result.by", ["result.you"], ["point.few", 3]]),
        (1, {"returns": WON}, ["result.won", ["@list", ["@seat", 0]]]),
        (1, {"returns": WON, "scores": [3, 3, 1]}, ["result.tied", ["result.won", ["@list", ["@seat", 0]]]]),
        (1, {"returns": WON, "scores": [3, 3, 1], "loser": 1}, ["result.won", ["@list", ["@seat", 0]]]),
        (-1, {"returns": [0.5, 0.5, 0]}, ["result.shared", ["@list", ["@seat", 0], ["@seat", 1]]]),
        (-1, {"returns": [1 / 3] * 3}, ["result.draw"]),
        (-1, {"returns": [0, 0, 0]}, ["result.void", ["@seat", 2], ["told.pass-lead"]]),
        (-1, {"returns": [0, 0, 0], "reason": "record", "by_rules": False}, ""),
        (0, {"returns": [7, 2, 1], "reason": "resigned", "by_rules": False, "loser": 0}, ["result.nobody"]),
    ],
)
def test_who_has_won_is_said_to_who_looks_on(run: Run, you: int, over: dict[str, Any], said: Any) -> None:
    log = [{"player": 1, "text": "PASSO", "told": ["told.pass"]}, {"player": 2, "text": "PASSO", "told": ["told.pass-lead"]}]
    room = {"over": OVER | over, "seats": SEATS, "you": you, "log": log}
    assert run("verdict", "return m.verdict(argument)", room) == said


def test_a_player_alone_reads_the_points_and_wins_no_trophy(run: Run) -> None:
    room = {"over": OVER | {"returns": [40], "scores": [40]}, "seats": SEATS[:1], "you": 0, "log": []}
    assert run("verdict", "return m.verdict(argument)", room) == ["result.alone", 40]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"costly": [3], "unsure": [5, 6]}, ""),
        ({"costly": [], "unsure": [5, 6]}, ""),
        ({"costly": [], "unsure": []}, ["graph.none"]),
        ({"costly": [], "unsure": [], "total": 3}, ["ending.partly", 2, 3]),
        ({"state": "failed"}, ["ending.failed"]),
    ],
)
def test_what_an_analysis_says_first(run: Run, found: dict[str, Any], said: Any) -> None:
    assert run("ending", "return m.outcome(argument)", {"state": "done", "moves": [{}, {}], "total": 2} | found) == said


@pytest.mark.parametrize(
    ("kind", "code", "heard"),
    [
        ("play", "illegal", "refused"),
        ("play", "stale", "refused"),
        ("play", "duplicate", "late"),
        ("resign", "over", "late"),
        ("undo", "away", "refused"),
        ("undo", "declined", "late"),
        ("decline", "nobody", "late"),
        ("replace", "declined", "late"),
        ("replace", "present", "late"),
        ("hint", "busy", "refused"),
        ("hint", "stale", "late"),
        ("look", "ply", "late"),
    ],
)
def test_no_player_is_told_of_a_request_that_an_event_has_overtaken(run: Run, kind: str, code: str, heard: str) -> None:
    body = """
      const heard = [], talk = new m.Talk(() => true), [kind, code] = argument;
      talk.ask({ t: kind }, { refused: () => heard.push("refused"), late: () => heard.push("late") });
      talk.answer({ t: "error", id: 1, code });
      return heard;"""
    assert run("talk", body, [kind, code]) == [heard]


@pytest.mark.parametrize("alike", [True, False])
def test_whose_eyes_are_used_is_asked_only_if_they_see_different_things(run: Run, alike: bool) -> None:
    body = """
      const replay = new m.Replay(document.createElement("div"), () => {});
      Object.assign(replay, {alike: argument, over: true});
      replay.show();
      return replay.seats.hidden;
    """
    assert run("replay", body, alike) is alike


ENGLISH_ONLY = """
const fetched = window.fetch;
const texts = new Response('{"refused": "there is no action {0}"}', { headers: { "content-language": "en" } });
window.fetch = async (address) => (address.startsWith("/games/kuhn/") ? texts.clone() : fetched(address));
await m.loadWords("kuhn");
const game = m.say(document.createElement("p"), ["refused", 7], "kuhn");
const page = m.say(document.createElement("p"), ["over"]);
document.body.append(game, page);
const said = [];
for (const language of ["en", "ca", "en"]) {
  await m.changeLanguage(language);
  said.push([game.textContent, game.lang, page.lang, document.documentElement.lang]);
}
return said;
"""


def test_a_game_in_english_alone_says_so_where_the_page_speaks_another_language(server: Server, chromium: Any) -> None:
    with closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(server.address)
        said = page.evaluate(f"async () => {{ const m = await import('/static/js/words.js'); {ENGLISH_ONLY} }}")
    text = "there is no action 7"
    assert said == [[text, "", "", "en"], [text, "en", "", "ca"], [text, "", "", "en"]]


def choose(run: Run, sets: list[list[str]], touches: list[str]) -> Any:
    choices = [{"action": str(number), "touches": touched, "label": ""} for number, touched in enumerate(sets)]
    body = """
      const touching = new m.Touching(argument[0], "9");
      const taken = argument[1].map((id) => touching.toggle(id));
      return {taken, lit: [...touching.lit()].sort(), whole: touching.whole()?.action ?? "", final: touching.isFinal(),
              buttons: touching.buttons.map((choice) => choice.action)};
    """
    return run("touch", body, [choices, touches])


def test_what_goes_with_all_that_is_touched_is_lit(run: Run) -> None:
    sets = [["a", "x"], ["a", "y"], ["b", "y"], []]
    assert choose(run, sets, []) == {
        "taken": [], "lit": ["a", "b", "x", "y"], "whole": "", "final": False, "buttons": ["3"],
    }  # fmt: skip
    assert choose(run, sets, ["y"])["lit"] == ["a", "b"]
    assert choose(run, sets, ["y", "x"])["taken"] == [True, False]
    assert choose(run, sets, ["y", "b"]) | {"taken": 0} == {
        "taken": 0, "lit": [], "whole": "2", "final": True, "buttons": ["3"],
    }  # fmt: skip


def test_a_choice_that_others_contain_is_whole_and_not_final(run: Run) -> None:
    sets = [["a"], ["a", "b"], ["a", "b", "c"]]
    assert choose(run, sets, ["a"]) | {"taken": 0} == {
        "taken": 0, "lit": ["b", "c"], "whole": "0", "final": False, "buttons": [],
    }  # fmt: skip
    assert choose(run, sets, ["c"])["whole"] == ""
    assert choose(run, sets, ["a", "b", "a"])["lit"] == ["a", "c"]
    assert choose(run, sets, ["c", "b", "a"])["final"]


def test_a_button_that_is_picked_is_whole_until_something_is_touched(run: Run) -> None:
    body = """
      const touching = new m.Touching([{action: "0", touches: ["a"]}, {action: "1", touches: []}]);
      touching.toggle("a");
      touching.pick(touching.buttons[0]);
      const picked = [touching.whole().action, touching.touched.size, touching.isEmpty()];
      touching.toggle("a");
      return [picked, touching.whole().action];
    """
    assert run("touch", body) == [["1", 0, False], "0"]


def test_stages_follow_each_other_and_those_in_which_nothing_moves_take_no_time(run: Run) -> None:
    motions = [{"stage": 2, "share": 1}, {"stage": 0, "share": 1}, {"stage": 2, "share": 1.5}, {"stage": 0, "share": 0.5}]
    body = "m.setPace(argument[1]); const found = [...m.spans(argument[0])]; m.setPace(1); return found;"
    usual = [[0, {"delay": 0, "duration": 320}], [2, {"delay": 320, "duration": 480}]]
    assert run("flights", body, [motions, 1]) == usual
    assert run("flights", body, [motions, 2])[1] == [2, {"delay": 640, "duration": 960}]


def test_what_is_shown_meanwhile_is_seen_above_all_and_goes_and_landing_by_itself_is_told(run: Run) -> None:
    body = """
      const svg = document.body.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
      const painter = new m.Painter(svg, "");
      const item = (id, x) => ({id, sprite: "", x, y: 1, w: 1, h: 1, angle: 0, classes: "", label: "", text: id, start: ""});
      const scene = (x) => ({width: 9, height: 9, items: [item("a", x)], standings: [], task: ""});
      let landed = 0;
      painter.flights.landed = () => (landed += 1);
      painter.paint(scene(1));
      const before = [painter.flights.moving, landed];
      painter.paint(scene(2), true, [item("+5", 2)]);
      const texts = () => [...painter.air.querySelectorAll("text")].map((text) => text.textContent);
      const during = [painter.flights.moving, landed, texts()];
      painter.flights.land();
      const cut = [painter.flights.moving, landed, texts()];
      painter.paint(scene(3));
      await new Promise((arrived) => (painter.flights.landed = () => arrived((landed += 1))));
      const after = [painter.flights.moving, landed];
      svg.remove();
      return [before, during, cut, after];
    """
    before, during, cut, after = run("painter", body)
    assert before == [False, 0]
    assert (during[:2], sorted(during[2])) == ([True, 0], ["+5", "a"])
    assert cut == [False, 0, []]
    assert after == [False, 1]


def test_items_of_a_zone_are_a_group_in_the_order_of_the_scene(run: Run) -> None:
    body = """
      const svg = document.body.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
      const painter = new m.Painter(svg, "");
      const place = {sprite: "", x: 1, y: 1, w: 1, h: 1, angle: 0};
      const item = (id, zone) => ({id, ...place, classes: "", label: id, text: "", start: "", zone});
      const shown = (...items) => {
        painter.paint({width: 9, height: 9, items: items.map((one) => item(...one)), standings: [], task: ""});
        const named = (node) => node.getAttribute("aria-label") + [...node.querySelectorAll(".item")].map(named).join("");
        return [...painter.ground.children].map(named);
      };
      const found = [shown(["a", ""], ["b", "X"], ["c", "X"], ["d", "Y"])];
      const card = painter.nodes.get("c");
      found.push(shown(["d", ""], ["b", "X"], ["c", "Z"], ["a", "Z"]), card === painter.nodes.get("c"));
      svg.remove();
      return found;
    """
    assert run("painter", body) == [["a", "Xbc", "Yd"], ["d", "Xb", "Zca"], True]


def test_arrows_go_to_the_nearest_item_of_their_direction(run: Run) -> None:
    grid = [{"id": f"{x}{y}", "x": x, "y": y} for x in range(4) for y in range(4)]
    body = "return m.nearest(...argument)?.id ?? null"
    middle = next(place for place in grid if place["id"] == "11")
    found = [run("keys", body, [middle, grid, key]) for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")]
    assert found == ["01", "21", "10", "12"]
    assert run("keys", body, [grid[0], grid, "ArrowLeft"]) is None


def test_reading_order_reaches_every_item(run: Run) -> None:
    places = [{"id": str(n), "x": Random(n).random(), "y": Random(-n).random()} for n in range(20)]
    body = """
      const order = m.inReadingOrder(argument);
      const seen = [];
      for (let id = order[0].id; !seen.includes(id); id = m.further(id, order, 1).id) seen.push(id);
      return seen.length;
    """
    assert run("keys", body, places) == len(places)


@pytest.mark.parametrize(
    ("left", "text"),
    [(0, "0:00.0"), (-5, "0:00.0"), (9_949, "0:09.9"), (10_000, "0:10"), (61_000, "1:01"), (3_723_000, "1:02:03")],
)
def test_clocks_are_read_easily(run: Run, left: int, text: str) -> None:
    assert run("clock", "return m.timeText(argument)", left) == text


def test_a_change_makes_the_new_scene(run: Run) -> None:
    body = """
      const item = (id, x) => ({id, x});
      const scene = {width: 1, height: 1, items: [item("a", 0), item("b", 0), item("c", 0)], standings: [], task: "old"};
      const change = {changed: [item("d", 1), item("b", 2)], gone: ["a"], order: ["d", [2, 1], "b"], size: [3, 4],
                      standings: [], task: "new"};
      return m.changedScene(scene, change);
    """
    made = run("model", body)
    assert [(item["id"], item["x"]) for item in made["items"]] == [("d", 1), ("c", 0), ("b", 2)]
    assert (made["width"], made["height"], made["task"]) == (3, 4, "new")


def test_a_missed_event_is_noticed(run: Run) -> None:
    body = """
      const room = {n: 5, ply: 2, log: [], choices: [1], give_up: "", asked: {}};
      const event = (n) => ({n, kind: "asked", ply: 2, mover: 0, asked: {rematch: [0]}});
      const next = m.after(room, event(6));
      return [m.after(room, event(7)), m.after(room, event(5)) === room, next.asked, next.choices];
    """
    assert run("model", body) == [None, True, {"rematch": [0]}, [1]]


def test_choices_are_those_of_the_position_and_what_is_yours_stays_until_it_changes(run: Run) -> None:
    body = """
      const room = {n: 5, log: [], choices: [1], give_up: "1", undo: true};
      const event = {n: 6, position_n: 6, kind: "move", mover: 0};
      const own = ({choices, give_up, undo}) => [choices, give_up, undo];
      const yours = (n) => ({n, choices: [2], give_up: "", undo: false});
      return [m.after(room, event), m.after(room, event, yours(6)), m.after(room, event, yours(5))].map(own);
    """
    assert run("model", body) == [[[], "", True], [[2], "", False], [[], "", True]]


def test_the_no_of_a_player_who_is_away_is_not_shown(run: Run) -> None:
    body = """
      const seats = (present) => [{present: true}, {present}];
      const by = (present, you) => m.declinedBy({you, seats: seats(present), declined: {rematch: 1}}, "rematch");
      return [by(true, 0), by(false, 0), by(true, 1)];
    """
    assert run("model", body) == [1, None, None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_are_worded_as_python_words_them(run: Run, language: str) -> None:
    names = ["Ana", "Iris", "ivo", "Hilda", "hielo", "Hiato", "hi", "Íñigo", "ıa", "&", "Bob, and {0}"]
    lists = [names[:1], *([first, last] for first in names for last in names), names, names[::-1]]
    body = """
      await m.changeLanguage(argument[0]);
      return argument[1].map((list) => m.inWords(["@list", ...list]));
    """
    texts = catalogue("ludoteca.core", language)
    assert run("words", body, [language, lists]) == [in_words((LIST, *each), texts) for each in lists]


def test_a_button_that_is_made_again_keeps_the_focus_in_any_language(run: Run) -> None:
    body = """
      const { button } = await import("/static/js/dom.js");
      const make = (words) => {
        const made = button({ say: ["resign"], press: () => {} });
        made.querySelector("span").textContent = words;
        return made;
      };
      const place = document.body.appendChild(document.createElement("div"));
      for (const id of ["advice", "lounge"]) place.appendChild(document.createElement("div")).id = id;
      const controls = new m.Controls(place.appendChild(document.createElement("div")), document.createElement("form"), {});
      const first = make("Give up");
      controls.fill(button({ say: ["hint"], press: () => {} }), first);
      first.focus();
      const again = make("Renunță");
      controls.fill(again, button({ say: ["hint"], press: () => {} }));
      const kept = document.activeElement === again;
      controls.fill(button({ say: ["hint"], press: () => {} }));
      const others = place.contains(document.activeElement);
      place.remove();
      return [kept, others];
    """
    assert run("controls", body) == [True, False]


@pytest.mark.parametrize(("levels", "of_each"), [(8, [2, 2, 1, 2, 1]), (6, [2, 1, 1, 1, 1]), (5, [1, 1, 1, 1, 1])])
def test_the_levels_of_a_game_share_five_characters_evenly(run: Run, levels: int, of_each: list[int]) -> None:
    agents = ["random", "greedy", *map(str, range(1, levels + 1))]
    found = run("characters", "return argument.map((agent) => m.characterOf(agent, argument))", agents)
    growing = ["chick", "fox", "octopus", "robot", "owl"]
    grown = [name for name, many in zip(growing, of_each, strict=True) for _ in range(many)]
    assert found == ["random", "greedy", *grown]


def test_an_agent_with_a_budget_has_no_character(run: Run) -> None:
    assert run("characters", "return m.characterOf('0.5s', ['random', '1', '2'])") == ""
