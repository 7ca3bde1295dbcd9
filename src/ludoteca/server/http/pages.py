"""Pages and files: the browser's side, with what each game adds to it."""

import asyncio
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from ludoteca.core.messages import LANGUAGES, language_of
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import SPRITES, STYLE, THEMES
from ludoteca.server.http import assets, previews, web
from ludoteca.server.http.assets import PAINTER, PUBLIC, SCENE, STATIC, answer_in_thread, json_document
from ludoteca.server.http.catalogue import guide, lesson, lobby_picture, lobby_png
from ludoteca.server.http.documents import answer_with, document
from ludoteca.server.http.previews import PNG
from ludoteca.server.http.web import PICTURE_HEADERS, SVG, rooms_of, root_of
from ludoteca.server.model.creation import spec_of
from ludoteca.server.refusals import RefusalError
from ludoteca.server.shares import address_of

HTML: Final = "text/html"
JSON: Final = "application/json"
FILES: Final = {
    **{file.relative_to(STATIC).as_posix(): file for file in STATIC.rglob("*") if file.is_file()},
    **{f"js/{file.name}": file for file in PAINTER.glob("*.js")},
    SCENE.name: SCENE,
}
"""The files below `/static`. Some are shared by all pages with scenes, and stored elsewhere."""


async def lobby_page(request: Request) -> Response:
    """The lobby."""
    games: list[GameSpec] = request.app.state.games
    return await _page(request, "index", games, previews.of_lobby(request), assets.covers(games))


async def room_page(request: Request) -> Response:
    """Return a room's page. The page is the same if there is no such room, because a room can also be deleted while its page
    is open.
    """
    try:
        table = (await rooms_of(request).get(request.path_params["room"], address_of(request))).table
    except RefusalError:
        return await _page(request, "room", [])
    return await _page(request, "room", [table.game.spec], previews.of_room(request, table))


async def guide_page(request: Request) -> Response:
    """The page with a game's rules. Raises RefusalError if there is no such game."""
    spec = spec_of(request.path_params["game"])
    return await _page(request, "guide", [spec], previews.of_game(request, spec))


async def learn_page(request: Request) -> Response:
    """The page with a game's guided first game. Raises RefusalError if there is none."""
    spec = spec_of(request.path_params["game"])
    if not spec.has("lesson"):
        raise RefusalError("missing")
    return await _page(request, "learn", [spec], previews.of_game(request, spec))


async def _page(request: Request, name: str, games: Sequence[GameSpec], head: str = "", body: str = "") -> Response:
    make = partial(assets.page, name, games, root_of(request), head, body)
    return await answer_in_thread(request, make, HTML, {"vary": "accept-language"})


async def refused(request: Request, error: Exception) -> Response:
    """Starlette's handler for refusals: in words for a person whose address has no page."""
    answer = await web.refused(request, error)
    if answer.status_code == HTTPStatus.NOT_FOUND and "text/html" in request.headers.get("accept", ""):
        page = await asyncio.to_thread(assets.page, "missing", [], root_of(request))
        return HTMLResponse(page.content, HTTPStatus.NOT_FOUND)
    return answer


async def _file(request: Request, file: Path) -> Response:
    if not file.is_file():
        raise RefusalError("missing")
    return await answer_in_thread(request, partial(assets.file_document, file), guess_type(file.name)[0] or "text/plain", {})


async def script(request: Request) -> Response:
    """The modules of a page in one file. The address without a version returns a module with the same exports."""
    page = Path(request.url.path).stem
    if "v" in request.query_params:
        return await answer_in_thread(request, partial(assets.page_script, page), "text/javascript", {})
    made = await asyncio.to_thread(assets.page_script, page)
    return answer_with(request, document(f'export * from "./{page}.js?v={made.version}";\n'), "text/javascript", {})


async def sheet(request: Request) -> Response:
    """The styles of a page as one."""
    return await answer_in_thread(request, partial(assets.page_sheet, Path(request.url.path).stem), "text/css", {})


async def static_file(request: Request) -> Response:
    """A file of the pages, or one that all pages with scenes share."""
    file = FILES.get(request.path_params["path"])
    if file is None:
        raise RefusalError("missing")
    return await _file(request, file)


def _language(request: Request) -> str:
    language = str(request.path_params["language"])
    if language not in LANGUAGES:
        raise RefusalError("missing")
    return language


async def page_texts(request: Request) -> Response:
    """The texts of the pages, of the agents, and of the server's refusals."""
    return await answer_in_thread(request, partial(assets.page_texts, _language(request)), JSON, {})


async def game_texts(request: Request) -> Response:
    """The texts of a game, in English if it has none in the language of the address."""
    spec, language = spec_of(request.path_params["game"]), _language(request)
    spoken = {"content-language": language_of(spec.package, language)}
    return await answer_in_thread(request, partial(assets.game_texts, spec.package, language), JSON, spoken)


async def game_file(request: Request) -> Response:
    """A game's symbols, or its style."""
    spec = spec_of(request.path_params["game"])
    return await _file(request, spec.file(request.url.path.rpartition("/")[2]))


async def game_guide(request: Request) -> Response:
    """The guide to a game: its rules with scenes."""
    game = request.path_params["game"]
    return await answer_in_thread(request, partial(json_document, ("guide", game), partial(guide, game)), JSON, {})


async def game_lesson(request: Request) -> Response:
    """The guided first game: its steps with scenes."""
    game = request.path_params["game"]
    return await answer_in_thread(request, partial(json_document, ("lesson", game), partial(lesson, game)), JSON, {})


async def game_picture(request: Request) -> Response:
    """The picture of a game for the lobby."""
    game, theme = request.path_params["game"], request.query_params.get("theme", THEMES[0])
    if theme not in THEMES:
        raise RefusalError("malformed", f"theme: {theme[:20]!r}")
    make = partial(PUBLIC.get, (SVG, game, theme), partial(lobby_picture, game, theme))
    return await answer_in_thread(request, make, SVG, PICTURE_HEADERS)


async def game_png(request: Request) -> Response:
    """The same in pixels, for previews of links."""
    game = request.path_params["game"]
    make = partial(PUBLIC.get, (PNG, game), partial(lobby_png, game))
    return await answer_in_thread(request, make, PNG, PICTURE_HEADERS)


ROUTES: Final[list[BaseRoute]] = [
    Route("/", lobby_page),
    Route("/room/{room}", room_page),
    Route("/guide/{game}", guide_page),
    Route("/learn/{game}", learn_page),
    *(Route(f"/static/{page}.js", script) for page in assets.SHEETS),
    *(Route(f"/static/{page}.css", sheet) for page in assets.SHEETS),
    Route("/static/messages/{language}.json", page_texts),
    Route("/games/{game}/messages/{language}.json", game_texts),
    Route("/games/{game}/guide.json", game_guide),
    Route("/games/{game}/lesson.json", game_lesson),
    Route("/games/{game}/picture.svg", game_picture),
    Route("/games/{game}/picture.png", game_png),
    Route(f"/games/{{game}}/{SPRITES}", game_file),
    Route(f"/games/{{game}}/{STYLE}", game_file),
    Route("/static/{path:path}", static_file),
]
