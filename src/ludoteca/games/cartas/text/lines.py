"""The lines of the programs' input: counts, cards and plays. Every error message names the line."""

from collections.abc import Sequence
from typing import Final

from ludoteca.core.console import BLANKS, Console, Dialogue
from ludoteca.core.words import quoted
from ludoteca.games.cartas import cards
from ludoteca.games.cartas.cards import PASSO, PICTURES, WORDS, Form

MOST_DIGITS: Final = 9
PASSED: Final = 0
"""The cards of the line PASSO."""
NOTHING: Final = -1
"""The cards of an empty line, which is neither a combination nor a pass."""

NO_CARD: Final = "li {} no carácter {}, esperava uma carta"
TWICE: Final = "a carta {} está repetida, outra vez no carácter {}"
COUNT: Final = "o número de {}"
OR_PASSED: Final = f"{{}} ou {PASSO}"


class Lines:
    """Input read line by line, and the form in which to write the cards of the current test."""

    def __init__(self, io: Console) -> None:
        self.io = io
        self.form: Form = PICTURES

    def begin_test(self) -> None:
        """Write cards as Unicode's pictures from here on, until a line has the document's words."""
        self.form = PICTURES

    def line(self) -> Dialogue[str | None]:
        """Return the next line without its end and the blanks around it, or None at the end of the input."""
        line = yield from self.io.next_line()
        return None if line is None else line.strip(BLANKS)

    def text(self, what: str) -> Dialogue[str]:
        """Return the next line. Raises ConsoleError at the end of the input."""
        line = yield from self.line()
        if line is None:
            raise self.io.ended(what)
        return line

    def count(self, what: str) -> Dialogue[int]:
        """Return the number on the next line. Raises ConsoleError for other texts and for more than MOST_DIGITS digits."""
        text = yield from self.text(COUNT.format(what))
        digits = text.lstrip("0") or text[-1:]
        if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
            raise self.io.wrong(text, COUNT.format(what))
        return int(digits)

    def cards(self, what: str) -> Dialogue[int]:
        """Return the cards of the next line, which may be empty."""
        return self.read((yield from self.text(what)))

    def play(self, what: str) -> Dialogue[int]:
        """Return the cards of the next line, as `read_play` does."""
        return self.read_play((yield from self.text(OR_PASSED.format(what))))

    def read(self, text: str) -> int:
        """Return the cards of the current line. Raises ConsoleError for anything else, and for a card that occurs twice."""
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
        """Return the cards of the current line, PASSED if it is PASSO, or NOTHING if it has no cards."""
        return PASSED if text == PASSO else self.read(text) or NOTHING


def play_to_answer(plays: Sequence[int]) -> int:
    """Return the last combination among the last three plays. Return PASSED if all three passed, so that the player may lead
    any combination.
    """
    return next((play for play in reversed(plays[-3:]) if play != PASSED), PASSED)
