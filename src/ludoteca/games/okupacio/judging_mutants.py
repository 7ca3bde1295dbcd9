"""Our own program with one sentence of the document broken at a time, for the judge to find.

What is imported here by name stays as it is while a mutant runs, so that a replacement may call what it replaces.
"""

from collections.abc import Callable
from typing import Final

from ludoteca.core.console import Console, Dialogue
from ludoteca.core.contract import RawPosition, i64
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import State
from ludoteca.core.judging import Mutant
from ludoteca.games.okupacio import rules
from ludoteca.games.okupacio.console_game import MOVE, TO_MOVE, _board_lines
from ludoteca.games.okupacio.notation import army_name
from ludoteca.games.okupacio.ranking import Control, Standing, control_of
from ludoteca.games.okupacio.rules import (
    FREE,
    ROW,
    WALL,
    _give_up,
    _occupy,
    cell_at,
    controller,
    falls,
    idle,
    is_playing,
    take_free,
)

Law = Callable[[int, int, int, int], bool]
"""Says whether a neighbour falls, as `rules.falls` does: by its degree, the taker's and the owner's cells around it."""


def _take(state: RawPosition, cell: int, player: int) -> None:
    """Give a neighbour to the player, whoever had it."""
    owner = i64(state.owner[cell])
    if owner == FREE:
        take_free(state, cell, player)
        return
    state.owner[cell] = player
    state.cells[player] += 1
    state.cells[owner] -= 1
    state.captured[player] += 1
    rules._count_around(state.around, cell, (1 << (4 * player)) - (1 << (4 * owner)))


def _occupy_by(state: RawPosition, cell: int, player: int, law: Law) -> None:
    """`rules._occupy` with another law, and nothing made of it beforehand."""
    take_free(state, cell, player)
    falling = []
    for near in (cell - ROW, cell - 1, cell + 1, cell + ROW):
        holder = i64(state.owner[near])
        if holder not in (WALL, player):
            beside = [i64(state.owner[each]) for each in (near - ROW, near - 1, near + 1, near + ROW)]
            open_ones = [each for each in beside if each != WALL]
            if law(len(open_ones), open_ones.count(player), holder, open_ones.count(holder)):
                falling.append(near)
    for near in falling:
        _take(state, near, player)


# The laws of section “Ocupació de caselles adjacents”, each with one sentence broken


def _one_stays(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return degree > 1 and falls(degree, mine, owner, theirs)


def _two_fall_with_one(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return degree == 2 or falls(degree, mine, owner, theirs)


def _two_fall_only_free(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree != 2 or owner == FREE) and falls(degree, mine, owner, theirs)


def _never_from_three(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree != 3 or owner == FREE) and falls(degree, mine, owner, theirs)


def _three_need_all(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree != 3 or mine == 3) and falls(degree, mine, owner, theirs)


def _three_fall_with_two(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree == 3 and mine == 2) or falls(degree, mine, owner, theirs)


def _four_stay_if_all(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree != 4 or mine < 4) and falls(degree, mine, owner, theirs)


def _four_need_all_if_free(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree != 4 or owner != FREE or mine == 4) and falls(degree, mine, owner, theirs)


def _four_need_all_if_taken(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree != 4 or owner == FREE or mine == 4) and falls(degree, mine, owner, theirs)


def _four_fall_with_three(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree == 4 and mine == 3) or falls(degree, mine, owner, theirs)


def _half_is_enough(degree: int, mine: int, owner: int, theirs: int) -> bool:
    return (degree == 4 and owner == FREE and mine == 2) or falls(degree, mine, owner, theirs)


def one_stays(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _one_stays)


def two_fall_with_one(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _two_fall_with_one)


def two_fall_only_free(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _two_fall_only_free)


def never_from_three(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _never_from_three)


def three_need_all(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _three_need_all)


def three_fall_with_two(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _three_fall_with_two)


def four_stay_if_all(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _four_stay_if_all)


def four_need_all_if_free(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _four_need_all_if_free)


def four_need_all_if_taken(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _four_need_all_if_taken)


def four_fall_with_three(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _four_fall_with_three)


def half_is_enough(state: RawPosition, cell: int, player: int) -> None:
    _occupy_by(state, cell, player, _half_is_enough)


def edges_count(state: RawPosition, cell: int, player: int) -> None:
    """Walls and the edge count as cells that nobody owns: every neighbour has four."""
    take_free(state, cell, player)
    for near in (cell - ROW, cell - 1, cell + 1, cell + ROW):
        holder = i64(state.owner[near])
        if holder not in (WALL, player):
            beside = [i64(state.owner[each]) for each in (near - ROW, near - 1, near + 1, near + ROW)]
            if falls(4, beside.count(player), holder, beside.count(holder)):
                _take(state, near, player)


def only_one_falls(state: RawPosition, cell: int, player: int) -> None:
    """Of several neighbours that fall, only the first is taken."""
    take_free(state, cell, player)
    for near in (cell - ROW, cell - 1, cell + 1, cell + ROW):
        if rules._falls_at(state, near, player):
            _take(state, near, player)
            return


def goes_on_falling(state: RawPosition, cell: int, player: int) -> None:
    """What falls lets its own neighbours fall."""
    take_free(state, cell, player)
    waiting = [cell]
    for here in waiting:  # which grows
        for near in (here - ROW, here - 1, here + 1, here + ROW):
            if i64(state.owner[near]) != WALL and rules._falls_at(state, near, player):
                _take(state, near, player)
                waiting.append(near)


def free_ones_are_stolen(state: RawPosition, cell: int, player: int) -> None:
    """Free neighbours count as taken from others."""
    before = i64(state.cells[player])
    captured = i64(state.captured[player])
    _occupy(state, cell, player)
    state.captured[player] = captured + i64(state.cells[player]) - before - 1


# Turns and giving up


def keeps_cells(state: RawPosition, player: int) -> None:
    """Who gives up keeps the cells."""
    state.cells[player] = 0
    state.captured[player] = 0
    state.last[player] = 0
    state.playing ^= i64(1) << player


def giving_up_is_no_turn(state: RawPosition, player: int) -> None:
    _give_up(state, player)
    state.turn -= 1


def backwards(state: RawPosition, player: int) -> int:
    """The turn goes from A to the last army."""
    playing = i64(state.playing)
    following = player - 1
    while following < 0 or (playing >> following) & 1 == 0:
        following = following - 1 if following > 0 else i64(state.players) - 1
    return following


def never_full(state: RawPosition) -> bool:
    playing = i64(state.playing)
    return playing & (playing - 1) == 0


def plays_alone(state: RawPosition) -> bool:
    return i64(state.n_free) == 0


# The table


def fewest_first(state: RawPosition, player: int) -> int:
    return ((1000 - i64(state.cells[player])) << 40) | (i64(state.captured[player]) << 20) | idle(state, player)


def thieves_equal(state: RawPosition, player: int) -> int:
    return (i64(state.cells[player]) << 40) | idle(state, player)


def waiting_last(state: RawPosition, player: int) -> int:
    return (i64(state.cells[player]) << 40) | (i64(state.captured[player]) << 20) | (10000 - idle(state, player))


def letters_break_ties(state: RawPosition, player: int) -> int:
    return (i64(state.cells[player]) << 40) | (i64(state.captured[player]) << 20) | (100 - player)


def counts_from_one(state: RawPosition, player: int) -> int:
    return idle(state, player) + 1


def begins_at_zero(state: RawPosition, player: int) -> int:
    """Who has not moved yet waits since the first turn."""
    return min(idle(state, player), i64(state.turn))


def waits_for_own_turns(state: RawPosition, player: int) -> int:
    """An army that does not move waits no more than one turn."""
    return min(idle(state, player), 1)


def lists_all(state: State) -> list[Standing]:
    """Who gave up stays in the table."""
    raw = state.raw
    armies = sorted(range(raw.players), key=lambda player: -rules.rank(raw, player) * is_playing(raw, player))
    return [
        Standing(player, int(raw.cells[player]), int(raw.captured[player]), int(rules.idle(raw, player)))
        for player in armies
    ]


# The end


def walls_break_lines(state: RawPosition, cell: int, step: int, length: int) -> int:
    cells = [i64(state.owner[cell + i * step]) for i in range(length)]
    return FREE if WALL in cells else controller(state, cell, step, length)


def free_cells_do_not_count(state: RawPosition, cell: int, step: int, length: int) -> int:
    holders = {i64(state.owner[cell + i * step]) for i in range(length)} - {WALL, FREE}
    return holders.pop() if len(holders) == 1 else FREE


def columns_first(state: RawPosition) -> Control | None:
    rows, columns = int(state.rows), int(state.columns)
    for column in range(columns):
        player = controller(state, cell_at(0, column), ROW, rows)
        if player < FREE:
            return Control(int(player), "column", column)
    return control_of(state)


def rows_only(state: RawPosition) -> Control | None:
    found = control_of(state)
    return found if found and found.line == "row" else None


def last_row_first(state: RawPosition) -> Control | None:
    for row in reversed(range(int(state.rows))):
        player = controller(state, cell_at(row, 0), 1, int(state.columns))
        if player < FREE:
            return Control(int(player), "row", row)
    return control_of(state)


# The screen


def complains(io: Console, state: State) -> Dialogue[None]:
    """A word is printed for a wrong move before it is asked for again."""
    army = army_name(state.current_player())
    while True:
        io.print(TO_MOVE.format(army))
        move = yield from io.character(MOVE.format(army))
        move += yield from io.character(MOVE.format(army))
        try:
            return state.apply_action(state.string_to_action(move))
        except (NotationError, IllegalActionError):
            io.print("TIRADA INCORRECTA")


def needs_no_blanks(io: Console, state: State) -> Dialogue[None]:
    """A move is read as one word."""
    army = army_name(state.current_player())
    while True:
        io.print(TO_MOVE.format(army))
        move = yield from io.word(MOVE.format(army))
        try:
            return state.apply_action(state.string_to_action(move))
        except (NotationError, IllegalActionError):
            continue


def dots(state: State) -> list[str]:
    """Free cells are dots."""
    head, border, *rows = _board_lines(state)
    return [head, border, *(row[:2] + row[2:].replace(" ", ".") for row in rows[:-1]), border]


def numbers(state: State) -> list[str]:
    """Rows are numbered."""
    head, border, *rows = _board_lines(state)
    return [head, border, *(f"{number % 10}{row[1:]}" for number, row in enumerate(rows[:-1], 1)), border]


def no_border(state: State) -> list[str]:
    head, _, *rows = _board_lines(state)
    return [head, *rows[:-1]]


def blank_after_letter(state: State) -> list[str]:
    """As the document's page looks once it has been copied: blanks are lost and won."""
    head, border, *rows = _board_lines(state)
    return [f" {head}", f" {border}", *(f"{row[0]} {row[1:]}" for row in rows[:-1]), f" {border}"]


def flush_left(state: State) -> list[str]:
    head, border, *rows = _board_lines(state)
    return [head, border.strip(), *rows[:-1], border.strip()]


# Where a cell has many neighbours three turns cannot show it: an army has to take most of them one by one, another army
# moves in between, and somebody has to give up unless the board is full. These are the shortest games that were found.
MUTANTS: Final = (
    Mutant("a cell with one neighbour does not fall", "one.free", "rules", "_occupy", one_stays),
    Mutant("a cell with two neighbours falls with one", "two.kept", "rules", "_occupy", two_fall_with_one),
    Mutant("a cell with two neighbours falls only if it is free", "two.taken", "rules", "_occupy", two_fall_only_free),
    Mutant(
        "a cell with three neighbours is never taken",
        "three.all",
        "rules",
        "_occupy",
        never_from_three,
        turns=6,
    ),
    Mutant("a free cell with three neighbours falls with three", "three.free", "rules", "_occupy", three_need_all),
    Mutant("a cell of others with three neighbours falls", "three.kept", "rules", "_occupy", three_fall_with_two, turns=4),
    Mutant("a cell with four neighbours stays with all four", "four.all", "rules", "_occupy", four_stay_if_all, turns=10),
    Mutant("a free cell with four neighbours needs all", "four.free", "rules", "_occupy", four_need_all_if_free, turns=6),
    Mutant(
        "a cell of others with four neighbours needs all", "four.open", "rules", "_occupy", four_need_all_if_taken, turns=7
    ),
    Mutant("the fourth neighbour protects nothing", "four.kept", "rules", "_occupy", four_fall_with_three, turns=6),
    Mutant("a free cell with four neighbours falls with two", "fewer", "rules", "_occupy", half_is_enough, turns=4),
    Mutant("walls and the edge are neighbours", "degree", "rules", "_occupy", edges_count),
    Mutant("only one neighbour falls", "several", "rules", "_occupy", only_one_falls),
    Mutant("what falls lets its neighbours fall", "adjacent", "rules", "_occupy", goes_on_falling, turns=4),
    Mutant("free neighbours count as stolen", "stolen", "rules", "_occupy", free_ones_are_stolen),
    Mutant("who gives up keeps the cells", "resign.cells", "rules", "_give_up", keeps_cells),
    Mutant("giving up is no turn", "idle.resigned", "rules", "_give_up", giving_up_is_no_turn),
    Mutant("turns go backwards", "turn.next", "rules", "after", backwards),
    Mutant("a full board does not end the game", "end.full", "rules", "has_to_end", never_full),
    Mutant("the last army plays on", "end.alone", "rules", "has_to_end", plays_alone),
    Mutant("fewest cells first", "table.cells", "rules", "rank", fewest_first),
    Mutant("stolen cells break no ties", "table.stolen", "rules", "rank", thieves_equal),
    Mutant("the one who moved last wins ties", "table.idle", "rules", "rank", waiting_last),
    Mutant("letters break ties", "table.idle", "rules", "rank", letters_break_ties),
    Mutant("turns without a move are counted from one", "idle.moved", "rules", "idle", counts_from_one),
    Mutant("who has not moved has waited since the first turn", "idle.begins", "rules", "idle", begins_at_zero),
    Mutant("nobody waits longer than a turn", "idle.waits", "rules", "idle", waits_for_own_turns),
    Mutant("who gave up stays in the table", "resign.table", "ranking", "standings", lists_all),
    Mutant("a wall breaks a line", "control.past_walls", "rules", "controller", walls_break_lines),
    Mutant("free cells do not count in a line", "control.free", "rules", "controller", free_cells_do_not_count),
    Mutant("columns before rows", "control.rows_first", "ranking", "control_of", columns_first),
    Mutant("columns are not looked at", "control.column", "ranking", "control_of", rows_only),
    Mutant("the last row first", "control.first_line", "ranking", "control_of", last_row_first),
    Mutant("a word for a wrong move", "move.wall", "console_game", "_turn", complains),
    Mutant("a move is one word", "move.blanks", "console_game", "_turn", needs_no_blanks),
    Mutant("free cells are dots", "shows.free", "console_game", "_board_lines", dots),
    Mutant("rows are numbered", "shows.letters", "console_game", "_board_lines", numbers),
    Mutant("no border", "shows.walls", "console_game", "_board_lines", no_border),
    Mutant("a blank after the letter of a row", "", "console_game", "_board_lines", blank_after_letter),
    Mutant("borders flush left", "", "console_game", "_board_lines", flush_left),
)
