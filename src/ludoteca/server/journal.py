"""The journal: who made what and what was refused, as records of the log with fields. No secret is among them.

It is written where the server's log has the form `json`; addresses are in it, which are written nowhere else.
"""

import logging
from typing import Final

JOURNAL: Final = "ludoteca.server.journal"
FIELDS: Final = "fields"
"""The attribute of a record that holds its fields."""
REFUSED: Final = "refused"
"""The entry for a request that was refused: strangers can cause it as often as they like."""

_log: Final = logging.getLogger(JOURNAL)


def note(what: str, **fields: str | int | None) -> None:
    """Write an entry, if a journal is kept."""
    if _log.isEnabledFor(logging.INFO):
        _log.info(what, extra={FIELDS: fields})
