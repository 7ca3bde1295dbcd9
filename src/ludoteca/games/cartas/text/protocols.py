"""The protocol of the tournament (section 3.4): hand and plays in, one line out, a process for every move."""

from typing import Final

from ludoteca.core.errors import NotationError
from ludoteca.core.position import InformationState
from ludoteca.core.protocols import MoveProtocol
from ludoteca.games.cartas import cards, rules
from ludoteca.games.cartas.cards import PASSO, WORDS


class Jogador:
    """“Uma linha com as suas cartas”, then “as combinações jogadas até agora por cada jogador, ou a palavra PASSO”."""

    def question(self, state: InformationState) -> str:
        """The hand, and the plays so far, a line each, written as the document's example has them."""
        hand = int(state.view.raw.hands[state.player])
        lines = [cards.write(hand, WORDS), *(cards.write(play, WORDS) or PASSO for play in state.seen)]
        return "".join(f"{line}\n" for line in lines)

    def action(self, state: InformationState, answer: str) -> int | None:  # noqa: ARG002  # cards are cards
        """The cards of the one line that the program wrote, or the pass.

        Cards may stand in any order and form, and a line end may have a carriage return, as in all that is read of cards.
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
        """An invalid answer is written into the history as PASSO."""
        return rules.PASS


PROTOCOLS: Final[dict[str, MoveProtocol]] = {"jogador": Jogador()}
