"""Monte Carlo tree search for games without hidden information: UCT with a separate value for each player, and with exact
values near the end. `search.searcher` calls it, compiled.

A simulation goes down the tree by UCB1, adds children to a node that has enough visits, plays the game to the end, and adds
the result to every node on its path. A node gets its children in groups, the best by the heuristics first. A node is solved
if the game is over in it, if one of its actions wins, or if all of its actions are solved. A solved node is not searched
again: its exact value is the result of each simulation that reaches it.

With RAVE (Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011) the value of
an action is mixed with the mean result of all simulations in which the same player played it at this point or later. The
weight of that mean falls with the number of visits of the action.
"""

import math
from typing import TYPE_CHECKING, Final

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import Integers, RawPosition, RawPositions, Words, i64
from ludoteca.core.rng import draw
from ludoteca.search.leaf import Evaluator, goes_on, judge
from ludoteca.search.tree import (
    FIRST_CAPACITY,
    FULL,
    JUST_FILLED,
    MOVES,
    ROOM,
    UNITS,
    USED,
    Scratch,
    Tree,
    add,
    clear,
    keep,
    logarithm,
    make_room,
    mean,
    scale,
    start,
    utilities,
)

SALT_BITS: Final = 24
"""The number of low bits of a sort key that hold a random number. The upper bits hold a heuristic value below 2^38."""
SALTS: Final = 1 << SALT_BITS
LOWEST: Final = -(1 << 62)
"""A number below every utility."""

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        ACTIONS,
        UTILITY,
        action_values,
        apply,
        current_player,
        is_terminal,
        playout_action,
    )


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
    rave: float,
    evaluator: Evaluator,
) -> int:
    """Run simulations from roots[0]. Return how many were run. They are fewer than `simulations` if the root is solved or
    the tree becomes full.

    If the tree has nodes, the search continues with them. A node gets children at its visit number `expand_at`, if there is
    room. `explore` is the constant of UCB1, which is multiplied by the range of all results so far. In each node, the first
    1 + widen * sqrt(visits) children that are not solved are searched. After `cut` actions of a playout, the learned value
    replaces the rest of it. With TO_THE_END this never happens. `rave` says how fast the results of later uses of an action
    lose weight. With 0 they do not count.
    """
    players = len(scratch.values)
    if tree.counters[USED] == 0:
        start(tree, players)
    for done in range(simulations):
        if tree.nodes[0].solved:
            return i64(done)
        scratch.states[0] = roots[0]
        begin = i64(scratch.played[len(scratch.played) - 1])
        depth = _descend(scratch.states[0], tree, scratch, rng, expand_at, explore, widen, rave)
        leaf = i64(tree.path[depth])
        if tree.nodes[leaf].solved:
            _recall(tree, leaf, scratch.values)
        else:
            tree.counters[MOVES] += _play_out(scratch.states[0], scratch, rng, cut, rave, evaluator)
        add(tree, depth, scratch.values)
        if rave > 0:
            _credit(tree, scratch, depth, begin)
        if tree.nodes[leaf].solved:
            _solve_upwards(tree, depth, scratch.values)
        if tree.counters[FULL] == JUST_FILLED:
            return i64(done + 1)
    return simulations


def move_root(tree: Tree, fresh: Tree, players: int, node: int, room: int) -> None:
    """Copy a node, and the nodes below it, to the empty tree `fresh`. The node becomes its root. If they are more than
    `room`, those with the fewest visits lose their children.
    """
    keep(tree, fresh, players, node, room)


def _descend(
    state: RawPosition, tree: Tree, scratch: Scratch, rng: Words, expand_at: int, explore: float, widen: float, rave: float
) -> int:
    """Play the simulation down the tree to a leaf, which is a solved node or a node without children. Write the nodes to
    `path` and return the number of actions.
    """
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
            if not _grow(state, tree, scratch, node, rng):
                return depth
        child, narrow = _select(tree, len(scratch.values), node, explore, widen, rave)
        if narrow and _grow(state, tree, scratch, node, rng):
            child, _ = _select(tree, len(scratch.values), node, explore, widen, rave)
        if rave > 0:
            _note(scratch.played, i64(tree.nodes[node].mover), i64(tree.nodes[child].action))
        node = child
        apply(state, tree.nodes[node].action)
        tree.counters[MOVES] += 1
        depth += 1
        tree.path[depth] = node
    return depth


def _grow(state: RawPosition, tree: Tree, scratch: Scratch, node: int, rng: Words) -> bool:
    """Give a node its first children, or as many more as it has already, in the order of the heuristics.

    Return False if there are no more actions, or if the tree has no room.
    """
    if tree.counters[FULL] != ROOM:
        return False
    parent = tree.nodes[node]
    had, last = i64(parent.count), i64(-1)
    if had == 0:
        parent.mover = current_player(state)
        parent.salt = draw(rng, i64(SALTS))
    else:
        last = i64(tree.nodes[i64(parent.first) + had - 1].action)
    n = list_choices(state, scratch.legal)
    parent.options = n
    more = min(max(i64(FIRST_CAPACITY), had), n - had)
    if more == 0 or not make_room(tree, len(scratch.values), node, had + more):
        return False
    _put_first(state, scratch, n, more, i64(parent.salt), last)
    new = i64(parent.first) + had
    for i in range(more):
        clear(tree, len(scratch.values), new + i, i64(scratch.legal[i]))
    parent.count = had + more
    return True


def _put_first(state: RawPosition, scratch: Scratch, n: int, count: int, salt: int, last: int) -> None:
    """Move the next `count` of the n actions in `legal` to its front, sorted by the heuristics with the best first.

    The next actions are those after the action `last` in the order of all actions, or the first ones if `last` is -1.
    Actions with equal values are ordered by a number that depends on `salt`, so that the actions of a node always have the
    same order.
    """
    legal, keys = scratch.legal, scratch.keys
    action_values(state, legal, n, scratch.worth)
    bound, kept = i64(1) << 62, i64(0)
    for i in range(n):
        keys[i] = (i64(scratch.worth[i]) << SALT_BITS) | _jumbled(i64(legal[i]), salt)
        if legal[i] == last:
            bound = i64(keys[i])
    for i in range(n):
        key, action = i64(keys[i]), i64(legal[i])
        if key > bound or (key == bound and action <= last):
            continue
        j = kept
        if kept < count:
            kept += 1
        elif keys[kept - 1] < key or (keys[kept - 1] == key and legal[kept - 1] > action):
            j = kept - 1
        else:
            continue
        while j > 0 and (keys[j - 1] < key or (keys[j - 1] == key and legal[j - 1] > action)):
            keys[j], legal[j] = keys[j - 1], legal[j - 1]
            j -= 1
        keys[j], legal[j] = key, action


def _jumbled(action: int, salt: int) -> int:
    """Return a number from 0 to SALTS - 1 that looks random, and depends only on the action and the salt."""
    bits = (action ^ (action >> SALT_BITS) ^ (action >> (2 * SALT_BITS)) ^ salt) & (SALTS - 1)
    bits = ((bits * 0x9E3779B1) >> 16) & (SALTS - 1)
    return (((bits ^ (bits >> 11)) * 0x85EBCA6B) >> 16) & (SALTS - 1)


def _select(tree: Tree, players: int, node: int, explore: float, widen: float, rave: float) -> tuple[int, bool]:
    """Return the child to visit next, and True if the node should get more children first.

    Only the first 1 + widen * sqrt(visits) children that are not solved are considered. A child without visits is selected
    first, otherwise the one with the highest upper confidence bound. Solved children are not counted, so if the first
    children are proven losses, later ones take their places. With RAVE, a node gets twice as many children as are
    considered, so that a child has results of RAVE before its first visit.
    """
    count = i64(tree.nodes[node].count)
    first, mover = i64(tree.nodes[node].first), i64(tree.nodes[node].mover)
    tries = i64(tree.nodes[node].visits) + 1
    spread = explore * scale(tree) * math.sqrt(logarithm(tries))
    most, looked_at = 1.0 + widen * math.sqrt(float(tries)), i64(0)
    best, best_bound = first, -math.inf
    for child in range(first, first + count):
        visits = i64(tree.nodes[child].visits)
        if visits == 0:
            return i64(child), False
        bound = mean(tree, players, child, mover)
        if not tree.nodes[child].solved:
            later = i64(tree.nodes[child].later)
            if later > 0:
                weight = later / (later + visits + rave * float(later) * float(visits))
                bound += weight * (tree.nodes[child].gain / later - bound)
            bound += spread / math.sqrt(float(visits))
            looked_at += 1
        if bound > best_bound:
            best, best_bound = i64(child), bound
        if looked_at >= most:
            return best, rave > 0 and 2 * (child - first + 1) > count and count < tree.nodes[node].options
    return best, count < tree.nodes[node].options


def _play_out(state: RawPosition, scratch: Scratch, rng: Words, cut: int, rave: float, evaluator: Evaluator) -> int:
    """Play the game on by the playout policy, write every player's utility to `values` in the scratch memory, and return the
    number of actions. `cut` has the same meaning as in `simulate`. With RAVE, record which actions each player plays.
    """
    moves = i64(0)
    while goes_on(state, moves, cut):
        action = i64(playout_action(state, rng))
        if rave > 0:
            _note(scratch.played, i64(current_player(state)), action)
        apply(state, action)
        moves += 1
    judge(state, evaluator, scratch.values)
    return moves


def _note(played: Integers, player: int, action: int) -> None:
    """Record that a player plays an action now. `played` is the array of `Scratch`."""
    last = len(played) - 1
    played[last] += 1
    played[player * ACTIONS + action] = played[last]


def _credit(tree: Tree, scratch: Scratch, depth: int, begin: int) -> None:
    """For RAVE, add the utilities of the simulation to the children of the nodes on the path whose actions the node's mover
    played at that point or later.

    `begin` is the number of the last move before this simulation (`Scratch.played`).
    """
    for i in range(depth):
        node = i64(tree.path[i])
        first, mover = i64(tree.nodes[node].first), i64(tree.nodes[node].mover)
        for child in range(first, first + i64(tree.nodes[node].count)):
            if scratch.played[mover * ACTIONS + i64(tree.nodes[child].action)] > begin + i:
                tree.nodes[child].later += 1
                tree.nodes[child].gain += scratch.values[mover]


def _settle(tree: Tree, node: int, values: Integers) -> None:
    """Mark a node as solved. `values` are its exact utilities, one for each player."""
    tree.nodes[node].solved = 1
    for player in range(len(values)):
        tree.sums[node * len(values) + player] = values[player]


def _recall(tree: Tree, node: int, values: Integers) -> None:
    """Write the exact utilities of a solved node to `values`."""
    for player in range(len(values)):
        values[player] = tree.sums[node * len(values) + player]


def _solve_upwards(tree: Tree, depth: int, values: Integers) -> None:
    """Mark the nodes above a solved leaf as solved, as far as their children determine their values.

    A node is solved if one child is a certain win for its mover, or if all of its actions have solved children. Its value is
    that of the best child for its mover.
    """
    players = len(values)
    for i in range(depth - 1, -1, -1):
        node = i64(tree.path[i])
        first, mover = i64(tree.nodes[node].first), i64(tree.nodes[node].mover)
        best, most, unsolved = i64(-1), LOWEST, i64(tree.nodes[node].options) - i64(tree.nodes[node].count)
        for child in range(first, first + i64(tree.nodes[node].count)):
            if tree.nodes[child].solved == 0:
                unsolved += 1
            elif tree.sums[child * players + mover] > most:
                best, most = i64(child), i64(tree.sums[child * players + mover])
        if unsolved > 0 and not (UTILITY == "win" and most == UNITS):
            return
        _recall(tree, best, values)
        _settle(tree, node, values)
