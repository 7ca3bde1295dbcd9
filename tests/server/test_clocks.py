"""Clocks: the server's own, a lost seat when time is up, time credited for a server that was down."""

import asyncio
import math
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ludoteca.server import frames
from ludoteca.server.model import effects, events
from ludoteca.server.model.clock import Clocks, checked, least_left
from ludoteca.server.model.events import EventRow, Moved, TimeGiven
from ludoteca.server.model.replay import folded
from ludoteca.server.refusals import RefusalError
from ludoteca.server.rooms.actor import Rest
from ludoteca.server.settings import Settings
from tests.server.machine import Machine, machine_of, play, say
from tests.server.serving import Served, serve
from tests.server.test_rooms import SMALL, friends, move, wait_until

MINUTES = {"bank": 300, "increment": 5}


def test_each_turn_has_the_same_time() -> None:
    clocks = Clocks({"move": 60}, 2)
    clocks.spend(0, 10_000, turn_is_over=False)
    assert clocks.left == [50_000, 60_000]
    clocks.spend(0, 10_000, turn_is_over=True)
    assert clocks.left == [60_000, 60_000]


def test_a_bank_grows_with_each_turn() -> None:
    clocks = Clocks(MINUTES, 2)
    clocks.spend(1, 20_000, turn_is_over=False)
    clocks.spend(1, 20_000, turn_is_over=True)
    assert clocks.left == [300_000, 265_000]


def test_no_clock_goes_below_nothing() -> None:
    clocks = Clocks({"bank": 10, "increment": 0}, 2)
    clocks.spend(0, 11_000, turn_is_over=True)
    assert clocks.left[0] == 0


@pytest.mark.parametrize(
    "chosen", [{}, {"bank": 60}, {"move": 1}, {"move": 10**9}, {"move": 60, "bank": 60}, {"bank": 60, "increment": -1}]
)
def test_clocks_that_cannot_be(chosen: dict[str, int]) -> None:
    with pytest.raises(RefusalError) as refused:
        checked(chosen)
    assert refused.value.code == "clock"


def given(clock: dict[str, int] = MINUTES) -> tuple[Machine, list[effects.Client]]:
    """A room in which the first player has moved, and the second has given the first time once."""
    machine = machine_of(clock=clock)
    clients = [machine.join(0), machine.join(1)]
    play(machine, clients[0])
    assert say(machine, clients[1], frames.Give) == "done"
    return machine, clients


def test_a_player_gives_the_opponent_time_and_the_position_stays() -> None:
    machine, (one, two) = given()
    table = machine.room.table
    spectator = machine.join()
    assert table.clocks
    assert (table.clocks.left, table.n, table.position_n) == ([320_000, 300_000], 2, 1)
    assert say(machine, one, frames.Give) == "done"
    assert table.clocks.left == [320_000, 315_000]
    event = machine.sent[spectator][-1]
    assert isinstance(event, frames.Event)
    assert (event.kind, event.clocks) == ("clock", frames.Clock([320_000, 315_000], True))
    action = str(table.now.legal[0])
    assert say(machine, two, frames.Play, 1, action) == "done"  # decided before the time was given
    assert machine.stored[1:3] == [TimeGiven(1, 15_000), TimeGiven(0, 15_000)]


def test_given_time_is_given_again_when_the_room_is_made_again() -> None:
    machine, (one, two) = given()
    play(machine, two)
    assert say(machine, two, frames.Give) == "done"
    table = machine.room.table
    again = folded(table.row, [EventRow(n, events.encode(event), 0.0) for n, event in enumerate(machine.stored, 1)])
    assert again.clocks
    assert table.clocks
    assert (again.clocks.left, again.given, again.n) == (table.clocks.left, table.given, table.n)
    assert again.record() == table.record()
    for _ in range(3):
        assert say(machine, two, frames.Give) == "done"
    assert say(machine, two, frames.Give) == "given"
    assert say(machine, one, frames.Give) == "done"


def test_a_player_who_was_given_time_loses_later() -> None:
    machine, (one, _) = given({"move": 5})
    assert say(machine, one, frames.Give) == "done"
    machine.wait(19)
    assert not machine.room.table.is_over
    machine.wait(2)
    assert machine.room.table.seats[1].timed_out


@pytest.mark.parametrize(
    ("agents", "clock", "players", "code"),
    [((), None, 2, "give"), ((1,), MINUTES, 2, "give"), ((), MINUTES, 3, "give"), ((2,), MINUTES, 3, "give")],
)
def test_time_is_given_in_games_of_two_persons_with_a_clock(
    agents: tuple[int, ...], clock: dict[str, int] | None, players: int, code: str
) -> None:
    machine = machine_of(agents, clock, players=players)
    assert say(machine, machine.join(0), frames.Give) == code


def test_spectators_give_no_time_and_it_is_given_in_a_running_game_only() -> None:
    machine, (one, two) = given({"move": 5})
    assert say(machine, machine.join(), frames.Give) == "seat"
    machine.now += 6  # the timer does not know
    assert say(machine, one, frames.Give) == "over"
    assert say(machine, two, frames.Give) == "over"


def hurry(server: Served, room: str, seat: int, left: int = 150) -> None:
    """Take nearly all of a player's time away."""
    clocks = server.rooms.awake[room].table.clocks
    assert clocks
    clocks.left[seat] = left


def milliseconds_since(begin: float) -> int:
    return math.ceil(1000 * (time.monotonic() - begin))


def test_of_more_an_agent_takes_the_seat(own_server: Served) -> None:
    room, tokens = friends(own_server, "cartas", 4, clock={"move": 60})
    with ExitStack() as there:
        bru = [there.enter_context(own_server.join(room, token)) for token in tokens][1]
        hurry(own_server, room, 0)
        bru.hello(tokens[1])
        event = bru.event(4)
        assert (event["kind"], event["seats"][0]["agent"], event["seats"][0]["resigned"]) == ("seats", "greedy", True)
        assert bru.event(5)["line"]["player"] == 0


def test_a_room_whose_clock_runs_sleeps_until_it_is_nearly_over(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", Settings(workers=1, idle=0.05, absence=0)) as server:
        room, tokens = friends(server, parameters=SMALL, clock={"move": 120})
        with server.join(room, tokens[1]), server.join(room, tokens[0]):
            pass
        wait_until(lambda: room in server.rooms._resting)
        with server.join(room, tokens[0]) as ana:
            assert ana.whole["clocks"]["running"]  # it is known that both have been there
            move(ana)
        wait_until(lambda: room in server.rooms._resting)
        assert room not in server.rooms.awake
        rest = server.rooms._resting[room]
        assert math.isclose(rest.due - rest.began, 120, abs_tol=0.1)
        with server.join(room, tokens[1]) as bru:  # who comes meanwhile sees it run on
            assert bru.whole["clocks"]["left"][1] <= 120_000 - milliseconds_since(rest.began) + 100
        wait_until(lambda: room in server.rooms._resting)
        server.rooms._resting[room] = Rest(rest.began - 120, time.monotonic())  # the time is up
        wait_until(lambda: asyncio.run(is_over(server, room)))


async def is_over(server: Served, room: str) -> bool:
    return room in {row.id for row in await server.rooms.store.rooms() if row.over}


@pytest.mark.parametrize(
    ("chosen", "used", "left"),
    [
        ({"move": 60}, [], 60_000),
        ({"move": 60}, [(0, 5), (1, 7), (1, 8)], 45_000),
        ({"move": 60}, [(0, 50), (1, 7), (0, 9)], 51_000),
        ({"bank": 60, "increment": 5}, [(0, 5), (1, 7), (0, 8)], 47_000),
        ({"bank": 10, "increment": 5}, [(0, 9), (0, 9)], 0),
    ],
)
def test_what_is_left_at_least(chosen: dict[str, int], used: list[tuple[int, int]], left: int) -> None:
    assert least_left(chosen, [Moved(seat, "", 1000 * seconds) for seat, seconds in used]) == left


def test_after_undos_the_least_that_is_left_is_no_more_than_what_is_left() -> None:
    machine = machine_of(agents=(1,), clock={"move": 60})
    one, table = machine.join(0), machine.room.table
    for _ in range(2):
        machine.wait(10)
        play(machine, one)
        machine.bring(effects.Chosen(machine.asked[-1].turn, table.now.legal[0]))
    for _ in range(2):
        machine.wait(5)
        assert say(machine, one, frames.Undo, table.position_n) == "done"
    assert table.clocks
    assert least_left({"move": 60}, machine.stored) <= table.clocks.left[0] == 30_000


def test_an_undo_that_an_older_server_has_stored_has_used_no_time() -> None:
    machine = machine_of(agents=(1,), clock={"bank": 60, "increment": 5})
    moved, back = b'{"k":"moved","seat":0,"text":"aa","used":10000}', b'{"k":"back","ply":0}'
    stored = [moved, back, b'{"k":"replaced","seat":0,"agent":"4"}']
    table = folded(machine.room.table.row, [EventRow(n, data, 0.0) for n, data in enumerate(stored, 1)])
    assert table.clocks
    assert (table.ply, table.clocks.left) == (0, [50_000, 60_000])


def test_the_time_without_a_server_is_nobodys(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    clock = {"move": 60}
    with serve(data) as server:
        room, tokens = friends(server, parameters=SMALL, clock=clock)
        with server.join(room, tokens[1]), server.join(room, tokens[0]) as ana:
            time.sleep(0.01)  # a move of 0 ms does not show that the clock ran
            move(ana)
    time.sleep(1.0)  # there is no server: what is tested is that this is taken off no clock
    begin = time.monotonic()
    with serve(data) as server:
        wait_until(lambda: room in server.rooms._resting)
        time.sleep(0.5)  # the clock runs although nobody has come
        with server.join(room, tokens[1]) as bru:
            assert 60_000 - milliseconds_since(begin) <= bru.whole["clocks"]["left"][1] <= 59_500
            hurry(server, room, 1)
            bru.hello(tokens[1])  # hello looks at the clocks again
            lost: dict[str, Any] = bru.event(3)
    assert lost["over"]["reason"] == "time"
