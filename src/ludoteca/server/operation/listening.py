"""The operator's listeners beside a server: a Unix socket for `ludoteca admin`, a port for Prometheus."""

import asyncio
import contextlib
import socket
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from ludoteca.core.errors import LudotecaError
from ludoteca.server.http.web import AllowedHosts
from ludoteca.server.operation import metrics
from ludoteca.server.operation.control import create_control


class OperationError(LudotecaError):
    """A listener that cannot be had; says what to do."""


class _Beside(uvicorn.Server):
    """A server in the loop of another one, which the signals are for."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass
class Operation:
    """The listeners of one server. They listen from the beginning, and answer once the server runs."""

    control: socket.socket | None = None
    metrics: socket.socket | None = None
    address: str = ""
    """The address of the server itself, for links."""
    metrics_host: str = ""
    """The name or address at which it listens for Prometheus."""
    file: Path | None = None
    """Of the control socket."""
    _servers: list[tuple[_Beside, asyncio.Task[None]]] = field(default_factory=list)

    async def start(self, served: Starlette) -> None:
        """Answer from now on, for the application that has started."""
        if self.control:
            self._serve(create_control(served, self.address), self.control)
        if self.metrics:
            names = (*served.state.settings.allow_host, self.metrics_host)
            checked = Middleware(AllowedHosts, names=names)  # or a stranger's page reads it (DNS rebinding)
            self._serve(Starlette(routes=[metrics.route(served)], middleware=[checked]), self.metrics)

    def _serve(self, app: Starlette, listening: socket.socket) -> None:
        server = _Beside(uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1))
        self._servers.append((server, asyncio.create_task(server.serve([listening]))))

    async def stop(self) -> None:
        """Answer no more, and remove the socket's file."""
        for server, _ in self._servers:
            server.should_exit = True
        for _, task in self._servers:
            await task
        if self.file:
            self.file.unlink(missing_ok=True)


def control_socket(file: Path) -> socket.socket:
    """A Unix socket there, for this user alone. One that a dead server left is replaced. Raises OperationError."""
    if not hasattr(socket, "AF_UNIX"):
        raise OperationError("control: this system has no Unix sockets")
    listening = socket.socket(socket.AF_UNIX)
    try:
        if file.exists() and not _is_answered(file):
            file.unlink()
        listening.bind(str(file))
        file.chmod(stat.S_IRUSR | stat.S_IWUSR)  # before it listens, so nobody else was ever let in
        listening.listen()
    except OSError as error:
        listening.close()
        raise OperationError(f"control: {file}: {error.strerror or error}; another server may have it") from None
    return listening


def _is_answered(file: Path) -> bool:
    """False for a socket on which nobody listens. Raises OSError for a file that is no socket."""
    if not stat.S_ISSOCK(file.stat().st_mode):
        raise FileExistsError(0, "read a file, expected a socket or nothing")
    with socket.socket(socket.AF_UNIX) as asking:
        return asking.connect_ex(str(file)) == 0
