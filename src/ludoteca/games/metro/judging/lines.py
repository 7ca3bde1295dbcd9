"""Finds the branches (decisions of the assignment) that a program has probably got wrong, by comparing a wrong answer with
the right one.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from ludoteca.core.judging import Case
from ludoteca.games.metro.board import beyond, border
from ludoteca.games.metro.judging import deciding
from ludoteca.games.metro.judging.checking import LEADING, answer_of
from ludoteca.games.metro.judging.questions import Session, move_of, path_lines
from ludoteca.games.metro.paths import Step, TracedPath, paths_of
from ludoteca.games.metro.text.predicates import ROTATION_IDS, GameState, Move, Space, get_closed_paths, get_open_paths
from ludoteca.games.metro.tiles import FACES, SIDES

_MOVES: Final = re.compile(r"  ([1-8]) ([1-8]): ((?:#(?:[1-9]|10) R[0-3](?:, |$))+)")
_PATH: Final = re.compile(r"  (-?\d+) (-?\d+): ?((?:#\d+ R\d(?:, |$))*)")
_TILES: Final = re.compile(r"^  tiles (\d+)$", re.MULTILINE)
_LISTS: Final = ("available", "with", "at")


def suspects(case: Case, step: int, output: str) -> frozenset[str]:
    """Return the branches that the program may have got wrong, from its answer to the question of a step. `output` begins
    with this answer.

    Return all branches of the step if the answer does not tell more.
    """
    own = case.steps[step]
    answer, _ = answer_of(own.input.removesuffix("\n"), output)
    word = own.input.split()[0] if own.input else ""
    if answer == own.output and word in ("apply", "open", "closed"):  # paths show if a state is right
        return own.branches - {"apply"} if word == "apply" else own.branches | {"apply"}
    if word == "only" and _number_of_tiles(answer) < _number_of_tiles(own.output):  # a place for the next tile is left
        return frozenset(("game",))
    if answer == own.output or word not in (*_LISTS, "open", "closed", "check", "tiles"):
        return own.branches
    lists = own.output.splitlines()[1:], answer.splitlines()[1:]
    session = _session(case, step)
    if word == "tiles":
        return frozenset(("initial",)) if {*lists[0][1:]} < {*lists[1][1:]} else own.branches | {"apply"}
    if word == "check":
        return own.branches | _of_refusal(session.state, move_of(own.input.split()[1:]), own.output)
    blamed = _of_moves(session.state, word, *lists) if word in _LISTS else _of_paths(session.state, word, *lists)
    unlike = ["apply"] if word in ("open", "closed") and _is_of_another_state(session.state, word, lists[1]) else []
    return frozenset((*blamed, *unlike)) or own.branches


# Moves


def _of_moves(state: GameState, word: str, right: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a wrong list of moves: available moves are missing, other moves are listed, or moves
    are repeated.

    `word` is the word of the question, `right` the lines of the right answer, and `read` those of the program.
    """
    wanted, got = Counter(_moves(right)), Counter(_moves(read))
    extra, missing = [*(got.keys() - wanted.keys())], [*(wanted.keys() - got.keys())]
    if len(read) > 1 + sum(bool(_MOVES.fullmatch(line)) for line in read):
        yield "move"
    elif not got:
        yield {"with": "with-tile", "at": "at-space"}.get(word, "all")
    elif extra and word != "available" and not any(_fits(word, right, move) for move in extra):
        yield {"with": "with-tile", "at": "at-space"}[word]
    elif extra:
        yield from frozenset().union(*(deciding.of_move(state, move) for move in extra))
    elif missing:
        yield from _of_missing(state, missing, got)
    else:
        yield "all"


def _number_of_tiles(answer: str) -> int:
    found = _TILES.search(answer)
    return int(found[1]) if found else 0


def _session(case: Case, step: int) -> Session:
    """Return a session in the state to which the question of a step refers."""
    session = Session()
    for each in case.steps[1:step]:
        if each.input.split()[0] in LEADING:
            session.printed(each.input.removesuffix("\n"))
    return session


def _of_refusal(state: GameState, move: Move, right: str) -> frozenset[str]:
    """Return the branches that could be the reason why a program refuses an available move. The rule that allows its space
    is not among them. Empty if the move is not available.
    """
    turned, at_edge = move.rotation_id != ROTATION_IDS[0], bool(border(state.side, move.space))
    return frozenset(["rotations"] * turned + ["length-1"] * at_edge) if right.endswith("yes\n") else frozenset()


def _fits(word: str, right: Sequence[str], move: Move) -> bool:
    """Return True if a move has the tile (for the question `with`) or the space (for `at`) of the moves in the
    right answer.
    """
    part = 1 if word == "with" else 0
    return any(each[part] == move[part] for each in _moves(right))


def _moves(lines: Sequence[str]) -> Iterator[Move]:
    for match in filter(None, map(_MOVES.fullmatch, lines)):
        for turned in match[3].split(", "):
            tile_id, rotation_id = turned.split()
            yield Move((int(match[1]), int(match[2])), tile_id, rotation_id)


def _of_missing(state: GameState, missing: Sequence[Move], got: Collection[Move]) -> Iterator[str]:
    """Yield the branches that explain why available moves are not listed: because of their space, their rotation, or the
    paths that they would make.
    """
    listed = {move.space for move in got}
    taken = {space for space, _, _ in state.tiles}
    lost = {move.space for move in missing} - listed
    for space in lost:
        beside = any(beyond(space, side) in taken for side in range(SIDES))
        yield from ["edge"] * bool(border(state.side, space))
        yield from ["beside"] * beside
    if not lost:
        turned = all(move.rotation_id != ROTATION_IDS[0] for move in missing)
        yield "rotations" if turned else "length-1"


# Paths


def _of_paths(state: GameState, word: str, right: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a wrong list of paths: paths are missing, paths of the other kind are listed, or paths
    pass other tiles.
    """
    paths = {path.train.outside: path for path in paths_of(state.raw)}
    wanted, got = _paths(right), _paths(read)
    missing = [paths[entry] for entry in wanted if entry not in got and entry in paths]
    extra = [entry for entry in got if entry not in wanted]
    if any(line.startswith("  ?: ") for line in read):
        yield "entry"
    elif any(line.endswith(": ?") for line in read):
        yield "order"
    elif len(got) + 1 < len(read) or not read:
        yield word
    elif 0 < len(extra) == len(missing) == len(wanted) and paths.keys().isdisjoint(extra):
        yield "entry"
    elif missing or extra:
        yield from _of_entries(paths, word, missing, {entry: got[entry] for entry in extra}, set(got))
    else:
        for entry, tiles in wanted.items():
            if got[entry] != tiles:
                yield from _of_way(paths[entry], tiles, got[entry])


def _is_of_another_state(state: GameState, word: str, read: Sequence[str]) -> bool:
    """Return True if the listed paths would be right for another board: one without the last tile, one with the last tile
    not rotated, or one with the last tile alone. Then the fault is probably in `apply_move`.
    """
    *before, (space, tile_id, _) = state.tiles or [((0, 0), "", "")]
    others = before, state.tiles[-1:], [*before, (space, tile_id, ROTATION_IDS[0])]
    listed = get_open_paths if word == "open" else get_closed_paths
    return any([f"  {line}" for line in path_lines(listed(GameState(tiles)))] == [*read] for tiles in others if tile_id)


def _paths(lines: Sequence[str]) -> dict[tuple[int, int], list[str]]:
    """Return the tiles of each path in the lines of an answer, by the path's entry."""
    matches = filter(None, map(_PATH.fullmatch, lines))
    return {(int(match[1]), int(match[2])): match[3].split(", ") if match[3] else [] for match in matches}


def _of_entries(
    paths: Mapping[Space, TracedPath],
    word: str,
    missing: Sequence[TracedPath],
    extra: Mapping[Space, Sequence[str]],
    listed: Collection[Space],
) -> Iterator[str]:
    """Yield the branches that explain why paths are missing in an answer, or why other paths are listed.

    `missing` are paths that should be listed. `extra` has the tiles of listed paths that should not be, and `listed` all
    entries in the answer.
    """
    sides = {path.train.side for entry, path in paths.items() if entry in listed}
    for path in missing:
        own = deciding.of_path(path)
        yield from own & {"centre", "closed-home", "twice", "rotated"}
        yield from ["twice"] * ("closed-home" in own)
        yield from {key for key in own if key.startswith("track-")}
        yield from {key for key in own if key.startswith("entry-") and path.train.side not in sides}
    for entry, read in extra.items():
        if entry in paths:
            path = paths[entry]
            yield from deciding.of_path(path) & {"centre", "closed-home"}
            if listed != paths.keys():  # the program tells open paths from closed ones
                yield from _of_step(path.steps[min(len(read), len(path.steps)) - 1])
    yield word


def _of_way(path: TracedPath, right: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a wrong list of tiles for a path."""
    again = len({step.place for step in path.steps}) < len(path.steps)
    if again and [*read] == [*dict.fromkeys(right)]:
        yield "twice"
    elif sorted(right) == sorted(read) or read == right[1:]:
        yield "order"
        yield from ["twice"] * (again and read == right[1:])
    else:
        yield from ["order"] * (read == right[:-1])
        yield from ["twice"] * again
        at = next(
            (at for at, pair in enumerate(zip(right, read, strict=False)) if pair[0] != pair[1]), min(len(right), len(read))
        )
        yield from _of_step(path.steps[max(at - 1, 0)])


def _of_step(step: Step) -> Iterator[str]:
    """Yield the branches that explain why a program leads a path out of a tile on a wrong side."""
    yield f"track-{(step.left - step.entered) % SIDES}"
    yield from ["rotated"] * (FACES[step.face - 1][1] > 0)
