"""Files that are always complete: new content replaces the old content at once, or not at all."""

import os
import zlib
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import Final
from zipfile import BadZipFile

UNREADABLE: Final = (OSError, ValueError, KeyError, BadZipFile, EOFError, NotImplementedError, zlib.error)
"""The exceptions of reading arrays from a damaged or incomplete file of NumPy's."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is on the disk when this returns. Raises OSError and leaves the old file unchanged."""
    draft = path.with_name(f".{path.name}-{os.getpid()}-{get_ident()}.draft")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the new name, too
        finally:
            os.close(folder)
    except BaseException:
        with suppress(OSError):  # it was renamed, or never made
            draft.unlink()
        raise
