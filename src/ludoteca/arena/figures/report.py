"""A web page about a tournament or a match: its tables, and all games to be replayed.

The page is one file that loads no other files. Its content security policy allows only its own style and script, by their
digests, so that code in the names or outputs of bots is never run.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from ludoteca.arena.figures import sections
from ludoteca.arena.figures.ratings import Results, game_of
from ludoteca.arena.figures.replays import eyes_of, packed
from ludoteca.arena.figures.sections import PACKAGE, say
from ludoteca.arena.matches.results import Played
from ludoteca.core.formats import Place
from ludoteca.core.markup import Html, bundle, document, element, plain, text
from ludoteca.core.messages import LANGUAGES, catalogue, language_of
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import STYLE, sprites

_CORE: Final = Path(str(resources.files("ludoteca.core")))
_PAGE: Final = Path(str(resources.files(PACKAGE))) / "page"
PAINTER: Final = ("texts", "elements", "scenes", "symbols", "flights", "field", "painter")
SCRIPTS: Final = (
    *(_CORE / "painter" / f"{name}.js" for name in PAINTER),
    *(_PAGE / f"{name}.js" for name in ("replay", "report")),
)


def html(
    results: Results,
    games: Sequence[Played],
    title: str,
    facts: Mapping[str, object],
    standings: Sequence[Place] = (),
    progress: Callable[[float], None] = lambda _: None,
) -> str:
    """Return the text of the HTML file.

    `facts` are the settings of the tournament to show, such as its parameters and seed. `standings` is the final table of
    the tournament's format. Every game is replayed, with interpreted rules, and `progress` is called with the finished part,
    from 0 to 1. Raises LudotecaError if a record cannot be replayed.
    """
    games = sorted(games, key=_in_order)
    shown = []
    for number, game in enumerate(games):
        shown.append(_shown(game))
        progress((number + 1) / len(games))
    specs = {spec.name: spec for spec in (game_of(game.record).spec for game in games)}
    data = {
        "texts": {language: catalogue(PACKAGE, language) for language in LANGUAGES},
        "games": {name: _look(spec) for name, spec in specs.items()},
        "played": shown,
    }
    embedded = json.dumps(data).replace("<", "\\u003c")  # which could end the element or begin a comment
    styles = _CORE / "scene.css", *(spec.file(STYLE) for spec in specs.values()), _PAGE / "report.css"
    sheet = "\n".join(file.read_text(encoding="utf-8") for file in styles if file.is_file())
    script = bundle(SCRIPTS)
    body = [
        _header(title),
        element(
            "main",
            element("noscript", say("p", "report.noscript", class_="notice")),
            *([sections.standings(standings)] if standings else []),
            sections.final_table(results),
            sections.ratings(results),
            sections.meetings(results),
            sections.faults(games),
            sections.conditions(games, {**facts, "processor": ", ".join(results.processors) or "unknown"}),
            sections.games_list(games, [line.name for line in results.bots]),
            element("section", id="replay", hidden="", aria_labelledby="replay-title"),
        ),
        element("footer", say("p", "report.made", version("ludoteca"), class_="fine")),
        element("div", id="sprites", class_="sprites", aria_hidden="true"),
        Html(f'<script type="application/json" id="data">{embedded}</script>'),
        Html(f'<script type="module">{script}</script>'),
    ]
    policy = Html(f'<meta http-equiv="Content-Security-Policy" content="{_policy(sheet, script)}">')
    return document("en", title, sheet, body, [policy])


def _in_order(game: Played) -> list[tuple[int, str]]:
    """Return a key for sorting games that puts deal 2 before deal 10."""
    return [(int(part) if part.isdecimal() else 0, part) for part in re.split(r"([0-9]+)", game.key)]


def _policy(sheet: str, script: str) -> str:
    def digest(content: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"

    return f"default-src 'none'; script-src {digest(script)}; style-src {digest(sheet)}; base-uri 'none'; form-action 'none'"


def _shown(game: Played) -> dict[str, Any]:
    """Return the page's data of one game."""
    return {
        "key": plain(game.key),
        "game": game.record.game,
        "seats": [
            {
                "bot": plain(seat.bot),
                "score": seat.score,
                "won": seat.won,
                "fault": plain(seat.fault),
                "detail": plain(seat.detail),
            }
            for seat in game.seats
        ],
        "eyes": eyes_of(game_of(game.record)),
        "over": game.record.result is not None,
        "opening": game.opening,
        "times": [round(seconds, 3) for seconds in game.times],
        "packed": packed(game.record, [plain(seat.errors) for seat in game.seats]),
    }


def _look(spec: GameSpec) -> dict[str, Any]:
    """Return the data with which the page draws a game and describes its moves."""
    return {
        "title": spec.title,
        "sprites": sprites(spec) if spec.has("scene") else "",
        "texts": {language: catalogue(spec.package, language) for language in LANGUAGES},
        "spoken": {language: language_of(spec.package, language) for language in LANGUAGES},
    }


def _header(title: str) -> Html:
    themes = [say("option", f"report.theme.{theme}", value=theme) for theme in ("auto", "light", "dark")]
    return element(
        "header",
        element("h1", text(title)),
        element("label", say("span", "report.language"), element("select", id="language")),
        element("label", say("span", "report.theme"), element("select", *themes, id="theme")),
        class_="bar",
    )
