"""Alpha-beta search with the learned value, for two players who play for the win, without hidden information.
`search.deepener` calls it, compiled, with greater and greater depth.

It is a principal variation search. The first action of a position is searched with an open window. For each other action, a
search with an empty window only tests whether it is better. Later actions are tested with less depth (a reduction). An
action that proves better is searched again. The game gives the learned values after all actions of a position at once
(`core.contract.Value.sums_after`), and the actions are tried in the order of these values. One action before the horizon,
these values replace the search. Such a step is called a look ahead here. A few actions before the horizon, the look ahead is
enough if its value is far outside the window.

As in `search.alphabeta`, the search is one loop over arrays of a fixed size, so it can stop after any number of positions
and continue later.

Values are sums of the learned value for the player to move, in parts of LOGIT. WON is a certain win, and -WON a certain
loss. Certain results come only from ends of games, and never from reductions or assumed margins. A position is lost if all
of its actions are proven losses.
"""

import math
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias

import numpy as np

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import Floats, Integers, RawPosition, RawPositions, i64, index
from ludoteca.search.leaf import LOGIT, Evaluator

if TYPE_CHECKING:
    from ludoteca.core.contract import apply, current_player, state_key, sums_after

WON: Final = 1 << 24
"""The value of a certain win. It is above every sum of weights."""
FAR: Final = 1 << 25
"""A number above every value."""
PLACES: Final = 64
"""The table of reductions distinguishes this many depths, and this many places in the order of actions."""

FRAME: Final = np.dtype(
    [
        ("key", "i8"),
        ("depth", "i8"),  # actions from here to the horizon, at least 2
        ("low", "i8"),  # alpha at the start
        ("alpha", "i8"),
        ("beta", "i8"),
        ("best", "i8"),  # the best value so far
        ("choice", "i8"),  # the action with that value, or at first the best action of an earlier search
        ("first", "i8"),  # the index of the first action
        ("next", "i8"),  # the index of the next action
        ("end", "i8"),  # the index after the last action
        ("mover", "i8"),
        ("less", "i8"),  # the reduction of the current action's depth
        ("open", "i8"),  # 1 if the current action is searched with an open window
        ("begun", "i8"),  # the number of positions visited before this one
        ("reply", "i8"),  # the last action that ended a look ahead at this distance from the root (it outlives the frame)
    ]
)
ENTRY: Final = np.dtype(
    [
        ("key", "i8"),
        ("choice", "i4"),
        ("value", "i4"),
        ("depth", "i2"),  # 0 if the entry is empty
        ("bound", "i1"),  # EXACT, LOWER or UPPER
        ("age", "i1"),  # of the search that wrote it
        ("spare", "i4"),
    ]
)
OPTION: Final = np.dtype(
    [
        ("action", "i8"),
        ("value", "i8"),  # for the player to move at the root
        ("depth", "i8"),  # of the search that found the value
        ("bound", "i8"),  # EXACT, or UPPER if the value may be lower
        ("work", "i8"),  # the number of positions visited after this action
    ]
)
Frames: TypeAlias = Annotated[RawPositions, FRAME]
Entries: TypeAlias = Annotated[RawPositions, ENTRY]
Options: TypeAlias = Annotated[RawPositions, OPTION]

EXACT: Final = 0
LOWER: Final = 1
UPPER: Final = 2
BUCKET: Final = 4
"""The number of places in the table for entries whose keys have the same low bits."""

DEPTH: Final = 0
"""In `Line.counters`: the number of frames, or 0 if the search is over."""
NODES: Final = 1
"""In `Line.counters`: the number of positions visited since the counters were made."""
VALUE: Final = 2
"""In `Line.counters`: the value of the root."""
CHOSEN: Final = 3
"""In `Line.counters`: the index of the root's best option, or -1 before it is known."""
AGE: Final = 4
"""In `Line.counters`: the number of the present search. Table entries store the number of the search that wrote them."""
COUNTERS: Final = 5


class Line(NamedTuple):
    """The current line of play, which is the positions from the root to the one that the search visits, and the search's
    counters.
    """

    states: RawPositions
    """The position of each frame, and one more for the position after the next action."""
    frames: Frames
    actions: Integers
    """The actions of the frames, at most MAX_LEGAL for each."""
    worth: Integers
    """The value after each action, by a look ahead."""
    legal: Integers
    """Working memory for MAX_LEGAL actions. `sums` has room for the sums of weights after them."""
    sums: Floats
    counters: Integers


class Manner(NamedTuple):
    """How far the search looks: which actions get less depth, and which are left out."""

    reductions: Integers
    """The reduction of an action's depth in its first search, at index PLACES * depth + place. It is less than the depth."""
    margin: int
    """The assumed change of a value for each action of depth. Actions that are worse by more are left out. A position is not
    searched if the look ahead is better than the window by more."""
    shallow: int
    """The margin is used up to this depth."""
    wide: bool
    """True to find the values of all options of the root, False to find only the best option."""


def list_root(roots: RawPositions, line: Line, evaluator: Evaluator, options: Options) -> int:
    """Write the actions of roots[0] to `options`, each with its value by a look ahead. Return their number."""
    line.states[0] = roots[0]
    n = _list_actions(line, evaluator, i64(0), i64(0), math.nan)
    for i in range(n):
        option = options[i]
        option.action = line.actions[index(i)]
        option.value = line.worth[index(i)]
        option.depth, option.bound, option.work = 1, EXACT, 1
    return n


def begin(roots: RawPositions, line: Line, options: Options, count: int, depth: int, low: int, high: int) -> None:
    """Start a search of roots[0] to a depth of 2 or more. The first `count` options are tried in their order. The game must
    not be over.

    If the value is between `low` and `high`, the search finds it exactly. Otherwise it only finds whether the value is at
    most `low` or at least `high`.
    """
    line.states[0] = roots[0]
    _enter(line, i64(0), depth, low, high, i64(0), i64(-1))
    for i in range(count):
        line.actions[index(i)] = options[i].action
        line.worth[index(i)] = -i  # this keeps their order
    line.frames[0].end = count
    line.counters[CHOSEN] = -1
    line.counters[VALUE] = -FAR


def go_on(line: Line, entries: Entries, options: Options, evaluator: Evaluator, manner: Manner, nodes: int) -> bool:
    """Continue the search for about `nodes` more positions. Return True if it is finished.

    It may visit some positions more, because the positions after all actions of one position are visited together.
    """
    counters = line.counters
    last = i64(counters[NODES]) + nodes
    while counters[DEPTH] > 0 and counters[NODES] < last:
        top = i64(counters[DEPTH]) - 1
        frame = line.frames[top]
        if frame.next < frame.end and frame.alpha < frame.beta:
            _try_next(line, entries, options, evaluator, manner, top)
        else:
            _close(line, entries, options, evaluator, manner, top)
    return bool(counters[DEPTH] == 0)


def recall(roots: RawPositions, entries: Entries) -> int:
    """Return the best action that the table has for roots[0], or -1 if it has none. The game must not be over."""
    slot = _find(entries, state_key(roots[0]))
    return i64(entries[slot].choice) if slot >= 0 else i64(-1)


def _list_actions(line: Line, evaluator: Evaluator, top: int, first: int, enough: float) -> int:
    """Write the actions of states[top] and the values after them to the arrays of the line, from index `first` on. Return
    their number.

    The list ends with the first action whose sum of weights is at least `enough`. If `enough` is NaN, it has all actions.
    """
    n = _value_actions(line, evaluator, top, enough)
    for i in range(n):
        line.actions[index(first + i)] = line.legal[index(i)]
        line.worth[index(first + i)] = _in_parts(float(line.sums[index(i)]))
    return n


def _value_actions(line: Line, evaluator: Evaluator, top: int, enough: float) -> int:
    """Write the actions of states[top], except giving up, to `legal`, and the sums of weights after them to `sums`. Return
    the number of sums.

    The function stops at the first action whose sum is at least `enough`. It tries first the action at which it stopped in
    the last position at the same distance from the root, because that action is often good enough here, too.
    """
    state, legal, frame = line.states[top], line.legal, line.frames[top]
    n, reply = list_choices(state, legal), i64(frame.reply)
    for i in range(n):
        if legal[index(i)] == reply:
            legal[index(i)] = legal[0]
            legal[0] = reply
    n = sums_after(state, legal, n, enough, evaluator.weights, evaluator.active, line.sums)
    line.counters[NODES] += n
    if line.sums[index(n - 1)] >= enough:
        frame.reply = legal[index(n - 1)]
    return n


def _in_parts(summed: float) -> int:
    """Return a sum of weights in parts of LOGIT. An infinite sum, and no other, becomes WON or -WON."""
    if math.isinf(summed):
        return i64(WON) if summed > 0 else i64(-WON)
    return i64(math.floor(LOGIT * max(-32000.0, min(32000.0, summed)) + 0.5))


def _look(line: Line, evaluator: Evaluator, top: int, high: int) -> int:
    """Return the value of states[top] by a look ahead, which is the highest learned value after an action. It may stop at
    the first value of `high` or more.
    """
    n = _value_actions(line, evaluator, top, math.inf if high >= WON else high / LOGIT)
    best = line.sums[0]
    for i in range(1, n):
        best = max(best, line.sums[index(i)])
    return _in_parts(float(best))


def _enter(line: Line, top: int, depth: int, low: int, high: int, key: int, before: int) -> None:
    """Open a frame for states[top], without actions. `before` is the best action of an earlier search, or -1 if none is
    known.
    """
    frame = line.frames[top]
    frame.key, frame.depth = key, depth
    frame.low = frame.alpha = low
    frame.beta = high
    frame.best = -FAR
    frame.choice = before
    frame.first = frame.next = frame.end = i64(0) if top == 0 else i64(line.frames[top - 1].end)
    frame.mover = current_player(line.states[top])
    frame.less = frame.open = 0
    frame.begun = line.counters[NODES]
    line.counters[DEPTH] = top + 1


def _try_next(line: Line, entries: Entries, options: Options, evaluator: Evaluator, manner: Manner, top: int) -> None:
    """Play the next action of the frame `top`, and search the position after it."""
    frame = line.frames[top]
    place = i64(frame.next) - i64(frame.first)
    at = _pick(line, top, place)
    worth, depth = i64(line.worth[index(at)]), i64(frame.depth)
    hope = worth + manner.margin * depth
    ends = top > 0 and abs(worth) == WON
    if top > 0 and not ends and place > 0 and depth <= manner.shallow and hope <= frame.alpha:
        frame.best = max(i64(frame.best), hope)  # later actions are not better
        frame.next = frame.end
        return
    frame.next += 1
    if ends:
        _take_in(line, options, manner, top, worth)
        return
    line.states[top + 1] = line.states[top]
    apply(line.states[top + 1], i64(line.actions[index(at)]))
    frame.less = manner.reductions[index(PLACES * min(depth, i64(PLACES - 1)) + min(place, i64(PLACES - 1)))]
    frame.open = 1 if place == 0 else 0
    if top == 0:
        frame.begun = line.counters[NODES]
        if manner.wide:
            frame.less, frame.open = 0, 1
    _descend(line, entries, options, evaluator, manner, top)


def _descend(line: Line, entries: Entries, options: Options, evaluator: Evaluator, manner: Manner, top: int) -> None:
    """Search the position after the current action of the frame `top`: value it at once if possible, else open a frame for
    it.
    """
    frame = line.frames[top]
    while True:
        low = i64(frame.alpha)
        high = i64(frame.beta) if frame.open else low + 1
        if current_player(line.states[top + 1]) != frame.mover:
            low, high = -high, -low
        depth = i64(frame.depth) - 1 - i64(frame.less)
        value = _value(line, entries, evaluator, manner, top + 1, depth, low, high)
        if value == FAR or not _settle(line, options, manner, top, value):
            return


def _value(
    line: Line, entries: Entries, evaluator: Evaluator, manner: Manner, top: int, depth: int, low: int, high: int
) -> int:
    """Return the value of states[top] if the table or a look ahead gives it. Otherwise open a frame for it and
    return FAR.
    """
    if depth <= 1:
        return _look(line, evaluator, top, high)
    key, before = state_key(line.states[top]), i64(-1)
    slot = _find(entries, key)
    if slot >= 0:
        entry = entries[slot]
        before, value, bound = i64(entry.choice), i64(entry.value), i64(entry.bound)
        entry.age = line.counters[AGE]
        sure = abs(value) == WON
        if (entry.depth >= depth or sure) and (
            bound == EXACT or (bound == LOWER and value >= high) or (bound == UPPER and value <= low)
        ):
            return value
    may_change, first = manner.margin * depth, i64(line.frames[top - 1].end)
    plenty = high + may_change
    prunes = depth <= manner.shallow and high - low == 1 and plenty < WON
    end = first + _list_actions(line, evaluator, top, first, plenty / LOGIT if prunes else math.inf)
    last = i64(line.worth[index(end - 1)])
    if prunes and plenty <= last < WON:
        return last - may_change
    _enter(line, top, depth, low, high, key, before)
    frame = line.frames[top]
    frame.end = end
    if last == WON:  # the actions before it need no search
        frame.choice = line.actions[index(frame.end - 1)]
        frame.next = frame.end
        frame.best = frame.alpha = WON
    return i64(FAR)


def _pick(line: Line, top: int, place: int) -> int:
    """Move the best of the frame's untried actions to the front of them, and return its index."""
    frame, actions, worth = line.frames[top], line.actions, line.worth
    at = i64(frame.next)
    best = at
    for i in range(at + 1, i64(frame.end)):
        if worth[index(i)] > worth[index(best)]:
            best = i64(i)
    if place == 0 and frame.choice >= 0:
        for i in range(at, i64(frame.end)):
            if actions[index(i)] == frame.choice:
                best = i64(i)
    action, promised = i64(actions[index(best)]), i64(worth[index(best)])
    actions[index(best)] = actions[index(at)]
    worth[index(best)] = worth[index(at)]
    actions[index(at)] = action
    worth[index(at)] = promised
    return at


def _settle(line: Line, options: Options, manner: Manner, top: int, found: int) -> bool:
    """Record the value after the frame's current action. Return True if the action must be searched again, with full depth
    or an open window, because it proved better than expected.
    """
    frame = line.frames[top]
    value = -found if current_player(line.states[top + 1]) != frame.mover else found
    if value > frame.alpha and frame.less > 0 and value != WON:
        frame.less = 0
        return True
    if value > frame.alpha and value < frame.beta and frame.open == 0:
        frame.open = 1
        frame.less = 0
        return True
    _take_in(line, options, manner, top, value)
    return False


def _take_in(line: Line, options: Options, manner: Manner, top: int, value: int) -> None:
    """Record the value of the frame's current action, which is the one before `next`."""
    frame, action = line.frames[top], i64(line.actions[index(line.frames[top].next - 1)])
    if top == 0:
        _note_option(line, options, value)
    if value > frame.best:
        frame.best = value
        frame.choice = action
    if top > 0 or not manner.wide:
        frame.alpha = max(i64(frame.alpha), value)


def _note_option(line: Line, options: Options, value: int) -> None:
    """Record the value of the root's current option. If the search showed only that it is not better than the best one, the
    value is an upper bound.
    """
    root, counters = line.frames[0], line.counters
    place = i64(root.next) - 1
    option = options[place]
    option.work += i64(counters[NODES]) - i64(root.begun)
    if value > root.alpha or value == -WON:
        option.value, option.depth, option.bound = value, root.depth, EXACT
    elif value < option.value:
        option.value, option.depth, option.bound = value, root.depth, UPPER
    if value > max(i64(root.best), i64(root.low)):
        counters[CHOSEN] = place
        counters[VALUE] = value


def _close(line: Line, entries: Entries, options: Options, evaluator: Evaluator, manner: Manner, top: int) -> None:
    """Record the value of the position of frame `top` in the table and in the frame before it."""
    frame = line.frames[top]
    line.counters[DEPTH] = top
    if top == 0:
        return
    _store(entries, frame, i64(line.counters[AGE]))
    if _settle(line, options, manner, top - 1, i64(frame.best)):
        _descend(line, entries, options, evaluator, manner, top - 1)


def _find(entries: Entries, key: int) -> int:
    """Return the index of the entry with this key in the table, or -1 if there is none. The length of the table must be a
    power of two.
    """
    first = key & (len(entries) - BUCKET)
    for slot in range(first, first + BUCKET):
        if entries[slot].key == key and entries[slot].depth > 0:
            return i64(slot)
    return i64(-1)


def _store(entries: Entries, frame: RawPosition, age: int) -> None:
    """Write the value of a frame to the table. `age` is the number of the present search.

    If the table has no entry with this key, it replaces an entry of an earlier search in the same bucket, or else the one
    with the least depth.
    """
    key = i64(frame.key)
    slot = _find(entries, key)
    if slot < 0:
        slot = key & (len(entries) - BUCKET)
        for other in range(slot + 1, slot + BUCKET):
            if _standing(entries[other], age) < _standing(entries[slot], age):
                slot = i64(other)
    entry, best = entries[slot], i64(frame.best)
    entry.key, entry.choice, entry.value = key, frame.choice, best
    entry.depth, entry.age = frame.depth, age
    entry.bound = EXACT
    if best <= frame.low:
        entry.bound = UPPER
    elif best >= frame.beta:
        entry.bound = LOWER


def _standing(entry: RawPosition, age: int) -> int:
    """Return the rank of an entry in its bucket. The entry with the lowest rank is replaced first."""
    return i64(entry.depth) + (2 * PLACES if entry.age == age else 0)
