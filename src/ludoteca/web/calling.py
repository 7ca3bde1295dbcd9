"""Calls the functions of a compiled library (`web.libraries`) from the Python in a page. Arguments are arrays of
`web.numpy`, numbers, and named tuples of these.

A function of a library has one argument: the address of a row of cells of eight bytes. The first two cells have the
addresses for its result and for its error, and the others have its arguments. An array takes seven cells, in the order in
which Numba has them, and a named tuple has the cells of its fields. The function returns 0, or the number of an error.
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
"""Letters for the kinds of arguments and results in a library's description. A named tuple is a list of kinds."""
_FORMS: Final = {ARRAY: 7 * "q", "i": "q", "f": "d", "b": "q"}
_RESULTS: Final = {"i": Struct("<q"), "f": Struct("<d"), "b": Struct("<?7x")}


def use_library(path: Path) -> None:
    """From now on, bind rules to the functions of a library (`core.native.use`). `path` is the WebAssembly file. The
    description of its functions, a JSON file, must be next to it.
    """
    library = ctypes.CDLL(str(path))
    described: dict[str, dict[str, dict[str, Any]]] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    native.use(
        {binding: {name: _function(library, **about) for name, about in of.items()} for binding, of in described.items()}
    )


def _function(library: ctypes.CDLL, export: str, takes: list[Any], gives: str) -> Callable[..., Any]:
    """Return a Python function that calls a function of a library. It uses the same row in memory for every call, so it must
    not be called again while a call is running.
    """
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
    """Append the cells for these values to `places`: seven for an array, and those of each field for a named tuple."""
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
