"""What a match and a tournament have to do before games are played."""

import sys
from collections.abc import Sequence
from typing import Final

from ludoteca.agents.agent import needs_compiling, new_agent
from ludoteca.agents.warming import USUAL
from ludoteca.arena.player import Entrant
from ludoteca.cli.progress import progress
from ludoteca.core.game import Game

MANY: Final = 500
"""Games that are worth compiling the rules for."""


def said_of_deals(game: Game) -> None:
    """Say on standard error where a deal can be computed from what a seat sees."""
    if game.spec.computable(game.parameters):
        sys.stderr.write("ludoteca: with these parameters a bot can compute what the deal hides\n")


def compiled_game(game: Game, entrants: Sequence[Entrant], games: int) -> Game:
    """The game as the referee plays it: compiled for many games, and where an agent needs it; the results are the same.

    What is compiled lies in the cache when this returns, so that workers read it.
    """
    searching = [entrant.agent for entrant in entrants if entrant.agent and needs_compiling(entrant.agent)]
    if not searching and games < MANY:
        return game
    compiled = Game(game.spec, game.parameters, compiled=True)
    with progress(f"Waiting for the compiled rules of {game.spec.title} ({USUAL})", measured=False):
        _ = compiled.steps
        for name in dict.fromkeys(searching):
            new_agent(name, compiled)
    return compiled
