"""JavaScript modules combined into one script, for a page without other files or with few requests.

A browser does not load modules from a page on the disk, and sends a request to a server for each module. The supported
modules are simple. They import names in braces from a module in the same folder. They export their own declarations, or
names of a module in the same folder. Any other import or export is refused.
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
    """Return the entry module and the files that it needs. Each module comes after the modules that it imports.

    Raises ValueError for modules that import each other, and KeyError for a module that is not among the files.
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
    """Return the modules as one script. Each must come after the modules that it imports.

    Raises ValueError for a wrong order, and for an import or export that is not supported.
    """
    return "".join(_enclosed(file) for file in _checked(modules))


def bundle_module(entry: str, files: Iterable[Path]) -> str:
    """Return a module that exports the names of the entry module and imports nothing.

    Raises the errors of `in_order` and `bundle`.
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
    """Return the text of a module, with constants in place of its imports."""
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = module_{found[2]};\n", text)
    if left := _LEFT.search(_EXPORT.sub("", body)):
        raise ValueError(f"{file.name}: {left[0]!r} cannot be bundled")
    return body
