"""Packages for other judges, read by strict readers. `make examples` checks those for DOMjudge with `verifyproblem`."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludoteca.core import registry
from ludoteca.core.judging import Case, Options, Step, part_of
from ludoteca.judge.exports.domjudge import VALIDATOR
from ludoteca.judge.exports.kinds import holds, write_export
from ludoteca.judge.exports.problem import ExportError, Problem
from ludoteca.judge.exports.vpl import vpl
from ludoteca.judge.making import make_cases

SPEC = registry.find("okupacio")
PART = SPEC.module("judging").PARTS[""]
ALL_CASES = tuple(make_cases(PART, 0))
CASES = tuple(case for case in ALL_CASES if holds("domjudge", PART, case))
PROBLEM = Problem(SPEC, "", PART, CASES, 2.0)
MOOSHAK = "{http://www.ncc.up.pt/mooshak/}"
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*[a-zA-Z0-9]")
"""As the ICPC's problem format has names of files."""


def test_a_mooshak_package_has_all_that_its_content_names(tmp_path: Path) -> None:
    write_export("mooshak", PROBLEM, tmp_path / "A")
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
    write_export("domjudge", PROBLEM, folder)
    assert all(NAME.fullmatch(path.name) for path in folder.rglob("*"))
    settings = (folder / "problem.yaml").read_text(encoding="utf-8")
    about = r"name: \"Okupació\"\nuuid: [0-9a-f-]{36}\nvalidator_flags: case_sensitive space_change_sensitive\n"
    assert re.fullmatch(about, settings)
    own = (folder / "domjudge-problem.ini").read_text(encoding="utf-8")
    assert own == "timelimit = '2'\nspecial_run = 'okupacio-run'\n"
    inputs = sorted((folder / "data").rglob("*.in"))
    assert len(inputs) == len(CASES)
    assert [path.parent.name for path in inputs[:3]] == ["sample", "sample", "secret"]
    for path, case in zip(inputs, CASES, strict=True):
        assert path.read_text(encoding="utf-8") == case.input
        assert path.with_suffix(".ans").read_text(encoding="utf-8") == case.output
    assert {path.name for path in (folder / "data").rglob("*") if path.is_dir()} == {"sample", "secret"}


def test_an_output_validator_ignores_blanks_if_the_judge_does(tmp_path: Path) -> None:
    part = part_of(SPEC, "", Options(ignores_blanks=True))
    write_export("domjudge", PROBLEM._replace(part=part, cases=CASES[:2]), tmp_path / "A")
    assert "validator_flags: case_sensitive\n" in (tmp_path / "A" / "problem.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        *((case.input.encode(), 42) for case in CASES[:2]),
        ("🂡 🂱\n".encode(), 42),
        *((text, 43) for text in (b"", b"2", b"2\r\n", b"\xff\n", b"\0\n")),
    ],
)
def test_an_input_validator_rejects_what_is_no_text(text: bytes, status: int) -> None:
    assert subprocess.run([sys.executable, "-c", VALIDATOR], input=text, check=False).returncode == status


RUNGUARD = """#!/bin/sh
# as DOMjudge's: it changes the root folder to that of -r, and starts the program in it
while [ "$1" != -- ]; do [ "$1" = -r ] && root=$2; shift; done
cd "$root" && exec "./$2"
"""
COMPILED = """#!/bin/sh
read n; read f; cat "$f"
"""
INTERPRETED = COMPILED.replace("read n", 'cd "${0%/*}"; read n')
"""DOMjudge starts interpreters in the folder of the program."""


@pytest.mark.parametrize(("root", "source"), [("..", COMPILED), ("../..", INTERPRETED)], ids=["compiled", "interpreted"])
def test_a_program_in_domjudge_finds_the_files_of_the_cases(tmp_path: Path, root: str, source: str) -> None:
    write_export("domjudge", PROBLEM, tmp_path / "okupacio")
    place = tmp_path / "judging" / "1" / "testcase001"
    (place / "execdir").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "okupacio" / "domjudge" / "okupacio-run.zip") as archive:
        (place / "run").write_bytes(archive.read("run"))
        assert archive.getinfo("run").external_attr >> 16 == 0o755
    for name, text in (("execdir/program", source), ("runguard", RUNGUARD)):
        (place / name).write_text(text, encoding="utf-8")
        (place / name).chmod(0o755)
    case = next(case for case in CASES if case.input.split()[1] in case.files)
    (place / "testdata.in").write_text(case.input, encoding="utf-8")
    program = Path("/") / (place / "execdir" / "program").relative_to((place / root).resolve())
    words = ["sh", "run", "testdata.in", "program.out", "./runguard", "-r", str(place / root), "--", str(program)]
    subprocess.run(words, cwd=place, check=True)
    assert (place / "program.out").read_text(encoding="utf-8") == next(iter(case.files.values()))


def test_vpl_reads_the_cases(tmp_path: Path) -> None:
    """Every case with any exit status of our program, with the boards as execution files."""
    write_export("vpl", PROBLEM._replace(cases=ALL_CASES), tmp_path / "A")
    text = (tmp_path / "A" / "vpl_evaluate.cases").read_text(encoding="utf-8")
    read = read_vpl(text)
    assert [given for given, _ in read] == [case.input for case in ALL_CASES]
    for (_, wanted), case in zip(read, ALL_CASES, strict=True):
        assert matches_vpl(wanted, case.output)
        assert matches_vpl(wanted, case.output.removesuffix("\n"))
        assert not matches_vpl(wanted, case.output.replace("O", "0", 1))
        for name, content in case.files.items():
            assert (tmp_path / "A" / name).read_text(encoding="utf-8") == content


@pytest.mark.parametrize(
    ("given", "output", "wanted"),
    [
        ("1\n", 'say "a"\n', 'say "a"'),
        ("1\n", "", ""),
        ("1\n", "a\n\n", "a\n\n"),
        ("a=b\nx = 2\n", "y = 3\n", "y = 3"),
    ],
)
def test_vpl_compares_exactly(given: str, output: str, wanted: str) -> None:
    case = Case((), (Step("", ""), Step(given, output)))
    assert holds("vpl", PART, case)
    written = vpl(PROBLEM._replace(cases=(case, case)))["vpl_evaluate.cases"]
    assert isinstance(written, str)
    assert read_vpl(written) == [(given, wanted)] * 2
    assert matches_vpl(wanted, output)


@pytest.mark.parametrize(
    "case",
    [
        Case(("x",), (Step("1\n", "a\n"),)),
        Case((), (Step("1", "a\n"),)),
        Case((), (Step("\x04\n", "a\n"),)),
        Case((), (Step("1\n", "a\nOut put = 3\n"),)),
        Case((), (Step("1" * 5000 + "\n", "a\n"),)),
        Case((), (Step("1\n", "a\n" * 200_000),)),
    ],
    ids=["arguments", "half a line", "a sign", "a line of output", "long", "too much"],
)
def test_what_vpl_cannot_ask_is_left_out(case: Case) -> None:
    assert not holds("vpl", PART, case)


def read_vpl(text: str) -> list[tuple[str, str]]:
    """The inputs, and the texts in quotation marks, as VPL's evaluator reads its file."""
    cases, where = list[dict[str, str]](), ""
    for line in text.removesuffix("\n").split("\n"):
        name, equals, value = line.partition("=")
        name = re.sub("[^a-z]", "", name.lower())
        if equals and name in ("case", "input", "output"):
            cases += [{"input": "", "output": ""}] if name == "case" else []
            where, line = name, value
        if where != "case":
            cases[-1][where] += f"{line}\n"
    trimmed = [case["output"].strip() for case in cases]
    assert all(len(output) > 1 and output[0] == output[-1] == '"' for output in trimmed)
    return [(case["input"], output[1:-1]) for case, output in zip(cases, trimmed, strict=True)]


def matches_vpl(wanted: str, output: str) -> bool:
    """The exact comparison of VPL's evaluator."""
    return output == wanted or (bool(wanted) and not wanted.endswith("\n") and output.removesuffix("\n") == wanted)


def test_a_package_is_written_into_a_new_folder_only(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="is there already"):
        write_export("mooshak", PROBLEM, tmp_path)
    clash = (Case((), (), files={"a": "1"}), Case((), (), files={"a": "2"}))
    with pytest.raises(ExportError, match="different files called a"):
        write_export("mooshak", PROBLEM._replace(cases=clash), tmp_path / "new")


@pytest.mark.examples
def test_verifyproblem_accepts_the_package(tmp_path: Path, verifyproblem: Path) -> None:
    write_export("domjudge", PROBLEM._replace(seconds=60.0), tmp_path / "okupacio")
    parts = ["config", "data", "validators", *(["statement"] if shutil.which("lualatex") else [])]
    ran = subprocess.run(
        [str(verifyproblem), "--parts", *parts, "--", "okupacio"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = ran.stdout + ran.stderr
    assert re.search(r"okupacio tested: 0 errors", said), said


@pytest.fixture(scope="module")
def verifyproblem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of problemtools in a separate environment."""
    tools = tmp_path_factory.mktemp("problemtools")
    subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
    pip = [str(tools / "bin" / "pip"), "install", "--quiet", "problemtools"]
    if subprocess.run(pip, check=False, capture_output=True).returncode != 0:
        pytest.skip("problemtools cannot be installed here, so packages for DOMjudge are not checked")
    return tools / "bin" / "verifyproblem"
