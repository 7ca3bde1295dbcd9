"""Programs that are not asked are stopped, with all processes that they have started, until they go on."""

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.conversation import Conversation, Left
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.arena.programs.processes import below, processor_time
from tests.arena.programs import script
from tests.missing import needs_isolation
from tests.processes import run_here

pytestmark = needs_isolation  # other programs are not stopped
PATIENCE = 120.0
"""Seconds after which a program hangs, on however busy a machine."""
LIMITS = Limits(start=PATIENCE, move=PATIENCE)
WORKS_ON = {"ludoteca": 'test "$child" || { while :; do :; done & child=$!; }; echo "ludoteca 1"'}
"""A shell that plays, and its child that works without end."""


def fields_of(pid: int) -> list[str]:
    """The state of a process, the number of its parent, and more."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def waits_of(pid: int) -> int:
    """How often a process has waited. A spawner waits between two looks at its program."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("nonvoluntary_ctxt_switches")[0].rpartition("voluntary_ctxt_switches:")[2])


def processes() -> dict[int, tuple[str, float]]:
    """The state of each process of the program, and the seconds of processor time that it has used."""
    found = {}
    for pid in below(alone=False):
        with suppress(FileNotFoundError, ProcessLookupError):  # another process of this one has just ended
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if len(words) == 3 and words[1].endswith(b"bot.sh"):
                found[pid] = fields_of(pid)[0], processor_time([pid])
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, processes()
        time.sleep(0.005)  # between two looks


def check_that_it_rests() -> None:
    wait_until(lambda: [state for state, _ in processes().values()] == ["T", "T"])
    before = processes()
    time.sleep(0.05)  # in which a process that is not stopped uses the processor
    assert processes() == before


def check_that_it_works() -> None:
    before = sum(used for _, used in processes().values())
    wait_until(lambda: sum(used for _, used in processes().values()) > before + 0.05)


@pytest.mark.parametrize(
    "bubblewrap", [True, pytest.param(False, marks=pytest.mark.skipif(os.geteuid() != 0, reason="root"))]
)
def test_all_processes_of_a_stopped_program_rest_until_it_goes_on(tmp_path: Path, bubblewrap: bool) -> None:
    with Box(script(tmp_path, **WORKS_ON), LIMITS, bubblewrap=bubblewrap) as box, box.start() as talk:
        talk.start_clock(PATIENCE)
        talk.send("ludoteca 1\n")
        assert talk.line() == "ludoteca 1"
        for _ in range(2):
            talk.stop()
            check_that_it_rests()
            talk.go_on()
            check_that_it_works()
            talk.start_clock(PATIENCE)
            talk.send("legal a\nmove\n")
            assert talk.line() == "a"


def test_a_program_that_goes_on_by_itself_again_and_again_has_a_fault(tmp_path: Path) -> None:
    """The test lets it go on, as an alarm of its own would, so often that the spawner sees it running."""
    has_ended = threading.Event()

    def wake(pids: list[int]) -> None:
        while not has_ended.is_set():
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    with Box(script(tmp_path, **WORKS_ON), LIMITS) as box, box.start() as talk:
        talk.start_clock(PATIENCE)
        talk.send("ludoteca 1\n")
        assert talk.line() == "ludoteca 1"
        waker = threading.Thread(target=wake, args=[[*processes()]])
        talk.stop()
        waker.start()
        try:
            with pytest.raises(FaultError, match="its processes cannot be stopped while it is not asked") as fault:
                talk.line()
        finally:
            has_ended.set()
            waker.join()
    assert fault.value.fault == Fault.PROCESSES


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's spawners have a keeper that programs cannot signal")
def test_a_spawner_that_is_stopped_goes_on(tmp_path: Path) -> None:
    """A program can stop it in the moment after its start."""
    with Box(script(tmp_path, **WORKS_ON), LIMITS, bubblewrap=False) as box, box.start() as talk:
        talk.start_clock(PATIENCE)
        talk.send("ludoteca 1\n")
        assert talk.line() == "ludoteca 1"
        (spawner,) = {int(fields_of(pid)[1]) for pid in processes()} - processes().keys()
        os.kill(spawner, signal.SIGSTOP)
        before = waits_of(spawner)
        wait_until(lambda: waits_of(spawner) > before + 5)


def test_a_bot_rests_while_it_is_not_asked(tmp_path: Path) -> None:
    with closing(Conversation(script(tmp_path, **WORKS_ON), LIMITS)) as bot:
        for _ in range(2):
            bot.begin("game", {}, 0, 2, Left(), "start")
            check_that_it_rests()
            assert bot.ask("position", ["a", "b"], "", Left()) == "a"
            check_that_it_rests()
            bot.see(1, "b", now=True)
            check_that_it_rests()
            assert bot.end(None) is None
            check_that_it_rests()


def test_a_bot_that_may_think_works_while_it_is_not_asked(tmp_path: Path) -> None:
    with closing(Conversation(script(tmp_path, **WORKS_ON), LIMITS, thinking=True)) as bot:
        bot.begin("game", {}, 0, 2, Left(), "start")
        assert bot.ask("position", ["a", "b"], "", Left()) == "a"
        check_that_it_works()


def test_a_bot_writes_its_remarks_before_it_is_stopped(tmp_path: Path) -> None:
    with closing(Conversation(script(tmp_path, move='echo "$first"; echo remark >&2'), LIMITS)) as bot:
        bot.begin("game", {}, 0, 2, Left(), "start")
        bot.ask("position", ["a", "b"], "", Left())
        wait_until(lambda: bot.errors == "remark\n")


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_the_organiser_may_allow_bots_to_think(tmp_path: Path, command: str) -> None:
    """The first bot ends when it goes on after a stop. The second takes long enough for a stop of the first."""
    bots = []
    for name, word, does in (
        ("mine", "ludoteca", "trap 'exit 3' CONT; echo 'ludoteca 1'"),
        ("slow", "move", 'sleep 0.1; echo "$first"; first='),
    ):
        (tmp_path / name).mkdir()
        bots.append(script(tmp_path / name, **{word: does}))
    named = [word for number, bot in enumerate(bots) for word in ("--bot", f"{number}={' '.join(bot)}")]
    words = ["okupacio", "--board", "4x4", "--deals", "1", *named]
    if command == "tournament":
        tables = [f"[[entrants]]\nname = '{number}'\ncommand = {[*bot]}\n" for number, bot in enumerate(bots)]
        (tmp_path / "cup.toml").write_text(
            f"game = 'okupacio'\ndeals = 1\nparameters.board = '4x4'\n{''.join(tables)}", encoding="utf-8"
        )
        words = [str(tmp_path / "cup.toml"), "--no-page"]
    done = run_here(command, *words, "--thinking", "--processes", "1")
    assert (done.returncode, "faults in" in done.stdout) == (0, False), done.stdout + done.stderr
