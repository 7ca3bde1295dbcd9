"""Tools for the laws (required properties of games): random games with random parameters, a test of uniformity, and the
error for a broken law.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, Final

from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.spec import GameSpec

MOST_DEVIATIONS: Final = 5.0
"""Counts whose `uniformity`, in standard deviations, is larger than this break a law."""
CONCEDE_SHARE: Final = 0.02
"""The share of turns in which a random game plays CONCEDE, if it is legal. A higher share would end most games early."""


class BrokenLawError(AssertionError):
    """A game does not have a property that a law requires. The message names the game, the fault, the position and the
    actions before it.
    """


@dataclass(frozen=True)
class Effort:
    """How much the laws test. It is a number of games and not a time, so a law gives the same result on every machine."""

    games: int = 12
    """Random games of each law, except `compiled_and_interpreted_agree`."""
    compared: int = 200
    """Random games of `compiled_and_interpreted_agree`."""
    draws: int = 4000
    """The random actions that `random_actions_are_uniform` draws in each position."""
    compiled: bool = True
    """True to draw these actions with compiled rules. Interpreted rules are quicker for a single run."""
    seed: int = 0


def sample_game(spec: GameSpec, random: Random, *, compiled: bool = False) -> Game:
    """Return a game with random parameters that can be combined."""
    while True:
        try:
            return Game(spec, {kind.name: kind.sample(random) for kind in spec.parameters}, compiled=compiled)
        except ParameterError:  # these values exclude each other
            continue


def games(spec: GameSpec, effort: Effort) -> Iterator[tuple[Game, int]]:
    """Yield games with random parameters, each with a random seed for its deal."""
    random = Random(effort.seed)
    for _ in range(effort.games):
        yield sample_game(spec, random), random.getrandbits(64)


def positions(spec: GameSpec, effort: Effort) -> Iterator[State]:
    """Yield every position of several random games. It is the same State object within a game, and it changes: clone it to
    keep it.
    """
    for game, seed in games(spec, effort):
        yield from walk(game, seed)


def walk(game: Game, seed: int) -> Iterator[State]:
    """Yield every position of a random game. It is always the same State object, which changes: clone it to keep it."""
    random, state = Random(seed), game.new_initial_state(seed)
    yield state
    while not state.is_terminal():
        state.apply_action(choose(state, random))
        yield state


def choose(state: State, random: Random) -> int:
    """Return a random legal action. CONCEDE, the action that gives up, is rare if there are others."""
    concede = state.game.rules.CONCEDE
    legal = state.legal_actions()
    if concede in legal and (len(legal) == 1 or random.random() < CONCEDE_SHARE):
        return int(concede)
    return random.choice([action for action in legal if action != concede])


def sparse(states: Iterator[State], every: int = 5) -> Iterator[State]:
    """Return every `every`-th of the states, and also the final state of every game. Checks that take long use it."""
    return (state for number, state in enumerate(states) if number % every == 0 or state.is_terminal())


def require(holds: bool, spec: GameSpec, what: str, state: State | None = None) -> None:
    """Raise BrokenLawError if `holds` is False. `what` describes the fault, and `state` is the position in which it was
    found.
    """
    if not holds:
        raise broken(spec, what, state)


def broken(spec: GameSpec, what: str, state: State | None = None) -> BrokenLawError:
    """Return the error for a fault that `what` describes. Its message has the position and the actions before it, if a state
    is given.
    """
    where = f"\n  in {state!r}\n  after {state.history()}" if state else ""
    return BrokenLawError(f"{spec.name}: {what}{where}")


def uniformity(counts: Mapping[Any, int], outcomes: int) -> float:
    """Return how far counts are from equal chances of all outcomes, in standard deviations. `outcomes` is the number of
    possible outcomes. An outcome that never occurred is not in `counts`, but is taken into account.

    It is Pearson's chi-square on the scale of a normal variable (Wilson and Hilferty's cube root). If the chances are equal,
    the result exceeds 5 with a probability of less than one in three million. Draw at least five times as often as there are
    outcomes.
    """
    if outcomes < 2:
        return 0.0
    expected = sum(counts.values()) / outcomes
    unseen = outcomes - len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected + unseen * expected
    freedom = outcomes - 1
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
