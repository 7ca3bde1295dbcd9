"""Random numbers for the rules: four 64-bit words, with the same numbers in interpreted and compiled code.

The engine is xoshiro256 (Blackman and Vigna, 2018: shifts, rotations and xors only, period 2^256 - 1). A number is the sum
of the upper halves of its first and last word. No operation overflows, so interpreted code gives no warnings.
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
"""The halves of the two factors of `_mix`."""


def draw(rng: Words, n: int) -> int:
    """Return a number from 0 to n - 1, for 1 <= n <= 2^32. The relative error of the probabilities is less than n / 2^32."""
    bits, rng[0], rng[1], rng[2], rng[3] = _step(rng[0], rng[1], rng[2], rng[3])
    return i64((bits * np.uint64(n)) >> _32)


def shuffle(rng: Words, items: Integers, n: int) -> None:
    """Put the first n items into a uniformly random order (Durstenfeld), with two choices per random number."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]  # in registers: the compiler does not know that `items` is other memory
    for i in range(n - 1, 0, -2):
        bits, a, b, c, d = _step(a, b, c, d)
        one = i64(bits) * (i + 1)
        two = (one & 0xFFFFFFFF) * i
        _swap(items, i, one >> 32)
        _swap(items, i - 1, two >> 32)
    rng[0], rng[1], rng[2], rng[3] = a, b, c, d


def choose(rng: Words, items: Integers, n: int, of: int) -> None:
    """Put n of the first `of` items, n even, at the start: uniformly chosen, in random order, two per random number."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    for i in range(0, n, 2):
        bits, a, b, c, d = _step(a, b, c, d)
        one = i64(bits) * (of - i)
        two = (one & 0xFFFFFFFF) * (of - i - 1)
        _swap(items, i, i + (one >> 32))
        _swap(items, i + 1, i + 1 + (two >> 32))
    rng[0], rng[1], rng[2], rng[3] = a, b, c, d


def _step(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Return 32 random bits and the next four words of the generator."""
    bits = ((a >> _32) + (d >> _32)) & _LOW
    c ^= a
    d ^= b
    return bits, a ^ d, b ^ c, c ^ (b << _17), (d << _45) | (d >> _19)


def _swap(items: Integers, i: int, j: int) -> None:
    held = items[index(i)]
    items[index(i)] = items[index(j)]
    items[index(j)] = held


def new_rng(seed: SupportsIndex) -> Words:
    """Return a generator for a seed of up to 256 bits: its four words.

    Different seeds give different words, because each step below is invertible. Small seeds give words with as many bits as
    large seeds do.

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
    """Return splitmix64's finaliser: a permutation of the 64-bit numbers."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _WORD
    return x ^ (x >> 31)


def seed_words(seed: Words, rng: Words) -> None:
    """Write the words of `new_rng` to `rng`, in rules and other compiled code. The seed is 4 words, lowest first."""
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
    """Return the sum modulo 2^64, computed by halves without overflow."""
    low = (a & _LOW) + (b & _LOW)
    return (((a >> _32) + (b >> _32) + (low >> _32)) & _LOW) << _32 | (low & _LOW)


def _product(a: Any, high: Any, low: Any) -> Any:
    """Return the product with a factor, given by its halves, modulo 2^64."""
    least = (a & _LOW) * low
    middle = (((a >> _32) * low) & _LOW) + (((a & _LOW) * high) & _LOW) + (least >> _32)
    return (middle & _LOW) << _32 | (least & _LOW)
