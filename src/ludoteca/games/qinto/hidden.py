"""The hidden tiles of Q!nto: hands and piles, the players' knowledge of them, and random deals that fit a view.

The rules (`rules`) call this module whenever a tile enters or leaves a hand or a pile.

A seat sees the tiles of its own hand, and those tiles of the piles that it has put there. The position stores two kinds of
public knowledge. They are public because all players see each step of a turn:

`known[p]`: a set of places, counted from the bottom of the pile from which player p draws. It has the places whose tiles
player p has put there. The player knows such a tile as long as it stays in the pile.

`traces`: for each wild tile that a swap took from the grid, the *region* of the tile, which is the set of the hands and
places in which the tile may be. A region is a bit set:

    bits 0..3   hands of the players       4 + i   place i of a pile: in Light the pile of the one hand in the region

At first the region is the hand of the player who took the wild. When a player whose hand is in the region puts a tile under
a pile, the place of that tile joins the region. When a tile is drawn from a place in the region, the place leaves the region
and the hand joins it. There is one trace for each wild tile. Its index is the kind of the wild minus FIRST_WILD. A trace is
0 if nothing is known. The two Q!nto tiles are equal, so they have the last two traces, in descending order. When a Q!nto
tile leaves a hand that is in both regions, the other Q!nto tile is in one of the two regions. Then their union remains as
one trace.

A deal fits a view if it puts the tiles that the view does not show into the hidden places (other hands, and places of
piles), and if every trace has a tile of its kind in its region. All 60 tiles count as different things. So a deal that gives
two equal tiles to two different hands counts twice.
"""

from typing import Final

from ludoteca.core.bits import size
from ludoteca.core.contract import Integers, RawPosition, Words, i64, index
from ludoteca.core.rng import draw, shuffle
from ludoteca.core.tables import member
from ludoteca.games.qinto.tiles import ANYTHING, DOUBLE_KINDS, FIRST_WILD, KINDS, NOTHING, WILDS

MAX_PLAYERS: Final = 4
PLACES_AT: Final = MAX_PLAYERS
HANDS: Final = (1 << MAX_PLAYERS) - 1
ONE_OF_TWO: Final = ANYTHING - FIRST_WILD
"""The number of the first trace of a Q!nto tile. The other one follows."""
OTHER_OF_TWO: Final = ONE_OF_TWO + 1


def has_own_pile(state: RawPosition) -> bool:
    """Return True in the variant Light, in which each player draws from a separate pile. In Classic and Plus all players
    draw from pile 0.
    """
    return i64(state.share) != 0


def pile_of(state: RawPosition, player: int) -> int:
    """Return the number of the pile from which a player draws."""
    return player if has_own_pile(state) else 0


# Hands


def take(state: RawPosition, player: int, kind: int) -> None:
    """Put a tile of a kind into a player's hand. The caller counts the tiles in `in_hand`."""
    bit = i64(1) << kind
    held = i64(state.held[index(player)])
    state.paired[index(player)] |= held & bit
    state.held[index(player)] = held | bit


def give(state: RawPosition, player: int, kind: int) -> None:
    """Take a tile of a kind out of a player's hand, which must have one. The caller counts the tiles in `in_hand`."""
    bit = i64(1) << kind
    second = i64(state.paired[index(player)]) & bit
    state.paired[index(player)] ^= second
    state.held[index(player)] ^= bit ^ second


# Piles


def draw_top(state: RawPosition, pile: int) -> int:
    """Remove the uppermost tile from a pile, which must not be empty. Return the kind of the tile."""
    n = i64(state.piled[index(pile)]) - 1
    at = pile * i64(state.share) + n
    kind = i64(state.piles[index(at)])
    state.piles[index(at)] = 0
    state.piled[index(pile)] = n
    return kind


def put_under(state: RawPosition, pile: int, kind: int) -> None:
    """Put a tile of a kind under a pile, so that it becomes the lowest tile."""
    piles, start, n = state.piles, pile * i64(state.share), i64(state.piled[index(pile)])
    for at in range(start + n, start, -1):
        piles[index(at)] = piles[index(at - 1)]
    piles[index(start)] = kind
    state.piled[index(pile)] = n + 1


# Public knowledge


def follow_swap(state: RawPosition, player: int, given: int, taken: int) -> None:
    """Update the traces when a player swaps a tile of the hand (kind `given`) for a wild on the grid (kind `taken`)."""
    if given >= FIRST_WILD:
        follow_laid(state, player, given)
    traces = state.traces
    if taken != ANYTHING:
        traces[index(taken - FIRST_WILD)] = i64(1) << player
    elif traces[ONE_OF_TWO] == 0:
        traces[ONE_OF_TWO] = i64(1) << player
    else:
        traces[OTHER_OF_TWO] = i64(1) << player
        _sort_pair(traces)


def follow_laid(state: RawPosition, player: int, kind: int) -> None:
    """Update the traces when a player lays a wild from the hand on the grid.

    If the wild is a Q!nto tile and no trace has this hand in its region, no trace changes.
    """
    traces = state.traces
    hand = i64(1) << player
    if kind != ANYTHING:
        traces[index(kind - FIRST_WILD)] = 0
        return
    one, other = i64(traces[ONE_OF_TWO]), i64(traces[OTHER_OF_TWO])
    if one & other & hand != 0:
        traces[ONE_OF_TWO] = one | other
        traces[OTHER_OF_TWO] = 0
    elif one & hand != 0:
        traces[ONE_OF_TWO] = other
        traces[OTHER_OF_TWO] = 0
    elif other & hand != 0:
        traces[OTHER_OF_TWO] = 0


def follow_put(state: RawPosition, player: int) -> None:
    """Update `known` and `traces` when a player puts a tile under the pile: it gets place 0, and all others move up by one
    place.
    """
    known, traces = state.known, state.traces
    common = not has_own_pile(state)
    if common:
        for other in range(MAX_PLAYERS):
            known[index(other)] = i64(known[index(other)]) << 1
        known[index(player)] |= 1
    else:
        known[index(player)] = i64(known[index(player)]) << 1 | 1
    for number in range(WILDS):
        region = i64(traces[index(number)])
        of_hand = (region >> player) & 1
        higher = (region & HANDS) | (region >> PLACES_AT << (PLACES_AT + 1)) | of_hand << PLACES_AT
        traces[index(number)] = higher if common or of_hand == 1 else region
    _sort_pair(traces)


def follow_draw(state: RawPosition, player: int, left: int) -> None:
    """Update `known` and `traces` after a player has drawn tiles from the top of the pile, in which `left` tiles remain.

    Regions change only if a known tile is drawn, because every place in a region is known to a player.
    """
    known, common, hand = state.known, not has_own_pile(state), i64(1) << player
    kept = (i64(1) << left) - 1
    drawn = i64(0)
    for other in range(MAX_PLAYERS):
        if common or other == player:
            drawn |= i64(known[index(other)]) & ~kept
            known[index(other)] &= kept
    if drawn != 0:
        traces = state.traces
        for number in range(WILDS):
            region = i64(traces[index(number)])
            places = region >> PLACES_AT
            if places & ~kept != 0 and (common or region & hand != 0):
                traces[index(number)] = (region & HANDS) | hand | ((places & kept) << PLACES_AT)
        _sort_pair(traces)


def _sort_pair(traces: Integers) -> None:
    one, other = i64(traces[ONE_OF_TWO]), i64(traces[OTHER_OF_TWO])
    if one < other:
        traces[ONE_OF_TWO] = other
        traces[OTHER_OF_TWO] = one


# Views


def show_own(state: RawPosition, player: int, view: RawPosition) -> None:
    """Copy the hand of a player to the player's view, and those tiles of the pile that the player has put there."""
    view.held[index(player)] = state.held[index(player)]
    view.paired[index(player)] = state.paired[index(player)]
    start, known = player * i64(state.share), i64(state.known[index(player)])
    piles, shown = state.piles, view.piles
    for place in range(state.piled[index(pile_of(state, player))]):
        if (known >> place) & 1 == 1:
            shown[index(start + place)] = piles[index(start + place)]


def list_unseen(view: RawPosition) -> None:
    """Write the kinds of all tiles that a view does not show to `view.unseen`, in ascending order. A kind is written twice
    if both of its tiles are unseen.
    """
    once, twice = i64(view.on_grid[0]), i64(view.on_grid[1])
    for player in range(MAX_PLAYERS):
        held = i64(view.held[index(player)])
        twice |= i64(view.paired[index(player)]) | (once & held)
        once |= held
    piles, unseen = view.piles, view.unseen
    for at in range(len(piles)):
        if piles[at] != NOTHING:
            bit = i64(1) << i64(piles[at])
            twice |= once & bit
            once |= bit
    all_shown, none_of_two = once & (twice | ~DOUBLE_KINDS), DOUBLE_KINDS & ~once
    n = i64(0)
    for kind in range(1, KINDS + 1):
        if (all_shown >> kind) & 1 == 0:
            unseen[index(n)] = kind
            n += 1
        if (none_of_two >> kind) & 1 == 1:
            unseen[index(n)] = kind
            n += 1


def deal_unseen(state: RawPosition, player: int, rng: Words) -> None:
    """Put the unseen tiles (`state.unseen`) into the hidden places of a player's view, so that it becomes a complete
    position. All deals that fit the view are equally likely.

    Hidden places have numbers from 0 on: first those in the other players' hands, by player, then those in the piles, each
    pile from the bottom up.
    """
    unseen = state.unseen
    n = i64(0) if player < 0 else -size(i64(state.known[index(player)]))
    for other in range(state.players):
        if other != player:
            n += i64(state.in_hand[index(other)])
        n += i64(state.piled[index(other)])
    if _list_wanted(state, player):
        _shuffle_traced(state, n, rng)
    else:
        shuffle(rng, unseen, n)
    number = i64(0)
    for other in range(state.players):
        if other != player:
            for _ in range(state.in_hand[index(other)]):
                take(state, other, i64(unseen[index(number)]))
                unseen[index(number)] = NOTHING
                number += 1
    for pile in range(state.players):
        start = pile * i64(state.share)
        for place in range(state.piled[index(pile)]):
            if _is_hidden(state, player, pile, place):
                state.piles[index(start + place)] = unseen[index(number)]
                unseen[index(number)] = NOTHING
                number += 1


def _is_hidden(state: RawPosition, player: int, pile: int, place: int) -> bool:
    """Return True if the player does not know the tile in a place of a pile. The place is counted from the bottom. A
    spectator (player -1) knows none.
    """
    if player < 0 or pile != pile_of(state, player):
        return True
    return (i64(state.known[index(player)]) >> place) & 1 == 0


def _hidden_in(state: RawPosition, player: int, region: int) -> int:
    """Return the set of those hidden places that belong to a region, as at most 60 bits. `deal_unseen` explains the numbers
    of hidden places.
    """
    found, number = i64(0), i64(0)
    for other in range(state.players):
        if other != player:
            n = i64(state.in_hand[index(other)])
            if (region >> other) & 1 == 1:
                found |= ((i64(1) << n) - 1) << number
            number += n
    for pile in range(state.players):
        of_this = not has_own_pile(state) or (region >> pile) & 1 == 1
        for place in range(state.piled[index(pile)]):
            if _is_hidden(state, player, pile, place):
                if of_this and (region >> (PLACES_AT + place)) & 1 == 1:
                    found |= i64(1) << number
                number += 1
    return found


# Deals that fit the traces


def _list_wanted(state: RawPosition, player: int) -> bool:
    """For each trace of an unseen tile, write the set of hidden places in its region to `wanted`. Return True if there is
    such a trace.
    """
    traces, wanted, unseen = state.traces, state.wanted, state.unseen
    once, twice = i64(0), i64(0)  # the wilds with an unseen tile, and with two, by the number of their kind
    for at in range(len(unseen)):
        if unseen[index(at)] >= FIRST_WILD:
            bit = i64(1) << (i64(unseen[index(at)]) - FIRST_WILD)
            twice |= once & bit
            once |= bit
    found = False
    for number in range(ONE_OF_TWO):
        if traces[index(number)] != 0 and (once >> number) & 1 == 1:
            wanted[index(number)] = _hidden_in(state, player, i64(traces[index(number)]))
            found = True
    one, other = i64(traces[ONE_OF_TWO]), i64(traces[OTHER_OF_TWO])
    if (twice >> ONE_OF_TWO) & 1 == 1:
        if one != 0:  # if nothing is known of the other one, it may be anywhere
            wanted[ONE_OF_TWO] = _hidden_in(state, player, one)
            wanted[OTHER_OF_TWO] = _hidden_in(state, player, other if other != 0 else -1)
            found = True
    elif (once >> ONE_OF_TWO) & 1 == 1:
        region = _left_over(state, player, one, other)
        if region != 0:
            wanted[ONE_OF_TWO] = _hidden_in(state, player, region)
            found = True
    return found


def _left_over(state: RawPosition, player: int, one: int, other: int) -> int:
    """Return the region of the only unseen Q!nto tile, or 0 if that tile has no trace. `one` and `other` are the regions of
    the two traces of Q!nto tiles.

    The player sees the other Q!nto tile, in the hand, in the pile or on the grid. If exactly one of the two traces can
    belong to that tile, the unseen tile has the other trace. Otherwise the unseen tile may be in either region.
    """
    here, there = _leads_to_seen(state, player, one), _leads_to_seen(state, player, other)
    if here and not there:
        return other
    return one if there and not here else one | other


def _leads_to_seen(state: RawPosition, player: int, region: int) -> bool:
    """Return True if the player sees a Q!nto tile in a hand or place of this region."""
    if player < 0:
        return False
    in_hand = (region >> player) & 1 == 1
    if in_hand and (i64(state.held[index(player)]) >> ANYTHING) & 1 == 1:
        return True
    if has_own_pile(state) and not in_hand:
        return False
    start = player * i64(state.share)
    for place in range(state.piled[index(pile_of(state, player))]):
        if (region >> (PLACES_AT + place)) & 1 == 1 and state.piles[index(start + place)] == ANYTHING:
            return True
    return False


def _shuffle_traced(state: RawPosition, n: int, rng: Words) -> None:
    """Shuffle the first n unseen tiles, so that each tile with a trace gets a hidden place in its region. Hidden place i
    gets tile i.
    """
    unseen, wanted = state.unseen, state.wanted
    chosen = _choose_places(wanted, rng)
    while chosen < 0:
        chosen = _choose_places(wanted, rng)
    others, of_two = i64(0), i64(0)  # take the tiles with a trace out of the list
    for at in range(n):
        kind = i64(unseen[index(at)])
        number = kind - FIRST_WILD
        if kind == ANYTHING:
            number += of_two
            of_two += 1
        if number < 0 or wanted[index(number)] == 0:
            unseen[index(others)] = kind
            others += 1
    shuffle(rng, unseen, others)
    for at in range(n - 1, -1, -1):
        put = i64(NOTHING)
        for wild in range(WILDS):
            if wanted[index(wild)] != 0 and _place_of(chosen, wild) == at:
                put = min(FIRST_WILD + wild, ANYTHING)
        if put == NOTHING:
            others -= 1
            put = i64(unseen[index(others)])
        unseen[index(at)] = put
    for wild in range(WILDS):
        wanted[index(wild)] = 0


def _choose_places(wanted: Integers, rng: Words) -> int:
    """Choose a random hidden place for each tile that has a trace. `wanted` has the set of possible places of each tile.

    Return the places in one integer: the place of tile i is in the six bits from 6 * i on. Return -1 if this attempt has
    failed, so that the caller tries again.

    The tiles choose places in their regions one after another, from the smallest region to the largest. All ways to choose
    must be equally likely. For that, the number of free places must not depend on earlier choices. If any two regions are
    nested or disjoint, as always in Light, it does not. Otherwise a tile chooses among as many places as could be free for
    it, and the attempt fails if the chosen place is not free. At worst, one of 10! attempts succeeds.
    """
    chosen, done, taken = i64(0), i64(0), i64(0)
    number = _next_wanted(wanted, done)
    while number >= 0:
        region = i64(wanted[index(number)])
        free = size(region)
        for other in range(WILDS):  # a region within this one has surely used a place of it
            if (done >> other) & 1 == 1 and i64(wanted[index(other)]) & ~region == 0:
                free -= 1
        which = draw(rng, free)
        if which >= size(region & ~taken):
            return i64(-1)
        place = member(region & ~taken, which)
        taken |= i64(1) << place
        chosen |= place << (6 * number)
        done |= i64(1) << number
        number = _next_wanted(wanted, done)
    # Two Q!nto tiles that could change places are one deal, so only one of the two ways is accepted.
    both = i64(wanted[ONE_OF_TWO]) & i64(wanted[OTHER_OF_TWO])
    one, other = _place_of(chosen, i64(ONE_OF_TWO)), _place_of(chosen, i64(OTHER_OF_TWO))
    return i64(-1) if one > other and (both >> one) & (both >> other) & 1 == 1 else chosen


def _next_wanted(wanted: Integers, done: int) -> int:
    """Return the index of the tile that has the smallest region and has no place yet, or -1 if all tiles have a place.

    `wanted` has the region of each tile, 0 for a tile that needs no place. `done` is the set of the tiles that have a place.
    """
    best, smallest = i64(-1), i64(64)
    for number in range(WILDS):
        if wanted[index(number)] != 0 and (done >> number) & 1 == 0 and size(i64(wanted[index(number)])) < smallest:
            best, smallest = i64(number), size(i64(wanted[index(number)]))
    return best


def _place_of(chosen: int, number: int) -> int:
    return (chosen >> (6 * number)) & 63
