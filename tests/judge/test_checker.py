"""The checker that students get: it agrees with the judge, and needs nothing but Python."""

import ast
import base64
import json
import platform
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ludoteca.arena.programs.box import Run
from ludoteca.arena.programs.limits import Limits
from ludoteca.cli.commands import command
from ludoteca.core import registry
from ludoteca.core.judging import Case, Options, Part, Step, part_of
from ludoteca.core.messages import catalogue, in_words
from ludoteca.judge.exports.kinds import write_export
from ludoteca.judge.exports.problem import ExportError, Problem
from ludoteca.judge.making import make_cases
from ludoteca.judge.programs import Boxed
from ludoteca.judge.verdicts import Result as Judged
from ludoteca.judge.verdicts import Verdict, verdict_on

SPEC = registry.find("okupacio")
PART = part_of(SPEC, "")
LIMITS = Limits(move=60.0, output=1 << 20)
SHORT = Limits(move=0.4, output=1 << 20)
"""For programs that never end."""
ISOLATED = (sys.executable, "-I", "-S")
"""A Python without Ludoteca."""
CHECKABLE = [("okupacio", ""), ("cartas", "guiao4")]


@cache
def cases_of(game: str, name: str) -> tuple[Case, ...]:
    return tuple(make_cases(part_of(registry.find(game), name), 5))


def problem_of(game: str, name: str, cases: tuple[Case, ...], language: str = "en") -> Problem:
    spec = registry.find(game)
    return Problem(spec, name, part_of(spec, name), cases, LIMITS.move, LIMITS.output, language)


def write_checker(problem: Problem, folder: Path) -> Path:
    file = folder / "checker.py"
    file.unlink(missing_ok=True)
    write_export("checker", problem, file)
    return file


def checked(checker: Path, *words: str, python: tuple[str, ...] = ISOLATED) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*python, str(checker), *words], capture_output=True, encoding="utf-8", cwd=checker.parent)


BEHAVE = r"""
import os, subprocess, sys, time
right = "HOLA\na  b\nç\nfi\n".encode()
how = sys.argv[-1]
printed = {
    "no last end": right[:-1],
    "blanks": right.replace(b"  ", b" "),
    "crlf": right.replace(b"\n", b"\r\n"),
    "latin": right.decode().encode("latin-1"),
    "breaks off": b"HOLA\n",
    "too much": b"a" * (1 << 21),
}.get(how, right)
sys.stdout.buffer.write(printed)
sys.stdout.flush()
if how == "child":
    subprocess.Popen(["sleep", "60"])
if how in ("late", "deaf"):
    time.sleep(60)
if how != "deaf":
    sys.stdin.read()
sys.stderr.write("so long")
sys.stderr.flush()
if how == "crash":
    os.abort()
sys.exit(3 if how in ("status", "breaks off") else 0)
"""
HOWS = (
    "status",
    "no last end",
    "blanks",
    "crlf",
    "mark",
    "latin",
    "breaks off",
    "too much",
    "crash",
    "child",
    "late",
    "deaf",
)


LESS = {
    "crlf": "only blanks differ",
    "latin": "the output is not as expected",
    "breaks off": "the output is incomplete, and the exit status is 3",
}
"""The reasons of the checker that say less than those of the judge."""


class Behaviour(Part):
    """Its cases ask a program to behave in some way."""

    branches = ()

    def case(self, random: object, wanted: frozenset[str]) -> Case:
        return behaviour("right")

    def shorter(self, case: Case, random: object) -> Iterator[Case]:
        return iter(())


def behaviour(how: str) -> Case:
    long = "x" * 300_000 + "\n" if how == "deaf" else "1\n"
    return Case((how,), (Step("", "HOLA\n"), Step(long, "a  b\nç\n"), Step("2\n", "fi\n")), files={"ç.txt": "à\n"})


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("behave")
    for place in (folder, folder.parent):
        place.chmod(0o755)  # for the user of the sandbox
    file = folder / "behave.py"
    file.write_text(BEHAVE, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def boxes(program: Path) -> Iterator[dict[Limits, Boxed]]:
    """The program in a sandbox, for each of the limits."""
    with ExitStack() as stack:
        part, words = Behaviour(), [*ISOLATED, str(program)]
        yield {limits: stack.enter_context(Boxed(part, words, limits)) for limits in (LIMITS, SHORT)}


def said_by_judge(result: Judged) -> tuple[str, str]:
    return result.verdict, in_words(result.why, catalogue("ludoteca.judge", "en"))


def said_by_checker(done: "subprocess.CompletedProcess[str]") -> tuple[str, str]:
    assert not done.stderr
    verdict = done.stdout.partition("\n")[0].partition(": ")[2]
    why = re.search(r"^The first case that fails is number \d+: (.*)\.$", done.stdout, re.MULTILINE)
    assert done.returncode == int(verdict != Verdict.ACCEPTED)
    return verdict, why[1] if why else ""


@pytest.mark.parametrize("how", HOWS)
def test_the_checker_agrees_with_the_judge(tmp_path: Path, program: Path, boxes: dict[Limits, Boxed], how: str) -> None:
    case, limits = behaviour(how), SHORT if how in ("late", "deaf") else LIMITS
    problem = Problem(SPEC, "", Behaviour(), (case,), limits.move, limits.output)
    done = checked(write_checker(problem, tmp_path), "--", *ISOLATED, str(program))
    verdict, why = said_by_judge(verdict_on(Behaviour(), case, boxes[limits].run(case), limits))
    assert said_by_checker(done) == (verdict, LESS.get(how, why))


def test_the_checker_ignores_blanks_if_the_judge_does(tmp_path: Path, program: Path) -> None:
    part = Behaviour().with_options(Options(ignores_blanks=True))
    problem = Problem(SPEC, "", part, (behaviour("blanks"), behaviour("crlf")), LIMITS.move)
    assert checked(write_checker(problem, tmp_path), *ISOLATED, str(program)).returncode == 0


REPLAY = r"""
import json, sys
answers = json.load(open(sys.argv[1], encoding="utf-8"))
sys.stdout.buffer.write(answers[sys.stdin.buffer.read().decode()].encode())
"""


def replayed(problem: Problem, answers: list[Run], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Check a program that gives these answers."""
    printed = {case.input: answer.output.decode() for case, answer in zip(problem.cases, answers, strict=True)}
    (folder / "answers.json").write_text(json.dumps(printed), encoding="utf-8")
    (folder / "replay.py").write_text(REPLAY, encoding="utf-8")
    return checked(write_checker(problem, folder), "--", *ISOLATED, "replay.py", "answers.json")


@pytest.mark.parametrize(("game", "name"), CHECKABLE)
def test_our_own_program_is_accepted(tmp_path: Path, game: str, name: str) -> None:
    cases = cases_of(game, name)[-2:]
    problem = problem_of(game, name, cases)._replace(output=8 << 20)  # the usual limit
    done = replayed(problem, [Run(case.output.encode(), case.status) for case in cases], tmp_path)
    assert said_by_checker(done) == ("Accepted", "")
    assert "\nRight: 2 of 2 cases.\n" in done.stdout
    assert "\nThe program runs without a sandbox" in done.stdout


def test_a_wrong_program_gets_the_verdict_of_the_judge(tmp_path: Path) -> None:
    cases = cases_of("okupacio", "")[:8]
    answers = [Run(case.output.replace("FILA", "COLUMNA").encode(), 0) for case in cases]
    results = [verdict_on(PART, case, answer, LIMITS) for case, answer in zip(cases, answers, strict=True)]
    failed = next((result for result in results if result.verdict != Verdict.ACCEPTED), results[0])
    done = replayed(problem_of("okupacio", "", cases), answers, tmp_path)
    assert said_by_checker(done) == said_by_judge(failed)
    right = sum(result.verdict == Verdict.ACCEPTED for result in results)
    assert f"\nRight: {right} of {len(cases)} cases.\n" in done.stdout


def test_a_failing_case_is_shown_in_the_chosen_language(tmp_path: Path) -> None:
    case = next(case for case in cases_of("okupacio", "") if case.files and "a" in case.output)
    wrong = Run(case.output.replace("a", "á", 1).encode(), 0)
    shown = replayed(problem_of("okupacio", "", (case,), "ca"), [wrong], tmp_path).stdout
    number = case.output[: case.output.index("a")].count("\n") + 1
    name, content = next(iter(case.files.items()))
    line = case.output.split("\n")[number - 1]
    assert shown.startswith("Okupació: Resposta incorrecta\nCorrectes: 0 de 1 cas.\nEl programa s'executa sense aïllament")
    assert f"\nFitxer {name}:\n  {content.splitlines()[0]}" in shown
    assert "\nEntrada:\n" in shown
    assert f"\nLínia {number} de la sortida:\n" in shown
    expected, got, caret = shown.splitlines()[-3:]
    assert expected.endswith(f"| {line}")
    assert got.endswith(f"| {line.replace('a', 'á', 1)}")
    assert caret.index("^") == got.index("á")


def test_signs_that_are_hard_to_read_are_in_words_too(tmp_path: Path) -> None:
    problem = problem_of("cartas", "guiao3", cases_of("cartas", "guiao3")[-1:])
    (case,) = problem.cases
    wrong = Run(case.output.replace("\n", "\n🂡", 1).encode(), 0)
    shown = replayed(problem, [wrong], tmp_path).stdout
    line = next(line for line in case.input.splitlines() if problem.part.gloss(line))
    assert f" {line}   ({problem.part.gloss(line)})\n" in shown


def test_the_rest_is_left_out_after_two_cases_that_are_late(tmp_path: Path, program: Path) -> None:
    cases = tuple(map(behaviour, ("late", "late", "right", "right")))
    problem = Problem(SPEC, "", Behaviour(), cases, SHORT.move, SHORT.output)
    shown = checked(write_checker(problem, tmp_path), *ISOLATED, str(program)).stdout
    assert "\nRight: 0 of 4 cases.\nNot run, because too many cases took too long: 2 cases.\n" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "usage: python checker.py -- PROGRAM [ARGUMENTS]...\nThe program runs without a sandbox"),
        (("--",), "usage: "),
        (("--", "./nowhere"), "./nowhere cannot be run: No such file or directory\n"),
        (("./checker.py",), "./checker.py cannot be run: Permission denied\n"),
    ],
)
def test_what_cannot_be_checked_has_another_status(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = checked(write_checker(problem_of("okupacio", "", cases_of("okupacio", "")[:1]), tmp_path), *words)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith(said)


def test_the_file_is_one_of_python_3_9_and_tells_nothing_of_its_maker(tmp_path: Path) -> None:
    file = write_checker(problem_of("cartas", "guiao4", cases_of("cartas", "guiao4")), tmp_path)
    source = file.read_text(encoding="utf-8")
    assert file.stat().st_size < 2_000_000
    tree = ast.parse(source, feature_version=(3, 9))
    named = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert len(set(named)) == len(named)
    assert "ludoteca" not in {alias.name.partition(".")[0] for node in ast.walk(tree) for alias in names(node)}
    data = zlib.decompress(base64.b64decode(source.split('\nDATA = """')[1].split('"""')[0])).decode()
    for told in (str(tmp_path), str(Path(__file__).parents[2]), str(Path.home()), platform.node()):
        assert not re.search(rf"(?<!\w){re.escape(told)}(?!\w)", source.replace("\n", " ") + data)


def names(node: ast.AST) -> list[ast.alias]:
    if isinstance(node, ast.ImportFrom):
        return [ast.alias(node.module or "")]
    return node.names if isinstance(node, ast.Import) else []


def test_a_large_checker_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoteca.judge.exports.checker.MOST_FILE_BYTES", 9999)
    with pytest.raises(ExportError, match="more than 9999 bytes: ask for fewer cases with --cases"):
        write_checker(problem_of("okupacio", "", cases_of("okupacio", "")[:1]), tmp_path)


def export(*words: str) -> Result:
    return CliRunner().invoke(command, ["judge", *words], prog_name="ludoteca")


def test_a_checker_has_a_seed_of_its_own(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.py", "b.py", "c.py")]
    seeds: tuple[tuple[str, ...], ...] = ((), ("--seed", "1"), ("--seed", "0"))
    said = [
        export("cartas", "guiao1", "--export", "checker", str(file), *seed) for file, seed in zip(files, seeds, strict=True)
    ]
    assert "students can read these cases, which have seed 1: use another --seed for marks" in said[0].output
    usual, same, other = [file.read_bytes() for file in files]
    assert usual == same != other


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("cartas", "jogador"), "but Jogo de Cartas jogador has several right outputs for a case"),
        (("metro",), "but another program reads the file of Metro"),
    ],
)
def test_the_command_says_why_there_is_no_checker(tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    done = export(*words, "--export", "checker", str(tmp_path / "checker.py"))
    assert done.exit_code != 0
    assert why in str(done.exception)
    assert not list(tmp_path.iterdir())
