"""Plays the games of a match or a tournament in a pool of processes. Every finished game is stored at once."""

from collections import OrderedDict, deque
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import chdir, contextmanager, nullcontext
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec

from ludoteca.arena.matches.players import Entrant, FillerPlayer, Player, new_player
from ludoteca.arena.matches.referee import play
from ludoteca.arena.matches.results import Played
from ludoteca.arena.programs.isolation import check_isolation
from ludoteca.arena.programs.limits import FaultError
from ludoteca.core.errors import LudotecaError
from ludoteca.core.formats import FILLER, Finished, Fixture, GameOutcome, Place, Schedule
from ludoteca.core.game import Game
from ludoteca.core.workers import Failed, Pool

KEPT: Final = 16
"""The number of players that a process keeps between games, with their running programs."""

Watch: TypeAlias = Callable[[Played, int, int], None]
"""Called after each stored game with the game, the number of stored games and the number of planned games."""


class ArenaError(LudotecaError):
    """A match or a tournament cannot begin or continue. No stored game is lost."""


class Setup(msgspec.Struct, frozen=True):
    """The task of a process that plays games."""

    game: Game
    entrants: tuple[Entrant, ...]
    seed: bytes
    """The tournament's seed, which is secret."""
    folder: str
    """The current folder of the process. The names of programs are relative to it."""
    opening: int = 0
    """The number of random moves with which a deal begins (`openings.draw_opening`)."""
    not_isolated: bool = False
    """True if programs may run on a machine that does not isolate them."""


class Keeper(Protocol):
    """A store of finished games."""

    def outcomes(self) -> dict[str, GameOutcome]:
        """Return the outcomes of the stored games, by key."""

    def add(self, played: Played) -> None:
        """Store a game, so that it is safe on the disk afterwards. Raises ArenaError if it cannot be written."""


class Memory:
    """Finished games in memory."""

    def __init__(self) -> None:
        self.games: dict[str, Played] = {}

    def outcomes(self) -> dict[str, GameOutcome]:
        return {key: outcome_of(played) for key, played in self.games.items()}

    def add(self, played: Played) -> None:
        self.games[played.key] = played


def outcome_of(played: Played) -> GameOutcome:
    """Return the points and shares of the win of a game. Formats decide by them which games to play next."""
    return GameOutcome(tuple(seat.points for seat in played.seats), tuple(seat.won for seat in played.seats))


def run(
    plan: Callable[[Finished], Schedule], keeper: Keeper, pool: Pool[Fixture, Played], watch: Watch = lambda *_: None
) -> Sequence[Place]:
    """Play all games of a plan that `keeper` has not stored yet, and return the final table. `plan` returns the games to
    play, given the finished games. `watch` is called after each game.

    Raises ArenaError if a game cannot be stored, or cannot be played, for example because a program's file is gone. A
    program's fault during a game is not an error, but a part of that game's result.
    """
    finished, begun = keeper.outcomes(), dict[str, None]()
    known, waiting, done = _planned(plan, finished, begun)

    def fixtures() -> Iterator[Fixture | None]:
        while known.table is None:
            if waiting:
                begun[waiting[0].key] = None
                yield waiting.popleft()
            else:
                yield None

    for number, result in pool.completed(fixtures()):
        if isinstance(result, Failed):
            raise ArenaError(f"the game {list(begun)[number]} cannot be played: {result.why}")
        keeper.add(result)
        finished[result.key] = outcome_of(result)
        done += 1
        if not waiting:
            known, waiting, done = _planned(plan, finished, begun)
        watch(result, done, len(known.games))
    assert known.table is not None
    return known.table


def _planned(
    plan: Callable[[Finished], Schedule], finished: Finished, begun: Container[str]
) -> tuple[Schedule, deque[Fixture], int]:
    """Return the plan, the games in it that have not begun, and the number of its games that are finished. `begun` has the
    keys of the games that have begun.
    """
    known = plan(finished)
    missing = [fixture for fixture in known.games if fixture.key not in finished]
    return known, deque(fixture for fixture in missing if fixture.key not in begun), len(known.games) - len(missing)


@contextmanager
def playing(setup: Setup) -> Iterator[Callable[[Fixture], Played]]:
    """Yield a function that plays a game. Players stay from game to game with their programs, which end with the `with`
    block.
    """
    if any(entrant.command for entrant in setup.entrants):
        check_isolation(allowed=setup.not_isolated)  # this process may be on another machine
    entrants = {entrant.name: entrant for entrant in setup.entrants}
    players: OrderedDict[tuple[str, int], Player] = OrderedDict()

    def player_of(name: str, seat: int) -> Player:
        if (name, seat) not in players:
            try:
                players[name, seat] = (
                    FillerPlayer(setup.game) if name.startswith(FILLER) else new_player(entrants[name], setup.game, seat)
                )
            except FaultError as fault:  # the program was there when the games began
                raise ArenaError(f"{name}: {fault}") from None
        players.move_to_end((name, seat))
        return players[name, seat]

    def play_game(fixture: Fixture) -> Played:
        seated = [player_of(name, seat) for seat, name in enumerate(fixture.seats)]
        while len(players) > max(KEPT, len(seated)):
            players.popitem(last=False)[1].close()
        return play(setup.game, fixture, seated, setup.seed, setup.opening)

    is_here = Path(setup.folder).is_dir()  # on another machine, it may be missing
    with chdir(setup.folder) if is_here else nullcontext():
        try:
            yield play_game
        finally:
            for player in players.values():
                player.close()
