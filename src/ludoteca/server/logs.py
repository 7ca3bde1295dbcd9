"""The server's log: a line begins with `ludoteca: `, whatever strangers have put into it."""

import logging
from typing import Any, TextIO

from ludoteca.core.words import escaped


class OneLine(logging.Formatter):
    """Escapes what is not printable, so that nobody can write a line of his own or colour the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        """One line."""
        return escaped(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """A traceback, its lines indented."""
        return "\n".join(f"  {escaped(line)}" for line in super().formatException(ei).split("\n"))


def log_to(stream: TextIO) -> None:
    """Write warnings and errors there, unless the log has a place already."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(OneLine("ludoteca: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
