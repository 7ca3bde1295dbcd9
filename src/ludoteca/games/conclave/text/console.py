"""The document's program, in Catalan, and its opening questions. The game itself is in `console_game`.

This module does not import NumPy, which takes longer to load than everything else. So the first question comes at once.
"""

from typing import Final

from ludoteca.core.console import Console, ReadFile, Session
from ludoteca.games.conclave import dealing

ASK_SEED: Final = "ENTRA LA LLAVOR:"
ASK_PLAYERS: Final = "ENTRA EL NUMERO DE JUGADORS (2-4):"
WRONG_PLAYERS: Final = "NUMERO DE JUGADORS INCORRECTE"
ASK_NAME: Final = "ENTRA EL NOM DEL JUGADOR {}:"

SEED: Final = "la llavor"
NATURAL_SEED: Final = "la llavor: un nombre natural"
NUMBER_OF_PLAYERS: Final = "el nombre de jugadors"
NAME: Final = "el nom del jugador {}"

PLAYERS: Final = range(2, 5)


def session(io: Console, arguments: list[str], read_file: ReadFile) -> Session:
    """Play one game. Return the exit status: 1 if the input ends before the game does, or has a word in the place of a
    number.
    """
    if arguments:
        raise io.no_arguments(arguments)
    io.print(ASK_SEED)
    seed = yield from io.word(SEED)
    if not dealing.is_seed(seed):
        raise io.wrong(seed, NATURAL_SEED)
    io.print(ASK_PLAYERS)
    while (players := (yield from io.number(NUMBER_OF_PLAYERS))) not in PLAYERS:
        io.print(WRONG_PLAYERS, ASK_PLAYERS)
    names: list[str] = []
    for number in range(1, players + 1):
        io.print(ASK_NAME.format(number))
        if number == 1:  # the rest of the line with the number of players is no name. A name is a whole line, unchanged
            yield from io.line(NAME.format(1))
        names.append((yield from io.line(NAME.format(number))))
    from ludoteca.games.conclave.text import console_game

    yield from console_game.play(io, names, dealing.of_seed(seed))
    return 0
