"""Rooms: seats, presence, giving up, being replaced, rematches, looking back, records, restarts, failures of the store."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from ludoteca.core import registry
from ludoteca.core.game import load, open_record
from ludoteca.core.record import Record
from ludoteca.server.measures import Measures
from ludoteca.server.model.table import REPLACEMENT
from ludoteca.server.processor import Processor
from ludoteca.server.rooms.rooms import Rooms
from ludoteca.server.settings import Rate, Settings
from ludoteca.server.store.database import StoreError
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


def last_event(client: Client) -> dict[str, Any]:
    return [frame for frame in client.heard if frame["t"] == "event"][-1]


def test_a_socket_outlives_the_time_for_a_request(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", Settings(workers=1, head_within=0.4, body_within=0.4)) as server:
        room, tokens = friends(server)
        with server.join(room, tokens[0]) as ana:
            time.sleep(1.0)  # longer than a request may take: what is tested is that nothing happens
            assert ana.ask("read")["t"] == "text"


def test_no_task_goes_on_when_the_rooms_have_stopped(tmp_path: Path) -> None:
    async def run() -> set[asyncio.Task[Any]]:
        store, settings = Store.open(str(tmp_path / "games.sqlite")), Settings(workers=1)
        rooms = Rooms(store, Workers(settings), settings, Measures(), Processor(settings.processor_of_address))
        await rooms.start()
        await asyncio.sleep(0)
        await rooms.stop()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        await store.close()
        return left

    assert asyncio.run(run()) == set()


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


def test_everybody_is_told_who_is_there(server: Served) -> None:
    room, tokens = friends(server, parameters=SMALL)
    with server.join(room, tokens[0]) as ana:
        assert [seat["present"] for seat in ana.whole["seats"]] == [True, False]
        with server.join(room, tokens[1]):
            assert ana.until("note/present")["seats"][1]["present"]
        assert not ana.until("note/present")["seats"][1]["present"]


def test_one_seat_at_two_screens(server: Served) -> None:
    room, tokens = friends(server, parameters=SMALL)
    with server.join(room, tokens[0]) as one, server.join(room, tokens[0]) as two:
        assert one.whole["choices"] == two.whole["choices"]
        n = one.n
        move(one)
        assert two.event(1 + one.whole["n"])["ply"] == 1
        assert two.ask("play", n=n, action=two.whole["choices"][0][0])["code"] == "duplicate"


# giving up


def test_where_the_rules_have_giving_up_it_is_an_action(server: Served) -> None:
    room, tokens = three(server)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
        assert ana.whole["give_up"] in [choice[0] for choice in ana.whole["choices"]]
        assert ana.ask("resign")["t"] == "done"
        event = bru.event(3)
        assert (event["kind"], event["mover"], event["line"]["player"]) == ("move", 1, 0)


def test_of_two_who_gives_up_loses(server: Served) -> None:
    room, tokens = friends(server, "conclave")
    with server.join(room, tokens[0]), server.join(room, tokens[1]) as bru:
        assert bru.ask("resign")["t"] == "done"
        event = bru.event(2)
        assert (event["kind"], event["over"]["reason"], event["over"]["returns"]) == ("over", "resigned", [1.0, 0.0])
        assert event["seats"][1]["resigned"]
        assert bru.ask("play", action="0")["code"] == "over"
        assert bru.ask("resign")["code"] == "over"


def test_of_more_an_agent_plays_on(server: Served) -> None:
    room, tokens = friends(server, "cartas", 4)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[2]) as carla:
        assert carla.ask("resign")["t"] == "done"
        seat = ana.event(4)["seats"][2]
        assert (seat["kind"], seat["agent"], seat["resigned"]) == ("agent", "greedy", True)
        assert [frame["you"] for frame in carla.heard if frame["t"] == "room"] == [2, -1]  # now she sees what anybody does
        assert carla.hello(tokens[2])["you"] == -1


def test_the_only_person_ends_the_game_by_giving_up(server: Served) -> None:
    made = server.make("cartas", me(), *[agent()] * 3)
    with server.join(made["room"], made["token"]) as client:
        while client.ask("resign")["t"] == "error":
            client.hello(made["token"])
        assert client.hello(made["token"])["over"]["reason"] == "resigned"


# being replaced


def test_an_agent_takes_over_when_all_who_are_there_agree(server: Served) -> None:
    room, tokens = three(server)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[2]) as carla:
        assert ana.ask("replace", seat=2)["code"] == "present"
        assert ana.ask("replace", seat=1)["t"] == "done"
        assert carla.event(3)["asked"] == {"replace 1": [0]}
        assert carla.ask("replace", seat=1)["t"] == "done"
        assert (ana.event(4)["seats"][1]["agent"], carla.event(4)["asked"]) == (REPLACEMENT, {})


def test_who_comes_back_keeps_the_seat(server: Served) -> None:
    room, tokens = three(server)
    with server.join(room, tokens[0]) as ana, server.join(room, tokens[2]) as carla:
        ana.ask("replace", seat=1)
        with server.join(room, tokens[1]) as bru:
            assert carla.event(4)["asked"] == {}
            assert bru.whole["you"] == 1
        carla.until("note/present")
        assert carla.ask("replace", seat=1)["t"] == "done"
        assert carla.event(5)["asked"] == {"replace 1": [2]}


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


def test_a_rematch_keeps_the_seat_of_a_person_who_is_away(server: Served) -> None:
    room, tokens = friends(server, "conclave")
    with server.join(room, tokens[0]) as ana:
        ana.ask("resign")
        ana.ask("rematch")
        with server.join(ana.event(3)["over"]["rematch"], tokens[0]) as again:
            assert [(seat["kind"], seat["name"]) for seat in again.whole["seats"]] == [("person", "P1"), ("person", "Ana")]
        with server.join(ana.event(3)["over"]["rematch"], tokens[1]) as back:
            assert back.whole["you"] == 0


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
        ply = last_event(client)["ply"]
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


def test_a_room_that_sleeps_wakes_as_it_was(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", Settings(workers=1, idle=0.05)) as server:
        room, tokens = friends(server, "conclave")
        with server.join(room, tokens[0]) as ana:
            move(ana)
            before = ana.hello(tokens[0])
        wait_until(lambda: room not in server.rooms._awake)
        with server.join(room, tokens[0]) as ana:
            assert ana.whole == before


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
        game = server.rooms._awake[room].table.game
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


def test_what_is_not_stored_has_not_happened(own_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    room, tokens = friends(own_server, parameters=SMALL)

    async def full(*_: Any, **__: Any) -> None:
        raise StoreError("the disk is full")

    with own_server.join(room, tokens[0]) as ana, own_server.join(room, tokens[1]) as bru:
        with monkeypatch.context() as patched:
            patched.setattr(own_server.rooms.store, "append", full)
            assert move(ana)["code"] == "storage"
            assert ana.ask("resign")["code"] == "storage"
        assert ana.hello(tokens[0])["ply"] == 0
        assert move(ana)["t"] == "done"
        assert bru.event(2)["ply"] == 1


def test_what_was_stored_although_the_store_failed_has_happened_once(
    own_server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, tokens = friends(own_server, parameters=SMALL)
    stored = own_server.rooms.store.append

    async def half(*what: Any, **more: Any) -> None:
        await stored(*what, **more)
        raise StoreError("the connection was lost")

    with own_server.join(room, tokens[0]) as ana, own_server.join(room, tokens[1]) as bru:
        with monkeypatch.context() as patched:
            patched.setattr(own_server.rooms.store, "append", half)
            assert move(ana)["code"] == "storage"
        assert move(ana)["code"] in ("duplicate", "stale", "turn")
        assert bru.event(2)["ply"] == 1
        assert move(bru)["t"] == "done"


def test_a_bug_in_one_room_ends_no_other(
    own_server: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room, tokens = friends(own_server, parameters=SMALL)
    other, others = friends(own_server, parameters=SMALL)
    with own_server.join(room, tokens[0]) as ana, own_server.join(other, others[0]) as eva:
        table = own_server.rooms._awake[room].table
        monkeypatch.setattr(table, "commit", None)
        with pytest.raises(ConnectionClosed) as closed:
            move(ana)
        assert closing_code(closed.value) == 1011
        assert "TypeError" in caplog.text
        assert move(eva)["t"] == "done"
    with own_server.join(room, tokens[0]) as ana:
        assert ana.whole["ply"] == 1  # it was stored before the bug


# stored rooms that make no game


def left_room(data: Path, moves: int = 2) -> tuple[str, list[str]]:
    """A room in which so much was played by a server that has ended."""
    with serve(data) as server:
        room, tokens = friends(server, parameters=SMALL)
        with server.join(room, tokens[0]) as ana, server.join(room, tokens[1]) as bru:
            for at in range(moves):
                move([ana, bru][at % 2])
                ana.event(at + 2)
                bru.event(at + 2)
    return room, tokens


def change(data: Path, statement: str) -> None:
    with closing(sqlite3.connect(data)) as database, database:
        assert database.execute(statement).rowcount > 0


OTHER_RULES = "UPDATE rooms SET rules = rules - 1"
DAMAGES = {
    "a move that is not legal": ("UPDATE events SET data = replace(CAST(data AS TEXT), '\"text\":\"', '\"text\":\"z')"
                                 " WHERE n = 3", "event 3 of 3: 'z"),
    "a move of another seat": ("UPDATE events SET data = replace(CAST(data AS TEXT), '\"seat\":1', '\"seat\":0')"
                               " WHERE n = 3", "event 3 of 3: seat 0 moves, and it is the turn of 1"),
    "a seat that there is not": ("UPDATE events SET data = replace(CAST(data AS TEXT), '\"seat\":1', '\"seat\":7')"
                                 " WHERE n = 1", "event 1 of 3: read seat 7 of 2"),
    "an event that is cut off": ("UPDATE events SET data = substr(data, 1, 9) WHERE n = 2", "truncated"),
    "an event that is gone": ("DELETE FROM events WHERE n = 2", "event 2 of 2: read number 3"),
    "an end that did not come": ("UPDATE rooms SET over = 1", "after 3 events the game goes on"),
    "parameters that cannot be": ("UPDATE rooms SET parameters = '{\"board\": \"?\"}'", "board"),
    "options of nothing": ("UPDATE rooms SET options = '{}'", "seats"),
}  # fmt: skip


def refused_room(data: Path, room: str) -> tuple[int, dict[str, Any], int, dict[str, Any]]:
    """What is answered over HTTP, and what a socket is told and closed with."""
    with serve(data) as server:
        answer = server.http.get(f"/api/rooms/{room}/record")
        with server.connect(room) as client:
            told = client.next()
            with pytest.raises(ConnectionClosed) as closed:
                client.next()
        return answer.status_code, answer.json(), closing_code(closed.value), told


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_room_whose_rows_are_damaged_is_refused_by_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    data = tmp_path / "games.sqlite"
    room, _ = left_room(data)
    statement, says = DAMAGES[damage]
    change(data, statement)
    status, content, closed, told = refused_room(data, room)
    assert (status, content, closed, told["code"]) == (
        500,
        {"code": "damaged", "message": ["error.damaged"]},
        4409,
        "damaged",
    )
    assert [message.startswith(f"room {room}: its game cannot be made again") for message in caplog.messages] == [True] * 2
    assert says in caplog.messages[0]
    assert "\n" not in caplog.text.strip().splitlines()[0]


def test_a_room_of_other_rules_whose_moves_cannot_be_played_is_refused_by_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "games.sqlite"
    room, _ = left_room(data)
    change(data, OTHER_RULES)
    change(data, DAMAGES["a move that is not legal"][0])
    version = registry.find("okupacio").rules_version
    content = {"code": "rules", "message": ["error.rules", version - 1, version]}
    assert refused_room(data, room)[:3] == (409, content, 4409)
    assert len(caplog.messages) == 2


def test_a_room_of_older_rules_goes_on_where_its_moves_can_still_be_played(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    room, tokens = left_room(data)
    change(data, OTHER_RULES)
    with serve(data) as server, server.join(room, tokens[0]) as ana:
        assert ana.whole["ply"] == 2
        assert move(ana)["t"] == "done"


def test_a_room_of_a_newer_server_is_refused_though_its_moves_can_be_played(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    room, _ = left_room(data)
    change(data, "UPDATE rooms SET rules = rules + 1")
    status, content, closed, _ = refused_room(data, room)
    assert (status, content["code"], closed) == (409, "rules", 4409)


def test_a_room_of_a_game_that_is_gone_is_refused_by_name(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    room, _ = left_room(data)
    change(data, "UPDATE rooms SET game = 'chess'")
    status, content, closed, _ = refused_room(data, room)
    assert (status, content["code"], closed) == (404, "game", 4409)


def test_the_store_knows_which_rooms_are_over(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with serve(data) as server:
        running, _ = friends(server, parameters=SMALL)
        room, tokens = friends(server, "conclave")
        with server.join(room, tokens[0]) as ana:
            ana.ask("resign")
    store = Store.open(str(data))
    over = asyncio.run(_over(store))
    assert over == {running: False, room: True}


async def _over(store: Store) -> dict[str, bool]:
    rooms = {row.id: row.over for row in await store.rooms()}
    await store.close()
    return rooms


def test_every_game_is_played_to_its_end_and_its_record_holds(server: Served) -> None:
    parameters: dict[str, dict[str, Any]] = {"okupacio": SMALL, "qinto": {"rounds": 1}}
    for game in ("cartas", "conclave", "metro", "okupacio", "qinto"):
        seats = {"metro": [me()], "cartas": [me(), *[agent()] * 3]}.get(game, [me(), agent()])
        made = server.make(game, *seats, parameters=parameters.get(game, {}))
        with server.join(made["room"], made["token"]) as client:
            play_to_the_end(client)
            over = last_event(client)["over"]
        record = server.http.get(f"/api/rooms/{made['room']}/record").text
        assert over["reason"] == "end"
        end = open_record(Record.from_json(record))
        assert (end.returns(), end.scores()) == (over["returns"], over["scores"])


def test_rooms_of_one_address_are_limited(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", Settings(workers=1, rooms_of_address=Rate(2, 0.001))) as server:
        body = {"game": "okupacio", "seats": [me(), OPEN]}
        codes = [server.http.post("/api/rooms", json=body).status_code for _ in range(3)]
    assert codes == [201, 201, 429]
