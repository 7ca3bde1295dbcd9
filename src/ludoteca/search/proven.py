"""Proven bounds of a game's positions, in a file that survives a killed program.

The first line describes the game. Each further line has the key of a position and the bounds of its gain (see
`core.contract`). Each line begins with a checksum. Lines are only added. A position may have several lines, and all of them
hold. An incomplete last line is dropped.
"""

import json
import zlib
from pathlib import Path
from typing import Any, Final

from ludoteca.core.errors import SearchError
from ludoteca.core.game import Game
from ludoteca.core.words import counted
from ludoteca.search.alphabeta import FAR

FORMAT: Final = "ludoteca-proven-1"


class Proven:
    """The bounds of positions' gains by key, and the file with them, if there is one.

    Raises SearchError if the file is damaged or belongs to another game, and OSError if it cannot be read or written.
    """

    def __init__(self, game: Game, file: Path | None = None) -> None:
        self.file = file
        self._bounds: dict[int, tuple[int, int]] = {}
        if file is None:
            return
        rules = game.spec.rules_version
        about: dict[str, Any] = {"format": FORMAT, "game": game.name, "rules": rules, "parameters": game.parameters}
        content = file.read_bytes() if file.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            whole = _sealed(json.dumps(about))
            file.write_bytes(whole)
        elif len(whole) < len(content):
            with file.open("rb+") as opened:
                opened.truncate(len(whole))
        lines = whole.splitlines()
        for number, line in enumerate(lines, 1):
            text = _opened(line)
            if text is None:
                raise SearchError(f"{file}: line {number} of {counted(len(lines), 'line')} is damaged")
            if number == 1:
                read = json.loads(text)
                for name, value in about.items():
                    if read.get(name) != value:
                        raise SearchError(f"{file}: read {name} {read.get(name)!r}, expected {value!r}")
            else:
                key, lower, upper = map(int, text.split())
                self._narrow(key, lower, upper)

    def __len__(self) -> int:
        return len(self._bounds)

    def items(self) -> list[tuple[int, tuple[int, int]]]:
        """Return every key with its bounds."""
        return list(self._bounds.items())

    def bounds(self, key: int) -> tuple[int, int]:
        """Return the lowest and the highest possible gain."""
        return self._bounds.get(key, (-FAR, FAR))

    def add(self, key: int, lower: int, upper: int) -> None:
        """Store bounds that are narrower than the known ones."""
        if self._narrow(key, lower, upper) and self.file:
            with self.file.open("ab") as file:
                file.write(_sealed(f"{key} {lower} {upper}"))

    def _narrow(self, key: int, lower: int, upper: int) -> bool:
        before = self.bounds(key)
        after = max(before[0], lower), min(before[1], upper)
        if after == before:
            return False
        self._bounds[key] = after
        return True


def _sealed(text: str) -> bytes:
    return f"{zlib.crc32(text.encode()):08x} {text}\n".encode()


def _opened(line: bytes) -> str | None:
    """Return the text after a line's checksum, or None if the checksum does not match."""
    checksum, _, text = line.decode("utf-8", "replace").partition(" ")
    return text if checksum == f"{zlib.crc32(text.encode()):08x}" else None
