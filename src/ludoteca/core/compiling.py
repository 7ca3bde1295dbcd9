"""Compiles the functions of a binding (`core.native`) with Numba, or reads their machine code from a file
(`core.codecache`).

The file's name contains a fingerprint of everything on which the machine code depends. Numba's own cache on disk is not safe
here, because it looks only at the bytecode and the source file of one function, and not at the functions that it calls and
the constants that it reads. The classes that replace this cache use internals of Numba (`Dispatcher._cache`,
`CompileResult._reduce` and `_rebuild`, `CodeLibrary`, the options `forceinline` and `_nrt`, `linalg.ensure_blas`). Therefore
`pyproject.toml` limits the version of Numba.
"""

import hashlib
import pickle
import platform
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple, TypeAlias, get_type_hints

import numpy as np

from ludoteca.core.errors import CompilerError, ContractError, UnkeptCodeWarning

try:
    import numba
except OSError as error:  # the first thing that Numba does is to try whether it may make machine code
    reason = str(error.strerror).partition(".")[0]
    raise CompilerError(f"compiled rules are needed, but this system forbids machine code ({reason})") from None
import llvmlite
from llvmlite import ir
from numba import types
from numba.core import config
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.extending import intrinsic

from ludoteca.core import bits, tables
from ludoteca.core.codecache import CodeFile
from ludoteca.core.contract import Bytes, Floats, Integers, RawPositions, Words
from ludoteca.core.fingerprint import encode, encode_annotations, encode_code, encode_functions
from ludoteca.core.signals import deferred, deliver

Jit: TypeAlias = Callable[[FunctionType], Any]

_OPTIONS: Final[dict[str, Any]] = {"forceinline": True, "_nrt": False, "nogil": True}
"""Numba's options for every function. Without `forceinline` the larger functions of rules remain calls, and playouts take a
third longer. `_nrt` is off, because rules allocate no memory and so need no reference counts. A function that allocates
memory does not compile."""
_INNER: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Numba's options for functions that only compiled functions call. Wrappers for Python would take a third of the time."""

MACHINE: Final[tuple[str, str, str]] = cpu_target.target_context.codegen().magic_tuple()
"""The LLVM target, the processor and its features for which Numba compiles: this machine, unless NUMBA_CPU_NAME is set."""
_SETTINGS: Final = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "ENABLE_AVX", "USING_SVML")
"""Global settings of Numba that change the machine code. Each can be set by an environment variable NUMBA_ and the name."""


def compile_functions(
    binding: str,
    functions: Mapping[str, FunctionType],
    given: Mapping[str, Any],
    dtype: "np.dtype[Any]",
    copy_all: Callable[[Jit], Mapping[str, Any]],
) -> dict[str, Callable[..., Any]]:
    """Return the public functions of a generic module, compiled, by name. Each is compiled only for the types of its
    annotations.

    `binding` is the name of the binding, for the name of its file. `functions` are the original functions by name. `given`
    maps the names of the contract to a game's functions and constants. `dtype` is the structure of the game's positions.
    `copy_all` copies the functions, and every function that they reach, and calls its argument on each copy.

    Raises ContractError for functions that cannot be compiled, and CompilerError if Numba is switched off.
    """
    if vars(config)["DISABLE_JIT"]:
        raise CompilerError("compiled rules are needed, but NUMBA_DISABLE_JIT forbids them")
    file = code_file(binding, functions, given, dtype)
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
                UnkeptCodeWarning,
                stacklevel=2,
            )
        return compiled


class Optimised(NamedTuple):
    """A compiled function as text in LLVM's language, from which another program makes machine code for another
    processor.
    """

    code: str
    name: str
    """The function's name in the code."""


def optimised(
    functions: Mapping[str, FunctionType], dtype: "np.dtype[Any]", copy_all: Callable[[Jit], Mapping[str, Any]]
) -> dict[str, Optimised]:
    """Return the public functions of a generic module as optimised LLVM code, by name. The parameters have the same meaning
    as in `compile_functions`.

    To get code that runs on any processor, set the environment variable NUMBA_CPU_NAME to `generic` and NUMBA_CPU_FEATURES
    to an empty text.
    """
    code = {}
    for name, dispatcher in _compiled({}, functions, dtype, copy_all)[0].items():
        (result,) = dispatcher.overloads.values()
        code[name] = Optimised(result.library.get_llvm_str(), result.fndesc.llvm_func_name)
    return code


def code_file(
    binding: str, functions: Mapping[str, FunctionType], given: Mapping[str, Any], dtype: "np.dtype[Any]"
) -> CodeFile:
    """Return the file for the machine code of a binding, which may not exist yet. The parameters have the same meaning as in
    `compile_functions`.
    """
    return CodeFile(binding, _fingerprint(functions.values(), given, dtype))


@contextmanager
def watching(watch: Callable[[], None]) -> Iterator[None]:
    """Call `watch` once for each function that is compiled within the block."""
    _WATCHES.append(watch)
    try:
        yield
    finally:
        _WATCHES.remove(watch)


_WATCHES: Final[list[Callable[[], None]]] = []


def _fingerprint(functions: Iterable[FunctionType], given: Mapping[str, Any], dtype: "np.dtype[Any]") -> str:
    """Return the first sixteen hexadecimal digits of a hash of all inputs of the machine code, such as instructions,
    constants and versions of libraries.
    """
    ordered = sorted(functions, key=lambda function: function.__qualname__)
    versions = platform.python_implementation(), platform.python_version(), np.__version__, numba.__version__
    settings = tuple((name, repr(vars(config).get(name))) for name in _SETTINGS)
    facts = versions, llvmlite.__version__, MACHINE, settings, tuple(_OPTIONS.items()), tuple(_INNER.items()), dtype
    parts = (
        encode(facts),
        encode_code(_emit_size.__code__, {}),
        encode_code(_emit_member.__code__, {}),
        encode_code(_emit_read.__code__, {}),
        encode_code(_emit_write.__code__, {}),
        encode_code(_address.__code__, {}),
        encode_functions(ordered, given),
        *map(encode_annotations, ordered),
    )
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def _compiled(
    pieces: Mapping[str, bytes],
    functions: Mapping[str, FunctionType],
    dtype: "np.dtype[Any]",
    copy_all: Callable[[Jit], Mapping[str, Any]],
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return two dictionaries by function name: the compiled functions, and the machine code of functions that were compiled
    now.

    `pieces` has machine code of functions that were compiled before. These functions are loaded and not compiled. Afterwards
    compiling is switched off for all of them, because otherwise a call with arguments of other types would start it again
    without a warning.
    """
    public = {function.__code__ for function in functions.values()}
    with deferred():
        _import_without_scipy()
        dispatchers = copy_all(
            lambda function: numba.njit(**_OPTIONS)(function) if function.__code__ in public else jit(function)
        )
        for name, dispatcher in dispatchers.items():
            dispatcher._cache = _Piece(public=True, content=pieces.get(name))
        for dispatcher in dispatchers.values():
            dispatcher.compile(_signature(dispatcher.py_func, dtype))
            dispatcher.disable_compile()
    return dict(dispatchers), {name: each._cache.made for name, each in dispatchers.items() if each._cache.made}


def _import_without_scipy() -> None:
    """Import the modules that Numba imports before it compiles or loads its first function, but without SciPy.

    If SciPy is installed, Numba imports it here only to check that it exists, which makes loading code take half as long
    again. Compiled code that uses SciPy still imports it when it is compiled.
    """
    if "numba.np.arraymath" in sys.modules:
        return
    from numba.np import linalg

    ensure = linalg.ensure_blas
    linalg.ensure_blas = _find_scipy
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure


def _find_scipy() -> None:
    """Raise ImportError if SciPy is not installed."""
    if find_spec("scipy") is None:
        raise ImportError("SciPy is not installed")


def jit(function: FunctionType) -> Any:
    """Return the compiled form of a function that only compiled functions call, or the processor instruction that replaces
    it (INSTRUCTIONS).
    """
    if instruction := INSTRUCTIONS.get(function.__code__):
        return instruction
    dispatcher = numba.njit(**_OPTIONS | _INNER, pipeline_class=_InnerCompiler)(function)
    dispatcher._cache = _Piece()
    return dispatcher


class _InnerCompiler(Compiler):
    """A Numba compiler for inner functions, which only compiled functions call. It stops before LLVM optimises the function.

    An inner function becomes part of its callers, and is optimised there. Numba would also compile it separately, which
    takes another fifth of the time, and that code would never run.
    """

    def __init__(self, typingctx: Any, targetctx: Any, *others: Any) -> None:
        _library, *rest = others
        Compiler.__init__(self, typingctx, targetctx, _InnerLibrary(targetctx.codegen()), *rest)


class _InnerLibrary(JITCodeLibrary):
    """The unoptimised LLVM code of an inner function and of the functions that it calls. Numba links it into the callers."""

    def __init__(self, codegen: Any) -> None:
        JITCodeLibrary.__init__(self, codegen, "inner")
        JITCodeLibrary.enable_object_caching(self)

    @property
    def codegen(self) -> "_InnerLibrary":
        return self

    def set_env(self, *_: Any) -> None:
        """Do nothing, because there is no machine code whose environment could be set."""

    def get_pointer_to_function(self, _: str) -> int:
        return 0

    def finalize(self) -> None:
        JITCodeLibrary._raise_if_finalized(self)
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        JITCodeLibrary._finalize_dynamic_globals(self)
        self._finalized = True


class _Piece(NullCache):
    """A replacement for Numba's cache of one function on disk. Numba calls `load_overload` before it compiles the function,
    and `save_overload` afterwards.

    `content` is the stored machine code, and None if there is none. `made` is the machine code that was compiled now, for a
    public function. Numba cannot be interrupted safely between the two calls, so delayed signals are handled inside them.
    """

    def __init__(self, *, public: bool = False, content: bytes | None = None) -> None:
        self._public = public
        self._content = content
        self._is_told = False
        self.made: bytes | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ARG002  # Numba's signature
        deliver()
        if self._content is None:
            return None
        target_context.refresh()
        return CompileResult._rebuild(target_context, *pickle.loads(self._content))  # noqa: S301  # whole: see core.codecache

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ARG002
        if not self._is_told:  # a function is compiled again for arguments of other types
            self._is_told = True
            for watch in _WATCHES:
                watch()
        if not self._public:
            return
        for environment in data._find_referenced_environments():  # of inner functions, too
            data.library.codegen.set_env(environment.env_name, environment)
        if not data.library.has_dynamic_globals:
            self.made = dumps(data._reduce())


def _signature(function: FunctionType, dtype: "np.dtype[Any]") -> Any:
    """Return Numba's signature of a public function of a generic module. `dtype` is the structure of the game's positions.

    Raises ContractError if an annotation, such as `str`, has no type in compiled code.
    """
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return")
    try:
        arguments = [_kind(hint, dtype) for hint in hints.values()]
        return _kind(result, dtype)(*arguments)
    except KeyError as error:
        raise ContractError(
            f"{function.__qualname__}: a public function of a generic module takes RawPositions (Annotated[RawPositions, "
            f"dtype] for others than the game's), Words, Integers, Bytes, Floats, int, bool and float, and named tuples, "
            f"not {error}"
        ) from None


def _kind(hint: Any, dtype: "np.dtype[Any]") -> Any:
    """Return Numba's type for one annotation. `dtype` is the structure of the game's positions. Raises KeyError if there is
    no such type.
    """
    if hasattr(hint, "__metadata__"):
        return numba.from_dtype(hint.__metadata__[0])[::1]
    if hasattr(hint, "_fields"):
        fields = get_type_hints(hint, include_extras=True)
        return types.BaseTuple.from_types([_kind(field, dtype) for field in fields.values()], hint)
    if hint == RawPositions:
        return numba.from_dtype(dtype)[::1]
    return {
        Words: numba.uint64[::1],
        Integers: numba.int64[::1],
        Bytes: numba.uint8[::1],
        Floats: numba.float32[::1],
        int: numba.int64,
        float: numba.float64,
        bool: numba.boolean,
        type(None): numba.void,
    }[hint]


_MICROCODED: Final = ("bdver4", "znver1", "znver2")
"""Processors on which the instruction that deposits bits (`pdep`) is slow: up to 300 cycles."""


def _emit_size(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    """Count the bits."""
    return builder.ctpop(arguments[0])


def _emit_member(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    """Emit code for `tables.member`: put a single 1, the n-th bit, at the position of the n-th member of the set (`pdep`),
    and count the zeros below it (`tzcnt`).
    """
    word = ir.IntType(64)
    name = "llvm.x86.bmi.pdep.64"
    deposit = builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(word, [word, word]), name)
    some, n = arguments
    place = builder.call(deposit, [builder.shl(ir.Constant(word, 1), n), some])
    return builder.cttz(place, ir.Constant(ir.IntType(1), 1))


def _emit_read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit code that loads eight bytes from any address, also one that is not a multiple of eight."""
    return builder.load(_address(context, builder, signature, arguments), align=1)


def _emit_write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit code that stores eight bytes to any address, also one that is not a multiple of eight."""
    builder.store(arguments[2], _address(context, builder, signature, arguments), align=1)
    return context.get_dummy_value()


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit code for the address of the word that begins at a given index in an array of contiguous bytes."""
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())


@intrinsic
def _size(_typing: Any, _some: Any) -> Any:
    return types.int64(types.int64), _emit_size


@intrinsic
def _member(_typing: Any, _some: Any, _n: Any) -> Any:
    return types.int64(types.int64, types.int64), _emit_member


@intrinsic
def _read_word(_typing: Any, cells: Any, at: Any) -> Any:
    return types.int64(cells, at), _emit_read


@intrinsic
def _write_word(_typing: Any, cells: Any, at: Any, word: Any) -> Any:
    return types.void(cells, at, word), _emit_write


INSTRUCTIONS: Final[dict[CodeType, Any]] = {
    bits.size.__code__: _size,
    tables.read_word.__code__: _read_word,
    tables.write_word.__code__: _write_word,
}
"""Instructions that replace functions in compiled code and return the same numbers, by the functions' code objects."""
if "+bmi2" in MACHINE[2].split(",") and MACHINE[1] not in _MICROCODED:
    INSTRUCTIONS[tables.member.__code__] = _member
