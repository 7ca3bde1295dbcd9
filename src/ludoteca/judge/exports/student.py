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
import time
import zlib
from itertools import accumulate
from pathlib import Path
from typing import Any

DATA = ""
"""The cases, the limits and the texts: JSON, compressed, in base64."""
LATE_CASES = 2
"""After this many cases that run out of time, the other cases are not run."""
MOST_LINES = 40
"""The largest number of lines to show of a text."""
CONTEXT_LINES = 12
"""The largest number of lines to show before the first different line of the output."""
WINDOWS = os.name == "nt"
CRASH = 0xC0000000
"""The least exit status of a program that Windows ended."""
TIME, OUTPUT, RUNTIME = "Time Limit Exceeded", "Output Limit Exceeded", "Runtime Error"
ACCEPTED, WRONG, PRESENTATION = "Accepted", "Wrong Answer", "Presentation Error"


def main(words: list[str]) -> int:
    """Check the program that the words name. Return 0 if it is accepted, 1 if it is not, and 2 if it cannot be run."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    about = json.loads(zlib.decompress(base64.b64decode(DATA)))
    cases, texts = about["cases"], about["texts"]
    command = words[1:] if words[:1] == ["--"] else words
    if not command or command[0] in ("-h", "--help"):
        tell(texts["checker.usage"].format(Path(sys.argv[0]).name), texts["checker.bare"])
        return 2
    named = [shutil.which(command[0]) or command[0], *command[1:]]
    command = [os.path.abspath(word) if os.path.exists(word) else word for word in named]  # noqa: PTH100, PTH110  # long words
    done: list[tuple[str, str, str, str]] = []
    try:
        for case in cases:
            if sum(verdict == TIME for verdict, *_ in done) == LATE_CASES:
                break
            output, errors, status, fault = run([*command, *case["arguments"]], case, about)
            done.append((*judge(case, output, status, fault, about), output, errors))
    except OSError as error:
        tell(texts["checker.start"].format(named[0], error.strerror or error))
        return 2
    wrong = [number for number, (verdict, *_) in enumerate(done) if verdict != ACCEPTED]
    tell(f"{about['title']}: {about['verdicts'][done[wrong[0]][0] if wrong else ACCEPTED]}")
    tell(texts["accepted"].format(len(done) - len(wrong), about["counts"][len(cases)]))
    if len(done) < len(cases):
        tell(texts["left_out"].format(about["counts"][len(cases) - len(done)]))
    tell(texts["checker.bare"])
    if wrong:
        _, why, output, errors = done[wrong[0]]
        tell("", texts["failed"].format(wrong[0] + 1, why))
        show(cases[wrong[0]], output, errors, about)
    return 1 if wrong else 0


def tell(*lines: str) -> None:
    """Print the lines."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def run(command: list[str], case: dict[str, Any], about: dict[str, Any]) -> tuple[str, str, int, str]:
    """Run the program in a new folder with the files of the case. Return its output, the text that it wrote to stderr, its
    exit status, and the verdict on a limit that it exceeded (empty if none).

    If a signal ended the program, the status is minus the number of the signal. Raises OSError if it cannot be started.
    """
    folder, env = tempfile.mkdtemp(), {**os.environ, "PYTHONUTF8": "1"}  # as in the judge
    for name, content in case["files"].items():
        Path(folder, name).write_bytes(content.encode())
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        given.write("".join(line for line, _ in case["steps"]).encode())
        given.seek(0)
        streams: dict[str, Any] = {"stdin": given, "stdout": output, "stderr": errors}
        fault, start = "", time.monotonic()
        try:
            process = subprocess.Popen(command, cwd=folder, env=env, start_new_session=not WINDOWS, **streams)  # noqa: S603
            try:
                while not fault and process.poll() is None:
                    time.sleep(0.005)
                    fault = TIME if time.monotonic() > start + about["seconds"] else fault
                    fault = OUTPUT if os.fstat(output.fileno()).st_size > about["output"] else fault
            finally:
                end(process)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        for stream in (output, errors):
            stream.seek(0)
        fault = OUTPUT if os.fstat(output.fileno()).st_size > about["output"] else fault
        text = output.read(about["output"]).decode("utf-8", "surrogateescape")
        said = errors.read(about["output"])[-4096:].decode("utf-8", "backslashreplace")
    return text.replace("\r\n", "\n") if WINDOWS else text, said, process.returncode, fault


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children, if the system allows it."""
    if WINDOWS:
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)  # noqa: S603, S607
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter on macOS, if all have ended
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def judge(case: dict[str, Any], output: str, status: int, fault: str, about: dict[str, Any]) -> tuple[str, str]:
    """Return the verdict on a run, and the reason in words, both as the judge gives them."""
    texts, expected = about["texts"], "".join(after for _, after in case["steps"])
    if fault:
        limit = ("limit.time", about["seconds"]) if fault == TIME else ("limit.output", about["output"] / (1 << 20))
        return fault, texts[limit[0]].format(f"{limit[1]:g}")
    if status < 0 or status >= CRASH:
        name = signal.Signals(-status).name if -status in signal.valid_signals() else f"0x{status:X}"
        return RUNTIME, texts.get(f"signal.{name}", texts["signal"]).format(name)
    if lines_of(output) == lines_of(expected):
        return ACCEPTED, ""
    if status not in (0, case["status"]) and expected.startswith(output):
        return RUNTIME, texts["status"].format(status)
    if "".join(expected.split()) != "".join(output.split()):
        return WRONG, texts["differs"]
    return ACCEPTED if about["ignores_blanks"] else PRESENTATION, texts["blanks"]


def lines_of(text: str) -> list[str]:
    """Return the lines of a text. The last line may lack its line end."""
    return (text[:-1] if text.endswith("\n") else text).split("\n") if text else []


def show(case: dict[str, Any], output: str, errors: str, about: dict[str, Any]) -> None:
    """Print a case, and the first line of the output that differs."""
    texts, signs, steps = about["texts"], about["signs"], case["steps"]

    def glossed(line: str) -> str:
        readable = "".join(
            sign if sign.isprintable() else repr(sign.encode("utf-8", "surrogateescape"))[2:-1] for sign in line
        )
        gloss = " ".join(signs[sign] for sign in line if sign in signs)
        plain = readable.rstrip(" ")
        return plain + "·" * (len(readable) - len(plain)) + (f"   ({gloss})" if gloss else "")

    def tell_text(head: str, text: str, marked: int = 0) -> None:
        every = enumerate(lines_of(text)[:MOST_LINES], 1)
        tell(head, *(f"{'>' if number == marked else ' '} {glossed(line)}" for number, line in every))

    wanted, got = lines_of("".join(after for _, after in steps)), lines_of(output)
    shorter = min(len(wanted), len(got))
    first = next((at for at in range(shorter) if wanted[at] != got[at]), shorter)
    ends = accumulate(after.count("\n") for _, after in steps)
    read = next((at for at, last in enumerate(ends) if first < last), len(steps) - 1)
    if case["arguments"]:
        tell(texts["arguments"].format(" ".join(case["arguments"])))
    for name, content in case["files"].items():
        tell_text(texts["file"].format(name), content)
    tell_text(texts["input"], "".join(line for line, _ in steps), "".join(line for line, _ in steps[: read + 1]).count("\n"))
    if wanted != got:
        tell(texts["line"].format(first + 1), *(f"  | {line}" for line in wanted[max(0, first - CONTEXT_LINES) : first]))
        width = max(len(texts["expected"]), len(texts["got"]))
        for key, lines in (("expected", wanted), ("got", got)):
            line = (glossed(lines[first]) or texts["empty_line"]) if first < len(lines) else texts["nothing"]
            tell(f"{texts[key]:>{width}} | {line}")
        if first < shorter:
            same = next((at for at, (one, other) in enumerate(zip(wanted[first], got[first])) if one != other), 0)
            tell(f"{'':>{width}}   {'':>{len(glossed(got[first][:same]).partition('   (')[0])}}^")
    if errors:
        tell_text(texts["errors"], errors)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
