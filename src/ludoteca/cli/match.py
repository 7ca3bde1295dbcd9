"""`ludoteca match GAME`: play agents and programs against each other, every deal from every seat."""

import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import click
import msgspec

from ludoteca.arena.figures.ratings import results
from ludoteca.arena.figures.sequential import Sequential
from ludoteca.arena.figures.sprt import Sprt, sprt
from ludoteca.arena.figures.tables import final_table, printable, summary
from ludoteca.arena.matches.formats import DEALS, RoundRobin
from ludoteca.arena.matches.openings import MOST_MOVES, moves_of
from ludoteca.arena.matches.players import LINES, Entrant, protocols_of
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import ArenaError, Memory, Setup, playing, run
from ludoteca.arena.matches.tournament import checked_entrant, read_bot
from ludoteca.arena.programs.limits import Limits
from ludoteca.cli.arena import (
    LIMIT_NAMES,
    compiled_game,
    limits_of,
    new_console,
    said_of_copies,
    said_of_deals,
    said_of_faults,
    warn_of_shared_folders,
    write_results,
)
from ludoteca.cli.options import SeedNumber
from ludoteca.cli.parameters import GamesGroup, options_for, read_chosen
from ludoteca.cli.progress import progress
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.formats import Field
from ludoteca.core.game import Game
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted, quoted
from ludoteca.core.workers import ProcessPool, cores


def match_command(spec: GameSpec) -> click.Command:
    """Return the command `ludoteca match NAME` with the options of that game."""
    own = [
        click.Option(["--bot", "bots"], multiple=True, metavar="[NAME=]BOT", required=True,
                     help="an agent, as in `play --opponent`, or a program's command line; repeat the option for each bot"),
        click.Option(["--deals"], type=click.IntRange(min=1), default=DEALS, show_default=True,
                     help="the number of deals; each is played from every seat"),
        click.Option(["--opening"], type=click.IntRange(0, MOST_MOVES), metavar="MOVES",
                     help="the number of drawn moves at the start of each deal, in a game without chance  "
                     "[default: two per player, and one]"),
        click.Option(["--seed"], type=SeedNumber(SEED_BITS),
                     help="the same seed gives the same deals; bots do not receive it  [default: drawn]"),
        click.Option(["--variant"], type=click.Choice(list(spec.variants)), help="the parameters of a `bench` variant"),
        click.Option(["--protocol"], type=click.Choice([LINES, *protocols_of(spec)]), default=LINES, show_default=True,
                     help="the protocol of the programs"),
        click.Option(["--limit", "limits"], multiple=True, metavar="KEY=VALUE",
                     help=f"a limit of every program, such as move=0.5: {LIMIT_NAMES}; repeat the option for more"),
        click.Option(["--sprt", "elos"], metavar="ELO0:ELO1", callback=_read_elos,
                     help="with two bots: end when a test accepts that the first is ELO1 points above the second, "
                     "or ELO0; --deals is the maximum"),
        click.Option(["--processes"], type=click.IntRange(min=1), help="games at a time  [default: the number of cores]"),
        click.Option(["--save"], type=click.Path(file_okay=False, path_type=Path),
                     help="write records of all games to this folder, and the results with a page"),
        click.Option(["--json", "as_json"], is_flag=True, help="print one JSON object"),
    ]  # fmt: skip
    return click.Command(
        spec.name, params=[*options_for(spec), *own], callback=partial(_match, spec), help=f"{spec.title}: {spec.summary}."
    )


def _match(
    spec: GameSpec, bots: tuple[str, ...], deals: int, seed: int | None, variant: str | None, protocol: str,
    limits: tuple[str, ...], elos: tuple[float, float] | None, opening: int | None, processes: int | None,
    save: Path | None, as_json: bool, **given: str | None,
) -> None:  # fmt: skip
    game = Game(spec, {**(spec.variants[variant] if variant else {}), **read_chosen(spec, given)})
    entrants = _entrants(game, bots, protocol, limits_of(limits))
    names = tuple(entrant.name for entrant in entrants)
    secret = secrets.randbits(SEED_BITS) if seed is None else seed
    field = Field(names, game.num_players(), deals, secret.to_bytes(SEED_BITS // 8, "big"), {})
    for _, problem in RoundRobin().problems(field):
        raise ParameterError(f"bots: {problem}")
    if elos and len(names) != 2:
        raise ParameterError(f"sprt: {counted(len(names), 'bot')} play, but the test needs two")
    opening = moves_of(game, opening)
    if save:
        _prepare(save)
    said_of_deals(game)
    warn_of_shared_folders(entrants)
    fixtures = RoundRobin().plan(field, {}).games
    numbers = {fixture.key: number for number, fixture in enumerate(fixtures, 1)}
    kept, status = Memory(), 0
    test = Sequential(field, *elos, kept.games) if elos else None
    plan = test.plan if test else partial(RoundRobin().plan, field)
    setup = Setup(compiled_game(game, entrants, len(fixtures)), entrants, field.seed, str(Path.cwd()), opening)
    with progress("Playing") as watch, ProcessPool(playing, setup, processes or cores()) as pool:

        def finished(played: Played, done: int, known: int) -> None:
            watch(done / (known if test is None else len(fixtures)))
            if save:
                _write(save, numbers[played.key], played)

        try:
            with interruptible():
                run(plan, kept, pool, finished)
        except KeyboardInterrupt:
            sys.stderr.write(f"ludoteca: interrupted after {len(kept.games)} of {len(fixtures)} games\n")
            status = INTERRUPTED
    games = list(kept.games.values())
    found = results(games)
    if save and games:
        commands = {bot.name: bot.agent or " ".join(bot.command) for bot in entrants}
        facts = {"game": game.name, **game.parameters, "drawn first moves": opening, **commands}
        write_results(save, facts, [], found, games, None)
    if as_json:
        say(json.dumps(summary(found) | ({"sprt": msgspec.to_builtins(test.verdict)} if test else {})))
    else:
        new_console().print(final_table(found))
        for line in [*said_of_copies(found), *said_of_faults(games), *(_said_of_test(names, test.verdict) if test else ())]:
            say(line)
    sys.exit(status)


def _read_elos(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, float] | None:  # noqa: ARG001  # click's signature
    if value is None:
        return None
    try:
        elo0, elo1 = (float(part) for part in value.split(":"))
        sprt([], elo0, elo1)
    except ValueError:
        raise click.BadParameter(f"read {quoted(value)}, expected two numbers within 1000, the lower first: 0:20") from None
    return elo0, elo1


def _said_of_test(names: Sequence[str], verdict: Sprt) -> Iterator[str]:
    """Yield the state of the sequential test in words."""
    accepted = {"elo0": "the lower hypothesis is accepted", "elo1": "the higher hypothesis is accepted", "": "undecided"}
    yield (
        f"{printable(names[0])} against {printable(names[1])}: {accepted[verdict.accepted]} after "
        f"{counted(verdict.deals, 'deal')}, {100 * verdict.score:.1f} %; log-likelihood ratio {verdict.ratio:.2f}, "
        f"bounds {verdict.lower:.2f} and {verdict.upper:.2f}"
    )


def _entrants(game: Game, bots: Sequence[str], protocol: str, limits: Limits) -> tuple[Entrant, ...]:
    """Read the bots. Raises ParameterError for the first bot that cannot play."""
    entrants = dict[str, Entrant]()
    for text in bots:
        if not text.strip():
            raise ParameterError("bot: needs a value, such as greedy or ./mine")
        entrant = read_bot(text, protocol, limits)
        try:
            entrants[entrant.name] = checked_entrant(entrant, entrants, game, Path.cwd())
        except LudotecaError as error:
            raise ParameterError(f"bot {printable(entrant.name)}: {error}") from None
    return tuple(entrants.values())


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ParameterError(f"save: {folder} is not empty. Name a new or empty folder")
    except OSError as error:
        raise ParameterError(f"save: {folder}: {error.strerror}") from None


def _write(folder: Path, number: int, played: Played) -> None:
    try:
        (folder / f"{number:06}.json").write_text(played.record.to_json(), encoding="utf-8")
    except OSError as error:
        raise ArenaError(f"{folder}: {error.strerror}") from None


command = GamesGroup(
    match_command,
    name="match",
    help="""Play agents and programs against each other, every deal from every seat.

    A bot is `[NAME=]WHAT`: the name of an agent, or the command line of a program.
    """,
)
