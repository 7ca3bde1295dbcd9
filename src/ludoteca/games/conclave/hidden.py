"""The cards that a seat may not know: backs, and the faces that it has not seen."""

from ludoteca.core.bits import size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.core.tables import member
from ludoteca.games.conclave.deck import BACK, MAGICS
from ludoteca.games.conclave.sets import ALL_FACES


def is_back(card: int) -> bool:
    return card >= 0 and (card & 15) == BACK


def turn_over(cards: Integers, out: Integers) -> None:
    """Copy the backs of cards; NOTHING, whose bits are all 1, is copied as it is."""
    for at in range(len(cards)):
        out[at] = cards[at] | BACK


def list_unseen(view: RawPosition) -> None:
    """The cards that are neither among followers nor on the board nor open in a hand."""
    followers, unseen = view.followers, view.unseen
    for magic in range(MAGICS):
        unseen[magic] = ALL_FACES
    for pile in range(8 * i64(view.players)):
        if followers[pile] != 0:
            unseen[pile & 7] &= ~followers[pile]
    _strike_out(unseen, view.board)
    _strike_out(unseen, view.hands)


def _strike_out(unseen: Integers, cards: Integers) -> None:
    for at in range(len(cards)):
        card = i64(cards[at])
        if card & BACK != BACK:  # it is neither a back nor NOTHING
            unseen[index(card >> 4)] &= ~(i64(1) << (card & 15))


def draw_unseen(unseen: Integers, magic: int, rng: Words) -> int:
    """A random card of a magic, now seen."""
    faces = i64(unseen[index(magic)])
    face = member(faces, draw(rng, size(faces)))
    unseen[index(magic)] = faces ^ (i64(1) << face)
    return 16 * magic + face
