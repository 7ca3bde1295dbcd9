"""The files in which compiled code is kept for later programs. Each binding of a game's rules (`core.native`) has one file.
Its name contains a fingerprint of everything on which the machine code depends.

A reader never sees a half-written file: it is written under another name, begins with a digest of the rest, and is then
renamed. A damaged file or a folder that cannot be used costs time but never changes a result. Code that cannot be read is
compiled again. Code that cannot be written is used only by this process, which warns of it.
"""

import hashlib
import os
import pickle
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from platformdirs import user_cache_path

from ludoteca.core.errors import NativeCacheWarning, UnkeptCodeWarning
from ludoteca.core.signals import deferred

ENVIRONMENT: Final = "LUDOTECA_CACHE"
"""The environment variable with the path of the cache."""
NOWHERE: Final = Path(os.devnull, "no home folder")
"""The folder for a user without a home folder. No file can be found or written there."""
KEEP_DAYS: Final = 30

_SUFFIX: Final = ".code"
_DIGEST: Final = hashlib.sha256().digest_size
_MOST_NAME_CHARACTERS: Final = 150
"""The most characters of a binding's name in a file name. Most file systems allow 255 bytes."""


def root() -> Path:
    """Return the folder of the files: the value of LUDOTECA_CACHE, or a folder in the user's cache. Return NOWHERE if the
    user has no home folder.
    """
    if given := os.environ.get(ENVIRONMENT):
        return Path(given)
    try:
        return user_cache_path("ludoteca") / "native"
    except RuntimeError:  # the user has no entry in the list of users, as in some containers, and HOME is not set
        return NOWHERE


def has_any(binding: str) -> bool:
    """Return True if there is a file for the binding of that name, with any fingerprint."""
    return any(root().glob(f"{escape(binding[:_MOST_NAME_CHARACTERS])}-*{_SUFFIX}"))


class CodeFile:
    """The file for one binding. `binding` is its name. The file has the machine code of each function by the function's
    name.
    """

    def __init__(self, binding: str, fingerprint: str) -> None:
        self.path = root() / f"{binding[:_MOST_NAME_CHARACTERS]}-{fingerprint}{_SUFFIX}"

    def exists(self) -> bool:
        """Return True if the file exists. It may be damaged."""
        return self.path.exists()

    def read(self) -> dict[str, bytes] | None:
        """Return the machine code by function name, or None if the file does not exist or cannot be read. A damaged file is
        deleted, with a warning.
        """
        try:
            with deferred():  # a signal between opening and closing would leave the file open
                content = self.path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            _warn(f"compiled code cannot be read from {self.path} ({error.strerror}), and is compiled again")
            return None
        digest, body = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            _warn(f"the compiled code in {self.path} is damaged, and is compiled again")
            with suppress(OSError):
                self.path.unlink()
            return None
        with suppress(OSError):  # `sweep` cannot remove a read-only file either
            os.utime(self.path)
        pieces: dict[str, bytes] = pickle.loads(body)  # noqa: S301  # complete, and from the user's own folder
        return pieces

    def write(self, pieces: Mapping[str, bytes]) -> None:
        """Write machine code by function name, for later processes. If the file cannot be written, this only warns. Ctrl-C
        and other signals wait until the file is complete.
        """
        body = pickle.dumps(dict(pieces))
        temporary = self.path.with_suffix(f".{os.getpid()}.part")
        try:
            with deferred():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                temporary.write_bytes(hashlib.sha256(body).digest() + body)
                temporary.replace(self.path)
        except OSError as error:
            warnings.warn(
                f"compiled code cannot be kept in {self.path.parent} ({error.strerror}): every program compiles it again. "
                f"Set {ENVIRONMENT} to a folder that can be written to.",
                UnkeptCodeWarning,
                stacklevel=2,
            )
        finally:
            with suppress(OSError):  # it was renamed, or never made
                temporary.unlink()
        sweep(self.path.parent)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the file's lock inside a `with` block, so that one process compiles while others wait. If the system cannot
        lock files in the folder, the block runs without a lock.
        """
        with ExitStack() as stack:
            with suppress(OSError, NotImplementedError):  # a folder without locks: two processes may compile the same
                self.path.parent.mkdir(parents=True, exist_ok=True)
                stack.enter_context(FileLock(self.path.with_suffix(".lock")))
            yield


def sweep(folder: Path, now: float | None = None) -> None:
    """Remove the files of the folder that have not been used for KEEP_DAYS, including incomplete ones. Files that another
    process has locked stay. `now` is the present time in seconds since 1970, by default that of the system.
    """
    limit = (time.time() if now is None else now) - KEEP_DAYS * 86400
    for path in (path for suffix in (_SUFFIX, ".lock", ".part") for path in folder.glob(f"*{suffix}")):
        with suppress(OSError, NotImplementedError, Timeout):  # another process may have removed it, or may use it
            if path.stat().st_mtime < limit:
                with FileLock(path.with_suffix(".lock"), timeout=0):
                    path.unlink()
                    path.with_suffix(".lock").unlink(missing_ok=True)


def _warn(message: str) -> None:
    warnings.warn(message, NativeCacheWarning, stacklevel=3)
