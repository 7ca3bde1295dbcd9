"""The law (required properties) of a game's learned value: its features, and the files of weights in the game's folder."""

import re
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from ludoteca.core.contract import Integers
from ludoteca.core.errors import ContractError
from ludoteca.core.game import Game, State
from ludoteca.core.learned import MODULE
from ludoteca.core.native import Binding
from ludoteca.core.spec import GameSpec
from ludoteca.core.value import CARD, MOST_FILE_BYTES, load_value, sharing, weights_file
from ludoteca.search import valuing
from ludoteca.search.leaf import Evaluator
from ludoteca.search.tree import UNITS
from ludoteca.testing.trial import Effort, broken, games, require, walk

WEIGHT_DEVIATION: Final = 0.5
"""The standard deviation of the random weights of a game that has no weights yet."""
CHECKED_SHARE: Final = 0.2
"""The share of positions in which the law computes the value."""
_NAME: Final = re.compile("[a-z0-9][a-z0-9-]*")


class _Evaluation(NamedTuple):
    """The results of a value in a position, by player."""

    active: dict[int, list[int] | None]
    """The active features of the evaluated players. None for a player who can no longer win."""
    sums: dict[int, float]
    expected: list[int]


def values_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that the features of a game's learned value are in range, and that the value recognises players who cannot
    win. A game without a learned value passes.

    The weights in the game's folder must fit the features. In a game for wins, the expected shares must be at least 0 and
    add up to one win, with these weights or with random ones. Compiled and interpreted, the value must be the same.
    """
    if not spec.has(MODULE):
        return
    _sharing_is_sound(spec)
    for chosen in ({}, *spec.variants.values()):
        _weights_fit(spec, Game(spec, chosen))
    random, evaluations = Random(effort.seed), list[tuple[State, Evaluator, _Evaluation]]()
    for game, seed in games(spec, effort):
        if weights_file(game) is not None:
            _weights_fit(spec, game)
            evaluations += _samples(game, seed, _evaluator(game, effort.seed), random)
    for state, evaluator, evaluation in evaluations:  # compiled last, because compiling is slow
        fast = Game(spec, state.game.parameters, compiled=True).bind(valuing, value=spec.module(MODULE))
        if (again := _evaluate(state, fast, evaluator)) != evaluation:
            raise broken(spec, f"its value is {evaluation}, and {again} when compiled", state)


def _sharing_is_sound(spec: GameSpec) -> None:
    module = spec.module(MODULE)
    shared: Any = sharing(module)
    if shared is None:
        return
    shape = f"int64, ({module.FEATURES},)"
    fits = isinstance(shared, np.ndarray) and (shared.dtype, shared.shape) == (np.int64, (module.FEATURES,))
    require(fits, spec, f"sharing() gives {getattr(shared, 'dtype', type(shared))}, {np.shape(shared)}: expected {shape}")
    used = np.unique(shared)
    require(used.tolist() == list(range(len(used))), spec, "sharing() does not number the weights 0, 1, 2 and so on")


def _weights_fit(spec: GameSpec, game: Game) -> None:
    """Require that the file of weights for these parameters, if there is one, has finite weights, is not too large, and has
    a complete card.
    """
    name = spec.module(MODULE).weights(game.parameters)
    named = isinstance(name, str) and (not name or _NAME.fullmatch(name))
    require(bool(named), spec, f"weights({game.parameters}) is {name!r}: expected small letters, digits and hyphens")
    path = weights_file(game)
    try:
        value = load_value(game)
    except ContractError as error:
        raise broken(spec, str(error)) from None
    if path is None or value is None:
        return
    require(path.stat().st_size <= MOST_FILE_BYTES, spec, f"{path} is larger than {MOST_FILE_BYTES:,} bytes")
    require(bool(np.isfinite(value.weights).all()), spec, f"{path} has weights that are not finite")
    lacking = [key for key in CARD if not value.card.get(key)]
    require(not lacking, spec, f"the card of {path} lacks {', '.join(lacking)}")


def _evaluator(game: Game, seed: int) -> Evaluator:
    """Return the game's weights in the form for compiled code. They are random if the game has no file of weights yet."""
    module, value = game.spec.module(MODULE), load_value(game)
    drawn = np.random.default_rng(seed).normal(0, WEIGHT_DEVIATION, module.FEATURES).astype(np.float32)
    weights = value.weights if value else drawn
    return Evaluator(weights, np.zeros(module.ACTIVE, np.int64), np.zeros(game.num_players(), np.int64))


def _samples(game: Game, seed: int, evaluator: Evaluator, random: Random) -> Iterator[tuple[State, Evaluator, _Evaluation]]:
    """Yield some positions of a random game, with their evaluations by interpreted code.

    Raises BrokenLawError if a player who gave up has active features, or if a player without active features wins.
    """
    spec, kernel = game.spec, game.bind(valuing, value=game.spec.module(MODULE))
    gave_up, lost, mover, learns_ends = set[int](), set[int](), 0, getattr(spec.module(MODULE), "ENDS", False)
    for number, state in enumerate(walk(game, seed)):
        if number and state.history()[-1] == game.rules.CONCEDE:
            gave_up.add(mover)
        mover = state.current_player()
        if state.is_terminal():
            wrong = lost & set(state.winners())
            require(not wrong, spec, f"players {sorted(wrong)} won, but had no active features (-1) before", state)
        if learns_ends if state.is_terminal() else random.random() < CHECKED_SHARE:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                evaluation = _evaluate(state, kernel, evaluator)
            if _for_wins(game):
                expected = evaluation.expected
                whole = min(expected) >= 0 and UNITS - len(expected) < sum(expected) <= UNITS  # rounded down
                require(whole, spec, f"{expected} do not add up to a win, {UNITS}", state)
            hoping = {player for player, features in evaluation.active.items() if features is not None}
            require(not hoping & gave_up, spec, f"players {sorted(gave_up)} gave up, but have active features", state)
            lost |= evaluation.active.keys() - hoping
            yield state.clone(), evaluator, evaluation


def _evaluate(state: State, kernel: Binding, evaluator: Evaluator) -> _Evaluation:
    game, array = state.game, state.position.array
    players = range(game.num_players())
    evaluated = [state.current_player()] if _for_wins(game) and len(players) == 2 else list(players)
    active: dict[int, list[int] | None] = {}
    for player in evaluated:
        out: Integers = np.full(len(evaluator.active), -1, np.int64)
        count = int(kernel.features_of(array, player, out))
        within = -1 <= count <= len(out) and all(0 <= feature < len(evaluator.weights) for feature in out[: max(count, 0)])
        if not within:
            raise broken(
                game.spec, f"player {player} has {count} active features, {out.tolist()}: expected at most {len(out)}, "
                f"of 0 to {len(evaluator.weights) - 1}", state
            )  # fmt: skip
        active[player] = None if count < 0 else out[:count].tolist()
    lost = [player for player, features in active.items() if features is None]
    chances = _for_wins(game) and len(players) > 2
    require(
        chances or not lost, game.spec, f"players {lost} have no active features (-1): expected at least 0 of them", state
    )
    require(len(lost) < len(active), game.spec, "no player has active features", state)
    sums = {player: float(kernel.sum_of(array, evaluator, player)) for player in evaluated}
    expected = np.zeros(len(players), np.int64)
    kernel.expect(array, evaluator, expected)
    return _Evaluation(active, sums, expected.tolist())


def _for_wins(game: Game) -> bool:
    return game.utility() == "win" and game.num_players() > 1
