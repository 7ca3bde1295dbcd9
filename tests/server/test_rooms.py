"""Rooms: seats, presence, giving up, being replaced, rematches, looking back, records, restarts, failures of the store."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from ludoteca.core.game import load
from ludoteca.server.processor import Processor
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.settings import Settings
from ludoteca.server.store.store import Store
from ludoteca.server.thinking.workers import Workers
from tests.server.serving import OPEN, PATIENCE, Client, Served, agent, me, serve
from tests.server.test_protocol import closing_code, play_to_the_end

SMALL = {"board": "4x4"}


def friends(server: Served, game: str = "okupacio", players: int = 2, **more: Any) -> tuple[str, list[str]]:
    """A room of persons, all seats taken, and their secrets."""
    made = server.make(game, me(), *[OPEN] * (players - 1), **more)
    tokens = [made["token"], *(server.take(made["room"], f"P{n}")["token"] for n in range(1, players))]
    return made["room"], tokens


def three(server: Served) -> tuple[str, list[str]]:
    return friends(server, players=3, parameters=SMALL | {"players": 3})


def move(client: Client) -> dict[str, Any]:
    """Play the first choice of the client's."""
    choices = [frame["choices"] for frame in [client.whole, *client.heard] if frame.get("choices")][-1]
    return client.ask("play", action=choices[0][0])


def test_a_socket_outlives_the_time_for_a_request(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", Settings(workers=1, head_within=1.0)) as server:
        room, tokens = friends(server)
        with server.join(room, tokens[0]) as ana:
            time.sleep(2.0)  # longer than a request may take: what is tested is that nothing happens
            assert ana.ask("read")["t"] == "text"


async def test_no_task_goes_on_when_the_rooms_have_stopped(tmp_path: Path) -> None:
    store, settings = Store.open(str(tmp_path / "games.sqlite")), Settings(workers=1)
    rooms = Rooms(store, Workers(settings), settings, Processor(settings.processor_of_address))
    await rooms.start()
    await asyncio.sleep(0)
    await rooms.stop()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    await store.close()
    assert left == set()


# seats


def test_the_game_begins_when_all_seats_are_taken(server: Served) -> None:
    made = server.make("okupacio", me(), OPEN, parameters=SMALL)
    with server.join(made["room"], made["token"]) as ana:
        assert (ana.whole["mover"], ana.whole["choices"]) == (-1, [])
        assert ana.ask("play", action="0")["code"] == "open"
        taken = server.take(made["room"], "  Bru\u0007  Pla ")
        event = ana.event(1)
        assert (event["kind"], event["mover"], event["seats"][1]["name"]) == ("seats", 0, "Bru Pla")
        assert event["choices"]
        assert taken["seat"] == 1
    refused = server.http.post(f"/api/rooms/{made['room']}/seats", json={"name": "Carles"})
    assert (refused.status_code, refused.json()["code"]) == (409, "taken")


def test_secrets_are_stored_as_digests_only(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with serve(data) as server:
        _, tokens = friends(server, parameters=SMALL)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert stored
    assert not any(token.encode() in stored for token in tokens)
    assert all(len(token) >= 22 for token in tokens)  # 128 bits of base64


# giving up


def test_where_the_rules_have_giving_up_it_is_an_action(server: Served) -> None:
    room, tokens = three(server)
    with server.join(room, tokens[2]), server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        assert ana.whole["give_up"] in [choice[0] for choice in ana.whole["choices"]]
        assert ana.ask("resign")["t"] == "done"
        event = bru.event(3)
        assert (event["kind"], event["mover"], event["line"]["player"]) == ("move", 1, 0)


def test_of_more_an_agent_plays_on(server: Served) -> None:
    room, tokens = friends(server, "cartas", 4)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[2]) as carla:
        assert carla.ask("resign")["t"] == "done"
        seat = ana.event(4)["seats"][2]
        assert (seat["kind"], seat["agent"], seat["resigned"]) == ("agent", "greedy", True)
        assert [frame["you"] for frame in carla.heard if frame["t"] == "room"] == [2, -1]  # now she sees what anybody does
        assert carla.hello(tokens[2])["you"] == -1


def test_of_who_withdraws_and_who_agrees_the_first_one_counts(server: Served) -> None:
    room, tokens = friends(server, parameters=SMALL)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        for first in (ana, bru) * 5:
            for client, token in zip((ana, bru), tokens, strict=True):
                if client.hello(token)["choices"]:
                    move(client)
            what = f"undo {ana.n} 0"
            assert ana.ask("undo")["t"] == "done"
            for client in (first, bru if first is ana else ana):
                client.send({"t": "decline" if client is ana else "agree", "id": 1 << 20, "what": what})
            answers = [client.until("done", "error") for client in (ana, bru)]
            assert sorted(answer.get("code", "done") for answer in answers) == ["done", "nobody"]
            assert bru.hello(tokens[1])["asked"] == {}


# rematches


def test_a_rematch_has_the_same_secrets_and_another_first_player(server: Served) -> None:
    room, tokens = friends(server, "conclave", listed=True, clock={"bank": 60, "increment": 1})
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        assert ana.ask("rematch")["code"] == "running"
        ana.ask("resign")
        assert ana.ask("rematch")["t"] == "done"
        assert bru.event(3)["asked"] == {"rematch": [0]}
        assert bru.ask("rematch")["t"] == "done"
        following = ana.event(4)["over"]["rematch"]
        assert ana.ask("rematch")["code"] == "duplicate"
        with server.join(following, tokens[0]) as again:
            assert (again.whole["you"], again.whole["mover"]) == (1, 0)
            assert [seat["name"] for seat in again.whole["seats"]] == ["P1", "Ana"]
            assert again.whole["clock"] == {"bank": 60, "increment": 1}
            assert again.whole["commitment"] != ana.whole["commitment"]


# programs, which read texts


def test_each_seat_reads_the_position_as_it_sees_it_and_its_own_moves(server: Served) -> None:
    room, tokens = friends(server, "conclave")
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru, server.join(room) as eve:
        read = [client.ask("read") for client in (ana, bru, eve)]
        assert [len({text["position"] for text in read}), read[1]["moves"], read[2]["moves"]] == [3, [], []]
        assert len(read[0]["moves"]) == len(ana.whole["choices"])
        assert ana.ask("write", text=read[0]["moves"][0])["t"] == "done"
        assert ana.ask("read")["ply"] == 1


def test_what_gives_up_is_named_among_the_moves(server: Served) -> None:
    made = server.make("okupacio", me(), agent(), parameters=SMALL)
    with server.join(made["room"], made["token"]) as client:
        read = client.ask("read")
        assert (read["give_up"], read["moves"][-1]) == ("00", "00")


# looking back, records, playing on


def test_looking_back(server: Served) -> None:
    made = server.make("conclave", me(), agent())
    with server.join(made["room"], made["token"]) as client:
        first = client.whole["scene"]
        assert client.ask("look", ply=0)["scene"] == first
        assert client.ask("look", ply=0, player=-1)["scene"] != first
        assert client.ask("look", ply=0, player=1)["code"] == "running"
        play_to_the_end(client)
        ply = [frame for frame in client.heard if frame["t"] == "event"][-1]["ply"]
        others = client.ask("look", ply=ply // 2, player=1)
        assert (others["ply"], others["player"]) == (ply // 2, 1)
        assert client.ask("look", ply=ply)["scene"] == client.hello(made["token"])["scene"]
        assert client.ask("look", ply=ply + 1)["code"] == "ply"


def test_a_record_opens_as_a_room_and_plays_on(server: Served) -> None:
    made = server.make("conclave", me(), agent())
    with server.join(made["room"], made["token"]) as client:
        play_to_the_end(client)
    text = server.http.get(f"/api/rooms/{made['room']}/record").text
    room = server.http.post("/api/records", content=text).json()["room"]
    with server.join(room) as reader:
        whole = reader.whole
        assert (whole["over"]["reason"], whole["mover"], whole["commitment"]) == ("record", -4, "")
        assert len(whole["log"]) == whole["ply"]
        assert reader.ask("look", ply=3, player=1)["t"] == "past"
        assert reader.ask("rematch")["code"] == "seat"
    assert server.http.get(f"/api/rooms/{room}/record").text == text
    onward = server.make("", me(), agent(), **{"from": {"room": room, "ply": 6}})
    with server.join(onward["room"], onward["token"]) as client:
        assert (client.whole["ply"], client.whole["commitment"]) == (0, "")
        play_to_the_end(client)


@pytest.mark.parametrize(("ply", "code"), [(-1, "ply"), (99, "ply"), (2, "over")])
def test_positions_that_cannot_be_played_on(server: Served, ply: int, code: str) -> None:
    made = server.make("okupacio", me(), agent(), parameters=SMALL)
    with server.join(made["room"], made["token"]) as client:
        move(client)
        client.event(2)
        client.ask("resign")
        over = client.hello(made["token"])["ply"]
    body = {"seats": [me(), OPEN], "from": {"room": made["room"], "ply": ply if code == "ply" else over}}
    assert server.http.post("/api/rooms", json=body).json()["code"] == code


def test_nobody_plays_on_from_a_running_game(server: Served) -> None:
    room, _ = friends(server, "conclave")
    body = {"seats": [me(), OPEN], "from": {"room": room, "ply": 0}}
    assert server.http.post("/api/rooms", json=body).json()["code"] == "running"


# restarts and failures


def test_a_restart_changes_nothing(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with serve(data) as server:
        room, tokens = friends(server, "conclave")
        with server.join(room, tokens[0]) as ana:
            for _ in range(2):
                move(ana)
            before = ana.hello(tokens[0])
        with server.join(room, tokens[1]) as bru:
            other = bru.whole
    with serve(data) as server:
        with server.join(room, tokens[0]) as ana:
            assert ana.whole == before
        with server.join(room, tokens[1]) as bru:
            assert bru.whole == other


def test_a_room_that_was_just_made_can_be_deleted(own_server: Served) -> None:
    made = own_server.make("okupacio", me(), OPEN)
    own_server.http.delete(
        f"/api/rooms/{made['room']}", headers={"Authorization": f"Bearer {made['key']}"}
    ).raise_for_status()
    own_server.rooms.retention._deleted.clear()  # as an hour later
    late = own_server.http.post(f"/api/rooms/{made['room']}/seats", json={"name": "Bru"})
    assert (late.status_code, late.json()["code"]) == (404, "room")


def test_rules_run_compiled_once_their_code_is_there(server: Served) -> None:
    compiled = load("okupacio", compiled=True, **SMALL)
    room, tokens = friends(server, parameters=SMALL)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        game = server.rooms.awake[room].table.game
        wait_until(lambda: game.steps is compiled.steps)
        for at, client in enumerate((ana, bru, ana)):
            if at:
                client.event(at + 1)
            assert move(client)["t"] == "done"


def wait_until(done: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)  # between two looks at what a server in another thread does


def test_a_bug_in_one_room_ends_no_other(
    own_server: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room, tokens = friends(own_server, parameters=SMALL)
    other, others = friends(own_server, parameters=SMALL)
    with own_server.join(room, tokens[0]) as ana, own_server.join(other, others[0]) as eva:
        table = own_server.rooms.awake[room].table
        monkeypatch.setattr(table, "commit", None)
        with pytest.raises(ConnectionClosed) as closed:
            move(ana)
        assert closing_code(closed.value) == 1011
        assert "TypeError" in caplog.text
        assert move(eva)["t"] == "done"
    with own_server.join(room, tokens[0]) as ana:
        assert ana.whole["ply"] == 1  # it was stored before the bug


# stored rooms that make no game


def replaced(old: str, new: str, n: int) -> str:
    """The change of a text in event `n` of a room."""
    return f"UPDATE events SET data = replace(CAST(data AS TEXT), '{old}', '{new}') WHERE n = {n} AND room = :room"


ILLEGAL = replaced('"text":"', '"text":"z', 3)
OLDER = "UPDATE rooms SET rules = rules - 1 WHERE id = :room"
DAMAGES = {
    "a move that is not legal": (ILLEGAL, "event 3 of 3: 'z"),
    "a move of another seat": (replaced('"seat":1', '"seat":0', 3), "event 3 of 3: seat 0 moves, and it is the turn of 1"),
    "a seat that there is not": (replaced('"seat":1', '"seat":7', 1), "event 1 of 3: read seat 7 of 2"),
    "an event that is cut off": ("UPDATE events SET data = substr(data, 1, 9) WHERE n = 2 AND room = :room", "truncated"),
    "an event that is gone": ("DELETE FROM events WHERE n = 2 AND room = :room", "event 2 of 2: read number 3"),
    "an end that did not come": ("UPDATE rooms SET over = 1 WHERE id = :room", "after 3 events the game goes on"),
    "parameters that cannot be": ('UPDATE rooms SET parameters = \'{"board": "?"}\' WHERE id = :room', "board"),
    "options of nothing": ("UPDATE rooms SET options = '{}' WHERE id = :room", "seats"),
}
OTHERS = {
    "older rules, and a move that is not legal": ((OLDER, ILLEGAL), 409, "rules"),
    "newer rules": (("UPDATE rooms SET rules = rules + 1 WHERE id = :room",), 409, "rules"),
    "a game that is gone": (("UPDATE rooms SET game = 'chess' WHERE id = :room",), 404, "game"),
}


def room_of_two_moves(server: Served) -> tuple[str, str]:
    """A room and the secret of its first seat."""
    room, tokens = friends(server, parameters=SMALL)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        move(ana)
        bru.event(2)
        move(bru)
    return room, tokens[0]


def refusal_of(server: Served, room: str) -> tuple[int, str]:
    """The answer to a request for a room over HTTP. A WebSocket gets the same one."""
    answer = server.http.get(f"/api/rooms/{room}/record")
    with server.connect(room) as client:
        assert client.next()["code"] == answer.json()["code"]
        with pytest.raises(ConnectionClosed) as closed:
            client.next()
    assert closing_code(closed.value) == 4409
    return answer.status_code, answer.json()["code"]


def test_a_stored_room_that_makes_no_game_is_refused_by_name(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cases = {name: ((change,), 500, "damaged") for name, (change, _) in DAMAGES.items()} | OTHERS
    with serve(tmp_path / "games.sqlite") as server:
        rooms = {name: room_of_two_moves(server)[0] for name in cases}
        older, token = room_of_two_moves(server)
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as database, database:
        database.execute(OLDER, {"room": older})
        for name, (changes, _, _) in cases.items():
            for change in changes:
                assert database.execute(change, {"room": rooms[name]}).rowcount > 0
    with serve(tmp_path / "games.sqlite") as server:
        for name, (_, status, code) in cases.items():
            caplog.clear()
            assert refusal_of(server, rooms[name]) == (status, code), name
            if code == "damaged":
                start, end = f"room {rooms[name]}: its game cannot be made again", DAMAGES[name][1]
                assert [message.startswith(start) and end in message for message in caplog.messages] == [True, True]
                assert "\n" not in caplog.text.strip().splitlines()[0]
        with server.join(older, token) as ana:
            assert (ana.whole["ply"], move(ana)["t"]) == (2, "done"), "its moves can still be played"
