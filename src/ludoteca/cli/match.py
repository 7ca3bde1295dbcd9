"""`ludoteca match GAME`: play agents and programs against each other, every deal from every seat."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import click

from ludoteca.arena.matches.defaults import DEALS, LINES, MOST_MOVES
from ludoteca.cli.options import COUNT, FOLDER
from ludoteca.cli.parameters import GamesGroup, game_command
from ludoteca.cli.settings import Json, Limit, Processes, Seed, Setting, Thinking
from ludoteca.core.errors import ParameterError
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import quoted

MOST_ELO: Final = 1000
BOT_HELP: Final = "an agent, as in `play --opponent`, or a program's command line; repeat the option for each bot"
OPENING_HELP: Final = (
    "the number of drawn moves at the start of each deal, in a game without chance  [default: two per player, and one]"
)
OUT_HELP: Final = "write records of all games to this folder, and the results with a page"
SPRT_HELP: Final = (
    "with two bots: end when a test accepts that the first is ELO1 points above the second, or ELO0; --deals is the maximum"
)


class _Elos(click.ParamType[tuple[float, float]]):
    """Two numbers of points, the lower first, that a sequential test can distinguish."""

    name = "elo0:elo1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        try:
            elo0, elo1 = (float(part) for part in value.split(":"))
        except ValueError:
            elo0 = elo1 = 0.0
        if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
            self.fail(f"read {quoted(value)}, expected two numbers within {MOST_ELO}, the lower first: 0:20", param, ctx)
        return elo0, elo1


@dataclass(frozen=True)
class MatchSettings:
    """The options of `ludoteca match GAME`, in addition to the game's parameters."""

    bot: Annotated[tuple[str, ...], Setting(BOT_HELP, metavar="[NAME=]BOT")]
    deals: Annotated[int, Setting("the number of deals; each is played from every seat", COUNT)] = DEALS
    opening: Annotated[int | None, Setting(OPENING_HELP, click.IntRange(0, MOST_MOVES), metavar="MOVES")] = None
    seed: Seed = None
    variant: Annotated[str | None, Setting("the parameters of a `bench` variant")] = None
    protocol: Annotated[str, Setting("the protocol of the programs")] = LINES
    limit: Limit = ()
    thinking: Thinking = False
    sprt: Annotated[tuple[float, float] | None, Setting(SPRT_HELP, _Elos())] = None
    processes: Processes = None
    out: Annotated[Path | None, Setting(OUT_HELP, FOLDER)] = None
    json: Json = False


def match_command(spec: GameSpec) -> click.Command:
    """Return the command `ludoteca match NAME` with the options of that game."""
    command = game_command(spec, MatchSettings, _match)
    own = spec.module("protocols").PROTOCOLS if spec.has("protocols") else {}
    choices = {"variant": list(spec.variants), "protocol": [LINES, *own]}
    for option in command.params:
        option.type = click.Choice(choices[option.name]) if option.name in choices else option.type
    return command


def _match(spec: GameSpec, chosen: dict[str, Any], settings: MatchSettings) -> None:
    """Play agents and programs against each other, every deal from every seat.

    A bot is `[NAME=]WHAT`: the name of an agent, or the command line of a program.
    """
    if not all(map(str.strip, settings.bot)):
        raise ParameterError("bot: needs a value, such as greedy or ./mine")
    from ludoteca.cli.matching import run  # NumPy and the arena, which wrong options do not need

    run(spec, chosen, settings)


command = GamesGroup(match_command, name="match", help=_match.__doc__)
