"""Proxies on other machines: each client has its own limits, and no client can name itself."""

import json
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludoteca.cli.serve import command
from ludoteca.server.settings import Rate
from tests.server.serving import OPEN, QUICK, me, serve


@pytest.mark.parametrize(("proxy", "made"), [("127.0.0.8", [201, 201, 429]), ("127.0.0.4/30", [201, 429, 429])])
def test_the_clients_of_a_proxy_elsewhere_are_told_apart(proxy: str, made: list[int], tmp_path: Path) -> None:
    settings = replace(QUICK, rooms_of_address=Rate(1, 0.001), proxy=(ip_network(proxy),))
    body = json.dumps({"game": "conclave", "seats": [me(), OPEN]}).encode()
    head = b"POST /api/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nX-Forwarded-For: %s\r\n\r\n"

    def ask(client: bytes) -> int:
        with server.raw("127.0.0.8", head % (len(body), client) + body) as connection:
            return int(connection.recv(12).split()[1])

    with serve(tmp_path / "games.sqlite", settings) as server:
        assert [ask(client) for client in (b"192.0.2.1", b"192.0.2.2", b"192.0.2.1")] == made


@pytest.mark.parametrize(
    ("proxy", "says"),
    [
        ("0.0.0.0/0", "0.0.0.0/0 contains every address"),
        ("::/0", "::/0 contains every address"),
        ("proxy.example", "read 'proxy.example', expected an address or a network"),
        ("10.0.0.1/8", "read '10.0.0.1/8', expected an address or a network"),
        ("", "read '', expected an address or a network"),
    ],
)
def test_a_proxy_that_cannot_be_believed_is_refused(proxy: str, says: str) -> None:
    refused = CliRunner().invoke(command, ["--proxy", proxy])
    assert (refused.exit_code, says in refused.output) == (2, True)
