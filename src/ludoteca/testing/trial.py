"""How laws try a game: random games of random parameters, a test of chance, and the error that names what is broken."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, Final

from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.spec import GameSpec

MOST_DEVIATIONS: Final = 5.0
"""Counts that are farther from uniform (`uniformity`) break a law."""
CONCEDE_SHARE: Final = 0.02
"""The share of turns in which a random game plays CONCEDE, if it is legal. A higher share would end most games early."""


class BrokenLawError(AssertionError):
    """A game that does not keep a law."""


@dataclass(frozen=True)
class Effort:
    """How much the laws try, always by count and never by the clock, so that they find the same on every machine."""

    games: int = 12
    """Random games, for most laws."""
    compared: int = 200
    """Random games that are played compiled and interpreted."""
    draws: int = 4000
    """Random actions in each position in which their distribution is tested."""
    compiled: bool = True
    """Draw them from compiled rules. Rules that are tried once, or change all the time, are quicker interpreted."""
    seed: int = 0


def sample_game(spec: GameSpec, random: Random, *, compiled: bool = False) -> Game:
    """The game with random parameters."""
    while True:
        try:
            return Game(spec, {kind.name: kind.sample(random) for kind in spec.parameters}, compiled=compiled)
        except ParameterError:  # values that do not go together
            continue


def games(spec: GameSpec, effort: Effort) -> Iterator[tuple[Game, int]]:
    """Random games with the seeds of their deals."""
    random = Random(effort.seed)
    for _ in range(effort.games):
        yield sample_game(spec, random), random.getrandbits(64)


def positions(spec: GameSpec, effort: Effort) -> Iterator[State]:
    """Every position of some random games. Each game yields one State that is mutated: clone it to keep it."""
    for game, seed in games(spec, effort):
        yield from walk(game, seed)


def walk(game: Game, seed: int) -> Iterator[State]:
    """Every position of one random game: one State that is mutated."""
    random, state = Random(seed), game.new_initial_state(seed)
    yield state
    while not state.is_terminal():
        state.apply_action(choose(state, random))
        yield state


def choose(state: State, random: Random) -> int:
    """A random action, seldom the one that gives up."""
    concede = state.game.rules.CONCEDE
    legal = state.legal_actions()
    if concede in legal and (len(legal) == 1 or random.random() < CONCEDE_SHARE):
        return int(concede)
    return random.choice([action for action in legal if action != concede])


def sparse(states: Iterator[State], every: int = 5) -> Iterator[State]:
    """One state in `every`, for checks that take long, and the end of every game."""
    return (state for number, state in enumerate(states) if number % every == 0 or state.is_terminal())


def require(holds: bool, spec: GameSpec, what: str, state: State | None = None) -> None:
    """Raise BrokenLawError unless the condition holds; `what` says what is wrong when it does not."""
    if not holds:
        raise broken(spec, what, state)


def broken(spec: GameSpec, what: str, state: State | None = None) -> BrokenLawError:
    """The error that says what is wrong, and where to look at it."""
    where = f"\n  in {state!r}\n  after {state.history()}" if state else ""
    return BrokenLawError(f"{spec.name}: {what}{where}")


def uniformity(counts: Mapping[Any, int], outcomes: int) -> float:
    """How far counts are from uniform over this many outcomes, in standard deviations of a normal variable.

    It is Pearson's chi-square, put on the normal scale by Wilson and Hilferty's cube root; unseen outcomes count. A value
    above 5 has a chance of less than one in three million. There should be five expected counts an outcome, or more.
    """
    if outcomes < 2:
        return 0.0
    expected = sum(counts.values()) / outcomes
    unseen = outcomes - len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected + unseen * expected
    freedom = outcomes - 1
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
