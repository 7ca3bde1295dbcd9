"""Programs that run beside a test."""

import os
import subprocess
import time
from pathlib import Path

PATIENCE = 300.0
"""Seconds after which a program hangs, on however busy a machine."""


def until_it_waits(process: "subprocess.Popen[bytes]") -> None:
    """Return when the program waits for what comes next, a line for example, and not for a processor; as Linux tells it.

    Python sees a signal that comes just before it begins to wait for a line only after that line.
    """
    status, deadline = Path(f"/proc/{process.pid}/stat"), time.monotonic() + PATIENCE
    while status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "S":
        assert time.monotonic() < deadline, "it never waits"
        time.sleep(0.01)  # between two looks


def until_it_has_worked(process: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Return when the program has used a processor for so long, or has ended; on a busy machine that is later."""
    status, ticks = Path(f"/proc/{process.pid}/stat"), seconds * os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        fields = status.read_text(encoding="utf-8").rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= ticks:  # in user mode and in the kernel
            return
        time.sleep(0.01)  # between two looks
