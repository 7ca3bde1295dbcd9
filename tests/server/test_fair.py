"""Deals that can be checked."""

import hashlib
from typing import Any

import pytest

import ludoteca
from ludoteca.core.seeds import derived_seed
from ludoteca.server.model import fair
from tests.server.serving import OPEN, Served, agent, me


def test_what_was_promised_before_the_first_move_is_shown_after_the_last(server: Served) -> None:
    made = server.make("conclave", me(), agent())
    with server.join(made["room"], made["token"]) as client:
        promised, first = client.whole["commitment"], client.whole["scene"]
        client.ask("resign")
        over = client.event(1)["over"]
    assert hashlib.sha256(bytes.fromhex(over["seed"] + over["nonce"])).hexdigest() == promised
    dealt = ludoteca.load("conclave").new_initial_state(int(over["seed"], 16))
    record = server.http.get(f"/api/rooms/{made['room']}/record").text
    assert ludoteca.load("conclave").deserialize_state(record) == dealt
    assert first


def test_nothing_of_the_deal_is_told_before_the_end(server: Served) -> None:
    made = server.make("conclave", me(), OPEN, listed=True)
    with server.join(made["room"], made["token"]) as client:
        row = server.rooms.awake[made["room"]].table.row
        told = [*client.texts, server.http.get("/api/rooms").text]
        refused = server.http.get(f"/api/rooms/{made['room']}/record")
    assert refused.json()["code"] == "running"
    assert not any(row.seed.hex() in text or row.nonce.hex() in text for text in told)


def test_every_draw_is_new_and_full_sized() -> None:
    draws = [fair.new_draw() for _ in range(100)]
    assert len({draw.seed for draw in draws}) == len({draw.nonce for draw in draws}) == 100
    assert {len(draw.seed) for draw in draws} == {len(draw.nonce) for draw in draws} == {32}


def test_the_promise_covers_the_seed_and_the_nonce() -> None:
    draw = fair.Draw(bytes(32), bytes(32))
    assert fair.commitment(draw) == hashlib.sha256(bytes(64)).hexdigest()
    assert fair.number(b"\x01" + bytes(31)) == 1 << 248


# deals that somebody may know


def ended(server: Served, game: str = "conclave") -> str:
    """A game that its player has given up, and so has seen whole."""
    made = server.make(game, me(), agent())
    with server.join(made["room"], made["token"]) as client:
        client.ask("resign")
    return str(made["room"])


def known(server: Served, made: dict[str, Any]) -> list[str]:
    """What a player, a spectator and the lobby are told of a listed room's deal."""
    with server.join(made["room"], made["token"]) as player, server.join(made["room"]) as spectator:
        listed = next(row for row in server.http.get("/api/rooms").json() if row["room"] == made["room"])
        return [player.whole["known"], spectator.whole["known"], listed["known"]]


@pytest.mark.parametrize("way", ["room", "record"])
def test_a_game_that_is_played_on_says_that_its_position_is_known(server: Served, way: str) -> None:
    room = ended(server)
    if way == "record":
        text = server.http.get(f"/api/rooms/{room}/record").text
        room = server.http.post("/api/records", content=text).json()["room"]
    made = server.make("", me(), OPEN, listed=True, **{"from": {"room": room, "ply": 0}})
    assert known(server, made) == ["position"] * 3


@pytest.mark.parametrize(("deal", "says"), [("fair", ""), ("document", "computable"), ("document:0007", "computable")])
def test_a_deal_that_can_be_computed_says_so(server: Served, deal: str, says: str) -> None:
    made = server.make("conclave", me(), OPEN, listed=True, parameters={"deal": deal})
    assert known(server, made) == [says] * 3


def test_what_an_agent_does_by_chance_cannot_be_foretold_where_nothing_was_dealt(server: Served) -> None:
    made = server.make("", me(), agent(), **{"from": {"room": ended(server), "ply": 0}})
    with server.join(made["room"], made["token"]) as client:
        job = server.rooms.awake[made["room"]].model.job(1, "random")
        client.ask("resign")
        over = client.event(1)["over"]
    assert int.from_bytes(job.seed, "big") != derived_seed(0, made["room"], "random", 1, 0)
    assert (over["seed"], over["nonce"]) == ("", "")


def rematch(server: Served, made: dict[str, Any]) -> dict[str, Any]:
    with server.join(made["room"], made["token"]) as client:
        client.ask("resign")
        client.ask("rematch")
        room = client.event(2)["over"]["rematch"]
    with server.join(room, made["token"]) as client:
        return client.whole


def test_a_rematch_says_what_is_true_of_its_own_deal(server: Served) -> None:
    made = server.make("conclave", me(), agent(), parameters={"deal": "document"})
    assert rematch(server, made)["known"] == "computable"
    onward = server.make("", me(), agent(), **{"from": {"room": ended(server), "ply": 0}})
    again = rematch(server, onward)  # which is dealt
    assert (again["known"], bool(again["commitment"])) == ("", True)
