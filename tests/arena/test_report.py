"""The page with results, without a browser (`tests/browser/test_report.py` looks with one)."""

import base64
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kuhn import GAME as KUHN
from ludoteca.arena.figures import report
from ludoteca.arena.figures.ratings import LEAST_DEALS, game_of, results
from ludoteca.arena.figures.replays import eyes_of, packed
from ludoteca.arena.figures.sections import PACKAGE, say
from ludoteca.core import registry
from ludoteca.core.formats import Place
from ludoteca.core.game import Game
from ludoteca.core.markup import bundle, bundle_module, element, text
from ludoteca.core.messages import LANGUAGES, catalogue, places
from ludoteca.core.record import Record
from ludoteca.core.scene import Scene, flat
from ludoteca.core.spec import GameSpec
from tests.arena.finished import HOSTILE, some_games
from tests.browser.players import drawn

each_game = pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)


def page(spec: GameSpec, number: int = 2) -> str:
    games = some_games(spec, number)
    places = [Place(1, HOSTILE, 2, 1.5, 3.0, f"champion {HOSTILE}")]
    return report.html(results(games, 50), games, f"Cup {HOSTILE}", {"seed": 7, f"note {HOSTILE}": HOSTILE}, places)


def unpacked(record: Record) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed(record))))
    return found


@each_game
def test_every_scene_comes_out_as_it_was(spec: GameSpec) -> None:
    record = some_games(spec, 2)[1].record
    record = msgspec.structs.replace(record, actions=record.actions[:20], result=None)
    replay, game = unpacked(record), game_of(record)
    state, eyes = game.state_at(record.start), eyes_of(game)
    assert len(replay["scenes"]) == len(record.actions) + 1
    for ply, scenes in enumerate(replay["scenes"]):
        for eye, (setting, *items) in zip(eyes, scenes, strict=True):
            width, height, standings, task = replay["settings"][setting]
            whole = [width, height, [replay["items"][item] for item in items], standings, task]
            assert as_json(msgspec.convert(whole, Scene)) == as_json(flat(state.scene(eye)))
        if ply < len(record.actions):
            player, written, told = replay["moves"][ply]
            assert (player, written, bool(told)) == (state.current_player(), record.actions[ply], True)
            state.apply_action(state.string_to_action(written))


def as_json(scene: Scene) -> Any:
    """The scene as it travels, its numbers rounded."""
    return json.loads(msgspec.json.encode(scene), parse_float=lambda number: round(float(number), 3))


def test_a_game_without_scenes_is_shown_in_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find", lambda _: KUHN)
    state = Game(KUHN).new_initial_state(1)
    shown = [str(state)]
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        shown.append(str(state))
    replay = unpacked(state.to_record())
    assert replay["positions"] == shown
    assert [move[1:] for move in replay["moves"]] == [[action, ""] for action in state.to_record().actions]


class Tags(HTMLParser):
    """Which elements a page has, and with which attributes."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(content)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_what_bots_are_called_and_write_is_text() -> None:
    content = page(registry.find("okupacio"))
    tags = Tags(content).found
    assert [tag for tag, _ in tags].count("script") == 2
    assert not [tag for tag, attributes in tags if tag == "img" or any(name.startswith("on") for name in attributes)]
    assert not [name for _, attributes in tags for name in attributes if name in ("src", "style")]
    assert all(
        attributes["href"] is not None and attributes["href"].startswith("#") for tag, attributes in tags if tag == "a"
    )
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", content)
    assert "\u202e" not in json.dumps(data_of(content), ensure_ascii=False)


def data_of(content: str) -> Any:
    embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', content)
    assert embedded
    return json.loads(embedded[1])


def test_the_policy_allows_the_pages_own_style_and_script_alone() -> None:
    content = page(registry.find("okupacio"))
    policy = next(one["content"] for tag, one in Tags(content).found if tag == "meta" and "http-equiv" in one)
    for pattern, kind in ((r"<style>(.*?)</style>", "style"), (r'<script type="module">(.*?)</script>', "script")):
        (own,) = re.findall(pattern, content, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in str(policy)
    assert "default-src 'none'" in str(policy)
    assert "unsafe" not in str(policy)


def test_nothing_is_loaded_from_elsewhere() -> None:
    content = page(registry.find("cartas"))
    own = re.sub(r'"http://www\.w3\.org/2000/svg\\?"', "", content)
    assert not re.findall(
        r"(?:https?:)?//[a-z]+\.[a-z]+", re.sub(r"/\*.*?\*/|^\s*//.*?$", "", own, flags=re.DOTALL | re.MULTILINE)
    )
    assert "@import" not in content


def test_tables_tell_everything_without_a_script() -> None:
    content = re.sub(r"<script.*?</script>|<style>.*?</style>", "", page(registry.find("okupacio")), flags=re.DOTALL)
    said = ("Final table", "no answer within 5 s", "Traceback", "bubblewrap", "in this process", "deal 1, game 2", "seed")
    assert [text for text in said if text not in content] == []


@pytest.mark.parametrize("deals", [LEAST_DEALS - 1, LEAST_DEALS])
def test_a_dash_is_shown_for_an_interval_of_too_few_deals(deals: int) -> None:
    content = page(registry.find("okupacio"), 2 * deals)
    few = deals < LEAST_DEALS
    assert (f"an interval needs {LEAST_DEALS} deals or more" in content.partition('<script type="application')[0]) == few
    assert content.count('<td class="figure">–</td>') == (4 if few else 0)
    assert ('class="interval"' not in content) == few
    assert "logistic Elo scale" in content
    assert "Bradley-Terry" in content


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_says_all_that_english_does(language: str) -> None:
    own, english = catalogue(PACKAGE, language), catalogue(PACKAGE, "en")
    assert own.keys() == english.keys()
    assert all(places(own[key]) == places(english[key]) and own[key] for key in english)


def test_all_that_the_page_says_has_a_text() -> None:
    folder = Path(report.__file__).parents[1]
    scripts = "".join(file.read_text(encoding="utf-8") for file in (folder / "page").glob("*.js"))
    said = set(re.findall(r'"(report\.[a-z.]+)"', scripts))
    assert len(said) > 15
    assert said <= set(catalogue(PACKAGE, "en"))


def test_elements_hold_text() -> None:
    assert element("td", text("<a&b>\x07"), class_='x"y', data_n="1") == (
        '<td class="x&quot;y" data-n="1">&lt;a&amp;b&gt;\ufffd</td>'
    )
    assert say("p", "report.to", "<1>", 2) == (
        '<p data-message="[&quot;report.to&quot;, &quot;&lt;1&gt;&quot;, 2]">&lt;1&gt; to 2</p>'
    )


def write(folder: Path, **modules: str) -> list[Path]:
    files = []
    for name, content in modules.items():
        files.append(folder / f"{name}.js")
        files[-1].write_text(content, encoding="utf-8")
    return files


@pytest.mark.parametrize(
    ("content", "refused"),
    [
        ('import { b } from "./b.js";\n', "a.js imports b, which must come before it"),
        ('import b from "./b.js";\n', "cannot be bundled"),
        ('export * from "./b.js";\n', "cannot be bundled"),
        ("export let a = 1;\n", "cannot be bundled"),
    ],
)
def test_what_cannot_be_bundled_is_refused(tmp_path: Path, content: str, refused: str) -> None:
    with pytest.raises(ValueError, match=refused):
        bundle(write(tmp_path, a=content))


def test_modules_keep_their_names_to_themselves(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        a="const own = 1;\nexport function one() { return own; }\nexport const two = 2;\n",
        b='import {\n  one,\n  two,\n} from "./a.js";\nconst own = one() + two;\nexport async function three() {}\n',
    )
    whole = bundle(files)
    assert "return { one, two };" in whole
    assert re.search(r"const \{\s*one,\s*two,\s*\} = module_a;", whole)
    assert "return { three };" in whole
    assert "export" not in whole
    assert "import" not in whole


PASSING_ON = {
    "a": "export const one = 1;\nexport const two = 2;\n",
    "b": 'import { one } from "./a.js";\n\nexport { one, two } from "./a.js";\n\nexport const three = one;\n',
    "c": 'import { one, two } from "./b.js";\n\nawait one;\nexport const page = two;\n',
    "d": "nobody needs this",
}


def test_a_module_stands_after_what_it_needs_and_exports_what_it_did(tmp_path: Path) -> None:
    whole = bundle_module("c", reversed(write(tmp_path, **PASSING_ON)))
    assert whole.index("const module_a = ") < whole.index("const module_b = ")
    assert "return { three, one: module_a.one, two: module_a.two };" in whole
    assert whole.endswith("\nconst { one, two } = module_b;\n\nawait one;\nexport const page = two;\n")
    assert "nobody" not in whole


def test_modules_that_need_each_other_are_no_bundle(tmp_path: Path) -> None:
    files = write(tmp_path, a='import { b } from "./b.js";\n', b='import { a } from "./a.js";\n')
    with pytest.raises(ValueError, match="cycle"):
        bundle_module("a", files)


def test_games_stand_in_the_order_of_their_deals_and_isolation_once() -> None:
    games = [
        msgspec.structs.replace(game, seats=[msgspec.structs.replace(seat, isolation="rlimits") for seat in game.seats])
        for game in some_games(registry.find("okupacio"), 22)
    ]
    content = report.html(results(games, 10), games[::-1], "Cup", {})
    assert [played["key"] for played in data_of(content)["played"]] == [game.key for game in games]
    assert content.count("<td>rlimits</td>") == 2


def test_progress_is_told_to_the_end() -> None:
    games, told = some_games(registry.find("okupacio"), 4), list[float]()
    report.html(results(games, 10), games, "Cup", {}, progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_a_game_holds_all_that_programs_wrote_and_the_table_of_faults_its_end() -> None:
    game = some_games(KUHN, 1)[0]
    seats = [msgspec.structs.replace(seat, errors="".join(f"line {n}\n" for n in range(2000))) for seat in game.seats]
    html = report.html(results([game], 10), [msgspec.structs.replace(game, seats=seats)], "Cup", {})
    data = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', html)[0])
    replay = json.loads(zlib.decompress(base64.b64decode(data["played"][0]["packed"])))
    assert replay["errors"] == [seat.errors for seat in seats]
    assert "line 1999\n" in html
    assert "line 1000\n" not in html
