"""Taking a seat: it is taken once, whatever breaks, and nobody takes them all."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ludoteca.server.model.tokens import new_token
from ludoteca.server.rooms import actor
from ludoteca.server.settings import Rate
from ludoteca.server.store import database as databases
from ludoteca.server.store.database import StoreError
from tests.server.serving import OPEN, QUICK, Served, in_sqlite, me, serve
from tests.server.test_rooms import SMALL, wait_until
from tests.server.test_store import outside


def take(server: Served, room: str, source: str = "192.0.2.1", **wish: Any) -> tuple[int, dict[str, Any]]:
    headers = {"X-Forwarded-For": source}
    answer = server.http.post(f"/api/rooms/{room}/seats", json={"name": "Bru", **wish}, headers=headers)
    return answer.status_code, answer.json()


@contextmanager
def hanging(database: str) -> Iterator[None]:
    """Somebody else has the database, so that nothing can be stored meanwhile."""
    with outside(database) as other:
        lock = "BEGIN IMMEDIATE" if other.dialect.name == "sqlite" else "LOCK TABLE events IN EXCLUSIVE MODE"
        other.execute(text(lock))
        yield
        other.rollback()


@in_sqlite
def test_a_seat_that_is_asked_for_while_the_database_hangs_is_had_by_asking_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "LOCK_TIMEOUT", 600.0)
    monkeypatch.setattr(actor, "ANSWER_WITHIN", 0.1)
    with serve(database) as server:
        made = server.make("okupacio", me(), OPEN, parameters=SMALL)
        token = new_token()
        with server.join(made["room"], made["token"]) as ana:
            with hanging(database):
                status, refused = take(server, made["room"], token=token)
                assert (status, refused["code"]) == (503, "waiting")
            assert ana.event(1)["seats"][1]["name"] == "Bru"
            monkeypatch.undo()
            assert take(server, made["room"], token=token) == (201, {"seat": 1, "token": token})
            assert take(server, made["room"], token=new_token())[1]["code"] == "taken"
            assert ana.hello(made["token"])["n"] == 1
        with server.join(made["room"], token) as bru:
            assert bru.whole["you"] == 1


@in_sqlite
def test_a_room_does_not_fall_asleep_over_what_it_is_asked(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is there, and the database hangs; another room falls asleep meanwhile."""
    monkeypatch.setattr(databases, "LOCK_TIMEOUT", 600.0)
    monkeypatch.setattr(actor, "ANSWER_WITHIN", 0.1)
    with serve(database, replace(QUICK, idle=0.05)) as server:
        asked, other = (server.make("okupacio", me(), OPEN, parameters=SMALL)["room"] for _ in range(2))
        with hanging(database):
            assert take(server, asked, token=new_token())[1]["code"] == "waiting"
            room = server.rooms.awake[asked]
            server.http.get(f"/api/rooms/{other}/picture.svg")
            wait_until(lambda: other not in server.rooms.awake)
            assert server.rooms.awake.get(asked) is room
        wait_until(lambda: room.table.n == 1)
        wait_until(lambda: asked not in server.rooms.awake)


def test_a_seat_that_was_stored_although_the_store_failed_is_nobody_elses(
    own_server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = own_server.make("okupacio", me(), OPEN, parameters=SMALL)
    stored, token = own_server.rooms.store.append, new_token()

    async def half(*what: Any, **more: Any) -> None:
        await stored(*what, **more)
        raise StoreError("the connection was lost")

    with monkeypatch.context() as patched:
        patched.setattr(own_server.rooms.store, "append", half)
        assert take(own_server, made["room"], token=token)[1]["code"] == "storage"
    assert take(own_server, made["room"], token=new_token())[1]["code"] == "taken"
    assert take(own_server, made["room"], token=token) == (201, {"seat": 1, "token": token})


@pytest.mark.parametrize("token", ["x" * 31, "x" * 65, "x" * 31 + "!", "x" * 32 + "\n", 7])
def test_a_secret_that_is_none_is_refused(server: Served, token: Any) -> None:
    made = server.make("okupacio", me(), OPEN, parameters=SMALL)
    assert take(server, made["room"], token=token)[1]["code"] == "malformed"


def many(server: Served, *, listed: bool) -> dict[str, Any]:
    return server.make("okupacio", me(), *[OPEN] * 4, parameters=SMALL | {"players": 5}, listed=listed)


def test_strangers_of_one_address_take_one_seat_of_a_listed_room(server: Served) -> None:
    made = many(server, listed=True)
    token = new_token()
    with server.join(made["room"], made["token"]) as ana, server.join(made["room"]) as spectator:
        assert take(server, made["room"], token=token)[0] == 201
        assert take(server, made["room"])[1]["code"] == "neighbours"
        assert take(server, made["room"], token=token)[0] == 201  # the same seat
        assert take(server, made["room"], "192.0.2.2")[0] == 201
        assert take(server, made["room"], invitation="x" * 32)[1]["code"] == "neighbours"
        assert spectator.whole["invitation"] == ""
        assert take(server, made["room"], invitation=ana.whole["invitation"])[0] == 201
        with server.join(made["room"], token) as bru:
            assert bru.whole["invitation"] == ana.whole["invitation"] != ""


def test_who_has_the_link_of_a_room_that_is_not_listed_is_invited(server: Served) -> None:
    made = many(server, listed=False)
    assert [take(server, made["room"])[0] for _ in range(5)] == [201] * 4 + [409]


def test_a_school_lets_more_of_one_address_sit_down(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, seats_of_address=3)) as server:
        made = many(server, listed=True)
        with server.join(made["room"], made["token"]):
            assert [take(server, made["room"])[0] for _ in range(4)] == [201] * 3 + [403]


def test_seats_taken_of_one_address_are_so_many(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, seats_taken_of_address=Rate(2, 0.0001))) as server:
        made = many(server, listed=False)
        assert [take(server, made["room"])[0] for _ in range(3)] == [201, 201, 429]
        assert take(server, made["room"], "192.0.2.2")[0] == 201


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Rui", "Rui"], ["Rui", "Rui (2)"]),
        (["Rui", "R\u200dui ", " Rui"], ["Rui", "Rui (2)", "Rui (3)"]),
        (["Rui (2)", "Rui", "Rui"], ["Rui (2)", "Rui", "Rui (3)"]),
        (["Rui", "Rui (2)", "Rui (2)"], ["Rui", "Rui (2)", "Rui (3)"]),
        (["José", "Jose\u0301"], ["José", "Jose\u0301 (2)"]),
        (["Rui", "Ru\u034fi", "RUI"], ["Rui", "Ru\u034fi (2)", "RUI (3)"]),
        (["R" * 40, "R" * 40], ["R" * 40, "R" * 36 + " (2)"]),
        (["", "Rui", "Rui"], ["", "Rui", "Rui (2)"]),
        (["Rui", "Ruy"], ["Rui", "Ruy"]),
    ],
)
def test_the_second_person_of_a_name_has_a_number(server: Served, names: list[str], shown: list[str]) -> None:
    made = server.make("okupacio", me(names[0]), *[OPEN] * (len(names) - 1), parameters=SMALL | {"players": len(names)})
    for name in names[1:]:
        server.take(made["room"], name)
    with server.join(made["room"]) as spectator:
        assert [seat["name"] for seat in spectator.whole["seats"]] == shown


def test_a_number_stays_the_same_in_a_rematch(server: Served) -> None:
    made = server.make("okupacio", me("Rui"), OPEN, parameters=SMALL)
    tokens = [made["token"], server.take(made["room"], "Rui")["token"]]
    with server.join(made["room"], tokens[0]) as one, server.join(made["room"], tokens[1]) as two:
        one.ask("resign")
        one.ask("rematch")
        two.ask("rematch")
        again = two.hello(tokens[1])["over"]["rematch"]
    with server.join(again) as spectator:
        assert [seat["name"] for seat in spectator.whole["seats"]] == ["Rui (2)", "Rui"]
