"""The server's log: a line begins with `ludoteca: `, whatever strangers send, and one of a kind is written a minute."""

import logging
from threading import Timer
from typing import Any, Final, TextIO

from ludoteca.core.words import escaped

MINUTE: Final = 60.0


class OneLine(logging.Formatter):
    """Escapes what is not printable, so that nobody can forge a line or colour the terminal."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        """The record as one line."""
        return escaped(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """The traceback, with its lines indented."""
        return "\n".join(f"  {escaped(line)}" for line in super().formatException(ei).split("\n"))


class OncePerMinute(logging.StreamHandler[TextIO]):
    """Writes one record of each kind a minute, and at the end of the minute how many more there were.

    Records of one kind have the same text before their arguments are put in, and the same type of exception. So what
    strangers can cause a thousand times a second does not fill the disk.
    """

    def __init__(self, stream: TextIO, minute: float = MINUTE) -> None:
        super().__init__(stream)
        self._minute = minute
        self._more: dict[object, int] = {}
        """By kind, how many more records there were after the one that was written, until its minute is over."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it."""
        kind = record.name, str(record.msg).partition("\n")[0], record.exc_info and record.exc_info[0]
        if kind in self._more:
            self._more[kind] += 1
            return
        self._more[kind] = 0
        minute = Timer(self._minute, self._tell_more, [kind, record.getMessage().partition("\n")[0]])
        minute.daemon = True
        minute.start()
        super().emit(record)

    def _tell_more(self, kind: object, text: str) -> None:
        self.acquire()
        try:
            more = self._more.pop(kind)
            if more:
                super().emit(logging.makeLogRecord({"msg": "%d more in %g s like: %s", "args": (more, self._minute, text)}))
        finally:
            self.release()


def log_to(stream: TextIO) -> None:
    """Write warnings and errors to a stream, unless logging is configured already."""
    handler = OncePerMinute(stream)
    handler.setFormatter(OneLine("ludoteca: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
