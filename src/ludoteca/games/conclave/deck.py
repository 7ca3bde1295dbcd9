"""The 90 cards of Conclave as numbers, the deck in order, the document's shuffle, and the cards that a view hides.

A card has a magic, a brotherhood and an influence of 1 to 5. Its number is 16 * magic + 5 * brotherhood + influence - 1. The
last four bits of the number are called the card's *face*, and the bits above them are its magic. A card with the face 15 is
the back of a card: players see its magic only.

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
"""The face of a card that is seen from its back. It is also the mask for the bits of the face."""

_SUM: Final = table([sum(bit + 1 for bit in members(faces)) for faces in range(1 << INFLUENCES)])
"""The sum of influence in a set of five cards of one magic and brotherhood, in which bit i is influence i + 1."""


def ordered_deck() -> list[int]:
    """Return all cards in the order of section 7.3 of the document: by magic, then brotherhood, then influence."""
    return [16 * magic + face for magic in range(MAGICS) for face in range(FACES)]


def sum_of(faces: int) -> int:
    """Return the sum of the influence of cards of one magic. `faces` is the bit set of their faces."""
    return i64(_SUM[index(faces & 31)]) + i64(_SUM[index((faces >> 5) & 31)]) + i64(_SUM[index(faces >> 10)])


def shuffle_as_documented(deck: Integers, seed: int) -> None:
    """Shuffle the deck as section 7.5 of the document says (Durstenfeld), with the random number generator of section 7.5.1
    in unsigned numbers of 32 bits.
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
    """Write the back of each card to `out`. NOTHING stays the same, because all its bits are 1."""
    for at in range(len(cards)):
        out[at] = cards[at] | BACK


def list_unseen(view: RawPosition) -> None:
    """Write the unseen cards of each magic to `view.unseen`, as bit sets of faces. A card is unseen if it is neither a
    follower nor on the board, nor shown in a hand.
    """
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
    """Remove a random card of a magic from `unseen`, the bit sets of unseen faces by magic. Return the card."""
    faces = i64(unseen[index(magic)])
    face = member(faces, draw(rng, size(faces)))
    unseen[index(magic)] = faces ^ (i64(1) << face)
    return 16 * magic + face
