"""The laws (required properties) of a game's `features.py`: the observations and the action numbers of learners."""

import re
from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import NotationError
from ludoteca.core.features import Features
from ludoteca.core.game import Game, State
from ludoteca.core.position import Position
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import Effort, broken, games, require, sparse, walk

CHANGES: Final = 20
"""The number of changes that are tried in a position."""
PLAYED_ON: Final = 2
"""How often two positions that look the same are played to the end."""


def features_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that observations stay within the bounds of their layout, and that action numbers and legal actions fit each
    other. A game without features passes.

    They must not depend on information that is hidden from the seat. Compiled and interpreted functions must give the same
    results.
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
    """Require that the observation of a seat is within its bounds, and the same whether it is made from the complete
    position or from the seat's view, interpreted or compiled.
    """
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
    """Require that the mask has a 1 for the action number of each legal action, and no other, and that each of these numbers
    decodes to an action that has the number.
    """
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


def observations_are_sufficient(spec: GameSpec, effort: Effort) -> None:
    """Require that the observation of the player to move contains each fact that the player knows and a later rule reads.

    The law changes one part of a position at a time. If the player's view is another one then, and the game goes on in
    another way, the observation must be another one, too. A game's features may clear what they leave out on purpose
    (`leave_out`).
    """
    if not spec.has("features"):
        return
    random = Random(effort.seed)
    leave_out = getattr(spec.module("features"), "leave_out", id)  # `id` clears nothing
    for game, seed in games(spec, effort):
        for state in sparse(walk(game, seed)):
            if state.is_terminal():
                continue
            seat = state.current_player()
            seen, view = state.observation_tensor(seat).tobytes(), state.view(seat)
            leave_out(view.raw)
            for other in _changed(state, random):
                if other.observation_tensor(seat).tobytes() != seen:
                    continue
                leave_out((other_view := other.view(seat)).raw)
                if other_view == view:
                    continue
                require(
                    not any(_goes_otherwise(state, other, random) for _ in range(PLAYED_ON)),
                    spec,
                    f"seat {seat}: the observation is the same in {other}, where the game goes on in another way",
                    state,
                )


def _changed(state: State, random: Random) -> Iterator[State]:
    """Yield positions that differ from the state in one or two parts of their text: a number is one larger or smaller, a
    word is replaced by another one, or two parts are exchanged.
    """
    text = str(state)
    for _ in range(CHANGES):
        one, other = (random.choice([*re.finditer(r"\d+|[^\W\d_]+|[^\w\s]", text)]) for _ in range(2))
        (low, high), (first, last) = sorted([one.span(), other.span()])
        word = str(int(one[0]) + random.choice([-1, 1])) if one[0].isdecimal() else other[0]
        exchanged = text[:low] + text[first:last] + text[high:first] + text[low:high] + text[last:]
        replaced = text[: one.start()] + word + text[one.end() :]
        try:
            changed = state.game.state_from_string(random.choice([exchanged, replaced]))
        except NotationError:
            continue
        if changed != state and not changed.is_terminal():
            yield changed


def _goes_otherwise(one: State, other: State, random: Random) -> bool:
    """Play the same random action numbers in copies of both states until both are over. Return True if the legal action
    numbers, the player to move or the results differ.
    """
    one, other = one.clone(), other.clone()
    while not one.is_terminal() or not other.is_terminal():
        mask = one.action_mask()
        if one.current_player() != other.current_player() or mask.tobytes() != other.action_mask().tobytes():
            return True
        number = random.choice(np.flatnonzero(mask).tolist())
        one.apply_action(one.decode_action(number))
        other.apply_action(other.decode_action(number))
    return (one.returns(), one.scores()) != (other.returns(), other.scores())
