"""Answers that may differ: a move that a program picks, and a game that it plays."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ludoteca.core.errors import LudotecaError
from ludoteca.core.judging import Case
from ludoteca.games.metro import PUBLISHED_SIDE, predicates
from ludoteca.games.metro.board import beyond, border
from ludoteca.games.metro.judging.questions import OPEN_ENDED, Session, given, move_of
from ludoteca.games.metro.predicates import GameState, PlacedTile
from ludoteca.games.metro.tiles import SIDES

_TILE: Final = re.compile(r"([1-8]) ([1-8]) (#(?:[1-9]|10)) (R[0-3])")


def problem_of(case: Case, output: str) -> str:
    """What is wrong with the answers of a case, in a sentence; the empty text when nothing is."""
    session, rest = Session(), output
    for step in case.steps[1:]:
        question = step.input.removesuffix("\n")
        answer, rest = _answer(question, rest)
        expected = session.printed(question)
        if question.split()[0] not in OPEN_ENDED:
            if answer != expected:
                return f"{question}: expected{_quoted(expected)}, read{_quoted(answer)}"
        elif problem := _wrong(question, answer, session.state):
            return f"{question}: {problem}"
    return f"after the last answer: read{_quoted(rest)}" if rest else ""


def _answer(question: str, text: str) -> tuple[str, str]:
    """The question and the lines of its answer, which begin with blanks; and the text that follows them."""
    lines = text.splitlines(keepends=True)
    if not lines or lines[0] != f"{question}\n":
        return "", text
    end = next((number for number, line in enumerate(lines[1:], 1) if not line.startswith("  ")), len(lines))
    return "".join(lines[:end]), "".join(lines[end:])


def _quoted(answer: str) -> str:
    """The first lines of an answer, without the question."""
    lines = [line.strip() for line in answer.splitlines()[1:]]
    return f" {' / '.join(lines[:3])}{' ..' if len(lines) > 3 else ''}" if lines else " nothing"


def _wrong(question: str, answer: str, state: GameState) -> str:
    """What is wrong with a move that was picked, or the end of a game that was played."""
    word, *ids = question.split()
    lines = [line.strip() for line in answer.splitlines()[1:]]
    if word == "pick":
        return _wrong_pick(ids[0], lines, state)
    tiles = [_TILE.fullmatch(line) for line in lines[1:]]
    if not lines or lines[0] != str(len(tiles)) or not all(tiles):
        return f"expected the tiles of a finished game, read{_quoted(answer)}"
    placed = [((int(x), int(y)), tile, turn) for x, y, tile, turn in (found.groups() for found in tiles if found)]
    return _wrong_end(ids, placed)


def _wrong_pick(tile_id: str, lines: Sequence[str], state: GameState) -> str:
    places = [move for move in predicates.available_move(state) if move.tile_id == tile_id]
    if lines == ["no"]:
        return f"no move was picked, though the tile has places: {len(places)}" if places else ""
    if len(lines) != 1 or not _TILE.fullmatch(lines[0]):
        return f"expected a move or no, read {' / '.join(lines[:3]) or 'nothing'}"
    move = move_of(lines[0].split())
    if move.tile_id != tile_id:
        return f"the move {lines[0]} is one of another tile"
    try:
        return f"the move {lines[0]} is not available: {why}" if (why := predicates.refusal(state, move)) else ""
    except LudotecaError as error:
        return f"the move {lines[0]} is not available: {error}"


def _wrong_end(ids: Sequence[str], placed: Sequence[PlacedTile]) -> str:
    """A game is over: those tiles lie that came, where they may, and the next one has no place."""
    next_tile, number = given(ids), len(placed)
    came = Counter(next_tile(time) for time in range(number))
    if Counter(tile for _, tile, _ in placed) != came:
        return f"the {number} tiles on the board are not the first {number} that came"
    try:
        state = GameState(placed)
    except LudotecaError as error:
        return str(error)
    # on 8 x 8 a path of length 1 ends at an outer station: the centre is farther away
    if short := [path for path in predicates.get_closed_paths(state) if len(path.tiles) == 1]:
        return f"the path from {short[0].entry[0]} {short[0].entry[1]} has length 1"
    if alone := _alone(placed):
        return f"no tile could be placed on {alone[0]} {alone[1]}: neither an edge nor a tile is beside it"
    left = [move for move in predicates.available_move(state) if move.tile_id == next_tile(number)]
    return f"the game was ended after {number} tiles, though the next one has places: {len(left)}" if left else ""


def _alone(placed: Sequence[PlacedTile]) -> tuple[int, int] | None:
    """A space from which no way over tiles leads to one on the edge, where the first tile of the way was laid."""
    spaces = {space for space, _, _ in placed}
    reached = {space for space in spaces if border(PUBLISHED_SIDE, space)}
    grown = list(reached)
    for space in grown:  # which grows
        near = {beyond(space, side) for side in range(SIDES)} & spaces - reached
        reached |= near
        grown += near
    return min(spaces - reached, default=None)
