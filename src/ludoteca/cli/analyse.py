"""`ludoteca analyse RECORD`: what the moves of a game were worth."""

import json
import os
import sys
from pathlib import Path
from typing import Final

import click

from ludoteca.agents.agent import new_searcher
from ludoteca.agents.analysis import MoveValue, costly, stake, unsure, value_moves
from ludoteca.agents.explain import write_value
from ludoteca.agents.warming import USUAL
from ludoteca.cli.files import read_record
from ludoteca.cli.graph import Graph, draw
from ludoteca.cli.options import Seconds
from ludoteca.cli.progress import progress
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import replace_signs, say
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.game import Game, State, open_record
from ludoteca.search.searcher import Budget

SIMULATIONS: Final = 4000
"""For each search, where nothing else is said."""


@click.command(name="analyse")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="RECORD")
@click.option("--simulations", type=click.IntRange(min=1), help=f"for each search, two a move  [default: {SIMULATIONS}]")
@click.option("--seconds", type=Seconds(min=0, min_open=True), help="for each search; the smaller budget counts")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="of the searches")
@click.option("--graph", type=click.Path(dir_okay=False, path_type=Path), help="write a graph to this .svg file")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def command(
    file: Path, simulations: int | None, seconds: float | None, seed: int, graph: Path | None, as_json: bool
) -> None:
    """Say what every move of a game was worth to every player, which moves cost most, and what was better.

    Every position is searched from what its mover knew, secrets of others left out. Ctrl-C ends with what there is.
    """
    if graph:
        _check_graph(graph)
    state = _open(file)
    budget = Budget(simulations if simulations or seconds else SIMULATIONS, seconds)
    moves = _value_all(state, budget, seed)
    say(_as_json(as_object(state, moves, budget)) if as_json else "\n".join(report(state, moves)))
    if graph:
        _write_graph(picture(state, moves), graph)
    sys.exit(0 if len(moves) == len(state.history()) else INTERRUPTED)


def _as_json(content: dict[str, object]) -> str:
    """On one line; where the output's encoding may lack signs they are escaped, not replaced."""
    return json.dumps(content, ensure_ascii=not sys.stdout.encoding.lower().startswith("utf"))


def _check_graph(file: Path) -> None:
    if file.suffix != ".svg":
        raise ParameterError(f"graph: read {file}, expected a name that ends in .svg: only SVG is written")
    if not (file.parent.is_dir() and os.access(file if file.exists() else file.parent, os.W_OK)):
        raise ParameterError(f"graph: {file} cannot be written")


def _write_graph(graph: Graph, file: Path) -> None:
    try:
        file.write_text(draw(graph), encoding="utf-8")
    except OSError as error:
        raise ParameterError(f"graph: {file} cannot be written: {error.strerror}") from None


def _open(file: Path) -> State:
    """The state at the record's end, compiled. Raises RecordError."""
    record = read_record(file)
    try:
        checked = open_record(record)  # interpreted: what is wrong is told before anything is compiled
    except LudotecaError as error:
        raise type(error)(f"{file}: {error}") from None
    replace_signs(getattr(checked.game.notation, "PLAIN", {}))
    game = Game(checked.game.spec, checked.game.parameters, compiled=True)
    with progress(f"Waiting for the compiled rules of {game.spec.title} ({USUAL})", measured=False):
        new_searcher(game)
        return game.replay(record)


def _value_all(state: State, budget: Budget, seed: int) -> list[MoveValue]:
    """All moves, or as many as there are before Ctrl-C."""
    moves: list[MoveValue] = []
    with progress("Analysing") as watch:
        try:
            with interruptible():
                for move in value_moves(state, budget, seed):
                    moves.append(move)
                    watch(len(moves) / len(state.history()))
        except KeyboardInterrupt:
            sys.stderr.write(f"ludoteca: interrupted after {len(moves)} of {len(state.history())} moves\n")
    return moves


def as_object(state: State, moves: list[MoveValue], budget: Budget) -> dict[str, object]:
    """What `--json` prints."""
    return {
        "game": state.game.name,
        "parameters": state.game.parameters,
        "budget": budget._asdict(),
        "utility": state.game.utility(),
        "players": names(state),
        "complete": len(moves) == len(state.history()),
        "moves": [move._asdict() for move in moves],
        "costly": [move.number for move in costly(moves, stake(state, moves))],
        "unsure": [move.number for move in unsure(moves, stake(state, moves))],
    }


def report(state: State, moves: list[MoveValue]) -> list[str]:
    """The lines of the text: a row a move, and then what the costly ones might have been."""
    players = names(state)
    wide = max([len("move"), *(len(move.action) for move in moves)])
    head = f"  # {'player':<10} {'move':<{wide}}  {'  '.join(f'{name:>10}' for name in players)}  {'cost':>10}  sure"
    rows = [_row(state, move, players, wide) for move in moves]
    return [f"{state.game.spec.title}: what each player might expect after every move", head, *rows, *_advice(state, moves)]


def _row(state: State, move: MoveValue, players: list[str], wide: int) -> str:
    values = "  ".join(f"{write_value(state.game, value):>10}" for value in move.values)
    cost, sure = (write_value(state.game, move.cost), sureness(state, move)) if move.cost else ("", "")
    return f"{move.number:>3} {players[move.player]:<10} {move.action:<{wide}}  {values}  {cost:>10}  {sure}".rstrip()


def sureness(state: State, move: MoveValue) -> str:
    """How sure the cost is."""
    low, high = (write_value(state.game, end) for end in move.interval)
    return "certain" if move.certain else f"{low} to {high}"


def _advice(state: State, moves: list[MoveValue]) -> list[str]:
    most = stake(state, moves)
    found, open_moves = costly(moves, most), ", ".join(str(move.number) for move in unsure(moves, most))
    lines = ["", "The moves that surely cost most:", *(_better(state, move) for move in found)]
    if not found:
        lines = ["", "No move is sure to have cost much." if open_moves else "No move cost much."]
    if open_moves:
        lines.append(f"Not sure: what may have cost much, or nothing, is {open_moves}. A larger budget tells more.")
    return lines


def _better(state: State, move: MoveValue) -> str:
    best, *then = move.better
    follows = f", and then {', '.join(then)}" if then else ""
    lost = f"{write_value(state.game, move.cost)} ({sureness(state, move)})"
    return (
        f"{move.number:>3} {names(state)[move.player]} played {move.action}, which cost {lost}: better was {best}{follows}"
    )


def picture(state: State, moves: list[MoveValue]) -> Graph:
    """What the graph shows."""
    most = stake(state, moves)
    bottom = min((0.0, *(value for move in moves for value in move.values)))
    return Graph(state.game.spec.title, names(state), moves, costly(moves, most), bottom + most, bottom)


def names(state: State) -> list[str]:
    """What the players are called."""
    return [f"player {player + 1}" for player in range(state.game.num_players())]
