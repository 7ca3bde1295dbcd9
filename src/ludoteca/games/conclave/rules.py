"""The rules of Conclave, a card game for 2 to 4 players, from the course document "Conclave" (2022/23).

Players send cards (*emissaries*) to the board, where they win other cards (wizards) as *followers* of the player. At the
end, followers of magics that their player does not control count as points of disappointment, and the fewest points win.
Section numbers and quotations are from the document. Docstrings say how the code decides questions that it leaves open.

Cards have the numbers of `deck`. Cells are numbered in reading order, and a set of cells is a bit set:

         0   1   2   3        An action is
         4   5   6   7          0..63   send the card at place a / 16 of the hand to cell a % 16
         8   9  10  11         64..95   64 + 8 * player + magic: cede the followers of a magic to a player
        12  13  14  15         96       cede nothing
                               97, 98   draw from the left pile, the right pile
"""

from typing import Final

import numpy as np

from ludoteca.core.bits import first, size
from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import choose, draw
from ludoteca.core.tables import member, table
from ludoteca.games.conclave.dealing import DRAWN_SEED, FAIRLY, GIVEN_SEED
from ludoteca.games.conclave.deck import (
    BROTHERHOODS,
    CARDS,
    INFLUENCES,
    MAGICS,
    NOTHING,
    draw_unseen,
    is_back,
    list_unseen,
    ordered_deck,
    shuffle_as_documented,
    sum_of,
    turn_over,
)
from ludoteca.games.conclave.sets import ALL_CELLS, CELLS, FACES, column_run, row_run

MAX_PLAYERS: Final = 4
HAND: Final = 4
BORDER: Final = (0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15)
HOLES: Final = CELLS - len(BORDER)
ENOUGH: Final = 10
"""The least sum of influence in a row or a column with which an emissary convinces the wizards there."""

NEITHER, LEFT, RIGHT, EITHER = -1, 0, 1, 2
"""The piles from which a player may draw. LEFT and RIGHT are also the numbers of the two piles."""

CEDE: Final = HAND * CELLS
KEEP: Final = CEDE + 8 * MAX_PLAYERS
DRAW: Final = KEEP + 1
ACTIONS: Final = DRAW + 2
CONCEDE: Final = -1
MAX_LEGAL: Final = HAND * CELLS
MAX_MOVES: Final = 3 * (2 * 19 + MAX_PLAYERS)
"""A turn has at most three actions. Each turn, except for the last of each player, takes a card from the piles."""
UTILITY: Final = "win"
MAX_SCORE: Final = MAGICS * BROTHERHOODS * 15

CEDING, SENDING, DRAWING = 0, 1, 2
"""The phases of a turn. In each of them the mover chooses an action."""

# A player's followers of a magic are a pile, which has the number 8 * player + magic.
STATE: Final = np.dtype(
    [
        ("players", "i8"),  # 2..4
        ("mover", "i8"),  # 0..3, or TERMINAL
        ("phase", "i8"),  # CEDING, SENDING or DRAWING; 0 at the end
        ("ceded", "i8"),  # while SENDING, 1 if the mover has ceded or kept in this turn; else 0
        ("gap", "i8"),  # while DRAWING, the place in the mover's hand that is empty; else 0
        ("turns_left", "i8"),  # turns that are left in the last round, or 0 before it
        ("top", "i8", (2,)),  # the places of the piles' tops in `deck`
        ("bottom", "i8", (2,)),  # the places after their last cards
        ("holds", "i8"),  # bit set of the piles of followers that are not empty
        ("occupied", "i8"),  # set of cells
        ("magics", "i8", (2,)),  # the cells of each magic: three sets in a word, 16 bits each
        ("brotherhoods", "i8"),  # the cells of each brotherhood, in the same way
        ("influence", "i8"),  # the cells whose influence has a 1, a 2, a 4 in it, in the same way
        ("dealing", "i8"),  # a number of `dealing`, or 0 after the deal
        ("followers", "i2", (8 * MAX_PLAYERS,)),  # each pile of followers, as a bit set of faces
        ("unseen", "i2", (MAGICS,)),  # in a view, the hidden faces of each magic, as bit sets, or else 0
        ("deck", "i1", (CARDS,)),  # both piles, each from its top down. NOTHING replaces a taken card
        ("hands", "i1", (MAX_PLAYERS * HAND,)),  # 4 * player + place: cards, backs, NOTHING
        ("board", "i1", (CELLS,)),  # cards, NOTHING in holes
    ]
)
DERIVED: Final = ()

_MAGIC_AT: Final = table([16 * (magic % 3) for magic in range(MAGICS)])
"""The lowest bit of each magic's set of cells in its word of `magics`."""
_BROTHERHOOD_AT: Final = table([16 * (face // INFLUENCES) for face in range(FACES)])
"""The lowest bit of the set of cells of each face's brotherhood in `brotherhoods`."""
_WEIGHT: Final = table([sum((face % INFLUENCES + 1 >> bit & 1) << 16 * bit for bit in range(3)) for face in range(FACES)])
"""The bits that a card on cell 0 sets in `influence`, by its face."""
_IN_THREE: Final = 0x0001_0001_0001
"""A factor that repeats a set of cells three times in a word."""


def setup(state: RawPosition, players: int, deal: int) -> None:
    """Put the deck in order. `deal` (from `dealing.to_number`) says how to shuffle it."""
    state.players = players
    state.phase = SENDING
    state.dealing = deal
    state.deck = ordered_deck()
    state.hands[:] = NOTHING
    state.board[:] = NOTHING


def deal(state: RawPosition, rng: Words) -> None:
    """Shuffle the deck in the way that `setup` chose, and deal the cards (section 3)."""
    dealing = i64(state.dealing)
    if dealing == FAIRLY:
        choose(rng, state.deck, 42 + 6 * i64(state.players), i64(CARDS))
    elif dealing == DRAWN_SEED:
        shuffle_as_documented(state.deck, draw(rng, i64(1) << 32))
    else:
        shuffle_as_documented(state.deck, dealing - GIVEN_SEED)
    state.dealing = 0
    _lay_out(state)


def current_player(state: RawPosition) -> int:
    return i64(state.mover)


def begins_turn(state: RawPosition) -> bool:
    return i64(state.phase) != DRAWING and i64(state.ceded) == 0


def legal_actions(state: RawPosition, out: Integers) -> int:
    """Write the legal actions: sending cards, or cessions and KEEP, or both draws. Return their number."""
    if is_terminal(state):
        return 0
    phase, n = i64(state.phase), i64(0)
    if phase == SENDING:
        holes = ALL_CELLS & ~i64(state.occupied)
        for place in range(HAND):
            for cell in range(CELLS):
                if (holes >> cell) & 1 == 1:
                    out[n] = CELLS * place + cell
                    n += 1
    elif phase == CEDING:
        open_to = cessions(state, i64(state.mover))
        while open_to != 0:
            out[n] = CEDE + first(open_to)
            open_to &= open_to - 1
            n += 1
        out[n] = KEEP
        n += 1
    else:
        out[0] = DRAW + LEFT
        out[1] = DRAW + RIGHT
        n = i64(2)
    return n


def allows(state: RawPosition, action: int) -> bool:
    phase = i64(state.phase)
    if phase == SENDING:
        return action < CEDE and (i64(state.occupied) >> (action & 15)) & 1 == 0
    if phase == CEDING:
        return action == KEEP or (CEDE <= action < KEEP and (cessions(state, i64(state.mover)) >> (action - CEDE)) & 1 == 1)
    return action >= DRAW


def random_action(state: RawPosition, rng: Words) -> int:
    phase = i64(state.phase)
    if phase == SENDING:  # a player who sends has four cards
        holes = ALL_CELLS & ~i64(state.occupied)
        which = draw(rng, HAND * size(holes))
        return CELLS * (which & 3) + member(holes, which >> 2)
    if phase == CEDING:
        open_to = cessions(state, i64(state.mover))
        which = draw(rng, size(open_to) + 1)
        return KEEP if which == 0 else CEDE + member(open_to, which - 1)
    return DRAW + draw(rng, i64(2))


def apply(state: RawPosition, action: int) -> None:
    """Play an action of section 4 with all its effects, such as drawing a card if there is no choice of a pile."""
    player = i64(state.mover)
    if CEDE <= action < DRAW:
        if action != KEEP:
            _cede(state, player, action - CEDE)
        state.phase = SENDING
        state.ceded = 1
        return
    state.ceded = 0
    place, pile = action >> 4, action - DRAW
    if action < CEDE:
        _send(state, player, place, action & 15)
        pile = _pile_to_draw_from(state)
    else:
        place = i64(state.gap)
    if pile == EITHER:
        state.phase = DRAWING
        state.gap = place
    else:
        state.gap = 0
        _end_turn(state, player, place, pile)


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def scores(state: RawPosition, out: Integers) -> None:
    """Write each player's points of disappointment (punts de decepció). The fewest points win."""
    for player in range(state.players):
        out[player] = disappointment(state, player)


def winners(state: RawPosition) -> int:
    """Return the bit set with the winner: “El jugador que tingui menys punts de decepció”. Of several, it is the one nearest
    to the first player: “en cas d'empat, guanya el més proper al jugador inicial”. It is 0 while the game goes on.
    """
    if not is_terminal(state):
        return 0
    best, fewest = i64(0), i64(MAX_SCORE + 1)
    for player in range(state.players):
        points = disappointment(state, player)
        if points < fewest:
            best, fewest = i64(player), points
    return i64(1) << best


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    """Copy what a player or a spectator (-1) sees to `view`. Hidden cards in hands and piles show their backs.

    “Tot i que aquestes cartes són secretes, la resta de jugadors sempre veurà el seu revers.”
    """
    view.board = state.board
    view.followers = state.followers
    view.players = state.players
    view.mover = state.mover
    view.phase = state.phase
    view.ceded = state.ceded
    view.gap = state.gap
    view.turns_left = state.turns_left
    view.top = state.top
    view.bottom = state.bottom
    view.holds = state.holds
    view.occupied = state.occupied
    view.magics = state.magics
    view.brotherhoods = state.brotherhoods
    view.influence = state.influence
    turn_over(state.deck, view.deck)
    turn_over(state.hands, view.hands)
    if player >= 0:
        hands, own = view.hands, state.hands
        for at in range(HAND * player, HAND * player + HAND):
            hands[at] = own[at]
    list_unseen(view)


def redeal(state: RawPosition, player: int, rng: Words) -> None:
    """Replace each back by a random unseen card of its magic. The cards that are left over are the removed ones."""
    deck, hands, unseen = state.deck, state.hands, state.unseen
    for at in range(state.bottom[LEFT]):
        card = i64(deck[at])
        if is_back(card):
            deck[at] = draw_unseen(unseen, card >> 4, rng)
    for at in range(MAX_PLAYERS * HAND):
        card = i64(hands[at])
        if is_back(card):
            hands[at] = draw_unseen(unseen, card >> 4, rng)
    for magic in range(MAGICS):
        unseen[magic] = 0


def seen_action(state: RawPosition, action: int, player: int) -> int:
    return action


# 3 Preparació del joc


def half(state: RawPosition) -> int:
    """Return the number of cards in each pile at the start: 17, 18 or 19."""
    return 15 + i64(state.players)


def _lay_out(state: RawPosition) -> None:
    """Deal the hands, the border of the board and the piles, after the removed cards: “Sempre que s'obtinguin cartes de la
    baralla s'agafaran del final”.

    The rest makes the piles: “s'aniran robant les cartes de la baralla una a una i s'aniran empilant”. The first half is the
    left pile. The last card taken is on top, so `deck` already has each pile from its top down.
    """
    deck, hands = state.deck, state.hands
    piles = 2 * half(state)
    in_hands = HAND * i64(state.players)
    last = piles + len(BORDER) + in_hands - 1
    for at in range(in_hands):
        hands[index(at)] = deck[index(last - at)]
    for at in range(len(BORDER)):
        put(state, i64(deck[index(last - in_hands - at)]), BORDER[at])
    for at in range(piles, CARDS):
        deck[index(at)] = NOTHING
    state.top[LEFT] = half(state)
    state.bottom[LEFT] = piles
    state.bottom[RIGHT] = half(state)


def put(state: RawPosition, card: int, cell: int) -> None:
    """Put a card on an empty cell, and update the sets of cells. No wizard is won by this."""
    magic, face = card >> 4, card & 15
    state.board[index(cell)] = card
    state.occupied |= i64(1) << cell
    state.magics[index(magic > 2)] |= i64(1) << (i64(_MAGIC_AT[index(magic)]) + cell)
    state.brotherhoods |= i64(1) << (i64(_BROTHERHOOD_AT[index(face)]) + cell)
    state.influence |= i64(_WEIGHT[index(face)]) << cell


# 4.1 Cedir influència a un altre jugador


def begin_turn(state: RawPosition, player: int) -> None:
    """Begin a player's turn. A player who has nothing to cede begins with sending a card."""
    state.mover = player
    state.phase = SENDING if cessions(state, player) == 0 else CEDING


def cessions(state: RawPosition, player: int) -> int:
    """Return bits 8 * receiver + magic, the legal cessions: “jugador que no tingui seguidors d'aquesta màgia”."""
    holds = i64(state.holds)
    mine = (holds >> (8 * player)) & 255
    return (mine * 0x01010101) & ~holds & ((i64(1) << (8 * i64(state.players))) - 1)


def _cede(state: RawPosition, player: int, pile: int) -> None:
    """Give a player's followers of a magic to another: “Posa tots els seus seguidors a la zona d'influència”. `pile` is 8 *
    receiver + magic.
    """
    followers = state.followers
    mine = 8 * player + (pile & 7)
    followers[index(pile)] = followers[index(mine)]
    followers[index(mine)] = 0
    state.holds ^= (i64(1) << pile) | (i64(1) << mine)


# 4.2 Fer jugada


def _send(state: RawPosition, player: int, place: int, cell: int) -> None:
    """Send a card of the hand to a cell: “Envia un dels bruixots de la teva mà al Conclave com a emissari.”"""
    hands = state.hands
    card = i64(hands[index(HAND * player + place)])
    hands[index(HAND * player + place)] = NOTHING
    put(state, card, cell)
    won = won_from(state, card, cell)
    rest, board = won, state.board
    while rest != 0:
        follower = first(rest)
        follow(state, player, i64(board[index(follower)]))
        board[index(follower)] = NOTHING
        rest &= rest - 1
    if won != 0:
        lift(state, won)


def won_from(state: RawPosition, card: int, cell: int) -> int:
    """Return the cells whose wizards follow an emissary that was just put on a cell, also in a crisis (4.2.1)."""
    won = convinced_by(state, card, cell)
    if won == 0 and i64(state.occupied) == ALL_CELLS:
        # a crisis takes all wizards of the row and the column "que NO siguin de la mateixa germandat"
        won = ((15 << (cell & 12)) | (0x1111 << (cell & 3))) & ~_brothers(state, card)
    return won


def convinced_by(state: RawPosition, card: int, cell: int) -> int:
    """Return the cells whose wizards are convinced by an emissary that was just put on a cell."""
    occupied, influence = i64(state.occupied), i64(state.influence)
    # the wizards of the row in contact, "si entre tots sumen 10 o més punts d'influència", and those of the column
    row, column = row_run(occupied, cell), column_run(occupied, cell)
    listening = row if sum_on(influence, row) >= ENOUGH else i64(0)
    listening |= column if sum_on(influence, column) >= ENOUGH else i64(0)
    return listening & (_brothers(state, card) | of_magic(state, card >> 4)) & ~(i64(1) << cell)


def _brothers(state: RawPosition, card: int) -> int:
    """Return the cells with cards of the same brotherhood as a card. Only the lowest 16 bits have a meaning."""
    return i64(state.brotherhoods) >> i64(_BROTHERHOOD_AT[index(card & 15)])


def sum_on(influence: int, cells: int) -> int:
    """Return the influence of the cards on a set of cells. `influence` is the field of that name."""
    return size(influence & cells) + 2 * size((influence >> 16) & cells) + 4 * size((influence >> 32) & cells)


def of_magic(state: RawPosition, magic: int) -> int:
    """Return the cells with cards of a magic. Only the lowest 16 bits have a meaning."""
    return i64(state.magics[index(magic > 2)]) >> i64(_MAGIC_AT[index(magic)])


def lift(state: RawPosition, cells: int) -> None:
    """Remove cells from all sets of cells that the position stores. The cards in `board` stay."""
    state.occupied &= ~cells
    others = ~(cells * _IN_THREE)
    state.magics[0] &= others
    state.magics[1] &= others
    state.brotherhoods &= others
    state.influence &= others


def follow(state: RawPosition, player: int, card: int) -> None:
    """Add a card to a player's followers, and do nothing else."""
    pile = 8 * player + (card >> 4)
    state.followers[index(pile)] |= i64(1) << (card & 15)
    state.holds |= i64(1) << pile


# 4.3 Robar una carta, 4.4 Omplir el tauler de bruixots


def _pile_to_draw_from(state: RawPosition) -> int:
    """Return which piles have cards: LEFT, RIGHT, EITHER or NEITHER. “només es podran robar cartes de la pila que queda.”"""
    top, bottom = state.top, state.bottom
    if top[LEFT] < bottom[LEFT]:
        return EITHER if top[RIGHT] < bottom[RIGHT] else LEFT
    return RIGHT if top[RIGHT] < bottom[RIGHT] else NEITHER


def _end_turn(state: RawPosition, player: int, place: int, pile: int) -> None:
    """Draw from a pile and fill the board, except in the last round (NEITHER). Then begin the next turn, or end the game.

    A crisis that takes no wizard leaves a full board, without an empty cell for the next player. This also ends the game.
    """
    if pile == NEITHER:
        state.turns_left -= 1
    else:
        # "Roba la carta del cim d'una de les dues piles i col·loca-la a la teva mà (directament a l'únic forat)."
        state.hands[index(HAND * player + place)] = _take_top(state, pile)
        _refill(state, pile)
        if _pile_to_draw_from(state) == NEITHER:
            state.turns_left = state.players
    if state.occupied == ALL_CELLS or (pile == NEITHER and state.turns_left == 0):
        _close(state)
    else:
        begin_turn(state, player + 1 if player + 1 < state.players else 0)


def _take_top(state: RawPosition, pile: int) -> int:
    deck = state.deck
    at = i64(state.top[index(pile)])
    card = i64(deck[index(at)])
    deck[index(at)] = NOTHING
    state.top[index(pile)] = at + 1
    return card


def _refill(state: RawPosition, pile: int) -> None:
    """Put cards on the empty cells in reading order, until four are empty: “Fins que tornin a quedar només 4 forats buits”.

    “Si durant aquest procés es buida la pila d'on s'estan robant les cartes, es continua robant de l'altra pila.”
    """
    top, bottom = state.top, state.bottom
    holes = ALL_CELLS & ~i64(state.occupied)
    for _ in range(size(holes) - HOLES):
        if top[index(pile)] == bottom[index(pile)]:
            pile = RIGHT - pile
            if top[index(pile)] == bottom[index(pile)]:
                return
        put(state, _take_top(state, pile), first(holes))
        holes &= holes - 1


# 5 Final de la partida


def _close(state: RawPosition) -> None:
    """End the game. The last cards become followers: “col·loca les seves últimes 3 cartes a la seva zona d'influència.”"""
    hands = state.hands
    for at in range(HAND * i64(state.players)):
        card = i64(hands[index(at)])
        if card != NOTHING:
            follow(state, at >> 2, card)
            hands[index(at)] = NOTHING
    state.mover = TERMINAL
    state.phase = 0
    state.turns_left = 0


# 6 Puntuació


def disappointment(state: RawPosition, player: int) -> int:
    """Return the influence of the player's followers “de totes les màgies que NO controla”."""
    followers = state.followers
    points = i64(0)
    for magic in range(MAGICS):
        mine = sum_of(i64(followers[8 * player + magic]))
        for other in range(state.players):
            if sum_of(i64(followers[8 * other + magic])) > mine:  # "si varis jugadors empateu [...] tots controleu"
                points += mine
                break
    return points
