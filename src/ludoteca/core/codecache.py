"""Files of compiled code. Each binding has one file, whose name contains a fingerprint of everything that its machine code
depends on.

A reader never sees half a file, because a file is written under another name, begins with a digest of the rest, and is then
renamed. A damaged file or an unusable folder costs time but never changes a result: code that cannot be read is compiled
again, and code that cannot be written is only used by this process, which warns of it.
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
"""The place of the files of a user without a home. Nothing is found there, and nothing can be written."""
KEEP_DAYS: Final = 30

_SUFFIX: Final = ".code"
_DIGEST: Final = hashlib.sha256().digest_size
_MOST_NAME_CHARACTERS: Final = 150
"""The most characters of a binding's name in a file name. Most file systems allow 255 bytes."""


def root() -> Path:
    """Return the folder of all files, or NOWHERE if the user has no home."""
    if given := os.environ.get(ENVIRONMENT):
        return Path(given)
    try:
        return user_cache_path("ludoteca") / "native"
    except RuntimeError:  # the user has no entry in the list of users, as in some containers, and HOME is not set
        return NOWHERE


def has_any(binding: str) -> bool:
    """Return True if there is a file of that binding, in any version."""
    return any(root().glob(f"{escape(binding[:_MOST_NAME_CHARACTERS])}-*{_SUFFIX}"))


class CodeFile:
    """The file of one binding. It holds pieces of machine code by the names of their functions."""

    def __init__(self, binding: str, fingerprint: str) -> None:
        self.path = root() / f"{binding[:_MOST_NAME_CHARACTERS]}-{fingerprint}{_SUFFIX}"

    def exists(self) -> bool:
        """Return True if the file exists, complete or damaged."""
        return self.path.exists()

    def read(self) -> dict[str, bytes] | None:
        """Return the stored pieces, or None if there are none. Delete a damaged file, with a warning."""
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
        """Write machine code for this and later processes. A signal waits until the file is complete."""
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
        """Hold a lock, so that one process compiles while others wait. If there are no locks, go on without one."""
        with ExitStack() as stack:
            with suppress(OSError, NotImplementedError):  # a folder without locks: two processes may compile the same
                self.path.parent.mkdir(parents=True, exist_ok=True)
                stack.enter_context(FileLock(self.path.with_suffix(".lock")))
            yield


def sweep(folder: Path, now: float | None = None) -> None:
    """Remove files that have not been used for KEEP_DAYS, including incomplete ones. Locked files stay."""
    limit = (time.time() if now is None else now) - KEEP_DAYS * 86400
    for path in (path for suffix in (_SUFFIX, ".lock", ".part") for path in folder.glob(f"*{suffix}")):
        with suppress(OSError, NotImplementedError, Timeout):  # another process may have removed it, or may use it
            if path.stat().st_mtime < limit:
                with FileLock(path.with_suffix(".lock"), timeout=0):
                    path.unlink()
                    path.with_suffix(".lock").unlink(missing_ok=True)


def _warn(message: str) -> None:
    warnings.warn(message, NativeCacheWarning, stacklevel=3)
