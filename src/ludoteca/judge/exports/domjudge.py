"""Writes the cases as a package for DOMjudge, in the legacy version of the ICPC's problem format, which DOMjudge's manual
names.

If cases have files, the package also contains a zip file that the administrator adds to DOMjudge as an executable.
"""

import io
import shlex
import uuid
import zipfile
from typing import Final

from ludoteca.judge.exports.problem import SAMPLE_CASES, Problem

NAMESPACE: Final = uuid.UUID("5b3f9a38-6f0e-4a55-9df8-7d6f0c8c3f15")
"""The namespace of the packages' identifiers (UUIDs). A game and a part always get the same identifier."""
VALIDATOR: Final = '''\
"""Accept an input if it is text in UTF-8 with whole lines and without control characters."""

import sys

try:
    text = sys.stdin.buffer.read().decode("utf-8")
except UnicodeDecodeError:
    sys.exit(43)
right = text.endswith("\\n") and all(sign == "\\n" or sign.isprintable() for sign in text)
sys.exit(42 if right else 43)
'''
RUN: Final = """\
#!/bin/sh
# usage: run <testin> <progout> <program>...
# It puts the files of the cases where programs start: in the folder of the program, and in the root folder of runguard.
testin=$1 progout=$2
shift 2
root=.. previous=
for word in "$@"; do
    [ "$word" = -- ] && break
    [ "$previous" = -r ] && root=$word
    previous=$word
done
for folder in execdir "$root"; do
    [ -d "$folder" ] || continue
{files}
done
exec "$@" < "$testin" > "$progout"
"""


def domjudge(problem: Problem) -> dict[str, str | bytes]:
    """Return the files of a package by name."""
    written = dict[str, str | bytes]()
    for number, case in enumerate(problem.cases, 1):
        name = f"data/{'sample' if number <= SAMPLE_CASES else 'secret'}/{number:03}"
        written |= {f"{name}.in": case.input, f"{name}.ans": case.output}
    settings = f"timelimit = '{problem.seconds:g}'\n"
    if problem.files:
        executable = f"{problem.spec.name}{problem.name}-run"
        settings += f"special_run = '{executable}'\n"
        written[f"domjudge/{executable}.zip"] = _executable(problem.files)
    flags = "case_sensitive" if problem.part.options.ignores_blanks else "case_sensitive space_change_sensitive"
    identity = uuid.uuid5(NAMESPACE, f"{problem.spec.name}/{problem.name}")
    written |= {
        "domjudge-problem.ini": settings,
        "input_validators/text.py": VALIDATOR,
        "problem.yaml": f"name: {_yaml(problem.title)}\nuuid: {identity}\nvalidator_flags: {flags}\n",
        "problem_statement/problem.en.tex": f"\\problemname{{{problem.title}}}\n\nImplement the document's program.\n",
    }
    return written


def _executable(files: dict[str, str]) -> bytes:
    """Return the zip file of an executable of DOMjudge's type *run*, which contains one script. The same files give the same
    bytes.
    """
    lines = [f'    printf %s {shlex.quote(content)} > "$folder"/{shlex.quote(name)}' for name, content in files.items()]
    script = zipfile.ZipInfo("run")  # its date is 1980-01-01
    script.external_attr = 0o755 << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(script, RUN.replace("{files}", "\n".join(lines)))
    return packed.getvalue()


def _yaml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
