"""The random number generator of the rules. It gives the same numbers in interpreted and in compiled code, on every machine.
Its state is an array of four 64-bit words.

The state changes as in xoshiro256 (Blackman and Vigna, 2018: shifts, rotations and xors only, period 2^256 - 1). A random
number is the sum of the upper halves of the first and the last word. No operation overflows, so interpreted code gives no
warnings.
"""

from typing import Any, Final, SupportsIndex

import numpy as np

from ludoteca.core.contract import Integers, Words, i64, index
from ludoteca.core.quantities import whole_number
from ludoteca.core.seeds import SEED_BITS

_WORD: Final = (1 << 64) - 1
_17: Final = np.uint64(17)
_19: Final = np.uint64(19)
_32: Final = np.uint64(32)
_45: Final = np.uint64(45)
_LOW: Final = np.uint64(0xFFFFFFFF)
_30: Final = np.uint64(30)
_27: Final = np.uint64(27)
_31: Final = np.uint64(31)
_NONE: Final = np.uint64(0)
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTORS: Final = (np.uint64(0xBF58476D), np.uint64(0x1CE4E5B9), np.uint64(0x94D049BB), np.uint64(0x133111EB))
"""The upper and lower halves of the two factors in `_mix`."""


def draw(rng: Words, n: int) -> int:
    """Return a random number from 0 to n - 1, for n from 1 to 2^32. Each probability differs from 1 / n by less than n /
    2^32 of it.
    """
    bits, rng[0], rng[1], rng[2], rng[3] = _step(rng[0], rng[1], rng[2], rng[3])
    return i64((bits * np.uint64(n)) >> _32)


def shuffle(rng: Words, items: Integers, n: int) -> None:
    """Put the first n items into a random order, in place. All orders are equally likely (Durstenfeld's algorithm). Each
    random number makes two of the choices.
    """
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]  # in registers: the compiler does not know that `items` is other memory
    for i in range(n - 1, 0, -2):
        bits, a, b, c, d = _step(a, b, c, d)
        one = i64(bits) * (i + 1)
        two = (one & 0xFFFFFFFF) * i
        _swap(items, i, one >> 32)
        _swap(items, i - 1, two >> 32)
    rng[0], rng[1], rng[2], rng[3] = a, b, c, d


def choose(rng: Words, items: Integers, n: int, of: int) -> None:
    """Choose n of the first `of` items and put them at the start of the array, in random order. All choices are equally
    likely. n must be even, because each random number makes two of the choices.
    """
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    for i in range(0, n, 2):
        bits, a, b, c, d = _step(a, b, c, d)
        one = i64(bits) * (of - i)
        two = (one & 0xFFFFFFFF) * (of - i - 1)
        _swap(items, i, i + (one >> 32))
        _swap(items, i + 1, i + 1 + (two >> 32))
    rng[0], rng[1], rng[2], rng[3] = a, b, c, d


def _step(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Return 32 random bits and the next four words of the generator, for the present words a, b, c and d."""
    bits = ((a >> _32) + (d >> _32)) & _LOW
    c ^= a
    d ^= b
    return bits, a ^ d, b ^ c, c ^ (b << _17), (d << _45) | (d >> _19)


def _swap(items: Integers, i: int, j: int) -> None:
    held = items[index(i)]
    items[index(i)] = items[index(j)]
    items[index(j)] = held


def new_rng(seed: SupportsIndex) -> Words:
    """Return a generator, which is an array of four uint64 words, for a seed from 0 to 2^256 - 1. Raises ParameterError for
    other seeds.

    Different seeds give different words, because each step of the computation can be inverted. The words of a small seed
    have as many 1 bits as those of a large one.

    >>> rng = new_rng(1)
    >>> [int(draw(rng, 6)) for _ in range(5)]
    [2, 0, 1, 1, 0]
    """
    number = whole_number("seed", seed, SEED_BITS)
    word, spread = 0, []
    for i in range(4):
        word = _mix(((number >> (64 * i)) + word + 0x9E3779B97F4A7C15) & _WORD)
        spread.append(word)
    return np.array(spread if any(spread) else [1, 0, 0, 0], np.uint64)


def _mix(x: int) -> int:
    """Return a 64-bit number that looks random and is different for each 64-bit number x (the last step of the generator
    splitmix64).
    """
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _WORD
    return x ^ (x >> 31)


def seed_words(seed: Words, rng: Words) -> None:
    """Write to `rng` the words that `new_rng` gives for a seed, in rules and other compiled code. `seed` has four 64-bit
    words, the lowest first.
    """
    word = _NONE
    for i in range(4):
        word = _sum(_sum(seed[i], word), _GOLDEN)
        word = _product(word ^ (word >> _30), _FACTORS[0], _FACTORS[1])
        word = _product(word ^ (word >> _27), _FACTORS[2], _FACTORS[3])
        word = word ^ (word >> _31)
        rng[i] = word
    if rng[0] | rng[1] | rng[2] | rng[3] == _NONE:
        rng[0] = np.uint64(1)


def _sum(a: Any, b: Any) -> Any:
    """Return the sum modulo 2^64. It is computed from 32-bit halves, so that no operation overflows."""
    low = (a & _LOW) + (b & _LOW)
    return (((a >> _32) + (b >> _32) + (low >> _32)) & _LOW) << _32 | (low & _LOW)


def _product(a: Any, high: Any, low: Any) -> Any:
    """Return the product of `a` and a factor modulo 2^64. The factor is given by its upper and lower 32 bits. No operation
    overflows.
    """
    least = (a & _LOW) * low
    middle = (((a >> _32) * low) & _LOW) + (((a & _LOW) * high) & _LOW) + (least >> _32)
    return (middle & _LOW) << _32 | (least & _LOW)
