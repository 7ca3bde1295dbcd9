"""`ludoteca judge` with programs in C: one that does what the document says, and some with one fault each."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ludoteca.cli.commands import command
from ludoteca.core.judging import Case, Part
from ludoteca.judge.making import make_cases
from tests.terminals import terminal

SOURCE = Path(__file__).parent / "right" / "okupacio" / "okupacio.c"
GOLDEN = Path(__file__).parents[1] / "golden" / "okupacio"
PATIENT = ("--time", "10m")


@pytest.fixture(autouse=True)
def cases_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A set of cases takes a second to make, and the same seed gives the same ones."""
    monkeypatch.setattr("ludoteca.judge.making.make_cases", lambda part, seed, number, _: made_once(part, seed, number))


@cache
def made_once(part: Part, seed: int, number: int | None) -> list[Case]:
    return make_cases(part, seed, number)


pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that any user may read, for compiled programs."""
    folder = tmp_path_factory.mktemp("programs")
    for place in (folder, folder.parent):
        place.chmod(0o755)
    return folder


@cache
def compiled(folder: Path, fault: str = "", old: str = "", new: str = "") -> str:
    """The path of the program, with a fault, or with a piece of its source replaced."""
    text = SOURCE.read_text(encoding="utf-8")
    assert old in text
    name = f"okupacio{len(list(folder.iterdir()))}"
    source = folder / f"{name}.c"
    source.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    fault_flag = [f"-DFAULT={fault}"] if fault else []
    subprocess.run(["gcc", "-O1", "-w", *fault_flag, "-o", str(folder / name), str(source)], check=True)
    return str(folder / name)


def judge(*words: str) -> Result:
    return CliRunner().invoke(command, ["judge", *words], prog_name="ludoteca")


def object_of(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_program_that_obeys_the_document_is_accepted(built: Path) -> None:
    result = judge("okupacio", *PATIENT, "--", compiled(built))
    assert result.exit_code == 0
    assert result.stdout.startswith("Okupació: Accepted\n")
    assert "ties in the table: stolen cells: " in result.stdout
    assert re.search(r"\nRules kept: (\d+) of \1. Mark: 100 of 100.\n", result.stdout)


def test_the_program_in_c_prints_a_golden_text(built: Path) -> None:
    with (GOLDEN / "giving-up.in").open("rb") as given:
        ran = subprocess.run([compiled(built)], stdin=given, cwd=GOLDEN, capture_output=True, check=False)
    assert ran.stdout == (GOLDEN / "giving-up.out").read_bytes()


@pytest.mark.parametrize(
    ("fault", "verdict", "why"),
    [
        ("SEGFAULT", "Runtime Error", "SIGSEGV"),
        ("OUTPUT", "Output Limit Exceeded", "more than 1 MiB"),
    ],
)
def test_a_fault_has_a_verdict(built: Path, fault: str, verdict: str, why: str) -> None:
    result = judge("okupacio", "--json", "--cases", "3", *PATIENT, "--output", "1", "--", compiled(built, fault))
    report = object_of(result)
    assert (result.exit_code, report["verdict"]) == (1, verdict)
    assert isinstance(report["failure"], dict)
    assert why in report["failure"]["why"]


def test_memory_has_a_limit(built: Path) -> None:
    result = judge("okupacio", "--json", "--cases", "2", *PATIENT, "--memory", "64", "--", compiled(built, "MEMORY"))
    assert object_of(result)["verdict"] == "Memory Limit Exceeded"


def test_a_wrong_answer_comes_with_a_short_case_and_the_sentence(built: Path) -> None:
    wrong = compiled(built, old="if (degree <= 2) return mine == degree;", new="if (degree <= 2) return 1;")
    report = object_of(judge("okupacio", "--json", *PATIENT, "--", wrong))
    assert report["verdict"] == "Wrong Answer"
    failure = report["failure"]
    assert isinstance(failure, dict)
    assert failure["turns"] <= 3
    said = failure["sentence"]
    assert said["sentence"].startswith("Si adj_c té 2 caselles adjacents quedarà ocupada si i només si")


def test_a_report_is_in_the_chosen_language(built: Path, tmp_path: Path) -> None:
    wrong = compiled(built, old="if (degree <= 2) return mine == degree;", new="if (degree <= 2) return 1;")
    file = tmp_path / "report.html"
    result = judge("okupacio", "--cases", "5", *PATIENT, "--language", "ro", "--html", str(file), "--", wrong)
    assert result.stdout.startswith("Okupació: Răspuns greșit\n")
    assert re.search("Izolarea programului: .*utilizator", result.stdout)
    assert "Si adj_c té 2 caselles" in result.stdout
    page = file.read_text(encoding="utf-8")
    assert all(part in page for part in ('<html lang="ro">', "Răspuns greșit", "Si adj_c té 2 caselles"))
    assert "http" not in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("okupacio", "--", "./nowhere"), "./nowhere: there is no file"),
        (("okupacio", "--", __file__), "chmod +x allows it"),
        (("okupacio",), "program: expected a command after --"),
        (("conclaves", "--", "x"), "no game 'conclaves'"),
        (("okupacio", "--export", "kattis", "x"), "export: read kattis, expected one of mooshak, domjudge, "),
        (("okupacio", "--html", "/nowhere/x.html", "--", "cat"), "/nowhere/x.html cannot be written"),
        (("okupacio", "--all", "/nowhere", "--csv", "x.csv"), "/nowhere is no folder"),
        (("okupacio", "--all", ".", "--csv", "x.csv", "--compile", "gcc"), "compile: read gcc, expected a command"),
        (("okupacio", "--all", ".", "--compile", "x", "--languages", "x"), "--compile and --languages exclude each other"),
        (("okupacio", "--languages", "/nowhere.toml"), "languages: /nowhere.toml: "),
    ],
)
def test_what_is_wrong_is_said_before_anything_runs(words: tuple[str, ...], said: str) -> None:
    result = judge(*words)
    assert result.exit_code != 0
    assert said in f"{result.exception}{result.output}"
    assert "Making cases" not in result.output


def test_a_class_has_an_index_and_a_page_for_each_submission(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    shutil.copy("/bin/cat", tmp_path / "class" / "<anna>")
    out = tmp_path / "out"
    words = ("--all", str(tmp_path / "class"), "--csv", str(tmp_path / "a.csv"), "--html", str(out), "--cases", "1")
    assert judge("okupacio", *words, "--not-isolated", "--language", "pt").stdout == "Resposta errada: 1\n"
    assert '<a href="pages/%3Canna%3E.html">&lt;anna&gt;</a>' in (out / "index.html").read_text(encoding="utf-8")
    assert "&lt;anna&gt;: Okupació: Resposta errada" in (out / "pages" / "<anna>.html").read_text(encoding="utf-8")


def test_parts_and_branches_are_listed() -> None:
    told = judge("okupacio", "--list", "--language", "en").stdout
    form = "Form of input and output: from the document."
    assert told.startswith(f"Okupació\n  {form}\n  the format of the example (format)\n      Exemple d'execució")
    assert "Our decision. The document leaves it open. Only --decisions asks for it." in judge("cartas", "--list").stdout


def script(folder: Path, text: str) -> str:
    folder.chmod(0o755)
    program = folder / "program"
    program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize(
    ("part", "options", "beginning"),
    [
        ("guiao1", [], "1\n[🂡-🃞]+\n"),
        ("guiao1", ["--form", "words"], "1\n\\w+ [♠♥♦♣]"),
        ("jogador", ["--form", "contest"], "\\d+\n[🂡-🃞]+\n"),
    ],
)
def test_a_verdict_uses_one_form_of_cards(tmp_path: Path, part: str, options: list[str], beginning: str) -> None:
    result = judge("cartas", part, "--json", *options, "--", script(tmp_path, "echo ?"))
    failure = object_of(result)["failure"]
    assert isinstance(failure, dict)
    assert re.match(beginning, failure["input"]), failure["input"]


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["okupacio", "--form", "words"], "form: read words, expected none, as there is one form only"),
        (["cartas", "guiao1", "--form", "contest"], "form: read contest, expected joined, spaced, words"),
    ],
)
def test_an_option_that_a_part_does_not_have_is_refused(words: list[str], refusal: str) -> None:
    result = judge(*words, "--", "true")
    assert (result.exit_code, str(result.exception)) == (1, refusal)


@pytest.mark.parametrize(
    ("text", "verdict", "why"),
    [
        ("while :; do :; done", "Time Limit Exceeded", "processor time"),
        ("sleep 1.5; echo ?", "Wrong Answer", "not as expected"),
    ],
    ids=["counts", "sleeps"],
)
def test_the_limit_is_of_processor_time(tmp_path: Path, text: str, verdict: str, why: str) -> None:
    result = judge("cartas", "guiao1", "--cases", "1", "--time", "1", "--json", "--", script(tmp_path, text))
    report = object_of(result)
    assert isinstance(report["failure"], dict)
    assert (report["verdict"], why in report["failure"]["why"]) == (verdict, True)


@pytest.mark.parametrize("is_class", [pytest.param(False, marks=pytest.mark.soak), True])
def test_a_terminal_shows_what_is_done_and_the_time_left(is_class: bool, tmp_path: Path) -> None:
    for name in ("one", "two", "three", "four", "five", "six"):
        (tmp_path / name).write_text("#!/bin/sh\nsleep 1\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    words = ["--cases", "6", "--", "sleep", "1"]
    if is_class:
        words = ["--cases", "1", "--all", str(tmp_path), "--csv", str(tmp_path.with_suffix(".csv")), "--not-isolated"]
    with terminal("judge", "okupacio", *words, columns=100, NO_COLOR="1") as tty:
        tty.wait_for(" of 6 ")
        tty.wait_for("left 0:00:")
