"""The tables of a page of results, as HTML that can be read without a script."""

import json
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Final

from ludoteca.arena.figures.ratings import LEAST_DEALS, MEAN, Line, Rating, Results
from ludoteca.arena.matches.results import Played, Seat
from ludoteca.core.formats import Place
from ludoteca.core.markup import Html, element, table, text
from ludoteca.core.messages import ENGLISH, Message, catalogue, in_words

PACKAGE: Final = "ludoteca.arena"
"""The package whose catalogues contain the page's texts. The file has them in English, and a script translates them."""
_STEP: Final = 100
"""The ends of the scale of ratings are multiples of this many points."""
_ERRORS: Final = 4096
"""Characters of standard error that the table of faults shows."""


def say(name: str, *message: Message, **attributes: str) -> Html:
    """Return an HTML element with the tag `name` and one of the page's texts. `message` is the key of the text and its
    arguments.
    """
    return element(
        name, text(in_words(message, catalogue(PACKAGE, ENGLISH))), data_message=json.dumps(message), **attributes
    )


def numeral(value: object, kind: str = "") -> Html:
    """Return a table cell with a number. `kind` is a further CSS class."""
    return element("td", text(value), class_=f"figure {kind}".strip())


def heading(key: str, kind: str = "") -> Html:
    """Return the head of a column, with one of the page's texts. Use the kind `figure` above columns of numbers."""
    return say("th", key, scope="col", class_=kind)


def named(name: str) -> Html:
    """Return the head of a row: a bot's name."""
    return element("th", text(name), scope="row")


def section(key: str, *inner: Html) -> Html:
    """Return a section with the text `key` as its heading. The last part of the key is the section's id."""
    name = key.rpartition(".")[2]
    return element("section", say("h2", key, id=f"{name}-title"), *inner, id=name, aria_labelledby=f"{name}-title")


def caption(key: str) -> Html:
    """Return a table's caption, which only screen readers show."""
    return say("caption", key, class_="unseen")


def standings(places: Sequence[Place]) -> Html:
    """Return the final table of the format, in the order of its places."""
    head = [heading("report.place", "figure"), heading("report.bot")]
    head += [heading(f"report.{key}", "figure") for key in ("played", "wins", "points")] + [heading("report.note")]
    rows = [
        [
            numeral(one.place),
            named(one.name),
            numeral(one.games),
            numeral(f"{one.won:.6g}"),
            numeral(f"{one.points:.6g}"),
            element("td", text(one.note)),
        ]
        for one in places
    ]
    return section("report.standings", table(caption("report.standings"), head, rows))


def final_table(results: Results) -> Html:
    """Return the table of shares, points, faults and times."""
    figures = ("played", f"share.{results.of}", "interval", "wins", "score", "elo", "faults", "seconds")
    head = [heading("report.bot"), *(heading(f"report.{key}", "figure") for key in figures)]
    elo = {rating.name: rating.elo for rating in results.ratings}
    rows = [
        [
            named(line.name),
            numeral(line.games),
            numeral(f"{100 * line.share:.1f} %"),
            _share_interval(line),
            numeral(f"{line.wins:.6g}"),
            numeral(f"{line.score:.1f}"),
            numeral(f"{elo[line.name]:.0f}"),
            numeral(line.faults, "bad" if line.faults else ""),
            numeral(f"{line.seconds / line.games:.3f}"),
        ]
        for line in results.bots
    ]
    notes = [say("p", "report.copies", results.copies, class_="fine")] if results.copies else []
    notes += [say("p", "report.interval.none", LEAST_DEALS, class_="fine")] if results.lacks_intervals else []
    return section("report.table", *notes, table(caption("report.table"), head, rows))


def _share_interval(line: Line) -> Html:
    if line.low is None or line.high is None:
        return numeral("–")
    return say("td", "report.to", f"{100 * line.low:.1f}", f"{100 * line.high:.1f}", class_="figure")


def ratings(results: Results) -> Html:
    """Return the table of ratings, each with its interval as a bar."""
    ends = [end for one in results.ratings for end in (one.low, one.elo, one.high) if end is not None]
    low, high = (_STEP * end for end in (floor(min(ends) / _STEP), ceil(max(ends) / _STEP))) if ends else (0, 1)
    grouped = len({one.part for one in results.ratings}) > 1
    scale = element("span", text(low)), element("span", text((low + high) // 2)), element("span", text(high))
    head = [
        heading("report.bot"),
        heading("report.elo", "figure"),
        heading("report.interval", "figure"),
        *([heading("report.group", "figure")] if grouped else []),
        element("td", element("div", *scale, class_="scale"), aria_hidden="true", class_="wide"),
    ]
    rows = [
        [
            named(one.name),
            numeral(f"{one.elo:.0f}"),
            _interval(one),
            *([numeral(one.part)] if grouped else []),
            element("td", _bar(one, low, max(high, low + 1)), aria_hidden="true"),
        ]
        for one in results.ratings
    ]
    notes = [say("p", "report.ratings.note", f"{MEAN:.0f}", class_="fine")]
    notes += [say("p", "report.parts", class_="fine")] if grouped else []
    return section("report.ratings", *notes, table(caption("report.ratings"), head, rows, class_="ratings"))


def _interval(rating: Rating) -> Html:
    low, high = ("" if end is None else f"{end:.0f}" for end in (rating.low, rating.high))
    if not low and not high:
        return numeral("–")
    said = ("report.to", low, high) if low and high else ("report.least", low) if low else ("report.most", high)
    return say("td", *said, class_="figure")


def _bar(rating: Rating, low: float, high: float) -> Html:
    """Return a picture of a rating and its interval, if any, as wide as its cell. An arrowhead marks a missing bound. `low`
    and `high` are the ends of the scale.
    """

    def at(elo: float) -> str:
        return f"{100 * (elo - low) / (high - low):.2f}%"

    begin, end = (None if elo is None else at(elo) for elo in (rating.low, rating.high))
    lines = [
        element("line", class_="interval", x1=begin or "0%", x2=end or "100%", y1="10", y2="10"),
        element("line", class_="interval", x1=begin, x2=begin, y1="5", y2="15") if begin else _arrow("0%", 1),
        element("line", class_="interval", x1=end, x2=end, y1="5", y2="15") if end else _arrow("100%", -1),
    ]
    parts = [*(lines if begin or end else ()), element("circle", class_="place", cx=at(rating.elo), cy="10", r="4.5")]
    return element("svg", *parts, class_="bar", width="100%", height="20", focusable="false")


def _arrow(at: str, to: int) -> Html:
    """Return an arrowhead at the position `at`: one that points left if `to` is 1, or right if `to` is -1."""
    head = element("path", d=f"M{8 * to} 5L0 10L{8 * to} 15", class_="interval")
    return element("svg", head, x=at, y="0", width="10", height="20", overflow="visible")


def meetings(results: Results) -> Html:
    """Return the head-to-head table."""
    names = [line.name for line in results.bots]
    of = {(one.name, one.other): one for one in results.meetings}

    def cell(name: str, other: str) -> Html:
        if (name, other) not in of:
            return element("td")
        one = of[name, other]
        share = 100 * (one.won + one.tied / 2) / (one.won + one.tied + one.lost)
        counts = text(f"{one.won}\u2009–\u2009{one.tied}\u2009–\u2009{one.lost}")
        return element("td", text(f"{share:.0f} %"), element("small", counts), class_="figure meeting")

    head = [heading("report.bot"), *(element("th", text(name), scope="col", class_="figure") for name in names)]
    rows = [[named(name), *(cell(name, other) for other in names)] for name in names]
    note = say("p", "report.meetings.note", class_="fine")
    return section("report.meetings", note, table(caption("report.meetings"), head, rows))


def faults(games: Sequence[Played]) -> Html:
    """Return a table of all faults, with the text that each bot wrote to stderr."""
    head = [heading(f"report.{key}") for key in ("game", "bot", "fault", "detail", "errors")]
    rows = [
        [
            element("td", _link(number, game)),
            named(seat.bot),
            element("td", text(seat.fault or seat.faults), class_="bad"),
            element("td", text(seat.detail)),
            element("td", errors(seat)),
        ]
        for number, game in enumerate(games)
        for seat in game.seats
        if seat.faults
    ]
    if not rows:
        return section("report.faults", say("p", "report.faults.none"))
    return section("report.faults", table(caption("report.faults"), head, rows, class_="faults"))


def errors(seat: Seat) -> Html:
    """Return the end of the text that a bot wrote to stderr, folded up under its last line. The page's data of the game has
    the whole text.
    """
    if not seat.errors:
        return Html("")
    last = seat.errors.strip().rpartition("\n")[2]
    return element("details", element("summary", text(last[:60])), element("pre", text(seat.errors[-_ERRORS:])))


def conditions(games: Sequence[Played], facts: Mapping[str, object]) -> Html:
    """Return the settings of the tournament and the isolation of programs."""
    pairs = [(element("dt", text(key)), element("dd", text(value))) for key, value in facts.items()]
    found = {(seat.bot, seat.isolation) for game in games for seat in game.seats if seat.isolation}
    rows = [[named(bot), element("td", text(isolation))] for bot, isolation in sorted(found)]
    head = [heading("report.bot"), heading("report.isolation")]
    shown = [table(caption("report.isolation"), head, rows)] if rows else []
    listed = [element("dl", *(part for pair in pairs for part in pair))] if pairs else []
    return section("report.conditions", *listed, *shown)


def games_list(games: Sequence[Played], bots: Sequence[str]) -> Html:
    """Return the list of all games, each with a link that shows it."""
    words, figures = ("game", "deal", "bots"), ("moves", "faults")
    head = [*(heading(f"report.{key}") for key in words), *(heading(f"report.{key}", "figure") for key in figures)]
    rows = [
        [
            element("td", _link(number, game)),
            element("td", text(game.deal)),
            element("td", *_seats(game)),
            numeral(len(game.record.actions)),
            numeral(sum(seat.faults for seat in game.seats) or ""),
        ]
        for number, game in enumerate(games)
    ]
    options = [say("option", "report.all", value=""), *(element("option", text(bot), value=bot) for bot in bots)]
    chosen = element("label", say("span", "report.bot"), element("select", *options, id="only"))
    note = say("p", "report.games.note", class_="fine")
    return section("report.games", note, chosen, table(caption("report.games"), head, rows, id="list", class_="games"))


def _link(number: int, game: Played) -> Html:
    return element("a", text(game.key), href=f"#game-{number}")


def _seats(game: Played) -> Iterator[Html]:
    for seat in game.seats:
        won = "seat won" if seat.won else "seat"
        yield element("span", element("span", text(seat.bot)), text(f" {seat.score}"), class_=won)
