"""`ludoteca serve`: play in the browser. A server on this machine, for as long as it runs."""

import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from dataclasses import replace
from typing import Final

import click

from ludoteca.cli.server_options import with_settings
from ludoteca.cli.signals import INTERRUPTED, Interrupted, interruptible
from ludoteca.cli.streams import OutputError, say
from ludoteca.core.errors import LudotecaError
from ludoteca.server.settings import Settings

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104  # only to recognise them
ELSEWHERE: Final = "192.0.2.1"
"""An address that is nobody's (RFC 5737)."""
WAITING: Final = 512
"""Connections that wait to be taken."""


class ServeError(LudotecaError):
    """A server that cannot start; says what to do."""


@click.command(name="serve")
@click.option(
    "--host", default=LOOPBACK, show_default=True, help="address to listen on; 0.0.0.0 lets others in the network in"
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any that is free")
@click.option("--data", metavar="FILE|URL", envvar="LUDOTECA_DATA", show_envvar=True,
              help="where games are kept: a file (default: one in your data folder), or postgresql://...")  # fmt: skip
@click.option("--open/--no-open", "opens", default=None, help="open the browser; by default where there is a screen")
@with_settings
def command(host: str, port: int, data: str | None, opens: bool | None, settings: Settings) -> None:
    """Play in the browser: people, programs, spectators.

    Serves the lobby and all games until Ctrl-C; rooms go on at the next start.
    """
    listening = listen(host, port)
    with listening:
        address = address_of(listening)
        settings = replace(settings, allow_host=(*settings.allow_host, host.lower()))
        run(listening, data, address, settings, opens=has_screen() if opens is None else opens)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, so that nobody else can take the port meanwhile. Raises ServeError."""
    try:
        family, _, _, _, where = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        made = socket.create_server(where[:2], family=family, backlog=WAITING)
        # asyncio turns Nagle's algorithm off only where it reads that protocol: else each second small write waits
        return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())
    except socket.gaierror as error:
        raise ServeError(f"host: read {host!r}, expected an address of this machine ({error.strerror})") from None
    except OSError as error:
        raise ServeError(_cannot_listen(host, port, error)) from None


def _cannot_listen(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} is taken, perhaps by another ludoteca serve: end that, or choose another one with --port (0: any)"
        )
    if error.errno == errno.EACCES:
        return f"port {port} needs a user with more rights: choose one from 1024 on with --port (0: any)"
    return f"cannot listen on {host!r}, port {port}: {os.strerror(error.errno or 0)}"


def address_of(listening: socket.socket) -> str:
    """What to type into a browser: on this machine, or on any in its network when all may come."""
    host, port = listening.getsockname()[:2]
    if host in EVERYWHERE:
        host = own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def own_address() -> str:
    """The address that this machine has in its network; the loopback's when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((ELSEWHERE, 9))  # sends nothing: it only chooses the way
        except OSError:
            return LOOPBACK
        return str(asking.getsockname()[0])


def has_screen() -> bool:
    """True where a browser can be shown, and a person is there to see it."""
    shows = sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return shows and sys.stdout.isatty()


def run(listening: socket.socket, data: str | None, address: str, settings: Settings, *, opens: bool) -> None:
    """Serve until a signal ends it. Raises StoreError when the games cannot be kept."""
    import uvicorn

    from ludoteca.server.app import configured, create_app
    from ludoteca.server.logs import log_to
    from ludoteca.server.store.database import called, url_of, usual
    from ludoteca.server.store.store import Store

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                listening.listen(WAITING)  # many may wait; asyncio has set it to the few that it takes at once
                try:
                    announce(address, called(url_of(where)), opens=opens)
                except OutputError as error:  # uvicorn ends in order only when it is asked to
                    unheard.append(error)
                    self.should_exit = True

    log_to(sys.stderr)
    where = data or str(usual())
    host, port = listening.getsockname()[:2]
    server = Server(configured(create_app(Store.open(where), settings), host, port))
    unheard: list[OutputError] = []
    status = 0
    try:
        with interruptible(signal.SIGINT, signal.SIGTERM):
            server.run([listening])
    except Interrupted as ending:  # uvicorn has ended all, and raises the signal once more
        status = INTERRUPTED if ending.number == signal.SIGINT else 0
    if unheard:
        raise unheard[0]
    say("Ended; all games are kept.")
    sys.exit(status)


def announce(address: str, kept: str, *, opens: bool) -> None:
    """Say where it is, now that it answers."""
    say(f"Ludoteca: {address}\nGames are kept in {kept}. Ctrl-C ends; they go on at the next start.")
    if opens:
        threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()  # some browsers keep one waiting
