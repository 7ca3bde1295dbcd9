"""A generic module that reaches into the search, for its tests."""

from ludoteca.core.contract import RawPositions, Words
from ludoteca.search import ismcts
from ludoteca.search.tree import Scratch

_list_options = ismcts._list_options
_forget = ismcts._forget


def options_seen(states: RawPositions, scratch: Scratch, observer: int, rng: Words) -> int:
    return _list_options(states[0], scratch, observer, rng)


def forget(scratch: Scratch, n: int) -> None:
    _forget(scratch, n)
