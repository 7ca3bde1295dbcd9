"""The table of a class: a file of comma-separated values, which is written at the end of a run."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ludoteca.core.errors import LudotecaError, explained


class TableError(LudotecaError):
    """A table, or a file that belongs to it, cannot be read or written."""


def results_of(table: Path) -> Path:
    """Return the hidden folder next to the table `table`, in which the result of each submission is stored."""
    return table.with_name(f".{table.stem}.results")


def check_table(table: Path, columns: Sequence[str]) -> None:
    """Create the file of a table, if it is missing, and the folder for its results. Raises TableError if they cannot be
    written, or if the file is a table with other columns.
    """
    with explained(f"{table} cannot be written", TableError):
        results_of(table).mkdir(exist_ok=True)
        with table.open("a+b") as file:
            file.seek(0)
            head = file.readline().rstrip(b"\n")
    if head and head != ",".join(columns).encode():
        raise TableError(
            f"{table} is no table of this command: expected {','.join(columns)} in its first line. Name another file"
        )


def write_table(table: Path, columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> None:
    """Write a table with these columns. Raises TableError if the file cannot be written."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([columns, *([row[column] for column in columns] for row in rows)])
    save_file(table, out.getvalue())


def save_file(file: Path, content: str) -> None:
    """Write a file, and create its folder if necessary. Raises TableError if that is not possible."""
    with explained(f"{file} cannot be written", TableError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode())


def harmless(text: str) -> str:
    """Return the text with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(tuple("=+-@\t\r")) else text
