"""Instructions of the processor that stand in for functions in compiled code, where the processor has them.

Interpreted code, and compiled code for other processors, runs the function itself; both give the same numbers.
"""

from types import CodeType, FunctionType
from typing import Any, Final

from llvmlite import ir
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba import types
from numba.extending import intrinsic

from ludoteca.core import tables

_MICROCODED: Final = ("bdver4", "znver1", "znver2")
"""Processors that have bit-deposit and take up to 300 cycles for it."""


def standing_in(function: FunctionType) -> Any:
    """The instruction for a function or a copy of it; None where there is none."""
    return _INSTRUCTIONS.get(function.__code__)


def _emit_member(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    """Deposit a single bit, the n-th, to the members' places (`pdep`), and count the zeros below it (`tzcnt`)."""
    word = ir.IntType(64)
    name = "llvm.x86.bmi.pdep.64"
    deposit = builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(word, [word, word]), name)
    some, n = arguments
    place = builder.call(deposit, [builder.shl(ir.Constant(word, 1), n), some])
    return builder.cttz(place, ir.Constant(ir.IntType(1), 1))


@intrinsic
def _member(_typing: Any, _some: Any, _n: Any) -> Any:
    return types.int64(types.int64, types.int64), _emit_member


_INSTRUCTIONS: Final[dict[CodeType, Any]] = {}
if get_host_cpu_features().get("bmi2") and get_host_cpu_name() not in _MICROCODED:
    _INSTRUCTIONS[tables.member.__code__] = _member
EMITTERS: Final[tuple[Any, ...]] = (_emit_member,)
"""The functions that write the instructions: what machine code is kept under depends on them."""
