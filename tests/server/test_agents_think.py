"""Agents in processes of their own: they play, explain, analyse, and one that dies harms nobody."""

import asyncio
import gc
import os
import shutil
import signal
import subprocess
import sys
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.core import codecache
from ludoteca.core.seeds import derived_seed
from ludoteca.server.jobs import WHOLE, Compile, Found, Read, Think, frame, ignore_progress
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings
from ludoteca.server.thinking import analyses, compilations, process
from ludoteca.server.thinking.process import LostProcessError, ThinkingProcess
from ludoteca.server.thinking.workers import Workers
from tests.server.serving import PATIENCE, Served, agent, me, serve
from tests.server.test_protocol import play_to_the_end
from tests.server.test_rooms import SMALL, wait_until


@asynccontextmanager
async def some_workers(count: int = 1) -> AsyncIterator[Workers]:
    workers = Workers(Settings(workers=count))
    try:
        yield workers
    finally:
        await workers.close()


def job(name: str = "greedy", game: str = "conclave") -> Think:
    state = ludoteca.load(game).new_initial_state(1)
    player = state.current_player()
    return Think(
        game=game,
        parameters=state.game.parameters,
        player=player,
        view=state.view(player).tobytes(),
        seen=tuple(state.seen_actions(player)),
        agent=name,
        seed=derived_seed(1).to_bytes(16, "big"),
    )


async def test_what_cannot_be_thought_is_refused_and_the_process_goes_on() -> None:
    async with some_workers() as workers:
        with pytest.raises(RefusalError) as refused:
            await workers.think(job("deep"))
        await workers.think(job())
    assert "deep" in str(refused.value)


def kill(workers: Workers) -> int:
    """Kill all processes that run. Return their number."""
    processes = [*workers._searchers, workers._simple, workers._analyst, workers._reader, workers._compiler]
    running = [each._process.pid for each in processes if each._process and each._process.returncode is None]
    for pid in running:
        os.kill(pid, signal.SIGKILL)
    return len(running)


@pytest.mark.usefixtures("compiled")
async def test_a_job_whose_process_is_killed_is_done_in_a_new_one() -> None:
    async with some_workers() as workers:
        await workers.think(job())
        killed = kill(workers)
        await workers.think(job())  # its process was killed before
        begun = asyncio.Event()
        thought = asyncio.create_task(workers.think(job("1s", "okupacio"), listen=lambda _: begun.set()))
        await begun.wait()
        killed += kill(workers)
        await thought
    assert killed == 3


async def test_a_job_that_ends_its_processes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "WORKER", "this")  # a module that ends at once

    async with some_workers() as workers:
        with pytest.raises(LostProcessError):
            await workers.think(job())


@pytest.mark.usefixtures("compiled")
async def test_an_analysis_whose_process_is_killed_has_every_move_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "SIMULATIONS", 20_000)
    state = ludoteca.load("okupacio", board="4x4").new_initial_state(1)
    while not state.is_terminal():
        state = state.child(state.legal_actions()[0])

    async with some_workers() as workers:
        for _ in range(20):  # a busy machine may report all moves at once
            analysis = analyses.Analyses(workers, Settings()).begin("room", state, "")
            while not analysis.moves:
                await asyncio.sleep(0.01)
            if analysis.state == "thinking":
                break
        assert analysis.state == "thinking"
        assert kill(workers) == 1
        while analysis.state != "done":
            await asyncio.sleep(0.01)
        assert [move.number for move in analysis.moves] == list(range(1, len(state.history()) + 1))


@pytest.mark.soak
def test_after_all_processes_are_killed_a_move_comes_and_waits_for_no_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is compiled here. Compiling takes most of a minute, and the room reports it if a move waits for it."""
    monkeypatch.setenv(codecache.ENVIRONMENT, str(tmp_path / "cache"))
    with serve(tmp_path / "games.sqlite") as server:
        made = server.make("okupacio", me(), agent("8"), parameters=SMALL)
        with server.join(made["room"], made["token"]) as client:
            choices = client.whole["choices"]
            for n in (0, 2):
                client.ask("play", action=choices[0][0])
                choices = client.event(n + 2)["choices"]
                wait_until(lambda: server.rooms.workers._compiler._process is not None)
                assert kill(server.rooms.workers) >= 2
            assert "compiling" not in {frame.get("kind") for frame in client.heard}


@pytest.mark.usefixtures("compiled")
async def test_a_cancelled_thought_leaves_its_process_free() -> None:
    async with some_workers() as workers:
        begun = asyncio.Event()
        long = asyncio.create_task(workers.think(job("600s", "okupacio"), listen=lambda _: begun.set()))
        await begun.wait()
        long.cancel()
        await asyncio.gather(long, return_exceptions=True)
        await asyncio.wait_for(workers.think(job("5", "okupacio")), PATIENCE)


def keep_all_but_search(cache: Path) -> None:
    """Fill a cache so that compiling takes a few seconds."""
    for code in codecache.root().glob("*.okupacio.*.code"):
        if "+ludoteca.core.steps-" not in code.name:
            shutil.copy(code, cache)


@pytest.mark.soak
@pytest.mark.usefixtures("compiled")
async def test_what_is_not_compiled_is_compiled_beside_and_the_answer_does_not_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_all_but_search(tmp_path)
    monkeypatch.setenv(codecache.ENVIRONMENT, str(tmp_path))

    async with some_workers() as workers:
        asked, percents, over = job("1000000x", "okupacio"), [], asyncio.Event()

        def follow(percent: int) -> None:
            percents.append(percent)
            if percent == WHOLE:
                over.set()

        weaker = [(await workers.think(asked)).is_weaker]
        workers.compilations.follow(asked.game, asked.parameters, follow)
        await over.wait()
        asked.agent = "1x"
        weaker.append((await workers.think(asked)).is_weaker)
        assert workers.compilations.is_of_use
    assert weaker == [True, False]
    assert percents == sorted(set(percents))
    assert percents[-1] == WHOLE
    assert len(percents) > 10
    assert any(tmp_path.glob("*okupacio*+ludoteca.core.steps-*.code"))


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(("patience", "hurries"), [(compilations.STAND_BACK_SECONDS, [False]), (0.0, [False, True])])
async def test_a_compilation_stands_back_for_a_limited_time(
    patience: float, hurries: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilations, "STAND_BACK_SECONDS", patience)
    async with some_workers() as workers:
        asked, over, ask = list[bool](), asyncio.Event(), workers._compiler.ask

        async def listen(job: Compile, *rest: Any) -> Any:
            asked.append(job.hurries)
            return await ask(job, *rest)

        monkeypatch.setattr(workers._compiler, "ask", listen)
        game = job(game="okupacio")
        workers.compilations.begin(game.game, game.parameters)
        workers.compilations.follow(game.game, game.parameters, lambda percent: over.set() if percent == WHOLE else None)
        await over.wait()
        assert workers.compilations.is_of_use
        assert asked == hurries


async def test_processes_stand_back_but_for_what_compiles_and_end_with_the_server() -> None:
    async with some_workers() as workers:
        await workers.think(job())
        process = workers._simple._process
        assert process
        threads = Path(f"/proc/{process.pid}/task").iterdir()
        priorities = {int(thread.name): os.getpriority(os.PRIO_PROCESS, int(thread.name)) for thread in threads}
        pid, nice, others = process.pid, priorities.pop(process.pid), set(priorities.values())
    assert nice >= 10
    assert os.getpriority(os.PRIO_PROCESS, 0) in others
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_process_whose_server_was_killed_while_it_asked_ends_and_says_nothing() -> None:
    for part in (frame(job())[:3], frame(job())[:-1]):
        with started_alone() as process:
            assert process.communicate(part) == (b"", b"")
        assert process.returncode == 0


def started_alone() -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "ludoteca.server.thinking.worker", "0"], stdin=pipe, stdout=pipe, stderr=pipe
    )


@pytest.mark.soak
@pytest.mark.usefixtures("compiled")
def test_an_analysis_says_how_much_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_all_but_search(tmp_path)
    monkeypatch.setenv(codecache.ENVIRONMENT, str(tmp_path))
    state = ludoteca.load("okupacio", board="4x4").new_initial_state(1)
    state = state.child(state.legal_actions()[0])

    async def analyse() -> list[int]:
        async with some_workers() as workers:
            found, percents = analyses.Analyses(workers, Settings()).begin("room", state, ""), []
            while not found.moves:
                if found.state == "compiling":
                    percents.append(found.percent)
                await asyncio.sleep(0.01)
            return percents

    percents = asyncio.run(analyse())
    assert percents == sorted(percents)
    assert len(set(percents)) > 10
    assert percents[-1] > 90


@pytest.mark.usefixtures("compiled")
def test_an_agent_that_searches_says_what_it_does(server: Served) -> None:
    made = server.make("okupacio", me(), agent("5"), parameters=SMALL)
    with server.join(made["room"], made["token"]) as client:
        client.ask("play", action=client.whole["choices"][0][0])
        note = client.until("note")
        assert (note["kind"] in ("compiling", "thinking"), note["player"]) == (True, 1)
        assert client.event(2)["line"]["player"] == 1


@pytest.mark.usefixtures("compiled")
def test_a_hint_can_be_played(server: Served) -> None:
    made = server.make("okupacio", me(), agent(), parameters=SMALL)
    with server.join(made["room"], made["token"]) as client:
        hint = client.ask("hint")
        assert (hint["t"], hint["n"]) == ("hinted", 0)
        assert [hint["action"], hint["touches"]] in [choice[:2] for choice in client.whole["choices"]]
        assert (hint["line"][0]["player"], hint["line"][0]["told"][0]) == (0, "told.takes")
        assert hint["worth"][0] in ("advice.win", "advice.open")
        assert not hint["is_guess"]
        assert 0 <= hint["value"] <= 1
        assert client.ask("play", action=hint["action"])["t"] == "done"
        assert client.ask("hint", n=0)["code"] == "stale"


@pytest.mark.usefixtures("compiled")
def test_an_analysis_of_a_room(server: Served) -> None:
    made = server.make("okupacio", me(), agent(), parameters=SMALL)
    where = f"/api/rooms/{made['room']}/analysis"
    assert server.http.get(where).json()["code"] == "running"
    assert server.http.post(where).json()["code"] == "running"
    with server.join(made["room"], made["token"]) as client:
        play_to_the_end(client)
        ply = client.hello(made["token"])["ply"]
    none = server.http.get(where).json()
    assert (none["state"], none["total"], none["moves"]) == ("none", ply, [])
    assert server.http.post(where).status_code == 202
    wait_until(lambda: server.http.get(where).json()["state"] in ("done", "failed"))
    found = server.http.get(where).json()
    assert (found["state"], found["total"], len(found["moves"]), found["utility"]) == ("done", ply, ply, "win")
    assert set(found["moves"][0]) == {
        "number",
        "player",
        "action",
        "values",
        "cost",
        "interval",
        "certain",
        "better",
        "played",
        "best",
    }
    assert set(found["costly"]).isdisjoint(found["unsure"])


async def cancel_twice() -> None:
    """Cancel the start of a process, and the wait for its end, as a server that ends does."""
    started = ThinkingProcess(0)
    asked = asyncio.create_task(started.ask(Read(""), PATIENCE, ignore_progress, Found))
    for _ in range(2):
        await asyncio.sleep(0)
        asked.cancel()
    await started.stop()


def test_a_start_that_is_cancelled_twice_leaves_no_pipe_open() -> None:
    with warnings.catch_warnings(record=True) as left:
        warnings.simplefilter("always", ResourceWarning)
        asyncio.run(cancel_twice())
        gc.collect()
    assert [str(found.message) for found in left] == []
