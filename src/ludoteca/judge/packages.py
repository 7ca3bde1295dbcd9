"""The cases as a problem package of Mooshak's or of DOMjudge's, so that a course can use the judge that it has.

Both judges ask for exit status 0 and know one right answer to a case. So cases are left out if our own program ends with
another status, or if a program has several right answers. The caller is told how many.
"""

import shlex
import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import quoteattr

from ludoteca.core.errors import LudotecaError
from ludoteca.core.judging import Case, Mutant, Part
from ludoteca.core.spec import GameSpec
from ludoteca.judge.mutants import broken

SAMPLES: Final = 2
"""Cases that students may see: the shortest ones."""
POINTS: Final = 100
WRONG: Final = 5
"""Mutants among the submissions, whose answers are known."""
NAMESPACE: Final = uuid.UUID("5b3f9a38-6f0e-4a55-9df8-7d6f0c8c3f15")
"""Of the packages' identifiers, which depend on the game and the part alone."""


class PackageError(LudotecaError):
    """A package cannot be written."""


class Problem(NamedTuple):
    """What a package is made of."""

    spec: GameSpec
    name: str
    """Of the part."""
    part: Part
    cases: tuple[Case, ...]
    seconds: float

    @property
    def title(self) -> str:
        """The problem's name."""
        return f"{self.spec.title} {self.name}".rstrip()

    @property
    def files(self) -> dict[str, str]:
        """All files of all cases. Raises PackageError when two have one name."""
        found: dict[str, str] = {}
        for case in self.cases:
            for name, content in case.files.items():
                if found.setdefault(name, content) != content:
                    raise PackageError(f"two cases have different files called {name}: no package can hold both")
        return found


def packable(part: Part, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases that a package can hold."""
    return tuple(case for case in cases if case.status == 0 and part.problem(case, case.output) is None)


def write_package(kind: str, problem: Problem, folder: Path) -> None:
    """Write a package of that kind, one of KINDS, into a new folder. Raises PackageError."""
    if not problem.cases:
        raise PackageError(f"{problem.title} has no case that a package can hold")
    try:
        folder.mkdir(parents=True, exist_ok=False)
    except FileExistsError:
        raise PackageError(f"{folder} is there already: expected the name of a new folder") from None
    except OSError as error:
        raise PackageError(f"{folder} cannot be made: {error.strerror}") from None
    try:
        for name, content in KINDS[kind](problem).items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8", newline="")
            if file.name == "run":
                file.chmod(0o755)
    except OSError as error:
        raise PackageError(f"{folder} cannot be written: {error.strerror}") from None


def mooshak(problem: Problem) -> dict[str, str]:
    """The files of a Mooshak problem: `Content.xml`, and a folder for each test."""
    written, tests = dict[str, str](), list[str]()
    each, more = divmod(POINTS, len(problem.cases))
    for number, case in enumerate(problem.cases, 1):
        folder = f"tests/T{number:03}"
        written |= {f"{folder}/input": case.input, f"{folder}/output": case.output}
        written |= {f"{folder}/{name}": content for name, content in case.files.items()}
        attributes = {
            "xml:id": f"tests.T{number:03}",
            "args": " ".join(map(shlex.quote, case.arguments)),
            "input": "input",
            "output": "output",
            "context": next(iter(case.files), ""),
            "Points": str(each + (number <= more)),
            "Feedback": "",
            "Show": "yes" if number <= SAMPLES else "",
            "Fatal": "",
            "Warning": "",
        }
        tests.append(f"      <Test{_attributes(attributes)}/>")
    about = {
        "xml:id": "A",
        "Name": "A",
        "Title": problem.title,
        "Description": "description.html",
        "Timeout": f"{max(1, round(problem.seconds))}",
        "Environment": "",
        "Program": "",
        "PDF": "",
        "Type": "ad-hoc",
        "Difficulty": "Medium",
        "Static_corrector": "",
        "Dynamic_corrector": "",
        "Fatal": "",
        "Warning": "",
    }
    content = "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<Problem xmlns="http://www.ncc.up.pt/mooshak/"{_attributes(about)}>',
            '   <Images Fatal="" Warning="" xml:id="images"/>',
            '   <Tests Definition="" Fatal="" Warning="" xml:id="tests">',
            *tests,
            "   </Tests>",
            "</Problem>",
            "",
        ]
    )
    written |= {f"environment/{name}": text for name, text in problem.files.items()}
    return written | {"Content.xml": content, "description.html": f"<h1>{_text(problem.title)}</h1>\n"}


def domjudge(problem: Problem) -> dict[str, str]:
    """The files of a package in the ICPC's problem format (2025-09), with what DOMjudge needs for cases with files."""
    written = dict[str, str]()
    for number, case in enumerate(problem.cases, 1):
        name = f"data/{'sample' if number <= SAMPLES else 'secret'}/{number:03}"
        written |= {f"{name}.in": case.input, f"{name}.ans": case.output}
        written |= {f"{name}.files/{file}": content for file, content in case.files.items()}
        if case.arguments:
            written[f"{name}.args"] = " ".join(map(shlex.quote, case.arguments)) + "\n"
    identity = uuid.uuid5(NAMESPACE, f"{problem.spec.name}/{problem.name}")
    written["problem.yaml"] = (
        "problem_format_version: 2025-09\n"
        "type: pass-fail\n"
        f"name:\n  en: {_yaml(problem.title)}\n"
        f"uuid: {identity}\n"
        "credits: Ludoteca\n"
        "license: unknown\n"
        f"limits:\n  time_limit: {problem.seconds:g}\n"
    )
    written["data/test_group.yaml"] = "output_validator_args: [case_sensitive, space_change_sensitive]\n"
    written["statement/problem.en.tex"] = f"\\problemname{{{problem.title}}}\n\nThe program of the document.\n"
    if problem.files:
        written["domjudge/run"] = _run_script(problem.files)
    return written | _submissions(problem)


KINDS: Final[dict[str, Callable[[Problem], dict[str, str]]]] = {"mooshak": mooshak, "domjudge": domjudge}


def _submissions(problem: Problem) -> dict[str, str]:
    """Our own program as the accepted one, and some mutants that the cases tell from it, as wrong ones."""
    if problem.name and problem.name not in problem.spec.programs:
        return {}
    written = dict[str, str]()
    wrong = [mutant.name for mutant in islice(_wrong(problem), WRONG)]
    for number, mutant in enumerate(["", *wrong]):
        folder = f"submissions/wrong_answer/wrong{number}" if mutant else "submissions/accepted/own"
        written[f"{folder}/main.py"] = (
            f"from ludoteca.judge.submission import run\n\nrun({problem.spec.name!r}, {problem.name!r}, {mutant!r})\n"
        )
        written |= {f"{folder}/{name}": content for name, content in problem.files.items()}
    return written


def _wrong(problem: Problem) -> Iterator[Mutant]:
    """The mutants that end every case as the case asks for, but print something else in one of them."""
    for mutant in problem.part.mutants:
        with broken(problem.spec, mutant) as spec:
            answers = [problem.part.again(case, spec) for case in problem.cases]
        ended = all(case.status in (None, answer.status) for case, answer in zip(problem.cases, answers, strict=True))
        printed = [(case.output, answer.output) for case, answer in zip(problem.cases, answers, strict=True)]
        if ended and any(right.split() != wrong.split() for right, wrong in printed):
            yield mutant


def _run_script(files: dict[str, str]) -> str:
    """DOMjudge's way of starting a program, which first lays the files beside it."""
    lines = ["#!/bin/sh", "# usage: run <input> <output> <program> [arguments]...", "input=$1 output=$2; shift 2"]
    lines += [f"printf %s {shlex.quote(content)} > {shlex.quote(name)}" for name, content in files.items()]
    return "\n".join([*lines, 'exec "$@" < "$input" > "$output"', ""])


def _attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _yaml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
