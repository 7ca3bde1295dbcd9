"""Calls of a library's functions in a page, with arrays of `web.numpy`, numbers and named tuples.

A function of a library takes the address of a row of places, of eight bytes each: the address of its result, the address of
its error, and its arguments. An array has seven places, as Numba orders them, and a named tuple has those of its fields. The
function returns 0, or the number of an error. `web.libraries` writes libraries.
"""

import ctypes
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from struct import Struct
from typing import Any, Final

from ludoteca.core import native
from ludoteca.core.errors import LudotecaError

ARRAY: Final = "a"
KINDS: Final = {int: "i", float: "f", bool: "b", type(None): ""}
"""The kinds of arguments and results, in a library's description. A named tuple is the list of the kinds of its fields."""
_FORMS: Final = {ARRAY: 7 * "q", "i": "q", "f": "d", "b": "q"}
_RESULTS: Final = {"i": Struct("<q"), "f": Struct("<d"), "b": Struct("<?7x")}


def use_library(path: Path) -> None:
    """Bind rules to the functions of a library from now on. Its description, a JSON file, is next to it."""
    library = ctypes.CDLL(str(path))
    described: dict[str, dict[str, dict[str, Any]]] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    native.use(
        {binding: {name: _function(library, **about) for name, about in of.items()} for binding, of in described.items()}
    )


def _function(library: ctypes.CDLL, export: str, takes: list[Any], gives: str) -> Callable[..., Any]:
    """Return a Python function for a function of a library. It keeps its row, so no call may come within another."""
    row = Struct("<2q" + "".join(_forms(takes)))
    places, result = bytearray(row.size), bytearray(16)
    at, result_at = _address(places), _address(result)
    call = getattr(library, export)
    call.argtypes, call.restype = [ctypes.c_uint32], ctypes.c_int32
    read = _RESULTS.get(gives)

    def function(*arguments: Any) -> Any:
        given = [result_at, result_at + 8]
        _flatten(takes, arguments, given)
        row.pack_into(places, 0, *given)
        if error := call(at):
            raise LudotecaError(f"a compiled function failed with the error {error}")
        return read.unpack_from(result)[0] if read else None

    return function


def _forms(kinds: list[Any]) -> Iterator[str]:
    for kind in kinds:
        yield from _forms(kind) if isinstance(kind, list) else _FORMS[kind]


def _flatten(kinds: list[Any], values: Any, places: list[Any]) -> None:
    """Append the places of these values: an array's as Numba orders them, a named tuple's field by field."""
    for kind, value in zip(kinds, values, strict=True):
        if kind == ARRAY:
            length, size = len(value), value.dtype.itemsize
            places += (0, 0, length, size, value.address, length, size)
        elif isinstance(kind, list):
            _flatten(kind, value, places)
        else:
            places.append(value)


def _address(memory: bytearray) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))
