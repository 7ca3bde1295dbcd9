"""Deals that can be checked."""

import hashlib

import ludoteca
from ludoteca.server import fair
from tests.server.serving import OPEN, Served, agent, me


def test_what_was_promised_before_the_first_move_is_shown_after_the_last(server: Served) -> None:
    made = server.make("conclave", me(), agent())
    with server.join(made["room"], made["token"]) as client:
        promised, first = client.whole["commitment"], client.whole["scene"]
        client.ask("resign", at=0)
        over = client.event(1)["over"]
    assert hashlib.sha256(bytes.fromhex(over["seed"] + over["nonce"])).hexdigest() == promised
    dealt = ludoteca.load("conclave").new_initial_state(int(over["seed"], 16))
    record = server.http.get(f"/api/rooms/{made['room']}/record").text
    assert ludoteca.load("conclave").deserialize_state(record) == dealt
    assert first


def test_nothing_of_the_deal_is_told_before_the_end(server: Served) -> None:
    made = server.make("conclave", me(), OPEN, listed=True)
    with server.join(made["room"], made["token"]) as client:
        row = server.rooms._awake[made["room"]].table.row
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
