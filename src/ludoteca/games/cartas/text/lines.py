"""The lines of the programs' input: counts, cards, plays; every error message names the line."""

from collections.abc import Sequence
from typing import Final

from ludoteca.core.console import BLANKS, Console, Dialogue
from ludoteca.core.words import quoted
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.cards import PASSO, PICTURES, WORDS, Form

MOST_DIGITS: Final = 9
PASSED: Final = 0
"""In place of cards, where the line says PASSO."""
NOTHING: Final = -1
"""In place of cards, where the line is empty: no combination, and no pass either."""

NO_CARD: Final = "li {} no carácter {}, esperava uma carta"
TWICE: Final = "a carta {} está repetida, outra vez no carácter {}"
COUNT: Final = "o número de {}"
OR_PASSED: Final = f"{{}} ou {PASSO}"


class Lines:
    """Input read line by line, and the form in which the cards of the present test are written."""

    def __init__(self, io: Console) -> None:
        self.io = io
        self.form: Form = PICTURES

    def begin_test(self) -> None:
        """From here on cards are answered as Unicode's pictures, until a line has the document's words."""
        self.form = PICTURES

    def line(self) -> Dialogue[str | None]:
        """The next line without its end and the blanks around it; None when there are no more."""
        line = yield from self.io.next_line()
        return None if line is None else line.strip(BLANKS)

    def text(self, what: str) -> Dialogue[str]:
        """A line that must be there."""
        line = yield from self.line()
        if line is None:
            raise self.io.ended(what)
        return line

    def count(self, what: str) -> Dialogue[int]:
        """A line with a number."""
        text = yield from self.text(COUNT.format(what))
        digits = text.lstrip("0") or text[-1:]
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise self.io.wrong(text, COUNT.format(what))
        return int(digits)

    def cards(self, what: str) -> Dialogue[int]:
        """A line of cards, of which there may be none."""
        return self.read((yield from self.text(what)))

    def play(self, what: str) -> Dialogue[int]:
        """A line of cards, PASSED or NOTHING."""
        return self.read_play((yield from self.text(OR_PASSED.format(what))))

    def read(self, text: str) -> int:
        """The cards of the present line."""
        try:
            found, words = cards.read(text)
        except cards.NoCardError as error:
            raise self.io.wrong_line(NO_CARD.format(quoted(error.read), error.character)) from None
        except cards.TwiceError as error:
            raise self.io.wrong_line(TWICE.format(error.card, error.character)) from None
        if words:
            self.form = WORDS
        return found

    def read_play(self, text: str) -> int:
        """The cards of the present line, PASSED or NOTHING."""
        return PASSED if text == PASSO else self.read(text) or NOTHING


def play_to_answer(plays: Sequence[int]) -> int:
    """The last combination among the last three plays; PASSED when there is none, and anything may be led."""
    return next((play for play in reversed(plays[-3:]) if play != PASSED), PASSED)
