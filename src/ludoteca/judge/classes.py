"""Judges a whole class. The result is a table with a row for each submission, and if wanted a web page for each submission
and an index of these pages.

The result of each submission is stored in a file as soon as it is known. The table and the pages are made from these files
at the end, so that an interrupted run can continue.
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
"""How many runs of the program may be used to find a shorter failing case, for each submission."""
SANDBOX_TRIES: Final = 3
"""The run of the class ends with an error if this many sandboxes in a row cannot be made for a submission."""
WAIT_SECONDS: Final = 1.0
"""Seconds to wait after a sandbox could not be made."""
MOST_NAME_BYTES: Final = 200
"""The most bytes of a submission's name that are used in the names of its files."""
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
    """The result of a submission, in the form in which a file stores it."""

    key: str
    """A digest of the submission's files and the settings. Empty if the result may not be used by a later run."""
    row: Row
    page: str


class Task(NamedTuple):
    """The settings with which all submissions of a class are judged. They can be sent to other processes."""

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
    """The cases that test decisions which the document leaves open, by the decision's key. Only pages show their results."""

    def key(self, submission: Submission) -> str:
        """Return a digest of the settings and of the submission's files, or of the reason for which the files
        are refused.
        """
        try:
            with opened(submission) as files:
                return self.key_of(files.digest())
        except SubmissionError as error:
            return self.key_of(error.text(self.language).encode())

    def key_of(self, digest: bytes) -> str:
        """Return a digest of the settings and of `digest`, the digest of a submission's files."""
        columns = columns_of(part_of(registry.find(self.game), self.part, self.options))
        how = (self.game, self.part, self.limits, self.compiler, self.language, self.options, columns)
        seen = hashlib.sha256(msgspec.json.encode(how))
        for case in chain(self.cases, *self.decided.values()):
            seen.update(repr((case.arguments, case.input, case.output, sorted(case.files.items()))).encode())
        seen.update(digest)
        return seen.hexdigest()[:16]


def columns_of(part: Part) -> tuple[str, ...]:
    """Return the columns of a class's table: the fixed columns, one for each subject (a kind of cases, such as a predicate),
    and one for each rule (a sentence with its branches).
    """
    first = COLUMNS.index("failed") + 1
    return (*COLUMNS[:first], *part.subjects, *COLUMNS[first:], *rule_columns(part))


def rule_columns(part: Part) -> dict[str, Branch]:
    """Return the names of the columns that show whether a rule is kept, each with the first branch of the rule."""
    return {f"rule.{branches[0].key}": branches[0] for branches in sentences(part).values()}


def judge_class(
    task: Task,
    folder: Path,
    table: Path,
    workers: int,
    watch: Callable[[float], None] = lambda _: None,
    pages: Path | None = None,
) -> list[Row]:
    """Judge every submission in `folder` with `workers` processes, and write the table to the file `table`. Return the rows
    in the order of the submissions. `watch` is called with the finished share, from 0 to 1.

    The result of a submission is stored as soon as it is known. Results of an earlier run are used if neither the files nor
    the settings have changed. If `pages` is given, a page for each submission and an index are written to this folder.
    Raises TableError if the folder has no submissions, or if a file cannot be written. Call `check_table` first.
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
    """Return the judgement that a file contains, if it has this key. Return None if it has another key, or if writing the
    file was interrupted.
    """
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Judgement)
    except msgspec.DecodeError:
        return None
    return found if found.key == key else None


def judgements(task: Task, every: Sequence[Submission], workers: int) -> Iterator[tuple[Submission, Judgement]]:
    """Judge submissions in `workers` processes. Yield each submission with its judgement when it is finished."""
    with ProcessPool(judging, task, workers) as pool:
        for number, result in pool.completed(every):
            if isinstance(result, Failed):
                result = _without_report(task, every[number].name, "", Verdict.UNJUDGED, result.why)
            yield every[number], result


@contextmanager
def judging(task: Task) -> Iterator[Callable[[Submission], Judgement]]:
    """Yield the function that judges one submission."""
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
    """Return the values of a report for the row of a submission in the table. If several sentences may be the cause of the
    failure, one cell has all of them.
    """
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
