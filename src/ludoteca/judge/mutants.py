"""Our own programs with one function replaced, run in this process: what a wrong program would print."""

import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
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
    modules = _modules(spec.package)
    original = getattr(spec.module(mutant.module), mutant.function, None)
    if not callable(original) or original is mutant.replacement:
        raise ContractError(
            f"{spec.name}: the mutant {mutant.name!r} replaces no function {mutant.module}.{mutant.function}"
        )
    known = [module for module in modules if vars(module).get(mutant.function) is original]
    with native.apart():
        _forget(spec.package)
        for module in known:
            setattr(module, mutant.function, mutant.replacement)
        try:
            yield
        finally:
            for module in known:
                setattr(module, mutant.function, original)
            _forget(spec.package)


@cache
def _modules(package: str) -> list[ModuleType]:
    """All modules of a game but those that are kept. They are imported, so that none is first imported in a block."""
    whole = import_module(package)
    names = [module.name for module in pkgutil.iter_modules(whole.__path__) if not module.name.startswith(KEPT)]
    return [whole, *(import_module(f"{package}.{name}") for name in names)]


@cache
def _caches(package: str) -> list[Callable[[], None]]:
    """What clears the caches of a game's functions."""
    modules = _modules(package)
    names = {module.__name__ for module in modules}
    values = (value for module in modules for value in vars(module).values())
    return [value.cache_clear for value in values if hasattr(value, "cache_clear") and value.__module__ in names]


def _forget(package: str) -> None:
    for clear in _caches(package):
        clear()
