"""The text program, in Portuguese: its arguments and its opening question. The game itself is in `console_game`.

ludoteca console qinto [light|classic|plus] [--seed 7] [--rounds 4] [--hide] [--marks]   a game of two to four players
ludoteca console qinto grid 15                            an empty grid of 15 rows and columns, printed
ludoteca console qinto grid [FILE]                        the grid that a file or the input gives, printed

--hide hides the hands of players who share a screen: a hand is shown after its owner confirms that they are alone, and
cleared after the turn. --marks marks the tiles of the last turn: [1b]. q leaves. Options may also be written seed=7.

This module does not import NumPy, which takes longer to load than all the rest, so the first question appears at once.
"""

from collections.abc import Mapping
from typing import Any, Final

from ludoteca.core.console import LEAVE, Console, ReadFile, Session
from ludoteca.core.spec import Integer, resolve
from ludoteca.core.words import counted
from ludoteca.games.qinto import GAME

WELCOME: Final = "Q!NTO ({})"
ASK_NAMES: Final = "Quem joga? Dois a quatro nomes, separados por vírgulas:"
WRONG_NUMBER: Final = "Li {}: podem jogar dois a quatro."
EMPTY_NAME: Final = "O {}.º nome está vazio."
LONG_NAME: Final = "O {}.º nome tem {} caracteres, e o máximo é {}."
UNSEEN_NAME: Final = "O {}.º nome tem {}, que não é letra, algarismo nem sinal que se veja."
NO_UTF_8: Final = "O {}.º nome tem o byte {}, que não é UTF-8."
DOUBLED_NAME: Final = "O nome {} está repetido."

GRID: Final = "grid"
VARIANTS: Final = {"light": "Light", "classic": "Classic", "plus": "Plus"}
PLAYERS: Final = range(2, 5)
LONGEST_NAME: Final = 40
FLAGS: Final = ("--hide", "--marks")
SEED: Final = Integer("seed", 0, 10**9 - 1, 0, "which deal")
OPTIONS: Final = {kind.name: kind for kind in (*GAME.parameters, SEED) if kind.name != "players"}
ARGUMENTS: Final = f"{GRID}, ou no máximo um de cada: {'|'.join(VARIANTS)}, rounds=NÚMERO, seed=NÚMERO, {' e '.join(FLAGS)}"
NAMES: Final = "os nomes de dois a quatro jogadores"


def session(io: Console, arguments: list[str], read_file: ReadFile) -> Session:
    """Play a game, or print a grid. Exit status 1 if arguments or grid are wrong, or if the input ends before the game."""
    if arguments[:1] == [GRID]:
        from ludoteca.games.qinto.text import console_grid

        yield from console_grid.show(io, arguments[1:], read_file)
        return 0
    chosen = _read_arguments(io, [word for word in arguments if word not in FLAGS])
    seed = chosen.pop(SEED.name, None)
    parameters = resolve(GAME.name, GAME.parameters, chosen)
    io.print(WELCOME.format(VARIANTS[parameters["variant"]]))
    while True:
        io.print(ASK_NAMES)
        line = yield from io.line(NAMES)
        if line.strip().lower() == LEAVE:
            return 0
        names = [name.strip() for name in line.split(",")]
        fault = _fault_of(names)
        if not fault:
            break
        io.print(fault)
    from ludoteca.games.qinto.text import console_game

    hide, marks = (flag in arguments for flag in FLAGS)
    yield from console_game.play(io, names, parameters | {"players": len(names)}, seed, hide=hide, marks=marks)
    return 0


def _read_arguments(io: Console, arguments: list[str]) -> dict[str, Any]:
    """Return the parameters in the words after the game's name.

    A parameter may be written `seed=7`, `--seed=7` or `--seed 7`, and the variant by its name alone. Raises ConsoleError if
    a word is no parameter, a value is not allowed, or a parameter is given twice.
    """
    chosen: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        if word.startswith("--") and name in OPTIONS:
            value = value if equals else next(words, "")
            word = f"{name}={value}"
        elif word in VARIANTS:
            name, value = "variant", word
        else:
            name, _, value = word.partition("=")
        if name not in OPTIONS or name in chosen:
            raise io.wrong_argument(word, ARGUMENTS)
        chosen[name] = io.chosen(OPTIONS[name], value, word)
    return chosen


def _fault_of(names: list[str]) -> str:
    """Return the sentence that says why the names are refused. Empty if they are right."""
    if names == [""] or len(names) not in PLAYERS:
        return WRONG_NUMBER.format(counted(len(names) if names != [""] else 0, "nome"))
    seen: Mapping[str, int] = {name.casefold(): number for number, name in enumerate(names)}
    for number, name in enumerate(names):
        if not name:
            return EMPTY_NAME.format(number + 1)
        if len(name) > LONGEST_NAME:
            return LONG_NAME.format(number + 1, len(name), LONGEST_NAME)
        unseen = next((character for character in name if not character.isprintable()), "")
        if "\udc80" <= unseen <= "\udcff":  # a byte that is not UTF-8
            return NO_UTF_8.format(number + 1, f"{ord(unseen) - 0xDC00:02X}")
        if unseen:
            return UNSEEN_NAME.format(number + 1, f"U+{ord(unseen):04X}")
        if seen[name.casefold()] != number:
            return DOUBLED_NAME.format(name)
    return ""
