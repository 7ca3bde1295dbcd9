"""What is told of a table: to each audience (a seat, or those who watch) what it may know, and no more than has changed."""

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from ludoteca.core.messages import Message
from ludoteca.server.frames import Change, Clock, Event, Over, Seat, Whole, choice_frame
from ludoteca.server.model.events import KINDS, PERSON, Asked, Happening, Moved
from ludoteca.server.model.table import Table
from ludoteca.server.model.views import Shown, change

ChoiceFrame: TypeAlias = tuple[str, tuple[str, ...], Message]


class Options(NamedTuple):
    """What the player to move may choose, as it travels, and which of it gives up."""

    choices: list[ChoiceFrame]
    give_up: str


NONE: Options = Options([], "")


class Teller:
    """Knows what each audience was shown last."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shown: dict[int, Shown] = {}

    def forget(self, seat: int) -> None:
        """Nobody of that audience is there any more."""
        self._shown.pop(seat, None)

    def whole(self, seat: int, present: Collection[int], clocks: Clock | None) -> Whole:
        """All that the audience may see."""
        table = self._table
        shown = self._shown[seat] = Shown(table.story.scene(table.ply, seat))
        options = self._options(seat)
        return Whole(
            n=table.n,
            room=table.row.id,
            game=table.game.name,
            parameters=table.game.parameters,
            clock=table.clock_chosen,
            seats=seats(table, present),
            you=seat,
            ply=table.ply,
            mover=table.mover,
            known=table.known(),
            invitation=table.invitation() if seat >= 0 else "",
            may_delete=seat >= 0 and table.seats[seat].token == table.key != "",
            commitment=table.commitment(),
            log=table.story.lines(seat),
            scene=shown.scene,
            choices=options.choices,
            give_up=options.give_up,
            clocks=clocks,
            over=table.over(),
            asked=table.asked,
        )

    def event(self, happened: Happening, seat: int, told: "Told") -> Event:
        """What has just happened, for an audience that was shown what was before."""
        table = self._table
        event = Event(n=table.n, kind=told.kind, ply=table.ply, mover=table.mover, seats=told.seats, over=told.over)
        if not isinstance(happened, Moved) or table.is_over:
            event.asked = table.asked
        if isinstance(happened, Asked):
            return event
        options = self._options(seat)
        event.choices, event.give_up, event.clocks = options.choices, options.give_up, told.clocks
        if isinstance(happened, Moved):
            event.line = table.story.lines(seat)[-1]
            event.change = self._change(seat)
        return event

    def _change(self, seat: int) -> Change:
        old, new = self._shown[seat], Shown(self._table.story.scene(self._table.ply, seat))
        self._shown[seat] = new
        return change(old, new)

    def _options(self, seat: int) -> Options:
        table = self._table
        if seat < 0 or table.mover != seat or table.seats[seat].kind != PERSON:
            return NONE
        now, concede = table.story.now, table.game.rules.CONCEDE
        return Options([choice_frame(choice) for choice in now.choices], str(concede) if concede in now.legal else "")


class Told(NamedTuple):
    """The part of an event that is the same for all."""

    kind: str
    seats: list[Seat] | None
    clocks: Clock | None
    over: Over | None


def told(table: Table, happened: Happening, present: Collection[int], clocks: Clock | None, *, ended: bool) -> Told:
    """What all are told of what has just happened; `ended` if the game is over with it."""
    kind = KINDS[type(happened)]
    if kind == "seats" and ended:
        kind = "over"
    changed = seats(table, present) if kind in ("seats", "over") else None
    return Told(kind, changed, clocks, table.over() if ended or kind == "rematch" else None)


def seats(table: Table, present: Collection[int]) -> list[Seat]:
    """Who sits where, and who is there."""
    return [
        Seat(sitter.kind, sitter.name, sitter.agent, number in present, sitter.resigned)
        for number, sitter in enumerate(table.seats)
    ]
