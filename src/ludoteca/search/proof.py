"""The value of a whole game between two sides without hidden information.

A question has the answer yes or no: is the advantage of player 0, the hero, at least this number at the end? Proof-number
search answers it (L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence", 1994). It has a graph of
positions and expands the one that seems to need the least work for an answer. If a position is small enough, it goes to
`search.alphabeta`, which settles it or gives up after MOST_NODES positions. So the order of moves hardly matters. The
settled positions of the graph can be stored in a file (`search.proven`) for later runs.

Symmetric positions share a node, if the game's `solving.py` gives them the same key.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf
from types import ModuleType
from typing import Any, Final

import numpy as np

from ludoteca.core.arrays import struct_dtype
from ludoteca.core.contract import Integers
from ludoteca.core.errors import SearchError
from ludoteca.core.game import Game, State
from ludoteca.core.native import Binding
from ludoteca.core.position import Position
from ludoteca.search import alphabeta
from ludoteca.search.alphabeta import BUCKET, CHOSEN, ENTRY, FAR, NODES, OVERFULL, VALUE
from ludoteca.search.exact import new_line
from ludoteca.search.proven import Proven

HERO: Final = 0
"""The player whose advantage is proven."""
SMALL_SIZE: Final = 24
"""The largest `endgame_size` of a position for alpha-beta: the binary logarithm of the expected number of positions."""
MOST_NODES: Final = 1 << 28
"""The number of positions after which alpha-beta gives up. The graph then gets the position's moves."""
SLICE_NODES: Final = 1 << 15
"""The number of positions between two calls of `watch`."""
TAUGHT_WORK: Final = 1 << 60
"""The work of an entry with proven bounds. It is more than all others, so no entry of the search replaces it."""
HARVEST_NODES: Final = 1 << 22
"""The number of positions between two times that bounds from alpha-beta's table are stored."""
LEAST_CHANCE: Final = 0.05
"""Added to the guessed chance of either answer, so that the search excludes no position."""

Guess = Callable[[State], Mapping[int, float]]
"""A quick search of a position. It returns player 0's share of the win after each action that it searched."""


@dataclass(eq=False, slots=True)
class _Node:
    """A position of the graph, with bounds of its value, which is the hero's advantage at the end."""

    path: tuple[int, ...]
    """The actions from the beginning of the game to this position, or to a symmetric one."""
    key: int
    """The position's key, or -1 at the end of a game."""
    advantage: int
    """The hero's advantage in this position."""
    lower: int
    upper: int
    is_hero: bool
    size: int
    guess: float
    """The hero's expected share of the win."""
    work: int = 0
    """The number of positions that alpha-beta visited for this one."""
    given_up: bool = False
    proof: float = 1.0
    """The estimated work to answer yes. `disproof` is the work to answer no."""
    disproof: float = 1.0
    children: "list[_Node] | None" = None
    parents: "list[_Node]" = field(default_factory=list)


class Prover:
    """Finds the value of a game's first position. It uses the bounds in `proven` and adds new ones.

    `guesses` returns the quick search for a game. It is called only if the game can be solved, because it may compile a
    search. `memory` is the size of alpha-beta's table in bytes, rounded down to a power of two. `watch` is called often.
    Raises SearchError if the game cannot be solved.
    """

    def __init__(
        self, game: Game, proven: Proven, guesses: Callable[[Game], Guess], memory: int, watch: Callable[[], None]
    ) -> None:
        self.game = game
        self._start = check(game)
        self._kernel = bind(game)
        if self._measure(self._start.position) < 0:
            raise SearchError(
                f"{game.name}: exact play is for positions between two sides with little left to play, "
                "and these parameters begin with a different position"
            )
        self._proven, self._guess, self._watch = proven, guesses(game), watch
        self._line = new_line(game)
        self._entries = np.zeros(max(4, 1 << (memory // ENTRY.itemsize).bit_length() - 1), struct_dtype(ENTRY))
        for key, (lower, upper) in proven.items():  # these entries of alpha-beta's table are never replaced
            bucket = self._bucket(key)
            bucket[int(np.argmin(bucket["work"]))] = (key, -1, lower, upper, TAUGHT_WORK)
        self._nodes: dict[tuple[int, int], _Node] = {}
        self._least = 0
        self._root = self._node((), self._start.position, 0.5)

    @property
    def bounds(self) -> tuple[int, int]:
        """The proven bounds of player 0's advantage at the end with best play."""
        return self._root.lower, self._root.upper

    @property
    def positions(self) -> int:
        """The number of positions visited so far."""
        return int(self._line.counters[NODES])

    @property
    def key(self) -> int:
        """The key of the first position. It changes if the game's definition of keys changes."""
        return self._root.key

    def settle(self, winner_only: bool = False) -> None:
        """Narrow the bounds to one value, or only until they determine the winner."""
        root = self._root
        if self.game.utility() == "win":
            for least in (1, 0):
                if root.lower < least <= root.upper:
                    self._prove(least)
                if root.lower >= least or (winner_only and root.upper < 0):
                    break
            if winner_only:
                return
        while root.lower < root.upper:
            self._prove((root.lower + root.upper + 1) // 2)

    def line(self) -> list[int]:
        """Return the best moves of both sides from the beginning to the end. The value must be settled."""
        value, position, line = self._root.lower, self._start.position.copy(), list[int]()
        while not position.is_terminal():
            is_hero = position.current_player() == HERO
            for action, child in self._children(position):
                lower, upper = self._bounds(child)
                if (lower if is_hero else -upper) >= (value if is_hero else -value):  # it keeps the value
                    line.append(action)
                    break
            else:
                self._search(position, value - 1, value + 1, FAR)
                line.append(int(self._line.counters[CHOSEN]))
            position.apply(line[-1])
        return line

    # the graph

    def _prove(self, least: int) -> None:
        """Decide whether the value is at least this number."""
        self._least = least
        self._weigh_all()
        while self._root.proof and self._root.disproof:
            self._watch()
            node = self._root
            while node.children is not None:
                node = min(node.children, key=(lambda n: n.proof) if node.is_hero else (lambda n: n.disproof))
            if node.size <= SMALL_SIZE and not node.given_up:
                self._try(node)
            else:
                self._expand(node)
            self._update(node)

    def _try(self, node: _Node) -> None:
        """Search a node with alpha-beta, which may give up."""
        before = self.positions
        value = self._search(self._at(node.path), self._least - 1, self._least, MOST_NODES)
        node.work += self.positions - before
        if value is None:
            node.given_up = True
        elif value >= self._least:
            node.lower = max(node.lower, value)
        else:
            node.upper = min(node.upper, value)
        self._weigh(node)

    def _expand(self, node: _Node) -> None:
        """Add the positions after the node's actions as its children."""
        position = self._at(node.path)
        guesses = self._guess(State(position, self._start.start, []))
        sides = guesses.values() if guesses else (node.guess,)
        rest = min(sides) if node.is_hero else max(sides)
        node.children = []
        for action, after in self._children(position):
            child = self._node((*node.path, action), after, guesses.get(action, rest))
            if child not in node.children:
                node.children.append(child)
                child.parents.append(node)
        self._weigh(node)

    def _update(self, node: _Node) -> None:
        """Update a node's ancestors after a change."""
        changed = dict.fromkeys(node.parents)
        self._keep(node)
        while changed:
            one = next(iter(changed))
            del changed[one]
            if self._weigh(one):
                self._keep(one)
                changed |= dict.fromkeys(one.parents)

    def _weigh_all(self) -> None:
        """Compute all proof numbers for the current question, those of children first."""
        done, todo = set[int](), [self._root]
        while todo:
            node = todo[-1]
            left = [child for child in node.children or () if id(child) not in done]
            if left:
                todo += left
            else:
                todo.pop()
                done.add(id(node))
                node.given_up = False
                self._weigh(node)

    def _weigh(self, node: _Node) -> bool:
        """Update a node's bounds and proof numbers. Return True if they changed."""
        before = node.lower, node.upper, node.proof, node.disproof
        children = node.children
        if children:
            better = max if node.is_hero else min
            node.lower = max(node.lower, better(child.lower for child in children))
            node.upper = min(node.upper, better(child.upper for child in children))
        if node.lower >= self._least or node.upper < self._least:
            node.proof, node.disproof = (0.0, inf) if node.lower >= self._least else (inf, 0.0)
        elif children:
            easiest, together = (min, sum) if node.is_hero else (sum, min)
            node.proof = easiest(child.proof for child in children)
            node.disproof = together(child.disproof for child in children)
        else:
            work, yes, no = 2.0 ** (node.size - SMALL_SIZE), node.guess + LEAST_CHANCE, 1 - node.guess + LEAST_CHANCE
            node.proof, node.disproof = work * no / yes, work * yes / no
        return before != (node.lower, node.upper, node.proof, node.disproof)

    def _keep(self, node: _Node) -> None:
        """Store the bounds of a node if they answer the current question."""
        if node.key >= 0 and not (node.proof and node.disproof):
            self._proven.add(node.key, node.lower - node.advantage, node.upper - node.advantage)

    def _node(self, path: tuple[int, ...], position: Position, guess: float) -> _Node:
        """Return the graph's node for a position. Add it if it is new."""
        key, now = self._identify(position), self._assess(position)[0]
        if (key, now) not in self._nodes:
            lower, upper = self._bounds(position)
            is_hero, size = position.current_player() == HERO, 0 if position.is_terminal() else self._measure(position)
            self._nodes[key, now] = node = _Node(path, key, now, lower, upper, is_hero, size, guess)
            self._weigh(node)
        return self._nodes[key, now]

    def _children(self, position: Position) -> Iterator[tuple[int, Position]]:
        """Yield the actions except giving up, and the positions after them."""
        for action in position.choices().tolist():
            child = position.copy()
            child.apply(action)
            yield action, child

    def _at(self, path: tuple[int, ...]) -> Position:
        position = self._start.position.copy()
        for action in path:
            position.apply(action)
        return position

    # the compiled search

    def _search(self, position: Position, low: int, high: int, limit: int) -> int | None:
        """Return the value if it is between `low` and `high`, else a bound of it, which is on the same side.

        Return None if alpha-beta needs more than `limit` positions or has no room.
        """
        counters, last, over = self._line.counters, self.positions + limit, False
        harvest = self.positions + HARVEST_NODES
        self._kernel.begin(position.array, self._line, HERO, low, high)
        while not over and self.positions < last:
            over = bool(self._kernel.go_on(self._line, self._entries, HERO, SLICE_NODES))
            self._watch()
            if self.positions >= harvest:
                self._harvest(position)
                harvest = self.positions + HARVEST_NODES
        return int(counters[VALUE]) if over and not counters[OVERFULL] else None

    def _bucket(self, key: int) -> "np.ndarray[Any, np.dtype[np.void]]":
        """Return the entries of alpha-beta's table that may have a key."""
        first = key & (len(self._entries) - BUCKET)
        return self._entries[first : first + BUCKET]

    def _harvest(self, position: Position) -> None:
        """Store the bounds in alpha-beta's table of the positions after one and two moves."""
        for _, child in self._children(position):
            self._keep_known(child)
            if not child.is_terminal():
                for _, after in self._children(child):
                    self._keep_known(after)

    def _keep_known(self, position: Position) -> None:
        """Store the bounds of a position in alpha-beta's table."""
        key = self._identify(position)
        bucket = self._bucket(key)
        for entry in bucket[(bucket["key"] == key) & (bucket["work"] > 0)] if key >= 0 else ():
            self._proven.add(key, int(entry["lower"]), int(entry["upper"]))

    def _bounds(self, position: Position) -> tuple[int, int]:
        """Return the bounds of the hero's advantage at the end that are known without a search."""
        now, least, most = self._assess(position)
        if position.is_terminal():
            return now, now
        lower, upper = self._proven.bounds(self._identify(position))
        return max(least, now + lower), min(most, now + upper)

    def _assess(self, position: Position) -> tuple[int, int, int]:
        out: Integers = np.zeros(3, np.int64)
        self._kernel.assess(position.array, HERO, out)
        now, least, most = out.tolist()
        return now, least, most

    def _identify(self, position: Position) -> int:
        return -1 if position.is_terminal() else int(self._kernel.identify(position.array))

    def _measure(self, position: Position) -> int:
        return int(self._kernel.measure(position.array))


def bind(game: Game) -> Binding:
    """Bind the game to alpha-beta."""
    return game.bind(alphabeta, None, _module(game))


def check(game: Game) -> State:
    """Return the game's first state. Raise SearchError if the game cannot be solved."""
    if not game.spec.perfect_information:
        raise SearchError(f"{game.name}: something is hidden in this game, so its first position has no single value")
    if not game.spec.has("endgame"):
        raise SearchError(f"{game.name}: the game has no module `endgame`, which exact play needs")
    return game.new_initial_state(0)


def lead_in_words(game: Game, advantage: int) -> str:
    """Return an advantage above 0 at the end in the words of the game's `solving.py`, or as a number."""
    words: Callable[[int], str] | None = getattr(_module(game), "lead_in_words", None)
    return words(advantage) if words else f"an advantage of {advantage:,}"


def _module(game: Game) -> ModuleType:
    return game.spec.module("solving" if game.spec.has("solving") else "endgame")
