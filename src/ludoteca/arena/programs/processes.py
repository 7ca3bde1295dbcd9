"""The processes below this process.

The spawner of a sandbox imports this module, so it imports nothing of ours.
"""

import os
import signal
from contextlib import suppress


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def below(alone: bool) -> list[int]:
    """Return all processes below this process. In a separate namespace these are all processes."""
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
    """End all processes below this process, and wait until they are gone. Return their seconds of processor time."""
    seconds = 0.0
    while True:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return seconds  # orphans come to this process, so there is nothing left
        if pid:
            seconds += usage.ru_utime + usage.ru_stime
            continue
        kill_all(user, alone)
        signal.sigtimedwait({signal.SIGCHLD}, 0.01)


def kill_all(user: int | None, alone: bool) -> None:
    """Kill all processes below this process, in one call if the kernel can do that, so that none forks meanwhile.

    A signal to "all" goes to every process that the sender may signal. For a process whose real or effective user is root,
    this is the whole machine. So only two kinds of processes send it: process 1 of a separate namespace, or a process that
    is the bot's user in every respect and cannot change it. Both are checked before.
    """
    with suppress(ProcessLookupError):  # the last process has just ended
        if alone:
            assert os.getpid() == 1
            os.kill(-1, signal.SIGKILL)
            return
        if user is not None:
            if not (sender := os.fork()):
                try:
                    os.setresuid(user, user, user)
                    if os.getresuid() == (user, user, user) and user > 0:
                        os.kill(-1, signal.SIGKILL)
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
            os.kill(pid, signal.SIGKILL)
