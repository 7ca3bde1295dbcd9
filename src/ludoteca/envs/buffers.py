"""The arrays to which a batch of games writes: new ones, or arrays of the caller."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludoteca.core.contract import Bytes, Floats, Integers
from ludoteca.core.errors import ArrayError
from ludoteca.core.game import Game

Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


class Buffers(NamedTuple):
    """The results of a step, with a row for each game. Arrays that were switched off have no rows.

    >>> from ludoteca import load
    >>> from ludoteca.envs.batch import Batch
    >>> buffers = Batch(load("okupacio", board="4x4"), 3).reset(seeds=1)
    >>> buffers.masks.shape, buffers.movers.tolist()
    ((3, 16), [0, 0, 0])
    """

    planes: Bytes
    """uint8, (games, planes, rows, columns): the observation of the mover or the learner (`FeatureLayout.planes`)."""
    numbers: Floats
    """float32, (games, numbers): the numbers that go with the planes (`FeatureLayout.numbers`)."""
    masks: Bytes
    """uint8, (games, actions): 1 at the number of each legal action, all 0 if the game is over."""
    rewards: Floats
    """float32, (games, players): the returns of the games that ended in this step, 0 in other rows."""
    movers: Integers
    """int64, (games,): the player to move, -4 if the game is over."""
    terminated: Bools
    """bool, (games,): True if the game ended in this step. Without auto-reset, True if the game is over."""
    final_planes: Bytes
    """uint8, as `planes`: the last observation of the games that ended in this step, of the last player to move or of the
    learner's seat. Other rows keep old values."""
    final_numbers: Floats
    """float32, as `numbers`: the numbers of the same observations."""


def make(
    game: Game, n: int, given: Mapping[str, Array], *, observations: bool = True, masks: bool = True, finals: bool = False
) -> Buffers:
    """Return one array for each buffer: the given one, or an array of zeros. Raises ArrayError for a wrong type or shape."""
    layout = game.features.layout
    seen, last = n * observations, n * (observations and finals)
    kinds: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
        "planes": (np.uint8, (seen, *layout.shape)),
        "numbers": (np.float32, (seen, len(layout.numbers))),
        "masks": (np.uint8, (n * masks, layout.actions)),
        "rewards": (np.float32, (n, game.num_players())),
        "movers": (np.int64, (n,)),
        "terminated": (np.bool_, (n,)),
        "final_planes": (np.uint8, (last, *layout.shape)),
        "final_numbers": (np.float32, (last, len(layout.numbers))),
    }
    if unknown := given.keys() - kinds.keys():
        raise ArrayError(f"buffers: read {', '.join(sorted(unknown))}, expected some of {', '.join(kinds)}")
    for name, array in given.items():
        check_writable(f"buffers: {name}", array, *kinds[name])
    for one, other in combinations(given, 2):
        if np.may_share_memory(given[one], given[other]):
            raise ArrayError(f"buffers: {one} and {other} lie in the same memory, expected arrays that do not overlap")
    return Buffers(**{name: given[name] if name in given else np.zeros(*kind[::-1]) for name, kind in kinds.items()})


def flat(buffers: Buffers) -> tuple[Array, ...]:
    """Return the same memory as arrays of one dimension, for compiled code. Truth values become bytes."""
    plain = (np.asarray(array).reshape(-1) for array in buffers)
    return tuple(array.view(np.uint8) if array.dtype == np.bool_ else array for array in plain)


def whole_numbers(name: str, numbers: npt.ArrayLike, length: int | None) -> Integers:
    """Return an array of int64, as compiled code can read it. Raises ArrayError for another kind, shape or length."""
    array = np.asarray(numbers)
    wanted = (len(array) if array.ndim == 1 and length is None else length,)
    if array.shape != wanted or (array.dtype.kind not in "iu" and array.size):
        read = f"{array.dtype} {array.shape}"
        raise ArrayError(f"{name}: read {read}, expected whole numbers of shape {'(n,)' if length is None else (length,)}")
    return np.require(array, np.int64, ["C", "A", "W"])


def check(name: str, array: object, kind: type[np.generic], shape: tuple[int, ...]) -> None:
    """Raise ArrayError unless this is an array with this type and shape."""
    if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape:
        read = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ArrayError(f"{name}: read {read}, expected an array of {np.dtype(kind)} {shape}")


def check_writable(name: str, array: Any, kind: type[np.generic], shape: tuple[int, ...]) -> None:
    """Raise ArrayError unless compiled code can write to the array: aligned, and without gaps."""
    check(name, array, kind, shape)
    if type(array) not in (np.ndarray, np.memmap):
        raise ArrayError(f"{name}: read a {type(array).__name__}, expected a plain array or a memmap")
    if not (array.flags.c_contiguous and array.flags.aligned and array.flags.writeable):
        raise ArrayError(f"{name}: read an array that is not writeable or not contiguous, expected one in C order")
