"""`ludoteca serve`: play in the browser. A server on this machine, for as long as it runs.

Its options come first: most are fields of the server's settings.
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
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, nullcontext
from dataclasses import fields, replace
from functools import wraps
from ipaddress import ip_network
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

import click

from ludoteca.cli.signals import INTERRUPTED, Interrupted, interruptible
from ludoteca.cli.streams import say
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.server.logs import log_to
from ludoteca.server.settings import Network, Option, Rate, Settings

if TYPE_CHECKING:  # other commands need neither, and most servers have no use for Prometheus's library
    import uvicorn

    from ludoteca.server.operation.listening import Operation

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104  # only to recognise them
ELSEWHERE: Final = "192.0.2.1"
"""A documentation address (RFC 5737), used only to find our interface."""
BACKLOG: Final = 512
"""The number of connections that may wait to be accepted."""
HOST_NAME: Final = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")

METRICS: Final = re.compile(r"(?:\[?([^\[\]]*?)\]?:)?([0-9]{1,5})")
LAST_PORT: Final = 65535

Value = int | float | Rate | str | Network
Read = Callable[[str, float], Value]


class ServeError(LudotecaError):
    """A server that cannot start; says what to do."""


class _RefusedError(ValueError):
    """A value that can be read and makes no sense; says why."""


def _rate(text: str, least: float) -> Rate:
    burst, _, per_second = text.partition(",")
    return Rate(_checked(float(burst), least), _checked(float(per_second), 0))


def _host(text: str, _: float) -> str:
    name = text.encode("idna").decode().lower().rstrip(".")
    if not HOST_NAME.fullmatch(name):
        raise ValueError
    return name


def _proxy(text: str, _: float) -> Network:
    network = ip_network(text)
    if not network.prefixlen:
        raise _RefusedError(f"{text} is every address there is: a client could then name itself as it likes")
    return network


def _checked(number: float, least: float) -> float:
    if not least <= number < inf:
        raise ValueError
    return number


KINDS: Final[dict[object, tuple[Read, str]]] = {
    int: (lambda text, least: int(_checked(int(text), least)), "a whole number from {least:g} on"),
    float: (lambda text, least: _checked(float(text), least), "a number from {least:g} on"),
    tuple[str, ...]: (_host, "the name of a host and no more, as in games.example.org"),
    tuple[Network, ...]: (_proxy, "an address or a network, as in 192.0.2.7 or 192.0.2.0/24"),
    Rate: (_rate, "a number from {least:g} on, a comma and a number from 0 on, as in 30,0.2: at once, and a second"),
}
"""For each type of field: how its text is read (raises ValueError), and what is expected."""


class _Value(click.ParamType[Value]):
    """The value of a field of the settings."""

    def __init__(self, kind: object, option: Option) -> None:
        self.name = option.unit
        self._least = option.least
        self._read, self._expected = KINDS[kind]

    def convert(self, value: str | Value, param: click.Parameter | None, ctx: click.Context | None) -> Value:
        if not isinstance(value, str):  # the default
            return value
        try:
            return self._read(value, self._least)
        except _RefusedError as error:
            self.fail(f"{error}; expected {self._expected}", param, ctx)
        except ValueError:
            self.fail(f"read {value!r}, expected {self._expected.format(least=self._least)}", param, ctx)


class _Limit(click.Option):
    """An option that `--limits` lists, and `--help` does not."""

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


def with_settings(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that come from the server's settings, and its function their values as `settings`.

    Each field of Settings with an `Option` is one, named like the field.
    """
    hints, defaults = get_type_hints(Settings, include_extras=True), Settings()
    names = [field.name for field in fields(Settings) if get_origin(hints[field.name]) is Annotated]

    @wraps(function)
    def called(**arguments: Any) -> None:
        function(settings=Settings(**{name: arguments.pop(name) for name in names}), **arguments)

    click.option(
        "--limits", is_flag=True, is_eager=True, expose_value=False, callback=_show_limits,
        help="list the options that limit what strangers may do, and end",
    )(called)  # fmt: skip
    for name in reversed(names):
        kind, option = get_args(hints[name])
        click.option(
            f"--{name.replace('_', '-')}",
            cls=_Limit if option.limit else click.Option,
            type=_Value(kind, option),
            metavar="BURST,RATE" if kind is Rate else option.unit.upper(),
            default=getattr(defaults, name),
            multiple=get_origin(kind) is tuple,
            show_default=option.default or True,
            help=option.help,
        )(called)
    return called


@click.command(name="serve")
@click.option(
    "--host", default=LOOPBACK, show_default=True, help="address to listen on; 0.0.0.0 lets others in the network in"
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any that is free")
@click.option("--data", metavar="FILE|URL", envvar="LUDOTECA_DATA", show_envvar=True,
              help="where games are kept: a file (default: one in your data folder), or postgresql://...")  # fmt: skip
@click.option("--open/--no-open", "opens", default=None, help="open the browser; by default where there is a screen")
@click.option("--log", "log", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="form of the log; json: with who made what and what was refused")  # fmt: skip
@click.option(
    "--metrics", "metrics", metavar="[ADDRESS:]PORT", help="tell Prometheus what the server counts, at /metrics there"
)
@click.option("--control", type=click.Path(path_type=Path), envvar="LUDOTECA_CONTROL", show_envvar=True,
              help="a socket for `ludoteca admin`")  # fmt: skip
@with_settings
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
    """Play in the browser: people, programs, spectators.

    Serves the lobby and all games until Ctrl-C; rooms go on at the next start.
    """
    with ExitStack() as held:
        listening = held.enter_context(listen(host, port))
        operation = _operation(control, metrics, held) if control or metrics else None
        address = address_of(listening)
        if operation:
            operation.address = address
        settings = replace(settings, allow_host=(*settings.allow_host, host.lower()))
        if opens is None:  # where a browser can be shown, and a person is there to see it
            shows = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
            opens = bool(shows) and sys.stdout.isatty()
        log_to(sys.stderr, as_json=log == "json")
        run(listening, data, address, settings, operation, opens=opens)


def _operation(control: Path | None, metrics: str | None, held: ExitStack) -> "Operation":
    """The listeners for whoever runs the server, closed with the stack. Raises LudotecaError."""
    from ludoteca.server.operation.listening import Operation, control_socket

    operation = Operation()
    if metrics is not None:
        where = METRICS.fullmatch(metrics)
        if not where or int(where[2]) > LAST_PORT:
            raise ParameterError(
                f"metrics: read {metrics!r}, expected a port, or an address and a port, as in 127.0.0.1:9100"
            )
        operation.metrics_host = (where[1] or LOOPBACK).lower()
        operation.metrics = held.enter_context(listen(operation.metrics_host, int(where[2])))
    if control is not None:
        operation.file = control.absolute()
        operation.control = held.enter_context(control_socket(control))
    return operation


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. It keeps the port. Raises ParameterError for a wrong host, and ServeError."""
    try:
        family, _, _, _, where = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        made = socket.create_server(where[:2], family=family, backlog=BACKLOG)
        # asyncio turns Nagle's algorithm off only where it reads that protocol: else each second small write waits
        return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())
    except socket.gaierror as error:
        raise ParameterError(f"host: read {host!r}, expected an address of this machine ({error.strerror})") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            taken = f"port {port} is taken, perhaps by another ludoteca serve"
            why = f"{taken}: end that, or choose another one with --port (0: any)"
        elif error.errno == errno.EACCES:
            why = f"port {port} needs a user with more rights: choose one from 1024 on with --port (0: any)"
        else:
            why = f"cannot listen on {host!r}, port {port}: {os.strerror(error.errno or 0)}"
        raise ServeError(why) from None


def address_of(listening: socket.socket) -> str:
    """The address to type into a browser: on this machine, or on any in its network when all may come."""
    host, port = listening.getsockname()[:2]
    if host in EVERYWHERE:
        host = own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def own_address() -> str:
    """The address that this machine has in its network; the loopback's when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((ELSEWHERE, 9))  # sends nothing: it only chooses the route
        except OSError:
            return LOOPBACK
        return str(asking.getsockname()[0])


def run(
    listening: socket.socket,
    data: str | None,
    address: str,
    settings: Settings,
    operation: "Operation | None" = None,
    *,
    opens: bool,
) -> None:
    """Serve until a signal ends it. Raises StoreError if the games cannot be kept, and ServeError from when they cannot."""
    import uvicorn

    from ludoteca.server.app import create_app
    from ludoteca.server.http.protocols import answering, config_of
    from ludoteca.server.store.database import called, url_of, usual
    from ludoteca.server.store.store import Store

    async def serve() -> None:
        async with answering(server, listening), operation.answering(app) if operation else nullcontext():
            listening.listen(BACKLOG)  # many may wait; asyncio has set it to the few that it takes at once
            kept = called(url_of(where))
            say(f"Ludoteca: {address}\nGames are kept in {kept}. Ctrl-C ends; they go on at the next start.")
            if opens:  # in a thread: some browsers keep one waiting
                threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
            await server.main_loop()

    where = data or str(usual())
    host, port = listening.getsockname()[:2]
    store = Store.open(where)
    app = create_app(store, settings)
    server = uvicorn.Server(config_of(app, host, port))
    failures: list[ServeError] = []

    def end() -> None:
        failures.append(
            ServeError("games cannot be stored any more, because of the error above; all that was stored is kept")
        )
        server.should_exit = True

    store.writer.on_failure = end
    status = _status_of(server, serve)
    if failures:
        raise failures[0]
    say("Ended; all games are kept.")
    sys.exit(status)


def _status_of(server: "uvicorn.Server", serve: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Serve until a signal ends it, and return the exit status for that signal."""
    loop = asyncio.Runner(loop_factory=server.config.get_loop_factory())
    try:
        with interruptible(signal.SIGINT, signal.SIGTERM), server.capture_signals(), loop:
            loop.run(serve())
    except Interrupted as ending:  # all has ended, and uvicorn raises the signal once more
        return INTERRUPTED if ending.number == signal.SIGINT else 0
    return 0
