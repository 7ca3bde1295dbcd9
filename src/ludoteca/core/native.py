"""Bindings: a game's rules put under a generic module, interpreted or compiled by Numba.

A binding is made of copies. Every function that the generic module's functions reach through global names is copied with
globals of its own, in which the reached functions are copies too; the names of the contract that the generic module uses
stand for the functions of the rules. So two games, or two policies of one game, never share a function that reads such a
name, and the copy's `__qualname__`, by which Numba names machine code, begins with the binding's name. Functions that read
no such name, as most of a game's rules, are the same in every binding: a process copies and compiles them once.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ludoteca.core.contract import (
    BY_RESULTS,
    CHECK,
    CHECKS,
    CHOICES,
    CONSTANTS,
    ENDGAME,
    FEATURES,
    FUNCTIONS,
    LEARNED,
    LOOKING_AHEAD,
    OPPONENTS,
    POLICY,
    SPOILS,
    TURN,
    VALUES,
    Floats,
    Integers,
    RawPosition,
    Words,
)
from ludoteca.core.errors import ContractError
from ludoteca.core.signals import deferred

if TYPE_CHECKING:
    from ludoteca.core.codecache import CodeFile

_GIVEN: Final = frozenset(
    {*FUNCTIONS, *CONSTANTS, TURN, CHECK, CHECKS, SPOILS, POLICY, VALUES, OPPONENTS, *ENDGAME, *FEATURES}
    | {LEARNED, *LOOKING_AHEAD, *CHOICES}
)
"""The names that generic modules are given."""
_COMMON: Final[list["_Copies"]] = []
"""The compiled copies that all bindings of this process share, once there are any."""

_BINDING: Final = threading.RLock()
"""Held while a binding is made. Numba's compiler is not made for threads, and each binding is made once."""
_BINDINGS: Final[dict[tuple[ModuleType | bool | None, ...], "Binding"]] = {}
"""The bindings of this process."""
_FILES: Final[dict["Modules", "CodeFile"]] = {}
"""Where compiled bindings are kept, as far as somebody has asked: to find out takes a twentieth of a second."""
_APART: Final[list[bool]] = []
"""Not empty within `apart`."""


Modules: TypeAlias = tuple[
    ModuleType, ModuleType, ModuleType | None, ModuleType | None, ModuleType | None, ModuleType | None
]
"""What is bound: rules, generic module, policy, values, features, value."""


class Binding:
    """The public functions of a generic module, bound to a game: `binding.play_games(...)`.

    `name` says what is bound to what, and `compiled` how it runs. Compiled functions take arrays of the game's raw positions
    (`RawPositions`), of uint64 (`Words`), int64 (`Integers`), uint8 (`Bytes`) and float32 (`Floats`), all of one dimension
    and without gaps, Python numbers, and named tuples of these; arrays of other structures are annotated
    `Annotated[RawPositions, DTYPE]`. What is compiled has lost its types for the type checker, so each binding is called in
    one place, which gives them back: that of `core.steps` in `core.position`.
    """

    def __init__(self, modules: Modules, compiled: bool, functions: dict[str, Callable[..., Any]]) -> None:
        self.modules = modules
        self.name = binding_name(*modules)
        self.compiled = compiled
        self._functions = functions
        vars(self).update(functions)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"{self.name} has no function {name}; it has {', '.join(self._functions)}")

    def __deepcopy__(self, _: dict[int, Any]) -> "Binding":
        """A binding never changes."""
        return self

    def __repr__(self) -> str:
        return f"<Binding {self.name} {'compiled' if self.compiled else 'interpreted'}>"


def bind(
    rules: ModuleType,
    generic: ModuleType,
    policy: ModuleType | None = None,
    values: ModuleType | None = None,
    features: ModuleType | None = None,
    value: ModuleType | None = None,
    *,
    compiled: bool,
) -> Binding:
    """Put `rules` under `generic`; playouts follow `policy`, or are uniform without one. `features` are for learners,
    `value` for what looks at a learned value.

    `values` is where `action_values` comes from, if not from the policy: with heuristics as values and no policy, playouts
    are uniform and the actions that look best are tried first.

    Each binding is made once in a process, by one thread while the others wait. Compiling takes seconds the first time on a
    machine; later the functions come from the cache (`core.codecache`). A signal that arrives in the meantime is handled
    when Numba can be left.

    Raises ContractError when the generic module defines a name of the contract itself, when a module lacks its functions,
    and when compiled functions read what has no fingerprint (`core.fingerprint`).
    """
    with _BINDING:
        modules = (rules, generic, policy, values, features, value)
        key = (*modules, compiled)
        if key not in _BINDINGS:
            _BINDINGS[key] = _bind(modules, compiled=compiled)
        return _BINDINGS[key]


def is_compiled(binding: Binding) -> bool:
    """True where the machine code of these modules is there: in this process, or in a file, so that it is only read."""
    return (*binding.modules, True) in _BINDINGS or is_kept(binding)


def is_kept(binding: Binding) -> bool:
    """True where the machine code of these modules is in a file."""
    with _BINDING:
        if _APART:
            return False
        from ludoteca.core import codecache  # what it imports is wanted by nobody who only plays interpreted

        if not codecache.has_any(binding.name):  # most often so where nothing is compiled: it needs no Numba to know
            return False
        if binding.modules not in _FILES:
            with deferred():
                from ludoteca.core import compiling  # what it imports takes half a second

            rules, generic, *_ = binding.modules
            _FILES[binding.modules] = compiling.code_file(
                binding.name, _public_functions(generic), _given(*binding.modules), rules.STATE
            )
        return _FILES[binding.modules].exists()


def compile_all(bindings: Sequence[Binding], watch: Callable[[float], None]) -> None:
    """Compile these modules, or read them from the cache; `watch` is told the share of functions that have been compiled.

    What another process compiles meanwhile is waited for.
    """
    with deferred():
        from ludoteca.core import compiling

    missing = [binding for binding in bindings if not is_compiled(binding)]
    reached, done = 0, 0

    def reach(function: FunctionType) -> FunctionType:
        nonlocal reached
        reached += function.__code__ not in compiling.INSTRUCTIONS
        return function

    common, counts = _Copies("common", {}, reach), [0]
    for binding in missing:
        _Copies(binding.name, _given(*binding.modules), reach, common).of(_public_functions(binding.modules[1]))
        counts.append(reached)

    def count() -> None:
        nonlocal done
        done += 1
        watch(min(done, counts[-1]) / counts[-1])

    for binding, behind in zip(missing, counts[1:], strict=True):
        with compiling.watching(count):
            bind(*binding.modules, compiled=True)
        done = behind  # what was only read, or never called, is done too
        watch(done / counts[-1])


@contextmanager
def apart() -> Iterator[None]:
    """Bindings that are made in this block are made of the functions as they are then, and none outlives it.

    They are interpreted; a compiled one is refused with a ContractError. Other threads wait until the block ends.
    """
    with _BINDING:
        before = _BINDINGS.copy()
        _BINDINGS.clear()
        _APART.append(True)
        try:
            yield
        finally:
            _APART.pop()
            _BINDINGS.clear()
            _BINDINGS.update(before)


def _public_functions(generic: ModuleType) -> dict[str, FunctionType]:
    """The functions of a generic module that a binding has, by name."""
    return {
        name: value
        for name, value in vars(generic).items()
        if isinstance(value, FunctionType) and value.__module__ == generic.__name__ and not name.startswith("_")
    }


def _bind(modules: Modules, *, compiled: bool) -> Binding:
    name, given, functions = binding_name(*modules), _given(*modules), _public_functions(modules[1])
    if compiled and _APART:
        raise ContractError(f"{name}: bindings that are made apart are interpreted")
    if not compiled:
        return Binding(modules, False, _Copies(name, given, lambda function: function).of(functions))
    with deferred():
        from ludoteca.core import compiling  # what it imports takes half a second

    if not _COMMON:
        _COMMON.append(_Copies("common", {}, compiling.jit))

    def copy_all(jit: Callable[[FunctionType], Any]) -> dict[str, Any]:
        return _Copies(name, given, jit, _COMMON[0]).of(functions)

    try:
        return Binding(modules, True, compiling.compile_functions(name, functions, given, modules[0].STATE, copy_all))
    except BaseException:  # what was interrupted may have left a function half compiled
        _COMMON.clear()
        raise


def binding_name(
    rules: ModuleType,
    generic: ModuleType,
    policy: ModuleType | None,
    values: ModuleType | None = None,
    features: ModuleType | None = None,
    value: ModuleType | None = None,
) -> str:
    """A name that no other binding has, fit for a file name: the names of the modules, as far as they are there."""
    names = [module.__name__ if module else "" for module in (rules, generic, policy, values, features, value)]
    return "+".join(names).rstrip("+")


def _given(
    rules: ModuleType,
    generic: ModuleType,
    policy: ModuleType | None,
    values: ModuleType | None,
    features: ModuleType | None,
    value: ModuleType | None,
) -> dict[str, Any]:
    """The functions and constants for which the contract's names stand in the generic module. Raises ContractError."""
    clash = sorted(_GIVEN & vars(generic).keys())
    if clash:
        raise ContractError(f"{generic.__name__} defines {', '.join(clash)}: in a generic module that is the rules' name")
    given = {name: getattr(rules, name) for name in (*FUNCTIONS, *CONSTANTS) if hasattr(rules, name)}
    if policy is not None and not hasattr(policy, POLICY):
        raise ContractError(f"{policy.__name__} is bound as a policy and has no function {POLICY}")
    if values is not None and not hasattr(values, VALUES):
        raise ContractError(f"{values.__name__} is bound for its values and has no function {VALUES}")
    if features is not None and (lacking := [name for name in FEATURES if not hasattr(features, name)]):
        raise ContractError(f"{features.__name__} is bound for its features and lacks {', '.join(lacking)}")
    if value is not None and not hasattr(value, LEARNED):
        raise ContractError(f"{value.__name__} is bound as a learned value and has no function {LEARNED}")
    given |= {name: getattr(features, name) for name in FEATURES if features}
    given[TURN] = getattr(rules, TURN, every_move)
    given |= {CHECK: getattr(rules, CHECK, any_action), CHECKS: hasattr(rules, CHECK)}
    given[SPOILS] = getattr(rules, SPOILS, no_action)
    given[LEARNED] = getattr(value, LEARNED) if value else no_features
    given[POLICY] = getattr(policy, POLICY) if policy else rules.random_action
    given[VALUES] = getattr(values or policy, VALUES, equal_values)
    given[OPPONENTS] = getattr(values or policy, OPPONENTS, by_results)
    given |= {"sums_after": no_sums} | {name: getattr(value, name) for name in LOOKING_AHEAD if hasattr(value, name)}
    return given | {name: getattr(values, name) for name in (*ENDGAME, *CHOICES) if hasattr(values, name)}


def equal_values(state: RawPosition, actions: Integers, count: int, out: Integers) -> None:  # noqa: ARG001  # the contract's
    """What stands in for `action_values` where a game has no heuristics: every action looks alike."""
    for i in range(count):
        out[i] = 0


def no_sums(
    state: RawPosition,  # noqa: ARG001  # the contract's
    actions: Integers,  # noqa: ARG001
    count: int,  # noqa: ARG001
    enough: float,  # noqa: ARG001
    weights: Floats,  # noqa: ARG001
    scratch: Integers,  # noqa: ARG001
    out: Floats,  # noqa: ARG001
) -> int:
    """What stands in for `sums_after` where a game does not value all actions at once: it is not called."""
    return 0


def every_move(state: RawPosition) -> bool:  # noqa: ARG001  # the contract's
    """What stands in for `begins_turn` where a turn is one move."""
    return True


def any_action(state: RawPosition, action: int) -> bool:  # noqa: ARG001  # the contract's
    """What stands in for `allows` where rules do not have it: it is not called."""
    return True


def no_action(state: RawPosition, action: int) -> bool:  # noqa: ARG001  # the contract's
    """Stand in for `spoils` in a game that no player can spoil."""
    return False


def no_features(state: RawPosition, player: int, out: Integers) -> int:  # noqa: ARG001  # the contract's
    """What stands in for `active_features` where a game has no learned value."""
    return 0


def by_results(state: RawPosition, rng: Words) -> int:  # noqa: ARG001  # the contract's
    """What stands in for `opponent_action` where a game has none."""
    return BY_RESULTS


class _Copies:
    """The copies of one binding, each made once; or the common ones, which all bindings share."""

    def __init__(
        self, binding: str, given: dict[str, Any], wrap: Callable[[FunctionType], Any], common: "_Copies | None" = None
    ) -> None:
        self._binding = binding
        self._given = given
        self._wrap = wrap
        self._common = common
        self._done: dict[FunctionType, Any] = {}
        self._globals: dict[int, dict[str, Any]] = {}

    def of(self, functions: Mapping[str, FunctionType]) -> dict[str, Any]:
        """Copies of these functions, which are the binding's own."""
        return {name: self._own(function) for name, function in functions.items()}

    def copy(self, function: FunctionType) -> Any:
        """A copy of a function that is reached: the common one, if the function reads no name of the contract."""
        if function not in self._done and self._common and not self._reads_given(function):
            self._done[function] = self._common.copy(function)
        return self._own(function)

    def _own(self, function: FunctionType) -> Any:
        """This binding's own copy of the function."""
        if function in self._done:
            return self._done[function]
        if function.__closure__:
            raise ContractError(f"{function.__module__}.{function.__qualname__} is a closure: it misses the cache")
        own = self._globals.setdefault(id(function.__globals__), dict(function.__globals__))
        twin = FunctionType(function.__code__, own, function.__name__, function.__defaults__)
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__module__ = function.__module__
        twin.__qualname__ = f"{self._binding}.{function.__module__}.{function.__qualname__}"
        twin.__annotations__ = function.__annotations__
        twin.__doc__ = function.__doc__
        self._done[function] = self._wrap(twin)
        for name in _names(function.__code__):  # copies take the place of the functions that this one names
            value = function.__globals__.get(name, self._given.get(name))
            if isinstance(value, FunctionType):
                own[name] = self.copy(value)
            elif value is not None:
                own[name] = value
        return self._done[function]

    def _reads_given(self, function: FunctionType) -> bool:
        """True if it, or a function that it reaches, reads a name of the contract."""
        reached = [function]
        for each in reached:  # which grows
            for name in _names(each.__code__):
                value = each.__globals__.get(name)
                if value is None and name in self._given:
                    return True
                if isinstance(value, FunctionType) and value not in reached:
                    reached.append(value)
        return False


def _names(code: CodeType) -> Iterator[str]:
    """The names of globals and attributes in the code and in the code of its inner functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
