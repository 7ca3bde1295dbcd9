"""The document's game of one player, in Romanian: played in the terminal, or read as a list of moves.

The arguments are in `console`.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from textwrap import wrap
from typing import Final

from ludoteca.core.console import LEAVE, Console, Dialogue
from ludoteca.core.contract import RawPosition
from ludoteca.core.game import Game, State
from ludoteca.core.seeds import SEED_BITS
from ludoteca.core.words import excerpt
from ludoteca.games.metro import GAME
from ludoteca.games.metro.board import action_of, place_of, rotation_of, space_at, space_of
from ludoteca.games.metro.paths import paths_of
from ludoteca.games.metro.text import drawing
from ludoteca.games.metro.text.predicates import (
    ROTATION_IDS,
    TILE_IDS,
    GameState,
    Move,
    apply_move,
    available_move,
    initial_game_state,
    refusal,
    why_not,
)
from ludoteca.games.metro.tiles import FACES, NONE, distinct_rotations, faces, tile_id

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
NO_TILE: Final = "nu există cartea {}: sunt {}"
NO_ROTATION: Final = "cartea {} se așază numai cu {}"
OTHER_TILE: Final = "urmează cartea #{}, nu {}"
ROTATIONS: Final = "Pe {} se poate cu {}."
SPACES: Final = "Cartea #{} are loc pe: {}."
FULL: Final = "Jocul s-a terminat: nu mai sunt spații libere."
NO_PLACE: Final = "Jocul s-a terminat: cartea #{} nu mai are loc, oriunde ar face un traseu de lungime 1."
USED_UP: Final = "Jocul s-a terminat: nu mai sunt cărți."
ENTER: Final = "Enter încheie."
LEFT: Final = "Joc încheiat înainte de sfârșit."
MOVE: Final = "o mutare, de exemplu {}, sau q"
SEED: Final = f"un număr de la 0 la 2^{SEED_BITS} - 1"
COLUMNS: Final = 100
NAMED: Final = "#"
"""The sign before a tile. Only the moves of a list name their tiles."""

FORM: Final = "x y #carte Rk, de exemplu 2 1 #5 R0"
CLOSED: Final = "Trasee închise: {}"
OPEN: Final = "Trasee deschise: {}"
PATH: Final = "  trenul {} ({},{}): {}   lungime {}"
POINTS: Final = ", puncte {}"
SCORE: Final = "Scor: {}"
HERE: Final = "aici {} se poate cu {}"
ELSEWHERE: Final = "{} are loc pe {}"
NOWHERE: Final = "niciun spațiu"
READ: Final = "am citit „{}”: {}"


def play(io: Console, options: Mapping[str, str]) -> Dialogue[None]:
    """Play until the next tile has no place. A first line that names its tile begins a list of moves."""
    seed = _number(options["seed"], most=78)
    if seed is None or seed >> SEED_BITS:
        raise io.wrong_argument(f"--seed {options['seed']}", SEED)
    parameters = {name: value for name, value in options.items() if name != "seed"}
    state = Game(GAME, parameters).new_initial_state(seed)
    side = int(state.raw.side)
    io.print(TITLE.format(side=side, seed=options["seed"]), "", *_screen(state))
    if state.is_terminal():  # in one game of ten, #1 comes first. A list of moves is still read
        io.print(_score_line(state.raw), _ending(state), ENTER)
        if (first := (yield from io.next_line())) and NAMED in first:
            yield from tell(io, side, first)
        return
    io.print(PROMPT)
    while not state.is_terminal():
        line = yield from io.line(MOVE.format(_example(state)))
        if not state.history() and NAMED in line:
            yield from tell(io, side, line)
            return
        if line.strip().lower() == LEAVE:
            io.print(LEFT, _score_line(state.raw))
            return
        moves = len(state.history())
        io.print(*_answer(state, line))
        if not state.is_terminal():
            io.print(*(_screen(state) if len(state.history()) > moves else []), PROMPT)
    io.print(*_screen(state), *_path_lines(state.raw), _score_line(state.raw), _ending(state))


def tell(io: Console, side: int, line: str | None = "") -> Dialogue[None]:
    """Read a list of moves to the end of the input, and print the board, the paths and the score.

    `line` is the first line if it has been read already.
    """
    state = initial_game_state(side)
    while line is not None:
        state = _after(io, state, line.strip())
        line = yield from io.next_line()
    io.print(*drawing.lines(state.raw), "", *_path_lines(state.raw), _score_line(state.raw))


# A list of moves


def read_move(text: str) -> Move | None:
    """Return the move of a line, or None if it is no move.

    A move is x, y, tile and rotation, with blanks, commas, quotes and brackets between them: `3 2 7 R1`, and Prolog's terms,
    such as `move((3,2),'7','R1')`.
    """
    words = [word for word in re.split(r"[\s,;.'\"()\[\]]+", text.removeprefix("move")) if word]
    if len(words) != 4:
        return None
    x, y = (_number(word) for word in words[:2])
    if x is None or y is None:
        return None
    return Move((x, y), NAMED + words[2].removeprefix(NAMED), words[3].upper())


def _after(io: Console, state: GameState, text: str) -> GameState:
    """Return the state after the move of a line. An empty line has no move.

    Raises ConsoleError with the line and the possible moves if the move is not available.
    """
    if not text:
        return state
    move = read_move(text)
    if not move:
        why = f"o mutare se scrie {FORM}"
    elif move.tile_id not in TILE_IDS:
        why = NO_TILE.format(excerpt(move.tile_id), " ".join(TILE_IDS))
    elif move.rotation_id not in (turns := ROTATION_IDS[: distinct_rotations(TILE_IDS.index(move.tile_id) + 1)]):
        why = NO_ROTATION.format(move.tile_id, " ".join(turns))
    elif refused := refusal(state, move, GAME.language):
        moves = [each for each in available_move(state) if each.tile_id == move.tile_id]
        here = [each.rotation_id for each in moves if each.space == move.space]
        spaces = list(dict.fromkeys(f"({x},{y})" for (x, y), _, _ in moves)) or [NOWHERE]
        why = f"{refused}; {(HERE if here else ELSEWHERE).format(move.tile_id, ' '.join(here or spaces))}"
    else:
        return apply_move(state, move)
    raise io.wrong_line(READ.format(excerpt(text), why))


# A game


def _screen(state: State) -> list[str]:
    """Return the board with the last tile marked, the score, and the rotations of the next tile."""
    last = [] if not state.history() else [place_of(int(state.raw.side), space_of(state.history()[-1]))]
    board = [*drawing.lines(state.raw, last), ""]
    if state.is_terminal():
        return board
    tiles = faces(int(state.raw.tile))
    names = "        ".join(f"R{times}" for times in range(len(tiles)))
    stack = [] if state.raw.endless else [STACK.format(state.raw.stacked)]
    return [*board, _score_line(state.raw), *stack, TILE.format(_tile(state)), *drawing.tile_lines(tiles), f"  {names}"]


def _answer(state: State, line: str) -> list[str]:
    """Carry out a line that the player has typed. Return the lines to print, such as the reason why a move is
    not possible.
    """
    match line.strip().lower():
        case "":
            return []
        case "?":
            return [*wrap(HELP[0], COLUMNS), *HELP[1:], ""]
        case "m":
            return [*_possible(state), ""]
        case "t":
            return [*_path_lines(state.raw), ""]
        case text:
            return _place(state, text)


def _place(state: State, text: str) -> list[str]:
    """Place the tile at x and y with a rotation. The line may name the tile before the rotation, as in a list."""
    words = re.sub("[,()]", " ", text).split()
    side, tile = int(state.raw.side), f"#{_tile(state)}"
    named = words.pop(2) if len(words) == 4 and NAMED in words[2] else tile
    if named != tile:
        return [NOT_PLAYED.format(OTHER_TILE.format(_tile(state), excerpt(named))), ""]
    numbers = [_number(word.removeprefix("r")) for word in words]
    if len(words) != 3 or None in numbers or words[0][0] == "r" or words[1][0] == "r":
        return [NOT_READ.format(excerpt(text), _example(state)), ""]
    x, y, times = (number or 0 for number in numbers)
    turned = dict(enumerate(faces(int(state.raw.tile))))
    if times not in turned:
        return [NOT_PLAYED.format(NO_ROTATION.format(tile, " ".join(f"R{each}" for each in turned))), ""]
    face = turned[times]
    why = why_not(state.raw, (x, y), face, GAME.language)
    if not why:
        state.apply_action(action_of(space_at(side, (x, y)), face))
        return [""]
    here = [f"R{rotation_of(action)}" for action in state.legal_actions() if place_of(side, space_of(action)) == (x, y)]
    return [NOT_PLAYED.format(why), *([ROTATIONS.format(f"({x},{y})", " ".join(here))] if here else _possible(state)), ""]


def _possible(state: State) -> list[str]:
    """Return the spaces that the tile may take, with its rotations there."""
    parts = []
    for space, actions in groupby(state.legal_actions(), space_of):
        x, y = place_of(int(state.raw.side), space)
        parts.append("\N{NO-BREAK SPACE}".join([f"({x},{y})", *(f"R{rotation_of(action)}" for action in actions)]))
    lines = wrap(SPACES.format(_tile(state), ", ".join(parts)), COLUMNS)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _tile(state: State) -> int:
    """Return the id of the next tile."""
    return tile_id(int(state.raw.tile))


def _example(state: State) -> str:
    return state.action_to_string(state.legal_actions()[0])


def _ending(state: State) -> str:
    """Return why the game is over: no space is free, or the tile would make a path of length 1 everywhere. “Fie pentru că nu
    mai sunt spații libere pe hartă, fie pentru că plasarea cărții ar crea trasee de lungime 1.”

    No other reason is possible, because some free space is always on the edge or next to a tile.
    """
    if not state.raw.free.any():
        return FULL
    return USED_UP if state.raw.tile == NONE else NO_PLACE.format(_tile(state))


# Both


def _number(text: str, most: int = 9) -> int | None:
    """Return the text as a whole number, or None if it is not one, or has more than `most` digits."""
    return int(text) if re.fullmatch(f"-?[0-9]{{1,{most}}}", text) else None


def _path_lines(raw: RawPosition) -> Iterator[str]:
    """Yield the closed paths and then the open ones, by the numbers of their trains."""
    found = paths_of(raw)
    for title, closed in ((CLOSED, True), (OPEN, False)):
        some = [path for path in found if path.closed == closed]
        yield title.format(len(some))
        for path in some:
            tiles = " ".join("#{}R{}".format(*FACES[step.face - 1]) for step in path.steps)
            line = PATH.format(path.number, *path.train.outside, tiles, len(path.steps))
            yield line + POINTS.format(path.points) * path.closed


def _score_line(raw: RawPosition) -> str:
    return SCORE.format(int(raw.points[0]))
