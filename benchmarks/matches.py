"""The matches of `benchmarks.strength`: who plays whom, and how many deals. Every deal is played from every seat."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final, NamedTuple

from benchmarks.players import seconds_of
from ludoteca.core.game import Game, load
from ludoteca.core.levels import Level, levels_of
from ludoteca.core.registry import find
from ludoteca.games.okupacio import board

BEFORE: Final = "b6abbdbf"
"""The commit that today's agents are compared with."""
EIGHT: Final = {"players": 2, "board": "8x8"}
TWO: Final = {"players": 2}
LIGHT: Final = {"variant": "light", "players": 2}
MAIN: Final[tuple[tuple[str, Mapping[str, Any], int], ...]] = (
    ("okupacio", EIGHT, 20),
    ("conclave", TWO, 24),
    ("cartas", {}, 20),
    ("qinto", LIGHT, 24),
    ("metro", {}, 14),
)
"""The settings of the ladder, with the deals for a level that thinks for seconds."""
CHECKS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("conclave", {"players": 3}),
    ("conclave", {"players": 4}),
    ("okupacio", {"players": 3, "board": "8x8"}),
    ("okupacio", {"players": 2, "board": board.DOCUMENT}),
    ("metro", {"players": 4}),
    ("metro", {"players": 6}),
)
AT_SIGHT_DEALS: Final = 60
SEARCHING_DEALS: Final = 120
CHECK_DEALS: Final = 24
MOVES: Final = {"okupacio": 25, "conclave": 19, "cartas": 9, "qinto": 20, "metro": 15}
"""Roughly the searches of a player in a game."""
ALONE: Final = 55
"""The same in Metro with one player."""


class Match(NamedTuple):
    """A player against others."""

    section: str
    game: str
    parameters: Mapping[str, Any]
    one: str
    other: str
    """The player of all other seats. In a game for one player, both play every deal alone."""
    deals: int

    def load(self, *, compiled: bool = True) -> Game:
        """Return the game."""
        return load(self.game, compiled=compiled, **self.parameters)

    def title(self) -> str:
        """Return the game with its parameters."""
        words = (f"{name}={value if len(str(value)) < 20 else '14x10'}" for name, value in self.parameters.items())
        return " ".join([self.game, *words])

    def guess(self) -> float:
        """Return roughly the seconds of a game, on one core."""
        game = self.load(compiled=False)
        players, moves = game.num_players(), MOVES.get(self.game, 30)
        one, other = (seconds_of(name, game) for name in (self.one, self.other))
        return 0.1 + (ALONE * (one + other) / 2 if players == 1 else moves * (one + (players - 1) * other))


def matches() -> Iterator[Match]:
    """Yield all matches, by section."""
    for game, parameters, deals in MAIN:
        yield from ladder("ladder", game, parameters, (AT_SIGHT_DEALS, SEARCHING_DEALS, deals))
    for game, parameters in CHECKS:  # levels that think for seconds are measured above
        yield from ladder("other tables", game, parameters, (CHECK_DEALS, CHECK_DEALS, 0))
    for game, parameters in (*((game, parameters) for game, parameters, _ in MAIN), *CHECKS):
        yield Match("level 1 against random", game, parameters, "1", "random", AT_SIGHT_DEALS)
    yield Match("among greedy", "cartas", {}, "0.025cpu", "greedy", 60)
    yield Match("among greedy", "conclave", {"players": 4}, "0.025cpu", "greedy", 40)
    for game, parameters, _ in MAIN:
        yield Match("four times the time", game, parameters, "0.1cpu", "0.025cpu", 40)
    for game, parameters, _ in MAIN:  # a turn of Conclave had two or three budgets, on average two and a half
        ours, theirs = ("0.05cpu", "0.02cpu") if game == "conclave" else ("0.025cpu", "0.025cpu")
        yield Match(f"against {BEFORE}", game, parameters, ours, f"{BEFORE}:{theirs}", 50)
    for other in ("long", "low", "high", "greedy"):
        yield Match("the document's player of cartas", "cartas", {}, "jogador", other, 12)
    yield Match("Metro alone", "metro", {}, "pick_move:500", "pick_move:0", 60)


def ladder(section: str, game: str, parameters: Mapping[str, Any], deals: tuple[int, int, int]) -> Iterator[Match]:
    """Yield each level of the game against the level below. `deals` are those of levels at sight, with simulations, and with
    seconds. With 0 deals there is no match.
    """
    levels = levels_of(find(game), load(game, **parameters).parameters)
    for below, name in pairwise(levels):
        if number := deals[_kind(levels[name])]:
            yield Match(section, game, parameters, name, below, number)


def _kind(level: Level) -> int:
    return 2 if level.seconds and not level.simulations else 1 if level.simulations else 0
