"""Where compiled code is kept: one folder a binding, named by a hash of all that its machine code depends on.

Numba keeps its own index, but looks at a function's signature and bytecode only: not at the functions it calls and not at
the constants it reads. So whatever could change the code changes the folder's name, and old folders are swept out.
"""

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from filelock import FileLock, Timeout
from platformdirs import user_cache_path

from ludoteca.core.errors import NativeCacheWarning

ENVIRONMENT: Final = "LUDOTECA_CACHE"
"""The environment variable that puts the cache somewhere else."""
KEEP_DAYS: Final = 30

_STAMP: Final = "used"


def root() -> Path:
    """The folder that holds all of them."""
    given = os.environ.get(ENVIRONMENT)
    return Path(given) if given else user_cache_path("ludoteca") / "native"


@contextmanager
def folder(binding: str, sources: Iterable[Path]) -> Iterator[Path]:
    """The binding's folder, locked against every other process: one compiles while the others wait."""
    base = _writable(root())
    path = base / f"{binding}-{fingerprint(sources)}"
    with FileLock(f"{path}.lock"):
        path.mkdir(exist_ok=True)
        (path / _STAMP).touch()
        yield path
    sweep(base)


def fingerprint(sources: Iterable[Path]) -> str:
    """Twelve digits over the sources' names and texts and over the versions of Python, NumPy and Numba."""
    from numba import __version__ as numba_version

    digest = hashlib.sha256(f"{sys.version} {np.__version__} {numba_version}".encode())
    for path in sorted(set(sources)):
        text = path.read_bytes()
        digest.update(f"\n{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:12]


def sweep(base: Path, now: float | None = None) -> None:
    """Remove the folders that nobody has used for KEEP_DAYS; one that is in use at this moment is locked, and stays."""
    limit = (time.time() if now is None else now) - KEEP_DAYS * 86400
    for stamp in base.glob(f"*/{_STAMP}"):
        if _age_of(stamp) < limit:
            _remove(stamp.parent, limit)


def _remove(path: Path, limit: float) -> None:
    try:
        with FileLock(f"{path}.lock", timeout=0):
            if _age_of(path / _STAMP) < limit:
                shutil.rmtree(path, ignore_errors=True)
    except Timeout:
        return


def _age_of(stamp: Path) -> float:
    try:
        return stamp.stat().st_mtime
    except FileNotFoundError:  # another process swept it
        return float("inf")


def _writable(base: Path) -> Path:
    """`base` if a file can be made there, else a folder of this process's own, with a warning.

    Tested here because Numba, when it cannot write, silently goes over to `__pycache__`, where stale code may lie.
    """
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=base):
            return base
    except OSError as error:
        private = _private()
        warnings.warn(
            f"compiled code cannot be kept in {base} ({error.strerror}); it goes to {private} and is lost when this "
            f"process ends. Set {ENVIRONMENT} to a folder that can be written to.",
            NativeCacheWarning,
            stacklevel=2,
        )
        return private


_private_folders: list[Path] = []


def _private() -> Path:
    if not _private_folders:
        path = Path(tempfile.mkdtemp(prefix="ludoteca-"))
        atexit.register(shutil.rmtree, path, ignore_errors=True)
        _private_folders.append(path)
    return _private_folders[0]
