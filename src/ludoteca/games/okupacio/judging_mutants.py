"""Our own program with one sentence of the document broken at a time, for the judge to find."""

from typing import Final

from ludoteca.core.judging import Mutant

FALLS: Final = ("rules", "falls")
OCCUPY: Final = ("rules", "_occupy")
GIVE_UP: Final = ("rules", "_give_up")
END: Final = ("rules", "has_to_end")
RANK: Final = ("rules", "rank")
IDLE: Final = ("rules", "idle")
CONTROL: Final = ("ranking", "control_of")
TURN: Final = ("console_game", "_turn")
BOARD: Final = ("console_game", "_board_lines")

# A cell with many neighbours needs more than three turns. An army has to take most of the neighbours one by one, another
# army moves in between, and all but one give up unless the board is full. The shortest known games have this many turns.
MUTANTS: Final = (
    # the cells that fall with the one that is taken
    Mutant("a cell with one neighbour does not fall", "one.free", *FALLS,
           old="if mine == degree:", new="if mine == degree > 1:"),
    Mutant("a cell with two neighbours falls with one", "two.kept", *FALLS,
           old="if mine == degree:", new="if mine == degree or degree == 2:",
           also=(("_falls_at", "return ", "return state.owner[cell] != player and "),)),
    Mutant("a cell with two neighbours falls only if it is free", "two.taken", *FALLS,
           old="if mine == degree:", new="if mine == degree and (degree != 2 or owner == FREE):"),
    Mutant("a cell with three neighbours is never taken", "three.all", *FALLS, turns=6,
           old="if mine == degree:", new="if mine == degree and (degree != 3 or owner == FREE):"),
    Mutant("a free cell with three neighbours falls with three", "three.free", *FALLS,
           old="if degree < 3", new="if degree < 4"),
    Mutant("a cell of others with three neighbours falls", "three.kept", *FALLS, turns=4,
           old="return owner == FREE", new="return owner == FREE or degree == 3"),
    Mutant("a cell with four neighbours stays with all four", "four.all", *FALLS, turns=10,
           old="return True", new="return degree < 4"),
    Mutant("a free cell with four neighbours needs all", "four.free", *FALLS, turns=6,
           old="owner == FREE or (", new="owner == FREE and degree == 3 or (owner != FREE and "),
    Mutant("a cell of others with four neighbours needs all", "four.open", *FALLS, turns=7,
           old=" or (degree == 4 and theirs == 0)", new=""),
    Mutant("the fourth neighbour protects nothing", "four.kept", *FALLS, turns=6,
           old=" and theirs == 0", new=""),
    Mutant("a free cell with four neighbours falls with two", "fewer", *FALLS, turns=4,
           old="if mine == degree:", new="if mine == degree or (degree == 4 and owner == FREE and mine == 2):"),
    Mutant("walls and the edge are neighbours", "degree", "rules", "degree_of",
           old="if owner[neighbour] != WALL:", new="if True:"),
    Mutant("only one neighbour falls", "several", *OCCUPY,
           old="falling &= falling - 1", new="falling = 0"),
    Mutant("what falls lets its neighbours fall", "adjacent", *OCCUPY, turns=4,
           old="falling &= falling - 1", new="_occupy(state, taken, player); return _occupy(state, cell, player)",
           also=(("_occupy", "take_free(state, cell, player)",
                  "state.owner[cell] == player or take_free(state, cell, player)"),)),
    Mutant("free neighbours count as stolen", "stolen", *OCCUPY,
           old="take_free(state, taken, player)", new="take_free(state, taken, player); state.captured[player] += 1"),
    # turns and giving up
    Mutant("who gives up keeps the cells", "resign.cells", *GIVE_UP,
           old="if i64(owner[cell]) == player:", new="if False:"),
    Mutant("giving up is no turn", "idle.resigned", *GIVE_UP,
           old="state.playing ^=", new="state.turn -= 1; state.playing ^="),
    Mutant("turns go backwards", "turn.next", "rules", "after",
           old="following = player + 1", new="following = player - 1 if player else state.players - 1",
           also=(("after", "following + 1 if following < state.players else 0",
                  "following - 1 if following else state.players - 1"),)),
    Mutant("a full board does not end the game", "end.full", *END, old="state.n_free == 0 or ", new=""),
    Mutant("the last army plays on", "end.alone", *END, old=" or playing & (playing - 1) == 0", new=""),
    # the table
    Mutant("fewest cells first", "table.cells", *RANK,
           old="i64(state.cells[player])", new="(1000 - i64(state.cells[player]))"),
    Mutant("stolen cells break no ties", "table.stolen", *RANK,
           old=" | (i64(state.captured[player]) << 20)", new=""),
    Mutant("the one who moved last wins ties", "table.idle", *RANK,
           old="idle(state, player)", new="(10000 - idle(state, player))"),
    Mutant("letters break ties", "table.idle", *RANK, old="idle(state, player)", new="(100 - player)"),
    Mutant("turns without a move are counted from one", "idle.moved", *IDLE,
           old="i64(state.turn)", new="i64(state.turn) + 1"),
    Mutant("who has not moved has waited since the first turn", "idle.begins", *IDLE,
           old="i64(state.last[player])", new="max(i64(state.last[player]), 0)"),
    Mutant("nobody waits longer than a turn", "idle.waits", *IDLE,
           old="i64(state.last[player])", new="max(i64(state.last[player]), i64(state.turn) - 1)"),
    Mutant("who gave up stays in the table", "resign.table", "ranking", "standings_of",
           old="sorted(playing, key=lambda player: ",
           new="sorted(range(state.players), key=lambda player: rules.is_playing(state, player) * "),
    # the end
    Mutant("a wall breaks a line", "control.past_walls", "rules", "controller",
           old="if here != WALL and", new="if here == WALL or"),
    Mutant("free cells do not count in a line", "control.free", "rules", "controller",
           old="if here != WALL and", new="here = WALL if here == FREE else here\n        if here != WALL and"),
    Mutant("columns before rows", "control.rows_first", *CONTROL, old="for row in range(rows):",
           new="lines = [rules.controller(state, rules.cell_at(0, column), rules.ROW, rows) for column in range(columns)]\n"
           "    for row in range(rows if min(lines) >= rules.FREE else 0):"),
    Mutant("columns are not looked at", "control.column", *CONTROL, old="range(columns)", new="()"),
    Mutant("the last row first", "control.first_line", *CONTROL, old="range(rows)", new="reversed(range(rows))"),
    # the screen
    Mutant("a word for a wrong move", "move.wall", *TURN, old="continue", new='io.print("TIRADA INCORRECTA")'),
    Mutant("a move is one word", "move.blanks", *TURN, old="io.character(MOVE", new="io.word(MOVE",
           also=(("_turn", "move += yield from io.character(REST_OF_MOVE.format(army))", ""),)),
    Mutant("free cells are dots", "shows.free", *BOARD, old='free=" "', new='free="."'),
    Mutant("rows are numbered", "shows.letters", *BOARD, old="{letter(i)}#", new="{(i + 1) % 10}#"),
    Mutant("no border", "shows.walls", *BOARD, old="border, *", new="*", also=(("_board_lines", ", border]", "]"),)),
    Mutant("a blank after the letter of a row", "", *BOARD, old='return [f"  {letters}", border, *(f"{letter(i)}#',
           new='border = f" {border}"; return [f"   {letters}", border, *(f"{letter(i)} #'),
    Mutant("borders flush left", "", *BOARD, old="""f" {'#' *""", new="""f"{'#' *"""),
)  # fmt: skip
