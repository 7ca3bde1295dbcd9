"""Numba as it is when the first function has been compiled: imported once by what other processes are copies of."""

from numba.core.registry import cpu_target

from ludoteca.core import compiling

compiling._import_without_scipy()
cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
