"""What is told of a new scene to those who have been shown the one before it."""

from collections.abc import Iterable
from itertools import zip_longest

from ludoteca.core.scene import Item, Scene, parts_of
from ludoteca.server.frames import Change


def change(old: Scene, new: Scene) -> Change:
    """The differences of a new scene from the old one.

    Both are passed once, part by part. What is at the beginning and at the end of a part under the same ids stays in its
    order, so only what is between is looked up by its id.
    """
    changed: list[Item] = []
    order: list[tuple[int, int] | str] = []
    before: dict[str, Item] = {}
    after: dict[str, Item] = {}
    start = at = 0  # the old scene's items from `start` to `at` stay in their order
    for were, are in zip_longest(parts_of(old.items), parts_of(new.items), fillvalue=()):
        if were is not are:
            head = _in_place(were, are, changed)
            gone, come = were[head:], are[head:]
            if gone or come:
                if start < at + head:
                    order.append((start, at + head - start))
                if tail := _in_place(reversed(gone), reversed(come), changed):
                    gone, come = gone[:-tail], come[:-tail]
                start = at + head + len(gone)
                for item in gone:
                    before[item.id] = item
                for item in come:
                    after[item.id] = item
                    order.append(item.id)
        at += len(were)
    if start < at:
        order.append((start, at - start))
    changed += [item for name, item in after.items() if before.get(name) != item]
    size = new.width, new.height
    return Change(
        changed=changed,
        gone=[name for name in before if name not in after],
        order=order if after else None,
        size=size if size != (old.width, old.height) else None,
        standings=new.standings,
        task=new.task,
    )


def _in_place(were: Iterable[Item], are: Iterable[Item], changed: list[Item]) -> int:
    """How many items have the same ids, one after the other from the first on; those that differ are added to `changed`."""
    number = 0
    for was, item in zip(were, are):  # noqa: B905  # to say `strict=False` would make this a fifth slower
        if was is not item:
            if was.id != item.id:
                break
            if was != item:
                changed.append(item)
        number += 1
    return number
