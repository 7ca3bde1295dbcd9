"""The questions that the judge sends to the driver `prolog/judge.pl`, and the answers that the driver would print for
Ludoteca's predicates.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final

from ludoteca.games.metro.text import predicates
from ludoteca.games.metro.text.predicates import GameState, Move, Path, PlacedTile, Space

OPEN_ENDED: Final = frozenset(("pick", "game"))
"""The words of questions that have more than one right answer."""


class Session:
    """A session of the driver with Ludoteca's predicates in the place of a program's. Each question `word` is answered by
    the method `_word`.
    """

    def __init__(self) -> None:
        self.states = [predicates.initial_game_state()]
        """The states after 0, 1, .. moves."""

    @property
    def state(self) -> GameState:
        return self.states[-1]

    def printed(self, question: str) -> str:
        """Return a question and its answer as the driver prints them. Each line of the answer begins with two blanks."""
        word, *rest = question.split()
        answer: Callable[..., Sequence[str]] = getattr(self, f"_{word}")
        return "".join(f"{line}\n" for line in (question, *(f"  {line}" for line in answer(*rest))))

    def _start(self) -> Sequence[str]:
        self.states = [predicates.initial_game_state()]
        return ["a state"]

    def _tiles(self) -> Sequence[str]:
        return tile_lines(predicates.get_game_tiles(self.state))

    def _open(self) -> Sequence[str]:
        return path_lines(predicates.get_open_paths(self.state))

    def _closed(self) -> Sequence[str]:
        return path_lines(predicates.get_closed_paths(self.state))

    def _available(self) -> Sequence[str]:
        return move_lines(predicates.available_move(self.state))

    def _with(self, tile_id: str) -> Sequence[str]:
        return move_lines(moves_with(self.state, predicates.get_move_tile_id, tile_id))

    def _at(self, x: str, y: str) -> Sequence[str]:
        return move_lines(moves_with(self.state, predicates.get_move_space, (int(x), int(y))))

    def _move(self, *words: str) -> Sequence[str]:
        return [move_text(move_of(words))]

    def _check(self, *words: str) -> Sequence[str]:
        return ["yes" if predicates.available_move(self.state, move_of(words)) else "no"]

    def _apply(self, *words: str) -> Sequence[str]:
        self.states.append(predicates.apply_move(self.state, move_of(words)))
        return ["a state"]

    def _back(self, number: str) -> Sequence[str]:
        del self.states[int(number) + 1 :]
        return self._tiles()

    def _pick(self, tile_id: str) -> Sequence[str]:
        move = predicates.pick_move(self.state, tile_id, tries=0)
        return [move_text(move) if move else "no"]

    def _only(self, tile_id: str) -> Sequence[str]:
        end = predicates.play_game(given([tile_id]), tries=0)
        return [
            f"tiles {len(predicates.get_game_tiles(end))}",
            f"open {len(predicates.get_open_paths(end))}",
            f"closed {len(predicates.get_closed_paths(end))}",
        ]

    def _game(self, *ids: str) -> Sequence[str]:
        return tile_lines(predicates.get_game_tiles(predicates.play_game(given(ids), tries=0)))


def moves_with(state: GameState, read: Callable[[Move], Space | str], value: Space | str) -> list[Move]:
    """Return the available moves for which the predicate `read` gives this value."""
    return [move for move in predicates.available_move(state) if read(move) == value]


def given(ids: Sequence[str]) -> Callable[[int], str]:
    """Return the function that gives the tile for each time of a game, from 0 on: these ids, again and again."""
    return lambda time: ids[time % len(ids)]


def move_of(words: Sequence[str]) -> Move:
    """Return the move that the words of a question name, such as `2 1 #5 R0` (x, y, tile and rotation)."""
    x, y, tile_id, rotation_id = words
    return Move((int(x), int(y)), tile_id, rotation_id)


def move_words(move: Move) -> str:
    """Return a move as the words of a question, such as `2 1 #5 R0`."""
    (x, y), tile_id, rotation_id = move
    return f"{x} {y} {tile_id} {rotation_id}"


def move_text(move: Move) -> str:
    """Return a move as text, such as `2 1 #5 R0`. Its parts are read with the predicates for moves."""
    return f"{_place(predicates.get_move_space(move))} {_turned(move)}"


def _place(space: Space) -> str:
    return f"{space[0]} {space[1]}"


def _turned(move: Move) -> str:
    return f"{predicates.get_move_tile_id(move)} {predicates.get_move_rotation_id(move)}"


def tile_lines(tiles: Iterable[PlacedTile]) -> list[str]:
    """Return the lines of an answer with placed tiles: their number, and a line for each."""
    lines = [f"{_place(space)} {tile_id} {rotation_id}" for space, tile_id, rotation_id in sorted(tiles)]
    return [str(len(lines)), *lines]


def path_lines(paths: Iterable[Path]) -> list[str]:
    """Return the lines of an answer with paths: their number, and a line for each."""
    read = sorted((predicates.get_path_entry(path), predicates.get_path_tiles(path)) for path in paths)
    lines = [f"{_place(entry)}: {', '.join(f'{name} {turn}' for name, turn in tiles)}" for entry, tiles in read]
    return [str(len(lines)), *lines]


def move_lines(moves: Iterable[Move]) -> list[str]:
    """Return the lines of an answer with moves: their number, and a line for each space."""
    read = sorted((predicates.get_move_space(move), _turned(move)) for move in moves)
    spaces = groupby(read, key=lambda pair: pair[0])
    return [str(len(read)), *(f"{_place(space)}: {', '.join(turned for _, turned in pairs)}" for space, pairs in spaces)]
