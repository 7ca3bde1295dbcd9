"""Gaps of the judge: wrong programs that its default cases accept. `python -m tools.gaps GAME[:PART]...` lists them.

A wrong program is our own program with one change in a function that implements the document (LAW): a term is dropped, a
condition is negated, a constant is shifted by one, two steps are swapped, an operator is replaced. The change is drawn, and
the program runs as a variant over the default cases. The same seed and the same sources give the same programs.

Tests use `drawn` and `accepted`. `tests/judge/gaps.toml` has the reasons why some programs are accepted.
"""

import argparse
import ast
import random
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from tools.mutants import mutants_of

from ludoteca.arena.programs.limits import Limits
from ludoteca.core import registry
from ludoteca.core.folders import module_path
from ludoteca.core.judging import Case, Mutant, part_of
from ludoteca.judge.making import make_cases
from ludoteca.judge.programs import OurOwn
from ludoteca.judge.variants import changed_source
from ludoteca.judge.verdicts import Verdict, verdict_on

MOST: Final = 60
"""Wrong programs of a document."""
LIMITS: Final = Limits(move=600.0)
SECONDS: Final = 5.0
"""Processor time of a case. A program that takes longer is found."""
LAW: Final[dict[str, dict[str, str]]] = {
    "okupacio": {
        "rules": "setup apply winners falls _occupy _give_up after has_to_end is_playing idle rank degree_of controller",
        "ranking": "standings_of control_of",
        "board": "read_numbers",  # its refusals are not in the document
        "console": "session",
        "console_game": "play _turn _board_lines",
        "notation": "string_to_action picture",
    },
    "conclave": {
        "deck": "ordered_deck sum_of shuffle_as_documented",
        "sets": "row_run column_run _run",
        "rules": "winners half _lay_out put begin_turn cessions _cede _send won_from convinced_by sum_on lift follow"
        " _pile_to_draw_from _end_turn _take_top _refill _close disappointment",
        "notation": "card_name followers_of pile_of hand_of",
        "console": "session",
        "console_game": "play _play_turn _cede _send screen_lines underlined face back spaced sums_line result_lines",
    },
    "cartas:guiao1": {
        "combinations": "lowest counts having shape length_of each_of shape_of",
        "cards": "highest",
        "guioes": "classify describe",
    },
    "cartas:guiao2": {
        "cards": "write highest",
        "guioes": "compare compatible in_order",
    },
    "cartas:guiao3": {
        "combinations": "is_of_kings other_shape answers",
        "cards": "write",
        "lines": "play_to_answer",
        "guioes": "hands_after_plays hand_after",
    },
    "cartas:guiao4": {
        "combinations": "is_of_kings other_shape ends_of_runs groups windows",
        "cards": "write",
        "guioes": "list_plays texts_of_plays",
    },
}
"""The functions that implement the documents, by the modules of the games. `GAME:PART` names a part of a document."""


class Change(NamedTuple):
    """A function of a module before and after a change."""

    module: str
    function: str
    old: str
    new: str

    @property
    def mutant(self) -> Mutant:
        """The program with the change."""
        return Mutant(self.shown, "", self.module, self.function, old=self.old, new=self.new)

    @property
    def shown(self) -> str:
        """`rules.idle: the lines that are changed -> the lines after the change`, without the blanks around the lines."""
        before, after = ([line.strip() for line in text.splitlines()] for text in (self.old, self.new))
        while before and after and before[0] == after[0]:
            before, after = before[1:], after[1:]
        while before and after and before[-1] == after[-1]:
            before, after = before[:-1], after[:-1]
        return f"{self.module}.{self.function}: {' '.join(before)} -> {' '.join(after)}"


class TooLongError(Exception):
    """A program has used its time."""


def changes_of(document: str, seed: int = 0) -> list[Change]:
    """Return every change of the functions of a document. The seed decides whether a constant grows or shrinks.

    A condition that raises an error stays as it is: the document allows no such input.
    """
    package = registry.find(document.partition(":")[0]).package
    found = list[Change]()
    for module, functions in LAW[document].items():
        text = Path(str(import_module(module_path(package, module)).__file__)).read_text("utf-8")
        lines = text.splitlines(keepends=True)
        small = [mutant.applied(text) for mutant in mutants_of(module, text, random.Random(f"{seed} {package} {module}"))]
        defined = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        for function in functions.split():
            node = defined[function]
            span = slice(node.lineno - 1, node.end_lineno)
            old = "".join(lines[span])
            inside = ["".join(new.splitlines(keepends=True)[span]) for new in small]
            body = ast.parse(old)
            raising = [each for each in ast.walk(body) if isinstance(each, ast.If) and isinstance(each.body[-1], ast.Raise)]
            refusals = {line for each in raising for line in range(each.lineno, 1 + (each.end_lineno or 0))}
            for new in dict.fromkeys((*inside, *_shorter(body, old), *_swapped(body, old))):
                if new != old and _first_line(old, new) not in refusals:
                    found.append(Change(module, function, old, new))
    return found


def _first_line(old: str, new: str) -> int:
    """The number of the first line that differs, from 1."""
    pairs = zip(old.splitlines(), new.splitlines(), strict=False)
    return next(number for number, (before, after) in enumerate(pairs, 1) if before != after)


def _shorter(function: ast.AST, text: str) -> Iterator[str]:
    """Yield the text without one term of `and`, `or`, `&`, `|`, `+` or `-`."""
    for node in ast.walk(function):
        match node:
            case ast.BoolOp(op=operator, values=values):
                word = " and " if isinstance(operator, ast.And) else " or "
                kept = [values[:number] + values[number + 1 :] for number in range(len(values))]
            case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.Add() | ast.Sub(), left=left, right=right):
                word, kept = "", [[left], [right]] if not isinstance(node.op, ast.Sub) else [[left]]
            case _:
                continue
        for terms in kept:
            yield _replaced(text, node, word.join(f"({ast.get_source_segment(text, term)})" for term in terms))


def _replaced(text: str, node: ast.expr, new: str) -> str:
    """Return the text with the node replaced by another text."""
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0)
    whole = text.encode()
    return (whole[:start] + new.encode() + whole[end:]).decode()


def _swapped(function: ast.AST, text: str) -> Iterator[str]:
    """Yield the text with two adjacent steps swapped. The second uses no name that the first binds."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(function):
        for steps in (getattr(node, name, []) for name in ("body", "orelse")):
            for one, two in pairwise(steps) if isinstance(steps, list) else ():
                if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                    continue
                bound = {each.id for each in ast.walk(one) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
                used = {each.id for each in ast.walk(two) if isinstance(each, ast.Name)}
                if bound & used or isinstance(two, ast.Return | ast.Continue | ast.Break | ast.Raise):
                    continue
                first, middle = lines[one.lineno - 1 : one.end_lineno], lines[one.end_lineno : two.lineno - 1]
                second = lines[two.lineno - 1 : two.end_lineno]
                yield "".join([*lines[: one.lineno - 1], *second, *middle, *first, *lines[two.end_lineno :]])


def drawn(document: str, seed: int = 0, count: int = MOST) -> list[Change]:
    """Return some of the changes of a document, at most this many."""
    every = changes_of(document, seed)
    return random.Random(f"{seed} {document}").sample(every, min(count, len(every)))


@cache
def cases_of(document: str, seed: int = 0) -> Sequence[Case]:
    """Return the default cases of a document."""
    game, _, part = document.partition(":")
    return make_cases(part_of(registry.find(game), part), seed)


def accepted(document: str, mutant: Mutant, cases: Sequence[Case]) -> bool:
    """Return True if no case finds the program. A program that raises an exception, or that takes too long, is found.

    Numbers that overflow wrap around without a warning, as in compiled code. In tests, the warning would be an exception.

    Raises ContractError if the change does not fit the source: see `variants.variant`.
    """
    game, _, name = document.partition(":")
    spec = registry.find(game)
    part = part_of(spec, name)
    changed_source(spec.package, mutant)
    try:
        program = OurOwn(spec, part, mutant)
        for case in cases:
            with _time_limit(), np.errstate(over="ignore"):
                answer = program.run(case)
            if verdict_on(part, case, answer, LIMITS).verdict != Verdict.ACCEPTED:
                return False
    except Exception:  # noqa: BLE001  # whatever a changed program raises
        return False
    return True


@contextmanager
def _time_limit() -> Iterator[None]:
    """Raise TooLongError in the block after SECONDS of processor time."""

    def stop(*_: object) -> None:
        raise TooLongError

    usual = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


def main() -> None:
    """Draw the programs of each document, and print the accepted ones."""
    parser = argparse.ArgumentParser(prog="gaps", description="List wrong programs that the default cases accept.")
    parser.add_argument("documents", nargs="+", metavar="GAME[:PART]", help=f"some of {', '.join(LAW)}")
    parser.add_argument("--seed", type=int, default=0, help="which programs are drawn (default: 0)")
    parser.add_argument("--count", type=int, default=MOST, help=f"how many programs (default: {MOST})")
    parser.add_argument("--cases", type=int, default=0, metavar="SEED", help="the seed of the cases (default: 0)")
    given = parser.parse_args()
    for document in given.documents:
        if document not in LAW:
            parser.error(f"read {document}, expected some of {', '.join(LAW)}")
        begun, cases = time.monotonic(), cases_of(document, given.cases)
        changes = drawn(document, given.seed, given.count)
        survivors = [change.shown for change in changes if accepted(document, change.mutant, cases)]
        print(*survivors, sep="\n")
        print(f"{document}: {len(survivors)} of {len(changes)} accepted, {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()
