"""The budget of a search and its findings."""

from typing import NamedTuple

from ludoteca.core.errors import SearchError


class Budget(NamedTuple):
    """How much to search: simulations, or seconds, whichever ends first."""

    simulations: int | None = None
    seconds: float | None = None

    def check(self) -> None:
        """Raises SearchError when nothing could be searched."""
        given = {name: value for name, value in self._asdict().items() if value is not None}
        if not given or any(value <= 0 for value in given.values()):
            read = " and ".join(f"{value} {name}" for name, value in given.items()) or "nothing"
            raise SearchError(f"budget: read {read}, expected more than 0")


class RootMove(NamedTuple):
    """One action at the root of a search."""

    action: int
    visits: int
    values: tuple[float, ...]
    """The utility that each player may expect: shares of a win, or points."""
    solved: bool
    """True when the values are the result of best play, and no estimate."""


class Findings(NamedTuple):
    """The findings of a search, its best choice first."""

    player: int
    choices: tuple[RootMove, ...]
    values: tuple[float, ...]
    """The utility that each player may expect at the root."""
    simulations: int
    seconds: float
    line: tuple[int, ...]
    """The moves that were tried most, from the root on, as the player sees them."""

    @property
    def action(self) -> int:
        """The best choice."""
        return self.choices[0].action
