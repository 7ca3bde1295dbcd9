"""The judge's driver in a real SWI-Prolog: which files of the assignment a program may load."""

import subprocess
from pathlib import Path

import pytest

from tests.metro.test_prolog import SWIPL, T3

pytestmark = pytest.mark.skipif(not SWIPL, reason="SWI-Prolog is missing: as root, apt-get install swi-prolog-nox")


def answers(*files: Path, questions: str) -> "subprocess.CompletedProcess[str]":
    command = [SWIPL or "", "-g", "judge:main", "-t", "halt", str(T3.with_name("judge.pl")), "--", "load", *map(str, files)]
    return subprocess.run(command, input=questions, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("loaded", ["ensure_loaded('T3t.pl')", "consult('./T3t')", "['T3t.pl']"])
@pytest.mark.parametrize("checker", [None, ":- write(user_error, 'the checker is loaded').\n"], ids=["absent", "beside it"])
def test_a_program_that_loads_the_checker_does_without(tmp_path: Path, loaded: str, checker: str | None) -> None:
    program = tmp_path / "T3.pl"
    program.write_text(f":- {loaded}.\n:- ensure_loaded('T3base.pl').\ninitial_game_state(empty).\n", encoding="utf-8")
    if checker:
        (tmp_path / "T3t.pl").write_text(checker, encoding="utf-8")
    done = answers(program, questions="start\n")
    assert (done.stdout, done.stderr) == ("start\n  a state\n", "")


@pytest.mark.parametrize("named", [True, False])
def test_a_program_that_brings_its_base_file_has_that_one(tmp_path: Path, named: bool) -> None:
    program, base = tmp_path / "T3.pl", tmp_path / "T3base.pl"
    base.write_text("width(6).\n", encoding="utf-8")
    loads = "" if named else ":- ensure_loaded('T3base.pl').\n"
    program.write_text(f"{loads}initial_game_state(empty) :- width(6).\n", encoding="utf-8")
    done = answers(*[program, base] if named else [program], questions="start\n")
    assert (done.stdout, done.stderr) == ("start\n  a state\n", "")


def test_a_program_may_have_a_main_of_its_own(tmp_path: Path) -> None:
    program = tmp_path / "T3.pl"
    program.write_text("main :- halt.\ninitial_game_state(empty).\n", encoding="utf-8")
    done = answers(program, questions="start\n")
    assert (done.stdout, done.stderr) == ("start\n  a state\n", "")


@pytest.mark.parametrize("text", [":- halt.\n", ":- initialization(main).\nmain :- repeat, write(hi), halt(0).\n"])
def test_a_program_that_ends_prolog_at_load_is_told_so(text: str, tmp_path: Path) -> None:
    program = tmp_path / "T3.pl"
    program.write_text(f"{text}initial_game_state(empty).\n", encoding="utf-8")
    done = answers(program, questions="start\n")
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.splitlines()[-1] == "the program ended Prolog while it was loaded (halt)"
