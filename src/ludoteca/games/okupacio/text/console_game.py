"""The document's program after the opening questions, as in its section “Exemple d'execució en mode text”."""

from typing import Final

from ludoteca.core.console import Console, Dialogue
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import Game, State
from ludoteca.games.okupacio import GAME
from ludoteca.games.okupacio.notation import army_name, letter, picture
from ludoteca.games.okupacio.ranking import control, standings

TO_MOVE: Final = "JUGADOR {}"
COLUMNS: Final = ("JUGADOR", "CASELLES", "ARRABASSADES", "SENSE TIRAR")
WIDTH: Final = 13
OVER: Final = "GAME OVER"
WINNER: Final = "GUANYADOR: JUGADOR {}"
CONTROLS: Final = {
    "row": "EL JUGADOR {} CONTROLA LA FILA {}",
    "column": "EL JUGADOR {} CONTROLA LA COLUMNA {}",
}
NO_CONTROL: Final = "CAP JUGADOR CONTROLA CAP FILA NI COLUMNA"
MOVE: Final = "una tirada de l'exèrcit {}"
REST_OF_MOVE: Final = "la segona lletra d'una tirada de l'exèrcit {}"


def play(io: Console, players: int, board: str) -> Dialogue[None]:
    """Play the game from the empty board to the winner."""
    state = Game(GAME, {"players": players, "board": board}).new_initial_state(seed=0)
    io.print("", *_board_lines(state), "")
    while not state.is_terminal():
        yield from _turn(io, state)
        table = [(army_name(line.player), line.cells, line.captured, line.idle) for line in standings(state)]
        # "una amplada única de 13 caràcters", "alineat a dreta"
        lines = ["".join(f"{cell:>{WIDTH}}" for cell in row) for row in (COLUMNS, *table)]
        io.print("", *_board_lines(state), "", *lines, "")
    line = control(state)
    controls = CONTROLS[line.line].format(army_name(line.player), letter(line.number)) if line else NO_CONTROL
    io.print(OVER, "", WINNER.format(army_name(state.winners()[0])), controls)


def _turn(io: Console, state: State) -> Dialogue[None]:
    """Ask for a move until it is legal, and play it: “Tirada incorrecta: el programa tornarà a demanar-la”."""
    while True:
        army = army_name(state.current_player())
        io.print(TO_MOVE.format(army))
        move = yield from io.character(MOVE.format(army))
        move += yield from io.character(REST_OF_MOVE.format(army))
        try:
            return state.apply_action(state.string_to_action(move))
        except (NotationError, IllegalActionError):
            continue


def _board_lines(state: State) -> list[str]:
    """Return the board with its border and the letters of its rows and columns."""
    rows = picture(state.raw, free=" ")
    letters = "".join(letter(column) for column in range(len(rows[0])))
    border = f" {'#' * (len(rows[0]) + 2)}"
    return [f"  {letters}", border, *(f"{letter(i)}#{row}#" for i, row in enumerate(rows)), border]
