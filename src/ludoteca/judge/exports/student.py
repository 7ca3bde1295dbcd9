"""Check a program with the cases in this file.

usage: python FILE -- PROGRAM [ARGUMENTS]...

It needs Python 3.9 or newer, on Linux, macOS or Windows, and no network. The program runs without a sandbox. A time limit is
measured on the clock, and memory has no limit. The exit status is 0 only if the program is accepted.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ludoteca.judge.comparing import ACCEPTED, RUNTIME, Outcome, compare, first_difference, reason_of_signal
from ludoteca.judge.showing import failing_case

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

DATA = ""
"""The cases, the limits and the texts: JSON, compressed, in base64."""
LATE_CASES = 2
"""After this many cases that run out of time, the other cases are not run."""
MOST_ERROR_BYTES = 4096
"""The largest number of bytes of standard error to show, from its end."""
CHUNK_BYTES = 1 << 16
TIME, OUTPUT = "Time Limit Exceeded", "Output Limit Exceeded"
PIPE_SECONDS = 2.0
"""Seconds to wait until the pipes of an ended program are closed."""
CRASH = 0xC0000000
"""The least exit status of a program that Windows ended."""


class ReadAndPrinted(NamedTuple):
    """One line of an input, and the output of the program after it."""

    input: str
    output: str


class Given(NamedTuple):
    """One case."""

    arguments: list[str]
    steps: list[ReadAndPrinted]
    files: dict[str, str]
    usual: int
    """The exit status of the right program."""


class Ran(NamedTuple):
    """The run of a program with one case."""

    output: bytes
    errors: bytes
    status: int
    """The exit status, or minus the number of the signal that ended the program."""
    fault: str = ""
    """TIME or OUTPUT if the program passed a limit, or empty."""


def main(words: list[str]) -> int:
    """Check the program that the words name. Return 0 if it is accepted, 1 if it is not, and 2 if it cannot be run."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    about = json.loads(zlib.decompress(base64.b64decode(DATA)))
    command = words[1:] if words[:1] == ["--"] else words
    if not command or command[0] in ("-h", "--help"):
        tell([say(about, "checker.usage", Path(sys.argv[0]).name), say(about, "checker.bare")])
        return 2
    cases = [
        Given(arguments, [ReadAndPrinted(*step) for step in steps], *rest) for arguments, steps, *rest in about["cases"]
    ]
    done = list[tuple[Ran, Outcome]]()
    try:
        for case in cases:
            if sum(ran.fault == TIME for ran, _ in done) == LATE_CASES:
                break
            ran = run([*with_absolute_paths(command), *case.arguments], case, about["seconds"], about["output"])
            done.append((ran, judge_run(case, ran, about)))
    except OSError as error:
        tell([say(about, "checker.start", command[0], error.strerror or str(error))])
        return 2
    wrong = [number for number, (_, outcome) in enumerate(done) if outcome.verdict != ACCEPTED]
    verdict = done[wrong[0]][1].verdict if wrong else ACCEPTED
    tell(
        [
            f"{about['title']}: {about['verdicts'][verdict]}",
            say(about, "accepted", len(done) - len(wrong), about["counts"][len(cases)]),
            *([say(about, "left_out", about["counts"][len(cases) - len(done)])] if len(done) < len(cases) else []),
            say(about, "checker.bare"),
        ]
    )
    if not wrong:
        return 0
    tell(["", *report(about, wrong[0] + 1, cases[wrong[0]], *done[wrong[0]])])
    return 1


def tell(lines: list[str]) -> None:
    """Print the lines."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def say(about: dict[str, Any], key: str, *arguments: object) -> str:
    """Return a text in the language of this file."""
    text: str = about["texts"][key]
    return text.format(*arguments)


def with_absolute_paths(command: list[str]) -> list[str]:
    """Return the command for a program that runs in another folder."""
    program = shutil.which(command[0]) or command[0]
    words = [program, *command[1:]]
    named = [not word.startswith("-") and os.path.exists(word) for word in words]  # noqa: PTH110  # a word may be too long for a path
    return [str(Path(word).absolute()) if is_file else word for word, is_file in zip(words, named)]  # Python 3.9


def run(command: list[str], case: Given, seconds: float, most: int) -> Ran:
    """Run the program in a new folder with the files of the case. Raises OSError if it cannot be started.

    It has this many seconds, and may write `most` bytes.
    """
    folder = tempfile.mkdtemp()
    try:
        for name, content in case.files.items():
            Path(folder, name).write_bytes(content.encode())
        process = subprocess.Popen(  # noqa: S603  # the student chooses the command
            command,
            cwd=folder,
            env={**os.environ, "PYTHONUTF8": "1"},  # the same as in the judge
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=sys.platform != "win32",
        )
        try:
            return finish(process, "".join(step.input for step in case.steps).encode(), seconds, most)
        finally:
            end(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def finish(process: subprocess.Popen[bytes], text: bytes, seconds: float, most: int) -> Ran:
    """Send the input to a process, and return its run until it ends or passes a limit."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    output, errors, too_much = bytearray(), bytearray(), threading.Event()

    def write(stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError), stream:  # the program may have closed it
            stream.write(text)

    def read(stream: IO[bytes], kept: bytearray) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), CHUNK_BYTES):
                kept += chunk
                if len(kept) > most:
                    too_much.set()
                    end(process)
                    return

    threads = [
        threading.Thread(target=write, args=[process.stdin], daemon=True),
        threading.Thread(target=read, args=[process.stdout, output], daemon=True),
        threading.Thread(target=read, args=[process.stderr, errors], daemon=True),
    ]
    for thread in threads:
        thread.start()
    fault = ""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        fault = TIME
    end(process)
    for thread in threads:
        thread.join(PIPE_SECONDS)
    return Ran(bytes(output), bytes(errors[-MOST_ERROR_BYTES:]), process.wait(), OUTPUT if too_much.is_set() else fault)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children, if the system allows it."""
    if sys.platform == "win32":
        if process.poll() is None:
            words = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # noqa: S603
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter on macOS, if all have ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def judge_run(case: Given, ran: Ran, about: dict[str, Any]) -> Outcome:
    """Return the verdict on the run of a program."""
    output = text_of_output(ran)
    if ran.fault == TIME:
        return Outcome(TIME, ("limit.time", f"{about['seconds']:g}"), first_difference(case.steps, output))
    if ran.fault == OUTPUT:
        return Outcome(OUTPUT, ("limit.output", f"{about['output'] / (1 << 20):g}"), first_difference(case.steps, output))
    if ran.status < 0 or ran.status >= CRASH:
        return Outcome(RUNTIME, reason_of_signal(signal_name(ran.status)), first_difference(case.steps, output))
    return compare(case.steps, case.usual, output, ran.status, ran.errors, ignores_blanks=about["ignores_blanks"])


def text_of_output(ran: Ran) -> str:
    """Return the output as text. On Windows, lines end with CR LF, which becomes LF."""
    text = ran.output.decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n") if sys.platform == "win32" else text


def signal_name(status: int) -> str:
    """Return the name of the signal that ended a program, such as `SIGSEGV`. On Windows, return `0xC0000005`."""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"0x{status:X}" if status > 0 else str(-status)


def report(about: dict[str, Any], number: int, case: Given, ran: Ran, outcome: Outcome) -> Iterator[str]:
    """Yield the lines that show a failing case and the first line that differs."""
    signs: dict[str, str] = about["signs"]

    def gloss(line: str) -> str:
        return " ".join(signs[sign] for sign in line if sign in signs)

    key, *arguments = outcome.why
    yield say(about, "failed", number, say(about, str(key), *arguments))
    words = partial(say, about)
    yield from failing_case(words, case.arguments, case.files, case.steps, outcome.difference, None, ran.errors, gloss)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
