"""Information-set Monte Carlo tree search, for games where something is hidden, the future included. Compiled.

Every simulation starts from another deal that fits what the observer knows (`redeal`), and all share one tree, whose edges
are the actions as the observer sees them. An action can be chosen only in some of the deals, so the confidence of UCB1
counts how often it was available (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012: single
observer). The other players choose by their own results in the same tree.
"""

import math
from typing import TYPE_CHECKING, Final

from ludoteca.core.contract import RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import draw
from ludoteca.search.tree import (
    MOVES,
    OPTIONS,
    USED,
    Room,
    Tree,
    add,
    clear,
    confidence,
    keep,
    lead,
    play_out,
    scale,
    start,
    utilities,
)

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        CONCEDE,
        action_values,
        apply,
        current_player,
        is_terminal,
        legal_actions,
        redeal,
        seen_action,
    )

FIRST_ROOM: Final = 4
"""How many children a node has room for at first; it moves to a place twice as large when they are more."""
TRIED: Final = 1 << 20
"""Added to an option in the table when the node has a child for it."""
LOWEST: Final = -1e18
"""Below every bound."""


def simulate(
    views: RawPositions,
    tree: Tree,
    room: Room,
    rng: Words,
    observer: int,
    simulations: int,
    expand_at: int,
    explore: float,
    widen: float,
) -> int:
    """Run simulations from the observer's view, views[0]; gives how many.

    A node gets children from its `expand_at`-th visit on, and of those that a deal allows at most
    1 + widen * sqrt(visits): the actions that look best come first.
    """
    players = len(room.values)
    if tree.counters[USED] == 0:
        start(tree, players)
    tree.counters[OPTIONS] = 0  # another caller's deal may have other options
    for _ in range(simulations):
        room.states[0] = views[0]
        redeal(room.states[0], observer, rng)
        depth = _descend(room.states[0], tree, room, rng, observer, expand_at, explore, widen)
        tree.counters[MOVES] += play_out(room.states[0], rng)
        utilities(room.states[0], room.values)
        add(tree, depth, room.values)
    return simulations


def move_root(tree: Tree, fresh: Tree, players: int, node: int) -> None:
    """Copy what hangs from a node to an empty tree, whose root it becomes."""
    keep(tree, fresh, players, node)


def _descend(
    state: RawPosition, tree: Tree, room: Room, rng: Words, observer: int, expand_at: int, explore: float, widen: float
) -> int:
    """Play down the tree to a new child or a leaf; gives its depth. The way is in `path`."""
    node, depth, before = i64(0), i64(0), i64(1)
    tree.path[0] = 0
    while before > 0 and not is_terminal(state):
        if depth > 0 and tree.nodes[node].visits + 1 < expand_at:
            return depth
        tree.nodes[node].mover = current_player(state)
        if depth == 0 and _needs_no_list(tree, widen):
            child = _select_at_root(tree, room, explore)
            action = i64(tree.nodes[child].action)
        else:
            n = _list_options(state, room, observer, rng)
            child, tried = _choose(state, tree, room, node, n, rng, explore, widen)
            if child < 0:
                _forget(room, n)
                return depth
            action = i64(room.legal[_find(room, i64(tree.nodes[child].action)) & (TRIED - 1)])
            _forget(room, n)
            if depth == 0:
                _note_options(tree, observer, n, tried)
        before = i64(tree.nodes[child].visits)
        apply(state, action)
        tree.counters[MOVES] += 1
        node = child
        depth += 1
        tree.path[depth] = node
    return depth


def _needs_no_list(tree: Tree, widen: float) -> bool:
    """At the root, where the observer has the same options in every deal: are all, or enough of them, children?"""
    root, options = tree.nodes[0], i64(tree.counters[OPTIONS])
    return options > 0 and (root.count == options or root.count >= 1.0 + widen * math.sqrt(float(root.visits)))


def _note_options(tree: Tree, observer: int, n: int, tried: int) -> None:
    """The root's options are the same in every deal if they are the observer's own.

    A root that was inside a tree before may have children from deals that are impossible by now, and then OPTIONS stays 0.
    """
    own = tree.nodes[0].mover == observer and tried == tree.nodes[0].count
    tree.counters[OPTIONS] = n if own else 0


def _list_options(state: RawPosition, room: Room, observer: int, rng: Words) -> int:
    """What the mover may choose, as the observer sees it: `keys`, with one of the actions behind each in `legal`."""
    n, kept = legal_actions(state, room.legal), i64(0)
    own = current_player(state) == observer
    for i in range(n):
        action = i64(room.legal[i])
        if action != CONCEDE:
            key = action if own else seen_action(state, action, observer)
            kept += _note(room, key, action, kept, rng)
    return kept


def _note(room: Room, key: int, action: int, kept: int, rng: Words) -> int:
    """Put a key into the table; 0 when it is there already: then each of its actions stays with the same probability."""
    slot = _slot(room, key)
    if room.table[slot] == 0:
        room.table[slot] = kept + 1
        room.keys[kept] = key
        room.legal[kept] = action
        room.worth[kept] = 1
        return i64(1)
    option = i64(room.table[slot]) - 1
    room.worth[option] += 1
    if draw(rng, i64(room.worth[option])) == 0:
        room.legal[option] = action
    return i64(0)


def _slot(room: Room, key: int) -> int:
    """The key's place in the table, or the empty one where it belongs."""
    mask = len(room.table) - 1
    slot = (key ^ (key >> 13) ^ (key >> 29) ^ (key >> 43)) & mask
    while room.table[slot] != 0 and room.keys[(room.table[slot] & (TRIED - 1)) - 1] != key:
        slot = (slot + 1) & mask
    return slot


def _find(room: Room, key: int) -> int:
    """The option of that key, with TRIED added if it was; -1 when there is none."""
    return i64(room.table[_slot(room, key)]) - 1


def _forget(room: Room, n: int) -> None:
    """Empty the table: the last in goes first, so that nothing is lost from sight."""
    for i in range(n - 1, -1, -1):
        room.table[_slot(room, i64(room.keys[i]))] = 0


def _choose(
    state: RawPosition, tree: Tree, room: Room, node: int, n: int, rng: Words, explore: float, widen: float
) -> tuple[int, int]:
    """A child to go on with, new if the node may have one more; -1 when there is no room for it. And the options tried."""
    best, tried = _select(tree, room, node, explore)
    if tried == n or tried >= 1.0 + widen * math.sqrt(float(tree.nodes[node].visits)):
        return best, tried
    child = _add_child(tree, len(room.values), node, i64(room.keys[_most_promising(state, room, n, rng)]))
    return child, tried + 1


def _select(tree: Tree, room: Room, node: int, explore: float) -> tuple[int, int]:
    """Of the children that are options now, the one with the highest upper bound for the mover; and how many there are."""
    players, mover = len(room.values), i64(tree.nodes[node].mover)
    spread = explore * scale(tree)
    first, tried = i64(tree.nodes[node].first), i64(0)
    best, best_bound = i64(-1), LOWEST
    for child in range(first, first + i64(tree.nodes[node].count)):
        slot = _slot(room, i64(tree.nodes[child].action))
        if room.table[slot] != 0:
            room.table[slot] |= TRIED
            tried += 1
            bound = _bound(tree, players, mover, child, spread)
            if bound > best_bound:
                best, best_bound = i64(child), bound
    return best, tried


def _select_at_root(tree: Tree, room: Room, explore: float) -> int:
    """The same where every child is an option."""
    players, mover = len(room.values), i64(tree.nodes[0].mover)
    spread = explore * scale(tree)
    first = i64(tree.nodes[0].first)
    best, best_bound = i64(-1), LOWEST
    for child in range(first, first + i64(tree.nodes[0].count)):
        bound = _bound(tree, players, mover, child, spread)
        if bound > best_bound:
            best, best_bound = i64(child), bound
    return best


def _bound(tree: Tree, players: int, mover: int, child: int, spread: float) -> float:
    """A child's upper bound for the mover, now that it can be chosen once more."""
    tree.nodes[child].available += 1
    return lead(tree, players, child, mover) + spread * confidence(
        i64(tree.nodes[child].available), i64(tree.nodes[child].visits)
    )


def _most_promising(state: RawPosition, room: Room, n: int, rng: Words) -> int:
    """Of the options without a child, the one that looks best; equal ones have equal chances."""
    action_values(state, room.legal, n, room.worth)
    best, equal = i64(-1), i64(0)
    for i in range(n):
        if room.table[_slot(room, i64(room.keys[i]))] < TRIED:
            if best < 0 or room.worth[i] > room.worth[best]:
                best, equal = i64(i), i64(1)
            elif room.worth[i] == room.worth[best]:
                equal += 1
                best = i64(i) if draw(rng, equal) == 0 else best
    return best


def _add_child(tree: Tree, players: int, node: int, key: int) -> int:
    """A new child at the end of the node's children; -1 when the array is full."""
    parent = tree.nodes[node]
    if parent.count == parent.room and not _make_room(tree, players, node):
        return i64(-1)
    child = i64(parent.first) + i64(parent.count)
    clear(tree, players, child, key)
    tree.nodes[child].available = 1
    parent.count += 1
    return child


def _make_room(tree: Tree, players: int, node: int) -> bool:
    """Move the children to where twice as many fit."""
    parent, first = tree.nodes[node], i64(tree.counters[USED])
    room = max(i64(FIRST_ROOM), 2 * i64(parent.room))
    if first + room > len(tree.nodes):
        return False
    for i in range(i64(parent.count)):
        old = i64(parent.first) + i
        tree.nodes[first + i] = tree.nodes[old]
        for player in range(players):
            tree.sums[(first + i) * players + player] = tree.sums[old * players + player]
    parent.first = first
    parent.room = room
    tree.counters[USED] = first + room
    return True
