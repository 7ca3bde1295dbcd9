"""Programs that crash: the reason is named, and a line that is only missing breaks no rule."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from ludoteca.core import registry
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.programs import Boxed
from ludoteca.judge.reports import Words, lines
from ludoteca.judge.rules import Status
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.verdicts import Verdict
from tests.judge.test_documents import cases_of, parts_of
from tests.judge.test_right import LIMITS, RIGHT

CRASH: Final = "*(volatile int *)0 = 1;"
AT_THE_END: Final = (
    "        main()\n",
    "        import io; sys.stdout, real = io.StringIO(), sys.stdout; main(); real.write(sys.stdout.getvalue())\n",
)
"""A change of a program in Python, which then prints everything at its end."""


def judged(game: str, command: list[str]) -> Report:
    with Boxed(parts_of(game)[""], command, LIMITS) as boxed:
        spec = registry.find(game)
        return judge(spec, "", cases_of(game, ""), [boxed], LIMITS, Effort(runs=40))


def altered(source: Path, folder: Path, *changes: tuple[str, str]) -> Path:
    """A copy of a program with some pieces of its source replaced."""
    text = source.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = folder / source.name
    file.write_text(text, encoding="utf-8")
    return file


def broken(report: Report) -> set[str]:
    return {branch.key for rule in report.rules if rule.status == Status.BROKEN for branch in rule.branches}


def told(report: Report) -> str:
    return "\n".join(lines(report, Words(registry.find(report.game), "en")))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
@pytest.mark.parametrize(
    ("old", "crash", "right"),
    [
        ("        turn++;\n", "if ((row < 'a' && row != '0') || (column < 'a' && row != '0'))", "move.sign"),
        ("    read_players();\n", "if (players == 10)", "players.ten"),
        ("[j + DC[k]] != FREE;\n", "if (captured[player] > 0)", "stolen"),
        ("            give_up(player);\n", "if (armies() == 2 && players == 3)", "resign.cells"),
    ],
)
def test_a_crash_in_c_breaks_the_rule_of_its_turn_or_none(old: str, crash: str, right: str, tmp_path: Path) -> None:
    source = altered(RIGHT / "okupacio" / "okupacio.c", tmp_path, (old, f"{old}{crash} {CRASH}\n"))
    program = source.with_suffix("")
    subprocess.run(["gcc", "-O1", "-w", "-o", program, source], check=True)
    report = judged("okupacio", [str(program)])
    sentences = {branch.key: branch.sentence for branch in parts_of("okupacio")[""].branches}
    named = {sentences[key] for key in broken(report)}
    assert report.verdict == Verdict.RUNTIME
    assert named <= {sentences[right]}
    assert "signal SIGSEGV (segmentation fault) ended it" in told(report)


@pytest.mark.parametrize(
    ("line", "exception"),
    [
        (r'say("JUGADA NO PERMESA\nTORNA A INDICAR LA JUGADA")', "IndexError: taken"),
        ('say("OPCIO NO DEFINIDA")', "KeyError: 'option'"),
        ('say("MOVIMENT NO VALID")', "AssertionError"),
    ],
)
def test_an_exception_before_anything_is_printed_breaks_no_rule(line: str, exception: str, tmp_path: Path) -> None:
    name, _, words = exception.partition(": ")
    raising = f"raise {name}({words.strip(chr(39))!r})" if words else f"raise {name}"
    source = altered(RIGHT / "conclave" / "conclave.py", tmp_path, AT_THE_END, (line, raising))
    report = judged("conclave", [sys.executable, str(source)])
    assert report.verdict == Verdict.RUNTIME
    assert not broken(report)
    assert exception in told(report)
    assert Status.NOT_REACHED in {rule.status for rule in report.rules}
