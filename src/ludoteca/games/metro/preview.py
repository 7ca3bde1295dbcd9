"""The tile on its space, the tracks that trains would travel then, and the trains that would arrive."""

from msgspec.structs import replace

from ludoteca.core.contract import RawPosition
from ludoteca.core.scene import Preview
from ludoteca.games.metro.board import DECLINE, FACE, space_of
from ludoteca.games.metro.scene import after_placing, cell_item, describe, travels_over


def preview(view: RawPosition, player: int, action: int) -> Preview:
    """Marked are the trains that would arrive, where they are now. Nothing but words for declining the tile."""
    told = describe(view, player, action)
    if action == DECLINE:
        return Preview((), (), told)
    side, players = int(view.side), int(view.players)
    before = travels_over(side, players, view.faces.tobytes())
    after = travels_over(side, players, after_placing(view, action).faces.tobytes())
    tracks, places = set(before.tracks), {train.id: (train.x, train.y) for train in before.trains}
    arriving = [train for train in after.trains if places.get(train.id) != (train.x, train.y)]
    shown = [cell_item(side, space_of(action), action & FACE, last=False)]
    shown += [track for track in after.tracks if track not in tracks]
    shown += arriving
    ghosts = tuple(replace(item, id=f"ghost-{item.id}", label="", start="") for item in shown)
    return Preview(ghosts, tuple(train.id for train in arriving if train.id in places), told)
