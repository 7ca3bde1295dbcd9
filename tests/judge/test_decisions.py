"""Decisions: cases ask for a point that the document leaves open only on request. Verdict and mark stay the same."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ludoteca.core.judging import DECISION
from ludoteca.judge.classes import columns_of
from ludoteca.judge.making import make_decisions
from tests.judge.test_command import judge
from tests.judge.test_documents import PARTS, parts_of
from tests.judge.test_right import RIGHT

OTHERWISE = RIGHT / "cartas" / "guiao4_passo.py"
"""A right program whose author took the other decision."""
FEW = ("--cases", "2", "--time", "10m", "--language", "en")
NAME = "PASSO in place of the last combination"


@pytest.mark.parametrize(("game", "name"), PARTS)
def test_each_decision_has_cases_that_ask_for_it(game: str, name: str) -> None:
    part = parts_of(game)[name]
    found = make_decisions(part, 1)
    assert [*found] == [branch.key for branch in part.branches if branch.source == DECISION]
    assert all(key in case.branches for key, cases in found.items() for case in cases)


@pytest.mark.parametrize(("source", "same"), [(RIGHT / "cartas" / "guiao4.py", True), (OTHERWISE, False)])
def test_a_decision_changes_neither_verdict_nor_mark(source: Path, same: bool, tmp_path: Path) -> None:
    words = ("cartas", "guiao4", *FEW, "--decisions", "--html", str(tmp_path / "page.html"))
    program = ("--", sys.executable, str(source))
    report: dict[str, Any] = json.loads(judge(*words, "--json", *program).stdout)
    told = f"{NAME}: {'as' if same else 'not as'} our program"
    assert (report["verdict"], report["mark"], report["decisions"]) == ("Accepted", 100, {"after-passo": same})
    assert told in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert judge(*words, *program).stdout.endswith(f"mark:\n  {told}\n")


def test_no_decision_is_asked_without_a_wish() -> None:
    result = judge("cartas", "guiao4", *FEW, "--", sys.executable, str(OTHERWISE))
    assert NAME not in result.stdout


def test_the_pages_of_a_class_have_the_decisions_and_its_table_does_not(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    folder, table, pages = (tmp_path / name for name in ("class", "marks.csv", "pages"))
    folder.mkdir()
    text = OTHERWISE.read_text(encoding="utf-8")
    (folder / "ana.py").write_text(f"#!/usr/bin/env python3\n{text}", encoding="utf-8")
    words = ("cartas", "guiao4", *FEW, "--not-isolated", "--decisions", "--all", str(folder), "--csv", str(table))
    assert "--decisions needs a program, or --all and --html" in judge(*words).stderr
    judge(*words, "--html", str(pages))
    with table.open(encoding="utf-8", newline="") as file:
        heads, row = csv.reader(file)
    assert (tuple(heads), row[1]) == (columns_of(parts_of("cartas")["guiao4"]), "Accepted")
    assert f"{NAME}: not as our program" in (pages / "pages" / "ana.py.html").read_text(encoding="utf-8")
