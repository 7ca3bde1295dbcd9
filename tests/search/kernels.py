"""A generic module that reaches into the search, for its tests."""

from ludoteca.core.contract import RawPositions, Words
from ludoteca.search import ismcts
from ludoteca.search.tree import Room

_list_options = ismcts._list_options
_forget = ismcts._forget


def list_options(states: RawPositions, room: Room, observer: int, rng: Words) -> int:
    return _list_options(states[0], room, observer, rng)


def forget(room: Room, n: int) -> None:
    _forget(room, n)
