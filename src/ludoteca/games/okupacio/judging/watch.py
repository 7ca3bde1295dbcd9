"""Plays the game of a case, and finds the branches (decisions of the document) that decide the program's output after each
line of its input.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import Game, State
from ludoteca.games.okupacio import GAME, board
from ludoteca.games.okupacio.ranking import Standing, control, standings
from ludoteca.games.okupacio.rules import CONCEDE, FREE, ROW, WALL, cell_at, controller, falls, is_playing

SIDES: Final = {-ROW: "up", 1: "right", ROW: "down", -1: "left"}
"""The name of each side of a cell, by the difference between the neighbour's index and the cell's."""


EXTRAS: Final = (
    "turn.skips_two",
    "turn.skips_first",
    "table.digits",
    "move.far",
    "three.free_open",
    "three.free_foreign",
    "four.free_open",
    "four.free_foreign",
)
"""What cases of a whole set also have: a turn that skips two neighbours, and a round that begins after army A; a number of
two digits in the table; a move beyond the largest board; and free cells whose last neighbour is free, or of another army."""


class Plan(NamedTuple):
    """The input of a case, and the content of the file with the board."""

    players: tuple[str, ...]
    """The answers to the question for the number of players. Only the last one is right."""
    name: str
    text: str | None
    """The content of the file with the board, or None if the file is missing."""
    moves: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        """The input."""
        return [f"{line}\n" for line in (*self.players, self.name, *self.moves)]


def branches_of(plan: Plan) -> list[frozenset[str]]:
    """Return the branches and extras that decide the output of a plan's game. The first set is for the output before any
    input, and each further set for the output after one line of the input.
    """
    found = [frozenset(("format", "players.asked")), *(frozenset((_of_players(word),)) for word in plan.players)]
    found[-1] |= {"file.asked"}
    if plan.text is None:
        return [*found, frozenset(("file.missing",))]
    found.append(frozenset(_of_board(plan.text)))
    if not plan.moves:
        return found
    watch = Watch(int(plan.players[-1]), plan.text)
    for move in plan.moves:
        if watch.state.is_terminal():
            break
        found.append(watch.play(move))
    return found


def _of_players(word: str) -> str:
    number = int(word)
    if number not in range(2, 11):
        return "players.few" if number < 2 else "players.many"
    return {2: "players.two", 10: "players.ten"}.get(number, "players.several")


def _of_board(text: str) -> Iterator[str]:
    rows = board.read_numbers(text)
    sides = {len(rows), len(rows[0])}
    yield from ("format", "shows.letters", "shows.free")
    if any(board.WALL in row for row in rows):
        if "\n" in text.strip():
            yield "file.lines"
        yield from ("file.walls", "shows.walls")
    if sides == {4}:
        yield "board.smallest"
    if 25 in sides:
        yield "board.largest"
    if len(sides) == 2:
        yield "board.oblong"


class Watch:
    """A game that is played move by move, as the document's program plays it."""

    def __init__(self, players: int, text: str) -> None:
        numbers = board.write_numbers(board.read_numbers(text))
        self.state = Game(GAME, {"players": players, "board": numbers}).new_initial_state(seed=0)
        self.turns = 0
        self._moved: set[int] = set()
        self._freed: set[int] = set()
        self._losers: defaultdict[int, set[int]] = defaultdict(set)

    @property
    def owner(self) -> list[int]:
        """The owner of each cell: an army from 0 on, FREE or WALL. The index of a cell is that of `rules`."""
        cells: list[int] = self.state.raw.owner.tolist()
        return cells

    def play(self, move: str) -> frozenset[str]:
        """Play a move if it is legal. Return the branches and extras that decide the program's output after the move, also
        if it is refused.
        """
        before, player = self.owner, self.state.current_player()
        try:
            action = self.state.string_to_action(move)
        except NotationError:
            outside = move.isascii() and move.isalpha() and move.islower()
            return frozenset(("move.outside" if outside else "move.sign", *["move.far"] * ("z" in move)))
        try:
            self.state.apply_action(action)
        except IllegalActionError:
            holder = before[action + ROW]
            return frozenset(({WALL: "move.wall", player: "move.own"}.get(holder, "move.others"),))
        self.turns += 1
        done = self._gave_up(before, player) if action == CONCEDE else self._took(before, action + ROW, player)
        after = self._of_end() if self.state.is_terminal() else self._of_turn(player)
        return frozenset((*done, "format", "turn.shown", "table.columns", *self._of_table(), *after))

    def _took(self, before: Sequence[int], cell: int, player: int) -> Iterator[str]:
        yield from ("shows.armies", "idle.moved")
        self._moved.add(player)
        if cell in self._freed:
            yield "resign.again"
        yield from neighbours_decided(before, cell, player)
        after = self.owner
        taken = [near for near in around(cell) if after[near] != before[near]]
        yield from self._of_stolen_cells(before, cell, player)
        if self._freed.intersection(taken):
            yield "resign.falls"
        for near in taken:
            if before[near] != FREE:
                self._losers[near].add(before[near])
        if len(taken) > 1:
            yield "several"
        elif taken:
            yield f"side.{SIDES[taken[0] - cell]}"
        if any(before[near] != FREE for near in taken):
            yield "stolen"
        beyond = {far for near in taken for far in around(near) if far != cell and after[far] not in (WALL, player)}
        if any(would_fall(after, far, player) for far in beyond):
            yield "adjacent"

    def _of_stolen_cells(self, before: Sequence[int], cell: int, player: int) -> Iterator[str]:
        """Yield the branches about stolen cells that this move shows. A move shows such a branch only if a program with the
        mistake would get another result: a program in which stolen cells stay with their old owner, or count for both
        owners.
        """
        owner = [*before]
        owner[cell] = player
        for near in around(cell):
            if (holder := owner[near]) in (WALL, player):
                continue
            beside = [each for each in around(near) if owner[each] != WALL]
            mine = [each for each in beside if owner[each] == player]
            theirs = [each for each in beside if owner[each] == holder]
            fell = falls(len(beside), len(mine), holder, len(theirs))
            kept = [each for each in mine if not self._losers[each]]
            both = {*mine, *(each for each in beside if player in self._losers[each])}
            if falls(len(beside), len(kept), holder, len(theirs)) != fell:
                yield "stolen.gained"
            if both.isdisjoint(theirs) and falls(len(beside), len(both), holder, len(theirs)) != fell:
                yield "stolen.lost"

    def _gave_up(self, before: Sequence[int], player: int) -> Iterator[str]:
        freed = {cell for cell, owner in enumerate(before) if owner == player}
        self._freed |= freed
        yield from ("resign.table", "idle.resigned")
        if freed:
            yield "resign.cells"

    def _of_turn(self, player: int) -> Iterator[str]:
        following = self.state.current_player()
        yield "turn.next"
        if following < player:
            yield "turn.round"
        if following != (player + 1) % self.state.game.num_players():
            yield "turn.skips"
            if following > player + 1:
                yield "turn.skips_inner"
            if 0 < following < player:
                yield "turn.skips_first"
            if (following - player) % self.state.game.num_players() > 2:
                yield "turn.skips_two"

    def _of_table(self) -> Iterator[str]:
        """Yield the branches that decide the order of the table. A branch decides the order if sorting by the next key
        instead, such as the letter of the army, would change the table.
        """
        lines = standings(self.state)
        if any(above.cells > below.cells and above.captured < below.captured for above, below in pairwise(lines)):
            yield "table.fewer_stolen"
        for above, below in pairwise(lines):
            if above.cells != below.cells and above.player > below.player:
                yield "table.cells"
            elif above.cells == below.cells and above.captured != below.captured and above.idle < below.idle:
                yield "table.stolen"
            elif (above.cells, above.captured) == (below.cells, below.captured) and above.player > below.player:
                yield "table.idle"
        if any(line.cells > 9 for line in lines):
            yield "table.digits"
        waiting = {line.player for line in lines if line.idle}
        if waiting & self._moved:
            yield "idle.waits"
        if waiting - self._moved:
            yield "idle.begins"

    def _of_winner(self, first: Standing, *others: Standing) -> Iterator[str]:
        """Yield the branches that decide the winner. A branch decides the winner if the next key, or the letter of the army,
        would give another winner. `first` and `others` are the lines of the table.
        """
        if not others:
            yield "end.alone"
            return
        yield "end.full"
        if first.cells != others[0].cells:
            yield "wins.cells"
        elif first.captured != others[0].captured:
            yield from ["wins.stolen"] * (first.idle > others[0].idle)
        elif any(line.player < first.player for line in others if line.cells == first.cells):
            yield "wins.idle"

    def _of_end(self) -> Iterator[str]:
        yield "end.told"
        yield from self._of_winner(*standings(self.state))
        raw, found = self.state.raw, control(self.state)
        rows, columns = int(raw.rows), int(raw.columns)
        lines = [(cell_at(row, 0), 1, columns) for row in range(rows)]
        lines += [(cell_at(0, column), ROW, rows) for column in range(columns)]
        if not found:
            yield "control.nobody"
        else:
            yield from ("control.told", f"control.{found.line}")
            held = [controller(raw, *line) < FREE for line in lines]
            if any(held[:rows]) and any(held[rows:]):
                yield "control.rows_first"
            if sum(held[:rows]) > 1:
                yield "control.first_line"
            elif not any(held[:rows]) and sum(held) > 1:
                yield "control.first_column"
            cell, step, length = lines[found.number + rows * (found.line == "column")]
            if any(raw.owner[cell + i * step] == WALL for i in range(length)):
                yield "control.past_walls"
        for cell, step, length in lines:
            owners = {int(raw.owner[cell + i * step]) for i in range(length)} - {WALL}
            if FREE in owners and len(owners) == 2:
                yield "control.free"


def around(cell: int) -> tuple[int, int, int, int]:
    """Return the four cells next to a cell. Some may be walls."""
    return cell - ROW, cell - 1, cell + 1, cell + ROW


def would_fall(owner: Sequence[int], cell: int, player: int) -> bool:
    """Return True if a cell would fall to the player by the rule for adjacent cells. The cell must not belong to the player
    already.
    """
    near = [owner[each] for each in around(cell) if owner[each] != WALL]
    return falls(len(near), near.count(player), owner[cell], near.count(owner[cell]))


def neighbours_decided(before: Sequence[int], cell: int, player: int) -> Iterator[str]:
    """Yield the branches and extras of section “Ocupació de caselles adjacents” that are decided when the player takes a
    free cell. `before` has the owner of each cell before the move.
    """
    owner = [*before]
    owner[cell] = player
    for near in around(cell):
        keys = [*neighbour_decided(owner, near, player)]
        yield from keys
        for key in ("three.free", "four.free"):
            if key in keys:
                yield f"{key}_open" if FREE in (owner[each] for each in around(near)) else f"{key}_foreign"


def neighbour_decided(owner: Sequence[int], near: int, player: int) -> Iterator[str]:
    """Yield the branches of section “Ocupació de caselles adjacents” that decide whether the cell `near` falls, after the
    player has taken a neighbour of it.
    """
    holder = owner[near]
    if holder in (WALL, player):
        return
    beside = [owner[each] for each in around(near) if owner[each] != WALL]
    degree, mine, theirs = len(beside), beside.count(player), beside.count(holder)
    if falls(degree, mine, holder, theirs) != falls(len(SIDES), mine, holder, theirs):
        yield "degree"
    if degree < 3:
        fallen = "free" if holder == FREE else "taken"
        yield f"{('one', 'two')[degree - 1]}.{fallen if mine == degree else 'kept'}"
    elif mine == degree:
        yield "four.all" if degree == 4 else "three.free" if holder == FREE else "three.all"
    elif mine < degree - 1:
        yield "fewer"
    elif holder == FREE:
        yield f"{('three', 'four')[degree - 3]}.free"
    elif degree == 3:
        yield "three.kept"
    else:
        yield "four.open" if FREE in beside else "four.kept" if holder in beside else "four.third"


def still_playing(state: State) -> list[int]:
    """Return the armies that have not given up, beginning with the army to move."""
    mover, players = state.current_player(), state.game.num_players()
    order = [(mover + i) % players for i in range(players)]
    return [player for player in order if is_playing(state.raw, player)]
