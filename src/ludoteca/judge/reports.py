"""Writes a report on a program in words, and as an object for JSON."""

from collections.abc import Iterator
from typing import Any, Final

from ludoteca.core.judging import Case, Part
from ludoteca.core.messages import Message, catalogue, counted, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.core.words import escaped
from ludoteca.judge.causes import Cause
from ludoteca.judge.judge import Failure, Report
from ludoteca.judge.rules import Status, tally
from ludoteca.judge.showing import failing_case
from ludoteca.judge.verdicts import Result, Verdict, text_of

QUOTES: Final = {"en": ("“", "”"), "ro": ("„", "”")}
"""The opening and closing quotation marks of languages that do not use « »."""


class Words:
    """The texts of the judge and of a game in one language. Sentences of the game's document are quoted and not
    translated.
    """

    def __init__(self, spec: GameSpec, language: str) -> None:
        self.spec = spec
        self.language = language
        packages = ("ludoteca.arena", "ludoteca.judge", spec.package)
        self._texts = {key: text for package in packages for key, text in catalogue(package, language).items()}

    def say(self, key: str, *arguments: Message) -> str:
        """Return a text of the judge."""
        return in_words((key, *arguments), self._texts)

    def words(self, message: Message) -> str:
        """Return a message in words."""
        return in_words(message, self._texts)

    def branch(self, key: str) -> str:
        """Return the name of a branch in words, or its key if the game's catalogue has no name for it."""
        return self._texts.get(f"branch.{key}", key)

    def mark(self, report: Report) -> str:
        """Return the mark in words, with the number of rules that the program keeps, and the number of rules that it does
        not reach.
        """
        found = tally(report.rules, report.verdict)
        said = self.say("marked", found.kept, found.tested, found.mark)
        return f"{said} {self.say('marked.open', found.not_reached, found.highest)}" if found.not_reached else said

    def quoted(self, sentence: str) -> str:
        """Return a sentence of the document in quotation marks."""
        opening, closing = QUOTES.get(self.language, ("«", "»"))
        return f"{opening}{sentence}{closing}"


def as_object(report: Report, words: Words, program: list[str], seed: int) -> dict[str, Any]:
    """Return the report as an object for JSON. `program` is the command and `seed` the seed of the cases. Verdicts are in
    English, other texts in the language of `words`.
    """
    found = tally(report.rules, report.verdict)
    subjects = {name: {"accepted": right, "cases": number} for name, (right, number) in report.subjects.items()}
    return {
        "game": report.game,
        "part": report.part,
        "program": program,
        "seed": seed,
        "verdict": report.verdict,
        "cases": len(report.cases),
        "accepted": report.accepted,
        **({"subjects": subjects} if subjects else {}),
        "isolation": words.words(report.isolation),
        "coverage": dict(report.coverage),
        "results": [_result(case, result, words) for case, result in zip(report.cases, report.results, strict=True)],
        "failure": report.failure and _failure(report.failure, words),
        "decisions": dict(report.decisions),
        "mark": float(found.mark),
        "highest": float(found.highest),
        "not_reached": found.not_reached,
        "rules": [
            {
                "branches": [branch.key for branch in rule.branches],
                "section": rule.branches[0].section,
                "sentence": rule.branches[0].sentence,
                "status": rule.status,
            }
            for rule in report.rules
        ],
    }


def _result(case: Case, result: Result | None, words: Words) -> dict[str, Any] | None:
    if result is None:
        return None
    answer = result.answer
    return {
        "verdict": result.verdict,
        "why": words.words(result.why),
        "turns": case.turns,
        "seconds": round(answer.cpu, 4),
        "clock": round(answer.seconds, 4),
        "memory": answer.memory,
        "status": answer.status,
    }


def _failure(failure: Failure, words: Words) -> dict[str, Any]:
    case, result = failure.case, failure.result
    sentences = [
        {"branch": branch.key, "section": branch.section, "sentence": branch.sentence} for branch in failure.cause.branches
    ]
    difference = result.difference
    return {
        "case": failure.number,
        "runs": failure.runs,
        **(_result(case, result, words) or {}),
        "arguments": list(case.arguments),
        "files": dict(case.files),
        "input": case.input,
        "expected": case.output,
        "got": text_of(result.answer.output).encode("utf-8", "backslashreplace").decode(),
        "errors": result.answer.errors.decode("utf-8", "backslashreplace"),
        "difference": difference
        and {
            "line": difference.line,
            "column": difference.column + 1,
            "input": case.steps[difference.step].input,
            "expected": difference.expected,
            "got": difference.got and escaped(difference.got),
        },
        "sentence": sentences[0] if len(sentences) == 1 else None,
        "choice": sentences if len(sentences) > 1 else [],
    }


def lines(report: Report, words: Words) -> Iterator[str]:
    """Yield the lines of the report."""
    name = f"{words.spec.title} {report.part}".rstrip()
    yield f"{name}: {words.say(verdict_key(report.verdict))}"
    yield words.say("accepted", report.accepted, counted("case", len(report.cases)))
    left_out = sum(result is None for result in report.results)
    if left_out:
        yield words.say("left_out", counted("case", left_out))
    for subject, (right, number) in report.subjects.items():
        yield f"  {words.say('subject', subject, right, number)}"
    yield words.say("isolation", report.isolation)
    if report.failure:
        yield ""
        yield from _failure_lines(report.failure, words, words.spec.module("judging").PARTS[report.part])
    for failure in report.failures[1:]:
        if failure.cause.branch:
            yield ""
            yield words.say("also", failure.number)
            yield from _quoted(failure.cause, words)
    yield ""
    yield words.mark(report)
    for rule in report.rules:
        cases = {branch.key: words.words(counted("case", report.coverage[branch.key])) for branch in rule.branches}
        covered = "; ".join(f"{words.branch(key)}: {number}" for key, number in cases.items())
        yield f"  {words.say(f'status.{rule.status}')}: {covered}"
        if rule.status in (Status.BROKEN, Status.NOT_REACHED):
            yield f"      {rule.branches[0].section}: {words.quoted(rule.branches[0].sentence)}"
    if report.decisions:
        yield ""
        yield words.say("decisions")
    for key, same in report.decisions.items():
        yield f"  {words.say('decision.same' if same else 'decision.other', words.branch(key))}"


def _failure_lines(failure: Failure, words: Words, part: Part) -> Iterator[str]:
    case, result = failure.case, failure.result
    yield words.say("failed", failure.number, result.why)
    if failure.runs:
        yield words.say("shrunk", counted("turn", case.turns), counted("run", failure.runs))
    if result.is_crash and result.is_silent:
        yield words.say("crash.silent")
    elif result.is_crash and result.difference and result.difference.step:
        yield words.say("crash.after", result.difference.step)
    yield from _quoted(failure.cause, words)
    printed = text_of(result.answer.output) if result.verdict == Verdict.WRONG else None
    errors = result.answer.errors
    yield from failing_case(
        words.say, case.arguments, case.files, case.steps, result.difference, printed, errors, part.gloss
    )


def _quoted(cause: Cause, words: Words) -> Iterator[str]:
    if len(cause.branches) > 1:
        yield words.say("choice")
    for branch in cause.branches:
        yield words.say("sentence", branch.section)
        yield f"  {words.quoted(branch.sentence)}"


def verdict_key(verdict: str) -> str:
    """Return the key of a verdict's name in the judge's catalogue."""
    return f"verdict.{verdict.lower().replace(' ', '_')}"
