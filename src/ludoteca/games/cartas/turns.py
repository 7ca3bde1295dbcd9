"""How many turns a hand takes, roughly. Compiled with heuristics and policy."""

from ludoteca.core.bits import size
from ludoteca.core.contract import i64
from ludoteca.games.cartas.combinations import SUITS, having


def turns(hand: int) -> int:
    """The number of turns that a hand takes, roughly: one for each value, less those that (double) sequences spare."""
    one, two, three = having(hand, i64(1)), having(hand, i64(2)), having(hand, i64(3))
    return size(one) - _spared(one, one & ~two) - _spared(two, two & ~three)


def _spared(values: int, last: int) -> int:
    """A sequence as long as possible takes one turn, and spares one for each value of which it takes the last cards."""
    middles = (values >> SUITS) & values & (values << SUITS)
    rest = (middles | (middles >> SUITS) | (middles << SUITS)) * 15
    spared = i64(0)
    while rest != 0:
        run = rest & ~(rest + (rest & -rest))
        spared += max(i64(0), size(run & last) - 1)
        rest ^= run
    return spared
