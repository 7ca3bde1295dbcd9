"""A whole class: a table with a row for each submission, a page for each, and an index.

The result of each submission is stored in a file as soon as it is known. The table, the pages and the index are made from
these files at the end, so an interrupted run continues where it stopped.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec

from ludoteca.arena.programs.isolation import BoxError, check_isolation
from ludoteca.arena.programs.limits import FaultError, Limits
from ludoteca.core import registry
from ludoteca.core.judging import Branch, Case, Options, Part, part_of
from ludoteca.core.workers import Failed, ProcessPool
from ludoteca.judge.compilers import Compiler, program_of
from ludoteca.judge.judge import Report, explain, run_cases
from ludoteca.judge.pages import index, page, page_without_report
from ludoteca.judge.programs import Boxed
from ludoteca.judge.reports import Words
from ludoteca.judge.rules import sentences, tally
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.snapshots import SubmissionError
from ludoteca.judge.submissions import Submission, opened, submissions
from ludoteca.judge.tables import harmless, results_of, save_file, write_table
from ludoteca.judge.verdicts import Verdict

CLASS_EFFORT: Final = Effort(runs=40)
"""The effort to shorten a failing case of each submission."""
SANDBOX_TRIES: Final = 3
"""A submission is not judged if this many sandboxes in a row cannot be made."""
WAIT_SECONDS: Final = 1.0
"""Seconds before the next sandbox."""
MOST_NAME_BYTES: Final = 200
"""Bytes of a submission's name in the names of its files."""
COLUMNS: Final = (
    "submission",
    "verdict",
    "accepted",
    "cases",
    "failed",
    "mark",
    "highest",
    "kept",
    "not_reached",
    "rules",
    "why",
    "section",
    "sentence",
    "turns",
    "input",
    "seconds",
    "memory",
)

Row: TypeAlias = dict[str, str]
"""The values of a submission by column."""


class Judgement(msgspec.Struct, frozen=True):
    """The result of a submission, as its file stores it."""

    key: str
    """The digest of the files and the settings. Empty if the submission is to be judged again."""
    row: Row
    page: str


class Task(NamedTuple):
    """The settings for all submissions of a table, as plain data for other processes."""

    game: str
    part: str
    cases: tuple[Case, ...]
    limits: Limits
    compiler: Compiler
    language: str
    options: Options = Options()
    not_isolated: bool = False
    """True if submissions may run on a machine that does not isolate them."""
    decided: Mapping[str, tuple[Case, ...]] = {}
    """The cases that ask for decisions. Only pages show their results."""

    def key(self, submission: Submission) -> str:
        """Return a digest of the files, or of the reason to refuse them, and of the settings."""
        try:
            with opened(submission) as files:
                return self.key_of(files.digest())
        except SubmissionError as error:
            return self.key_of(error.text(self.language).encode())

    def key_of(self, digest: bytes) -> str:
        """Return the key for a digest of a submission's files."""
        columns = columns_of(part_of(registry.find(self.game), self.part, self.options))
        how = (self.game, self.part, self.limits, self.compiler, self.language, self.options, columns)
        seen = hashlib.sha256(msgspec.json.encode(how))
        for case in chain(self.cases, *self.decided.values()):
            seen.update(repr((case.arguments, case.input, case.output, sorted(case.files.items()))).encode())
        seen.update(digest)
        return seen.hexdigest()[:16]


def columns_of(part: Part) -> tuple[str, ...]:
    """Return the columns of a table: the fixed ones, one for each subject of the cases, and one for each rule."""
    first = COLUMNS.index("failed") + 1
    return (*COLUMNS[:first], *part.subjects, *COLUMNS[first:], *rule_columns(part))


def rule_columns(part: Part) -> dict[str, Branch]:
    """Return the columns with the statuses of rules, each with the first branch of the rule."""
    return {f"rule.{branches[0].key}": branches[0] for branches in sentences(part).values()}


def judge_class(
    task: Task,
    folder: Path,
    table: Path,
    workers: int,
    watch: Callable[[float], None] = lambda _: None,
    pages: Path | None = None,
) -> list[Row]:
    """Judge every submission in the folder and write the table. Return its rows in the order of the submissions.

    The result of a submission is stored as soon as it is known. Results of an earlier run are used again if neither the
    files nor the settings have changed. With `pages`, that folder gets a page for each submission and an index. Raises
    TableError if the folder has no submissions, or if a file cannot be written. Call `check_table` first.
    """
    every = submissions(folder)
    files = {each.name: results_of(table) / f"{_file_name(each.name)}.json" for each in every}
    done = [each for each in every if files[each.name].exists()]
    found = {each.name: kept for each in done if (kept := _kept(files[each.name], task.key(each)))}
    watch(len(found) / len(every))
    for (name, _), judgement in judgements(task, [each for each in every if each.name not in found], workers):
        found[name] = judgement
        save_file(files[name], msgspec.json.encode(judgement).decode())
        watch(len(found) / len(every))
    rows, spec = [found[each.name].row for each in every], registry.find(task.game)
    part = part_of(spec, task.part, task.options)
    write_table(table, columns_of(part), rows)
    if pages:
        places = {each.name: f"pages/{_file_name(each.name)}.html" for each in every}
        for name, place in places.items():
            save_file(pages / place, found[name].page)
        save_file(pages / "index.html", index(task.part, rows, places, rule_columns(part), Words(spec, task.language)))
    return rows


def _kept(file: Path, key: str) -> Judgement | None:
    """Return the judgement in a file if it has this key. A file that was not written to its end has none."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Judgement)
    except msgspec.DecodeError:
        return None
    return found if found.key == key else None


def judgements(task: Task, every: Sequence[Submission], workers: int) -> Iterator[tuple[Submission, Judgement]]:
    """Judge submissions in several processes. Yield each with its judgement as soon as it is finished."""
    with ProcessPool(judging, task, workers) as pool:
        for number, result in pool.completed(every):
            if isinstance(result, Failed):
                result = _without_report(task, every[number].name, "", Verdict.UNJUDGED, result.why)
            yield every[number], result


@contextmanager
def judging(task: Task) -> Iterator[Callable[[Submission], Judgement]]:
    """Give the function that judges one submission."""
    check_isolation(task.language, allowed=task.not_isolated)  # bubblewrap may work for one process and fail for the next
    spec = registry.find(task.game)
    part = part_of(spec, task.part, task.options)
    words = Words(spec, task.language)

    def judged(submission: Submission) -> Judgement:
        name, key, tried = submission.name, "", 0
        while True:
            try:
                with opened(submission) as files:
                    key = task.key_of(files.digest())  # of the files that are judged
                    program = [str(program_of(files, part, task.compiler))]
                    with Boxed(part, program, task.limits, files.folder) as boxed:
                        tested = run_cases(part, task.cases, [boxed], task.limits, lambda _: None)
                        report = explain(task.game, task.part, part, tested, boxed, task.limits, CLASS_EFFORT, task.decided)
                return Judgement(key, _row(task, name) | cells_of(report, words), page(report, words, name))
            except SubmissionError as error:
                why = error.text(task.language)
                return _without_report(task, name, key or task.key_of(why.encode()), error.verdict, why)
            except FaultError:
                return _without_report(task, name, key, Verdict.MISSING, words.say("program.unfit", name))
            except BoxError:
                tried += 1
                if tried == SANDBOX_TRIES:
                    raise
                time.sleep(WAIT_SECONDS)

    yield judged


def _row(task: Task, name: str) -> Row:
    part = part_of(registry.find(task.game), task.part, task.options)
    none = dict.fromkeys(("accepted", "mark", "highest", "kept", "not_reached"), "0")
    return dict.fromkeys(columns_of(part), "") | none | {"submission": name, "cases": str(len(task.cases))}


def _without_report(task: Task, name: str, key: str, verdict: Verdict, why: str) -> Judgement:
    words = Words(registry.find(task.game), task.language)
    row = _row(task, name) | {"verdict": verdict, "why": harmless(why)}
    return Judgement(key, row, page_without_report(task.part, verdict, why, words, name))


def cells_of(report: Report, words: Words) -> Row:
    """Return the cells of a report in the table of a class. A choice of sentences is one cell."""
    found = tally(report.rules, report.verdict)
    answers = [result.answer for result in report.results if result is not None]
    failed = (number for number, result in enumerate(report.results, 1) if result and result.verdict != Verdict.ACCEPTED)
    cells = {
        "verdict": str(report.verdict),
        "accepted": str(report.accepted),
        "failed": " ".join(map(str, failed)),
        "seconds": f"{max(answer.cpu for answer in answers):.3f}",
        "memory": str(max(answer.memory for answer in answers)),
        # no "2/3", which a spreadsheet takes for a date
        **{subject: f"{right} of {number}" for subject, (right, number) in report.subjects.items()},
        "mark": found.mark,
        "highest": found.highest,
        "kept": str(found.kept),
        "not_reached": str(found.not_reached),
        "rules": str(found.tested),
        **{f"rule.{rule.branches[0].key}": str(rule.status) for rule in report.rules},
    }
    if report.failure:
        branches = report.failure.cause.branches  # several if none of them leads
        cells |= {
            "why": words.words(report.failure.result.why),
            "section": " / ".join(dict.fromkeys(branch.section for branch in branches)),
            "sentence": " / ".join(branch.sentence for branch in branches),
            "turns": str(report.failure.case.turns),
            "input": report.failure.case.input,
        }
    return cells


def _file_name(name: str) -> str:
    """Return the name of a submission, shortened for the names of files."""
    short = name.encode()[:MOST_NAME_BYTES].decode(errors="ignore")
    return name if short == name else f"{short}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"
