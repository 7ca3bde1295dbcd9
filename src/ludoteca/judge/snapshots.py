"""Reads the files of a submission once, into a private folder. Files outside the submission are never read."""

import os
import stat
import time
from pathlib import Path
from typing import IO, Final, NoReturn

from ludoteca.core.errors import LudotecaError
from ludoteca.core.messages import Message
from ludoteca.core.words import escaped, excerpt
from ludoteca.judge.verdicts import Verdict

MEBIBYTE: Final = 1 << 20
MOST_BYTES: Final = 64 * MEBIBYTE
MOST_FILES: Final = 2000
"""The largest number of files and folders of a submission."""
MOST_SECONDS: Final = 60.0
MOST_FOLDERS_DEEP: Final = 32
"""The largest depth of nested folders."""
MOST_PATH_BYTES: Final = 250
"""The largest path in a submission, in bytes. File systems allow no longer names."""
IGNORED: Final = "__MACOSX"
PIECE_BYTES: Final = 1 << 16


class SubmissionError(LudotecaError):
    """A submission has no program that can run. The message is a text of the judge's catalogues."""

    def __init__(self, verdict: Verdict, *why: Message) -> None:
        super().__init__(why, "ludoteca.judge")
        self.verdict: Final = verdict


def refuse(*why: Message) -> NoReturn:
    """Raise a SubmissionError with the verdict No Program."""
    raise SubmissionError(Verdict.MISSING, *why)


class Allowance:
    """The bytes, files and seconds that a submission may still take. All methods raise SubmissionError if the submission
    takes more.
    """

    def __init__(self, size: int = MOST_BYTES, files: int = MOST_FILES, seconds: float = MOST_SECONDS) -> None:
        self._most = size, files, seconds
        self._size = size
        self._files = files
        self._deadline = time.monotonic() + seconds

    def enter(self, path: str) -> None:
        """Count one more file or folder, and check the length and depth of its path."""
        parts = path.split("/")
        if len(parts) > MOST_FOLDERS_DEEP or len(os.fsencode(path)) > MOST_PATH_BYTES:
            refuse("submission.path", excerpt(path), MOST_PATH_BYTES, MOST_FOLDERS_DEEP)
        self._files -= 1
        if self._files < 0:
            refuse("submission.files", self._most[1])

    def write(self, source: IO[bytes], target: Path, *, runs: bool) -> None:
        """Copy the bytes of `source` to the new file `target`, and count them. With `runs`, the copy is executable. Raises
        FileExistsError if the target exists.
        """
        with target.open("xb") as file:
            while piece := source.read(PIECE_BYTES):
                self._size -= len(piece)
                if self._size < 0:
                    refuse("submission.size", f"{self._most[0] / MEBIBYTE:g}")
                if time.monotonic() > self._deadline:
                    refuse("submission.slow", f"{self._most[2]:g}")
                file.write(piece)
        target.chmod(0o755 if runs else 0o644)


def open_plain(name: str, folder: int, path: str) -> IO[bytes] | int:
    """Open an ordinary file for reading and return it, or open a folder and return its descriptor. `folder` is the
    descriptor of the folder that contains it, and `path` its path in messages.

    Raises SubmissionError for a link, a pipe, a socket or a device. These are never opened, because a submission could use
    them to reach other files.
    """
    try:
        kind = stat.S_IFMT(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        if kind == stat.S_IFLNK:
            refuse("submission.link", escaped(path))
        if kind not in (stat.S_IFREG, stat.S_IFDIR):
            refuse("submission.special", escaped(path))
        # another file may have replaced it by now
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        refuse("submission.unreadable", escaped(path))
    if stat.S_IFMT(os.fstat(descriptor).st_mode) != kind:
        os.close(descriptor)
        refuse("submission.special", escaped(path))
    return descriptor if kind == stat.S_IFDIR else os.fdopen(descriptor, "rb")


def copy(name: str, folder: int, target: Path, allowance: Allowance, path: str = "") -> None:
    """Copy a file or a folder into the folder `target`. `folder` is the descriptor of the open folder that contains it.

    `path` is its path in the submission, or empty for the submission itself. If the submission is a folder, its content is
    copied. Raises SubmissionError for a link or another special file, and if the copy takes more than `allowance` allows.
    """
    opened = open_plain(name, folder, path or name)
    if isinstance(opened, int):
        try:
            if path:
                target /= name
                target.mkdir(mode=0o755)
            for inner in sorted(os.listdir(opened)):  # noqa: PTH208  # by its descriptor
                if not is_ignored(inner):
                    inside = f"{path}/{inner}" if path else inner
                    allowance.enter(inside)
                    copy(inner, opened, target, allowance, inside)
        finally:
            os.close(opened)
    else:
        with opened:
            allowance.write(opened, target / name, runs=bool(os.fstat(opened.fileno()).st_mode & 0o111))


def is_ignored(name: str) -> bool:
    """Return True for the name of a hidden file or folder, and for the folder that macOS adds to archives."""
    return name.startswith(".") or name == IGNORED
