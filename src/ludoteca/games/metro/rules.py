"""The rules of Metro: tiles join tracks into paths, which lead trains from the edge of the board to stations there and in
the centre.

The rules for one player are the Romanian assignment "Prolog: Metro Board Game", whose sentences are quoted. Those for 2 to 6
players are the rules of the published game. `tiles` has the tiles. `board` has the numbers of actions, and a drawing of
spaces and lanes.

A *chain* is a row of joined tracks. It begins in the lane into its first tile and ends in the lane out of its last tile.
Only these two lanes store the chain, each in one word. The word has the lane at the other end of the chain, the number of
lanes from one end to the other, and whether a train or a station is at that other end. A lane without tracks is a chain of
one lane:

       22      21     20      10        0
    | owner | CENTRE | END | lanes | lane |      END: a train or a station, CENTRE: a central one; owner: of the train

So a tile that joins four pairs of chains changes eight words. They show which paths the tile closes.
"""

from typing import Final

import numpy as np

from ludoteca.core.bits import size
from ludoteca.core.contract import TERMINAL, Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw, shuffle
from ludoteca.core.tables import member
from ludoteca.games.metro.board import (
    BESIDE,
    DECLINE,
    FACE,
    FACE_BITS,
    FITS,
    LANE_OF,
    LANE_OUT,
    LANES,
    LAST_RESORT,
    MAX_SPACES,
    RIM,
    SPACES,
    WORD,
    WORDS,
    central_stations,
    lane,
    outer_stations,
    owners,
    trains,
)
from ludoteca.games.metro.sides import BOARD_SIDES
from ludoteca.games.metro.tiles import (
    FACE_OF,
    IDS,
    KINDS,
    NONE,
    ORIENTED,
    PRINTED,
    ROTATION_OF,
    SIDES,
    STACK,
    tile_id,
    turnable,
)

MAX_PLAYERS: Final = 6

ACTIONS: Final = DECLINE + 1
CONCEDE: Final = -1
MAX_LEGAL: Final = SIDES * MAX_SPACES + 1
MAX_MOVES: Final = MAX_SPACES
"""A single player places a tile with every action. Several players place 60, and decline at most once before each."""
UTILITY: Final = "win"
EXTRA_TURNS: Final = True
"""A player has several turns in a row if the others have no tile left."""
MAX_SCORE: Final = 2 * SIDES * MAX_SPACES
"""Each tile has four tracks. Each track counts twice at most."""

STATE: Final = np.dtype(
    [
        ("side", "i8"),  # spaces on a side of the board: 4, 6, 8, 10, 12
        ("board", "i8"),  # the first of the board's spaces and rows in the tables: 0, 140, 280, 420, 560
        ("players", "i8"),  # 1..6
        ("mover", "i8"),  # 0..5, or TERMINAL
        ("tile", "i8"),  # the kind to be placed, NONE if there is no tile left
        ("row", "i8"),  # the row of FITS for that tile, or of its last resort if it has no other place
        ("choices", "i8"),  # the ways to place it, 16 bits; if tiles may be turned, 16 bits each for R0 to R2, R0 to R1, R0
        ("frontier", "i8", (WORDS,)),  # set of the free spaces on the edge or next to a tile
        ("free", "i8", (WORDS,)),  # set of the spaces without a tile
        ("points", "i8", (MAX_PLAYERS + 1,)),  # by player, then for trains without an owner
        ("generator", "u8"),  # secret: the generator of the endless draw, 0 without it
        ("stacked", "i8"),  # tiles in the stack, 0..60
        ("chains", "i4", (LANES,)),  # the words of chains, by lane. Lanes inside a chain have no valid word
        ("endless", "i1"),  # 1 if tiles are drawn without end, 0 if from the stack
        ("turned", "i1"),  # 1 if tiles may be turned
        (
            "hands",
            "i1",
            (MAX_PLAYERS,),
        ),  # the kinds that players hold in addition to `tile`, for the mover the declined one
        ("left", "i1", (KINDS + 1,)),  # in a view, the number of each kind in the stack; else 0
        ("stack", "i1", (STACK,)),  # secret: its kinds from the bottom up, NONE above the top
        ("faces", "i1", (MAX_SPACES,)),  # the oriented tile on each space, NONE on a free one
    ]
)
DERIVED: Final = ("chains",)

LANES_AT: Final = 10
END: Final = 1 << 20
CENTRE: Final = 1 << 21
OWNER_AT: Final = 22
LANE: Final = (1 << LANES_AT) - 1
_LANES: Final = LANE << LANES_AT
"""The places of the fields in a chain's word (see the drawing at the top of this module), and masks for them."""

_ONES: Final = 0x0001_0001_0001
_HIGH: Final = 0x8000_8000_8000
_LOW: Final = 0xFFFF_FFFF_FFFF
"""Masks for `choices`, which packs sums of 16 bits. `n * _ONES` repeats n, to compare it with three sums at once."""

_1, _7, _13, _17, _32 = (np.uint64(bits) for bits in (1, 7, 13, 17, 32))
_IDS: Final = np.uint64(IDS)


def setup(state: RawPosition, players: int, side: int, tiles: int, rotate: int) -> None:
    """Prepare an empty board and the stack in order. `side` is the number of spaces on a side of the board.

    `tiles` is 0 for tiles without end, 1 for the stack. `rotate` is 1 if several players may turn tiles.
    """
    state.side, state.players = side, players
    state.turned = players == 1 or rotate
    state.endless = players == 1 and tiles == 0
    board = BOARD_SIDES.index(side)
    state.board = MAX_SPACES * board
    state.free = SPACES[board]
    state.frontier = RIM[board]
    if not state.endless:
        for face, number in enumerate(PRINTED):
            state.left[turnable(tile_id(face)) if state.turned and number else face] += number
        _pile_up(state)
    chains = state.chains
    chains[:] = np.arange(LANES) + (1 << LANES_AT)
    for train, owner in zip(trains(side), owners(side, players), strict=True):
        chains[lane(train.inside, train.side)] += END + (owner << OWNER_AT)
    chains[outer_stations(side)] += END
    chains[central_stations(side)] += END + CENTRE


def deal(state: RawPosition, rng: Words) -> None:
    """Prepare the random order of tiles (“cărțile vin aleator”), give each player a tile, and begin the first turn."""
    if state.endless:
        _seed_generator(state, rng)
    else:
        shuffle(rng, state.stack, i64(state.stacked))
    for player in range(state.players):
        state.hands[player] = take_tile(state)
    begin_turn(state, i64(0))


def current_player(state: RawPosition) -> int:
    return i64(state.mover)


def legal_actions(state: RawPosition, out: Integers) -> int:
    """Write the legal actions: all ways to place the tile, then declining it if the mover may. Return their number."""
    n = i64(0)
    if is_terminal(state):
        return n
    for rotation in range(SIDES):
        face = i64(FACE_OF[index(state.tile), index(rotation)])
        for word in range(WORDS):
            space, rest = WORD * word, places(state, word, rotation)
            while rest != 0:
                if rest & 1 != 0:
                    out[n] = (space << FACE_BITS) | face
                    n += 1
                rest >>= 1
                space += 1
    if may_decline(state):
        out[n] = DECLINE
        n += 1
    return n


def random_action(state: RawPosition, rng: Words) -> int:
    # The state is read before the generator is written. Otherwise the compiler would read it again from memory, because it
    # cannot know that the two do not overlap.
    sums, tile, row, front = i64(state.choices), i64(state.tile), i64(state.row), i64(state.frontier[0])
    choices = sums >> 48
    n = draw(rng, choices + i64(may_decline(state)))
    if n >= choices:
        return DECLINE
    rotation = i64(ROTATION_OF[index(tile)])
    if state.turned:  # the number of sums of at most n
        rotation = size((n * _ONES + _HIGH - (sums & _LOW)) & _HIGH)
        n -= ((sums << 16) >> (16 * rotation)) & 0xFFFF
    word = i64(0)
    here = front & i64(FITS[index(word), index(row), index(rotation)])
    if is_large(state):
        while n >= size(here):
            n -= size(here)
            word += 1
            here = places(state, word, rotation)
    face = i64(FACE_OF[index(tile), index(rotation)])
    return ((WORD * word + member(here, n)) << FACE_BITS) | face


def apply(state: RawPosition, action: int) -> None:
    """Place the tile and take the next one, or decline the tile."""
    player = i64(state.mover)
    if action == DECLINE:
        decline(state, take_tile(state))
        return
    place(state, action >> FACE_BITS, action & FACE)
    if state.players == 1:
        _begin_with(state, take_tile(state))
        return
    if state.hands[index(player)] == NONE:
        state.hands[index(player)] = take_tile(state)
    begin_turn(state, _next_player(state, player))


def is_terminal(state: RawPosition) -> bool:
    return i64(state.mover) == TERMINAL


def scores(state: RawPosition, out: Integers) -> None:
    for player in range(state.players):
        out[player] = state.points[player]


def winners(state: RawPosition) -> int:
    """Return the players with the most points as a bit set. “Most points win; ties share.”"""
    if not is_terminal(state):
        return 0
    won, most = i64(0), i64(0)
    for player in range(state.players):
        points = i64(state.points[player])
        if points > most:
            won, most = i64(0), points
        if points == most:
            won |= i64(1) << player
    return won


def conceal(state: RawPosition, player: int, view: RawPosition) -> None:
    """Copy all fields except the tiles to come: neither the order of the stack nor the random number generator."""
    view.chains = state.chains
    view.faces = state.faces
    view.left = state.left
    stack, left = state.stack, view.left
    for at in range(state.stacked):
        kind = stack[at]
        if kind != NONE:  # NONE if `state` is a view itself
            left[index(kind)] += 1
    view.hands = state.hands
    view.turned = state.turned
    view.endless = state.endless
    view.stacked = state.stacked
    view.points = state.points
    view.free = state.free
    view.frontier = state.frontier
    view.choices = state.choices
    view.row = state.row
    view.tile = state.tile
    view.mover = state.mover
    view.players = state.players
    view.side = state.side
    view.board = state.board


def redeal(state: RawPosition, player: int, rng: Words) -> None:
    """Choose random tiles to come: shuffle the rest of the stack, or choose a new state of the random number generator."""
    if state.endless:
        _seed_generator(state, rng)
    else:
        _pile_up(state)
        shuffle(rng, state.stack, i64(state.stacked))


def seen_action(state: RawPosition, action: int, player: int) -> int:
    return action


# The tiles to come


def _pile_up(state: RawPosition) -> None:
    """Make a stack, in the order of the kinds, of the tiles that `state.left` counts."""
    stack, left = state.stack, state.left
    n = i64(0)
    for kind in range(KINDS + 1):
        for _ in range(left[kind]):
            stack[n] = kind
            n += 1
        left[kind] = 0
    state.stacked = n


def _seed_generator(state: RawPosition, rng: Words) -> None:
    """Choose the state of the random number generator for the endless draw: any 64-bit word but 0.

    The tiles that it draws depend only on this word, not on where earlier tiles were placed.
    """
    high, low = np.uint64(draw(rng, i64(1) << 32)), np.uint64(draw(rng, (i64(1) << 32) - 1))
    state.generator = ((high << _32) | low) + _1


def _any_tile(state: RawPosition) -> int:
    """Return a random id minus one: the upper half of Marsaglia's xorshift64 (2003: period 2^64 - 1), scaled to 0..9."""
    word = state.generator
    word ^= word << _13
    word ^= word >> _7
    word ^= word << _17
    state.generator = word
    return i64(((word >> _32) * _IDS) >> _32)


def take_tile(state: RawPosition) -> int:
    """Draw the next tile. Return its kind, or NONE if the stack is empty."""
    if state.endless:
        return ORIENTED + 1 + _any_tile(state)
    n = i64(state.stacked) - 1
    if n < 0:
        return NONE
    kind = i64(state.stack[index(n)])
    state.stack[index(n)] = NONE
    state.stacked = n
    return kind


# A turn


def begin_turn(state: RawPosition, player: int) -> None:
    """Begin a player's turn. The tile in the player's hand becomes the tile to be placed."""
    kind = i64(state.hands[index(player)])
    state.hands[index(player)] = NONE
    state.mover = player
    _begin_with(state, kind)


def _begin_with(state: RawPosition, kind: int) -> None:
    """Begin a turn in which a tile of this kind is to be placed. The game ends if no tile is left, or if the tile fits
    nowhere.

    “Jocul se termină atunci când jucătorul nu poate plasa în spațiul de joc cartea care este la rând.”
    """
    _look_for_places(state, kind)
    if number_of_places(state) == 0:
        state.mover = TERMINAL


def _look_for_places(state: RawPosition, kind: int) -> None:
    """Make a tile of this kind the tile to be placed, and count its places. If there is none, several players may make a
    path of length 1 with it.
    """
    state.tile = kind
    state.row = row_of(state, kind)
    _count_places(state)
    if number_of_places(state) == 0 and state.players > 1:
        state.row += LAST_RESORT
        _count_places(state)


def _next_player(state: RawPosition, player: int) -> int:
    """Return the next player who has a tile. If no other player has one, return the same player."""
    for _ in range(state.players):
        player = player + 1 if player + 1 < state.players else i64(0)
        if state.hands[index(player)] != NONE:
            break
    return player


def decline(state: RawPosition, kind: int) -> None:
    """Put the tile that was to be placed back into the mover's hand. A tile of this kind has to be placed instead."""
    state.hands[index(state.mover)] = state.tile
    _look_for_places(state, kind)


def may_decline(state: RawPosition) -> bool:
    """Return True if the mover may keep the tile in the hand and draw another one, "which then must be placed"."""
    return bool(state.players > 1 and state.stacked > 0 and state.hands[index(state.mover)] == NONE)


# The places for a tile: “într-un spațiu liber de pe hartă”


def places(state: RawPosition, word: int, rotation: int) -> int:
    """Return one word of the set of the spaces on which the tile may be placed with this rotation."""
    return i64(state.frontier[index(word)]) & i64(FITS[index(word), index(state.row), index(rotation)])


def fitting(state: RawPosition, kind: int, word: int, rotation: int) -> int:
    """Return one word of the set of spaces on which a tile of any kind may be placed with this rotation, without making a
    path of length 1.
    """
    return i64(state.frontier[index(word)]) & i64(FITS[index(word), index(row_of(state, kind)), index(rotation)])


def row_of(state: RawPosition, kind: int) -> int:
    """Return the row of FITS for a kind on this board. The row that allows paths of length 1 is LAST_RESORT further."""
    return i64(state.board) + kind


def _count_places(state: RawPosition) -> None:
    if state.turned:
        a = _number_with(state, i64(0))
        b = a + _number_with(state, i64(1))
        c = b + _number_with(state, i64(2))
        state.choices = a | b << 16 | c << 32 | (c + _number_with(state, i64(3))) << 48
    else:
        rotation = i64(ROTATION_OF[index(state.tile)])
        state.choices = _number_with(state, rotation) << 48


def _number_with(state: RawPosition, rotation: int) -> int:
    n = size(places(state, i64(0), rotation))
    if is_large(state):
        n += size(places(state, i64(1), rotation)) + size(places(state, i64(2), rotation))
    return n


def number_of_places(state: RawPosition) -> int:
    """Return the number of ways to place the tile, in all its rotations."""
    return i64(state.choices) >> 48


# A tile is placed


def place(state: RawPosition, space: int, face: int) -> None:
    """Put an oriented tile on a free space, join its tracks with others, and give points for complete paths. The turn does
    not end.
    """
    state.faces[index(space)] = face
    _take_space(state, space)
    west = i64(LANE_OF[index(i64(state.board) + space)])
    for side in range(SIDES):
        _join(state, west + side, west + i64(LANE_OUT[index(face), index(side)]))


def _take_space(state: RawPosition, space: int) -> None:
    """Remove a space from the free spaces, and add its free neighbours to the frontier."""
    word, bit = _word_and_bit(space)
    state.free[index(word)] &= ~(i64(1) << bit)
    _reach(state, space, i64(0))
    if is_large(state):
        _reach(state, space, i64(1))
        _reach(state, space, i64(2))


def _reach(state: RawPosition, space: int, word: int) -> None:
    near = i64(state.frontier[index(word)]) | i64(BESIDE[index(word), index(i64(state.board) + space)])
    state.frontier[index(word)] = near & i64(state.free[index(word)])


def _join(state: RawPosition, lane_in: int, lane_out: int) -> None:
    """Join the chains that end in `lane_in` and begin in `lane_out` by a track. A path from a train to a station brings
    points.
    """
    chains = state.chains
    before, after = i64(chains[index(lane_in)]), i64(chains[index(lane_out)])
    chains[index(before & LANE)] = after + (before & _LANES)
    chains[index(after & LANE)] = before + (after & _LANES)
    if before & after & END:  # “un traseu care ajunge în [...] centrul hărții primește un număr de puncte dublu”
        length = (((before & _LANES) + (after & _LANES)) >> LANES_AT) - 1
        state.points[index(before >> OWNER_AT)] += 2 * length if after & CENTRE else length


# Sets of spaces


def is_large(state: RawPosition) -> bool:
    """Return True if the board has more spaces than one word of a set."""
    return bool(state.side > 8)


def is_on(spaces: Integers, space: int) -> bool:
    """Return True if a space is in a set."""
    word, bit = _word_and_bit(space)
    return (i64(spaces[index(word)]) >> bit) & 1 == 1


def _word_and_bit(space: int) -> tuple[int, int]:
    """Return the number of the word and of the bit in it that represent a space in a set."""
    word = i64(0)
    while space >= WORD:
        space -= WORD
        word += 1
    return word, space
