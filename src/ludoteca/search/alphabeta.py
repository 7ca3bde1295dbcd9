"""Alpha-beta search with a transposition table to the end of a game, for any game with a module `endgame`
(`core.contract.Endgame`). `search.exact` calls it, compiled.

The search is one loop over arrays of a fixed size. So it can stop after any number of positions and continue later:

    frames     root --> child --> grandchild ...       one frame for each position on the current line
    states     the positions of the frames
    actions    [root's .......][child's ....][grandchild's ...      the actions of the frames
    entries    the table: bounds of positions, four to a bucket, by their keys

The value of a position is the advantage of one player, the hero, at the end of the game with best play. The hero maximises
it, and all others minimise it. The hero never plays an action that ends the game without a winner
(`core.contract.Spoiling`), but the others may. The table has gains: a position's value less the hero's advantage in the
position itself. So equal positions share an entry, even if different actions led to them.
"""

from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias

import numpy as np

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import Integers, RawPosition, RawPositions, i64, index
from ludoteca.search.tree import utilities

if TYPE_CHECKING:
    from ludoteca.core.contract import (
        action_values,
        advantage,
        apply,
        current_player,
        endgame_size,
        is_terminal,
        most_gain,
        most_loss,
        position_key,
        spoils,
        tells_actions,
    )

FAR: Final = 1 << 30
"""A number above every value."""

FRAME: Final = np.dtype(
    [
        ("key", "i8"),
        ("advantage", "i8"),  # the hero's advantage in this position
        ("low", "i8"),  # the lower end of the window at the start
        ("high", "i8"),  # the upper end
        ("alpha", "i8"),  # the lower end of the window now: a value that the hero can reach
        ("beta", "i8"),  # the upper end now: a value that the others can reach
        ("best", "i8"),  # the best value so far for the player to move
        ("choice", "i8"),  # the action with that value
        ("first", "i8"),  # the index of the first action
        ("next", "i8"),  # the index of the next action; -1 before they are listed
        ("end", "i8"),  # the index after the last action
        ("begun", "i8"),  # the number of positions visited before this one
        ("is_hero", "i8"),  # 1 if the hero moves here
    ]
)
ENTRY: Final = np.dtype(
    [
        ("key", "i8"),
        ("choice", "i8"),
        ("lower", "i4"),  # bounds of the gain
        ("upper", "i4"),
        ("work", "i8"),  # the number of positions visited for it; 0 if the entry is empty
    ]
)
Frames: TypeAlias = Annotated[RawPositions, FRAME]
Entries: TypeAlias = Annotated[RawPositions, ENTRY]

BUCKET: Final = 4
"""The number of places in the table for entries whose keys have the same low bits."""

DEPTH: Final = 0
"""In `Line.counters`: the number of frames, or 0 if the search is over."""
NODES: Final = 1
"""In `Line.counters`: the number of positions visited since the counters were made."""
UNTOLD: Final = 2
"""In `Line.counters`: how many concealed positions may have unknown actions. They count as the hero's worst case."""
OVERFULL: Final = 3
"""In `Line.counters`: 1 if the search gave up, because the arrays had no room for the line of play."""
VALUE: Final = 4
"""In `Line.counters`: the value of the root."""
CHOSEN: Final = 5
"""In `Line.counters`: the root's best action."""
COUNTERS: Final = 6


class Line(NamedTuple):
    """The current line of play, which is the positions from the root to the one that the search visits, and the search's
    counters.
    """

    states: RawPositions
    """The position of each frame, and one more for the position after the next action."""
    frames: Frames
    actions: Integers
    worth: Integers
    """The heuristic value of each action."""
    listed: Integers
    """Working memory for MAX_LEGAL actions. `valued` has room for their heuristic values."""
    valued: Integers
    counters: Integers


def measure(states: RawPositions) -> int:
    """Return how much work exact play is in states[0] (`core.contract.Endgame.endgame_size`)."""
    return endgame_size(states[0])


def assess(states: RawPositions, hero: int, out: Integers) -> None:
    """Write three advantages of the hero to `out`: out[0] is the advantage in states[0] now, out[1] the lowest and out[2]
    the highest that is still possible at the end. The unit is that of the game's `advantage`.
    """
    out[0] = advantage(states[0], hero)
    out[1] = out[0] - most_loss(states[0], hero)
    out[2] = out[0] + most_gain(states[0], hero)


def rank_actions(states: RawPositions, actions: Integers, count: int, out: Integers) -> None:
    """Write the heuristic value of each of the first `count` actions in states[0] to `out`. Higher values are searched
    earlier.
    """
    action_values(states[0], actions, count, out)


def identify(states: RawPositions) -> int:
    """Return the `position_key` of states[0]."""
    return position_key(states[0])


def pay(states: RawPositions, out: Integers) -> None:
    """Write every player's utility in states[0], in which the game is over, to `out`. A win or a point is UNITS."""
    utilities(states[0], out)


def begin(roots: RawPositions, line: Line, hero: int, low: int, high: int) -> None:
    """Start a search of roots[0], in which the game must not be over.

    If the value is between `low` and `high`, the search finds it exactly. Otherwise it only finds whether the value is at
    most `low` or at least `high`.
    """
    line.states[0] = roots[0]
    line.counters[DEPTH] = 0
    line.counters[OVERFULL] = 0
    line.counters[CHOSEN] = -1
    if not tells_actions(roots[0]):
        line.counters[UNTOLD] += 1
        line.counters[VALUE] = advantage(roots[0], hero) - most_loss(roots[0], hero)
        return
    _open(line, i64(0), hero, low, high, _key(roots[0], hero))


def go_on(line: Line, entries: Entries, hero: int, nodes: int) -> bool:
    """Continue the search for at most `nodes` more positions. Return True if it is finished.

    The counter VALUE then is the value of the root, if it is between the bounds of `begin`, and CHOSEN is the best action.
    """
    counters = line.counters
    last = i64(counters[NODES]) + nodes
    while counters[DEPTH] > 0 and counters[NODES] < last:
        top = i64(counters[DEPTH]) - 1
        frame = line.frames[top]
        if frame.next < 0:
            _list_actions(line, entries, top)
        elif frame.next < frame.end and frame.alpha < frame.beta:
            _try_next(line, entries, top, hero)
        else:
            _close(line, entries, top)
    return bool(counters[DEPTH] == 0)


def _try_next(line: Line, entries: Entries, top: int, hero: int) -> None:
    """Play the next action of the frame `top`. Record the value of the position after it, or open a frame to search that
    position.
    """
    frame = line.frames[top]
    action = _pick(line, top)
    line.counters[NODES] += 1
    line.states[top + 1] = line.states[top]
    state = line.states[top + 1]
    apply(state, action)
    now = advantage(state, hero)
    if is_terminal(state):
        _take_in(frame, action, now)
        return
    best_case, worst_case = now + most_gain(state, hero), now - most_loss(state, hero)
    if best_case <= frame.alpha:
        _take_in(frame, action, best_case)
    elif worst_case >= frame.beta:
        _take_in(frame, action, worst_case)
    elif not tells_actions(state):
        line.counters[UNTOLD] += 1
        _take_in(frame, action, worst_case)
    else:
        key = _key(state, hero)
        slot = _find(entries, key)
        lower, upper = i64(-FAR), i64(FAR)
        if slot >= 0:
            lower, upper = now + i64(entries[slot].lower), now + i64(entries[slot].upper)
        if lower == upper or lower >= frame.beta:
            _take_in(frame, action, lower)
        elif upper <= frame.alpha:
            _take_in(frame, action, upper)
        else:
            _open(line, top + 1, hero, i64(frame.alpha), i64(frame.beta), key)


def _open(line: Line, top: int, hero: int, low: int, high: int, key: int) -> None:
    """Open a frame for the position states[top], with the window from `low` to `high`. `key` is the position's key in the
    table.
    """
    state, frame, counters = line.states[top], line.frames[top], line.counters
    first = i64(0) if top == 0 else i64(line.frames[top - 1].end)
    frame.key = key
    frame.advantage = advantage(state, hero)
    frame.low = frame.alpha = low
    frame.high = frame.beta = high
    frame.is_hero = i64(1) if current_player(state) == hero else i64(0)
    frame.best = -FAR if frame.is_hero else FAR
    frame.choice = -1
    frame.first = frame.end = first
    frame.next = -1
    frame.begun = counters[NODES]
    counters[DEPTH] = top + 1


def _list_actions(line: Line, entries: Entries, top: int) -> None:
    """List the actions of the frame `top` with their heuristic values. The best action of an earlier search, if the table
    has one, is tried first.

    If there is no room for the actions, or for one more frame, the whole search gives up.
    """
    frame, listed, valued = line.frames[top], line.listed, line.valued
    if top + 2 > len(line.frames) or frame.first + len(listed) > len(line.actions):
        line.counters[DEPTH] = 0
        line.counters[OVERFULL] = 1
        return
    n = list_choices(line.states[top], listed)
    action_values(line.states[top], listed, n, valued)
    slot = _find(entries, i64(frame.key))
    before = i64(entries[slot].choice) if slot >= 0 else i64(-1)
    end = i64(frame.first)
    for i in range(n):
        if not (frame.is_hero and spoils(line.states[top], listed[i])):
            line.actions[index(end)] = listed[i]
            line.worth[index(end)] = FAR if listed[i] == before else valued[i]
            end += 1
    frame.next = frame.first
    frame.end = end


def _pick(line: Line, top: int) -> int:
    """Return the action with the highest heuristic value among the frame's actions that were not tried yet. In the list, the
    first of these changes places with it.
    """
    frame, actions, worth = line.frames[top], line.actions, line.worth
    at = i64(frame.next)
    best = at
    for i in range(at + 1, i64(frame.end)):
        if worth[index(i)] > worth[index(best)]:
            best = i64(i)
    action = i64(actions[index(best)])
    actions[index(best)] = actions[index(at)]
    worth[index(best)] = worth[index(at)]
    actions[index(at)] = action
    frame.next = at + 1
    return action


def _take_in(frame: RawPosition, action: int, value: int) -> None:
    """Record the value of the position after one of the frame's actions."""
    if frame.is_hero:
        if value > frame.best:
            frame.best = value
            frame.choice = action
            frame.alpha = max(i64(frame.alpha), value)
    elif value < frame.best:
        frame.best = value
        frame.choice = action
        frame.beta = min(i64(frame.beta), value)


def _close(line: Line, entries: Entries, top: int) -> None:
    """Record the value of the position of frame `top` in the table and in the frame before it."""
    frame, counters = line.frames[top], line.counters
    value = i64(frame.best)
    _store(entries, frame, i64(counters[NODES]) - i64(frame.begun) + 1)
    counters[DEPTH] = top
    if top == 0:
        counters[VALUE] = value
        counters[CHOSEN] = frame.choice
        return
    below = line.frames[top - 1]
    _take_in(below, i64(line.actions[index(below.next - 1)]), value)


def _key(state: RawPosition, hero: int) -> int:
    """Return the position's key in the table for this hero. Gains of different heroes have different keys."""
    return position_key(state) ^ (hero << 40)


def _find(entries: Entries, key: int) -> int:
    """Return the index of the entry with this key in the table, or -1 if there is none. The length of the table must be a
    power of two.
    """
    first = key & (len(entries) - BUCKET)
    for slot in range(first, first + BUCKET):
        if entries[slot].key == key and entries[slot].work > 0:
            return i64(slot)
    return i64(-1)


def _store(entries: Entries, frame: RawPosition, work: int) -> None:
    """Write the value of a frame to the table. `work` is the number of positions that the search visited for it. If the
    table has no entry with this key, the entry in the bucket with the least work is replaced.
    """
    key, gain = i64(frame.key), i64(frame.best) - i64(frame.advantage)
    slot = _find(entries, key)
    if slot < 0:
        slot = key & (len(entries) - BUCKET)
        for other in range(slot + 1, slot + BUCKET):
            if entries[other].work < entries[slot].work:
                slot = i64(other)
        entries[slot].key = key
        entries[slot].lower = -FAR
        entries[slot].upper = FAR
    entry = entries[slot]
    if frame.best > frame.low:
        entry.lower = max(i64(entry.lower), gain)
    if frame.best < frame.high:
        entry.upper = min(i64(entry.upper), gain)
    entry.choice = frame.choice
    entry.work = work
