"""`T3.pl` in a real SWI-Prolog: programs for the assignment, as text, and their output."""

import fcntl
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any, Self

import numpy
import pytest

from ludoteca.games.metro import play_game
from ludoteca.games.metro.play import strategy
from ludoteca.games.metro.text import engine
from tests.metro.test_goldens import OWN, Facts
from tests.processes import wait_until

ROOT = Path(__file__).parents[2]
T3 = Path(engine.__file__).parent / "prolog" / "T3.pl"
SWIPL = shutil.which("swipl")
pytestmark = pytest.mark.skipif(not SWIPL, reason="SWI-Prolog is missing: as root, apt-get install swi-prolog-nox")

START = "initial_game_state(S0)"
HELPERS = """
% The position after moves x-y-Tile-Rotation, each built, checked and made.
played(Moves, State) :- initial_game_state(Start), foldl(step, Moves, Start, State).
step(X-Y-T-R, State, After) :- built(Move, (X,Y), T, R), available_move(State, Move), apply_move(State, Move, After).
built(M, Space, T, R) :- get_move_space(M, Space), get_move_tile_id(M, T), get_move_rotation_id(M, R).
say(Term) :- print(Term), nl.
entries(Paths, Entries) :- maplist(get_path_entry, Paths, Entries).
count(Goal, Count) :- aggregate_all(count, Goal, Count).
fails(Goal) :- catch((Goal -> say(succeeds) ; say(fails)), Error, complain(Error)).
complain(Error) :- message_to_codes(Error, Text), writeln(Text).
message_to_codes(Error, Text) :-
    phrase(prolog:translate_message(Error), Lines),
    with_output_to(string(Printed), print_message_lines(current_output, '', Lines)),
    normalize_space(atom(Text), Printed).
"""
HERE = {"LUDOTECA_PYTHON": sys.executable, engine.TRIES: "0"}
"""An engine that plays no games for a choice loads no machine code: for tests of which question gets which answer."""
AS_USUAL: dict[str, str | None] = {engine.TRIES: None}
"""The games that the engine usually plays for a choice."""
EXAMPLE = "[2-1-'#5'-'R0', 2-2-'#7'-'R2', 3-2-'#2'-'R1', 2-3-'#3'-'R2', 3-1-'#6'-'R0', 1-3-'#9'-'R0']"
QUICKLY = {engine.TRIES: "1"}
"""For games that end in the same way with every placement of their tiles."""


def swipl(*arguments: str, cwd: Path | None = None, **environment: str | None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [SWIPL or "", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        env={name: value for name, value in ({**os.environ, **HERE, **environment}).items() if value is not None},
    )


Ask = Callable[[str], list[str]]
SESSION = """
answer_goals :- repeat, read_term(user_input, Goal, []), ( Goal == end_of_file -> true ; answer_goal(Goal), fail ).
answer_goal(Goal) :-
    ( catch(Goal, Error, ( print_message(error, Error), fail )) -> Outcome = true ; Outcome = false ),
    format("answered ~w~n", [Outcome]), flush_output.
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """One program for goals that need no separate program. It returns the lines of each, and requires no errors."""
    file = tmp_path_factory.mktemp("session") / "program.pl"
    file.write_text(f":- ensure_loaded('{T3}').\n{HELPERS}{SESSION}", encoding="utf-8")
    command = [SWIPL or "", "-g", "answer_goals", "-t", "halt", str(file)]
    streams: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, env={**os.environ, **HERE}, text=True, **streams) as process:
        asked, printed = process.stdin, process.stdout
        assert asked
        assert printed

        def ask(goals: str) -> list[str]:
            asked.write(f"{goals} .\n")
            asked.flush()
            lines: list[str] = []
            while (line := printed.readline()) != "answered true\n":
                assert line not in ("answered false\n", ""), lines
                lines.append(line.removesuffix("\n"))
            return lines

        yield ask
        asked.close()
        assert (printed.read(), process.wait(timeout=120)) == ("", 0)


def run(tmp_path: Path, goals: str, program: str = "", **environment: str | None) -> list[str]:
    """The lines that the goals print in a separate program. There must be no error."""
    file = tmp_path / "program.pl"
    file.write_text(f":- ensure_loaded('{T3}').\n{HELPERS}{program}\nmain :- {goals}.\n", encoding="utf-8")
    done = swipl("-g", "main", "-t", "halt", str(file), cwd=None, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


# The state, paths


def test_the_initial_state_is_an_empty_board(session: Ask) -> None:
    goals = """initial_game_state(S), ground(S), get_game_tiles(S, Tiles), say(Tiles), get_open_paths(S, O), say(O),
        initial_game_state(S)"""
    assert session(goals) == ["[]", "[]"]


def test_the_documents_example(session: Ask) -> None:
    goals = f"""played({EXAMPLE}, S), get_closed_paths(S, C), get_open_paths(S, O),
        entries(C, CE), say(CE), entries(O, OE), say(OE),
        maplist(get_path_tiles, C, CT), maplist(say, CT), maplist(get_path_tiles, O, OT), maplist(say, OT),
        get_game_tiles(S, Tiles), say(Tiles), count(available_move(S, _), N), say(N)"""
    assert session(goals) == [
        "[(2,0),(3,0)]",
        "[(0,3)]",
        "[('#5','R0'),('#6','R0'),('#2','R1'),('#7','R2'),('#5','R0')]",
        "[('#6','R0'),('#5','R0'),('#7','R2'),('#3','R2'),('#9','R0')]",
        "[('#9','R0'),('#3','R2')]",
        "[((1,3),'#9','R0'),((2,1),'#5','R0'),((2,2),'#7','R2'),((2,3),'#3','R2'),((3,1),'#6','R0'),((3,2),'#2','R1')]",
        "466",
    ]


def position_goals(told: Facts) -> str:
    moves = ",".join("{}-{}-'{}'-'{}'".format(*re.split("[ ,]", text)) for text in told["moves"])
    return f"""played([{moves}], S), get_open_paths(S, O), get_closed_paths(S, C),
        forall(member(P, O), (get_path_entry(P, E), get_path_tiles(P, T), say(open-E-T))),
        forall(member(P, C), (get_path_entry(P, E), get_path_tiles(P, T), say(closed-E-T))),
        count(available_move(S, _), N), say(N)"""


def position_lines(told: Facts) -> set[str]:
    """Of either golden: "2 0" or "(2, 0)", "#5 R0" or "#5/R0"."""
    lines = {str(told.get("available", told.get("available_after")))}
    for kind in ("open", "closed"):
        for entry, tiles in told[kind].items():
            x, y = entry.strip("()").replace(",", " ").split()
            turned = ",".join("('{}','{}')".format(*re.split("[ /]", tile)) for tile in tiles)
            lines.add(f"{kind}-({x},{y})-[{turned}]")
    return lines


@pytest.mark.parametrize("told", [told for told in OWN if told["side"] == 8], ids=lambda told: str(len(told["moves"])))
def test_goldens(session: Ask, told: Facts) -> None:
    assert set(session(position_goals(told))) == position_lines(told)


# Moves


def test_available_move_checks_leaving_nothing_to_try(tmp_path: Path) -> None:
    goals = f"""{START}, M = move((1,1),'#9','R0'), available_move(S0, M), deterministic_call(available_move(S0, M)),
        fails(available_move(S0, move((1,1),'#1','R0'))), fails(available_move(S0, move((9,1),'#9','R0'))),
        fails(available_move(S0, move((1,1),'#9','R1'))), fails(available_move(S0, move((1,1),'#99','R0')))"""
    program = "deterministic_call(G) :- call_cleanup(G, Done = yes), ( Done == yes -> say(done) ; say(more) )."
    assert run(tmp_path, goals, program) == ["done", *["fails"] * 4]


def test_a_move_that_is_partly_bound_enumerates_those_that_fit(session: Ask) -> None:
    goals = f"""{START}, get_move_space(M, (1,1)),
        findall(T-R, (available_move(S0, M), get_move_tile_id(M, T), get_move_rotation_id(M, R)), L),
        say(L), count(available_move(S0, move(_, '#9', _)), N), say(N)"""
    assert session(goals) == ["['#7'-'R0','#7'-'R2','#8'-'R0','#9'-'R0']", "28"]


def test_a_move_is_built_in_any_order_and_read(session: Ask) -> None:
    goals = """forall(permutation([get_move_space(M, (3,2)), get_move_tile_id(M, '#2'), get_move_rotation_id(M, 'R1')], Gs),
        ( maplist(call, Gs), ground(M), get_move_space(M, S), get_move_tile_id(M, T), get_move_rotation_id(M, R),
        say(S/T/R) )),
        built(M2, (3,2), '#2', 'R1'), fails(get_move_space(M2, (1,1))), fails(get_move_tile_id(M2, '#3'))"""
    assert session(goals) == ["(3,2)/'#2'/'R1'"] * 6 + ["fails"] * 2


def test_pick_move_chooses_an_available_move_of_the_tile(session: Ask) -> None:
    goals = f"""{START}, pick_move(S0, '#5', M), available_move(S0, M), get_move_tile_id(M, T), say(T),
        fails(pick_move(S0, '#1', _)), fails(pick_move(S0, '#11', _)), fails(pick_move(S0, _, _))"""
    assert session(goals) == [
        "'#5'",
        "fails",
        "metro:pick_move/3: Domain error: `tile_id' expected, found `'#11'' "
        "(read the tile '#11', expected one of #1, #2, #3, #4, #5, #6, #7, #8, #9, #10)",
        "metro:pick_move/3: Arguments are not sufficiently instantiated",
    ]


def test_play_game_takes_the_tiles_of_the_caller(tmp_path: Path) -> None:
    program = ":- dynamic asked/1.\nnext_tile(Time, Id) :- assertz(asked(Time)), nth0(Time, ['#9', '#5', '#7'], Id)."
    goals = """play_game(S), get_game_tiles(S, Tiles), findall(T, member((_, T, _), Tiles), Ts), msort(Ts, Sorted),
        say(Sorted), findall(A, asked(A), As), say(As)"""
    assert run(tmp_path, goals, program) == ["['#5','#7','#9']", "[0,1,2,3]"]


# The base file


BASE = ["width(_)", "height(_)", "limits(_,_,_,_)", "exterior(_,_,_,_)", "center_space(_,_)", "entry_point(_,_,_)",
        "exit_point(_,_,_)", "tile(_,_,_,_,_)", "rotation(_,_)"]  # fmt: skip
FACTS = f"forall(member(Fact, [{','.join(BASE)}]), forall(Fact, (print(Fact), nl)))"
"""Prints every fact of the base file, in order."""


def base_file() -> list[str]:
    """The facts as the rules page lists them, written out by hand here."""
    rows = range(1, 9)
    entries = [*(f"({i},0,s)" for i in rows), *(f"({i},9,n)" for i in rows)]
    entries += [*(f"(0,{i},e)" for i in rows), *(f"(9,{i},w)" for i in rows)]
    exits = [*(f"({i},0,n)" for i in rows), *(f"({i},9,s)" for i in rows)]
    exits += [*(f"(0,{i},w)" for i in rows), *(f"(9,{i},e)" for i in rows)]
    exits += ["(4,4,s)", "(5,4,s)", "(4,5,n)", "(5,5,n)", "(4,4,e)", "(4,5,e)", "(5,4,w)", "(5,5,w)"]
    tracks = ["0,0,0,0", "0,0,1,3", "0,1,1,2", "0,2,0,2", "0,2,3,3", "1,1,1,1", "1,2,2,3", "1,3,1,3", "2,2,2,2", "3,3,3,3"]
    return [
        "width(8)", "height(8)", "limits(1,1,8,8)", "exterior(0,0,9,9)",
        *(f"center_space{space}" for space in ("(4,4)", "(4,5)", "(5,4)", "(5,5)")),
        *(f"entry_point{entry}" for entry in entries), *(f"exit_point{station}" for station in exits),
        *(f"tile({track},'#{number}')" for number, track in enumerate(tracks, 1)),
        *(f"rotation({times},'R{times}')" for times in range(4)),
    ]  # fmt: skip


def test_the_base_facts_are_the_assignments(session: Ask) -> None:
    assert session(f"{FACTS}, ( center_space(3, 4) -> say(yes) ; say(no) )") == [*base_file(), "no"]


@pytest.mark.parametrize(("order", "how"), [(["T3.pl", "T3base.pl"], "after a call"), (["T3base.pl", "T3.pl"], "arguments")])
def test_a_base_file_of_the_programs_own_takes_the_place_of_ours(tmp_path: Path, order: list[str], how: str) -> None:
    """Its sign is a rotation that ours lacks."""
    shutil.copy(T3, tmp_path)
    facts = [*base_file(), "rotation(4,'R4')"]
    (tmp_path / "T3base.pl").write_text("".join(f"{fact}.\n" for fact in facts), encoding="utf-8")
    first, second = order
    goals = {
        "arguments": FACTS,
        "after a call": f"consult('{first}'), {', '.join(BASE)}, consult('{second}'), {FACTS}",
    }
    goal = f"{goals[how]}, initial_game_state(S), aggregate_all(count, available_move(S, _), 448)"
    done = swipl("-g", goal, "-t", "halt", *(order if how == "arguments" else []), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == facts


PLAYED = """{M}:initial_game_state(S), count(available_move(S, _), N), say(N),
    fails(available_move(S, move((8,8), '#9', 'R0'))), {M}:play_game(E), get_game_tiles(E, T), length(T, L), say(L),
    get_closed_paths(E, C), length(C, Arrived), say(Arrived)"""
GAMES = {
    4: ["160", "fails", "12", "16"],
    6: ["304", "fails", "32", "24"],
    8: ["448", "succeeds", "60", "32"],
    12: ["736", "fails", "140", "48"],
}
"""The moves on the empty board, whether (8,8) is a space of it, and the tiles and paths of a game with tile 9 alone."""


@pytest.mark.parametrize("side", GAMES)
def test_the_board_is_that_of_the_module_that_asks(session: Ask, side: int) -> None:
    module = f"board{side}"
    facts = [f"assertz({module}:{fact})" for fact in (f"width({side})", f"height({side})", "next_tile(_, '#9')")]
    assert session(f"{', '.join(facts)}, {PLAYED.format(M=module)}") == GAMES[side]


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        (["width(6)", "height(8)"], "6-8"), (["width(7)", "height(7)"], "7-7"), (["width(14)", "height(14)"], "14-14"),
        (["width(six)", "height(six)"], "six-six"), (["width(6)", "height(6)", "height(8)"], "6-[6,8]"),
    ],
)  # fmt: skip
def test_a_board_that_the_engine_cannot_play_is_refused(session: Ask, facts: list[str], found: str) -> None:
    module = f"'{found}{len(facts)}'"
    asserted = ", ".join(f"assertz({module}:{fact})" for fact in facts)
    assert session(f"{asserted}, fails({module}:initial_game_state(_))") == [
        f"metro:initial_game_state/1: Domain error: `metro_board' expected, found `{found}' (the base file has this width/1 "
        "and height/1: expected the same even number in both, from 4 to 12)"
    ]


# Errors


WRONG = [
    ("available_move(_, _)", "metro:available_move/2: Arguments are not sufficiently instantiated"),
    ("apply_move(metro([]), _, _)", "metro:apply_move/3: Arguments are not sufficiently instantiated"),
    ("get_path_entry(_, _)", "metro:get_path_entry/2: Arguments are not sufficiently instantiated"),
    ("get_game_tiles(foo, _)", "Type error: `metro_state' expected, found `foo' (an atom) (expected a state that"),
    ("available_move(metro([]), foo(1))", "metro:available_move/2: Type error: `move' expected, found `foo(1)'"),
    ("get_path_tiles(foo, _)", "metro:get_path_tiles/2: Type error: `path' expected, found `foo' (an atom)"),
    ("get_move_space(foo, _)", "metro:get_move_space/2: Type error: `move' expected, found `foo' (an atom)"),
    ("apply_move(metro([]), move(1,'#1','R0'), _)", "(expected move((X,Y),TileId,RotationId))"),
    ("apply_move(metro([]), move((4,4),'#9','R0'), _)", "((4,4) is in the centre, where no tile may lie)"),
    ("apply_move(metro([]), move((0,4),'#9','R0'), _)", "((0,4) is outside the board: x and y are from 1 to 8)"),
    ("apply_move(metro([]), move((3,3),'#9','R0'), _)", "((3,3) is neither on the edge of the board nor next to a tile)"),
    ("apply_move(metro([]), move((1,1),'#1','R0'), _)", "(tile #1 R0 on (1,1) would make a path of length 1, "),
    ("apply_move(metro([]), move((1,1),'it''s\\n','R0'), _)", "read the tile"),
    ("get_game_tiles(metro([((1,1),'#1','R0'),((1,1),'#1','R0')]), _)", "(two tiles lie on (1,1))"),
    ("(L = [L|L], get_game_tiles(metro(L), _))", "Type error: `acyclic_term' expected"),
]  # fmt: skip


def test_errors_say_what_was_read_and_what_is_possible(session: Ask) -> None:
    lines = session(", ".join(f"\\+ \\+ fails({goal})" for goal, _ in WRONG))
    for line, (goal, says) in zip(lines, WRONG, strict=True):
        assert says in line, goal


def test_a_killed_engine_is_an_error_and_a_new_one_begins_at_once(tmp_path: Path) -> None:
    """It is the one that answers, though a question does not wait until it can."""
    goals = f"""{START}, metro:engine(P, _, _), process_kill(P, 9), sleep(0.2), fails(get_open_paths(S0, _)),
        metro:engine(Q, _, _), ( P == Q -> say(same) ; say(other) ),
        ignore(catch(call_with_time_limit(0.001, get_open_paths(S0, _)), time_limit_exceeded, true)),
        get_open_paths(S0, O), say(O), findall(R, metro:engine(R, _, _), Rs), ( Rs == [Q] -> say(same) ; say(Rs-Q) )"""
    assert run(tmp_path, goals, ":- use_module(library(process)).\n:- use_module(library(time)).") == [
        "metro:get_open_paths/2: error in system call: no answer "
        "(Ludoteca's process ended (killed(9)); a new one answers the next call)",
        "other",
        "[]",
        "same",
    ]


def test_the_engine_begins_with_the_file_and_has_loaded_all_it_needs(tmp_path: Path) -> None:
    strategy.prepare()
    goals = """metro:engine(P, _, _), format(atom(File), '/proc/~w/maps', [P]), read_file_to_string(File, Maps, []),
        ( sub_string(Maps, _, _, _, "llvmlite") -> say(loaded) ; say(File) )"""
    assert run(tmp_path, goals, "", **AS_USUAL) == ["loaded"]


def test_a_question_that_is_broken_off_leaves_the_engine_to_the_next(tmp_path: Path) -> None:
    goals = f"""{START}, metro:engine(P, _, _),
        catch(call_with_time_limit(0.05, forall(repeat, pick_move(S0, '#5', _))), Error, say(Error)),
        get_game_tiles(S0, T), say(T), findall(Q, metro:engine(Q, _, _), Qs), ( Qs == [P] -> say(same) ; say(Qs) )"""
    assert run(tmp_path, goals, ":- use_module(library(time)).") == ["time_limit_exceeded", "[]", "same"]


def test_an_engine_that_does_not_answer_for_long_is_replaced(tmp_path: Path) -> None:
    strategy.prepare()
    goals = f"""{START}, metro:engine(P, _, _), abolish(metro:patience/1), assertz(metro:patience(0.1)),
        catch(call_with_time_limit(0.1, pick_move(S0, '#5', _)), Error, say(Error)), get_game_tiles(S0, T), say(T),
        findall(Q, metro:engine(Q, _, _), Qs), ( Qs = [Q], Q \\== P -> say(other) ; say(Qs) ), process_kill(P, 9)"""
    program = ":- use_module(library(time)).\n:- use_module(library(process))."
    assert run(tmp_path, goals, program, **{engine.TRIES: str(10**9)}) == ["time_limit_exceeded", "[]", "other"]


BREAKS = """
next_tile(_, '#9').
% Breaks off what asks one question after another in a thread, at any moment of it: some time after a first answer.
broken_off(Goal, Seconds) :-
    thread_self(Me),
    thread_create(( initial_game_state(_), thread_send_message(Me, begun), forall(repeat, ignore(Goal)) ), Asking),
    thread_get_message(begun), sleep(Seconds),
    thread_signal(Asking, abort), thread_join(Asking, Status), Status = exception(_).
answers(S-Tiles-N) :-
    ( initial_game_state(S), get_game_tiles(S, Tiles), count(available_move(S, _), N) -> true ; true ).
asked(picked) :- initial_game_state(S), pick_move(S, '#5', _).
asked(moves) :- initial_game_state(S), forall(available_move(S, _), true).
"""
RIGHT = "metro([])-[]-448"


@pytest.mark.parametrize(
    "asked",
    [
        "member(Goal-Time, [play_game(_)-0.005, asked(picked)-0.013, asked(moves)-0])",
        pytest.param(
            "(member(Goal, [play_game(_), asked(picked), asked(moves)]), member(Time, [0, 0.005, 0.013]))",
            marks=pytest.mark.soak,
        ),
    ],
    ids=["each question", "each question at each moment"],
)
def test_an_abort_at_any_moment_does_not_confuse_the_next_question(tmp_path: Path, asked: str) -> None:
    goals = f"forall({asked}, ( broken_off(Goal, Time), answers(Answers), say(Answers) ))"
    lines = run(tmp_path, goals, BREAKS)
    assert lines == [RIGHT] * len(lines)
    assert len(lines) in (3, 9)


def test_a_question_in_the_midst_of_another_gets_its_own_answer(tmp_path: Path) -> None:
    """A signal can make a thread ask a question, also while the thread waits for an answer."""
    program = """
        :- dynamic answered/1.
        told :- answers(Answers), assertz(answered(Answers)).
        """
    goals = """thread_create(forall(repeat, asked(picked)), Asking),
        forall(between(1, 20, _), ( thread_signal(Asking, user:told), told )),
        thread_signal(Asking, throw(enough)), thread_join(Asking, exception(enough)),
        findall(A, answered(A), As), sort(As, Set), length(As, N), say(N-Set)"""
    assert run(tmp_path, goals, BREAKS + program) == [f"40-[{RIGHT}]"]


def test_an_answer_to_another_question_is_not_taken(tmp_path: Path) -> None:
    goals = """initial_game_state(_), metro:engine(_, In, _), format(In, "0\\tpick_move\\tmetro([])\\t'#5'~n", []),
        answers(Answers), say(Answers)"""
    assert run(tmp_path, goals, BREAKS) == [RIGHT]


@pytest.mark.parametrize("written", ["3\tpick_move\tmetro([])"])
def test_a_question_that_is_not_written_to_its_end_is_not_answered(written: str) -> None:
    command = [sys.executable, "-m", engine.__name__]
    done = subprocess.run(command, input=f"2\topen_paths\tmetro([])\n{written}", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "2:yes([]).\n", "")


class Terminal:
    """A program at a separate terminal: the typed input, and the output after it."""

    def __init__(self, command: list[str], cwd: Path) -> None:
        self._main, other = pty.openpty()
        self._process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, cwd=cwd, env={**os.environ, **HERE, "TERM": "dumb"},
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), start_new_session=True,
        )  # fmt: skip
        os.close(other)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._main)

    def type(self, text: str, awaited: str) -> None:
        """Type a text and wait for the expected output."""
        os.write(self._main, text.encode())
        printed = ""
        while awaited not in printed:
            ready, _, _ = select.select([self._main], [], [], 60)
            assert ready, printed
            printed += os.read(self._main, 4096).decode(errors="replace")


@pytest.mark.parametrize("times", [2, pytest.param(8, marks=pytest.mark.soak)])
def test_ctrl_c_and_abort_in_a_terminal(tmp_path: Path, times: int) -> None:
    """As a person does it, again and again in one session, at other moments of a game."""
    (tmp_path / "program.pl").write_text(f":- ensure_loaded('{T3}').\n{HELPERS}{BREAKS}", encoding="utf-8")
    with Terminal([SWIPL or "", "-f", "none", "program.pl"], tmp_path) as terminal:
        terminal.type("", "?- ")
        terminal.type("play_game(_), write(once), nl.\n", "once\r\n")
        for part in range(times):
            terminal.type("write(go), nl, forall(repeat, play_game(_)).\n", "go\r\n")
            sleep(0.03 + 0.01 * part)
            terminal.type("\x03", "Action (h for help) ? ")
            terminal.type("a", "Execution Aborted")
            terminal.type("answers(A), print(A), nl.\n", f"{RIGHT}\r\n")


def test_threads_take_turns(session: Ask) -> None:
    goals = f"""{START}, findall(1, between(1, 8, _), L),
        concurrent_maplist([_, N]>>count(available_move(S0, _), N), L, Ns), sort(Ns, Set), say(Set)"""
    assert session(goals) == ["[448]"]


def test_the_engine_ends_with_prolog(tmp_path: Path) -> None:
    (line,) = run(tmp_path, "initial_game_state(_), metro:engine(P, _, _), say(P)")
    wait_until(lambda: has_ended(int(line)))


def has_ended(process: int) -> bool:
    """A zombie has."""
    status = Path(f"/proc/{process}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


# The machine code


COMPILED = """
from ludoteca.games.metro.play import strategy
print(strategy.is_ready())
"""


@pytest.mark.soak
def test_without_machine_code_moves_are_answered_while_it_is_compiled_once(tmp_path: Path) -> None:
    """An engine plays while it compiles, and compiles to the end when Prolog has ended."""
    cache = str(tmp_path / "cache")
    file = tmp_path / "program.pl"
    file.write_text(f":- ensure_loaded('{T3}').\n{HELPERS}{BREAKS}", encoding="utf-8")
    goals = "play_game(S), get_game_tiles(S, Tiles), length(Tiles, N), metro:engine(P, _, _), say(P-N)"
    done = swipl("-g", goals, "-t", "halt", str(file), LUDOTECA_CACHE=cache, LUDOTECA_TRIES=None)
    assert done.stderr == ""
    process, tiles = done.stdout.strip().split("-")
    assert tiles == "60"
    wait_until(lambda: has_ended(int(process)))
    command = [sys.executable, "-c", COMPILED]
    again = subprocess.run(
        command, env={**os.environ, "LUDOTECA_CACHE": cache}, capture_output=True, text=True, check=True, timeout=120
    )
    assert again.stdout == "True\n"


def test_the_same_seed_gives_the_same_game(session: Ask) -> None:
    goals = "forall(member(N, [7, 7, 8]), ( set_random(seed(N)), play_game(S), get_game_tiles(S, T), say(T) ))"
    first, second, third = session(goals)
    assert first == second != third


def test_the_same_tiles_give_the_game_that_the_python_function_plays(tmp_path: Path) -> None:
    tiles = ["#5", "#7", "#9", "#2", None]
    (game,) = run(
        tmp_path, "play_game(S), get_game_tiles(S, T), say(T)", f"next_tile(T, I) :- nth0(T, {tiles[:-1]}, I).", **AS_USUAL
    )
    assert game == engine.term(list(play_game(tiles.__getitem__).tiles))


# Which Python


def test_python_is_found_beside_the_file_or_the_error_says_what_was_tried(tmp_path: Path) -> None:
    done = swipl("-g", "limits(_, _, _, _)", "-t", "halt", str(T3), LUDOTECA_PYTHON="/nowhere/python3")
    assert "set LUDOTECA_PYTHON to one. Tried: /nowhere/python3: failed(existence_error" in done.stderr
    done = swipl("-g", "limits(_, _, _, _)", "-t", "halt", str(T3), LUDOTECA_PYTHON="/usr/bin/false")
    assert "Tried: /usr/bin/false" in done.stderr


def test_modules_in_the_folder_of_the_caller_do_not_get_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('not this one')")
    file = tmp_path / "program.pl"
    file.write_text(f":- ensure_loaded('{T3}').\n", encoding="utf-8")
    done = swipl("-g", "limits(_, _, W, _), print(W)", "-t", "halt", str(file), cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("8", "")


def test_a_copy_or_a_link_of_the_file_works_too(tmp_path: Path) -> None:
    shutil.copy(T3, tmp_path / "copy.pl")
    (tmp_path / "link.pl").symlink_to(T3)
    for name in ("copy.pl", "link.pl"):
        done = swipl("-g", "limits(_, _, W, _), print(W)", "-t", "halt", str(tmp_path / name))
        assert (done.stdout, done.stderr) == ("8", "")


@pytest.mark.skipif(not (ROOT / ".venv").exists(), reason="there is no .venv: `make test` makes one")
def test_in_a_checkout_its_own_environment_is_found() -> None:
    done = swipl("-g", "limits(_, _, W, _), print(W)", "-t", "halt", str(T3), LUDOTECA_PYTHON=None)
    assert (done.stdout, done.stderr) == ("8", "")


def test_where_the_package_is_installed_that_environment_is_found(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True, timeout=60)
    (site,) = (tmp_path / "env" / "lib").glob("python3.*/site-packages")
    shutil.copytree(ROOT / "src" / "ludoteca", site / "ludoteca", ignore=shutil.ignore_patterns("__pycache__"))
    (site / "others.pth").write_text(str(Path(numpy.__file__).parents[1]), encoding="utf-8")
    installed = site / "ludoteca" / "games" / "metro" / "text" / "prolog" / "T3.pl"
    goals = "limits(_, _, _, _), metro:interpreter(P), print(P)"
    done = swipl("-g", goals, "-t", "halt", str(installed), LUDOTECA_PYTHON=None)
    assert (done.stdout, done.stderr) == (f"'{tmp_path}/env/bin/python3'", "")


# The page in the docs


def test_the_docs_session_prints_what_it_shows(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "prolog.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```prolog\n(.*?)```", page, re.DOTALL)
    (session,) = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    command, *lines = session.splitlines()
    (tmp_path / "example.pl").write_text(program, encoding="utf-8")
    script = f'ludoteca() {{ "{sys.executable}" -m ludoteca "$@"; }}\n{command.removeprefix("$ ")} 2>&1'
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60,
        stdin=subprocess.DEVNULL, env={**os.environ, "LUDOTECA_PYTHON": sys.executable},
    )  # fmt: skip
    assert [line for line in done.stdout.splitlines() if not line.startswith("Warning")] == lines
