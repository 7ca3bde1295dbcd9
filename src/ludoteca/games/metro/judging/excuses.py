"""Finds wrong answers that are the fault of another predicate than the one about which a case asks, so that they do not
count.

The driver reads states, moves and paths only through the program's predicates. For example, it prints an open path with
`get_path_entry` and `get_path_tiles`. If one of these is wrong, the answers to a case of `get_open_paths` look wrong, too,
although `get_open_paths` may be right.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ludoteca.core.judging import Case
from ludoteca.games.metro.judging.checking import answer_of

UNREAD: Final = "?"
"""The driver prints this for a part of a move or a path that the program's predicate fails to read."""
MOVE: Final = ("get_move_space", "get_move_tile_id", "get_move_rotation_id")
_PATH: Final = re.compile(r"(\?|\d+ \d+): ?(.*)")
_MOVE: Final = re.compile(r"(\?|.+) (\S+) (\S+)")
_SPACE: Final = re.compile(r"\d+ \d+: ")

Path = tuple[str, str]
"""The entry and the tiles of a path, as the driver prints them."""


def excused(case: Case, output: str) -> bool:
    """Return True if the output is right for the predicate about which the case asks, assuming that the program's other
    predicates answer as they do.
    """
    answers = list(_answers(case, output))
    if len(answers) < len(case.steps) - 1:
        return False
    if case.subject in ("get_path_entry", "get_path_tiles"):
        return _read_right(case.subject, answers)
    return all(read == expected or _right(case.subject, word, expected, read) for word, expected, read in answers)


def _answers(case: Case, output: str) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """Yield the first word of each question, the lines of the right answer, and the lines of the program's answer. Stop at
    text that is no answer.
    """
    rest = output
    for step in case.steps[1:]:
        question = step.input.removesuffix("\n")
        answer, rest = answer_of(question, rest)
        if not answer or (rest and step is case.steps[-1]):
            return
        yield question.split()[0], _lines(step.output), _lines(answer)


def _lines(answer: str) -> Sequence[str]:
    """Return the lines of an answer, without the question."""
    return [line.removeprefix("  ") for line in answer.splitlines()[1:]]


def _right(subject: str, word: str, expected: Sequence[str], read: Sequence[str]) -> bool:
    if not read:
        return False
    unread = not read[0].isdigit()
    if word in ("tiles", "back"):
        return unread and subject != "get_game_tiles"
    if word in ("open", "closed"):
        return (unread and subject == "apply_move") or _same_paths(expected, read)
    if word == "move":
        parts = MOVE.index(subject) + 1
        wanted, got = _MOVE.fullmatch(expected[0]), _MOVE.fullmatch(read[0])
        return bool(wanted and got and wanted[parts] == got[parts])
    if word == "available":
        return read[0] == expected[0] and not any(map(_SPACE.match, read))
    if word == "only" and len(read) == len(expected):
        name = expected[0].split()[0]
        if read[0].startswith(f"{name} "):
            return read[0] == expected[0]
        others = [line for line in read[1:] if line.split()[0] in ("open", "closed")]
        return bool(others) and set(others) <= set(expected)
    return False


def _same_paths(expected: Sequence[str], read: Sequence[str]) -> bool:
    """Return True if two lists of paths have the same length, and the same entries or the same tiles. If the program can
    read neither entries nor tiles, the same length is enough.
    """
    wanted, got = _paths(expected), _paths(read)
    if read[0] != expected[0] or len(got) != len(wanted):
        return False
    unread = all(half == UNREAD for path in got for half in path)
    return unread or any(sorted(path[half] for path in got) == sorted(path[half] for path in wanted) for half in (0, 1))


def _read_right(subject: str, answers: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> bool:
    """Return True if the predicate `subject` reads each path right: `get_path_entry` gives the right entry for the tiles, or
    `get_path_tiles` the right tiles for the entry.

    The other part of the path may be wrong. If it occurs in no right path, any entry (or tiles) of the right answer counts
    as right.
    """
    if any(read != expected for word, expected, read in answers if word not in ("open", "closed")):
        return False
    wanted = [path for _, expected, _ in answers for path in _paths(expected)]
    got = [path for _, _, read in answers for path in _paths(read)]
    asked = 0 if subject == "get_path_entry" else 1

    def right(path: Path) -> bool:
        fitting = [each[asked] for each in wanted if each[1 - asked] == path[1 - asked]]
        return path[asked] in (fitting or [each[asked] for each in wanted])

    return bool(got) and all(map(right, got))


def _paths(lines: Sequence[str]) -> list[Path]:
    return [(match[1], match[2]) for match in map(_PATH.fullmatch, lines) if match]
