"""The difference of a scene from the one before it, for clients that have been shown that one."""

from collections.abc import Iterator
from itertools import compress, count
from operator import ne

from ludoteca.core.scene import Item, Scene
from ludoteca.server.frames import Change


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
