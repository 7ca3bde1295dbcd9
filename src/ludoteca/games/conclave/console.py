"""The document's program, in Catalan: its opening questions. The game itself is in `console_game`.

Nothing here imports NumPy, which takes longer to load than all the rest: the first question is asked at once.
"""

from typing import Final

from ludoteca.core.console import Console, Dialogue, ReadFile, Session
from ludoteca.games.conclave import dealing

ASK_SEED: Final = "ENTRA LA LLAVOR:"
ASK_PLAYERS: Final = "ENTRA EL NUMERO DE JUGADORS (2-4):"
WRONG_PLAYERS: Final = "NUMERO DE JUGADORS INCORRECTE"
ASK_NAME: Final = "ENTRA EL NOM DEL JUGADOR {}:"

LANGUAGE: Final = "ca"
SEED: Final = "la llavor"
NATURAL_SEED: Final = "la llavor: un nombre natural"
NUMBER_OF_PLAYERS: Final = "el nombre de jugadors"
NAME: Final = "el nom del jugador {}"

PLAYERS: Final = range(2, 5)


def session(io: Console, arguments: list[str], read_file: ReadFile) -> Session:
    """One game. Exit status 1 when the input ends before the game does, or holds a word where a number belongs."""
    if arguments:
        raise io.no_arguments(arguments)
    deal = yield from _ask_seed(io)
    players = yield from _ask_players(io)
    names = yield from _ask_names(io, players)
    from ludoteca.games.conclave import console_game

    yield from console_game.play(io, names, deal)
    return 0


def _ask_seed(io: Console) -> Dialogue[str]:
    """The deal of a natural number of any length."""
    io.print(ASK_SEED)
    word = yield from io.word(SEED)
    if not dealing.is_seed(word):
        raise io.wrong(word, NATURAL_SEED)
    return dealing.of_seed(word)


def _ask_players(io: Console) -> Dialogue[int]:
    while True:
        io.print(ASK_PLAYERS)
        players = yield from io.number(NUMBER_OF_PLAYERS)
        if players in PLAYERS:
            return players
        io.print(WRONG_PLAYERS)


def _ask_names(io: Console, players: int) -> Dialogue[list[str]]:
    """Each name is a whole line, kept as it is; what follows the number of players on its line is none."""
    names: list[str] = []
    for number in range(1, players + 1):
        io.print(ASK_NAME.format(number))
        if number == 1:
            yield from io.line(NAME.format(1))
        names.append((yield from io.line(NAME.format(number))))
    return names
