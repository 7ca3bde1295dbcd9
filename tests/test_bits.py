"""Bit sets compared with Python's sets, for numbers of Python and of NumPy."""

import os
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any, cast

import numba
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludoteca.core.bits import first, member_of_five, members, mixed, set_of, size
from ludoteca.core.compiling import INSTRUCTIONS
from ludoteca.core.contract import i64
from ludoteca.core.native import Copies
from ludoteca.core.tables import member, read_word, spread, table, write_word

SETS = st.sets(st.integers(0, 62))
KINDS = pytest.mark.parametrize("kind", [int, i64])
Kind = Callable[[Any], int]


@KINDS
@given(some=SETS)
def test_a_set_has_its_size_and_its_members(kind: Kind, some: set[int]) -> None:
    bits = kind(sum(2**place for place in some))
    assert size(bits) == len(some)
    assert members(int(bits)) == sorted(some)
    assert set_of(some) == bits


@KINDS
@given(some=SETS.filter(bool))
def test_members_by_number(kind: Kind, some: set[int]) -> None:
    bits = kind(set_of(some))
    assert first(bits) == min(some)
    assert [member(bits, kind(n)) for n in range(len(some))] == sorted(some)


@KINDS
@given(some=st.sets(st.integers(0, 62), min_size=1, max_size=5))
def test_members_of_small_sets_by_number(kind: Kind, some: set[int]) -> None:
    bits = kind(set_of(some))
    assert [member_of_five(bits, kind(n)) for n in range(len(some))] == sorted(some)


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**56 - 1))
@example(2**63 - 2, 270286931078)
def test_hashes_are_the_same_in_64_bits_and_do_not_overflow(a: int, b: int) -> None:
    assert mixed(i64(a), i64(b)) == mixed(a, b) < 2**63


def test_hashes_of_numbers_that_are_close_differ() -> None:
    numbers = [1 << place for place in range(56)] + [3 << place for place in range(55)]
    hashes = {mixed(a, b) for a in numbers for b in numbers}
    assert len(hashes) == len(numbers) ** 2
    assert len({each & 0xFFFFF for each in hashes}) > 0.99 * len(numbers) ** 2


def test_a_table_cannot_be_written_to() -> None:
    entries = table([[1, 2], [3, 4]], np.int8)
    assert (entries.dtype, entries.tolist()) == (np.int8, [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="read-only"):
        entries[0, 0] = 2


def test_the_lowest_eight_members_as_bytes() -> None:
    planes = np.zeros(8, np.uint8)
    for some in range(256):
        write_word(planes, 0, spread(some + 256))
        assert planes.tolist() == [some >> place & 1 for place in range(8)]


@pytest.mark.slow
def test_words_are_read_and_written_anywhere_and_the_same_compiled() -> None:
    read, write = (INSTRUCTIONS[function.__code__] for function in (read_word, write_word))
    compiled_read = numba.njit(lambda cells, at: read(cells, at))
    compiled_write = numba.njit(lambda cells, at, word: write(cells, at, word))
    cells = np.arange(32, dtype=np.uint8)
    for at in (0, 1, 3, 8, 24):
        word = compiled_read(cells, at)
        assert word == read_word(cells, at) == int.from_bytes(range(at, at + 8), "little")
        one, two = cells[::-1].copy(), cells[::-1].copy()
        compiled_write(one, at, word)
        write_word(two, at, word)
        assert one.tolist() == two.tolist()
        assert one[at : at + 8].tolist() == list(range(at, at + 8))


@pytest.mark.slow
def test_members_by_number_are_the_same_compiled_with_and_without_the_processors_instruction() -> None:
    random, functions, njit = Random(1), dict[str, Any](size=size, member=member), cast(Any, numba.njit)
    count, nth = INSTRUCTIONS[functions["size"].__code__], INSTRUCTIONS.get(functions["member"].__code__)
    sets = [random.getrandbits(63) & random.getrandbits(63) for _ in range(500)] + [1, 1 << 62, (1 << 63) - 1]

    def wrap(function: Any) -> Any:
        return count if function.__code__ is functions["size"].__code__ else njit(function)

    ways: list[Any] = [Copies("compiled", {}, wrap).of({"member": functions["member"]})["member"]]
    if nth is not None:
        ways.append(njit(lambda some, n: nth(some, n)))
    for way in ways:
        assert [[way(some, n) for n in range(size(some))] for some in sets] == [members(some) for some in sets]
    counted = njit(lambda some: count(some))
    assert [counted(some) for some in sets] == [size(some) for some in sets] == [len(members(some)) for some in sets]


@pytest.mark.soak
def test_compiled_for_a_processor_without_the_instruction_they_are_the_same() -> None:
    test = test_members_by_number_are_the_same_compiled_with_and_without_the_processors_instruction
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{__file__}::{test.__name__}"]
    done = subprocess.run(command, env=os.environ | {"NUMBA_CPU_NAME": "generic"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
