"""Write a game's playthrough into its folder: `python -m ludoteca.testing playthrough okupacio seed=1 players=3`."""

import sys
from typing import Any, Final

from ludoteca.core.errors import LudotecaError
from ludoteca.core.game import Game
from ludoteca.core.registry import find
from ludoteca.testing.playthrough import FILE, write

USAGE: Final = "usage: python -m ludoteca.testing playthrough GAME [seed=NUMBER] [PARAMETER=VALUE ...]"


def main(arguments: list[str]) -> None:
    """Run the command. Raises SystemExit with the usage, or with the message for a wrong value."""
    if len(arguments) < 2 or arguments[0] != "playthrough" or not all("=" in argument for argument in arguments[2:]):
        raise SystemExit(USAGE)
    chosen: dict[str, Any] = dict(argument.split("=", 1) for argument in arguments[2:])
    try:
        seed = int(chosen.pop("seed", 1))
        game = Game(find(arguments[1]), chosen)
    except (LudotecaError, ValueError) as error:
        raise SystemExit(str(error)) from None
    game.spec.file(FILE).write_text(write(game, seed), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
