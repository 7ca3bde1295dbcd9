"""Solve a small open board of Okupació: the winner with best play, and by how many cells.

    python examples/okupacio/solve.py          # 4x4: half a minute
    python examples/okupacio/solve.py 4x5      # hours

It asks again and again: does player 1 end with a lead of at least so many cells? Alpha-beta search answers, and remembers
for each position what it has found out about the lead.
"""

import sys
from typing import Final

import ludoteca

RESIGN: Final = "00"
FAR: Final = 1000
"""More than any lead."""


class Solver:
    """Remembers the least and the greatest possible lead of player 1 for each position."""

    def __init__(self) -> None:
        self.bounds: dict[str, tuple[int, int]] = {}

    def solve(self, start: ludoteca.State) -> int:
        """Return player 1's lead in cells at the end, with best play of both."""
        low, high, lead = -FAR, FAR, 0
        while low < high:
            least = max(lead, low + 1)
            lead = self.search(start, least)
            low, high = (lead, high) if lead >= least else (low, lead)
            print(f"player 1's lead is between {low} and {high}: {len(self.bounds):,} positions".replace(str(FAR), "?"))
        return low

    def search(self, state: ludoteca.State, least: int) -> int:
        """Return a lead that player 1 can enforce, if it is at least `least`, or else a lead that player 2 can enforce."""
        if state.is_terminal():
            return lead_of(state)
        key = key_of(state)
        low, high = self.bounds.get(key, (-FAR, FAR))
        if low >= least or high < least:
            return low if low >= least else high
        is_first = state.current_player() == 0
        actions = [action for action in state.legal_actions() if state.action_to_string(action) != RESIGN]
        children = sorted(map(state.child, actions), key=lead_of, reverse=is_first)
        found = -FAR if is_first else FAR
        for child in children:
            lead = self.search(child, least)
            found = max(found, lead) if is_first else min(found, lead)
            if is_first == (found >= least):
                break
        self.bounds[key] = (found, high) if found >= least else (low, found)
        return found


def lead_of(state: ludoteca.State) -> int:
    """Return by how many cells player 1 leads now."""
    first, second = state.scores()
    return first - second


def key_of(state: ludoteca.State) -> str:
    """Return the owners of all cells and the player to move: the same text for all rotations and reflections."""
    rows, found = str(state).split()[0].split("/"), list[str]()
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
        found += ["/".join(rows), "/".join(row[::-1] for row in rows)]
    return f"{min(found)} {state.current_player()}"


if __name__ == "__main__":
    size = sys.argv[1] if len(sys.argv) > 1 else "4x4"
    lead = Solver().solve(ludoteca.load("okupacio", board=size).new_initial_state())
    winner = f"player {1 if lead > 0 else 2} wins by {abs(lead)} cells" if lead else "nobody wins"
    print(f"With best play {winner}.")
