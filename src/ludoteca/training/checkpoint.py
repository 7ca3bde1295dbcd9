"""The folder of a training. It has the checkpoint from which an interrupted training continues, and files that are made from
it for people and programs.
"""

import io
import os
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import get_ident
from typing import Final

import msgspec
import numpy as np
from filelock import FileLock, Timeout

from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game
from ludoteca.core.learned import MODULE
from ludoteca.core.value import UNREADABLE, LearnedValue, read_value, weights_file
from ludoteca.training.batches import Loss, Strength
from ludoteca.training.fitting import Fit
from ludoteca.training.settings import Settings, TrainingError

FILE: Final = "checkpoint.npz"
NUMBERS: Final = "training.json"
FROZEN: Final = "frozen.npz"
"""The file with the weights that the game had before the training, if it had any."""
VERSION: Final = 1


class Point(msgspec.Struct, frozen=True):
    """One measurement of a training, which is a point of its curves."""

    games: int
    """The number of games from the beginning of the training."""
    seconds: float
    """The duration of the training so far. Time in which several cores work counts once."""
    error: float
    """The root mean square error of the predictions since the last point, in wins or points."""
    last: Strength
    """The strength against the weights of the last point."""
    reference: Strength
    """The strength against the best action by the game's heuristics, or against random actions if it has none."""
    search: Strength | None = None
    """The strength of searches (`training.frozen`). None if such a measurement was made a short time before."""


class About(msgspec.Struct, frozen=True):
    """The state of a training, except for its weights. It is written as JSON."""

    version: int
    settings: Settings
    rounds: int = 0
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    error: float = 0.0
    """The sum of the squared errors of predictions since the last point."""
    looks: int = 0
    """The number of errors in this sum."""
    curve: tuple[Point, ...] = ()
    goal_games: int | None = None
    goal_seconds: float | None = None
    """The end of the training: a number of games or of seconds, or the first of both."""


class Checkpoint(msgspec.Struct, frozen=True):
    """The complete state of a training, from which it continues."""

    about: About
    fit: Fit
    last: Fit
    """The weights at the last point of the curves."""


class Folder:
    """The folder of a training. While one process uses it, it is locked for others."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        """Lock the folder, and make it if it does not exist. The lock is released when the exit stack is closed.

        Raises TrainingError if another process has locked the folder, or if it cannot be made.
        """
        self.path = path
        self.file = path / FILE
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path / "lock", thread_local=False)
            lock.acquire(timeout=0)
        except Timeout:
            raise TrainingError(f"{path}: another process trains there") from None
        except OSError as error:
            raise TrainingError(f"{path}: {error.strerror}") from None
        stack.callback(lock.release)

    def read(self) -> Checkpoint | None:
        """Return the stored checkpoint, or None if the folder has none. Raises TrainingError if the file cannot be read."""
        return read_checkpoint(self.file) if self.file.exists() else None

    def frozen(self, game: Game, *, is_new: bool) -> LearnedValue | None:
        """Return the learned value that the game had before the training. If the training is new, its weights are first
        copied to the folder.

        Return None if the game had no weights, or weights for other features than it has now.
        """
        path, kept = weights_file(game), self.path / FROZEN
        if is_new and path and path.exists():
            with suppress(ContractError):  # the features have changed since
                read_value(game.spec.module(MODULE), path)
                self.put(FROZEN, path.read_bytes())
        return read_value(game.spec.module(MODULE), kept) if kept.exists() else None

    def write(self, checkpoint: Checkpoint) -> None:
        """Replace the stored checkpoint, and write its numbers to `training.json`. Raises TrainingError if one of the files
        cannot be written.
        """
        arrays = {
            f"{when}_{name}": array
            for when, fit in (("now", checkpoint.fit), ("last", checkpoint.last))
            for name, array in fit._asdict().items()
        }
        content = io.BytesIO()
        np.savez(content, about=np.array(msgspec.json.encode(checkpoint.about).decode()), **arrays)
        numbers = msgspec.json.format(msgspec.json.encode(checkpoint.about), indent=1)
        self.put(FILE, content.getvalue())
        self.put(NUMBERS, numbers + b"\n")

    def put(self, name: str, content: bytes) -> None:
        """Write a file of the folder, completely or not at all. Raises TrainingError if it cannot be written. The old file
        then stays as it was.
        """
        try:
            write_whole(self.path / name, content)
        except OSError as error:
            raise TrainingError(
                f"{self.path / name}: {error.strerror}; what was stored before is not lost, --resume continues"
            ) from None


def read_checkpoint(file: Path) -> Checkpoint:
    """Return the checkpoint in a file. It can be read while another process continues the training.

    Raises TrainingError if the file cannot be read, is no checkpoint, or is of a newer version than this Ludoteca.
    """
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as content:
            about = msgspec.json.decode(str(content["about"]), type=About)
            fit, last = (Fit(*(content[f"{when}_{name}"] for name in Fit._fields)) for when in ("now", "last"))
    except UNREADABLE as error:
        raise TrainingError(f"{file} is no checkpoint: {type(error).__name__}: {error}") from None
    if about.version > VERSION:
        raise TrainingError(f"{file} was written by a newer Ludoteca")
    return Checkpoint(about, fit, last)


def check_fits(checkpoint: Checkpoint | None, loss: Loss, folder: Folder) -> None:
    """Raise TrainingError if the number of weights in the checkpoint is not that of the loss. The game's features were then
    others.
    """
    if checkpoint and (found := len(checkpoint.fit.weights)) != loss.size:
        raise TrainingError(f"{folder.file} holds {found} weights, expected {loss.size}: it was made for other features")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all. When this returns, the content is safe even if the power fails.

    Raises OSError if the file cannot be written. The old file then stays as it was.
    """
    draft = path.with_name(f".{path.name}-{os.getpid()}-{get_ident()}.draft")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the new name, too
        finally:
            os.close(folder)
    except BaseException:
        with suppress(OSError):  # it was renamed, or never made
            draft.unlink()
        raise
