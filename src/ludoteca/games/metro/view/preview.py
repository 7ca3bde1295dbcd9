"""The tile on its space, the tracks that trains would travel then, and the trains that would arrive."""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from msgspec.structs import replace

from ludoteca.core.contract import RawPosition
from ludoteca.core.scene import Item, Preview, Scene
from ludoteca.games.metro.board import DECLINE, FACE, space_of
from ludoteca.games.metro.view.scene import arrivals, cell_item, describe, faces_after, travels_over

GAIN: Final = 1.0
"""Twice the height of the numbers."""


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Marked are the trains that would arrive, where they are now. Nothing but words for declining the tile."""
    told = describe(view, player, action)
    if action == DECLINE:
        return Preview((), (), told)
    side, players = int(view.side), int(view.players)
    before = travels_over(side, players, view.faces.tobytes())
    after = travels_over(side, players, faces_after(view, action), before)
    tracks, places = set(chain.from_iterable(before.track_parts)), {train.id: (train.x, train.y) for train in before.trains}
    arriving = [train for train in after.trains if places.get(train.id) != (train.x, train.y)]
    shown = [cell_item(side, space_of(action), action & FACE, last=False)]
    shown += [track for track in chain.from_iterable(after.track_parts) if track not in tracks]
    shown += arriving
    ghosts = tuple(replace(item, id=f"ghost-{item.id}", label="", start="") for item in shown)
    return Preview(ghosts, tuple(train.id for train in arriving if train.id in places), told)


def meanwhile(before: RawPosition, after: RawPosition, scene: Scene, action: int) -> Sequence[Item]:
    """The points that trains have brought, beside those that have arrived."""
    side, players = int(after.side), int(after.players)
    faces = after.faces.tobytes()
    arrived = arrivals(side, players, before.faces.tobytes(), faces)
    trains = {item.id: item for item in travels_over(side, players, faces).trains} if arrived else {}
    return [
        Item(f"gain-{path.number}", "", *_within(scene, train), 1, GAIN, classes="gain", text=f"+{path.points}")
        for _, path in arrived
        for train in [trains[f"train-{path.number}"]]
    ]


def _within(scene: Scene, train: Item) -> tuple[float, float]:
    """The place of a train, or the nearest one at which a number is seen whole."""
    return min(max(train.x, GAIN / 2), scene.width - GAIN / 2), min(max(train.y, GAIN / 2), scene.height - GAIN / 2)
