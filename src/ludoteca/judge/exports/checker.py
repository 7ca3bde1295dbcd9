"""The cases as a program for students, in one file that needs nothing but Python."""

import ast
import base64
import json
import textwrap
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ludoteca.core import words as core_words
from ludoteca.core.judging import Part
from ludoteca.core.messages import catalogue, counted, in_words
from ludoteca.judge import comparing, showing
from ludoteca.judge.exports import student
from ludoteca.judge.exports.problem import ExportError, Problem
from ludoteca.judge.reports import verdict_key
from ludoteca.judge.verdicts import Verdict

MODULES: Final = (student, core_words, comparing, showing)
"""The modules whose source is in the file. The first is the program."""
MOST_FILE_BYTES: Final = 2_000_000
"""The largest size of the file, in bytes."""
DATA_WIDTH: Final = 120


def check_checkable(title: str, part: Part) -> None:
    """Raise ExportError with the reason if there can be no checker for a part."""
    if type(part).command is not Part.command:
        raise ExportError(f"a checker starts a program by itself, but another program reads the file of {title}")
    if type(part).problem is not Part.problem:
        raise ExportError(f"a checker compares outputs with the right one, but {title} has several right outputs for a case")


def checker(problem: Problem) -> dict[str, str | bytes]:
    """Return the file under the empty name. Raises ExportError if it would be too large."""
    source = "".join(_source(module) for module in MODULES[1:])
    program, end, start = _source(MODULES[0]).rpartition('\n\nif __name__ == "__main__":')
    data = "\n".join(textwrap.wrap(_data(problem), DATA_WIDTH))
    assert program.count('\nDATA = ""\n') == 1
    whole = f"{program}{source}{end}{start}".replace('\nDATA = ""\n', f'\nDATA = """\n{data}\n"""\n')
    if len(whole.encode()) > MOST_FILE_BYTES:
        raise ExportError(f"the checker would have more than {MOST_FILE_BYTES} bytes: ask for fewer cases with --cases")
    return {"": whole}


def _data(problem: Problem) -> str:
    """Return the cases, the limits and the texts in the format that the program reads."""
    texts = catalogue("ludoteca.judge", problem.language)
    used = sorted(frozenset().union(*(case.input + case.output for case in problem.cases)))
    about: dict[str, Any] = {
        "title": problem.title,
        "seconds": problem.seconds,
        "output": problem.output,
        "ignores_blanks": problem.part.options.ignores_blanks,
        "cases": [
            [case.arguments, [(step.input, step.output) for step in case.steps], dict(case.files), case.status]
            for case in problem.cases
        ],
        "texts": texts,
        "verdicts": {verdict: texts[verdict_key(verdict)] for verdict in Verdict},
        "signs": {sign: gloss for sign in used if (gloss := problem.part.gloss(sign))},
        "counts": [in_words(counted("case", number), texts) for number in range(len(problem.cases) + 1)],
    }
    return base64.b64encode(zlib.compress(json.dumps(about, ensure_ascii=False).encode(), 9)).decode()


def _source(module: ModuleType) -> str:
    """Return the source of a module without its imports from Ludoteca and without imports that are only for types.

    The first of MODULES keeps its docstring and its import from the future, which must be at the beginning of a file.
    """
    assert module.__file__
    text = Path(module.__file__).read_text(encoding="utf-8")
    dropped = {
        number
        for node in ast.parse(text).body
        if _is_dropped(node, first=module is MODULES[0])
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = text.splitlines(keepends=True)
    return "".join(line for number, line in enumerate(lines, 1) if number not in dropped)


def _is_dropped(node: ast.stmt, *, first: bool) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").startswith("ludoteca") or (node.module == "__future__" and not first)
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return False
