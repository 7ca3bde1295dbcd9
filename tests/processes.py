"""Programs that run beside a test."""

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
