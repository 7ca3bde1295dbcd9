"""Monte Carlo tree search where nothing is hidden: UCT with max^n values, and exact values of finished subtrees. Compiled.

One simulation goes down the tree by UCB1, expands a node that has been visited often enough, plays out, and adds the result
to every node on its way. A finished position is solved; so is a node one of whose actions wins outright, and a node all of
whose actions are solved. Solved nodes are not searched any more: they give their value at once.
"""

import math
from typing import TYPE_CHECKING, Final

from ludoteca.core.contract import Integers, RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import draw
from ludoteca.search.tree import MOVES, UNITS, USED, Room, Tree, add, clear, keep, mean, play_out, scale, start, utilities

_PLACE_BITS: Final = 12
_PLACE: Final = (1 << _PLACE_BITS) - 1
"""Actions in `legal` are fewer than that, and values of actions are below 2^38."""

if TYPE_CHECKING:
    from ludoteca.core.contract import CONCEDE, UTILITY, action_values, apply, current_player, is_terminal, legal_actions


def simulate(
    roots: RawPositions, tree: Tree, room: Room, rng: Words, simulations: int, expand_at: int, explore: float, widen: float
) -> int:
    """Run simulations from roots[0], or fewer when the root is solved first; gives how many.

    A tree without nodes is begun; else it goes on. A node is expanded at its `expand_at`-th visit, while there is room.
    `explore` is UCB1's constant, in the range of all results so far; a node looks at its first 1 + widen * sqrt(visits)
    children that are not solved.
    """
    players = len(room.values)
    if tree.counters[USED] == 0:
        start(tree, players)
    for done in range(simulations):
        if tree.nodes[0].solved:
            return i64(done)
        room.states[0] = roots[0]
        depth = _descend(room.states[0], tree, room, rng, expand_at, explore, widen)
        leaf = i64(tree.path[depth])
        if tree.nodes[leaf].solved:
            _recall(tree, leaf, room.values)
        else:
            tree.counters[MOVES] += play_out(room.states[0], rng)
            utilities(room.states[0], room.values)
        add(tree, depth, room.values)
        if tree.nodes[leaf].solved:
            _solve_upwards(tree, depth, room.values)
    return simulations


def move_root(tree: Tree, fresh: Tree, players: int, node: int) -> None:
    """Copy what hangs from a node to an empty tree, whose root it becomes."""
    keep(tree, fresh, players, node)


def _descend(state: RawPosition, tree: Tree, room: Room, rng: Words, expand_at: int, explore: float, widen: float) -> int:
    """Play down the tree to a leaf; gives its depth. The way is in `path`."""
    node, depth = i64(0), i64(0)
    tree.path[0] = 0
    while not tree.nodes[node].solved:
        if tree.nodes[node].count == 0:
            if is_terminal(state):
                utilities(state, room.values)
                _settle(tree, node, room.values)
                return depth
            if depth > 0 and tree.nodes[node].visits + 1 < expand_at:
                return depth
            if not _expand(state, tree, room, node, rng):
                return depth
        node = _select(tree, len(room.values), node, explore, widen)
        apply(state, tree.nodes[node].action)
        tree.counters[MOVES] += 1
        depth += 1
        tree.path[depth] = node
    return depth


def _expand(state: RawPosition, tree: Tree, room: Room, node: int, rng: Words) -> bool:
    """Give a node its children, what looks best first; False when there is no room left."""
    n = legal_actions(state, room.legal)
    first = i64(tree.counters[USED])
    if first + n > len(tree.nodes):
        return False
    kept = i64(0)
    for i in range(n):
        if room.legal[i] != CONCEDE:
            room.legal[kept] = room.legal[i]
            kept += 1
    _order(state, room, kept, rng)
    for i in range(kept):
        clear(tree, len(room.values), first + i, i64(room.legal[room.keys[i] & _PLACE]))
    tree.counters[USED] = first + kept
    tree.nodes[node].first = first
    tree.nodes[node].room = kept
    tree.nodes[node].count = kept
    tree.nodes[node].mover = current_player(state)
    return True


def _order(state: RawPosition, room: Room, n: int, rng: Words) -> None:
    """Write to `keys` where in `legal` the actions stand, those that look best first and equal ones in random order."""
    action_values(state, room.legal, n, room.worth)
    keys = room.keys
    for i in range(n):
        chance = draw(rng, i64(_PLACE) + 1)
        keys[i] = (((i64(room.worth[i]) << _PLACE_BITS) | chance) << _PLACE_BITS) | i
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
    """Of the first children, as many as the node is wide, that with the highest upper bound; one never tried comes first.

    Solved ones are not counted: when all that look good are proved to lose, the others get their turn.
    """
    first, mover = i64(tree.nodes[node].first), i64(tree.nodes[node].mover)
    tries = float(tree.nodes[node].visits + 1)
    spread = explore * scale(tree) * math.sqrt(math.log(tries))
    most, looked_at = 1.0 + widen * math.sqrt(tries), i64(0)
    best, best_bound = first, -1.0
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
    """The node's value is known for ever."""
    tree.nodes[node].solved = 1
    for player in range(len(values)):
        tree.sums[node * len(values) + player] = values[player]


def _recall(tree: Tree, node: int, values: Integers) -> None:
    for player in range(len(values)):
        values[player] = tree.sums[node * len(values) + player]


def _solve_upwards(tree: Tree, depth: int, values: Integers) -> None:
    """From a solved leaf towards the root: as far as a node's value follows from its children's."""
    for i in range(depth - 1, -1, -1):
        best = _best_when_solved(tree, len(values), i64(tree.path[i]))
        if best < 0:
            return
        _recall(tree, best, values)
        _settle(tree, i64(tree.path[i]), values)


def _best_when_solved(tree: Tree, players: int, node: int) -> int:
    """The child that the mover will choose for certain: one that wins, or the best of children all solved; else -1."""
    first, mover = i64(tree.nodes[node].first), i64(tree.nodes[node].mover)
    best, most, unsolved = i64(-1), i64(-1), i64(0)
    for child in range(first, first + i64(tree.nodes[node].count)):
        if tree.nodes[child].solved == 0:
            unsolved += 1
        elif tree.sums[child * players + mover] > most:
            best, most = i64(child), i64(tree.sums[child * players + mover])
    wins = UTILITY == "win" and most == UNITS
    return best if wins or unsolved == 0 else i64(-1)
