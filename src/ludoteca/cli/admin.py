"""`ludoteca admin`: what whoever runs a server does while it runs."""

import http.client
import json
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import click
from rich.console import Console
from rich.table import Table

from ludoteca.cli.streams import say
from ludoteca.core.errors import LudotecaError
from ludoteca.core.messages import catalogue, in_words

PATIENCE: Final = 60.0
"""Seconds in which a server answers, if it runs at all."""
ROOMS: Final = {"ignore_unknown_options": True}
"""For commands that take the name of a room: an older Ludoteca may have put a hyphen first."""


class AdminError(LudotecaError):
    """What the server refused, or that there is none."""


class Control(http.client.HTTPConnection):
    """A server's control socket."""

    def __init__(self, file: Path) -> None:
        super().__init__("localhost", timeout=PATIENCE)
        self._file = file

    def connect(self) -> None:
        """Connect to the socket. Raises OSError."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._file))

    def ask(self, method: str, *path: str, **query: str) -> Any:
        """What the server answers. Raises AdminError."""
        where = "/" + "/".join(quote(part, safe="") for part in path) + (f"?{urlencode(query)}" if query else "")
        return json.loads(self.text(method, where))

    def text(self, method: str, where: str) -> str:
        """The text that the server answers. Raises AdminError."""
        try:
            self.request(method, where)
            answer = self.getresponse()
            text = answer.read().decode()
        except OSError as error:
            raise AdminError(f"control: no server answers at {self._file}: {error.strerror or error}") from None
        finally:
            self.close()
        if answer.status >= http.client.BAD_REQUEST:
            raise AdminError(in_words(tuple(json.loads(text)["message"]), catalogue("ludoteca.server", "en")))
        return text


@click.group(name="admin")
@click.option("--control", required=True, type=click.Path(path_type=Path), envvar="LUDOTECA_CONTROL", show_envvar=True,
              help="the socket that the server was given with --control")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, control: Path) -> None:
    """Look after a running server: its rooms, and what addresses and seats left."""
    ctx.obj = Control(control)


def _print(found: object) -> None:
    say(json.dumps(found, indent=2, ensure_ascii=False))


def _when(seconds: float | None) -> str:
    return (
        "for good" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(sep=" ", timespec="minutes")[:16]
    )


@command.command()
@click.option("--all", "every", is_flag=True, help="those that sleep, too")
@click.option("--json", "as_json", is_flag=True, help="as JSON, with all that is known")
@click.pass_obj
def rooms(control: Control, every: bool, as_json: bool) -> None:
    """List the rooms."""
    found = control.ask("GET", "rooms", **({"all": "1"} if every else {}))
    if as_json:
        _print(found)
        return
    table = Table("room", "game", "seats", "moves", "state", "sockets", "made (UTC)", box=None)
    for room in found:
        state = "over" if room["over"] else "played" if "moves" in room else "asleep"
        moves, sockets = str(room.get("moves", "")), str(room.get("sockets", ""))
        table.add_row(room["room"], room["game"], ", ".join(room["seats"]), moves, state, sockets, _when(room["created"]))
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 200, highlight=False, markup=False).print(table)


@command.command(context_settings=ROOMS)
@click.argument("room")
@click.pass_obj
def close(control: Control, room: str) -> None:
    """Put everybody out of a room. It is kept, and whoever comes again goes on."""
    closed = control.ask("POST", "rooms", room, "close")["closed"]
    say(f"{room}: closed" if closed else f"{room}: nobody was in it")


@command.command(context_settings=ROOMS)
@click.argument("room")
@click.argument("seat", required=False, type=click.IntRange(1))
@click.confirmation_option(prompt="What is deleted cannot be had back. Delete it?")
@click.pass_obj
def delete(control: Control, room: str, seat: int | None) -> None:
    """Delete a room for good, or the name and the secret of one of its seats (from 1)."""
    if seat is None:
        control.ask("DELETE", "rooms", room)
        say(f"{room}: deleted")
    else:
        control.ask("DELETE", "rooms", room, "seats", str(seat - 1))
        say(f"{room}, seat {seat}: the name and the secret are deleted, the moves stay")


@command.command(context_settings=ROOMS)
@click.argument("what")
@click.argument("seat", required=False, type=click.IntRange(1))
@click.pass_obj
def export(control: Control, what: str, seat: int | None) -> None:
    """Print as JSON what a seat of a room left (ROOM SEAT, from 1), or what is known of an ADDRESS."""
    if seat is None:
        _print(control.ask("GET", "addresses", what))
    else:
        _print(control.ask("GET", "rooms", what, "seats", str(seat - 1)))


@command.command()
@click.argument("address")
@click.pass_obj
def forget(control: Control, address: str) -> None:
    """Forget an address: that it made rooms, and that it is blocked."""
    say(f"{control.ask('DELETE', 'addresses', address)['forgotten']}: forgotten")


@command.command()
@click.argument("address")
@click.option("--days", type=click.FloatRange(0, min_open=True), help="for so long; without, for good")
@click.pass_obj
def block(control: Control, address: str, days: float | None) -> None:
    """Keep an address out, and put out whoever is in a room from there. Of IPv6 it is the network of 64 bits."""
    found = control.ask("PUT", "blocks", address, **({} if days is None else {"days": f"{days:g}"}))
    until = "for good" if days is None else f"until {_when(found['until'])} UTC"
    say(f"{found['blocked']}: blocked {until}; put out of rooms: {found['sockets']}")


@command.command()
@click.argument("address")
@click.pass_obj
def unblock(control: Control, address: str) -> None:
    """Keep an address out no longer."""
    unblocked = control.ask("DELETE", "blocks", address)["unblocked"]
    say(f"{address}: no longer blocked" if unblocked else f"{address}: was not blocked")


@command.command()
@click.pass_obj
def blocked(control: Control) -> None:
    """List the addresses that are kept out."""
    for block in control.ask("GET", "blocks"):
        since, until = _when(block["since"]), _when(block["until"])
        say(f"{block['address']}: since {since}, {until if block['until'] is None else f'until {until}'} (UTC)")


@command.command()
@click.pass_obj
def metrics(control: Control) -> None:
    """Print what the server counts, as Prometheus reads it."""
    say(control.text("GET", "/metrics").rstrip())
