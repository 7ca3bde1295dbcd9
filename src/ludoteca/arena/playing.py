"""What a worker has in its hands: the game, those who take part, and the players that it keeps from game to game."""

import traceback
from collections import OrderedDict
from typing import Final, NamedTuple

import msgspec

from ludoteca.arena.errors import ArenaError
from ludoteca.arena.faults import FaultError
from ludoteca.arena.fillers import FillerPlayer
from ludoteca.arena.player import Entrant, Player
from ludoteca.arena.players import new_player
from ludoteca.arena.referee import play
from ludoteca.arena.results import Played
from ludoteca.core.formats import FILLER, Fixture
from ludoteca.core.game import Game

KEPT: Final = 16
"""Players that a worker keeps, with their processes: those that sat last."""


class Setup(msgspec.Struct, frozen=True):
    """All that a worker has to know before it plays. It can be pickled."""

    game: Game
    entrants: tuple[Entrant, ...]
    seed: bytes
    """The tournament's: no player is told it."""
    folder: str
    """Where programs run that are given no place of their own."""
    opening: int = 0
    """The number of drawn moves with which a deal begins (`openings.draw_opening`)."""


class Done(NamedTuple):
    """A finished game (`results.Played`), in JSON."""

    played: bytes


class Failed(NamedTuple):
    """A game that could not be played."""

    why: str


class Playing:
    """Plays games, one at a time."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._entrants = {entrant.name: entrant for entrant in setup.entrants}
        self._players: OrderedDict[tuple[str, int], Player] = OrderedDict()

    def play(self, fixture: Fixture) -> Played:
        """The finished game."""
        players = [self._player(name, seat) for seat, name in enumerate(fixture.seats)]
        while len(self._players) > max(KEPT, len(players)):
            _, player = self._players.popitem(last=False)
            player.close()
        return play(self._setup.game, fixture, players, self._setup.seed, self._setup.opening)

    def _player(self, name: str, seat: int) -> Player:
        """The player of that name in that seat, the last one to be let go."""
        if (name, seat) not in self._players:
            self._players[name, seat] = self._new_player(name, seat)
        self._players.move_to_end((name, seat))
        return self._players[name, seat]

    def _new_player(self, name: str, seat: int) -> Player:
        if name.startswith(FILLER):
            return FillerPlayer(self._setup.game)
        try:
            return new_player(self._entrants[name], self._setup.game, seat, 0)
        except FaultError as fault:  # it was there when the games began: whoever runs them has to know
            raise ArenaError(f"{name}: {fault}") from None

    def close(self) -> None:
        """End all programs."""
        while self._players:
            _, player = self._players.popitem()
            player.close()


def answer(playing: Playing, fixture: Fixture) -> Done | Failed:
    """Play a game for somebody in another process; a mistake of Ludoteca's own, too, is told there."""
    try:
        return Done(msgspec.json.encode(playing.play(fixture)))
    except ArenaError as error:
        return Failed(str(error))
    except Exception:  # noqa: BLE001  # whatever it is, the arena says it, with the game's name
        return Failed(f"a mistake of Ludoteca's own:\n{traceback.format_exc()}")
