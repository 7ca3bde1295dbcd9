"""The cases as a problem for Mooshak: `Content.xml`, and a folder for each test."""

import shlex
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from ludoteca.judge.exports.problem import SAMPLE_CASES, Problem

POINTS: Final = 100


def mooshak(problem: Problem) -> dict[str, str | bytes]:
    """Return the files of a Mooshak problem, by name."""
    written, tests = dict[str, str | bytes](), list[str]()
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
            "Show": "yes" if number <= SAMPLE_CASES else "",
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
    return written | {"Content.xml": content, "description.html": f"<h1>{escape(problem.title)}</h1>\n"}


def _attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())
