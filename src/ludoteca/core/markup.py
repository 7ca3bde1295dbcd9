"""Pieces of HTML. Content from outside becomes text in them, and never markup."""

import re
from collections.abc import Sequence
from html import escape
from typing import Final, NewType

Html = NewType("Html", str)

_NO_TEXT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(content: object) -> str:
    """Return a text without control characters, and without characters that change the direction of text after them."""
    return _NO_TEXT.sub("\ufffd", str(content))


def text(content: object) -> Html:
    """Return a `plain` text as HTML."""
    return Html(escape(plain(content)))


def element(name: str, *inner: Html, **attributes: str) -> Html:
    """Return an element. In the name of an attribute, `_` means `-`, and a `_` at the end is left out."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{''.join(inner)}</{name}>")


def table(caption: Html, head: Sequence[Html], rows: Sequence[Sequence[Html]], **attributes: str) -> Html:
    """Return a table of cells (`th` and `td`). On a small screen its rows scroll, by keyboard too."""
    lines = (element("tr", *row) for row in rows)
    inner = element(
        "table",
        caption,
        element("thead", element("tr", *head)),
        element("tbody", *lines),
        **attributes,
    )
    return element("div", inner, class_="scroll", tabindex="0", role="group")


def document(language: str, title: str, style: str, body: Sequence[Html], head: Sequence[Html] = ()) -> str:
    """Return a whole page. `head` is added to the elements of the head that all pages share."""
    every = [
        Html('<meta charset="utf-8">'),
        *head,
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        Html('<meta name="referrer" content="no-referrer">'),
        element("title", text(title)),
        Html(f"<style>{style}</style>"),
    ]
    whole = element("html", element("head", *every), element("body", *body), lang=language)
    return f"<!doctype html>\n{whole}\n"
