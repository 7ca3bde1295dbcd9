"""The part of NumPy that games need in a web page: arrays of numbers and of structures, in memory that compiled functions
can use.

It is the module `numpy` of the archive for pages, and is used nowhere else (`web.package`). Rules, scenes, notation, agents
and the Python side of searches find here the functions that they use. Any other function of NumPy is missing, and raises an
error that says so. Numbers are Python's, so unsigned ones wrap only when they are made or stored. Random numbers are not
affected, because their code is compiled. Arrays are in C order. An operation takes two arrays of one length, or an array and
a number.
"""

import builtins
import ctypes
import math
import operator
import struct
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, Final
from zipfile import ZipFile

__version__ = "0"


def __getattr__(name: str) -> Any:
    raise AttributeError(f"numpy.{name} is not in the package for pages; ludoteca/web/numpy has what is")


# Types of numbers


class generic:  # noqa: N801  # NumPy's names, here and below
    """The base of types of numbers, which return Python's numbers."""

    char = ""
    kind = ""

    def __new__(cls, value: Any = 0) -> Any:
        """Return the number as Python's; an unsigned one modulo its range."""
        if cls.kind == "f":
            return float(value)
        return int(value) & (256 ** struct.calcsize(cls.char) - 1) if cls.kind == "u" else int(value)


class void:  # noqa: N801
    """The base of structures."""


def _number_type(name: str, char: str, kind: str) -> Any:
    return type(name, (generic,), {"char": char, "kind": kind})


int8, int16, int32, int64 = (_number_type(f"int{8 << i}", char, "i") for i, char in enumerate("bhiq"))
uint8, uint16, uint32, uint64 = (_number_type(f"uint{8 << i}", char, "u") for i, char in enumerate("BHIQ"))
float32, float64, bool_ = (
    _number_type(*each) for each in (("float32", "f", "f"), ("float64", "d", "f"), ("bool", "?", "b"))
)
_NUMBERS: Final = (int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, bool_)
_CODES: Final = {code: each for each in _NUMBERS for code in (f"{each.kind}{struct.calcsize(each.char)}", each.__name__)}
_PYTHONS: Final = {int: int64, float: float64, bool: bool_}


class dtype:  # noqa: N801
    """A type of elements: of numbers, of rows of numbers in a structure (`shape`), or of structures (`fields`)."""

    char: str
    kind: str
    itemsize: int
    base: "dtype"
    element: Any
    """The class of structures."""
    shape: tuple[int, ...]
    isnative: bool
    fields: Any
    names: tuple[str, ...] | None

    def __new__(cls, what: Any, shape: tuple[int, ...] = ()) -> "dtype":
        """Return the type for a NumPy type, a code such as `"i1"`, a list of fields, or a class that names its type."""
        if isinstance(what, dtype):
            return what
        if isinstance(what, tuple):  # a class for elements: structures have attributes here anyway
            return dtype(what[1])
        self = object.__new__(cls)
        self.shape, self.isnative, self.fields, self.names = shape, True, None, None
        if isinstance(what, list):
            self._set_fields(what)
            return self
        number = _PYTHONS.get(what) or _CODES.get(what, what)
        if number not in _NUMBERS:
            raise TypeError(f"numpy.dtype: read {what!r}, expected a number type of ludoteca/web/numpy or a list of fields")
        self.char, self.base = number.char, self if not shape else dtype(number)
        self.kind = "V" if shape else number.kind
        self.itemsize = struct.calcsize(number.char) * math.prod(shape)
        return self

    def _set_fields(self, fields: Sequence[Any]) -> None:
        self.char = self.kind = "V"
        self.fields, self.itemsize = {}, 0
        for name, code, *shape in fields:
            self.fields[name] = kind, _ = dtype(code, *shape), self.itemsize
            self.itemsize += kind.itemsize
        self.names = tuple(self.fields)
        content = {name: _field(kind, at) for name, (kind, at) in self.fields.items()}
        self.element = type("Element", (_Structure,), {"__slots__": (), "dtype": self, **content})

    def __class_getitem__(cls, _: Any) -> Any:
        return cls


class _Structure(void):
    """A structure in an array. Its fields are attributes."""

    __slots__ = ("memory",)

    def __init__(self, memory: memoryview) -> None:
        self.memory = memory

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def tobytes(self) -> bytes:
        return self.memory.tobytes()


def _field(kind: dtype, at: int) -> property:
    """Return the attribute of structures for a field of that type at that place."""
    if kind.shape:

        def row(element: _Structure) -> "ndarray":
            part: Any = element.memory[at : at + kind.itemsize]
            return _over(part.cast(kind.char), kind.base, kind.shape)

        def fill(element: _Structure, value: Any) -> None:
            row(element)[:] = value

        return property(row, fill)
    form = struct.Struct(f"<{kind.char}")

    def read(element: _Structure) -> Any:
        return form.unpack_from(element.memory, at)[0]

    def write(element: _Structure, value: Any) -> None:
        form.pack_into(element.memory, at, number(value))

    number = next(each for each in _NUMBERS if each.char == kind.char)
    return property(read, write)


# Arrays


class ndarray:  # noqa: N801
    """Numbers or structures in memory, in C's order."""

    __slots__ = ("_address", "dtype", "memory", "shape")
    dtype: Any
    memory: Any
    """A memoryview: of numbers, or of the bytes of structures."""
    shape: tuple[int, ...]
    _address: int

    def __new__(cls, shape: Any, kind: Any = float64, buffer: Any = None, dtype: Any = None) -> "ndarray":
        """Return an array over the buffer, or over zeros."""
        kind, shape = _dtype(dtype or kind), (shape,) if isinstance(shape, int) else tuple(shape)
        memory = memoryview(bytearray(math.prod(shape) * kind.itemsize) if buffer is None else buffer)
        return _over(memory if kind.fields else memory.cast("B").cast(kind.char), kind, shape)

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"numpy.ndarray.{name} is not in the package for pages; ludoteca/web/numpy has what is")

    @property
    def address(self) -> int:
        """The address of its memory, for compiled functions."""
        if not self._address:
            self._address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory)) if self.memory.nbytes else 8
        return self._address

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.memory) if self._is_row() else (self[i] for i in range(len(self)))

    def _is_row(self) -> bool:
        """Return True for numbers in one dimension, which are the elements of the memory."""
        return len(self.shape) == 1 and not self.dtype.fields

    def _step(self) -> int:
        """Return how far two elements are apart in the memory."""
        return math.prod(self.shape[1:]) * (self.dtype.itemsize if self.dtype.fields else 1)

    def __getitem__(self, at: Any) -> Any:
        if type(at) is int:
            if self._is_row():
                return self.memory[at]
            start, step = range(len(self))[at] * self._step(), self._step()
            memory = self.memory[start : start + step]
            return self.dtype.element(memory) if len(self.shape) == 1 else _over(memory, self.dtype, self.shape[1:])
        if isinstance(at, slice):
            start, stop, jump = at.indices(len(self))
            if jump != 1:
                raise _unknown(f"a slice with the step {jump}")
            stop, step = max(start, stop), self._step()
            return _over(self.memory[start * step : stop * step], self.dtype, (stop - start, *self.shape[1:]))
        if isinstance(at, str):
            return array([getattr(element, at) for element in self], self.dtype.fields[at][0])
        if isinstance(at, tuple):
            return self[at[0]][at[1:] if len(at) > 2 else at[1]]
        if isinstance(at, (list, ndarray)):
            return self._chosen(self._places(at))
        return self[operator.index(at)]

    def _places(self, at: Any) -> list[int]:
        """Return the places of an array or list of places, or of truths."""
        places = at.tolist() if isinstance(at, ndarray) else at
        if places and isinstance(places[0], bool):
            return [place for place, is_chosen in enumerate(places) if is_chosen]
        return places

    def _chosen(self, places: Sequence[int]) -> "ndarray":
        if self._is_row():
            return array([*map(self.memory.__getitem__, places)], self.dtype)
        step = self._step()
        content = b"".join(self.memory[place * step : place * step + step] for place in places)
        return ndarray((len(places), *self.shape[1:]), self.dtype, bytearray(content))

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, tuple):
            self[at[:-1] if len(at) > 2 else at[0]][at[-1]] = value
        elif isinstance(at, (list, ndarray)):
            for number, place in enumerate(self._places(at)):
                self[place : place + 1] = value[number : number + 1] if isinstance(value, ndarray) else value
        elif not isinstance(at, slice) and self._is_row():
            self.memory[at] = _number(self.dtype, value)
        else:
            part = self[at]
            part._fill(value)

    def _fill(self, value: Any) -> None:
        """Set all numbers: to one number, or to those of an array or list."""
        if isinstance(value, ndarray) and value.dtype.char == self.dtype.char and value.size == self.size:
            self.memory.cast("B")[:] = value.tobytes()
            return
        if self.dtype.fields:
            raise _unknown("structures of other values")
        values = value if isinstance(value, (ndarray, list, tuple)) else [value] * self.size
        if len(values) != self.size:
            raise _unknown(f"{len(values)} values for {self.size} places")
        flat = self.ravel().memory
        try:
            struct.pack_into(f"{len(values)}{self.dtype.char}", flat, 0, *values)
        except struct.error:  # numbers that need `_number`
            for place, each in enumerate(values):
                flat[place] = _number(self.dtype, each)

    def tobytes(self) -> Any:
        return self.memory.tobytes()

    def tolist(self) -> list[Any]:
        return self.memory.tolist() if self._is_row() else [part.tolist() for part in self]

    def ravel(self) -> "ndarray":
        return _over(self.memory, self.dtype, (self.size,))

    def reshape(self, *shape: Any) -> "ndarray":
        return _over(self.memory, self.dtype, shape[0] if isinstance(shape[0], tuple) else shape)

    def copy(self) -> "ndarray":
        return ndarray(self.shape, self.dtype, bytearray(self.memory.tobytes()))

    def view(self, kind: Any) -> "ndarray":
        kind = _dtype(kind)
        return _over(self.memory.cast("B").cast(kind.char), kind, (self.memory.nbytes // kind.itemsize,))

    def astype(self, kind: Any) -> "ndarray":
        return array(self.tolist(), kind)

    def sort(self) -> None:
        self[:] = sorted(self.memory)

    def setflags(self, *, write: bool) -> None:
        """Do nothing: no memory is protected."""

    def max(self) -> Any:
        return max(self.memory)

    def any(self) -> bool:
        return any(self.memory)

    def all(self) -> bool:
        return all(self.memory)

    def __iadd__(self, other: Any) -> "ndarray":
        self[:] = self + other
        return self

    def __neg__(self) -> "ndarray":
        return array([-each for each in self.memory], self.dtype)


def _operation(act: Callable[[Any, Any], Any], kind: Any = None, *, swapped: bool = False) -> Any:
    """Return a method for pairs of numbers. The results are of that type, or else of the array's, or float64 for floats."""

    def operate(self: ndarray, other: Any) -> ndarray:
        others = other.memory if isinstance(other, ndarray) else [other] * self.size
        is_float = isinstance(other, float) or (isinstance(other, ndarray) and other.dtype.kind == "f")
        pairs = zip(others, self.memory, strict=True) if swapped else zip(self.memory, others, strict=True)
        results = [act(*pair) for pair in pairs]
        return array(results, kind or (float64 if is_float else self.dtype)).reshape(self.shape)

    return operate


for _name in ("eq", "ne", "lt", "gt"):
    setattr(ndarray, f"__{_name}__", _operation(getattr(operator, _name), bool_))
for _name in ("add", "sub", "mul", "and_", "truediv"):
    _kind = float64 if _name == "truediv" else None
    setattr(ndarray, f"__{_name.strip('_')}__", _operation(getattr(operator, _name), _kind))
    setattr(ndarray, f"__r{_name.strip('_')}__", _operation(getattr(operator, _name), _kind, swapped=True))
_dtype: Final = dtype


def _over(memory: Any, kind: Any, shape: tuple[int, ...]) -> ndarray:
    """Return an array over this memory, without a copy."""
    self = object.__new__(ndarray)
    self.memory, self.dtype, self.shape, self._address = memory, kind, shape, 0
    return self


def _number(kind: dtype, value: Any) -> Any:
    """Return a number as the memory takes it."""
    if kind.kind == "u":
        return int(value) & (256**kind.itemsize - 1)
    return float(value) if kind.kind == "f" else int(value) if kind.kind == "i" else value


def _unknown(what: str) -> TypeError:
    return TypeError(f"numpy: {what}: the package for pages cannot do it (ludoteca/web/numpy)")


# Functions


def _shape_of(rows: Any) -> tuple[int, ...]:
    if isinstance(rows, ndarray):
        return rows.shape
    return (len(rows), *(_shape_of(rows[0]) if rows else ())) if isinstance(rows, (list, tuple)) else ()


def array(rows: Any, kind: Any = None, dtype: Any = None) -> ndarray:
    """Return an array of these numbers, in rows of equal length."""
    shape, values = _shape_of(rows), rows
    for _ in shape[1:]:
        values = list(chain.from_iterable(values))
    kind = dtype or kind
    if kind is None:
        types = set(map(type, values)) or {float}
        kind = bool if types == {bool} else float if float in types else int
    made = ndarray(shape, kind)
    made.ravel()._fill(list(values))
    return made


def asarray(some: Any) -> ndarray:
    """Return an array itself."""
    return some if isinstance(some, ndarray) else array(some)


zeros = empty = ndarray


def full(shape: Any, value: Any, kind: Any) -> ndarray:
    """Return an array of one value."""
    made = ndarray(shape, kind)
    made[:] = value
    return made


def arange(*bounds: int) -> ndarray:
    """Return the whole numbers from 0, or between two bounds."""
    return array(list(range(*bounds)), int64)


def concatenate(parts: Iterable[Iterable[Any]]) -> ndarray:
    """Return the numbers of all parts, one after the other."""
    return array(list(chain.from_iterable(parts)))


def flatnonzero(some: ndarray) -> ndarray:
    """Return the places of numbers other than 0."""
    return array([place for place, each in enumerate(some.memory) if each], int64)


def argsort(some: ndarray, kind: str) -> ndarray:  # noqa: ARG001  # always stable
    """Return the places of the numbers in ascending order. Equal ones keep theirs."""
    return array(sorted(range(len(some)), key=some.tolist().__getitem__), int64)


def roll(some: ndarray, by: int) -> Any:
    """Return an array with its last elements first."""
    places = list(range(len(some)))
    return some[places[-by:] + places[:-by]]


def cumsum(some: ndarray) -> ndarray:
    """Return the sums of all numbers up to each."""
    return array(list(accumulate(some.memory)), some.dtype)


def _each(act: Callable[[float], float]) -> Callable[[ndarray], ndarray]:
    return lambda some: array([act(value) for value in some.memory], float64)


exp, log, rint = _each(math.exp), _each(math.log), _each(lambda value: float(builtins.round(value)))
sqrt, round = math.sqrt, rint  # noqa: A001


def load(file: Any, *, allow_pickle: bool) -> "_Archive":  # noqa: ARG001  # NumPy's signature
    """Return the arrays of an .npz file by name."""
    return _Archive(file)


class _Archive(ZipFile):
    def __getitem__(self, name: str) -> Any:
        """Return a row of numbers as float32, or a text."""
        content = self.read(f"{name}.npy")
        end = 10 + int.from_bytes(content[8:10], "little")
        about = literal_eval(content[10:end].decode())
        if about["descr"].startswith("<U"):
            return content[end:].decode("utf-32-le")
        char = {"f2": "e", "f4": "f"}[about["descr"].lstrip("<")]
        return array([each for (each,) in struct.iter_unpack(f"<{char}", content[end:])], float32)
