"""Checks answers that may differ between right programs: a picked move, and the end of a played game."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ludoteca.core.judging import Case, Step
from ludoteca.core.messages import Message
from ludoteca.games.metro.board import beyond, border
from ludoteca.games.metro.judging.questions import OPEN_ENDED, Session, given, move_of
from ludoteca.games.metro.notation import why_no_space, why_not_placed
from ludoteca.games.metro.sides import PUBLISHED_SIDE
from ludoteca.games.metro.text import predicates
from ludoteca.games.metro.text.predicates import ROTATION_IDS, SPACE, TILE, TILE_IDS, GameState, Move, PlacedTile
from ludoteca.games.metro.tiles import SIDES, distinct_rotations, oriented

LEADING: Final = ("start", "apply", "back")
"""Words of questions that change the state to which later questions refer."""
_TILE: Final = re.compile(r"([1-8]) ([1-8]) (#(?:[1-9]|10)) (R[0-3])")


def problem_of(case: Case, output: str) -> tuple[Step, Message]:
    """Return the step with the first wrong answer in the output of a program, and a message about the problem. If all
    answers are right, return the last step and an empty message.
    """
    session, rest, step = Session(), output, case.steps[-1]
    for step in case.steps[1:]:
        question = step.input.removesuffix("\n")
        answer, rest = answer_of(question, rest)
        word = question.split()[0]
        if word in LEADING:
            session.printed(question)
        if word not in OPEN_ENDED:
            if answer != step.output:
                return step, ("judge.expected", question, _read(step.output), _read(answer))
        elif problem := _wrong(question, answer, session.state):
            return step, problem
    return step, ("judge.surplus", rest.splitlines()[0]) if rest else ""


def answer_of(question: str, text: str) -> tuple[str, str]:
    """Split a text after the answer to a question. Return the question line with the lines of its answer, which begin with
    blanks, and the text after them. If the text does not begin with the question, the first part is empty.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0] != f"{question}\n":
        return "", text
    end = next((number for number, line in enumerate(lines[1:], 1) if not line.startswith("  ")), len(lines))
    return "".join(lines[:end]), "".join(lines[end:])


def _read(answer: str) -> Message:
    """Return the first three lines of an answer without the question, as they are shown in a message."""
    lines = [line.strip() for line in answer.splitlines()[1:]]
    return f"{' / '.join(lines[:3])}{' ..' if len(lines) > 3 else ''}" if lines else ("judge.nothing",)


def _wrong(question: str, answer: str, state: GameState) -> Message:
    """Return the problem of the answer to an open-ended question: a picked move or the end of a game. It is empty if the
    answer is right.
    """
    word, *ids = question.split()
    lines = [line.strip() for line in answer.splitlines()[1:]]
    if word == "pick":
        return _wrong_pick(ids[0], lines, state) if len(lines) == 1 else ("judge.pick.form", question, _read(answer))
    tiles = [_TILE.fullmatch(line) for line in lines[1:]]
    if not lines or lines[0] != str(len(tiles)) or not all(tiles):
        return "judge.game.form", question, _read(answer)
    return _wrong_end(ids, [(move.space, move.tile_id, move.rotation_id) for move in map(_move_in, lines[1:])])


def _move_in(line: str) -> Move:
    return move_of(line.split())


def _wrong_pick(tile_id: str, lines: Sequence[str], state: GameState) -> Message:
    if lines == ["no"]:
        places = sum(move.tile_id == tile_id for move in predicates.available_move(state))
        return ("judge.pick.none", tile_id, places) if places else ""
    if not _TILE.fullmatch(lines[0]):
        return "judge.pick.form", f"pick {tile_id}", lines[0]
    move = _move_in(lines[0])
    if move.tile_id != tile_id:
        return "judge.pick.other", lines[0], tile_id
    why = _no_rotation(move.tile_id, move.rotation_id) or why_not_placed(state.raw, move.space, _face(move), SPACE, TILE)
    return ("judge.pick.unavailable", lines[0], why) if why else ""


def _no_rotation(tile_id: str, rotation_id: str) -> Message:
    """Return the message that a tile has no such rotation, or an empty message if it has."""
    rotations = ROTATION_IDS[: distinct_rotations(TILE_IDS.index(tile_id) + 1)]
    return "" if rotation_id in rotations else ("judge.rotation", tile_id, rotation_id)


def _face(move: Move) -> int:
    return oriented(TILE_IDS.index(move.tile_id) + 1, ROTATION_IDS.index(move.rotation_id))


def _wrong_end(ids: Sequence[str], placed: Sequence[PlacedTile]) -> Message:
    """Return the problem of the end of a played game, or an empty message if there is none.

    The end must have the given tiles (`ids`, repeated) in legal places, and no place for the next tile.
    """
    next_tile, number, empty = given(ids), len(placed), predicates.initial_game_state()
    if Counter(tile for _, tile, _ in placed) != Counter(next_tile(time) for time in range(number)):
        return "judge.game.tiles", number
    lain = Counter(space for space, _, _ in placed)
    for space, tile_id, rotation_id in placed:
        if lain[space] > 1:
            return "judge.game.two", SPACE.format(*space)
        if why := why_no_space(empty.raw, space, SPACE) or _no_rotation(tile_id, rotation_id):
            return why
    state = GameState(placed)
    # on 8 x 8 a path of length 1 ends at an outer station: the centre is farther away
    if short := [path for path in predicates.get_closed_paths(state) if len(path.tiles) == 1]:
        return "judge.game.short", SPACE.format(*short[0].entry)
    if alone := _alone(placed):
        return "refused.alone", SPACE.format(*alone)
    left = sum(move.tile_id == next_tile(number) for move in predicates.available_move(state))
    return ("judge.game.early", number, next_tile(number), left) if left else ""


def _alone(placed: Sequence[PlacedTile]) -> tuple[int, int] | None:
    """Return a space with a tile that is not connected to the edge of the board by other tiles, or None if all tiles are
    connected to it.
    """
    spaces = {space for space, _, _ in placed}
    reached = {space for space in spaces if border(PUBLISHED_SIDE, space)}
    grown = list(reached)
    for space in grown:  # the list grows in the loop
        near = {beyond(space, side) for side in range(SIDES)} & spaces - reached
        reached |= near
        grown += near
    return min(spaces - reached, default=None)
