"""Words for error messages."""

from typing import Final

SHOWN_CHARACTERS: Final = 40
"""The most characters of the input that a message repeats."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 cell`, `2 cells`. The default plural is the noun with an s.

    >>> counted(1, "move"), counted(1200, "move"), counted(2, "play", "plays")
    ('1 move', '1200 moves', '2 plays')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def excerpt(text: str) -> str:
    r"""Return the first SHOWN_CHARACTERS characters of a text, escaped. Bytes that are not UTF-8 are shown like `\xff`."""
    return escaped(text[:SHOWN_CHARACTERS]) + "…" * (len(text) > SHOWN_CHARACTERS)


def quoted(text: str) -> str:
    """Return the excerpt in quotation marks.

    >>> quoted("4x4")
    "'4x4'"
    """
    return f"'{excerpt(text)}'"


def escaped(text: str) -> str:
    r"""Return the text in one line. Characters that are not printable are escaped, such as line feeds as `\n`.

    >>> escaped("a\tb\x1b")
    'a\\tb\\x1b'
    """
    return "".join(map(_readable, text))


def _readable(character: str) -> str:
    if character.isprintable():
        return character
    if "\udc80" <= character <= "\udcff":  # a byte that `surrogateescape` decoded
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode()
