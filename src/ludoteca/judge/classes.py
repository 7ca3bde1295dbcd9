"""A whole class at once: a table with one row a submission, that goes on where it was when it is broken off."""

import hashlib
import multiprocessing
import tempfile
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ludoteca.arena.faults import FaultError
from ludoteca.arena.limits import Limits
from ludoteca.core import registry
from ludoteca.core.judging import Case, Options, part_of
from ludoteca.judge.causes import Effects
from ludoteca.judge.judge import Report, judge
from ludoteca.judge.programs import Boxed
from ludoteca.judge.reports import Words
from ludoteca.judge.rules import EQUAL, Status, Weights, mark
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.submissions import CompileError, compiled, executable_of, files_of, submissions
from ludoteca.judge.tables import Table, harmless
from ludoteca.judge.verdicts import Verdict

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


def judge_class(
    task: Task, folder: Path, table: Table, workers: int, watch: Callable[[float], None] = lambda _: None
) -> list[dict[str, str]]:
    """Judge every submission in the folder and write the table; return its rows, in the order of the submissions.

    A row is written when it is finished. Rows of the same files, judged in the same way, are kept from an earlier run.
    Raises TableError if the folder is empty or the table has other columns.
    """
    every = {harmless(path.name): path for path in submissions(folder)}
    keys = {name: task.key(path) for name, path in every.items()}
    before = {row["submission"]: row for row in table.begin(columns_of(task))}
    rows = {name: before[name] for name, key in keys.items() if name in before and before[name]["key"] == key}
    table.replace(rows.values())
    watch(len(rows) / len(every))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        left = {pool.submit(_row, task, path, keys[name]) for name, path in every.items() if name not in rows}
        try:
            while left:
                done, left = wait(left, return_when=FIRST_COMPLETED)
                for each in done:
                    row = each.result()
                    rows[row["submission"]] = row
                    table.append(row)
                    watch(len(rows) / len(every))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    ordered = [rows[name] for name in every]
    table.replace(ordered)
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
