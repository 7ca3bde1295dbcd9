"""The 90 cards, the deck in order, the document's shuffle, and hidden cards.

A card has the number 16 * magic + 5 * brotherhood + influence - 1. Its last four bits are its face, and the bits above them
are its magic. A card with the face 15 is the back of a card of its magic.

         b   o   p   r   t   v                      c         g         s
        0-  16- 32- 48- 64- 80-     [b1c] .. [b5c] 0..4, g 5..9, s 10..14; back [b] 15
"""

from typing import Final

from ludoteca.core.bits import members, size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw
from ludoteca.core.tables import member, table
from ludoteca.games.conclave.sets import ALL_FACES, FACES

MAGICS: Final = 6
BROTHERHOODS: Final = 3
INFLUENCES: Final = 5
CARDS: Final = MAGICS * FACES
NOTHING: Final = -1
"""The number in a place without a card."""
BACK: Final = 15
"""The face of a back. It is also a mask for faces."""

_SUM: Final = table([sum(bit + 1 for bit in members(faces)) for faces in range(1 << INFLUENCES)])
"""The influence of a set of faces of one brotherhood."""


def ordered_deck() -> list[int]:
    """Return the deck of section 7.3, by magic, then brotherhood, then influence."""
    return [16 * magic + face for magic in range(MAGICS) for face in range(FACES)]


def sum_of(faces: int) -> int:
    """Return the influence of a set of faces."""
    return i64(_SUM[index(faces & 31)]) + i64(_SUM[index((faces >> 5) & 31)]) + i64(_SUM[index(faces >> 10)])


def shuffle_as_documented(deck: Integers, seed: int) -> None:
    """Shuffle the deck as section 7.5 of the document says (Durstenfeld), with the generator of 7.5.1 in unsigned numbers of
    32 bits.
    """
    x = i64(seed)
    for i in range(CARDS - 1, 0, -1):
        x = (1103515245 * x + 12345) & 0xFFFFFFFF
        j = ((x >> 5) & 32767) % (i + 1)
        held = deck[index(i)]
        deck[index(i)] = deck[index(j)]
        deck[index(j)] = held


# Hidden cards


def is_back(card: int) -> bool:
    return card >= 0 and (card & 15) == BACK


def turn_over(cards: Integers, out: Integers) -> None:
    """Write the backs of cards. NOTHING stays the same, because all its bits are 1."""
    for at in range(len(cards)):
        out[at] = cards[at] | BACK


def list_unseen(view: RawPosition) -> None:
    """List the cards that are neither followers nor on the board nor open in a hand."""
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
        if card & BACK != BACK:  # neither a back nor NOTHING
            unseen[index(card >> 4)] &= ~(i64(1) << (card & 15))


def draw_unseen(unseen: Integers, magic: int, rng: Words) -> int:
    """Return a random unseen card of a magic, and remove it from the unseen cards."""
    faces = i64(unseen[index(magic)])
    face = member(faces, draw(rng, size(faces)))
    unseen[index(magic)] = faces ^ (i64(1) << face)
    return 16 * magic + face
