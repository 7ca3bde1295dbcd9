"""Finds the branches (decisions of the document) that a move shows, before the move is played, from lists of cards.

These functions only name branches, so that the judge can choose moves. The correct output of a case comes from `rules`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import Final, NamedTuple

from ludoteca.core.contract import RawPosition
from ludoteca.games.conclave import rules
from ludoteca.games.conclave.deck import MAGICS, NOTHING, sum_of
from ludoteca.games.conclave.notation import followers_of
from ludoteca.games.conclave.sets import CELLS, SIDE

ENOUGH: Final = 10


class Outcome(NamedTuple):
    """The effects of sending a card to a cell: the branches that it shows, the wizards taken and the holes left."""

    branches: frozenset[str]
    taken: frozenset[int]
    """The cells from which wizards leave the board as followers."""
    holes: int
    """The number of empty cells after the move, before the board is refilled."""


def magic(card: int) -> int:
    return card >> 4


def brotherhood(card: int) -> int:
    return (card & 15) // 5


def influence(card: int) -> int:
    return (card & 15) % 5 + 1


def outcome(board: Sequence[int], card: int, cell: int) -> Outcome:
    """Return the effects of sending a card as an emissary to an empty cell of the board."""
    after = [*board]
    after[cell] = card
    row, column = cell & ~3, cell & 3
    found, taken = set[str](), set[int]()
    lines = (range(row, row + SIDE), ("left", "right")), (range(column, CELLS, SIDE), ("up", "down"))
    for key, (line, sides) in zip(("row", "column"), lines, strict=True):
        decided, convinced = _listen(after, cell, line, sides)
        found |= decided
        if convinced:
            found.add(key)
            taken |= convinced
    if taken:
        found.add("emissary-stays")
    if {"row", "column"} <= found:
        found.add("row-and-column")
    if NOTHING not in after:
        if taken:
            found.add("no-crisis")
        else:
            cross = {*range(row, row + SIDE), *range(column, CELLS, SIDE)}
            taken = {at for at in cross if brotherhood(after[at]) != brotherhood(card)}
            some_stay = len(taken) < len(cross) - 1  # the emissary does not count
            found |= {"dead-end"} if not taken else {"crisis"} if some_stay else set()
            if any(magic(after[at]) == magic(card) for at in taken):
                found.add("crisis-own-magic")
            if taken and "nobody-alike" in found:
                found.add("crisis-ten")
    return Outcome(frozenset(found), frozenset(taken), after.count(NOTHING) + len(taken))


def _listen(board: Sequence[int], cell: int, line: Iterable[int], sides: tuple[str, str]) -> tuple[set[str], set[int]]:
    """Return the branches that one line of the emissary (its row or its column) shows, and the cells of the wizards in the
    line who follow the emissary.

    `cell` is the emissary's cell, and `sides` are the names of the two directions of the line.
    """
    card, cells = board[cell], [*line]
    run, found = run_of(board, cell, cells), set[str]()
    alike = {at for at in cells if at != cell and board[at] != NOTHING and are_alike(board[at], card)}
    total = sum(influence(board[at]) for at in run)
    if alike & run:
        if total in (ENOUGH - 1, ENOUGH, ENOUGH + 1):
            found.add(f"sum-{total}")
        if total - influence(card) < ENOUGH <= total:
            found.add("emissary-counts")
    convinced = _convinced(board, cell, run)
    for side, beyond in zip(sides, (range(cell), range(cell + 1, CELLS)), strict=True):
        apart = {at for at in cells if at in beyond and board[at] != NOTHING} - run
        if convinced and _convinced(board, cell, run | apart) != convinced:
            found.add(f"cut-{side}")
    if len(run) > 1 and total >= ENOUGH and not convinced:
        found.add("nobody-alike")
    for at in convinced:
        if magic(board[at]) != magic(card):
            found.add("brotherhood")
        elif brotherhood(board[at]) != brotherhood(card):
            found.add("magic")
    return found, convinced


def _convinced(board: Sequence[int], cell: int, listening: Set[int]) -> set[int]:
    """Return the cells of the wizards who follow an emissary as its player's followers. The emissary is on `cell`.

    `listening` are the cells of the emissary and of the wizards in contact with it in one line. The emissary convinces them
    only if the total influence on these cells is at least ENOUGH. Then those with its magic or its brotherhood follow it.
    """
    if sum(influence(board[at]) for at in listening) < ENOUGH:
        return set()
    return {at for at in listening if at != cell and are_alike(board[at], board[cell])}


def run_of(board: Sequence[int], cell: int, line: Sequence[int]) -> set[int]:
    """Return the cells of a line that are connected with the emissary's cell without a hole between, including that cell."""
    run, at = {cell}, line.index(cell)
    for places in (line[at + 1 :], line[:at][::-1]):
        for place in places:
            if board[place] == NOTHING:
                break
            run.add(place)
    return run


def are_alike(one: int, other: int) -> bool:
    return magic(one) == magic(other) or brotherhood(one) == brotherhood(other)


def drawing(left: int, right: int, drawn: int, holes: int, *, took: bool) -> set[str]:
    """Return the branches that the drawing of a card and the refilling of the board show.

    `left` and `right` are the sizes of the two piles, and `drawn` is the index of the pile to draw from. `holes` is the
    number of empty cells before the refilling. `took` is True if the emissary has won followers.
    """
    if not left and not right:
        return {"last-round"}
    sizes = [left, right]
    found = {"one-pile" if not left or not right else ("left", "right")[drawn]}
    sizes[drawn] -= 1
    lacking = holes - rules.HOLES
    if lacking <= 0:
        return found | ({"no-refill"} if took else set())
    if sum(sizes):
        found |= {"refill", "refill-order"}
    if sizes[drawn]:
        found.add("refill-pile")
    if sizes[drawn] < lacking and sizes[1 - drawn]:
        found.add("refill-across")
    if 0 < sum(sizes) < lacking:
        found.add("refill-out")
    return found


def result(raw: RawPosition, points: Sequence[int]) -> set[str]:
    """Return the branches that the result of a finished game shows. `points` are the points of disappointment of the
    players.
    """
    found = {"last-hands", "control", "points", "winner"}
    players = range(int(raw.players))
    for number in range(MAGICS):
        sums = [int(sum_of(int(raw.followers[8 * player + number]))) for player in players]
        if sums.count(max(sums)) > 1 and max(sums) > 0:
            found.add("control-shared")
    if Counter(points)[min(points)] > 1:
        found.add("winner-tie")
    if any((cards := followers_of(raw, player)) != sorted(cards) for player in players):
        found.add("followers")
    return found
