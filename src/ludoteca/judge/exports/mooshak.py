"""The cases as a problem for Mooshak: `Content.xml`, and a folder for each test."""

import shlex
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from ludoteca.judge.exports.problem import SAMPLE_CASES, Problem

POINTS: Final = 100
TEST: Final = (
    '      <Test xml:id="tests.T{number:03}" args={arguments} input="input" output="output" context={context} '
    'Points="{points}" Feedback="" Show="{show}" Fatal="" Warning=""/>\n'
)
PROBLEM: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<Problem xmlns="http://www.ncc.up.pt/mooshak/" {attributes}>
   <Images Fatal="" Warning="" xml:id="images"/>
   <Tests Definition="" Fatal="" Warning="" xml:id="tests">
{tests}   </Tests>
</Problem>
"""
ATTRIBUTES: Final = (
    'xml:id="A" Name="A" Title={title} Description="description.html" Timeout="{seconds}" Environment="" Program="" PDF="" '
    'Type="ad-hoc" Difficulty="Medium" Static_corrector="" Dynamic_corrector="" Fatal="" Warning=""'
)


def mooshak(problem: Problem) -> dict[str, str | bytes]:
    """Return the files of a Mooshak problem, by name."""
    written, tests = dict[str, str | bytes](), ""
    each, more = divmod(POINTS, len(problem.cases))
    for number, case in enumerate(problem.cases, 1):
        folder = f"tests/T{number:03}"
        written |= {f"{folder}/input": case.input, f"{folder}/output": case.output}
        written |= {f"{folder}/{name}": content for name, content in case.files.items()}
        tests += TEST.format(
            number=number,
            arguments=quoteattr(shlex.join(case.arguments)),
            context=quoteattr(next(iter(case.files), "")),
            points=each + (number <= more),
            show="yes" if number <= SAMPLE_CASES else "",
        )
    attributes = ATTRIBUTES.format(title=quoteattr(problem.title), seconds=max(1, round(problem.seconds)))
    content = PROBLEM.format(attributes=attributes, tests=tests)
    written |= {f"environment/{name}": text for name, text in problem.files.items()}
    return written | {"Content.xml": content, "description.html": f"<h1>{escape(problem.title)}</h1>\n"}
