"""Pages and files: the browser's side, with what each game adds to it."""

import asyncio
import json
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ludoteca.core.messages import LANGUAGES, catalogue, language_of
from ludoteca.core.svg import SPRITES, STYLE, THEMES
from ludoteca.server.http import web, whole
from ludoteca.server.http.catalogue import guide, lobby_picture
from ludoteca.server.http.reads import answer_with, document, json_document
from ludoteca.server.http.web import PICTURE_HEADERS, SVG, Endpoint
from ludoteca.server.http.whole import PAINTER, STATIC
from ludoteca.server.model.creation import spec_of
from ludoteca.server.refusals import RefusalError

SERVER: Final = "ludoteca.server"
AGENTS: Final = "ludoteca.agents"
FILES: Final = StaticFiles(directory=STATIC, check_dir=False)


def _file(request: Request, file: Path) -> Response:
    """The answer with a file, or with the news that the client's is still the same."""
    if not file.is_file():
        raise RefusalError("missing")
    return FILES.file_response(file, file.stat(), request.scope)


def _page(name: str) -> Endpoint:
    """An endpoint for a page of the browser's side; its script reads from the address which room or game it shows."""

    async def page(request: Request) -> Response:
        return _file(request, STATIC / f"{name}.html")

    return page


async def guide_page(request: Request) -> Response:
    """The page with a game's rules. Raises RefusalError where there is no such game."""
    spec_of(request.path_params["game"])
    return _file(request, STATIC / "guide.html")


async def refused(request: Request, error: Exception) -> Response:
    """Starlette's handler for refusals: in words for a person whose address has no page."""
    answer = await (web.refused if isinstance(error, RefusalError) else web.not_found)(request, error)
    if answer.status_code == HTTPStatus.NOT_FOUND and "text/html" in request.headers.get("accept", ""):
        return FileResponse(STATIC / "missing.html", HTTPStatus.NOT_FOUND)
    return answer


async def shared_style(request: Request) -> Response:
    """The style that all scenes share."""
    return _file(request, whole.SCENE)


async def shared_script(request: Request) -> Response:
    """A script that all pages with scenes share; here it lies beside the page's own."""
    return _file(request, PAINTER / request.url.path.rpartition("/")[2])


def _language(request: Request) -> str:
    language = str(request.path_params["language"])
    if language not in LANGUAGES:
        raise RefusalError("missing")
    return language


async def page_texts(request: Request) -> Response:
    """The texts of the pages, of the agents, and of the server's refusals."""
    language = _language(request)
    file = STATIC / "messages" / f"{language}.json"
    own = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return json_document(request, {**catalogue(AGENTS, language), **catalogue(SERVER, language), **own})


async def game_texts(request: Request) -> Response:
    """The texts of a game, in English if it has none in the language that is asked for."""
    spec, language = spec_of(request.path_params["game"]), _language(request)
    spoken = {"content-language": language_of(spec.package, language)}
    return json_document(request, catalogue(spec.package, language), spoken)


async def game_file(request: Request) -> Response:
    """A game's symbols, or its style."""
    spec = spec_of(request.path_params["game"])
    return _file(request, spec.file(request.url.path.rpartition("/")[2]))


async def game_guide(request: Request) -> Response:
    """The guide to a game: its rules with scenes."""
    return json_document(request, await asyncio.to_thread(guide, request.path_params["game"]))


async def game_picture(request: Request) -> Response:
    """The picture of a game for the lobby."""
    theme = request.query_params.get("theme", THEMES[0])
    if theme not in THEMES:
        raise RefusalError("malformed", f"theme: {theme[:20]!r}")
    svg = await asyncio.to_thread(lobby_picture, request.path_params["game"], theme)
    return answer_with(request, document(svg), SVG, PICTURE_HEADERS)


ROUTES: Final[list[BaseRoute]] = [
    Route("/", _page("index")),
    Route("/room/{room}", _page("room")),
    Route("/guide/{game}", guide_page),
    *(Route(f"/static/{page}.js", whole.script) for page in whole.SHEETS),
    *(Route(f"/static/{page}.css", whole.sheet) for page in whole.SHEETS),
    Route("/static/scene.css", shared_style),
    Route("/static/messages/{language}.json", page_texts),
    Route("/games/{game}/messages/{language}.json", game_texts),
    Route("/games/{game}/guide.json", game_guide),
    Route("/games/{game}/picture.svg", game_picture),
    Route(f"/games/{{game}}/{SPRITES}", game_file),
    Route(f"/games/{{game}}/{STYLE}", game_file),
    *(Route(f"/static/js/{script.name}", shared_script) for script in sorted(PAINTER.glob("*.js"))),
    Mount("/static", FILES),
]
