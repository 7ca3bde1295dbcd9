"""The work of `ludoteca match`."""

import json
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ludoteca.arena.figures.ratings import results
from ludoteca.arena.figures.sequential import Sequential
from ludoteca.arena.figures.sprt import Sprt
from ludoteca.arena.figures.tables import printable, summary
from ludoteca.arena.matches import runner
from ludoteca.arena.matches.formats import RoundRobin
from ludoteca.arena.matches.openings import moves_of
from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.tournament import checked_entrant, read_bot, read_limits
from ludoteca.arena.programs.limits import Limits
from ludoteca.cli.arena import compiled_game, say_figures, warn_of_bots, write_results
from ludoteca.cli.files import make_folder, write_file
from ludoteca.cli.match import MatchSettings
from ludoteca.cli.progress import progress
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say, warn
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.formats import Field
from ludoteca.core.game import Game
from ludoteca.core.seeds import SEED_BITS
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted
from ludoteca.core.workers import ProcessPool, cores


def run(spec: GameSpec, chosen: dict[str, Any], settings: MatchSettings) -> None:
    game = Game(spec, {**(spec.variants[settings.variant] if settings.variant else {}), **chosen})
    entrants = _entrants(game, settings)
    names = tuple(entrant.name for entrant in entrants)
    secret = secrets.randbits(SEED_BITS) if settings.seed is None else settings.seed
    field = Field(names, game.num_players(), settings.deals, secret.to_bytes(SEED_BITS // 8, "big"), {})
    for _, problem in RoundRobin().problems(field):
        raise ParameterError(f"bots: {problem}")
    if settings.sprt and len(names) != 2:
        raise ParameterError(f"sprt: {counted(len(names), 'bot')} play, but the test needs two")
    opening, out = moves_of(game, settings.opening), settings.out
    if out:
        make_folder(out)
    warn_of_bots(game, entrants)
    fixtures = RoundRobin().plan(field, {}).games
    numbers = {fixture.key: number for number, fixture in enumerate(fixtures, 1)}
    kept, status = runner.Memory(), INTERRUPTED
    test = Sequential(field, *settings.sprt, kept.games) if settings.sprt else None
    plan = test.plan if test else partial(RoundRobin().plan, field)
    setup = runner.Setup(compiled_game(game, entrants, len(fixtures)), entrants, field.seed, str(Path.cwd()), opening)
    with progress("Playing") as watch, ProcessPool(runner.playing, setup, settings.processes or cores()) as pool:

        def finished(played: Played, done: int, known: int) -> None:
            watch(done / (known if test is None else len(fixtures)))
            if out:
                write_file(out / f"{numbers[played.key]:06}.json", played.record.to_json().encode())

        with suppress(KeyboardInterrupt), interruptible():
            runner.run(plan, kept, pool, finished)
            status = 0
    if status:
        warn(f"interrupted after {len(kept.games)} of {len(fixtures)} games")
    games = list(kept.games.values())
    found = results(games)
    if out and games:
        commands = {bot.name: bot.agent or " ".join(bot.command) for bot in entrants}
        facts = {"game": game.name, **game.parameters, "drawn first moves": opening, **commands}
        write_results(out, facts, [], found, games, None)
    if settings.json:
        say(json.dumps(summary(found) | ({"sprt": msgspec.to_builtins(test.verdict)} if test else {})))
    else:
        say_figures(found, games)
        if test:
            say(_said_of_test(names, test.verdict))
    sys.exit(status)


def _said_of_test(names: Sequence[str], verdict: Sprt) -> str:
    """Return the state of the sequential test in words."""
    accepted = {"elo0": "the lower hypothesis is accepted", "elo1": "the higher hypothesis is accepted", "": "undecided"}
    return (
        f"{printable(names[0])} against {printable(names[1])}: {accepted[verdict.accepted]} after "
        f"{counted(verdict.deals, 'deal')}, {100 * verdict.score:.1f} %; log-likelihood ratio {verdict.ratio:.2f}, "
        f"bounds {verdict.lower:.2f} and {verdict.upper:.2f}"
    )


def _entrants(game: Game, settings: MatchSettings) -> tuple[Entrant, ...]:
    """Read the bots. Raises ParameterError for the first bot that cannot play."""
    limits, entrants = read_limits(dict(settings.limit), Limits()), dict[str, Entrant]()
    for text in settings.bot:
        entrant = msgspec.structs.replace(read_bot(text, settings.protocol, limits), thinking=settings.thinking)
        try:
            entrants[entrant.name] = checked_entrant(entrant, entrants, game, Path.cwd())
        except LudotecaError as error:
            raise ParameterError(f"bot {printable(entrant.name)}: {error}") from None
    return tuple(entrants.values())
