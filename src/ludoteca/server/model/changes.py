"""What is told of a new scene to those who have been shown the one before it."""

from collections.abc import Iterable
from itertools import compress, count
from operator import is_not

from ludoteca.core.scene import Item, Scene, parts_of
from ludoteca.server.frames import Change


def change(old: Scene, new: Scene) -> Change:
    """The differences of a new scene from the old one.

    Only parts that differ are looked at, so that those that a game keeps take no time. What is at the beginning and at the
    end of a part under the same ids stays in its order, so only what is between is looked up by its id.
    """
    changed: list[Item] = []
    order: list[tuple[int, int] | str] = []
    before: dict[str, Item] = {}
    after: dict[str, Item] = {}
    olds, news = parts_of(old.items), parts_of(new.items)
    if lacking := len(news) - len(olds):
        olds, news = olds + ((),) * lacking, news + ((),) * -lacking
    start = at = passed = 0  # of the old scene: the items from `start` on stay in their order; `at` are in `passed` parts
    for number in compress(count(), map(is_not, olds, news)):
        were, are = olds[number], news[number]
        head = _in_place(were, are, changed)
        if head < len(were) or head < len(are):
            gone, come = were[head:], are[head:]
            at += sum(map(len, olds[passed:number]))
            passed = number
            if start < at + head:
                order.append((start, at + head - start))
            if gone and come and (tail := _in_place(reversed(gone), reversed(come), changed)):
                gone, come = gone[:-tail], come[:-tail]
            start = at + head + len(gone)
            for item in gone:
                before[item.id] = item
            for item in come:
                after[item.id] = item
                order.append(item.id)
    if after:
        if start < (end := at + sum(map(len, olds[passed:]))):
            order.append((start, end - start))
        changed += [item for name, item in after.items() if before.get(name) != item]
    size = new.width, new.height
    return Change(
        changed=changed,
        gone=[name for name in before if name not in after] if before else [],
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
