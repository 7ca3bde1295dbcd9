"""Taking moves back: at once against agents, by consent among people, and never once something hidden has come to light."""

from random import Random

import pytest

from ludoteca.core import registry
from ludoteca.core.game import Game, State
from ludoteca.server.model.history import History


@pytest.mark.parametrize("ply", [0, 7, 19])
def test_a_history_that_is_cut_is_the_one_that_ended_there(ply: int) -> None:
    states = [Game(registry.find("okupacio"), {"players": 3}).new_initial_state(1)]
    random = Random(ply)
    for _ in range(20):
        legal = states[-1].legal_actions()
        states.append(
            states[-1].child(random.choice([action for action in legal if action != states[-1].game.rules.CONCEDE]))
        )
    cut, ended = history_of(states), history_of(states[: ply + 1])
    cut.lines(0)
    cut.cut(ply)
    for history in (cut, ended):
        for state in states[ply + 1 :][:3]:  # and goes on as that one does
            history.add(state)
    for seat in (-1, 0):
        assert cut.lines(seat) == ended.lines(seat)
        assert [cut.scene(at, seat) for at in range(cut.ply + 1)] == [ended.scene(at, seat) for at in range(ended.ply + 1)]


def history_of(states: list[State]) -> History:
    history = History(states[0])
    for state in states[1:]:
        history.add(state)
    return history


@pytest.mark.parametrize("name", ["qinto", "conclave"])
def test_what_brings_something_to_light_is_not_taken_back(name: str) -> None:
    """In the views of these games stands what the seat does not see."""
    taken_back = 0
    for seed in range(3):
        state, random = Game(registry.find(name), {}).new_initial_state(seed), Random(seed)
        history = History(state)
        for _ in range(60):
            if state.is_terminal():
                break
            seat, action = state.current_player(), random.choice(state.legal_actions())
            before, state = state, state.child(action)
            history.add(state)
            ply = history.undo_to(seat)
            if ply is not None:
                taken_back += 1
                assert (ply, state.current_player()) == (history.ply - 1, seat)
                assert (before.view(seat).raw.unseen == state.view(seat).raw.unseen).all()
    assert taken_back > 5


@pytest.mark.parametrize(("name", "chosen"), [("cartas", {}), ("metro", {"players": 1}), ("metro", {"players": 3})])
def test_where_every_action_brings_something_to_light_none_is_taken_back(name: str, chosen: dict[str, int]) -> None:
    state, random = Game(registry.find(name), chosen).new_initial_state(1), Random(1)
    history = History(state)
    for _ in range(30):
        if state.is_terminal():
            break
        seat = state.current_player()
        state = state.child(random.choice(state.legal_actions()))
        history.add(state)
        assert history.undo_to(seat) is None
