"""Makes the frames that a room sends: everything that a client may see, an event with the changes of the scene, and what
concerns one seat alone.
"""

from collections.abc import Iterator
from itertools import compress, count
from operator import ne

from msgspec.structs import asdict, replace

from ludoteca.core.scene import Item, Scene
from ludoteca.server.frames import Change, Clock, Event, Seat, Whole, Yours, choice_frames
from ludoteca.server.model.events import KINDS, PERSON, Asked, Declined, Moved
from ludoteca.server.model.table import Step, Table


class Teller:
    """Writes the frames for each seat. Seats with the same view share one event."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shown: dict[int, Scene] = {}
        """The last scene of each view."""
        self._told: dict[int, Yours] = {}
        """The last fields for each seat alone that its clients have."""
        self.showed_more = False
        """True if the last event had items that are shown for a moment, so that the next move waits for them."""

    def whole(self, seat: int, seats: list[Seat], clocks: Clock | None, spectators: int = 0) -> Whole:
        """Return the whole that the seat may see."""
        table = self._table
        self._shown[table.now.shown_to(seat)] = scene = table.scene(table.ply, seat)
        self._told[seat] = own = self._own(seat)
        return Whole(
            room=table.row.id,
            game=table.game.name,
            parameters=table.game.parameters,
            clock=table.clock_chosen,
            seats=seats,
            you=seat,
            ply=table.ply,
            position_n=table.position_n,
            mover=table.mover,
            known=table.known(),
            invitation=table.invitation() if seat >= 0 else "",
            commitment=table.commitment(),
            log=table.history.lines(seat),
            scene=scene,
            clocks=clocks,
            over=table.over(),
            asked=table.asked,
            declined=table.declined,
            spectators=spectators,
            **asdict(own),
        )

    def yours(self, seat: int) -> Yours | None:
        """Return the fields that concern this seat alone, if the last event has changed one of them. Return None if it has
        not.
        """
        table, old = self._table, self._told[seat]
        self._told[seat] = new = self._own(seat)
        if table.position_n == table.n:  # the clients have forgotten their choices
            old = replace(old, choices=[], give_up="")
        return None if replace(old, n=new.n) == new else new

    def _own(self, seat: int) -> Yours:
        table = self._table
        is_person = seat >= 0 and table.seats[seat].kind == PERSON
        is_asked = is_person and table.mover == seat
        concede = table.game.rules.CONCEDE
        return Yours(
            n=table.n,
            choices=choice_frames(table.now.choices()) if is_asked else [],
            give_up=str(concede) if is_asked and concede in table.now.legal else "",
            undo=is_person and not table.is_over and table.history.undo_to(seat) is not None,
            hints=not table.is_over and table.may_ask(seat),
            may_delete=table.may_be_deleted() and (seat < 0 or table.is_maker(seat)),
        )

    def event(self, common: Event, view: int) -> Event:
        """Return the frame about an event that has just happened, for clients with this view that have the scene before the
        event.
        """
        is_move = common.kind == KINDS[Moved]
        if not is_move and common.kind != "over":
            return common
        table, history = self._table, self._table.history
        old, new = self._shown[view], table.scene(common.ply, view)
        self._shown[view] = new
        told = change(old, new)
        if not is_move:
            return replace(common, change=told)
        told.meanwhile = history.meanwhile(view, new)
        self.showed_more = bool(told.meanwhile)
        return replace(common, change=told, line=history.lines(view)[-1])


def common_event(table: Table, step: Step, seats: list[Seat], clocks: Clock | None) -> Event:
    """Return the part of the frame about an event that is the same for all seats."""
    event = Event(table.n, KINDS[type(step.event)], table.ply, table.position_n, table.mover)
    if event.kind == "seats" and step.ends:
        event.kind = "over"
    is_conceded = isinstance(step.event, Moved) and table.history.actions[-1] == table.game.rules.CONCEDE
    if event.kind in ("seats", "over") or is_conceded:
        event.seats = seats
    if step.ends or event.kind == "rematch":
        event.over = table.over()
    if not isinstance(step.event, Moved) or table.is_over:
        event.asked = table.asked
    event.declined = table.declined
    if not isinstance(step.event, Asked | Declined):
        event.clocks = clocks
    return event


def change(old: Scene, new: Scene) -> Change:
    """Return the differences of a new scene from the old one."""
    olds, news = old.items, new.items
    were, are = [item.id for item in olds], [item.id for item in news]
    runs: list[tuple[int, int] | str] = [(0, len(are))] if were == are else list(_runs(were, are))
    changed: list[Item] = []
    at = 0
    for run in runs:
        if isinstance(run, str):
            changed.append(news[at])
            at += 1
        else:
            first, number = run
            pairs = zip(olds[first : first + number], news[at : at + number], strict=True)
            changed += [item for was, item in pairs if was != item]
            at += number
    gone = set(were).difference(are)
    size = new.width, new.height, new.field
    return Change(
        changed=changed,
        gone=[name for name in were if name in gone] if gone else [],
        order=None if [name for name in were if name not in gone] == are else runs,
        size=size if size != (old.width, old.height, old.field) else None,
        standings=new.standings,
        task=new.task,
    )


def _runs(were: list[str], are: list[str]) -> Iterator[tuple[int, int] | str]:
    """Yield the new order of the items. For old items that stay one after the other, this is their first index and their
    number. For a new item, it is the id.
    """
    places = {name: place for place, name in enumerate(were)}
    at = 0
    while at < len(are):
        first = places.get(are[at])
        if first is None:
            yield are[at]
            at += 1
        else:
            one, two = were[first:], are[at:]
            number = next(compress(count(), map(ne, one, two)), min(len(one), len(two)))
            yield first, number
            at += number
