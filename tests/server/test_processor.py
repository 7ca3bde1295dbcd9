"""Addresses share the processor's time: an address that uses much of it takes nothing from the others."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from ludoteca.server.measures import REFUSALS
from ludoteca.server.processor import Processor
from ludoteca.server.settings import Rate, Settings
from tests.server.serving import OPEN, PATIENCE, QUICK, Client, Served, me, serve
from tests.server.test_protocol import play_to_the_end

MEAN, OTHER = "127.0.0.2", "127.0.0.3"
NEVER = 0.001
"""Milliseconds a second that are of no use within a test."""


def test_spectators_who_look_back_again_and_again_take_no_time_from_another_address(tmp_path: Path) -> None:
    """A look on this board takes half a millisecond or more."""
    times, limits = 50, replace(QUICK, processor_of_address=Rate(50, NEVER))
    with serve(tmp_path / "games.sqlite", limits) as server, ExitStack() as held:
        room = server.make("okupacio", me(), OPEN, parameters={"board": "25x25"})["room"]
        mean = [held.enter_context(server.connect(room, MEAN)) for _ in range(10)]
        honest = held.enter_context(server.connect(room, OTHER))
        for client in (*mean, honest):
            client.hello()
        answers = [client.ask("look", ply=0).get("code", "past") for _ in range(times) for client in mean]
        assert answers.count("past") < len(answers) / 2
        assert set(answers[-len(mean) :]) == {"rate"}
        assert [honest.ask("look", ply=0)["t"] for _ in range(10)] == ["past"] * 10


@pytest.mark.soak
def test_thirty_people_of_one_address_play_without_a_refusal(tmp_path: Path) -> None:
    before = list(REFUSALS.collect())
    with serve(tmp_path / "games.sqlite", Settings(workers=1)) as server, ExitStack() as held:
        seats: list[Client] = []
        for _ in range(15):
            made = server.make("okupacio", me(), OPEN, parameters={"board": "4x4"})
            friend = server.take(made["room"], "Ion")
            for path in ("/", f"/room/{made['room']}"):
                assert server.http.get(path).status_code == 200
            seats += [held.enter_context(server.join(made["room"], seat["token"])) for seat in (made, friend)]
        with ThreadPoolExecutor(len(seats)) as people:
            list(people.map(play_to_the_end, seats))
        assert list(REFUSALS.collect()) == before


def get(server: Served, path: str, source: str) -> httpx.Response:
    """The answer that a Romanian at that address gets."""
    transport = httpx.HTTPTransport(local_address=source)
    with httpx.Client(transport=transport, headers={"accept-language": "ro"}, timeout=PATIENCE) as http:
        return http.get(f"http://{server.address}{path}")


def test_an_address_without_time_is_refused_in_words_and_others_are_served(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, processor_of_address=Rate(1, NEVER))) as server:
        assert get(server, "/", MEAN).status_code == 200
        page, listed = get(server, "/", MEAN), get(server, "/api/games", MEAN)
        assert (page.status_code, page.text) == (429, "prea multe cereri deodată: așteaptă puțin\n")
        assert (listed.status_code, listed.json()["code"]) == (429, "rate")
        with pytest.raises(InvalidStatus), server.connect("any", MEAN):
            pass
        assert get(server, "/", OTHER).status_code == 200


# what is charged

OWN = 0.02


def use_processor(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_an_address_is_charged_with_its_work_in_threads() -> None:
    processor = Processor(Rate(1000 * OWN, NEVER))
    asyncio.run(processor.in_thread("a", use_processor, OWN))
    assert not processor.has_any("a")
    assert processor.has_any("b")
