"""Mutants of our program, each of which breaks one sentence of the document. The judge must find each."""

from typing import Final

from ludoteca.core.judging import Mutant

FALLS: Final = ("rules", "falls")
OCCUPY: Final = ("rules", "_occupy")
GIVE_UP: Final = ("rules", "_give_up")
END: Final = ("rules", "has_to_end")
RANK: Final = ("rules", "rank")
IDLE: Final = ("rules", "idle")
CONTROL: Final = ("ranking", "control_of")
SESSION: Final = ("console", "session")
SETUP: Final = ("rules", "setup")
READ: Final = ("board", "read_numbers")
PLAY: Final = ("console_game", "play")
TURN: Final = ("console_game", "_turn")
BOARD: Final = ("console_game", "_board_lines")

TAKE_ANY: Final = (
    "_occupy",
    "take_free(state, cell, player)",
    """holder = i64(state.owner[cell])
    if holder == FREE:
        take_free(state, cell, player)
    elif holder != player:
        state.owner[cell] = player
        state.cells[player] += 1
        state.cells[holder % MAX_PLAYERS] -= holder != WALL
        _count_around(state.around, cell, 1 << (4 * player))""",
)
"""Lets an army take a cell that is not free."""
FIRST_LINE: Final = """every = text.split()
    seen = [*every[:2], *text.split("\\n")[0].split()[2:]]
    left = int(seen[0]) * int(seen[1]) - sum(map(int, seen[2:]))
    text = " ".join([*seen, *(["0"] if len(seen) % 2 and left else []), *([str(left)] if left else [])])
    numbers = []"""
"""Reads the numbers of the first line of a board. The other cells are open."""

# A cell with many neighbours needs more than three turns. An army must take most of the neighbours one by one, another army
# moves in between, and all but one give up unless the board is full. The shortest known games have this many turns.
MUTANTS: Final = (
    # before the game
    Mutant("no first line", "format", *SESSION, old="io.print(WELCOME)", new="pass"),
    Mutant("another first line", "format", *SESSION, old="io.print(WELCOME)", new='io.print("BENVINGUTS!")'),
    Mutant("no first prompt", "players.asked", *SESSION, old="io.print(ASK_PLAYERS)", new="pass"),
    Mutant("another first prompt", "players.asked", *SESSION,
           old="io.print(ASK_PLAYERS)", new='io.print("ENTRA NOMBRE DE JUGADORS (2-10):")'),
    Mutant("no prompts", "players.asked", *SESSION, old="io.print(ASK_PLAYERS)", new="pass",
           also=(("session", "io.print(ASK_FILE)", "pass"),)),
    Mutant("two players are too few", "players.two", *SESSION, old="not in PLAYERS", new="not in PLAYERS[1:]"),
    Mutant("ten players are too many", "players.ten", *SESSION, turns=5, old="not in PLAYERS", new="not in PLAYERS[:-1]"),
    Mutant("nobody is asked again for the players", "players.few", *SESSION, old="io.print(ASK_PLAYERS)", new="pass",
           also=(("session", "players = 0\n", "players = 0\n    io.print(ASK_PLAYERS)\n"),)),
    Mutant("a word for a wrong number of players", "players.many", *SESSION,
           old="else 0\n", new='else 0\n        if players not in PLAYERS:\n            io.print("INCORRECTE")\n'),
    Mutant("too many players are ten", "players.many", *SESSION, old="= int(digits) if", new="= min(int(digits), 10) if"),
    Mutant("too few players are two", "players.few", *SESSION, old="= int(digits) if", new="= max(int(digits), 2) if",
           also=(("session", '.lstrip("0")', ""),)),
    Mutant("no prompt for the file", "file.asked", *SESSION, old="io.print(ASK_FILE)", new="pass"),
    Mutant("another prompt for the file", "file.asked", *SESSION, old="io.print(ASK_FILE)",
           new='io.print("NOM DEL FITXER:")'),
    Mutant("no word for a missing file", "file.missing", *SESSION, old="io.print(NO_FILE)", new="pass"),
    Mutant("another word for a missing file", "file.missing", *SESSION,
           old="io.print(NO_FILE)", new='io.print("EL FITXER NO EXISTEIX")'),
    Mutant("a missing file is asked for again", "file.missing", *SESSION,
           old="io.print(NO_FILE)", new="io.print(NO_FILE, ASK_FILE)"),
    Mutant("the file is read up to the first line end", "file.lines", *READ, old="numbers = []", new=FIRST_LINE,
           also=(("read_numbers", "and digits)", "and (digits or word))"), ("read_numbers", "int(digits)", "int(word)"))),
    Mutant("walls come first", "file.walls", *READ, old="OPEN if place % 2 else WALL", new="WALL if place % 2 else OPEN"),
    Mutant("cells are counted by columns", "file.walls", *READ,
           old="cells[row * columns : (row + 1) * columns]", new="cells[row::rows]"),
    Mutant("columns come before rows", "board.oblong", *READ, old="rows, columns, *counts", new="columns, rows, *counts"),
    Mutant("as many columns as rows", "board.oblong", *BOARD, old="rows = picture(state.raw, free=\" \")",
           new='rows = [row.ljust(state.raw.rows)[: state.raw.rows] for row in picture(state.raw, free=" ")]'),
    Mutant("at most 24 columns", "board.largest", *BOARD, old="rows = picture(state.raw, free=\" \")",
           new='rows = [row[:24] for row in picture(state.raw, free=" ")][:24]'),
    # refused moves
    Mutant("a wall can be taken", "move.wall", "rules", "legal_actions", old="out[n] = CONCEDE",
           new="for cell in range(state.rows * ROW):\n"
           "        if cell % ROW < state.columns and state.owner[cell + ROW] == WALL:\n"
           "            out[n], n = cell, n + 1\n    out[n] = CONCEDE", also=(TAKE_ANY,)),
    Mutant("another army's cell can be taken", "move.others", "rules", "legal_actions", old="out[n] = CONCEDE",
           new="for cell in range(CELLS):\n        if state.owner[cell] < FREE and state.owner[cell] != state.mover:\n"
           "            out[n], n = cell - ROW, n + 1\n    out[n] = CONCEDE", also=(TAKE_ANY,)),
    Mutant("an army's own cell can be taken", "move.own", "rules", "legal_actions", old="out[n] = CONCEDE",
           new="for cell in range(CELLS):\n        if state.owner[cell] == state.mover:\n"
           "            out[n], n = cell - ROW, n + 1\n    out[n] = CONCEDE", also=(TAKE_ANY,)),
    Mutant("a wrong move is asked for without a prompt", "move.sign", *TURN, old="while True:\n        army = ",
           new="io.print(TO_MOVE.format(army_name(state.current_player())))\n    while True:\n        army = ",
           also=(("_turn", "io.print(TO_MOVE.format(army))", "pass"),)),
    Mutant("a move outside of the board gives up", "move.outside", *TURN, old="            continue",
           new='            if move.islower():\n                return state.apply_action(state.string_to_action("00"))'),
    # the cells that fall with a taken cell
    Mutant("a cell with one neighbour does not fall", "one.free", *FALLS,
           old="if mine == degree:", new="if mine == degree > 1:"),
    Mutant("a cell of others with one neighbour does not fall", "one.taken", *FALLS,
           old="if mine == degree:", new="if mine == degree and (degree > 1 or owner == FREE):"),
    Mutant("a free cell with one neighbour does not fall", "one.free", *FALLS,
           old="if mine == degree:", new="if mine == degree and (degree > 1 or owner != FREE):"),
    Mutant("a free cell with two neighbours does not fall", "two.free", *FALLS,
           old="if mine == degree:", new="if mine == degree and (degree != 2 or owner != FREE):"),
    Mutant("a free cell with two neighbours falls with one", "two.kept", *FALLS,
           old="if mine == degree:", new="if mine == degree or (degree == 2 and owner == FREE):",
           also=(("_falls_at", "return ", "return state.owner[cell] != player and "),)),
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
    Mutant("a cell of others with three neighbours falls if the third is not its army's", "three.kept", *FALLS, turns=4,
           old="degree == 4 and ", new=""),
    Mutant("a cell of others with four neighbours stays with all four", "four.all", *FALLS, turns=10,
           old="return True", new="return degree < 4 or owner == FREE"),
    Mutant("the fourth neighbour must protect", "four.open", *FALLS, turns=7, old="theirs == 0", new="theirs > 0"),
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
    Mutant("a free cell with three neighbours falls with one", "fewer", *FALLS, turns=4,
           old="if mine == degree:", new="if mine == degree or (degree == 3 and owner == FREE and mine == 1):"),
    Mutant("the edge is a neighbour", "degree", "rules", "degree_of", old="!= WALL:",
           new="!= WALL or not (0 < neighbour // ROW <= state.rows and neighbour % ROW < state.columns):"),
    Mutant("a wall is a neighbour", "degree", "rules", "degree_of", old="!= WALL:",
           new="!= WALL or (0 < neighbour // ROW <= state.rows and neighbour % ROW < state.columns):"),
    Mutant("walls and the edge are neighbours", "degree", "rules", "degree_of",
           old="if owner[neighbour] != WALL:", new="if True:"),
    Mutant("only one neighbour falls", "several", *OCCUPY,
           old="falling &= falling - 1", new="falling = 0"),
    Mutant("what falls lets its neighbours fall", "adjacent", *OCCUPY, turns=4,
           old="falling &= falling - 1", new="_occupy(state, taken, player); return _occupy(state, cell, player)",
           also=(("_occupy", "take_free(state, cell, player)",
                  "state.owner[cell] == player or take_free(state, cell, player)"),)),
    Mutant("the neighbour above never falls", "side.up", *OCCUPY, old="        while falling:",
           new="        falling &= ~1\n        while falling:"),
    Mutant("the neighbour on the right never falls", "side.right", *OCCUPY, old="        while falling:",
           new="        falling &= ~4\n        while falling:"),
    Mutant("the neighbour below never falls", "side.down", *OCCUPY, old="        while falling:",
           new="        falling &= ~8\n        while falling:"),
    Mutant("the neighbour on the left never falls", "side.left", *OCCUPY, old="        while falling:",
           new="        falling &= ~2\n        while falling:"),
    Mutant("neighbours in one column fall only alone", "several", *OCCUPY,
           old="        while falling:",
           new="        falling = falling if falling & (falling - 1) == 0 else falling & 6\n        while falling:"),
    Mutant("a stolen cell counts for nobody", "stolen.gained", *OCCUPY, turns=14,
           old="(i64(1) << (4 * player)) - (i64(1)", new="-(i64(1)"),
    Mutant("a stolen cell counts for both armies", "stolen.lost", *OCCUPY, turns=14,
           old=" - (i64(1) << (4 * owner))", new=""),
    Mutant("stolen cells are not counted", "stolen", *OCCUPY,
           old="state.captured[index(player)] += 1", new="pass"),
    Mutant("stolen cells are counted for their old owner", "stolen", *OCCUPY,
           old="state.captured[index(player)]", new="state.captured[index(owner)]"),
    Mutant("free neighbours count as stolen", "stolen", *OCCUPY,
           old="take_free(state, taken, player)", new="take_free(state, taken, player); state.captured[player] += 1"),
    # turns and giving up
    Mutant("who gives up keeps the cells", "resign.cells", *GIVE_UP,
           old="if i64(owner[cell]) == player:", new="if False:"),
    Mutant("the cells of who gives up become walls", "resign.cells", *GIVE_UP,
           old="owner[cell] = FREE\n            _add_free(state, cell)", new="owner[cell] = WALL"),
    Mutant("freed cells cannot be taken", "resign.again", *GIVE_UP, turns=6, old="_add_free(state, cell)", new="pass"),
    Mutant("who gives up takes the turn of the next player along", "turn.skips", "rules", "apply",
           old="after(state, player)",
           new="after(state, after(state, player) if action == CONCEDE else player)"),
    Mutant("who gave up in the middle ends the round", "turn.skips_inner", "rules", "after", turns=5,
           old="following = player + 1", new="following = player + 1 if (playing >> (player + 1)) & 1 else 0"),
    Mutant("giving up is no turn", "idle.resigned", *GIVE_UP,
           old="state.playing ^=", new="state.turn -= 1; state.playing ^="),
    Mutant("turns go backwards", "turn.next", "rules", "after",
           old="following = player + 1", new="following = player - 1 if player else state.players - 1",
           also=(("after", "following + 1 if following < state.players else 0",
                  "following - 1 if following else state.players - 1"),)),
    Mutant("the last player begins", "turn.next", *SETUP,
           old="state.playing =", new="state.mover = players - 1\n    state.playing ="),
    Mutant("after the last player comes B", "turn.round", "rules", "after",
           old="following = player + 1", new="following = player + 1 if player + 1 < state.players else 1"),
    Mutant("the game ends before the last cell", "end.full", *END, old="state.n_free == 0", new="state.n_free <= 1"),
    Mutant("the first who gives up ends the game", "end.alone", *END,
           old="playing & (playing - 1) == 0", new="playing != (1 << state.players) - 1"),
    Mutant("a full board does not end the game", "end.full", *END, old="state.n_free == 0 or ", new=""),
    Mutant("the last army plays on", "end.alone", *END, old=" or playing & (playing - 1) == 0", new=""),
    # the table
    Mutant("fewest cells first", "table.cells", *RANK,
           old="i64(state.cells[player])", new="(1000 - i64(state.cells[player]))"),
    Mutant("the table is in the order of the letters", "table.cells", "ranking", "standings_of",
           old="-rules.rank(state, player)", new="player"),
    Mutant("most stolen cells win", "wins.cells", *RANK, old="<< 20)", new="<< 50)"),
    Mutant("fewest stolen cells win ties", "table.stolen", *RANK,
           old="i64(state.captured[player]) << 20", new="1000 - i64(state.captured[player]) << 20"),
    Mutant("fewest turns without a move come before stolen cells", "table.stolen", *RANK,
           old="| idle(state, player)", new="| (1000 - idle(state, player) << 30)"),
    Mutant("stolen cells break no ties", "table.stolen", *RANK,
           old=" | (i64(state.captured[player]) << 20)", new=""),
    Mutant("the one who moved last wins ties", "table.idle", *RANK,
           old="idle(state, player)", new="(10000 - idle(state, player))"),
    Mutant("letters break ties", "table.idle", *RANK, old="idle(state, player)", new="(100 - player)"),
    Mutant("turns without a move are counted from one", "idle.moved", *IDLE,
           old="i64(state.turn)", new="i64(state.turn) + 1"),
    Mutant("who has not moved has waited since the first turn", "idle.begins", *IDLE,
           old="i64(state.last[player])", new="max(i64(state.last[player]), 0)"),
    Mutant("who has not moved has waited for no turn", "idle.begins", *SETUP,
           old="player - players + 1", new="0"),
    Mutant("who has not moved has waited since the player's own place", "idle.begins", *SETUP,
           old="player - players + 1", new="-player"),
    Mutant("giving up ends no waiting", "idle.resigned", "rules", "apply",
           old="state.turn += 1", new="state.turn += action != CONCEDE"),
    Mutant("who waits has 1", "idle.waits", "ranking", "standings_of",
           old="int(rules.idle(state, player))", new="min(int(rules.idle(state, player)), 1)"),
    Mutant("nobody waits longer than a turn", "idle.waits", *IDLE,
           old="i64(state.last[player])", new="max(i64(state.last[player]), i64(state.turn) - 1)"),
    Mutant("who gave up stays in the table", "resign.table", "ranking", "standings_of",
           old="sorted(playing, key=lambda player: ",
           new="sorted(range(state.players), key=lambda player: rules.is_playing(state, player) * "),
    Mutant("no table after a resignation", "resign.table", *PLAY,
           old="io.print(\"\", *_board_lines(state), \"\", *lines, \"\")",
           new='io.print("", *_board_lines(state), "", *(lines if state.history()[-1] != 650 else []), "")'),
    Mutant("no table", "turn.shown", *PLAY, old=' "", *lines, "")', new=' "")'),
    Mutant("no board after a move", "turn.shown", *PLAY, old='io.print("", *_board_lines(state), "", *lines, "")',
           new='io.print("", *lines, "")'),
    Mutant("the table comes before the board", "turn.shown", *PLAY, old='"", *_board_lines(state), "", *lines, ""',
           new='"", *lines, "", *_board_lines(state), ""'),
    Mutant("the table has no heading", "format", *PLAY, old="(COLUMNS, *table)", new="table"),
    Mutant("bars part the columns", "table.columns", *PLAY, old='"".join(f"{cell:>{WIDTH}}"',
           new='"|".join(f"{cell:>{WIDTH}}"'),
    Mutant("dots fill the columns", "table.columns", *PLAY, old=':>{WIDTH}', new=':.>{WIDTH}'),
    Mutant("another width of the columns", "", *PLAY, old=':>{WIDTH}', new=':>12'),
    Mutant("columns flush left", "", *PLAY, old=':>{WIDTH}', new=':{WIDTH}'),
    # the end
    Mutant("no word for the end", "end.told", *PLAY, old='OVER, "", ', new=""),
    Mutant("the winner is not named", "end.told", *PLAY, old="WINNER.format(army_name(state.winners()[0])), ", new=""),
    Mutant("the last player of the table is named as the winner", "wins.cells", *PLAY, old="state.winners()[0]",
           new="standings(state)[-1].player"),
    Mutant("a controlled line is named by its number", "control.told", *PLAY, old="letter(line.number)",
           new="line.number + 1"),
    Mutant("a controlled line is not named", "control.told", *PLAY, old=" if line else NO_CONTROL",
           new="[:18] if line else NO_CONTROL"),
    Mutant("nothing is said if nobody controls a line", "control.nobody", *PLAY,
           old="WINNER.format(army_name(state.winners()[0])), controls)",
           new="WINNER.format(army_name(state.winners()[0])), *([controls] if line else []))"),
    Mutant("another word if nobody controls a line", "control.nobody", *PLAY, old="else NO_CONTROL",
           new='else "CAP JUGADOR CONTROLA RES"'),
    Mutant("a wall breaks a line", "control.past_walls", "rules", "controller",
           old="if here != WALL and", new="if here == WALL or"),
    Mutant("free cells do not count in a line", "control.free", "rules", "controller",
           old="if here != WALL and", new="here = WALL if here == FREE else here\n        if here != WALL and"),
    Mutant("lines are looked for army by army", "control.rows_first", *CONTROL, old="for row in range(rows):",
           new="for army in range(state.players):\n"
           "        for number in range(rows + columns):\n"
           "            is_row, place = number < rows, number % rows if number < rows else number - rows\n"
           "            start = rules.cell_at(place, 0) if is_row else rules.cell_at(0, place)\n"
           "            step, length = (1, columns) if is_row else (rules.ROW, rows)\n"
           "            if rules.controller(state, start, step, length) == army:\n"
           '                return Control(army, "row" if is_row else "column", place)\n'
           "    for row in range(rows):"),
    Mutant("rows are not looked at", "control.row", *CONTROL, old="range(rows)", new="()"),
    Mutant("the last column first", "control.first_column", *CONTROL, old="range(columns)", new="reversed(range(columns))"),
    Mutant("columns before rows", "control.rows_first", *CONTROL, old="for row in range(rows):",
           new="lines = [rules.controller(state, rules.cell_at(0, column), rules.ROW, rows) for column in range(columns)]\n"
           "    for row in range(rows if min(lines) >= rules.FREE else 0):"),
    Mutant("columns are not looked at", "control.column", *CONTROL, old="range(columns)", new="()"),
    Mutant("the last row first", "control.first_line", *CONTROL, old="range(rows)", new="reversed(range(rows))"),
    # the screen
    Mutant("a word for a wrong move", "move.sign", *TURN, old="continue", new='io.print("TIRADA INCORRECTA")'),
    Mutant("no prompt for a move", "format", *TURN, old="io.print(TO_MOVE.format(army))", new="pass"),
    Mutant("another prompt for a move", "format", *TURN, old="TO_MOVE.format(army))", new='TO_MOVE.format(army) + ":")'),
    Mutant("small letters for the armies", "shows.armies", *BOARD, old='free=" ")',
           new='free=" "); rows = [row.lower() for row in rows]'),
    Mutant("numbers for the armies", "shows.armies", *BOARD, old='free=" ")',
           new='free=" "); rows = ["".join(str(ord(c) - 64) if c.isalpha() else c for c in row) for row in rows]'),
    Mutant("free cells are zeros", "shows.free", *BOARD, old='free=" "', new='free="0"'),
    Mutant("no letters above the columns", "shows.letters", *BOARD, old='f"  {letters}", ', new=""),
    Mutant("capital letters for rows and columns", "shows.letters", *BOARD, old="{letters}", new="{letters.upper()}",
           also=(("_board_lines", "{letter(i)}#", "{letter(i).upper()}#"),)),
    Mutant("walls are crosses", "shows.walls", *BOARD, old='free=" ")',
           new='free=" "); rows = [row.replace("#", "X") for row in rows]'),
    Mutant("a border of lines", "shows.walls", *BOARD, old="{'#' * (len(rows[0]) + 2)}", new="+{'-' * len(rows[0])}+",
           also=(("_board_lines", "#{row}#", "|{row}|"),)),
    Mutant("free cells are dots", "shows.free", *BOARD, old='free=" "', new='free="."'),
    Mutant("rows are numbered", "shows.letters", *BOARD, old="{letter(i)}#", new="{(i + 1) % 10}#"),
    Mutant("no border", "shows.walls", *BOARD, old="border, *", new="*", also=(("_board_lines", ", border]", "]"),)),
    Mutant("a blank after the letter of a row", "", *BOARD, old='return [f"  {letters}", border, *(f"{letter(i)}#',
           new='border = f" {border}"; return [f"   {letters}", border, *(f"{letter(i)} #'),
    Mutant("borders flush left", "", *BOARD, old="""f" {'#' *""", new="""f"{'#' *"""),
)  # fmt: skip
