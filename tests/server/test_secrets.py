"""The frames of a seat do not depend on hidden cards: if these are dealt again, not a byte changes."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from ludoteca.core import registry
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.server import frames
from ludoteca.server.model.effects import Client, Received
from ludoteca.server.model.table import Table, takeback
from ludoteca.testing import sample_game
from tests.server.machine import NUMBERS, Machine, row_of
from tests.server.serving import OPEN, Served, me

GAMES = [spec for spec in registry.registered_games() if spec.has("scene") and not spec.perfect_information]
POSITIONS = 4
DEALS = 40
"""Deals that are tried to find one in which an action reveals the same."""
EVENTS = 12
"""Events that are brought to a room after hidden cards were dealt again."""
KINDS = ["move"] * 5 + ["preview"] * 3 + [
    "look", "read", "undo", "agree", "plan", "preview", "why", "replace", "leave", "wait", "write", "resign",
]  # fmt: skip


def some_states(spec: GameSpec, random: Random) -> Iterator[State]:
    """Positions of random games of random parameters."""
    for number in range(POSITIONS):
        state = sample_game(spec, random).new_initial_state(random.getrandbits(256))
        rng = new_rng(number)
        for _ in range(random.randrange(40)):
            after = state.child(state.random_action(rng)) if not state.is_terminal() else state
            if after.is_terminal():
                break
            state = after
        if not state.is_terminal():
            yield state


def some_action(state: State, random: Random) -> int:
    """Any but giving up, if there is another."""
    legal = state.legal_actions()
    return random.choice([option for option in legal if option != state.game.rules.CONCEDE or len(legal) == 1])


def alike(one: State, two: State, action: int, seat: int) -> list[int]:
    """The actions of the second state that look to the seat like the given one of the first, and tell it the same.

    There is none when the action brings to light what was hidden, such as the next tile of a pile.
    """
    seen, known = one.seen_action(action, seat), one.child(action).view(seat).tobytes()
    same = [other for other in two.legal_actions() if two.seen_action(other, seat) == seen]
    return [other for other in same if two.child(other).view(seat).tobytes() == known]


def twins(state: State, seat: int, action: int, random: Random) -> list[Machine]:
    """Two rooms that the seat cannot tell apart, if possible with an action that looks the same in both."""
    for _ in range(DEALS):
        other = state.resample_from_infostate(seat, new_rng(random.getrandbits(64)))
        if str(other) != str(state) and alike(state, other, action, seat):
            break
    row = row_of(state)
    return [Machine(row), Machine(msgspec.structs.replace(row, options=row_of(other).options))]


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 10))])
def test_what_is_sent_does_not_depend_on_what_is_hidden(spec: GameSpec, seed: int) -> None:
    random = Random(seed)
    for state in some_states(spec, random):
        seats = range(-1, state.game.num_players())
        for seat in seats:
            action = some_action(state, random)
            worlds = twins(state, seat, action, random)
            clients = [{one: world.join(None if one < 0 else one) for one in seats} for world in worlds]
            move_alike(worlds, clients, seat, action, random)
            for _ in range(EVENTS):
                if not any(world.room.table.is_over for world in worlds):
                    step_alike(worlds, clients, seat, random)
            sent = [sent_before_the_end(world, of[seat]) for world, of in zip(worlds, clients, strict=True)]
            assert sent[0] == sent[1], (state.game, seat, str(state))


def sent_before_the_end(world: Machine, client: Client) -> list[bytes]:
    """All frames to the client, except those that show hands at the end. In a running game the client looks back first."""
    if not world.room.table.is_over:
        for ply in range(world.room.table.ply + 1):
            world.bring(Received(client, frames.Look(ply, ply)))
        world.bring(Received(client, frames.Read(0)))
    return [msgspec.json.encode(frame) for frame in world.sent[client] if getattr(frame, "over", None) is None]


def move_alike(worlds: list[Machine], clients: list[dict[int, Client]], seat: int, action: int, random: Random) -> None:
    """Play an action in the first room, and in the second one that looks the same, if there is any."""
    one, two = (world.room.table for world in worlds)
    others, number, n, mover = alike(one.state, two.state, action, seat), next(NUMBERS), one.position_n, one.mover
    if others:
        for world, of, played in zip(worlds, clients, (action, random.choice(others)), strict=True):
            world.bring(Received(of[mover], frames.Play(number, n, str(played))))


def step_alike(worlds: list[Machine], clients: list[dict[int, Client]], seat: int, random: Random) -> None:
    """Bring an event to both rooms that looks the same to the seat."""
    table, kind = worlds[0].room.table, random.choice(KINDS)
    if kind == "move":
        move_alike(worlds, clients, seat, some_action(table.state, random), random)
        return
    asker = random.choice([seat, seat, *clients[0]])
    request = some_request(kind, table, worlds[0].sent[clients[0][asker]][0], random)
    for world, of in zip(worlds, clients, strict=True):
        if request:
            world.bring(Received(of[asker], request))
        elif kind == "leave":
            world.leave(of[asker])
            world.join(None if asker < 0 else asker, of[asker])
        else:
            world.wait(2)


def some_request(kind: str, table: Table, whole: Any, random: Random) -> frames.Request | None:
    """A request of that kind, which is mostly refused; None for an event that is no request."""
    number, n, legal = next(NUMBERS), table.position_n, table.state.legal_actions()
    action = random.choice([*legal, random.randrange(5000), random.getrandbits(63)])
    possible = set(map(table.state.action_to_string, legal))  # such an action may bring to light what differs
    items, texts = [item.id for item in whole.scene.items], [line.text for line in whole.log if line.text not in possible]
    requests: dict[str, frames.Request] = {
        "look": frames.Look(number, random.randrange(table.ply + 1), random.choice([None, -1, 0, 1])),
        "read": frames.Read(number),
        "undo": frames.Undo(number, n),
        "agree": frames.Agree(number, takeback(n, random.randrange(2))),
        "plan": frames.Plan(number, n),
        "preview": frames.Preview(number, n, str(action)),
        "why": frames.Why(number, n, random.sample(items, min(len(items), random.randrange(1, 4)))),
        "replace": frames.Replace(number, random.randrange(2)),
        "write": frames.Write(number, n, random.choice(["", "aa", "?", "a1", "x", *texts])),
        "resign": frames.Resign(number, n + random.randrange(2)),
    }
    return requests.get(kind)


def test_the_test_bites(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test fails if a scene shows the whole position."""
    monkeypatch.setattr(State, "view", lambda state, _: state.position.copy())
    with pytest.raises(AssertionError):
        test_what_is_sent_does_not_depend_on_what_is_hidden(GAMES[0], 0)


def test_the_maker_of_a_room_is_told_one_secret_once(server: Served) -> None:
    made = server.make("conclave", me(), OPEN, listed=True)
    taken = server.take(made["room"], "Bru")
    with server.join(made["room"], made["token"]) as ana, server.join(made["room"]) as watcher:
        ana.ask("play", action=ana.whole["choices"][0][0])
        watcher.event(2)
        heard = [*ana.texts, *watcher.texts, server.http.get("/api/rooms").text]
        table = server.rooms.awake[made["room"]].table
    secrets: list[Any] = [made["token"], taken["token"], *(occupant.token for occupant in table.seats)]
    assert not any(secret in text for secret in secrets for text in heard)
