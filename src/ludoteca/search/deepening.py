"""Alpha-beta by iterative deepening, where two play for the win, nothing is hidden, and a value was learned. Compiled.

Principal variation search: the first action of a position is searched with an open window, all others only to see whether
they are better, with less depth the later they come; what turns out better is searched again. Actions come in the order of
what the value says after them, which the game writes for all of them at once (`sums_after`): so a position one action before
the horizon is valued without being searched, and one a few actions before it is not searched when what one look ahead says
is far enough from what would matter. Like the solver of endings (`search.alphabeta`) it is one loop over preallocated
arrays, which can stop after any number of positions and go on later.

Values are sums of the learned value for the player to move, in parts of LOGIT; WON is a win that is certain, whatever else
may be played, and -WON a loss. Reductions and margins never make a certain result of an estimate: those come from ends of
games only, and a position is lost when all of its actions have been proven to lose.
"""

import math
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias

import numpy as np

from ludoteca.core.choices import list_choices
from ludoteca.core.contract import Floats, Integers, RawPosition, RawPositions, i64, index
from ludoteca.search.leaf import LOGIT, Learned

if TYPE_CHECKING:
    from ludoteca.core.contract import apply, current_player, state_key, sums_after

WON: Final = 1 << 24
"""The value of a certain win, above every sum."""
FAR: Final = 1 << 25
"""Beyond every value."""
PLACES: Final = 64
"""Reductions are told apart for so many places in the order of actions, and for so many depths."""

FRAME: Final = np.dtype(
    [
        ("key", "i8"),
        ("depth", "i8"),  # actions from here to the horizon, at least 2
        ("low", "i8"),  # alpha when the position was entered
        ("alpha", "i8"),
        ("beta", "i8"),
        ("best", "i8"),  # the best value so far
        ("choice", "i8"),  # the action with that value; before there is one, that which was best in an earlier search
        ("first", "i8"),  # where the actions begin, the next is, and end
        ("next", "i8"),
        ("end", "i8"),
        ("mover", "i8"),
        ("less", "i8"),  # by how much the depth of the action that is tried now is reduced
        ("open", "i8"),  # 1 if it is searched with an open window
        ("begun", "i8"),  # the number of positions looked at before
        ("reply", "i8"),  # the action that was last good enough to end a look at a position so deep; it outlives the frame
    ]
)
ENTRY: Final = np.dtype(
    [
        ("key", "i8"),
        ("choice", "i4"),
        ("value", "i4"),
        ("depth", "i2"),  # 0 when the entry is empty
        ("bound", "i1"),  # one of the three below
        ("age", "i1"),  # of the search that wrote it
        ("spare", "i4"),
    ]
)
OPTION: Final = np.dtype(
    [
        ("action", "i8"),
        ("value", "i8"),  # for the player to move at the root
        ("depth", "i8"),  # of the search that found the value
        ("bound", "i8"),  # EXACT, or UPPER: it is no more than that
        ("work", "i8"),  # the number of positions looked at after this action
    ]
)
Frames: TypeAlias = Annotated[RawPositions, FRAME]
Entries: TypeAlias = Annotated[RawPositions, ENTRY]
Options: TypeAlias = Annotated[RawPositions, OPTION]

EXACT: Final = 0
LOWER: Final = 1
UPPER: Final = 2
BUCKET: Final = 4
"""The number of entries in which a key may stand."""

DEPTH: Final = 0
"""In `Line.counters`: the number of frames; 0 when the search is over."""
NODES: Final = 1
"""In `Line.counters`: positions looked at since the counters were made."""
VALUE: Final = 2
"""In `Line.counters`: the value of the root."""
CHOSEN: Final = 3
"""In `Line.counters`: the place of the root's best option; -1 while none is known."""
AGE: Final = 4
"""In `Line.counters`: the number of this search, as entries keep it."""
COUNTERS: Final = 5


class Line(NamedTuple):
    """The way to where the search is."""

    states: RawPositions
    """One a frame, and one more."""
    frames: Frames
    actions: Integers
    """Each frame has its part, MAX_LEGAL at most."""
    worth: Integers
    """For each action, the value of one more look ahead."""
    legal: Integers
    """Room for MAX_LEGAL actions, and for what they are worth."""
    sums: Floats
    counters: Integers


class Manner(NamedTuple):
    """How much is searched."""

    reductions: Integers
    """By PLACES * depth + place of the action: by how much its depth is reduced at first; less than the depth."""
    margin: int
    """By how much the value may change for each action of depth: an action that is worse by more is left out, and where one
    look ahead promises more by more than that, nothing is searched."""
    shallow: int
    """That is done up to this depth."""
    wide: bool
    """True to find the values of all options of the root, and not only of those that may be the best."""


def list_root(roots: RawPositions, line: Line, learned: Learned, options: Options) -> int:
    """Write the root's actions and their values after one look ahead; return their number."""
    line.states[0] = roots[0]
    n = _list_actions(line, learned, i64(0), i64(0), math.nan)
    for i in range(n):
        option = options[i]
        option.action = line.actions[index(i)]
        option.value = line.worth[index(i)]
        option.depth, option.bound, option.work = 1, EXACT, 1
    return n


def begin(roots: RawPositions, line: Line, options: Options, count: int, depth: int, low: int, high: int) -> None:
    """Start a search of roots[0], not terminal, to a depth of 2 or more: its value if it lies between `low` and `high`.

    The options are tried in their order.
    """
    line.states[0] = roots[0]
    _enter(line, i64(0), depth, low, high, i64(0), i64(-1))
    for i in range(count):
        line.actions[index(i)] = options[i].action
        line.worth[index(i)] = -i  # so that they are picked in this order
    line.frames[0].end = count
    line.counters[CHOSEN] = -1
    line.counters[VALUE] = -FAR


def go_on(line: Line, entries: Entries, options: Options, learned: Learned, manner: Manner, nodes: int) -> bool:
    """Look at about `nodes` positions more, those after one position at least; True when the search is over."""
    counters = line.counters
    last = i64(counters[NODES]) + nodes
    while counters[DEPTH] > 0 and counters[NODES] < last:
        top = i64(counters[DEPTH]) - 1
        frame = line.frames[top]
        if frame.next < frame.end and frame.alpha < frame.beta:
            _try_next(line, entries, options, learned, manner, top)
        else:
            _close(line, entries, options, learned, manner, top)
    return bool(counters[DEPTH] == 0)


def recall(roots: RawPositions, entries: Entries) -> int:
    """The action that was found best in roots[0], not terminal; -1 where nothing is known."""
    slot = _find(entries, state_key(roots[0]))
    return i64(entries[slot].choice) if slot >= 0 else i64(-1)


def _list_actions(line: Line, learned: Learned, top: int, first: int, enough: float) -> int:
    """Write the actions of states[top], and what they are worth, from `first` on; return their number.

    When one wins, those after it are left out, unless `enough` is no number.
    """
    n = _value_actions(line, learned, top, enough)
    for i in range(n):
        line.actions[index(first + i)] = line.legal[index(i)]
        line.worth[index(first + i)] = _in_parts(float(line.sums[index(i)]))
    return n


def _value_actions(line: Line, learned: Learned, top: int, enough: float) -> int:
    """Write to `legal` the actions of states[top] but giving up, and to `sums` what follows; return how many were valued.

    An action that was enough in another position so deep comes first: often it is enough here too.
    """
    state, legal, frame = line.states[top], line.legal, line.frames[top]
    n, reply = list_choices(state, legal), i64(frame.reply)
    for i in range(n):
        if legal[index(i)] == reply:
            legal[index(i)] = legal[0]
            legal[0] = reply
    n = sums_after(state, legal, n, enough, learned.weights, learned.active, line.sums)
    line.counters[NODES] += n
    if line.sums[index(n - 1)] >= enough:
        frame.reply = legal[index(n - 1)]
    return n


def _in_parts(summed: float) -> int:
    """A sum in parts of LOGIT; certain only when it is infinite."""
    if math.isinf(summed):
        return i64(WON) if summed > 0 else i64(-WON)
    return i64(math.floor(LOGIT * max(-32000.0, min(32000.0, summed)) + 0.5))


def _look(line: Line, learned: Learned, top: int, high: int) -> int:
    """The value of states[top] by one look ahead; it may stop at `high`."""
    n = _value_actions(line, learned, top, math.inf if high >= WON else high / LOGIT)
    best = line.sums[0]
    for i in range(1, n):
        best = max(best, line.sums[index(i)])
    return _in_parts(float(best))


def _enter(line: Line, top: int, depth: int, low: int, high: int, key: int, before: int) -> None:
    """Open a frame without actions for states[top]; `before` is the action that was best before, or -1."""
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


def _try_next(line: Line, entries: Entries, options: Options, learned: Learned, manner: Manner, top: int) -> None:
    """Play the frame's next action, and search what comes after it."""
    frame = line.frames[top]
    place = i64(frame.next) - i64(frame.first)
    at = _pick(line, top, place)
    worth, depth = i64(line.worth[index(at)]), i64(frame.depth)
    hope = worth + manner.margin * depth
    ends = top > 0 and abs(worth) == WON
    if top > 0 and not ends and place > 0 and depth <= manner.shallow and hope <= frame.alpha:
        frame.best = max(i64(frame.best), hope)  # those that come after it are not better
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
    _descend(line, entries, options, learned, manner, top)


def _descend(line: Line, entries: Entries, options: Options, learned: Learned, manner: Manner, top: int) -> None:
    """Search the position after the action that the frame tries now: open a frame for it, or value it at once."""
    frame = line.frames[top]
    while True:
        low = i64(frame.alpha)
        high = i64(frame.beta) if frame.open else low + 1
        if current_player(line.states[top + 1]) != frame.mover:
            low, high = -high, -low
        depth = i64(frame.depth) - 1 - i64(frame.less)
        value = _value(line, entries, learned, manner, top + 1, depth, low, high)
        if value == FAR or not _settle(line, options, manner, top, value):
            return


def _value(line: Line, entries: Entries, learned: Learned, manner: Manner, top: int, depth: int, low: int, high: int) -> int:
    """The value of states[top] where it takes no search of its actions; else FAR, and a frame is open for it."""
    if depth <= 1:
        return _look(line, learned, top, high)
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
    end = first + _list_actions(line, learned, top, first, plenty / LOGIT if prunes else math.inf)
    last = i64(line.worth[index(end - 1)])
    if prunes and plenty <= last < WON:
        return last - may_change
    _enter(line, top, depth, low, high, key, before)
    frame = line.frames[top]
    frame.end = end
    if last == WON:  # then the actions before it need not be tried
        frame.choice = line.actions[index(frame.end - 1)]
        frame.next = frame.end
        frame.best = frame.alpha = WON
    return i64(FAR)


def _pick(line: Line, top: int, place: int) -> int:
    """Bring the most promising of the frame's actions that are left to the front, and return where it is."""
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
    """Take in the value of the position after the action that the frame tries now; True if it must be searched again."""
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
    """Note the value of the frame's action, which is the one before the next."""
    frame, action = line.frames[top], i64(line.actions[index(line.frames[top].next - 1)])
    if top == 0:
        _note_option(line, options, value)
    if value > frame.best:
        frame.best = value
        frame.choice = action
    if top > 0 or not manner.wide:
        frame.alpha = max(i64(frame.alpha), value)


def _note_option(line: Line, options: Options, value: int) -> None:
    """Note what is known of one of the root's actions: its value, or that it is no better than so much."""
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


def _close(line: Line, entries: Entries, options: Options, learned: Learned, manner: Manner, top: int) -> None:
    """Note the value of the frame's position in the table and in the frame below."""
    frame = line.frames[top]
    line.counters[DEPTH] = top
    if top == 0:
        return
    _store(entries, frame, i64(line.counters[AGE]))
    if _settle(line, options, manner, top - 1, i64(frame.best)):
        _descend(line, entries, options, learned, manner, top - 1)


def _find(entries: Entries, key: int) -> int:
    """The key's entry; -1 when there is none. The table is as long as a power of two."""
    first = key & (len(entries) - BUCKET)
    for slot in range(first, first + BUCKET):
        if entries[slot].key == key and entries[slot].depth > 0:
            return i64(slot)
    return i64(-1)


def _store(entries: Entries, frame: RawPosition, age: int) -> None:
    """Put a frame's value into the table, in the place of an entry of an earlier search, or else of the least depth."""
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
    """How much an entry is worth keeping."""
    return i64(entry.depth) + (2 * PLACES if entry.age == age else 0)
