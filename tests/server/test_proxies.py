"""Proxies: each client has its own limits, no client can name itself, and the server can have its own path."""

import json
import re
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from websockets.sync.client import connect

from ludoteca.cli.serve import command
from ludoteca.server.http.previews import HAS_PNG
from ludoteca.server.settings import Rate
from tests.browser.serving import free_port
from tests.server.nginx import needs_nginx, nginx
from tests.server.serving import OPEN, PATIENCE, QUICK, Client, me, serve

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


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


@needs_nginx
def test_a_server_behind_nginx_has_its_own_path(tmp_path: Path) -> None:
    port = free_port()
    outside = f"127.0.0.1:{port}"
    found = re.search(r"location / (\{.*?\})", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    with serve(tmp_path / "games.sqlite", replace(QUICK, path="/games/")) as server:
        place = f"server {{ listen {outside}; location /games/ {found[1].replace('127.0.0.1:8000', server.address)} }}"
        with nginx(tmp_path, place, port), httpx.Client(base_url=f"http://{outside}", timeout=PATIENCE) as http:
            lobby = http.get("/games", follow_redirects=True)
            assert lobby.url == f"http://{outside}/games/"
            addresses = re.findall(r'(?:href|src|srcset)="([^#"][^"]*)"', lobby.text)
            assert {http.get(address).status_code for address in addresses} == {200}
            assert all(address.startswith("/games/") for address in addresses)
            made = http.post("/games/api/rooms", json={"game": "conclave", "seats": [me(), OPEN]}).json()
            pictures = re.findall(r'"og:image" content="([^"]*)"', http.get(f"/games/room/{made['room']}").text)
            assert pictures == [f"http://{outside}/games/api/rooms/{made['room']}/picture.png"] * HAS_PNG
            assert http.get("/games/api/openapi.json").json()["servers"] == [{"url": "/games"}]
            with connect(f"ws://{outside}/games/ws/{made['room']}", open_timeout=PATIENCE) as socket:
                assert Client(socket).hello(made["token"])["you"] == 0


def test_only_the_check_of_a_server_is_outside_its_path(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, path="/games")) as server:
        assert server.http.get("/games").headers["location"] == f"http://{server.address}/games/"
        assert [server.http.get(path).json()["status"] for path in ("/health", "/games/health")] == ["ok", "ok"]
        assert {server.http.get(path).status_code for path in ("/", "/api/games", "/static/lobby.js")} == {404}
        assert 'class="brand" href="/games/"' in server.http.get("/", headers={"accept": "text/html"}).text


@pytest.mark.parametrize(
    "path", ["", "games", "/../", "/games/../club/", "/my games/", "/games?a", "//example.org/", "/jocs#a"]
)
def test_a_path_that_no_server_can_have_is_refused(path: str) -> None:
    refused = CliRunner().invoke(command, ["--path", path])
    assert refused.exit_code == 2
    assert f"read {path!r}, expected a path of letters" in refused.output
