"""Ray clusters that are running already, for what is played past one machine."""

import importlib
import socket
from typing import Any, Final

from ludoteca.core.errors import LudotecaError, MissingExtraError

REACH: Final = 10.0
"""Seconds in which a cluster has to be reached."""


class ClusterError(LudotecaError):
    """A cluster that cannot be reached."""


def join(address: str) -> Any:
    """The module `ray`, connected with the cluster at that address: `auto`, or HOST:PORT.

    Raises MissingExtraError if Ray is not installed, and ClusterError if there is no cluster at that address.
    """
    try:
        ray: Any = importlib.import_module("ray")  # which has types where it is installed, and none elsewhere
    except ModuleNotFoundError:
        raise MissingExtraError("Ray", "ray") from None
    try:
        _check(address)
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=True)
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise ClusterError(f"ray: no cluster at {address}: {str(error).splitlines()[0]}") from None
    return ray


def _check(address: str) -> None:
    """Raises OSError where nobody listens; Ray itself would go on trying for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=REACH).close()
