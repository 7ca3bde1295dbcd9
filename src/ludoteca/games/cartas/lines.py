"""The lines of the programs' input: counts, cards, plays; every complaint names the line."""

from collections.abc import Sequence
from typing import Final

from ludoteca.core.console import BLANKS, ConsoleError, Dialogue
from ludoteca.core.errors import NotationError
from ludoteca.core.words import excerpt
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.cards import PASSO, PICTURES, WORDS, Form

BYTE_ORDER_MARK: Final = "\ufeff"
MOST_DIGITS: Final = 9
PASSED: Final = 0
"""In place of cards, where the line says PASSO."""
NOTHING: Final = -1
"""In place of cards, where the line has none: no combination, and no pass either."""


class Lines:
    """What is read line by line, and in which form the cards of the present test are written."""

    def __init__(self) -> None:
        self.number = 0
        self.form: Form = PICTURES

    def begin_test(self) -> None:
        """From here on cards are answered in Unicode's, until a line has the document's words."""
        self.form = PICTURES

    def line(self) -> Dialogue[str | None]:
        """The next line without its end and the blanks around it; None when there are no more."""
        line = yield
        if line is None:
            return None
        self.number += 1
        return (line.removeprefix(BYTE_ORDER_MARK) if self.number == 1 else line).strip(BLANKS)

    def text(self, what: str) -> Dialogue[str]:
        """A line that must be there."""
        line = yield from self.line()
        if line is None:
            raise ConsoleError(f"line {self.number + 1}: the input ends, expected {what}")
        return line

    def count(self, what: str) -> Dialogue[int]:
        """A line with a number."""
        text = yield from self.text(f"the number of {what}")
        digits = text.lstrip("0") or text[-1:]
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise ConsoleError(f"line {self.number}: read {excerpt(text)!r}, expected the number of {what}")
        return int(digits)

    def cards(self, what: str) -> Dialogue[int]:
        """A line of cards, of which there may be none."""
        return self.read((yield from self.text(what)))

    def play(self, what: str) -> Dialogue[int]:
        """A line of cards, PASSED or NOTHING."""
        return self.read_play((yield from self.text(f"{what} or {PASSO}")))

    def read(self, text: str) -> int:
        """The cards of the present line."""
        try:
            found, words = cards.read(text)
        except NotationError as error:
            raise ConsoleError(f"line {self.number}: {error}") from None
        if words:
            self.form = WORDS
        return found

    def read_play(self, text: str) -> int:
        """The cards of the present line, PASSED or NOTHING."""
        return PASSED if text == PASSO else self.read(text) or NOTHING


def play_to_answer(plays: Sequence[int]) -> int:
    """The last combination among the last three plays; PASSED when there is none, and anything may be led."""
    return next((play for play in reversed(plays[-3:]) if play != PASSED), PASSED)
