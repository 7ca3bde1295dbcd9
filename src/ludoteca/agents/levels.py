"""Describes in words how each agent plays, for people who choose an opponent. The texts are in the catalogue of this
package.
"""

from typing import Final

from ludoteca.core.game import Game
from ludoteca.core.levels import SIMPLE, Level, levels_of, names_for
from ludoteca.core.messages import Message

OVERLOOKS: Final = (("most", 0.15), ("many", 0.3), ("some", 0.55), ("little", 1.0))
"""A word for an agent that notices less than this share of the actions. The last one is for every share below 1."""


def deeds(game: Game) -> dict[str, Message]:
    """Return a description of each agent that can play the game, by the agent's name. Descriptions are messages that can be
    translated.

    >>> from ludoteca import load
    >>> list(deeds(load("okupacio", board="4x4")))
    ['random', 'greedy', '1', '2', '3', '4', '5', '6', '7', '8']
    """
    levels = levels_of(game.spec, game.parameters)
    return {name: (f"does.{name}",) if name in SIMPLE else _deed(levels[name]) for name in names_for(game.spec)}


def _deed(level: Level) -> Message:
    if level.seconds and not level.simulations:
        return "does.seconds", f"{level.seconds:g}"
    if not level.simulations:
        return (f"does.overlooks.{next((word for word, share in OVERLOOKS if level.notices < share), 'nothing')}",)
    if not level.careless:
        return "does.simulations", level.simulations
    at_random = level.notices == 0
    return "does.careless" if at_random else "does.hasty", round(100 * level.careless), level.simulations
