"""`ludoteca admin`: commands for the operator of a running server."""

import http.client
import json
import re
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import click
from rich.console import Console
from rich.table import Table

from ludoteca.cli.options import NETWORK_FORM
from ludoteca.cli.streams import say
from ludoteca.core.errors import LudotecaError
from ludoteca.core.messages import catalogue, in_words

ANSWER_WITHIN_SECONDS: Final = 60.0
HYPHENS: Final = {"ignore_unknown_options": True}
"""Click's settings for commands with a room's name, so that a name with a hyphen at its beginning is no option."""
ROOM_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
WORDS: Final = {
    "error.room": "there is no such room",
    "error.player": "this room has no seat {0}",
    "admin.record": "this room shows a record: no person plays in it",
    "admin.agent": "an agent plays seat {0}: only the seat of a person has a link",
    "admin.open": "seat {0} is open: any person with the address of the room can take it",
    "admin.deleted": "the person of seat {0} was deleted",
}
"""Texts of refusals for the operator. They replace the server's texts with the same keys, which are for players."""


class AdminError(LudotecaError):
    """The server refuses a request, or does not answer."""


class Control(http.client.HTTPConnection):
    """A connection over HTTP to a server's control socket, the file that `ludoteca serve --control` makes."""

    def __init__(self, file: Path) -> None:
        super().__init__("localhost", timeout=ANSWER_WITHIN_SECONDS)
        self._file = file

    def connect(self) -> None:
        """Connect to the socket. Raises OSError if no server listens there."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._file))

    def ask(self, method: str, *path: str, **query: str) -> Any:
        """Send a request with this method, path and query, and return the server's answer, decoded from JSON. Raises
        AdminError if the server refuses the request or does not answer.
        """
        where = "/" + "/".join(quote(part, safe="") for part in path) + (f"?{urlencode(query)}" if query else "")
        return json.loads(self.text(method, where))

    def text(self, method: str, where: str) -> str:
        """Send a request with this method to the path `where`, and return the text of the server's answer. Raises AdminError
        if the server refuses the request or does not answer.
        """
        try:
            self.request(method, where)
            answer = self.getresponse()
            text = answer.read().decode()
        except OSError as error:
            raise AdminError(f"control: no server answers at {self._file}: {error.strerror or error}") from None
        finally:
            self.close()
        if answer.status >= http.client.BAD_REQUEST:
            raise AdminError(_in_words(json.loads(text)["message"]))
        return text


def _in_words(message: list[Any]) -> str:
    return in_words(tuple(message), {**catalogue("ludoteca.server", "en"), **WORDS})


def _room_name(text: str) -> str:
    """Return the text if it can be the name of a room. Raises AdminError if it contains a character that names
    do not have.
    """
    if not ROOM_NAME.fullmatch(text):  # the request would have another path
        raise AdminError(WORDS["error.room"])
    return text


class _Address(click.ParamType[str]):
    """An address, or a network of addresses."""

    name = "address"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            ip_network(value.partition("%")[0] if "/" not in value else value)
        except ValueError:
            self.fail(f"read {value!r}, expected {NETWORK_FORM}", param, ctx)
        return value


@click.group(name="admin")
@click.option("--control", required=True, type=click.Path(path_type=Path), envvar="LUDOTECA_CONTROL", show_envvar=True,
              help="the socket that the server was given with --control")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, control: Path) -> None:
    """Manage a running server: its rooms, and its data on addresses and players."""
    ctx.obj = Control(control)


def _room_command(run: Callable[..., None]) -> click.Command:
    """Return a command that calls `run` with the control socket and the name of a room."""
    return command.command(context_settings=HYPHENS)(click.argument("room", type=_room_name)(click.pass_obj(run)))


def _address_command(run: Callable[..., None]) -> click.Command:
    """Return a command that calls `run` with the control socket and an internet address."""
    return command.command()(click.argument("address", type=_Address())(click.pass_obj(run)))


def _print(found: object) -> None:
    say(json.dumps(found, indent=2, ensure_ascii=False))


def _when(time: str) -> str:
    """Return a time of the server, which is in UTC, to the minute."""
    return f"{time[:16].replace('T', ' ')} UTC"


@command.command()
@click.option("--all", "every", is_flag=True, help="include rooms that are asleep")
@click.option("--json", "as_json", is_flag=True, help="print JSON with all details")
@click.pass_obj
def rooms(control: Control, every: bool, as_json: bool) -> None:
    """List the rooms."""
    found = control.ask("GET", "rooms", **({"all": "1"} if every else {}))
    if as_json:
        _print(found)
        return
    table = Table("room", "game", "seats", "moves", "state", "sockets", "made", "deleted after", box=None)
    for room in found:
        state = "over" if room["over"] else "played" if "moves" in room else "asleep"
        moves, sockets = str(room.get("moves", "")), str(room.get("sockets", ""))
        left = "" if room["days_left"] is None else f"{room['days_left']:.1f} days of running"
        seats, made = ", ".join(room["seats"]), _when(room["created"])
        table.add_row(room["room"], room["game"], seats, moves, state, sockets, made, left)
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 200, highlight=False, markup=False).print(table)


@_room_command
def close(control: Control, room: str) -> None:
    """Close all connections to a room. The room stays, and its players can come back."""
    closed = control.ask("POST", "rooms", room, "close")["closed"]
    say(f"{room}: closed" if closed else f"{room}: asleep, there was nothing to close")


@_room_command
def restore(control: Control, room: str) -> None:
    """Keep a room that is marked for deletion. Its time begins again."""
    restored = control.ask("POST", "rooms", room, "restore")["restored"]
    say(f"{room}: no longer marked" if restored else f"{room}: was not marked")


@_room_command
@click.argument("seat", required=False, type=click.IntRange(1))
@click.confirmation_option(prompt="A deletion cannot be undone. Delete?")
def delete(control: Control, room: str, seat: int | None) -> None:
    """Delete a room for good. With SEAT (from 1), delete only the name and the secret of its person."""
    if seat is None:
        control.ask("DELETE", "rooms", room)
        say(f"{room}: deleted")
    else:
        deleted = control.ask("DELETE", "rooms", room, "seats", str(seat))
        _report(deleted, "the name and the secret are deleted, the moves stay")


def _report(changed: dict[str, Any], what: str) -> None:
    """Print the rooms in which a person was changed. `what` says what was changed. Raises AdminError with the rooms in which
    the change failed.
    """
    for place in changed["rooms"]:
        say(f"{_called(place)}: {what}")
    if failed := changed["failed"]:
        raise AdminError("; ".join(f"{_called(place)}: nothing changed: {_in_words(place['message'])}" for place in failed))


def _called(place: dict[str, Any]) -> str:
    return f"{place['room']}, the right to delete it" if place["seat"] is None else f"{place['room']}, seat {place['seat']}"


@_room_command
@click.argument("seat", type=click.IntRange(1))
@click.option("--address", metavar="URL", envvar="LUDOTECA_ADDRESS", show_envvar=True,
              help="the server's address for players  [default: the address at which it listens]")  # fmt: skip
def seat(control: Control, room: str, seat: int, address: str | None) -> None:
    """Print a new link for the seat (from 1) of a person who lost the old one. The old link stops working."""
    given = control.ask("POST", "rooms", room, "seats", str(seat), "link")
    say((address or given["address"]).rstrip("/").removesuffix(given["root"]) + given["path"])
    _report(given, "the old link no longer works; send the new link only to its player")


@command.command(context_settings=HYPHENS)
@click.argument("what")
@click.argument("seat", required=False, type=click.IntRange(1))
@click.pass_obj
def export(control: Control, what: str, seat: int | None) -> None:
    """Print the data on the person of a seat (ROOM SEAT, from 1), or on an ADDRESS, as JSON."""
    ctx = click.get_current_context()
    if seat is None:
        _print(control.ask("GET", "addresses", _Address().convert(what, ctx.command.params[0], ctx)))
    else:
        _print(control.ask("GET", "rooms", _room_name(what), "seats", str(seat)))


@_address_command
def forget(control: Control, address: str) -> None:
    """Delete the data on an address or a network."""
    say(f"{control.ask('DELETE', 'addresses', address)['forgotten']}: forgotten")


@command.command()
@click.pass_obj
def metrics(control: Control) -> None:
    """Print the server's metrics in the format of Prometheus."""
    say(control.text("GET", "/metrics").rstrip())
