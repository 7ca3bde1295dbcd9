"""What one address asks for holds no other up: thoughts, analyses, records from outside; and nothing takes for ever."""

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

import ludoteca
from ludoteca.core.record import FromPosition, Record
from ludoteca.server.jobs import Listener, Think, Thought, ignore_progress
from ludoteca.server.shares import Turns
from ludoteca.server.thinking import analyses
from ludoteca.server.thinking import workers as processes
from ludoteca.server.thinking.process import ThinkingProcess
from tests.server.serving import PATIENCE, QUICK, Served, agent, me, serve
from tests.server.test_agents_think import job, some_workers
from tests.server.test_rooms import SMALL, move, wait_until

ANA, BRU = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}

# turns


async def settled() -> None:
    """Until every task waits."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_who_asks_often_waits_for_himself() -> None:
    turns, got = Turns(["pen"]), []

    async def ask(whose: str) -> None:
        async with turns.turn(whose):
            await settled()  # the others ask meanwhile
            got.append(whose)

    first = [asyncio.create_task(ask("ana")) for _ in range(30)]
    await asyncio.sleep(0)
    await asyncio.gather(*first, *(asyncio.create_task(ask(whose)) for whose in ("bru", "bru", "clara")))
    assert got[:6] == ["ana", "bru", "clara", "ana", "bru", "ana"]


async def test_who_comes_back_again_and_again_does_not_go_before_who_waits() -> None:
    turns, got = Turns(["pen"]), []

    async def ask(whose: str, times: int) -> None:
        for _ in range(times):
            async with turns.turn(whose):
                await settled()
                got.append(whose)

    await asyncio.gather(ask("ana", 5), ask("bru", 1), ask("bru", 1), ask("bru", 1))
    assert got == ["ana", "bru", "bru", "ana", "bru", "ana", "ana", "ana"]


async def test_who_stops_waiting_takes_nothing_along() -> None:
    turns = Turns(["pen"])

    async def ask() -> None:
        async with turns.turn("ana"):
            pass

    async with turns.turn("ana"):
        tasks = [asyncio.create_task(ask()) for _ in range(3)]
        await settled()
        tasks[1].cancel()
        await settled()
    tasks[0].cancel()  # it was just given the pen
    await asyncio.gather(*tasks, return_exceptions=True)
    assert ([task.cancelled() for task in tasks], turns._free) == ([True, True, False], ["pen"])


async def test_so_many_may_ask_in_all_and_each() -> None:
    turns = Turns(["pen"], most=3, most_each=2)

    async def may(whose: str) -> bool:
        """Whether one may wait, as all do until they are cancelled."""
        waiting.append(asyncio.create_task(turns.turn(whose).__aenter__()))
        await settled()
        return not waiting[-1].done()

    waiting: list[asyncio.Task[str]] = []
    async with turns.turn("ana"):
        answers = [await may(whose) for whose in ("ana", "ana", "bru", "clara")]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert [*answers, await may("clara")] == [True, False, True, False, True]


# thoughts


@pytest.mark.usefixtures("compiled")
async def test_agents_that_do_not_search_wait_for_no_search() -> None:
    async with some_workers() as workers:
        long = asyncio.create_task(workers.think(job("600s", "okupacio")))
        await asyncio.gather(workers.think(job("random")), workers.think(job("greedy")))
        is_done = long.done()
        long.cancel()
        await asyncio.gather(long, return_exceptions=True)
    assert not is_done


@pytest.mark.usefixtures("compiled")
def test_rooms_take_turns_by_the_address_that_made_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As each room has one thought at a time, another room would wait for one of each."""
    count, order = 5, list[tuple[str, str]]()
    with serve(tmp_path / "games.sqlite") as server, ExitStack() as stack:
        workers = server.rooms.workers
        think = workers.think

        async def noted(job: Think, whose: str = "", listen: Listener = ignore_progress) -> Thought:
            order.append(("asks", whose))
            thought = await think(job, whose, listen)
            order.append(("has", whose))
            return thought

        monkeypatch.setattr(workers, "think", noted)
        for _ in range(count):
            made = made_at(server, ANA, agent("8"), agent("8"), parameters={"board": "8x8"})
            stack.enter_context(server.join(made["room"]))
        wait_until(lambda: len(workers.turns_to_search._waiting) == count - 1)
        made = made_at(server, BRU, me(), agent("5"), parameters=SMALL)
        with server.join(made["room"], made["token"]) as bru:
            move(bru)
            bru.event(2)
    asked, had = (order.index((what, BRU["X-Forwarded-For"])) for what in ("asks", "has"))
    assert order[asked:had].count(("has", ANA["X-Forwarded-For"])) <= 1


def made_at(server: Served, whose: dict[str, str], *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A room made from that address."""
    answer = server.http.post("/api/rooms", json={"game": "okupacio", "seats": list(seats), **more}, headers=whose)
    made: dict[str, Any] = answer.json()
    return made


@contextmanager
def stopped(worker: ThinkingProcess) -> Iterator[int]:
    """A process that hangs meanwhile; it may be ended and replaced."""
    assert worker._process
    pid = worker._process.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        yield pid
    finally:
        if worker._process and worker._process.pid == pid:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.usefixtures("compiled")
def test_a_process_that_hangs_is_replaced_and_the_game_goes_on(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite") as server:
        made = server.make("okupacio", me(), agent("5"), parameters=SMALL)
        with server.join(made["room"], made["token"]) as client:
            move(client)
            choices = client.event(2)["choices"]
            server.rooms.workers._settings = replace(QUICK, thought=1.0)  # which a busy machine may need for a thought
            with stopped(server.rooms.workers._searchers[0]) as pid:
                client.ask("play", action=choices[0][0])
                assert client.event(4)["line"]["player"] == 1
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


@pytest.mark.usefixtures("compiled")
def test_an_agent_that_takes_too_long_again_and_again_has_its_move_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "most_seconds", lambda _: -QUICK.thought)  # no time at all for those that search
    with serve(tmp_path / "games.sqlite") as server:
        made = server.make("okupacio", me(), agent("8"), parameters={"board": "8x8"})
        with server.join(made["room"], made["token"]) as client:
            move(client)
            assert client.until("note/hurried")["player"] == 1
            assert client.event(2)["line"]["player"] == 1


# analyses


def given_up(server: Served) -> str:
    """The address of the analysis of a game that ended soon."""
    made = server.make("okupacio", me(), agent("random"), parameters=SMALL)
    with server.join(made["room"], made["token"]) as client:
        client.ask("resign")
    return f"/api/rooms/{made['room']}/analysis"


@pytest.mark.usefixtures("compiled")
def test_an_address_has_its_share_of_analyses_and_another_is_served(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, analyses_of_address=1)) as server:
        games = [given_up(server) for _ in range(3)]
        analyst = server.rooms.workers._analyst
        assert server.http.post(games[0], headers=ANA).status_code == 202
        wait_until(lambda: analyst._process is not None)
        with stopped(analyst):
            refused = server.http.post(games[1], headers=ANA)
            assert (refused.status_code, refused.json()["code"]) == (409, "busy")
            assert server.http.post(games[2], headers=BRU).status_code == 202
        wait_until(lambda: server.http.get(games[2]).json()["state"] == "done")


@pytest.mark.usefixtures("compiled")
def test_an_analysis_whose_time_is_up_has_what_was_found_and_the_next_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would take a minute. A busy machine may not come to the first move in time: then it is begun again."""
    monkeypatch.setattr(processes, "NICE_BESIDE", 0)
    monkeypatch.setattr(analyses, "SIMULATIONS", 500)
    with serve(tmp_path / "games.sqlite", replace(QUICK, analysis=6, reading=PATIENCE)) as server:
        room = server.http.post("/api/records", content=record("okupacio", board="25x25")).json()["room"]
        long, short = f"/api/rooms/{room}/analysis", given_up(server)
        server.http.post(long)
        server.http.post(short)
        wait_until(lambda: server.http.post(long).json()["state"] == "done")
        found = server.http.get(long).json()
        assert 0 < len(found["moves"]) < found["total"]
        wait_until(lambda: server.http.get(short).json()["state"] == "done")


# records from outside


def record(game: str = "conclave", **parameters: Any) -> str:
    """The record of a game that is played to the end, by whoever."""
    state, random = ludoteca.load(game, **parameters).new_initial_state(1), Random(1)
    concede = state.game.rules.CONCEDE
    while not state.is_terminal():
        state.apply_action(random.choice([action for action in state.legal_actions() if action != concede]))
    return state.serialize()


def test_while_records_are_read_rooms_are_woken_and_made_and_records_are_given(tmp_path: Path) -> None:
    """Where reading takes long: the process that reads is stopped. An address has its share of what waits."""
    settings = replace(QUICK, idle=0.1, records_of_address=8)
    with serve(tmp_path / "games.sqlite", settings) as server, ThreadPoolExecutor(12) as posting:
        room = server.http.post("/api/records", content=record()).json()["room"]
        with stopped(server.rooms.workers._reader):
            posted = [posting.submit(post_record, server, ANA) for _ in range(8)]
            wait_until(lambda: server.rooms.workers._turns_to_read._asked.total() == 8)
            assert post_record(server, ANA).json()["code"] == "busy"
            posted.append(posting.submit(post_record, server, BRU))
            wait_until(lambda: room not in server.rooms.awake)
            assert server.http.get(f"/api/rooms/{room}/record").status_code == 200
            made = server.make("okupacio", me(), agent("random"), parameters=SMALL)
            with server.join(made["room"], made["token"]) as client:
                assert move(client)["t"] == "done"
            assert not any(answer.done() for answer in posted)
        assert [answer.result().status_code for answer in posted] == [201] * 9


def post_record(server: Served, whose: dict[str, str]) -> httpx.Response:
    return server.http.post("/api/records", content=record(), headers=whose)


def test_a_record_that_takes_too_long_is_refused_and_others_are_read(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, reading=1.0)) as server:
        wait_until(lambda: post_record(server, ANA).status_code == 201)
        with stopped(server.rooms.workers._reader):
            refused = post_record(server, ANA)
            assert (refused.status_code, refused.json()["code"]) == (413, "costly")
            wait_until(lambda: post_record(server, ANA).status_code == 201)


def test_what_a_record_is_filled_with_is_not_kept(tmp_path: Path) -> None:
    start = ludoteca.load("conclave").new_initial_state(1)
    whole = start.child(start.legal_actions()[0]).to_record()
    written = msgspec.structs.replace(
        whole, start=FromPosition(str(start) + " " * 100_000), actions=[whole.actions[0] + " " * 100_000]
    ).sealed()
    with serve(tmp_path / "games.sqlite") as server:
        room = server.http.post("/api/records", content=written.to_json() + " " * 100_000).json()["room"]
        kept = server.rooms.awake.get(room)
        text = server.http.get(f"/api/rooms/{room}/record").text
        assert kept is None
        assert len(text) < 2000
        assert Record.from_json(text).actions == whole.actions
