"""Numba in its state after a first compilation. The process that is copied for tests imports it once."""

from numba.core.registry import cpu_target

from ludoteca.core import compiling

compiling._import_without_scipy()
cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
