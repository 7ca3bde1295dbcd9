"""Reads texts and records from files that a user names, and writes the record of a game while it is played."""

import atexit
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ludoteca.core.errors import LudotecaError, ParameterError, RecordError, UnknownGameError, explained
from ludoteca.core.words import excerpt

if TYPE_CHECKING:  # not loaded by the documents' programs, which answer in a tenth of a second
    from ludoteca.core.game import State
    from ludoteca.core.record import Record

MOST_CHARACTERS: Final = 1_000_000
"""The most characters of a file. A name may lead to a device that never ends. The message `file.long` has this number."""


def read_text(name: str) -> str:
    """Return the text of a file in UTF-8. Bytes that are not UTF-8 are replaced, and a byte order mark is left out.

    Raises OSError if the file cannot be read or its name is impossible, and LudotecaError if it has more than
    MOST_CHARACTERS.
    """
    try:
        with open(name, encoding="utf-8-sig", errors="replace") as file:  # noqa: PTH123  # Path would drop a / at the end
            text = file.read(MOST_CHARACTERS + 1)
    except ValueError as error:  # a NUL in the name
        raise FileNotFoundError(name) from error
    if len(text) > MOST_CHARACTERS:
        raise LudotecaError(("file.long", excerpt(name)))
    return text


def read_file(path: Path) -> "Record":
    """Return the record in a file. Raises RecordError with the file's name if the file cannot be read or
    contains no record.
    """
    from ludoteca.core.record import read_record

    with explained(str(path), RecordError):
        return read_record(path)


def replay_record(path: Path) -> "tuple[Record, State]":
    """Return the record in a file, and the state at its end, with interpreted rules.

    Raises LudotecaError with the file's name if the record cannot be read or replayed.
    """
    from ludoteca.core.game import open_record

    record = read_file(path)
    try:
        return record, open_record(record)
    except LudotecaError as error:
        kind = RecordError if isinstance(error, (ParameterError, UnknownGameError)) else type(error)
        raise kind(f"{path}: {error}") from None


def write_file(path: Path, content: bytes) -> None:
    """Write a file. Raises ParameterError with the system's reason if that fails, because the user chose the path."""
    with explained(f"{path} cannot be written"):
        path.write_bytes(content)


def make_folder(path: Path) -> None:
    """Make a folder if there is none. Raises ParameterError for a folder that is not empty."""
    with explained(f"out: {path}"):
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise ParameterError(f"out: {path} is not empty. Name a new or empty folder")


class RecordFile:
    """A file that always contains a whole record. A new record replaces the old one completely, or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = Path(os.path.realpath(path))  # a link stays a link; `resolve` would fail for a link to itself
        self._draft = self._file.with_name(f".ludoteca-{os.getpid()}.draft")
        atexit.register(self._remove_draft)

    def write(self, state: "State") -> None:
        """Write the game so far. Raises OSError if that fails. The file then still has the old record."""
        import shutil

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
        with suppress(OSError):  # there is no draft, or no folder
            self._draft.unlink()
