"""The law of features: the observations and the action numbers of learners."""

from random import Random

import numpy as np

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.features import Features
from ludoteca.core.game import Game, State
from ludoteca.core.position import Position
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, broken, games, require, sparse, walk


def features_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that a game's features, if it has any, stay within their bounds and give every legal action its number.

    They must not depend on hidden information. Compiled and interpreted functions must give the same.
    """
    if not spec.has("features"):
        return
    random = Random(effort.seed)
    for game, seed in games(spec, effort):
        layout, fast = game.features.layout, Game(spec, game.parameters, compiled=True).features
        for names in (layout.planes, layout.numbers):
            require(len(set(names)) == len(names), spec, f"a name occurs twice in {names}")
        for state in sparse(walk(game, seed)):
            for seat in range(SPECTATOR, game.num_players()):
                _observation_is_sound(spec, state, seat, fast)
            views = [] if state.is_terminal() else [state.view(state.current_player())]
            for position in (state.position, *views):
                _numbers_are_sound(spec, state, position, fast, random)


def _observation_is_sound(spec: GameSpec, state: State, seat: int, fast: Features) -> None:
    """Require that the observation is in bounds, and the same for the position and the view, interpreted and compiled."""
    seen, layout = state.observation(seat), state.game.features.layout
    for how, features, position in (
        ("the whole position", state.game.features, state.position),
        ("the whole position, compiled", fast, state.position),
        ("the view, compiled", fast, state.view(seat)),
    ):
        planes, numbers = features.observe(position, seat)
        if planes.tobytes() != seen.planes.tobytes() or numbers.tobytes() != seen.numbers.tobytes():
            where = [layout.planes[i] for i in np.unique(np.nonzero(planes != seen.planes)[0])]
            where += [layout.numbers[i] for i in np.flatnonzero(numbers != seen.numbers)]
            raise broken(spec, f"seat {seat}: observing {how} gives other values than its view: {', '.join(where)}", state)
    tensor = state.observation_tensor(seat)
    within = np.isfinite(tensor).all() and layout.low <= tensor.min() and tensor.max() <= layout.high
    require(bool(within), spec, f"seat {seat}: observations are from {tensor.min()} to {tensor.max()}", state)


def _numbers_are_sound(spec: GameSpec, state: State, position: Position, fast: Features, random: Random) -> None:
    """Require that the mask has the numbers of the legal actions and no others. Each number decodes to its action."""
    features, legal = state.game.features, state.legal_actions()
    mask = features.mask(position)
    require(bool((mask == fast.mask(position)).all()), spec, "action_mask differs when it is compiled", state)
    allowed = set(np.flatnonzero(mask).tolist())
    numbers = {action: features.encode(position, action) for action in legal}
    require(bool(mask.max(initial=0) <= 1), spec, "action_mask writes more than 1", state)
    require({*numbers.values()} - {-1} == allowed, spec, "action_mask and the legal actions have different numbers", state)
    require(bool(allowed) or state.is_terminal(), spec, "no legal action has a number", state)
    require(numbers.get(state.game.rules.CONCEDE, -1) == -1, spec, "the action that gives up has a number", state)
    for action in random.sample(legal, min(len(legal), 10)):
        require(fast.encode(position, action) == numbers[action], spec, "encode_action differs when it is compiled", state)
    for number in {*random.sample(sorted(allowed), min(len(allowed), 10)), random.randrange(features.layout.actions)}:
        action = features.action_of(position, number)
        require(fast.action_of(position, number) == action, spec, "decode_action differs when it is compiled", state)
        if number in allowed:
            require(
                numbers.get(action) == number,
                spec,
                f"decode_action gives {action} for {number}, and {action} has another number",
                state,
            )
        else:
            require(
                action == -1,
                spec,
                f"decode_action gives {action} for {number}, which is not in the mask: expected -1",
                state,
            )
