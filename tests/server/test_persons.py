"""The operator gives a lost seat back, and deletes a person."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from sqlalchemy import text
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from ludoteca.cli.admin import command
from ludoteca.core.game import load
from ludoteca.server.model import events
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import (
    EventRow,
    Flagged,
    Moved,
    Options,
    Replaced,
    Resigned,
    RoomRow,
    SeatMade,
    StoredEvent,
    Taken,
)
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.replay import folded
from ludoteca.server.model.table import Table
from ludoteca.server.model.tokens import digest
from ludoteca.server.rooms import persons
from ludoteca.server.store.database import StoreError
from tests.server.postgres import Cluster
from tests.server.serving import OPEN, Client, Served, agent, me
from tests.server.test_protocol import closing_code
from tests.server.test_rooms import friends
from tests.server.test_serve import PATIENCE, post, serving
from tests.server.test_store import outside

RUI = "Rui Àlvares"


class Club:
    """A server process with its control socket."""

    def __init__(self, address: str, folder: Path, database: str) -> None:
        self.address, self.control, self.database = address, folder / "control", database

    def admin(self, *arguments: str, status: int = 0) -> str:
        done = CliRunner().invoke(command, ["--control", str(self.control), *arguments])
        assert done.exit_code == status, (done.output, done.exception)
        return done.output or str(done.exception)

    def get(self, path: str) -> str:
        with urlopen(self.address + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def make(self, *seats: dict[str, Any], players: int = 2, **more: Any) -> dict[str, Any]:
        wished = {"game": "okupacio", "parameters": {"players": players, "board": "4x4"}, "seats": seats, **more}
        return post(self.address, "api/rooms", wished)

    def pair(self, **more: Any) -> tuple[str, list[str]]:
        """A room of Ana and Rui, and their secrets."""
        made = self.make(me(), OPEN, **more)
        return made["room"], [made["token"], self.take(made["room"])]

    def take(self, room: str, name: str = RUI) -> str:
        return str(post(self.address, f"api/rooms/{room}/seats", {"name": name})["token"])

    @contextmanager
    def join(self, room: str, token: str | None = None) -> Iterator[Client]:
        with connect(self.address.replace("http", "ws") + f"ws/{room}", max_size=None) as socket:
            client = Client(socket)
            client.hello(token)
            yield client

    def rematch(self, room: str, tokens: list[str]) -> str:
        """Ana resigns, both want another game: its room."""
        with self.join(room, tokens[0]) as ana, self.join(room, tokens[1]) as rui:
            ana.ask("resign")
            ana.ask("rematch")
            assert rui.ask("rematch")["t"] == "done"
            return str(rui.hello(tokens[1])["over"]["rematch"])

    def seat_of(self, room: str, token: str) -> int | str:
        """The seat that the secret has in a room, or the code of the refusal."""
        with self.join(room, token) as client:
            return client.whole["you"] if "you" in client.whole else str(client.whole["code"])


@contextmanager
def club(folder: Path, database: str, *more: str) -> Iterator[Club]:
    how = ("--control", str(folder / "control"), "--workers", "1", "--absence", "0", "--pace", "0", *more)
    with serving(*how, data=database) as (_, address):
        yield Club(address, folder, database)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def open_club(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """One for the tests that need no other, with each kind of database."""
    folder = tmp_path_factory.mktemp("club")
    database = f"sqlite:///{folder}/games.sqlite"
    if request.param == "postgresql":
        made: Cluster = request.getfixturevalue("postgres")
        database = made.url(made.new_database())
    with club(folder, database) as opened:
        yield opened


with_sqlite = pytest.mark.parametrize("open_club", ["sqlite"], indirect=True)


def token_in(said: str, club: Club, room: str) -> str:
    """The secret in the link that a command has printed first: the form of the page's own links to a seat."""
    found = re.fullmatch(rf"{re.escape(club.address)}room/{room}#([A-Za-z0-9_-]{{32}})", said.splitlines()[0])
    assert found, said
    return found[1]


# a lost seat


@with_sqlite
def test_a_new_link_has_the_seat_and_the_old_one_has_nothing(open_club: Club) -> None:
    room, tokens = open_club.pair()
    with open_club.join(room, tokens[0]) as ana, open_club.join(room, tokens[1]) as rui:
        said = open_club.admin("seat", room, "2")
        assert rui.until("error")["code"] == "token"
        with pytest.raises(ConnectionClosed) as closed:
            rui.next()
        assert closing_code(closed.value) == 4403
        while ana.until("note/present")["seats"][1]["present"]:
            pass
        new = token_in(said, open_club, room)
        assert [open_club.seat_of(room, token) for token in (new, tokens[1])] == [1, "token"]
        assert ana.ask("look", ply=0)["t"] == "past", "others stay"
    with outside(open_club.database) as connection:
        stored = str(
            [*connection.execute(text("SELECT data FROM events")), *connection.execute(text("SELECT options FROM rooms"))]
        )
    assert digest(tokens[1]) not in stored
    assert digest(new) in stored


def test_a_frame_of_the_old_link_that_waits_is_not_carried_out(own_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    room, tokens = friends(own_server)
    rewrite, begun = own_server.rooms.store.rewrite, threading.Event()

    async def rewrite_once_a_frame_waits(*arguments: Any, **more: Any) -> None:
        begun.set()
        while not own_server.rooms.awake[room].waiting():
            await asyncio.sleep(0.001)
        await rewrite(*arguments, **more)

    monkeypatch.setattr(own_server.rooms.store, "rewrite", rewrite_once_a_frame_waits)
    with own_server.join(room, tokens[0]) as ana:
        now, work = ana.n, persons.give_back(own_server.rooms, room, 0)
        given = asyncio.run_coroutine_threadsafe(work, own_server.rooms._tasks[0].get_loop())
        assert begun.wait(PATIENCE)
        with pytest.raises(ConnectionClosed):
            ana.ask("resign", n=now)
    token, _ = given.result(PATIENCE)
    with own_server.join(room, token) as ana:
        assert ana.whole["over"] is None


@with_sqlite
def test_a_new_link_holds_in_all_rematches_awake_or_asleep(open_club: Club) -> None:
    first, tokens = open_club.pair()
    second = open_club.rematch(first, tokens)
    third = open_club.rematch(second, tokens)
    open_club.admin("close", first)
    was = {room: open_club.seat_of(room, tokens[1]) for room in (second, third)}
    said = open_club.admin("seat", second, str(int(was[second]) + 1))
    new = token_in(said, open_club, second)
    for room in (first, second, third):
        assert open_club.seat_of(room, tokens[1]) == "token"
        assert f"{room}, seat" in said
    assert [open_club.seat_of(room, new) for room in (first, second, third)] == [1, was[second], was[third]]
    assert open_club.seat_of(third, tokens[0]) in (0, 1), "the other player keeps the seat"


@with_sqlite
def test_the_right_to_delete_the_room_goes_with_the_seat(open_club: Club) -> None:
    room, tokens = open_club.pair()
    new = token_in(open_club.admin("seat", room, "1"), open_club, room)

    def delete(token: str) -> int:
        request = Request(
            f"{open_club.address}api/rooms/{room}", method="DELETE", headers={"Authorization": f"Bearer {token}"}
        )
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return int(answer.status)
        except HTTPError as error:
            with error:
                return error.code

    assert [delete(tokens[0]), delete(new)] == [403, 204]


@with_sqlite
def test_a_seat_without_a_person_has_no_link(open_club: Club) -> None:
    made = open_club.make(me(), agent("random"), OPEN, players=3)
    record = load("okupacio").new_initial_state(0).serialize().encode()
    with urlopen(Request(open_club.address + "api/records", record, method="POST"), timeout=PATIENCE) as answer:
        read = json.loads(answer.read())["room"]
    open_club.admin("delete", made["room"], "1", "--yes")
    refusals = {
        (made["room"], "1"): "the person of seat 1 was deleted",
        (made["room"], "2"): "an agent plays seat 2: only the seat of a person has a link",
        (made["room"], "3"): "seat 3 is open: any person with the address of the room can take it",
        (made["room"], "4"): "this room has no seat 4",
        (read, "1"): "this room shows a record: no person plays in it",
        ("nosuch", "1"): "there is no such room",
    }
    assert {place: open_club.admin("seat", *place, status=1) for place in refusals} == refusals


@with_sqlite
def test_a_link_is_for_the_address_that_players_know(open_club: Club) -> None:
    room, _ = open_club.pair()
    said = open_club.admin("seat", room, "1", "--address", "https://games.example.org/")
    assert said.startswith(f"https://games.example.org/room/{room}#")


def test_a_link_keeps_the_path_of_the_server(tmp_path: Path) -> None:
    with club(tmp_path, f"sqlite:///{tmp_path}/games.sqlite", "--path", "/games/") as opened:
        room, _ = opened.pair()
        for address in ("https://example.org", "https://example.org/games/", opened.address):
            said = opened.admin("seat", room, "1", "--address", address)
            assert said.startswith(f"{address.removesuffix('/games/')}/games/room/{room}#")


def room_of(players: int) -> tuple[RoomRow, Table]:
    game = load("okupacio", players=players, board="4x4")
    seats = [SeatMade("person", "Ana", token="ana"), *[SeatMade("open")] * (players - 1)]
    row = new_row(game, Options(seats, {"bank": 60, "increment": 0}, key="ana"), Draw(b"", b""))
    return row, Table(row)


@pytest.mark.parametrize(
    ("players", "happened"),
    [
        (2, []),
        (2, [Resigned(1)]),
        (2, [Flagged(1)]),
        (3, [Resigned(1, "random")]),
        (3, [Flagged(1, "random")]),
        (3, [Replaced(1, "4")]),
        (3, [Replaced(1, "4"), Taken(1, "Rui", "old")]),
    ],
)
def test_a_new_secret_changes_nothing_but_the_secret(players: int, happened: list[StoredEvent]) -> None:
    row, table = room_of(players)
    first = table.state.action_to_string(table.state.legal_actions()[0])
    sitting: list[StoredEvent] = [
        Taken(1, "Rui", "old"),
        *(Taken(seat, f"P{seat}", f"{seat}") for seat in range(2, players)),
    ]
    for event in (*sitting, Moved(0, first), *happened):
        table.commit(table.prepare(event))
    stored = [EventRow(n, events.encode(event), 0.0) for n, event in enumerate((*sitting, Moved(0, first), *happened), 1)]
    options, changed = events.with_secret(row, stored, "old", "new")
    rows = [EventRow(each.n, changed.get(each.n, each.data), 0.0) for each in stored]
    again = folded(RoomRow(**{name: getattr(row, name) for name in row.__struct_fields__} | {"options": options}), rows)
    table.replace_secret("old", "new")
    assert again.seats == table.seats
    assert again.over() == table.over()
    assert [occupant.token for occupant in again.seats][:2] == ["ana", "new"]


# a deleted person


def test_a_deleted_name_is_served_nowhere_and_rematches_are_named(open_club: Club) -> None:
    first, tokens = open_club.pair(listed=True)
    second = open_club.rematch(first, tokens)
    third = open_club.rematch(second, tokens)
    places = [f"{page}" for room in (first, second) for page in (
        f"api/rooms/{room}/record", f"api/rooms/{room}/picture.svg", f"room/{room}")]  # fmt: skip
    before = [open_club.get(place) for place in places]
    assert all(RUI in answer for answer in before if "svg" not in answer[:100])
    assert RUI in before[0]
    with open_club.join(third, tokens[0]):
        assert RUI in open_club.get("api/rooms")
        said = open_club.admin("delete", first, "2", "--yes")
        assert RUI not in open_club.get("api/rooms")
    for room in (first, second, third):
        assert f"{room}, seat" in said
    assert not [place for place in (*places, f"room/{third}", "api/rooms") if RUI in open_club.get(place)]
    assert [open_club.seat_of(room, tokens[1]) for room in (first, second, third)] == ["token"] * 3
    for room in (first, second, third):
        for seat in ("1", "2"):
            assert RUI not in open_club.admin("export", room, seat)
    with outside(open_club.database) as connection:
        stored = str(
            [*connection.execute(text("SELECT data FROM events")), *connection.execute(text("SELECT options FROM rooms"))]
        )
        listed = str(connection.execute(text("SELECT listing FROM leases")).all())
    assert digest(tokens[1]) not in stored
    assert third not in listed


@pytest.mark.parametrize("open_club", ["postgresql"], indirect=True)
def test_a_deleted_name_is_served_by_no_other_server(open_club: Club, tmp_path: Path) -> None:
    first, tokens = open_club.pair(listed=True)
    second = open_club.rematch(first, tokens)
    record = f"api/rooms/{first}/record"
    assert RUI in open_club.get(record)
    with club(tmp_path, open_club.database) as there:
        with there.join(second, tokens[0]) as ana:
            assert RUI in there.get(record), "it is kept there now"
            assert second in open_club.admin("delete", first, "2", "--yes")
            with pytest.raises(ConnectionClosed):
                ana.until("never")
        for server in (there, open_club, there):
            assert not [place for place in (record, f"room/{second}", "api/rooms") if RUI in server.get(place)]


def test_a_name_stays_stored_while_other_lobbies_may_show_it(own_server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: object) -> None:
        raise StoreError("the database does not answer")

    room, tokens = friends(own_server)
    monkeypatch.setattr(own_server.rooms.leases, "show", fail)
    work = persons.erase(own_server.rooms, room, 1)
    (outcome,) = asyncio.run_coroutine_threadsafe(work, own_server.rooms._tasks[0].get_loop()).result(PATIENCE)
    assert (outcome.refusal and outcome.refusal.code) == "storage"
    with own_server.join(room, tokens[1]) as client:
        assert client.whole["you"] == 1


@pytest.mark.parametrize("refused", ["UPDATE OF options ON rooms", "INSERT ON events"])
def test_a_second_call_deletes_a_person_after_the_store_has_refused_a_part(
    own_server: Served, tmp_path: Path, refused: str
) -> None:
    def delete_person() -> persons.Outcome:
        work = persons.erase(own_server.rooms, room, 1)
        (outcome,) = asyncio.run_coroutine_threadsafe(work, own_server.rooms._tasks[0].get_loop()).result(PATIENCE)
        return outcome

    def change(statement: str) -> None:
        with outside(f"sqlite:///{tmp_path}/games.sqlite") as connection:
            connection.execute(text(statement))
            connection.commit()

    room, tokens = friends(own_server)
    change(f"CREATE TRIGGER refuses BEFORE {refused} BEGIN SELECT RAISE(ABORT, 'refused'); END")
    refusal = delete_person().refusal
    assert refusal
    assert refusal.code == "storage"
    with own_server.join(room, tokens[0]) as ana:
        assert ana.whole["over"] is None
    change("DROP TRIGGER refuses")
    assert delete_person().refusal is None
    with own_server.join(room, tokens[0]) as ana:
        assert (ana.whole["over"]["reason"], ana.whole["seats"][1]["name"]) == ("resigned", "")


@with_sqlite
def test_a_rematch_that_cannot_be_changed_is_named_as_such(open_club: Club) -> None:
    first, tokens = open_club.pair()
    second = open_club.rematch(first, tokens)
    open_club.admin("close", second)
    with outside(open_club.database) as connection:
        connection.execute(text("UPDATE rooms SET rules = 999 WHERE id = :room"), {"room": second})
        connection.commit()
    done = CliRunner().invoke(command, ["--control", str(open_club.control), "delete", first, "2", "--yes"])
    assert done.exit_code == 1
    assert f"{first}, seat 2: the name and the secret are deleted" in done.output
    assert f"{second}, seat 1: nothing changed: " in str(done.exception)
    assert open_club.seat_of(first, tokens[1]) == "token"
