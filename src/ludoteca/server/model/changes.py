"""What is told of a new scene to those who have been shown the one before it."""

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
            head, tail, most = 0, 0, min(len(were), len(are))
            while head < most and ((was := were[head]) is (item := are[head]) or was.id == item.id):
                if was is not item and was != item:
                    changed.append(item)
                head += 1
            while tail < most - head and ((was := were[-1 - tail]) is (item := are[-1 - tail]) or was.id == item.id):
                if was is not item and was != item:
                    changed.append(item)
                tail += 1
            if head < max(len(were), len(are)) - tail:
                if start < at + head:
                    order.append((start, at + head - start))
                start = at + len(were) - tail
                before |= {item.id: item for item in were[head : len(were) - tail]}
                between = {item.id: item for item in are[head : len(are) - tail]}
                order += between
                after |= between
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
