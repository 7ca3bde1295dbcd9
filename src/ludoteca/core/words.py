"""Words for error messages: numbers with their nouns, and input of the user in quotation marks, shortened and escaped."""

from typing import Final

SHOWN_CHARACTERS: Final = 40
"""The most characters of the input that a message repeats."""
ERROR_CHARACTERS: Final = 300
"""The most characters of an error of another library, which may repeat the input."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 cell`, `2 cells`. The default plural is the noun with an s.

    >>> counted(1, "move"), counted(1200, "move"), counted(2, "play", "plays")
    ('1 move', '1200 moves', '2 plays')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def excerpt(text: str, most: int = SHOWN_CHARACTERS) -> str:
    r"""Return the first `most` characters of a text, escaped as in `escaped`, and `…` if the text is longer. If a byte of
    the input was no UTF-8, it is shown as `\xff`.
    """
    return escaped(text[:most]) + "…" * (len(text) > most)


def quoted(text: str) -> str:
    """Return a text in quotation marks, at most its first SHOWN_CHARACTERS characters, with control characters escaped.

    >>> quoted("4x4")
    "'4x4'"
    """
    return f"'{excerpt(text)}'"


def escaped(text: str) -> str:
    r"""Return the text in one line. Characters that cannot be printed are written as escapes, a line feed as `\n`.

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
