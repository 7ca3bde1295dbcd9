"""A game told as a list of moves, in Romanian: the board, the paths and the score at its end."""

import re
from collections.abc import Iterator
from typing import Final

from ludoteca.core.console import Console, ConsoleError, Dialogue
from ludoteca.core.contract import RawPosition
from ludoteca.core.words import excerpt
from ludoteca.games.metro import drawing, paths, predicates
from ludoteca.games.metro.board import Place
from ludoteca.games.metro.predicates import Move, Reason
from ludoteca.games.metro.tiles import FACES

FORM: Final = "x y #carte Rk, de exemplu 2 1 #5 R0"
CLOSED: Final = "Trasee închise: {}"
OPEN: Final = "Trasee deschise: {}"
PATH: Final = "  trenul {} ({},{}): {}   lungime {}"
POINTS: Final = ", puncte {}"
SCORE: Final = "Scor: {}"
READ: Final = "am citit „{}”: {}"
NO_TILE: Final = "nu există cartea {}: sunt {}"
NO_ROTATION: Final = "cartea {} se așază numai cu {}"
REASONS: Final = {
    Reason.OUTSIDE: "({x},{y}) este în afara tablei: x și y sunt de la 1 la {side}",
    Reason.CENTRE: "({x},{y}) este în centru, unde nu se pun cărți",
    Reason.TAKEN: "pe ({x},{y}) este deja o carte",
    Reason.ALONE: "({x},{y}) nu este nici pe margine, nici lângă o carte",
    Reason.TOO_SHORT: "{tile} {rotation} pe ({x},{y}) ar face un traseu de lungime 1",
}


class Listed:
    """A position that grows by the lines of a list."""

    def __init__(self, io: Console, side: int) -> None:
        self.io = io
        self.state = predicates.initial_game_state(side)

    def add(self, line: str) -> None:
        """Make the move of a line; an empty one is none. Raises ConsoleError: which line, what is possible."""
        text = line.strip()
        if not text:
            return
        move = read_move(text)
        if not move:
            raise self._refused(text, f"o mutare se scrie {FORM}")
        if unknown := _unknown(move):
            raise self._refused(text, unknown)
        if why := reason(self.state.raw, move.space, move.tile_id, move.rotation_id):
            raise self._refused(text, f"{why}; {self._possible(move)}")
        self.state = predicates.apply_move(self.state, move)

    def _possible(self, move: Move) -> str:
        """Where the tile of a move has a place."""
        moves = [each for each in predicates.available_move(self.state) if each.tile_id == move.tile_id]
        here = [each.rotation_id for each in moves if each.space == move.space]
        if here:
            return f"aici {move.tile_id} se poate cu {' '.join(here)}"
        spaces = dict.fromkeys(f"({x},{y})" for (x, y), _, _ in moves)
        return f"{move.tile_id} are loc pe {' '.join(spaces) or 'niciun spațiu'}"

    def _refused(self, text: str, why: str) -> ConsoleError:
        return self.io.wrong_line(READ.format(excerpt(text), why))


def show(io: Console, listed: Listed) -> Dialogue[None]:
    """Read the list to the end of the input, then print what has come of it."""
    while (line := (yield from io.next_line())) is not None:
        listed.add(line)
    raw = listed.state.raw
    io.print(*drawing.lines(raw), "", *path_lines(raw), score_line(raw))


def is_listed(line: str) -> bool:
    """Is this a line of a list? Its moves name their tiles."""
    return "#" in line


def read_move(text: str) -> Move | None:
    """The move of a line: x, y, tile and rotation, among blanks, commas, quotes and brackets, as in Prolog's terms, too."""
    words = [word for word in re.split(r"[\s,;.'\"()\[\]]+", text.removeprefix("move")) if word]
    if len(words) != 4:
        return None
    x, y = (number(word) for word in words[:2])
    if x is None or y is None:
        return None
    return Move((x, y), "#" + words[2].removeprefix("#"), words[3].upper())


def number(text: str, most: int = 9) -> int | None:
    """A whole number of so many digits at most."""
    return int(text) if re.fullmatch(f"-?[0-9]{{1,{most}}}", text) else None


def _unknown(move: Move) -> str:
    """What is wrong with a tile or rotation that does not exist, in Romanian; empty when both do."""
    if move.tile_id not in predicates.TILE_IDS:
        return NO_TILE.format(excerpt(move.tile_id), " ".join(predicates.TILE_IDS))
    rotations = [f"R{times}" for number, times in FACES if f"#{number}" == move.tile_id]
    return "" if move.rotation_id in rotations else NO_ROTATION.format(move.tile_id, " ".join(rotations))


def reason(raw: RawPosition, place: Place, tile: str, rotation: str) -> str:
    """Why a move of a tile so turned is not available, in Romanian; empty when it is."""
    found = predicates.reason(raw, Move(place, tile, rotation))
    words = {"x": place[0], "y": place[1], "side": int(raw.side), "tile": tile, "rotation": rotation}
    return REASONS[found].format(**words) if found else ""


def path_lines(raw: RawPosition) -> Iterator[str]:
    """The closed paths and the open ones, by the numbers of their trains."""
    found = paths.paths_of(raw)
    for title, closed in ((CLOSED, True), (OPEN, False)):
        some = [path for path in found if path.closed == closed]
        yield title.format(len(some))
        yield from map(_path_line, some)


def score_line(raw: RawPosition) -> str:
    """The points of the closed paths."""
    return SCORE.format(int(raw.points[0]))


def _path_line(path: paths.Path) -> str:
    tiles = " ".join("#{}R{}".format(*FACES[step.face - 1]) for step in path.steps)
    line = PATH.format(path.number, *path.train.outside, tiles, len(path.steps))
    return line + POINTS.format(path.points) * path.closed
