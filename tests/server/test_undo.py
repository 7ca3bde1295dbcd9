"""Taking moves back: at once against agents, by consent among people, and never once something hidden has come to light."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludoteca.core import registry
from ludoteca.core.game import Game, State
from ludoteca.server.model.history import History
from tests.server.serving import Client, Served, agent, me, serve
from tests.server.test_rooms import friends

PARTS = ("ply", "mover", "scene", "choices", "log", "undo")


def play_first(client: Client) -> None:
    """Play the first choice that has something to touch."""
    action = next(choice[0] for choice in client.whole["choices"] if choice[1])
    assert client.ask("play", action=action)["t"] == "done"


def shown(whole: dict[str, Any]) -> list[Any]:
    return [whole[part] for part in PARTS]


def test_against_a_program_the_last_move_is_taken_back_with_the_answer(tmp_path: Path) -> None:
    """And it stays so when the server starts again."""
    with serve(tmp_path / "games.sqlite") as server:
        made = server.make("okupacio", me(), agent("random"), parameters={"players": 2, "board": "4x4"})
        with server.join(made["room"], made["token"]) as client:
            before = client.whole
            assert not before["undo"]
            assert client.ask("undo")["code"] == "undo"
            play_first(client)
            event = client.event(2)
            assert (event["ply"], event["undo"]) == (2, True)
            assert client.ask("undo")["t"] == "done"
            after = client.hello(made["token"])
            assert (after["n"], shown(after)) == (3, shown(before))
    with serve(tmp_path / "games.sqlite") as server, server.join(made["room"], made["token"]) as client:
        assert (client.whole["n"], shown(client.whole)) == (3, shown(before))
        play_first(client)
        assert client.event(5)["ply"] == 2


def test_among_people_all_agree(server: Served) -> None:
    room, tokens = friends(server)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru, server.join(room) as eve:
        before = eve.whole
        play_first(ana)
        bru.until("event/move")
        assert bru.ask("undo")["code"] == "undo"  # who has played nothing
        assert eve.ask("undo")["code"] == "seat"
        assert ana.ask("undo")["t"] == "done"
        assert ana.ask("undo")["code"] == "duplicate"
        assert bru.until("event/asked")["asked"] == {"undo 1": [0]}
        assert bru.ask("undo")["t"] == "done"
        assert shown(eve.until("room")) == shown(before)
        assert shown(ana.until("room"))[0] == 0


def test_who_plays_on_does_not_agree(server: Served) -> None:
    room, tokens = friends(server)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        play_first(ana)
        assert ana.ask("undo")["t"] == "done"
        asked = bru.hello(tokens[1])["position_n"]
        play_first(bru)
        assert ana.hello(tokens[0])["asked"] == {}
        assert bru.ask("undo", n=asked)["code"] == "stale"


@pytest.mark.parametrize("ply", range(20))
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
