"""Cases for programs of the assignment, and real programs.

`student.pl` next to this file is a solution like a student's, without code of the engine.
"""

import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ludoteca.arena.programs.limits import Limits
from ludoteca.core.errors import LudotecaError
from ludoteca.core.judging import Case
from ludoteca.core.messages import catalogue, in_words
from ludoteca.games.metro import GAME
from ludoteca.games.metro.judging import OTHER_TILES, PARTS, Plan, case_of
from ludoteca.games.metro.text import engine
from ludoteca.games.metro.text.predicates import Move, initial_game_state, pick_move
from ludoteca.judge.classes import Task, columns_of, judge_class
from ludoteca.judge.compilers import Compiler
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.making import make_cases
from ludoteca.judge.pages import page
from ludoteca.judge.programs import Boxed
from ludoteca.judge.reports import Words, as_object, lines
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.tables import check_table
from ludoteca.judge.verdicts import Verdict

PART = PARTS[""]
KEYS = frozenset(branch.key for branch in PART.branches)
STUDENT = Path(__file__).parent / "student.pl"
T3 = Path(engine.__file__).parent / "prolog" / "T3.pl"
SWIPL = shutil.which("swipl")
needs_swipl = pytest.mark.skipif(not SWIPL, reason="SWI-Prolog is missing: as root, apt-get install swi-prolog-nox")
PATIENT = Limits(move=300, memory=2 << 30)


@cache
def some_cases() -> list[Case]:
    return make_cases(PART, seed=0)


def test_every_predicate_has_cases() -> None:
    counts = Counter(case.subject for case in some_cases())
    assert all(counts[predicate] >= least for predicate, least in PART.subjects.items())
    assert counts.keys() == PART.subjects.keys() == PREDICATES.keys()


def test_a_missing_path_that_comes_home_has_both_sentences_as_suspects() -> None:
    case = case_of(Plan("get_closed_paths", (Move((2, 1), "#4", "R0"), Move((2, 2), "#1", "R0")), ("closed",)))
    found = PART.decisive(case, len(case.steps) - 1, "closed\n  0\n")
    assert {"closed-home", "twice"} <= found


# Answers that may differ

MOVES = (Move((2, 1), "#5", "R0"), Move((2, 2), "#7", "R2"))
PICKS = case_of(Plan("pick_move", MOVES, ("tiles", "pick #9", "pick #1", "game #9 #9 #9 #1")))


def answered(question: str, *lines: str) -> str:
    """The case's output with another answer to a question."""
    own = next(step for step in PICKS.steps if step.input == f"{question}\n")
    return PICKS.output.replace(own.output, "".join(f"{line}\n" for line in (question, *(f"  {each}" for each in lines))))


def test_other_places_and_games_are_as_good() -> None:
    assert PART.problem(PICKS, PICKS.output) == ""
    for x, y in ((1, 1), (3, 2), (8, 5)):
        assert PART.problem(PICKS, answered("pick #9", f"{x} {y} #9 R0")) == ""


@pytest.mark.parametrize(
    ("question", "answer", "problem"),
    [
        ("pick #9", ["no"], "pick_move chose no move for tile #9, which has places: 29"),
        ("pick #9", ["4 4 #9 R0"], "the move 4 4 #9 R0 is not available: (4,4) is in the centre, where no tile may lie"),
        ("pick #9", ["1 1 #9 R1"], "the move 1 1 #9 R1 is not available: tile #9 has no rotation R1"),
        ("pick #9", ["1 1 #8 R0"], "the move 1 1 #8 R0 is not one of tile #9"),
        ("pick #9", ["error: oops"], "pick #9: expected a move or no, read error: oops"),
        ("pick #1", ["1 1 #1 R0"], "tile #1 R0 on (1,1) would make a path of length 1, from a train straight to a station"),
        ("tiles", ["0"], "tiles: expected 2 / 2 1 #5 R0 / 2 2 #7 R2, read 0"),
        (
            "game #9 #9 #9 #1",
            ["1", "1 1 #9 R0"],
            "the game was ended after 1 tiles, but the next one, #9, has places: 27",
        ),
        ("game #9 #9 #9 #1", ["1", "1 1 #8 R0"], "the tiles on the board are not the first ones that came (1)"),
        (
            "game #9 #9 #9 #1",
            ["2", "1 1 #9 R0", "3 3 #9 R0"],
            "(3,3) is neither on the edge of the board nor next to a tile",
        ),
        ("game #9 #9 #9 #1", ["2", "1 1 #9 R0", "1 1 #9 R0"], "more than one tile lies on (1,1)"),
        ("game #9 #9 #9 #1", ["1", "4 4 #9 R0"], "(4,4) is in the centre, where no tile may lie"),
        ("game #9 #9 #9 #1", ["4", "1 1 #1 R0", "1 2 #9 R0", "1 3 #9 R0", "1 4 #9 R0"], "the path from (1,0) has length 1"),
        ("game #9 #9 #9 #1", ["60"], "game #9 #9 #9 #1: expected the tiles of a finished game, read 60"),
    ],
)
def test_a_wrong_place_or_game_is_told_in_words(question: str, answer: list[str], problem: str) -> None:
    output = answered(question, *answer)
    told = PART.problem(PICKS, output)
    assert told is not None
    assert problem in in_words(told, catalogue(GAME.package, "en"))
    asked = next(step for step in PICKS.steps if step.input == f"{question}\n")
    branches = frozenset(("pick",)) if isinstance(told, tuple) and told[0] in OTHER_TILES else asked.branches
    assert PART.decisive(PICKS, len(PICKS.steps) - 1, output) == branches


def test_an_answer_that_is_missing_or_too_much_is_told() -> None:
    assert PART.problem(PICKS, "") == ("judge.expected", "start", "a state", ("judge.nothing",))
    assert PART.problem(PICKS, PICKS.output + "more\n") == ("judge.surplus", "more")


# In Prolog


def judged(program: Path, cases: list[Case], runs: int = 0) -> Report:
    """The most runs to make a case shorter."""
    with Boxed(PART, [str(program)], PATIENT) as boxed:
        return judge(GAME, "", cases, [boxed], PATIENT, effort=Effort(runs))


@needs_swipl
def test_a_students_mistake_is_found(tmp_path: Path) -> None:
    right = "\\+ ( rotation(Fewer, Same), Fewer < Times, tracks(Id, Same, Tracks) )"
    text = STUDENT.read_text(encoding="utf-8")
    assert right in text
    file = tmp_path / "T3.pl"
    file.write_text(text.replace(right, "Times >= 0"), encoding="utf-8")
    cases = [case for case in some_cases() if case.subject == "available_move"]
    report = judged(file, cases, runs=20)
    assert report.verdict == Verdict.WRONG
    assert report.failure
    assert report.failure.case.turns <= 3
    assert report.failure.cause.branch is None or report.failure.cause.branch.key in {"rotations", "all"}


PREDICATES = {
    "initial_game_state": 1, "get_game_tiles": 2, "get_open_paths": 2, "get_closed_paths": 2, "get_path_entry": 2,
    "get_path_tiles": 2, "available_move": 2, "get_move_space": 2, "get_move_tile_id": 2, "get_move_rotation_id": 2,
    "apply_move": 3, "pick_move": 3, "play_game": 1,
}  # fmt: skip
"""With their arities."""
MOVING = {
    "get_game_tiles", "get_open_paths", "get_closed_paths", "get_path_entry", "get_path_tiles",
    "available_move", "pick_move",
}  # fmt: skip
"""Asked after moves."""
LOST = {
    "initial_game_state": MOVING | {"apply_move"},
    "apply_move": MOVING,
    **dict.fromkeys(("get_move_space", "get_move_tile_id", "get_move_rotation_id"), MOVING | {"apply_move"}),
    "get_game_tiles": {"play_game"},
}
"""For a missing predicate, the other predicates whose cases need it."""


def without(predicate: str, instead: str = "fail") -> str:
    """A student's solution with one of its predicates missing, which the others do not need."""
    text = re.sub(rf"\b({'|'.join(PREDICATES)})\(", r"own_\1(", STUDENT.read_text(encoding="utf-8"))
    heads = {name: f"{name}({', '.join(f'A{number}' for number in range(arity))})" for name, arity in PREDICATES.items()}
    bodies = {name: instead if name == predicate else f"own_{head}" for name, head in heads.items()}
    return text + "".join(f"{head} :- {bodies[name]}.\n" for name, head in heads.items())


def lost(report: Report) -> dict[str, int]:
    """The predicates of which cases are lost, each with how many are right."""
    return {predicate: right for predicate, (right, number) in report.subjects.items() if right < number}


@needs_swipl
@pytest.mark.parametrize("predicate", ["initial_game_state", "apply_move", "get_game_tiles", "get_move_space", "play_game"])
def test_a_missing_predicate_loses_its_own_cases_and_those_that_need_it(predicate: str, tmp_path: Path) -> None:
    file = tmp_path / "T3.pl"
    file.write_text(without(predicate), encoding="utf-8")
    report = judged(file, some_cases())
    assert report.verdict == Verdict.WRONG
    assert lost(report).pop(predicate) == 0
    assert lost(report).keys() == {predicate} | LOST.get(predicate, set())


@needs_swipl
def test_reports_count_the_right_cases_of_each_predicate(tmp_path: Path) -> None:
    file = tmp_path / "T3.pl"
    file.write_text(without("get_open_paths"), encoding="utf-8")
    cases = [case for case in some_cases() if case.subject in ("get_path_tiles", "get_open_paths")]
    report, words = judged(file, cases), Words(GAME, "en")
    for told in ("\n".join(lines(report, words)), page(report, words)):
        assert "  get_path_tiles: 3 of 3\n  get_open_paths: 0 of 2\n" in told
    subjects = {"get_path_tiles": {"accepted": 3, "cases": 3}, "get_open_paths": {"accepted": 0, "cases": 2}}
    assert as_object(report, words, [], 0)["subjects"] == subjects


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["T3.pl", "T3base.pl", "T3t.pl"], ["T3.pl"]),
        (["T3base.pl", "ana.pl", "t3t.pl", "readme.md"], ["ana.pl"]),
        (["T3.pl", "old/T3.pl"], ["T3.pl"]),
        (["src/T3.pl", "tests.pl"], ["src/T3.pl"]),
        (["ana.pl", "bernat.pl"], ["ana.pl", "bernat.pl"]),
        (["T3base.pl", "T3t.pl", "ana.txt"], []),
    ],
)
def test_the_program_of_a_folder_is_no_file_of_the_course(names: list[str], found: list[str]) -> None:
    assert PART.program_among(names) == found


def handed_in(folder: Path, text: str) -> Path:
    """A folder as students hand it in, with a base file that the program loads."""
    folder.mkdir(parents=True)
    (folder / "T3.pl").write_text(f':- ["T3base.pl"].\n{text}', encoding="utf-8")
    (folder / "T3base.pl").write_text("own(s).\n", encoding="utf-8")
    (folder / "T3t.pl").write_text(':- ["T3.pl"].\n', encoding="utf-8")
    return folder


STARTS = case_of(Plan("initial_game_state", (), ("tiles",)))
OWN_BASE = "initial_game_state(X) :- own(X).\nget_game_tiles(s, []).\n"


@needs_swipl
def test_a_class_hands_in_folders_and_files(tmp_path: Path) -> None:
    folder = handed_in(tmp_path / "class" / "anna", OWN_BASE).parent
    shutil.copy(STUDENT, folder / "bernat.pl")
    (folder / "carla.pl").write_text(f":- ['bernat.pl', '{folder}/bernat.pl'].\n", encoding="utf-8")
    handed_in(folder / "dolors", "").joinpath("T3.pl").unlink()
    table = tmp_path / "table.csv"
    check_table(table, columns_of(PART))
    rows = judge_class(Task("metro", "", (STARTS,), PATIENT, Compiler(), "en", not_isolated=True), folder, table, 1)
    assert [row["verdict"] for row in rows] == ["Accepted", "Accepted", "Wrong Answer", "No Program"]
    assert [row["initial_game_state"] for row in rows[:3]] == ["1 of 1", "1 of 1", "0 of 1"]
    assert rows[3]["why"] == "found T3base.pl, T3t.pl: expected T3.pl, or one other file that ends in .pl"


SPIN = "spin(N) :- M is N + 1, spin(M).\n"


@needs_swipl
@pytest.mark.parametrize(
    ("instead", "others"),
    [
        ("throw(oops)", set()),
        ("A2 = [x]", set()),
        pytest.param("spin(0)", set(), marks=pytest.mark.soak),
        ("halt", {"get_path_entry", "get_open_paths"}),
    ],
)
def test_a_predicate_that_breaks_loses_its_own_cases(instead: str, others: set[str], tmp_path: Path) -> None:
    file = tmp_path / "T3.pl"
    file.write_text(without("get_path_tiles", instead) + SPIN, encoding="utf-8")
    subjects = ("get_path_tiles", "get_path_entry", "get_open_paths", "available_move")
    cases = [next(case for case in some_cases() if case.subject == subject) for subject in subjects]
    assert lost(judged(file, cases)).keys() == {"get_path_tiles"} | others


@needs_swipl
def test_a_program_is_wrong_if_a_predicate_fails_in_a_case_of_another_only(tmp_path: Path) -> None:
    case = case_of(Plan("get_open_paths", MOVES, ("open",)))
    file = tmp_path / "T3.pl"
    file.write_text(without("get_path_tiles"), encoding="utf-8")
    assert judged(file, [case]).verdict == Verdict.WRONG


COUNTING = """
:- dynamic asked/0.
initial_game_state([]) :- ( asked -> fail ; assertz(asked) ).
get_game_tiles([], []).
"""


@needs_swipl
def test_what_a_program_keeps_spoils_no_other_case(tmp_path: Path) -> None:
    (tmp_path / "T3.pl").write_text(COUNTING, encoding="utf-8")
    case = case_of(Plan("initial_game_state", (), ("tiles",)))
    assert judged(tmp_path / "T3.pl", [case, case]).verdict == Verdict.ACCEPTED


ODD = """
initial_game_state(s) :- writeln(noise).
get_game_tiles(s, []).
get_game_tiles(s, []) :- throw(too_late).
get_open_paths(s, L) :- L = [] ; L = [x].
get_closed_paths(_, _) :- throw(oops).
available_move(_, _) :- helper.
get_move_space(m(S, _, _), S).
get_move_tile_id(m(_, S, _), S).
get_move_rotation_id(m(_, _, S), S).
apply_move(S, M, [S|T]) :- apply_move(S, M, T).
pick_move(_, T, m(a, T, b)).
play_game(S) :- read(S).
"""


@needs_swipl
def test_whatever_a_predicate_does_the_next_question_is_answered(tmp_path: Path) -> None:
    (tmp_path / "T3.pl").write_text(ODD, encoding="utf-8")
    questions = ["start", "tiles", "open", "closed", "available", "pick #3", "apply 1 1 #5 R0", "game #3", "back 3", "start"]
    command = PART.command([str(tmp_path / "T3.pl")], PICKS)
    done = subprocess.run(
        command, input="".join(f"{question}\n" for question in questions), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "start", "  a state", "tiles", "  0", "open", "  a second answer, which is another one", "closed", "  error: oops",
        "available", "  there is no helper/0", "pick #3", "  of no such form: m(a,'#3',b)",
        "apply 1 1 #5 R0", "  error: resource_error(stack)", "game #3", "  no answer", "back 3", "  there is no such state",
        "start", "  a state",
    ]  # fmt: skip
    assert "noise" in done.stderr


def test_where_there_is_no_prolog_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(LudotecaError, match="swi-prolog-nox"):
        PART.command([str(STUDENT)], PICKS)


@needs_swipl
@pytest.mark.soak
@pytest.mark.parametrize("program", [STUDENT, T3], ids=["a student's", "our own"])
def test_right_programs_are_accepted_from_any_seed(program: Path) -> None:
    for seed in range(30 if program == STUDENT else 3):
        report = judged(program, make_cases(PART, seed))
        assert report.verdict == Verdict.ACCEPTED, (seed, report.failure)


@needs_swipl
@pytest.mark.soak
def test_a_predicate_that_does_not_end_is_left(tmp_path: Path) -> None:
    (tmp_path / "T3.pl").write_text("initial_game_state(s) :- repeat, fail.\n", encoding="utf-8")
    command = PART.command([str(tmp_path / "T3.pl")], PICKS)
    done = subprocess.run(command, input="start\ntiles\n", capture_output=True, text=True, check=True)
    assert done.stdout == "start\n  no answer within 50,000,000 steps\ntiles\n  there is no get_game_tiles/2\n"


def test_how_many_games_are_played_for_a_choice_may_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTECA_TRIES", "0")
    answer = engine.answer("7\tpick_move\tmetro([])\t'#9'")
    assert answer == f"7:yes({engine.term(pick_move(initial_game_state(), '#9', tries=0))})"
    monkeypatch.setenv("LUDOTECA_TRIES", "some")
    with pytest.raises(SystemExit, match="LUDOTECA_TRIES: read 'some', expected a natural number"):
        engine.main()
