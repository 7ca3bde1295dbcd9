"""Programs that break a limit, and the report of the sandbox on each: run by `test_box.py` in every isolation.

usage: misbehaving.py bubblewrap|bare [SCENARIO...] [ROUNDS]: with bubblewrap, or without. Prints a line of JSON for each
scenario, with its name and the report. The last line has the leftovers.
"""
# ruff: noqa: T201

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from ludoteca.arena.programs import spawner
from ludoteca.arena.programs.box import Box, Run, Talk
from ludoteca.arena.programs.isolation import can_disable_user_namespaces, no_bubblewrap
from ludoteca.arena.programs.limits import FaultError, Limits
from ludoteca.arena.programs.processes import below

PATIENCE = 300.0
"""Seconds after which a program hangs, on however busy a machine."""
SOON = 0.3
"""Seconds that a program gets that would need for ever."""
LIMITS = Limits(memory=160 << 20, output=1 << 18, processes=24, files=32, disk=1 << 20)
PYTHON = next(path for path in ("/usr/bin/python3", sys.executable) if Path(path).exists())
"""One that every user of the machine can run, if there is one."""
Scenario = Callable[[str], str]
SCENARIOS: Final = dict[str, tuple[str, Scenario]]()
"""By name: the expected report, as a regular expression, and the function that makes it, in one kind of isolation."""
NEEDS_BUBBLEWRAP: Final = {"writing_elsewhere", "reading_what_is_not_its_own", "connections"}
"""These pass only in bubblewrap."""
NEEDS_OWN_USER: Final = {
    "system_v_objects",
    "signals without end",
    "signals_to_others",
    "an_attack_on_what_guards_it",
}
"""Without bubblewrap, these pass only for root's bots, because each has a separate user."""
NEEDS_NO_ROOT: Final = {"a_user_namespace"}
"""These pass only in the bubblewrap of an ordinary user, from bubblewrap 0.8 on."""


def says(expected: str) -> Callable[[Scenario], Scenario]:
    def add(scenario: Scenario) -> Scenario:
        SCENARIOS[scenario.__name__] = expected, scenario
        return scenario

    return add


BOXES: Final = dict[str, Box]()
"""One for each interpreter, because the traces of a program would affect the next one."""


def boxed(command: list[str], kind: str, limits: Limits = LIMITS) -> Box:
    return Box(command, limits, bubblewrap=kind == "bubblewrap")


def box_of(shell: str, kind: str) -> Box:
    if shell not in BOXES:
        BOXES[shell] = boxed([shell], kind)
    return BOXES[shell]


def asked(kind: str, script: str, do: Callable[[Talk], object], shell: str = "sh") -> str:
    """The report on a program that lives during an action on it."""
    with box_of(shell, kind).start(["-c", script]) as talk:
        return whatever(talk, do)


def whatever(talk: Talk, do: Callable[[Talk], object]) -> str:
    try:
        return f"nothing: {do(talk)}"
    except FaultError as error:
        again = ""
        with suppress(FaultError):
            again = talk.line()  # the same fault is raised again, at once
        return f"{error}{again}"


def answer(talk: Talk) -> str:
    talk.start_clock(PATIENCE)
    return talk.line()


def no_answer(talk: Talk) -> str:
    talk.start_clock(SOON)
    return talk.line()


def two_answers(talk: Talk) -> list[str]:
    return [answer(talk), answer(talk)]


def answer_twice(talk: Talk) -> str:
    first = answer(talk)
    talk.send("go on\n")
    return f"{first} {answer(talk)}"


def after_a_word(talk: Talk) -> str:
    """Asked when it has written something, in however long a time."""
    talk.start_clock(PATIENCE)
    while not [*talk.unasked()]:
        time.sleep(0.01)  # between two looks
    return no_answer(talk)


def one_answer(talk: Talk) -> list[str]:
    return [answer(talk), no_answer(talk)]


def stop_once(talk: Talk) -> str:
    answer(talk)
    talk.stop()
    time.sleep(SOON)
    talk.go_on()
    return no_answer(talk)


def keep_sending(talk: Talk) -> None:
    """Sent so much that no pipe holds it, after its first line."""
    answer(talk)
    for _ in range(1000):
        talk.send("x" * 10_000 + "\n")
        time.sleep(0.01)  # the spawner has its streams until the program has begun


def ran(kind: str, script: str, given: bytes = b"", seconds: float = PATIENCE, shell: str = "sh") -> str:
    return told(box_of(shell, kind).run(given, arguments=["-c", script], seconds=seconds))


def told(run: Run) -> str:
    return f"{run.fault}: {run.detail}" if run.fault else f"status {run.status}: {run.output.decode()}"


PYTHON_SCRIPTS: Final = {
    "threads": "import threading, time\nfor _ in range(26): threading.Thread(target=time.sleep, args=(1000,)).start()",
    "memory": "x = []\nwhile True: x.append(bytearray(1 << 20))",
    # each of several processes has much less than is allowed
    "memory of several": """
import os, time
for _ in range(8):  # fewer than are allowed, however slowly each of them fills its memory
    if not os.fork():
        break
x = bytearray(b'x') * (40 << 20)
time.sleep(1000)
""",
    # counted once: else six processes would have too much
    "shared memory": """
import os, time
x = bytearray(b'x') * (50 << 20)
for _ in range(5):
    if not os.fork():
        time.sleep(0.5)
        os._exit(0)
for _ in range(5):
    os.wait()
print('done')
""",
    "reserved memory": "import mmap\nx = mmap.mmap(-1, 1 << 30)\nprint('done')",
    "empty files": "for i in range(2000): open(str(i), 'w')\nimport time; time.sleep(1000)",
    "open files": "x = []\ntry:\n while True: x.append(open('/dev/null'))\nexcept OSError: print(len(x))",
    "queue": """
import ctypes
library = ctypes.CDLL(None, use_errno=True)
print(library.mq_open(b"/ludoteca-deal", 0o102, 0o666, None), ctypes.get_errno())
""",
}
MANY: Final = r"processes: it had [0-9]+ processes and threads, and the limit is 24$"
MEMORY: Final = r"memory: it used [0-9]+ bytes of memory, and the limit is 167772160$"
DISK: Final = r"disk: its files took more than 1048576 bytes$"
FLOOD: Final = r"output: it wrote more than 262144 bytes for one answer$"
LATE: Final = r"time: no whole line came in time"
TALKS: Final[dict[str, tuple[str, Callable[[Talk], object], str]]] = {
    # silence, and words at the wrong time
    "silence": ("exec sleep 1000", no_answer, LATE + "$"),
    "half a line": ("printf e2e; exec sleep 1000", after_a_word, LATE + " after half a line, 'e2e'$"),
    "no newline at the end": ("printf e2e4", answer, "exit: it ended with exit status 0 after half a line, 'e2e4'$"),
    "an end between two answers": ("echo one; exit 3", two_answers, "exit: it ended with exit status 3$"),
    "stopped": ("echo one; kill -STOP $$; echo two", one_answer, LATE),
    "deaf to signals": ("trap '' TERM INT HUP QUIT PIPE; echo one; while :; do sleep 1; done", one_answer, LATE),
    # floods and closed pipes
    "endless output": ("exec cat /dev/zero", answer, FLOOD),
    "a flood of errors": ("cat /dev/zero >&2", answer, FLOOD),
    "output closed": ("exec >&-; exec sleep 1000", answer, "exit: it closed its output$"),
    "input closed": ("exec <&-; echo ready; exec sleep 1000", keep_sending, "exit: it closed its input$"),
    "nothing read": ("echo ready; exec sleep 1000", keep_sending, "time: it does not read its input$"),
    # attempts not to be stopped
    "signals without end": (
        "echo ready; for name in STOP CONT; do while :; do kill -$name -1; done & done; while :; do :; done",
        stop_once,
        "(time|signal|processes): ",
    ),
    # ends
    "a crash": ("kill -SEGV $$", answer, "signal: it was ended by SIGSEGV$"),
    "grandchildren that outlive a living one": (
        "setsid sleep 1000 & (setsid sleep 1000 &); exit 0",
        answer,
        "exit: it ended with exit status 0$",
    ),
}
"""By name: a shell program, the action on it while it lives, and the expected report."""
RUNS: Final[dict[str, tuple[str, str]]] = {
    "endless output of a run": ("exec yes", "output: it wrote more than 262144 bytes$"),
    "a flood of errors in a run": ("exec yes >&2", "output: it wrote more than 262144 bytes$"),
    "a long output at the end of a run": ("head -c 300000 /dev/zero", "output: it wrote more than 262144 bytes$"),
    "a crash of a run": ("kill -ABRT $$", "signal: it was ended by SIGABRT$"),
    # they have separate sessions, and dead parents
    "grandchildren that hold the pipe": (
        "(setsid sleep 1000 &); setsid sh -c 'sleep 1000 & sleep 1000' & echo done",
        "status 0: done\n$",
    ),
    "a fork bomb": ("bomb() { bomb | bomb & }; bomb; sleep 1000", MANY),
    # the program fails before the first look, like a fork bomb that cannot fork any more
    "many processes that are left": ("i=0; while [ $i -lt 26 ]; do i=$((i+1)); sleep 1000 & done; exit 2", MANY),
    "a large file": ("exec cat /dev/zero > large", DISK),
    "many files": ("i=0; while [ $i -lt 9 ]; do i=$((i+1)); head -c 200000 /dev/zero > $i; done; exec sleep 1000", DISK),
    "a_user_namespace": ("exec unshare --user true 2>/dev/null", "status 1: $"),
}
"""By name: a shell program, and the expected report of its run."""
PYTHON_RUNS: Final = {
    "threads": MANY,
    "memory": MEMORY,
    "memory of several": MEMORY,
    "shared memory": "status 0: done\n$",
    "reserved memory": "status 0: done\n$",
    "empty files": DISK,
    "open files": "status 0: 29\n$",
    "queue": "status 0: -1 24\n$",
}
for name, (script, do, expected) in TALKS.items():
    SCENARIOS[name] = expected, partial(asked, script=script, do=do)
for name, (script, expected) in RUNS.items():
    SCENARIOS[name] = expected, partial(ran, script=script)
for name, expected in PYTHON_RUNS.items():
    SCENARIOS[name] = expected, partial(ran, script=PYTHON_SCRIPTS[name], shell=PYTHON)


@says("time: it did not end in time$")
def nothing_read_in_a_run(kind: str) -> str:
    return ran(kind, "exec sleep 1000", b"x" * 5_000_000, SOON)


@says("status 4: $")
def an_end_without_reading(kind: str) -> str:
    return ran(kind, "exit 4", b"x" * 5_000_000)


# files and processes of others


@says("status 0: HOME LANG PATH PWD TMPDIR \n0 1 2 3 \n$")
def what_it_is_given(kind: str) -> str:
    """The environment has no secrets, and there are no descriptors but its streams (and the one that lists them)."""
    os.environ["SECRET"] = "s3cret"
    script = "env | cut -d= -f1 | sort | tr '\\n' ' '; echo; ls /proc/self/fd | tr '\\n' ' '; echo"
    return ran(kind, script)


@says("status 0: and nothing$")
def writing_elsewhere(kind: str) -> str:
    """Whether it believes to have written or not: nothing has come of it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        own = folder, str(Path.home()), str(Path.cwd())
        places = [*own, "/", "/usr", "/etc", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/run"]
        script = 'for place in "$@"; do echo x > $place/written-by-a-bot; done 2>/dev/null; exit 0'
        run = box_of("sh", kind).run(b"", arguments=["-c", script, "sh", *places], seconds=PATIENCE)
        written = [place for place in places if (Path(place) / "written-by-a-bot").exists()]
        return f"{told(run)}and {written or 'nothing'}"


@says("status 0: bot\n$")
def reading_what_is_not_its_own(kind: str) -> str:
    """It reads its own file, and no file of the caller: home, current folder, memory, environment, another bot."""
    with tempfile.TemporaryDirectory() as folder:
        secrets = [Path(folder, name) for name in ("home.txt", "other/bot")]
        own = Path(folder, "own", "bot")
        for path in (*secrets, own):
            path.parent.mkdir(exist_ok=True)
            path.write_text('#!/bin/sh\nfor f in "$0" "$@"; do head -c 1 $f >/dev/null 2>&1 && basename $f; done; exit 0\n')
            path.chmod(0o755)
        process = [f"/proc/{os.getpid()}/{name}" for name in ("environ", "mem", "maps", "fd/0")]
        with boxed([str(own)], kind) as box:
            return told(box.run(b"", arguments=[*map(str, secrets), *process, __file__], seconds=PATIENCE))


@says("status 0: $")
def signals_to_others(kind: str) -> str:
    """None of the processes that it sees, and that are this program, can be signalled."""
    script = """
import os
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        if "misbehaving" + ".py" in open(f"/proc/{pid}/cmdline").read():
            os.kill(int(pid), 0)
            print(pid)
    except OSError:
        pass
"""
    return ran(kind, script, shell=PYTHON)


@says("status 0: $")
def connections(kind: str) -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = f"""
import socket
try:
    socket.create_connection(("127.0.0.1", {server.getsockname()[1]}), 5)
    print("connected")
except OSError:
    pass
"""
        return ran(kind, script, shell=PYTHON)


@says("(signal: its sandbox ended while it ran: .*|signal: it was ended by SIGKILL|status 0: alive\n) status 0: again\n$")
def an_attack_on_what_guards_it(kind: str) -> str:
    script = """
import os, signal
for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    for target in (os.getppid(), 1, -1):
        try:
            os.kill(target, number)
        except OSError:
            pass
print("alive")
"""
    with boxed([PYTHON], kind) as box:
        first = told(box.run(b"", arguments=["-c", script], seconds=PATIENCE))
        return f"{first} " + told(box.run(b"", arguments=["-c", "print('again')"], seconds=PATIENCE))


@says("(nothing: alive and well|signal: its sandbox ended while it ran: .*) status 0: again\n$")
def a_spawner_killed_in_a_conversation(kind: str) -> str:
    return after_signals(kind, "KILL")


@says("(nothing: alive and well|signal: its sandbox ended while it ran: .*) status 0: again\n$")
def a_spawner_stopped_in_a_conversation(kind: str) -> str:
    """The end of the program waits for no stopped process."""
    return after_signals(kind, "STOP TERM")


def after_signals(kind: str, names: str) -> str:
    """Report on a program that sends these signals to its spawner, and on the next program in the same box."""
    script = f"for name in {names}; do kill -$name $PPID; done 2>/dev/null; echo alive; read x; echo and well"
    with boxed(["sh"], kind) as box:
        with box.start(["-c", script]) as talk:
            first = whatever(talk, answer_twice)
        return f"{first} {told(box.run(b'', arguments=['-c', 'echo again'], seconds=PATIENCE))}"


@says("(status 0: \n|disk: its files took more than 8388608 bytes) status 0: $")
def what_one_run_leaves_to_the_next(kind: str) -> str:
    """Nothing, however deep, and whatever its permissions."""
    script = """
import os
for _ in range(400):
    os.mkdir("d" * 100)
    os.chdir("d" * 100)
    open("file", "w")
os.mkfifo("pipe")
os.symlink("/", "link")
os.mkdir("closed")
os.chmod("closed", 0)
os.chmod(".", 0)
print()
"""
    limits = Limits(disk=8 << 20)
    with boxed([PYTHON], kind, limits) as box:
        first = told(box.run(b"", arguments=["-c", script], seconds=PATIENCE))
        script = "import os; print(*os.listdir(), end='')"
        return f"{first} " + told(box.run(b"", arguments=["-c", script], seconds=PATIENCE))


@says(r"status 0: \[True, True, True\]\n status 0: \[False, False, False\]\n$")
def system_v_objects(kind: str) -> str:
    """Memory, a queue and a semaphore for all users. One run makes them, and the next run searches for them.

    Their key is the number of this process: without bubblewrap, other processes of the machine have objects, too.
    """
    script = f"""
import ctypes, sys
key, flags, library = {os.getpid()}, int(sys.argv[1], 8), ctypes.CDLL(None)
made = library.shmget(key, 4096, flags), library.msgget(key, flags), library.semget(key, 1, flags)
print([number >= 0 for number in made])
"""
    with boxed([PYTHON], kind) as box:
        runs = [box.run(b"", arguments=["-c", script, flags], seconds=PATIENCE) for flags in ("1666", "666")]
    return " ".join(map(told, runs))


@says("all are dead$")
def an_arena_that_is_killed(kind: str) -> str:
    """What its programs have started dies with it, and the folders are gone."""
    before = set(below(alone=False))
    victim = subprocess.Popen([sys.executable, __file__, kind, "victim"], stdout=subprocess.PIPE)
    assert victim.stdout
    assert victim.stdout.readline() == b"ready\n"
    assert len(set(below(alone=False)) - before) > 4
    victim.kill()
    victim.wait()
    victim.stdout.close()
    while set(below(alone=False)) - before:  # they come to this process, as orphans
        os.waitpid(-1, os.WNOHANG)
        time.sleep(0.01)  # between two looks
    return "all are dead"


def die_later(kind: str) -> None:
    script = (
        "trap '' TERM HUP; (setsid sleep 1000 &); setsid sh -c 'sleep 1000 & sleep 1000' & echo ready; read x; sleep 1000"
    )
    with boxed(["sh", "-c", script], kind) as box, box.start() as talk:
        first = answer(talk)
        talk.stop()
        time.sleep(SOON)  # it is stopped now, unless the machine is busy
        print(first, flush=True)
        time.sleep(PATIENCE)


def main(words: Sequence[str]) -> None:
    kind = words[0]
    if "victim" in words:
        die_later(kind)
        return
    spawner.control(spawner.SUBREAPER)
    with boxed(["true"], kind) as box:
        print(json.dumps(["isolation", box.isolation]), flush=True)
    if kind == "bubblewrap" and no_bubblewrap():
        return
    for shell in ("sh", PYTHON):
        box_of(shell, kind)
    descriptors, processes = descriptors_of_ours(), set(below(alone=False))
    rounds = [int(word) for word in words[1:] if word.isdigit()] or [1]
    possible = [name for name in SCENARIOS if kind == "bubblewrap" or name not in NEEDS_BUBBLEWRAP]
    if os.geteuid() and kind != "bubblewrap":
        possible = [name for name in possible if name not in NEEDS_OWN_USER]
    if os.geteuid() == 0 or kind != "bubblewrap" or not can_disable_user_namespaces():
        possible = [name for name in possible if name not in NEEDS_NO_ROOT]
    named = [word for word in words[1:] if not word.isdigit()] or possible
    for name in [*named] * rounds[0]:
        signal.alarm(int(2 * PATIENCE))  # ends a hang
        said = SCENARIOS[name][1](kind)
        left = set(below(alone=False)) - processes
        print(json.dumps([name, said if not left else f"{said}, and left processes {left}"]), flush=True)
    more = descriptors_of_ours() - descriptors
    for box in BOXES.values():
        box.close()
    with suppress(ChildProcessError):
        while True:
            os.wait()
    files = sorted(path.name for path in Path(tempfile.gettempdir()).iterdir())
    print(json.dumps(["left", f"descriptors {more}, files {files}"]), flush=True)


def descriptors_of_ours() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


if __name__ == "__main__":
    main(sys.argv[1:])
