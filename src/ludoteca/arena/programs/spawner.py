"""The spawner: the small process inside a sandbox that starts and ends programs. There is one spawner for each bot, so that
a further run does not have to build a sandbox.

Of Ludoteca, it imports only `processes.py`. It reads requests from a socket. The first request has the settings. Later
requests are:

- RUN starts a program, whose three streams come as descriptors. The answer comes when it and its descendants are dead.
- KILL ends the running program.
- STOP stops the program a MOMENT later, and GO_ON continues it.
- QUERY continues the program and is answered at once, unless the program is about to end, when its end is the answer.

The spawner ends when the arena ends, for any reason. It has a parent, the keeper (`keep`), if no namespace of processes ends
with it, or if a folder on the disk must be deleted. The keeper only waits for the spawner's end, and then ends remaining
processes and deletes the folder.
"""

from __future__ import annotations

import ctypes
import errno
import marshal
import math
import os
import resource
import select
import signal
import socket
import stat
import struct
import sys
import time

from ludoteca.arena.programs.processes import below, living_threads, processor_time, read, runs, signal_all, sweep

TYPE_CHECKING = False  # type checkers take it for typing's; importing typing would take a third of a start
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

HEADER: Final = struct.Struct("=cI")
"""The kind of a message, and the length of its content."""
STREAM: Final = struct.Struct("=i")
"""A descriptor in a message. (`socket.recv_fds` ignores its flags before Python 3.12, so programs would inherit it.)"""
RUN: Final = b"R"
KILL: Final = b"K"
STOP: Final = b"T"
GO_ON: Final = b"G"
QUERY: Final = b"Q"
REPLY: Final = struct.Struct("=BiiddqI")

ENDED, KILLED, MEMORY, PROCESSES, DISK, CPU, NOT_STARTED, NOT_STOPPED, ALIVE = range(9)
"""Reasons for a program's end: by itself, on request, over a limit, not started, not stoppable. ALIVE answers QUERY."""

PAGE: Final = resource.getpagesize()
TICKS: Final = os.sysconf("SC_CLK_TCK")
"""The kernel counts processor time in this many ticks a second."""
PATIENCE: Final = 10.0
"""Seconds of attempts to start a program if the kernel has no room for another process."""
MOMENT, SOON, LATER = 0.005, 0.02, 0.1
"""Seconds from a STOP request to the stop, from there to the first check that no process runs, and between later checks."""
REST: Final = 0.002
"""Seconds of processor time that a running program gets after a STOP request, to write the rest of its output."""
MOST_STOPS: Final = 10
"""How often a program is stopped again because one of its processes still runs."""
QUICKEST: Final = 16 << 30
"""An upper bound of the growth of a program's memory, in bytes a second. From it follows when memory is measured next."""
NO_NEW_PRIVILEGES, NOT_DUMPABLE, SUBREAPER, NO_RIGHTS_HANDED_ON = (38, 1), (4, 0), (36, 1), (47, 4)
"""Arguments of `prctl`: see prctl(2)."""
SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108  # the sandbox has its own
EVERY_SIGNAL: Final = sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})


def control(option: tuple[int, int]) -> None:
    """Call `prctl`, which Python has no function for. Raises OSError if the kernel refuses or does not know the option."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(option[0], ctypes.c_ulong(option[1]), *[ctypes.c_ulong(0)] * 3):
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def empty(folder: str, kept: frozenset[str] = frozenset()) -> None:
    """Delete the content of a folder except the folders in `kept`, whatever content a program has made.

    Before a folder is deleted, its content is moved up into `folder`, so that even deeply nested folders can be deleted.
    """
    number = 0
    while names := [name for name in os.listdir(folder) if f"{folder}/{name}" not in kept]:
        for name in names:
            path = f"{folder}/{name}"
            if not os.path.isdir(path) or os.path.islink(path):
                os.unlink(path)
                continue
            os.chmod(path, 0o700)
            for inner in os.listdir(path):
                number += 1
                if os.path.isdir(f"{path}/{inner}") and not os.path.islink(f"{path}/{inner}"):
                    os.chmod(f"{path}/{inner}", 0o700)  # otherwise it may not be moved
                os.rename(f"{path}/{inner}", f"{folder}/{number}.{os.getpid()}.moved")
            os.rmdir(path)
    for path in kept:
        if os.path.dirname(path) == folder and os.path.isdir(path) and not os.path.ismount(path):
            empty(path, kept)


def remove_objects(user: int | None) -> None:
    """Remove the System V objects (shared memory, queues, semaphores) of a user, or all objects in this namespace if `user`
    is None. Such objects outlive the programs that made them.
    """
    library = ctypes.CDLL(None)
    for kind, arguments in (("shm", (0, None)), ("msg", (0, None)), ("sem", (0, 0))):
        if os.path.exists(f"/proc/sysvipc/{kind}"):  # otherwise the kernel has no such objects
            names, *rows = [line.split() for line in read(f"/proc/sysvipc/{kind}").decode().splitlines()]
            for row in rows:
                fields = dict(zip(names, map(int, row), strict=True))
                if user is None or user in (fields["uid"], fields["cuid"]):
                    getattr(library, f"{kind}ctl")(int(row[1]), *arguments)


class Spawner:
    """The spawner of a sandbox. It runs one program at a time."""

    def __init__(self, arena: socket.socket, life: int) -> None:
        self.arena = arena
        self.life = life
        settings = self.receive(wait=True)
        assert settings
        self.settings: dict[str, Any] = settings[1]
        self.folder: str = self.settings["folder"]
        self.cwd = f"{self.folder}/box"
        self.user: int | None = self.settings["user"]
        self.alone: bool = self.settings["alone"]
        self.limits: dict[str, int] = self.settings["limits"]
        self.cpu: float = self.settings["cpu"]
        self.kept = frozenset(self.folders(self.folder))
        self.rest: tuple[list[int], float] | None = None

    def folders(self, folder: str) -> list[str]:
        """Return the folders in `folder` that exist before the first program runs. They are mount points, which cannot be
        deleted.
        """
        found = [f"{folder}/{name}" for name in os.listdir(folder)]
        inner = [path for path in found if os.path.isdir(path) and os.stat(path).st_dev == os.stat(folder).st_dev]
        return [*found, *(name for path in inner for name in self.folders(path))]

    def confine(self) -> None:
        """Give up rights, and set the limits, of the spawner and of all processes that it starts. The rights cannot be
        regained.
        """
        if self.user is not None:
            os.setgroups([])
            os.setresgid(self.user, self.user, self.user)
        control(NO_NEW_PRIVILEGES)
        control(NO_RIGHTS_HANDED_ON)
        control(NOT_DUMPABLE)
        if not self.alone:
            control(SUBREAPER)
        for name, value in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, self.limits["disk"]),
            (resource.RLIMIT_NOFILE, self.limits["files"]),
            (resource.RLIMIT_DATA, self.limits["data"]),
            (resource.RLIMIT_NPROC, self.limits["threads"]),
            (resource.RLIMIT_MSGQUEUE, 0),  # POSIX queues outlive programs, and cannot be listed everywhere
        ):
            hard = resource.getrlimit(name)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(name, (value, value))

    def act_as_the_bot(self) -> None:
        """Act with the rights of the bot's user, to make and delete files and to end processes. The bot still cannot signal
        the spawner.
        """
        if self.user is not None:
            os.setresuid(0, self.user, 0)

    def act_as_oneself(self) -> None:
        if self.user is not None:
            os.setresuid(0, 0, 0)

    def receive(self, wait: bool) -> tuple[bytes, Any, list[int]] | None:
        """Return the next request as its kind, its content and its descriptors. Return None if there is none and `wait` is
        false. End the spawner if the arena is gone.
        """
        poll = select.poll()
        poll.register(self.arena, select.POLLIN)
        poll.register(self.life, select.POLLIN)
        ready = dict(poll.poll(None if wait else 0))
        if self.life in ready:
            self.end()
        if not ready:
            return None
        flags = socket.MSG_CMSG_CLOEXEC | socket.MSG_WAITALL
        head, ancillary, _, _ = self.arena.recvmsg(HEADER.size, socket.CMSG_LEN(3 * STREAM.size), flags)
        streams = [descriptor for _, _, data in ancillary for (descriptor,) in STREAM.iter_unpack(data)]
        if len(head) < HEADER.size:
            self.end()
        kind, length = HEADER.unpack(head)
        content = bytearray()
        while len(content) < length:
            if not (piece := self.arena.recv(length - len(content))):
                self.end()
            content += piece
        return kind, marshal.loads(content) if content else None, streams  # noqa: S302  # the arena wrote it

    def end(self) -> NoReturn:
        sweep(self.user, self.alone)
        os._exit(0)  # in a separate namespace, all processes end with this one

    def serve(self) -> NoReturn:
        self.clean()
        self.arena.send(b"\0")  # the spawner is ready
        while True:
            request = self.receive(wait=True)
            if request and request[0] == RUN:
                self.arena.send(self.run(request[1], request[2]))
                self.clean()

    def clean(self) -> None:
        self.act_as_the_bot()
        if self.alone or self.user is not None:
            remove_objects(None if self.alone else self.user)
        if self.alone:
            empty(SHARED_MEMORY)
        only = not self.kept and os.listdir(self.folder) == ["box"]
        if not only or os.lstat(self.cwd).st_mode != stat.S_IFDIR | 0o700 or os.listdir(self.cwd):
            empty(self.folder, self.kept)
            os.mkdir(self.cwd, 0o700)
        self.act_as_oneself()

    def run(self, request: tuple[str, list[str], dict[str, str], dict[str, bytes]], streams: list[int]) -> bytes:
        """Run one program to its end, and return the report of the end."""
        self.peak = self.most = self.stops = 0
        self.stopped, self.stop_at, self.rest = False, math.inf, None
        begun = time.monotonic()
        try:
            pid = self.spawn(*request, streams)
        except OSError as error:
            return REPLY.pack(NOT_STARTED, 0, error.errno or errno.EIO, 0, 0, 0, 0)
        finally:
            self.act_as_oneself()
            for stream in streams:
                os.close(stream)
        ending = self.watch(pid)
        if ending != ENDED:
            os.kill(pid, signal.SIGKILL)
        elif (result := os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)) and result.si_status:
            ending, _ = self.look()  # remaining processes may be the reason: a fork bomb ends when it can fork no more
        _, code, usage = os.wait4(pid, 0)
        seconds = time.monotonic() - begun
        others = sweep(self.user, self.alone)
        status = os.waitstatus_to_exitcode(code)
        peak, ours = max(self.peak, usage.ru_maxrss * 1024), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if ending == ENDED and peak > self.limits["memory"] and usage.ru_maxrss > ours:  # a child starts with our own peak
            ending = MEMORY
        if ending == ENDED and status == -signal.SIGXFSZ:
            ending = DISK
        cpu = usage.ru_utime + usage.ru_stime + others
        if ending == ENDED and 0 < self.cpu < cpu:
            ending = CPU
        return REPLY.pack(ending, status, 0, seconds, cpu, peak, self.most)

    def spawn(
        self, path: str, words: list[str], environment: dict[str, str], files: dict[str, bytes], streams: list[int]
    ) -> int:
        """Start the program at `path` as the bot's user, in an empty folder with these files, and return its process number.
        `words` are its arguments, beginning with its name, and `streams` its three standard streams.

        Raises OSError if the files cannot be written or the program cannot be run. It is BlockingIOError if the user has too
        many processes for longer than PATIENCE seconds.
        """
        self.act_as_the_bot()
        os.chdir(self.cwd)
        for name, content in files.items():
            with open(name, "wb") as file:
                file.write(content)
        if self.user is not None:
            os.setresuid(self.user, self.user, 0)  # the exec of the program drops the saved user, which is still root
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return os.posix_spawn(
                    path,
                    words,
                    environment,
                    file_actions=[(os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)],
                    setsid=True,
                    setsigmask=[],
                    setsigdef=EVERY_SIGNAL,
                )
            except BlockingIOError:  # the user has too many processes: those of another bot, which are soon found and ended
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)  # the end of another process of that user is not reported

    def watch(self, pid: int) -> int:
        """Wait until the program ends, exceeds a limit, or the arena requests its end. Return the reason, such as ENDED.
        Meanwhile, stop and continue the program as the arena requests.
        """
        handle = os.pidfd_open(pid)
        try:
            poll = select.poll()
            for descriptor in (handle, self.arena.fileno(), self.life):
                poll.register(descriptor, select.POLLIN)
            look_at = time.monotonic() + self.pause(0)
            while True:
                stops = self.stop_at < look_at  # decided before, so that no request came between this time and a stop
                ready = dict(poll.poll(1000 * max(min(self.stop_at, look_at) - time.monotonic(), 0)))
                ending, begun = ENDED, time.monotonic()
                if handle in ready:
                    return ENDED
                if ready:
                    request = self.receive(wait=True)
                    assert request
                    if request[0] == KILL:
                        return KILLED
                    self.obey(request[0], pid)
                elif stops:
                    ending = self.stop()
                else:
                    ending, memory = self.look()
                    look_at = time.monotonic() + max(self.pause(memory), 20 * (time.monotonic() - begun))
                if ending:
                    return ending
        finally:
            os.close(handle)

    def stop(self) -> int:
        """Stop all processes of the program, and stop them again if some still run. Return NOT_STOPPED after more than
        MOST_STOPS tries, or else ENDED.

        The program may use REST seconds after its answer. On a busy machine it may have to wait for a processor first, so
        these seconds are measured as the program's own processor time, but only while it neither starts nor ends a process.
        """
        found, self.stop_at = below(self.alone), time.monotonic() + LATER
        if not self.stopped and any(b"R" in living_threads(pid) for pid in found):
            used = processor_time(found)
            self.rest = self.rest or (found, used + REST)
            if self.rest[0] == found and used < self.rest[1]:
                self.stop_at = time.monotonic() + REST
                return ENDED
        if not self.stopped or any(map(runs, found)):
            signal_all(signal.SIGSTOP, self.user, self.alone)
            self.stops += self.stopped
            self.stopped, self.stop_at = True, time.monotonic() + SOON
        return NOT_STOPPED if self.stops > MOST_STOPS else ENDED

    def obey(self, kind: bytes, pid: int) -> None:
        """Carry out a request about the running program: for STOP, stop it a MOMENT later; for GO_ON and QUERY, continue it.
        Answer QUERY, unless the program is about to end.
        """
        if kind == STOP:
            if self.alone or self.user is not None:
                self.stop_at = time.monotonic() + MOMENT
            return
        if self.stopped:
            signal_all(signal.SIGCONT, self.user, self.alone)
        self.stopped, self.stop_at, self.rest = False, math.inf, None
        if kind == QUERY and any(living_threads(pid)):
            self.arena.send(REPLY.pack(ALIVE, 0, 0, 0, 0, 0, 0))

    def pause(self, memory: int) -> float:
        """Return the seconds until the next measurement of a program that uses this many bytes of memory. In this time, the
        program cannot exceed its limit by much.
        """
        return min(max((self.limits["memory"] - memory) / QUICKEST, 0.005), 0.1)

    def look(self) -> tuple[int, int]:
        """Measure all processes of the program together. Return the limit that they exceed (ENDED if none), and their memory
        in bytes.
        """
        memory = threads = ticks = 0
        found = below(self.alone)
        for pid in found:
            try:
                fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # the process has ended meanwhile
            ticks += sum(map(int, fields[11:15]))  # of the process and its ended children, in user mode and in the kernel
            threads += int(fields[17])
            memory += int(fields[21]) * PAGE
        if memory > self.limits["memory"]:
            memory = self.shared_once(found)
        self.peak, self.most = max(self.peak, memory), max(self.most, threads)
        if memory > self.limits["memory"]:
            return MEMORY, memory
        if threads > self.limits["processes"]:
            return PROCESSES, memory
        if 0 < self.cpu < ticks / TICKS:
            return CPU, memory
        return (DISK if self.written() > self.limits["disk"] else ENDED), memory

    def shared_once(self, pids: list[int]) -> int:
        """Return the memory of these processes in bytes, with shared memory counted once. This measurement is slower than
        that of `look`.
        """
        memory = 0
        for pid in pids:
            try:
                for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
                    if line.startswith(b"Pss:"):
                        memory += 1024 * int(line.split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            except PermissionError:  # the process forbids others to inspect it
                memory += int(read(f"/proc/{pid}/statm").split()[1]) * PAGE
        return memory

    def written(self) -> int:
        """Return the number of bytes in the private folder. A file counts as at least a kilobyte, so that many empty files
        exceed the limit, too. Folders that are nested too deeply to be measured count as an excess.
        """
        if self.alone:
            rooms = map(os.statvfs, (self.folder, SHARED_MEMORY))
            return sum(
                (room.f_blocks - room.f_bfree) * room.f_frsize + 1024 * (room.f_files - room.f_ffree) for room in rooms
            )
        total, folders = 0, [self.folder]
        while folders:
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        total += max(512 * entry.stat(follow_symlinks=False).st_blocks, 1024)
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
            except (FileNotFoundError, NotADirectoryError, PermissionError):
                continue  # deleted meanwhile, or closed by the bot
            except OSError as error:
                if error.errno != errno.ENAMETOOLONG:
                    raise
                return self.limits["disk"] + 1  # deeper than any path: its content cannot be measured
        return total


def keep(place: str, user: int | None, spawner: int) -> NoReturn:
    """Be the keeper of a spawner: wait until the process `spawner` has ended, end remaining processes, delete the folder
    `place`, and end. `user` is the bot's user number, or None if the bot runs as the arena's user.

    Just after a program was started, the spawner still has the rights of the program's user, so that the program can stop
    the spawner by a signal. The keeper, which never has these rights, then continues the spawner.
    """
    while os.WIFSTOPPED(os.waitpid(spawner, os.WUNTRACED)[1]):
        os.kill(spawner, signal.SIGCONT)
    sweep(user, alone=False)
    if user is not None:
        remove_objects(user)
    empty(place)
    os.rmdir(place)
    os._exit(0)


def main() -> NoReturn:
    """Run a spawner, or a keeper with a spawner, as the arguments say.

    The first argument contains the numbers of descriptors, with commas: those of the socket, of the arena's process and of
    others to be kept open. For a keeper, these arguments follow: the folder to delete, the number of the bot's user (-1 for
    the arena's user), and the command of the spawner. The command is missing if the spawner needs no sandbox around it.
    """
    descriptors = [int(word) for word in sys.argv[1].split(",")]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    if len(sys.argv) > 2:
        control(SUBREAPER)
        control(NOT_DUMPABLE)
        spawner = os.fork()
        if spawner:
            for descriptor in descriptors[:2]:
                os.close(descriptor)
            keep(sys.argv[2], int(sys.argv[3]) if sys.argv[3] != "-1" else None, spawner)
        if len(sys.argv) > 4:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            os.execvp(sys.argv[4], sys.argv[4:])  # noqa: S606  # ours
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    with socket.socket(fileno=descriptors[0]) as connection:
        inside = Spawner(connection, descriptors[1])
        inside.confine()
        inside.serve()
