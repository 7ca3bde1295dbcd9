"""Information-set Monte Carlo tree search, for games with hidden information or chance. `search.searcher` calls it,
compiled.

Every simulation starts from another random deal that fits the knowledge of the observer, who is the searching player. All
simulations share one tree, whose edges are the actions as the observer sees them. An action is legal only in some of the
deals, so the confidence bound of UCB1 counts how often it was available (Cowling, Powley and Whitehouse, "Information Set
Monte Carlo Tree Search", 2012: single observer).

The game may have a function that chooses for the other players from the hands that the deal gives them
(`core.contract.Opponents`). Without it they choose by their results in the same tree, as if they knew no more than the
observer.
"""

import math
from typing import TYPE_CHECKING, Final

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import BY_RESULTS, RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import draw
from ludoteca.search.leaf import Evaluator, play_out
from ludoteca.search.tree import (
    FIRST_CAPACITY,
    FULL,
    JUST_FILLED,
    MOVES,
    OPTIONS,
    USED,
    Scratch,
    Tree,
    add,
    clear,
    confidence,
    keep,
    lead,
    make_room,
    scale,
    start,
)

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        ALLOWS,
        action_values,
        allows,
        apply,
        current_player,
        is_terminal,
        opponent_action,
        redeal,
        seen_action,
        spoils,
    )

TRIED: Final = 1 << 20
"""A bit that is set in an option's entry of the hash table if the node has a child for the option."""
LOWEST: Final = -1e18
"""A number below every bound."""


def simulate(
    views: RawPositions,
    tree: Tree,
    scratch: Scratch,
    rng: Words,
    observer: int,
    simulations: int,
    expand_at: int,
    explore: float,
    widen: float,
    cut: int,
    evaluator: Evaluator,
) -> int:
    """Run simulations from views[0], the view of `observer`. Return how many were run. They are fewer than `simulations` if
    the tree becomes full.

    A node gets children from its visit number `expand_at` on. `explore` is the constant of UCB1, which is multiplied by the
    range of all results so far. Of the actions that are legal in a deal, at most 1 + widen * sqrt(visits) become children,
    the best by the heuristics first. After `cut` actions of a playout, the learned value replaces the rest of it. With
    TO_THE_END this never happens.
    """
    players = len(scratch.values)
    if tree.counters[USED] == 0:
        start(tree, players)
    tree.counters[OPTIONS] = 0  # the caller may have another view than before
    for done in range(simulations):
        scratch.states[0] = views[0]
        redeal(scratch.states[0], observer, rng)
        depth = _descend(scratch.states[0], tree, scratch, rng, observer, expand_at, explore, widen)
        tree.counters[MOVES] += play_out(scratch.states[0], rng, cut, evaluator, scratch.values)
        add(tree, depth, scratch.values)
        if tree.counters[FULL] == JUST_FILLED:
            return i64(done + 1)
    return simulations


def move_root(tree: Tree, fresh: Tree, players: int, node: int, room: int) -> None:
    """Copy a node, and the nodes below it, to the empty tree `fresh`. The node becomes its root. If they are more than
    `room`, those with the fewest visits lose their children.
    """
    keep(tree, fresh, players, node, room)


def _descend(
    state: RawPosition, tree: Tree, scratch: Scratch, rng: Words, observer: int, expand_at: int, explore: float, widen: float
) -> int:
    """Play the simulation down the tree to a new child, to a node without children, or to the end of the game. Write the
    nodes to `path` and return the number of actions.
    """
    node, depth, before = i64(0), i64(0), i64(1)
    root = tree.nodes[0]
    tree.path[0] = 0
    while before > 0 and not is_terminal(state):
        if depth > 0 and tree.nodes[node].visits + 1 < expand_at:
            return depth
        tree.nodes[node].mover = current_player(state)
        known = i64(tree.counters[OPTIONS])
        told = _told(state, observer, depth, rng)
        if depth == 0 and known > 0 and (root.count == known or root.count >= 1.0 + widen * math.sqrt(float(root.visits))):
            # the options are the same in every deal, and no more of them may become children
            child = _select_at_root(tree, scratch, explore)
            action = i64(tree.nodes[child].action)
        elif told != BY_RESULTS:
            action = told
            child = _follow(tree, len(scratch.values), node, seen_action(state, action, observer))
            if child < 0:
                return depth
        else:
            child = i64(-1) if depth == 0 else _choose_unlisted(state, tree, len(scratch.values), node, explore, widen)
            action = i64(-1) if child < 0 else i64(tree.nodes[child].action)
            if child < 0:
                n = _list_options(state, scratch, observer, rng)
                child, tried = _choose(state, tree, scratch, node, n, rng, explore, widen)
                if child < 0:
                    _forget(scratch, n)
                    return depth
                option = i64(scratch.table[_slot(scratch, i64(tree.nodes[child].action))]) - 1
                action = i64(scratch.legal[option & (TRIED - 1)])
                _forget(scratch, n)
                if depth == 0:
                    # the observer's options are the same in every deal. But if the root was inside a tree before, it may
                    # have children from deals that no longer fit
                    tree.counters[OPTIONS] = n if root.mover == observer and tried == root.count else 0
        before = i64(tree.nodes[child].visits)
        apply(state, action)
        tree.counters[MOVES] += 1
        node = child
        depth += 1
        tree.path[depth] = node
    return depth


def _told(state: RawPosition, observer: int, depth: int, rng: Words) -> int:
    """Return the action that the game's heuristics choose for an opponent of the observer. Return BY_RESULTS if the tree
    should choose, which is always so at the root and for the observer.
    """
    if depth == 0 or current_player(state) == observer:
        return i64(BY_RESULTS)
    return opponent_action(state, rng)


def _follow(tree: Tree, players: int, node: int, key: int) -> int:
    """Return the node's child for the action `key` (as the observer sees it), and add the child if there is none. Return -1
    if the tree has no room.
    """
    first = i64(tree.nodes[node].first)
    for child in range(first, first + i64(tree.nodes[node].count)):
        if tree.nodes[child].action == key:
            tree.nodes[child].available += 1
            return i64(child)
    return _add_child(tree, players, node, key)


def _list_options(state: RawPosition, scratch: Scratch, observer: int, rng: Words) -> int:
    """Write the mover's options to `keys`, and return how many there are. An option is an action as the observer sees it, so
    several actions of another player can be one option.

    Write one action for each option to `legal`. If an option has several actions, each of them is equally likely.
    """
    n, kept = list_choices(state, scratch.legal), i64(0)
    own = current_player(state) == observer
    for i in range(n):
        action = i64(scratch.legal[i])
        if spoils(state, action):
            continue
        key = action if own else seen_action(state, action, observer)
        slot = _slot(scratch, key)
        if scratch.table[slot] == 0:
            scratch.table[slot] = kept + 1
            scratch.keys[kept] = key
            scratch.legal[kept] = action
            scratch.worth[kept] = 1
            kept += 1
        else:
            option = i64(scratch.table[slot]) - 1
            scratch.worth[option] += 1
            if draw(rng, i64(scratch.worth[option])) == 0:
                scratch.legal[option] = action
    return kept


def _slot(scratch: Scratch, key: int) -> int:
    """Return the index of an option in the hash table. If the option is not in the table, it is the index of the empty place
    for it.
    """
    mask = len(scratch.table) - 1
    slot = (key ^ (key >> 13) ^ (key >> 29) ^ (key >> 43)) & mask
    while scratch.table[slot] != 0 and scratch.keys[(scratch.table[slot] & (TRIED - 1)) - 1] != key:
        slot = (slot + 1) & mask
    return slot


def _forget(scratch: Scratch, n: int) -> None:
    """Empty the hash table of the n options. They are removed in the reverse order, because a removed option would otherwise
    hide others that were stored behind it.
    """
    for i in range(n - 1, -1, -1):
        scratch.table[_slot(scratch, i64(scratch.keys[i]))] = 0


def _choose(
    state: RawPosition, tree: Tree, scratch: Scratch, node: int, n: int, rng: Words, explore: float, widen: float
) -> tuple[int, int]:
    """Return the next child, and how many of the n available options have a child. Each of these children is counted as
    available once more.

    If the node may have one more child, the next child is a new one, or -1 if the tree has no room. Otherwise it is the
    available child with the highest upper confidence bound for the mover.
    """
    players, mover = len(scratch.values), i64(tree.nodes[node].mover)
    spread = explore * scale(tree)
    first, tried = i64(tree.nodes[node].first), i64(0)
    best, best_bound = i64(-1), LOWEST
    for child in range(first, first + i64(tree.nodes[node].count)):
        slot = _slot(scratch, i64(tree.nodes[child].action))
        if scratch.table[slot] != 0:
            scratch.table[slot] |= TRIED
            tried += 1
            bound = _bound(tree, players, mover, child, spread)
            if bound > best_bound:
                best, best_bound = i64(child), bound
    if tried == n or tried >= 1.0 + widen * math.sqrt(float(tree.nodes[node].visits)):
        return best, tried
    return _add_child(tree, players, node, i64(scratch.keys[_most_promising(state, scratch, n, rng)])), tried + 1


def _choose_unlisted(state: RawPosition, tree: Tree, players: int, node: int, explore: float, widen: float) -> int:
    """Return the next child, by the same rule as `_choose`, but without a list of all options, which would take much longer.

    Return -1 if the list is necessary: because the node may have more children, or because the rules have no function
    `allows`.
    """
    parent = tree.nodes[node]
    most = 1.0 + widen * math.sqrt(float(parent.visits))
    first, count = i64(parent.first), i64(parent.count)
    if not ALLOWS or count < most:
        return i64(-1)
    mover, spread = i64(parent.mover), explore * scale(tree)
    best, best_bound, tried = i64(-1), LOWEST, i64(0)
    for child in range(first, first + count):
        if allows(state, i64(tree.nodes[child].action)):
            tried += 1
            bound = _bound(tree, players, mover, child, spread)
            if bound > best_bound:
                best, best_bound = i64(child), bound
    if tried >= most:
        return best
    for child in range(first, first + count):  # `_choose` will count them
        if allows(state, i64(tree.nodes[child].action)):
            tree.nodes[child].available -= 1
    return i64(-1)


def _select_at_root(tree: Tree, scratch: Scratch, explore: float) -> int:
    """Return the root's child with the highest upper confidence bound for the mover. It is used if every child of the root
    is available in every deal.
    """
    players, mover = len(scratch.values), i64(tree.nodes[0].mover)
    spread = explore * scale(tree)
    first = i64(tree.nodes[0].first)
    best, best_bound = i64(-1), LOWEST
    for child in range(first, first + i64(tree.nodes[0].count)):
        bound = _bound(tree, players, mover, child, spread)
        if bound > best_bound:
            best, best_bound = i64(child), bound
    return best


def _bound(tree: Tree, players: int, mover: int, child: int, spread: float) -> float:
    """Count that a child is available once more, and return its upper confidence bound for the mover (UCB1 with
    availability).
    """
    tree.nodes[child].available += 1
    available, visits = i64(tree.nodes[child].available), i64(tree.nodes[child].visits)
    return lead(tree, players, child, mover) + spread * confidence(available, visits)


def _most_promising(state: RawPosition, scratch: Scratch, n: int, rng: Words) -> int:
    """Return the index of the best option without a child, by the heuristics. If several are equally good, one of them is
    drawn.
    """
    action_values(state, scratch.legal, n, scratch.worth)
    best, equal = i64(-1), i64(0)
    for i in range(n):
        if scratch.table[_slot(scratch, i64(scratch.keys[i]))] < TRIED:
            if best < 0 or scratch.worth[i] > scratch.worth[best]:
                best, equal = i64(i), i64(1)
            elif scratch.worth[i] == scratch.worth[best]:
                equal += 1
                best = i64(i) if draw(rng, equal) == 0 else best
    return best


def _add_child(tree: Tree, players: int, node: int, key: int) -> int:
    """Add a child for the action `key` to a node, and return its index. Return -1 if the tree has no room."""
    parent = tree.nodes[node]
    if parent.count == parent.capacity:
        capacity = max(i64(FIRST_CAPACITY), 2 * i64(parent.capacity))
        if not make_room(tree, players, node, capacity):
            return i64(-1)
    child = i64(parent.first) + i64(parent.count)
    clear(tree, players, child, key)
    tree.nodes[child].available = 1
    parent.count += 1
    return child
