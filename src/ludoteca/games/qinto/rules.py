"""The rules of Q!nto, a game with tiles for 2 to 4 players, in its variants Light, Classic and Plus. The colours of the
tiles in a line are all equal or all different, and so are the shapes.

The rules of Light are section 1.3 of the Portuguese report "Q!nto" (Q!nto_1, 2015). Those of Classic and Plus are the rules
of the published game. Comments say how the code decides what these texts leave open.

A turn is played tile by tile. This allows the same turns, because every part of a valid line is valid. `tiles` numbers the
kinds of tiles. The grid is a torus of 64 x 64 cells, 64 * row + column, which 60 tiles never reach around:

      0    1  ..  63        An action is
     64   65  .. 127          4096 * kind + cell    add a tile on an empty cell, or swap it for the wild on this one
      :    :       :          143360 + kind         put a tile of the hand under the pile (kind 0: one that is not seen)
    4032 ..      4095         143395                end the turn, which was a pass if nothing was done

In the published game, each player draws a tile to decide who begins. Every player is equally likely to begin, and the tiles
go back. So players are numbered in turn order from the one who begins, and the position does not contain this draw.

The rules call helper modules: `legal` (steps of a turn as numbers), `points`, `rim` (the grid), `hidden` (hands, piles, and
what players know about them) and `tiles` (kinds and lines as bit sets).
"""

from typing import Final

import numpy as np

from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import choose
from ludoteca.games.qinto import legal, points
from ludoteca.games.qinto.hidden import (
    MAX_PLAYERS,
    deal_unseen,
    draw_top,
    follow_draw,
    follow_laid,
    follow_put,
    follow_swap,
    give,
    has_own_pile,
    list_unseen,
    pile_of,
    put_under,
    show_own,
    take,
)
from ludoteca.games.qinto.legal import (
    cell_in,
    kind_in,
    list_adds,
    list_adds_in_line,
    list_kinds,
    list_swaps,
    random_add_in_line,
    random_start,
    random_swap,
    random_trade,
)
from ludoteca.games.qinto.points import BONUS, points_for
from ludoteca.games.qinto.rim import (
    CELLS,
    RIM,
    START,
    around_rim,
    clear_ends,
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
"""Each tile of the hand on each cell of the rim, for each wild and under the pile, and the end of the turn."""
MAX_MOVES: Final = 2 * TILES + (TILES + 1) * MAX_ROUNDS * MAX_PLAYERS * (WILDS + 1)
"""At most TILES tiles are added, in at most TILES turns, which also end. Before, between and after these turns there are at
most MAX_ROUNDS rounds. Each turn of these has at most WILDS swaps or HAND tiles put under the pile, and an end."""
UTILITY: Final = "win"
EXTRA_TURNS: Final = True
"""After a Q!nto the player has another turn."""
MAX_SCORE: Final = TILES * (4 * 2 * VALUES + VALUES + VALUES)
"""A tile is in at most four lines, of at most ten points each. A turn has at most one bonus, and the game one at the end."""

CHOOSING, ADDING, SWAPPING, TRADING = legal.CHOOSING, legal.ADDING, legal.SWAPPING, legal.TRADING
EITHER, ROW, COLUMN = legal.EITHER, legal.ROW, legal.COLUMN

_SHARES: Final = (0, 0, 30, 20, 15)
"""Each player's tiles in Light, by players: “O jogo começa dividindo igualmente o baralho pelos jogadores presentes.”"""

# A kind of tile is 1..34. 0 is no tile, and in a view also a tile that the seat does not see.
STATE: Final = np.dtype(
    [
        ("around", "i8", (RIM + 1,)),  # the runs around the cell in each slot of the rim, see `rim`; stale after n_rim
        ("fits", "i8", (RIM + 1,)),  # the set of kinds that fit that cell
        ("fits_row", "i8", (RIM + 1,)),  # the set of kinds that fit its row
        ("fits_column", "i8", (RIM + 1,)),  # the set of kinds that fit its column
        ("held", "i8", (MAX_PLAYERS,)),  # each hand as a set of kinds
        ("paired", "i8", (MAX_PLAYERS,)),  # the kinds of which a hand has two tiles
        ("known", "i8", (MAX_PLAYERS,)),  # the places of the pile whose tiles each player has put there, see `hidden`
        ("traces", "i8", (WILDS,)),  # the regions of wilds that went from the grid to a hand, see `hidden`
        ("wanted", "i8", (WILDS,)),  # used during `redeal`; else 0
        ("on_grid", "i8", (2,)),  # the kinds on the grid, and the kinds with two tiles there
        ("in_hand", "i8", (MAX_PLAYERS,)),  # the number of tiles in each hand, 0..5
        ("piled", "i8", (MAX_PLAYERS,)),  # the number of tiles in each pile, 0..55; Classic and Plus have only the first
        ("points", "i8", (MAX_PLAYERS,)),  # the points of Classic and Plus
        ("variant", "i8"),  # LIGHT, CLASSIC or PLUS
        ("players", "i8"),  # 2..4
        ("rounds", "i8"),  # 1..20: this many rounds in a row without an added tile end the game
        ("share", "i8"),  # Light: the tiles of each player, 30, 20 or 15; else 0
        ("mover", "i8"),  # 0..3, or TERMINAL
        ("phase", "i8"),  # CHOOSING, ADDING, SWAPPING or TRADING
        ("line", "i8"),  # while ADDING, EITHER, ROW or COLUMN; else 0
        ("laid", "i8"),  # the number of tiles added in this turn, 0..5
        ("again", "i8"),  # Light: 1 if this turn completed a Q!nto, so that another turn follows; else 0
        ("idle", "i8"),  # the number of turns without an added tile, up to the last one
        ("n_rim", "i8"),  # the number of cells in the rim
        ("n_wilds", "i8"),  # the number of wilds on the grid
        ("ends", "i2", (4,)),  # while ADDING, the empty cells at the left, right, upper and lower end of `line`; else 0
        ("rim", "i2", (RIM + 1,)),  # the cells of the rim, in any order, from slot 1 on
        ("wilds", "i2", (WILDS,)),  # the cells of the wilds on the grid, in any order
        ("grid", "i1", (CELLS,)),  # kinds, + SWAPPED for a wild that a swap of this turn put there
        ("slots", "i1", (CELLS,)),  # the slot of each cell of the rim; 0 for other cells
        ("piles", "i1", (TILES,)),  # kinds: pile i begins at i * share with its bottom; 0 after its top
        ("unseen", "i1", (TILES,)),  # in a view, the kinds of the tiles that the seat does not see, ascending; else 0
    ]
)
DERIVED: Final = ("around", "fits", "fits_row", "fits_column", "rim", "slots", "wilds")


# The start


def setup(state: RawPosition, variant: int, players: int, rounds: int) -> None:
    """Prepare the position before the deal: the deck in order in the pile, and an empty grid. `variant` is LIGHT, CLASSIC or
    PLUS.
    """
    state.variant, state.players, state.rounds = variant, players, rounds
    state.share = _SHARES[players] if variant == LIGHT else 0
    state.piles = ordered_deck()
    open_rim(state)


def deal(state: RawPosition, rng: Words) -> None:
    """Shuffle the deck and fill the hands in turn order. In Classic and Plus, also lay the first tile: “its top tile starts
    the grid”.
    """
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
        lay(state, draw_top(state, i64(0)), START)
        clear_ends(state, 0, 4)


def refill(state: RawPosition, player: int) -> None:
    """Draw tiles until the hand has five, or fewer if the pile is empty: “para voltar a ficar com 5 na mão”, “ou menos, se
    não houver cartas suficientes para perfazer 5”.
    """
    pile, n = pile_of(state, player), i64(state.in_hand[index(player)])
    drawn = min(HAND - n, i64(state.piled[index(pile)]))
    if drawn > 0:
        for _ in range(drawn):
            take(state, player, draw_top(state, pile))
        state.in_hand[index(player)] = n + drawn
        follow_draw(state, player, i64(state.piled[index(pile)]))


# A turn


def current_player(state: RawPosition) -> int:
    """Return the player to move, or TERMINAL if the game is over."""
    return i64(state.mover)


def begins_turn(state: RawPosition) -> bool:
    """Return True if the mover has done nothing yet in this turn. The extra turn after a Q!nto counts as another turn."""
    return i64(state.phase) == CHOOSING


def legal_actions(state: RawPosition, out: Integers) -> int:
    """Write the legal actions to `out`. Return their number.

    In one turn a player adds tiles, swaps tiles for wilds, or puts tiles under the pile (“uma de três coisas”). The end of
    the turn is always legal.
    """
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
    """Return a uniformly random legal action."""
    phase, hand = i64(state.phase), i64(state.held[index(state.mover)])
    if phase == CHOOSING:
        return random_start(state, hand, rng)
    if phase == ADDING:
        return random_add_in_line(state, hand, rng)
    if phase == SWAPPING:
        return random_swap(state, hand, rng)
    return random_trade(hand, rng)


def apply(state: RawPosition, action: int) -> None:
    """Play one step of a turn, or end it."""
    player = i64(state.mover)
    if action < TRADE:
        kind, cell = kind_in(action), cell_in(action)
        if state.grid[index(cell)] == 0:
            _add(state, player, kind, cell)
        else:
            _swap(state, player, kind, cell)
    elif action < END:
        _trade(state, player, action - TRADE)
    else:
        _end_turn(state, player)


# 1. Adicionar


def _add(state: RawPosition, player: int, kind: int, cell: int) -> None:
    """Add a tile of a kind to the grid. The second tile of a turn decides the direction of the turn's line.

    “O jogo termina quando houver 1 jogador que fica sem cartas”, at once, with “+5 for the play that ends the game”.
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
        clear_ends(state, 2, 4)
    elif state.line == COLUMN:
        clear_ends(state, 0, 2)
    state.laid += 1
    out = tiles_left(state, player) == 0
    if state.variant != LIGHT:
        state.points[index(player)] += (BONUS if state.laid == HAND else 0) + (BONUS if out else 0)
    if out:
        begin_turn(state, TERMINAL)
        state.idle = 0


# 2. Trocar


def _swap(state: RawPosition, player: int, kind: int, cell: int) -> None:
    """Swap a tile of the hand for a wild on the grid: “trocar [...] cartas da sua mão por wildcards já jogadas”."""
    wild = replace(state, kind, cell)
    give(state, player, kind)
    take(state, player, wild)
    follow_swap(state, player, kind, wild)
    state.phase = SWAPPING


# 3. Passar a vez


def _trade(state: RawPosition, player: int, kind: int) -> None:
    """Put a tile under the pile: “colocando-as no fundo da sua pilha”."""
    put_under(state, pile_of(state, player), kind)
    give(state, player, kind)
    state.in_hand[index(player)] -= 1
    follow_put(state, player)
    state.phase = TRADING


# The end of a turn


def _end_turn(state: RawPosition, player: int) -> None:
    """Refill the hand and begin the next player's turn. After a Q!nto in Light the same player “deve jogar outra vez”.

    The game ends after `state.rounds` rounds in a row without an added tile.
    """
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
    """Let a player begin a turn, or end the game if the player is TERMINAL."""
    state.mover = player
    state.phase = CHOOSING
    state.line = EITHER
    state.laid = 0
    state.again = 0
    clear_ends(state, 0, 4)


# The end of the game


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def tiles_left(state: RawPosition, player: int) -> int:
    """Return the number of tiles in the hand of a player and in the pile from which the player draws."""
    return i64(state.in_hand[index(player)]) + i64(state.piled[index(pile_of(state, player))])


def scores(state: RawPosition, out: Integers) -> None:
    """Write the score of each player to `out`. In Light this is the number of tiles that the player has left, and fewer are
    better.
    """
    for player in range(state.players):
        out[player] = tiles_left(state, player) if state.variant == LIGHT else state.points[player]


def winners(state: RawPosition) -> int:
    """Return the bit set of the winners, 0 while the game goes on. In Light “fewest tiles left wins, ties share”, in Classic
    and Plus “highest score wins, ties share”.
    """
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


# Views


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    """Copy to `view` what a player may see: “own hand, the grid, the sizes of all hands and piles”, the tiles that the
    player put under a pile, and the places where wilds taken from the grid may be.
    """
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
    """Put the tiles that a view does not show into hands and piles at random. `hidden` says which deals fit a view."""
    deal_unseen(state, player, rng)


def seen_action(state: RawPosition, action: int, player: int) -> int:
    """Return the action as a player sees it. When another player puts a tile under the pile, the kind is hidden: “of a
    trade, the others see only how many tiles”.
    """
    return TRADE if TRADE <= action < END and player != state.mover else action
