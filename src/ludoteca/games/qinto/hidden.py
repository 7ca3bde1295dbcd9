"""Hidden information: the hands of others, and piles but for the tiles that a seat put under them itself.

Two kinds of knowledge are kept in the position, both public, as everybody sees who does what:

`known[p]`: the places of player p's pile (in Classic: of the common one) where that player has put a tile, which they know
for as long as it lies there. Places are counted from the bottom of a pile.

`traces`: where a wild is that was taken from the grid by a swap, as a region, a set of hands and of places:

    bits 0..3   hands of the players       4 + i   place i of a pile: in Light that of the one player whose hand is in it

At first it is the hand of the player who took it. When a player whose hand is in the region puts a tile under a pile, the
place of that tile joins the region. A place that is drawn leaves the region, and the hand it is drawn to joins it. There is
one trace for every wild tile, 0 when nothing is known, by the number of its kind; those of the two Q!nto tiles, which nobody
can tell apart, in descending order. When a Q!nto tile is seen to leave a hand that is in both regions, the other one is in
either, and their union remains: that is the wider one where one lies within the other.

The deals that fit a view are the ways to put the tiles that it does not show into the places that it does not show (those
of other hands and of piles) so that every trace has a tile of its kind in its region. The tiles are 60 different things: a
deal that gives two equal tiles to two hands counts twice.
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
"""The first trace of a Q!nto tile; the other one follows."""
OTHER_OF_TWO: Final = ONE_OF_TWO + 1


def has_own_pile(state: RawPosition) -> bool:
    """True in Light: each player has a pile. Else there is one, the first."""
    return i64(state.share) != 0


def pile_of(state: RawPosition, player: int) -> int:
    """The number of the pile from which a player draws."""
    return player if has_own_pile(state) else 0


# Hands


def take(state: RawPosition, player: int, kind: int) -> None:
    """Put a tile into a hand."""
    bit = i64(1) << kind
    held = i64(state.held[index(player)])
    state.paired[index(player)] |= held & bit
    state.held[index(player)] = held | bit


def give(state: RawPosition, player: int, kind: int) -> None:
    """Take a tile out of a hand."""
    bit = i64(1) << kind
    second = i64(state.paired[index(player)]) & bit
    state.paired[index(player)] ^= second
    state.held[index(player)] ^= bit ^ second


# Piles


def draw_top(state: RawPosition, pile: int) -> int:
    """Take the uppermost tile off a pile that has one."""
    n = i64(state.piled[index(pile)]) - 1
    at = pile * i64(state.share) + n
    kind = i64(state.piles[index(at)])
    state.piles[index(at)] = 0
    state.piled[index(pile)] = n
    return kind


def put_under(state: RawPosition, pile: int, kind: int) -> None:
    """Put a tile under a pile."""
    piles, start, n = state.piles, pile * i64(state.share), i64(state.piled[index(pile)])
    for at in range(start + n, start, -1):
        piles[index(at)] = piles[index(at - 1)]
    piles[index(start)] = kind
    state.piled[index(pile)] = n + 1


# What everybody knows, as the game goes on


def follow_swap(state: RawPosition, player: int, given: int, taken: int) -> None:
    """A tile has been seen to leave a hand, and a wild to come to it."""
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
    """A wild has been seen to leave a hand. If it is a Q!nto tile, and no trace leads there, it was the other one."""
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
    """A player has put a tile under the pile: all others in it are one place higher."""
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
    """A player has drawn tiles from the top of the pile, so that `left` remain: what is drawn of regions is in a hand now.

    A place that is in a region is one that somebody knows.
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


# What a seat does not see


def show_own(state: RawPosition, player: int, view: RawPosition) -> None:
    """Let a player see the own hand, and the tiles that the player put under the pile and that still lie there."""
    view.held[index(player)] = state.held[index(player)]
    view.paired[index(player)] = state.paired[index(player)]
    start, known = player * i64(state.share), i64(state.known[index(player)])
    piles, shown = state.piles, view.piles
    for place in range(state.piled[index(pile_of(state, player))]):
        if (known >> place) & 1 == 1:
            shown[index(start + place)] = piles[index(start + place)]


def list_unseen(view: RawPosition) -> None:
    """List the tiles that a view does not show, by kind."""
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
    """Put the unseen tiles into the hidden places of a view, as the traces demand, and uniformly.

    Hidden places have numbers: hands first, by player, then piles, each from the bottom up.
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
    """Does the seat not know the tile in a place of a pile?"""
    if player < 0 or pile != pile_of(state, player):
        return True
    return (i64(state.known[index(player)]) >> place) & 1 == 0


def _hidden_in(state: RawPosition, player: int, region: int) -> int:
    """The hidden places of a region, by number: a set of 60 bits at most."""
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


# Tiles that leave a trace


def _list_wanted(state: RawPosition, player: int) -> bool:
    """List the hidden places in the region of each trace of a tile that the seat does not see. True if there are any."""
    traces, wanted, unseen = state.traces, state.wanted, state.unseen
    once, twice = i64(0), i64(0)  # the wilds that are unseen, and unseen twice, by the number of their kind
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
        if one != 0:  # where nothing is known of the other one, it is anywhere
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
    """The region of the one Q!nto tile that is unseen, given those of both traces; 0 if it has none.

    The seat may see the other one: it is what one of the traces leads to, if only one leads there.
    """
    here, there = _leads_to_seen(state, player, one), _leads_to_seen(state, player, other)
    if here and not there:
        return other
    return one if there and not here else one | other


def _leads_to_seen(state: RawPosition, player: int, region: int) -> bool:
    """Does the seat see a Q!nto tile in this region?"""
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
    """Shuffle the unseen tiles so that each of those that are wanted somewhere is there."""
    unseen, wanted = state.unseen, state.wanted
    chosen = _choose_places(wanted, rng)
    while chosen < 0:
        chosen = _choose_places(wanted, rng)
    others, of_two = i64(0), i64(0)  # take the wanted tiles out of the list
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
    """A place for each tile that is wanted somewhere, six bits each; or -1: try again.

    One after another gets a place in its region, those with small regions first, and each way to do so has to be equally
    likely: the number of free places must not depend on what was chosen before. It does not where regions lie within or
    outside each other, as they always do in Light. Else a tile chooses among as many places as could be free for it, and
    all is tried again when it has chosen one too many: at worst, once in 10! times it works.
    """
    chosen, done, taken = i64(0), i64(0), i64(0)
    number = _next_wanted(wanted, done)
    while number >= 0:
        region = i64(wanted[index(number)])
        free = size(region)
        for other in range(WILDS):  # those whose regions lie within this one have taken a place of it for sure
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
    # Two Q!nto tiles that could change places are one deal, which may be chosen in one of two ways only.
    both = i64(wanted[ONE_OF_TWO]) & i64(wanted[OTHER_OF_TWO])
    one, other = _place_of(chosen, i64(ONE_OF_TWO)), _place_of(chosen, i64(OTHER_OF_TWO))
    return i64(-1) if one > other and (both >> one) & (both >> other) & 1 == 1 else chosen


def _next_wanted(wanted: Integers, done: int) -> int:
    """The tile with the smallest region of those that are not done; -1 when all are."""
    best, smallest = i64(-1), i64(64)
    for number in range(WILDS):
        if wanted[index(number)] != 0 and (done >> number) & 1 == 0 and size(i64(wanted[index(number)])) < smallest:
            best, smallest = i64(number), size(i64(wanted[index(number)]))
    return best


def _place_of(chosen: int, number: int) -> int:
    return (chosen >> (6 * number)) & 63
