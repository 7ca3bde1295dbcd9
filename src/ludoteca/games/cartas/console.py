"""The document's programs: `guiao1` to `guiao4` (section 2) and `jogador`, the player of the tournament (section 3.4).

Nothing here imports NumPy, which takes longer to load than a program needs to answer.
"""

from typing import Final

from ludoteca.core.console import Console, ReadFile, Session
from ludoteca.games.cartas import guioes, jogador

GUIOES: Final = {
    "guiao1": guioes.classify,
    "guiao2": guioes.compare,
    "guiao3": guioes.hands_after_plays,
    "guiao4": guioes.list_plays,
}
PROGRAMS: Final = {**GUIOES, "jogador": jogador.answer}
NAME_OF_PROGRAM: Final = f"o nome de um programa: {', '.join(PROGRAMS)}"


def session(io: Console, arguments: list[str], read_file: ReadFile) -> Session:
    """One run of a program. Exit status 1 when its input is wrong; what came before has been answered."""
    if len(arguments) != 1 or arguments[0] not in PROGRAMS:
        raise io.wrong_argument(" ".join(arguments), NAME_OF_PROGRAM)
    (program,) = arguments
    yield from PROGRAMS[program](io)
    if program in GUIOES:  # which know how many lines they read
        yield from io.nothing_more()
    return 0
