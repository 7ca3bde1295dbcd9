"""The document's game in the terminal, in Romanian: its arguments. The game itself is in `console_game`.

ludoteca console metro [--side 8] [--seed 7] [--tiles stack]    a game of one player
ludoteca console metro moves [--side 8] < moves.txt             board, paths and score after a list of moves
ludoteca console metro --prolog                                 the path of T3.pl, for Prolog programs
ludoteca console metro --prolog-bot                             the path of bot.pl, by which these play in the arena
"""

import secrets
from pathlib import Path
from typing import Final

from ludoteca.core.console import Console, ConsoleError, ReadFile, Session
from ludoteca.games.metro import GAME

LIST: Final = "moves"
FILES: Final = {"--prolog": "T3.pl", "--prolog-bot": "bot.pl"}
OPTIONS: Final = ("side", "seed", "tiles")
USAGE: Final = "nimic, moves, --side N, --seed N, --tiles endless sau stack, ori --prolog, ori --prolog-bot"
NO_DRAW: Final = "o listă de mutări nu se trage la sorți: dintre opțiuni primește numai --side"
SEED_BITS: Final = 32
"""Short enough to type again."""


def session(io: Console, arguments: list[str], read_file: ReadFile) -> Session:
    """Play one game, or read a list of moves and print its end.

    The exit status is 1 if an argument or a move of the list is wrong, or if the input ends before the game.
    """
    if len(arguments) == 1 and arguments[0] in FILES:
        io.print(str(Path(__file__).parent / "prolog" / FILES[arguments[0]]))
        return 0
    words: list[str] = []
    options: dict[str, str] = {}
    rest = list(arguments)
    while rest:  # `--side 6` or `--side=6`
        word, _, value = rest.pop(0).partition("=")
        name = word.removeprefix("--")
        if name == word:
            words.append(word)
        elif name not in OPTIONS or not (value or rest):
            raise io.wrong_argument(word, USAGE)
        else:
            options[name] = value or rest.pop(0)
    if words not in ([], [LIST]):
        raise io.wrong_argument(words[0] if words[0] != LIST else words[1], USAGE)
    if words and options.keys() - {"side"}:
        raise ConsoleError(NO_DRAW)
    for kind in GAME.parameters:
        if kind.name in options:
            io.chosen(kind, options[kind.name], f"--{kind.name} {options[kind.name]}")
    from ludoteca.core.game import Game
    from ludoteca.games.metro.text import console_game

    if words:
        yield from console_game.tell(io, Game(GAME, options).parameters["side"])
    else:
        options.setdefault("seed", str(secrets.randbits(SEED_BITS)))
        yield from console_game.play(io, options)
    return 0
