"""Writes the web pages of a folder that plays without a server. They are the server's pages as files, with relative links,
so that the folder can be published under any path.

Two JavaScript modules of the server's pages are replaced by others of the same name in the folder `static` here: `transport`
and `answers`.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Final

import msgspec

from ludoteca.core.game import Game
from ludoteca.core.messages import LANGUAGES, catalogue
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import SPRITES, STYLE, THEMES, paint
from ludoteca.server.http import assets
from ludoteca.server.http import catalogue as games
from ludoteca.server.http.web import PAGE_POLICY
from ludoteca.web.package import ROOT

OWN: Final = ROOT / "web" / "static"
LICENCES: Final = ROOT / "web" / "LICENCES.txt"
PACKAGE: Final = "ludoteca.web"
"""Its texts replace those of the server's pages."""
PAGES: Final = ("index", "room", "guide", "learn")
PYTHON: Final = "python"
"""The folder with the files of Python, which a room's page loads in a worker."""
WORKER: Final = "worker.js"
POLICY: Final = PAGE_POLICY.partition("; frame-ancestors")[0]
"""The content security policy without the part that forbids frames, because a page cannot set that part itself."""
FOR_PYTHON: Final = {"script-src 'self'": "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"}
"""What to replace in the policy for a room's page, which starts Python in a worker."""
OFFERED: Final = {"matchmaking": False, "phrases": False, "animated_pictures": False, "friends": False}
FILE: Final = re.compile(r'(?:src|href)="\./(static/[^"?]+\.(?:js|css))\?[^"]*"')
PICTURE: Final = re.compile(r"picture\.svg\?theme=(\w+)")


def write_pages(directory: Path, specs: Sequence[GameSpec]) -> None:
    """Write the pages of these games to a folder, with their texts and pictures. The folder `python` in it must be complete
    before, because the pages contain the hashes of its files.
    """
    for name, content in _files(specs):
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    for page in PAGES:
        (directory / f"{page}.html").write_text(_page(directory, page, specs), encoding="utf-8")


def _files(specs: Sequence[GameSpec]) -> Iterator[tuple[str, str | bytes]]:
    """Yield the name and the content of every file except the pages themselves."""
    for page in map(assets.module_of, PAGES):
        yield f"static/{page}.js", _script(page)
        yield f"static/{page}.css", _sheet(page)
    for file in [*map(assets.STATIC.joinpath, assets.FILES), *assets.STATIC.glob("vendor/*.LICENSE")]:
        yield f"static/{file.relative_to(assets.STATIC).as_posix()}", file.read_bytes()
    licence = metadata.distribution("ludoteca").read_text("licenses/LICENSE") or ""
    yield LICENCES.name, LICENCES.read_text(encoding="utf-8") + licence
    for language in LANGUAGES:
        yield f"static/messages/{language}.json", _texts(language)
    yield "api/games.json", msgspec.json.encode([games.describe(spec) | OFFERED for spec in specs])
    for spec in specs:
        for name, content in _files_of(spec):
            yield f"games/{spec.name}/{name}", content


def _files_of(spec: GameSpec) -> Iterator[tuple[str, str | bytes]]:
    yield "guide.json", msgspec.json.encode(games.guide(spec.name))
    if spec.has("lesson"):
        yield "lesson.json", msgspec.json.encode(games.lesson(spec.name))
    for name in (SPRITES, STYLE):
        if spec.file(name).is_file():
            yield name, spec.file(name).read_bytes()
    for language in LANGUAGES:
        yield f"messages/{language}.json", assets.game_texts(spec.package, language).content
    start = _usual_game(spec).new_initial_state(games.SEED).scene()
    for theme in THEMES:
        yield f"picture-{theme}.svg", games.lobby_picture(spec.name, theme)
        yield f"start-{theme}.svg", paint(spec, start, theme)


def _usual_game(spec: GameSpec) -> Game:
    """Return the game that the button "Play now" starts. It has two players if the default is one, as in `newgame.js`."""
    players = next((parameter for parameter in spec.parameters if parameter.name == "players"), None)
    return Game(spec, {"players": 2} if players and players.default == 1 else {})


def _script(page: str) -> bytes:
    return assets.page_script(page, [file for file in OWN.glob("*.js") if file.name != WORKER]).content


def _sheet(page: str) -> bytes:
    return assets.page_sheet(page, [OWN / "start.css"] if page == "room" else []).content


def _texts(language: str) -> bytes:
    shared: dict[str, str] = json.loads(assets.page_texts(language).content)
    return msgspec.json.encode(shared | dict(catalogue(PACKAGE, language)))


def _versions(specs: Sequence[GameSpec], page: str, _: Sequence[GameSpec]) -> dict[str, str]:
    """Return the version of each file that a page loads, by address. A version is a hash of the content."""
    own = {
        f"/static/{page}.js": _script(page),
        f"/static/{page}.css": _sheet(page),
        **{f"/static/messages/{language}.json": _texts(language) for language in LANGUAGES},
    }
    return assets.versions(page, specs) | {
        address: hashlib.sha256(content).hexdigest()[:12] for address, content in own.items()
    }


def _page(directory: Path, name: str, specs: Sequence[GameSpec]) -> str:
    """Return the HTML of a page, with its content security policy and the hashes of the files that it loads."""
    policy, head, is_lobby = POLICY, "", name == "index"
    if name == "room":
        for usual, here in FOR_PYTHON.items():
            policy = policy.replace(usual, here)
        hashes = {file.name: integrity(file) for file in sorted((directory / PYTHON).iterdir())}
        head = f'<script type="application/json" id="python">{json.dumps({"hashes": hashes})}</script>'
    body = PICTURE.sub(r"picture-\1.svg", assets.covers(specs)) if is_lobby else ""
    # a room's page asks for the files of its game only
    made = assets.page(name, specs if is_lobby else [], ".", head, body, partial(_versions, specs)).content.decode()
    made = made.replace("<head>", f'<head>\n  <meta http-equiv="content-security-policy" content="{policy}">', 1)
    return FILE.sub(lambda found: f'{found[0]} integrity="{integrity(directory / found[1])}"', made)


def integrity(file: Path) -> str:
    """Return the SHA-384 hash of a file in the form of the HTML attribute `integrity`, by which a browser checks
    the file.
    """
    return f"sha384-{base64.b64encode(hashlib.sha384(file.read_bytes()).digest()).decode()}"
