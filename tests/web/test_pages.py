"""A folder of pages without a server. What its Python draws, plays and finds is what the server does, byte for byte."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from shutil import which
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from ludoteca.core import registry
from ludoteca.web import pyodide
from ludoteca.web.libraries import LINKER
from tests.browser.conftest import CHROMIUM, NewPage, chromium, new_page, troubles  # noqa: F401  # fixtures
from tests.browser.players import Mouse, play_to_the_end, situation, until_turn
from tests.web.drawing import PARAMETERS, positions
from tests.web.playing import ROOMS

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
TOYS = ROOT / "tests" / "toys"
BELOW = "~teacher/games"
"""The path of the folder on its host."""
SIZES: list[dict[str, Any]] = [
    {"viewport": {"width": 1366, "height": 768}},
    {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
]
TOKEN = 32 * "t"
MOST_STEPS = 25
pytestmark = [
    pytest.mark.skipif(not is_there, reason=f"{what} is missing: {remedy}")
    for what, is_there, remedy in (
        ("Node", which("node"), "apt-get install nodejs"),
        ("lld", which(LINKER), "apt-get install lld"),
        ("Pyodide", (ROOT / "web/node_modules/pyodide").exists(), "npm ci --prefix web"),
        ("msgspec for Pyodide", (ROOT / "web/wheels" / pyodide.MSGSPEC).exists(), "make page"),
    )
]
needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing")
each_size = pytest.mark.parametrize("size", SIZES, ids=["desktop", "telephone"])


class Folder(NamedTuple):
    """The folder of one game."""

    game: str
    home: Path
    address: str
    environment: dict[str, str]


class Quiet(SimpleHTTPRequestHandler):
    """A static host that says nothing of its requests."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Folder]:
    """The folder that `ludoteca web` writes for a game, and its address on a static host. Compiling takes its time."""
    host, game = tmp_path_factory.mktemp("host"), request.param
    environment = {} if game in PARAMETERS else installed(game, host)
    run([sys.executable, "-m", "ludoteca", "web", host / BELOW, game, "--tools", ROOT / "web"], environment)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=host)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Folder(game, host / BELOW, f"http://127.0.0.1:{server.server_port}/{BELOW}/", environment)
        server.shutdown()


def installed(game: str, where: Path) -> dict[str, str]:
    """Return the environment in which a toy game is installed, as a package of others is."""
    info = where / f"{game}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ludoteca.games]\n{game} = {game}:GAME\n")
    return {"PYTHONPATH": os.pathsep.join([str(where), str(TOYS)])}


def run(command: Sequence[str | Path], environment: dict[str, str], typed: str = "") -> list[str]:
    done = subprocess.run(command, env=os.environ | environment, input=typed, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def check(program: str, folder: Folder, typed: str = "") -> None:
    """Check that a program prints the same in a page as here."""
    command: list[str | Path] = [
        "node",
        ROOT / "web/run.mjs",
        folder.home / "python",
        folder.game,
        HERE / program,
        folder.game,
    ]
    in_page = run(command, folder.environment, typed)
    assert in_page == run([sys.executable, HERE / program, folder.game], folder.environment, typed)
    assert len(in_page) > 10


DUEL = pytest.param("duel", marks=pytest.mark.slow)
"""A game of another package: it plays in the folder without a change anywhere else."""
each_game = pytest.mark.parametrize(
    "folder", [DUEL, *(pytest.param(game, marks=pytest.mark.soak) for game in PARAMETERS)], indirect=True
)


@each_game
def test_a_page_draws_plays_and_searches_as_the_server_does(folder: Folder) -> None:
    check("playing.py", folder)
    if folder.game in PARAMETERS:
        check("drawing.py", folder, "\n".join(positions(folder.game, 100)))
        if not registry.find(folder.game).perfect_information:
            check("twins.py", folder)


@needs_chromium
@each_size
@each_game
def test_a_person_plays_from_the_lobby_to_the_verdict(folder: Folder, new_page: NewPage, size: dict[str, Any]) -> None:  # noqa: F811
    page = new_page(folder.address, **size)
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".starting img", state="attached")
    play_to_the_end(page, Mouse(page, 1, taps="has_touch" in size))
    page.locator("#result .said, #verdict:not([hidden])").first.wait_for()
    assert situation(page)["count"] > 0
    assert page.locator(".starting").count() == 0
    assert page.locator(".fairness .unfair").count() == 0


@needs_chromium
@pytest.mark.parametrize("folder", [DUEL], indirect=True)
def test_a_browser_keeps_analyses_and_saves_a_game(folder: Folder, new_page: NewPage, tmp_path: Path) -> None:  # noqa: F811
    page = new_page(folder.address)
    page.get_by_role("button", name="Play now").wait_for()
    assert page.locator("text=With friends").count() == page.locator("#rooms:visible").count() == 0
    page.get_by_role("button", name="Play now").click()
    until_turn(page)
    page.get_by_role("button", name="Hint").click()
    page.locator(".hint-text").wait_for()
    page.reload()
    play_to_the_end(page, Mouse(page, 2))
    moves = situation(page)["count"]
    page.get_by_role("button", name="Analyse").click()
    page.locator(".analysis h2").wait_for()
    with page.expect_download() as picture:
        page.get_by_role("link", name="Save picture").click()
    assert Path(picture.value.path()).read_text(encoding="utf-8").startswith("<svg")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save game").click()
    saved.value.save_as(tmp_path / "game.json")
    assert len(json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))["actions"]) == moves
    with page.expect_navigation():
        page.get_by_role("button", name="Rematch").click()
    until_turn(page)
    page.goto(folder.address)
    page.locator("#my-rooms li").nth(1).wait_for()
    assert page.locator("#my-rooms li").count() == 2
    page.locator("input[type=file]").set_input_files(tmp_path / "game.json")
    page.wait_for_selector("#ending:not([hidden])")
    assert situation(page)["count"] == moves


@needs_chromium
@pytest.mark.parametrize("folder", [DUEL], indirect=True)
def test_a_page_names_a_file_that_cannot_be_loaded(folder: Folder, new_page: NewPage, troubles: list[str]) -> None:  # noqa: F811
    library = folder.home / "python" / "python_stdlib.zip"
    whole = library.read_bytes()
    library.write_bytes(whole[:1000])
    page = new_page(folder.address)
    page.get_by_role("button", name="Play now").click()
    page.locator("#banner", has_text="could not start here (python_stdlib.zip)").wait_for()
    library.write_bytes(whole)
    troubles.clear()  # of the browser about the file


@needs_chromium
@pytest.mark.parametrize("folder", [pytest.param(game, marks=pytest.mark.soak) for game in PARAMETERS], indirect=True)
def test_games_go_on_whatever_a_person_does(folder: Folder, new_page: NewPage) -> None:  # noqa: F811
    for level in range(1 + list(PARAMETERS).index(folder.game) % 3, 9, 3):  # all eight, between the games
        parameters, seats = ROOMS[folder.game]
        players = [{"kind": "person"}, *({"kind": "agent", "agent": str(level)} for _ in range(seats - 1))]
        kept = {
            "game": folder.game,
            "token": TOKEN,
            "wish": {"game": folder.game, "parameters": parameters, "seats": players},
        }
        page = new_page(f"{folder.address}room.html?{quote('~' + json.dumps(kept))}#{TOKEN}")
        chance, mouse = Random(level), Mouse(page, level)
        until_turn(page)
        for _ in range(MOST_STEPS):
            if chance.random() < 0.2:
                mouse.press(f".controls [data-key='[\"{chance.choice(['hint', 'undo'])}\"]']")
            mouse.step()  # also while others think, so that the page asks for a plan
            if chance.random() < 0.7 and not until_turn(page):
                break
        until_turn(page)
        assert situation(page)["count"] > 0
        page.close()
