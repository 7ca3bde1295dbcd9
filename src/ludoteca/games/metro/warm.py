"""What `ludoteca warm` compiles besides: the player of `pick_move`, for the console and for Prolog."""

from ludoteca.games.metro import strategy


def compile_all() -> None:
    """Compile it, or find that it was."""
    strategy.prepare()
