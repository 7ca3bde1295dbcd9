"""Writes a checker: a program with the cases, in one file that needs nothing but Python, with which students test their
programs.
"""

import base64
import json
import textwrap
import zlib
from pathlib import Path
from typing import Any, Final

from ludoteca.core.judging import Part
from ludoteca.core.messages import catalogue, counted, in_words
from ludoteca.judge.exports.problem import ExportError, Problem
from ludoteca.judge.reports import verdict_key
from ludoteca.judge.verdicts import Verdict

MOST_FILE_BYTES: Final = 2_000_000
"""The largest size of the file, in bytes."""
DATA_WIDTH: Final = 120


def check_checkable(title: str, part: Part) -> None:
    """Check that there can be a checker for a part. `title` is its name in messages. Raises ExportError with the reason if
    there cannot.
    """
    if type(part).command is not Part.command:
        raise ExportError(f"a checker starts a program by itself, but another program reads the file of {title}")
    if type(part).problem is not Part.problem:
        raise ExportError(f"a checker compares outputs with the right one, but {title} has several right outputs for a case")


def checker(problem: Problem) -> dict[str, str | bytes]:
    """Return the file as a dictionary whose only key is an empty name. Raises ExportError if the file would be too large."""
    program = Path(__file__).with_name("student.py").read_text(encoding="utf-8")
    data = "\n".join(textwrap.wrap(_data(problem), DATA_WIDTH))
    assert program.count('\nDATA = ""\n') == 1
    whole = program.replace('\nDATA = ""\n', f'\nDATA = """\n{data}\n"""\n')
    if len(whole.encode()) > MOST_FILE_BYTES:
        raise ExportError(f"the checker would have more than {MOST_FILE_BYTES} bytes: ask for fewer cases with --cases")
    return {"": whole}


def _data(problem: Problem) -> str:
    """Return the cases, the limits and the texts as the base64 text that `student.py` reads."""
    texts = catalogue("ludoteca.judge", problem.language)
    used = sorted(frozenset().union(*(case.input + case.output for case in problem.cases)))
    about: dict[str, Any] = {
        "title": problem.title,
        "seconds": problem.seconds,
        "output": problem.output,
        "ignores_blanks": problem.part.options.ignores_blanks,
        "cases": [
            {
                "arguments": case.arguments,
                "steps": [(step.input, step.output) for step in case.steps],
                "files": dict(case.files),
                "status": case.status,
            }
            for case in problem.cases
        ],
        "texts": texts,
        "verdicts": {verdict: texts[verdict_key(verdict)] for verdict in Verdict},
        "signs": {sign: gloss for sign in used if (gloss := problem.part.gloss(sign))},
        "counts": [in_words(counted("case", number), texts) for number in range(len(problem.cases) + 1)],
    }
    return base64.b64encode(zlib.compress(json.dumps(about, ensure_ascii=False).encode(), 9)).decode()
