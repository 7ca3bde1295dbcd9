"""`ludoteca judge GAME [PART] -- PROGRAM`: test a program against the document that it implements."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import click

from ludoteca.cli.files import write_file
from ludoteca.cli.options import COUNT, FILE, Duration, GameName, SeedNumber, Size
from ludoteca.cli.progress import progress
from ludoteca.cli.sandbox import warn_of_sandbox
from ludoteca.cli.settings import Json, Language, NotIsolated, Setting, SettingsCommand, usual_language
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted

if TYPE_CHECKING:  # NumPy and the judge, which wrong options do not need
    from ludoteca.core.judging import Case, Part
    from ludoteca.judge.classes import Task
    from ludoteca.judge.reports import Words
    from ludoteca.judge.submissions import Submission

CLOCK_FACTOR: Final = 4
CLOCK_EXTRA_SECONDS: Final = 10.0
"""The limit on the clock is CLOCK_FACTOR times that of processor time, plus CLOCK_EXTRA_SECONDS, for busy machines."""
CHECKER_SEED: Final = 1
"""The default seed of a checker's cases, which students can read. It differs from that of the cases for marks."""
SEED_HELP: Final = f"the same seed gives the same cases  [default: 0; of a checker {CHECKER_SEED}]"
FORM_HELP: Final = "the form of the input, for parts with several: --list names them"
HTML_HELP: Final = "write the report to this page; with --all, an index and a page for each submission to this folder"
EXPORT_HELP: Final = (
    "write the cases to a new folder, for another judge (mooshak, domjudge, vpl), or to a new file, as a "
    "checker for students (checker). Students can read the cases of a checker, so marks need another --seed"
)
DECISIONS_HELP: Final = "also ask what the document leaves open. The report shows the results apart, and they do not count"
LANGUAGES_HELP: Final = (
    'instead of --compile: a TOML file with the words of a command for each file extension, such as ".c" = ["gcc", ...]'
)


@dataclass(frozen=True)
class JudgeSettings:
    """The options of `ludoteca judge`."""

    cases: Annotated[int | None, Setting("the number of cases  [default: enough to cover the document]", COUNT)] = None
    seed: Annotated[int | None, Setting(SEED_HELP, SeedNumber())] = None
    time: Annotated[float, Setting("limit of a case: processor time", Duration())] = 5.0
    memory: Annotated[int, Setting("limit of a case: memory", Size())] = 1 << 30
    output: Annotated[int, Setting("limit of a case: output", Size())] = 8 << 20
    language: Language = None
    json: Json = False
    html: Annotated[Path | None, Setting(HTML_HELP)] = None
    export: Annotated[tuple[str, str] | None, Setting(EXPORT_HELP, metavar="KIND PATH")] = None
    all: Annotated[Path | None, Setting("judge each file, folder and zip archive in this folder", metavar="DIR")] = None
    csv: Annotated[Path | None, Setting("with --all: write a row for each submission", metavar="FILE")] = None
    not_isolated: NotIsolated = False
    compile: Annotated[str, Setting("with --all: make {program} from {source}", metavar="COMMAND")] = ""
    languages: Annotated[Path | None, Setting(LANGUAGES_HELP, FILE)] = None
    compile_time: Annotated[float, Setting("limit of compiling a submission, on the clock", Duration())] = 120.0
    form: Annotated[str, Setting(FORM_HELP, metavar="NAME")] = ""
    ignore_blanks: Annotated[bool, Setting("accept an output with other blanks and line ends")] = False
    decisions: Annotated[bool, Setting(DECISIONS_HELP)] = False
    list: Annotated[bool, Setting("list the parts, the rules that cases test, and the source of each rule")] = False


@click.command(name="judge", cls=SettingsCommand, settings=JudgeSettings)
@click.argument("game", type=GameName())
@click.argument("words", nargs=-1, metavar="[PART] -- PROGRAM [ARGUMENTS]...")
def command(game: str, words: tuple[str, ...], settings: JudgeSettings) -> None:
    """Mark a program that implements a document of GAME.

    The program gets cases that are made from the rules. Its whole output is compared with the right one. The exit status of
    this command is 0 only for Accepted.
    """
    spec = registry.find(game)
    if settings.compile and settings.languages:
        raise click.UsageError("--compile and --languages exclude each other")
    if settings.decisions and (settings.export or (settings.all and not settings.html)):
        raise click.UsageError("--decisions needs a program, or --all and --html")
    _judge(spec, words, settings)


def _judge(spec: GameSpec, words: tuple[str, ...], settings: JudgeSettings) -> None:
    """Judge a program or a class, export the cases, or list the parts, as the options ask. Leave with the exit status.

    Raises LudotecaError if an option has a wrong value, if the program cannot be run, or if a file cannot be read or
    written.
    """
    from ludoteca.arena.programs.limits import Limits
    from ludoteca.core.judging import Options, part_of
    from ludoteca.judge import compilers
    from ludoteca.judge.classes import Task
    from ludoteca.judge.reports import Words

    texts = Words(spec, settings.language or usual_language())
    if settings.list:
        say("\n".join(_listed(spec, texts)))
        return
    name, program = _chosen(spec, words)
    options = Options(settings.form, settings.ignore_blanks)
    part = part_of(spec, name, options)
    clock = CLOCK_FACTOR * settings.time + CLOCK_EXTRA_SECONDS
    limits = Limits(cpu=settings.time, move=clock, memory=settings.memory, output=settings.output)
    if settings.languages:
        compiler = compilers.read_languages(settings.languages, settings.compile_time)
    else:
        compiler = compilers.compiler_with(settings.compile, settings.compile_time)
    task = Task(spec.name, name, (), limits, compiler, texts.language, options, settings.not_isolated)
    request = _Request(spec, part, settings, settings.seed or 0, texts, task)
    if program and (settings.export or settings.all):
        raise click.UsageError(f"read {program[0]}: --export and --all take no program")
    if settings.export:
        _export(request, *settings.export)
    elif settings.all and settings.csv:
        _judge_class(request, settings.all, settings.csv)
    elif settings.all or settings.csv or compiler.commands:
        raise click.UsageError("--all needs --csv, and --csv, --compile and --languages need --all")
    else:
        _judge_one(request, program)


class _Request(NamedTuple):
    """The settings of the command, and the objects made from them."""

    spec: GameSpec
    part: "Part"
    settings: JudgeSettings
    seed: int
    texts: "Words"
    task: "Task"
    """The settings for judging the submissions of a class, without the cases."""

    def cases(self) -> "tuple[Case, ...]":
        from ludoteca.judge.making import make_cases

        with progress("Making cases", remaining=True) as watch:
            return tuple(make_cases(self.part, self.seed, self.settings.cases, watch))

    def decided(self) -> "dict[str, tuple[Case, ...]]":
        from ludoteca.judge.making import make_decisions

        return make_decisions(self.part, self.seed) if self.settings.decisions else {}

    def task_for(self, every: "list[Submission]") -> "Task":
        """Return the task with its cases. `every` are the submissions of the class. Raises LudotecaError if no submission
        can be compiled or run.
        """
        from ludoteca.core.judging import Case
        from ludoteca.judge import compilers

        compilers.check_class(self.part, self.task.compiler, every, self.task.language)
        self.part.command(["program"], Case((), ()))  # raises LudotecaError if its interpreter is missing
        return self.task._replace(cases=self.cases(), decided=self.decided())


def _judge_one(request: _Request, program: list[str]) -> None:
    from ludoteca.arena.programs.limits import FaultError
    from ludoteca.core.workers import cores
    from ludoteca.judge import judge, pages, programs, reports
    from ludoteca.judge.verdicts import Verdict

    page_file, limits = request.settings.html, request.task.limits
    if not program:
        raise ParameterError("program: expected a command after --")
    if page_file:
        write_file(page_file, b"")  # an error is reported before anything runs
    warn_of_sandbox(request.texts.language)
    with ExitStack() as stack:
        try:
            copies = [stack.enter_context(programs.Boxed(request.part, program, limits)) for _ in range(cores())]
        except FaultError as error:
            raise ParameterError(f"{program[0]}: {error.detail}") from None
        cases = request.cases()
        with progress("Judging", remaining=True, count=len(cases)) as watch:
            tested = judge.run_cases(request.part, cases, copies, limits, watch)
        with progress("Explaining the failures", measured=False):
            report = judge.explain(
                request.spec.name, request.task.part, request.part, tested, copies[0], limits, decided=request.decided()
            )
    if page_file:
        write_file(page_file, pages.page(report, request.texts).encode())
    if request.settings.json:
        say(json.dumps(reports.as_object(report, request.texts, program, request.seed), ensure_ascii=False))
    else:
        say("\n".join(reports.lines(report, request.texts)))
    sys.exit(0 if report.verdict == Verdict.ACCEPTED else 1)


def _export(request: _Request, kind: str, path: str) -> None:
    from ludoteca.judge.exports.checker import check_checkable
    from ludoteca.judge.exports.kinds import CHECKER, KINDS, holds, write_export
    from ludoteca.judge.exports.problem import Problem

    if kind not in KINDS:
        raise ParameterError(f"export: read {kind}, expected one of {', '.join(KINDS)}")
    task = request.task
    problem = Problem(request.spec, task.part, request.part, (), task.limits.cpu, task.limits.output, task.language)
    if kind == CHECKER:
        check_checkable(problem.title, request.part)
        if request.settings.seed is None:
            request = request._replace(seed=CHECKER_SEED)
    cases = request.cases()
    packed = tuple(case for case in cases if holds(kind, request.part, case))
    write_export(kind, problem._replace(cases=packed), Path(path))
    say(f"{path}: {counted(len(packed), 'case')}")
    if len(packed) < len(cases):
        say(f"left out, because this judge cannot run them: {counted(len(cases) - len(packed), 'case')}")
    if kind == CHECKER:
        say(f"students can read these cases, which have seed {request.seed}: use another --seed for marks")


def _judge_class(request: _Request, folder: Path, table: Path) -> None:
    from ludoteca.core.workers import cores
    from ludoteca.judge import classes, reports, submissions, tables
    from ludoteca.judge.verdicts import Verdict

    every = submissions.submissions(folder)  # an error is reported before cases are made
    warn_of_sandbox(request.texts.language, allowed=request.settings.not_isolated)
    tables.check_table(table, classes.columns_of(request.part))
    task = request.task_for(every)
    with progress("Judging", remaining=True, count=len(every)) as watch:
        rows = classes.judge_class(task, folder, table, cores(), watch, request.settings.html)
    counts, texts = Counter(row["verdict"] for row in rows), request.texts
    say("\n".join(f"{texts.say(reports.verdict_key(verdict))}: {counts[verdict]}" for verdict in Verdict if counts[verdict]))
    if counts[Verdict.UNJUDGED]:
        say(texts.say("unjudged"))
        sys.exit(1)


def _parts(spec: GameSpec) -> "dict[str, Part]":
    if not spec.has("judging"):
        judged = ", ".join(each.name for each in registry.registered_games() if each.has("judging"))
        raise LudotecaError(f"{spec.name} has no program that could be judged: there are {judged}")
    parts: dict[str, Part] = spec.module("judging").PARTS
    return parts


def _chosen(spec: GameSpec, words: tuple[str, ...]) -> tuple[str, list[str]]:
    """Return the name of the part of the document, and the command of the student's program, from the arguments.

    If the document defines only one program, the part has an empty name, and all words are the command. Otherwise the first
    word must be the name of a part, or ParameterError is raised.
    """
    parts = _parts(spec)
    if list(parts) == [""]:
        return "", list(words)
    if not words or words[0] not in parts:
        usage = f"ludoteca judge {spec.name} {next(iter(parts))} -- PROGRAM"
        raise ParameterError(f"{spec.name} has the programs {', '.join(parts)}: name one before --, such as {usage}")
    return words[0], list(words[1:])


def _listed(spec: GameSpec, words: "Words") -> Iterator[str]:
    from ludoteca.core.judging import DECISION, PUBLISHED

    for name, part in _parts(spec).items():
        yield f"{spec.title} {name}".rstrip()
        yield f"  {words.say(f'form.{part.form_source}')}"
        if part.forms:
            yield f"  {words.say('forms', ', '.join(part.forms))}"
        for branch in part.branches:
            yield f"  {words.branch(branch.key)} ({branch.key})"
            yield f"      {branch.section}: {words.quoted(branch.sentence)}"
            if branch.source == PUBLISHED:
                yield f"      {words.say('published')}"
            elif branch.source == DECISION:
                yield f"      {words.say('decision')}"
