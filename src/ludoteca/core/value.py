"""A game's learned value: its weights, in a file of the game's folder, and the card that says how they were made."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ludoteca.core.contract import Floats, Integers
from ludoteca.core.errors import ContractError
from ludoteca.core.files import UNREADABLE

if TYPE_CHECKING:
    from ludoteca.core.game import Game

MODULE: Final = "value"
"""The module of a game's folder that says what its learned value looks at (`core.contract.Value`)."""
OPTIONS: Final = "options"
"""The module that says what its learned policy looks at (`core.contract.PolicyOptions`)."""
POLICY: Final = "policy"
"""The name of the weights of a policy."""
LARGEST: Final = 1 << 20
"""A file of weights has no more bytes."""
CARD: Final = ("command", "date", "games", "strength")
"""What every card says: how the weights were made, when, from how many games, and how strong they are against what."""


@dataclass(frozen=True)
class LearnedValue:
    """A game's learned value for its parameters."""

    module: ModuleType
    """The game's `value.py`, for bindings."""
    weights: Floats
    """One weight a feature, (FEATURES,)."""
    card: Mapping[str, Any]
    """How the weights were made, when, from how many games, and how strong they are."""


def weights_file(game: "Game") -> Path | None:
    """Where the weights for a game's parameters lie or would lie; None for a game that is searched without a value."""
    if not game.spec.has(MODULE):
        return None
    name = game.spec.module(MODULE).weights(game.parameters)
    return game.spec.file(f"weights/{name}.npz") if name else None


def load_value(game: "Game") -> LearnedValue | None:
    """The learned value of a game; None where it has none. Raises ContractError for a file that does not fit the game."""
    path = weights_file(game)
    if not path or not path.exists():
        return None
    return _value_of(game.spec.module(MODULE), path, zlib.crc32(path.read_bytes()))


@lru_cache(maxsize=8)
def _value_of(module: ModuleType, path: Path, _content: int) -> LearnedValue:
    """The value in a file, read once: an analysis makes hundreds of searches, and `sharing` may take a tenth of a second."""
    return read_value(module, path)


def read_value(module: ModuleType, path: Path) -> LearnedValue:
    """The value whose weights a file holds. Raises ContractError, which names the file and what is wrong with it."""
    shared = sharing(module)
    compact, card = read_weights(path, int(shared.max()) + 1 if shared is not None else module.FEATURES)
    return LearnedValue(module, expand(module, compact), card)


def read_weights(path: Path, expected: int) -> tuple[Floats, dict[str, Any]]:
    """So many weights and their card. Raises ContractError, which names the file and what is wrong with it."""
    compact, card = _read(path)
    if compact.shape != (expected,):
        raise ContractError(f"{path} holds weights {compact.shape}, expected ({expected},): it was made for other features")
    return compact.astype(np.float32), card


def read_card(path: Path) -> dict[str, Any]:
    """How the weights in a file were made, whatever they are for. Raises ContractError, which names the file."""
    return _read(path)[1]


def _read(path: Path) -> tuple[Any, dict[str, Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            return content["weights"], json.loads(str(content["card"]))
    except UNREADABLE as error:
        raise ContractError(f"{path} is no file of weights: {type(error).__name__}: {error}") from None


def write_value(path: Path, compact: Floats, card: Mapping[str, Any]) -> None:
    """Write weights to a file, as float16, with their card. Raises ContractError for more than the file may hold."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, weights=compact.astype(np.float16), card=np.array(json.dumps(card, ensure_ascii=False)))
    if (size := part.stat().st_size) > LARGEST:
        part.unlink()
        raise ContractError(f"{path}: the weights take {size:,} bytes, and {LARGEST:,} are the most")
    part.replace(path)


def sharing(module: ModuleType) -> Integers | None:
    """For each feature the number of its weight; None where each has a weight of its own."""
    shared: Integers | None = module.sharing() if hasattr(module, "sharing") else None
    return shared


def expand(module: ModuleType, compact: Floats) -> Floats:
    """One weight a feature, from those that features share."""
    shared = sharing(module)
    return compact if shared is None else compact[shared]
