"""The observations and action numbers of Conclave for learners: 38 planes of 4 x 4, numbers about followers and the turn,
and up to 85 actions.

The planes of the board have its cells. In the planes of hands, a row is a player and a column is a place of the hand. A
plane of unseen cards has an entry for each of the 15 cards of a magic, in the order of their faces (`deck`), and its last
entry is never used. In the planes of a pile, the entries are its cards from the top down. The actions have these numbers:

         0..63   send the card at place a / 16 of the hand to cell a % 16, as in `rules`
        64       cede nothing
        65, 66   draw from the left pile, the right pile
        67..     67 + 6 * (i - 1) + magic: give (cede) all followers of a magic to the i-th player after the mover
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ludoteca.core.bits import first, members
from ludoteca.core.contract import TERMINAL, Bytes, Floats, RawPosition, i64, index
from ludoteca.core.features import FeatureLayout
from ludoteca.core.tables import spread, table, write_word
from ludoteca.games.conclave import rules
from ludoteca.games.conclave.deck import BACK, BROTHERHOODS, INFLUENCES, MAGICS, NOTHING
from ludoteca.games.conclave.rules import CEDE, CEDING, DRAW, DRAWING, HAND, LEFT, RIGHT, SENDING, cessions, is_terminal
from ludoteca.games.conclave.sets import ALL_CELLS, ALL_FACES, CELLS, SIDE

PLACES: Final = MAGICS + BROTHERHOODS + 1
"""The number of planes for cards at places: one for each magic, one for each brotherhood, and one for influence."""
HANDS: Final = PLACES * CELLS
UNSEEN: Final = HANDS + PLACES * CELLS
PILES: Final = UNSEEN + MAGICS * CELLS
"""The first entry of the planes of hands, of unseen cards and of piles. The planes of the board begin at 0."""
MOST_INFLUENCE: Final = BROTHERHOODS * sum(range(INFLUENCES + 1))
"""The influence of all cards of a magic."""
MOST_CARDS: Final = 19
"""The most cards in a pile."""

KEEP: Final = HAND * CELLS
TAKE: Final = KEEP + 1
GIVE: Final = TAKE + 2
"""The first action numbers after those for sending cards: cede nothing, draw, cede."""

MAGIC_NAMES: Final = ("blue", "ochre", "purple", "red", "orange", "green")
BROTHERHOOD_NAMES: Final = ("c", "g", "s")
_BROTHERHOOD: Final = table([CELLS * min(face // INFLUENCES, BROTHERHOODS - 1) for face in range(BACK + 1)])
"""The first entry of the plane of a face's brotherhood, by face, counted from the plane of the first brotherhood."""
_INFLUENCE: Final = table([face % INFLUENCES + 1 if face < BACK else 0 for face in range(BACK + 1)])
_SUM: Final = table([sum(face % INFLUENCES + 1 for face in members(faces)) for faces in range(1 << 2 * INFLUENCES)], np.int8)
"""The influence of a set of faces that belong to two brotherhoods, by this set."""
_SHARE: Final = table([influence / MOST_INFLUENCE for influence in range(MOST_INFLUENCE + 1)], np.float32)


def layout(parameters: Mapping[str, Any]) -> FeatureLayout:
    """Return the names of the planes and numbers of an observation. The observer comes first (player 0 for a spectator),
    then the other players in turn order.
    """
    who = ["own", *(f"+{i}" for i in range(1, parameters["players"]))]
    kinds = (*MAGIC_NAMES, *BROTHERHOOD_NAMES, "influence")
    return FeatureLayout(
        planes=(
            *(f"board: {kind}" for kind in kinds),
            *(f"hands: {kind}" for kind in kinds),
            *(f"unseen: {magic}" for magic in MAGIC_NAMES),
            *(f"{pile} pile: {magic}" for pile in ("left", "right") for magic in MAGIC_NAMES),
        ),
        rows=SIDE,
        columns=SIDE,
        numbers=(
            *(f"followers {whose}: {magic}" for whose in who for magic in MAGIC_NAMES),
            *(f"to move: {whose}" for whose in who),
            *(f"began: {whose}" for whose in who),
            *("ceding", "sending", "drawing", "turns left", "left pile", "right pile"),
        ),
        actions=GIVE + MAGICS * (len(who) - 1),
        high=INFLUENCES,
    )


def observe(state: RawPosition, player: int, planes: Bytes, numbers: Floats) -> None:
    """Write the planes and numbers that a player, or a spectator (-1), sees. A spectator sees the backs of all hands."""
    _see_board(state, planes)
    _see_hands(state, player, planes)
    _see_unseen(state, player, planes)
    _see_pile(state, i64(LEFT), PILES, planes)
    _see_pile(state, i64(RIGHT), PILES + MAGICS * CELLS, planes)
    _see_numbers(state, max(player, i64(0)), numbers)


def _see_board(state: RawPosition, planes: Bytes) -> None:
    """Write the planes of the board, from the sets of cells that the position packs three to a word, and the influence on
    each cell.
    """
    some, others, brotherhoods = i64(state.magics[0]), i64(state.magics[1]), i64(state.brotherhoods)
    influence = i64(state.influence)
    for at in range(0, 3 * CELLS, 8):
        write_word(planes, index(at), spread(some >> at))
        write_word(planes, index(3 * CELLS + at), spread(others >> at))
        write_word(planes, index(6 * CELLS + at), spread(brotherhoods >> at))
    for at in range(0, CELLS, 8):
        here = influence >> at
        write_word(planes, index(9 * CELLS + at), spread(here) | spread(here >> 16) << 1 | spread(here >> 32) << 2)


def _see_hands(state: RawPosition, player: int, planes: Bytes) -> None:
    """Write the magic of each card in the hands, and the brotherhood and influence of the cards in the player's hand."""
    hands, players = state.hands, i64(state.players)
    seat = max(player, i64(0))
    for row in range(players):
        for place in range(HAND):
            card = i64(hands[index(HAND * seat + place)])
            if card != NOTHING:
                planes[index(HANDS + CELLS * (card >> 4) + HAND * row + place)] = 1
        seat = seat + 1 if seat + 1 < players else i64(0)
    if player >= 0:
        for place in range(HAND):
            card = i64(hands[index(HAND * player + place)])
            planes[index(HANDS + MAGICS * CELLS + i64(_BROTHERHOOD[index(card & BACK)]) + place)] = card != NOTHING
            planes[index(HANDS + (PLACES - 1) * CELLS + place)] = _INFLUENCE[index(card & BACK)]


def _see_unseen(state: RawPosition, player: int, planes: Bytes) -> None:
    """Write 1 for each card that is neither a follower nor on the board nor in the player's hand."""
    followers, board, hands = state.followers, state.board, state.hands
    for magic in range(MAGICS):
        taken = i64(followers[index(magic)]) | i64(followers[index(8 + magic)])
        taken |= i64(followers[index(16 + magic)]) | i64(followers[index(24 + magic)])
        unseen = ALL_FACES & ~taken
        write_word(planes, index(UNSEEN + CELLS * magic), spread(unseen))
        write_word(planes, index(UNSEEN + CELLS * magic + 8), spread(unseen >> 8))
    for cell in range(CELLS):
        card = i64(board[index(cell)])
        planes[index(UNSEEN + (card if card != NOTHING else BACK))] = 0
    if player >= 0:
        for place in range(HAND):
            card = i64(hands[index(HAND * player + place)])
            planes[index(UNSEEN + (card if card != NOTHING else BACK))] = 0


def _see_pile(state: RawPosition, pile: int, begin: int, planes: Bytes) -> None:
    """Write the magics of the first 16 cards of a pile, from the top down. `begin` is the first entry of the planes of the
    pile.
    """
    deck, top = state.deck, i64(state.top[index(pile)])
    n = min(i64(state.bottom[index(pile)]) - top, i64(CELLS))
    for i in range(n):
        planes[index(begin + CELLS * (i64(deck[index(top + i)]) >> 4) + i)] = 1


def _see_numbers(state: RawPosition, first: int, numbers: Floats) -> None:
    followers, players, mover = state.followers, i64(state.players), i64(state.mover)
    whose = MAGICS * players
    seat, beginner = first, players - first if first > 0 else i64(0)
    for i in range(players):
        for magic in range(MAGICS):
            faces = i64(followers[index(8 * seat + magic)])
            numbers[index(MAGICS * i + magic)] = _SHARE[
                index(i64(_SUM[index(faces & 1023)]) + i64(_SUM[index(faces >> 10)]))
            ]
        numbers[index(whose + i)] = seat == mover
        seat = seat + 1 if seat + 1 < players else i64(0)
    numbers[index(whose + players + beginner)] = 1
    rest = whose + 2 * players
    if mover != TERMINAL:
        numbers[index(rest + i64(state.phase))] = 1
    numbers[index(rest + 3)] = i64(state.turns_left) / players
    for pile in range(2):
        left = i64(state.bottom[index(pile)]) - i64(state.top[index(pile)])
        numbers[index(rest + 4 + pile)] = left / MOST_CARDS


def leave_out(view: RawPosition) -> None:
    """Clear the backs that are too deep in a pile for its plane. They are shown long before they can be drawn."""
    for pile in range(2):
        view.deck[int(view.top[pile]) + CELLS : int(view.bottom[pile])] = NOTHING


def action_mask(state: RawPosition, out: Bytes) -> None:
    """Write 1 for the number of each legal action: all ways to send a card, or all ways to cede and ceding nothing, or both
    draws.
    """
    if is_terminal(state):
        return
    phase = i64(state.phase)
    if phase == SENDING:
        holes = ALL_CELLS & ~i64(state.occupied)
        for place in range(HAND):
            write_word(out, index(CELLS * place), spread(holes))
            write_word(out, index(CELLS * place + 8), spread(holes >> 8))
    elif phase == CEDING:
        open_to = cessions(state, i64(state.mover))
        while open_to != 0:
            out[index(_number_of_cession(state, first(open_to)))] = 1
            open_to &= open_to - 1
        out[index(KEEP)] = 1
    else:
        out[index(TAKE + LEFT)] = 1
        out[index(TAKE + RIGHT)] = 1


def encode_action(state: RawPosition, action: int) -> int:
    """Return the action number for learners. For giving followers away it counts players from the mover on, unlike the
    action of `rules`.
    """
    if action < CEDE:
        return action
    return _number_of_cession(state, action - CEDE) if action < rules.KEEP else action - rules.KEEP + KEEP


def decode_action(state: RawPosition, number: int) -> int:
    """Return the action with this number for learners, or -1 if it is not legal."""
    phase = i64(state.phase)
    if is_terminal(state):
        return i64(-1)
    if number < KEEP:
        return number if phase == SENDING and (i64(state.occupied) >> (number & 15)) & 1 == 0 else i64(-1)
    if number == KEEP:
        return i64(rules.KEEP) if phase == CEDING else i64(-1)
    if number < GIVE:
        return DRAW + number - TAKE if phase == DRAWING else i64(-1)
    after, magic = i64(1), number - GIVE
    while magic >= MAGICS:
        after, magic = after + 1, magic - MAGICS
    other = i64(state.mover) + after
    pile = 8 * (other if other < state.players else other - i64(state.players)) + magic
    return CEDE + pile if phase == CEDING and (cessions(state, i64(state.mover)) >> pile) & 1 == 1 else i64(-1)


def _number_of_cession(state: RawPosition, pile: int) -> int:
    after = (pile >> 3) - i64(state.mover)
    return GIVE + MAGICS * ((after if after > 0 else after + i64(state.players)) - 1) + (pile & 7)
