"""Tools of the laws: random games with random parameters, a test of uniformity, and the error for a broken law."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, Final

from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.spec import GameSpec

MOST_DEVIATIONS: Final = 5.0
"""Standard deviations, as `uniformity` returns them. Counts that are farther from uniform break a law."""
CONCEDE_SHARE: Final = 0.02
"""The share of turns in which a random game plays CONCEDE, if it is legal. A higher share would end most games early."""


class BrokenLawError(AssertionError):
    """A game breaks a law."""


@dataclass(frozen=True)
class Effort:
    """The amount of work of the laws. It is counted, not timed, so a law finds the same on every machine."""

    games: int = 12
    """Random games of each law, except `compiled_and_interpreted_agree`."""
    compared: int = 200
    """Random games of `compiled_and_interpreted_agree`."""
    draws: int = 4000
    """Random actions in each position of `random_actions_are_uniform`."""
    compiled: bool = True
    """True to draw them with compiled rules. Interpreted rules are quicker for a single run."""
    seed: int = 0


def sample_game(spec: GameSpec, random: Random, *, compiled: bool = False) -> Game:
    """Return the game with random parameters."""
    while True:
        try:
            return Game(spec, {kind.name: kind.sample(random) for kind in spec.parameters}, compiled=compiled)
        except ParameterError:  # these values exclude each other
            continue


def games(spec: GameSpec, effort: Effort) -> Iterator[tuple[Game, int]]:
    """Yield random games with the seeds of their deals."""
    random = Random(effort.seed)
    for _ in range(effort.games):
        yield sample_game(spec, random), random.getrandbits(64)


def positions(spec: GameSpec, effort: Effort) -> Iterator[State]:
    """Yield every position of some random games. All positions of a game are the same State object, which changes: clone it
    to keep it.
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
    """Return a random legal action. CONCEDE is rare if there are others."""
    concede = state.game.rules.CONCEDE
    legal = state.legal_actions()
    if concede in legal and (len(legal) == 1 or random.random() < CONCEDE_SHARE):
        return int(concede)
    return random.choice([action for action in legal if action != concede])


def sparse(states: Iterator[State], every: int = 5) -> Iterator[State]:
    """Return every `every`-th state, and the end of every game. For slow checks."""
    return (state for number, state in enumerate(states) if number % every == 0 or state.is_terminal())


def require(holds: bool, spec: GameSpec, what: str, state: State | None = None) -> None:
    """Raise BrokenLawError if the condition is false. `what` describes the fault."""
    if not holds:
        raise broken(spec, what, state)


def broken(spec: GameSpec, what: str, state: State | None = None) -> BrokenLawError:
    """Return the error with the description of the fault, the position and the actions before it."""
    where = f"\n  in {state!r}\n  after {state.history()}" if state else ""
    return BrokenLawError(f"{spec.name}: {what}{where}")


def uniformity(counts: Mapping[Any, int], outcomes: int) -> float:
    """Return how far counts are from uniform over this many outcomes, in standard deviations of a normal variable.

    It is Pearson's chi-square on the normal scale, by Wilson and Hilferty's cube root. Unseen outcomes count. For uniform
    draws, the chance of a value above 5 is less than one in three million. Draw at least five times the number of outcomes.
    """
    if outcomes < 2:
        return 0.0
    expected = sum(counts.values()) / outcomes
    unseen = outcomes - len(counts)
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected + unseen * expected
    freedom = outcomes - 1
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
