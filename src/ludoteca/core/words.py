"""Words for error messages."""

from typing import Final

SHOWN: Final = 40
"""Characters of what was read that are repeated in a message."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 cell`, `2 cells`; the plural is the noun with an s unless it is given."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def excerpt(text: str) -> str:
    r"""The first SHOWN characters of a text; those that are not printable are escaped, bytes that are no UTF-8 as `\xff`."""
    return escaped(text[:SHOWN]) + "…" * (len(text) > SHOWN)


def quoted(text: str) -> str:
    """The excerpt in quotation marks."""
    return f"'{excerpt(text)}'"


def escaped(text: str) -> str:
    r"""The text in one line: characters that are not printable are escaped, line feeds as `\n`."""
    return "".join(map(_readable, text))


def _readable(character: str) -> str:
    if character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":  # what `surrogateescape` makes of a byte
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()
