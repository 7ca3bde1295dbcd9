"""A whole class: a row a submission, kept when the run is broken off."""

import csv
import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path
from unittest.mock import Mock

import pytest

from ludoteca.arena.programs.isolation import BoxError
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.core import registry
from ludoteca.core.judging import Part
from ludoteca.judge import classes
from ludoteca.judge.classes import COLUMNS, Task, columns_of, judge_class, judging, rule_columns
from ludoteca.judge.compilers import Compiler, compiler_with
from ludoteca.judge.making import make_cases
from ludoteca.judge.pages import index
from ludoteca.judge.reports import Words
from ludoteca.judge.submissions import Submission
from ludoteca.judge.tables import TableError, check_table, harmless, results_of

SOURCE = Path(__file__).parent / "right" / "okupacio" / "okupacio.c"
OKUPACIO = registry.find("okupacio")
PART: Part = OKUPACIO.module("judging").PARTS[""]
PATIENT = Limits(move=600.0)
GCC = compiler_with("gcc -O1 -w -o {program} {source}")


def judged(
    task: Task, folder: Path, table: Path, workers: int = 1, watch: Callable[[float], None] = lambda _: None
) -> list[dict[str, str]]:
    check_table(table, columns_of(PART))
    return judge_class(task, folder, table, workers, watch, table.parent / "pages")


PAGES = [*(f"pages/{name}.html" for name in ("anna.c", "bernat", "carla.c")), "index.html"]


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is missing: as root, apt-get install gcc")
def test_a_class_is_judged_and_goes_on_where_it_was(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    folder, table = tmp_path / "class", tmp_path / "table.csv"
    text = SOURCE.read_text(encoding="utf-8")
    for name, content in {
        "anna.c": text,
        "bernat/main.c": text.replace("return mine == degree;", "return 1;"),
        "carla.c": text.replace("int main(void) {", "int main(void) {{"),
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    cases = tuple(make_cases(PART, 0, 4))
    task = Task("okupacio", "", cases, PATIENT, GCC, "en", not_isolated=True)
    rows = judged(task, folder, table, 2)
    assert [row["submission"] for row in rows] == ["anna.c", "bernat", "carla.c"]
    assert [row["verdict"] for row in rows] == ["Accepted", "Wrong Answer", "Compile Error"]
    assert "adj_c té 2 caselles" in rows[1]["sentence"]
    assert [row["mark"] for row in (rows[0], rows[2])] == ["100", "0"]
    assert 0 < float(rows[1]["mark"]) < float(rows[1]["highest"]) < 100
    assert rows[1]["rule.two.free"] == "broken"
    assert rows[1]["failed"]
    assert "carla.c" in rows[2]["why"]
    assert rows_of(table) == rows
    shown = [(tmp_path / "pages" / name).read_text(encoding="utf-8") for name in PAGES]
    assert all(row["verdict"] in page for row, page in zip(rows, shown, strict=False))
    assert all(name in shown[3] for name in PAGES[:3])
    assert f">{rows[1]['mark']}–{rows[1]['highest']}<" in shown[3]

    # only a submission whose result is cut off is judged again, and one that has changed
    for name in ("anna.c", "bernat"):
        file = results_of(table) / f"{name}.json"
        file.write_text(re.sub(r'"accepted":"\d+"', '"accepted":"99"', file.read_text(encoding="utf-8")), encoding="utf-8")
    file.write_bytes(file.read_bytes()[:-20])
    (tmp_path / "pages" / PAGES[0]).unlink()
    again = judged(task, folder, table)
    assert [row["accepted"] for row in again] == ["99", *(row["accepted"] for row in rows[1:])]
    assert rows_of(table) == again
    assert (tmp_path / "pages" / PAGES[0]).read_text(encoding="utf-8") == shown[0]
    (folder / "anna.c").write_text(text + "\n", encoding="utf-8")
    assert judged(task, folder, table)[0]["accepted"] == "4"


def test_the_index_has_the_mean_and_groups_submissions_by_the_broken_sentence() -> None:
    rules = rule_columns(PART)
    first, *_, last = rules
    columns = [*columns_of(PART), *rules]
    rows = [
        dict.fromkeys(columns, "") | {"submission": name, "verdict": verdict, "mark": mark, "highest": "100", **broken}
        for name, verdict, mark, broken in [
            ("anna", "Accepted", "100", {}),
            ("bernat", "Wrong Answer", "95", {last: "broken"}),
            ("carla", "Wrong Answer", "5", {first: "broken"}),
            ("dolors", "Wrong Answer", "0", {last: "broken"}),
            ("enric", "Compile Error", "0", {}),
            ("fina", "Not Judged", "0", {}),
        ]
    ]
    page = index("", rows, {row["submission"]: f"{row['submission']}.html" for row in rows}, rules, Words(OKUPACIO, "en"))
    assert "6 submissions. Mean mark: 40." in page
    assert re.findall(r">(\d+)</text><text[^>]*>(\d+)<", page) == [("3", "0"), ("1", "90"), ("1", "100")]
    told = unescape(re.sub(r"<[^>]+>", "", page))
    groups = [f"{rules[last].section} · 2 submissions: bernat, dolors", f"{rules[first].section} · 1 submission: carla"]
    assert told.index(rules[last].sentence + groups[0]) < told.index(rules[first].sentence + groups[1])
    assert "Compile Error · 1 submission: enric" in told


def test_a_fault_of_the_judge_costs_one_row(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    shutil.copy("/bin/cat", tmp_path / "class" / "anna")
    no_case = Task("okupacio", "", (), PATIENT, Compiler(), "en", not_isolated=True)
    (row,) = judged(no_case, tmp_path / "class", tmp_path / "table.csv")
    assert row["verdict"] == "Not Judged"
    assert "3 processes ended" in row["why"]


def test_a_sandbox_that_cannot_be_made_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "anna").write_text("#!/bin/sh\n", encoding="utf-8")
    (tmp_path / "anna").chmod(0o755)
    no_sandbox, no_program = BoxError("no sandbox"), FaultError(Fault.MISSING, "there is no file")
    monkeypatch.setattr(classes, "Boxed", Mock(side_effect=[no_sandbox] * 2 + [no_program] + [no_sandbox] * 3))
    monkeypatch.setattr(classes, "WAIT_SECONDS", 0.0)
    with judging(Task("okupacio", "", (), PATIENT, Compiler(), "en", not_isolated=True)) as judge:
        anna = Submission("anna", (tmp_path / "anna",))
        assert judge(anna).row["verdict"] == "No Program"
        with pytest.raises(BoxError):
            judge(anna)


@pytest.mark.parametrize("text", ["name,mark\nanna,9\n", "nom,observació\n", f"submission,{'x' * 200_000}\n"])
def test_another_table_is_not_overwritten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "marks.csv"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(TableError, match="is no table of this command"):
        check_table(path, COLUMNS)
    assert path.read_text(encoding="latin-1") == text


@pytest.mark.parametrize(("text", "written"), [("=1+1", "'=1+1"), ("@x", "'@x"), ("anna.c", "anna.c"), ("", "")])
def test_no_cell_is_a_formula(text: str, written: str) -> None:
    assert harmless(text) == written
