"""The sandbox: the resources of a program, and the reports on programs that try to use others."""

import fcntl
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from ludoteca.arena.programs import isolation
from ludoteca.arena.programs.box import Box
from ludoteca.arena.programs.limits import Fault, FaultError, Limits
from ludoteca.core.errors import LudotecaError
from tests.arena import misbehaving
from tests.arena.misbehaving import PATIENCE, SCENARIOS
from tests.arena.strangers import STRANGER, as_a_stranger

ISOLATIONS = tuple(f"{user}, {kind}" for user in ("root", "stranger") for kind in ("bubblewrap", "bare"))


def said_in(isolation: str, rounds: int) -> dict[str, set[str]]:
    """The report of each scenario. The key "reason" says why no scenario could run."""
    user, kind = isolation.split(", ")
    root = os.geteuid() == 0
    if user == "root" and not root:
        return {"reason": {"it needs root"}}
    command = [sys.executable, str(Path(misbehaving.__file__).resolve()), kind, str(rounds)]
    place = tempfile.mkdtemp()
    try:
        Path(place).chmod(0o755)
        home = Path(place) / "home"
        home.mkdir()
        if user == "stranger" and root:
            if not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
                return {"reason": {"util-linux is not there"}}
            number = STRANGER + ISOLATIONS.index(isolation)  # the kernel counts processes by user
            os.chown(home, number, number)
            command = as_a_stranger(number, place, command)
        surroundings = os.environ | {"TMPDIR": str(home), "HOME": str(home)}
        done = subprocess.run(command, cwd=home, env=surroundings, capture_output=True, text=True)
    finally:
        shutil.rmtree(place)
    if "unshare: " in done.stderr or "mount: " in done.stderr:
        return {"reason": {done.stderr.strip()}}
    assert done.returncode == 0, done.stderr
    said = dict[str, set[str]]()
    for name, words in map(json.loads, done.stdout.splitlines()):
        said.setdefault(name, set()).add(words)
    if kind == "bubblewrap" and "no bubblewrap" in str(said["isolation"]):
        return {"reason": said["isolation"]}
    return said


@cache
def results(rounds: int = 1) -> dict[str, dict[str, set[str]]]:
    """All isolations at once: they wait more than they work."""
    with ThreadPoolExecutor(len(ISOLATIONS)) as threads:
        return dict(zip(ISOLATIONS, threads.map(said_in, ISOLATIONS, [rounds] * len(ISOLATIONS)), strict=True))


def of(isolation: str, rounds: int = 1) -> dict[str, set[str]]:
    said = results(rounds)[isolation]
    if "reason" in said:
        pytest.skip(str(said["reason"]))
    return said


KEPT = [
    (isolation, scenario)
    for isolation in ISOLATIONS
    for scenario in SCENARIOS
    if not (isolation.endswith("bare") and scenario in misbehaving.NEEDS_BUBBLEWRAP)
    if not (scenario in misbehaving.NEEDS_OWN_USER and isolation.startswith("stranger") and "bubblewrap" not in isolation)
    if not (scenario in misbehaving.NEEDS_NO_ROOT and isolation != "stranger, bubblewrap")
]


@pytest.mark.slow
@pytest.mark.parametrize(("isolation", "scenario"), KEPT)
def test_what_a_program_does_wrong_has_a_name(isolation: str, scenario: str) -> None:
    said = of(isolation)
    if scenario not in said:
        pytest.skip(f"{said['isolation']} does not keep a program from it")
    for words in said[scenario]:
        assert re.match(SCENARIOS[scenario][0], words), words


@pytest.mark.slow
@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_nothing_is_left(isolation: str) -> None:
    assert of(isolation)["left"] == {"descriptors 0, files []"}


@pytest.mark.soak
@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_nothing_is_left_of_a_thousand_runs(isolation: str) -> None:
    said = of(isolation, 1 + 1000 // len(SCENARIOS))
    for scenario, (expected, _) in SCENARIOS.items():
        for words in said.get(scenario, ()):
            assert re.match(expected, words), f"{scenario}: {words}"
    assert said["left"] == {"descriptors 0, files []"}


@pytest.fixture(params=[True, False], ids=["bubblewrap", "none"])
def bubblewrap(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_a_program_runs_with_its_whole_input(bubblewrap: bool) -> None:
    with Box(["sh", "-c", "cat; cat a.txt; echo no >&2; exit 3"], Limits(), bubblewrap=bubblewrap) as box:
        run = box.run(b"input\n" * 50_000, files={"a.txt": "file\n"}, seconds=PATIENCE)
        assert (run.output, run.errors, run.status, run.fault) == (b"input\n" * 50_000 + b"file\n", b"no\n", 3, None)


def test_an_output_can_be_a_terminal(bubblewrap: bool) -> None:
    program = r"[ -t 1 ] && printf 'terminal\r\n\tand\004half' || echo pipe; cat; kill -SEGV $$"
    with Box(["sh", "-c", program], Limits(), bubblewrap=bubblewrap) as box:
        runs = [box.run(b"!" * 50_000, seconds=PATIENCE, terminal=terminal) for terminal in (False, True, False)]
    assert [run.output.rstrip(b"!") for run in runs] == [b"pipe\n", b"terminal\r\n\tand\x04half", b"pipe\n"]
    assert {(len(run.output) > 50_000, run.fault) for run in runs} == {(True, Fault.SIGNAL)}


def test_a_program_that_lives_is_talked_to(bubblewrap: bool) -> None:
    command = ["sh", "-c", "while read a; do echo got $a; done"]
    with Box(command, Limits(), bubblewrap=bubblewrap) as box, box.start() as talk:
        for word in ("one", "two"):
            talk.start_clock(PATIENCE)
            talk.send(f"{word}\n")
            assert talk.line() == f"got {word}"
        talk.start_clock(0)
        with pytest.raises(FaultError) as caught:
            talk.line()
        assert caught.value.fault == Fault.TIME


def test_a_box_outlives_the_thread_that_made_it(bubblewrap: bool) -> None:
    """To the kernel, that thread is the parent of the processes of the box."""
    with ThreadPoolExecutor(1) as threads:
        box = threads.submit(Box, ["echo", "alive"], Limits(), bubblewrap=bubblewrap).result()
    with box:
        assert box.run(b"", seconds=PATIENCE).output == b"alive\n"


def test_lines_that_were_not_asked_for_are_taken_and_the_beginning_of_a_line_stays() -> None:
    """The first line is longer than a pipe, and the last line is still incomplete when it is read."""
    script = "printf '#%070000d\\n# a\\nmove' 0; read x; echo d; sleep 1000"
    with Box(["sh", "-c", script], Limits()) as box, box.start() as talk:
        talk.start_clock(PATIENCE)
        early = list[str]()
        while not early or early[-1] != "move":
            early += talk.unasked()
        talk.send("\n")
        assert talk.line() == "moved"
        assert [len(line) for line in early if line.endswith("\n")] == [70_002, 4]


def test_a_run_tells_what_it_used() -> None:
    with Box([misbehaving.PYTHON, "-c"], Limits()) as box:
        script = "x = bytearray(b'x') * (100 << 20)\nimport time\nwhile time.process_time() < 0.2: pass"
        run = box.run(b"", arguments=[script], seconds=PATIENCE)
        assert run.fault is None
        assert run.seconds >= run.cpu / 2 > 0.1 / 2
        assert 100 << 20 < run.memory < 200 << 20


def test_every_run_begins_in_a_folder_with_all_rights(bubblewrap: bool) -> None:
    with Box(["sh", "-c"], Limits(), bubblewrap=bubblewrap) as box:
        assert box.run(b"", arguments=["chmod 500 ."], seconds=PATIENCE).status == 0
        assert box.run(b"", arguments=["stat -c %a ."], seconds=PATIENCE).output == b"700\n"


def test_a_program_is_found_as_a_shell_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program by its path from the current folder, with the files that its arguments name. It can read its own folder."""
    (tmp_path / "mine").mkdir()
    bot = tmp_path / "mine" / "bot"
    bot.write_text('#!/bin/sh\ncat "$(dirname "$0")/data" "$1"\n', encoding="utf-8")
    bot.chmod(0o700)  # so that root's bots, which are other users, cannot read it in its folder
    (tmp_path / "mine" / "data").write_text("data ", encoding="utf-8")
    (tmp_path / "words").write_text("words", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command in (["mine/bot", "words"], ["./mine/bot", "words"], [str(bot), "words"]):
        for bubblewrap in (True, False):
            with Box(command, Limits(), bubblewrap=bubblewrap) as box:
                assert box.run(b"", seconds=PATIENCE).output == b"data words"


ARM = struct.pack("<4s5B7xHHI", b"\x7fELF", 2, 1, 1, 0, 0, 2, 183, 1) + bytes(56)
"""The beginning of a program for 64-bit ARM."""


@pytest.mark.parametrize(
    ("content", "mode", "says"),
    [
        (None, 0, "missing: there is no file .*bot$"),
        (b"#!/bin/sh\n", 0o644, r"not executable: .*bot may not be run \(chmod \+x allows it\)$"),
        (ARM, 0o755, r"not executable: .*bot is a program for another processor \(machine 183 in ELF's list\)$"),
        (b"#!/usr/bin/no-thing\n", 0o755, "not executable: the interpreter of .*bot: there is no file /usr/bin/no-thing$"),
        (b"#!/usr/bin/env no-thing\n", 0o755, "not executable: the interpreter of .*bot: there is no program 'no-thing'"),
        (b"#!/usr/bin/env python3\r\n", 0o755, "not executable: the first line of .*bot ends as on Windows"),
        (b"\xef\xbb\xbf#!/bin/sh\n", 0o755, "not executable: .*bot is no program: it begins with a byte order mark"),
        (b"", 0o755, "not executable: .*bot is no program: it is empty$"),
        (b"print(1)\n", 0o755, "not executable: .*bot is no program: it begins neither with #! nor as a compiled"),
    ],
)
def test_what_cannot_run_is_refused_at_once(tmp_path: Path, content: bytes | None, mode: int, says: str) -> None:
    bot = tmp_path / "bot"
    if content is not None:
        bot.write_bytes(content)
        bot.chmod(mode)
    with pytest.raises(FaultError, match=says):
        Box([str(bot)], Limits())


def test_a_script_that_is_its_own_interpreter_is_refused(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text(f"#!{bot}\n", encoding="utf-8")
    bot.chmod(0o755)
    with pytest.raises(FaultError, match=r"not executable: the interpreter of .*bot is a script of a script"):
        Box([str(bot)], Limits())


def test_folders_and_words_that_name_no_program_are_refused(tmp_path: Path) -> None:
    for word, says in ((str(tmp_path), "not executable: .* is a folder$"), ("no-such-bot", "missing: there is no program")):
        with pytest.raises(FaultError, match=says):
            Box([word], Limits())


@pytest.mark.skipif(os.geteuid() != 0, reason="bots have users of their own only if root runs them")
def test_a_users_number_is_locked_by_a_file_that_bots_cannot_open() -> None:
    with Box(["sh"], Limits(), bubblewrap=False) as box, Box(["sh"], Limits(), bubblewrap=False) as other:
        users = [run.run(b"", arguments=["-c", "id -u"], seconds=PATIENCE).output for run in (box, other)]
        lock = isolation.LOCKS / users[0].decode().strip()
        opened = box.run(b"", arguments=["-c", f": < {lock}"], seconds=PATIENCE)
        with lock.open() as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert users[0] != users[1]
    assert opened.status


@pytest.mark.skipif(os.geteuid() != 0, reason="bots have users of their own only if root runs them")
@pytest.mark.parametrize(("mode", "said"), [(0o777, "is not a folder that only root may enter"), (None, "cannot be made")])
def test_locks_are_kept_only_in_a_folder_of_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int | None, said: str
) -> None:
    place = tmp_path / "bots"
    monkeypatch.setattr(isolation, "LOCKS", place)
    if mode is None:
        place.touch()
    else:
        place.mkdir()
        place.chmod(mode)
    with pytest.raises(LudotecaError, match=said):
        Box(["sh"], Limits(), bubblewrap=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="bots have users of their own only if root runs them")
def test_a_sandbox_waits_for_a_free_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "LOCKS", tmp_path / "bots")
    monkeypatch.setattr(isolation, "USERS", isolation.USERS[:1])
    with ThreadPoolExecutor(1) as pool:
        with Box(["true"], Limits()):
            second = pool.submit(Box, ["true"], Limits())
            with pytest.raises(TimeoutError):
                second.result(0.3)
        second.result(PATIENCE).close()


@pytest.mark.skipif(os.geteuid() != 0, reason="bots have users of their own only if root runs them")
def test_a_sandbox_without_a_free_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "LOCKS", tmp_path / "bots")
    monkeypatch.setattr(isolation, "USERS", isolation.USERS[:1])
    monkeypatch.setattr(isolation, "WAIT_FOR_USER", 0.1)
    with Box(["true"], Limits()), pytest.raises(isolation.BoxError, match="end other arenas"):
        Box(["true"], Limits())


def test_a_command_of_its_own_runs_in_the_same_box() -> None:
    with Box(["true"], Limits()) as box:
        assert box.run(b"", command=["echo", "one"], arguments=["two"], seconds=PATIENCE).output == b"one two\n"
