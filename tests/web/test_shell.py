"""The shell around a room in a page."""

import json
from typing import Any

import msgspec
import pytest

from ludoteca.server.refusals import RefusalError
from ludoteca.server.settings import Settings
from ludoteca.web.shell import Kept, Shell

TOKEN = 32 * "t"
WISHED = {
    "game": "okupacio",
    "parameters": {"board": "8x8"},
    "seats": [{"kind": "person", "name": "Jo"}, {"kind": "agent", "agent": "random"}],
}


def kept(**wished: str) -> Kept:
    """Return what the browser keeps of a room that is not made yet."""
    return msgspec.convert({"game": "okupacio", "token": TOKEN, "wish": WISHED | wished}, Kept)


def joined(pace: float) -> tuple[Shell, dict[str, Any]]:
    """Return a shell, and the answer to its page's hello."""
    shell = Shell("local", kept(), settings=Settings(pace=pace))
    return shell, said(shell, t="hello", token=TOKEN)[0]


def said(shell: Shell, **request: Any) -> list[dict[str, Any]]:
    return [json.loads(frame) for frame in shell.hear(json.dumps(request))]


def test_an_agent_plays_when_it_is_due() -> None:
    shell, whole = joined(pace=0.0)
    played = said(shell, t="play", id=1, n=whole["position_n"], action=whole["choices"][0][0])
    assert shell.next_due() == 0.0
    answer = [json.loads(frame) for frame in shell.wake()]
    assert [frame["t"] for frame in (*played, *answer)] == ["yours", "event", "done", "yours", "event"]
    assert (len(shell.kept.events), shell.wake(), shell.next_due()) == (2, [], None)


def test_an_agent_waits_until_the_person_has_seen_the_move() -> None:
    shell, whole = joined(pace=100.0)
    said(shell, t="play", id=1, n=whole["position_n"], action=whole["choices"][0][0])
    assert shell.wake() == []
    assert 99.0 < (shell.next_due() or 0.0) <= 100.0


def test_each_wake_values_a_move_of_a_game_that_is_over() -> None:
    shell, whole = joined(pace=0.0)
    said(shell, t="play", id=1, n=whole["position_n"], action=whole["choices"][0][0])
    with pytest.raises(RefusalError, match="running"):
        shell.analysis(begins=True)
    said(shell, t="resign", id=2, n=whole["position_n"] + 1)
    began = shell.analysis(begins=True)
    shell.wake()
    valued = shell.analysis()
    shell.wake()
    assert [(found["state"], len(found["moves"])) for found in (began, valued, shell.analysis())] == [
        ("thinking", 0), ("thinking", 1), ("done", 1)
    ]  # fmt: skip
    assert shell.next_due() is None


def test_a_refusal_is_a_frame() -> None:
    shell, whole = joined(pace=0.0)
    (refused,) = said(shell, t="play", id=7, n=whole["position_n"], action="zz")
    assert (refused["t"], refused["id"]) == ("error", 7)


def test_a_wish_for_a_game_that_there_is_not_is_refused() -> None:
    with pytest.raises(RefusalError):
        Shell("local", kept(game="chess"))


def test_a_rematch_is_another_room() -> None:
    shell, whole = joined(pace=0.0)
    said(shell, t="resign", id=1, n=whole["position_n"])
    said(shell, t="rematch", id=2)
    (name,) = shell.changed.keys() - {"local"}
    (again,) = said(Shell(name, shell.changed[name]), t="hello", token=TOKEN)
    assert [seat["kind"] for seat in again["seats"]] == ["agent", "person"]
    assert again["you"] == 1


def test_a_kept_room_goes_on_where_it_was() -> None:
    shell, whole = joined(pace=0.0)
    said(shell, t="play", id=1, n=whole["position_n"], action=whole["choices"][0][0])
    shell.wake()
    again = Shell("local", msgspec.json.decode(msgspec.json.encode(shell.kept), type=Kept))
    before, after = (said(each, t="hello", token=TOKEN)[0] for each in (shell, again))
    assert after == before
    assert after["position_n"] == 2
