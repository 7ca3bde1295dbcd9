"""Q!nto again, straight from the rules' page: slow, plain, without a line of the library. The judge of the library.

Tiles are their names, `5b`, `4W`, `WG`, `WW`. The grid is a dictionary from (row, column), which may be negative, to tiles.
A step of a turn is a text: `+5b@0,1`, `~4Y@0,2`, `-1G`, `end`. The oracle finds valid lines by trying all meanings of wilds.
A step is legal if the steps of the turn so far and this step together are a turn that the page describes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations, product

Cell = tuple[int, int]
Grid = dict[Cell, str]
Placing = tuple[tuple[Cell, str], ...]
"""Tiles with their cells: for a turn that adds in the order of the cells, for one that swaps in the order of the swaps."""

SHAPES = "12345"
COLOURS = "bBGRY"
DECK = [shape + colour for shape in SHAPES for colour in COLOURS for _ in range(2)]
DECK += ["1W", "3W", "4W", "5W", "WG", "WR", "WB", "WY", "WW", "WW"]
HAND = 5
LONGEST = 5
ROW, COLUMN, DOWN, UP = (0, 1), (1, 0), (1, 1), (-1, 1)


# Lines


def stands_for(part: str, values: str) -> str:
    return values if part == "W" else part


def agree(parts: Sequence[str], values: str) -> bool:
    """All equal or all different, for some meaning of the wilds."""
    choices = product(*(stands_for(part, values) for part in parts))
    return any(len(set(choice)) in (1, len(choice)) for choice in choices)


@cache
def is_line(tiles: tuple[str, ...]) -> bool:
    shapes, colours = zip(*tiles, strict=True)
    return 2 <= len(tiles) <= LONGEST and agree(shapes, SHAPES) and agree(colours, COLOURS)


def run(grid: Grid, cell: Cell, direction: Cell) -> list[Cell]:
    """The adjacent tiles in a direction and against it, through a cell that has one."""
    (row, column), (down, right) = cell, direction
    while (row - down, column - right) in grid:
        row, column = row - down, column - right
    cells = []
    while (row, column) in grid:
        cells.append((row, column))
        row, column = row + down, column + right
    return cells


def lines(grid: Grid, through: Sequence[Cell]) -> set[tuple[Cell, ...]]:
    """The rows and columns of two and more tiles through some cells."""
    runs = (tuple(run(grid, cell, direction)) for cell in through for direction in (ROW, COLUMN))
    return {cells for cells in runs if len(cells) > 1}


def fits(grid: Grid, cell: Cell) -> bool:
    """Both lines through a cell are valid."""
    return all(is_line(tuple(grid[at] for at in cells)) for cells in lines(grid, [cell]))


def neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def diagonal_windows(grid: Grid, new: Cell) -> Iterator[list[Cell]]:
    """For each diagonal through a new tile, its longest valid window of 3 to 5 that holds the tile."""
    for direction in (DOWN, UP):
        cells = run(grid, new, direction)
        spans = ([cells[i] for i in range(a, b)] for a, b in combinations(range(len(cells) + 1), 2))
        valid = [span for span in spans if len(span) >= 3 and new in span and is_line(tuple(grid[at] for at in span))]
        if valid:
            yield max(valid, key=len)


# Whole turns


def taken(hand: Counter[str], tiles: Sequence[str]) -> bool:
    """The tiles are all in the hand."""
    return not Counter(tiles) - hand


def connects(grid: Grid, cells: Sequence[Cell]) -> bool:
    """In one straight line, connected through old tiles too, and one of them touches the grid, if there is one."""
    rows, columns = ({cell[i] for cell in cells} for i in (0, 1))
    if min(len(rows), len(columns)) > 1 or any(cell in grid for cell in cells):
        return False
    span = product(range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1))
    touches = not grid or any(other in grid for cell in cells for other in neighbours(cell))
    return touches and all(cell in grid or cell in cells for cell in span)


def can_add(grid: Grid, hand: Counter[str], placing: Placing) -> bool:
    """“Add 1..5 tiles of the hand”: every line that exists afterwards is valid."""
    cells, tiles = zip(*placing, strict=True)
    if len(set(cells)) < len(cells) or not taken(hand, tiles) or not connects(grid, cells):
        return False
    after = grid | dict(placing)
    return all(fits(after, cell) for cell in cells)


def swapped(grid: Grid, hand: Counter[str], placing: Placing) -> tuple[Grid, Counter[str]] | None:
    """Grid and hand after the swaps in order. None if a swap is illegal."""
    grid, hand = dict(grid), Counter(hand)
    done: set[Cell] = set()
    for cell, tile in placing:
        wild = grid.get(cell, "")
        if "W" not in wild or wild == tile or cell in done or not hand[tile]:
            return None
        grid[cell] = tile
        if not fits(grid, cell):
            return None
        hand = +(hand + Counter([wild]) - Counter([tile]))
        done.add(cell)
    return grid, hand


def window(grid: Grid, margin: int) -> tuple[range, range]:
    rows, columns = ({cell[i] for cell in grid} or {0} for i in (0, 1))
    return range(min(rows) - margin, max(rows) + margin + 1), range(min(columns) - margin, max(columns) + margin + 1)


def all_additions(grid: Grid, hand: Counter[str]) -> set[Placing]:
    """Every turn that adds tiles. On the empty grid, the turns that begin in the cell (0, 0) and go right or down."""
    found: set[Placing] = set()
    most = min(hand.total(), LONGEST)
    rows, columns = window(grid, most)
    straight = [[(row, column) for column in columns] for row in rows]
    straight += [[(row, column) for row in rows] for column in columns]
    for line in straight:
        for number in range(1, most + 1):
            for cells in combinations([cell for cell in line if cell not in grid], number):
                if connects(grid, cells) and (grid or cells[0] == (0, 0)):
                    orders = set(permutations(hand.elements(), number))
                    placings = (tuple(zip(cells, tiles, strict=True)) for tiles in orders)
                    found |= {placing for placing in placings if can_add(grid, hand, placing)}
    return found


def all_swaps(grid: Grid, hand: Counter[str]) -> Iterator[Placing]:
    """Every sequence of swaps that a turn may be."""
    wilds = [cell for cell in grid if "W" in grid[cell]]
    found: list[Placing] = [()]
    for placing in found:
        _, tiles = swapped(grid, hand, placing) or (grid, hand)
        longer = [(*placing, (cell, tile)) for cell in wilds for tile in sorted(tiles)]
        found += [other for other in longer if swapped(grid, hand, other)]
    yield from found[1:]


def all_trades(hand: Counter[str]) -> set[tuple[str, ...]]:
    """Every order of 0 to 5 tiles to put under a pile."""
    return {tiles for number in range(hand.total() + 1) for tiles in permutations(hand.elements(), number)}


def points(before: Grid, placed: Sequence[Cell], after: Grid, *, plus: bool, ends: bool) -> int:
    """The score of a turn that adds tiles in Classic and Plus."""
    scored = [list(cells) for cells in lines(after, placed)]
    if plus:
        scored += [cells for cell in placed for cells in diagonal_windows(after, cell)]
    assert not any(cell in before for cell in placed)
    bonuses = sum(len(cells) == LONGEST for cells in scored) + (len(placed) == HAND) + ends
    return sum(map(len, scored)) + 5 * bonuses


# Games


@dataclass
class Oracle:
    """A game. Piles are listed from the top down. All players of Classic and Plus share the same list."""

    variant: str
    hands: list[Counter[str]]
    piles: list[list[str]]
    grid: Grid = field(default_factory=dict)
    mover: int = 0
    rounds: int = 4
    idle: int = 0
    scores: list[int] = field(default_factory=list)
    over: bool = False
    won_by: int | None = None
    steps: list[str] = field(default_factory=list)
    """Of the turn that is being played, which began with `before` and `hand`."""
    before: Grid = field(default_factory=dict)
    hand: Counter[str] = field(default_factory=Counter)
    events: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.scores = self.scores or [0] * len(self.hands)
        self.begin_turn()

    @classmethod
    def deal(cls, variant: str, players: int, deck: Sequence[str], rounds: int = 4) -> "Oracle":
        """From a shuffled deck."""
        assert Counter(deck) == Counter(DECK)
        if variant == "light":
            share = len(deck) // players
            blocks = [list(deck[share * player : share * (player + 1)]) for player in range(players)]
            return cls(
                variant, [Counter(block[:HAND]) for block in blocks], [block[HAND:] for block in blocks], rounds=rounds
            )
        dealt = HAND * players
        hands = [Counter(deck[HAND * player : HAND * (player + 1)]) for player in range(players)]
        pile = list(deck[dealt + 1 :])
        return cls(variant, hands, [pile] * players, {(0, 0): deck[dealt]}, rounds=rounds)

    def begin_turn(self) -> None:
        self.steps, self.before, self.hand = [], dict(self.grid), Counter(self.hands[self.mover])

    # single steps

    def legal(self) -> set[str]:
        """The steps by which the turn so far may go on."""
        if self.over:
            return set()
        return {step for step in self.candidates() if step == "end" or self.is_turn([*self.steps, step])}

    def candidates(self) -> Iterator[str]:
        """Steps to try. Adding a tile without neighbours and swapping for a tile that is not wild are never legal."""
        yield "end"
        near = {cell for tile in self.grid for cell in neighbours(tile)} - self.grid.keys() or {(0, 0)}
        wilds = {cell for cell, tile in self.grid.items() if "W" in tile}
        for tile in +self.hands[self.mover]:
            yield f"-{tile}"
            yield from (f"+{tile}@{row},{column}" for row, column in near)
            yield from (f"~{tile}@{row},{column}" for row, column in wilds)

    def is_turn(self, steps: Sequence[str]) -> bool:
        """The steps are all of one sort, and a turn of that sort."""
        sorts = {step[0] for step in steps}
        if len(sorts) > 1:
            return False
        if sorts == {"-"}:
            return taken(self.hand, [step[1:] for step in steps])
        placing = tuple(map(read_step, steps))
        if sorts == {"+"}:
            return can_add(self.before, self.hand, placing)
        return swapped(self.before, self.hand, placing) is not None

    def play(self, step: str) -> None:
        if step == "end":
            return self.end()
        self.steps.append(step)
        hand = self.hands[self.mover]
        if step[0] == "-":
            self.piles[self.mover].append(step[1:])
            self.hands[self.mover] = hand - Counter([step[1:]])
            return None
        cell, tile = read_step(step)
        picked = [self.grid[cell]] if step[0] == "~" else []
        self.hands[self.mover] = hand + Counter(picked) - Counter([tile])
        self.grid[cell] = tile
        if step[0] == "+" and not self.hands[self.mover] and not self.piles[self.mover]:
            self.win()
        return None

    def win(self) -> None:
        self.score(ends=True)
        self.events.add("won")
        self.won_by = self.mover
        self.over = True

    def end(self) -> None:
        adds = self.steps[:1] != [] and self.steps[0][0] == "+"
        self.note(self.steps[0][0] if self.steps else "pass")
        self.score(ends=False)
        self.refill()
        self.idle = 0 if adds else self.idle + 1
        if not (adds and self.variant == "light" and self.completed()):
            self.mover = (self.mover + 1) % len(self.hands)
        if self.idle == self.rounds * len(self.hands):
            self.over = True
            self.events.add("endless passing")
        self.begin_turn()

    def note(self, sort: str) -> None:
        self.events.add(f"{sort}{len(self.steps) or ''}")
        if self.completed():
            self.events.add("q!nto")
        if len(self.placed()) > 1 and not connects({}, self.placed()):
            self.events.add("through old tiles")

    def placed(self) -> list[Cell]:
        return [read_step(step)[0] for step in self.steps if step[0] == "+"]

    def completed(self) -> bool:
        return any(len(cells) == LONGEST for cells in lines(self.grid, self.placed()))

    def score(self, *, ends: bool) -> None:
        if self.variant != "light" and self.placed():
            plus = self.variant == "plus"
            self.scores[self.mover] += points(self.before, self.placed(), self.grid, plus=plus, ends=ends)

    def refill(self) -> None:
        hand, pile = self.hands[self.mover], self.piles[self.mover]
        drawn = pile[: max(HAND - hand.total(), 0)]
        del pile[: len(drawn)]
        self.hands[self.mover] = hand + Counter(drawn)

    # the end

    def left(self, player: int) -> int:
        """Tiles in the player's hand and pile."""
        return self.hands[player].total() + (len(self.piles[player]) if self.variant == "light" else 0)

    def winners(self) -> list[int]:
        if not self.over:
            return []
        if self.variant == "light" and self.won_by is not None:
            return [self.won_by]
        worth = [-self.left(player) if self.variant == "light" else self.scores[player] for player in range(len(self.hands))]
        return [player for player, value in enumerate(worth) if value == max(worth)]


def read_step(step: str) -> tuple[Cell, str]:
    """The cell and the tile of a step that adds or swaps."""
    tile, cell = step[1:].split("@")
    row, column = cell.split(",")
    return (int(row), int(column)), tile
