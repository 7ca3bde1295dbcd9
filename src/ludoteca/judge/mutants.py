"""Our own programs with one function replaced, run in this process: what a wrong program would print."""

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Final

from ludoteca.core import native
from ludoteca.core.errors import ContractError
from ludoteca.core.judging import Mutant
from ludoteca.core.spec import GameSpec

KEPT: Final = "judging"
"""Modules of a game whose names begin so keep the function that is replaced elsewhere: a replacement may call it."""


@contextmanager
def broken(spec: GameSpec, mutant: Mutant) -> Iterator[None]:
    """Let the mutant's replacement stand for its function, by that name, in every module of the game that knows it.

    Games that are made in the block are interpreted and do not outlive it. What modules have made of the function when they
    were imported, such as a table of its values, stays as it was. Afterwards everything is as before: what the game's
    functions keep of earlier calls (`functools.cache`) is forgotten before the block and after it.

    Raises ContractError when the game has no such function, or replaces it by itself.
    """
    modules = _modules(spec)
    original = getattr(spec.module(mutant.module), mutant.function, None)
    if not callable(original) or original is mutant.replacement:
        raise ContractError(
            f"{spec.name}: the mutant {mutant.name!r} replaces no function {mutant.module}.{mutant.function}"
        )
    known = [module for module in modules if vars(module).get(mutant.function) is original]
    with native.apart():
        _forget(modules)
        for module in known:
            setattr(module, mutant.function, mutant.replacement)
        try:
            yield
        finally:
            for module in known:
                setattr(module, mutant.function, original)
            _forget(modules)


def _modules(spec: GameSpec) -> list[ModuleType]:
    """All modules of a game but those that are kept. They are imported, so that none is first imported in a block."""
    package = import_module(spec.package)
    names = [module.name for module in pkgutil.iter_modules(package.__path__) if not module.name.startswith(KEPT)]
    return [package, *(import_module(f"{spec.package}.{name}") for name in names)]


def _forget(modules: list[ModuleType]) -> None:
    """Clear what functions of these modules keep."""
    names = {module.__name__ for module in modules}
    for module in modules:
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear") and value.__module__ in names:
                value.cache_clear()
