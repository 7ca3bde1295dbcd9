"""Bindings of a game's rules to a generic module, interpreted or compiled by Numba.

A binding is made of copies. Every function that the generic module's functions reach through global names is copied with new
globals. In these, the reached functions are copies too, and the names of the contract refer to the game's functions. So two
games, or two policies of one game, never share a function that reads such a name. The `__qualname__` of a copy, by which
Numba names machine code, begins with the binding's name. Functions that read no name of the contract, such as most of a
game's rules, are the same in every binding. A process copies and compiles them once.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ludoteca.core.contract import CHECKS, CONSTANTS, GROUPS
from ludoteca.core.errors import CompilerError, ContractError
from ludoteca.core.signals import deferred

if TYPE_CHECKING:
    from ludoteca.core.codecache import CodeFile


class Modules(NamedTuple):
    """The modules of a binding."""

    rules: ModuleType
    generic: ModuleType
    policy: ModuleType | None = None
    """The module that chooses the actions of playouts. Without it they are uniform."""
    values: ModuleType | None = None
    """The module with `action_values` in place of the policy's, for uniform playouts that try good actions first."""
    features: ModuleType | None = None
    """The module of features for learners."""
    value: ModuleType | None = None
    """The module for searches with a learned value."""

    @property
    def name(self) -> str:
        """The names of the modules. No other binding has the same name, and it can be a file name."""
        return "+".join(module.__name__ if module else "" for module in self).rstrip("+")

    def public_functions(self) -> dict[str, FunctionType]:
        """Return the functions of the generic module that a binding has, by name."""
        return {
            name: value
            for name, value in vars(self.generic).items()
            if isinstance(value, FunctionType) and value.__module__ == self.generic.__name__ and not name.startswith("_")
        }

    def given(self) -> dict[str, Any]:
        """Return the functions and constants that the generic module receives, by name.

        Raises ContractError if the generic module defines such a name itself, or a module lacks a required function.
        """
        names = {CHECKS, *CONSTANTS, *(name for part in GROUPS for name in part.functions)}
        if clash := sorted(names & vars(self.generic).keys()):
            raise ContractError(
                f"{self.generic.__name__} defines {', '.join(clash)}: in a generic module that is the rules' name"
            )
        given = {name: getattr(self.rules, name) for name in CONSTANTS if hasattr(self.rules, name)}
        given[CHECKS] = hasattr(self.rules, "allows")
        for part in GROUPS:
            bound = {field: module for field in part.sources if (module := getattr(self, field))}
            field, source = next(iter(bound.items()), ("", None))
            lacking = [name for name in part.required if field == part.sources[0] and not hasattr(source, name)]
            if source and lacking:
                raise ContractError(f"{source.__name__} is bound as {field} and has no function {', '.join(lacking)}")
            for name in part.functions:
                if hasattr(source, name) or part.has_defaults:
                    given[name] = getattr(source, name, getattr(part.protocol, name))
        if not self.policy:
            given["playout_action"] = self.rules.random_action  # the default, without a call in between
        return given


class Binding:
    """The public functions of a generic module, bound to a game: `binding.play_games(...)`.

    Compiled functions take arrays of the game's raw positions (`RawPositions`), of uint64 (`Words`), int64 (`Integers`),
    uint8 (`Bytes`) and float32 (`Floats`). All have one dimension and no gaps. They also take Python numbers and named
    tuples of all these. Arrays of other structures are annotated `Annotated[RawPositions, DTYPE]`. Compiled functions have
    no types for the type checker. So each binding is called in one place, which gives types to the results. For `core.steps`
    this is `core.position`.
    """

    def __init__(self, modules: Modules, compiled: bool, functions: dict[str, Callable[..., Any]]) -> None:
        self.modules = modules
        self.name = modules.name
        self.compiled = compiled
        self._functions = functions
        vars(self).update(functions)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"{self.name} has no function {name}; it has {', '.join(self._functions)}")

    def __deepcopy__(self, _: dict[int, Any]) -> "Binding":
        """Return the same binding, which never changes."""
        return self

    def __repr__(self) -> str:
        return f"<Binding {self.name} {'compiled' if self.compiled else 'interpreted'}>"


_LOCK: Final = threading.RLock()
"""The lock that is held while a binding is made. Numba's compiler is not thread-safe, and each binding is made once."""
_BINDINGS: Final[dict[tuple[Modules, bool], Binding]] = {}
_COMMON: Final[list["Copies"]] = []
"""The compiled copies that all bindings of this process share. Empty before the first binding."""
_FILES: Final[dict[Modules, "CodeFile"]] = {}
"""The files of compiled bindings that are known so far. Finding one takes a twentieth of a second."""
_LIBRARIES: Final[dict[str, dict[str, Callable[..., Any]]]] = {}
"""Functions that were compiled elsewhere (`use`), by the names of bindings."""


def use(functions: Mapping[str, dict[str, Callable[..., Any]]]) -> None:
    """From now on, use only these bindings, by their names. A page without Numba does this with functions that were compiled
    elsewhere (`ludoteca.web`).

    They also replace the bindings of interpreted games.
    """
    with _LOCK:
        _LIBRARIES.update(functions)
        _BINDINGS.clear()


def bind(modules: Modules, *, compiled: bool) -> Binding:
    """Bind rules to a generic module.

    Each binding is made once in a process, by one thread while the others wait. Compiling takes seconds the first time on a
    machine. Later the functions come from the cache (`core.codecache`). A signal that arrives in the meantime is handled
    when Numba can be interrupted.

    Raises ContractError if the generic module defines a name of the contract itself, if a module lacks its functions, and if
    compiled functions read a value that has no fingerprint (`core.fingerprint`). Raises CompilerError if only libraries are
    used and none has this binding.
    """
    with _LOCK:
        if (modules, compiled) not in _BINDINGS:
            if _LIBRARIES:
                compiled = True
                if modules.name not in _LIBRARIES:
                    raise CompilerError(f"{modules.name} is in no library that was loaded")
                functions = _LIBRARIES[modules.name]
            else:
                functions = _compiled(modules) if compiled else copies_of(modules, lambda function: function)
            _BINDINGS[modules, compiled] = Binding(modules, compiled, functions)
        return _BINDINGS[modules, compiled]


def copies_of(modules: Modules, wrap: Callable[[FunctionType], Any], common: "Copies | None" = None) -> dict[str, Any]:
    """Return copies of the generic module's functions for these modules. `wrap` compiles each copy, or leaves it
    interpreted.

    A function that reads no name of the contract is the same in all bindings, so it is taken from `common`, if that is
    given.
    """
    return Copies(modules.name, modules.given(), wrap, common).of(modules.public_functions())


def _compiled(modules: Modules) -> dict[str, Callable[..., Any]]:
    with deferred():
        from ludoteca.core import compiling  # its imports take half a second

    if not _COMMON:
        _COMMON.append(Copies("common", {}, compiling.jit))
    try:
        return compiling.compile_functions(
            modules.name,
            modules.public_functions(),
            modules.given(),
            modules.rules.STATE,
            lambda jit: copies_of(modules, jit, _COMMON[0]),
        )
    except BaseException:  # an interruption may have left a function half compiled
        _COMMON.clear()
        raise


class Copies:
    """The copies of one binding, or the common copies of all bindings. Each is made once."""

    def __init__(
        self, binding: str, given: dict[str, Any], wrap: Callable[[FunctionType], Any], common: "Copies | None" = None
    ) -> None:
        self._binding = binding
        self._given = given
        self._wrap = wrap
        self._common = common
        self._done: dict[FunctionType, Any] = {}
        self._globals: dict[int, dict[str, Any]] = {}

    def of(self, functions: Mapping[str, FunctionType]) -> dict[str, Any]:
        """Return copies of these functions, which only this binding has."""
        return {name: self._own(function) for name, function in functions.items()}

    def copy(self, function: FunctionType) -> Any:
        """Return the copy of a reached function: the common one, if the function reads no name of the contract."""
        if function not in self._done and self._common and not self._reads_given(function):
            self._done[function] = self._common.copy(function)
        return self._own(function)

    def _own(self, function: FunctionType) -> Any:
        """Return this binding's own copy of the function."""
        if function in self._done:
            return self._done[function]
        if function.__closure__:
            raise ContractError(f"{function.__module__}.{function.__qualname__} is a closure, which cannot be bound")
        own = self._globals.setdefault(id(function.__globals__), dict(function.__globals__))
        twin = FunctionType(function.__code__, own, function.__name__, function.__defaults__)
        twin.__kwdefaults__ = function.__kwdefaults__
        twin.__module__ = function.__module__
        twin.__qualname__ = f"{self._binding}.{function.__module__}.{function.__qualname__}"
        twin.__annotations__ = function.__annotations__
        twin.__doc__ = function.__doc__
        self._done[function] = self._wrap(twin)
        for name in _names(function.__code__):  # replace the functions that this function names by copies
            value = function.__globals__.get(name, self._given.get(name))
            if isinstance(value, FunctionType):
                own[name] = self.copy(value)
            elif value is not None:
                own[name] = value
        return self._done[function]

    def _reads_given(self, function: FunctionType) -> bool:
        """Return True if the function, or a function that it reaches, reads a name of the contract."""
        reached = [function]
        for each in reached:  # grows in the loop
            for name in _names(each.__code__):
                value = each.__globals__.get(name)
                if value is None and name in self._given:
                    return True
                if isinstance(value, FunctionType) and value not in reached:
                    reached.append(value)
        return False


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes in code and in the code of its inner functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def is_compiled(binding: Binding) -> bool:
    """Return True if the machine code of these modules exists, in this process or in a file."""
    return (binding.modules, True) in _BINDINGS or is_kept(binding)


def is_kept(binding: Binding) -> bool:
    """Return True if the machine code of these modules is in a file."""
    with _LOCK:
        if _LIBRARIES:
            return binding.name in _LIBRARIES
        from ludoteca.core import codecache  # a process that only plays interpreted does not need its imports

        if not codecache.has_any(binding.name):  # the usual case if nothing is compiled, found without Numba
            return False
        modules = binding.modules
        if modules not in _FILES:
            with deferred():
                from ludoteca.core import compiling  # its imports take half a second

            _FILES[modules] = compiling.code_file(
                modules.name, modules.public_functions(), modules.given(), modules.rules.STATE
            )
        return _FILES[modules].exists()


def compile_all(bindings: Sequence[Binding], watch: Callable[[float], None]) -> None:
    """Compile these modules, or read them from the cache. `watch` receives the share of functions that are compiled.

    If another process compiles them at the same time, this one waits for it.
    """
    missing = [binding for binding in bindings if not is_compiled(binding)]
    if not missing:
        return
    with deferred():
        from ludoteca.core import compiling

    reached, done = 0, 0

    def reach(function: FunctionType) -> FunctionType:
        nonlocal reached
        reached += function.__code__ not in compiling.INSTRUCTIONS
        return function

    common, counts = Copies("common", {}, reach), [0]
    for binding in missing:
        copies_of(binding.modules, reach, common)
        counts.append(reached)

    def count() -> None:
        nonlocal done
        done += 1
        watch(min(done, counts[-1]) / counts[-1])

    for binding, behind in zip(missing, counts[1:], strict=True):
        with compiling.watching(count):
            bind(binding.modules, compiled=True)
        done = behind  # includes functions that were only read, or never called
        watch(done / counts[-1])
