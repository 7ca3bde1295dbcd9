"""Words for messages."""

from typing import Final

SHOWN: Final = 40
"""So many characters of what was read are repeated in a message."""


def excerpt(text: str) -> str:
    """The text itself if it has no more than SHOWN characters; else its beginning and an ellipsis."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 cell`, `2 cells`; the plural is the noun with an s unless it is given."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
