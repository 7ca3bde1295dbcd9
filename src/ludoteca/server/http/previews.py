"""Previews of links: Open Graph's title, description and picture, as a spectator sees them. Pictures are PNG files."""

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from typing import Final

import msgspec
from starlette.requests import Request

from ludoteca.core.errors import MissingExtraError
from ludoteca.core.messages import Message, catalogue, in_words, language_among
from ludoteca.core.scene import Scene
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import paint
from ludoteca.server.http.assets import page_texts
from ludoteca.server.http.web import root_of
from ludoteca.server.model.events import AGENT, OPEN
from ludoteca.server.model.table import Occupant, Table
from ludoteca.server.refusals import RefusalError

SITE: Final = "Ludoteca"
PNG: Final = "image/png"
GIF: Final = "image/gif"
HAS_PNG: Final = find_spec("resvg_py") is not None
"""True if pictures can be drawn in pixels. The package that draws them is not loaded for this."""


def png_of(spec: GameSpec, scene: Scene, theme: str, seats: Sequence[str] = ()) -> bytes:
    """Return the scene as a PNG file. `seats` are the names of the players.

    Raises RefusalError (`pictures`) if the package that draws PNG files is not installed.
    """
    try:
        from ludoteca.pictures.files import png
    except MissingExtraError:
        raise RefusalError("pictures") from None
    return png(spec, paint(spec, scene, theme, seats), theme, spec.title)


def language_wished(request: Request) -> str:
    """Return the first language that the reader asks for and that the pages have, or English if there is none."""
    return language_among(request.headers.get("accept-language", ""))


def of_lobby(request: Request) -> str:
    """Return the elements for the head of the lobby."""
    return _head(request, SITE, _words(("lobby.lead",), language_wished(request)))


def of_game(request: Request, spec: GameSpec) -> str:
    """Return the elements for the head of a page about a game."""
    return _head(request, spec.title, _summary(spec, language_wished(request)), f"/games/{spec.name}/picture.png")


def of_room(request: Request, table: Table) -> str:
    """Return the elements for the head of a room's page: its players, and the position as a spectator sees it."""
    spec, language = table.game.spec, language_wished(request)
    players = " – ".join(_words(_name(occupant), language) for occupant in table.seats)
    described = f"{players}. {_summary(spec, language)}"
    return _head(request, spec.title, described, f"/api/rooms/{table.row.id}/picture.png")


def _name(occupant: Occupant) -> Message:
    """As `static/js/plates.js` has it."""
    if occupant.kind == AGENT:
        return ("agent.level", occupant.agent) if occupant.agent.isdigit() else (f"agent.{occupant.agent}",)
    return ("seat.open",) if occupant.kind == OPEN else occupant.name or ("name.me",)


def _summary(spec: GameSpec, language: str) -> str:
    return catalogue(spec.package, language).get("summary", spec.summary)


def _words(message: Message, language: str) -> str:
    return in_words(message, msgspec.json.decode(page_texts(language).content))


def _head(request: Request, title: str, described: str, picture: str = "") -> str:
    told = {"og:type": "website", "og:site_name": SITE, "og:title": title, "og:description": described}
    card = {"description": described}
    if picture and HAS_PNG:
        told["og:image"] = str(request.base_url.replace(path=root_of(request) + picture))
        card["twitter:card"] = "summary_large_image"  # or the picture stays a stamp
    return "".join(
        f'<meta {kind}="{name}" content="{escape(value)}">\n'
        for kind, facts in (("property", told), ("name", card))
        for name, value in facts.items()
    )
