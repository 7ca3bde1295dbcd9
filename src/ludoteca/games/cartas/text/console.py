"""The document's programs: `guiao1` to `guiao4` (section 2) and `jogador`, the player of the tournament (section 3.4).

Nothing here imports NumPy, which takes longer to load than a program needs to answer.
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
    """One run of a program. Exit status 1 when its input is wrong; what came before has been answered."""
    if arguments[:1] == [PLAYER]:
        yield from jogador.answer(io, arguments[1:])
    elif len(arguments) == 1 and arguments[0] in GUIOES:
        yield from GUIOES[arguments[0]](io)
        yield from io.nothing_more()  # they know how many lines they read
    else:
        raise io.wrong_argument(" ".join(arguments), NAME_OF_PROGRAM)
    return 0
