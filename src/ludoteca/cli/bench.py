"""`ludoteca bench`: the number of random games per second, on one core."""

import json
import time
from typing import Any, Final

import click

from ludoteca.cli.options import Duration, GameName
from ludoteca.cli.streams import say
from ludoteca.core import playouts, registry
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng

BATCH_SECONDS: Final = 0.02
"""The shortest time that a batch of games should take. Smaller batches are doubled."""


HEADER = f"{'game':<12}{'variant':<12}{'mode':<13}{'games':>12}{'moves':>14}{'seconds':>9}{'games/s':>13}{'moves/s':>15}"
ROW: Final = (
    "{game:<12}{variant:<12}{mode:<13}{games:>12,}{moves:>14,}{seconds:>9.2f}{games_per_s:>13,.0f}{moves_per_s:>15,.0f}"
)


@click.command(name="bench")
@click.argument("games", type=GameName(), nargs=-1, metavar="[GAME]...")
@click.option("--time", "seconds", default="2s", show_default=True, type=Duration(least=0.01), help="the time of each line")
@click.option("--json", "as_json", is_flag=True, help="print a JSON object in each line")
def command(games: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Play random games, deals included, and show the number per second on one core: compiled, then interpreted.

    Compiling is not timed. It takes some seconds the first time on a machine.
    """
    specs = [registry.find(name) for name in games or registry.names()]
    if not as_json:
        say(HEADER)
    for spec in specs:
        for variant, chosen in spec.variants.items():
            for compiled in (True, False):
                figures = measure(Game(spec, chosen, compiled=compiled), variant, seconds)
                say(json.dumps(figures) if as_json else ROW.format(**figures))


def measure(game: Game, variant: str, seconds: float) -> dict[str, Any]:
    """Play random games for about `seconds`, and return the figures of a row. Games are played in batches that are large
    enough for reading the clock to take no significant time.
    """
    play_games = game.bind(playouts).play_games
    states, rng, batch = game.new_array(), new_rng(1), 1
    play_games(game.prepared.array, states, rng, 1)  # the first call loads code and is not counted
    games, moves, start = 0, 0, time.perf_counter()
    end = start
    while end - start < seconds:
        begin = end
        moves += play_games(game.prepared.array, states, rng, batch)
        games += batch
        end = time.perf_counter()
        if end - begin < BATCH_SECONDS:
            batch *= 2
    spent = end - start
    measured = {"game": game.name, "variant": variant, "mode": game.mode, "games": games, "moves": moves, "seconds": spent}
    return {**measured, "games_per_s": games / spent, "moves_per_s": moves / spent}
