"""The stored result of a finished game, from which tables, ratings and reports are made."""

import msgspec

from ludoteca.core.record import Record


class Seat(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The result of one seat."""

    bot: str
    """The name of the bot in the seat."""
    points: float
    """The points of the seat: in a game for the win, 1 shared by the winners, or else the points of the game. A bot that
    lost by a fault gets the least points that the game can give. The rest of its points is shared by the other winners or,
    if there are none, by all seats without such a fault."""
    score: int
    """The points that the rules of the game count."""
    won: float
    """The seat's share of the win, from 0 to 1."""
    seconds: float
    """The time that the arena waited for the bot."""
    faults: int = 0
    """The number of faults. It is at most 1, unless the bot's protocol lets the bot go on after a fault."""
    fault: str = ""
    """The name of the first `Fault`. Empty if there was none."""
    detail: str = ""
    """The first fault in words."""
    errors: str = ""
    """The bot's standard error, or the last mebibyte of it."""
    isolation: str = ""
    """A description of the sandbox of the bot's program."""


class Played(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One finished game."""

    key: str
    """The name of the game within its tournament or match. A repetition of the tournament uses the same name."""
    deal: str
    """The name of the deal. Games of one deal differ in the seats of the bots. Statistics use the deal as their unit."""
    record: Record
    seats: list[Seat]
    opening: int = 0
    """The number of random moves at the start, which the bots did not choose (`openings.draw_opening`)."""
    times: list[float] = []
    """For each action of the record, the seconds that its bot took. Empty in games stored by an older version."""
    seconds: float
    """From the deal to the result."""
    processor: str = ""
    """The name of the machine's processor. Empty in games stored by an older version."""
