"""Reads and writes the learned value of a game: weights that `ludoteca train` has learned (`core.contract.Value`). They are
in a file in the game's folder, together with a card, which says how they were made.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

import numpy as np

from ludoteca.core.contract import Floats, Integers
from ludoteca.core.errors import ContractError
from ludoteca.core.learned import MODULE

if TYPE_CHECKING:
    from ludoteca.core.game import Game

MOST_FILE_BYTES: Final = 1 << 20
CARD: Final = ("command", "date", "games", "strength")
"""The keys that a card must have: the command that made the weights, the date, the number of games, and the strength."""
UNREADABLE: Final = (OSError, ValueError, KeyError, BadZipFile, EOFError, NotImplementedError, zlib.error)
"""The exceptions that NumPy raises when it reads a damaged or incomplete file."""


@dataclass(frozen=True)
class LearnedValue:
    """The learned value of a game with its parameters: the module that lists a position's features, and a weight for each
    feature.
    """

    module: ModuleType
    """The game's module `value`, which is bound to searches."""
    weights: Floats
    """One weight per feature, (FEATURES,)."""
    card: Mapping[str, Any]
    """How the weights were made, when, from how many games, and their strength in measurements (CARD)."""


def weights_file(game: "Game") -> Path | None:
    """Return the path of the file of weights for a game with its parameters. The file may not exist. Return None if the game
    is searched without a learned value.
    """
    if not game.spec.has(MODULE):
        return None
    name = game.spec.module(MODULE).weights(game.parameters)
    return game.spec.file(f"weights/{name}.npz") if name else None


def load_value(game: "Game") -> LearnedValue | None:
    """Return the learned value of a game with its parameters, or None if the game has none. Raises ContractError if the file
    cannot be read, or if its number of weights does not fit the game's features.
    """
    path = weights_file(game)
    if not path or not path.exists():
        return None
    return _value_of(game.spec.module(MODULE), path, zlib.crc32(path.read_bytes()))


@lru_cache(maxsize=8)
def _value_of(module: ModuleType, path: Path, _content: int) -> LearnedValue:
    """Return the learned value in a file. The result is kept, so that a file is read only once, because an analysis starts
    hundreds of searches. `_content` is a checksum of the file, so that a changed file is read again.
    """
    return read_value(module, path)


def read_value(module: ModuleType, path: Path) -> LearnedValue:
    """Return the learned value in a file of weights. `module` is the game's module `value`. Raises ContractError if the file
    cannot be read, or if its number of weights does not fit the features of the module.
    """
    shared = sharing(module)
    compact, card = read_weights(path, int(shared.max()) + 1 if shared is not None else module.FEATURES)
    return LearnedValue(module, compact if shared is None else compact[shared], card)


def read_weights(path: Path, expected: int) -> tuple[Floats, dict[str, Any]]:
    """Return the weights in a file, as float32 of shape (expected,), and their card.

    `expected` is the number of weights that the game's features need. Raises ContractError if the file cannot be read, or if
    it has another number of weights.
    """
    compact, card = _read(path)
    if compact.shape != (expected,):
        raise ContractError(f"{path} holds weights {compact.shape}, expected ({expected},): it was made for other features")
    return compact.astype(np.float32), card


def read_card(path: Path) -> dict[str, Any]:
    """Return the card in a file of weights, which says how the weights were made. Raises ContractError if the file cannot be
    read.
    """
    return _read(path)[1]


def _read(path: Path) -> tuple[Any, dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            return content["weights"], json.loads(str(content["card"]))
    except UNREADABLE as error:
        raise ContractError(f"{path} is no file of weights: {type(error).__name__}: {error}") from None


def write_value(path: Path, compact: Floats, card: Mapping[str, Any]) -> None:
    """Write weights, as float16, and their card to a file. Features that share a weight have one entry in `compact`. Raises
    ContractError if the file would have more than MOST_FILE_BYTES.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, weights=compact.astype(np.float16), card=np.array(json.dumps(card, ensure_ascii=False)))
    if (size := part.stat().st_size) > MOST_FILE_BYTES:
        part.unlink()
        raise ContractError(f"{path}: the weights take {size:,} bytes, and {MOST_FILE_BYTES:,} are the most")
    part.replace(path)


def sharing(module: ModuleType) -> Integers | None:
    """Return the index of each feature's weight, an int64 array of shape (FEATURES,). Return None if no features share a
    weight. `module` is the game's module `value`.
    """
    shared: Integers | None = module.sharing() if hasattr(module, "sharing") else None
    return shared
