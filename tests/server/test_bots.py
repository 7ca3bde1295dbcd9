"""Whole games of programs in rooms: `ludoteca bot connect` with a real server and real programs."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.arena.programs.conversation import Conversation
from ludoteca.arena.programs.limits import Limits
from ludoteca.cli.seat import Link, Seat, take_seat
from ludoteca.server.frames import Over
from tests.arena.programs import script
from tests.server.serving import OPEN, PATIENCE, Served, agent, me, serve
from tests.server.test_connect import EXAMPLES, FIRST, link_to, seat
from tests.server.test_protocol import play_to_the_end

HASTY = (sys.executable, str(EXAMPLES / "hasty.py"))
SLOWLY = Limits(start=PATIENCE, move=PATIENCE)


def test_two_programs_play_a_whole_game(server: Served) -> None:
    made = server.make("conclave", OPEN, OPEN)
    link, ends, said = Link.read(link_to(server, made["room"])), list[Over](), list[str]()

    def sit(program: Conversation) -> None:
        try:
            ends.append(Seat(link, take_seat(link, "Bot", said.append), program, said.append).play())
        finally:
            program.close()

    threads = [threading.Thread(target=sit, args=(Conversation(command, SLOWLY),)) for command in (FIRST, HASTY)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [over.reason for over in ends] == ["end", "end"]
    assert ends[0] == ends[1]
    assert {text.partition(";")[0] for text in said if text.startswith("seat ")} == {
        f"seat {n} of 2, conclave" for n in (1, 2)
    }


def test_a_program_plays_against_agents(server: Served) -> None:
    made = server.make("cartas", me(), *[agent("random")] * 3)
    done = seat(link_to(server, made["room"], made["token"]), *FIRST)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("the game is over (end): scores [")


def test_what_is_tolerated_in_the_arena_is_tolerated_in_a_room(server: Served, tmp_path: Path) -> None:
    shouting = script(tmp_path, move=r"""echo '# hm'; printf ' %s\r\n' "$first" | tr a-z A-Z; first=""")
    made = server.make("okupacio", me(), agent("random"), parameters={"board": "4x4"})
    assert seat(link_to(server, made["room"], made["token"]), *shouting).exit_code == 0


@pytest.fixture
def program() -> Iterator[Conversation]:
    conversation = Conversation(FIRST, SLOWLY)
    yield conversation
    conversation.close()


def test_the_time_that_the_rooms_clock_leaves_is_told(server: Served, program: Conversation) -> None:
    clock = {"bank": 600, "increment": 5}
    made = server.make("okupacio", me(), agent("random"), parameters={"board": "4x4"}, clock=clock)
    Seat(Link.read(link_to(server, made["room"])), made["token"], program, print).play()
    left = [line.split()[2:] for line in program.exchange if line.startswith("> move ")]
    assert left
    for move, bank in left:
        assert float(move) == PATIENCE
        assert 300 < float(bank) < 700


def test_it_plays_on_when_the_server_is_started_again(tmp_path: Path, program: Conversation) -> None:
    data, said, ends = tmp_path / "games.sqlite", list[str](), list[Over]()
    with serve(data) as server:
        port = int(server.address.rpartition(":")[2])
        made = server.make("okupacio", me(), OPEN, parameters={"board": "4x4"})
        token = server.take(made["room"], "Bru")["token"]
        sitting = Seat(Link.read(link_to(server, made["room"])), made["token"], program, said.append)
        playing = threading.Thread(target=lambda: ends.append(sitting.play()))
        playing.start()
        with server.join(made["room"], token) as other:
            now = other.whole
            while now["mover"] != 1:
                now = other.until("event")
    with serve(data, port=port) as server, server.join(made["room"], token) as other:
        assert other.whole["ply"] == 1
        play_to_the_end(other)
        playing.join(PATIENCE)
        assert not playing.is_alive()
    ((over),) = ends
    assert over.reason == "end"
    assert any("trying again" in text for text in said)
