"""The process that answers `prolog/T3.pl`. Each line of input is a question, and each line of output is a Prolog term.

A question has its number, a name and the arguments, separated by tabs. The arguments are Prolog terms as `write_term/2`
quotes them. The answer has the question's number, a colon, and `yes(Term)`, `no`, or `error(Kind, Expected, Number,
Message)` for a wrong argument with this number.
"""

import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from io import TextIOWrapper
from typing import Any, Final, cast

from ludoteca.core.errors import IllegalActionError, LudotecaError, NotationError, ParameterError, warn_in_one_line
from ludoteca.games.metro.sides import PUBLISHED_SIDE
from ludoteca.games.metro.text import predicates
from ludoteca.games.metro.text.predicates import GameState, Move, Path, PlacedTile

_ATOM: Final = r"('(?:[^'\\]|\\.)*'|\w+)"
_SPACE: Final = r"\((-?\d{1,9}),(-?\d{1,9})\)"
_TURNED: Final = rf"{_SPACE},{_ATOM},{_ATOM}"
_STATE: Final = re.compile(rf"metro\((?:(?P<side>\d{{1,9}}),)?\[(?P<tiles>(?:\({_TURNED}\)(?:,(?!\])|(?=\])))*)\]\)")
_PLACED: Final = re.compile(rf"\({_TURNED}\)")
_BOARD: Final = re.compile(r"(\d{1,9})-\1")
_MOVE: Final = re.compile(rf"move\({_TURNED}\)")

_KEPT_STATES: Final = 1024
TRIES: Final = "LUDOTECA_TRIES"
"""The variable of the environment with the number of games to play for one choice."""


class QuestionError(Exception):
    """An error in an argument of a question, for Prolog: its kind, the expected value, and the argument's number."""

    def __init__(self, kind: str, expected: str, number: int, message: str) -> None:
        super().__init__(kind, expected, number, message)
        self.term = f"error({kind},{expected},{number},{quoted(message)})"


# Terms


def quoted(text: str) -> str:
    """Return a text as a Prolog atom in quotes."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def term(value: Any) -> str:
    """Return a value as a Prolog term. Texts become atoms, and tuples become conjunctions."""
    if isinstance(value, GameState):
        side = "" if value.side == PUBLISHED_SIDE else f"{value.side},"
        return f"metro({side}{term([*value.tiles])})"
    if isinstance(value, Move):
        return f"move({','.join(map(term, value))})"
    if isinstance(value, Path):
        return f"path({term(value.entry)},{term([*value.tiles])})"
    if isinstance(value, tuple):
        return f"({','.join(map(term, value))})"
    if isinstance(value, list):
        return f"[{','.join(map(term, value))}]"
    return quoted(value) if isinstance(value, str) else str(value)


def _atom(text: str) -> str:
    return text[1:-1] if text.startswith("'") else text


def _placed(found: "re.Match[str]") -> PlacedTile:
    x, y, tile_id, rotation_id = found.groups()[-4:]
    return (int(x), int(y)), _atom(tile_id), _atom(rotation_id)


_states: Final[dict[str, GameState]] = {}
"""The last states that were read or written, by their terms."""


def read_state(text: str) -> GameState:
    """Return the state that a Prolog term describes. It is built from its tiles if it is not one of the last states.

    Raises QuestionError if the term is not of the form that `term` writes, or if it has a tile or a space that does not
    exist, or a space twice.
    """
    if state := _states.get(text):
        return state
    found = _STATE.fullmatch(text)
    if not found:
        raise QuestionError("type_error", "metro_state", 1, "expected a state that these predicates have given")
    try:
        placed = [_placed(each) for each in _PLACED.finditer(found["tiles"])]
        return _keep(text, GameState(placed, int(found["side"] or PUBLISHED_SIDE)))
    except LudotecaError as error:
        raise QuestionError("domain_error", "metro_state", 1, str(error)) from None


def _keep(text: str, state: GameState) -> GameState:
    _states[text] = state
    if len(_states) > _KEPT_STATES:
        del _states[next(iter(_states))]
    return state


def read_side(text: str) -> int:
    """Return the side of the board of a term `Width-Height`.

    Raises QuestionError if the two differ, or no board has this side.
    """
    if found := _BOARD.fullmatch(text):
        with suppress(ParameterError):
            return predicates.initial_game_state(int(found[1])).side
    message = "the base file has this width/1 and height/1: expected the same even number in both, from 4 to 12"
    raise QuestionError("domain_error", "metro_board", 1, message)


def read_move(text: str) -> Move:
    """Return the move of a term. Raises QuestionError if it is not of the form `move((X,Y),TileId,RotationId)`.

    Whether the tile and the rotation exist is checked later, by the predicate that uses the move.
    """
    found = _MOVE.fullmatch(text)
    if not found:
        raise QuestionError("type_error", "move", 2, "expected move((X,Y),TileId,RotationId)")
    return Move(*_placed(found))


# Answers


def _yes(value: Any) -> str:
    return f"yes({term(value)})"


@lru_cache(_KEPT_STATES)
def _told(predicate: Callable[[GameState], Any], state: str) -> str:
    """Return the answer of a predicate for a state."""
    return _yes(predicate(read_state(state)))


def _apply_move(state: str, move: str) -> str:
    try:
        after = predicates.apply_move(read_state(state), read_move(move))
    except (NotationError, IllegalActionError) as error:
        raise QuestionError("domain_error", "available_move", 2, str(error)) from None
    text = term(after)
    _keep(text, after)
    return f"yes({text})"


def _tries() -> int:
    """Return the number of games to play for one choice. Without LUDOTECA_TRIES it is 0 until they are compiled."""
    from ludoteca.games.metro.play import strategy

    if chosen := os.environ.get(TRIES):
        return int(chosen)
    return predicates.TRIES if strategy.is_ready() else 0


def _pick_move(state: str, tile_id: str) -> str:
    """Answer with the choice of `strategy`, or `no` if the tile has no place."""
    try:
        move = predicates.pick_move(read_state(state), _atom(tile_id), tries=_tries())
    except NotationError as error:
        raise QuestionError("domain_error", "tile_id", 2, str(error)) from None
    return _yes(move) if move else "no"


def _ready() -> str:
    """Load the modules and the compiled games for later answers."""
    predicates.pick_move(predicates.initial_game_state(), predicates.TILE_IDS[-1], tries=min(1, _tries()))
    return _yes("true")


def _base(board: str) -> str:
    """Answer with all facts of the base file except the width and the height."""
    side = read_side(board)
    facts: list[tuple[str, Any]] = [(name, getattr(predicates, name)(side)) for name in ("limits", "exterior")]
    for name in ("center_space", "entry_point", "exit_point"):
        facts += ((name, row) for row in getattr(predicates, name)(side))
    facts += (("tile", row) for row in predicates.tile())
    facts += (("rotation", row) for row in predicates.rotation())
    terms = (f"{name}({','.join(map(term, row if isinstance(row, tuple) else (row,)))})" for name, row in facts)
    return f"yes([{','.join(terms)}])"


QUESTIONS: Final[dict[str, Callable[..., str]]] = {
    "ready": _ready,
    "initial_state": lambda board: _yes(predicates.initial_game_state(read_side(board))),
    "tiles": partial(_told, predicates.get_game_tiles),
    "open_paths": partial(_told, predicates.get_open_paths),
    "closed_paths": partial(_told, predicates.get_closed_paths),
    "available_moves": partial(_told, predicates.available_move),
    "is_available": lambda state, move: (
        _yes("true") if predicates.available_move(read_state(state), read_move(move)) else "no"
    ),
    "apply_move": _apply_move,
    "pick_move": _pick_move,
    "base": _base,
}


def answer(question: str) -> str:
    """Return the answer to a question. Question and answer are lines without their line ends."""
    number, name, *arguments = question.split("\t")
    try:
        return f"{number}:{QUESTIONS[name](*arguments)}"
    except QuestionError as error:
        return f"{number}:{error.term}"


def main() -> None:
    """Answer until the input ends or the output is closed. A wrong LUDOTECA_TRIES raises SystemExit."""
    chosen = os.environ.get(TRIES, "")
    if chosen and not (chosen.isascii() and chosen.isdigit()):
        raise SystemExit(f"ludoteca: {TRIES}: read {chosen!r}, expected a natural number")
    warn_in_one_line()
    for stream in (sys.stdin, sys.stdout):
        cast(TextIOWrapper, stream).reconfigure(encoding="utf-8", newline="\n")
    for line in sys.stdin:
        if not line.endswith("\n"):  # Prolog was stopped while it wrote, and does not wait for an answer
            break
        try:
            sys.stdout.write(answer(line.removesuffix("\n")) + ".\n")
            sys.stdout.flush()
        except BrokenPipeError:
            break
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):  # so that their reader need not wait for a compiler that is still at work
        os.dup2(nowhere, stream.fileno())


if __name__ == "__main__":
    main()
