"""The document's programs: `guiao1` to `guiao4` (section 2) and `jogador`, the player of the tournament (section 3.4).

They do not import NumPy, because loading it takes longer than an answer.
"""

from typing import Final

from ludoteca.core.console import Console, ReadFile, Session
from ludoteca.games.cartas.text import guioes, jogador

GUIOES: Final = {
    "guiao1": guioes.classify,
    "guiao2": guioes.compare,
    "guiao3": guioes.hands_after_plays,
    "guiao4": guioes.list_plays,
}
PLAYER: Final = "jogador"
NAME_OF_PROGRAM: Final = f"o nome de um programa: {', '.join((*GUIOES, PLAYER))}"


def session(io: Console, arguments: list[str], read_file: ReadFile) -> Session:
    """Run a program and return its exit status. Raises ConsoleError for wrong input, after answering the input before it."""
    if arguments[:1] == [PLAYER]:
        yield from jogador.answer(io, arguments[1:])
    elif len(arguments) == 1 and arguments[0] in GUIOES:
        yield from GUIOES[arguments[0]](io)
        yield from io.nothing_more()  # the input has the number of its lines
    else:
        raise io.wrong_argument(" ".join(arguments), NAME_OF_PROGRAM)
    return 0
