"""Compiling a binding's functions with Numba, or fetching them from where `core.store` keeps them.

Machine code is kept under a fingerprint of all that it depends on, and not by Numba's own cache on disk, which looks at a
function's bytecode and source file only: neither at the functions that it calls nor at the constants that it reads. What
stands in for that cache uses internals of Numba (`Dispatcher._cache`, `CompileResult._reduce` and `_rebuild`, the options
`forceinline` and `_nrt`), so `pyproject.toml` bounds Numba's version.
"""

import hashlib
import pickle
import platform
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any, Final, TypeAlias, get_type_hints

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from ludoteca.core.contract import Integers, Records, Words
from ludoteca.core.errors import ContractError, NativeCacheWarning
from ludoteca.core.fingerprint import encode, encode_annotations, encode_functions
from ludoteca.core.signals import deferred
from ludoteca.core.store import CodeFile

Jit: TypeAlias = Callable[[FunctionType], Any]

_OPTIONS: Final[dict[str, Any]] = {"forceinline": True, "_nrt": False, "nogil": True}
"""Without forceinline the rules' larger functions stay calls, and playouts lose a quarter of their speed. Rules allocate
nothing, so reference counts are wasted on them (`_nrt`): a rule that allocates does not compile."""
_INNER: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Besides, for functions that are called by compiled ones only: a third of the time that compiling takes."""

_SETTINGS: Final = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "USING_SVML")
"""What can be set for all of Numba and changes its code (environment variables NUMBA_...)."""


def compile_functions(
    binding: str,
    functions: Mapping[str, FunctionType],
    given: Mapping[str, Any],
    dtype: "np.dtype[Any]",
    copy_all: Callable[[Jit], Mapping[str, Any]],
) -> dict[str, Callable[..., Any]]:
    """The public functions of a generic module, each compiled for the one signature that its annotations give.

    `functions` are the originals and `given` what the contract's names stand for in them; `copy_all` makes their copies and
    wraps each function that they reach. Raises ContractError for what cannot be compiled so.
    """
    if vars(config)["DISABLE_JIT"]:
        raise ContractError("NUMBA_DISABLE_JIT is set, so nothing can be compiled: load games without compiled=True")
    file = CodeFile(binding, _fingerprint(functions.values(), given, dtype))
    if (pieces := file.read()) is not None:
        return _compiled(pieces, functions, dtype, copy_all)[0]
    with file.locked():
        if (pieces := file.read()) is not None:  # another process was compiling it
            return _compiled(pieces, functions, dtype, copy_all)[0]
        compiled, made = _compiled({}, functions, dtype, copy_all)
        if made.keys() == compiled.keys():
            file.write(made)
        else:
            warnings.warn(
                f"the compiled code of {binding} cannot be kept, for it reads arrays of more than a megabyte: every program "
                "compiles it again",
                NativeCacheWarning,
                stacklevel=2,
            )
        return compiled


def _fingerprint(functions: Iterable[FunctionType], given: Mapping[str, Any], dtype: "np.dtype[Any]") -> str:
    """Sixteen digits over all that machine code depends on."""
    ordered = sorted(functions, key=lambda function: function.__qualname__)
    versions = platform.python_implementation(), platform.python_version(), np.__version__, numba.__version__
    machine = cpu_target.target_context.codegen().magic_tuple()
    settings = tuple((name, repr(vars(config).get(name))) for name in _SETTINGS)
    facts = versions, llvmlite.__version__, machine, settings, tuple(_OPTIONS.items()), tuple(_INNER.items()), dtype
    parts = encode(facts), encode_functions(ordered, given), *map(encode_annotations, ordered)
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def _compiled(
    pieces: Mapping[str, bytes],
    functions: Mapping[str, FunctionType],
    dtype: "np.dtype[Any]",
    copy_all: Callable[[Jit], Mapping[str, Any]],
) -> tuple[dict[str, Callable[..., Any]], dict[str, bytes]]:
    """The functions, made from pieces of machine code or compiled, and the pieces of those that were compiled.

    Compiling them for other signatures is switched off afterwards: an integer of another type shall not set it off again.
    """
    with deferred() as deliver:

        def jit(function: FunctionType) -> Any:
            is_public = function.__name__ in functions and functions[function.__name__].__code__ is function.__code__
            options = _OPTIONS if is_public else _OPTIONS | _INNER
            dispatcher = numba.njit(**options)(function)
            dispatcher._cache = _Piece(deliver)
            return dispatcher

        dispatchers = copy_all(jit)
        for name, dispatcher in dispatchers.items():
            dispatcher._cache = _Piece(deliver, public=True, content=pieces.get(name))
        for dispatcher in dispatchers.values():
            dispatcher.compile(_signature(dispatcher.py_func, dtype))
            dispatcher.disable_compile()
    return dict(dispatchers), {name: each._cache.made for name, each in dispatchers.items() if each._cache.made}


class _Piece(NullCache):
    """Stands where Numba keeps its cache of a function on disk; Numba calls it before and after it compiles one.

    Numba can be left safely then, so it is also where signals are delivered.
    """

    def __init__(self, deliver: Callable[[], None], *, public: bool = False, content: bytes | None = None) -> None:
        self._deliver = deliver
        self._public = public
        self._content = content
        self.made: bytes | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ARG002  # Numba's signature
        self._deliver()
        if self._content is None:
            return None
        target_context.refresh()
        return CompileResult._rebuild(target_context, *pickle.loads(self._content))  # noqa: S301  # whole: see core.store

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ARG002
        if self._public and not data.library.has_dynamic_globals:
            self.made = dumps(data._reduce())


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
    if hasattr(hint, "__metadata__"):
        return numba.from_dtype(hint.__metadata__[0])[::1]
    if hasattr(hint, "_fields"):
        fields = get_type_hints(hint, include_extras=True)
        return types.NamedTuple([_kind(field, dtype) for field in fields.values()], hint)
    if hint == Records:
        return numba.from_dtype(dtype)[::1]
    return {
        Words: numba.uint64[::1],
        Integers: numba.int64[::1],
        int: numba.int64,
        float: numba.float64,
        bool: numba.boolean,
        type(None): numba.void,
    }[hint]
