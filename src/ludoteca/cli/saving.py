"""The record of a game that is played, on disk after every move."""

import atexit
import os
import shutil
from contextlib import suppress
from pathlib import Path

from ludoteca.core.game import State


class RecordFile:
    """A file that always holds a whole record: what is written takes the place of the old one at once, or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = Path(os.path.realpath(path))  # a link stays one; and `resolve` fails for one that leads to itself
        self._draft = self._file.with_name(f".ludoteca-{os.getpid()}.draft")
        atexit.register(self._remove_draft)

    def write(self, state: State) -> None:
        """Write the game so far. Raises OSError; the file is then as it was."""
        try:
            with self._draft.open("w", encoding="utf-8") as draft:
                draft.write(state.serialize())
                draft.flush()
                os.fsync(draft.fileno())
            if self._file.exists():
                shutil.copymode(self._file, self._draft)
            self._draft.replace(self._file)
        except OSError:
            self._remove_draft()
            raise

    def _remove_draft(self) -> None:
        with suppress(OSError):  # there is none, or not even a folder for it
            self._draft.unlink()
