"""Matchmaking: a player who looks for an opponent gets a seat in a room where another player waits, or in a new room.

Each player sends a key, a secret from which the tokens of the player's seats are derived. By its key the server also
recognizes a player whom another player does not want to meet again (has muted).
"""

import asyncio
import time
from collections import defaultdict
from contextlib import suppress
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.server.model.creation import RoomMade, RoomWished, SeatWished, spec_of
from ludoteca.server.model.events import OPEN, PERSON, secrets_of
from ludoteca.server.model.tokens import FORM, digest, new_token, seat_token
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms import deletion, persons
from ludoteca.server.rooms.actor import KEPT
from ludoteca.server.rooms.rooms import ROUND, Rooms

CLOCK: Final = {"bank": 600, "increment": 5}
"""The clock of games between strangers, in seconds. Without it, a player would wait forever for a stranger who has left."""
PASSED_OVER: Final = ("taken", "neighbours", "room")
"""If a seat of a room is refused with one of these codes, the next room is tried."""
LOADING: Final = 10.0
"""Seconds for which a room is offered to others while the page of the player who got its seat has not connected yet."""
RELOADING: Final = 2.0
"""Seconds for which a new player waits for an opponent whose page has just disconnected, before another room is used."""
POLL_SECONDS: Final = 0.1
"""Seconds between two checks whether the disconnected page has come back."""
SEAT_TRIES: Final = 3
"""How often to ask for a seat of one room, if the room is closed during the request because another server takes it."""
MOST_MUTED: Final = 20


class SeatMuted(msgspec.Struct, forbid_unknown_fields=True):
    """A seat whose player the sender has muted."""

    room: str
    seat: Annotated[int, msgspec.Meta(ge=0, lt=10)]


class OpponentWished(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/games/GAME/opponent`."""

    name: str = ""
    """The player's name; empty for a guest."""
    key: Annotated[str, msgspec.Meta(pattern=FORM)] | None = None
    """A secret of the player, the same in each request. If no answer comes, a second request with it gets the same seat."""
    muted: Annotated[list[SeatMuted], msgspec.Meta(max_length=MOST_MUTED)] = []
    """Seats whose players are not wanted as opponents. They are recognized by the key with which they got the seat."""


class _Seeker(NamedTuple):
    """A player who looked for an opponent and was given a seat."""

    key: str
    muted: list[tuple[str, str]]
    """The seats that the player has muted, as pairs of the room's name and the SHA-256 of the seat's token."""
    found: RoomMade
    at: float
    """The time at which the seat was given, in seconds of the monotonic clock."""


class Matchmaking:
    """Finds opponents. For each game, requests are served one after the other, so that two players who ask at the same time
    meet.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._seekers: defaultdict[str, list[_Seeker]] = defaultdict(list)
        """For each game, the players who wait for an opponent, and the players who have just been given a seat."""

    async def find(self, name: str, wished: OpponentWished, address: str) -> RoomMade:
        """Give a player a seat in the room of another player who waits for an opponent in the game `name`. If no player
        waits, give the player a seat in a new room. `address` is the internet address of the player.

        Raises RefusalError if the operator has switched matchmaking off (`off`), if there is no such game (`game`), if the
        address takes too many seats or makes too many rooms, or if the database fails.
        """
        if not self._rooms.settings.matchmaking:
            raise RefusalError("off")
        game, key, muted = _usual(spec_of(name)), wished.key or new_token(), await self._secrets(wished.muted)
        patience = time.monotonic() + RELOADING
        while True:
            async with self._turns[game.name]:
                listings = await self._rooms.lobby.listings()
                waiting = [listing["room"] for listing in reversed(listings) if _suits(listing, game)]
                seekers = [each for each in self._seekers[game.name] if self._is_kept(each, waiting)]
                self._seekers[game.name] = seekers
                if own := next((seeker.found for seeker in seekers if seeker.key == key), None):
                    return own
                avoided = {each.found.room for each in seekers if _mutes(muted, each.key) or _mutes(each.muted, key)}
                wanted = [each for each in seekers if each.found.room not in avoided]
                loading = [each.found.room for each in wanted if self._is_loading(each)]
                rooms = [room for room in dict.fromkeys((*waiting, *loading)) if room not in avoided]
                found = await self._take_first(rooms, wished.name, key, address)
                if not found and (time.monotonic() > patience or not any(map(self._is_reloading, wanted))):
                    found = await self._make(game, wished.name, key, address)
                if found:
                    seekers.append(_Seeker(key, muted, found, time.monotonic()))
                    return found
            await asyncio.sleep(POLL_SECONDS)

    async def delete_abandoned(self) -> None:
        """Delete, every few seconds, rooms whose player has left before an opponent came. It runs until it is cancelled."""
        while True:
            await asyncio.sleep(min(ROUND, self._rooms.settings.idle))
            for name in [name for name, room in self._rooms.awake.items() if room.is_abandoned()]:
                with suppress(RefusalError):
                    await deletion.delete(self._rooms, name, if_abandoned=True)

    def _is_kept(self, seeker: _Seeker, waiting: list[str]) -> bool:
        """Return True if the seat that `seeker` was given is still the player's. It is not if the player has left the room
        before an opponent came, or if the game is over. `waiting` has the names of the rooms in which a player waits.
        """
        room, age = self._rooms.find(seeker.found.room), time.monotonic() - seeker.at
        if room and room.table.open_seats:
            return not room.is_abandoned()
        if self._rooms.retention.has_deleted(seeker.found.room):
            return False
        return (age < LOADING and not room.table.is_over) if room else (age < KEPT or seeker.found.room in waiting)

    def _is_loading(self, seeker: _Seeker) -> bool:
        """Return True if the player was given a seat less than LOADING seconds ago, and the player's page has not connected
        yet.
        """
        room = self._rooms.find(seeker.found.room)
        return seeker.at > time.monotonic() - LOADING and not (room and room.table.came)

    def _is_reloading(self, seeker: _Seeker) -> bool:
        """Return True if the player waits for an opponent and the player's page disconnected less than RELOADING seconds
        ago. The page may be loading again.
        """
        room = self._rooms.find(seeker.found.room)
        if room is None or not room.table.open_seats or not room.table.came or room.audience.present():
            return False
        return room.quiet_since > time.monotonic() - RELOADING

    async def _take_first(self, rooms: list[str], name: str, key: str, address: str) -> RoomMade | None:
        """Take a seat in the first of these rooms that has one for the player. Return None if no room has one."""
        for room in rooms:
            token = seat_token(key, room)
            for more_tries in reversed(range(SEAT_TRIES)):
                try:
                    seat = await persons.take(self._rooms, room, name, token, address, is_met=True)
                    return RoomMade(room, seat, token, "")
                except RefusalError as refusal:
                    if refusal.code in PASSED_OVER:
                        break
                    if refusal.code != "failed" or not more_tries:
                        raise
        return None

    async def _make(self, game: Game, name: str, key: str, address: str) -> RoomMade:
        seats = [SeatWished(PERSON, name), *[SeatWished(OPEN)] * (game.num_players() - 1)]
        wished = RoomWished(seats, game.name, game.parameters, CLOCK, listed=True)
        return await self._rooms.factory.make(wished, address, key)

    async def _secrets(self, muted: list[SeatMuted]) -> list[tuple[str, str]]:
        """Return the muted seats that still exist, as pairs of the room's name and the SHA-256 of the seat's token."""
        found = []
        for room, seat in {(each.room, each.seat) for each in muted}:
            with suppress(RefusalError, IndexError):
                row, rows = await self._rooms.stored(room)
                found.append((room, secrets_of(row, rows)[seat]))
        return found


def _usual(spec: GameSpec) -> Game:
    """Return the game with its default parameters, but for at least two players.

    Raises RefusalError (`parameters`) if the game cannot be played by two players.
    """
    try:
        game = Game(spec)
        return game if game.num_players() > 1 else Game(spec, {"players": 2})
    except LudotecaError as error:
        raise RefusalError("parameters", error.message, game=spec.name) from None


def _suits(listing: dict[str, Any], game: Game) -> bool:
    """Return True if, in the listed room, a player waits for an opponent in this game with its default parameters and clock,
    and no player can know the deal.
    """
    seats = listing["seats"]
    is_usual = (listing["game"], listing["parameters"], listing["clock"], listing["known"]) == (
        game.name, game.parameters, CLOCK, "",
    )  # fmt: skip
    return is_usual and any(each["kind"] == OPEN for each in seats) and any(each["present"] for each in seats)


def _mutes(muted: list[tuple[str, str]], key: str) -> bool:
    """Return True if one of the seats in `muted` (pairs of room and SHA-256) belongs to the player with that key."""
    return any(digest(seat_token(key, room)) == secret for room, secret in muted)
