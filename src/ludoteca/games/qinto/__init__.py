"""Q!nto: tiles in lines, 2 to 4 players, from the Portuguese report "Q!nto" (Q!nto_1, 2015) and the published game."""

from ludoteca.core.spec import GameSpec, Integer, OneOf

__all__ = ["GAME"]

GAME = GameSpec(
    name="qinto",
    title="Q!nto",
    summary="tiles in lines whose colours and shapes are all equal or all different; a line of five is a Q!nto",
    package=__name__,
    rules_version=1,
    language="pt",
    parameters=(
        OneOf("variant", ("light", "classic", "plus"), "light", "the game: shed tiles, score, score diagonals too"),
        Integer("players", 2, 4, 2, "number of players"),
        Integer("rounds", 1, 20, 4, "after so many rounds in a row without an added tile the game ends"),
    ),
    programs=("light", "classic", "plus", "grid"),
    variants={
        "light-4p": {"variant": "light", "players": 4},
    },
)
