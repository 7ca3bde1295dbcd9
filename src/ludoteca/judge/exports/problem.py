"""The cases of a part with their limits, from which all exports are written."""

from typing import Final, NamedTuple

from ludoteca.core.errors import LudotecaError
from ludoteca.core.judging import Case, Part
from ludoteca.core.spec import GameSpec

SAMPLE_CASES: Final = 2
"""The number of cases that students may see. They are the shortest ones."""


class ExportError(LudotecaError):
    """The cases cannot be exported."""


class Problem(NamedTuple):
    """The cases of a part, and the limits of a case."""

    spec: GameSpec
    name: str
    """The name of the part."""
    part: Part
    cases: tuple[Case, ...]
    seconds: float
    output: int = 8 << 20
    """Bytes."""
    language: str = "en"
    """The language of a program for students."""

    @property
    def title(self) -> str:
        """The game's title and the name of the part."""
        return f"{self.spec.title} {self.name}".rstrip()

    @property
    def files(self) -> dict[str, str]:
        """The files of all cases. Raises ExportError if two different files have the same name."""
        found: dict[str, str] = {}
        for case in self.cases:
            for name, content in case.files.items():
                if found.setdefault(name, content) != content:
                    raise ExportError(f"two cases have different files called {name}: no package can hold both")
        return found
