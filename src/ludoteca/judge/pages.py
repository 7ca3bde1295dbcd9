"""Reports as HTML pages without scripts and without a network: one for each program, and an index of a class."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

from ludoteca.core.judging import Part
from ludoteca.core.markup import Html, document, element, table, text
from ludoteca.core.messages import counted
from ludoteca.core.words import escaped
from ludoteca.judge.causes import Cause
from ludoteca.judge.judge import Failure, Report
from ludoteca.judge.reports import Words, crash_lines, decision_lines, subject_lines, verdict_key
from ludoteca.judge.rules import Status
from ludoteca.judge.showing import before, read_until
from ludoteca.judge.verdicts import Verdict, text_of

STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.right { color: #146c2e; } .wrong { color: #b3261e; }
@media (prefers-color-scheme: dark) { .right { color: #7edb95; } .wrong { color: #ffb4ab; } a { color: #a8c7fa; } }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: .4rem; line-height: 1.25; }
blockquote { margin: .5rem 0; padding: .25rem 1rem; border-left: .25rem solid #8888; font-style: italic; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem; border-bottom: 1px solid #8884; text-align: left; }
.scroll { overflow-x: auto; } caption { text-align: left; }
td.number, th.number { text-align: right; }
mark { border-radius: .15rem; }
"""
LINE_END: Final = r"\n"
"""A line end in the message of a compiler, which is one line in tables."""
MOST_REASON_CHARACTERS: Final = 200
"""The largest number of characters of a reason in an index."""
KINDS: Final[Mapping[str, str]] = {Status.KEPT: "right", Status.BROKEN: "wrong", Verdict.ACCEPTED: "right"}


def page(report: Report, words: Words, submission: str = "") -> str:
    """Return the page of a program: the mark, the first failing case, all rules and all cases."""
    part = words.spec.module("judging").PARTS[report.part]
    return _document(
        words,
        words.say("html.title", _title(words, report.part), words.say(verdict_key(report.verdict))),
        submission,
        KINDS.get(report.verdict, "wrong"),
        _p(words.say("accepted", report.accepted, counted("case", len(report.cases)))),
        *([_list(subject_lines(report, words))] if report.subjects else []),
        _p(words.say("isolation", report.isolation)),
        *(_failure(report.failure, words, part) if report.failure else ()),
        *_others(report, words),
        *_rules(report, words),
        *([_p(words.say("decisions")), _list(decision_lines(report, words))] if report.decisions else []),
        *_cases(report, words),
    )


def page_without_report(part: str, verdict: str, why: str, words: Words, submission: str) -> str:
    """Return the page of a submission that could not be run: the verdict and the reason."""
    title = words.say("html.title", _title(words, part), words.say(verdict_key(verdict)))
    return _document(words, title, submission, "wrong", _pre(why.replace(LINE_END, "\n")))


def index(
    part: str, rows: Sequence[Mapping[str, str]], pages: Mapping[str, str], rules: Mapping[str, str], words: Words
) -> str:
    """Return the index of a class: a row for each submission with the broken rules, and how many programs keep each rule.

    `rows` are those of the table. `pages` has the address of each submission's page, and `rules` the name of each column
    with the status of a rule.
    """
    columns = ("submission", "verdict", "accepted", "cases", "mark", "why")
    heads = [element("th", text(words.say(f"column.{name}")), scope="col") for name in columns]
    lines = list[list[Html]]()
    for row in rows:
        why = row["why"].partition(LINE_END)[0][:MOST_REASON_CHARACTERS]
        broken = (name for column, name in rules.items() if row[column] == Status.BROKEN)
        cells = [
            element("th", element("a", text(row["submission"]), href=quote(pages[row["submission"]])), scope="row"),
            element("td", text(words.say(verdict_key(row["verdict"]))), class_=KINDS.get(row["verdict"], "wrong")),
            *(element("td", text(row[name]), class_="number") for name in ("accepted", "cases")),
            element("td", text("–".join(dict.fromkeys((row["mark"], row["highest"])))), class_="number"),
            element("td", text("; ".join([why, *broken]))),
        ]
        lines.append(cells)
    counts = {column: Counter(row[column] for row in rows) for column in rules}
    statuses = (Status.KEPT, Status.BROKEN, Status.NOT_REACHED)
    rule_heads = [words.say("column.rule"), *(words.say(f"status.{status}") for status in statuses)]
    rule_lines = [
        [
            element("th", text(name), scope="row"),
            *(element("td", text(counts[column][status]), class_="number") for status in statuses),
        ]
        for column, name in rules.items()
    ]
    return _document(
        words,
        _title(words, part),
        "",
        "",
        table(element("caption", text(words.words(counted("submission", len(rows))))), heads, lines),
        element("h2", text(words.say("html.rules"))),
        table(Html(""), [element("th", text(head), scope="col") for head in rule_heads], rule_lines),
    )


def _title(words: Words, part: str) -> str:
    return f"{words.spec.title} {part}".rstrip()


def _document(words: Words, title: str, submission: str, kind: str, *body: Html) -> str:
    heading = element("h1", text(title), class_=kind)
    name = [element("p", element("strong", text(submission)))] if submission else []
    whole = f"{submission}: {title}" if submission else title
    return document(words.language, whole, STYLE, [element("main", heading, *name, *body)])


def _failure(failure: Failure, words: Words, part: Part) -> Iterator[Html]:
    case, result = failure.case, failure.result
    yield element("h2", text(words.say("failed", failure.number, result.why)))
    if failure.runs:
        yield _p(words.say("shrunk", counted("turn", case.turns), counted("run", failure.runs)))
    yield from map(_p, crash_lines(failure, words))
    yield from _quoted(failure.cause, words)
    if case.arguments:
        yield _p(words.say("arguments", " ".join(case.arguments)))
    for name, content in case.files.items():
        yield _p(words.say("file", name))
        yield _pre(content)
    yield _p(words.say("input"))
    if result.difference is None:
        yield element("pre", _glossed(case.input, part))
        if result.verdict == Verdict.WRONG:
            yield _p(words.say("printed"))
            yield element("pre", _glossed(text_of(result.answer.output), part))
    else:
        read = read_until(case.steps, result.difference)
        last = case.steps[result.difference.step].input
        marked = element("mark", _glossed(last, part))
        yield element("pre", _glossed(read.removesuffix(last), part), marked, _glossed(case.input[len(read) :], part))
        yield _p(words.say("line", result.difference.line))
        if shown := before(case.steps, result.difference):
            yield _pre("\n".join(shown))
        lines = {"expected": result.difference.expected, "got": result.difference.got}
        yield element("table", *(_line(label, line, result.difference.column, words, part) for label, line in lines.items()))
    if errors := result.answer.errors.decode("utf-8", "backslashreplace"):
        yield _p(words.say("errors"))
        yield _pre(errors)


def _line(label: str, line: str | None, column: int, words: Words, part: Part) -> Html:
    """Return a row with the expected line or the program's line. It is marked from the first difference on."""
    shown = _marked(line, column) if line else element("em", text(words.absent(line)))
    cell = element("td", element("pre", shown, _in_brackets(part.gloss(line or ""))))
    return element("tr", element("th", text(words.say(label))), cell)


def _quoted(cause: Cause, words: Words) -> Iterator[Html]:
    if len(cause.branches) > 1:
        yield _p(words.say("choice"))
    for branch in cause.branches:
        yield _p(words.say("sentence", branch.section))
        yield element("blockquote", text(words.quoted(branch.sentence)), lang=words.spec.language)


def _others(report: Report, words: Words) -> Iterator[Html]:
    for failure in report.failures[1:]:
        if failure.cause.branch:
            yield _p(words.say("also", failure.number))
            yield from _quoted(failure.cause, words)


def _rules(report: Report, words: Words) -> Iterator[Html]:
    yield element("h2", text(words.mark(report)))
    rows = list[Html]()
    for rule in report.rules:
        cell = element("td", text(words.status(rule)), colspan="2", class_=KINDS.get(rule.status, ""))
        rows.append(element("tr", cell))
        for branch in rule.branches:
            cases = words.words(counted("case", report.coverage[branch.key]))
            name = element("td", text(words.branch(branch.key)))
            rows.append(element("tr", name, element("td", text(cases), class_="number")))
    yield element("table", *rows)


def _cases(report: Report, words: Words) -> Iterator[Html]:
    yield element("h2", text(words.say("html.cases")))
    rows = list[Html]()
    for number, (case, result) in enumerate(zip(report.cases, report.results, strict=True), 1):
        verdict = words.say("html.not_run") if result is None else words.say(verdict_key(result.verdict))
        seconds = "" if result is None else f"{result.answer.cpu:.3f} {words.say('html.seconds')}"
        cells = [
            element("td", text(number), class_="number"),
            element("td", text(verdict), class_="wrong" if result is None else KINDS.get(result.verdict, "wrong")),
            element("td", text("" if result is None else words.words(result.why))),
            element("td", text(words.words(counted("turn", case.turns))), class_="number"),
            element("td", text(seconds), class_="number"),
        ]
        rows.append(element("tr", *cells))
    yield element("table", *rows)


def _p(content: str) -> Html:
    return element("p", text(content))


def _list(lines: Iterable[str]) -> Html:
    return element("ul", *(element("li", text(line)) for line in lines))


def _pre(content: str) -> Html:
    return element("pre", _safe(content))


def _safe(content: str) -> Html:
    """Return a text of several lines with escaped unprintable characters."""
    return text("\n".join(map(escaped, content.split("\n"))))


def _glossed(content: str, part: Part) -> Html:
    """Return lines with the part's gloss after each."""
    return Html("\n".join(_safe(line) + _in_brackets(part.gloss(line)) for line in content.split("\n")))


def _in_brackets(gloss: str) -> Html:
    return Html(f"   {element('small', text(f'({gloss})'))}") if gloss else Html("")


def _marked(line: str, column: int) -> Html:
    """Return a line that is marked from that column on. Blanks at its end become dots."""
    rest = line[column:]
    plain = rest.rstrip(" ")
    return Html(_safe(line[:column]) + element("mark", _safe(plain), Html("·" * (len(rest) - len(plain)))))
