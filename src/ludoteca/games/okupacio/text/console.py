"""The opening questions of the document's program, in Catalan. `console_game` plays the game.

Nothing here imports NumPy, so that the first question appears at once. NumPy takes longer to load than everything else.
"""

from typing import Final

from ludoteca.core.console import Console, ConsoleError, ReadFile, Session
from ludoteca.core.errors import NotationError
from ludoteca.core.words import excerpt
from ludoteca.games.okupacio import GAME, board

WELCOME: Final = "BENVINGUTS A OKUPACIO !"
ASK_PLAYERS: Final = "ENTRA NOMBRE DE JUGADORS (2..10):"
ASK_FILE: Final = "NOM DEL FITXER DEL TAULER:"
NO_FILE: Final = "NO ES POT OBRIR EL FITXER"

NUMBER_OF_PLAYERS: Final = "el nombre de jugadors"
NAME_OF_FILE: Final = "el nom del fitxer del tauler"

PLAYERS: Final = range(2, 11)


def session(io: Console, arguments: list[str], read_file: ReadFile) -> Session:
    """Play one game. Return the exit status: 1 if the file cannot be opened. Raises ConsoleError if the board is wrong."""
    if arguments:
        raise io.no_arguments(arguments)
    io.print(WELCOME)
    players = 0
    while players not in PLAYERS:  # “Nombre de jugadors incorrecte: el programa els tornarà a demanar”
        io.print(ASK_PLAYERS)
        digits = (yield from io.word(NUMBER_OF_PLAYERS)).removeprefix("+").lstrip("0")
        players = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
    io.print(ASK_FILE)
    name = yield from io.word(NAME_OF_FILE)
    try:
        text = read_file(name)
    except OSError:
        io.print(NO_FILE)
        return 1
    try:
        canonical = board.write_numbers(board.read_numbers(text))
    except NotationError as error:
        raise ConsoleError(f"{excerpt(name)}: {error.text(GAME.language)}") from None
    from ludoteca.games.okupacio.text import console_game

    yield from console_game.play(io, players, canonical)
    return 0
