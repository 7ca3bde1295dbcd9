"""For `ludoteca warm`: compiles the games that `pick_move` plays, for Python and Prolog programs."""

from ludoteca.games.metro.play import strategy


def compile_all() -> None:
    """Compile these games, or load them if they are compiled."""
    strategy.prepare()
