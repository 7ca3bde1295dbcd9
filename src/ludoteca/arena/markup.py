"""Pieces of HTML: whatever comes from outside becomes text in them, and never anything else."""

import json
import re
from collections.abc import Sequence
from html import escape
from typing import Final, NewType

from ludoteca.core.messages import ENGLISH, Message, catalogue, in_words

Html = NewType("Html", str)
PACKAGE: Final = "ludoteca.arena"
"""Whose catalogues the page's texts are from. They are written in English, and a script words them in other languages."""

_NO_TEXT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(content: object) -> str:
    """Somebody's text without control characters, and without those that turn round the direction of what follows."""
    return _NO_TEXT.sub("\ufffd", str(content))


def text(content: object) -> Html:
    """A text as it stands, but for what `plain` replaces."""
    return Html(escape(plain(content)))


def element(name: str, *inner: Html, **attributes: str) -> Html:
    """An element; `_` in the name of an attribute stands for `-`, and one at the end is left out."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{''.join(inner)}</{name}>")


def say(name: str, *message: Message, **attributes: str) -> Html:
    """An element with a text of the page's own: a key and its arguments."""
    return element(
        name, text(in_words(message, catalogue(PACKAGE, ENGLISH))), data_message=json.dumps(message), **attributes
    )


def table(caption: Html, head: Sequence[Html], rows: Sequence[Sequence[Html]], **attributes: str) -> Html:
    """A table of cells (`th` and `td`), whose rows scroll on a small screen; the keyboard can scroll them, too."""
    lines = (element("tr", *row) for row in rows)
    inner = element(
        "table",
        caption,
        element("thead", element("tr", *head)),
        element("tbody", *lines),
        **attributes,
    )
    return element("div", inner, class_="scroll", tabindex="0", role="group")


def numeral(value: object, kind: str = "") -> Html:
    """A cell with a figure, of a class of its own."""
    return element("td", text(value), class_=f"figure {kind}".strip())


def heading(key: str, kind: str = "") -> Html:
    """The head of a column, with a text of the page's own; of kind `figure` above figures."""
    return say("th", key, scope="col", class_=kind)


def named(name: str) -> Html:
    """The head of a row: a bot's name."""
    return element("th", text(name), scope="row")
