"""Taking a seat: it is taken once, whatever breaks, and nobody takes them all."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import text

from ludoteca.server import room as rooms
from ludoteca.server.store import database as databases
from ludoteca.server.store.errors import StoreError
from ludoteca.server.tokens import new_token
from tests.server.serving import OPEN, Served, me, serve
from tests.server.test_rooms import SMALL
from tests.server.test_store import outside

OKUPACIO = {"game": "okupacio", "parameters": SMALL}


def take(server: Served, room: str, **wish: Any) -> tuple[int, dict[str, Any]]:
    answer = server.http.post(f"/api/rooms/{room}/seats", json={"name": "Bru", **wish})
    return answer.status_code, answer.json()


@contextmanager
def hanging(database: str) -> Iterator[None]:
    """Somebody else has the database, so that nothing can be stored meanwhile."""
    with outside(database) as other:
        lock = "BEGIN IMMEDIATE" if other.dialect.name == "sqlite" else "LOCK TABLE events IN EXCLUSIVE MODE"
        other.execute(text(lock))
        yield
        other.rollback()


def test_a_seat_that_is_asked_for_while_the_database_hangs_is_had_by_asking_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "PATIENCE", 600.0)
    monkeypatch.setattr(rooms, "PATIENCE", 0.1)
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


@pytest.mark.parametrize("token", ["", "short", "x" * 31, "x" * 65, "x" * 31 + "!", "x" * 32 + "\n", 7])
def test_a_secret_that_is_none_is_refused(server: Served, token: Any) -> None:
    made = server.make("okupacio", me(), OPEN, parameters=SMALL)
    assert take(server, made["room"], token=token)[1]["code"] == "malformed"
