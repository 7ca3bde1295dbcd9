"""Turns functions, and all values that they read, into bytes. `core.compiling` hashes these bytes to find the file with the
machine code of the functions. If two sets of functions have equal bytes, their machine code is equal, too.

The bytes contain the instructions of the functions and of every function that they reach through global names, the constants
that these instructions load, and the value of every other global that they read. They leave out everything without an effect
on machine code: comments, docstrings, annotations of inner functions, line numbers, file names. A global is refused with an
error if its value, such as a list, could change while the program runs.

`marshal`, `pickle` and `repr` cannot replace this module. Some of them give different bytes for equal sets, or the same
bytes for 1, True and 1.0, or for 0.0 and -0.0.
"""

import dis
import struct
import sys
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache, singledispatch
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias, get_type_hints

import numpy as np

from ludoteca.core.errors import ContractError

_CACHE: Final = dis.opmap["CACHE"]
_EXTENDED: Final = dis.opmap["EXTENDED_ARG"]
_LOAD_GLOBAL: Final = dis.opmap["LOAD_GLOBAL"]
_ATTRIBUTE_SHIFT: Final = {dis.opmap["LOAD_ATTR"]: int(sys.version_info >= (3, 12))} | (
    {dis.opmap["LOAD_METHOD"]: 0} if "LOAD_METHOD" in dis.opmap else {}
)
"""The instructions that read an attribute, and the number of bits by which their argument is shifted to the left (see
`dis`)."""
_CONSTANTS: Final = frozenset(dis.hasconst)
_DOCSTRING: Final = 0x4000000
"""The flag by which Python 3.13 and newer marks code with a docstring."""

Read: TypeAlias = tuple[str, tuple[str, ...]]
"""The name of a global, and the attributes that are read from it."""

_LIBRARIES: Final = ("numpy", "math", "builtins")
"""Libraries whose objects are identified by name. Their versions are part of a binding's fingerprint."""


@singledispatch
def encode(value: Any) -> bytes:
    """Return the bytes of one value that compiled code reads, such as a constant or an array. Different values have
    different bytes, also if Python counts them as equal (1 and 1.0).

    Raises ContractError for types without an encoding, such as lists and most classes, because their content could change
    after it was compiled.
    """
    if not _is_of_library(value):
        raise ContractError(
            f"read {value!r:.60}, a {type(value).__name__}: expected a number, a text, a tuple, an array, "
            "or a plain function that is imported by its name"
        )
    return _joined("library", _name_of(value))


@encode.register(type(None) | type(...) | bool | int | str | bytes)
def _(value: Any) -> bytes:
    return _joined(type(value).__name__, repr(value).encode())


@encode.register(float | complex)
def _(value: complex) -> bytes:
    return _joined(type(value).__name__, struct.pack("<dd", value.real, value.imag))  # distinguishes -0.0 and every NaN


@encode.register(tuple)
def _(value: tuple[Any, ...]) -> bytes:
    return _joined("tuple", b"" if type(value) is tuple else encode(type(value)), *map(encode, value))


@encode.register(slice)
def _(value: slice) -> bytes:
    return _joined("slice", *map(encode, (value.start, value.stop, value.step)))  # a constant, from Python 3.14 on


@encode.register(frozenset)
def _(value: frozenset[Any]) -> bytes:
    return _joined("frozenset", *sorted(map(encode, value)))


@encode.register(np.ndarray)
def _(value: "np.ndarray[Any, Any]") -> bytes:
    return _joined("array", encode(value.dtype), encode(value.shape), encode(value.strides), value.tobytes())


@encode.register
def _(value: np.generic) -> bytes:
    return _joined("scalar", encode(value.dtype), value.tobytes())


@encode.register(np.dtype)
def _(value: "np.dtype[Any]") -> bytes:
    if value.subdtype:
        return _joined("subarray", *map(encode, value.subdtype))
    fields: Mapping[str, Any] = value.fields or {}
    parts = (_joined(name, encode(fields[name][0]), encode(fields[name][1])) for name in value.names or ())
    return _joined("dtype", value.str.encode(), encode(value.itemsize), encode(value.isalignedstruct), *parts)


@encode.register
def _(value: Enum) -> bytes:
    return _joined("member", encode(type(value)), encode(value.name))


@encode.register(type)
def _(value: type[Any]) -> bytes:
    """Return the bytes of a class. Raises ContractError if its contents could change under the same name."""
    if issubclass(value, Enum):
        return _joined("enum", _name_of(value), *(encode((name, each.value)) for name, each in value.__members__.items()))
    if issubclass(value, tuple) and hasattr(value, "_fields"):
        defaults = tuple(getattr(value, "_field_defaults", {}).items())
        return _joined("named tuple", _name_of(value), encode(value._fields), encode(defaults))
    if _is_of_library(value):
        return _joined("library", _name_of(value))
    raise ContractError(f"read the class {value.__name__}, expected a NamedTuple, an Enum, or a type of NumPy's")


def encode_functions(functions: Iterable[FunctionType], given: Mapping[str, Any]) -> bytes:
    """Return the bytes of these functions, of all functions that they reach, and of the values that they read.

    `given` maps the names that a function may use without defining or importing them (the contract's names, see
    `core.native`) to the game's functions and constants. Raises ContractError for a global that is neither a plain function
    nor a value that `encode` takes, because its content could change after it was compiled.
    """
    waiting = list(functions)
    numbers = {function: number for number, function in enumerate(waiting)}
    parts: list[bytes] = []
    for function in waiting:  # grows while functions are found
        content, reads = _dissected(function)
        parts.append(content)
        for name, attributes in reads:
            value = function.__globals__.get(name, given.get(name))
            if value is None:  # a built-in name, or a name that Numba cannot find either
                continue
            try:
                value = _resolved(value, attributes)
                if isinstance(value, FunctionType) and not _is_of_library(value):
                    if value not in numbers:
                        numbers[value] = len(waiting)
                        waiting.append(value)
                    value = numbers[value]
                parts.append(_joined(".".join((name, *attributes)), encode(value)))
            except ContractError as error:
                raise ContractError(f"{function.__module__}.{function.__qualname__}, its global {name!r}: {error}") from None
    return _joined("functions", *parts)


def encode_annotations(function: FunctionType) -> bytes:
    """Return the bytes of a function's annotations, which decide the types for which it is compiled. For a named tuple they
    include the types of its fields.
    """
    hints = get_type_hints(function, include_extras=True)
    return _joined("annotations", *(_joined(name, _encode_hint(hint)) for name, hint in hints.items()))


def _encode_hint(hint: Any) -> bytes:
    if hasattr(hint, "__metadata__"):
        return _joined("annotated", *map(encode, hint.__metadata__))
    if hasattr(hint, "_fields"):
        return _joined("named", encode(hint), encode_annotations(hint))
    return repr(hint).encode()


def _resolved(value: Any, attributes: tuple[str, ...]) -> Any:
    """Return the value that a dotted name in code means. `value` is the global with the first part of the name, and
    `attributes` are the other parts.

    Raises ContractError if code uses a module as a value, or calls `module.function` of a module that is not of NumPy or
    `math`. Such a function must be imported by its name.
    """
    rest = list(attributes)
    path = ""
    while isinstance(value, ModuleType):
        path = value.__name__
        if not rest:
            raise ContractError(f"read the module {path}, expected an attribute of it")
        value = getattr(value, rest.pop(0), None)
    if path and isinstance(value, FunctionType) and not _is_of_library(value):
        raise ContractError(f"read a function of the module {path}, expected functions that are imported by name")
    return value


@cache
def _dissected(function: FunctionType) -> tuple[bytes, tuple[Read, ...]]:
    """Return a function's code and defaults, and the globals that it reads. Bindings share most functions."""
    reads: dict[Read, None] = {}
    defaults = function.__defaults__, tuple(sorted((function.__kwdefaults__ or {}).items()))
    return _joined("function", _name_of(function), encode_code(function.__code__, reads), encode(defaults)), tuple(reads)


def encode_code(code: CodeType, reads: dict[Read, None]) -> bytes:
    """Return the bytes of code, independent of its file and line. Add the globals that it reads to `reads`.

    A constant is numbered by its place among the loaded constants, because a docstring is a constant that no instruction
    loads.
    """
    names, content, extended = code.co_names, code.co_code, 0
    instructions, loaded = bytearray(), dict[int, None]()
    path: list[str] = []
    for i in range(0, len(content), 2):
        operation, argument = content[i], content[i + 1] | extended
        if operation == _EXTENDED:
            extended = argument << 8
            continue
        extended = 0
        if operation == _CACHE:
            continue
        if path and operation in _ATTRIBUTE_SHIFT:
            path.append(names[argument >> _ATTRIBUTE_SHIFT[operation]])
        else:
            if path:
                reads[path[0], tuple(path[1:])] = None
            path = [names[argument >> 1]] if operation == _LOAD_GLOBAL else []
        if operation in _CONSTANTS:
            loaded.setdefault(argument)
            argument = list(loaded).index(argument)
        instructions.append(operation)
        instructions += argument.to_bytes(4, "little")
    constants = [code.co_consts[place] for place in loaded]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~_DOCSTRING
    words = *names, b"", *code.co_varnames, b"", *code.co_freevars, b"", *code.co_cellvars
    return _joined(
        "code",
        repr((counts, words)).encode(),
        code.co_exceptiontable,
        bytes(instructions),
        *(encode_code(each, reads) if isinstance(each, CodeType) else encode(each) for each in constants),
    )


def _is_of_library(value: Any) -> bool:
    """Return True for a function or class of a library."""
    return hasattr(value, "__name__") and str(getattr(value, "__module__", None)).partition(".")[0] in _LIBRARIES


def _name_of(value: Any) -> bytes:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}".encode()


def _joined(tag: str, *parts: bytes) -> bytes:
    """Return one bytes object from a tag and parts. The length of each part is written before the part, so that different
    lists of parts give different bytes.
    """
    return b"".join((f"{tag} {len(parts)};".encode(), *(piece for part in parts for piece in (b"%d:" % len(part), part))))
