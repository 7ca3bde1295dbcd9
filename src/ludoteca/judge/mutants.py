"""Mutants: our own programs with one broken sentence of the document, run in this process as wrong programs."""

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
from ludoteca.judge.variants import variant

KEPT: Final = "judging"
"""Modules of a game whose names begin with this keep the original function, because a replacement may call it."""


@contextmanager
def broken(spec: GameSpec, mutant: Mutant) -> Iterator[GameSpec]:
    """Give the game whose program is the mutant, for this block: a variant, or the same game with one function replaced.

    Raises ContractError if the mutant does not fit the game: see `variants.variant` and `_replaced`.
    """
    if mutant.replacement is None:
        yield variant(spec.package, mutant)
    else:
        with _replaced(spec, mutant):
            yield spec


@contextmanager
def _replaced(spec: GameSpec, mutant: Mutant) -> Iterator[None]:
    """Put the mutant's replacement in place of its function, under that name, in every module of the game that has it.

    Games that are made in the block are interpreted and end with it. A table that a module computed from the function
    at import stays as it was. The caches of the game's functions (`functools.cache`) are cleared before the block and after.

    Raises ContractError if the game has no such function, or replaces it by itself.
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
    """Return all modules of a game except the kept ones. Import them, so that no block imports one for the first time."""
    whole = import_module(package)
    names = [module.name for module in pkgutil.walk_packages(whole.__path__, f"{package}.")]
    return [whole, *(import_module(name) for name in names if not name.startswith(f"{package}.{KEPT}"))]


@cache
def _caches(package: str) -> list[Callable[[], None]]:
    """Return the functions that clear the caches of a game's functions."""
    modules = _modules(package)
    names = {module.__name__ for module in modules}
    values = (value for module in modules for value in vars(module).values())
    return [value.cache_clear for value in values if hasattr(value, "cache_clear") and value.__module__ in names]


def _forget(package: str) -> None:
    for clear in _caches(package):
        clear()
