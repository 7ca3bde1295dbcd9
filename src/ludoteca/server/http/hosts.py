"""The names by which a server may be asked for.

A page of a stranger may have its own name lead to this machine (DNS rebinding): the browser then takes this server for the
stranger's, and lets the page read what it answers. What is asked for by such a name is refused. Addresses are no names, and
cannot be made to lead elsewhere.
"""

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ludoteca.server.http.web import answer_in_words
from ludoteca.server.refusals import RefusalError

HOST: Final = re.compile(r"(?:\[([^]]*)\]|([^:]*))(?::[0-9]*)?")
"""The value of a `Host` header: an address of IPv6, or a name or another address; a port."""


def own_names() -> set[str]:
    """What this machine is called in its own network, without asking anybody."""
    name = socket.gethostname().lower()
    return {"localhost", name, name.partition(".")[0], f"{name.partition('.')[0]}.local"}


class AllowedHosts:
    """Refuses requests and WebSockets that are meant for a host of another name."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = own_names() | set(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The application's answer, or status 421."""
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        host = headers.get("host")  # HTTP/1.0, which no browser speaks, may leave it out
        if host is None or self._is_own(host):
            await self._app(scope, receive, send)
        else:
            await answer_in_words(RefusalError("host", host[:100]), scope)(scope, receive, send)

    def _is_own(self, host: str) -> bool:
        found = HOST.fullmatch(host)
        if not found:
            return False
        name = found[1] or found[2].lower().rstrip(".")
        if name in self._names:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True
