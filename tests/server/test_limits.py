"""The limits: where they are chosen, and where they are told of."""

import re
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ludoteca.cli.serve import command
from ludoteca.cli.server_options import with_settings
from ludoteca.server.addresses import client_of
from ludoteca.server.refusals import CODES
from ludoteca.server.settings import Rate, Settings
from tests.server.serving import OPEN, QUICK, me, serve

DOCUMENT = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
CHOSEN = {option.opts[0]: option for option in command.params if option.name in vars(Settings())}


def table() -> list[list[str]]:
    """The rows of "What is limited": what, limit, of each, what the client is told, option."""
    section = DOCUMENT.split("\n## What is limited\n")[1].split("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]


def test_every_option_for_a_limit_has_its_row_with_its_default() -> None:
    told = {option: row[1] for row in table() for option in re.findall(r"--[a-z-]+", row[-1])}
    elsewhere = set(re.findall(r"^\| `(--[a-z-]+)", DOCUMENT, re.MULTILINE))
    assert told == {name: str(option.default) for name, option in CHOSEN.items() if name not in elsewhere}


def test_what_a_refused_client_is_told_is_a_code_that_it_can_get() -> None:
    assert {code for row in table() for code in re.findall(r"`([a-z]+)`", row[3])} <= CODES.keys()


@click.command
@with_settings
def expected(settings: Settings) -> None:
    assert settings == replace(Settings(), spectators=200, absence=2.5, rooms_of_address=Rate(100, 1))


def test_what_is_chosen_is_what_the_server_holds() -> None:
    arguments = ["--spectators", "200", "--absence", "2.5", "--rooms-of-address", "100,1"]
    assert CliRunner().invoke(expected, arguments).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--spectators", "many"], "read 'many', expected a whole number from 1 on"),
        (["--spectators", "0"], "read '0', expected a whole number from 1 on"),
        (["--absence", "nan"], "read 'nan', expected a number from 0 on"),
        (["--absence", "-1"], "read '-1', expected a number from 0 on"),
        (
            ["--rooms-of-address", "30"],
            "read '30', expected a number from 1 on, a comma and a number from 0 on, as in 30,0.2",
        ),
        (["--rooms-of-address", "30,inf"], "read '30,inf', expected a number from 1 on, a comma and a number from 0 on"),
    ],
)
def test_a_limit_that_is_none_is_told_in_one_line(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == click.UsageError.exit_code
    assert f"Error: Invalid value for '{arguments[0]}': {says}" in result.output.splitlines()[-1]


# whose


@pytest.mark.parametrize(
    ("host", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
        ("2001:db8:0:2::7", "2001:db8:0:2::/64"),
        ("fe80::7%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("unknown", "unknown"),
    ],
)
def test_an_ipv6_address_is_counted_with_all_of_its_home(host: str, client: str) -> None:
    assert client_of(host) == client


def test_the_addresses_of_one_home_make_as_many_rooms_as_one(tmp_path: Path) -> None:
    with serve(tmp_path / "games.sqlite", replace(QUICK, rooms_of_address=Rate(2, 0.001))) as server:
        came_from = ["2001:db8:0:1::1", "2001:db8:0:1:2::1", "2001:db8:0:1:3::1", "2001:db8:0:2::1", "::ffff:192.0.2.7"]
        body = {"game": "conclave", "seats": [me(), OPEN]}
        made = [server.http.post("/api/rooms", json=body, headers={"X-Forwarded-For": host}) for host in came_from]
        assert [answer.status_code for answer in made] == [201, 201, 429, 201, 201]
