"""The frames that each seat of a room is sent: the whole, and events with the difference of the scene from the last one."""

from collections.abc import Iterator
from itertools import compress, count
from operator import ne

from msgspec.structs import replace

from ludoteca.core.contract import TERMINAL
from ludoteca.core.scene import Item, Scene
from ludoteca.server.frames import Change, ChoiceFrame, Clock, Event, Seat, Whole, choice_frames
from ludoteca.server.model.events import KINDS, PERSON, Asked, Declined, Moved, StoredEvent, TimeGiven
from ludoteca.server.model.table import Step, Table


class Teller:
    """Writes the frames for each seat. Seats with the same view share one scene and one change of it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shown: dict[int, tuple[Scene, int, Change | None]] = {}
        """The last scene of each view, the number of its event, and the change that led to it."""
        self.showed_more = False
        """True if the last event had items that are shown for a moment, so that the next move waits for them."""

    def whole(self, seat: int, seats: list[Seat], clocks: Clock | None, spectators: int = 0) -> Whole:
        """Return the whole that the seat may see."""
        table = self._table
        scene = table.scene(table.ply, seat)
        self._shown[table.now.shown_to(seat)] = scene, table.n, None
        choices, give_up = self._choices(seat, table.mover)
        return Whole(
            n=table.n,
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
            may_delete=self._may_delete(seat),
            commitment=table.commitment(),
            log=table.history.lines(seat),
            scene=scene,
            choices=choices,
            give_up=give_up,
            clocks=clocks,
            over=table.over(),
            asked=table.asked,
            declined=table.declined,
            undo=not table.is_over and self._may_undo(seat),
            hints=not table.is_over and table.may_ask(seat),
            spectators=spectators,
        )

    def event(self, happened: StoredEvent, seat: int, common: Event) -> Event:
        """Return the frame about an event that has just happened, for a seat that was shown the position before it."""
        if isinstance(happened, Asked | Declined | TimeGiven):
            return common
        table, history = self._table, self._table.history
        is_move, is_over = isinstance(happened, Moved), common.mover == TERMINAL
        event = replace(common)
        event.choices, event.give_up = self._choices(seat, common.mover)
        event.undo = not is_over and self._may_undo(seat)
        event.hints = not is_over and table.may_ask(seat)
        event.may_delete = self._may_delete(seat)
        if is_move:
            event.line = history.lines(seat)[-1]
        if is_move or is_over:
            event.change = self._change(seat, common, is_move=is_move)
        return event

    def _change(self, seat: int, common: Event, *, is_move: bool) -> Change:
        table, view = self._table, self._table.now.shown_to(seat)
        old, n, told = self._shown[view]
        if told is None or n != common.n:
            new = table.scene(common.ply, seat)
            told = change(old, new)
            if is_move:
                told.meanwhile = table.history.meanwhile(seat, new)
            self.showed_more = bool(told.meanwhile)
            self._shown[view] = new, common.n, told
        return told

    def _may_undo(self, seat: int) -> bool:
        table = self._table
        return seat >= 0 and table.seats[seat].kind == PERSON and table.history.undo_to(seat) is not None

    def _may_delete(self, seat: int) -> bool:
        table = self._table
        return table.may_be_deleted() and (seat < 0 or table.is_maker(seat))

    def _choices(self, seat: int, mover: int) -> tuple[list[ChoiceFrame], str]:
        """Return the seat's choices, as they travel, and the action among them that gives up."""
        table = self._table
        if seat < 0 or mover != seat or table.seats[seat].kind != PERSON:
            return [], ""
        concede = table.game.rules.CONCEDE
        give_up = str(concede) if concede in table.now.legal else ""
        return choice_frames(table.now.choices()), give_up


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
    size = new.width, new.height
    return Change(
        changed=changed,
        gone=[name for name in were if name in gone] if gone else [],
        order=None if [name for name in were if name not in gone] == are else runs,
        size=size if size != (old.width, old.height) else None,
        standings=new.standings,
        task=new.task,
    )


def _runs(were: list[str], are: list[str]) -> Iterator[tuple[int, int] | str]:
    """Yield the new order: a new name, or the place and number of old names that stay one after the other."""
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
