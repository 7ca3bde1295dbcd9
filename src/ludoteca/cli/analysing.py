"""The work of `ludoteca analyse`."""

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from ludoteca.agents.analysis import MoveValue, costly, judging_searcher, stake, unsure, value_moves
from ludoteca.agents.explain import write_value
from ludoteca.cli.analyse import DEFAULT_SIMULATIONS, AnalyseSettings
from ludoteca.cli.chart import Chart, Line, Panel, Ring, draw
from ludoteca.cli.files import replay_record, write_file
from ludoteca.cli.progress import compile_with_progress, progress
from ludoteca.cli.signals import INTERRUPTED, interruptible
from ludoteca.cli.streams import replace_signs, say, warn
from ludoteca.core.game import Game, State
from ludoteca.search.searcher import Budget

EXPECTED: Final = "what each player might expect after every move"
PANEL_HEIGHT: Final = 316
"""The height of the graph's panel, in units of the picture."""


def run(file: Path, settings: AnalyseSettings) -> None:
    """Analyse the game of a record, print the result and end the program. Raises LudotecaError for a wrong record."""
    record, checked = replay_record(file)  # interpreted, so that a wrong record is refused before rules are compiled
    replace_signs(getattr(checked.game.notation, "PLAIN", {}))
    compile_with_progress(checked.game.spec, judging_searcher(checked.game).bindings())
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
    if settings.json:  # if the output's encoding may lack characters, JSON escapes them
        say(json.dumps(as_object(state, moves, budget), ensure_ascii=not sys.stdout.encoding.lower().startswith("utf")))
    else:
        say("\n".join(report(state, moves)))
    if settings.graph:
        write_file(settings.graph, draw(picture(state, moves)).encode())
    sys.exit(0 if is_complete else INTERRUPTED)


def as_object(state: State, moves: list[MoveValue], budget: Budget) -> dict[str, object]:
    """Return the object that `--json` prints."""
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
    """Return the lines of the text: a row for each move, then the costly moves with better moves."""
    game, players, most = state.game, names(state), stake(state, moves)
    wide = max([len("move"), *(len(move.action) for move in moves)])
    headings = "  ".join(f"{name:>10}" for name in players)
    lines = [f"{game.spec.title}: {EXPECTED}", f"  # {'player':<10} {'move':<{wide}}  {headings}  {'cost':>10}  sure"]
    for move in moves:
        values = "  ".join(f"{write_value(game, value):>10}" for value in move.values)
        cost, sure = (write_value(game, move.cost), _sureness(state, move)) if move.cost else ("", "")
        row = f"{move.number:>3} {players[move.player]:<10} {move.action:<{wide}}  {values}  {cost:>10}  {sure}"
        lines.append(row.rstrip())
    found, not_sure = costly(moves, most), ", ".join(str(move.number) for move in unsure(moves, most))
    if found:
        lines += ["", "The costliest moves:"]
    else:
        lines += ["", "No move is sure to have cost much." if not_sure else "No move cost much."]
    for move in found:
        best, *then = move.better
        follows = f", and then {', '.join(then)}" if then else ""
        lost = f"{write_value(game, move.cost)} ({_sureness(state, move)})"
        lines.append(
            f"{move.number:>3} {players[move.player]} played {move.action}, which cost {lost}: better was {best}{follows}"
        )
    if not_sure:
        lines.append(f"Not sure: these moves may have cost much, or nothing: {not_sure}. Try a larger budget.")
    return lines


def _sureness(state: State, move: MoveValue) -> str:
    """Return `certain`, or the interval of the cost."""
    low, high = (write_value(state.game, end) for end in move.interval)
    return "certain" if move.certain else f"{low} to {high}"


def picture(state: State, moves: list[MoveValue]) -> Chart:
    """Return the chart with a line for each player, and a ring on the player's line for each costly move."""
    most = stake(state, moves)
    lines = [Line(name, [move.values[player] for move in moves]) for player, name in enumerate(names(state))]
    rings = [Ring(move.number, move.values[move.player], f"{move.number} {move.action}") for move in costly(moves, most)]
    in_wins = state.game.utility() == "win"
    panel = Panel(EXPECTED, PANEL_HEIGHT, lines, (0.0, 1.0) if in_wins else (0.0,), rings=rings, in_percent=in_wins)
    title = state.game.spec.title
    return Chart(title, f"{title}: {EXPECTED}", "moves", [move.number for move in moves], [panel])


def names(state: State) -> list[str]:
    """Return the names of the players."""
    return [f"player {player + 1}" for player in range(state.game.num_players())]
