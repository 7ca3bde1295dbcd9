"""The sandbox for programs of others. It runs a program once with its whole input, or exchanges lines with it."""

import errno
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import time
import tty
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from ludoteca.arena.programs import executables, spawner
from ludoteca.arena.programs.isolation import BoxError, Isolation
from ludoteca.arena.programs.limits import SIGNAL_NAMES, Ending, Fault, FaultError, Limits
from ludoteca.core.closing import Closing
from ludoteca.core.errors import explained

PIPE: Final = 1 << 16
"""The bytes that a pipe holds on Linux. A program can write this many before they are read."""
ERRORS: Final = 1 << 20
"""The number of bytes of standard error that are kept: the last ones."""
PATIENCE: Final = 60.0
"""Seconds within which the spawner, the process inside that starts programs, has to end one."""


class Run(NamedTuple):
    """The outcome of a program that has run to its end."""

    output: bytes
    status: int
    """The exit status, or minus the number of the signal that ended it."""
    errors: bytes = b""
    """The standard error, or the last ERRORS bytes of it."""
    fault: Fault | None = None
    """TIME, MEMORY, OUTPUT, PROCESSES, DISK or SIGNAL. None if it ended by itself, with any exit status."""
    detail: str = ""
    """The fault in words. Empty without a fault."""
    seconds: float = 0.0
    """Seconds on the wall clock."""
    cpu: float = 0.0
    """Seconds of processor time of all its processes."""
    memory: int = 0
    """The peak memory of its processes in bytes, at least that of the small interpreter that starts the program."""


class Box(Closing):
    """A sandbox for one program, with one process at a time. It is a context manager."""

    def __init__(
        self, command: Sequence[str], limits: Limits, folder: Path | None = None, *, bubblewrap: bool = True
    ) -> None:
        """Start the spawner, but no program. Raises FaultError (MISSING, NOT_EXECUTABLE) for the program, or BoxError.

        The command is found as in a shell. The program can read its own folder (`executables.own_folder`), and `folder`. If
        `bubblewrap` is false, it is not used even if it works.
        """
        if sys.platform != "linux":
            raise BoxError("the sandbox for programs needs Linux")
        self.limits: Final = limits
        self.program: Final = executables.find(command, folder)
        self._bubblewrap: Final = bubblewrap
        self._talk: Talk | None = None
        self._surroundings: Isolation | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._last_words = ""
        around = self._begin()
        self.isolation: Final = around.words
        self.isolation_message: Final = around.message

    def run(
        self,
        input: bytes,  # noqa: A002  # the stream's name
        *,
        arguments: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
        seconds: float | None = None,
        command: Sequence[str] | None = None,
        terminal: bool = False,
    ) -> Run:
        """Run one process with its whole input, in an empty folder with these files. Wait for its end.

        It has `seconds`, by default the limit of a move. `command` replaces the box's program, and must be readable for
        programs of this box. `terminal` is as for `start`. Raises FaultError (MISSING, NOT_EXECUTABLE) if it cannot start.
        """
        with self.start(arguments, files=files, command=command, terminal=terminal) as talk:
            return talk.finish(input, self.limits.move if seconds is None else seconds)

    def start(
        self,
        arguments: Sequence[str] = (),
        *,
        files: Mapping[str, str] | None = None,
        command: Sequence[str] | None = None,
        terminal: bool = False,
    ) -> "Talk":
        """Start a process that lives until it is closed, one at a time. The methods of `Talk` raise its faults.

        With `terminal`, its output is a pseudo-terminal, to which most programs write each line at once.
        """
        assert self._talk is None or self._talk.ended, "one process of a box at a time"
        around = self._around()
        program = executables.find(command) if command else self.program
        words = [*map(around.where, program.command), *arguments]
        contents = {name: content.encode() for name, content in (files or {}).items()}
        request = words[0], words, around.environment, contents
        with explained("no pipes can be made", BoxError):
            pipes = [os.pipe2(os.O_CLOEXEC), os.openpty() if terminal else os.pipe2(os.O_CLOEXEC), os.pipe2(os.O_CLOEXEC)]
        if terminal:
            tty.setraw(pipes[1][1])  # lines end as the program ends them
        ours, theirs = [pipes[0][1], pipes[1][0], pipes[2][0]], [pipes[0][0], pipes[1][1], pipes[2][1]]
        for descriptor in ours:
            os.set_blocking(descriptor, False)
        self._talk = Talk(self, ours)
        try:
            self._ask(spawner.RUN, request, theirs)
        except OSError as error:
            self._talk.close()
            raise BoxError(f"the sandbox has ended: {error}") from error
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        return self._talk

    def inside(self, path: Path) -> Path:
        """Return the path of a file as the program sees it inside the sandbox. The program may see a copy of the file."""
        return Path(self._around().where(str(path)))

    def close(self) -> None:
        """End all processes inside, and delete their files. A second call does nothing."""
        if self._talk is not None:
            self._talk.close()
        self._finish()

    def _around(self) -> Isolation:
        """Return the isolation of the spawner. If the last program has killed the spawner, start a new one."""
        idle = self._talk is None or self._talk.ended
        if self._surroundings and self._socket and not (idle and select.select([self._socket], [], [], 0)[0]):
            return self._surroundings
        self._finish()
        return self._begin()

    def _begin(self) -> Isolation:
        """Start the isolated spawner. Raises BoxError if that fails, and FaultError if a bot's file is too large to copy."""
        self._surroundings = around = Isolation(self.program, self.limits, self._bubblewrap)
        ours, theirs = socket.socketpair()
        life = os.pidfd_open(os.getpid())
        inside = [theirs.fileno(), life, *([around.lock.fileno()] if around.lock else [])]
        try:
            self._process = subprocess.Popen(  # noqa: S603  # the caller's program is started inside
                around.start(inside),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=inside,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            self._finish()
            raise BoxError(f"no sandbox can be started: {error}") from error
        finally:
            os.close(life)
            theirs.close()
        self._socket = ours
        with suppress(OSError):  # the error below reports it
            self._ask(b"S", around.settings(), [])
            if ours.recv(1) == b"\0":
                return around
        self._finish()
        raise BoxError(f"no sandbox can be made ({around.words}): {self._last_words}")

    def _ask(self, kind: bytes, content: Any, descriptors: Sequence[int]) -> None:
        """Send a request to the spawner. Continue it if its program has stopped it. Raises OSError if it has ended."""
        if self._socket is None or self._process is None:
            raise BrokenPipeError(errno.EPIPE, "the sandbox has ended")
        os.killpg(self._process.pid, signal.SIGCONT)
        packed = marshal.dumps(content) if content is not None else b""
        head = spawner.HEADER.pack(kind, len(packed))
        if descriptors:
            socket.send_fds(self._socket, [head], descriptors)
            self._socket.sendall(packed)
        else:
            self._socket.sendall(head + packed)

    def _ending(self) -> Ending | None:
        """Return the spawner's report. None if it has ended, or cannot end the processes of its program."""
        if self._socket is None:
            return None
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        try:
            said = self._socket.recv(spawner.REPLY.size, socket.MSG_WAITALL) if poll.poll(1000 * PATIENCE) else b""
        except ConnectionResetError:
            said = b""
        if len(said) == spawner.REPLY.size:
            return Ending(*spawner.REPLY.unpack(said))
        self._finish()
        return None

    def _finish(self) -> None:
        """End the spawner. The spawner or its keeper ends all processes that it started."""
        if self._socket is not None:
            with suppress(OSError):  # if the other end is closed already
                self._socket.shutdown(socket.SHUT_RDWR)  # this also closes copies in processes forked meanwhile
            self._socket.close()
            self._socket = None
        if self._process is not None:
            assert self._process.stderr is not None
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()
            said = self._process.stderr.read().decode("utf-8", "replace").strip().splitlines()
            self._last_words = said[-1] if said else "without a word"
            self._process.stderr.close()
            self._process = None
        if self._surroundings is not None:
            self._surroundings.close()
            self._surroundings = None


class Talk(Closing):
    """A running program. After its first fault, every later call raises this fault again."""

    def __init__(self, box: Box, streams: Sequence[int]) -> None:
        self._box = box
        self._input, self._output, self._errors = streams
        self._open = dict.fromkeys(streams)
        self._unsent = bytearray()
        self._unread = bytearray()
        self._searched = 0  # bytes of `_unread` in which there is no line end
        self._stderr = bytearray()
        self._heard = 0
        self._deadline = 0.0
        self._ending: Ending | None = None
        self._fault: FaultError | None = None
        self._alive = False
        self._stopped_from = 0.0
        self.ended = False
        """True if the process and all processes that it started are dead."""

    def take_errors(self) -> bytes:
        """Return what the program wrote to stderr since the last call, or its last ERRORS bytes."""
        while self._heard <= self._box.limits.output and self._listen(self._errors, PIPE):
            pass
        taken, self._stderr = bytes(self._stderr), bytearray()
        return taken

    def send(self, text: str) -> None:
        """Send a text to the process. The rest that it does not read at once is sent while the caller waits for a line.

        Raises FaultError: EXIT or SIGNAL if the process has ended or closed its input, TIME if it leaves far too much
        unread.
        """
        self._check()
        self._unsent += text.encode()
        self._pass_on()
        if self._input not in self._open:
            raise self._fail(*self._why_it_ended("closed its input"))
        if len(self._unsent) > self._box.limits.output + 16 * PIPE:
            raise self._fail(Fault.TIME, "it does not read its input")

    def stop(self) -> None:
        """Stop all processes of the program until `go_on`, a moment later, so that they can finish writing."""
        self._stopped_from = time.monotonic() + spawner.MOMENT
        with suppress(OSError):  # if the spawner is gone, the next call reports it
            self._box._ask(spawner.STOP, None, [])

    def go_on(self) -> None:
        """Continue the processes. Then they run, or `ended` is true. Raises FaultError (OUTPUT) if they wrote too much."""
        self._alive, self._stopped_from = time.monotonic() < self._stopped_from, 0.0
        with suppress(OSError):  # if the spawner is gone, the next read reports it
            self._box._ask(spawner.GO_ON if self._alive else spawner.QUERY, None, [])
        self._deadline = time.monotonic() + PATIENCE
        while not self.ended and not self._alive and self._wait():
            self._check_output()

    def start_clock(self, seconds: float) -> None:
        """Set a deadline this many seconds from now, and reset the count of output bytes, which includes stderr."""
        self._deadline = time.monotonic() + seconds
        self._heard = len(self._unread)

    def line(self) -> str:
        """Wait for the next line of the process and return it without its end.

        Bytes that are not UTF-8 become U+FFFD. Raises FaultError: TIME if the line is not read before the deadline of
        `start_clock`; OUTPUT; EXIT or SIGNAL if the process ended, or closed its output, before a whole line; MEMORY,
        PROCESSES, DISK.
        """
        self._check()
        while (line := self._whole_line()) is None:
            self._check_output()
            half = f" after half a line, {shown(self._unread)}" if self._unread else ""
            if self._output not in self._open or self.ended:
                raise self._fail(*self._why_it_ended("closed its output", half))
            if not self._wait():
                raise self._fail(Fault.TIME, f"no whole line came in time{half}")
        if time.monotonic() > self._deadline:
            raise self._fail(Fault.TIME, f"it wrote {shown(line[:-1])} too late")
        return line[:-1].decode("utf-8", "replace")

    def unasked(self) -> Iterator[str]:
        """Take the lines that the process has already written, each with its end, without waiting for more.

        A line of which only the beginning is written comes last, without a line end. It is not taken: it stays unread.
        Raises FaultError: OUTPUT, or TIME if the process is still writing at the deadline.
        """
        self._check()
        while True:
            if (line := self._whole_line()) is not None:
                yield line.decode("utf-8", "replace")
            elif not self._listen(self._output, PIPE):
                break
            else:
                self._check_output()
                if time.monotonic() > self._deadline:
                    raise self._fail(Fault.TIME, "it did not stop writing in time")
        if self._unread:
            yield self._unread.decode("utf-8", "replace")

    def finish(self, text: bytes, seconds: float) -> Run:
        """Send a last text, close the input, and wait for the end of the process. Raises FaultError if it cannot start."""
        self.start_clock(seconds)
        self._unsent += text
        self._pass_on(last=True)
        while not self.ended:
            if self._heard > self._box.limits.output:
                self._fail(Fault.OUTPUT, f"it wrote more than {self._box.limits.output} bytes")
                break
            if not self._wait(last=True):
                self._fail(Fault.TIME, "it did not end in time")
                break
        return self.close()

    def close(self) -> Run:
        """End the program and its processes, and return its outcome. Raises FaultError if it could not be started."""
        if not self.ended:
            self._kill()
        for stream in (self._output, self._errors):
            while self._listen(stream, PIPE) and self._heard <= self._box.limits.output + 2 * PIPE:
                pass
        for stream in self._open:
            os.close(stream)
        self._open.clear()
        fault, detail = (self._fault.fault, self._fault.detail) if self._fault else self._verdict()
        if fault is None and self._heard > self._box.limits.output:
            fault, detail = Fault.OUTPUT, f"it wrote more than {self._box.limits.output} bytes"
        if fault == Fault.EXIT:
            fault, detail = None, ""
        how = self._ending or Ending(spawner.KILLED, -signal.SIGKILL, 0, 0, 0, 0, 0)
        return Run(bytes(self._unread), how.status, bytes(self._stderr), fault, detail, how.seconds, how.cpu, how.memory)

    def _check(self) -> None:
        if self._fault is not None:
            raise self._fault

    def _fail(self, fault: Fault, detail: str) -> FaultError:
        self._fault = FaultError(fault, detail)
        return self._fault

    def _whole_line(self) -> bytes | None:
        """Take the next line of the unread output, with its end. None if there is no whole line."""
        end = self._unread.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._unread)
            return None
        line = bytes(self._unread[: end + 1])
        del self._unread[: end + 1]
        self._searched = 0
        return line

    def _check_output(self) -> None:
        if self._heard > self._box.limits.output:
            raise self._fail(Fault.OUTPUT, f"it wrote more than {self._box.limits.output} bytes for one answer")

    def _wait(self, last: bool = False) -> bool:
        """Wait for input, output or the end, and handle it. Return False if the deadline has passed but the process runs."""
        poll = select.poll()
        if self._box._socket is not None and not self.ended:
            poll.register(self._box._socket, select.POLLIN)
        for stream in self._open:
            if stream != self._input:
                poll.register(stream, select.POLLIN)
            elif self._unsent:
                poll.register(stream, select.POLLOUT)
        ready = dict(poll.poll(min(max(0.0, 1000 * (self._deadline - time.monotonic())), 1e9)))
        if self._input in ready:
            self._pass_on(last)
        for stream in (self._output, self._errors):
            if stream in ready:
                self._listen(stream, PIPE)
        if self._box._socket is not None and self._box._socket.fileno() in ready:
            self._hear_of_its_end()
        return self.ended or time.monotonic() < self._deadline

    def _pass_on(self, last: bool = False) -> None:
        """Send unsent text while the process accepts it. Close its input after the last text."""
        try:
            while self._unsent and self._input in self._open:
                del self._unsent[: os.write(self._input, self._unsent[:PIPE])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent.clear()
            last = True
        if last and self._input in self._open:
            os.close(self._input)
            del self._open[self._input]

    def _listen(self, stream: int, most: int) -> bool:
        """Read the available bytes. False if there were none, or the stream has ended."""
        if stream not in self._open:
            return False
        try:
            said = os.read(stream, min(most, PIPE)) if most > 0 else b""
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            said = b""  # a pseudo-terminal that its program has closed
        if not said and most > 0:
            os.close(stream)
            del self._open[stream]
        self._heard += len(said)
        if stream == self._output:
            self._unread += said
        else:
            self._stderr += said
            del self._stderr[:-ERRORS]
        return bool(said)

    def _hear_of_its_end(self) -> None:
        """Read the spawner's report: the process and its descendants are dead, or it lives, or the spawner ended."""
        said = self._box._ending()
        if said is not None and said.how == spawner.ALIVE:
            self._alive = True
            return
        self._ending = said
        self.ended = True
        for stream in (self._output, self._errors):
            while self._heard <= self._box.limits.output and self._listen(stream, PIPE):
                pass

    def _kill(self) -> None:
        with suppress(OSError):  # if the spawner is gone, the next read reports it
            self._box._ask(spawner.KILL, None, [])
        while not self.ended:
            self._hear_of_its_end()

    def _verdict(self) -> tuple[Fault | None, str]:
        """Return the fault of the process's end, if any. Raises FaultError if it could not be started."""
        limits, how = self._box.limits, self._ending
        if how is None:
            return Fault.SIGNAL, f"its sandbox ended while it ran: {self._box._last_words}"
        if how.how == spawner.NOT_STARTED:
            missing = how.error in (errno.ENOENT, errno.ENOTDIR)
            detail = f"{self._box.program.command[0]} cannot be run here: {os.strerror(how.error)}"
            raise self._fail(Fault.MISSING if missing else Fault.NOT_EXECUTABLE, detail)
        if how.how == spawner.MEMORY:
            return Fault.MEMORY, f"it used {how.memory} bytes of memory, and the limit is {limits.memory}"
        if how.how == spawner.CPU:
            return Fault.TIME, f"it used more than {limits.cpu:g} seconds of processor time"
        if how.how == spawner.PROCESSES:
            return Fault.PROCESSES, f"it had {how.processes} processes and threads, and the limit is {limits.processes}"
        if how.how == spawner.NOT_STOPPED:
            return Fault.PROCESSES, "its processes cannot be stopped while it is not asked"
        if how.how == spawner.DISK:
            return Fault.DISK, f"its files took more than {limits.disk} bytes"
        if how.how == spawner.ENDED and how.status < 0:
            return Fault.SIGNAL, f"it was ended by {SIGNAL_NAMES.get(-how.status, f'signal {-how.status}')}"
        return None, ""

    def _why_it_ended(self, what: str, half: str = "") -> tuple[Fault, str]:
        """Return the fault for missing output. If the process is ending, the fault is the reason for its end."""
        self.go_on()
        if not self.ended:
            return Fault.EXIT, f"it {what}{half}"
        fault, detail = self._verdict()
        status = self._ending.status if self._ending else 0
        return (fault, detail + half) if fault else (Fault.EXIT, f"it ended with exit status {status}{half}")


def shown(said: bytes | bytearray) -> str:
    """Return the beginning of a program's output, as text for a message."""
    return repr(said[:60].decode("utf-8", "replace")) + ("..." if len(said) > 60 else "")
