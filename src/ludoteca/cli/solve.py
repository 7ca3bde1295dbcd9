"""`ludoteca solve GAME`: who wins with best play from the beginning, and by how much."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.live import Live
from rich.text import Text

from ludoteca.agents.agent import new_searcher
from ludoteca.cli.parameters import GamesGroup, options_for, read_chosen
from ludoteca.cli.progress import progress
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import say
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted
from ludoteca.search.proof import Prover, check, lead_in_words
from ludoteca.search.proven import Proven
from ludoteca.search.searcher import Budget, Settings

SIMULATIONS: Final = 2000
"""Of the search that guesses who wins after each action."""
REFRESH: Final = 0.25
"""Seconds between two looks of the line of progress."""
NEWS: Final = 60.0
"""Seconds between two such lines where no terminal shows one that changes."""


def solve_command(spec: GameSpec) -> click.Command:
    """`ludoteca solve NAME` with the options of that game."""
    own = [
        click.Option(["--winner"], is_flag=True, help="only who wins, which takes a fraction of the time"),
        click.Option(["--save"], type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="keep what is proven here, and go on from what it holds"),
        click.Option(["--memory"], type=click.IntRange(min=1), default=256, show_default=True, metavar="MIB",
                     help="for what is known of positions; more is faster"),
        click.Option(["--json", "as_json"], is_flag=True, help="print one JSON object"),
    ]  # fmt: skip
    return click.Command(
        spec.name, params=[*options_for(spec), *own], callback=partial(_solve, spec), help=f"{spec.title}: {spec.summary}."
    )


def _solve(
    spec: GameSpec, winner: bool, save: Path | None, memory: int, as_json: bool, **given: str | None
) -> None:  # fmt: skip
    game = Game(spec, read_chosen(spec, given), compiled=True)
    check(game)
    try:
        proven = Proven(game, save)
    except OSError as error:
        raise ParameterError(f"save: {save}: {error.strerror}") from None
    begin, complete, line = time.monotonic(), True, list[int]()
    with _watched(game, proven) as watch:
        with progress(f"Compiling the rules of {game.spec.title}, only this time", measured=False):
            prover = Prover(game, proven, guesses, memory << 20, lambda: watch(prover))
        try:
            with interruptible():
                prover.settle(winner_only=winner)
                if prover.bounds[0] == prover.bounds[1]:
                    line = prover.line()
        except KeyboardInterrupt:
            complete = False
        except OSError as error:
            raise ParameterError(f"save: {save}: {error.strerror}") from None
    result = as_object(prover, line, complete, time.monotonic() - begin)
    say(json.dumps(result) if as_json else "\n".join(report(prover, result)))
    if not complete:
        further = f"the same command goes on from {save}" if save else "nothing is kept: with --save FILE it could go on"
        sys.stderr.write(f"ludoteca: interrupted; {further}\n")
        sys.exit(INTERRUPTED)


def guesses(game: Game) -> Callable[[State], Mapping[int, float]]:
    """What a short search thinks of a state's actions: player 0's share of the win after each that it looked at."""
    searcher = new_searcher(game, Settings(nodes=1 << 16, exact=0.0))

    def guess(state: State) -> Mapping[int, float]:
        if game.utility() != "win":
            return {}
        found = searcher.search(state.information_state(state.current_player()), Budget(simulations=SIMULATIONS))
        return {choice.action: choice.values[0] for choice in found.choices}

    return guess


@contextmanager
def _watched(game: Game, proven: Proven) -> Iterator[Callable[[Prover], None]]:
    """Show on standard error how far it is: in a terminal a line that changes, elsewhere one when there is news."""
    console, begin = Console(stderr=True), time.monotonic()
    told, shown = "", begin

    def line(prover: Prover, spent: float) -> str:
        speed = prover.positions / max(spent, REFRESH)
        kept = f"{counted(len(proven), 'proven position')}" + (" kept" if proven.file else "")
        return (
            f"{said_of(game, prover.bounds)}; {prover.positions:,} positions, {speed:,.0f} a second, {kept}, "
            f"{int(spent) // 60}:{int(spent) % 60:02}"
        )

    with Live(Text(""), console=console, transient=True, auto_refresh=False) as live:

        def watch(prover: Prover) -> None:
            nonlocal told, shown
            now, said = time.monotonic(), said_of(game, prover.bounds)
            if console.is_terminal:
                if now > shown + REFRESH:
                    live.update(Text(line(prover, now - begin)), refresh=True)
                    shown = now
            elif said != told or now > shown + NEWS:
                sys.stderr.write(f"{line(prover, now - begin)}\n")
                sys.stderr.flush()
                shown = now
            told = said

        yield watch


def said_of(game: Game, bounds: tuple[int, int]) -> str:
    """What these bounds of player 1's advantage tell."""
    lower, upper = bounds
    if lower <= 0 <= upper:
        return "with best play nobody wins" if lower == upper else "it is open who wins"
    least, most = (lower, upper) if lower > 0 else (-upper, -lower)
    lead = partial(lead_in_words, game)
    by = f"by {lead(least)}" if least == most else f"by {lead(least)} at least, {lead(most)} at most"
    return f"with best play player {1 if lower > 0 else 2} wins, {by}"


def as_object(prover: Prover, line: list[int], complete: bool, seconds: float) -> dict[str, Any]:
    """The object that `--json` prints."""
    lower, upper = prover.bounds
    state, actions = prover.game.new_initial_state(0), list[str]()
    for action in line:
        actions.append(state.action_to_string(action))
        state.apply_action(action)
    return {
        "game": prover.game.name,
        "parameters": prover.game.parameters,
        "complete": complete,
        "winner": 0 if lower > 0 else 1 if upper < 0 else None,
        "bounds": [lower, upper],
        "line": actions,
        "scores": state.scores() if line else None,
        "end": str(state) if line else None,
        "positions": prover.positions,
        "seconds": round(seconds, 1),
        "processor_seconds": round(time.process_time(), 1),
    }


def report(prover: Prover, result: dict[str, Any]) -> list[str]:
    """The lines of the text."""
    said = said_of(prover.game, prover.bounds)
    lines = [f"{prover.game.spec.title}: {said}."]
    if result["line"]:
        lines.append(f"Best play: {' '.join(result['line'])}")
        lines.append(f"The end: {result['end']}, {' to '.join(map(str, result['scores']))}")
    lines.append(f"{result['positions']:,} positions in {result['seconds']} s")
    return lines


command = GamesGroup(
    solve_command,
    name="solve",
    help="""Find out who wins a game with best play from its beginning, by how much, and how.

    For two sides and games in which nothing is hidden, small enough to be searched to the end: Okupació with
    25 cells takes a minute.
    """,
)
