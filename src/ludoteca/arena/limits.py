"""What a program may use while it plays or is judged."""

import msgspec


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
