"""The generator of mutants of this repository's code."""

import random
from collections import Counter

from tools.mutants import Mutant, drawn, mutants_of

SOURCE = '''\
"""At most 3."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    SIZE = 1 + 2

MAX_LEGAL: Final = 1 + 2
"""The é, of two bytes, is 1 letter."""


def grow(
    n: "int | None",
    é: int = 4
) -> "int | None":
    assert n != 5, f"{6}"
    log.info("%d", 7 + n)
    if n is None:
        raise ValueError("at most %d" % 8)
    while é and not n:
        print("é", n << é)
    n += 10
    return n if n <= é else é


class Grown:
    def __repr__(self) -> str:
        return "a" * 9
'''
CHANGES = """\
é: int = 4 -> é: int = 3
if n is None: -> if n is not None:
while é and not n: -> while not (é and not n):
while é and not n: -> while é or not n:
print("é", n << é) -> None and print("é", n << é)
print("é", n << é) -> print("é", n >> é)
n += 10 -> n -= 10
n += 10 -> n += 9
return n if n <= é else é -> return n if not (n <= é) else é
return n if n <= é else é -> return n if n < é else é
"""


def test_every_change_that_can_show_is_made_and_no_other() -> None:
    found = mutants_of("grow.py", SOURCE, random.Random(1))
    assert [each.shown(SOURCE).partition("  ")[2] for each in found] == CHANGES.splitlines()


def test_a_mutant_compiles_and_differs_in_its_line_alone() -> None:
    old = SOURCE.splitlines()
    for mutant in mutants_of("grow.py", SOURCE, random.Random(2)):
        changed = mutant.applied(SOURCE)
        compile(changed, "grow.py", "exec")
        lines = zip(old, changed.splitlines(), strict=True)
        assert [number for number, (before, after) in enumerate(lines, 1) if before != after] == [mutant.line]


def test_every_group_has_a_few_mutants_and_a_large_one_has_more() -> None:
    every = {
        name: [Mutant(name, line, 0, 0, "0") for line in range(size)] for name, size in (("a", 900), ("b", 90), ("c", 3))
    }
    chosen = drawn(7, 50, every)
    assert chosen == drawn(7, 50, every) != drawn(8, 50, every)
    assert len(set(chosen)) == 50
    shares = Counter(name for name, _ in chosen)
    assert shares["a"] > 30 > shares["b"] >= 5 > shares["c"] >= 1
