"""Files that are always whole: what is written takes the place of the old one at once, or not at all."""

import os
import zlib
from contextlib import suppress
from pathlib import Path
from threading import get_ident
from typing import Final
from zipfile import BadZipFile

UNREADABLE: Final = (OSError, ValueError, KeyError, BadZipFile, EOFError, NotImplementedError, zlib.error)
"""All that reading arrays from a file of NumPy's raises, where a byte of it is damaged or a part is missing."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is on the disk when this returns. Raises OSError; the file is then as it was."""
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
        with suppress(OSError):  # it has its own name already, or there is none
            draft.unlink()
        raise
