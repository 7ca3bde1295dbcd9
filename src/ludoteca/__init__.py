"""Ludoteca: five tabletop games from five university documents, exact, fast and playable.

    >>> import ludoteca
    >>> game = ludoteca.load("okupacio", players=3, board="8x8")
    >>> state = game.new_initial_state(seed=1)
    >>> state.apply_action(state.string_to_action("ab"))
    >>> state.current_player()
    1

Importing this loads neither NumPy nor any game.
"""

TYPE_CHECKING = False  # type checkers take it for typing's; importing typing would cost more than all else here
if TYPE_CHECKING:
    from typing import Final

    from ludoteca.core.errors import LudotecaError
    from ludoteca.core.game import Game, State, load, open_record
    from ludoteca.core.record import Record, read_record
    from ludoteca.core.registry import registered_games
    from ludoteca.core.rng import new_rng
    from ludoteca.core.symmetries import symmetries

__version__ = "1.0.0"

__all__ = [
    "Game",
    "LudotecaError",
    "Record",
    "State",
    "load",
    "new_rng",
    "open_record",
    "read_record",
    "registered_games",
    "symmetries",
]

_HOMES: "Final" = {
    "Game": "game",
    "LudotecaError": "errors",
    "Record": "record",
    "State": "game",
    "load": "game",
    "new_rng": "rng",
    "open_record": "game",
    "read_record": "record",
    "registered_games": "registry",
    "symmetries": "symmetries",
}


if not TYPE_CHECKING:  # type checkers know the names above, and report any other

    def __getattr__(name):
        """Import a public name when it is first used."""
        if name in _HOMES:
            from importlib import import_module  # the command line needs none of these names

            return getattr(import_module(f"ludoteca.core.{_HOMES[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
