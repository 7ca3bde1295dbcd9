"""The isolation of programs of others from the machine. Bubblewrap, a tool for sandboxes, is used if it works. If root runs
the arena, a program runs as a separate user. All programs have limits.

If an ordinary user runs programs without bubblewrap, they are not isolated: `check_isolation` warns of this, or refuses it.
"""

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

from ludoteca.arena.programs import executables, spawner
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.core.errors import LudotecaError, explained
from ludoteca.core.messages import ENGLISH, Message, catalogue, in_words

USERS: Final = range(62000, 65000)
"""User numbers for bots if root runs the arena: above those of persons and services, inside the range of containers."""
WAIT_FOR_USER: Final = 60.0
"""Seconds that a sandbox waits for a free user number."""
COPY_AT_MOST: Final = 256 << 20
"""The largest size in bytes of a program's folder that is copied, for a bot's user who may not read the original."""
LOCKS: Final = Path("/run/ludoteca-bots")
"""A folder with a file for each user number in USERS. The file is locked while a bot uses this number."""
TMP: Final = "/tmp"  # noqa: S108  # inside, it is private; outside, folders are made in it safely
SHM: Final = "/dev/shm"  # noqa: S108
SPAWNER: Final = (
    f"import sys; sys.path.append({str(executables.OURS[0])!r}); from ludoteca.arena.programs.spawner import main; main()"
)
"""The Python code of the spawner, the process that starts programs inside a sandbox."""
NOT_INSTALLED: Final = "it is not installed"


class BoxError(LudotecaError):
    """A sandbox cannot be made. This is a fault of the machine, not of the program."""


class Isolation:
    """The isolation of one sandbox: its user, its private folder and the copies of the program's files. It is made before
    the sandbox starts, and `close` removes it. `bubblewrap` allows the use of bubblewrap.
    """

    def __init__(self, program: executables.Program, limits: Limits, bubblewrap: bool) -> None:
        reason = no_bubblewrap() if bubblewrap else "not wanted"
        self.bubblewrap: Final = not reason
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
        self.environment: Final = {"PATH": executables.search_path(), "LANG": "C.UTF-8", "HOME": private, "TMPDIR": private}
        """All environment variables of a program. It gets no variables of the caller."""
        who: Message = ("isolation.own_user",) if self.user is not None else ("isolation.same_user",)
        without = "isolation.user" if self.user is not None else "isolation.none"
        self.message: Final[Message] = ("isolation.bubblewrap", who) if self.bubblewrap else (without, reason)
        """The description of the isolation, in the arena's catalogues."""
        self.words: Final = in_words(self.message, catalogue("ludoteca.arena", ENGLISH))

    def settings(self) -> dict[str, object]:
        """Return the settings for the spawner, which get sent to it first."""
        limits = self.limits
        return {
            "folder": self.folder,
            "user": self.user,
            "alone": self.bubblewrap,
            "cpu": limits.cpu,
            "limits": {
                "memory": limits.memory,
                "data": 16 * limits.memory,  # unused reserved memory counts here: used memory is measured
                "processes": limits.processes,
                "threads": self.threads(),
                "files": max(limits.files, 16),
                "disk": limits.disk,
            },
        }

    def threads(self) -> int:
        """Return RLIMIT_NPROC, the number of processes and threads that the kernel allows. It is a little above the limit,
        so that the spawner can detect and report an excess before the kernel refuses a process.

        For a separate user, or in a user namespace since Linux 5.14, the kernel counts the program's processes. Otherwise
        the kernel counts all processes of the caller, so the number is much larger.
        """
        version = tuple(int(number) for number in re.findall("[0-9]+", os.uname().release)[:2])
        if self.user is not None or (self.bubblewrap and version >= (5, 14)):
            return self.limits.processes + 16
        machine = int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[2])
        # room for the caller's other processes; a fork bomb is ended when it is detected
        return machine + 8 * self.limits.processes + 512

    def start(self, descriptors: Iterable[int]) -> list[str]:
        """Return the command that starts the spawner inside the sandbox. `descriptors` are the numbers of the file
        descriptors that the spawner inherits.
        """
        script = [str(Path(sys.executable).resolve()), "-I", "-S", "-c", SPAWNER, ",".join(map(str, descriptors))]
        wrapped = list[str]()
        if self.bubblewrap:
            wrapped = [*bubblewrap_command(self.limits.disk, self.user is not None, self.moved), "--", *script]
        if self.place is None:
            return wrapped
        return [*script, str(self.place), str(-1 if self.user is None else self.user), *wrapped]

    def private(self) -> Path:
        """Make the folder on the disk in which the program runs without bubblewrap."""
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
        """Return `path` if the bot's user may read it, or else the path of a copy that this user may read.

        Raises FaultError (NOT_EXECUTABLE) if the copy would have more than COPY_AT_MOST bytes.
        """
        if self.user is None or (open_to_all(path) and (self.bubblewrap or reachable(path))):
            return path
        target = self.made() / f"program-{len(list(self.made().iterdir()))}" / path.name
        size = sum(inner.lstat().st_size for inner in ([path, *path.rglob("*")] if path.is_dir() else [path]))
        if size > COPY_AT_MOST:
            raise FaultError(
                Fault.NOT_EXECUTABLE,
                f"only root can read {path}, bots of root run as other users, and it is too large to copy. "
                "Move it to a folder that all users may read, or run this as an ordinary user",
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
        """Return a word of the command as it has to be inside the sandbox. A path to a copied file becomes the path of the
        copy, unless bubblewrap is used, which mounts copies at the original paths.
        """
        path = Path(word)
        for source, target in () if self.bubblewrap else self.moved.items():
            if source != target and path.is_absolute() and path.is_relative_to(source):
                return str(target / path.relative_to(source))
        return word

    def close(self) -> None:
        if self.lock is not None:
            self.lock.close()
            self.lock = None
        if self.place is not None and self.place.exists():  # otherwise its keeper has deleted it
            spawner.empty(str(self.place))
            self.place.rmdir()
        self.place = None


def not_plain(folder: str, names: list[str]) -> list[str]:
    """Return the names that are not copied: pipes, sockets, devices."""
    kinds = {name: stat.S_IFMT(Path(folder, name).lstat().st_mode) for name in names}
    return [name for name, kind in kinds.items() if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK)]


def open_to_all(path: Path) -> bool:
    """Return True if all users may read a file, or a folder with its content. In a large folder, only a thousand files are
    checked.
    """
    for inner in islice(chain([path], path.rglob("*") if path.is_dir() else []), 1000):
        if inner.is_symlink():
            continue
        mode = inner.stat().st_mode
        if not mode & stat.S_IROTH or (mode & stat.S_IXUSR and not mode & stat.S_IXOTH):
            return False
    return True


def reachable(path: Path) -> bool:
    """Return True if all users may enter all folders above a path."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in path.parents)


def own_user() -> tuple[int, BinaryIO]:
    """Return a user number that no other bot uses, and the file that locks it. The number is free again when all copies of
    the file are closed.

    The lock files belong to root and are in a folder that bots cannot enter. Raises BoxError if no number becomes free
    within WAIT_FOR_USER seconds.
    """
    with explained(f"{LOCKS} cannot be made", BoxError, ". It is needed for the user numbers of root's bots"):
        LOCKS.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = LOCKS.lstat()
    if not stat.S_ISDIR(folder.st_mode) or folder.st_uid or stat.S_IMODE(folder.st_mode) != 0o700:
        raise BoxError(f"{LOCKS} is not a folder that only root may enter: delete it, and start again")
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    free, deadline = [user for user in USERS if user not in taken], time.monotonic() + WAIT_FOR_USER
    while True:
        first = random.randrange(len(free))
        for user in (*free[first:], *free[:first]):
            lock = (LOCKS / str(user)).open("ab")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
            else:
                return user, lock
        if time.monotonic() > deadline:
            raise BoxError("all user numbers for bots are in use: end other arenas and judges, and start again")
        time.sleep(0.1)  # between two looks


def own_files() -> list[Path]:
    """Return the paths of Ludoteca and of its Python that are outside the system's folders. Every sandbox must show them."""
    files = [*executables.OURS, Path(sys.base_prefix), Path(sys.base_exec_prefix), Path(sys.executable).resolve()]
    return [path for path in dict.fromkeys(files) if not executables.is_system(path)]


def bubblewrap_command(disk: int, root: bool, mounts: Mapping[Path, Path]) -> list[str]:
    """Return the words of the call of bubblewrap, which the command to run must follow. `disk` is the size in bytes of the
    writable file system, `root` is true if root makes the call, and `mounts` has for each path inside the sandbox the path
    to show there.

    The option --die-with-parent is not used, because the kernel takes the thread that started bubblewrap for its parent, and
    a thread may end long before the arena. Instead, the spawner inside the sandbox watches the arena's process, and all
    processes inside end with the spawner.
    """
    words = ["bwrap", *(f"--unshare-{name}" for name in ("ipc", "net", "pid", "uts", "cgroup-try")), "--as-pid-1"]
    if root:
        words += ["--cap-drop", "ALL"]
        for right in ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_PTRACE"):
            words += ["--cap-add", right]
    else:
        words += ["--unshare-user", *(["--disable-userns"] if can_disable_user_namespaces() else [])]
    for path in executables.SYSTEM:
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            words += ["--ro-bind", str(path), str(path)]
    words += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(1 << 20), "--tmpfs", SHM]
    words += ["--remount-ro", "/dev", "--perms", "1777", "--size", str(disk + (1 << 20)), "--tmpfs", TMP]
    for hidden in executables.hidden_folders():
        words += ["--tmpfs", str(hidden)]
    all_mounts = {path: path for path in own_files()} | dict(mounts)
    above = {folder for path in all_mounts for folder in path.parents if not executables.is_system(folder)}
    for folder in sorted(above - {Path("/"), Path(TMP)}):
        words += ["--perms", "0755", "--dir", str(folder)]
    for path, source in sorted(all_mounts.items()):
        words += ["--ro-bind", str(source), str(path)]
    for hidden in executables.hidden_folders():
        words += ["--remount-ro", str(hidden)]
    return [*words, "--remount-ro", "/", "--chdir", TMP]


@cache
def can_disable_user_namespaces() -> bool:
    """Return True if the installed bubblewrap has the option --disable-userns, as version 0.8 and later do."""
    done = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, env={"PATH": os.environ["PATH"]})  # noqa: S607  # looked up as `no_bubblewrap` does
    return "--disable-userns" in done.stdout + done.stderr


@cache
def no_bubblewrap() -> str:
    """Return the reason why bubblewrap does not work here, or an empty text if it works. Only the first call tries it."""
    if shutil.which("bwrap") is None:
        return NOT_INSTALLED
    command = [*bubblewrap_command(1 << 20, os.geteuid() == 0, {}), "--", "/bin/sh", "-c", "exit 0"]
    done = subprocess.run(  # noqa: S603  # ours
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}
    )
    reasons = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
    return reasons[-1] if done.returncode else ""


def check_isolation(language: str = ENGLISH, *, allowed: bool = True) -> str:
    """Return a warning, in this language, that this machine does not isolate programs, or an empty text if it isolates them.

    Raises BoxError with the warning if `allowed` is false, so that no program runs without isolation.
    """
    if sys.platform != "linux" or os.geteuid() == 0 or not (reason := no_bubblewrap()):
        return ""
    warning: Message = ("isolation.missing",) if reason == NOT_INSTALLED else ("isolation.broken", reason)
    texts = catalogue("ludoteca.arena", language)
    if not allowed:
        raise BoxError(in_words(("isolation.refused", warning), texts))
    return in_words(warning, texts)
