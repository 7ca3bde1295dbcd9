"""A table of comma-separated values. One process at a time writes it, row by row. A kill loses no finished row."""

import csv
import fcntl
import io
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from ludoteca.core.closing import Closing
from ludoteca.core.errors import LudotecaError, explained

DRAFT_PREFIX: Final = ".ludoteca-"
"""The prefix of the names of drafts."""


class TableError(LudotecaError):
    """A table cannot be read or written."""


class Table(Closing):
    """A file with a line of headings. It is a context manager. The file exists and is locked from the beginning."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        """Open a table with these columns.

        Raises TableError if the file cannot be written, holds another table, or is being written by another run.
        """
        self._path = path
        self._columns = list(columns)
        with explained(f"{path} cannot be written", TableError):
            self._file = _opened(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644))
        try:
            self._lock()
            self.rows = self._read()
            """The complete rows of the file. If the last row was cut off, its last value is wrong."""
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        self._file.close()

    def append(self, row: Mapping[str, str]) -> None:
        """Add a row, which is on the disk afterwards. Raises TableError."""
        with explained(f"{self._path} cannot be written", TableError):
            self._file.seek(0, os.SEEK_END)
            self._file.write(self._text([row]))
            self._file.flush()
            os.fsync(self._file.fileno())

    def replace(self, rows: Iterable[Mapping[str, str]]) -> None:
        """Replace all rows at once. Raises TableError and leaves the table as it was."""
        with explained(f"{self._path} cannot be written", TableError):
            descriptor, draft = tempfile.mkstemp(prefix=DRAFT_PREFIX, dir=self._path.resolve().parent)
            file = _opened(descriptor)
            try:
                file.write(self._text([dict(zip(self._columns, self._columns, strict=True)), *rows]))
                file.flush()
                os.fsync(descriptor)
                os.fchmod(descriptor, os.fstat(self._file.fileno()).st_mode & 0o777)
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                Path(draft).replace(self._path.resolve())
            except BaseException:
                file.close()
                Path(draft).unlink(missing_ok=True)
                raise
        self._file.close()
        self._file = file

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            same = os.fstat(self._file.fileno()).st_ino == self._path.stat().st_ino
        except OSError:
            same = False
        if not same:
            raise TableError(f"{self._path} is being written by another run")

    def _read(self) -> list[dict[str, str]]:
        try:
            lines = list(csv.reader(io.StringIO(self._file.read(), newline="")))
        except (UnicodeDecodeError, csv.Error):
            lines = [[]]
        if lines and lines[0] != self._columns:
            raise TableError(
                f"{self._path} is no table of this command: expected {','.join(self._columns)} in its first line. "
                "Name another file"
            )
        return [dict(zip(self._columns, row, strict=True)) for row in lines[1:] if len(row) == len(self._columns)]

    def _text(self, rows: Iterable[Mapping[str, str]]) -> str:
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows([row[column] for column in self._columns] for row in rows)
        return out.getvalue()


def _opened(descriptor: int) -> IO[str]:
    return os.fdopen(descriptor, "r+", encoding="utf-8", newline="")


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(tuple("=+-@\t\r")) else text
