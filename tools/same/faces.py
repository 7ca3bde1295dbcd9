"""The public faces that collectors use: the command, names to import, and a seeded game.

Collectors run with the Python of either version, so this module and they import only the standard library and what
Ludoteca depends on.
"""

import os
import random
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from io import TextIOWrapper
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from tools.same.names import spoken

ROOT: Final = Path(__file__).parents[2]
PROGRESS: Final = re.compile(r"^.* \.\.\.\n", re.MULTILINE)
"""A line that a command prints only if it takes long."""
PATIENCE: Final = 300.0
"""Seconds after which a command hangs."""
GAMES: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "cartas": ({},),
    "conclave": ({}, {"players": 3, "deal": "document:0007"}, {"players": 4}),
    "metro": ({}, {"players": 2, "rotate": "yes"}, {"players": 4}, {"side": 4, "tiles": "stack"}),
    "okupacio": ({"board": "4x4"}, {"players": 3, "board": "6x6"}, {}),
    "qinto": ({}, {"variant": "classic", "players": 3}, {"variant": "plus", "players": 4}),
}
"""The parameters with which each game is played."""
_FORKING: Final = get_context("fork")


def public(where: str) -> Any:
    """The object of that name, `module:name`."""
    module, _, name = spoken("import", where).partition(":")
    return getattr(import_module(module), name)


def variants() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every game with its parameters, and a name for both."""
    for game, chosen in GAMES.items():
        for parameters in chosen:
            yield "-".join([game, *map(str, parameters.values())]).replace(":", ""), game, parameters


def options_of(parameters: Mapping[str, Any]) -> list[str]:
    """The parameters of a game as options of a command."""
    return [word for name, value in parameters.items() for word in (f"--{name}", str(value))]


def seed_of_a_game(game: str, parameters: dict[str, Any], seed: int) -> int:
    """The first seed from this one on whose deal has a choice for a player."""
    new = public("ludoteca:load")(game, **parameters)
    while new.new_initial_state(seed).is_terminal():
        seed += 1
    return seed


def walk(game: str, parameters: dict[str, Any], seed: int, most: int = 10_000) -> Iterator[tuple[Any, int | None]]:
    """Yield the states of a random game without resignations, each with its action. The last state has None."""
    load, new_rng = public("ludoteca:load"), public("ludoteca:new_rng")
    seed = seed_of_a_game(game, parameters, seed)
    state, rng = load(game, **parameters).new_initial_state(seed), new_rng(seed)
    for _ in range(most):
        if state.is_terminal():
            break
        action = state.random_action(rng)
        yield state.clone(), action
        state.apply_action(action)
    yield state, None


def played(game: str, parameters: dict[str, Any], seed: int, most: int = 10_000) -> Any:
    """The last state of such a game."""
    *_, (state, _) = walk(game, parameters, seed, most)
    return state


def chance(*purpose: object) -> random.Random:
    """Random numbers that depend on nothing else."""
    return random.Random("/".join(map(str, purpose)))


@contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder that programs in a sandbox can read, too; results name it FOLDER."""
    folder = Path(tempfile.mkdtemp(prefix="same-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def call(arguments: list[str], folder: Path, typed: bytes = b"", **environment: str) -> dict[str, Any]:
    """Run `ludoteca` in a copy of this process. Return the exit status and both texts, without progress.

    A copy starts faster than another Python.
    """
    words = [spoken("argument", word) for word in arguments]
    with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as told:
        read.write(typed)
        read.seek(0)
        streams = [file.fileno() for file in (read, printed, told)]
        process = _FORKING.Process(target=_run, args=(words, folder, streams, environment))
        _main()  # before the copy is made
        process.start()
        process.join(PATIENCE)
        if process.exitcode is None:
            process.kill()
            process.join()
        out, err = (_clean(os.pread(stream, os.fstat(stream).st_size, 0), folder) for stream in streams[1:])
    return {"status": process.exitcode, "out": out, "err": PROGRESS.sub("", err)}


def files_in(folder: Path) -> dict[str, bytes]:
    """The files that commands have written there."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def _clean(printed: bytes, folder: Path) -> str:
    """The text without places of this machine, and without the lines of a traceback but the last."""
    text = printed.decode(errors="backslashreplace")
    for place, name in (
        (str(folder), "FOLDER"),
        (sys.executable, "PYTHON"),
        (os.environ["PYTHONPATH"].split(":")[0], "SITE"),
    ):
        text = text.replace(place, name)
    before, traceback, after = text.replace(str(ROOT), "ROOT").partition("Traceback (most recent call last):\n")
    return re.sub("ForkProcess-[0-9]+", "process", before) + traceback + (after.splitlines()[-1] if traceback else "")


@cache
def _main() -> Any:
    (found,) = entry_points(group="console_scripts", name="ludoteca")
    return found.load()


def _run(words: list[str], folder: Path, streams: list[int], environment: dict[str, str]) -> None:
    for name in [name for name in os.environ if name.startswith("LC_") or name in ("LANG", "LANGUAGE", "COLUMNS", "LINES")]:
        del os.environ[name]
    os.environ.update({"LC_ALL": "C.UTF-8", "COLUMNS": "80", "NO_COLOR": "1"} | environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    for number, (name, mode) in enumerate((("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb"))):
        os.dup2(streams[number], number)
        errors = "backslashreplace" if name == "stderr" else "surrogateescape"
        stream = TextIOWrapper(open(number, mode, closefd=False), encoding="utf-8", errors=errors)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = ["ludoteca", *words]
    _main()()
