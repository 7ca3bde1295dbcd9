"""Writes the cases as `vpl_evaluate.cases`, for Moodle's Virtual Programming Lab (VPL).

VPL compares a text in quotation marks exactly. If such a text ended with a line end, VPL would refuse a program that leaves
it out. So the texts have no line end at their end.
"""

from typing import Final

from ludoteca.core.judging import Case
from ludoteca.judge.exports.problem import Problem

INSTRUCTIONS: Final = frozenset(
    (
        "case",
        "casetitleformat",
        "errormark",
        "expectedexitcode",
        "failexitcodemessage",
        "failmark",
        "failmessage",
        "failoutputmessage",
        "finalreportmessage",
        "gradereduction",
        "input",
        "inputend",
        "multilineend",
        "output",
        "outputend",
        "passmark",
        "passmessage",
        "programarguments",
        "programtorun",
        "timelimit",
        "timeoutmark",
        "timeoutmessage",
        "variation",
    )
)
"""The names of all instructions. A line is an instruction for VPL if its letters before the first `=` form a name."""
MOST_LINE_BYTES: Final = 4000
"""The largest line of input, in bytes. VPL sends it through a terminal, which cuts off longer lines."""
MOST_OUTPUT_BYTES: Final = 256 << 10
"""Bytes of output that VPL reads."""


def vpl(problem: Problem) -> dict[str, str | bytes]:
    """Return the execution files of an activity, by name: the cases, and the files that they read."""
    cases = [
        f'case = {number}\ninput ={case.input}output ="{_expected(case.output)}"\n'
        for number, case in enumerate(problem.cases, 1)
    ]
    return {**problem.files, "vpl_evaluate.cases": "".join(cases)}


def vpl_asks(case: Case) -> bool:
    """Return True for a case that VPL can give to a program without changes."""
    if case.arguments or not case.input.endswith("\n") or case.input.startswith(" "):
        return False
    lines = [*case.input.split("\n")[1:], *case.output.split("\n")[1:]]
    return (
        all(sign == "\n" or sign.isprintable() for sign in case.input + case.output)
        and all(len(line.encode()) <= MOST_LINE_BYTES for line in case.input.split("\n"))
        and len(case.output.encode()) <= MOST_OUTPUT_BYTES
        and not any(_instruction(line) in INSTRUCTIONS for line in lines)
    )


def _instruction(line: str) -> str:
    """Return the letters before the first `=` of a line, in lower case. Return an empty text for a line without `=`."""
    name, equals, _ = line.partition("=")
    return "".join(filter(str.isalpha, name.lower())) if equals else ""


def _expected(output: str) -> str:
    """Return the output without its last line end, unless it would be empty or would end with an empty line."""
    shorter = output.removesuffix("\n")
    return output if not shorter or shorter.endswith("\n") else shorter
