"""What a program may use, and what it can do wrong. Reports and records keep the names of faults."""

from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from ludoteca.core.errors import LudotecaError


class Limits(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The limits of one program. Sizes are in bytes. Times are in seconds, on the clock except for `cpu`."""

    start: float = 10.0
    """From the start to its greeting."""
    move: float = 5.0
    """For one answer."""
    bank: float = 0.0
    """For all its answers of one game together; 0 means that only single answers are limited."""
    cpu: float = 0.0
    """Seconds of processor time for all its processes together, from start to end; 0 means no such limit."""
    memory: int = 1 << 30
    """For all its processes together, where the machine can measure that; else for each."""
    output: int = 1 << 20
    """For one answer (with what it writes to standard error meanwhile), or for the whole run of a program that is judged."""
    processes: int = 64
    """At a time, threads included."""
    files: int = 256
    """That one process has open."""
    disk: int = 64 << 20
    """For the files that it writes."""


class Fault(StrEnum):
    """The first thing that a program did wrong; after it the program is not asked again in that game."""

    MISSING = "missing"
    """There is no such file."""
    NOT_EXECUTABLE = "not executable"
    """The file cannot be run: no permission, another processor's, no interpreter."""
    START = "start"
    """It did not say that it is ready within the time for its start."""
    TIME = "time"
    """No whole answer came within the time for the move, or its bank of time is used up."""
    MEMORY = "memory"
    """It used more memory than it may."""
    OUTPUT = "output"
    """It wrote more than it may."""
    PROCESSES = "processes"
    """It started more processes than it may."""
    DISK = "disk"
    """Its files took more room than they may."""
    SIGNAL = "signal"
    """A signal ended it; the detail names the signal."""
    EXIT = "exit"
    """It ended, or closed its output, before the game did; the detail has the exit status."""
    UNREADABLE = "unreadable"
    """Its answer stands for no action of the game."""
    ILLEGAL = "illegal"
    """Its answer is an action of the game that is not legal there."""
    UNASKED = "unasked"
    """It answered before it was asked, or more than once."""


class FaultError(LudotecaError):
    """A program did something wrong; the message tells the details, in English and in one line."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault: Final = fault
        self.detail: Final = detail


class Ending(NamedTuple):
    """How the spawner reports that a program ended."""

    how: int
    status: int
    """The exit status, or minus the number of the signal."""
    error: int
    """The number of the error that kept the program from starting."""
    seconds: float
    cpu: float
    """Seconds of processor time."""
    memory: int
    """Most bytes at a time."""
    processes: int
    """Most at a time."""
