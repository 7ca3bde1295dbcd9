"""Programs that run next to a test, or in its process."""

import os
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from multiprocessing.process import BaseProcess
from pathlib import Path
from unittest.mock import patch

import pytest

from ludoteca.cli.commands import run

PATIENCE = 300.0
"""Seconds after which a program counts as hanging, even on a busy machine."""


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until another process or thread makes a condition true."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)  # between two looks


def until_it_waits(process: "subprocess.Popen[bytes] | BaseProcess | int") -> None:
    """Return when Linux reports that the program waits for input, such as a line, and not for a processor.

    If a signal comes just before Python waits for a line, Python handles it only after that line.
    """
    pid = process if isinstance(process, int) else process.pid
    status, deadline = Path(f"/proc/{pid}/stat"), time.monotonic() + PATIENCE
    while status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "S":
        assert time.monotonic() < deadline, "it never waits"
        time.sleep(0.01)  # between two looks


def until_it_has_worked(process: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Return when the program has used a processor for this long, or has ended. On a busy machine that is later."""
    status, ticks = Path(f"/proc/{process.pid}/stat"), seconds * os.sysconf("SC_CLK_TCK")
    while process.poll() is None:
        fields = status.read_text(encoding="utf-8").rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= ticks:  # in user mode and in the kernel
            return
        time.sleep(0.01)  # between two looks


def without_progress(errors: str | bytes) -> str:
    """Return the standard error of a command without the lines of progress, which depend on the machine's speed."""
    return re.sub(r"(?m)^.* \.\.\.\n", "", errors if isinstance(errors, str) else errors.decode())


def run_here(*arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """Run `ludoteca` with these arguments in this process. Return its errors without progress.

    This spares the start, the imports and the machine code of another process.
    """
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    typist = TextIOWrapper(BytesIO(typed.encode()), encoding="utf-8")
    with (
        patch.multiple(sys, argv=["ludoteca", *arguments], stdin=typist, stdout=out, stderr=err),
        patch.object(warnings, "formatwarning", warnings.formatwarning),
        pytest.raises(SystemExit) as left,
    ):
        run()
    status = left.value.code or 0
    assert isinstance(status, int)
    printed, errors = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(arguments, status, printed, without_progress(errors))


def workers_of_this_process() -> list[int]:
    """Return the numbers of the pools' processes that are running."""
    found = list[int]()
    for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="utf-8").split():
        with suppress(FileNotFoundError, ProcessLookupError):
            if b"ludoteca.core.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found
