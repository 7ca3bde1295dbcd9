"""Bindings: a game's rules put under a generic module, interpreted or compiled by Numba.

A binding is made of copies. Every function that the generic module's functions reach through global names is copied with
globals of its own, in which the reached functions are copies too; the names of the contract that the generic module uses
stand for the functions of the rules. So two games, or two policies of one game, never share a function, and every copy's
`__qualname__` begins with the binding's name: Numba's cache on disk tells functions apart by that name, their signature
and their bytecode, and would else run one game's machine code on the other's records.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, get_type_hints

import numpy as np

from ludoteca.core import uniform
from ludoteca.core.contract import CONSTANTS, ENDGAME, FUNCTIONS, HEURISTICS, Integers, Records, Words
from ludoteca.core.errors import ContractError

_GIVEN: Final = frozenset((*FUNCTIONS, *CONSTANTS, *HEURISTICS, *ENDGAME))

_POLICY: Final = HEURISTICS[0]
_VALUES: Final = HEURISTICS[1]

_OPTIONS: Final[dict[str, Any]] = {"cache": True, "forceinline": True, "_nrt": False, "nogil": True}
"""Without forceinline the rules' larger functions stay calls, and playouts lose a quarter of their speed. Rules allocate
nothing, so reference counts are wasted on them (`_nrt`): a rule that allocates does not compile."""


class Binding:
    """The public functions of a generic module, bound to a game: `binding.play_games(...)`.

    `name` says what is bound to what, `compiled` how it runs. Compiled functions take arrays of the game's records
    (`Records`), of uint64 (`Words`) and of int64 (`Integers`), all C-contiguous, Python numbers, and named tuples of these;
    arrays of other records are annotated `Annotated[Records, DTYPE]`.
    """

    def __init__(self, name: str, compiled: bool, functions: dict[str, Callable[..., Any]]) -> None:
        self.name = name
        self.compiled = compiled
        self._functions = functions

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return self._functions[name]
        except KeyError:
            raise AttributeError(f"{self.name} has no function {name}; it has {', '.join(self._functions)}") from None

    def __repr__(self) -> str:
        return f"<Binding {self.name} {'compiled' if self.compiled else 'interpreted'}>"


@cache
def bind(
    rules: ModuleType,
    generic: ModuleType,
    policy: ModuleType | None = None,
    values: ModuleType | None = None,
    *,
    compiled: bool,
) -> Binding:
    """Put `rules` under `generic`; playouts follow `policy`, or choose uniformly.

    `values` is where `action_values` comes from, if not from the policy: with heuristics as values and no policy, playouts
    are uniform and what looks best is tried first.

    Each binding is made once in a process. Compiling takes seconds the first time on a machine; later the functions
    come from the cache (`core.store`).

    Raises ContractError when the generic module defines a name of the contract itself, or the policy lacks its function.
    """
    name = binding_name(rules, generic, policy, values)
    given = _given(rules, generic, policy, values)
    if not compiled:
        return Binding(name, False, _Copies(name, given, lambda function: function).of_module(generic))
    from ludoteca.core import store  # what it imports takes a tenth of a second

    with store.folder(name, sources(rules, generic, policy, values)) as folder:
        return Binding(name, True, _compile(name, given, generic, rules, folder))


def binding_name(rules: ModuleType, generic: ModuleType, policy: ModuleType | None, values: ModuleType | None = None) -> str:
    """A name that no other binding has, fit for a file name: without a policy, values come after two signs."""
    names = [module.__name__ if module else "" for module in (rules, generic, policy, values)]
    return "+".join(names).rstrip("+")


def sources(*modules: ModuleType | None) -> list[Path]:
    """Every Python file that the modules' code may depend on: their folders', and the generator's."""
    folders = {Path(module.__file__).parent for module in modules if module and module.__file__}
    return [path for folder in (*folders, Path(__file__).parent) for path in folder.glob("*.py")]


def _given(rules: ModuleType, generic: ModuleType, policy: ModuleType | None, values: ModuleType | None) -> dict[str, Any]:
    """What the contract's names stand for in the generic module."""
    clash = sorted(_GIVEN & vars(generic).keys())
    if clash:
        raise ContractError(f"{generic.__name__} defines {', '.join(clash)}: in a generic module that is the rules' name")
    given = {name: getattr(rules, name) for name in (*FUNCTIONS, *CONSTANTS) if hasattr(rules, name)}
    if policy is not None and not hasattr(policy, _POLICY):
        raise ContractError(f"{policy.__name__} is bound as a policy and has no function {_POLICY}")
    if values is not None and not hasattr(values, _VALUES):
        raise ContractError(f"{values.__name__} is bound for its values and has no function {_VALUES}")
    given[_POLICY] = getattr(policy, _POLICY) if policy else rules.random_action
    given[_VALUES] = getattr(values or policy, _VALUES, uniform.action_values)
    return given | {name: getattr(values, name) for name in ENDGAME if hasattr(values, name)}


class _Copies:
    """The copies of one binding, each made once."""

    def __init__(self, binding: str, given: dict[str, Any], wrap: Callable[[FunctionType], Any]) -> None:
        self._binding = binding
        self._given = given
        self._wrap = wrap
        self._done: dict[FunctionType, Any] = {}
        self._globals: dict[int, dict[str, Any]] = {}

    def of_module(self, module: ModuleType) -> dict[str, Any]:
        """Copies of the module's public functions, those that it defines itself."""
        return {
            name: self.copy(value)
            for name, value in vars(module).items()
            if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_")
        }

    def copy(self, function: FunctionType) -> Any:
        if function not in self._done:
            self._done[function] = self._wrap(self._twin(function))
            self._fill(function)
        return self._done[function]

    def _twin(self, function: FunctionType) -> FunctionType:
        if function.__closure__:
            raise ContractError(f"{function.__module__}.{function.__qualname__} is a closure: it misses the cache")
        twin = FunctionType(function.__code__, self._globals_for(function), function.__name__, function.__defaults__)
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__module__ = function.__module__
        twin.__qualname__ = f"{self._binding}.{function.__module__}.{function.__qualname__}"
        twin.__annotations__ = function.__annotations__
        twin.__doc__ = function.__doc__
        return twin

    def _globals_for(self, function: FunctionType) -> dict[str, Any]:
        return self._globals.setdefault(id(function.__globals__), dict(function.__globals__))

    def _fill(self, function: FunctionType) -> None:
        """Put copies in place of the functions that this one names."""
        own = self._globals_for(function)
        for name in _names(function.__code__):
            value = function.__globals__.get(name, self._given.get(name))
            if isinstance(value, FunctionType):
                own[name] = self.copy(value)
            elif value is not None:
                own[name] = value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _compile(
    name: str, given: dict[str, Any], generic: ModuleType, rules: ModuleType, folder: Path
) -> dict[str, Callable[..., Any]]:
    """Compile, or fetch from the folder, every function for the one signature that it is called with."""
    import numba

    with _numba_cache(folder):
        jitted = _Copies(name, given, numba.njit(**_OPTIONS)).of_module(generic)
        for dispatcher in jitted.values():
            dispatcher.compile(_signature(dispatcher.py_func, rules.STATE))
            dispatcher.disable_compile()
    return jitted


@contextmanager
def _numba_cache(folder: Path) -> Iterator[None]:
    """Numba's settings are global: other people's functions must not land in our folder, so they are put back."""
    from numba.core import config

    kept = {name: getattr(config, name) for name in ("CACHE_DIR", "CACHE_LOCATOR_CLASSES") if hasattr(config, name)}
    try:
        for name in kept:
            setattr(config, name, str(folder) if name == "CACHE_DIR" else "")
        yield
    finally:
        for name, value in kept.items():
            setattr(config, name, value)


def _signature(function: FunctionType, dtype: "np.dtype[Any]") -> Any:
    """The one signature that a public function of a generic module has for this game's records."""
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return")
    try:
        arguments = [_kind(hint, dtype) for hint in hints.values()]
        return _kind(result, dtype)(*arguments)
    except KeyError as error:
        raise ContractError(
            f"{function.__qualname__}: a public function of a generic module takes Records (Annotated[Records, dtype] for "
            f"others than the game's), Words, Integers, int, bool and float, and named tuples of them, not {error}"
        ) from None


def _kind(hint: Any, dtype: "np.dtype[Any]") -> Any:
    """Numba's type for an annotation. Raises KeyError."""
    from numba import boolean, float64, from_dtype, int64, types, uint64, void

    if hasattr(hint, "__metadata__"):
        return from_dtype(hint.__metadata__[0])[::1]
    if hasattr(hint, "_fields"):
        fields = get_type_hints(hint, include_extras=True)
        return types.NamedTuple([_kind(field, dtype) for field in fields.values()], hint)
    if hint == Records:
        return from_dtype(dtype)[::1]
    return {
        Words: uint64[::1],
        Integers: int64[::1],
        int: int64,
        float: float64,
        bool: boolean,
        type(None): void,
    }[hint]
