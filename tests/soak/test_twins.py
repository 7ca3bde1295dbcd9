"""Twin worlds: two servers with rooms that differ only in the secrets of other seats. A seat gets byte-identical answers."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from ludoteca.agents.warming import preparations
from ludoteca.core import registry
from ludoteca.core.game import State
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import AGENT, PERSON, Options, RoomRow, SeatMade
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.tokens import digest, new_token
from ludoteca.server.settings import Rate
from ludoteca.server.store.store import Store
from tests.server.serving import QUICK, Client, Served, serve
from tests.server.test_secrets import DEALS, alike, some_action, some_states

GAMES = [spec for spec in registry.registered_games() if spec.has("scene") and not spec.perfect_information]
FREE = replace(QUICK, reads_of_address=Rate(1e9, 1e9), connections_of_address=1000, pace=3600.0)  # no agent moves
ONWARD = 6
"""The number of actions in each pair of rooms."""


@dataclass
class Pair:
    """Two rooms of one name that the seat cannot tell apart, and an action that looks the same in both, if there is one."""

    states: list[State]
    rows: list[RoomRow]
    seat: int
    tokens: list[str]
    action: int
    with_agents: bool
    """True if all other seats are agents', so that the seat may ask for hints."""


def new_pair(state: State, seat: int, chance: Random, *, with_agents: bool) -> Pair:
    action = some_action(state, chance)
    for _ in range(DEALS):
        other = state.resample_from_infostate(seat, new_rng(chance.getrandbits(64)))
        if str(other) != str(state) and alike(state, other, action, seat):
            break
    tokens = [new_token() for _ in range(state.game.num_players())]
    seats = [SeatMade(PERSON, f"P{number}", token=digest(token)) for number, token in enumerate(tokens)]
    if with_agents:
        seats = [made if number == seat else SeatMade(AGENT, agent="random") for number, made in enumerate(seats)]
    rows = [new_row(it.game, Options(seats, start=str(it)), Draw(b"", b"")) for it in (state, other)]
    rows[1] = msgspec.structs.replace(rows[0], options=rows[1].options)
    return Pair([state, other], rows, seat, tokens, action, with_agents)


def some_pairs(spec: GameSpec, chance: Random, count: int) -> Iterator[Pair]:
    while True:
        for state in some_states(spec, chance):
            with_agents = chance.random() < 0.4
            yield new_pair(state, state.current_player() if with_agents else chance.randrange(-1, state.game.num_players()),
                           chance, with_agents=with_agents)  # fmt: skip
            count -= 1
            if not count:
                return


async def fill(path: Path, rows: list[RoomRow]) -> None:
    store = Store.open(str(path))
    for row in rows:
        await store.create_room(row)
    await store.close()


class World:
    """One of the two servers, as the seat sees it."""

    def __init__(self, server: Served, pair: Pair, opened: ExitStack) -> None:
        self.server, self.room, self.seat = server, pair.rows[0].id, pair.seat
        seats = [pair.seat] if pair.with_agents else range(-1, len(pair.tokens))
        tokens = {seat: pair.tokens[seat] if seat >= 0 else None for seat in seats}
        self.clients = {seat: opened.enter_context(server.join(self.room, token)) for seat, token in tokens.items()}
        self.told: list[str | bytes] = []

    @property
    def client(self) -> Client:
        return self.clients[self.seat]

    def ask(self, frames: list[dict[str, Any]], paths: list[str]) -> None:
        for frame in frames:
            self.client.send(frame)
        for path in paths:
            answer = self.server.http.get(f"/api/rooms/{self.room}/{path}")
            self.told += [path, str(answer.status_code), answer.headers.get("etag", ""), answer.content]
        self.client.ask("look", ply=0)  # after this answer, all requests are answered

    def sent(self) -> list[str | bytes]:
        """Return everything sent to the seat, except the number of spectators, whose time of sending varies."""
        self.client.ask("look", ply=0)
        return [*(text for text in self.client.texts if '"kind":"spectators"' not in text), *self.told]


def questions(pair: Pair, whole: dict[str, Any], ply: int, chance: Random) -> list[dict[str, Any]]:
    """Return the requests of the seat. Most of them are refused."""
    items, texts = [item[0] for item in whole["scene"][2]], ["", "?", "aa", "a1", "x", "-1"]
    texts += [pair.states[0].action_to_string(action) for action in pair.states[0].legal_actions()[:9]]
    legal = set(pair.states[0].legal_actions())
    actions = [chance.randrange(5000), chance.getrandbits(56), chance.getrandbits(63)]
    frames: list[dict[str, Any]] = [{"t": "play", "action": str(action)} for action in actions if action not in legal]
    frames += [{"t": "write", "text": text} for text in chance.sample(texts, 3) if ply % 2 and text not in texts[6:]]
    frames += [{"t": "why", "touched": chance.sample(items, min(len(items), size))} for size in range(4)]
    frames = [frame | {"n": ply} for frame in frames]
    frames += [{"t": "look", "ply": chance.randrange(ply + 1), "player": chance.randrange(-1, 4)} for _ in range(3)]
    return [frame | {"id": number} for number, frame in enumerate(frames, 1000)]


def addresses(pair: Pair, ply: int, chance: Random) -> list[str]:
    """Return the paths to request over HTTP, without a seat."""
    return ["record", "analysis", f"picture.svg?ply={chance.randrange(ply + 1)}", f"picture.svg?player={pair.seat}"]


def try_pair(servers: list[Served], pair: Pair, chance: Random) -> int:
    """Compare the answers to the seat in both worlds, while others play actions that look alike. Return their number."""
    with ExitStack() as opened:
        worlds = [World(server, pair, opened) for server in servers]
        action = pair.action
        for ply in range(ONWARD):
            one, two = pair.states
            asked, read = questions(pair, worlds[0].client.whole, ply, chance), addresses(pair, ply, chance)
            for world in worlds:
                world.ask(asked, read)
            if pair.with_agents:
                for world in worlds:
                    assert world.client.ask("hint", n=ply)["t"] == "hinted"
                break
            others = alike(one, two, action, pair.seat)
            if not others:
                break
            played = [action, chance.choice(others)]
            after = [state.child(number) for state, number in zip(pair.states, played, strict=True)]
            if any(state.is_terminal() for state in after):
                break  # after the end, all may be sent
            for world, number in zip(worlds, played, strict=True):
                done = world.clients[one.current_player()].ask("play", n=ply, action=str(number))
                assert done["t"] == "done", done
            pair.states = after
            action = some_action(after[0], chance)
        first, second = (world.sent() for world in worlds)
    assert first == second, (pair.rows[0].game, pair.seat, str(pair.states[0]), str(pair.states[1]))
    return len(first)


@pytest.mark.parametrize(
    ("count", "agent"),
    [(1, "greedy"), pytest.param(60, "200x", marks=pytest.mark.soak, id="soak")],
)
def test_what_a_seat_is_told_does_not_depend_on_what_it_may_not_know(
    tmp_path: Path, chance: Random, monkeypatch: pytest.MonkeyPatch, count: int, agent: str
) -> None:
    # an agent with a time limit finds more on some days
    monkeypatch.setattr("ludoteca.server.model.requests.HINTS_BY", agent)
    for part in chain.from_iterable(map(preparations, GAMES)) if agent != "greedy" else ():
        part.compile()  # until then, agents search for a moment only
    pairs = [pair for spec in GAMES for pair in some_pairs(spec, chance, count)]
    for number in range(2):
        asyncio.run(fill(tmp_path / f"{number}.sqlite", [pair.rows[number] for pair in pairs]))
    with serve(tmp_path / "0.sqlite", FREE) as one, serve(tmp_path / "1.sqlite", FREE) as two:
        compared = [try_pair([one, two], pair, chance) for pair in pairs]
    assert min(compared) > 10
    assert any(str(pair.states[0]) != str(pair.states[1]) for pair in pairs)


@pytest.mark.soak
def test_the_test_bites(tmp_path: Path, chance: Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test fails for a server that shows whole positions."""
    monkeypatch.setattr(State, "view", lambda state, _: state.position.copy())
    with pytest.raises(AssertionError):
        test_what_a_seat_is_told_does_not_depend_on_what_it_may_not_know(tmp_path, chance, monkeypatch, 1, "greedy")
