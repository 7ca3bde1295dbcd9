"""Results in figures: by second, slow ways, by published examples, and by tournaments whose truth is known."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import combinations, permutations, product
from math import exp, isclose, log
from pathlib import Path
from random import Random
from statistics import NormalDist

import msgspec
import numpy as np
import pytest
from benchmarks import intervals
from rich.console import Console, RenderableType

from kuhn import GAME as KUHN
from ludoteca.arena.figures import tables
from ludoteca.arena.figures.likelihood import ELO, Likelihood, Order, terms_of, unbounded
from ludoteca.arena.figures.ratings import (
    LEAST_DEALS,
    MEAN,
    Results,
    contests,
    deal_scores,
    order_of,
    percentiles,
    results,
    without_exception,
)
from ludoteca.arena.figures.sprt import expected, likelihood_ratio, sprt
from ludoteca.arena.matches.results import Played, Seat
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.record import Record


def record_of(game: str, players: int) -> Record:
    spec = registry.find(game)
    return Game(spec, {} if spec.players else {"players": players}).new_initial_state(1).to_record()


RECORDS = {players: record_of("okupacio", players) for players in (2, 3, 4)}
FOR_POINTS = record_of("cartas", 4)
ALONE = record_of("metro", 1)


def played(key: str, deal: str, bots: Sequence[str], points: Sequence[float], record: Record | None = None) -> Played:
    """A game with these points. In a game for a win, they are the shares of the win."""
    best = [got == max(points) for got in points]
    seats = [
        Seat(bot=bot, points=got, score=int(10 * got), won=first / sum(best), seconds=0.5)
        for bot, got, first in zip(bots, points, best, strict=True)
    ]
    own = msgspec.structs.replace(record or RECORDS[len(bots)], actions=[key])  # identical games would count as one
    return Played(key=key, deal=deal, record=own, seats=seats, seconds=1.0)


def figures(games: Sequence[Played], resamples: int = 60) -> Results:
    """The results with few resamples: most tests look at no interval."""
    return results(games, resamples)


def duels(outcomes: Sequence[tuple[str, str, float]]) -> list[Played]:
    """Games for two, each a deal: both bots, and the first bot's share of the win."""
    return [played(f"{n:06}", f"{n:06}", (a, b), (won, 1 - won)) for n, (a, b, won) in enumerate(outcomes)]


# maximum likelihood


def fitted(bots: int, orders: Sequence[Order], prior: float = 0) -> list[float]:
    """The logarithms of strengths, those of one deal for each game. The last bot's is 0."""
    likelihood = Likelihood(bots, len(orders), list(enumerate(orders)))
    found = likelihood.fit(prior=prior * likelihood.prior)
    return [float(place) for place in found - found[-1]]


def logarithm(order: Order, places: Sequence[float]) -> float:
    """The logarithm of an order's likelihood in the model: the mean over all orders of the bots that are level."""
    ranked = sum(map(len, order.levels)) - (len(order.levels[-1]) if order.is_open else 0)

    def of(seats: Sequence[int]) -> float:
        left = (log(sum(exp(places[other]) for other in seats[at:])) for at in range(ranked))
        return sum(places[bot] - whole for bot, whole in zip(seats, left, strict=False))

    whole = [[bot for level in chosen for bot in level] for chosen in product(*map(permutations, order.levels))]
    return sum(map(of, whole)) / len(whole)


def test_baseball_of_1987_is_rated_as_agresti_has_it() -> None:
    """A. Agresti, "Categorical Data Analysis" (1990): the American League's East, wins of the row against the column."""
    wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
    orders = [Order(((a,), (b,))) for a, row in enumerate(wins) for b, number in enumerate(row) for _ in range(number)]
    assert fitted(7, orders) == pytest.approx([1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0], abs=2e-3)


def some_orders(bots: int, number: int, seed: int) -> list[Order]:
    """Orders of finish with ties, and with bots that have several seats."""
    random, orders = Random(seed), []
    for _ in range(number):
        seats = random.choices(range(bots), k=random.choice((2, 3, 4)))
        levels: dict[int, list[int]] = {}
        for bot in seats:
            levels.setdefault(random.randrange(3), []).append(bot)
        orders.append(Order(tuple(tuple(sorted(levels[level])) for level in sorted(levels)), random.random() < 0.3))
    return orders


def test_an_order_with_ties_counts_as_all_its_orders() -> None:
    random = Random(2)

    def by_terms(order: Order, places: Sequence[float]) -> float:
        gains, sets = terms_of(order)
        sums = ((weight, sum(count * exp(places[bot]) for bot, count in members)) for members, weight in sets.items())
        return sum(gain * places[bot] for bot, gain in gains.items()) - sum(weight * log(total) for weight, total in sums)

    for order in some_orders(4, 60, 1):
        one, other = ([random.uniform(-2, 2) for _ in range(4)] for _ in range(2))
        # they differ by a constant, as sets of one bot alone are left out
        assert by_terms(order, one) - by_terms(order, other) == pytest.approx(
            logarithm(order, one) - logarithm(order, other)
        )


def test_strengths_are_those_that_a_plain_climb_finds() -> None:
    orders = some_orders(3, 25, 0)

    def total(places: Sequence[float]) -> float:
        return sum(logarithm(order, places) for order in orders)

    best, step = [0.0, 0.0, 0.0], 0.5
    while step > 1e-5:
        tries = [
            [p + move * step for p, move in zip(best, (*moves, 0), strict=True)] for moves in product((-1, 0, 1), repeat=2)
        ]
        better = max(tries, key=total)
        best, step = (better, step) if total(better) > total(best) else (best, step / 2)
    assert fitted(3, orders) == pytest.approx(best, abs=1e-3)


def test_rows_of_weights_are_fitted_together_as_one_by_one() -> None:
    orders = some_orders(4, 200, 9)
    likelihood = Likelihood(4, 200, list(enumerate(orders)))
    random = np.random.default_rng(1)
    draws = random.multinomial(200, [1 / 200] * 200, 20).astype(np.float64)
    priors = likelihood.drawn_priors(20, random)
    together = likelihood.fit_all(draws, priors, likelihood.fit())
    alone = [likelihood.fit(row, prior) for row, prior in zip(draws, priors, strict=True)]
    assert np.abs(together - alone).max() < 5e-3


def reaches(better: list[list[bool]], start: int) -> set[int]:
    seen = {start}
    while more := {b for a in seen for b, yes in enumerate(better[a]) if yes} - seen:
        seen |= more
    return seen


def test_bounds_are_missing_where_no_chain_of_results_leads() -> None:
    for seed in range(60):
        random = Random(seed)
        number = random.randrange(1, 6)
        better = [[random.random() < 0.25 for _ in range(number)] for _ in range(number)]
        above, below, parts = unbounded(np.array(better))
        both = [[better[a][b] or better[b][a] for b in range(number)] for a in range(number)]
        for bot in range(number):
            over = reaches(better, bot)
            under = {other for other in range(number) if bot in reaches(better, other)}
            assert above[bot] == (under < over)
            assert below[bot] == (over < under)
            assert not (above[bot] and below[bot])
            assert {other for other in range(number) if parts[other] == parts[bot]} == reaches(both, bot)


# results


def line(found: Results, name: str) -> tuple[float, float | None, float | None]:
    return next((one.share, one.low, one.high) for one in found.bots if one.name == name)


def test_shares_are_of_the_points_of_a_bots_own_games() -> None:
    games = [
        played("1", "a", ("x", "y", "y", "z"), (6, 2, 0, 2), FOR_POINTS),
        played("2", "b", ("y", "x", "w", "z"), (1, 5, 4, 0), FOR_POINTS),
    ]
    found = figures(games)
    assert {one.name: one.share for one in found.bots} == {"x": 0.55, "w": 0.4, "y": 0.15, "z": 0.1}
    assert [one.name for one in found.bots] == ["x", "w", "y", "z"]
    first = found.bots[0]
    assert (first.games, first.wins, first.points, first.score, first.seconds) == (2, 2, 11, 55, 1)
    assert found.of == "points"


def slow_interval(deals: list[tuple[float, float]]) -> tuple[float, float]:
    """The interval of a share, deal by deal, with another generator."""
    random, shares = Random(7), []
    for _ in range(4000):
        chosen = random.choices(deals, k=len(deals))
        shares.append(sum(own for own, _ in chosen) / sum(whole for _, whole in chosen))
    shares.sort()
    return shares[100], shares[3899]


def test_intervals_are_those_of_a_slow_bootstrap_over_deals() -> None:
    random = Random(3)
    games, deals = [], []
    for deal in range(40):
        won = [random.random() < 0.6] * 3 + [random.random() < 0.6]  # games of a deal resemble each other
        games += [
            played(
                f"{deal:03}/{seat}",
                f"{deal:03}",
                ("a", "b") if seat % 2 else ("b", "a"),
                (x == bool(seat % 2), x != bool(seat % 2)),
            )
            for seat, x in enumerate(won)
        ]
        deals.append((float(sum(won)), 4.0))
    share, low, high = line(figures(games, 4000), "a")
    assert low is not None
    assert high is not None
    assert share == pytest.approx(sum(own for own, _ in deals) / 160)
    assert (low, high) == pytest.approx(slow_interval(deals), abs=0.02)
    assert high - low > 0.2  # over games it would be narrower: 0.15


def test_results_do_not_depend_on_the_order_of_games() -> None:
    random = Random(5)
    pairs = [random.sample("abc", 2) for _ in range(30)]
    games = duels([(a, b, random.choice((0.0, 0.5, 1.0))) for a, b in pairs])
    assert figures(games) == figures(random.sample(games, 30))


def test_one_that_won_everything_has_no_upper_bound_and_an_interval_for_its_share() -> None:
    found = figures(duels([("a", "b", 1.0)] * 10 + [("b", "c", 1.0), ("c", "b", 1.0)] * 5))
    ratings = {rating.name: rating for rating in found.ratings}
    assert ratings["a"].high is None
    assert ratings["a"].low is not None
    assert ratings["b"].low is None
    assert ratings["c"].low is None
    assert all(abs(rating.elo) < 3000 for rating in found.ratings)
    assert line(found, "a") == pytest.approx((1.0, 1 - 0.308, 1.0), abs=1e-3)


def test_bots_that_never_met_are_told_apart() -> None:
    found = figures(duels([("a", "b", 1.0), ("a", "b", 0.0), ("c", "d", 0.5)]))
    parts = {rating.name: rating.part for rating in found.ratings}
    assert parts["a"] == parts["b"] != parts["c"] == parts["d"]


def test_points_below_zero_are_no_part_of_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find", lambda _: KUHN)
    poker = Game(KUHN).new_initial_state(1).to_record()
    games = [played(str(n), str(n), ("a", "b"), points, poker) for n, points in enumerate([(-2, 2), (1, -1), (1, -1)])]
    found = figures(games)
    assert found.of == "wins"
    assert line(found, "a")[0] == pytest.approx(2 / 3)
    assert {one.name: one.points for one in found.bots} == {"a": 0, "b": 0}
    assert found.ratings[0].name == "a"


def test_in_a_game_for_one_the_games_of_a_deal_are_compared() -> None:
    games = [
        played(f"{deal}/{bot}", str(deal), (bot,), (points,), ALONE)
        for deal in range(9)
        for bot, points in (("a", 30 + deal % 2), ("b", 10 + deal % 3))
    ]
    found = figures(games)
    assert line(found, "a")[0] == pytest.approx(
        sum(30 + deal % 2 for deal in range(9)) / sum(one.points for one in found.bots)
    )
    assert found.ratings[0].name == "a"
    assert [(one.name, one.won, one.tied, one.lost) for one in found.meetings] == [("a", 9, 0, 0), ("b", 0, 0, 9)]


def test_no_games_have_no_results() -> None:
    found = figures([])
    assert (found.games, found.bots, found.ratings, found.meetings) == (0, [], [], [])


def order(*seats: Seat) -> tuple[list[list[int]], bool]:
    game = Played(key="1", deal="1", record=RECORDS[len(seats)], seats=list(seats), seconds=1)
    return order_of(next(contests([game])))


def test_who_won_nothing_stands_below_in_an_unknown_order() -> None:
    """Few points are better than many in some games: what losers have says nothing."""
    winner = Seat(bot="w", points=1, score=3, won=1, seconds=0)
    poor, rich = (Seat(bot="l", points=0, score=score, won=0, seconds=0) for score in (1, 9))
    half = Seat(bot="h", points=0.5, score=1, won=0.5, seconds=0)
    assert order(poor, winner, rich) == ([[1], [0, 2]], True)
    assert order(half, poor, half) == ([[0, 2], [1]], True)
    assert order(half, half) == ([[0, 1]], False)
    assert order(rich, poor) == ([[0, 1]], True)  # no bot won: the game is void and has no information


# about 95 % of the intervals contain the true value


def tournament(random: Random, strengths: dict[str, float], deals: int) -> Iterator[Played]:
    """Deals that suit one seat or the other, each played from both by every pair."""
    for a, b in combinations(strengths, 2):
        for deal in range(deals):
            suits = random.gauss(0, 150)
            for first, second in ((a, b), (b, a)):
                won = float(random.random() < expected(strengths[first] - strengths[second] + suits))
                yield played(f"{a}{b}{deal:04}{first}", f"{a}{b}{deal:04}", (first, second), (won, 1 - won))


def truth_of(strengths: dict[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """The ratings and shares of endless tournaments. Advantages of a seat bring ratings a little closer together."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    chance = {
        (a, b): float(weights @ [expected(strengths[a] - strengths[b] + 150 * node) for node in nodes] / weights.sum())
        for a, b in permutations(strengths, 2)
    }
    names = list(strengths)
    orders: list[tuple[int, Order]] = [(n, Order(((names.index(a),), (names.index(b),)))) for n, (a, b) in enumerate(chance)]
    places = Likelihood(len(names), len(orders), orders).fit(1e5 * np.array(list(chance.values())))
    ratings = {name: MEAN + ELO * float(place - places.mean()) for name, place in zip(names, places, strict=True)}
    return ratings, {name: sum(p for (a, _), p in chance.items() if a == name) / (len(names) - 1) for name in names}


def covered(rounds: int, deals: int) -> Iterator[bool]:
    """Whether true ratings and shares lie within their intervals."""
    strengths = {"a": 90.0, "b": 0.0, "c": -90.0}
    ratings, shares = truth_of(strengths)
    for number in range(rounds):
        found = results(list(tournament(Random(number), strengths, deals)), 400)
        for rating in found.ratings:
            assert rating.low is not None
            assert rating.high is not None
            yield rating.low <= ratings[rating.name] <= rating.high
        for one in found.bots:
            assert one.low is not None
            assert one.high is not None
            yield one.low <= shares[one.name] <= one.high


def test_true_strengths_lie_within_their_intervals() -> None:
    hits = list(covered(8, 40))
    assert 0.85 <= sum(hits) / len(hits) < 1


def test_true_strengths_lie_within_the_intervals_of_the_fewest_deals() -> None:
    """With the percentiles 2.5 and 97.5, 86 % of ratings and 84 % of shares do."""
    for hits in intervals.covered(8, LEAST_DEALS, 12):
        assert 0.9 <= sum(hits) / len(hits) < 1


@pytest.mark.soak
def test_true_strengths_lie_within_their_intervals_as_often_as_they_should() -> None:
    hits = list(covered(600, 60))
    assert 0.93 <= sum(hits) / len(hits) <= 0.965


# the sequential test


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [  # by fishtest's LLRcalc.LLR_logistic
        ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
        ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
        ((0, 10, 30, 12, 0), 0, 5, 0.085226848211516),
        ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
    ],
)
def test_ratios_are_those_of_fishtest(counts: tuple[int, ...], elo0: float, elo1: float, ratio: float) -> None:
    seen = Counter({place / 4: count for place, count in enumerate(counts) if count})
    assert likelihood_ratio(seen, elo0, elo1) == pytest.approx(ratio, abs=1e-8)


def pairs(elo: float, seed: int) -> Iterator[float]:
    random = Random(seed)
    while True:
        suits = random.gauss(0, 200)
        yield sum(random.random() < expected(elo + side * suits) for side in (1, -1)) / 2


@pytest.mark.parametrize("elo", [0, 60])
def test_a_test_is_wrong_as_rarely_as_it_says(elo: float) -> None:
    wrong = 0
    for seed in range(30):
        scores: list[float] = []
        for score in pairs(elo, seed):
            scores.append(score)
            if len(scores) % 20 == 0 and (found := sprt(scores, 0, 60)).accepted:
                wrong += (found.accepted == "elo1") != (elo == 60)
                break
    assert wrong <= 6  # 5 % of 30 are 1.5. More than 6 come once in a thousand times


def test_a_test_goes_on_while_nothing_is_known() -> None:
    found = sprt([], 0, 10)
    assert (found.deals, found.score, found.ratio, found.accepted) == (0, 0.5, 0, "")
    assert isclose(found.upper, 2.9444, abs_tol=1e-4)
    for elo0, elo1 in ((5, 5), (0, float("inf")), (float("nan"), 1)):
        with pytest.raises(ValueError, match="expected -1000 <= elo0 < elo1"):
            sprt([], elo0, elo1)


def test_scores_of_deals_wait_until_the_deal_is_whole() -> None:
    games = [
        played("1", "a", ("x", "y"), (1, 0)),
        played("2", "a", ("y", "x"), (0.5, 0.5)),
        played("3", "b", ("x", "y"), (1, 0)),
        played("4", "c", ("y", "z"), (1, 0)),
    ]
    assert deal_scores(games, "x", "y") == [0.75]
    assert deal_scores(games, "y", "x") == [0.25]
    table_of_four = played("5", "d", ("x", "y", "z", "x"), (4, 2, 1, 0), FOR_POINTS)
    assert deal_scores([table_of_four], "x", "y") == [0.5]


@pytest.mark.parametrize(("deals", "student"), [(2, 12.7062), (10, 2.26216), (1001, 1.96234)])
def test_percentiles_are_as_much_further_out_as_students_t(deals: int, student: float) -> None:
    low, high = percentiles(deals)
    assert low == pytest.approx(100 * NormalDist().cdf(-((deals / (deals - 1)) ** 0.5) * student), rel=1e-3)
    assert low + high == 100


def test_a_share_without_exception_may_have_exceptions() -> None:
    assert without_exception(1, 1) == pytest.approx((0.025, 1))
    assert without_exception(0, 100) == pytest.approx((0, 0.0362), abs=1e-4)
    assert without_exception(0.25, 0) == (0, 1)


# tables and files


def split(deals: int) -> list[Played]:
    """Deals that two bots win by turns, except that the first wins two."""
    return duels([("a", "b", float(deal < 2 or deal % 2)) for deal in range(deals)])


def test_too_few_deals_have_no_interval(tmp_path: Path) -> None:
    for deals in (1, LEAST_DEALS - 1, LEAST_DEALS):
        found, has = figures(split(deals)), deals == LEAST_DEALS
        tables.write_json(found, tmp_path / "results.json")
        tables.write_csv(found, tmp_path / "results.csv")
        said = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
        with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as file:
            row = next(csv.DictReader(file))
        ends = [row["low"], row["high"], row["elo_low"], row["elo_high"]]
        ends += [
            one[end] or ""
            for one in (*tables.summary(found)["bots"], *said["bots"], *said["ratings"])
            for end in ("low", "high")
        ]
        assert [end != "" for end in ends] == [has] * len(ends)
        text = printed(tables.final_table(found))
        assert text.count("–") == (0 if has else 5)
        assert (f"–: an interval needs {LEAST_DEALS} deals" in text) != has


def test_each_bot_needs_deals_of_its_own() -> None:
    found = figures([*split(20), played("x", "000000", ("c", "a"), (1, 0)), played("y", "000001", ("c", "a"), (0, 1))])
    assert {rating.name for rating in found.ratings if rating.low is rating.high is None} == {"c"}
    assert line(found, "c") == (0.5, None, None)


def test_void_deals_do_not_count_for_an_interval() -> None:
    seats = [Seat(bot=name, points=0, score=0, won=0, seconds=0) for name in "ab"]
    void = Played(key="void", deal="void", record=RECORDS[2], seats=seats, seconds=1)
    found = figures([*split(LEAST_DEALS - 1), void])
    assert found.deals == LEAST_DEALS
    assert all(rating.low is rating.high is None for rating in found.ratings)
    assert line(found, "a")[1:] == (None, None)


def test_files_hold_all_figures(tmp_path: Path) -> None:
    found = figures(duels([('a, "the" first', "=b", 1.0)] * 3))
    tables.write_json(found, tmp_path / "results.json")
    tables.write_csv(found, tmp_path / "results.csv")
    said = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert said["ratings"][0]["high"] is None
    assert said["meetings"][0] == {"name": "=b", "other": 'a, "the" first', "won": 0, "tied": 0, "lost": 3}
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == ['a, "the" first', "=b"]
    assert rows[0]["elo_high"] == ""
    assert float(rows[0]["share"]) == 1


def printed(*what: RenderableType) -> str:
    file = StringIO()
    Console(width=160, file=file, force_terminal=True, color_system=None).print(*what)
    return file.getvalue()


def test_tables_show_names_as_text() -> None:
    games = duels([("[bold]a\x1b[2J", "b", 1.0)] * 6)
    live = tables.Live(8)
    live.add_all(games)
    text = printed(tables.final_table(figures(games)), tables.meetings_table(figures(games)), live.table())
    assert "\x1b[2J" not in text
    assert text.count("[bold]a\ufffd[2J") == 4
    assert "6 of 8 games" in text
    assert "and more" in text
    assert "Bradley-Terry" in text
