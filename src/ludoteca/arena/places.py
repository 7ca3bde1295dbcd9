"""In which line of a TOML file something stands."""

import tomllib
from collections.abc import Iterator
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and numbers in arrays, from the top of the file."""


def places(text: str) -> dict[Path, int]:
    """The line, from 1, of everything that a file with valid TOML defines; of what stands in a line, that line.

    A file is taken apart into statements: a header, or a key with its value, is the least number of lines that is TOML by
    itself. Each is read by `tomllib`, so no syntax is known here.
    """
    found: dict[Path, int] = {}
    table: Path = ()
    lengths: dict[Path, int] = {}
    for number, statement in _statements(text):
        content = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            table = _header(content, lengths)
            found.setdefault(table, number)
        else:
            for path in _paths(content):
                found.setdefault((*table, *path), number)
    return found


def line_of(found: dict[Path, int], path: Path) -> int:
    """The line of something, or of the table that it would stand in; 1 for the file."""
    while path and path not in found:
        path = path[:-1]
    return found.get(path, 1)


def named(path: Path) -> str:
    """A path as people write it: `entrants[1].limits.move`, counted from 1."""
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def _statements(text: str) -> Iterator[tuple[int, str]]:
    lines: list[str] = []
    begin = 1
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        lines.append(line)
        statement = "".join(lines)
        try:
            tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue
        if statement.strip() and not statement.lstrip().startswith("#"):
            yield begin, statement
        lines, begin = [], number + 1


def _header(content: dict[str, Any], lengths: dict[Path, int]) -> Path:
    """The path of the table that a header begins; `lengths` counts the tables of arrays so far."""
    path: Path = ()
    inner: Any = content
    while inner:
        key = next(iter(inner))
        inner, path = inner[key], (*path, key)
        if isinstance(inner, list):  # [[...]]: one more
            lengths[path] = lengths.get(path, 0) + 1
            inner = inner[0]
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _paths(content: Any) -> Iterator[Path]:
    """The paths of all that a value holds, itself included."""
    yield ()
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in items:
        yield from ((key, *path) for path in _paths(value))
