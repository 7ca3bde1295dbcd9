"""Builds HTML pages from Python, and combines JavaScript modules into one script, so that a page can be one file. Texts from
outside are escaped, so they never become HTML elements.

A browser does not load modules for a page that is a file on the disk, and from a server it requests each module separately.
The JavaScript modules must be simple: they import names in braces from a module in the same folder, and they export their
own declarations or names of a module in the same folder. Any other import or export is refused.
"""

import re
from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path
from typing import Final, NewType

Html = NewType("Html", str)

_NO_TEXT: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(content: object) -> str:
    """Return a content as text, with the sign for an unknown character in place of each control character and each character
    that changes the direction of the text after it.
    """
    return _NO_TEXT.sub("\ufffd", str(content))


def text(content: object) -> Html:
    """Return a content as HTML that shows it as text. Control characters are replaced as by `plain`."""
    return Html(escape(plain(content)))


def element(name: str, *inner: Html, **attributes: str) -> Html:
    """Return an HTML element with a name, the elements or texts inside it, and attributes.

    In the name of an attribute, `_` becomes `-`, and a `_` at the end is left out: `class_="a"` gives `class="a"`.
    """
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{''.join(inner)}</{name}>")


def table(caption: Html, head: Sequence[Html], rows: Sequence[Sequence[Html]], **attributes: str) -> Html:
    """Return an HTML table. `caption` is its `caption` element, `head` has the cells of the first row, and `rows` the cells
    of the others. On a narrow screen the table scrolls sideways, also by keyboard.
    """
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
    """Return a complete HTML page. `body` has the elements of the page, `style` is its style sheet, and `head` has more
    elements of the head, such as scripts.
    """
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


_IMPORT: Final = re.compile(r'^import \{([\w\s,]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_PASSED_ON: Final = re.compile(r'^export \{([\w\s,]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def in_order(entry: str, files: Iterable[Path]) -> list[Path]:
    """Return the file of the module `entry` and of every module that it imports, directly or indirectly. Each file comes
    after the files that it imports.

    `files` are the JavaScript files that can be imported. Raises ValueError if modules import each other, and KeyError if an
    imported module is not among the files.
    """
    named = {file.stem: file for file in files}
    graph = dict[str, list[str]]()
    found = [entry]
    while found:
        name = found.pop()
        if name not in graph:
            graph[name] = _needed(named[name].read_text(encoding="utf-8"))
            found += graph[name]
    return [named[name] for name in TopologicalSorter(graph).static_order()]


def _needed(text: str) -> list[str]:
    return [name for pattern in (_IMPORT, _PASSED_ON) for _, name in pattern.findall(text)]


def bundle(modules: Sequence[Path]) -> str:
    """Return one script with all the given modules. Each module must come after the modules that it imports.

    Raises ValueError if the order is wrong, or if a module has an import or export in a form that is not supported.
    """
    return "".join(_enclosed(file) for file in _checked(modules))


def bundle_module(entry: str, files: Iterable[Path]) -> str:
    """Return one JavaScript module that exports the names of the module `entry` and imports nothing, because it contains all
    modules that it needs. `files` are the JavaScript files that can be imported.

    Raises ValueError if modules import each other or have an import or export in a form that is not supported, and KeyError
    if an imported module is not among the files.
    """
    *others, last = in_order(entry, files)
    return bundle(others) + _body(last, last.read_text(encoding="utf-8"))


def _checked(modules: Sequence[Path]) -> Sequence[Path]:
    known = set[str]()
    for file in modules:
        needed = set(_needed(file.read_text(encoding="utf-8")))
        if needed - known:
            raise ValueError(f"{file.name} imports {', '.join(sorted(needed - known))}, which must come before it")
        known.add(file.stem)
    return modules


def _enclosed(file: Path) -> str:
    text = file.read_text(encoding="utf-8")
    exports = _EXPORT.findall(text)
    for names, module in _PASSED_ON.findall(text):
        exports += [f"{name}: module_{module}.{name}" for name in re.findall(r"\w+", names)]
    body = _EXPORT.sub("", _body(file, _PASSED_ON.sub("", text)))
    return f"const module_{file.stem} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();\n"


def _body(file: Path, text: str) -> str:
    """Return the text of a module in which each import is replaced by constants. Raises ValueError for an import or export
    in a form that is not supported.
    """
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", text)
    if left := _LEFT.search(_EXPORT.sub("", body)):
        raise ValueError(f"{file.name}: {left[0]!r} cannot be bundled")
    return body
