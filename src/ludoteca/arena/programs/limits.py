"""The limits of programs, and the faults that programs can commit. The names of faults are stored in reports and records."""

from enum import StrEnum
from signal import Signals
from typing import Final, NamedTuple

import msgspec

from ludoteca.core.errors import LudotecaError

SIGNAL_NAMES: Final = {number.value: number.name for number in Signals}
"""The names of signals by number. Signals between SIGRTMIN and SIGRTMAX have no names."""


class Limits(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The limits of one program. Sizes are in bytes. Times are in seconds, on the wall clock except for `cpu`."""

    start: float = 10.0
    """From the start of the process to its greeting, the first line that it writes."""
    move: float = 5.0
    """For one answer."""
    bank: float = 0.0
    """For all answers of the program in one game together. 0 means that only single answers are limited."""
    cpu: float = 0.0
    """Processor time of all its processes together, from start to end. 0 means no limit."""
    memory: int = 1 << 30
    """For all processes of the program together if the machine can measure this, or else for each process."""
    output: int = 1 << 20
    """For one answer, including standard error. For a program that is run only once, for the whole run."""
    processes: int = 64
    """The number of processes and threads at one time."""
    files: int = 256
    """The number of open files of one process."""
    disk: int = 64 << 20
    """For all files that the program writes."""


class Fault(StrEnum):
    """The first fault of a program in a game, after which it takes no further part in the game."""

    MISSING = "missing"
    """The file does not exist."""
    NOT_EXECUTABLE = "not executable"
    """The file cannot be run: no permission, another processor, or no interpreter."""
    START = "start"
    """It did not greet within the time for its start."""
    TIME = "time"
    """The arena received no complete answer within the time for the move, or within the time left for the game."""
    MEMORY = "memory"
    """It exceeded the limit of memory."""
    OUTPUT = "output"
    """It exceeded the limit of output."""
    PROCESSES = "processes"
    """It exceeded the limit of processes, or its processes could not be stopped."""
    DISK = "disk"
    """Its files exceeded the limit of the disk."""
    SIGNAL = "signal"
    """A signal ended it. The detail names the signal."""
    EXIT = "exit"
    """It ended, or closed its output, before the end of the game. The detail contains the exit status."""
    UNREADABLE = "unreadable"
    """Its answer is not an action of the game."""
    ILLEGAL = "illegal"
    """Its answer is an action that is not legal in the position."""
    UNASKED = "unasked"
    """It answered before its turn, or more than once."""


class FaultError(LudotecaError):
    """A fault of a program. The message has the name of the fault and the details, in English and in one line.

    >>> str(FaultError(Fault.TIME, "no answer within 10 s"))
    'time: no answer within 10 s'
    """

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault: Final = fault
        self.detail: Final = detail


class Ending(NamedTuple):
    """The spawner's report of how a program ended. `how` is one of the spawner's numbers, such as ENDED."""

    how: int
    status: int
    """The exit status, or minus the number of the signal that ended it."""
    error: int
    """The number of the system's error because of which the program could not be started; else 0."""
    seconds: float
    cpu: float
    """Seconds of processor time."""
    memory: int
    """The maximum number of bytes at one time."""
    processes: int
    """The maximum number at one time."""
