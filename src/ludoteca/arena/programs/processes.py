"""The descendants of this process: lists of them, whether they run, and signals to all of them.

The spawner of a sandbox imports this module, so it imports only the standard library, which keeps the start short.
"""

import os
import signal
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def below(alone: bool) -> list[int]:
    """Return the numbers of all descendants of this process. With `alone`, this process is the first in a separate
    namespace, in which all other processes are its descendants.
    """
    if alone:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    found, left = list[int](), [os.getpid()]
    while left:
        pid = left.pop()
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                left += map(int, read(f"/proc/{pid}/task/{thread}/children").split())
        except (FileNotFoundError, ProcessLookupError):
            continue
        found.append(pid)
    return found[1:]


def sweep(user: int | None, alone: bool) -> float:
    """Kill all descendants of this process, and wait until they are gone. Return their seconds of processor time. `user` is
    their user number if it differs from that of this process, and `alone` is true in a separate namespace.
    """
    seconds = 0.0
    while True:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return seconds  # orphans come to this process, so there is nothing left
        if pid:
            seconds += usage.ru_utime + usage.ru_stime
            continue
        signal_all(signal.SIGKILL, user, alone)
        signal.sigtimedwait({signal.SIGCHLD}, 0.01)


def signal_all(number: int, user: int | None, alone: bool) -> None:
    """Send the signal `number` to all descendants of this process, in one call if the kernel allows this, so that none of
    them can fork in the meantime. `user` is their user number if it differs from that of this process, and `alone` is true
    in a separate namespace.

    The kernel sends such a signal to every process that the sender may signal. If root sent it, that would be the whole
    machine. So only two kinds of processes send it: process 1 of a separate namespace, and a process that has only the
    rights of the bot's user and cannot change that. Both conditions are checked before.
    """
    with suppress(ProcessLookupError):  # the last process has just ended
        if alone:
            assert os.getpid() == 1
            os.kill(-1, number)
            return
        if user is not None and number != signal.SIGCONT:  # stopped processes do not fork, so one at a time is enough
            if not (sender := os.fork()):
                try:
                    os.setresuid(user, user, user)
                    if os.getresuid() == (user, user, user) and user > 0:
                        os.kill(-1, number)
                finally:
                    os._exit(0)
            status = os.waitpid(sender, os.WUNTRACED)[1]
            if status == 0:
                return
            if os.WIFSTOPPED(status):  # a program has stopped the sender, and may do so every time
                os.kill(sender, signal.SIGKILL)
                os.waitpid(sender, 0)
    for pid in below(alone):
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def living_threads(pid: int) -> Iterator[bytes]:
    """Yield the state (a letter of /proc) of each thread that has not started to end. Threads start to end before their
    streams close.
    """
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return
    for thread in threads:
        with suppress(FileNotFoundError, ProcessLookupError):
            fields = read(f"/proc/{pid}/task/{thread}/stat").rpartition(b")")[2].split()
            if not int(fields[6]) & 4:
                yield fields[0]


def runs(pid: int) -> bool:
    """Return True if a process runs: it is not stopped or ending, and no signal SIGSTOP is waiting for it."""
    states = {*living_threads(pid)}
    if b"T" in states or states <= {b"t"}:  # the first thread that stops has told the others to
        return False
    try:
        waiting = read(f"/proc/{pid}/status").partition(b"ShdPnd:")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return not int(waiting, 16) >> (signal.SIGSTOP - 1) & 1


def processor_time(pids: Iterable[int]) -> float:
    """Return the seconds of processor time that these processes have used. Ended processes count as 0."""
    seconds = 0.0
    for pid in pids:
        with suppress(OSError):
            seconds += time.clock_gettime(~pid << 3 | 2)  # the number of its clock: see clock_getcpuclockid(3)
    return seconds
