"""The work of `ludoteca solve`."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ludoteca.agents.agent import new_searcher
from ludoteca.cli.progress import compile_with_progress
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.solve import SolveSettings
from ludoteca.cli.streams import say, warn
from ludoteca.core.errors import SearchError, explained
from ludoteca.core.game import Game, State
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted
from ludoteca.search.proof import Prover, bind, lead_in_words
from ludoteca.search.proven import Proven
from ludoteca.search.searcher import Budget, Searcher, Settings

GUESS_SIMULATIONS: Final = 2000
"""The budget of the search that guesses the winner after each action."""
MOST_FIRST_MOVES: Final = 30
"""A game with more moves in its first position may take days. A board of Okupació with 30 cells takes minutes."""
REFRESH_SECONDS: Final = 0.25
"""The time between two states of the progress line in a terminal."""
NEWS_SECONDS: Final = 60.0
"""The longest time between two progress lines without a terminal."""


def run(spec: GameSpec, chosen: dict[str, Any], settings: SolveSettings) -> None:
    """Solve the game with the chosen parameters, and print the result. Raises ParameterError and SearchError."""
    interpreted, out = Game(spec, chosen), settings.out
    check(interpreted)
    game = Game(spec, interpreted.parameters, compiled=True)
    with explained(f"out: {out}"):
        proven = Proven(game, out)
    compile_with_progress(spec, [bind(interpreted), *_guesser(interpreted).bindings()])
    begin, complete, line = time.monotonic(), False, list[int]()
    with _watched(game, proven) as watch:
        prover = Prover(game, proven, guesses, settings.memory, lambda: watch(prover))
        with suppress(KeyboardInterrupt), explained(f"out: {out}"), interruptible():
            prover.settle(winner_only=settings.winner)
            if prover.bounds[0] == prover.bounds[1]:
                line = prover.line()
            complete = True
    result = as_object(prover, line, complete, time.monotonic() - begin)
    say(json.dumps(result) if settings.json else "\n".join(report(prover, result)))
    if not complete:
        further = f"the same command continues from {out}" if out else "nothing is stored: --out FILE stores positions"
        warn(f"interrupted; {further}")
        sys.exit(INTERRUPTED)


def check(game: Game) -> None:
    """Warn on standard error of a game that is too large. Raises SearchError if a game cannot be solved.

    The game is interpreted, so this takes a moment. The rules are compiled later.
    """
    if not game.spec.perfect_information:
        raise SearchError(f"{game.name} cannot be solved: its players do not see everything")
    Prover(game, Proven(game, None), lambda _: lambda _: {}, 1 << 20, lambda: None)
    moves = game.new_initial_state(0).position.choices().size
    if moves > MOST_FIRST_MOVES:
        warn(
            f"this game begins with {moves} possible moves. With more than {MOST_FIRST_MOVES}, the answer may take days or "
            "never come. Ctrl-C shows the result so far."
        )


def guesses(game: Game) -> Callable[[State], Mapping[int, float]]:
    """Return a function that estimates player 0's share of the win after actions, by a short search."""
    searcher = _guesser(game)

    def guess(state: State) -> Mapping[int, float]:
        if game.utility() != "win":
            return {}
        found = searcher.search(state.information_state(state.current_player()), Budget(simulations=GUESS_SIMULATIONS))
        return {choice.action: choice.values[0] for choice in found.choices}

    return guess


def _guesser(game: Game) -> Searcher:
    return new_searcher(game, Settings(nodes=1 << 16, exact=0.0))


@contextmanager
def _watched(game: Game, proven: Proven) -> Iterator[Callable[[Prover], None]]:
    """Show progress on standard error: a line that changes in a terminal, or else new lines."""
    console, begin = Console(stderr=True), time.monotonic()
    told, shown = "", begin

    def line(prover: Prover, spent: float) -> str:
        speed = prover.positions / max(spent, REFRESH_SECONDS)
        kept = f"{counted(len(proven), 'proven position')}" + (" stored" if proven.file else "")
        clock = f"{int(spent) // 60}:{int(spent) % 60:02}"
        return f"{said_of(game, prover.bounds)}; {prover.positions:,} positions, {speed:,.0f} a second, {kept}, {clock}"

    with Live(Text(""), console=console, transient=True, auto_refresh=False) as live:

        def watch(prover: Prover) -> None:
            nonlocal told, shown
            now, said = time.monotonic(), said_of(game, prover.bounds)
            if console.is_terminal:
                if now > shown + REFRESH_SECONDS:
                    live.update(Text(line(prover, now - begin)), refresh=True)
                    shown = now
            elif said != told or now > shown + NEWS_SECONDS:
                sys.stderr.write(f"{line(prover, now - begin)}\n")
                sys.stderr.flush()
                shown = now
            told = said

        yield watch


def said_of(game: Game, bounds: tuple[int, int]) -> str:
    """Return these bounds of player 1's advantage in words."""
    lower, upper = bounds
    if lower <= 0 <= upper:
        return "with best play nobody wins" if lower == upper else "it is open who wins"
    least, most = (lower, upper) if lower > 0 else (-upper, -lower)
    lead = partial(lead_in_words, game)
    by = f"by {lead(least)}" if least == most else f"by {lead(least)} at least, {lead(most)} at most"
    return f"with best play player {1 if lower > 0 else 2} wins, {by}"


def as_object(prover: Prover, line: list[int], complete: bool, seconds: float) -> dict[str, Any]:
    """Return the object that `--json` prints."""
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


def report(prover: Prover, result: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the text."""
    yield f"{prover.game.spec.title}: {said_of(prover.game, prover.bounds)}."
    if result["line"]:
        yield f"Best play: {' '.join(result['line'])}"
        yield f"The end: {result['end']}, {' to '.join(map(str, result['scores']))}"
    yield f"{result['positions']:,} positions in {result['seconds']} s"
