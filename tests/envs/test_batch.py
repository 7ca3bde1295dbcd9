"""Batches agree with `State` move by move, write only to their arrays, and report wrong arguments."""

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.contract import Integers
from ludoteca.core.errors import ArrayError, IllegalActionError, LudotecaError, ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng, seed_words
from ludoteca.envs.batch import Batch
from ludoteca.envs.buffers import Buffers
from ludoteca.testing.trial import sample_game

GAMES = [spec.name for spec in registry.registered_games() if spec.has("features")]
QUICK = ("okupacio", "conclave")
"""A game without secrets, and one with secrets. The loops of the others take longer to compile, and are the same."""
COMPILED = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.soak]) for name in GAMES]
SMALL: dict[str, Any] = {"players": 3, "board": "4x4"}


def small(n: int = 6, **settings: Any) -> Batch:
    return Batch(ludoteca.load("okupacio", **SMALL), n, **settings)


def compare(batch: Batch, i: int, state: State) -> None:
    """Row i of the batch's buffers against a state."""
    buffers, mover = batch.buffers, state.current_player()
    seen = state.observation(mover)
    assert buffers.movers[i] == mover
    assert buffers.planes[i].tobytes() == seen.planes.tobytes()
    assert buffers.numbers[i].tobytes() == seen.numbers.tobytes()
    assert buffers.masks[i].tobytes() == state.action_mask().tobytes()
    assert batch.position(i).tobytes() == state.position.tobytes()


def follow(batch: Batch, plain: Game, seed: int, steps: int, policy: Any) -> int:
    """Play a batch and a state for each of its games. Return the number of games that were played to their end."""
    random, ended = Random(seed), 0
    batch.reset(seed)
    states = [plain.new_initial_state(batch.deal_seed(i)) for i in range(batch.n)]
    for _ in range(steps):
        for i, state in enumerate(states):
            compare(batch, i, state)
        numbers = batch.sample(policy(random))
        before = [state.current_player() for state in states]
        buffers = batch.step(numbers)
        for i, state in enumerate(states):
            state.apply_action(state.decode_action(int(numbers[i])))
            assert buffers.terminated[i] == state.is_terminal()
            assert buffers.rewards[i].tolist() == np.array(state.returns(), np.float32).tolist()
            if state.is_terminal():
                seen = state.observation(before[i])
                assert buffers.final_planes[i].tobytes() == seen.planes.tobytes()
                assert buffers.final_numbers[i].tobytes() == seen.numbers.tobytes()
                states[i] = plain.new_initial_state(batch.deal_seed(i))
                ended += 1
    return ended


@pytest.mark.parametrize("name", GAMES)
def test_an_interpreted_batch_agrees_with_states_of_random_parameters(name: str) -> None:
    game = sample_game(registry.find(name), Random(3))
    follow(Batch(game, 2, finals=True), game, 0, 8, lambda random: random.choice(["random", "heuristics"]))


def test_games_that_end_are_dealt_anew_from_their_own_seeds() -> None:
    game = ludoteca.load("okupacio", **SMALL)
    assert follow(Batch(game, 4, finals=True), game, 9, 40, lambda _: "random") >= 8


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_a_compiled_batch_agrees_with_states_of_random_parameters(name: str) -> None:
    plain = sample_game(registry.find(name), Random(4))
    batch = Batch(Game(plain.spec, plain.parameters, compiled=True), 3, threads=2, finals=True)
    follow(batch, plain, 0, 15, lambda random: random.choice(["random", "heuristics"]))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_whole_compiled_games_end_as_states_do(name: str) -> None:
    """The actions of the first games to end are played again by states."""
    plain = Game(registry.find(name))
    game, players = Game(plain.spec, compiled=True), plain.num_players()
    batch = Batch(game, 5, threads=3, observations=False)
    batch.reset(5)
    deals, played, ended = [batch.deal_seed(i) for i in range(5)], [list[int]() for _ in range(5)], 0
    for _ in range(400):
        numbers = batch.sample().tolist()
        buffers = batch.step(np.array(numbers))
        for i, number in enumerate(numbers):
            played[i].append(number)
            if buffers.terminated[i]:
                if ended < 3:
                    state = plain.new_initial_state(deals[i])
                    for earlier in played[i]:
                        state.apply_action(state.decode_action(earlier))
                    assert state.is_terminal()
                    assert buffers.rewards[i].tolist() == np.array(state.returns(), np.float32).tolist()
                deals[i], played[i] = batch.deal_seed(i), []
                ended += 1
            else:
                assert buffers.rewards[i].tolist() == [0] * players
    assert ended >= 3


def test_seeds_are_those_of_the_documentation() -> None:
    batch = small(3)
    batch.reset(11)
    assert [batch.deal_seed(i) for i in range(3)] == [(i << 64) + (11 << 128) for i in range(3)]
    batch.reset()
    assert [batch.deal_seed(i) for i in range(3)] == [1 + (i << 64) + (11 << 128) for i in range(3)]
    batch.reset([5, 1 << 191, 0])
    assert [batch.deal_seed(i) for i in range(3)] == [5 << 64, 1 << 255, 0]
    assert (batch.deal_seed(0, 7), batch.deal_number(0)) == (7 + (5 << 64), 0)


@pytest.mark.parametrize("seed", [0, 2**255 + 12345, 0xFEDCBA9876543210 << 60])
def test_seeds_make_the_same_generator_in_compiled_code(seed: int) -> None:
    words = np.array([seed >> at & (2**64 - 1) for at in (0, 64, 128, 192)], np.uint64)
    rng = np.zeros(4, np.uint64)
    seed_words(words, rng)
    assert rng.tolist() == new_rng(seed).tolist()


def trace(batch: Batch, steps: int = 8) -> list[bytes]:
    """All arrays that a batch writes while samples play it."""
    found = []
    for _ in range(steps):
        batch.step(batch.sample())
        found.append(b"".join(array.tobytes() for array in batch.buffers))
    return found


@pytest.mark.parametrize("settings", [{}, {"seat": 1, "opponents": "heuristics"}, {"seat": "alternate"}])
def test_any_number_of_threads_and_copies_give_the_same(settings: dict[str, Any]) -> None:
    batch = small(7, finals=True, **settings)
    batch.reset(1)
    trace(batch, 3)
    copies = [copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch)), batch.copy()]
    wanted = trace(batch)
    for twin in copies:
        assert trace(twin) == wanted
    threaded = small(7, finals=True, threads=20, **settings)
    threaded.reset(1)
    trace(threaded, 3)
    assert trace(threaded) == wanted


def test_without_auto_reset_a_game_that_is_over_waits() -> None:
    batch = small(4, auto_reset=False)
    batch.reset(3)
    paid = np.zeros((4, 3))
    while not batch.buffers.terminated.all():
        before = batch.buffers.planes.copy(), batch.buffers.terminated.copy()
        buffers = batch.step(batch.sample())
        paid += buffers.rewards
        assert (buffers.planes[before[1]] == before[0][before[1]]).all()
        assert not buffers.masks[buffers.terminated].any()
        assert (buffers.movers[buffers.terminated] == -4).all()
    assert (paid.sum(axis=1) == 1).all()
    assert batch.step(np.full(4, 77)).rewards.sum() == 0
    buffers = batch.reset(where=np.array([True, False, False, True]))
    assert buffers.terminated.tolist() == [False, True, True, False]
    assert [batch.deal_number(i) for i in range(4)] == [1, 0, 0, 1]


@pytest.mark.parametrize("opponents", ["random", "heuristics"])
def test_other_seats_play_within_the_step(opponents: Any) -> None:
    batch = small(6, seat="alternate", opponents=opponents, finals=True)
    batch.reset(4)
    assert batch.seats.tolist() == [0, 1, 2, 0, 1, 2]
    ended = 0
    while ended < 10:
        assert batch.buffers.movers.tolist() == batch.seats.tolist()
        was = batch.seats
        buffers = batch.step(batch.sample())
        for i in np.flatnonzero(buffers.terminated):
            assert buffers.rewards[i].sum() == pytest.approx(1)
            assert batch.seats[i] == (was[i] + 1) % 3
            assert buffers.final_planes[i].sum() == 16  # every cell belongs to a player
            ended += 1


def test_a_seat_that_never_has_a_turn_is_told_how_its_games_end() -> None:
    game = ludoteca.load("okupacio", players=3, board="4 4 2 14")  # two open cells: the game ends before the third army
    batch = Batch(game, 1, seat=2)
    batch.reset(0)
    for k in (63, 127, 191):  # this many deals are skipped
        assert (batch.deal_number(0), batch.buffers.movers.tolist(), int(batch.buffers.masks.sum())) == (k, [-4], 0)
        buffers = batch.step(batch.sample())
        assert (buffers.terminated.tolist(), float(buffers.rewards.sum())) == ([True], 1)


def test_deals_that_are_over_at_once_are_passed_over() -> None:
    game = ludoteca.load("metro")
    batch = Batch(game, 1)
    batch.reset(1)
    assert game.new_initial_state(batch.deal_seed(0, 0)).is_terminal()
    assert batch.deal_number(0) == 1
    assert batch.buffers.terminated.tolist() == [False]
    compare(batch, 0, game.new_initial_state(batch.deal_seed(0)))


def test_what_is_not_wanted_is_not_there() -> None:
    buffers = small(4, observations=False, masks=False, finals=True).reset(0)
    assert [len(array) for array in buffers] == [0, 0, 0, 4, 4, 4, 0, 0]


# the caller's buffers


CANARY = 0xA5


def guarded(n: int, wanted: Buffers) -> tuple[dict[str, Any], Callable[[], bool]]:
    """Arrays like these, each in the middle of memory with known bytes, and a function that checks these bytes."""
    memory, arrays, spaces = [], {}, []
    for name, array in wanted._asdict().items():
        block = np.full(array.nbytes + 512, CANARY, np.uint8)
        arrays[name] = block[256 : 256 + array.nbytes].view(array.dtype).reshape(array.shape)
        memory.append(block)
        spaces.append(array.nbytes)
    return arrays, lambda: all(
        (block[:256] == CANARY).all() and (block[256 + size :] == CANARY).all()
        for block, size in zip(memory, spaces, strict=True)
    )


def garbage(batch: Batch, random: np.random.Generator) -> Integers:
    """Numbers of all sizes, most of them illegal."""
    kind = random.integers(3)
    if kind == 0:
        return random.integers(-(2**63), 2**63 - 1, batch.n)
    if kind == 1:
        return random.choice(np.array([-1, 0, 2**31, 2**63 - 1, -(2**63), batch.game.features.layout.actions]), batch.n)
    return random.integers(0, batch.game.features.layout.actions, batch.n)


def play_garbage(game: Game, steps: int) -> None:
    """Games of garbage, with legal actions here and there, write neither outside of the buffers nor of the positions."""
    n, random = 3, np.random.default_rng(1)
    buffers, live = guarded(n, Batch(game, n, finals=True).buffers)
    batch = Batch(game, n, threads=2, finals=True, buffers=buffers)
    batch.reset(1)
    for step in range(steps):
        before = [batch.position(i).tobytes() for i in range(n)], batch.buffers.planes.tobytes()
        numbers = batch.sample() if step % 4 == 0 else garbage(batch, random)
        legal = [
            0 <= number < batch.buffers.masks.shape[1] and batch.buffers.masks[i, number] for i, number in enumerate(numbers)
        ]
        if all(legal):
            assert batch.step(numbers).planes is buffers["planes"]
        else:
            with pytest.raises(
                IllegalActionError, match=rf"game {legal.index(False)}: read action number {numbers[legal.index(False)]}"
            ):
                batch.step(numbers)
            assert ([batch.position(i).tobytes() for i in range(n)], batch.buffers.planes.tobytes()) == before
        assert live()


@pytest.mark.parametrize("name", QUICK)
def test_garbage_is_refused_and_nothing_is_stepped(name: str) -> None:
    play_garbage(Game(registry.find(name)), 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
def test_garbage_is_refused_by_compiled_code(name: str) -> None:
    play_garbage(Game(registry.find(name), compiled=True), 200)


def test_the_error_names_the_game_the_number_and_what_was_possible() -> None:
    batch = small(3)
    batch.reset(0)
    with pytest.raises(
        IllegalActionError, match=r"^game 1: read action number 99, .* expected 0, 1, 2, .*; no game was stepped$"
    ):
        batch.step(np.array([0, 99, -5]))


@pytest.mark.parametrize(
    ("actions", "read"),
    [
        ([0.0, 0, 0], "float64 (3,)"),
        (np.zeros(3, np.bool_), "bool (3,)"),
        (np.zeros(2, np.int64), "int64 (2,)"),
        (0, "int64 ()"),
    ],
)
def test_actions_of_another_type_or_shape_are_refused(actions: Any, read: str) -> None:
    batch = small(3)
    batch.reset(0)
    with pytest.raises(ArrayError) as error:
        batch.step(actions)
    assert str(error.value) == f"actions: read {read}, expected whole numbers of shape (3,)"


@pytest.mark.parametrize("actions", [[1, 2, 3], np.array([1, 2, 3], np.int32), np.array([1, 2, 3], ">i8")])
def test_whole_numbers_of_any_type_are_actions(actions: Any) -> None:
    batch = small(3)
    batch.reset(0)
    assert batch.step(actions).masks.argmin(axis=1).tolist() == [1, 2, 3]


@pytest.mark.slow
def test_actions_of_okupacio_may_lie_anywhere_and_be_read_only() -> None:
    game = ludoteca.load("okupacio", **SMALL, compiled=True)
    batch = Batch(game, 3)
    batch.reset(0)
    reverse = np.zeros(3, np.int64)
    reverse.flags.writeable = False
    batch.step(reverse)
    batch.step(np.array([9, 8, 7, 6, 5, 4])[::-2])
    odd = np.zeros(25, np.uint8)[1:].view(np.int64)
    odd[:] = 15
    batch.step(odd)
    assert batch.buffers.masks.sum(axis=1).tolist() == [13, 13, 13]


def read_only() -> Any:
    array = np.zeros((3, 16), np.uint8)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"masks": np.zeros((3, 15), np.uint8)}, "masks: read uint8 (3, 15), expected an array of uint8 (3, 16)"),
        ({"masks": np.zeros((3, 32), np.uint8)[:, ::2]}, "masks: read an array that is not writeable or not contiguous"),
        ({"masks": read_only()}, "masks: read an array that is not writeable or not contiguous"),
        ({"masks": [[0] * 16] * 3}, "masks: read list, expected an array of uint8 (3, 16)"),
        ({"mask": np.zeros((3, 16), np.uint8)}, "read mask, expected some of planes, numbers, masks, rewards"),
        ({"final_planes": np.zeros((3, 4, 4, 4), np.uint8)}, "expected an array of uint8 (0, 4, 4, 4)"),
    ],
)
def test_buffers_that_do_not_fit_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ArrayError) as error:
        small(3, buffers=given)
    assert message in str(error.value)


def test_buffers_that_overlap_are_refused() -> None:
    block = np.zeros(3 * 16 + 3, np.uint8)
    given = {"masks": block[:48].reshape(3, 16), "terminated": block[47:50].view(np.bool_)}
    with pytest.raises(ArrayError, match="masks and terminated lie in the same memory"):
        small(3, buffers=given)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": 0}, "n: read 0, expected a whole number from 1"),
        ({"n": 4.0}, "n: read 4.0, expected a whole number"),
        ({"n": "4"}, "n: read '4', expected a whole number"),
        ({"n": True}, "n: read True, expected a whole number"),
        ({"threads": 0}, "threads: read 0"),
        ({"seat": 3}, "seat: read 3, expected 0 to 2, 'random' or 'alternate'"),
        ({"seat": "last"}, "seat: read 'last', expected 0 to 2"),
        ({"seat": 0, "opponents": "strong"}, "agent: read 'strong', expected random, greedy"),
        ({"seat": 0, "opponents": ["greedy"]}, "opponents: read 1 agent, expected one or 2"),
        ({"rewards": "much"}, "rewards: read 'much', expected returns, zero_sum, score"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        small(**settings)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda batch: batch.reset(-1), "seeds: read -1, expected a whole number from 0 to 2^128 - 1"),
        (lambda batch: batch.reset(1.5), "seeds: read 1.5, expected a whole number from 0 to 2^128 - 1"),
        (lambda batch: batch.reset(True), "seeds: read True, expected a whole number from 0 to 2^128 - 1"),
        (
            lambda batch: batch.copy_rows([0], [1], of=Batch("okupacio", 2, compiled=False)),
            "of: read a batch of ludoteca.load",
        ),
        (lambda batch: batch.set(0, batch.game.new_initial_state()), "no game has been dealt: expected reset() first"),
        (lambda batch: batch.reset([1, 2]), "read 2, expected 3, one for each game"),
        (lambda batch: batch.reset([1, 2, 1 << 192]), "expected a whole number from 0 to 2^192 - 1"),
        (lambda batch: batch.reset(where=np.zeros(3)), "where: read float64 (3,), expected an array of bool (3,)"),
        (lambda batch: batch.step(np.zeros(3, np.int64)), "no game has been dealt: expected reset() first"),
        (lambda batch: batch.sample(), "no game has been dealt: expected reset() first"),
    ],
)
def test_calls_that_cannot_be_are_refused(call: Callable[[Batch], Any], message: str) -> None:
    with pytest.raises(LudotecaError) as error:
        call(small(3))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda batch: batch.state(3), IndexError, "row: read 3, expected 0 to 2"),
        (lambda batch: batch.position(-1), IndexError, "row: read -1, expected 0 to 2"),
        (lambda batch: batch.deal_seed(3), IndexError, "row: read 3, expected 0 to 2"),
        (lambda batch: batch.step([0, 0], [0, 3]), IndexError, "rows: read 3, expected 0 to 2"),
        (lambda batch: batch.step([0, 0], [1, 1]), ArrayError, "rows: an index occurs twice"),
        (
            lambda batch: batch.step([0], [0, 1]),
            ArrayError,
            "actions: read int64 (1,), expected whole numbers of shape (2,)",
        ),
        (lambda batch: batch.copy_rows([0, 1], [2]), ParameterError, "sources: read 2, expected 1, one for each target"),
        (lambda batch: batch.set([0, 1], batch.state(0)), ParameterError, "states: read 1, expected 2, one for each row"),
        (
            lambda batch: batch.set(0, ludoteca.load("okupacio").new_initial_state()),
            ParameterError,
            "states: read one of ludoteca.load('okupacio', players=2",
        ),
        (lambda batch: Batch.from_states([]), ParameterError, "states: read none, expected at least one"),
    ],
)
def test_rows_that_are_not_there_are_refused(call: Callable[[Batch], Any], error: type[Exception], message: str) -> None:
    batch = small(3)
    batch.reset(np.int64(1))
    with pytest.raises(error) as raised:
        call(batch)
    assert message in str(raised.value)
