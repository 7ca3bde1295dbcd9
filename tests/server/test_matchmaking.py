"""Players who look for an opponent: which players meet, and the end of a room without a second player."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludoteca.core import registry
from ludoteca.core.game import load
from ludoteca.server import frames
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import AGENT, OPEN, PERSON, EventRow, Options, Replaced, SeatMade, encode
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.replay import folded
from ludoteca.server.model.table import OPPONENT
from ludoteca.server.model.tokens import digest, new_token
from ludoteca.server.rooms import actor, matchmaking
from ludoteca.server.rooms.matchmaking import CLOCK
from tests.server.machine import Machine, machine_of, say
from tests.server.postgres import Cluster
from tests.server.serving import OPEN as OPEN_SEAT
from tests.server.serving import PATIENCE, QUICK, Served, me, serve
from tests.server.test_rooms import wait_until

GAME = "conclave"


def find(server: Served, game: str = GAME, name: str = "", source: str = "192.0.2.1", **wished: Any) -> dict[str, Any]:
    headers = {"X-Forwarded-For": source}
    answer = server.http.post(f"/api/games/{game}/opponent", json={"name": name, **wished}, headers=headers)
    found: dict[str, Any] = answer.json()
    return found


def listed(server: Served) -> list[str]:
    return [listing["room"] for listing in server.http.get("/api/rooms").json()]


def test_two_who_ask_at_the_same_time_meet(own_server: Served) -> None:
    with ThreadPoolExecutor() as pool:
        for _ in range(5):
            one, two = pool.map(lambda name: find(own_server, name=name), ["Ana", "Bru"])
            assert one["room"] == two["room"]
            assert {one["seat"], two["seat"]} == {0, 1}
            assert bool(one["key"]) != bool(two["key"])
            with own_server.join(one["room"], one["token"]) as ana, own_server.join(two["room"], two["token"]) as bru:
                assert (ana.whole["you"], bru.whole["you"]) == (one["seat"], two["seat"])
                assert bru.whole["mover"] == 0


def test_two_servers_of_one_database_give_a_seat_once(postgres: Cluster) -> None:
    url = postgres.url(postgres.new_database())
    with serve(url) as one, serve(url) as two:
        made = one.make(GAME, me(), OPEN_SEAT, listed=True, clock=CLOCK)
        with one.join(made["room"], made["token"]):
            wait_until(lambda: listed(two) == [made["room"]])
            with ThreadPoolExecutor() as pool:
                found = list(pool.map(find, (one, two)))
        assert all("room" in each for each in found), found
        assert sorted(each["room"] == made["room"] for each in found) == [False, True]


@pytest.mark.parametrize(
    "spec", [spec for spec in registry.registered_games() if spec.has("scene")], ids=lambda spec: spec.name
)
def test_each_game_begins_when_all_seats_are_found(own_server: Served, spec: Any) -> None:
    found = [find(own_server, spec.name)]
    with own_server.join(found[0]["room"], found[0]["token"]) as ana:
        found += [find(own_server, spec.name, source=f"192.0.2.{n}") for n, _ in enumerate(ana.whole["seats"][1:])]
        assert {each["room"] for each in found} == {found[0]["room"]}
        assert len(found) > 1
        assert ana.hello(found[0]["token"])["mover"] >= 0


def test_who_asks_again_gets_the_same_seat(own_server: Served) -> None:
    ana, bru = new_token(), new_token()
    one = find(own_server, key=ana)
    assert find(own_server, key=ana) == one
    two = find(own_server, key=bru)
    assert (two["room"], find(own_server, key=bru), find(own_server, key=ana)) == (one["room"], two, one)
    with own_server.join(one["room"], one["token"]) as client:
        client.ask("resign")
    assert find(own_server, key=ana)["room"] != one["room"]


def test_the_oldest_room_that_suits_is_taken(own_server: Served) -> None:
    usual = {"listed": True, "clock": CLOCK}
    made = [
        own_server.make(GAME, me(), OPEN_SEAT),  # it is not listed
        own_server.make(GAME, me(), OPEN_SEAT, listed=True, clock={"move": 60}),
        own_server.make(GAME, me(), OPEN_SEAT, OPEN_SEAT, **usual, parameters={"players": 3}),
        own_server.make("okupacio", me(), OPEN_SEAT, **usual),
        own_server.make(GAME, me(), OPEN_SEAT, **usual),  # no player is connected
        own_server.make(GAME, me(), OPEN_SEAT, **usual),
        own_server.make(GAME, me(), OPEN_SEAT, **usual),
    ]
    with ExitStack() as there:
        for each in made[:4] + made[5:]:
            there.enter_context(own_server.join(each["room"], each["token"]))
        there.enter_context(own_server.join(made[4]["room"]))  # a spectator is no opponent
        assert [find(own_server, source=f"192.0.2.{n}")["room"] for n in range(2)] == [made[n]["room"] for n in (5, 6)]
        assert find(own_server)["room"] not in {each["room"] for each in made}


def test_a_game_from_a_position_is_not_taken(own_server: Served) -> None:
    made = own_server.make(GAME, me(), OPEN_SEAT)
    own_server.take(made["room"], "Bru")
    with own_server.join(made["room"], made["token"]) as ana:
        ana.ask("resign")
    wished = {"from": {"room": made["room"], "ply": 0}, "seats": [me(), OPEN_SEAT], "listed": True, "clock": CLOCK}
    again = own_server.http.post("/api/rooms", json=wished).json()
    with own_server.join(again["room"], again["token"]):
        assert again["room"] in listed(own_server)
        assert find(own_server)["room"] != again["room"]


@pytest.mark.parametrize("who", ["the one who comes", "the one who waits"])
def test_players_who_have_muted_each_other_do_not_meet(own_server: Served, who: str) -> None:
    ana, bru = new_token(), new_token()
    first, second = find(own_server, key=ana), find(own_server, key=bru)
    assert first["room"] == second["room"]
    with own_server.join(first["room"], first["token"]) as client:
        client.ask("resign")
    muted = [{"room": "nowhere", "seat": 0}, {"room": first["room"], "seat": 1 if who == "the one who waits" else 0}]
    one, two = (muted, []) if who == "the one who waits" else ([], muted)
    waits = find(own_server, key=ana, muted=one)
    comes = find(own_server, key=bru, muted=two)
    assert waits["room"] != comes["room"]
    assert find(own_server, muted=muted)["room"] == (waits if one else comes)["room"]


def test_a_room_to_which_nobody_came_ends_when_its_player_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actor, "KEPT", 0.5)
    monkeypatch.setattr(matchmaking, "ROUND", 0.1)
    with serve(tmp_path / "games.sqlite") as server:
        alone, waits, met = (
            find(server),
            server.make(GAME, me(), OPEN_SEAT, listed=True, clock=CLOCK),
            find(server, "okupacio"),
        )
        find(server, "okupacio")
        for found in (alone, waits, met):
            with server.join(found["room"], found["token"]):
                assert found["room"] in listed(server)
            assert found["room"] not in listed(server)
        with server.join(alone["room"], alone["token"]):  # the page has loaded again
            pass
        wait_until(lambda: server.http.get(f"/api/rooms/{alone['room']}/record").json()["code"] in ("room", "deleted"))
        for found in (waits, met):
            with server.join(found["room"], found["token"]) as client:
                assert client.whole["t"] == "room"


def test_a_player_whose_page_loads_again_is_met(own_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matchmaking, "RELOADING", PATIENCE)
    first = find(own_server)
    with own_server.join(first["room"], first["token"]):
        pass
    with ThreadPoolExecutor() as pool:
        second = pool.submit(find, own_server)
        with own_server.join(first["room"], first["token"]):
            assert second.result()["room"] == first["room"]


@pytest.mark.parametrize("waits", [0.0, 0.3])
def test_nobody_is_seated_with_an_empty_chair(own_server: Served, monkeypatch: pytest.MonkeyPatch, waits: float) -> None:
    monkeypatch.setattr(matchmaking, "RELOADING", waits)
    for _ in range(3):
        first = find(own_server)
        with own_server.join(first["room"], first["token"]):
            pass
        second = find(own_server)
        assert second["room"] != first["room"]
        with own_server.join(first["room"], first["token"]) as back, own_server.join(second["room"], second["token"]):
            assert back.whole["t"] == "room"
            assert find(own_server)["room"] == first["room"]
            assert find(own_server)["room"] == second["room"]


def test_a_room_whose_page_has_not_come_is_kept_for_half_a_minute(own_server: Served) -> None:
    name = find(own_server)["room"]
    own_server.http.get(f"/api/rooms/{name}/record")
    live, now = own_server.rooms.awake[name], time.monotonic()
    for age, is_abandoned in ((29, False), (31, True)):
        live.quiet_since = now - age
        assert live.is_abandoned() == is_abandoned


def test_a_room_whose_page_does_not_come_is_taken_for_some_seconds(
    own_server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matchmaking, "LOADING", 0.0)
    first = find(own_server)
    assert find(own_server)["room"] != first["room"]


def test_the_operator_can_switch_it_off(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, matchmaking=False)) as server:
        assert find(server)["code"] == "off"
        assert not any(game["matchmaking"] for game in server.http.get("/api/games").json())


def test_a_game_that_there_is_not_has_no_opponents(server: Served) -> None:
    assert find(server, "chess")["code"] == "game"


# an agent instead


def waiting(players: int = 2, maker: int | None = None) -> Machine:
    """A room with one open seat, the last one. The secret of each person is the number of the seat."""
    seats = [SeatMade(PERSON, f"P{seat}", token=digest(str(seat))) for seat in range(players - 1)]
    game = load("okupacio", board="4x4", players=players)
    key = "" if maker is None else digest(str(maker))
    return Machine(new_row(game, Options([*seats, SeatMade(OPEN)], key=key), Draw(bytes(32), bytes(32))))


def test_an_open_seat_is_given_to_an_agent_by_the_player_who_waits() -> None:
    machine = waiting()
    ana, spectator = machine.join(0), machine.join()
    assert say(machine, spectator, frames.Replace, 1) == "seat"
    assert say(machine, ana, frames.Replace, 2) == "replace"
    assert say(machine, ana, frames.Replace, 1) == "done"
    table = machine.room.table
    assert (table.seats[1].kind, table.seats[1].agent, table.mover) == (AGENT, OPPONENT, 0)
    assert machine.stored == [Replaced(1, OPPONENT)]
    assert table.may_ask(0)
    assert machine.join(1).seat == -1  # no player has the secret of that seat
    again = folded(table.row, [EventRow(1, encode(machine.stored[0]), 0.0)])
    assert (again.seats, again.mover) == (table.seats, table.mover)


def test_all_players_present_agree_to_the_agent() -> None:
    machine = waiting(players=3)
    ana, bru = machine.join(0), machine.join(1)
    assert say(machine, ana, frames.Replace, 2) == "done"
    assert machine.room.table.open_seats == [2]
    assert say(machine, bru, frames.Replace, 2) == "done"
    assert machine.room.table.open_seats == []


@pytest.mark.parametrize("declined", [False, True])
def test_the_maker_gives_an_open_seat_to_an_agent_without_the_others(declined: bool) -> None:
    machine = waiting(players=4, maker=0)
    maker, guest, other = [machine.join(seat) for seat in range(3)]
    assert say(machine, guest, frames.Replace, 3) == "done"
    if declined:
        assert say(machine, other, frames.Decline, "replace 3") == "done"
    assert machine.room.table.open_seats == [3], "a guest needs the others"
    assert say(machine, maker, frames.Replace, 3) == "done"
    assert (machine.room.table.open_seats, machine.room.table.mover) == ([], 0)


def test_the_maker_asks_the_others_about_the_seat_of_a_person() -> None:
    machine = machine_of(players=3)
    machine.room.table.key = digest("0")
    clients = [machine.join(seat) for seat in range(3)]
    machine.leave(clients[2])
    machine.wait(30)
    assert say(machine, clients[0], frames.Replace, 2) == "done"
    assert machine.room.table.seats[2].kind == PERSON
