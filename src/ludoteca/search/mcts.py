"""Monte Carlo tree search where nothing is hidden: UCT with max^n values, and exact values of finished subtrees. Compiled.

One simulation goes down the tree by UCB1, expands a node that has been visited often enough, plays out, and adds the result
to every node on its way. A finished position is solved; so is a node one of whose actions wins outright, and a node all of
whose actions are solved. Solved nodes are not searched any more: they give their value at once.
"""

import math
from typing import TYPE_CHECKING, Final

from ludoteca.core.contract import Integers, RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import draw
from ludoteca.search.leaf import Learned, play_out
from ludoteca.search.tree import MOVES, UNITS, USED, Scratch, Tree, add, clear, keep, mean, scale, start, utilities

_PLACE_BITS: Final = 12
_PLACE: Final = (1 << _PLACE_BITS) - 1
"""Actions in `legal` are fewer than that, and values of actions are below 2^38."""
LOWEST: Final = -(1 << 62)
"""Below every utility."""

if TYPE_CHECKING:
    from ludoteca.core.contract import CONCEDE, UTILITY, action_values, apply, current_player, is_terminal, legal_actions


def simulate(
    roots: RawPositions,
    tree: Tree,
    scratch: Scratch,
    rng: Words,
    simulations: int,
    expand_at: int,
    explore: float,
    widen: float,
    cut: int,
    learned: Learned,
) -> int:
    """Run simulations from roots[0], or fewer when the root is solved first; gives how many.

    A tree without nodes is begun; else it goes on. A node is expanded at its `expand_at`-th visit, while there is scratch.
    `explore` is UCB1's constant, in the range of all results so far; a node looks at its first 1 + widen * sqrt(visits)
    children that are not solved. After `cut` actions of a playout the learned value counts (TO_THE_END: never).
    """
    players = len(scratch.values)
    if tree.counters[USED] == 0:
        start(tree, players)
    for done in range(simulations):
        if tree.nodes[0].solved:
            return i64(done)
        scratch.states[0] = roots[0]
        depth = _descend(scratch.states[0], tree, scratch, rng, expand_at, explore, widen)
        leaf = i64(tree.path[depth])
        if tree.nodes[leaf].solved:
            _recall(tree, leaf, scratch.values)
        else:
            tree.counters[MOVES] += play_out(scratch.states[0], rng, cut, learned, scratch.values)
        add(tree, depth, scratch.values)
        if tree.nodes[leaf].solved:
            _solve_upwards(tree, depth, scratch.values)
    return simulations


def move_root(tree: Tree, fresh: Tree, players: int, node: int) -> None:
    """Copy a node and all below it to an empty tree, as its root."""
    keep(tree, fresh, players, node)


def _descend(
    state: RawPosition, tree: Tree, scratch: Scratch, rng: Words, expand_at: int, explore: float, widen: float
) -> int:
    """Play down the tree to a leaf; gives its depth. The way is in `path`."""
    node, depth = i64(0), i64(0)
    tree.path[0] = 0
    while not tree.nodes[node].solved:
        if tree.nodes[node].count == 0:
            if is_terminal(state):
                utilities(state, scratch.values)
                _settle(tree, node, scratch.values)
                return depth
            if depth > 0 and tree.nodes[node].visits + 1 < expand_at:
                return depth
            if not _expand(state, tree, scratch, node, rng):
                return depth
        node = _select(tree, len(scratch.values), node, explore, widen)
        apply(state, tree.nodes[node].action)
        tree.counters[MOVES] += 1
        depth += 1
        tree.path[depth] = node
    return depth


def _expand(state: RawPosition, tree: Tree, scratch: Scratch, node: int, rng: Words) -> bool:
    """Give a node its children, those that look best first; False when there is no room left."""
    n = legal_actions(state, scratch.legal)
    first = i64(tree.counters[USED])
    if first + n > len(tree.nodes):
        return False
    kept = i64(0)
    for i in range(n):
        if scratch.legal[i] != CONCEDE:
            scratch.legal[kept] = scratch.legal[i]
            kept += 1
    _sort(state, scratch, kept, rng)
    for i in range(kept):
        clear(tree, len(scratch.values), first + i, i64(scratch.legal[scratch.keys[i] & _PLACE]))
    tree.counters[USED] = first + kept
    tree.nodes[node].first = first
    tree.nodes[node].capacity = kept
    tree.nodes[node].count = kept
    tree.nodes[node].mover = current_player(state)
    return True


def _sort(state: RawPosition, scratch: Scratch, n: int, rng: Words) -> None:
    """Write to `keys` the places of the actions in `legal`: the best first by the heuristics, equal ones in random order."""
    action_values(state, scratch.legal, n, scratch.worth)
    keys = scratch.keys
    for i in range(n):
        chance = draw(rng, i64(_PLACE) + 1)
        keys[i] = (((i64(scratch.worth[i]) << _PLACE_BITS) | chance) << _PLACE_BITS) | i
    gap = n >> 1
    while gap > 0:  # Shell's sort
        for i in range(gap, n):
            key, j = i64(keys[i]), i
            while j >= gap and keys[j - gap] < key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key
        gap >>= 1


def _select(tree: Tree, players: int, node: int, explore: float, widen: float) -> int:
    """The child with the highest upper bound among the first ones, as many as the node is wide; untried ones come first.

    Solved children are not counted: when all that look good are proved to lose, the others get their turn.
    """
    first, mover = i64(tree.nodes[node].first), i64(tree.nodes[node].mover)
    tries = float(tree.nodes[node].visits + 1)
    spread = explore * scale(tree) * math.sqrt(math.log(tries))
    most, looked_at = 1.0 + widen * math.sqrt(tries), i64(0)
    best, best_bound = first, -math.inf
    for child in range(first, first + i64(tree.nodes[node].count)):
        visits = i64(tree.nodes[child].visits)
        if visits == 0:
            return i64(child)
        bound = mean(tree, players, child, mover)
        if not tree.nodes[child].solved:
            bound += spread / math.sqrt(float(visits))
            looked_at += 1
        if bound > best_bound:
            best, best_bound = i64(child), bound
        if looked_at >= most:
            break
    return best


def _settle(tree: Tree, node: int, values: Integers) -> None:
    """Mark the node as solved, with these values."""
    tree.nodes[node].solved = 1
    for player in range(len(values)):
        tree.sums[node * len(values) + player] = values[player]


def _recall(tree: Tree, node: int, values: Integers) -> None:
    """Write the values of a solved node."""
    for player in range(len(values)):
        values[player] = tree.sums[node * len(values) + player]


def _solve_upwards(tree: Tree, depth: int, values: Integers) -> None:
    """Solve the nodes from a solved leaf towards the root, as far as their values follow from their children's.

    A node is solved when one child wins for its mover, or when all children are solved: then the best one counts.
    """
    players = len(values)
    for i in range(depth - 1, -1, -1):
        node = i64(tree.path[i])
        first, mover = i64(tree.nodes[node].first), i64(tree.nodes[node].mover)
        best, most, unsolved = i64(-1), LOWEST, i64(0)
        for child in range(first, first + i64(tree.nodes[node].count)):
            if tree.nodes[child].solved == 0:
                unsolved += 1
            elif tree.sums[child * players + mover] > most:
                best, most = i64(child), i64(tree.sums[child * players + mover])
        if unsolved > 0 and not (UTILITY == "win" and most == UNITS):
            return
        _recall(tree, best, values)
        _settle(tree, node, values)
