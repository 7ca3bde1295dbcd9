"""Changes of scenes: whatever two scenes are, the change makes the second of the first, and tells no more than that."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as some

from ludoteca.core.scene import Item, Scene
from ludoteca.server.model.teller import change
from tests.server.scenes import changed

PLACES = 3
NAMES = [f"item-{number}" for number in range(9)]


@some.composite
def scenes(draw: some.DrawFn) -> Scene:
    """A scene of some of the items, in any order, each at one of few places."""
    names = draw(some.lists(some.sampled_from(NAMES), unique=True))
    items = tuple(_item(name, draw(some.integers(0, PLACES - 1))) for name in names)
    return Scene(draw(some.integers(1, 2)), 1, items, (), "", draw(some.sampled_from([None, (0, 1)])))


def _item(name: str, place: int) -> Item:
    return Item(name, "sprite", place, 0)


def _read(told: msgspec.Struct) -> Any:
    return msgspec.json.decode(msgspec.json.encode(told))


@given(scenes(), scenes())
def test_a_change_makes_the_second_scene_of_the_first(old: Scene, new: Scene) -> None:
    told = change(old, new)
    assert changed(_read(old), _read(told)) == _read(new)
    before = {item.id: item for item in old.items}
    assert all(before.get(item.id) != item for item in told.changed), "what stays as it is is not told"
    assert set(told.gone) == before.keys() - {item.id for item in new.items}


def test_an_order_is_told_by_what_comes_between() -> None:
    def scene(*names: str) -> Scene:
        return Scene(1, 1, tuple(_item(name, 0) for name in names), (), "")

    assert change(scene("a", "b", "c"), scene("a", "b", "d", "c")).order == [(0, 2), "d", (2, 1)]
    assert change(scene("a", "b", "c"), scene("a", "c")).order is None
    assert change(scene("a", "b", "c"), scene("c", "a", "b")).order == [(2, 1), (0, 2)]
