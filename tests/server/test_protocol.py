"""Frames: what is asked is answered, and what is wrong is refused with a code and changes nothing."""

import json
from dataclasses import replace
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from ludoteca.server.model.requests import read
from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import LARGEST_FRAME, Rate, Settings
from tests.server.scenes import changed
from tests.server.serving import OPEN, QUICK, Client, Served, agent, me, serve

PLAY = {"t": "play", "id": 7, "n": 0, "action": "0"}


@pytest.fixture(scope="module")
def two(server: Served) -> tuple[Served, str, list[str]]:
    """A room of two persons, and their secrets. Nothing in this file plays in it."""
    made = server.make("okupacio", me(), OPEN, parameters={"board": "4x4"})
    taken = server.take(made["room"], "Bru")
    return server, made["room"], [made["token"], taken["token"]]


def closing_code(closed: ConnectionClosed) -> int:
    assert closed.rcvd
    return closed.rcvd.code


BAD = {
    "no JSON": ("{", "malformed", -1),
    "no kind": ('{"id": 1}', "reload", 1),
    "an unknown field": (json.dumps(PLAY | {"more": 1}), "reload", 7),
    "a missing field": ('{"t": "play", "id": 3, "n": 0}', "reload", 3),
    "a number for a text": (json.dumps(PLAY | {"action": 0}), "reload", 7),
    "a negative number": (json.dumps(PLAY | {"n": -1}), "reload", 7),
    "a number beyond JavaScript's": (json.dumps(PLAY | {"id": 1 << 53}), "reload", -1),
    "a number beyond 64 bits": (json.dumps(PLAY | {"n": 1 << 70}), "reload", 7),
    "a negative action": (json.dumps(PLAY | {"action": "-1"}), "malformed", 7),
    "digits that are not ASCII": (json.dumps(PLAY | {"action": "٣"}), "malformed", 7),
    "too deep": ("[" * 5000, "reload", -1),
    "a lone surrogate": ('{"t": "write", "id": 1, "n": 0, "text": "\\ud800"}', "malformed", -1),
    "too large": (json.dumps(PLAY | {"action": "0" * LARGEST_FRAME}), "large", 7),
    "an illegal action": (json.dumps(PLAY | {"action": "5000"}), "illegal", 7),
    "the greatest action": (json.dumps(PLAY | {"action": str((1 << 63) - 1)}), "illegal", 7),
    "a position that is not yet there": (json.dumps(PLAY | {"n": 1}), "stale", 7),
    "a text that is no move": ('{"t": "write", "id": 4, "n": 0, "text": "?"}', "notation", 4),
    "a long text": (json.dumps({"t": "write", "id": 4, "n": 0, "text": "a" * 3000}), "large", 4),
    "touches that mean nothing": ('{"t": "why", "id": 5, "n": 0, "touched": ["?", "?"]}', "nothing", 5),
    "a preview of what is illegal": ('{"t": "preview", "id": 5, "n": 0, "action": "5000"}', "illegal", 5),
    "a plan in one's own turn": ('{"t": "plan", "id": 5, "n": 0}', "plan", 5),
    "a hint against a person": ('{"t": "hint", "id": 6, "n": 0}', "hint", 6),
    "a rematch of a running game": ('{"t": "rematch", "id": 6}', "running", 6),
    "a look ahead": ('{"t": "look", "id": 6, "ply": 1}', "ply", 6),
    "a look as another": ('{"t": "look", "id": 6, "ply": 0, "player": 1}', "running", 6),
    "a look as nobody": ('{"t": "look", "id": 6, "ply": 0, "player": 2}', "player", 6),
    "a seat that is not there": ('{"t": "replace", "id": 6, "seat": 9}', "replace", 6),
    "one's own seat": ('{"t": "replace", "id": 6, "seat": 0}', "present", 6),
    "an agent of one's own choice": ('{"t": "replace", "id": 6, "seat": 1, "agent": "random"}', "reload", 6),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_wrong_is_refused_and_changes_nothing(two: tuple[Served, str, list[str]], case: str) -> None:
    server, room, tokens = two
    text, code, number = BAD[case]
    with server.join(room, tokens[0]) as client:
        before = client.whole
        client.socket.send(text)
        answer = client.until("error")
        assert (answer["code"], answer["id"]) == (code, number)
        assert client.hello(tokens[0]) == before


@pytest.mark.parametrize(
    ("wished", "words"),
    [("", "reload the page"), ("de", "reload the page"), ("de-DE,ca;q=0.9,en", "torna a carregar la pàgina")],
)
def test_a_page_of_another_version_is_told_to_load_again(
    two: tuple[Served, str, list[str]], wished: str, words: str
) -> None:
    server, room, tokens = two
    with server.connect(room, **{"Accept-Language": wished}) as client:
        client.hello(tokens[0])
        told = client.ask("play", at=0, action="1")
        assert words in told["message"]
        assert "unknown field `at`" in told["message"]


def test_a_binary_frame_is_malformed(two: tuple[Served, str, list[str]]) -> None:
    server, room, tokens = two
    with server.join(room, tokens[0]) as client:
        client.socket.send(json.dumps(PLAY).encode())
        assert client.until("error")["code"] == "malformed"


@pytest.mark.parametrize("text", [[b'{"t": "hello"}\xc3'], [b'{"t": ', b'"\xed\xa0\x80"}']])
def test_a_text_that_is_no_utf_8_closes_its_connection_and_is_no_error_of_the_server(
    two: tuple[Served, str, list[str]], text: list[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    server, room, tokens = two
    with server.join(room, tokens[0]) as client:
        client.socket.send(text[0] if len(text) == 1 else text, text=True)
        with pytest.raises(ConnectionClosed) as closed:
            client.next()
    assert closing_code(closed.value) == 1007
    assert caplog.messages == []


def test_another_ones_turn(two: tuple[Served, str, list[str]]) -> None:
    server, room, tokens = two
    with server.join(room, tokens[1]) as client:
        assert client.whole["choices"] == []
        assert client.ask("play", action="0")["code"] == "turn"
        assert client.ask("why", touched=[])["code"] == "turn"
        assert client.ask("preview", action="5000")["code"] == "turn"


def test_a_preview_shows_what_a_choice_would_do_and_plays_nothing(two: tuple[Served, str, list[str]]) -> None:
    server, room, tokens = two
    with server.join(room, tokens[0]) as client:
        action, touches, _ = client.whole["choices"][0]
        shown = client.ask("preview", action=action)
        assert (shown["t"], shown["n"], shown["action"]) == ("previewed", 0, action)
        assert [item[0] for item in shown["items"]] == [f"ghost-{touches[0]}"]
        row, column = (ord(name) - ord("a") + 1 for name in touches[0])
        assert shown["told"] == ["told.takes", ["@picture", touches[0], "army-0", 0, "player-0"], row, column]
        assert client.hello(tokens[0])["ply"] == 0


def test_a_seat_hears_what_it_could_play_while_others_move(two: tuple[Served, str, list[str]]) -> None:
    server, room, tokens = two
    with server.join(room, tokens[1]) as client:
        planned = client.ask("plan")
        assert (planned["t"], planned["n"]) == ("planned", 0)
        action, touches, _ = planned["choices"][0]
        assert set(touches) <= {item[0] for item in planned["scene"][2]}
        shown = client.ask("preview", action=action)
        row, column = (ord(name) - ord("a") + 1 for name in touches[0])
        told = ["told.takes", ["@picture", touches[0], "army-1", 0, "player-1"], row, column]
        assert shown["told"] == shown["deed"] == told
        assert client.ask("play", action=action)["code"] == "turn"
        assert client.whole["choices"] == []


def test_who_watches_changes_nothing(two: tuple[Served, str, list[str]]) -> None:
    server, room, _ = two
    now: dict[str, Any] = {"n": 0}
    asked = {"play": now | {"action": "0"}, "write": now | {"text": "aa"}, "why": now | {"touched": []}}
    asked |= {"preview": now | {"action": "0"}, "plan": now, "hint": now, "undo": now, "resign": now}
    asked |= {"decline": {"what": "rematch"}, "replace": {"seat": 0}, "rematch": {}}
    with server.join(room) as client:
        assert client.whole["you"] == -1
        assert {kind: client.ask(kind, **fields)["code"] for kind, fields in asked.items()} == dict.fromkeys(asked, "seat")
        assert client.hello()["n"] == client.whole["n"]


def test_nothing_before_hello(two: tuple[Served, str, list[str]]) -> None:
    server, room, _ = two
    with server.connect(room) as client:
        assert client.ask("play", action="0")["code"] == "hello"
        assert client.hello()["t"] == "room"


@pytest.mark.parametrize("token", ["", "é" * 1000])
def test_a_secret_of_no_seat(two: tuple[Served, str, list[str]], token: str) -> None:
    server, room, _ = two
    with server.connect(room) as client:
        assert client.hello(token)["code"] == "token"
        with pytest.raises(ConnectionClosed) as closed:
            client.next()
    assert closing_code(closed.value) == 4403


def test_a_secret_of_another_room(two: tuple[Served, str, list[str]]) -> None:
    server, _, tokens = two
    other = server.make("okupacio", me(), OPEN)
    with server.connect(other["room"]) as client:
        assert client.hello(tokens[0])["code"] == "token"


@pytest.mark.parametrize("room", ["x" * 300, "%00"])
def test_a_room_that_is_not_there(server: Served, room: str) -> None:
    with server.connect(room) as client:
        assert client.next()["code"] == "room"
        with pytest.raises(ConnectionClosed) as closed:
            client.next()
    assert closing_code(closed.value) == 4404


@pytest.mark.parametrize("origin", ["null", "https://127.0.0.1", "http://127.0.0.1:1", "http://["])
def test_a_page_of_another_server(two: tuple[Served, str, list[str]], origin: str) -> None:
    server, room, _ = two
    with pytest.raises(InvalidStatus) as refused, connect(f"ws://{server.address}/ws/{room}", origin=Origin(origin)):
        pass
    assert refused.value.response.status_code == 403


def test_a_page_of_this_server(two: tuple[Served, str, list[str]]) -> None:
    server, room, _ = two
    with connect(f"ws://{server.address}/ws/{room}", origin=Origin(f"http://{server.address}")) as socket:
        assert Client(socket).hello()["t"] == "room"


def test_a_move_that_is_sent_again_is_played_once(server: Served) -> None:
    made = server.make("okupacio", me(), OPEN, parameters={"board": "4x4"})
    other = server.take(made["room"], "Bru")
    with server.join(made["room"], made["token"]) as ana, server.join(made["room"], other["token"]) as bru:
        action = ana.whole["choices"][0][0]
        n = ana.n
        assert ana.ask("play", n=n, action=action)["t"] == "done"
        assert ana.ask("play", n=n, action=action)["code"] == "duplicate"
        assert ana.ask("play", n=n, action=ana.whole["choices"][1][0])["code"] == "stale"
        assert bru.ask("play", n=n, action=action)["code"] == "stale"
        assert ana.hello(made["token"])["ply"] == 1


def play_to_the_end(client: Client) -> None:
    """Play any choice but giving up, until the game is over."""
    now = client.whole
    while now["mover"] != -4:
        if now["mover"] == client.whole["you"]:
            action = next(choice[0] for choice in now["choices"] if choice[0] != now.get("give_up"))
            assert client.ask("play", action=action)["t"] == "done"
            now = [frame for frame in client.heard if frame["t"] == "event"][-1]
        else:
            now = client.until("event")


def test_scenes_put_together_from_changes_are_the_whole(server: Served) -> None:
    made = server.make("conclave", me(), agent())
    with server.join(made["room"], made["token"]) as client:
        scene = client.whole["scene"]
        play_to_the_end(client)
        for frame in client.heard:
            if frame["t"] == "event" and frame.get("change"):
                scene = changed(scene, frame["change"])
        assert client.hello(made["token"])["scene"] == scene


def test_who_says_nothing_is_sent_away(tmp_path: Any) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, hello_within=0.1)) as server:
        with server.connect(server.make("okupacio", me(), OPEN)["room"]) as client:
            assert client.next()["code"] == "hello"
            with pytest.raises(ConnectionClosed) as closed:
                client.next()
        assert closing_code(closed.value) == 4408


def test_a_frame_without_measure_is_refused_by_the_length_it_announces(two: tuple[Served, str, list[str]]) -> None:
    server, room, tokens = two
    with server.join(room, tokens[0]) as client:
        client.socket.socket.sendall(b"\x81\xff" + (1_000_000).to_bytes(8, "big") + bytes(4))  # a text; none of it follows
        with pytest.raises(ConnectionClosed) as closed:
            client.next()
    assert closing_code(closed.value) == 1009


def test_who_sends_too_much_is_refused_and_who_goes_on_is_cut_off(tmp_path: Any) -> None:
    with serve(tmp_path / "games.sqlite", Settings(workers=1, frames=Rate(5, 0.001))) as server:
        made = server.make("okupacio", me(), agent())
        with server.join(made["room"], made["token"]) as client:
            codes = [client.ask("look", ply=0).get("code", "past") for _ in range(9)]
            with pytest.raises(ConnectionClosed):
                client.ask("look", ply=0)
    assert codes == ["past"] * 4 + ["rate"] * 5


def ask_at_once(client: Client, times: int) -> None:
    """So many requests in one piece: the room answers them all before it sends the first answer."""
    protocol = client.socket.protocol
    for number in range(times):
        protocol.send_text(json.dumps({"t": "look", "id": number, "ply": 0}).encode())
    client.socket.socket.sendall(b"".join(protocol.data_to_send()))


def test_who_does_not_read_is_dropped(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoteca.server.rooms.connection.QUEUE", 3)
    with serve(tmp_path / "games.sqlite", QUICK) as server:
        made = server.make("okupacio", me(), agent(), parameters={"board": "25x25"})
        with server.join(made["room"], made["token"]) as client:
            for connection in server.server.server_state.connections:  # so that the way to the client holds little
                connection.transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, 4096)
            ask_at_once(client, 50)
            with pytest.raises(ConnectionClosed) as closed:
                client.until("no such frame")
        assert closing_code(closed.value) == 1013
        with server.join(made["room"], made["token"]) as again:
            assert again.whole["t"] == "room"


@pytest.mark.parametrize("most", [256, 3])
def test_frames_are_answered_in_their_order_however_many_the_room_takes_at_once(
    server: Served, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("ludoteca.server.rooms.actor.MOST_QUEUED", most)
    made = server.make("okupacio", me(), OPEN, parameters={"board": "4x4"})
    with server.join(made["room"], made["token"]) as client:
        ask_at_once(client, 40)
        client.socket.send(['{"t": "look", ', '"id": 40, "ply": 0}'])  # in two frames
        client.send({"t": "look", "id": 41, "ply": 0})
        assert [client.until("past", "error")["id"] for _ in range(42)] == list(range(42))


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ).map(json.dumps)
)
def test_any_frame_is_read_or_refused(text: str) -> None:
    refused = ""
    try:
        read(text)
    except RefusalError as refusal:
        refused = refusal.code
    assert refused in ("", "malformed", "reload", "large")
