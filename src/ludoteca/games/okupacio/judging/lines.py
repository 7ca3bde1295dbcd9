"""Finds the branches (decisions of the document) that a program has probably got wrong, by comparing its first wrong line
with the right one.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from ludoteca.core.judging import Case
from ludoteca.games.okupacio.judging.watch import SIDES, around, neighbour_decided
from ludoteca.games.okupacio.rules import FREE, ROW, WALL
from ludoteca.games.okupacio.text.console import ASK_FILE, ASK_PLAYERS, WELCOME
from ludoteca.games.okupacio.text.console_game import COLUMNS, NO_CONTROL, OVER, WIDTH

_PROMPT: Final = re.compile(r"JUGADOR ([A-J])")
_WINNER: Final = re.compile(r"GUANYADOR: JUGADOR ([A-J])")
_CONTROL: Final = re.compile(r"EL JUGADOR . CONTROLA LA (FILA|COLUMNA) [a-y]")
_LETTERS: Final = re.compile(r"  [a-y]+")
_BORDER: Final = re.compile(r" #+")
_ROW: Final = re.compile(r"[a-y]#[ #A-J]+#")
_STANDING: Final = re.compile(r"\W*([A-J])\W+(\d+)\W+(\d+)\W+(\d+)\W*")
_SIDES_OF_BOARDS: Final = frozenset(("board.smallest", "board.largest", "board.oblong"))
HEADING: Final = "".join(f"{title:>{WIDTH}}" for title in COLUMNS)
_ENDS: Final = frozenset(("end.full", "end.alone"))


def suspects(case: Case, step: int, output: str) -> frozenset[str]:
    """Return the branches that a program may have got wrong if it printed this output. `output` begins with the output after
    line `step` of the input.

    Return all branches of the step if the first wrong line does not tell more.
    """
    own = case.steps[step]
    wanted, got = own.output.splitlines(), output.splitlines()
    number = next((at for at, line in enumerate(wanted) if got[at : at + 1] != [line]), None)
    if number is None or (len(got) == number and OVER not in wanted[: number + 1]):
        return own.branches
    return frozenset(_blamed(case, step, wanted[number], got[number:] or [""])) or own.branches


def _blamed(case: Case, step: int, wanted: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain the first wrong line. `wanted` is the right line, and `lines` is the program's output
    from the wrong line on. Yield none if every branch of the step may explain it.
    """
    own, got = case.steps[step].branches, lines[0]
    if wanted in (WELCOME, ASK_PLAYERS, ASK_FILE):
        yield from _of_question(step, own, wanted, got)
    elif _PROMPT.fullmatch(wanted):
        yield from _of_turn(own, got)
    elif wanted == "" and _PROMPT.fullmatch(got):
        yield from {"format"} if "turn.shown" not in own else own & {"resign.again"}
    elif wanted in (OVER, NO_CONTROL) or _WINNER.fullmatch(wanted) or _CONTROL.fullmatch(wanted):
        yield from _of_end(case, step, wanted, got)
    elif wanted == HEADING:
        yield _of_heading(got)
    elif _STANDING.fullmatch(wanted) or (wanted == "" and _STANDING.fullmatch(got)):
        yield from _of_table(case, step, wanted, lines)
    elif _ROW.fullmatch(wanted):
        yield from _of_size(case, step, lines) if _BORDER.fullmatch(got) else _of_row(case, step, wanted, got)
    else:
        yield from _of_frame(case, step, wanted, lines)


def _of_question(step: int, own: frozenset[str], wanted: str, got: str) -> Iterator[str]:
    """Yield the branches that explain another line than the welcome or a question before the game."""
    if wanted == WELCOME:
        yield "format"
    elif wanted == ASK_PLAYERS:
        yield from ["players.asked"] * (step == 0)
    else:
        yield from own - {"file.asked"} if got == ASK_PLAYERS else {"file.asked"}


def _of_end(case: Case, step: int, wanted: str, got: str) -> Iterator[str]:
    """Yield the branches that explain a wrong line about the end of the game, the winner, or the army that controls a row or
    column.
    """
    right, read = _WINNER.fullmatch(wanted), _WINNER.fullmatch(got)
    if wanted == OVER:
        yield from case.steps[step].branches & _ENDS if _PROMPT.fullmatch(got) else {"end.told"}
    elif right and read:
        table = _table(case.steps[step].output.splitlines())
        yield from _of_order(table[right[1]], table[read[1]]) if read[1] in table else {"resign.table"}
    elif right:
        yield "end.told"
    elif _CONTROL.fullmatch(got) or got == NO_CONTROL:
        yield "control.row"
    else:
        yield "control.nobody" if wanted == NO_CONTROL else "control.told"


def _of_frame(case: Case, step: int, wanted: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a wrong line above or below the rows of the board."""
    got = lines[0]
    if _BORDER.fullmatch(wanted):
        is_size = _BORDER.fullmatch(got) or (_ROW.fullmatch(got) and got[0] != "a")
        yield from _of_size(case, step, lines) if is_size else {"shows.walls"}
    elif _LETTERS.fullmatch(wanted) and _LETTERS.fullmatch(got):
        yield from _of_size(case, step, lines)
    elif _LETTERS.fullmatch(wanted):
        yield "shows.letters" if got not in ("", HEADING) else "turn.shown"


def _of_size(case: Case, step: int, lines: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a board of a wrong size. Rows and columns may be exchanged, or only the letters above
    may be wrong.
    """
    (rows, columns), read = _size(case.steps[step].output.splitlines()), _size(lines)
    if read[1] == columns and _LETTERS.fullmatch(lines[0]):
        yield "shows.letters"
    else:
        yield from {"file.walls"} if read == (columns, rows) else case.steps[step].branches & _SIDES_OF_BOARDS


def _size(lines: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of rows and columns of the first board in these lines."""
    at = next((at for at, line in enumerate(lines) if _BORDER.fullmatch(line)), len(lines))
    rows = [*takewhile(_ROW.fullmatch, lines[at + 1 :])]
    return len(rows), len(lines[at]) - len(" ##") if at < len(lines) else 0


def _of_turn(own: frozenset[str], got: str) -> Iterator[str]:
    """Yield the branches that explain another line than the prompt for a move."""
    if "format" not in own:
        yield from own | {"move.sign"}
    elif _PROMPT.fullmatch(got):
        yield from own & {"turn.skips", "turn.skips_inner"} or {"turn.next"}
        yield from ["turn.skips"] * ("resign.table" in own)
    elif got == OVER:
        yield from _ENDS
    else:
        yield "format"


def _of_heading(got: str) -> str:
    if re.findall(r"\w+", got) == HEADING.split():
        return "table.columns"
    return "turn.shown" if got in ("", OVER) or _PROMPT.fullmatch(got) else "format"


def _of_table(case: Case, step: int, wanted: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield the branches that explain a wrong line of the table: a wrong number in it or in a line below, a wrong order, or
    a wrong army.
    """
    got = lines[0]
    right, read = _STANDING.fullmatch(wanted), _STANDING.fullmatch(got)
    table = _table(case.steps[step].output.splitlines())
    others = _table(lines[: len(table)])
    wrong = next((line for army, line in others.items() if army in table and line != table[army]), None)
    if not read:
        yield "turn.shown" if not got or got == OVER or _PROMPT.fullmatch(got) else "table.columns"
    elif read[1] not in table or not right:
        yield "resign.table"
    elif wrong:
        column = next(at for at in (1, 2, 3) if wrong[at] != table[wrong[0]][at])
        yield ("table.cells", "stolen", "idle.moved")[column - 1]
        yield from ["stolen.lost"] * (column == 1 and int(wrong[1]) > int(table[wrong[0]][1]))
        yield from ["idle.begins"] * (column == 3 and wrong[0] not in _moved(case, step))
    elif read[1] == right[1]:
        yield "table.columns"
    else:
        yield from _of_order(table[right[1]], read.groups())


def _table(lines: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return the army and the numbers of each line of a table, by army."""
    return {line[1]: line.groups() for line in map(_STANDING.fullmatch, lines) if line}


def _of_order(right: Sequence[str], read: Sequence[str]) -> Iterator[str]:
    """Yield the branch that decides the order of two lines of the table: the branch of the first column in which they
    differ.
    """
    keys = zip(("table.cells", "table.stolen", "table.idle"), right[1:], read[1:], strict=True)
    yield from [key for key, number, other in keys if number != other][:1]


def _moved(case: Case, step: int) -> set[str]:
    """Return the letters of the armies that have taken a cell in the steps up to this one."""
    pairs = zip(case.steps, case.steps[1 : step + 1], strict=False)
    return {before.output.split()[-1] for before, each in pairs if "idle.moved" in each.branches}


def _of_row(case: Case, step: int, wanted: str, got: str) -> Iterator[str]:
    """Yield the branches that explain a wrong row of the board."""
    own = case.steps[step].branches
    if len(got) != len(wanted) or got[2:-1] == wanted[2:-1]:
        yield "shows.letters" if got[1:] == wanted[1:] else "shows.walls"
        return
    at = next(at for at in range(2, len(wanted) - 1) if got[at] != wanted[at])
    if got[at] not in " #ABCDEFGHIJ":
        yield {" ": "shows.free", "#": "shows.walls"}.get(wanted[at], "shows.armies")
    elif "turn.shown" not in own:
        yield from {"file.walls"} | own & {"board.largest"}
    elif "resign.table" in own:
        yield "resign.cells"
    else:
        yield from _of_cell(case, step, _cell(wanted[0] + chr(ord("a") + at - 2)), wanted[at], got[at])


def _of_cell(case: Case, step: int, cell: int, wanted: str, got: str) -> Iterator[str]:
    """Yield the branches that explain why a cell has a wrong owner after a move. `wanted` and `got` are the signs of the
    right owner and of the program's.
    """
    own, taken = case.steps[step].branches, _cell(case.steps[step].input)
    before = _owners("".join(each.output for each in case.steps[:step]))
    mover = case.steps[step - 1].output.split()[-1]
    if cell not in around(taken):
        yield "adjacent"
        return
    player = before[taken] = _owner(mover)
    yield from neighbour_decided(before, cell, player)
    yield from own & {"stolen.gained", "stolen.lost", "resign.falls"}
    if wanted == mover:
        yield f"side.{SIDES[cell - taken]}"
        yield from own & {"several"}


def _cell(name: str) -> int:
    return ROW * (ord(name[0]) - ord("a") + 1) + ord(name[1]) - ord("a")


def _owners(output: str) -> list[int]:
    """Return the owner of each cell on the last board in an output, indexed by cell."""
    owners = [WALL] * (ROW * (ROW + 2))
    for line in filter(_ROW.fullmatch, output.splitlines()):
        start = _cell(f"{line[0]}a")
        owners[start : start + len(line) - 3] = [_owner(sign) for sign in line[2:-1]]
    return owners


def _owner(sign: str) -> int:
    return {"#": WALL, " ": FREE}.get(sign, ord(sign) - ord("A"))
