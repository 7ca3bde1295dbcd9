"""The server's log, which is written to a stream. Each line begins with `ludoteca: `, even if its text contains line breaks
that a client has sent. Of lines that differ only in their values, one is written each minute.

The journal is a part of the log. It has an entry for each room that was made and each request that was refused, and is
written only if the log has the form `json`. Entries contain the internet addresses of clients, which are written nowhere
else, and no secrets.
"""

import json
import logging
import threading
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from ludoteca.core.words import escaped

MINUTE: Final = 60.0

log: Final = logging.getLogger(__name__)


class OneLine(logging.Formatter):
    """A formatter that escapes unprintable characters. So a client cannot write a false line into the log or change the
    colours of a terminal.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the library's name
        """The record as one line."""
        return escaped(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """The traceback, with its lines indented."""
        return "\n".join(f"  {escaped(line)}" for line in super().formatException(ei).split("\n"))


class OncePerMinute(logging.StreamHandler[TextIO]):
    """A handler that writes one record of each kind each minute. At the end of the minute it writes how many more of that
    kind there were.

    Without this limit, a client could fill the disk by causing the same error a thousand times a second. Two records are of
    one kind if their texts are equal before the arguments are put in, and their exceptions are of one type. Two entries of
    the journal are of one kind if they have the same code.
    """

    def __init__(self, stream: TextIO, minute: float = MINUTE) -> None:
        super().__init__(stream)
        self._minute = minute
        self._more: dict[object, int] = {}
        """By kind, how many more records there were after the one that was written, until its minute is over."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or only count it if one of the same kind was written in the last minute."""
        told = getattr(record, FIELDS, {})
        if told and record.msg != REFUSED:  # an entry of the journal that strangers cannot repeat at will
            super().emit(record)
            return
        text = str(record.msg).partition("\n")[0]
        kind = record.name, text, told.get("code"), record.exc_info and record.exc_info[0]
        if kind in self._more:
            self._more[kind] += 1
            return
        self._more[kind] = 0
        minute = threading.Timer(self._minute, self._tell_more, [kind, record.getMessage().partition("\n")[0]])
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


class AsJSON(logging.Formatter):
    """A formatter that writes each record as a JSON object on one line. The object has the time (UTC), the level, the text
    in `what`, and the fields of an entry of the journal.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"time": when, "level": record.levelname.lower(), "what": record.getMessage(), **getattr(record, FIELDS, {})}
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=True)


def _log_end(ended: threading.ExceptHookArgs) -> None:
    """Log the error that has ended a thread."""
    name = ended.thread.name if ended.thread else "unknown"
    log.critical("an unforeseen error has ended the thread %r", name, exc_info=ended.exc_value)


def log_to(stream: TextIO, *, as_json: bool = False) -> None:
    """Write warnings and errors to a stream, as lines of text. With `as_json`, write JSON objects, and the journal, too.
    This does nothing to handlers if logging is already configured, for example by a test.
    """
    handler = OncePerMinute(stream)
    handler.setFormatter(AsJSON() if as_json else OneLine("ludoteca: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    threading.excepthook = _log_end
    if as_json:
        logging.getLogger(JOURNAL).setLevel(logging.INFO)


JOURNAL: Final = "ludoteca.server.journal"
FIELDS: Final = "fields"
"""The attribute of a log record that holds the fields of a journal's entry."""
REFUSED: Final = "refused"
"""The text of the entry for a refused request. Clients can cause such entries as often as they like."""

_log: Final = logging.getLogger(JOURNAL)


def note(what: str, **fields: str | int | None) -> None:
    """Write an entry with these fields into the journal, if the server keeps a journal. `what` says what happened."""
    if _log.isEnabledFor(logging.INFO):
        _log.info(what, extra={FIELDS: fields})
