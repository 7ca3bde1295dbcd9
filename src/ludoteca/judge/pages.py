"""The report as one HTML page that needs nothing else: no script, no network."""

from collections.abc import Iterator
from html import escape
from typing import Final

from ludoteca.core.judging import Branch, Part
from ludoteca.core.messages import counted
from ludoteca.core.words import escaped
from ludoteca.judge.judge import Failure, Report
from ludoteca.judge.reports import Words, before, input_until, subject_lines, verdict_key
from ludoteca.judge.rules import EQUAL, Status, Weights
from ludoteca.judge.verdicts import Verdict, text_of

STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.right { color: #146c2e; } .wrong { color: #b3261e; }
@media (prefers-color-scheme: dark) { .right { color: #7edb95; } .wrong { color: #ffb4ab; } }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: .4rem; line-height: 1.25; }
blockquote { margin: .5rem 0; padding: .25rem 1rem; border-left: .25rem solid #8888; font-style: italic; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem; border-bottom: 1px solid #8884; text-align: left; }
td.number, th.number { text-align: right; }
mark { border-radius: .15rem; }
"""


def page(report: Report, words: Words, weights: Weights = EQUAL) -> str:
    """Return the whole page."""
    title = words.say("html.title", f"{words.spec.title} {report.part}".rstrip(), words.say(verdict_key(report.verdict)))
    kind = "right" if report.verdict == Verdict.ACCEPTED else "wrong"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{words.language}">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title><style>{STYLE}</style></head>",
            "<body><main>",
            f'<h1 class="{kind}">{escape(title)}</h1>',
            _p(words.say("accepted", report.accepted, words.words(counted("case", len(report.cases))))),
            *([_list(subject_lines(report, words))] if report.subjects else []),
            _p(words.say("isolation", report.isolation)),
            *(_failure(report.failure, words, words.spec.module("judging").PARTS[report.part]) if report.failure else ()),
            *_others(report, words),
            *_rules(report, words, weights),
            *_cases(report, words),
            "</main></body></html>",
            "",
        ]
    )


def _failure(failure: Failure, words: Words, part: Part) -> Iterator[str]:
    case, result = failure.case, failure.result
    yield f"<h2>{escape(words.say('failed', failure.number, words.why(result)))}</h2>"
    if failure.runs:
        turns, runs = words.words(counted("turn", case.turns)), words.words(counted("run", failure.runs))
        yield _p(words.say("shrunk", turns, runs))
    if branch := failure.cause.branch:
        yield from _quoted(branch, words)
    if case.arguments:
        yield _p(words.say("arguments", " ".join(case.arguments)))
    for name, content in case.files.items():
        yield _p(words.say("file", name)) + _pre(content)
    yield _p(words.say("input"))
    if result.difference is None:
        yield f"<pre>{_glossed(case.input, part)}</pre>"
        if result.verdict == Verdict.WRONG:
            yield _p(words.say("printed"))
            yield f"<pre>{_glossed(text_of(result.answer.output), part)}</pre>"
    else:
        read = input_until(case, result.difference)
        last = case.steps[result.difference.step].input
        marked = f"<mark>{_glossed(last, part)}</mark>"
        yield f"<pre>{_glossed(read.removesuffix(last), part)}{marked}{_glossed(case.input[len(read) :], part)}</pre>"
        yield _p(words.say("line", result.difference.line))
        shown = "\n".join(before(case, result.difference))
        yield _pre(shown) if shown else ""
        yield "<table>"
        for label, line in (("expected", result.difference.expected), ("got", result.difference.got)):
            text = f"<em>{escape(words.absent(line))}</em>" if not line else _marked(line, result.difference.column)
            gloss = _in_brackets(part.gloss(line or ""))
            yield f"<tr><th>{escape(words.say(label))}</th><td><pre>{text}{gloss}</pre></td></tr>"
        yield "</table>"
    errors = result.answer.errors.decode("utf-8", "backslashreplace")
    if errors:
        yield _p(words.say("errors")) + _pre(errors)


def _quoted(branch: Branch, words: Words) -> Iterator[str]:
    yield _p(words.say("sentence", branch.section))
    yield f'<blockquote lang="{words.spec.language}">{escape(words.quoted(branch.sentence))}</blockquote>'


def _others(report: Report, words: Words) -> Iterator[str]:
    for failure in report.failures[1:]:
        if branch := failure.cause.branch:
            yield _p(words.say("also", failure.number))
            yield from _quoted(branch, words)


def _rules(report: Report, words: Words, weights: Weights) -> Iterator[str]:
    yield f"<h2>{escape(words.mark(report, weights))}</h2><table>"
    for rule in report.rules:
        kind = {Status.KEPT: "right", Status.BROKEN: "wrong"}.get(rule.status, "")
        sentence = f'<td colspan="2" class="{kind}">{escape(words.status(rule))}</td>'
        yield f"<tr>{sentence}</tr>"
        for branch in rule.branches:
            cases = words.words(counted("case", report.coverage[branch.key]))
            yield f'<tr><td>{escape(words.branch(branch.key))}</td><td class="number">{escape(cases)}</td></tr>'
    yield "</table>"


def _cases(report: Report, words: Words) -> Iterator[str]:
    yield f"<h2>{escape(words.say('html.cases'))}</h2><table>"
    for number, (case, result) in enumerate(zip(report.cases, report.results, strict=True), 1):
        verdict = words.say("html.not_run") if result is None else words.say(verdict_key(result.verdict))
        kind = "right" if result is not None and result.verdict == Verdict.ACCEPTED else "wrong"
        seconds = "" if result is None else f"{result.answer.cpu:.3f} {words.say('html.seconds')}"
        turns = words.words(counted("turn", case.turns))
        why = "" if result is None else words.why(result)
        yield (
            f'<tr><td class="number">{number}</td><td class="{kind}">{escape(verdict)}</td><td>{escape(why)}</td>'
            f'<td class="number">{escape(turns)}</td><td class="number">{escape(seconds)}</td></tr>'
        )
    yield "</table>"


def _p(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _list(items: Iterator[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"


def _pre(text: str) -> str:
    return f"<pre>{_safe(text)}</pre>"


def _safe(text: str) -> str:
    """A text of several lines; what is not printable is escaped."""
    return escape("\n".join(map(escaped, text.split("\n"))))


def _glossed(text: str, part: Part) -> str:
    """Lines, each with what the part says after it."""
    return "\n".join(_safe(line) + _in_brackets(part.gloss(line)) for line in text.split("\n"))


def _in_brackets(gloss: str) -> str:
    return f"   <small>({escape(gloss)})</small>" if gloss else ""


def _marked(line: str, column: int) -> str:
    """A line with what differs marked; blanks at its end are dots there."""
    rest = line[column:]
    plain = rest.rstrip(" ")
    return f"{_safe(line[:column])}<mark>{_safe(plain)}{'·' * (len(rest) - len(plain))}</mark>"
