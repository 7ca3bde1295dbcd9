"""Write the pages of the site that are made from the code: the API's addresses and frames, and the rules of the games.

`python -m tools.generated build/docs` writes them to this folder.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from inspect import cleandoc, getdoc
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import griffe
import msgspec

from ludoteca.core.messages import ENGLISH, catalogue, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import THEMES, paint
from ludoteca.server import frames
from ludoteca.server.http import catalogue as games
from ludoteca.server.http.api import OPERATIONS, VERSION
from ludoteca.server.http.openapi import EVERYWHERE, JSON, OF_ROOMS, Operation, Refusal, document
from ludoteca.server.model.creation import playable
from ludoteca.server.refusals import CODES

Struct = type[msgspec.Struct]
CHECKED: Final = re.compile(r"Annotated\[(.+?), msgspec\.Meta\(.*?\)\]")
"""Matches a type with a constraint in the code of a struct."""
SERVER: Final = "ludoteca.server"


def main(pages: Path) -> None:
    """Write all pages to their folders below this one."""
    (pages / "reference").mkdir(exist_ok=True)
    (pages / "reference" / "http.md").write_text(http_page(), encoding="utf-8")
    (pages / "reference" / "frames.md").write_text(frames_page(), encoding="utf-8")
    (pages / "rules").mkdir()
    for spec in playable():
        text = "\n\n".join(_rules(spec, pages / "rules"))
        (pages / "rules" / f"{spec.name}.md").write_text(text, encoding="utf-8")


def http_page() -> str:
    """Return the page of all HTTP addresses, each with its purpose, its parameters, its body and its answers."""
    described = document(OPERATIONS, VERSION, "")["paths"]
    texts = catalogue(SERVER, ENGLISH)
    told = [_operation(each, described[each.path][each.method.lower()]) for each in OPERATIONS]
    kinds = _structs([kind for each in OPERATIONS for kind in (each.takes, each.gives)] + [Refusal])
    codes = [f"| `{code}` | {status} | {texts.get(f'error.{code}', '')} |" for code, status in CODES.items()]
    return "\n\n".join(
        [
            "# HTTP addresses",
            "This is the reference for programs that talk to a server over HTTP; [the API](../api.md) shows how to begin. "
            "A running server describes the same addresses as OpenAPI 3.1 at `/api/openapi.json`.",
            f"A refused request changes nothing. Its answer is a [Refusal](#refusal). {_codes(EVERYWHERE)} are possible "
            f"everywhere, {_codes(OF_ROOMS)} if the address names a room, and {_codes(['origin'])} if the request is not a "
            "`GET`. [Codes of refusals](#codes-of-refusals) has all codes.",
            *told,
            "## Types",
            *(_fields(kind, kind.__name__) for kind in kinds),
            "## Codes of refusals",
            "\n".join(["| code | status | told to a person |", "|---|---|---|", *codes]),
        ]
    )


def _operation(each: Operation, described: dict[str, Any]) -> str:
    lines = [f"## {each.method} {each.path}", getdoc(each.endpoint) or ""]
    for parameter in described["parameters"]:
        schema = parameter["schema"]
        values = " or ".join(f"`{value}`" for value in schema.get("enum", [])) or schema["type"]
        limits = f" from {schema['minimum']} to {schema['maximum']}" if "minimum" in schema else ""
        lines.append(f"- `{parameter['name']}` in the {parameter['in']}: {values}{limits}")
    if each.secret:
        lines.append("- header: `Authorization: Bearer KEY`")
    if each.takes:
        lines.append(f"- body: {_linked(each.takes)}")
    kept = ", or 304 if your copy (`If-None-Match`) is still right" if each.may_be_kept else ""
    lines.append(f"- answer: {each.status} {_linked(each.gives) if each.gives else 'without a body'}{kept}")
    if each.refusals:
        lines.append(f"- refusals: {_codes(each.refusals)}")
    return f"{lines[0]}\n\n{lines[1]}\n\n" + "\n".join(lines[2:])


def _linked(kind: Any) -> str:
    """Return the name of a type, which leads to its section on the same page."""
    if isinstance(kind, str):
        return f"`{kind}`"
    found = next(_structs([kind]), None)
    name = f"[{found.__name__}](#{found.__name__.lower()})" if found else f"an object (`{JSON}`)"
    return f"a list of {name}" if found and found is not kind else name


def _codes(codes: Iterable[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def _structs(kinds: Iterable[Any]) -> Iterator[Struct]:
    """Yield the structs among these types, and those in their fields, each once."""
    found: dict[Struct, None] = {}

    def search(kind: Any) -> None:
        if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
            parts = get_args(kind)
        elif kind in found:
            return
        else:
            found[kind] = None
            parts = tuple(get_type_hints(kind).values())
        for part in parts:
            search(part)

    for kind in kinds:
        search(kind)
    return iter(found)


@cache
def _package() -> griffe.Object | griffe.Alias:
    return griffe.load("ludoteca", search_paths=["src"])


def _fields(kind: Struct, title: str) -> str:
    """Return a section about a struct: its docstring, and each field with its type and its docstring."""
    lines = []
    for name, encoded in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True):
        owner = next(base for base in kind.__mro__ if name in base.__annotations__)
        field = _package()[f"{owner.__module__}.{owner.__name__}.{name}".partition(".")[2]]
        usual = f", `{field.value}` if absent" if field.value else ""
        about = f": {' '.join(cleandoc(field.docstring.value).split())}" if field.docstring else ""
        plain = CHECKED.sub(r"\1", str(field.annotation))
        lines.append(f"- `{encoded}` (`{plain}`{usual}){about}")
    form = "Its fields, sent as an array in this order:" if kind.__struct_config__.array_like else "Its fields:"
    return f"### {title}\n\n{getdoc(kind)}\n\n{form}\n\n" + "\n".join(lines)


def frames_page() -> str:
    """Return the page of all frames between a client and a room."""
    sent, received = get_args(frames.Request), get_args(frames.Answer)
    others = [kind for kind in _structs([*sent, *received]) if kind not in {*sent, *received}]
    return "\n\n".join(
        [
            "# Frames of the WebSocket",
            "This is the reference for clients of a room's WebSocket, `/ws/ROOM`; [the API](../api.md) shows how to begin.",
            getdoc(frames) or "",
            "## From a client",
            *(_fields(kind, f"`{kind.__struct_config__.tag}`") for kind in sent),
            "## From the server",
            *(_fields(kind, f"`{kind.__struct_config__.tag}` ({kind.__name__})") for kind in received),
            "## Parts of frames",
            "A `Message` is a text, a number, or an array of a key and its arguments. A `Number` is an integer from 0 to "
            "2^53 - 1. A `ChoiceFrame` is an array of an action, the ids of the items to touch for it, and a label.",
            *(_fields(kind, kind.__name__) for kind in others),
        ]
    )


def _rules(spec: GameSpec, directory: Path) -> Iterator[str]:
    texts, guide, number = catalogue(spec.package, ENGLISH), games.guide(spec.name), 0
    yield f"# The rules of {spec.title}"
    yield in_words(guide["aim"], texts)
    for section in guide["sections"]:
        yield f"## {in_words(section['title'], texts)}"
        for part in section["parts"]:
            yield in_words(part["told"], texts)
            yield "\n".join(f"- {in_words(point, texts)}" for point in part["points"])
            if picture := part["picture"]:
                number += 1
                for theme in THEMES:
                    name = f"{spec.name}-{number}-{theme}.svg"
                    (directory / name).write_text(paint(spec, picture["scene"], theme), encoding="utf-8")
                    yield f"![{in_words(picture['shows'], texts)}]({name}#only-{theme}){{ width=420 }}"
                yield f"*{in_words(picture['caption'], texts)}*"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
