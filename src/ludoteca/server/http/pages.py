"""Pages and files: the browser's side, with what each game adds to it."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ludoteca.core.messages import LANGUAGES, language_of
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import SPRITES, STYLE, THEMES
from ludoteca.server.http import assets, previews, web, whole
from ludoteca.server.http.assets import kept_for_good
from ludoteca.server.http.catalogue import guide, lobby_picture, lobby_png
from ludoteca.server.http.lessons import lesson
from ludoteca.server.http.pixels import PNG
from ludoteca.server.http.reads import Document, answer_with, document, json_document
from ludoteca.server.http.web import PICTURE_HEADERS, SVG
from ludoteca.server.http.whole import PAINTER, STATIC
from ludoteca.server.model.creation import playable, spec_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.shares import address_of


class Files(StaticFiles):
    """Files on the disk: who asks for the version that there is may keep it for good."""

    def file_response(self, full_path: Any, stat_result: Any, scope: Scope, status_code: int = 200) -> Response:
        """As Starlette's, which answers questions for what has changed since, and for parts."""
        answer = super().file_response(full_path, stat_result, scope, status_code)
        if "v=" in scope["query_string"].decode("latin-1"):
            answer.headers.update(kept_for_good(Request(scope), assets.file_version(Path(full_path))))
        return answer


HTML: Final = "text/html"
JSON: Final = "application/json"
FILES: Final = Files(directory=STATIC, check_dir=False)


def _file(request: Request, file: Path) -> Response:
    """The answer with a file, or with the news that the client's is still the same."""
    if not file.is_file():
        raise RefusalError("missing")
    return FILES.file_response(file, file.stat(), request.scope)


async def lobby_page(request: Request) -> Response:
    """The lobby."""
    games = playable()
    return await _page(request, "index", games, previews.of_lobby(request), assets.covers(games))


async def room_page(request: Request) -> Response:
    """A room's page. Where there is no such room it says so itself, as rooms are deleted while somebody looks."""
    rooms: Rooms = request.app.state.rooms
    try:
        table = (await rooms.get(request.path_params["room"], address_of(request))).table
    except RefusalError:
        return await _page(request, "room", [])
    return await _page(request, "room", [table.game.spec], previews.of_room(request, table))


async def guide_page(request: Request) -> Response:
    """The page with a game's rules. Raises RefusalError where there is no such game."""
    spec = spec_of(request.path_params["game"])
    return await _page(request, "guide", [spec], previews.of_game(request, spec))


async def learn_page(request: Request) -> Response:
    """The page with a game's guided first game. Raises RefusalError where there is none."""
    spec = spec_of(request.path_params["game"])
    if not spec.has("lesson"):
        raise RefusalError("missing")
    return await _page(request, "learn", [spec], previews.of_game(request, spec))


async def _page(request: Request, name: str, games: Sequence[GameSpec], head: str = "", body: str = "") -> Response:
    made = await asyncio.to_thread(assets.page, name, games, head, body)
    return answer_with(request, made, HTML, {"vary": "accept-language"})


async def refused(request: Request, error: Exception) -> Response:
    """Starlette's handler for refusals: in words for a person whose address has no page."""
    answer = await (web.refused if isinstance(error, RefusalError) else web.not_found)(request, error)
    if answer.status_code == HTTPStatus.NOT_FOUND and "text/html" in request.headers.get("accept", ""):
        return HTMLResponse((await asyncio.to_thread(assets.page, "missing", [])).content, HTTPStatus.NOT_FOUND)
    return answer


async def script(request: Request) -> Response:
    """The modules of a page as one; at the address without a version, a module that exports what that one does."""
    page = Path(request.url.path).stem
    made = await asyncio.to_thread(whole.page_script, page)
    if "v" not in request.query_params:
        made = document(f'export * from "/static/{page}.js?v={made.version}";\n')
    return _asset(request, made, "text/javascript")


async def sheet(request: Request) -> Response:
    """The styles of a page as one."""
    return _asset(request, await asyncio.to_thread(whole.page_sheet, Path(request.url.path).stem), "text/css")


def _asset(request: Request, made: Document, media_type: str, headers: dict[str, str] | None = None) -> Response:
    return answer_with(request, made, media_type, kept_for_good(request, made.version) | (headers or {}))


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
    return _asset(request, assets.page_texts(_language(request)), JSON)


async def game_texts(request: Request) -> Response:
    """The texts of a game, in English if it has none in the language that is asked for."""
    spec, language = spec_of(request.path_params["game"]), _language(request)
    spoken = {"content-language": language_of(spec.package, language)}
    return _asset(request, assets.game_texts(spec.package, language), JSON, spoken)


async def game_file(request: Request) -> Response:
    """A game's symbols, or its style."""
    spec = spec_of(request.path_params["game"])
    return _file(request, spec.file(request.url.path.rpartition("/")[2]))


async def game_guide(request: Request) -> Response:
    """The guide to a game: its rules with scenes."""
    return json_document(request, await asyncio.to_thread(guide, request.path_params["game"]))


async def game_lesson(request: Request) -> Response:
    """The guided first game: its steps with scenes."""
    return json_document(request, await asyncio.to_thread(lesson, request.path_params["game"]))


async def game_picture(request: Request) -> Response:
    """The picture of a game for the lobby."""
    theme = request.query_params.get("theme", THEMES[0])
    if theme not in THEMES:
        raise RefusalError("malformed", f"theme: {theme[:20]!r}")
    svg = await asyncio.to_thread(lobby_picture, request.path_params["game"], theme)
    return answer_with(request, document(svg), SVG, PICTURE_HEADERS)


async def game_png(request: Request) -> Response:
    """The same in pixels, for previews of links."""
    png = await asyncio.to_thread(lobby_png, request.path_params["game"])
    return answer_with(request, document(png), PNG, PICTURE_HEADERS)


ROUTES: Final[list[BaseRoute]] = [
    Route("/", lobby_page),
    Route("/room/{room}", room_page),
    Route("/guide/{game}", guide_page),
    Route("/learn/{game}", learn_page),
    *(Route(f"/static/{page}.js", script) for page in whole.SHEETS),
    *(Route(f"/static/{page}.css", sheet) for page in whole.SHEETS),
    Route("/static/scene.css", shared_style),
    Route("/static/messages/{language}.json", page_texts),
    Route("/games/{game}/messages/{language}.json", game_texts),
    Route("/games/{game}/guide.json", game_guide),
    Route("/games/{game}/lesson.json", game_lesson),
    Route("/games/{game}/picture.svg", game_picture),
    Route("/games/{game}/picture.png", game_png),
    Route(f"/games/{{game}}/{SPRITES}", game_file),
    Route(f"/games/{{game}}/{STYLE}", game_file),
    *(Route(f"/static/js/{module.name}", shared_script) for module in sorted(PAINTER.glob("*.js"))),
    Mount("/static", FILES),
]
