"""Records and pictures that are read again and again: made once, kept within bounds, and counted for each address."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from ludoteca.server.http.documents import Documents
from ludoteca.server.processor import Processor
from ludoteca.server.settings import Rate
from tests.server.serving import QUICK, Served, agent, me, serve


def given_up(server: Served) -> str:
    """A room whose game is over."""
    made = server.make("conclave", me(), agent())
    with server.join(made["room"], made["token"]) as client:
        client.ask("resign")
    return f"/api/rooms/{made['room']}"


@pytest.mark.parametrize("what", ["record", "picture.svg?ply=0&player=1&theme=dark"])
def test_what_never_changes_is_made_once(own_server: Served, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where = f"{given_up(own_server)}/{what}"
    first = own_server.http.get(where)
    monkeypatch.delattr(Processor, "in_turn")  # nothing can be made any more
    again = own_server.http.get(where)
    assert (again.status_code, again.content, again.headers["etag"]) == (200, first.content, first.headers["etag"])
    known = own_server.http.get(where, headers={"if-none-match": first.headers["etag"]})
    assert (known.status_code, known.content, known.headers["cache-control"]) == (304, b"", "no-cache")
    assert known.headers.get("content-security-policy") == first.headers.get("content-security-policy")


def test_pictures_differ_by_all_that_is_asked(own_server: Served) -> None:
    where = f"{given_up(own_server)}/picture.svg"
    asked = ["", "?player=1", "?theme=dark", "?player=1&theme=dark"]  # with all open, spectators see what player 0 sees
    assert len({own_server.http.get(where + query).headers["etag"] for query in asked}) == len(asked)


def test_documents_have_their_bounds_and_those_that_were_read_last_stay() -> None:
    documents, made = Documents(20, packs=False), []

    def get(name: str, size: int = 8) -> None:
        def make() -> str:
            made.append(name)
            return name * size

        documents.get(name, make)

    for name in ("a", "b", "a", "c", "a", "b"):
        get(name)
    get("d", 30)  # it takes more than the bound
    get("a")
    assert made == ["a", "b", "c", "b", "d", "a"]


def test_a_document_that_two_threads_make_is_kept_once() -> None:
    documents, both = Documents(20, packs=False), Barrier(2)

    def make() -> str:
        both.wait()
        return "a" * 8

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda _: documents.get("a", make), range(2)))
    documents.get("b", lambda: "b" * 8)
    assert documents.find("a")


def test_reads_are_counted_for_each_address(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, reads_of_address=Rate(2, 0.001))) as server:
        room = given_up(server)
        asked = [server.http.get(f"{room}/{what}") for what in ("record", "picture.svg", "record")]
        assert [answer.status_code for answer in asked] == [200, 200, 429]
        assert asked[-1].json()["code"] == "rate"
        assert server.http.get(f"{room}/record", headers={"X-Forwarded-For": "192.0.2.2"}).status_code == 200
