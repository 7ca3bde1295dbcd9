"""Binds a game's rules to a generic module, such as a search that is written once for all games. The result is a `Binding`,
whose functions run interpreted or are compiled by Numba.

A generic module calls functions such as `legal_actions` without defining them (the names of `core.contract`). Binding copies
every function of the module, and every function that these reach through global names. The copies have new globals, in which
the names of the contract refer to the game's functions. So two games, or two playout policies of one game, never share a
function that reads such a name. The `__qualname__` of a copy begins with the binding's name, because Numba names machine
code by it. A function that reads no name of the contract, such as most functions of a game's rules, is the same in every
binding, so a process copies and compiles it once.
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
    """The modules that make one binding: a game's rules, a generic module, and the optional modules of the game that the
    generic module uses.
    """

    rules: ModuleType
    generic: ModuleType
    policy: ModuleType | None = None
    """The module whose `playout_action` chooses the actions of playouts. Without it they are uniformly random."""
    values: ModuleType | None = None
    """The module with `action_values`, if it is not `policy`, for uniform playouts that try good actions first."""
    features: ModuleType | None = None
    """The game's `features` module, if the generic module makes observations for learners."""
    value: ModuleType | None = None
    """The game's `value` module, if the generic module uses the learned value of positions."""

    @property
    def name(self) -> str:
        """The import paths of the modules, joined by `+`, with an empty text for a missing one. No other binding has the
        same name, and a file can have this name.
        """
        return "+".join(module.__name__ if module else "" for module in self).rstrip("+")

    def public_functions(self) -> dict[str, FunctionType]:
        """Return the functions that callers of the binding can use, by name. The generic module itself defines them, and
        their names do not begin with an underscore.
        """
        return {
            name: value
            for name, value in vars(self.generic).items()
            if isinstance(value, FunctionType) and value.__module__ == self.generic.__name__ and not name.startswith("_")
        }

    def given(self) -> dict[str, Any]:
        """Return the functions and constants of the contract that the generic module receives from the other modules, by
        name.

        Raises ContractError if the generic module defines one of these names itself, or if a module lacks a function that
        its role requires.
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
    """The public functions of a generic module for one game. Each function is an attribute: `binding.play_games(...)`.

    Compiled functions take arrays of the game's raw positions (`RawPositions`) and of uint64 (`Words`), int64 (`Integers`),
    uint8 (`Bytes`) and float32 (`Floats`). Every array has one dimension and is contiguous. They also take Python numbers,
    and named tuples of arrays and numbers. An array of another structure is annotated `Annotated[RawPositions, DTYPE]`.

    The type checker knows nothing about the results of compiled functions. So each binding is called in one module only,
    which converts the results to declared types. For `core.steps` this is `core.position`.
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
        """Return this binding itself, because a binding never changes."""
        return self

    def __repr__(self) -> str:
        return f"<Binding {self.name} {'compiled' if self.compiled else 'interpreted'}>"


_LOCK: Final = threading.RLock()
"""The lock that a thread holds while it makes a binding, because Numba's compiler is not thread-safe."""
_BINDINGS: Final[dict[tuple[Modules, bool], Binding]] = {}
_COMMON: Final[list["Copies"]] = []
"""One `Copies` with the compiled functions that all bindings of this process share, or nothing before the first one."""
_FILES: Final[dict[Modules, "CodeFile"]] = {}
"""The files of machine code for bindings that `is_kept` has looked up. To find one takes 0.05 seconds."""
_LIBRARIES: Final[dict[str, dict[str, Callable[..., Any]]]] = {}
"""Functions that were compiled by another program and loaded by `use`: for each binding's name, its functions by name."""


def use(functions: Mapping[str, dict[str, Callable[..., Any]]]) -> None:
    """From now on, take all bindings from these functions, which another program compiled. A web page without Numba calls
    this (`ludoteca.web`).

    `functions` maps the name of each binding (`Modules.name`) to its functions by name. They replace interpreted bindings,
    too. After this call, a binding that is not among them raises CompilerError.
    """
    with _LOCK:
        _LIBRARIES.update(functions)
        _BINDINGS.clear()


def bind(modules: Modules, *, compiled: bool) -> Binding:
    """Return the binding of a generic module to a game's rules, compiled or interpreted.

    A process makes each binding only once. While one thread makes it, others wait. Compiling takes seconds the first time on
    a machine. Later programs read the machine code from a file (`core.codecache`). Ctrl-C and other signals that arrive in
    the meantime are handled as soon as Numba can be interrupted.

    Raises ContractError if the generic module defines a name of the contract itself, if a module lacks a function that its
    role requires, or if compiled functions read a value that `core.fingerprint` cannot encode. Raises CompilerError if the
    functions come from `use` and this binding is not among them.
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
    """Return copies of the public functions of a generic module for one game, by name. `wrap` receives each copy, and
    compiles it or returns it as it is.

    `common` may hold functions that several bindings share. A function that reads no name of the contract is then taken from
    there.
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
    """The copied functions of one binding, or the copied functions that all bindings share. Each function is copied only
    once.

    `binding` is the name that the copies get as a prefix. `given` maps the names of the contract to the game's functions and
    constants. `wrap` and `common` are explained by `copies_of`.
    """

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
        """Return copies of the public functions of a binding, by name. They are never taken from the shared functions."""
        return {name: self._own(function) for name, function in functions.items()}

    def copy(self, function: FunctionType) -> Any:
        """Return the copy of a function that another copied function calls. If the function reads no name of the contract,
        this is the copy that all bindings share.
        """
        if function not in self._done and self._common and not self._reads_given(function):
            self._done[function] = self._common.copy(function)
        return self._own(function)

    def _own(self, function: FunctionType) -> Any:
        """Return this binding's copy of the function, and copy the functions that it calls."""
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
    """Yield the names of all globals and attributes that code uses, including the code of functions defined inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def is_compiled(binding: Binding) -> bool:
    """Return True if the machine code of a binding exists already, in this process or in a file of an earlier one."""
    return (binding.modules, True) in _BINDINGS or is_kept(binding)


def is_kept(binding: Binding) -> bool:
    """Return True if the machine code of a binding is in a file, so that a later process need not compile it."""
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
    """Compile bindings, or read their machine code from files.

    `watch` is called again and again with the share of all functions, from 0 to 1, that are compiled. If another process
    compiles the same binding at the same time, this one waits for it and then reads its file.
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
