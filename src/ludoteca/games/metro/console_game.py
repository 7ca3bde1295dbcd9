"""The game of one player in the terminal, in Romanian."""

from collections.abc import Mapping
from itertools import groupby
from textwrap import wrap
from typing import Final

from ludoteca.core.console import Console, Dialogue
from ludoteca.core.game import Game, State
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.words import excerpt
from ludoteca.games.metro import GAME, drawing
from ludoteca.games.metro.actions import action_of, rotation_of, space_of
from ludoteca.games.metro.board import Place, place_of, space_at
from ludoteca.games.metro.console_list import NO_ROTATION, Listed, is_listed, number, path_lines, reason, score_line, show
from ludoteca.games.metro.notation import Ending, ending_of
from ludoteca.games.metro.tiles import FACE_OF, NONE, SIDES, tile_id

TITLE: Final = "METRO, tablă {side} x {side}, sămânța {seed}. ? explică, q încheie."
HELP: Final = (
    "Trenurile (numerele de lângă tablă) merg pe șinele cărților. Așezați cartea care urmează pe un spațiu liber, pe "
    "margine sau lângă altă carte, rotită cum doriți: x y rotația, de exemplu 3 2 R1 (coloana 3, rândul 2). Niciun tren nu "
    "poate ajunge la o gară de pe margine printr-o singură carte. Un traseu închis (linie groasă) aduce câte un punct "
    "pentru fiecare carte prin care trece, două dacă se termină în centru (▼ ▶ ▲ ◀). Jocul se termină când cartea care "
    "urmează nu are loc.",
    "m: mutările posibile. t: traseele. q: încheie jocul.",
)
TILE: Final = "Urmează cartea #{}:"
STACK: Final = "În teanc: {}."
PROMPT: Final = "Mutarea (x y rotația):"
NOT_READ: Final = "Am citit „{}”: mutarea se scrie x y rotația, de exemplu {}. ? explică."
NOT_PLAYED: Final = "Nu se poate: {}."
OTHER_TILE: Final = "urmează cartea #{}, nu {}"
ROTATIONS: Final = "Pe {} se poate cu {}."
SPACES: Final = "Cartea #{} are loc pe: {}."
ENDINGS: Final = {
    Ending.FULL: "Jocul s-a terminat: nu mai sunt spații libere.",
    Ending.TOO_SHORT: "Jocul s-a terminat: cartea #{} nu mai are loc, oriunde ar face un traseu de lungime 1.",
    Ending.USED_UP: "Jocul s-a terminat: nu mai sunt cărți.",
}
ENTER: Final = "Enter încheie."
LEFT: Final = "Joc încheiat înainte de sfârșit."
MOVE: Final = "o mutare, de exemplu {}, sau q"
SEED: Final = f"un număr de la 0 la 2^{SEED_BITS} - 1"
COLUMNS: Final = 100


def play(io: Console, options: Mapping[str, str]) -> Dialogue[None]:
    """From the empty board until the next tile has no place. A first line that names its tile begins a list of moves."""
    parameters = {name: value for name, value in options.items() if name != "seed"}
    state = Game(GAME, parameters).new_initial_state(_seed(io, options["seed"]))
    io.print(TITLE.format(side=state.raw.side, seed=options["seed"]), "", *_screen(state))
    if state.is_terminal():
        yield from _over_at_once(io, state)
        return
    io.print(PROMPT)
    while not state.is_terminal():
        line = yield from io.line(MOVE.format(_example(state)))
        if not state.history() and is_listed(line):
            yield from _list(io, state, line)
            return
        if line.strip().lower() == "q":
            io.print(LEFT, score_line(state.raw))
            return
        moves = len(state.history())
        io.print(*_answer(state, line))
        if state.is_terminal():
            break
        io.print(*(_screen(state) if len(state.history()) > moves else []), PROMPT)
    io.print(*_screen(state), *path_lines(state.raw), score_line(state.raw), _ending(state))


def _over_at_once(io: Console, state: State) -> Dialogue[None]:
    """One game in ten: #1 comes first. A list of moves is read all the same."""
    io.print(score_line(state.raw), _ending(state), ENTER)
    line = yield from io.next_line()
    if line and is_listed(line):
        yield from _list(io, state, line)


def _list(io: Console, state: State, line: str) -> Dialogue[None]:
    listed = Listed(io, int(state.raw.side))
    listed.add(line)
    yield from show(io, listed)


def _seed(io: Console, digits: str) -> int:
    seed = number(digits, most=78)
    if seed is None or seed >> SEED_BITS:
        raise io.wrong_argument(f"--seed {digits}", SEED)
    return seed


def _screen(state: State) -> list[str]:
    """The board with the last tile marked; score, and the tile that is next in its rotations."""
    last = [] if not state.history() else [place_of(int(state.raw.side), space_of(state.history()[-1]))]
    board = [*drawing.lines(state.raw, last), ""]
    if state.is_terminal():
        return board
    faces = [int(face) for face in FACE_OF[state.raw.tile] if face != NONE]
    names = "        ".join(f"R{times}" for times in range(len(faces)))
    stack = [] if state.raw.endless else [STACK.format(state.raw.stacked)]
    return [*board, score_line(state.raw), *stack, TILE.format(_tile(state)), *drawing.tile_lines(faces), f"  {names}"]


def _answer(state: State, line: str) -> list[str]:
    """Do what a line says; or say why not, and what is possible."""
    match line.strip().lower():
        case "":
            return []
        case "?":
            return [*wrap(HELP[0], COLUMNS), *HELP[1:], ""]
        case "m":
            return [*_possible(state), ""]
        case "t":
            return [*path_lines(state.raw), ""]
        case text:
            return _try(state, text)


def _try(state: State, text: str) -> list[str]:
    words = [word for word in text.replace(",", " ").replace("(", " ").replace(")", " ").split() if word]
    tile = f"#{_tile(state)}"
    named = words.pop(2) if len(words) == 4 and is_listed(words[2]) else tile
    if named != tile:
        return [NOT_PLAYED.format(OTHER_TILE.format(_tile(state), excerpt(named))), ""]
    numbers = [number(word.removeprefix("r")) for word in words]
    if len(words) != 3 or None in numbers or words[0][0] == "r" or words[1][0] == "r":
        return [NOT_READ.format(excerpt(text), _example(state)), ""]
    x, y, times = (n or 0 for n in numbers)
    return _move(state, (x, y), times)


def _move(state: State, place: Place, times: int) -> list[str]:
    side, tile = int(state.raw.side), _tile(state)
    rotations = [f"R{each}" for each in range(SIDES) if FACE_OF[state.raw.tile, each] != NONE]
    if f"R{times}" not in rotations:
        return [NOT_PLAYED.format(NO_ROTATION.format(f"#{tile}", " ".join(rotations))), ""]
    why = reason(state.raw, place, f"#{tile}", f"R{times}")
    if not why:
        state.apply_action(action_of(space_at(side, place), int(FACE_OF[state.raw.tile, times])))
        return [""]
    here = [rotation_of(action) for action in state.legal_actions() if place_of(side, space_of(action)) == place]
    named = f"({place[0]},{place[1]})"
    possible = [ROTATIONS.format(named, " ".join(f"R{each}" for each in here))] if here else _possible(state)
    return [NOT_PLAYED.format(why), *possible, ""]


def _possible(state: State) -> list[str]:
    """Where the tile has a place, by space."""
    parts = []
    for space, actions in groupby(state.legal_actions(), space_of):
        x, y = place_of(int(state.raw.side), space)
        parts.append(
            f"({x},{y})\N{NO-BREAK SPACE}" + "\N{NO-BREAK SPACE}".join(f"R{rotation_of(action)}" for action in actions)
        )
    lines = wrap(SPACES.format(_tile(state), ", ".join(parts)), COLUMNS)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _tile(state: State) -> int:
    return tile_id(int(state.raw.tile))


def _example(state: State) -> str:
    return state.action_to_string(state.legal_actions()[0])


def _ending(state: State) -> str:
    return ENDINGS[ending_of(state.raw)].format(_tile(state))
