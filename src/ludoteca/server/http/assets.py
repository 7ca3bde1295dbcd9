"""What pages are made of, under addresses that a browser may keep for good: with the version of their content.

A page's HTML is asked for again each time, and names the version of everything else; so whoever has been here asks for one
document, and never uses an old file beside a new one. A version that is not that of the content (a page from before an
update asks) is answered with what there is now, to be asked for again.
"""

import json
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import msgspec
from starlette.requests import Request

from ludoteca.core.messages import LANGUAGES, catalogue
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import SPRITES, STYLE, THEMES, style
from ludoteca.server.http.reads import Document, document
from ludoteca.server.http.whole import STATIC, page_script, page_sheet, stamps

SERVER: Final = "ludoteca.server"
AGENTS: Final = "ludoteca.agents"
FILES: Final = ("icon.svg", "icon-turn.svg", "icons.svg", "js/early.js", "vendor/uqr.mjs")
"""What any page may ask for."""
FOR_GOOD: Final = {"cache-control": "public, max-age=31536000, immutable"}
ADDRESS: Final = re.compile(r'"(/static/[^"?]+)"')
"""The address of a file in a page."""
GROUND: Final = re.compile(r"--felt: ([^;]+);")


def kept_for_good(request: Request, version: str) -> dict[str, str]:
    """The headers of an answer with content of that version: it may be kept for good by who asked for this version."""
    return FOR_GOOD if request.query_params.get("v") == version else {}


def file_version(file: Path) -> str:
    """The version of a file's content."""
    return _read(*stamps([file])[0]).version


@lru_cache(maxsize=256)
def _read(file: Path, _: int) -> Document:
    return document(file.read_text(encoding="utf-8"))


def page_texts(language: str) -> Document:
    """The texts of the pages, of the agents, and of the server's refusals."""
    return _page_texts(language, *stamps([STATIC / "messages" / f"{language}.json"])[0])


@lru_cache(maxsize=len(LANGUAGES))
def _page_texts(language: str, file: Path, _: int) -> Document:
    own = json.loads(file.read_text(encoding="utf-8"))
    return _json({**catalogue(AGENTS, language), **catalogue(SERVER, language), **own})


@cache
def game_texts(package: str, language: str) -> Document:
    """The texts of a game, in English if it has none in that language."""
    return _json(catalogue(package, language))


def _json(content: object) -> Document:
    return document(msgspec.json.encode(content).decode())


def versions(page: str, games: Sequence[GameSpec]) -> dict[str, str]:
    """The versions of all that a page of these games asks for, by address."""
    return {
        f"/static/{page}.css": page_sheet(page).version,
        f"/static/{page}.js": page_script(page).version,
        **{f"/static/{name}": file_version(STATIC / name) for name in FILES},
        **{f"/static/messages/{language}.json": page_texts(language).version for language in LANGUAGES},
        **{address: version for spec in games for address, version in _game_versions(spec).items()},
    }


def _game_versions(spec: GameSpec) -> dict[str, str]:
    folder = f"/games/{spec.name}"
    files = {f"{folder}/{name}": spec.file(name) for name in (SPRITES, STYLE)}
    texts = {f"{folder}/messages/{language}.json": game_texts(spec.package, language).version for language in LANGUAGES}
    return texts | {address: file_version(file) for address, file in files.items() if file.is_file()}


def covers(games: Sequence[GameSpec]) -> str:
    """The pictures of games, seen by nobody: so a browser asks for them before a script has run that shows them."""
    shown = []
    for spec in games:
        light, dark = (f"/games/{spec.name}/picture.svg?theme={theme}" for theme in THEMES)
        source = f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        shown.append(f'<picture>{source}<img src="{light}" alt=""></picture>')
    return f"<div hidden>{''.join(shown)}</div>"


def _ground(spec: GameSpec) -> str:
    """The colour of a game's table, as CSS: what lies there before its picture comes."""
    return str(GROUND.findall(style(spec))[-1])


def page(name: str, games: Sequence[GameSpec], head: str = "", body: str = "") -> Document:
    """A page as a browser gets it: with the versions of its files, and `head` and `body` before the ends of its parts.

    Its script learns which games it is about before anything else has come.
    """
    module = "lobby" if name == "index" else name
    known = versions(module, games)
    text = ADDRESS.sub(
        lambda found: f'"{found[1]}?v={known[found[1]]}"', (STATIC / f"{name}.html").read_text(encoding="utf-8")
    )
    grounds = {spec.name: _ground(spec) for spec in games}
    about = {"games": [*grounds], "grounds": grounds, "versions": known}
    told = json.dumps(about, separators=(",", ":")).replace("<", "\\u003c")
    data = f'{head}<script type="application/json" id="assets">{told}</script>\n</head>'
    return document(text.replace("</head>", data, 1).replace("</body>", f"{body}\n</body>", 1))
