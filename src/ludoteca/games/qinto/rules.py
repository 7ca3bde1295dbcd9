"""Q!nto: tiles in lines whose colours and shapes are all equal or all different; Light, Classic and Plus, 2 to 4 players.

The law is the Portuguese report "Q!nto" (Q!nto_1, 2015), section 1.3, for Light, and the published game for Classic and
Plus. What they leave open is settled at the code.

A turn is played tile by tile: every part of a valid line is valid, so nothing is lost by it. Kinds of tiles are numbered
as in `tiles`; the grid is a torus of 64 x 64 cells, 64 * row + column, on which 60 tiles never meet their own other end:

      0    1  ..  63        An action is
     64   65  .. 127          4096 * kind + cell    add a tile on an empty cell, or swap it for the wild on this one
      :    :       :          143360 + kind         put a tile of the hand under the pile (kind 0: one that is not seen)
    4032 ..      4095         143395                end the turn, which was a pass if nothing was done

Each player draws a tile, and the highest suit begins. That is anybody, equally likely; so players are numbered in turn order
from the one who begins, and the tiles drawn, which go back, are not in the position.
"""

from typing import Final

import numpy as np

from ludoteca.core.bits import member_of_five, size
from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import choose, draw
from ludoteca.games.qinto import legal, points
from ludoteca.games.qinto.hidden import (
    MAX_PLAYERS,
    deal_unseen,
    follow_draw,
    follow_laid,
    follow_put,
    follow_swap,
    give,
    has_own_pile,
    list_unseen,
    pile_of,
    show_own,
    take,
)
from ludoteca.games.qinto.legal import (
    list_adds,
    list_adds_in_line,
    list_kinds,
    list_swaps,
    random_add_in_line,
    random_start,
    random_swap,
)
from ludoteca.games.qinto.points import BONUS, points_for
from ludoteca.games.qinto.rim import (
    CELLS,
    RIM,
    START,
    around_rim,
    column_length,
    lay,
    open_rim,
    replace,
    row_length,
    unmark,
)
from ludoteca.games.qinto.tiles import FIRST_WILD, TILES, VALUES, WILDS, ordered_deck

LIGHT, CLASSIC, PLUS = points.LIGHT, points.CLASSIC, points.PLUS
HAND: Final = 5
MAX_ROUNDS: Final = 20

TRADE: Final = legal.TRADE
END: Final = legal.END
ACTIONS: Final = END + 1
CONCEDE: Final = -1
MAX_LEGAL: Final = HAND * (RIM + WILDS) + HAND + 1
"""Each tile of the hand in each cell of the rim and for each wild, under the pile, or none."""
MAX_MOVES: Final = 2 * TILES + (TILES + 1) * MAX_ROUNDS * MAX_PLAYERS * (WILDS + 1)
"""At most 60 tiles are added, in as many turns, each of which has an end. Before, between and after those are fewer turns
than end the game, or as many; they have an end, and at most WILDS swaps or HAND trades."""
UTILITY: Final = "win"
MAX_SCORE: Final = TILES * (4 * 2 * VALUES + VALUES + VALUES)
"""A tile is in four lines at most, of ten points each; bonuses of five are given once a turn, and once at the end."""

CHOOSING, ADDING, SWAPPING, TRADING = legal.CHOOSING, legal.ADDING, legal.SWAPPING, legal.TRADING
EITHER, ROW, COLUMN = legal.EITHER, legal.ROW, legal.COLUMN

_SHARES: Final = (0, 0, 30, 20, 15)
"""“O jogo começa dividindo igualmente o baralho pelos jogadores presentes.”"""

# Kinds of tiles are 1..34, or 0 for none; in a view also for one that the seat does not see.
STATE: Final = np.dtype(
    [
        ("around", "i8", (RIM + 1,)),  # what lies around the cell in each slot of the rim, see `rim`; after n_rim stale
        ("fits", "i8", (RIM + 1,)),  # the set of kinds that fit that cell,
        ("fits_row", "i8", (RIM + 1,)),  # those that fit its row,
        ("fits_column", "i8", (RIM + 1,)),  # and those that fit its column
        ("held", "i8", (MAX_PLAYERS,)),  # each hand as a set of kinds
        ("paired", "i8", (MAX_PLAYERS,)),  # the kinds of which a hand has two tiles
        ("known", "i8", (MAX_PLAYERS,)),  # the set of places in the pile whose tiles a player has put there, see `hidden`
        ("traces", "i8", (WILDS,)),  # where wilds from the grid are, see `hidden`
        ("wanted", "i8", (WILDS,)),  # room for `redeal`; else 0
        ("on_grid", "i8", (2,)),  # the kinds that lie on the grid; those of which two do
        ("in_hand", "i8", (MAX_PLAYERS,)),  # how many tiles each hand has, 0..5
        ("piled", "i8", (MAX_PLAYERS,)),  # how many tiles each pile has, 0..55; in Classic and Plus the first is for all
        ("points", "i8", (MAX_PLAYERS,)),  # Classic and Plus: what the players have scored
        ("variant", "i8"),  # LIGHT, CLASSIC or PLUS
        ("players", "i8"),  # 2..4
        ("rounds", "i8"),  # 1..20: so many in a row without an added tile end the game
        ("share", "i8"),  # Light: the tiles of each player, 30, 20 or 15; else 0
        ("mover", "i8"),  # 0..3, or TERMINAL
        ("phase", "i8"),  # CHOOSING, ADDING, SWAPPING or TRADING
        ("line", "i8"),  # while ADDING, EITHER, ROW or COLUMN; else 0
        ("laid", "i8"),  # the tiles added in this turn, 0..5
        ("again", "i8"),  # Light: 1 if a Q!nto was completed in this turn, so that another one follows; else 0
        ("idle", "i8"),  # turns in a row, up to the last one, in which nobody added a tile
        ("n_rim", "i8"),  # how many cells are in the rim
        ("n_wilds", "i8"),  # how many wilds are on the grid
        ("ends", "i2", (4,)),  # while ADDING, the cells at the left, right, upper and lower end; those not of `line`: 0
        ("rim", "i2", (RIM + 1,)),  # the cells of the rim, in any order, from slot 1 on
        ("wilds", "i2", (WILDS,)),  # the cells of the wilds on the grid, in any order
        ("grid", "i1", (CELLS,)),  # kinds; + SWAPPED for a wild that came there in this turn by a swap
        ("slots", "i1", (CELLS,)),  # the slot of each cell of the rim; 0 for others
        ("piles", "i1", (TILES,)),  # kinds: pile i begins at i * share with its bottom; 0 where no tile is left
        ("unseen", "i1", (TILES,)),  # in a view, the kinds of the tiles that the seat does not see, ascending; else 0
    ]
)
DERIVED: Final = ("around", "fits", "fits_row", "fits_column", "rim", "slots", "wilds")


def setup(state: RawPosition, variant: int, players: int, rounds: int) -> None:
    """Put the deck in order."""
    state.variant, state.players, state.rounds = variant, players, rounds
    state.share = _SHARES[players] if variant == LIGHT else 0
    state.piles = ordered_deck()
    open_rim(state)


def deal(state: RawPosition, rng: Words) -> None:
    """Shuffle; hands in turn order; in Classic the first tile of the grid: “its top tile starts the grid”."""
    players = i64(state.players)
    choose(rng, state.piles, i64(TILES), i64(TILES))
    if has_own_pile(state):
        for player in range(players):
            state.piled[index(player)] = state.share
    else:
        state.piled[0] = TILES
    for player in range(players):
        refill(state, player)
    if not has_own_pile(state):
        lay(state, _take_top(state, i64(0)), START)
        clear_ends(state)


def current_player(state: RawPosition) -> int:
    return i64(state.mover)


def begins_turn(state: RawPosition) -> bool:
    """Turns are played tile by tile. The one that follows a Q!nto is another one."""
    return i64(state.phase) == CHOOSING


def legal_actions(state: RawPosition, out: Integers) -> int:
    """The steps of “uma de três coisas”, and the end of the turn, which is always possible."""
    if is_terminal(state):
        return 0
    phase, hand = i64(state.phase), i64(state.held[index(state.mover)])
    n = i64(0)
    if phase == CHOOSING:
        n = list_adds(state, hand, out, n)
    elif phase == ADDING:
        n = list_adds_in_line(state, hand, out, n)
    if phase in (CHOOSING, SWAPPING):
        n = list_swaps(state, hand, out, n)
    if phase in (CHOOSING, TRADING):
        n = list_kinds(hand, TRADE, 1, out, n)
    out[n] = END
    return n + 1


def random_action(state: RawPosition, rng: Words) -> int:
    phase, hand = i64(state.phase), i64(state.held[index(state.mover)])
    if phase == CHOOSING:
        return random_start(state, hand, rng)
    if phase == ADDING:
        return random_add_in_line(state, hand, rng)
    if phase == SWAPPING:
        return random_swap(state, hand, rng)
    which = draw(rng, size(hand) + 1)
    return END if which == size(hand) else TRADE + member_of_five(hand, which)


def apply(state: RawPosition, action: int) -> None:
    """One step of a turn, or its end."""
    player = i64(state.mover)
    if action < TRADE:
        kind, cell = action >> 12, action & (CELLS - 1)
        if state.grid[index(cell)] == 0:
            _add(state, player, kind, cell)
        else:
            _swap(state, player, kind, cell)
    elif action < END:
        _trade(state, player, action - TRADE)
    else:
        _end_turn(state, player)


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def scores(state: RawPosition, out: Integers) -> None:
    """Light: the tiles that each player has left, few are better. Else the points."""
    for player in range(state.players):
        out[player] = tiles_left(state, player) if state.variant == LIGHT else state.points[player]


def winners(state: RawPosition) -> int:
    """“Fewest tiles left wins, ties share”, so who has none wins alone; in Classic “highest score wins, ties share”."""
    if not is_terminal(state):
        return 0
    won, best = i64(0), i64(-1)
    for player in range(state.players):
        points = TILES - tiles_left(state, player) if state.variant == LIGHT else i64(state.points[player])
        if points > best:
            won, best = i64(0), points
        if points == best:
            won |= i64(1) << player
    return won


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    """“Own hand, the grid, the sizes of all hands and piles”, the tiles the player put under a pile, where wilds went."""
    view.grid = state.grid
    view.slots = state.slots
    view.around = state.around
    view.fits = state.fits
    view.fits_row = state.fits_row
    view.fits_column = state.fits_column
    view.rim = state.rim
    view.wilds = state.wilds
    view.known = state.known
    view.traces = state.traces
    view.on_grid = state.on_grid
    view.in_hand = state.in_hand
    view.piled = state.piled
    view.points = state.points
    view.variant = state.variant
    view.players = state.players
    view.rounds = state.rounds
    view.share = state.share
    view.mover = state.mover
    view.phase = state.phase
    view.line = state.line
    view.laid = state.laid
    view.again = state.again
    view.idle = state.idle
    view.n_rim = state.n_rim
    view.n_wilds = state.n_wilds
    view.ends = state.ends
    if player >= 0:
        show_own(state, player, view)
    list_unseen(view)


def redeal(state: RawPosition, player: int, rng: Words) -> None:
    """The deals that fit a view are described in `hidden`."""
    deal_unseen(state, player, rng)


def seen_action(state: RawPosition, action: int, player: int) -> int:
    """“Of a trade, the others see only how many tiles.”"""
    return TRADE if TRADE <= action < END and player != state.mover else action


# The deal


def _take_top(state: RawPosition, pile: int) -> int:
    """The uppermost tile of a pile that has one."""
    n = i64(state.piled[index(pile)]) - 1
    at = pile * i64(state.share) + n
    kind = i64(state.piles[index(at)])
    state.piles[index(at)] = 0
    state.piled[index(pile)] = n
    return kind


def refill(state: RawPosition, player: int) -> None:
    """“Para voltar a ficar com 5 na mão”, “ou menos, se não houver cartas suficientes para perfazer 5”."""
    pile, n = pile_of(state, player), i64(state.in_hand[index(player)])
    drawn = min(HAND - n, i64(state.piled[index(pile)]))
    if drawn > 0:
        for _ in range(drawn):
            take(state, player, _take_top(state, pile))
        state.in_hand[index(player)] = n + drawn
        follow_draw(state, player, i64(state.piled[index(pile)]))


# 1. Adicionar


def _add(state: RawPosition, player: int, kind: int, cell: int) -> None:
    """One tile of the turn's line, of which the second tile decides the direction.

    “O jogo termina quando houver 1 jogador que fica sem cartas”, at once; “+5 for the play that ends the game”.
    """
    around = around_rim(state, cell)
    if state.variant != LIGHT:
        state.points[index(player)] += points_for(state, kind, cell)
    elif row_length(around) == VALUES or column_length(around) == VALUES:
        state.again = 1
    if state.phase == CHOOSING:
        state.phase = ADDING
    elif state.line == EITHER:
        state.line = ROW if cell == i64(state.ends[0]) or cell == i64(state.ends[1]) else COLUMN
    give(state, player, kind)
    state.in_hand[index(player)] -= 1
    if kind >= FIRST_WILD:
        follow_laid(state, player, kind)
    lay(state, kind, cell)
    if state.line == ROW:
        state.ends[2] = 0
        state.ends[3] = 0
    elif state.line == COLUMN:
        state.ends[0] = 0
        state.ends[1] = 0
    state.laid += 1
    out = tiles_left(state, player) == 0
    if state.variant != LIGHT:
        state.points[index(player)] += (BONUS if state.laid == HAND else 0) + (BONUS if out else 0)
    if out:
        begin_turn(state, TERMINAL)
        state.idle = 0


def clear_ends(state: RawPosition) -> None:
    """Forget the ends: no tile was added in this turn."""
    for i in range(4):
        state.ends[index(i)] = 0


def tiles_left(state: RawPosition, player: int) -> int:
    """The number of tiles that a player can still lay: hand and pile."""
    return i64(state.in_hand[index(player)]) + i64(state.piled[index(pile_of(state, player))])


# 2. Trocar


def _swap(state: RawPosition, player: int, kind: int, cell: int) -> None:
    """“Trocar [...] cartas da sua mão por wildcards já jogadas”."""
    wild = replace(state, kind, cell)
    give(state, player, kind)
    take(state, player, wild)
    follow_swap(state, player, kind, wild)
    state.phase = SWAPPING


# 3. Passar a vez


def _trade(state: RawPosition, player: int, kind: int) -> None:
    """“Colocando-as no fundo da sua pilha”."""
    pile = pile_of(state, player)
    piles, start, n = state.piles, pile * i64(state.share), i64(state.piled[index(pile)])
    for at in range(start + n, start, -1):
        piles[index(at)] = piles[index(at - 1)]
    piles[index(start)] = kind
    state.piled[index(pile)] = n + 1
    give(state, player, kind)
    state.in_hand[index(player)] -= 1
    follow_put(state, player)
    state.phase = TRADING


# The end of a turn


def _end_turn(state: RawPosition, player: int) -> None:
    """Refill; whoever has completed a Q!nto “deve jogar outra vez”; too many turns without an added tile end the game."""
    refill(state, player)
    if state.phase == SWAPPING:
        unmark(state)
    state.idle = 0 if state.laid > 0 else i64(state.idle) + 1
    if state.idle == i64(state.rounds) * i64(state.players):
        begin_turn(state, TERMINAL)
    elif state.again == 1:
        begin_turn(state, player)
    else:
        begin_turn(state, player + 1 if player + 1 < state.players else 0)


def begin_turn(state: RawPosition, player: int) -> None:
    state.mover = player
    state.phase = CHOOSING
    state.line = EITHER
    state.laid = 0
    state.again = 0
    clear_ends(state)
