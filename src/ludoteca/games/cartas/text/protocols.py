"""The protocol of the tournament (section 3.4). A process for each move reads the hand and the plays, and prints a line."""

from typing import Final

from ludoteca.core.console import MoveProtocol
from ludoteca.core.errors import NotationError
from ludoteca.core.position import InformationState
from ludoteca.games.cartas import cards, rules
from ludoteca.games.cartas.cards import PASSO, WORDS


class Jogador:
    """The question to the program: the hand, then the plays so far. “Uma linha com as suas cartas”, then “as combinações
    jogadas até agora por cada jogador, ou a palavra PASSO”.
    """

    def question(self, state: InformationState) -> str:
        """Return the hand and the plays so far, one a line, in the form of the document's example."""
        hand = int(state.view.raw.hands[state.player])
        lines = [cards.write(hand, WORDS), *(cards.write(play, WORDS) or PASSO for play in state.seen)]
        return "".join(f"{line}\n" for line in lines)

    def action(self, state: InformationState, answer: str) -> int | None:  # noqa: ARG002  # no position changes what cards are
        """Return the play on the program's line, or None if it has more lines, no cards, or text that is no card.

        Cards have any order and form, and the line end may have a carriage return.
        """
        line, _, rest = answer.removeprefix("\ufeff").partition("\n")
        if rest.strip():
            return None
        if line.strip() == PASSO:
            return rules.PASS
        try:
            return cards.read(line)[0] or None
        except NotationError:
            return None

    def invalid(self, state: InformationState) -> int:  # noqa: ARG002  # passing is always legal
        """Return a pass. Later questions show it as PASSO in place of the invalid answer."""
        return rules.PASS


PROTOCOLS: Final[dict[str, MoveProtocol]] = {"jogador": Jogador()}
