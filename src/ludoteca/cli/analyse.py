"""`ludoteca analyse RECORD`: the worth of the moves of a game."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import click

from ludoteca.cli.files import replay_record, write_file
from ludoteca.cli.options import COUNT, EXISTING_FILE, FILE, Duration
from ludoteca.cli.progress import compile_with_progress, progress
from ludoteca.cli.settings import FixedSeed, Json, Setting, SettingsCommand
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import replace_signs, say, warn
from ludoteca.core.errors import ParameterError

if TYPE_CHECKING:  # NumPy and the search, which wrong options do not need
    from ludoteca.agents.analysis import MoveValue
    from ludoteca.core.game import State

DEFAULT_SIMULATIONS: Final = 4000
SIMULATIONS_HELP: Final = f"the simulations of each search  [default: {DEFAULT_SIMULATIONS}]"
EXPECTED: Final = "what each player might expect after every move"
PANEL_HEIGHT: Final = 316
"""The height of the graph's panel, in units of the picture."""


@dataclass(frozen=True)
class AnalyseSettings:
    """The options of `ludoteca analyse`."""

    simulations: Annotated[int | None, Setting(SIMULATIONS_HELP, COUNT)] = None
    time: Annotated[float | None, Setting("the time of each search, also with --simulations", Duration())] = None
    seed: FixedSeed = 0
    graph: Annotated[Path | None, Setting("write a graph to this .svg file", FILE)] = None
    json: Json = False


@click.command(name="analyse", cls=SettingsCommand, settings=AnalyseSettings)
@click.argument("file", type=EXISTING_FILE, metavar="RECORD")
def command(file: Path, settings: AnalyseSettings) -> None:
    """Show the worth of every move to every player, the moves that cost most, and better moves.

    A search of a position has only the knowledge of the player to move. After Ctrl-C the finished moves are printed.
    """
    graph = settings.graph
    if graph:
        if graph.suffix != ".svg":
            raise ParameterError(f"graph: read {graph}, expected a name that ends in .svg")
        if not (graph.parent.is_dir() and os.access(graph if graph.exists() else graph.parent, os.W_OK)):
            raise ParameterError(f"graph: {graph} cannot be written")
    _analyse(file, settings)


def _analyse(file: Path, settings: AnalyseSettings) -> None:
    """Analyse the game of the record in a file, print the result and end the program. Raises LudotecaError if the record is
    wrong.
    """
    from ludoteca.agents.agent import new_searcher
    from ludoteca.agents.analysis import costly, stake, unsure, value_moves
    from ludoteca.core.game import Game
    from ludoteca.search.searcher import Budget

    record, checked = replay_record(file)  # interpreted, so that a wrong record is refused before rules are compiled
    replace_signs(getattr(checked.game.notation, "PLAIN", {}))
    compile_with_progress(checked.game.spec, new_searcher(checked.game).bindings())
    state = Game(checked.game.spec, checked.game.parameters, compiled=True).replay(record)
    budget = Budget(settings.simulations or (None if settings.time else DEFAULT_SIMULATIONS), settings.time)
    moves: list[MoveValue] = []
    with progress("Analysing", remaining=True) as watch, suppress(KeyboardInterrupt), interruptible():
        for move in value_moves(state, budget, settings.seed):
            moves.append(move)
            watch(len(moves) / len(state.history()))
    is_complete = len(moves) == len(state.history())
    if not is_complete:
        warn(f"interrupted after {len(moves)} of {len(state.history())} moves")
    most = stake(state, moves)
    mistakes, doubtful = costly(moves, most), [move.number for move in unsure(moves, most)]
    if settings.json:
        result = {
            "game": state.game.name,
            "parameters": state.game.parameters,
            "budget": budget._asdict(),
            "utility": state.game.utility(),
            "players": names(state),
            "complete": is_complete,
            "moves": [move._asdict() for move in moves],
            "costly": [move.number for move in mistakes],
            "unsure": doubtful,
        }
        # if the output's encoding may lack characters, JSON escapes them
        say(json.dumps(result, ensure_ascii=not sys.stdout.encoding.lower().startswith("utf")))
    else:
        say("\n".join(report(state, moves, mistakes, doubtful)))
    if settings.graph:
        write_file(settings.graph, picture(state, moves, mistakes).encode())
    sys.exit(0 if is_complete else INTERRUPTED)


def report(
    state: "State", moves: Sequence["MoveValue"], mistakes: Sequence["MoveValue"], doubtful: Sequence[int]
) -> Iterator[str]:
    """Yield the lines of the printed result: a row for each move, followed by the costly moves (`mistakes`) with better
    moves. `doubtful` are the numbers of moves that may have cost much or nothing.
    """
    from ludoteca.agents.explain import write_value

    def sureness(move: "MoveValue") -> str:
        low, high = (write_value(game, end) for end in move.interval)
        return "certain" if move.certain else f"{low} to {high}"

    game, players = state.game, names(state)
    wide = max([len("move"), *(len(move.action) for move in moves)])
    headings = "  ".join(f"{name:>10}" for name in players)
    yield f"{game.spec.title}: {EXPECTED}"
    yield f"  # {'player':<10} {'move':<{wide}}  {headings}  {'cost':>10}  sure"
    for move in moves:
        values = "  ".join(f"{write_value(game, value):>10}" for value in move.values)
        cost, sure = (write_value(game, move.cost), sureness(move)) if move.cost else ("", "")
        row = f"{move.number:>3} {players[move.player]:<10} {move.action:<{wide}}  {values}  {cost:>10}  {sure}"
        yield row.rstrip()
    yield ""
    if mistakes:
        yield "The costliest moves:"
    else:
        yield "No move is sure to have cost much." if doubtful else "No move cost much."
    for move in mistakes:
        best, *then = move.better
        follows = f", and then {', '.join(then)}" if then else ""
        lost = f"{write_value(game, move.cost)} ({sureness(move)})"
        yield f"{move.number:>3} {players[move.player]} played {move.action}, which cost {lost}: better was {best}{follows}"
    if doubtful:
        numbers = ", ".join(map(str, doubtful))
        yield f"Not sure: these moves may have cost much, or nothing: {numbers}. Try a larger budget."


def picture(state: "State", moves: Sequence["MoveValue"], mistakes: Sequence["MoveValue"]) -> str:
    """Return the graph as SVG: a line for each player, and a ring on the player's line for each costly move."""
    from ludoteca.cli.chart import Chart, Line, Panel, Ring, draw

    lines = [Line(name, [move.values[player] for move in moves]) for player, name in enumerate(names(state))]
    rings = [Ring(move.number, move.values[move.player], f"{move.number} {move.action}") for move in mistakes]
    in_wins = state.game.utility() == "win"
    panel = Panel(EXPECTED, PANEL_HEIGHT, lines, (0.0, 1.0) if in_wins else (0.0,), rings=rings, in_percent=in_wins)
    title = state.game.spec.title
    return draw(Chart(title, f"{title}: {EXPECTED}", "moves", [move.number for move in moves], [panel]))


def names(state: "State") -> list[str]:
    """Return the names of the players."""
    return [f"player {player + 1}" for player in range(state.game.num_players())]
