"""Many games that are stepped together. Their positions are in one array, and their observations in the caller's buffers."""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy, deepcopy
from functools import partial
from itertools import pairwise
from types import ModuleType
from typing import Any, Final, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from ludoteca.core.contract import Integers
from ludoteca.core.errors import ArrayError, IllegalActionError, ParameterError
from ludoteca.core.game import Game, State, load
from ludoteca.core.position import Position
from ludoteca.core.quantities import whole_number
from ludoteca.core.record import FromPosition
from ludoteca.envs import buffers as memory
from ludoteca.envs import kernel
from ludoteca.envs.buffers import Array, Bools, Buffers
from ludoteca.envs.rewards import check_kind
from ludoteca.envs.seating import ALTERNATE, POLICIES, RANDOM, Opponents, Seat, Tables, check_seat

Policy = Literal["random", "heuristics"]
"""Draws actions: uniformly, or by the playout policy of the game's heuristics."""

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
        game: str | Game,
        n: int,
        *,
        threads: int = 1,
        observations: bool = True,
        masks: bool = True,
        auto_reset: bool = True,
        finals: bool = False,
        buffers: Mapping[str, Array] | None = None,
        seat: Seat | None = None,
        opponents: Opponents = "random",
        rewards: str = "returns",
        compiled: bool = True,
        **parameters: Any,
    ) -> None:
        """Raises ParameterError for numbers that are out of range, and ArrayError for wrong buffers.

        `game` is a name with parameters, compiled unless `compiled` is False, or a `Game`.
        """
        n, threads = whole_number("n", n, 31, 1), whole_number("threads", threads, 31, 1)
        game = load(game, compiled=compiled, **parameters)
        self.game, self.n, self.threads, self.auto_reset, self.rewards = game, n, min(threads, n), auto_reset, rewards
        self._settings = {
            "observations": observations, "masks": masks, "auto_reset": auto_reset, "finals": finals, "seat": seat,
            "opponents": opponents, "rewards": rewards,
        }  # fmt: skip
        self.buffers = memory.make(game, n, buffers or {}, observations=observations, masks=masks, finals=finals)
        self._tables = None if seat is None or opponents in POLICIES else Tables(game, n, opponents)
        self._how = _how(game, auto_reset, seat, "agents" if self._tables else opponents, check_kind(rewards))
        bound = game.bind(kernel, _heuristics(game), features=game.features.module)
        self._advance, self._sample, self._copy = bound.advance, bound.sample, bound.copy_positions
        self._states = game.new_array(n)
        self._memory = self._states.view(np.dtype((np.void, game.dtype.itemsize)))  # NumPy copies records field by field
        self._seeds, self._rngs = np.zeros((n, 4), np.uint64), np.zeros((n, 4), np.uint64)
        self._seats, self._chosen = np.full(n, -1), np.full(n, kernel.OVER)
        points = np.zeros(n * game.num_players(), np.int64)
        self._before = game.prepared.array, self._states, self._seeds.reshape(-1), self._rngs.reshape(-1), self._seats
        self._after = self._chosen, points, *memory.flat(self.buffers), game.features.layout.actions
        self._dealt = False
        self._slices = list(pairwise(n * i // self.threads for i in range(self.threads + 1)))
        self._pool: tuple[int, ThreadPoolExecutor] | None = None

    def reset(self, seeds: SupportsIndex | Sequence[int | None] | None = None, where: Bools | None = None) -> Buffers:
        """Deal all games, or the games with True in `where`, bool, (games,). The first call deals all games.

        `seeds` begins again with the first deal of every game. It is a seed for the batch, below 2^128, or one for each
        game, below 2^192. Without it, each game gets its next deal. The system draws the seeds that are None.
        """
        if where is not None:
            memory.check("where", where, np.bool_, (self.n,))
        if seeds is not None or not self._dealt:
            self._plant(secrets.randbits(128) if seeds is None else seeds)
            where = None
        self._dealt = True
        dealt = np.arange(self.n) if where is None else np.flatnonzero(where)
        self.deal(dealt)
        if self._tables:
            self._tables.begin(self, dealt)
        return self.buffers

    def step(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> Buffers:
        """Play a number in each game, whole numbers, (games,). The numbers of games that are over are ignored.

        With `rows`, different indices of games, only these are stepped, and `actions` has a number for each of them.
        Raises IllegalActionError, with the first game whose number has no legal action and with its possible numbers, and
        ArrayError for another type or shape. No game is stepped then.
        """
        self._require_deal()
        how = self._how
        if rows is None:
            ready = memory.whole_numbers("actions", actions, self.n)
        else:
            places, ready = self._places("rows", rows), np.zeros(self.n, np.int64)
            ready[places] = memory.whole_numbers("actions", actions, len(places))
            self._choose(places, kernel.OVER)
            how |= kernel.SOME
        if self.threads == 1 and not self._tables:
            illegal = self._run(ready, kernel.CHECK | kernel.STEP | how)
        else:  # check all games in this thread first, which is faster than waking the others
            illegal = int(self._advance(*self._before, ready, *self._after, 0, self.n, kernel.CHECK | how))
            if illegal < 0 and self._tables:
                self._tables.step(self, np.arange(self.n) if rows is None else places, ready)
            elif illegal < 0:
                self._run(ready, kernel.STEP | how)
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

    # positions from outside, and copies of rows

    @classmethod
    def from_states(cls, states: Sequence[State], *, seeds: int | Sequence[int] | None = None, **settings: Any) -> "Batch":
        """Return a batch that begins with these states of one game, with the settings of `Batch`.

        `seeds` are for draws and for later deals, as in `reset`.
        """
        if not states:
            raise ParameterError("states: read none, expected at least one")
        batch = cls(states[0].game, len(states), **settings)
        batch.reset(seeds)
        batch.set(np.arange(batch.n), states)
        return batch

    def set(self, rows: npt.ArrayLike, states: State | Sequence[State]) -> Buffers:
        """Put a state into a row, or one into each of several rows. The row keeps its seed, for draws and later deals.

        A state that is over ends at once, as after a step. Raises ParameterError for a state of another game or of other
        parameters.
        """
        self._require_deal()
        given, places = [states] if isinstance(states, State) else [*states], self._places("rows", rows)
        if len(given) != len(places):
            raise ParameterError(f"states: read {len(given)}, expected {len(places)}, one for each row")
        if wrong := [state for state in given if state.game != self.game]:
            raise ParameterError(f"states: read one of {wrong[0].game!r}, expected {self.game!r}")
        self.write(places, given)
        if self._tables:
            self._tables.begin(self, places)
        return self.buffers

    def copy_rows(self, sources: npt.ArrayLike, targets: npt.ArrayLike, of: "Batch | None" = None) -> None:
        """Copy games from rows of this batch, or of another batch of the same game, to rows of this batch.

        All sources are read first. The targets have the draws and later deals of their sources. Their buffers are not
        written before they are stepped.
        """
        of = of or self
        if of.game != self.game:
            raise ParameterError(f"of: read a batch of {of.game!r}, expected {self.game!r}")
        of._require_deal()
        origins, places = of._places("sources", sources, repeated=True), self._places("targets", targets)
        if len(origins) != len(places):
            raise ParameterError(f"sources: read {len(origins)}, expected {len(places)}, one for each target")
        if of is self and np.isin(origins, places).any():
            self._memory[places] = of._memory[origins]
        else:
            self._copy(of._states, origins, self._states, places)
        self._seeds[places], self._rngs[places] = of._seeds[origins], of._rngs[origins]
        self._seats[places] = of._seats[origins]
        self._dealt = True
        if self._tables:
            self._tables.begin(self, places)

    def _places(self, name: str, rows: npt.ArrayLike, *, repeated: bool = False) -> Integers:
        """Return indices of games as an array. Raises ArrayError, and IndexError for an index that is out of range."""
        places = memory.whole_numbers(name, np.atleast_1d(np.asarray(rows)), None)
        if len(places) and not (places.min() >= 0 and places.max() < self.n):
            raise IndexError(f"{name}: read {places[(places < 0) | (places >= self.n)][0]}, expected 0 to {self.n - 1}")
        if not repeated and len(np.unique(places)) < len(places):
            raise ArrayError(f"{name}: an index occurs twice, expected different ones")
        return places

    def write(self, places: Integers, states: Sequence[State]) -> None:
        """Write states into rows and their buffers, without turns of agents."""
        for place, state in zip(places.tolist(), states, strict=True):
            self._memory[place] = state.position.array.view(self._memory.dtype)[0]
        self._choose(places, kernel.LOOK)
        self._run(self._chosen, kernel.STEP | self._how)

    def deal(self, places: Integers) -> None:
        """Deal the next games of these rows, without turns of agents."""
        self._choose(places, kernel.DEAL)
        self._run(self._chosen, kernel.STEP | self._how)

    def _choose(self, places: Integers, action: int) -> None:
        """Let the next call of the kernel leave all other games as they are."""
        self._chosen[:] = kernel.KEEP
        self._chosen[places] = action

    # single games

    def position(self, i: int) -> Position:
        """Return a copy of the whole position of game i."""
        (place,) = self._places("row", i)
        return Position.from_bytes(self.game, self._states[place : place + 1].tobytes())

    def state(self, i: int) -> State:
        """Return a state that begins with the position of game i. It has no history, because batches keep none."""
        position = self.position(i)
        return State(position, FromPosition(str(self.game.notation.position_to_string(position.raw))), [])

    def deal_number(self, i: int) -> int:
        """Return the number of the present deal of game i, from 0."""
        return int(self._seeds[self._places("row", i)[0], 0]) - 1

    def deal_seed(self, i: int, k: int | None = None) -> int:
        """Return the seed of the k-th deal of game i, or of the present one, for `game.new_initial_state`.

        It is k + i * 2^64 + s * 2^128 with the seed s of the batch, or k + s * 2^64 with a seed s for each game.

        >>> from ludoteca import load
        >>> batch = Batch(load("okupacio", board="4x4"), 3)
        >>> results = batch.reset(seeds=1)
        >>> batch.deal_seed(2) == 0 + 2 * 2**64 + 1 * 2**128
        True
        """
        words: list[int] = self._seeds[self._places("row", i)[0]].tolist()
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
        content = self._states.tobytes(), arrays, deepcopy(self._tables)
        return _restored, (self.game, self.n, self.threads, self._settings, self._dealt, *content)

    def _arrays(self) -> tuple[Array, ...]:
        """Return the arrays that change, except the positions."""
        return self._seeds, self._rngs, self._seats, *self.buffers

    def __repr__(self) -> str:
        return f"Batch({self.game!r}, {self.n}, threads={self.threads})"

    def _plant(self, seeds: SupportsIndex | Sequence[int | None]) -> None:
        """Set the seeds, so that the next deal of each game is its first one."""
        if not isinstance(seeds, Sequence | np.ndarray):
            seed = whole_number("seeds", seeds, 128)
            each = [i + (seed << 64) for i in range(self.n)]
        else:
            each = [secrets.randbits(128) if seed is None else whole_number("seeds", seed, 192) for seed in seeds]
            if len(each) != self.n:
                raise ParameterError(f"seeds: read {len(each)}, expected {self.n}, one for each game")
        self._seeds[:] = [[0, *(seed >> at & _WORD for at in (0, 64, 128))] for seed in each]
        seat = self._settings["seat"]
        alternating = np.arange(self.n) % self.game.num_players() - 1  # the first deal adds one
        self._seats[:] = -1 if seat is None else alternating if isinstance(seat, str) else seat

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


def _how(game: Game, auto_reset: bool, seat: Seat | None, opponents: Any, rewards: str) -> int:
    """Return the flags for the kernel, as one number.

    Raises ParameterError if the game has no such seat, or if opponents should play by heuristics that the game does not
    have.
    """
    seat = None if seat is None else check_seat(game, seat)
    flags = {
        kernel.AUTO: auto_reset,
        kernel.POINTS: game.utility() == "points",
        kernel.HEURISTICS: opponents != "agents" and _by_heuristics(game, "opponents", opponents),
        kernel.AGENTS: opponents == "agents",
        kernel.ALTERNATE: seat == ALTERNATE,
        kernel.DRAW_SEAT: seat == RANDOM,
        kernel.ZERO_SUM: rewards == "zero_sum",
        kernel.SCORES: rewards == "score",
    }
    return sum(flag for flag, wanted in flags.items() if wanted)


def _restored(game: Game, n: int, threads: int, settings: dict[str, Any], dealt: bool, *content: Any) -> Batch:
    """Return a batch that was pickled or copied."""
    batch, (states, arrays, tables) = Batch(game, n, threads=threads, **settings), content
    batch._dealt, batch._tables = dealt, tables
    batch._states[:] = np.frombuffer(states, game.dtype)
    for array, values in zip(batch._arrays(), arrays, strict=True):
        array[...] = values
    return batch
