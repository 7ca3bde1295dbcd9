"""A game's learned value: its weights, in a file of the game's folder, and the card that describes their origin."""

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
"""The required keys of a card: how the weights were made, when, from how many games, and their strength."""
UNREADABLE: Final = (OSError, ValueError, KeyError, BadZipFile, EOFError, NotImplementedError, zlib.error)
"""The exceptions of reading arrays from a damaged or incomplete file of NumPy's."""


@dataclass(frozen=True)
class LearnedValue:
    """A game's learned value for its parameters."""

    module: ModuleType
    """The game's `value.py`, for bindings."""
    weights: Floats
    """One weight per feature, (FEATURES,)."""
    card: Mapping[str, Any]
    """How the weights were made, when, from how many games, and their strength."""


def weights_file(game: "Game") -> Path | None:
    """Return the path of the weights for a game's parameters, or None for a game that is searched without a value.

    The file may not exist.
    """
    if not game.spec.has(MODULE):
        return None
    name = game.spec.module(MODULE).weights(game.parameters)
    return game.spec.file(f"weights/{name}.npz") if name else None


def load_value(game: "Game") -> LearnedValue | None:
    """Return the learned value of a game, or None if it has none. Raises ContractError for weights that do not fit."""
    path = weights_file(game)
    if not path or not path.exists():
        return None
    return _value_of(game.spec.module(MODULE), path, zlib.crc32(path.read_bytes()))


@lru_cache(maxsize=8)
def _value_of(module: ModuleType, path: Path, _content: int) -> LearnedValue:
    """Return the value in a file, and read it only once, because an analysis makes hundreds of searches."""
    return read_value(module, path)


def read_value(module: ModuleType, path: Path) -> LearnedValue:
    """Return the value in a file of weights. Raises ContractError as `read_weights`."""
    shared = sharing(module)
    compact, card = read_weights(path, int(shared.max()) + 1 if shared is not None else module.FEATURES)
    return LearnedValue(module, compact if shared is None else compact[shared], card)


def read_weights(path: Path, expected: int) -> tuple[Floats, dict[str, Any]]:
    """Return the weights in a file, and their card.

    Raises ContractError if the file cannot be read, or if the number of weights is not `expected`.
    """
    compact, card = _read(path)
    if compact.shape != (expected,):
        raise ContractError(f"{path} holds weights {compact.shape}, expected ({expected},): it was made for other features")
    return compact.astype(np.float32), card


def read_card(path: Path) -> dict[str, Any]:
    """Return the card of any file of weights. Raises ContractError if the file cannot be read."""
    return _read(path)[1]


def _read(path: Path) -> tuple[Any, dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            return content["weights"], json.loads(str(content["card"]))
    except UNREADABLE as error:
        raise ContractError(f"{path} is no file of weights: {type(error).__name__}: {error}") from None


def write_value(path: Path, compact: Floats, card: Mapping[str, Any]) -> None:
    """Write weights to a file, as float16, with their card. Raises ContractError if the file would be too large."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, weights=compact.astype(np.float16), card=np.array(json.dumps(card, ensure_ascii=False)))
    if (size := part.stat().st_size) > MOST_FILE_BYTES:
        part.unlink()
        raise ContractError(f"{path}: the weights take {size:,} bytes, and {MOST_FILE_BYTES:,} are the most")
    part.replace(path)


def sharing(module: ModuleType) -> Integers | None:
    """Return the number of each feature's weight, or None if each feature has a separate weight."""
    shared: Integers | None = module.sharing() if hasattr(module, "sharing") else None
    return shared
