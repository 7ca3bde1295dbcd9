"""The operator's listeners next to a server: a Unix socket for `ludoteca admin`, a port for Prometheus."""

import socket
import stat
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from ludoteca.core.errors import LudotecaError
from ludoteca.server.http.protocols import answering
from ludoteca.server.http.web import AllowedHosts
from ludoteca.server.operation import metrics
from ludoteca.server.operation.control import create_control


class OperationError(LudotecaError):
    """A listener that cannot be opened. The message says what to do."""


@dataclass
class Operation:
    """The listeners of one server for its operator. They accept connections from the beginning, and answer when the server
    runs.
    """

    control: socket.socket | None = None
    metrics: socket.socket | None = None
    address: str = ""
    """The address of the server itself, for links."""
    metrics_host: str = ""
    """The name or address at which it listens for Prometheus."""
    file: Path | None = None
    """The file of the control socket."""

    @asynccontextmanager
    async def answering(self, served: Starlette) -> AsyncIterator[None]:
        """Answer requests for a started application until the block ends. Then remove the socket's file."""
        names = (*served.state.settings.allow_host, self.metrics_host)
        checked = Middleware(AllowedHosts, names=names)  # or a stranger's page reads it (DNS rebinding)
        async with AsyncExitStack() as stack:
            if self.file:
                stack.callback(self.file.unlink, missing_ok=True)
            for listening, app in (
                (self.control, create_control(served, self.address)),
                (self.metrics, Starlette(routes=[metrics.route(served)], middleware=[checked])),
            ):
                if listening:
                    config = uvicorn.Config(
                        app, lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
                    )
                    await stack.enter_async_context(answering(uvicorn.Server(config), listening))
            yield


def control_socket(file: Path) -> socket.socket:
    """Return a new Unix socket for this user alone. It replaces the socket of a dead server.

    Raises OperationError if this system has no Unix sockets, or if the file cannot be made, as when a running server has it.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise OperationError("control: this system has no Unix sockets")
    listening = socket.socket(socket.AF_UNIX)
    try:
        if file.exists() and not _is_answered(file):
            file.unlink()
        listening.bind(str(file))
        file.chmod(stat.S_IRUSR | stat.S_IWUSR)  # before it listens, so no other user could connect
        listening.listen()
    except OSError as error:
        listening.close()
        why = "another server may have it" if file.exists() else f"make the folder {file.parent} first"
        raise OperationError(f"control: {file}: {error.strerror or error}; {why}") from None
    return listening


def _is_answered(file: Path) -> bool:
    """Return True if a program listens on a socket's file. Return False for the socket of a dead server. Raises OSError for
    another file.
    """
    if not stat.S_ISSOCK(file.stat().st_mode):
        raise FileExistsError(0, "read a file, expected a socket or nothing")
    with socket.socket(socket.AF_UNIX) as asking:
        return asking.connect_ex(str(file)) == 0
