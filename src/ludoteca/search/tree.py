"""The tree of a Monte Carlo search in preallocated arrays, and what both kinds of search do with it. Compiled.

Node 0 is the root; the children of a node stand side by side:

    node         first ----> child, child, ... child       `count` of them
    sums[node * players + player]                          what that player got in all visits to the node

A player's utility in one playout is a whole number: a win shared by k is UNITS / k, exact up to ten winners; a point is
UNITS, too.
"""

import math
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ludoteca.core.contract import Integers, RawPosition, RawPositions, i64, index
from ludoteca.core.tables import table

if TYPE_CHECKING:
    from ludoteca.core.contract import UTILITY, scores, winners

UNITS: Final = 2520
"""The least number that 1 to 10 divide."""

NODE: Final = np.dtype(
    [
        ("action", "i8"),  # the one that leads here
        ("first", "i4"),  # the first of the children
        ("options", "i4"),  # the number of actions, with children or not; only where nothing is hidden
        ("salt", "i4"),  # the order of actions that look equally good
        ("visits", "i4"),
        ("later", "i4"),  # simulations in which the parent's mover played the action there or later, see `mcts`
        ("gain", "i8"),  # the sum of what that player got in them
        (
            "available",
            "i4",
        ),  # how often the action could be chosen; where something is hidden, not at every visit of its parent
        ("capacity", "i2"),  # the number of children that fit from `first` on
        ("count", "i2"),  # the number of children
        ("mover", "i1"),  # the player to move here; -1 before the node is expanded
        ("solved", "i1"),  # 1: the sums are the result of best play, and not sums
    ]
)
Nodes: TypeAlias = Annotated[RawPositions, NODE]

USED: Final = 0
"""In `Tree.counters`: the number of nodes in use."""
MOVES: Final = 1
"""In `Tree.counters`: actions played in all simulations."""
LOW: Final = 2
"""In `Tree.counters`: the lowest utility that any player had so far, and the highest."""
HIGH: Final = 3
OPTIONS: Final = 4
"""In `Tree.counters`: the number of options that the root has, if they are the same in every deal and all its children are
among them; 0 when that is not known."""
FULL: Final = 5
"""In `Tree.counters`: ROOM, JUST_FILLED when a node found no room for a child (no simulation follows), or STAYS_FULL."""
COUNTERS: Final = 6
ROOM: Final = 0
JUST_FILLED: Final = 1
STAYS_FULL: Final = 2
FIRST_CAPACITY: Final = 4
"""A node has room for so many children at first; when there are more, they move to a place twice as large."""
KNOWN_LOGARITHMS: Final = 1024
"""Logarithms of numbers below this are looked up."""


class Tree(NamedTuple):
    """The arrays of a tree."""

    nodes: Nodes
    sums: Integers
    """For each node, one number a player."""
    path: Integers
    """The nodes of the last simulation, from the root on; MAX_MOVES + 1 fit."""
    counters: Integers


class Scratch(NamedTuple):
    """The memory that a simulation works in."""

    states: RawPositions
    """One raw position."""
    legal: Integers
    """MAX_LEGAL actions; the next two arrays are as long."""
    keys: Integers
    worth: Integers
    table: Integers
    """A hash table of options: zeros, as many as a power of two that is at least twice MAX_LEGAL."""
    values: Integers
    """The utility of each player."""
    played: Integers
    """When each player last played each action, by numbers of moves that go on and on; at the end, the last number."""


def _logarithms() -> "np.ndarray[Any, np.dtype[np.float64]]":
    """The natural logarithms of 1 .. KNOWN_LOGARITHMS - 1 at their places, by what IEEE 754 defines to the last bit."""
    ratios = 1.0 / (2.0 * np.arange(2, KNOWN_LOGARITHMS) - 1.0)  # log n - log(n - 1) = 2 artanh(1 / (2 n - 1))
    powers, steps = ratios.copy(), ratios.copy()
    for exponent in range(3, 41, 2):
        powers = powers * ratios * ratios
        steps = steps + powers / exponent
    return np.concatenate(([0.0, 0.0], 2.0 * np.cumsum(steps)))


_LOGARITHMS: Final[Any] = table(_logarithms(), np.float64)
_OF_2: Final = float(_LOGARITHMS[2])


def start(tree: Tree, players: int) -> None:
    """Make the tree empty: a root that was never visited."""
    clear(tree, players, i64(0), i64(-1))
    tree.counters[USED] = 1
    tree.counters[MOVES] = 0
    tree.counters[LOW] = i64(1) << 40
    tree.counters[HIGH] = -(i64(1) << 40)
    tree.counters[OPTIONS] = 0
    tree.counters[FULL] = ROOM


def clear(tree: Tree, players: int, node: int, action: int) -> None:
    """Make a node fresh."""
    fresh = tree.nodes[node]
    fresh.action = action
    fresh.first = fresh.options = fresh.salt = fresh.visits = fresh.later = fresh.gain = fresh.available = 0
    fresh.capacity = fresh.count = fresh.solved = 0
    fresh.mover = -1
    for player in range(players):
        tree.sums[node * players + player] = 0


def utilities(state: RawPosition, out: Integers) -> None:
    """Write the utility of every player at the end of a game; a player who plays alone plays for points."""
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
    """Add a playout's values to every node of the path, but for those that are solved."""
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
    """The player's mean utility in a node that was visited, or the exact one where the node is solved."""
    total = tree.sums[node * players + player]
    return float(total) if tree.nodes[node].solved else total / tree.nodes[node].visits


def lead(tree: Tree, players: int, node: int, player: int) -> float:
    """The number that a player maximises: the mean, or in games for points the lead over the mean of all players.

    So a player takes points from others as gladly as they gather their own.
    """
    own = mean(tree, players, node, player)
    if UTILITY != "points" or players == 1:
        return own
    total = 0.0
    for other in range(players):
        total += mean(tree, players, node, other)
    return own - total / players


def scale(tree: Tree) -> float:
    """The range of all utilities so far: a confidence of 1 in units of utility."""
    return max(1.0, float(tree.counters[HIGH] - tree.counters[LOW]))


def logarithm(number: int) -> float:
    """The natural logarithm of a number from 1 on, too low by up to 0.002, and the same on every machine."""
    halvings = i64(0)
    while number >= KNOWN_LOGARITHMS:
        number >>= 1
        halvings += 1
    return float(_LOGARITHMS[index(number)] + halvings * _OF_2)


def confidence(tries: int, visits: int) -> float:
    """UCB1's bound on the error of the mean of so many visits out of so many tries."""
    return math.sqrt(logarithm(tries) / visits)


def make_room(tree: Tree, players: int, node: int, capacity: int) -> bool:
    """Move a node's children to a place where so many fit; False, and the tree is marked, when there is none."""
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
    """Copy a node and what is below it to an empty tree, as its root, where it takes no more than `room` nodes.

    For that the nodes that were visited least lose what is below them; the root keeps its children whatever they take.
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
    """Copy a node as a root, and every node's children if it has `least` visits: the upper ones come before the lower ones.

    A tree in that order may be copied to itself from its root, as no node moves behind one that is yet to be copied.
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
    """The number of visits that a node needs to keep its children if `room` nodes are to be left, or as few as there can be.

    Every node below the tree's USED hangs from its root.
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
    """The number of nodes that are left when only those with `least` visits, and the root, keep their children."""
    size = i64(1) + i64(tree.nodes[0].count)
    for node in range(1, i64(tree.counters[USED])):
        if tree.nodes[node].visits >= least:
            size += i64(tree.nodes[node].count)
    return size


def copy_node(tree: Tree, node: int, fresh: Tree, to: int, players: int) -> None:
    """Copy one node, of the same tree or of another."""
    fresh.nodes[to] = tree.nodes[node]
    for player in range(players):
        fresh.sums[to * players + player] = tree.sums[node * players + player]
