"""Several modules of JavaScript as one script: for a page that has no other file, and for one that asks for few.

A browser loads no module from a page that lies on the disk, and asks a server for each one by itself. The modules are ours,
and of the simplest kind: what they import stands in braces and comes from a neighbour, and what they export is declared
there, or is a neighbour's. Anything else is refused.
"""

import re
from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^import \{([\w\s,]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_PASSED_ON: Final = re.compile(r'^export \{([\w\s,]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def in_order(entry: str, files: Iterable[Path]) -> list[Path]:
    """The module of that name and all of these files that it needs: each stands after those that it imports, itself last.

    Raises ValueError for modules that import each other, and KeyError for one that is not among the files.
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
    """The modules as one script; each stands after those that it imports. Raises ValueError for what this cannot do."""
    return "".join(_enclosed(file) for file in _checked(modules))


def bundle_module(entry: str, files: Iterable[Path]) -> str:
    """A module that waits for and exports what the one of that name does, and imports nothing. Raises as the others do."""
    *others, last = in_order(entry, files)
    return bundle(others) + _body(last, last.read_text(encoding="utf-8"))


def _checked(modules: Sequence[Path]) -> Sequence[Path]:
    known = set[str]()
    for file in modules:
        needed = set(_needed(file.read_text(encoding="utf-8")))
        if needed - known:
            raise ValueError(f"{file.name} imports {', '.join(sorted(needed - known))}, which must stand before it")
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
    """A module's text, with constants for what it imports."""
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", text)
    if left := _LEFT.search(_EXPORT.sub("", body)):
        raise ValueError(f"{file.name}: {left[0]!r} is no import or export that can be bundled")
    return body
