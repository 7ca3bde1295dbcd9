"""Text files that a user names."""

from typing import TYPE_CHECKING, Final

from ludoteca.core.errors import RecordError

if TYPE_CHECKING:  # neither is loaded for the documents' programs, which answer in a tenth of a second
    from pathlib import Path

    from ludoteca.core.record import Record

MOST: Final = 1 << 20
"""So many characters are read and no more: a name may lead to a device that never ends."""


def read_text(name: str) -> str:
    """The beginning of a file, what is no UTF-8 in it replaced. Raises OSError, for names that no file can have, too.

    A byte order mark is no part of the text.
    """
    try:
        with open(name, encoding="utf-8-sig", errors="replace") as file:  # noqa: PTH123  # Path drops the / that no file ends in
            return file.read(MOST)
    except ValueError as error:  # a NUL in the name
        raise FileNotFoundError(name) from error


def read_record(path: "Path") -> "Record":
    """The record in a file. Raises RecordError, also when the file cannot be read."""
    from ludoteca.core import record

    try:
        return record.read_record(path)
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
