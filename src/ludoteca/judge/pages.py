"""HTML pages that can be read without a network: the report on a program, and the index of a class."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import fmean
from typing import Final
from urllib.parse import quote

from ludoteca.core.judging import Branch
from ludoteca.core.markup import Html, document, element, table, text
from ludoteca.core.messages import counted
from ludoteca.core.words import escaped
from ludoteca.judge.judge import Report
from ludoteca.judge.reports import Words, lines, verdict_key
from ludoteca.judge.rules import Status
from ludoteca.judge.verdicts import Verdict

STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --bar: #3b6ea8; }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.right { color: #146c2e; } .wrong { color: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --bar: #a8c7fa; } .right { color: #7edb95; } .wrong { color: #ffb4ab; } a { color: #a8c7fa; }
}
pre { padding: .75rem; border: 1px solid #8886; border-radius: .4rem; line-height: 1.25; font-size: .9rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote { margin: .5rem 0 0; padding: .25rem 1rem; border-left: .25rem solid #8888; font-style: italic; }
blockquote + p { margin: .25rem 0 1.25rem 1.25rem; }
table { border-collapse: collapse; }
td, th { padding: .2rem .6rem; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; }
tbody th { font-weight: inherit; min-width: 9rem; overflow-wrap: anywhere; } td.right, td.wrong { white-space: nowrap; }
#submissions td:last-child { min-width: 16rem; }
.scroll { overflow-x: auto; }
.number { text-align: right; white-space: nowrap; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid; }
[aria-sort=ascending] button::after { content: " ▲"; } [aria-sort=descending] button::after { content: " ▼"; }
svg { display: block; width: 100%; max-width: 34rem; margin-bottom: 1rem; } rect { fill: var(--bar); }
text { fill: currentColor; font-size: 15px; text-anchor: middle; }
"""
SORT: Final = """
for (const head of document.querySelectorAll("#submissions thead th")) {
  const button = document.createElement("button");
  button.append(...head.childNodes);
  head.append(button);
  button.onclick = () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const each of head.parentNode.cells) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => row.cells[head.cellIndex].dataset.key ?? row.cells[head.cellIndex].textContent;
    const order = (a, b) => key(a).localeCompare(key(b), document.documentElement.lang, { numeric: true });
    const body = head.closest("table").tBodies[0];
    body.append(...[...body.rows].sort((a, b) => (up ? order(a, b) : order(b, a))));
  };
}
"""
"""The script that sorts the index by a column. In a browser without scripts, the index stays sorted by name."""
LINE_END: Final = r"\n"
"""The mark of a line end in the message of a compiler, because a message in a table has only one line."""
MOST_REASON_CHARACTERS: Final = 200
"""The largest number of characters of a reason in an index."""
BAR: Final = 44
"""The width of a bar of the histogram, with the gap to the next bar."""
HIGH: Final = 120
"""The height of its highest bar."""


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
    part: str, rows: Sequence[Mapping[str, str]], pages: Mapping[str, str], rules: Mapping[str, Branch], words: Words
) -> str:
    """Return the index of a class: all marks, a row for each submission, and for each rule how many submissions keep or
    break it.

    `rows` are the rows of the class's table, and `pages` has the address of each submission's page. `rules` has the column
    of each rule in the table, with a branch of the rule.
    """
    links = {name: element("a", text(name), href=quote(place)) for name, place in pages.items()}
    marks = [float(row["mark"]) for row in rows if row["verdict"] != Verdict.UNJUDGED]
    columns = ("submission", "verdict", "accepted", "cases", "mark", "why")
    lines = list[list[Html]]()
    for row in rows:
        why = row["why"].partition(LINE_END)[0][:MOST_REASON_CHARACTERS]
        broken = (words.branch(branch.key) for column, branch in rules.items() if row[column] == Status.BROKEN)
        cells = [
            element("th", links[row["submission"]], scope="row"),
            element("td", text(words.say(verdict_key(row["verdict"]))), class_=_kind(row["verdict"] == Verdict.ACCEPTED)),
            *(element("td", text(row[name]), class_="number") for name in ("accepted", "cases")),
            element(
                "td",
                text("–".join(dict.fromkeys((row["mark"], row["highest"])))),
                class_="number",
                data_key=f"{float(row['mark']):06.2f}",
            ),
            element("td", text("; ".join(filter(None, [*broken, why])))),
        ]
        lines.append(cells)
    statuses = (Status.KEPT, Status.BROKEN, Status.NOT_REACHED)
    counts = {column: Counter(row[column] for row in rows) for column in rules}
    rule_lines = [
        [
            element("th", text(words.branch(branch.key)), scope="row"),
            *(element("td", text(counts[column][status]), class_="number") for status in statuses),
        ]
        for column, branch in rules.items()
    ]
    rule_heads = _heads([words.say("column.rule"), *(words.say(f"status.{each}") for each in statuses)], range(1, 4))
    total = words.words(counted("submission", len(rows)))
    return _document(
        words,
        _title(words, part),
        element("h1", text(_title(words, part))),
        _p(text(f"{total}. {words.say('html.mean', f'{fmean(marks):.4g}')}" if marks else total)),
        _histogram(marks, words),
        table(Html(""), _heads([words.say(f"column.{name}") for name in columns], range(2, 5)), lines, id="submissions"),
        element("h2", text(words.say("html.groups"))),
        *_groups(rows, rules, links, words),
        element("h2", text(words.say("html.rules"))),
        table(Html(""), rule_heads, rule_lines),
        element("script", Html(SORT)),
    )


def _histogram(marks: Iterable[float], words: Words) -> Html:
    """Return a bar chart of the marks. The first bar is for marks from 0 to below 10, and so on, and the last for the full
    mark.
    """
    counts = Counter(int(mark // 10) for mark in marks)
    high = max(counts.values(), default=1)
    inner = list[Html]()
    for place in range(11):
        height = HIGH * counts[place] / high
        middle = str(BAR * place + BAR // 2)
        inner += [
            element("rect", x=str(BAR * place + 3), y=f"{HIGH + 20 - height:g}", width=str(BAR - 6), height=f"{height:g}"),
            element("text", text(counts[place] or ""), x=middle, y=f"{HIGH + 15 - height:g}"),
            element("text", text(10 * place), x=middle, y=str(HIGH + 38)),
        ]
    box = f"0 0 {11 * BAR} {HIGH + 44}"
    return element("svg", *inner, viewBox=box, role="img", aria_label=words.say("html.histogram"))


def _groups(
    rows: Iterable[Mapping[str, str]], rules: Mapping[str, Branch], links: Mapping[str, Html], words: Words
) -> Iterator[Html]:
    """Yield each sentence that submissions break, with the list of these submissions. The sentence that most submissions
    break comes first. Then yield each other verdict than Accepted in the same way, for submissions that break no sentence.
    """
    broken, others = dict[str, list[Html]](), dict[str, list[Html]]()
    for row in rows:
        columns = [column for column in rules if row[column] == Status.BROKEN]
        for column in columns:
            broken.setdefault(column, []).append(links[row["submission"]])
        if not columns and row["verdict"] != Verdict.ACCEPTED:
            others.setdefault(row["verdict"], []).append(links[row["submission"]])
    for column, those in sorted(broken.items(), key=lambda group: -len(group[1])):
        yield element("blockquote", text(rules[column].sentence), lang=words.spec.language)
        yield _group(rules[column].section, those, words)
    for verdict, those in sorted(others.items(), key=lambda group: -len(group[1])):
        yield _group(words.say(verdict_key(verdict)), those, words)


def _group(name: str, links: Sequence[Html], words: Words) -> Html:
    return _p(text(f"{name} · {words.words(counted('submission', len(links)))}: "), Html(", ".join(links)))


def _heads(names: Iterable[str], numbers: range) -> list[Html]:
    kinds = ("number" if place in numbers else "" for place, _ in enumerate(names))
    return [element("th", text(name), scope="col", class_=kind) for name, kind in zip(names, kinds, strict=True)]


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
