"""The value of a whole game between two sides in the open: proofs of the first moves above, alpha-beta below.

What is asked is always a yes or no: does player 0, the hero, end with an advantage of at least so much? The answer comes
from proof-number search (L. V. Allis, "Searching for Solutions in Games and Artificial Intelligence", 1994): a graph of
positions grows where the answer seems to take least work, and a position that is small enough is handed to
`search.alphabeta`, which settles it or gives up after MOST_NODES positions. So the order in which moves are tried hardly
matters, and what is settled of the graph's positions can be kept in a file (`search.proven`) and need not be found again.

Positions that a symmetry makes of each other are one, if the game's `solving.py` gives them one key.
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
from ludoteca.core.position import Position
from ludoteca.search import alphabeta
from ludoteca.search.alphabeta import BUCKET, CHOSEN, ENTRY, FAR, NODES, OVERFULL, VALUE
from ludoteca.search.exact import new_line
from ludoteca.search.proven import Proven

HERO: Final = 0
SMALL_SIZE: Final = 24
"""The binary logarithm of the positions that alpha-beta is expected to look at: `endgame_size` of what it is given."""
MOST_NODES: Final = 1 << 28
"""The number of positions after which it gives a position up, which is then looked at move by move."""
SLICE_NODES: Final = 1 << 15
"""Positions between two calls of `watch`."""
TAUGHT_WORK: Final = 1 << 60
"""The work of an entry that comes from what was kept: none that was found out here takes its place."""
HARVEST_NODES: Final = 1 << 22
"""Positions between two times that what alpha-beta's table knows of the next moves is kept."""
LEAST_CHANCE: Final = 0.05
"""What is added to both sides of a guess: no position is so sure that another is never looked at."""

Guess = Callable[[State], Mapping[int, float]]
"""What a quick search thinks of the actions: player 0's share of the win after each, as far as it looked at them."""


@dataclass(eq=False, slots=True)
class _Node:
    """A position of the graph, with what is known of its value: the hero's advantage at the end."""

    path: tuple[int, ...]
    """Actions from the beginning of the game that lead here, or to a symmetric position."""
    key: int
    """-1 at the end of a game."""
    advantage: int
    """The hero's, here."""
    lower: int
    upper: int
    is_hero: bool
    size: int
    guess: float
    """The hero's share of the win."""
    work: int = 0
    """The number of positions that alpha-beta looked at here."""
    given_up: bool = False
    proof: float = 1.0
    """How much work it seems to take to answer yes."""
    disproof: float = 1.0
    children: "list[_Node] | None" = None
    parents: "list[_Node]" = field(default_factory=list)


class Prover:
    """Finds the value of a game's first position; what was proven before is read from `proven`, and what is new is added.

    `guesses` makes the guess for a game to which this applies, which may take compiling a search. `memory` is the size of
    alpha-beta's table in bytes, rounded down to a power of two; `watch` is called often. Raises SearchError for a game to
    which this does not apply.
    """

    def __init__(
        self, game: Game, proven: Proven, guesses: Callable[[Game], Guess], memory: int, watch: Callable[[], None]
    ) -> None:
        self.game = game
        self._start = check(game)
        self._kernel = game.bind(alphabeta, None, _module(game))
        if self._measure(self._start.position) < 0:
            raise SearchError(
                f"{game.name}: exact play is for positions between two sides with little left to play, "
                "and these parameters begin with another one"
            )
        self._proven, self._guess, self._watch = proven, guesses(game), watch
        self._line = new_line(game)
        self._entries = np.zeros(max(4, 1 << (memory // ENTRY.itemsize).bit_length() - 1), struct_dtype(ENTRY))
        for key, (lower, upper) in proven.items():  # alpha-beta's table knows it, too, for good
            bucket = self._bucket(key)
            bucket[int(np.argmin(bucket["work"]))] = (key, -1, lower, upper, TAUGHT_WORK)
        self._nodes: dict[tuple[int, int], _Node] = {}
        self._least = 0
        self._root = self._node((), self._start.position, 0.5)

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the most that player 0's advantage at the end can be with best play, as far as is known."""
        return self._root.lower, self._root.upper

    @property
    def positions(self) -> int:
        """The number of positions looked at."""
        return int(self._line.counters[NODES])

    @property
    def key(self) -> int:
        """The key of the first position: the same game with other rules for keys has another one."""
        return self._root.key

    def settle(self, winner_only: bool = False) -> None:
        """Narrow the bounds down to one value, or only until they tell who wins."""
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
        """Best moves of both sides from the beginning to the end. The value is known."""
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
        """Find out whether the value is at least so much."""
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
        """Ask alpha-beta; nothing may come of it."""
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
        """Add the positions after each of the node's actions."""
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
        """Carry what changed at a node up to all that lead to it."""
        changed = dict.fromkeys(node.parents)
        self._keep(node)
        while changed:
            one = next(iter(changed))
            del changed[one]
            if self._weigh(one):
                self._keep(one)
                changed |= dict.fromkeys(one.parents)

    def _weigh_all(self) -> None:
        """Proof numbers for the present question: those of a node after those of its children."""
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
        """Bring a node's bounds and proof numbers up to date; True if they changed."""
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
        """Keep the bounds of a node that is settled."""
        if node.key >= 0 and not (node.proof and node.disproof):
            self._proven.add(node.key, node.lower - node.advantage, node.upper - node.advantage)

    def _node(self, path: tuple[int, ...], position: Position, guess: float) -> _Node:
        """The graph's node for a position, made if there is none."""
        key, now = self._identify(position), self._assess(position)[0]
        if (key, now) not in self._nodes:
            lower, upper = self._bounds(position)
            is_hero, size = position.current_player() == HERO, 0 if position.is_terminal() else self._measure(position)
            self._nodes[key, now] = node = _Node(path, key, now, lower, upper, is_hero, size, guess)
            self._weigh(node)
        return self._nodes[key, now]

    def _children(self, position: Position) -> Iterator[tuple[int, Position]]:
        """The actions but giving up, and the positions after them."""
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
        """The value if it lies between `low` and `high`, else a bound of it on that side; None above so many positions."""
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
        """The entries of alpha-beta's table in which a key may stand."""
        first = key & (len(self._entries) - BUCKET)
        return self._entries[first : first + BUCKET]

    def _harvest(self, position: Position) -> None:
        """Keep what alpha-beta's table knows of the positions one and two moves on."""
        for _, child in self._children(position):
            self._keep_known(child)
            if not child.is_terminal():
                for _, after in self._children(child):
                    self._keep_known(after)

    def _keep_known(self, position: Position) -> None:
        """Keep what alpha-beta's table knows of a position."""
        key = self._identify(position)
        bucket = self._bucket(key)
        for entry in bucket[(bucket["key"] == key) & (bucket["work"] > 0)] if key >= 0 else ():
            self._proven.add(key, int(entry["lower"]), int(entry["upper"]))

    def _bounds(self, position: Position) -> tuple[int, int]:
        """The least and the most that the hero's advantage at the end can be, as far as is known without a search."""
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


def check(game: Game) -> State:
    """The game's first state. Raises SearchError when the game is not one that can be solved."""
    if not game.spec.perfect_information:
        raise SearchError(f"{game.name}: something is hidden in this game, so its first position has no one value")
    if not game.spec.has("endgame"):
        raise SearchError(f"{game.name}: the game has no module `endgame`, which says what exact play needs")
    return game.new_initial_state(0)


def lead_in_words(game: Game, advantage: int) -> str:
    """An advantage above 0 at the end, as the game's `solving.py` words it, or as a number."""
    words: Callable[[int], str] | None = getattr(_module(game), "lead_in_words", None)
    return words(advantage) if words else f"an advantage of {advantage:,}"


def _module(game: Game) -> ModuleType:
    return game.spec.module("solving" if game.spec.has("solving") else "endgame")
