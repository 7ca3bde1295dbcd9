"""Files of compiled code: one for each binding, named by a fingerprint of all that its machine code depends on.

A file is always whole: it is written under another name and then renamed, and begins with a digest of the rest. Whatever is
wrong with the files, or with the folder, costs time and never a result: what cannot be read is compiled again, and what
cannot be written is not kept; one warning says so.
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

from ludoteca.core.errors import NativeCacheWarning
from ludoteca.core.signals import deferred

ENVIRONMENT: Final = "LUDOTECA_CACHE"
"""The environment variable that puts the cache somewhere else."""
KEEP_DAYS: Final = 30

_SUFFIX: Final = ".code"
_DIGEST: Final = hashlib.sha256().digest_size
_LONGEST: Final = 150
"""Characters of a binding's name in the name of a file: most file systems allow 255 bytes."""


def root() -> Path:
    """The folder of all files."""
    given = os.environ.get(ENVIRONMENT)
    return Path(given) if given else user_cache_path("ludoteca") / "native"


def has_any(binding: str) -> bool:
    """True when there is a file of that binding, whatever version of it."""
    return any(root().glob(f"{escape(binding[:_LONGEST])}-*{_SUFFIX}"))


class CodeFile:
    """The file of one binding: pieces of machine code by the names of their functions."""

    def __init__(self, binding: str, fingerprint: str) -> None:
        self.path = root() / f"{binding[:_LONGEST]}-{fingerprint}{_SUFFIX}"

    def exists(self) -> bool:
        """True when the file is there, whole or damaged."""
        return self.path.exists()

    def read(self) -> dict[str, bytes] | None:
        """The pieces that are kept; None when there are none. A damaged file is thrown away, with a warning."""
        try:
            with deferred():  # a signal between opening and closing would leave an open file behind
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
        with suppress(OSError):  # a file that can be read and not written is not swept out either
            os.utime(self.path)
        pieces: dict[str, bytes] = pickle.loads(body)  # noqa: S301  # whole, and from the user's own folder
        return pieces

    def write(self, pieces: Mapping[str, bytes]) -> None:
        """Keep machine code for other processes, now and later: a signal waits until it is kept."""
        body = pickle.dumps(dict(pieces))
        temporary = self.path.with_suffix(f".{os.getpid()}.part")
        try:
            with deferred():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                temporary.write_bytes(hashlib.sha256(body).digest() + body)
                temporary.replace(self.path)
        except OSError as error:
            _warn(
                f"compiled code cannot be kept in {self.path.parent} ({error.strerror}): every program compiles it again. "
                f"Set {ENVIRONMENT} to a folder that can be written to."
            )
        finally:
            with suppress(OSError):  # there is none any more, or was none
                temporary.unlink()
        sweep(self.path.parent)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold a lock, so that one process compiles while others wait. Where no lock can be had, go on without one."""
        with ExitStack() as stack:
            with suppress(OSError, NotImplementedError):  # a folder without locks: at worst two compile the same
                self.path.parent.mkdir(parents=True, exist_ok=True)
                stack.enter_context(FileLock(self.path.with_suffix(".lock")))
            yield


def sweep(folder: Path, now: float | None = None) -> None:
    """Remove files that nobody has used for KEEP_DAYS, half-written ones too. A file that is locked stays."""
    limit = (time.time() if now is None else now) - KEEP_DAYS * 86400
    for path in (path for suffix in (_SUFFIX, ".lock", ".part") for path in folder.glob(f"*{suffix}")):
        with suppress(OSError, NotImplementedError, Timeout):  # another process may have swept it, or use it
            if path.stat().st_mtime < limit:
                with FileLock(path.with_suffix(".lock"), timeout=0):
                    path.unlink()
                    path.with_suffix(".lock").unlink(missing_ok=True)


def _warn(message: str) -> None:
    warnings.warn(message, NativeCacheWarning, stacklevel=3)
