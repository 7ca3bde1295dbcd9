"""A whole class: a row a submission, kept when the run is broken off."""

import csv
import shutil
import subprocess
from pathlib import Path

import pytest

from ludoteca.arena import isolation
from ludoteca.arena.box import Box
from ludoteca.arena.limits import Limits
from ludoteca.core import registry
from ludoteca.judge.classes import COLUMNS, Task, judge_class
from ludoteca.judge.making import make_cases
from ludoteca.judge.submissions import CompileError, compiled, executable_of, submissions
from ludoteca.judge.tables import Table, TableError, harmless

SOURCE = Path(__file__).with_name("okupacio.c")


def judged(task: Task, folder: Path, table: Path, workers: int = 1) -> list[dict[str, str]]:
    with Table(table, COLUMNS[0]) as file:
        return judge_class(task, folder, file, workers)


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
    part = registry.find("okupacio").module("judging").PARTS[""]
    cases = tuple(make_cases(part, 0, 4))
    task = Task("okupacio", "", cases, Limits(move=600.0), "gcc -O1 -w -o {program} {source}", "en")
    rows = judged(task, folder, table, 2)
    assert [row["submission"] for row in rows] == ["anna.c", "bernat", "carla.c"]
    assert [row["verdict"] for row in rows] == ["Accepted", "Wrong Answer", "Compile Error"]
    assert "adj_c té 2 caselles" in rows[1]["sentence"]
    assert [row["mark"] for row in (rows[0], rows[2])] == ["100", "0"]
    assert 0 < float(rows[1]["mark"]) < 100
    assert rows[1]["broken"]
    assert "carla.c" in rows[2]["why"]
    assert rows_of(table) == rows

    # as if it had been killed while it wrote its last row, and somebody had marked the first
    lines = table.read_text(encoding="utf-8").replace("Accepted,4", "Accepted,99")
    table.write_text(lines[:-20], encoding="utf-8")
    again = judged(task, folder, table)
    assert again[0]["accepted"] == "99"
    assert again[1:] == rows[1:]

    # a file that changed is judged again
    (folder / "anna.c").write_text(text + "\n", encoding="utf-8")
    assert judged(task, folder, table)[0]["accepted"] == "4"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is missing: as root, apt-get install gcc")
@pytest.mark.parametrize("bubblewrap", [True, False])
def test_submissions_that_nobody_else_may_read_are_compiled(
    bubblewrap: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not bubblewrap:
        monkeypatch.setattr(isolation, "no_bubblewrap", lambda: "it is not installed")
    folder = tmp_path / "a class" / "anna"
    folder.mkdir(parents=True)
    (folder / "src").mkdir()
    (folder / "src" / "main.c").write_text('#include "../status.h"\nint main(void) { return status(); }\n', encoding="utf-8")
    (folder / "status.c").write_text('#include "status.h"\nint status(void) { return STATUS; }\n', encoding="utf-8")
    (folder / "status.h").write_text("#define STATUS 7\nint status(void);\n", encoding="utf-8")
    wrong = folder.parent / "bernat.c"
    wrong.write_text("int main(void) {\n", encoding="utf-8")
    for path in folder.parent.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    folder.parent.chmod(0o700)
    for command in ("gcc -o {program} {source}", "gcc -o {program} {folder}/*.c {folder}/src/*.c"):
        assert subprocess.run(compiled(folder, command, tmp_path), check=False).returncode == 7
    with pytest.raises(CompileError, match=r"^bernat\.c:"):
        compiled(wrong, "gcc -o {program} {folder}/bernat.c", tmp_path)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is missing: as root, apt-get install gcc")
def test_no_submission_includes_another(tmp_path: Path) -> None:
    (tmp_path / "anna.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (tmp_path / "bernat.c").write_text('#include "anna.c"\n', encoding="utf-8")
    (tmp_path / "carla").mkdir()
    (tmp_path / "carla" / "main.c").symlink_to(tmp_path / "anna.c")
    for name in ("bernat.c", "carla"):
        with pytest.raises(CompileError, match="No such file"):
            compiled(tmp_path / name, "gcc -o {program} {folder}/*.c", tmp_path)


def test_no_submission_runs_another(tmp_path: Path) -> None:
    for name, text in {"anna": "#!/bin/sh\necho hers\n", "bernat": f"#!/bin/sh\ncat {tmp_path}/class/anna anna\n"}.items():
        (tmp_path / "class").mkdir(exist_ok=True)
        (tmp_path / "class" / name).write_text(text, encoding="utf-8")
        (tmp_path / "class" / name).chmod(0o755)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with Box([str(executable_of(tmp_path / "class" / "bernat", scratch))], Limits()) as box:
        if "no Landlock" in box.isolation:
            pytest.skip("nothing keeps programs from reading here")
        assert "hers" not in box.run(b"").output.decode()


def test_a_table_is_written_by_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    row = dict.fromkeys(COLUMNS, "x")
    with Table(path, COLUMNS[0]) as table:
        assert table.begin(COLUMNS) == []
        table.replace([row])
        table.append(row)
        with pytest.raises(TableError, match="is being written by another run"):
            Table(path, COLUMNS[0])
    assert len(rows_of(path)) == 2
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]


@pytest.mark.parametrize("text", ["name,mark\nanna,9\n", "nom,observació\n", f"submission,{'x' * 200_000}\n"])
def test_another_table_is_not_overwritten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "marks.csv"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(TableError, match="is no table of this command"):
        Table(path, COLUMNS[0])
    assert path.read_text(encoding="latin-1") == text


def test_a_table_of_other_cases_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    path.write_text("submission,get_game_tiles\n", encoding="utf-8")
    with Table(path, COLUMNS[0]) as table, pytest.raises(TableError, match="expected submission,verdict"):
        table.begin(COLUMNS)


def test_a_folder_without_submissions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="is empty"):
        submissions(tmp_path)


@pytest.mark.parametrize(("text", "written"), [("=1+1", "'=1+1"), ("@x", "'@x"), ("anna.c", "anna.c"), ("", "")])
def test_no_cell_is_a_formula(text: str, written: str) -> None:
    assert harmless(text) == written
