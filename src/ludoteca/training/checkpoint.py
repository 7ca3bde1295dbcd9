"""A training's folder: one file with everything needed to go on, and others, made from it, for people and programs."""

import io
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from filelock import FileLock, Timeout

from ludoteca.core.files import UNREADABLE, write_whole
from ludoteca.training.lessons import Learned, Strength
from ludoteca.training.settings import Settings, TrainingError
from ludoteca.training.teachers import AnyTeacher

FILE: Final = "checkpoint.npz"
NUMBERS: Final = "training.json"
VERSION: Final = 1


class Point(msgspec.Struct, frozen=True):
    """A point of the curves."""

    games: int
    """So far."""
    seconds: float
    """So far, of all cores together as one."""
    error: float
    """The root of the mean squared error of what was expected of the ends of games since the point before, in wins or
    points."""
    last: Strength
    """Against the weights of the point before."""
    reference: Strength
    """Against the game's heuristics at one ply, or random actions where it has none."""


class About(msgspec.Struct, frozen=True):
    """Where a training is, but for the arrays."""

    version: int
    settings: Settings
    rounds: int = 0
    games: int = 0
    actions: int = 0
    seconds: float = 0.0
    error: float = 0.0
    """The sum of squared errors since the last point."""
    looks: int = 0
    """Their number."""
    curve: tuple[Point, ...] = ()


class Checkpoint(msgspec.Struct, frozen=True):
    """Where a training is."""

    about: About
    learned: Learned
    last: Learned
    """What was known at the last point of the curve."""


class Folder:
    """A training's folder, held by one process."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        """Hold a folder until the stack ends; it is made if it is not there. Raises TrainingError."""
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
        """What is stored; None in a folder that is new. Raises TrainingError for a file that cannot be read."""
        return read_checkpoint(self.file) if self.file.exists() else None

    def write(self, checkpoint: Checkpoint) -> None:
        """Keep this in place of what was kept before, and the numbers for others. Raises TrainingError."""
        arrays = {
            f"{when}_{name}": array
            for when, learned in (("now", checkpoint.learned), ("last", checkpoint.last))
            for name, array in learned._asdict().items()
        }
        content = io.BytesIO()
        np.savez(content, about=np.array(msgspec.json.encode(checkpoint.about).decode()), **arrays)
        numbers = msgspec.json.format(msgspec.json.encode(checkpoint.about), indent=1)
        self.put(FILE, content.getvalue())
        self.put(NUMBERS, numbers + b"\n")

    def put(self, name: str, content: bytes) -> None:
        """Write a file of the folder, whole. Raises TrainingError."""
        try:
            write_whole(self.path / name, content)
        except OSError as error:
            raise TrainingError(
                f"{self.path / name}: {error.strerror}; what was stored before is not lost, --resume continues"
            ) from None


def read_checkpoint(file: Path) -> Checkpoint:
    """What a file holds, also while somebody trains. Raises TrainingError."""
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as content:
            about = msgspec.json.decode(str(content["about"]), type=About)
            arrays = [content[f"{when}_{name}"] for when in ("now", "last") for name in Learned._fields]
    except UNREADABLE as error:
        raise TrainingError(f"{file} is no checkpoint: {type(error).__name__}: {error}") from None
    if about.version > VERSION:
        raise TrainingError(f"{file} was written by a newer Ludoteca")
    half = len(Learned._fields)
    return Checkpoint(about, Learned(*arrays[:half]), Learned(*arrays[half:]))


def check_fits(checkpoint: Checkpoint | None, teacher: AnyTeacher, folder: Folder) -> None:
    """Raises TrainingError for a checkpoint whose weights are those of other features than the game has now."""
    if checkpoint and len(checkpoint.learned.weights) != teacher.size:
        raise TrainingError(
            f"{folder.file} holds {len(checkpoint.learned.weights)} weights, expected {teacher.size}: it was made for other "
            "features"
        )
