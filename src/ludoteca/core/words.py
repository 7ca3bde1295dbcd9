"""Words for messages."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 cell`, `2 cells`; the plural is the noun with an s unless it is given."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
