"""Many games that are stepped together. Their positions are in one array, and their observations in the caller's buffers."""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from itertools import pairwise
from operator import index
from types import ModuleType
from typing import Any, Final, Literal

import numpy as np

from ludoteca.core.contract import Integers
from ludoteca.core.errors import IllegalActionError, ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.position import Position
from ludoteca.core.record import FromPosition
from ludoteca.envs import buffers as memory
from ludoteca.envs import kernel
from ludoteca.envs.buffers import Array, Bools, Buffers

Policy = Literal["random", "heuristics"]
"""Draws actions: uniformly, or by the playout policy of the game's heuristics."""
Seat = int | Literal["alternate"]
"""The learner's seat: the same in every game, or the next seat in every deal. Games then begin with different seats."""

_WORD: Final = (1 << 64) - 1


class Batch:
    """N games in one array, which are stepped together. `reset` and `step` write to the same buffers each time and return
    them, without copies.

    Actions are the learners' numbers (`Game.features`), int64. When a game ends, the next one is dealt in the same step,
    unless `auto_reset` is False. Its row then has the rewards of the old game, but the first position of the new one. If you
    need the last observation of the old game, ask for it with `finals`. `buffers` are your own arrays, by their names in
    `Buffers`, in place of new ones. With `seat`, you move for one seat of each game, and `opponents` move for the other
    seats inside `step`.

    The k-th deal of game i, from 0, depends only on i, k and the batch's seed (`deal_seed`). The same calls give the same
    numbers with any number of threads. You can copy and pickle a batch, but only one thread at a time may call it.

    >>> from ludoteca import load
    >>> batch = Batch(load("okupacio", board="4x4"), 3)
    >>> results = batch.reset(seeds=1)
    >>> results = batch.step(batch.sample())
    >>> results.planes.shape, results.movers.tolist(), results.terminated.tolist()
    ((3, 3, 4, 4), [1, 1, 1], [False, False, False])
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        threads: int = 1,
        observations: bool = True,
        masks: bool = True,
        auto_reset: bool = True,
        finals: bool = False,
        buffers: Mapping[str, Array] | None = None,
        seat: Seat | None = None,
        opponents: Policy = "random",
    ) -> None:
        """Raises ParameterError for numbers that are out of range, and ArrayError for wrong buffers."""
        for name, number in (("n", n), ("threads", threads)):
            if not 1 <= number < 1 << 31:
                raise ParameterError(f"{name}: read {number}, expected a number from 1 to 2^31 - 1")
        self.game, self.n, self.threads = game, n, min(threads, n)
        self._settings = {
            "observations": observations,
            "masks": masks,
            "auto_reset": auto_reset,
            "finals": finals,
            "seat": seat,
            "opponents": opponents,
        }
        self.buffers = memory.make(game, n, buffers or {}, observations=observations, masks=masks, finals=finals)
        self._how = _how(game, auto_reset, seat, opponents)
        bound = game.bind(kernel, _heuristics(game), features=game.features.module)
        self._advance, self._sample = bound.advance, bound.sample
        self._states = game.new_array(n)
        self._seeds, self._rngs = np.zeros((n, 4), np.uint64), np.zeros((n, 4), np.uint64)
        self._seats, self._chosen = np.full(n, -1), np.full(n, kernel.OVER)
        points = np.zeros(n * game.num_players(), np.int64)
        self._before = game.prepared.array, self._states, self._seeds.reshape(-1), self._rngs.reshape(-1), self._seats
        self._after = self._chosen, points, *memory.flat(self.buffers), game.features.layout.actions
        self._dealt = False
        self._slices = list(pairwise(n * i // self.threads for i in range(self.threads + 1)))
        self._pool: tuple[int, ThreadPoolExecutor] | None = None

    def reset(self, seeds: int | Sequence[int] | None = None, where: Bools | None = None) -> Buffers:
        """Deal all games, or only those with True in `where`, bool, (games,). The first call deals all games.

        With `seeds`, every game begins again with its first deal. It is one seed for the batch, below 2^128, or one for each
        game, below 2^192. Without it, each game gets its next deal. If a batch never gets a seed, it draws one from the
        system.
        """
        if where is not None:
            memory.check("where", where, np.bool_, (self.n,))
        if seeds is not None or not self._dealt:
            self._plant(secrets.randbits(128) if seeds is None else seeds)
            where = None
        self._chosen[:] = kernel.DEAL if where is None else np.where(where, kernel.DEAL, kernel.KEEP)
        self._dealt = True
        self._run(self._chosen, kernel.STEP | self._how)
        return self.buffers

    def step(self, actions: Integers) -> Buffers:
        """Play a number in each game. `actions` is int64, (games,). The numbers of games that are over are ignored.

        Raises IllegalActionError if a number has no legal action. The error names the first such game and its possible
        numbers. Raises ArrayError for another type or shape. In both cases no game is stepped.
        """
        memory.check("actions", actions, np.int64, (self.n,))
        self._require_deal()
        ready = np.require(np.asarray(actions), requirements=["C", "A", "W"])
        if self.threads == 1:
            illegal = self._run(ready, kernel.CHECK | kernel.STEP | self._how)
        else:  # check all games in this thread first, which is faster than waking the others
            illegal = int(self._advance(*self._before, ready, *self._after, 0, self.n, kernel.CHECK | self._how))
            if illegal < 0:
                self._run(ready, kernel.STEP | self._how)
        if illegal >= 0:
            self._refuse(illegal, int(ready[illegal]))
        return self.buffers

    def sample(self, policy: Policy = "random", out: Integers | None = None) -> Integers:
        """Return a random legal number for each game, int64, (games,): uniform, or drawn by the heuristics' playout policy.

        The numbers depend only on the deal's seed and on the earlier draws in the same game, so a game that is played by
        `sample` alone is the same in every run. Giving up is never drawn. The number is 0 if the game is over.
        """
        self._require_deal()
        if out is None:
            out = np.empty(self.n, np.int64)
        memory.check_writable("out", out, np.int64, (self.n,))
        by_heuristics = _by_heuristics(self.game, "policy", policy)
        self._on_slices(partial(self._sample, self._states, self._rngs.reshape(-1), out, by_heuristics))
        return out

    # single games

    def position(self, i: int) -> Position:
        """Return a copy of the whole position of game i."""
        return Position.from_bytes(self.game, self._states[i : i + 1].tobytes())

    def state(self, i: int) -> State:
        """Return a state that begins with the position of game i. It has no history, because batches keep none."""
        position = self.position(i)
        return State(position, FromPosition(str(self.game.notation.position_to_string(position.raw))), [])

    def deal_number(self, i: int) -> int:
        """Return the number of the present deal of game i, from 0."""
        return int(self._seeds[i, 0]) - 1

    def deal_seed(self, i: int, k: int | None = None) -> int:
        """Return the seed of the k-th deal of game i, or of the present one, for `game.new_initial_state`.

        It is k + i * 2^64 + s * 2^128 with the seed s of the batch, or k + s * 2^64 with a seed s for each game.

        >>> from ludoteca import load
        >>> batch = Batch(load("okupacio", board="4x4"), 3)
        >>> results = batch.reset(seeds=1)
        >>> batch.deal_seed(2) == 0 + 2 * 2**64 + 1 * 2**128
        True
        """
        words: list[int] = self._seeds[i].tolist()
        return sum(word << (64 * at) for at, word in enumerate([self.deal_number(i) if k is None else k, *words[1:]]))

    @property
    def seats(self) -> Integers:
        """The learner's seat in each game, int64, (games,). It is -1 if the caller moves for all seats."""
        return self._seats.copy()

    # copies

    def copy(self) -> "Batch":
        """Return a batch with the same games and new buffers. The same calls give the same results in both."""
        return copy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = [array.copy() for array in self._arrays()]
        return _restored, (self.game, self.n, self.threads, self._settings, self._dealt, self._states.tobytes(), arrays)

    def _arrays(self) -> tuple[Array, ...]:
        """Return the arrays that change, except the positions."""
        return self._seeds, self._rngs, self._seats, *self.buffers

    def __repr__(self) -> str:
        return f"Batch({self.game!r}, {self.n}, threads={self.threads})"

    def _plant(self, seeds: int | Sequence[int]) -> None:
        """Set the seeds, so that the next deal of each game is its first one."""
        if isinstance(seeds, int):
            if not 0 <= seeds < 1 << 128:
                raise ParameterError(f"seeds: read {seeds}, expected a number from 0 to 2^128 - 1, or one for each game")
            each = [i + (seeds << 64) for i in range(self.n)]
        else:
            each = [index(seed) for seed in seeds]
            if len(each) != self.n:
                raise ParameterError(f"seeds: read {len(each)}, expected {self.n}, one for each game")
            if wrong := [seed for seed in each if not 0 <= seed < 1 << 192]:
                raise ParameterError(f"seeds: read {wrong[0]}, expected numbers from 0 to 2^192 - 1")
        self._seeds[:] = [[0, *(seed >> at & _WORD for at in (0, 64, 128))] for seed in each]
        seat = self._settings["seat"]
        alternating = np.arange(self.n) % self.game.num_players() - 1  # the first deal adds one
        self._seats[:] = -1 if seat is None else alternating if seat == "alternate" else seat

    def _require_deal(self) -> None:
        if not self._dealt:
            raise IllegalActionError("no game has been dealt: expected reset() first")

    def _refuse(self, i: int, number: int) -> None:
        """Raise the error for a number without a legal action."""
        try:
            self.game.features.decode(self.position(i), number)
        except IllegalActionError as error:
            raise IllegalActionError(f"game {i}: {error}; no game was stepped") from None

    def _on_slices(self, call: Callable[[int, int], Any]) -> list[Any]:
        """Call the function in each thread, for the first and last game of its slice."""
        if self.threads == 1:
            return [call(0, self.n)]
        if self._pool is None or self._pool[0] != os.getpid():  # a forked process has no threads
            self._pool = os.getpid(), ThreadPoolExecutor(self.threads - 1, "batch")
        others = [self._pool[1].submit(call, low, high) for low, high in self._slices[1:]]
        return [call(*self._slices[0]), *(other.result() for other in others)]

    def _run(self, actions: Integers, how: int) -> int:
        """Advance all games. Return the first game with an illegal number, or -1 if all numbers are legal."""

        def on(low: int, high: int) -> int:
            return int(self._advance(*self._before, actions, *self._after, low, high, how))

        return min((game for game in self._on_slices(on) if game >= 0), default=-1)


def _heuristics(game: Game) -> ModuleType | None:
    return game.spec.module("heuristics") if game.spec.has("heuristics") else None


def _by_heuristics(game: Game, name: str, policy: str) -> bool:
    """Return True for the policy of the heuristics. Raises ParameterError for an unknown policy."""
    possible = ["random", "heuristics"] if game.spec.has("heuristics") else ["random"]
    if policy not in possible:
        raise ParameterError(f"{name}: read {policy!r}, expected {' or '.join(possible)}")
    return policy == "heuristics"


def _how(game: Game, auto_reset: bool, seat: Seat | None, opponents: Policy) -> int:
    """Return the flags for the kernel, as one number.

    Raises ParameterError if the game has no such seat, or if opponents should play by heuristics that the game does not
    have.
    """
    if seat is not None and seat != "alternate" and seat not in range(game.num_players()):
        raise ParameterError(f"seat: read {seat!r}, expected 0 to {game.num_players() - 1}, or 'alternate'")
    flags = {
        kernel.AUTO: auto_reset,
        kernel.POINTS: game.utility() == "points",
        kernel.HEURISTICS: _by_heuristics(game, "opponents", opponents),
        kernel.ALTERNATE: seat == "alternate",
    }
    return sum(flag for flag, wanted in flags.items() if wanted)


def _restored(
    game: Game, n: int, threads: int, settings: dict[str, Any], dealt: bool, states: bytes, arrays: list[Array]
) -> Batch:
    """Return a batch that was pickled or copied."""
    batch = Batch(game, n, threads=threads, **settings)
    batch._dealt = dealt
    batch._states[:] = np.frombuffer(states, game.dtype)
    for array, content in zip(batch._arrays(), arrays, strict=True):
        array[...] = content
    return batch
