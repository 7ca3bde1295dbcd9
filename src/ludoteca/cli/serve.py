"""`ludoteca serve`: a server on this machine, to play in the browser.

Most options are fields of the server's settings.
"""

import asyncio
import errno
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from ipaddress import ip_network
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ludoteca.cli.options import NETWORK_FORM
from ludoteca.cli.settings import Setting, SettingsCommand, new_option
from ludoteca.cli.signals import INTERRUPTED, Interrupted, interruptible
from ludoteca.cli.streams import say
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.server.logs import log_to
from ludoteca.server.settings import Network, Option, Rate, Settings

if TYPE_CHECKING:  # other commands need neither, and most servers have no use for Prometheus's library
    from ludoteca.server.operation.listening import Operation

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104  # only compared
OUTSIDE_ADDRESS: Final = "192.0.2.1"
"""A documentation address (RFC 5737), used only to find the interface of this machine."""
BACKLOG_CONNECTIONS: Final = 512
"""The number of connections that may wait until the server accepts them."""
HOST_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
PATH: Final = re.compile(r"/([\w-][\w.-]*(/|$))*", re.ASCII)

METRICS: Final = re.compile(r"(?:\[?([^\[\]]*?)\]?:)?([0-9]{1,5})")
LAST_PORT: Final = 65535
SCHEMES: Final = ("sqlite", "postgresql", "postgres")
"""The allowed beginnings of a database's URL, before `://` and the name of a driver."""

Value = int | float | Rate | str | Network
Read = Callable[[str, float], Value]


class ServeError(LudotecaError):
    """The server cannot start or go on. The message says why."""


def _rate(text: str, least: float) -> Rate:
    burst, _, per_second = text.partition(",")
    return Rate(_checked(float(burst), least), _checked(float(per_second), 0))


def _host(text: str, _: float) -> str:
    name = text.encode("idna").decode().lower().rstrip(".")
    if not HOST_NAME.fullmatch(name):
        raise ValueError
    return name


def _path(text: str, _: float) -> str:
    if not PATH.fullmatch(text):
        raise ValueError
    return text


def _proxy(text: str, _: float) -> Network:
    network = ip_network(text)
    if not network.prefixlen:
        why = f"{text} contains every address, so any client could name another address as its own; expected {NETWORK_FORM}"
        raise click.BadParameter(why)
    return network


def _checked(number: float, least: float) -> float:
    if not least <= number < inf:
        raise ValueError
    return number


KINDS: Final[dict[object, tuple[Read, str]]] = {
    int: (lambda text, least: int(_checked(int(text), least)), "a whole number, at least {least:g}"),
    bool: (lambda text, _: bool(("off", "on").index(text)), "on or off"),
    float: (lambda text, least: _checked(float(text), least), "a number, at least {least:g}"),
    str: (_path, "a path of letters, digits, '.', '_' and '-' that begins with a slash, such as /games/"),
    tuple[str, ...]: (_host, "only the name of a host, such as games.example.org"),
    tuple[Network, ...]: (_proxy, NETWORK_FORM),
    Rate: (_rate, "two numbers with a comma, such as 30,0.2: the amount at once (at least {least:g}), and per second"),
}
"""For each type of field in the settings, the function that reads a text, and the expected form for its error message. The
function gets the text and the least number, and raises ValueError for a wrong text."""


class _Value(click.ParamType[Value]):
    """The type of an option that sets a field of the settings."""

    def __init__(self, kind: object, option: Option) -> None:
        self.name = option.unit
        self._least = option.least
        self._read, self._expected = KINDS[kind]

    def convert(self, value: str | Value, param: click.Parameter | None, ctx: click.Context | None) -> Value:
        if not isinstance(value, str):  # the default
            return value
        try:
            return self._read(value, self._least)
        except ValueError:
            self.fail(f"read {value!r}, expected {self._expected.format(least=self._least)}", param, ctx)


class _Limit(click.Option):
    """An option that only `--limits` lists, not `--help`."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return super().get_help_record(ctx) if ctx.meta.get(__name__) else None


def _show_limits(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    ctx.meta[__name__] = True
    formatter = ctx.make_formatter()
    records = (param.get_help_record(ctx) for param in ctx.command.params if isinstance(param, _Limit))
    with formatter.section("Limits"):
        formatter.write_dl([record for record in records if record])
    click.echo(formatter.getvalue(), nl=False)
    ctx.exit()


class ServeCommand(SettingsCommand):
    """A command with the options of the server's settings."""

    @staticmethod
    def new_option(name: str, kind: Any, option: Option, default: Value) -> click.Option:
        """Return click's option for a field with an `Option`."""
        metavar = "BURST,RATE" if kind is Rate else option.unit.upper()
        setting = Setting(option.help, _Value(kind, option), is_flag=False, metavar=metavar)
        if option.limit:
            setting.cls = _Limit
        if option.default:
            setting.attributes["show_default"] = option.default
        return new_option(name, kind, setting, default)


@click.command(name="serve", cls=ServeCommand, settings=Settings)
@click.option("--host", default=LOOPBACK, show_default=True,
              help="the address to listen on; 0.0.0.0 admits others in your network")  # fmt: skip
@click.option("--port", type=click.IntRange(0, LAST_PORT), default=8000, show_default=True,
              help="the port; 0 takes a free port")  # fmt: skip
@click.option("--data", metavar="FILE|URL", envvar="LUDOTECA_DATA", show_envvar=True,
              help="store games in this file or database  [default: a file in your data folder]")  # fmt: skip
@click.option("--open/--no-open", "opens", default=None, help="open the browser  [default: if there is a screen]")
@click.option("--log", "log", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="the form of the log; json: also names who made a room, and each refusal")  # fmt: skip
@click.option("--metrics", "metrics", metavar="[ADDRESS:]PORT", help="serve metrics for Prometheus at /metrics of this port")
@click.option("--control", type=click.Path(path_type=Path), envvar="LUDOTECA_CONTROL", show_envvar=True,
              help="make this socket for `ludoteca admin`")  # fmt: skip
@click.option("--limits", is_flag=True, is_eager=True, expose_value=False, callback=_show_limits,
              help="list the options that limit what strangers may do")  # fmt: skip
def command(
    host: str,
    port: int,
    data: str | None,
    opens: bool | None,
    log: str,
    metrics: str | None,
    control: Path | None,
    settings: Settings,
) -> None:
    """Run a server to play in the browser, against people and programs.

    It serves the lobby and all games until Ctrl-C. Rooms continue at the next start.
    """
    if data:
        check_data(data)
    metrics_address = read_metrics(metrics) if metrics else None
    with ExitStack() as held:
        listening = held.enter_context(listen(host, port))
        operation = _operation(control, metrics_address, held) if control or metrics_address else None
        settings = replace(settings, allow_host=(*settings.allow_host, host.lower()))
        if opens is None:
            shows = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
            opens = bool(shows) and sys.stdout.isatty()
        log_to(sys.stderr, as_json=log == "json")
        run(listening, data, settings, operation, opens=opens)


def check_data(text: str) -> None:
    """Raise ParameterError if `text` cannot be the name of a database. This check comes before the libraries of databases
    are loaded, which takes time.
    """
    scheme, is_url, _ = text.partition("://")
    if is_url:
        if scheme.partition("+")[0] not in SCHEMES:
            raise ParameterError(f"data: read {scheme}://, expected the name of a file, sqlite:///FILE or postgresql://...")
        return
    file = Path(text).expanduser().absolute()
    place = next(each for each in (file, *file.parents) if os.access(each, os.F_OK))
    if file.is_dir():
        raise ParameterError(f"data: {text} is a folder. Name a file in it")
    if place != file and not place.is_dir():
        raise ParameterError(f"data: {text}: {place} is not a folder")
    if not os.access(place, os.W_OK):
        raise ParameterError(f"data: {text}: {place} cannot be written")


def read_metrics(text: str) -> tuple[str, int]:
    """Return the host and the port in the value of `--metrics`. Raises ParameterError if the text is neither a port nor an
    address and a port.
    """
    where = METRICS.fullmatch(text)
    if not where or int(where[2]) > LAST_PORT:
        raise ParameterError(f"metrics: read {text!r}, expected a port, or an address and a port, such as 127.0.0.1:9100")
    return (where[1] or LOOPBACK).lower(), int(where[2])


def _operation(control: Path | None, metrics: tuple[str, int] | None, held: ExitStack) -> "Operation":
    """Return the listening sockets for the operator: the control socket and the port for metrics. They are closed together
    with `held`.

    Raises LudotecaError if the port or the socket's file cannot be used, for example because another server uses it.
    """
    from ludoteca.server.operation.listening import Operation, control_socket

    operation = Operation()
    if metrics:
        operation.metrics_host = metrics[0]
        operation.metrics = held.enter_context(listen(*metrics))
    if control is not None:
        operation.file = control.absolute()
        operation.control = held.enter_context(control_socket(control))
    return operation


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address.

    Raises ParameterError if the host is no address of this machine, and ServeError if the port cannot be used.
    """
    try:
        family, _, _, _, where = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        made = socket.create_server(where[:2], family=family, backlog=BACKLOG_CONNECTIONS)
        # asyncio turns Nagle's algorithm off only for a socket with this protocol. With it each second small write waits.
        return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())
    except socket.gaierror as error:
        raise ParameterError(f"host: read {host!r}, expected an address of this machine ({error.strerror})") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = f"port {port} is in use, perhaps by another server: end it, or choose another --port (0: a free port)"
        elif error.errno == errno.EACCES:
            why = f"port {port} needs more rights: choose a --port from 1024 (0: a free port)"
        else:
            why = f"cannot listen on {host!r}, port {port}: {os.strerror(error.errno or 0)}"
        raise ServeError(why) from None


def address_of(listening: socket.socket) -> str:
    """Return the URL of the server for browsers, without a slash at its end. The host is the one on which the server
    listens. If the server listens on all addresses, it is this machine's address in its network.
    """
    host, port = listening.getsockname()[:2]
    if host in EVERYWHERE:
        host = LOOPBACK  # without a network
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
            asking.connect((OUTSIDE_ADDRESS, 9))  # chooses the route and sends nothing
            host = asking.getsockname()[0]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def run(
    listening: socket.socket, data: str | None, settings: Settings, operation: "Operation | None", *, opens: bool
) -> None:
    """Run the server until a signal ends it. Raises StoreError if the database cannot be opened, and ServeError if it fails
    later.
    """
    import uvicorn

    from ludoteca.server.app import create_app
    from ludoteca.server.http.protocols import answering, config_of
    from ludoteca.server.store.database import called, url_of, usual
    from ludoteca.server.store.store import Store

    async def serve() -> None:
        async with answering(server, listening), operation.answering(app) if operation else nullcontext():
            listening.listen(BACKLOG_CONNECTIONS)  # asyncio has set a smaller number
            say(f"Ludoteca: {address}")
            say(f"Games are stored in {called(url_of(where))}. Ctrl-C ends the server. Games continue at the next start.")
            if opens:  # in a thread, because some browsers block
                threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
            await server.main_loop()

    address = f"{address_of(listening)}{settings.root}/"
    if operation:
        operation.address = address
    where = data or str(usual())
    store = Store.open(where)
    app = create_app(store, settings)
    server = uvicorn.Server(config_of(app, *listening.getsockname()[:2]))
    failures: list[ServeError] = []

    def end() -> None:
        failures.append(ServeError("games can no longer be stored, because of the error above; stored games are safe"))
        server.should_exit = True

    store.writer.on_failure = end
    status, loop = 0, asyncio.Runner(loop_factory=server.config.get_loop_factory())
    try:
        with interruptible(signal.SIGINT, signal.SIGTERM), server.capture_signals(), loop:
            loop.run(serve())
    except Interrupted as ending:  # uvicorn raises the signal again at its end
        status = INTERRUPTED if ending.number == signal.SIGINT else 0
    if failures:
        raise failures[0]
    say("Ended. All games are stored.")
    sys.exit(status)
