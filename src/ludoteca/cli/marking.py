"""The work of `ludoteca judge`."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

import click

from ludoteca.arena.programs.limits import FaultError, Limits
from ludoteca.cli.files import write_file
from ludoteca.cli.judge import CHECKER_SEED, JudgeSettings
from ludoteca.cli.progress import progress
from ludoteca.cli.settings import usual_language
from ludoteca.cli.streams import say
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.judging import DECISION, PUBLISHED, Case, Options, Part, part_of
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import counted
from ludoteca.core.workers import cores
from ludoteca.judge.causes import Effects
from ludoteca.judge.classes import Task, columns_of, judge_class, judgements
from ludoteca.judge.compilers import check_class, check_commands, compiler_with, read_languages
from ludoteca.judge.exports.checker import check_checkable
from ludoteca.judge.exports.kinds import CHECKER, KINDS, holds, write_export
from ludoteca.judge.exports.problem import Problem
from ludoteca.judge.judge import explain, run_cases
from ludoteca.judge.making import make_cases
from ludoteca.judge.pages import page
from ludoteca.judge.programs import Boxed
from ludoteca.judge.reports import Words, as_object, lines, verdict_key
from ludoteca.judge.rules import EQUAL, read_weights
from ludoteca.judge.shrinking import Effort
from ludoteca.judge.submissions import submissions
from ludoteca.judge.tables import Table
from ludoteca.judge.verdicts import Verdict

CLOCK_FACTOR: Final = 4
CLOCK_EXTRA_SECONDS: Final = 10.0
"""The limit on the clock is CLOCK_FACTOR times that of processor time, plus CLOCK_EXTRA_SECONDS, for busy machines."""


def run(spec: GameSpec, words: tuple[str, ...], settings: JudgeSettings) -> None:
    """Judge, export or list as the options ask, and leave with the exit status. Raises ParameterError."""
    texts = Words(spec, settings.language or usual_language())
    if settings.list:
        say("\n".join(_listed(spec, texts)))
        return
    name, program = _chosen(spec, words)
    options = Options(settings.cards or ("contest" if settings.contest else ""), settings.ignore_blanks)
    part = part_of(spec, name, options)
    weights = read_weights(settings.weights, part) if settings.weights else EQUAL
    clock = CLOCK_FACTOR * settings.time + CLOCK_EXTRA_SECONDS
    limits = Limits(cpu=settings.time, move=clock, memory=settings.memory, output=settings.output)
    if settings.languages:
        compiler = read_languages(settings.languages, settings.compile_time)
    else:
        compiler = compiler_with(settings.compile, settings.compile_time)
    task = Task(spec.name, name, (), limits, compiler, texts.language, options, weights)
    request = _Request(spec, part, settings, settings.seed or 0, texts, task)
    if program and (settings.export or settings.all or settings.mutants):
        raise click.UsageError(f"read {program[0]}: --export, --all and --mutants take no program")
    if settings.export:
        _export(request, *settings.export)
    elif settings.mutants:
        _find_mutants(request, settings.mutants)
    elif settings.all and settings.csv:
        _judge_class(request, settings.all, settings.csv)
    elif settings.all or settings.csv or compiler.commands:
        raise click.UsageError("--all needs --csv, --csv needs --all, and --compile and --languages need --all or --mutants")
    else:
        _judge_one(request, program)


class _Request(NamedTuple):
    """The command's settings, and the objects that they describe."""

    spec: GameSpec
    part: Part
    settings: JudgeSettings
    seed: int
    texts: Words
    task: Task
    """The task without its cases."""

    def cases(self) -> tuple[Case, ...]:
        with progress("Making cases", remaining=True) as watch:
            return tuple(make_cases(self.part, self.seed, self.settings.cases, watch))

    def whole_task(self) -> Task:
        self.part.command(["program"], Case((), ()))  # raises LudotecaError if its interpreter is missing
        return self.task._replace(cases=self.cases())


def _judge_one(request: _Request, program: list[str]) -> None:
    page_file, limits, weights = request.settings.html, request.task.limits, request.task.weights
    if not program:
        raise ParameterError("program: expected a command after --")
    if page_file:
        write_file(page_file, b"")  # an error is reported before anything runs
    with ExitStack() as stack:
        try:
            copies = [stack.enter_context(Boxed(request.part, program, limits)) for _ in range(cores())]
        except FaultError as error:
            raise ParameterError(f"{program[0]}: {error.detail}") from None
        cases = request.cases()
        with progress("Judging", remaining=True, count=len(cases)) as watch:
            tested = run_cases(request.part, cases, copies, limits, watch)
        with progress("Explaining the failures", measured=False):
            known = Effects(request.spec, request.part, cases)
            report = explain(request.task.part, known, tested, copies[0], limits)
    if page_file:
        write_file(page_file, page(report, request.texts, weights).encode())
    if request.settings.json:
        say(json.dumps(as_object(report, request.texts, program, request.seed, weights), ensure_ascii=False))
    else:
        say("\n".join(lines(report, request.texts, weights)))
    sys.exit(0 if report.verdict == Verdict.ACCEPTED else 1)


def _export(request: _Request, kind: str, path: str) -> None:
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
    every = submissions(folder)  # an error is reported before cases are made
    check_commands(request.task.compiler)
    with Table(table, columns_of(request.part)) as file:
        check_class(request.part, request.task.compiler, every, request.task.language)
        task = request.whole_task()
        with progress("Judging", remaining=True, count=len(every)) as watch:
            rows = judge_class(task, folder, file, cores(), watch, request.settings.html)
    counts, texts = Counter(row["verdict"] for row in rows), request.texts
    say("\n".join(f"{texts.say(verdict_key(verdict))}: {counts[verdict]}" for verdict in Verdict if counts[verdict]))
    if counts[Verdict.UNJUDGED]:
        say(texts.say("unjudged"))
        sys.exit(1)


def _find_mutants(request: _Request, folder: Path) -> None:
    """Print the cases that find each wrong program. The exit status is 0 only if each is found."""
    found = submissions(folder)
    check_commands(request.task.compiler)
    check_class(request.part, request.task.compiler, found, request.task.language)
    task = request.whole_task()._replace(effort=Effort(runs=0))
    rows = {}
    with progress("Judging", remaining=True, count=len(found)) as watch:
        for each, judgement in judgements(task, found, cores()):
            rows[each] = judgement.row
            watch(len(rows) / len(found))
    for each in found:
        row, texts = rows[each], request.texts
        if failed := row["failed"].split():
            told = texts.say("found", len(failed), row["cases"], ", ".join(failed))
        elif row["verdict"] == Verdict.ACCEPTED:
            told = texts.say("not_found")
        else:
            told = f"{texts.say(verdict_key(row['verdict']))}: {row['why']}"
        say(f"{each.name}: {told}")
    sys.exit(0 if all(row["failed"] for row in rows.values()) else 1)


def _parts(spec: GameSpec) -> dict[str, Part]:
    if not spec.has("judging"):
        judged = ", ".join(each.name for each in registry.games() if each.has("judging"))
        raise LudotecaError(f"{spec.name} has no program that could be judged: there are {judged}")
    parts: dict[str, Part] = spec.module("judging").PARTS
    return parts


def _chosen(spec: GameSpec, words: tuple[str, ...]) -> tuple[str, list[str]]:
    """Return the name of the part, and the program's command. Raises ParameterError."""
    parts = _parts(spec)
    if list(parts) == [""]:
        return "", list(words)
    if not words or words[0] not in parts:
        read = f"read {words[0]}, " if words else ""
        raise ParameterError(f"part: {read}expected one of {', '.join(parts)}")
    return words[0], list(words[1:])


def _listed(spec: GameSpec, words: Words) -> Iterator[str]:
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
