"""Which of the assignment's branches may decide a wrong answer, found by a comparison with the right one."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from ludoteca.core.judging import Case
from ludoteca.games.metro.board import beyond, border
from ludoteca.games.metro.judging import deciding
from ludoteca.games.metro.judging.checking import LEADING, answer_of
from ludoteca.games.metro.judging.questions import Session, move_of
from ludoteca.games.metro.paths import Step, TracedPath, paths_of
from ludoteca.games.metro.predicates import ROTATION_IDS, GameState, Move
from ludoteca.games.metro.tiles import FACES, SIDES

_MOVES: Final = re.compile(r"  ([1-8]) ([1-8]): ((?:#(?:[1-9]|10) R[0-3](?:, |$))+)")
_PATH: Final = re.compile(r"  (-?\d+) (-?\d+): ?((?:#\d+ R\d(?:, |$))*)")
_LISTS: Final = ("available", "with", "at")


def suspects(case: Case, step: int, output: str) -> frozenset[str]:
    """Return the branches that may decide the answer to the question of that step. The output begins with the answer."""
    own = case.steps[step]
    answer, _ = answer_of(own.input.removesuffix("\n"), output)
    word = own.input.split()[0] if own.input else ""
    if answer == own.output or word not in (*_LISTS, "open", "closed", "check", "tiles"):
        return own.branches
    lists = own.output.splitlines()[1:], answer.splitlines()[1:]
    if word == "tiles":
        return frozenset(("initial",)) if {*lists[0][1:]} < {*lists[1][1:]} else own.branches | {"apply"}
    session = Session()
    for each in case.steps[1:step]:
        if each.input.split()[0] in LEADING:
            session.printed(each.input.removesuffix("\n"))
    if word == "check":
        return own.branches | _of_refusal(session.state, move_of(own.input.split()[1:]), own.output)
    blamed = _of_moves(session.state, word, *lists) if word in _LISTS else _of_paths(session.state, word, *lists)
    return frozenset(blamed) or own.branches


# Moves


def _of_moves(state: GameState, word: str, right: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    """The branches for moves that are missing, that are not available, or that come twice."""
    wanted, got = Counter(_moves(right)), Counter(_moves(read))
    extra, missing = [*(got.keys() - wanted.keys())], [*(wanted.keys() - got.keys())]
    if len(read) > 1 + sum(bool(_MOVES.fullmatch(line)) for line in read):
        yield "move"
    elif not got:
        yield {"with": "with-tile", "at": "at-space"}.get(word, "all")
    elif extra and word != "available" and not any(_fits(word, right, move) for move in extra):
        yield {"with": "with-tile", "at": "at-space"}[word]
    elif extra:
        yield from {deciding.of_move(state, move) for move in extra}
    elif missing:
        yield from _of_missing(state, missing, got)
    else:
        yield "all"


def _of_refusal(state: GameState, move: Move, right: str) -> frozenset[str]:
    """What else may refuse an available move than the rule that allows its space."""
    turned, at_edge = move.rotation_id != ROTATION_IDS[0], bool(border(state.side, move.space))
    return frozenset(["rotations"] * turned + ["length-1"] * at_edge) if right.endswith("yes\n") else frozenset()


def _fits(word: str, right: Sequence[str], move: Move) -> bool:
    """True if a move has the tile or the space that the right ones have."""
    part = 1 if word == "with" else 0
    return any(each[part] == move[part] for each in _moves(right))


def _moves(lines: Sequence[str]) -> Iterator[Move]:
    for match in filter(None, map(_MOVES.fullmatch, lines)):
        for turned in match[3].split(", "):
            tile_id, rotation_id = turned.split()
            yield Move((int(match[1]), int(match[2])), tile_id, rotation_id)


def _of_missing(state: GameState, missing: Sequence[Move], got: Collection[Move]) -> Iterator[str]:
    """The branches for available moves that are not listed: their space, their rotation, or the paths they make."""
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
    """The branches for paths that are missing, that are of the other kind, or that go another way."""
    paths = {path.train.outside: path for path in paths_of(state.raw)}
    wanted, got = _paths(right), _paths(read)
    missing = [paths[entry] for entry in wanted if entry not in got and entry in paths]
    extra = [entry for entry in got if entry not in wanted]
    if len(got) + 1 < len(read) or not read:
        yield word
    elif 0 < len(extra) == len(missing) == len(wanted) and paths.keys().isdisjoint(extra):
        yield "entry"
    elif missing or extra:
        yield from _of_entries(paths, word, missing, extra)
    else:
        for entry, tiles in wanted.items():
            if got[entry] != tiles:
                yield from _of_way(paths[entry], tiles, got[entry])


def _paths(lines: Sequence[str]) -> dict[tuple[int, int], list[str]]:
    """The tiles of each path, by its entry."""
    matches = filter(None, map(_PATH.fullmatch, lines))
    return {(int(match[1]), int(match[2])): match[3].split(", ") if match[3] else [] for match in matches}


def _of_entries(
    paths: dict[tuple[int, int], TracedPath], word: str, missing: Sequence[TracedPath], extra: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """The branches for paths that are missing, and for others that are listed."""
    strange = [paths[entry] for entry in extra if entry in paths]
    for path in (*missing, *strange):
        own = deciding.of_path(path)
        yield from own & {"centre", "closed-home", "twice", "rotated"}
        yield from {key for key in own if key.startswith(("track-", "entry-"))}
    yield word


def _of_way(path: TracedPath, right: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    """The branches for another list of tiles."""
    again = len({step.place for step in path.steps}) < len(path.steps)
    if sorted(right) == sorted(read) or read == right[1:]:
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
    """The branches for a tile that a path leaves on the wrong side."""
    yield f"track-{(step.left - step.entered) % SIDES}"
    yield from ["rotated"] * (FACES[step.face - 1][1] > 0)
