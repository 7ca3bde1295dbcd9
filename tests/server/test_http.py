"""What is asked over HTTP: the lobby, rooms, records, pictures, pages; and what is refused."""

import gzip
import json
import math
import re
import shutil
import sqlite3
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

import ludoteca
from kuhn import GAME as KUHN
from ludoteca.core import registry
from ludoteca.core.messages import LANGUAGES, Message, in_words, places
from ludoteca.core.messages import catalogue as texts_of
from ludoteca.server.http import api, assets, pages
from ludoteca.server.http.documents import SMALLEST
from ludoteca.server.refusals import CODES
from ludoteca.server.store import database as databases
from tests.missing import needs_pictures
from tests.server.serving import OPEN, QUICK, Served, agent, me, serve
from tests.server.test_rooms import friends, move, wait_until

GAMES = [spec.name for spec in registry.registered_games() if spec.has("scene")]
SVG = "{http://www.w3.org/2000/svg}svg"
ROOM = {"game": "conclave", "seats": [me(), OPEN]}


def test_the_games_are_listed_with_what_can_be_chosen(server: Served) -> None:
    games = {game["name"]: game for game in server.http.get("/api/games").json()}
    assert sorted(games) == GAMES
    for name, game in games.items():
        for parameter in game["parameters"]:
            ludoteca.load(name, **{parameter["name"]: parameter["default"]})
            assert parameter["kind"] in ("integer", "choice", "text")
            assert parameter["possible"]
        assert "greedy" in game["agents"]
        assert game["players"] or "players" in [parameter["name"] for parameter in game["parameters"]]


def test_a_server_is_ill_until_its_database_takes_something(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "LOCK_TIMEOUT", 0.1)
    with serve(tmp_path / "games") as server, closing(sqlite3.connect(tmp_path / "games")) as intruder:
        intruder.execute("BEGIN IMMEDIATE")
        assert server.http.post("/api/rooms", json=ROOM).json()["code"] == "storage"
        for _ in range(3):
            ill = server.http.get("/health")
            assert (ill.status_code, ill.json()["status"]) == (503, "storage")
        intruder.rollback()
        wait_until(lambda: server.http.get("/health").status_code == 200)


def test_a_server_is_ill_while_its_database_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoteca.server.store.store.HEALTHY_SECONDS", 0.1)
    monkeypatch.setattr(databases, "LOCK_TIMEOUT", 3600.0)
    with serve(tmp_path / "games") as server, closing(sqlite3.connect(tmp_path / "games")) as intruder:
        intruder.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor() as pool:
            made = pool.submit(server.http.post, "/api/rooms", json=ROOM)
            wait_until(lambda: server.http.get("/health").status_code == 503)
            assert not made.done()
            intruder.rollback()
        wait_until(lambda: server.http.get("/health").status_code == 200)
        assert made.result().status_code == 201


REFUSED: dict[str, tuple[str | bytes, int, str]] = {
    "no JSON": ("{", 400, "malformed"),
    "no UTF-8": (b"\xff", 400, "malformed"),
    "a list": ("[]", 400, "malformed"),
    "no seats": (json.dumps({"game": "conclave"}), 400, "malformed"),
    "more fields": (json.dumps(ROOM | {"colour": "red"}), 400, "malformed"),
    "too deep": ("[" * 60_000, 400, "malformed"),
    "too long": (json.dumps(ROOM) + " " * 65_536, 413, "large"),
    "no such game": (json.dumps(ROOM | {"game": "chess"}), 404, "game"),
    "no such parameter": (json.dumps(ROOM | {"parameters": {"colour": 1}}), 400, "parameters"),
    "an impossible parameter": (json.dumps(ROOM | {"parameters": {"players": 9}}), 400, "parameters"),
    "a parameter that is no value": (json.dumps(ROOM | {"parameters": {"players": [2]}}), 400, "parameters"),
    "too few seats": (json.dumps(ROOM | {"seats": [me()]}), 400, "seats"),
    "two persons": (json.dumps(ROOM | {"seats": [me(), me()]}), 400, "persons"),
    "a strange seat": (json.dumps(ROOM | {"seats": [me(), {"kind": "ghost"}]}), 400, "kind"),
    "no name": (json.dumps(ROOM | {"seats": [me(" \u0000\u202e "), OPEN]}), 400, "name"),
    "a long name": (json.dumps(ROOM | {"seats": [me("x" * 41), OPEN]}), 400, "name"),
    "no such agent": (json.dumps(ROOM | {"seats": [me(), agent("deep")]}), 400, "agent"),
    "an agent without end": (json.dumps(ROOM | {"seats": [me(), agent("9999s")]}), 400, "agent"),
    "a strange clock": (json.dumps(ROOM | {"clock": {"hour": 1}}), 400, "clock"),
    "an endless clock": (json.dumps(ROOM | {"clock": {"move": 10**12}}), 400, "clock"),
    "from no room": (json.dumps({"seats": [me()], "from": {"room": "nowhere", "ply": 0}}), 404, "room"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_rooms_that_cannot_be_made(server: Served, case: str) -> None:
    body, status, code = REFUSED[case]
    answer = server.http.post("/api/rooms", content=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert in_words(as_message(answer.json()["message"]), texts_of("ludoteca.server", "en"))


def test_a_value_that_a_parameter_cannot_have_is_refused_in_the_readers_language(server: Served) -> None:
    told = server.http.post("/api/rooms", content=REFUSED["an impossible parameter"][0]).json()["message"]
    words = in_words(as_message(told), texts_of("ludoteca.server", "ro"))
    assert words == "nu se poate juca cu acești parametri: players: am citit 9, așteptam un număr întreg de la 2 la 4"


def as_message(told: object) -> Message:
    assert isinstance(told, list | str | int)
    return tuple(map(as_message, told)) if isinstance(told, list) else told


def record_with(**fields: Any) -> str:
    """A record with these fields, and the digest that it needs."""
    whole = ludoteca.load("conclave").new_initial_state(1).to_record()
    return msgspec.structs.replace(whole, **fields).sealed().to_json()


WHOLE = record_with()
RECORDS = {
    "nothing": "",
    "no record": "{}",
    "cut off": '{"format": "ludoteca-record", "version": 1',
    "of a newer version": '{"format": "ludoteca-record", "version": 99}',
    "half a character": r'{"format": "ludoteca-record", "version": 1, "actions": ["\ud800"]}',
    "a number of 5,000 digits": f'{{"format": "ludoteca-record", "version": 1, "rules": {"9" * 5000}}}',
    "a version of 31 digits": f'{{"format": "ludoteca-record", "version": {10**30}}}',
    "a parameter of 4,000 digits": record_with(parameters={"players": int("9" * 4000)}),
    "an infinite parameter": record_with(parameters={"players": -math.inf}),
    "of no game": WHOLE.replace("conclave", "chess"),
    "edited": WHOLE.replace('"rules": ', '"rules": 0'),
    "a return of 31 digits": record_with(result={"returns": [10**30], "scores": [-(10**30)]}),
}


@pytest.mark.parametrize("case", RECORDS)
def test_records_that_cannot_be_read(server: Served, case: str) -> None:
    answer = server.http.post("/api/records", content=RECORDS[case])
    assert (answer.status_code, answer.json()["code"]) == (400, "record")
    in_words(as_message(answer.json()["message"]), texts_of("ludoteca.server", "en"))


def test_why_a_record_cannot_be_played_is_told_in_the_readers_language(server: Served) -> None:
    whole = ludoteca.load("okupacio", board="4x4").new_initial_state(1).to_record()
    text = msgspec.structs.replace(whole, actions=["aa", "aa"]).sealed().to_json()
    answer = server.http.post("/api/records", content=text).json()
    texts = {**texts_of("ludoteca.server", "ca"), **texts_of("ludoteca.games.okupacio", "ca")}
    told = "aquest registre no es pot llegir: jugada 2 de 2, 'aa': aa ja és de l'exèrcit A"
    assert (answer["game"], in_words(as_message(answer["message"]), texts)) == ("okupacio", told)


def test_a_record_may_be_longer_than_another_request_and_has_its_limit(server: Served) -> None:
    sent = [server.http.post("/api/records", content=WHOLE + " " * more) for more in (100_000, 1_048_576)]
    assert [answer.status_code for answer in sent] == [201, 413]


def test_what_is_sent_does_not_come_back_whole(server: Served) -> None:
    whole = ludoteca.load("okupacio").new_initial_state(1).to_record()
    text = msgspec.structs.replace(whole, actions=["x" * 100_000]).sealed().to_json()
    answer = server.http.post("/api/records", content=text)
    assert answer.json()["code"] == "record"
    assert len(answer.content) < 1000


@pytest.mark.parametrize(
    "path", ["/nowhere", "/games/chess/sprites.svg", "/games/conclave/rules.py", "/games/conclave/messages/xx.json",
             "/static/%2e%2e/app.py", "/static/messages/xx.json", "/api/nothing",
             "/learn/nothing", "/games/nothing/lesson.json"]
)  # fmt: skip
def test_addresses_that_are_not_there(server: Served, path: str) -> None:
    answer = server.http.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] in ("missing", "game")


def test_a_person_is_told_in_words_that_there_is_no_page(server: Served) -> None:
    for path in ("/nowhere", "/guide/chess"):
        answer = server.http.get(path, headers={"accept": "text/html,*/*"})
        assert (answer.status_code, answer.headers["content-type"].split(";")[0]) == (404, "text/html")


@pytest.mark.parametrize("path", ["/api/rooms", "/api/records", "/api/rooms/x/seats", "/api/rooms/x/analysis"])
@pytest.mark.parametrize("origin", ["http://evil.example", "http://["])
def test_a_page_of_another_server_changes_nothing(server: Served, path: str, origin: str) -> None:
    answer = server.http.post(path, content="{}", headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")


def test_listed_rooms_are_those_that_somebody_is_in(own_server: Served) -> None:
    listed = own_server.make("conclave", me(), OPEN, listed=True)
    own_server.make("conclave", me(), OPEN)
    assert own_server.http.get("/api/rooms").json() == []
    with own_server.join(listed["room"], listed["token"]) as client:
        rooms = own_server.http.get("/api/rooms").json()
        assert [(room["room"], room["mover"], room["seats"][0]["name"]) for room in rooms] == [(listed["room"], -1, "Ana")]
        own_server.take(listed["room"], "Bru")
        client.event(1)
        client.ask("resign")
        assert own_server.http.get("/api/rooms").json() == []


@pytest.mark.parametrize("game", GAMES)
def test_what_a_game_looks_like(server: Served, game: str) -> None:
    picture = server.http.get(f"/games/{game}/picture.svg?theme=dark")
    drawn = ElementTree.fromstring(picture.text)
    assert (drawn.tag, drawn.get("data-theme")) == (SVG, "dark")
    assert len(gzip.compress(picture.content)) < 3000  # the lobby shows them all
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "unsafe-inline" in picture.headers["content-security-policy"]
    assert ElementTree.fromstring(server.http.get(f"/games/{game}/sprites.svg").text).tag == SVG


def test_texts_say_in_which_language_they_are(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    assert server.http.get("/games/conclave/messages/ro.json").headers["content-language"] == "ro"
    monkeypatch.setattr(pages, "spec_of", lambda _: KUHN)
    answer = server.http.get("/games/kuhn/messages/ro.json")
    assert answer.headers["content-language"] == "en"
    assert answer.json()["refused"] == "there is no action {0}"


def test_pictures_of_a_room_tell_what_may_be_known(server: Served) -> None:
    room, tokens = friends(server, "conclave")
    where = f"/api/rooms/{room}/picture.svg"
    with server.join(room, tokens[0]) as ana:
        watched = server.http.get(where)
        assert ElementTree.fromstring(watched.text).tag == SVG
        assert server.http.get(f"{where}?player=0").json()["code"] == "running"
        assert server.http.get(f"{where}?ply=1").json()["code"] == "ply"
        assert server.http.get(f"{where}?ply=x").json()["code"] == "malformed"
        assert server.http.get(f"{where}?theme=x").json()["code"] == "malformed"
        move(ana)
        ana.ask("resign")
    assert server.http.get(f"{where}?ply=0").text == watched.text
    assert server.http.get(f"{where}?ply=0&player=0").text != watched.text
    assert server.http.get(f"{where}?player=2").json()["code"] == "player"


@needs_pictures
def test_a_game_that_is_over_is_drawn_as_an_animated_picture(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made = server.make("okupacio", me(), agent("random"), parameters={"board": "4x4"})
    where = f"/api/rooms/{made['room']}/game.gif"
    assert server.http.get(where).json()["code"] == "running"
    with server.join(made["room"], made["token"]) as client:
        move(client)
        client.ask("resign")
    drawn = server.http.get(f"{where}?player=0&theme=dark")
    assert drawn.headers["content-type"] == "image/gif"
    assert drawn.content.startswith(b"GIF89a")
    assert drawn.content.count(b"\x21\xf9\x04") >= 2, "one for each frame"
    kept = server.http.get(f"{where}?player=0&theme=dark", headers={"if-none-match": drawn.headers["etag"]})
    assert kept.status_code == 304
    assert server.rooms.workers._drawer._process is None, "its memory is free"
    assert server.http.get(f"{where}?player=2").json()["code"] == "player"
    monkeypatch.setattr(api, "MOST_FRAMES", 0)
    assert server.http.get(where).json()["code"] == "ply"
    monkeypatch.setattr(api, "HAS_PNG", False)
    assert server.http.get(where).json()["code"] == "pictures"


@needs_pictures
def test_the_operator_can_switch_animated_pictures_off(server: Served, tmp_path: Path) -> None:
    assert {game["animated_pictures"] for game in server.http.get("/api/games").json()} == {True}
    with serve(tmp_path / "games.sqlite", replace(QUICK, animated_pictures=False)) as without:
        assert {game["animated_pictures"] for game in without.http.get("/api/games").json()} == {False}
        record = without.http.post("/api/records", content=WHOLE).json()["room"]
        assert without.http.get(f"/api/rooms/{record}/game.gif").json()["code"] == "off"


@needs_pictures
def test_a_link_has_a_preview_of_what_anybody_may_see(server: Served) -> None:
    made = server.make("conclave", {"kind": "person", "name": '<b>"Ana"'}, agent(), OPEN, parameters={"players": 3})
    secrets = made["token"], made["key"]

    def facts(path: str) -> dict[str, str]:
        page = server.http.get(path, headers={"accept-language": "fr, ro;q=0.9"}).text
        assert not any(secret in page for secret in secrets)
        return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page))

    room, game = facts(f"/room/{made['room']}"), facts("/guide/conclave")
    assert (room["og:title"], game["og:title"]) == ("Conclave", "Conclave")
    assert room["og:description"].startswith("&lt;b&gt;&quot;Ana&quot; – Lacom – Loc liber. ")
    assert room["og:description"].endswith(game["og:description"])
    for told in (room, game):
        assert told["og:image"].startswith(str(server.http.base_url))
        picture = server.http.get(told["og:image"])
        assert (picture.headers["content-type"], picture.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    where = f"/api/rooms/{made['room']}/picture.png"
    assert room["og:image"].endswith(where)
    assert server.http.get(f"{where}?player=0").json()["code"] == "running"
    assert "og:image" not in facts("/")


PAGES = [
    "/",
    "/room/any",
    "/guide/conclave",
    "/static/scene.css",
    "/static/room.js",
    "/static/room.css",
    "/static/messages/ca.json",
    "/games/conclave/messages/ca.json",
    "/games/conclave/guide.json",
    "/games/conclave/sprites.svg",
    "/games/conclave/style.css",
    "/api/games",
]
PICTURE = "/games/conclave/picture.svg"


@pytest.mark.parametrize("path", [*PAGES, "/api/rooms", "/nowhere"])
def test_every_answer_is_dressed(server: Served, path: str) -> None:
    headers = server.http.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == ("no-cache" if path in PAGES else "no-store")


@pytest.mark.parametrize("path", [*PAGES, PICTURE])
def test_pages_are_asked_for_again_and_compressed_once(server: Served, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, packed = (server.http.get(path, headers={"accept-encoding": coding}) for coding in ("identity", "gzip"))
    assert (plain.status_code, plain.content) == (200, packed.content)
    assert "content-encoding" not in plain.headers
    if len(plain.content) > SMALLEST:
        assert packed.headers["content-encoding"] == "gzip"
        assert "accept-encoding" in packed.headers["vary"].lower()
    for compressor in ("compress", "compressobj"):
        monkeypatch.delattr(zlib, compressor)
    again = server.http.get(path, headers={"accept-encoding": "gzip"})
    assert (again.status_code, again.content) == (200, packed.content)
    known = server.http.get(path, headers={"if-none-match": packed.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.parametrize(
    ("coding", "known", "status"),
    [
        ("gzip", 'W/"other", W/{packed}', 304),
        ("gzip", "{plain}", 200),
        ("identity", "{plain}", 304),
        ("gzip;q=0, br", "{plain}", 304),
        ("identity", "{packed}", 200),
    ],
)
def test_each_form_of_a_page_has_its_own_tag(server: Served, coding: str, known: str, status: int) -> None:
    tags = {
        form: server.http.get("/", headers={"accept-encoding": accepted}).headers["etag"]
        for form, accepted in (("plain", "identity"), ("packed", "gzip"))
    }
    answer = server.http.get("/", headers={"accept-encoding": coding, "if-none-match": known.format(**tags)})
    assert (answer.status_code, answer.headers["vary"]) == (status, "accept-language, accept-encoding")
    assert answer.headers["etag"] == tags["packed" if coding == "gzip" else "plain"]


def test_what_may_hold_a_secret_is_not_compressed(server: Served) -> None:
    made = server.make("conclave", me(), agent())
    with server.join(made["room"], made["token"]):
        answer = server.http.get(f"/api/rooms/{made['room']}/picture.svg", headers={"accept-encoding": "gzip"})
    assert len(answer.content) > SMALLEST
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize("path", ["/static/../app.py", "/static//etc/passwd", "/static/%00", "/static/js"])
def test_only_files_of_the_pages_are_given(server: Served, path: str) -> None:
    with server.raw("127.0.0.1", f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()) as raw:
        assert raw.recv(100).startswith(b"HTTP/1.1 404 ")


def made_of(server: Served, path: str) -> dict[str, str]:
    """What a page asks for by its head, by the address without the version."""
    asked = re.findall(r'(?:src|href)="((/static/[^"?]+)[^"]*)"', server.http.get(path).text)
    return {plain: address for address, plain in asked}


@pytest.mark.parametrize(("page", "path"), [("lobby", "/"), ("room", "/room/any"), ("guide", "/guide/conclave")])
def test_a_page_asks_for_its_script_and_its_sheet_whole(server: Served, page: str, path: str) -> None:
    asked = made_of(server, path)
    font = "/static/vendor/sansita.woff2"
    assert list(asked) == ["/static/icon.svg", f"/static/{page}.css", font, "/static/js/early.js", f"/static/{page}.js"]
    script, sheet = (server.http.get(asked[f"/static/{page}.{kind}"]) for kind in ("js", "css"))
    assert script.headers["content-type"].startswith("text/javascript")
    assert not re.search(r"^\s*(import |//|/\*\*\n)", script.text, re.MULTILINE)
    assert sheet.headers["content-type"].startswith("text/css")
    assert sheet.text.startswith("\n:root,\n.scene {")
    assert f'url("{asked[font].removeprefix("/static/")}")' in sheet.text


def test_what_a_page_is_made_of_is_kept_for_good_and_is_what_it_was(server: Served) -> None:
    page = f"/room/{server.make('conclave', me(), agent())['room']}"
    data = re.search(r'<script type="application/json" id="assets">(.*?)</script>', server.http.get(page).text)
    assert data
    told = json.loads(data[1])
    assert told["games"] == ["conclave"]
    versions = {f"{plain}?v={version}" for plain, version in told["versions"].items()}
    assert set(made_of(server, page).values()) <= versions
    assert f"/games/conclave/messages/ca.json?v={told['versions']['/games/conclave/messages/ca.json']}" in versions
    for address in versions:
        assert server.http.get(address).headers["cache-control"] == "public, max-age=31536000, immutable", address
    for plain in ("/static/icons.svg", "/static/room.css", "/games/conclave/messages/ca.json"):
        kept, stale = (server.http.get(f"{plain}?v={version}") for version in (told["versions"][plain], "0123456789ab"))
        assert stale.headers["cache-control"] == "no-cache"
        assert kept.content == stale.content


def test_a_script_without_a_version_is_the_one_that_there_is_now(server: Served) -> None:
    version = made_of(server, "/")["/static/lobby.js"].partition("?")[2]
    assert server.http.get("/static/lobby.js").text == f'export * from "./lobby.js?{version}";\n'


def test_a_script_that_is_changed_is_given_anew(server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made_of(server, "/guide/conclave")["/static/guide.js"]
    shutil.copytree(assets.STATIC, tmp_path / "static")
    monkeypatch.setattr(assets, "STATIC", tmp_path / "static")
    with (tmp_path / "static" / "js" / "dom.js").open("a") as module:
        module.write("globalThis.changed = 1;\n")
    again = made_of(server, "/guide/conclave")["/static/guide.js"]
    assert again != first
    assert "globalThis.changed = 1" in server.http.get(again).text


def test_every_refusal_has_its_text_in_every_language() -> None:
    english = {name: places(text) for name, text in texts_of("ludoteca.server", "en").items()}
    assert {f"error.{code}" for code in CODES} - set(english) == {"error.illegal"}
    for language in LANGUAGES:
        assert {name: places(text) for name, text in texts_of("ludoteca.server", language).items()} == english
