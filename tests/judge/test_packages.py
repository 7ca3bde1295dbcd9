"""Problem packages, read by a strict reader."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludoteca.core import registry
from ludoteca.core.judging import Case
from ludoteca.judge.making import make_cases
from ludoteca.judge.packages import PackageError, Problem, packable, write_package

SPEC = registry.find("okupacio")
PART = SPEC.module("judging").PARTS[""]
CASES = packable(PART, make_cases(PART, 0))
PROBLEM = Problem(SPEC, "", PART, CASES, 2.0)
MOOSHAK = "{http://www.ncc.up.pt/mooshak/}"
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*[a-zA-Z0-9]")
"""As the ICPC's problem format has names of files."""


def test_a_mooshak_package_has_all_that_its_content_names(tmp_path: Path) -> None:
    write_package("mooshak", PROBLEM, tmp_path / "A")
    problem = ElementTree.parse(tmp_path / "A" / "Content.xml").getroot()  # what we have written ourselves
    assert problem.tag == f"{MOOSHAK}Problem"
    assert (tmp_path / "A" / problem.attrib["Description"]).is_file()
    tests = list(problem.iter(f"{MOOSHAK}Test"))
    assert sum(int(test.attrib["Points"]) for test in tests) == 100
    for test, case in zip(tests, CASES, strict=True):
        folder = tmp_path / "A" / "tests" / test.attrib["{http://www.w3.org/XML/1998/namespace}id"].removeprefix("tests.")
        assert (folder / test.attrib["input"]).read_text(encoding="utf-8") == case.input
        assert (folder / test.attrib["output"]).read_text(encoding="utf-8") == case.output
        for name, content in case.files.items():
            assert (folder / name).read_text(encoding="utf-8") == content
            assert (tmp_path / "A" / "environment" / name).read_text(encoding="utf-8") == content


def test_a_domjudge_package_is_in_the_problem_format(tmp_path: Path) -> None:
    folder = tmp_path / "okupacio"
    write_package("domjudge", PROBLEM, folder)
    assert all(NAME.fullmatch(path.name) for path in folder.rglob("*"))
    about = (folder / "problem.yaml").read_text(encoding="utf-8")
    assert re.search(r"^problem_format_version: 2025-09$", about, re.MULTILINE)
    assert re.search(r"^uuid: [0-9a-f-]{36}$", about, re.MULTILINE)
    inputs = sorted((folder / "data").rglob("*.in"))
    assert len(inputs) == len(CASES)
    assert [path.parent.name for path in inputs[:3]] == ["sample", "sample", "secret"]
    for path, case in zip(inputs, CASES, strict=True):
        assert path.read_text(encoding="utf-8") == case.input
        assert path.with_suffix(".ans").read_text(encoding="utf-8") == case.output
    assert (folder / "submissions" / "accepted" / "own" / "main.py").is_file()
    assert len(list((folder / "submissions" / "wrong_answer").iterdir())) == 5


def test_what_starts_a_program_in_domjudge_lays_its_files_beside_it(tmp_path: Path) -> None:
    folder, case = tmp_path / "okupacio", CASES[0]
    write_package("domjudge", PROBLEM, folder)
    (tmp_path / "run").mkdir()
    words = [str(folder / "domjudge" / "run"), str(folder / "data" / "sample" / "001.in"), "out"]
    subprocess.run([*words, "sh", "-c", 'read n; read f; cat "$f"'], cwd=tmp_path / "run", check=True)
    assert (tmp_path / "run" / "out").read_text(encoding="utf-8") == next(iter(case.files.values()))


def test_submissions_run(tmp_path: Path) -> None:
    """Our own is right, and a wrong one is not."""
    folder = tmp_path / "okupacio"
    write_package("domjudge", PROBLEM, folder)
    right = [(path, path.with_suffix(".ans").read_bytes()) for path in sorted((folder / "data").rglob("*.in"))][-3:]

    def printed(submission: Path) -> list[bytes]:
        words = [sys.executable, "main.py"]
        inputs = [path.read_bytes() for path, _ in right]
        return [subprocess.run(words, input=text, cwd=submission, capture_output=True, check=True).stdout for text in inputs]

    assert printed(folder / "submissions" / "accepted" / "own") == [answer for _, answer in right]


def test_a_package_is_written_into_a_new_folder_only(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="is there already"):
        write_package("mooshak", PROBLEM, tmp_path)
    clash = (Case((), (), files={"a": "1"}), Case((), (), files={"a": "2"}))
    with pytest.raises(PackageError, match="different files called a"):
        write_package("mooshak", PROBLEM._replace(cases=clash), tmp_path / "new")
