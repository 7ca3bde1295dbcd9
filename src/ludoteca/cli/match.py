"""`ludoteca match GAME`: play agents and programs against each other, every deal from every seat."""

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from ludoteca.arena.matches.defaults import DEALS, LINES, MOST_MOVES
from ludoteca.cli.files import make_folder, write_file
from ludoteca.cli.options import COUNT, FOLDER
from ludoteca.cli.parameters import GamesGroup, game_command
from ludoteca.cli.progress import progress
from ludoteca.cli.sandbox import warn_of_sandbox
from ludoteca.cli.settings import Json, Limit, Processes, Seed, Setting, Thinking, drawn
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say, warn
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.seeds import SEED_BITS
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted, quoted

if TYPE_CHECKING:  # NumPy and the arena, which wrong options do not need
    from ludoteca.arena.figures.sprt import Sprt
    from ludoteca.arena.matches.players import Entrant
    from ludoteca.arena.matches.results import Played
    from ludoteca.core.game import Game

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
    """Two hypotheses for a sequential test, in points of Elo's scale, the lower first, such as `0:20`."""

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

    A bot is `[NAME=]WHAT`: the name of an agent, or the command line of a program. Options come after the name of the game:
    `ludoteca match GAME --help` lists them.
    """
    if not all(map(str.strip, settings.bot)):
        raise ParameterError("bot: needs a value, such as greedy or ./mine")
    _play(spec, chosen, settings)


def _play(spec: GameSpec, chosen: dict[str, Any], settings: MatchSettings) -> None:
    """Play the match, print its results and end the program."""
    import msgspec

    from ludoteca.agents import openings
    from ludoteca.arena.figures import ratings, sprt, tables
    from ludoteca.arena.matches import runner
    from ludoteca.arena.matches.formats import RoundRobin
    from ludoteca.cli import arena
    from ludoteca.core.formats import Field
    from ludoteca.core.game import Game
    from ludoteca.core.workers import ProcessPool, cores

    game = Game(spec, {**(spec.variants[settings.variant] if settings.variant else {}), **chosen})
    entrants = _entrants(game, settings)
    names = tuple(entrant.name for entrant in entrants)
    field = Field(names, game.num_players(), settings.deals, drawn(settings.seed).to_bytes(SEED_BITS // 8, "big"), {})
    for _, problem in RoundRobin().problems(field):
        raise ParameterError(f"bots: {problem}")
    if settings.sprt and len(names) != 2:
        raise ParameterError(f"sprt: {counted(len(names), 'bot')} play, but the test needs two")
    opening, out = openings.moves_of(game, settings.opening), settings.out
    if out:
        make_folder(out)
    arena.warn_of_bots(game, entrants)
    fixtures = RoundRobin().plan(field, {}).games
    numbers = {fixture.key: number for number, fixture in enumerate(fixtures, 1)}
    kept, status = runner.Memory(), INTERRUPTED
    test = sprt.Sequential(field, *settings.sprt, kept.games) if settings.sprt else None
    plan = test.plan if test else partial(RoundRobin().plan, field)
    compiled = arena.compiled_game(game, entrants, len(fixtures))
    setup = runner.Setup(compiled, entrants, field.seed, str(Path.cwd()), opening, not_isolated=True)
    with progress("Playing") as watch, ProcessPool(runner.playing, setup, settings.processes or cores()) as pool:

        def finished(played: "Played", done: int, known: int) -> None:
            watch(done / (known if test is None else len(fixtures)))
            if out:
                write_file(out / f"{numbers[played.key]:06}.json", played.record.to_json().encode())

        with suppress(KeyboardInterrupt), interruptible():
            runner.run(plan, kept, pool, finished)
            status = 0
    if status:
        warn(f"interrupted after {len(kept.games)} of {len(fixtures)} games")
    games = list(kept.games.values())
    found = ratings.results(games)
    if out and games:
        commands = {bot.name: bot.agent or " ".join(bot.command) for bot in entrants}
        facts = {"game": game.name, **game.parameters, "drawn first moves": opening, **commands}
        arena.write_results(out, facts, [], found, games, None)
    if settings.json:
        say(json.dumps(tables.summary(found) | ({"sprt": msgspec.to_builtins(test.verdict)} if test else {})))
    else:
        arena.say_figures(found, games)
        if test:
            say(_said_of_test(names, test.verdict))
    sys.exit(status)


def _said_of_test(names: Sequence[str], verdict: "Sprt") -> str:
    """Return the state of the sequential test in words."""
    from ludoteca.arena.figures.tables import printable

    accepted = {"elo0": "the lower hypothesis is accepted", "elo1": "the higher hypothesis is accepted", "": "undecided"}
    return (
        f"{printable(names[0])} against {printable(names[1])}: {accepted[verdict.accepted]} after "
        f"{counted(verdict.deals, 'deal')}, {100 * verdict.score:.1f} %; log-likelihood ratio {verdict.ratio:.2f}, "
        f"bounds {verdict.lower:.2f} and {verdict.upper:.2f}"
    )


def _entrants(game: "Game", settings: MatchSettings) -> "tuple[Entrant, ...]":
    """Return the bots of the options as entrants, and warn if programs run without isolation. Raises ParameterError for the
    first bot that cannot play.
    """
    import msgspec

    from ludoteca.arena.figures.tables import printable
    from ludoteca.arena.matches.tournament import checked_entrant, read_bot, read_limits
    from ludoteca.arena.programs.limits import FaultError, Limits
    from ludoteca.core.levels import POSSIBLE

    limits, entrants = read_limits(dict(settings.limit), Limits()), dict[str, "Entrant"]()
    for text in settings.bot:
        entrant = msgspec.structs.replace(read_bot(text, settings.protocol, limits), thinking=settings.thinking)
        try:
            entrants[entrant.name] = checked_entrant(entrant, entrants, game, Path.cwd())
        except LudotecaError as error:
            why = f"{error.detail}; agents are {POSSIBLE}" if isinstance(error, FaultError) else str(error)
            raise ParameterError(f"bot {printable(entrant.name)}: {why}") from None
    if any(entrant.command for entrant in entrants.values()):
        warn_of_sandbox()
    return tuple(entrants.values())


command = GamesGroup(match_command, name="match", help=_match.__doc__)
