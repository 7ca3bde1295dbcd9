"""What is proven of a game's positions, kept in a file line by line, so that nothing is lost when a program is killed.

The first line says what the game is; each other one has the key of a position and bounds of its gain, as `core.contract`
explains them. Each begins with a checksum. A last line that was broken off is dropped. Lines are only ever added; of two
about one position both hold.
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
    """Bounds of positions' gains by their keys, and the file that holds them, if there is one.

    Raises SearchError when the file is of another game or damaged, and OSError when it cannot be read or written.
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
        """Every key with its bounds."""
        return list(self._bounds.items())

    def bounds(self, key: int) -> tuple[int, int]:
        """The least and the most that the gain can be."""
        return self._bounds.get(key, (-FAR, FAR))

    def add(self, key: int, lower: int, upper: int) -> None:
        """Keep bounds, if they tell anything new."""
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
    """The text behind a line's checksum; None if it is not the one that was written."""
    checksum, _, text = line.decode("utf-8", "replace").partition(" ")
    return text if checksum == f"{zlib.crc32(text.encode()):08x}" else None
