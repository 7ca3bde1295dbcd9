"""Variants: a second copy of a game's package, in which the source of one module is changed.

The modules of a copy have other names, so it shares nothing with the game: no tables that are computed at import, no caches,
no bindings. There is no machine code for these names, so a variant runs interpreted.
"""

import ast
import builtins
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple, cast

from ludoteca.core.errors import ContractError
from ludoteca.core.folders import module_path
from ludoteca.core.judging import Mutant
from ludoteca.core.spec import GameSpec


class _Copy(NamedTuple):
    """The source of a copy's modules."""

    package: str
    """The import path of the package that is copied."""
    changed: str
    """The name of the changed module in the copy."""
    source: str
    """The source of the changed module."""


_COPIES: Final[dict[str, _Copy]] = {}
"""The copies of this process, by the names of their packages."""


@cache
def variant(package: str, mutant: Mutant) -> GameSpec:
    """Return the `GAME` of a copy of the game's package with the changes of the mutant. Each copy is made once in a process.

    Raises ContractError if a text to replace does not occur exactly once in its function.
    """
    name = f"_variant{len(_COPIES)}"
    changed = name + module_path(package, mutant.module).removeprefix(package)
    _COPIES[name] = _Copy(package, changed, changed_source(package, mutant))
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    return cast(GameSpec, import_module(name).GAME)


def changed_source(package: str, mutant: Mutant) -> str:
    """Return the source of the mutant's module with its changes. Raises ContractError, as `variant` does."""
    path = module_path(package, mutant.module)
    lines, spans = _read(path)
    changed = [*lines]
    for function, old, new in ((mutant.function, mutant.old, mutant.new), *mutant.also):
        span = spans.get(function, slice(0))
        before = "".join(changed[span])
        if not old or before.count(old) != 1:
            raise ContractError(f"the mutant {mutant.name!r}: expected {old!r} exactly once in {path}.{function}")
        changed[span] = [before.replace(old, new), *[""] * (span.stop - span.start - 1)]
    return "".join(changed)


@cache
def _read(path: str) -> tuple[list[str], Mapping[str, slice]]:
    """Return the lines of a module's source, and the lines of its functions."""
    source = Path(str(import_module(path).__file__)).read_text(encoding="utf-8")
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return source.splitlines(keepends=True), {each.name: slice(each.lineno - 1, each.end_lineno) for each in functions}


@cache
def _code(path: str, source: str) -> CodeType:
    """Return the code of a module. Copies share the code of unchanged modules."""
    return compile(source, path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Finds the modules of copies at their import."""

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        """Return the import specification of a copy's module. None for any other module."""
        name, dot, rest = fullname.partition(".")
        found = find_spec(_COPIES[name].package + dot + rest) if name in _COPIES else None
        if found is None or found.origin is None:
            return None
        folders = found.submodule_search_locations
        loader = _Loader(fullname, found.origin)
        return spec_from_file_location(fullname, found.origin, loader=loader, submodule_search_locations=folders)


class _Loader(SourceFileLoader):
    """Loads a module of a copy. Its imports from the original package become imports from the copy."""

    def get_code(self, fullname: str) -> CodeType:
        copy = _COPIES[fullname.partition(".")[0]]
        changed = fullname == copy.changed
        return _code(self.path, copy.source if changed else Path(self.path).read_text(encoding="utf-8"))

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.partition(".")[0]
        package = _COPIES[name].package

        def of_copy(path: str, *arguments: Any) -> ModuleType:
            inside = path == package or path.startswith(f"{package}.")
            return __import__(name + path.removeprefix(package) if inside else path, *arguments)

        vars(module)["__builtins__"] = {**vars(builtins), "__import__": of_copy}
        super().exec_module(module)


_FINDER: Final = _Finder()
