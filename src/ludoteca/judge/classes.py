"""A whole class at once: a table with one row a submission, that goes on where it was when it is broken off."""

import hashlib
import multiprocessing
import os
import shlex
import shutil
import stat
import tempfile
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ludoteca.arena.box import Box
from ludoteca.arena.faults import Fault, FaultError
from ludoteca.arena.isolation import not_plain
from ludoteca.arena.limits import Limits
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError
from ludoteca.core.judging import Case, Options, part_of
from ludoteca.core.words import escaped
from ludoteca.judge.causes import Effects
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.programs import ERRORS, Boxed
from ludoteca.judge.reports import Words
from ludoteca.judge.rules import EQUAL, Status, Weights, mark
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.tables import Table, TableError, harmless
from ludoteca.judge.verdicts import Verdict

SOURCES: Final = (".c", ".cc", ".cpp", ".cxx", ".rs", ".go", ".java", ".hs", ".pas", ".f90", ".py", ".pl")
"""What `{source}` stands for in a folder: its files with one of these endings."""
COMPILING: Final = Limits(move=120.0, output=256 << 20, memory=2 << 30, disk=256 << 20)
LOOKING: Final = Effort(runs=40)
"""For a short case of each submission that fails."""
COLUMNS: Final = (
    "submission",
    "verdict",
    "accepted",
    "cases",
    "mark",
    "kept",
    "rules",
    "broken",
    "not_reached",
    "why",
    "section",
    "sentence",
    "turns",
    "input",
    "seconds",
    "memory",
    "key",
)


class Task(NamedTuple):
    """What is judged in one table; plain data for other processes."""

    game: str
    part: str
    cases: tuple[Case, ...]
    limits: Limits
    compile: str
    """The command that compiles, with `{source}`, `{program}` and perhaps `{folder}` in it; empty for programs."""
    language: str
    options: Options = Options()
    weights: Weights = EQUAL

    def key(self, submission: Path) -> str:
        """The same for the same files, judged in the same way."""
        seen = hashlib.sha256(
            msgspec.json.encode((self.game, self.part, self.limits, self.compile, self.language, self.options, self.weights))
        )
        for case in self.cases:
            seen.update(repr((case.arguments, case.input, case.output, sorted(case.files.items()))).encode())
        for file in files_of(submission):
            seen.update(f"{file.relative_to(submission.parent)}\0{file.stat().st_size}\0".encode())
            seen.update(file.read_bytes())
        return seen.hexdigest()[:16]


def columns_of(task: Task) -> tuple[str, ...]:
    """The columns of a table: after those of all cases, one for each subject of the cases."""
    asked = {case.subject for case in task.cases}
    subjects = [each for each in part_of(registry.find(task.game), task.part, task.options).subjects if each in asked]
    first = COLUMNS.index("cases") + 1
    return (*COLUMNS[:first], *subjects, *COLUMNS[first:])


def submissions(folder: Path) -> list[Path]:
    """What is judged: every file and folder in it whose name does not begin with a dot. Raises TableError for none."""
    if not folder.is_dir():
        raise TableError(f"{folder} is no folder: expected one with a file or folder for each submission")
    found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    if not found:
        raise TableError(f"{folder} is empty: expected a file or folder for each submission")
    return found


def files_of(submission: Path) -> list[Path]:
    """The files of a submission."""
    every = sorted(submission.rglob("*")) if submission.is_dir() else [submission]
    return [path for path in every if path.is_file() and not path.name.startswith(".")]


def judge_class(
    task: Task, folder: Path, table: Path, workers: int, watch: Callable[[float], None] = lambda _: None
) -> list[dict[str, str]]:
    """Judge every submission in the folder and write the table; return its rows, in the order of the submissions.

    A row is written when it is finished. Rows of the same files, judged in the same way, are kept from an earlier run.
    Raises TableError: the folder is empty, the table is no such table, or somebody else is writing it.
    """
    every = {harmless(path.name): path for path in submissions(folder)}
    keys = {name: task.key(path) for name, path in every.items()}
    with Table(table, columns_of(task)) as file:
        before = {row["submission"]: row for row in file.rows}
        rows = {name: before[name] for name, key in keys.items() if name in before and before[name]["key"] == key}
        file.replace(rows.values())
        watch(len(rows) / len(every))
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            left = {pool.submit(_row, task, path, keys[name]) for name, path in every.items() if name not in rows}
            try:
                while left:
                    done, left = wait(left, return_when=FIRST_COMPLETED)
                    for each in done:
                        row = each.result()
                        rows[row["submission"]] = row
                        file.append(row)
                        watch(len(rows) / len(every))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        ordered = [rows[name] for name in every]
        file.replace(ordered)
    return ordered


def _row(task: Task, submission: Path, key: str) -> dict[str, str]:
    """Judge one submission."""
    spec = registry.find(task.game)
    part = part_of(spec, task.part, task.options)
    words = Words(spec, task.language)
    row = dict.fromkeys(columns_of(task), "") | {
        "submission": harmless(submission.name),
        "key": key,
        "cases": str(len(task.cases)),
    }
    row |= {"mark": "0", "kept": "0"}
    with tempfile.TemporaryDirectory(prefix="ludoteca-judge-") as scratch:
        try:
            place = Path(scratch)
            program = compiled(submission, task.compile, place) if task.compile else [str(executable_of(submission, place))]
            with Boxed(part, program, task.limits) as boxed:
                known = _effects_of(task)
                report = judge(
                    spec, task.part, task.cases, [boxed], task.limits, effort=LOOKING, options=task.options, effects=known
                )
        except CompileError as error:
            return row | {"verdict": Verdict.COMPILE, "accepted": "0", "why": harmless(str(error))}
        except FaultError as error:
            return row | {"verdict": Verdict.MISSING, "accepted": "0", "why": error.detail}
    return row | _told(report, words, task.weights)


_EFFECTS: Final[dict[str, Effects]] = {}
"""The effects of mutants in the cases that this process judges with, by a digest of the cases."""


def _effects_of(task: Task) -> Effects:
    """The effects of mutants in the task's cases, shared by the submissions that this process judges."""
    key = repr((task.game, task.part, task.options, [(case.arguments, case.input, case.files) for case in task.cases]))
    if key not in _EFFECTS:
        spec = registry.find(task.game)
        _EFFECTS.clear()
        _EFFECTS[key] = Effects(spec, part_of(spec, task.part, task.options), task.cases)
    return _EFFECTS[key]


def _told(report: Report, words: Words, weights: Weights) -> dict[str, str]:
    tested = [rule for rule in report.rules if rule.status != Status.NOT_TESTED]
    names = {
        status: "; ".join(words.branch(branch.key) for rule in tested if rule.status == status for branch in rule.branches)
        for status in (Status.BROKEN, Status.NOT_REACHED)
    }
    answers = [result.answer for result in report.results if result is not None]
    told = {
        "verdict": str(report.verdict),
        "accepted": str(report.accepted),
        "seconds": f"{max(answer.cpu for answer in answers):.3f}",
        "memory": str(max(answer.memory for answer in answers)),
        # no "2/3", which a spreadsheet takes for a date
        **{subject: f"{right} of {number}" for subject, (right, number) in report.subjects.items()},
        "mark": f"{mark(report.rules, weights):.4g}",
        "kept": str(sum(rule.status == Status.KEPT for rule in tested)),
        "rules": str(len(tested)),
        "broken": names[Status.BROKEN],
        "not_reached": names[Status.NOT_REACHED],
    }
    if report.failure:
        branch = report.failure.cause.branch
        told |= {
            "why": words.why(report.failure.result),
            "section": branch.section if branch else "",
            "sentence": branch.sentence if branch else "",
            "turns": str(report.failure.case.turns),
            "input": report.failure.case.input,
        }
    return told


class CompileError(LudotecaError):
    """A submission that does not compile; the message is what the compiler says, in one line."""


def compiled(submission: Path, command: str, scratch: Path) -> list[str]:
    """The program that the command makes of a submission, in the sandbox. Raises CompileError, FaultError.

    It is compiled from a copy, beside which there is nothing: no submission can include another one.
    """
    with tempfile.TemporaryDirectory(prefix="ludoteca-judge-") as alone:
        copy = Path(alone, submission.name)
        try:
            if submission.is_dir():
                shutil.copytree(submission, copy, symlinks=True, ignore=not_plain)
            else:
                shutil.copy2(submission, copy)
        except OSError as error:
            raise FaultError(Fault.MISSING, f"{submission.name} cannot be read: {error}") from error
        with Box(("/bin/sh",), COMPILING, Path(alone)) as box:
            folder = box.inside(copy if submission.is_dir() else copy.parent)
            sources = [path for path in files_of(copy) if path.suffix in SOURCES] or files_of(copy)
            places = {
                "{source}": " ".join(shlex.quote(str(box.inside(path))) for path in sources),
                "{folder}": shlex.quote(str(folder)),
                "{program}": "./program",
            }
            for place, stands_for in places.items():
                command = command.replace(place, stands_for)
            run = box.run(b"", command=("/bin/sh", "-c", f"{{ {command}\n}} >&2 && cat ./program"))
    if run.fault is not None or run.status != 0 or not run.output:
        said = run.errors[-ERRORS:].decode("utf-8", "replace").replace(f"{folder}/", "").strip()
        raise CompileError(escaped(run.detail or said or f"exit status {run.status}, and no program"))
    program = scratch / "program"
    program.write_bytes(run.output)
    program.chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    scratch.chmod(0o755)
    return [str(program)]


def executable_of(submission: Path, scratch: Path) -> Path:
    """The submission itself, or the only program in its folder. Raises FaultError.

    A program may read what lies beside it, so a file that can be run is copied: no submission can run another one.
    """
    if not submission.is_dir():
        if submission.is_symlink() or not os.access(submission, os.R_OK | os.X_OK):
            return submission.absolute()
        scratch.chmod(0o755)
        return Path(shutil.copy2(submission, scratch))
    found = [path for path in files_of(submission) if os.access(path, os.X_OK)]
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise FaultError(Fault.MISSING, f"expected one executable file in {submission.name}: there is {names}")
    return found[0].absolute()
