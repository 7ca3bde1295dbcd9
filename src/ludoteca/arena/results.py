"""What is kept of a finished game, and what tables, ratings and reports are made of."""

import msgspec

from ludoteca.core.record import Record


class Seat(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What became of one seat."""

    bot: str
    """The name of the bot that sat there."""
    points: float
    """What the seat got in the game's utility (1 shared by the winners, or points). A bot that lost by a fault gets the
    least that its game gives, and what it would have won is shared by the other winners, or by all that did not lose so."""
    score: int
    """The document's points."""
    won: float
    """Its share of the win, from 0 to 1."""
    seconds: float
    """How long the bot was waited for."""
    faults: int = 0
    """How often it did something wrong: once at most, unless its protocol says how a game goes on after a fault."""
    fault: str = ""
    """The name of its first `Fault`; empty when there was none."""
    detail: str = ""
    """The first fault in words."""
    errors: str = ""
    """Its standard error, or the last mebibyte of it."""
    isolation: str = ""
    """How the bot's program was kept apart from the machine."""


class Played(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One finished game."""

    key: str
    """Names the game within its tournament or match: the same whenever that is played again."""
    deal: str
    """Games of one deal, with the bots in other seats, have the same text here: bootstrap and intervals go by deals."""
    record: Record
    seats: list[Seat]
    opening: int = 0
    """The number of first moves that were drawn and not played by the bots (`openings.draw_opening`)."""
    times: list[float] = []
    """For each action of the record, how many seconds its bot took. Empty in games stored by an older version."""
    seconds: float
    """From the deal to the result."""
    processor: str = ""
    """The name of the machine's processor. Empty in games stored by an older version."""
