"""HTML pages that need no network: the report of a program, and an index of a class."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final
from urllib.parse import quote

from ludoteca.core.markup import Html, document, element, table, text
from ludoteca.core.messages import counted
from ludoteca.core.words import escaped
from ludoteca.judge.judge import Report
from ludoteca.judge.reports import Words, lines, verdict_key
from ludoteca.judge.rules import Status
from ludoteca.judge.verdicts import Verdict

STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.right { color: #146c2e; } .wrong { color: #b3261e; }
@media (prefers-color-scheme: dark) {
  .right { color: #7edb95; } .wrong { color: #ffb4ab; } a { color: #a8c7fa; }
}
pre { padding: .75rem; border: 1px solid #8886; border-radius: .4rem; line-height: 1.25; font-size: .9rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem; border-bottom: 1px solid #8884; text-align: left; }
tbody th { font-weight: inherit; } td, th { vertical-align: top; }
.scroll { overflow-x: auto; }
.number { text-align: right; white-space: nowrap; }
"""
LINE_END: Final = r"\n"
"""A line end in the message of a compiler, which is one line in tables."""
MOST_REASON_CHARACTERS: Final = 200
"""The largest number of characters of a reason in an index."""


def page(report: Report, words: Words, submission: str = "") -> str:
    """Return the page of a program: the report, and a table of all cases."""
    rows = list[list[Html]]()
    for number, (case, result) in enumerate(zip(report.cases, report.results, strict=True), 1):
        is_right = result is not None and result.verdict == Verdict.ACCEPTED
        verdict = words.say(verdict_key(result.verdict) if result else "html.not_run")
        seconds = f"{result.answer.cpu:.3f} {words.say('html.seconds')}" if result else ""
        cells = [
            element("td", text(number), class_="number"),
            element("td", text(f"{'✓' if is_right else '✗'} {verdict}"), class_=_kind(is_right)),
            element("td", text(words.words(result.why) if result else "")),
            element("td", text(words.words(counted("turn", case.turns))), class_="number"),
            element("td", text(seconds), class_="number"),
        ]
        rows.append(cells)
    told = "\n".join(islice(lines(report, words), 1, None))
    cases = [element("h2", text(words.say("html.cases"))), table(Html(""), [], rows)]
    return _page(report.part, report.verdict, told, words, submission, *cases)


def page_without_report(part: str, verdict: str, why: str, words: Words, submission: str) -> str:
    """Return the page of a submission that could not be run: the verdict and the reason."""
    return _page(part, verdict, why.replace(LINE_END, "\n"), words, submission)


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
            element("td", text(words.say(verdict_key(row["verdict"]))), class_=_kind(row["verdict"] == Verdict.ACCEPTED)),
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
        element("h1", text(_title(words, part))),
        table(element("caption", text(words.words(counted("submission", len(rows))))), heads, lines),
        element("h2", text(words.say("html.rules"))),
        table(Html(""), [element("th", text(head), scope="col") for head in rule_heads], rule_lines),
    )


def _kind(is_right: bool) -> str:
    return "right" if is_right else "wrong"


def _title(words: Words, part: str) -> str:
    return f"{words.spec.title} {part}".rstrip()


def _page(part: str, verdict: str, told: str, words: Words, submission: str, *more: Html) -> str:
    title = words.say("html.title", _title(words, part), words.say(verdict_key(verdict)))
    heading = element("h1", text(title), class_=_kind(verdict == Verdict.ACCEPTED))
    name = [_p(element("strong", text(submission)))] if submission else []
    safe = text("\n".join(map(escaped, told.split("\n"))))
    return _document(words, f"{submission}: {title}" if submission else title, heading, *name, element("pre", safe), *more)


def _document(words: Words, title: str, *body: Html) -> str:
    return document(words.language, title, STYLE, [element("main", *body)])


def _p(*content: Html) -> Html:
    return element("p", *content)
