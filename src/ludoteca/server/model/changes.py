"""The difference of a scene from the one before it, for clients that have been shown that one."""

from collections.abc import Iterator

from ludoteca.core.scene import Scene
from ludoteca.server.frames import Change


def change(old: Scene, new: Scene) -> Change:
    """Return the differences of a new scene from the old one."""
    before, after = ({item.id: item for item in scene.items} for scene in (old, new))
    stays = [name for name in before if name in after]
    size = new.width, new.height
    return Change(
        changed=[item for name, item in after.items() if before.get(name) != item],
        gone=[name for name in before if name not in after],
        order=None if stays == list(after) else list(_runs(list(before), list(after))),
        size=size if size != (old.width, old.height) else None,
        standings=new.standings,
        task=new.task,
    )


def _runs(before: list[str], after: list[str]) -> Iterator[tuple[int, int] | str]:
    """Yield the new order: a new name, or the place and number of old names that stay one after the other."""
    places = {name: place for place, name in enumerate(before)}
    at = 0
    while at < len(after):
        first = places.get(after[at])
        if first is None:
            yield after[at]
            at += 1
            continue
        number = 1
        while at + number < len(after) and places.get(after[at + number]) == first + number:
            number += 1
        yield first, number
        at += number
