"""Functions that tests of bindings run in separate processes. Each process has no bindings before."""

import os
import signal
import sys
import threading
import time
import warnings
from importlib import import_module

from ludoteca.core import native, playouts, steps
from ludoteca.core.errors import CompilerError
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng


def play(path: str, *bindings: str) -> None:
    """Print the points of 30 playouts of each binding, a toy game or `game:policy`, on a line each. Warnings are errors.

    Compiled and interpreted playouts have to give the same points. Packages in the folder `path` can be imported.
    """
    sys.path.insert(0, path)
    with warnings.catch_warnings(action="error"):
        play_and_warn(*bindings)


def play_and_warn(*bindings: str) -> None:
    """Do the same, with warnings as programs print them."""
    for binding in bindings:
        points = _points(binding, compiled=True)
        assert points == _points(binding, compiled=False), binding
        sys.stdout.write(f"{points}\n")
    assert "scipy.linalg" not in sys.modules, "it is half as long to import as all else"


def _points(binding: str, *, compiled: bool) -> str:
    name, _, policy = binding.partition(":")
    game = Game(import_module(name).GAME, compiled=compiled)
    states, rng = game.new_array(), new_rng(7)
    play_games = game.bind(playouts, import_module(f"policies.{policy}") if policy else None).play_games
    points = []
    for _ in range(30):
        play_games(game.prepared.array, states, rng, 1)
        points.append("".join(str(point) for point in states[0].points))
    return " ".join(points)


def use_a_library() -> None:
    """Bind a toy game to functions that were compiled elsewhere. Print their results, and another binding's error."""
    import duel

    native.use({Game(duel.GAME).steps.name: {"current_player_in": lambda states: 7}})
    game = Game(duel.GAME)
    sys.stdout.write(f"{game.prepared.current_player()} {native.is_kept(game.steps)}\n")
    try:
        game.bind(playouts)
    except CompilerError as error:
        sys.stdout.write(f"{error}\n")


def work_with_scipy() -> None:
    """Compile a function that needs SciPy after a game has been bound without it, and print its result."""
    import numba
    import numpy as np

    import duel

    Game(duel.GAME, compiled=True).bind(steps)
    ones = np.ones(3)
    sys.stdout.write(f"{numba.njit(lambda some: np.dot(some, some))(ones)}\n")


def bind_and_interrupt() -> None:
    """Interrupt the binding of a game later and later, until the game is bound. Print the number of interruptions."""
    import duel

    warnings.simplefilter("error")
    game, interrupted, delay = Game(duel.GAME, compiled=True), 0, 0.02
    while True:
        ended = threading.Event()
        threading.Thread(target=_interrupt, args=(ended, time.process_time() + delay), daemon=True).start()
        try:
            try:
                game.bind(playouts)
            finally:
                ended.set()
            break
        except KeyboardInterrupt:
            interrupted, delay = interrupted + 1, delay * 1.5
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout.write(f"{interrupted}\n")


def _interrupt(ended: threading.Event, when: float) -> None:
    while time.process_time() < when:
        time.sleep(0.002)
    if not ended.is_set():
        os.kill(os.getpid(), signal.SIGINT)
