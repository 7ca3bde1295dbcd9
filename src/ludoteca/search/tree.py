"""The tree of a Monte Carlo search, and the functions on it that `mcts` and `ismcts` share. It is stored in arrays of a
fixed size, because compiled code cannot allocate memory.

Node 0 is the root. The children of a node are next to each other:

    node         first ----> child, child, ... child       `count` of them
    sums[node * players + player]                          the player's utility, added up over all visits to the node

A player's utility in one playout is a whole number. A win that k players share is UNITS / k, which is exact for up to ten
winners. A point is UNITS, too.
"""

import math
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ludoteca.core.contract import Integers, RawPosition, RawPositions, i64, index
from ludoteca.core.tables import table

if TYPE_CHECKING:
    from ludoteca.core.contract import UTILITY, scores, winners

UNITS: Final = 2520
"""The utility of a win or of a point. It is the lowest number that can be divided by each of 1 to 10."""

NODE: Final = np.dtype(
    [
        ("action", "i8"),  # the action from the parent to this node
        ("first", "i4"),  # the first child
        ("options", "i4"),  # the number of actions, with or without children; `mcts` only
        ("salt", "i4"),  # it decides the order of actions with equal heuristic values
        ("visits", "i4"),
        ("later", "i4"),  # the simulations in which the parent's mover played the action then or later, see `mcts`
        ("gain", "i8"),  # the sum of that player's utility in them
        ("available", "i4"),  # the number of times that the action could be chosen; `ismcts` only
        ("capacity", "i2"),  # the number of children that fit from `first` on
        ("count", "i2"),  # the number of children
        ("mover", "i1"),  # the player to move; -1 before the node is expanded
        ("solved", "i1"),  # 1 if the sums are the utility of one visit with best play
    ]
)
Nodes: TypeAlias = Annotated[RawPositions, NODE]

USED: Final = 0
"""In `Tree.counters`: the number of nodes in use."""
MOVES: Final = 1
"""In `Tree.counters`: the number of actions played in all simulations."""
LOW: Final = 2
"""In `Tree.counters`: the lowest utility of any player in any playout so far. HIGH is the highest."""
HIGH: Final = 3
OPTIONS: Final = 4
"""In `Tree.counters`: the number of the root's options, if they are the same in every deal and all its children are among
them; 0 if that is not known."""
FULL: Final = 5
"""In `Tree.counters`: ROOM, or JUST_FILLED when a child found no room (the search then stops), or STAYS_FULL."""
COUNTERS: Final = 6
ROOM: Final = 0
JUST_FILLED: Final = 1
STAYS_FULL: Final = 2
FIRST_CAPACITY: Final = 4
"""The number of children for which a node has room at first. If it needs more, they move to a place of twice the size."""
KNOWN_LOGARITHMS: Final = 1024
"""The logarithms of numbers below this are in a table."""


class Tree(NamedTuple):
    """The arrays of a tree."""

    nodes: Nodes
    sums: Integers
    """For each node, one number for each player."""
    path: Integers
    """The nodes of the last simulation, from the root to the leaf. It has room for MAX_MOVES + 1 nodes."""
    counters: Integers


class Scratch(NamedTuple):
    """The working memory of one simulation after another."""

    states: RawPositions
    """One raw position, in which the simulation is played."""
    legal: Integers
    """Legal actions. This array, `keys` and `worth` have room for MAX_LEGAL numbers each."""
    keys: Integers
    worth: Integers
    table: Integers
    """A hash table of actions, all zeros between uses. Its length is a power of two, and at least twice MAX_LEGAL."""
    values: Integers
    """The utility of each player in the last playout."""
    played: Integers
    """The number of the move in which each player last played each action. Moves are numbered through all simulations. The
    last element is the last number."""


def _logarithms() -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return an array with the natural logarithm of i at each index i from 1 to KNOWN_LOGARITHMS - 1. It uses only
    operations that give the same bits on every machine.
    """
    ratios = 1.0 / (2.0 * np.arange(2, KNOWN_LOGARITHMS) - 1.0)  # log n - log(n - 1) = 2 artanh(1 / (2 n - 1))
    powers, steps = ratios.copy(), ratios.copy()
    for exponent in range(3, 41, 2):
        powers = powers * ratios * ratios
        steps = steps + powers / exponent
    return np.concatenate(([0.0, 0.0], 2.0 * np.cumsum(steps)))


_LOGARITHMS: Final[Any] = table(_logarithms(), np.float64)
_OF_2: Final = float(_LOGARITHMS[2])


def start(tree: Tree, players: int) -> None:
    """Make the tree a single node without visits, its root."""
    clear(tree, players, i64(0), i64(-1))
    tree.counters[USED] = 1
    tree.counters[MOVES] = 0
    tree.counters[LOW] = i64(1) << 40
    tree.counters[HIGH] = -(i64(1) << 40)
    tree.counters[OPTIONS] = 0
    tree.counters[FULL] = ROOM


def clear(tree: Tree, players: int, node: int, action: int) -> None:
    """Make a node one without visits and children, for the action that leads to it."""
    fresh = tree.nodes[node]
    fresh.action = action
    fresh.first = fresh.options = fresh.salt = fresh.visits = fresh.later = fresh.gain = fresh.available = 0
    fresh.capacity = fresh.count = fresh.solved = 0
    fresh.mover = -1
    for player in range(players):
        tree.sums[node * players + player] = 0


def utilities(state: RawPosition, out: Integers) -> None:
    """Write the utility of every player to `out`, in UNITS of a win or a point, for a position in which the game is over."""
    if UTILITY == "points" or len(out) == 1:
        scores(state, out)
        for player in range(len(out)):
            out[player] *= UNITS
        return
    won = winners(state)
    shared = i64(0)
    for player in range(len(out)):
        shared += (won >> player) & 1
    for player in range(len(out)):
        out[player] = UNITS // shared if (won >> player) & 1 else 0


def add(tree: Tree, depth: int, values: Integers) -> None:
    """Count one visit for each node of the path, from the root down to `depth` actions below it. Add the playout's utilities
    to the sums of each node, except for solved nodes, because their values are exact.
    """
    players = len(values)
    for player in range(players):
        tree.counters[LOW] = min(i64(tree.counters[LOW]), i64(values[player]))
        tree.counters[HIGH] = max(i64(tree.counters[HIGH]), i64(values[player]))
    for i in range(depth + 1):
        node = tree.path[i]
        tree.nodes[node].visits += 1
        if tree.nodes[node].solved == 0:
            for player in range(players):
                tree.sums[node * players + player] += values[player]


def mean(tree: Tree, players: int, node: int, player: int) -> float:
    """Return a player's mean utility in the visits of a node, in UNITS of a win or a point. In a solved node it is the exact
    utility.
    """
    total = tree.sums[node * players + player]
    return float(total) if tree.nodes[node].solved else total / tree.nodes[node].visits


def lead(tree: Tree, players: int, node: int, player: int) -> float:
    """Return the number that a player maximises: the player's mean utility in a node. In games for points with several
    players, it is this mean less the mean over all players.

    So taking points from the others counts like gaining points.
    """
    own = mean(tree, players, node, player)
    if UTILITY != "points" or players == 1:
        return own
    total = 0.0
    for other in range(players):
        total += mean(tree, players, node, other)
    return own - total / players


def scale(tree: Tree) -> float:
    """Return the highest utility so far less the lowest, at least 1. Confidence bounds are multiplied by it, so that they
    fit games with any range of results.
    """
    return max(1.0, float(tree.counters[HIGH] - tree.counters[LOW]))


def logarithm(number: int) -> float:
    """Return the natural logarithm of a whole number from 1 on. It is at most 0.002 too low, and the same on
    every machine.
    """
    halvings = i64(0)
    while number >= KNOWN_LOGARITHMS:
        number >>= 1
        halvings += 1
    return float(_LOGARITHMS[index(number)] + halvings * _OF_2)


def confidence(tries: int, visits: int) -> float:
    """Return the width of UCB1's confidence bound: the square root of log(tries) / visits. `visits` is how often an option
    was chosen, out of `tries` choices.
    """
    return math.sqrt(logarithm(tries) / visits)


def make_room(tree: Tree, players: int, node: int, capacity: int) -> bool:
    """Move a node's children to the end of the used nodes, where `capacity` children have room, and return True. If there is
    no room, mark the tree as full and return False.
    """
    parent, used = tree.nodes[node], i64(tree.counters[USED])
    if used + capacity > len(tree.nodes):
        tree.counters[FULL] = max(i64(JUST_FILLED), i64(tree.counters[FULL]))
        return False
    for i in range(i64(parent.count)):
        copy_node(tree, i64(parent.first) + i, tree, used + i, players)
    parent.first = used
    parent.capacity = capacity
    tree.counters[USED] = used + capacity
    return True


def keep(tree: Tree, fresh: Tree, players: int, node: int, room: int) -> None:
    """Copy a node, and the nodes below it, to the empty tree `fresh`. The node becomes its root.

    If the copied nodes would be more than `room`, those with the fewest visits lose their children. The root always keeps
    its children.
    """
    _copy_below(tree, node, fresh, players, i64(0))
    if fresh.counters[USED] > room:
        _copy_below(fresh, i64(0), fresh, players, _least_visits(fresh, room))
    fresh.counters[MOVES] = 0
    fresh.counters[OPTIONS] = 0
    fresh.counters[LOW] = tree.counters[LOW]
    fresh.counters[HIGH] = tree.counters[HIGH]
    fresh.counters[FULL] = ROOM


def _copy_below(tree: Tree, node: int, fresh: Tree, players: int, least: int) -> None:
    """Copy a node as the root of `fresh`, and then, level by level, the children of every copied node that has at least
    `least` visits.

    A tree that was made in this order can be copied from its root to itself, because no node then overwrites another one
    that is still to be copied.
    """
    copy_node(tree, node, fresh, i64(0), players)
    used, at = i64(1), i64(0)
    while at < used:
        moved = fresh.nodes[at]
        if at > 0 and moved.visits < least:
            moved.count = 0
        old, moved.first = i64(moved.first), used
        for i in range(i64(moved.count)):
            copy_node(tree, old + i, fresh, used + i, players)
        moved.capacity = moved.count
        used += i64(moved.count)
        at += 1
    fresh.counters[USED] = used


def _least_visits(tree: Tree, room: int) -> int:
    """Return the number of visits that a node needs to keep its children, so that at most `room` nodes remain.

    If the root and its children alone are more than `room`, the result is so high that all other nodes are removed. Every
    used node of the tree must be reachable from its root.
    """
    low, high = i64(0), i64(1)
    while high <= tree.nodes[0].visits and _size(tree, high) > room:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _size(tree, middle) > room:
            low = middle
        else:
            high = middle
    return high


def _size(tree: Tree, least: int) -> int:
    """Return how many nodes remain if only the root and the nodes with at least `least` visits keep their children."""
    size = i64(1) + i64(tree.nodes[0].count)
    for node in range(1, i64(tree.counters[USED])):
        if tree.nodes[node].visits >= least:
            size += i64(tree.nodes[node].count)
    return size


def copy_node(tree: Tree, node: int, fresh: Tree, to: int, players: int) -> None:
    """Copy one node to the index `to` of a tree, which may be the same tree. This does not copy its children."""
    fresh.nodes[to] = tree.nodes[node]
    for player in range(players):
        fresh.sums[to * players + player] = tree.sums[node * players + player]
