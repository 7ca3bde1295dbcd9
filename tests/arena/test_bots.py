"""Programs that play: the line protocol with real processes, the examples, and what `bot check` says of faulty ones."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

import ludoteca
from ludoteca.arena.matches import referee
from ludoteca.arena.matches.check import (
    FORCED,
    LAST,
    LONG,
    PARAMETERS,
    QUICK,
    RESIGNED,
    SEATS,
    Report,
    Situation,
    check,
    situations,
)
from ludoteca.arena.matches.players import Entrant, LinesPlayer, MovesPlayer, Player, new_player, tell, text_for
from ludoteca.arena.programs.executables import find
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.cli.commands import command
from ludoteca.core import registry
from ludoteca.core.formats import Fixture
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.server.model.history import History
from tests.arena.programs import script
from tests.missing import needs_isolation
from tests.processes import run_here, without_progress

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "bots"
PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
SMALL = {"board": "4x4"}
PATIENCE = 300.0
"""Seconds after which a program hangs, on however busy a machine."""


def entrant(*command: str, **limits: Any) -> Entrant:
    return Entrant(name="bot", command=command, limits=Limits(**limits))


def play(game: Game, players: Sequence[Player], seed: int = 1, before: int = 0) -> State:
    """A game to its end. The first `before` actions are random."""
    state, rng = game.new_initial_state(seed), new_rng(seed)
    for _ in range(before):
        state.apply_action(state.random_action(rng))
    for seat, player in enumerate(players):
        player.begin(state.information_state(seat), seed)
    while not state.is_terminal():
        seat = state.current_player()
        action = players[seat].choose(state.information_state(seat), state.legal_actions())
        tell(players, state, action)
        state.apply_action(action)
    for seat, player in enumerate(players):
        player.end(state.information_state(seat), state.result())
    return state


# the examples, and the page about them


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, ...]]:
    """The commands of the three examples. Without a compiler for C there are two."""
    found: list[tuple[str, ...]] = [(str(EXAMPLES / "first.sh"),), (sys.executable, str(EXAMPLES / "hasty.py"))]
    if compiler := shutil.which("cc") or shutil.which("gcc"):
        built = tmp_path_factory.mktemp("built") / "random"
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-o", built, EXAMPLES / "random.c"], check=True)
        found.append((str(built),))
    return found


@pytest.fixture(scope="module")
def examples(commands: list[tuple[str, ...]]) -> Iterator[list[LinesPlayer]]:
    """Four programs, which live through all games of all tests here."""
    players = [LinesPlayer(command, Limits(start=PATIENCE, move=PATIENCE)) for command in [*commands, *commands][:4]]
    yield players
    for player in players:
        player.close()


PLAYED: dict[str, tuple[dict[str, Any], int]] = {
    "cartas": ({}, 40),
    "conclave": ({"players": 3}, 60),
    "metro": ({"players": 3}, 50),
    "okupacio": ({"players": 4, "board": "4x4"}, 0),
    "qinto": ({"players": 3, "rounds": 1}, 80),
}
"""Parameters of long games, and how many actions are played at random before the programs sit down."""


@pytest.mark.parametrize("name", registry.names())
def test_the_examples_play_every_game_with_each_other(examples: list[LinesPlayer], name: str) -> None:
    chosen, before = PLAYED.get(name, ({}, 0))
    game = Game(registry.find(name), chosen)
    players = examples[: game.num_players()]
    assert play(game, players, 1, before).is_terminal()
    assert [(player.errors, player.late) for player in players] == [("", None)] * len(players)


def test_the_example_in_shell_is_the_one_that_the_page_shows() -> None:
    shown = re.findall(r"```bash\n(#!.*?)```", PAGE, re.DOTALL)[0]
    lines = (EXAMPLES / "first.sh").read_text(encoding="utf-8").splitlines(keepends=True)
    assert shown == "".join(line for line in lines if not line.startswith("# "))


def test_the_transcript_is_that_of_a_game() -> None:
    game = ludoteca.load("okupacio", board="4 4 2 2 2 2 2 6")
    bot = LinesPlayer(("sh", str(EXAMPLES / "first.sh")), Limits())
    greedy = new_player(Entrant(name="greedy", agent="greedy"), game, 1)
    try:
        referee.play(game, Fixture("deal 1", ("first", "greedy")), [bot, greedy], b"\0", 2)
        assert "\n".join(bot.exchange) + "\n" == re.findall(r"```text\n(> ludoteca.*?)```", PAGE, re.DOTALL)[0]
    finally:
        bot.close()


# messages to a program


def test_actions_are_told_as_the_log_of_the_seat_has_them() -> None:
    """The server's log is made of concealed views, and tests compare it between deals that look alike."""
    game = ludoteca.load("qinto", players=3)
    history, rng = History(game.new_initial_state(3)), new_rng(3)
    told: list[list[str]] = [[], [], []]
    while not (state := history.now.state).is_terminal():
        action = state.random_action(rng)
        for seat in range(3):
            told[seat].append(text_for(seat, state, action))
        history.add(state.child(action))
    assert told == [[line.text for line in history.lines(seat)] for seat in range(3)]
    assert told[0] != told[1]


# tolerated output


FINE = {
    "everything": {
        "ludoteca": r"printf '\357\273\277Ludoteca 1 Hasty 2.0\r\n'",
        "game": "echo '# hello'; echo",
        "move": r"""echo "# I think"; printf ' \t %s \r\n' "$first" | tr a-z A-Z; echo "# done"; first=""",
    },
    "to end after a game": {"end": "exit 0"},
}


@pytest.mark.parametrize("what", FINE)
def test_what_is_tolerated(tmp_path: Path, what: str) -> None:
    """Carriage returns, a byte order mark, blanks, capitals, empty lines and remarks."""
    report = check(registry.find("okupacio"), entrant(*script(tmp_path, **FINE[what])), SMALL | {"players": 2}, 1)
    assert report.findings == []
    assert sum(report.situations.values()) >= 7


# games of a check


def test_a_check_plays_what_it_says() -> None:
    spec = registry.find("okupacio")
    found = list(situations(spec, SMALL, Random(1)))
    assert {situation.name for situation in found} == {SEATS, PARAMETERS, FORCED, LAST, LONG, RESIGNED, QUICK}
    assert [situation.seat for situation in found if situation.name == SEATS] == [0, 1]
    assert {situation.game.parameters["players"] for situation in found} == {2, 10}
    for name, seat, state in ((situation.name, situation.seat, reached(situation)) for situation in found):
        if name == FORCED:
            assert (len(state.position.choices()), state.current_player()) == (1, seat)
        elif name == LAST:
            assert any(state.child(action).is_terminal() for action in state.legal_actions())
            assert state.current_player() == seat
        elif name == LONG and state.game.num_players() == 2:
            assert len(state.history()) > 4


def reached(situation: Situation) -> State:
    state = situation.game.new_initial_state(situation.seed)
    for action in situation.before:
        state.apply_action(action)
    return state


def test_parameters_that_do_not_go_together_are_tried_with_others() -> None:
    """Metro for six has one board, and endless tiles are for one player."""
    tried = [situation.game.parameters for situation in situations(registry.find("metro"), {}, Random(1))]
    assert {parameters["players"] for parameters in tried} >= {1, 6}
    assert {parameters["side"] for parameters in tried} >= {4, 8, 12}
    assert {parameters["rotate"] for parameters in tried} == {"yes", "no"}


@pytest.mark.soak
@pytest.mark.parametrize("name", registry.names())
def test_the_examples_pass_the_whole_check(commands: list[tuple[str, ...]], name: str) -> None:
    for words in commands:
        assert check(registry.find(name), entrant(*words, start=PATIENCE, move=PATIENCE), {}, 1).findings == []


# one thing wrong each


WRONG = {
    "an illegal move": ({"move": "echo aa"}, {}, Fault.ILLEGAL, r"it answered 'aa': aa "),
    "a move for another turn": (
        {"move": 'echo "${before:-$first}"; before=$first; first='},
        {},
        Fault.ILLEGAL,
        "it was legal when the program was asked before",
    ),
    "no move": ({"move": "echo zz9"}, {}, Fault.UNREADABLE, r"it answered 'zz9': .*expected"),
    "before it is asked": (
        {"game": "echo aa"},
        {},
        Fault.UNASKED,
        "it wrote 'a[ab]' (before it was asked|after its answer 'aa')",
    ),
    "twice": ({"move": r"""printf '%s\naa\n' "$first"; first="""}, {}, Fault.UNASKED, "it wrote 'aa' after its answer '"),
    "after the end": ({"end": "echo bye"}, {}, Fault.UNASKED, "it wrote 'bye' after the end of a game"),
    "late": ({"move": 'sleep 1; echo "$first"; first='}, {"move": 0.3}, Fault.TIME, "no whole line came in time"),
    "no greeting": ({"ludoteca": ":"}, {"start": 0.3}, Fault.START, "it did not greet within 0.3 s"),
    "another version": ({"ludoteca": "echo ludoteca 2"}, {}, Fault.START, "it speaks version '2'"),
    "an end between moves": ({"move": 'echo "$first"; exit 3'}, {}, Fault.EXIT, "it ended with exit status 3"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said(tmp_path: Path, what: str) -> None:
    changed, limits, fault, detail = WRONG[what]
    report = check(registry.find("okupacio"), entrant(*script(tmp_path, **changed), **limits), SMALL | {"players": 2}, 1)
    found = {finding.fault for finding in report.findings}
    assert found == {str(fault)} or (what == "before it is asked" and found == {"unasked", "illegal"})
    first = report.findings[0]
    assert re.search(detail, first.detail)
    assert first.exchange[0] == "> ludoteca 1"
    if fault not in (Fault.START, Fault.EXIT, Fault.TIME) and what != "after the end":
        assert first.exchange[-1].startswith("< ")
    assert not report.passed
    assert report.broken_off == (len(report.findings) == 10 or fault in (Fault.START, Fault.TIME))


def test_a_late_answer_is_never_taken_for_the_next_move(tmp_path: Path) -> None:
    """The process that owes it is ended: the game that begins after has another one."""
    changed = {"move": 'test -e late || { : > late; sleep 2; }; echo "$first"; first='}
    game = Game(registry.find("okupacio"), SMALL)
    bot = LinesPlayer(script(tmp_path, **changed), Limits(move=0.5))
    try:
        state = game.new_initial_state(1)
        for _ in range(2):
            bot.begin(state.information_state(0), 0)
            with pytest.raises(FaultError) as first:
                bot.choose(state.information_state(0), state.legal_actions())
            with pytest.raises(FaultError) as again:
                bot.choose(state.information_state(0), state.legal_actions())
            assert (first.value.fault, again.value.fault) == (Fault.TIME, Fault.TIME)
    finally:
        bot.close()


def test_a_bank_of_time_is_used_up(tmp_path: Path) -> None:
    game = Game(registry.find("okupacio"), SMALL)
    bot = LinesPlayer(script(tmp_path, move='sleep 0.2; echo "$first"; first='), Limits(move=60, bank=0.5))
    try:
        with pytest.raises(FaultError) as late:
            play(game, [bot, bot])
        asked = [line.split()[2:] for line in bot.exchange if line.startswith("> move")]
        assert late.value.fault is Fault.TIME
        assert all(float(move) > float(bank) for move, bank in asked)
    finally:
        bot.close()


def test_where_something_is_hidden_every_game_has_a_new_process(tmp_path: Path) -> None:
    """Else a program could remember a deal that is played again."""
    command = script(tmp_path, ludoteca='n=$((n + 1)); echo "game $n" >&2; echo "ludoteca 1"')
    for name, chosen, said in (("okupacio", SMALL, "game 2\n"), ("conclave", {}, "game 1\n")):
        game = Game(registry.find(name), chosen)
        bot = new_player(entrant(*command, start=PATIENCE, move=PATIENCE), game, 0)
        other = new_player(Entrant(name="random", agent="random"), game, 1)
        try:
            for _ in range(2):
                play(game, [bot, other], before=0 if chosen else 40)
            assert bot.errors.endswith(said)
        finally:
            bot.close()


def test_all_that_a_program_writes_to_standard_error_is_kept_for_each_game(tmp_path: Path) -> None:
    lines = "".join(f"line {n}\n" for n in range(3000))
    command = script(tmp_path, game='n=$((n + 1)); echo "game $n" >&2; for i in $(seq 0 2999); do echo "line $i"; done >&2')
    game = Game(registry.find("okupacio"), SMALL)
    bot, other = (new_player(one, game, 0) for one in (entrant(*command), Entrant(name="random", agent="random")))
    try:
        for number in (1, 2):
            play(game, [bot, other])
            assert bot.errors == f"game {number}\n{lines}"
    finally:
        bot.close()


# the document's protocol of cartas


def jogador(*command: str, **limits: Any) -> MovesPlayer:
    player = new_player(
        Entrant(name="bot", command=command, protocol="jogador", limits=Limits(**limits)), ludoteca.load("cartas"), 0
    )
    assert isinstance(player, MovesPlayer)
    return player


def test_hand_and_plays_go_in_as_the_document_has_them() -> None:
    game = ludoteca.load("cartas")
    state = game.state_from_string("10♠J♥C♦/6♣/8♦/10♦ - 0 1")
    player = jogador("sh", "-c", 'cat >&2; echo "C♦ J ♥🂪"')
    try:
        for text in ("10♠", "PASSO", "PASSO", "PASSO"):
            state.apply_action(state.string_to_action(text))
        action = player.choose(state.information_state(0), state.legal_actions())
        assert state.action_to_string(action) == "J♥C♦" or player.faults
        assert player.errors == "J ♥ C ♦\n10 ♠\nPASSO\nPASSO\nPASSO\n"
    finally:
        player.close()


NO_PLAYS = {
    "A": ("echo foo", Fault.UNREADABLE, "it answered 'foo"),
    "2": (":", Fault.UNREADABLE, "it answered ''"),
    "3": ("echo PASSO; echo PASSO", Fault.UNREADABLE, "PASSO"),
    "4": ("echo '6 ♣'", Fault.ILLEGAL, "6♣"),
    "5": ("kill -SEGV $$", Fault.SIGNAL, "SIGSEGV"),
    "7": ("exit 3", Fault.EXIT, "exit status 3"),
    "8": ("sleep 60; echo PASSO", Fault.TIME, "in time"),
}
"""By the one card of the hand: the program's action, and the expected note."""


def test_an_invalid_answer_is_a_pass_and_a_fault() -> None:
    cases = "".join(f"'{value} ♠') {does} ;; " for value, (does, _, _) in NO_PLAYS.items())
    player = jogador("sh", "-c", f"read hand; case $hand in {cases} esac", move=0.5)
    try:
        for value, (_, fault, detail) in NO_PLAYS.items():
            state = ludoteca.load("cartas").state_from_string(f"{value}♠/6♣/8♦/10♦ - 0 1")
            player.begin(state.information_state(0), 0)
            assert player.faults == []
            assert state.action_to_string(player.choose(state.information_state(0), state.legal_actions())) == "PASSO"
            ((found, told),) = player.faults
            assert found == str(fault)
            assert detail in told
    finally:
        player.close()


def test_the_documents_own_program_plays() -> None:
    state = ludoteca.load("cartas").state_from_string("10♠J♥C♦/6♣/8♦/10♦ - 0 1")
    player = jogador(sys.executable, "-m", "ludoteca", "console", "cartas", "jogador", move=180)
    try:
        action = player.choose(state.information_state(0), state.legal_actions())
        assert (state.action_to_string(action), player.faults) == ("10♠J♥C♦", [])
    finally:
        player.close()


def test_a_program_that_names_a_device_reads_no_folder_of_devices() -> None:
    assert find(("cat", "/dev/null", "/proc/self/status")).reads == ()
    said = run_here("bot", "check", "okupacio", "--set", "board=4x4", "--", "cat", "/dev/null")
    assert "\nexit: it " in said.stdout, said


# the command


def ludoteca_bot(*words: str) -> Result:
    return CliRunner().invoke(command, ["bot", *words])


def test_the_command_says_what_is_wrong_and_where(tmp_path: Path) -> None:
    done = ludoteca_bot("check", "okupacio", "--set", "board=4x4", "--", *script(tmp_path, move="echo aa"))
    assert done.exit_code == 1
    assert "\nillegal: it answered 'aa': aa " in done.stdout
    assert re.search(
        r"  > legal \w\w\n  > legal \w\w\n  > ... \(\d+ more\)\n  > concede 00\n  > move 5.000\n  < aa\n", done.stdout
    )
    assert "No faults were found." not in done.stdout


def test_the_command_escapes_control_characters_and_explains_where_bots_start(tmp_path: Path) -> None:
    bot = script(tmp_path, move=r"""printf '\033]0;title\007\n' >&2; cat data.txt; printf '\033[2Jaa\n'""")
    done = ludoteca_bot("check", "okupacio", "--set", "board=4x4", "--", *bot)
    assert "\033" not in done.stdout
    assert "\007" not in done.stdout
    assert r"  < \x1b[2Jaa" in done.stdout
    assert r"  \x1b]0;title\x07" in done.stdout
    assert "Bots start in an empty folder." in done.stdout
    assert "A program in the current folder sees only its own file there." in done.stdout


@needs_isolation
def test_the_command_prints_one_object() -> None:
    words = ("check", "okupacio", "--set", "board=4x4", "--set", "players=2", "--json", "--", str(EXAMPLES / "first.sh"))
    done = ludoteca_bot(*words)
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert without_progress(done.stderr) == ""
    assert (found["passed"], found["findings"], found["game"], found["protocol"]) == (True, [], "okupacio", "lines")
    assert found["isolation"]
    assert Report.__struct_fields__ == tuple(key for key in found if key != "passed")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("okupacio", "--", "./nothing"), "program: there is no file "),
        (("okupacio", "--", "python3", "no/bot.py"), "program: there is no file 'no/bot.py' for python3 to run"),
        (("okupacio", "--set", "x=1", "--", "true"), "no parameter 'x'"),
        (("okupacio", "--set", "players", "--", "true"), "expected NAME=VALUE"),
        (("okupacio", "--protocol", "jogador", "--", "true"), "expected for okupacio: lines"),
    ],
)
def test_what_cannot_be_checked_is_said_before_anything_runs(words: tuple[str, ...], said: str) -> None:
    done = ludoteca_bot("check", *words)
    assert done.exit_code in (1, 2)
    assert said in (str(done.exception) if done.exit_code == 1 else done.stderr)
    assert done.stdout == ""
