"""How a program is kept apart from the machine: bubblewrap where it works, a user of its own as root, limits always."""

import fcntl
import os
import pwd
import random
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final

from ludoteca.arena import programs, spawner
from ludoteca.arena.limits import Fault, FaultError, Limits
from ludoteca.core.errors import LudotecaError
from ludoteca.core.messages import Message, catalogue, in_words

USERS: Final = range(62000, 65000)
"""Numbers of the users that bots run as when the arena is root: beyond persons and services, within what containers have."""
WAIT_FOR_USER: Final = 60.0
"""Seconds that a sandbox waits for a free user number."""
COPY_AT_MOST: Final = 256 << 20
"""Bytes of a program's folder that are copied for a user who may not read it where it lies."""
LOCKS: Final = Path("/run/ludoteca/bots")
"""A file for each user number that bots have had; it is locked while a bot has the number."""
TMP: Final = "/tmp"  # noqa: S108  # inside, it is the program's own; outside, folders are made there as they should be
SHM: Final = "/dev/shm"  # noqa: S108
SPAWNER: Final = Path(spawner.__file__)


class BoxError(LudotecaError):
    """A sandbox cannot be made: a fault of the machine, not of the program."""


class Isolation:
    """One sandbox's surroundings, made before anything runs in it, and undone by `close`."""

    def __init__(self, program: programs.Program, limits: Limits, bubblewrap: bool, landlock: bool) -> None:
        reason = no_bubblewrap() if bubblewrap else "not wanted"
        self.bubblewrap: Final = not reason
        self.landlock: Final = spawner.landlock_version() if landlock and not self.bubblewrap else 0
        self.limits: Final = limits
        self.place: Path | None = None
        self.user: int | None = None
        self.lock: BinaryIO | None = None
        try:
            if os.geteuid() == 0:
                self.user, self.lock = own_user()
            self.moved: Final = {path: self.readable(path) for path in dict.fromkeys(program.reads)}
            self.folder: Final = TMP if self.bubblewrap else str(self.private())
        except BaseException:
            self.close()
            raise
        private = f"{self.folder}/box"
        self.environment: Final = {
            "PATH": programs.search_path(),
            "LANG": "C.UTF-8",
            "HOME": private,
            "TMPDIR": private,
        }
        """All that a program finds in its environment: nothing of the caller's."""
        self.message: Final = self.described(reason)
        self.words: Final = in_words(self.message, catalogue("ludoteca.arena", "en"))

    def described(self, reason: str) -> Message:
        """Return what keeps the program apart, as a message of the arena's catalogues."""
        who: Message = ("isolation.own_user",) if self.user is not None else ("isolation.same_user",)
        if self.bubblewrap:
            return "isolation.bubblewrap", who
        kept: Message = ("isolation.open",)
        if self.landlock:
            tcp: Message = ("isolation.no_tcp",) if self.landlock >= spawner.TCP else ""
            signals: Message = ("isolation.no_signals",) if self.landlock >= spawner.SIGNALS else ""
            kept = "isolation.landlock", self.landlock, tcp, signals
        return "isolation.bare", reason, kept, who

    def command(self, program: programs.Program) -> tuple[str, ...]:
        """The program's command, as it is run inside."""
        return tuple(map(self.where, program.command))

    def settings(self) -> dict[str, object]:
        """What the spawner is told first."""
        limits = self.limits
        reads = [*programs.SYSTEM, *own_files(), *self.moved.values()]
        return {
            "folder": self.folder,
            "user": self.user,
            "alone": self.bubblewrap,
            "landlock": self.landlock,
            "reads": [str(path) for path in reads],
            "cpu": limits.cpu,
            "limits": {
                "memory": limits.memory,
                "data": 16 * limits.memory,  # what is reserved and not used counts there: the memory in use is looked at
                "processes": limits.processes,
                "threads": self.threads(),
                "files": max(limits.files, 16),
                "disk": limits.disk,
            },
        }

    def threads(self) -> int:
        """RLIMIT_NPROC: somewhat more than is allowed, so that what is over the limit is seen, and named.

        For a user of its own, or in a namespace of users since Linux 5.14, it counts the program's. Else it counts all of
        the caller's.
        """
        version = tuple(int(number) for number in re.findall("[0-9]+", os.uname().release)[:2])
        if self.user is not None or (self.bubblewrap and version >= (5, 14)):
            return self.limits.processes + 16
        mine = 0
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                fields = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines() if ":" in line)
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields["Uid"].split()[0]) == os.getuid():
                mine += int(fields["Threads"])
        return mine + 8 * self.limits.processes + 512  # room for his others; a bomb is ended when it is seen

    def start(self, descriptors: Iterable[int]) -> list[str]:
        """The command that starts our own Python with the spawner, which has these descriptors, inside."""
        script = [str(Path(sys.executable).resolve()), "-I", "-S", str(SPAWNER), ",".join(map(str, descriptors))]
        wrapped = list[str]()
        if self.bubblewrap:
            wrapped = [*bubblewrap_command(self.limits.disk, self.user is not None, self.moved), "--", *script]
        if self.place is None:
            return wrapped
        return [*script, str(self.place), str(-1 if self.user is None else self.user), *wrapped]

    def private(self) -> Path:
        """The folder, on the disk, where the program runs when there is no bubblewrap."""
        folder = self.made() / "private"
        folder.mkdir(mode=0o700)
        if self.user is not None:
            os.chown(folder, self.user, self.user)
        return folder

    def made(self) -> Path:
        if self.place is None:
            usual = Path(tempfile.gettempdir())
            self.place = Path(tempfile.mkdtemp(prefix="ludoteca-box-", dir=usual if reachable(usual / "box") else TMP))
            self.place.chmod(0o711)
        return self.place

    def readable(self, path: Path) -> Path:
        """A path, or that of a copy when the bot's user may not read it where it lies. Raises FaultError."""
        if self.user is None or (open_to_all(path) and (self.bubblewrap or reachable(path))):
            return path
        target = self.made() / f"program-{len(list(self.made().iterdir()))}" / path.name
        size = sum(inner.lstat().st_size for inner in ([path, *path.rglob("*")] if path.is_dir() else [path]))
        if size > COPY_AT_MOST:
            raise FaultError(
                Fault.NOT_EXECUTABLE,
                f"{path} can be read by root alone, and bots of root run as other users; it is too large to be copied: "
                "move it to where everybody may read, or run this as an ordinary user",
            )
        target.parent.mkdir(mode=0o755)
        if path.is_dir():
            shutil.copytree(path, target, symlinks=True, ignore=not_plain)
        else:
            shutil.copy2(path, target)
        for inner in [target, *target.rglob("*")] if target.is_dir() else [target]:
            if not inner.is_symlink():
                runs = inner.is_dir() or inner.stat().st_mode & stat.S_IXUSR
                inner.chmod(0o755 if runs else 0o644)
        return target

    def where(self, word: str) -> str:
        """A word that may name a path, as the program finds it: bubblewrap puts copies where the originals lie."""
        path = Path(word)
        for source, target in () if self.bubblewrap else self.moved.items():
            if source != target and path.is_absolute() and path.is_relative_to(source):
                return str(target / path.relative_to(source))
        return word

    def close(self) -> None:
        if self.lock is not None:
            self.lock.close()
            self.lock = None
        if self.place is not None and self.place.exists():  # else its keeper has deleted it
            spawner.empty(str(self.place))
            self.place.rmdir()
        self.place = None


def not_plain(folder: str, names: list[str]) -> list[str]:
    """What is not copied: pipes, sockets, devices."""
    kinds = {name: stat.S_IFMT(Path(folder, name).lstat().st_mode) for name in names}
    return [name for name, kind in kinds.items() if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)]


def open_to_all(path: Path) -> bool:
    """True when everybody may read a file, or all of a folder. Of a big folder, a thousand files are looked at."""
    for inner in islice(chain([path], path.rglob("*") if path.is_dir() else []), 1000):
        if inner.is_symlink():
            continue
        mode = inner.stat().st_mode
        if not mode & stat.S_IROTH or (mode & stat.S_IXUSR and not mode & stat.S_IXOTH):
            return False
    return True


def reachable(path: Path) -> bool:
    """True when everybody may pass all folders above a path."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in path.parents)


def own_user() -> tuple[int, BinaryIO]:
    """Return a user number that no other bot has, and its locked file. The lock holds until all copies of it are closed.

    The files belong to root, in a folder that bots cannot enter. Raises BoxError if no number becomes free in time.
    """
    try:
        LOCKS.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = LOCKS.lstat()
    except OSError as error:
        raise BoxError(f"{LOCKS} cannot be made: {error.strerror}. Root needs it for the users that bots run as") from error
    if not stat.S_ISDIR(folder.st_mode) or folder.st_uid or stat.S_IMODE(folder.st_mode) != 0o700:
        raise BoxError(f"{LOCKS} is not a folder that only root may enter: delete it, and start again")
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    free, deadline = [user for user in USERS if user not in taken], time.monotonic() + WAIT_FOR_USER
    while True:
        for user in random.sample(free, len(free)):
            lock = (LOCKS / str(user)).open("ab")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
            else:
                return user, lock
        if time.monotonic() > deadline:
            raise BoxError("every user that bots may run as is in use: end other arenas and judges, and start again")
        time.sleep(0.1)


def own_files() -> list[Path]:
    """What our own Python, which starts the programs, and other programs of ours read, beside the system's files."""
    files = [*programs.OURS, Path(sys.base_prefix), Path(sys.base_exec_prefix), Path(sys.executable).resolve(), SPAWNER]
    return [path for path in dict.fromkeys(files) if not programs.is_system(path)]


def bubblewrap_command(disk: int, root: bool, mounts: Mapping[Path, Path]) -> list[str]:
    """Bubblewrap with all that is seen inside; the command follows.

    It has no --die-with-parent: the kernel takes the thread that started it for its parent, and a thread may end long
    before the arena. The spawner, whose end is the end of all inside, watches the arena's process itself.
    """
    words = [
        "bwrap",
        "--unshare-ipc",
        "--unshare-net",
        "--unshare-pid",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--as-pid-1",
    ]
    if root:
        words += ["--cap-drop", "ALL"]
        for right in ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_PTRACE"):
            words += ["--cap-add", right]
    else:
        words += ["--unshare-user", *(["--disable-userns"] if can_disable_user_namespaces() else [])]
    for path in programs.SYSTEM:
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            words += ["--ro-bind", str(path), str(path)]
    words += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(1 << 20), "--tmpfs", SHM]
    words += ["--remount-ro", "/dev", "--perms", "1777", "--size", str(disk + (1 << 20)), "--tmpfs", TMP]
    for hidden in programs.hidden_folders():
        words += ["--tmpfs", str(hidden)]
    all_mounts = {path: path for path in own_files()} | dict(mounts)
    above = {folder for path in all_mounts for folder in path.parents if not programs.is_system(folder)} - {
        Path("/"),
        Path(TMP),
    }
    for folder in sorted(above):
        words += ["--perms", "0755", "--dir", str(folder)]
    for path, source in sorted(all_mounts.items()):
        words += ["--ro-bind", str(source), str(path)]
    for hidden in programs.hidden_folders():
        words += ["--remount-ro", str(hidden)]
    return [*words, "--remount-ro", "/", "--chdir", TMP]


@cache
def can_disable_user_namespaces() -> bool:
    """True for bubblewrap 0.8 and later."""
    done = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, env={"PATH": os.environ["PATH"]})  # noqa: S607  # looked up as `no_bubblewrap` does
    return "--disable-userns" in done.stdout + done.stderr


@cache
def no_bubblewrap() -> str:
    """Why bubblewrap does not work here, in words; empty where it does. It is tried, once in a process."""
    if shutil.which("bwrap") is None:
        return "it is not installed"
    command = [*bubblewrap_command(1 << 20, os.geteuid() == 0, {}), "--", "/bin/sh", "-c", "exit 0"]
    done = subprocess.run(  # noqa: S603  # ours
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}
    )
    return (
        "" if done.returncode == 0 else (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
    )
