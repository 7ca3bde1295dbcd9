"""The files of the pages. Their addresses contain a version of their content, so that a browser may keep them for good.

A browser asks for a page's HTML each time, and the HTML names the version of all other files. So a browser that has been
here before asks for one document, and never mixes old and new files. A page that was open during an update may ask for an
old version. It gets the newest content, which its browser does not keep.

All modules of a page are one script, and all its styles one sheet, so that a page asks for two files, not for forty. A
document is made again when one of its files changes, so that an author of a page sees the change.
"""

import json
import re
from collections.abc import Callable, Hashable, Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ludoteca.core.markup import bundle_module
from ludoteca.core.messages import LANGUAGES, catalogue
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import SPRITES, STYLE, THEMES, style
from ludoteca.server.http.documents import Document, Documents, answer_with
from ludoteca.server.processor import Processor
from ludoteca.server.shares import address_of

SERVER: Final = "ludoteca.server"
AGENTS: Final = "ludoteca.agents"
STATIC: Final = Path(str(resources.files(SERVER) / "static"))
CORE: Final = Path(str(resources.files("ludoteca.core")))
PAINTER: Final = CORE / "painter"
"""Scripts that other pages with scenes have, too."""
SCENE: Final = CORE / "scene.css"
"""The style that all scenes share."""
SHEETS: Final = {
    "lobby": ("base", "controls", "lobby", "form"),
    "room": ("base", "controls", "form", "board", "room", "ending", "layout"),
    "missing": ("base", "controls", "guide"),
    "guide": ("base", "controls", "guide"),
    "learn": ("base", "controls", "board", "guide", "learn"),
}
"""The styles of a page, in their order, after SCENE. The name of a page is that of its first module."""
FILES: Final = (*sorted(file.name for file in STATIC.glob("*.svg")), "js/early.js", "vendor/sansita.woff2", "vendor/uqr.mjs")
"""The files that any page may ask for."""
FOR_GOOD: Final = {"cache-control": "public, max-age=31536000, immutable"}
"""The headers of content for a browser that asked for its version."""
ADDRESS: Final = re.compile(r'"(/static/[^"?]+)"')
"""The address of a file in a page."""
COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/)[\s\S])*\*/|//.*)[ \t]*\n", re.MULTILINE)
"""A comment of whole lines in a script or a sheet."""
OF_SHEET: Final = re.compile(r'url\("([^"#]+)"\)')
"""The address of a file in a sheet."""
GROUND: Final = re.compile(r"--felt: ([^;]+);")

PUBLIC: Final = Documents(32 << 20, packs=True)
"""Documents without secrets. All together are some megabytes, but for the pages of rooms, of which there may be many."""


def _stamps(files: Sequence[Path]) -> tuple[tuple[Path, int], ...]:
    """Return the files with the times of their last changes. This is a key for documents that are made from these files."""
    return tuple((file, file.stat().st_mtime_ns) for file in files)


def json_document(key: Hashable, make: Callable[[], object]) -> Document:
    """A public document in JSON, of the content that `make` returns."""
    return PUBLIC.get(key, lambda: msgspec.json.encode(make()))


async def answer_in_thread(
    request: Request, make: Callable[[], Document], media_type: str, headers: dict[str, str]
) -> Response:
    """Return the answer with the document that `make` returns. It runs in a thread, and the client's address is charged with
    its time.
    """
    processor: Processor = request.app.state.rooms.processor
    made = await processor.in_thread(address_of(request), make)
    kept = FOR_GOOD if request.query_params.get("v") == made.version else {}
    return answer_with(request, made, media_type, headers | kept)


def file_document(file: Path) -> Document:
    """A file."""
    return PUBLIC.get(_stamps([file]), file.read_bytes)


def page_script(page: str, others: Sequence[Path] = ()) -> Document:
    """The modules of a page as one, without their comments. `others` replace modules of the same name, or are added."""
    files = [*(STATIC / "js").glob("*.js"), *PAINTER.glob("*.js"), *others]
    return PUBLIC.get((page, _stamps(files)), lambda: COMMENT.sub("", bundle_module(page, files)))


def page_sheet(page: str, others: Sequence[Path] = ()) -> Document:
    """Return all styles of a page as one sheet, without comments, and with the versions of the files that they load."""
    files = [SCENE, *(STATIC / "css" / f"{name}.css" for name in SHEETS[page]), *others]

    def make() -> str:
        text = COMMENT.sub("", "\n".join(file.read_text(encoding="utf-8") for file in files))
        return OF_SHEET.sub(lambda found: f'url("{found[1]}?v={file_document(STATIC / found[1]).version}")', text)

    return PUBLIC.get(("sheet", _stamps([*files, *(STATIC / name for name in FILES)])), make)


def page_texts(language: str) -> Document:
    """The texts of the pages, of the agents, and of the server's refusals."""
    file = STATIC / "messages" / f"{language}.json"
    common = {**catalogue(AGENTS, language), **catalogue(SERVER, language)}
    return json_document(("texts", _stamps([file])), lambda: common | json.loads(file.read_bytes()))


def game_texts(package: str, language: str) -> Document:
    """The texts of a game, in English if it has none in that language."""
    return json_document((package, language), lambda: catalogue(package, language))


def versions(page: str, games: Sequence[GameSpec]) -> dict[str, str]:
    """The versions of the files that a page of these games asks for, by address."""
    found = {
        f"/static/{page}.css": page_sheet(page),
        f"/static/{page}.js": page_script(page),
        **{f"/static/{name}": file_document(STATIC / name) for name in FILES},
        **{f"/static/messages/{language}.json": page_texts(language) for language in LANGUAGES},
    }
    for spec in games:
        for language in LANGUAGES:
            found[f"/games/{spec.name}/messages/{language}.json"] = game_texts(spec.package, language)
        for file in map(spec.file, (SPRITES, STYLE)):
            if file.is_file():
                found[f"/games/{spec.name}/{file.name}"] = file_document(file)
    return {address: made.version for address, made in found.items()}


def covers(games: Sequence[GameSpec]) -> str:
    """Return the pictures of games as hidden elements, so that a browser loads them before the script runs that
    shows them.
    """
    shown = []
    for spec in games:
        light, dark = (f"/games/{spec.name}/picture.svg?theme={theme}" for theme in THEMES)
        source = f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        shown.append(f'<picture>{source}<img src="{light}" alt=""></picture>')
    return f"<div hidden>{''.join(shown)}</div>"


def module_of(page: str) -> str:
    """The name of a page's first module."""
    return "lobby" if page == "index" else page


def page(
    name: str,
    games: Sequence[GameSpec],
    root: str,
    head: str = "",
    body: str = "",
    versions_of: Callable[[str, Sequence[GameSpec]], dict[str, str]] = versions,
) -> Document:
    """Return a page with the versions of its files. `head` and `body` are inserted at the ends of these elements.

    The page's script gets the names of the games from the HTML, before any other file has come. `root` is the prefix of all
    paths in the page.
    """
    file = STATIC / f"{name}.html"
    known = versions_of(module_of(name), games)

    def make() -> str:
        text = ADDRESS.sub(lambda found: f'"{found[1]}?v={known[found[1]]}"', file.read_text(encoding="utf-8"))
        # the colours of the tables, before pictures come
        grounds = {spec.name: str(GROUND.findall(style(spec))[-1]) for spec in games}
        about = {"root": root, "games": [*grounds], "grounds": grounds, "versions": known}
        told = json.dumps(about, separators=(",", ":")).replace("<", "\\u003c")
        data = f'{head}<script type="application/json" id="assets">{told}</script>\n</head>'
        text = text.replace("</body>", f"{body}\n</body>", 1).replace('="/', f'="{root}/')
        return text.replace("</head>", data, 1)

    names = tuple(spec.name for spec in games)
    return PUBLIC.get((_stamps([file]), names, root, head, body, tuple(known.items())), make)
