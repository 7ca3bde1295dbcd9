"""Formats that fit any game, and the tournaments with which strength is measured."""

import pytest

from ludoteca.arena.figures.ratings import duels
from ludoteca.arena.figures.sprt import Sequential
from ludoteca.arena.matches.formats import FORMATS, formats_of
from ludoteca.arena.matches.players import Entrant, FillerPlayer
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import Setup, outcome_of, playing
from ludoteca.core import registry
from ludoteca.core.formats import Field, Fixture, GameOutcome, digest_of, draw
from ludoteca.core.game import load

NAMES = ("a", "b", "c")


def seatings(name: str, seats: int, **options: object) -> set[tuple[str, ...]]:
    games = FORMATS[name].plan(Field(NAMES, seats, 2, b"", options), {}).games
    assert len({game.key for game in games}) == len(games)
    assert {game.deal for game in games} == {"deal 1", "deal 2"}
    return {game.seats for game in games}


def test_who_plays_whom() -> None:
    everybody = {("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")}
    assert seatings("round robin", 2) == everybody
    assert seatings("gauntlet", 2) == everybody - {("b", "c"), ("c", "b")}
    assert seatings("gauntlet", 2, first=["b", "c"]) == everybody - {("b", "c"), ("c", "b")}
    assert seatings("pairs", 2, pairs=[["c", "a"]]) == {("c", "a"), ("a", "c")}
    assert seatings("pairs", 1, pairs=[["c", "a"], ["b", "c"]]) == {("a",), ("b",), ("c",)}
    assert seatings("pairs", 3, pairs=[["c", "a"]]) == {("c", "a", "a"), ("a", "c", "a"), ("a", "a", "c")}


@pytest.mark.parametrize("name", FORMATS)
def test_a_table_is_there_when_the_last_game_is(name: str) -> None:
    field = Field(NAMES, 2, 3, b"", {"pairs": [["a", "b"], ["b", "c"]]})
    finished: dict[str, GameOutcome] = {}
    for fixture in FORMATS[name].plan(field, {}).games:
        assert FORMATS[name].plan(field, finished).table is None
        order = sorted(fixture.seats)  # the first of the alphabet wins
        points = tuple(float(seat == order[0]) for seat in fixture.seats)
        finished[fixture.key] = GameOutcome(points, points)
    table = FORMATS[name].plan(field, finished).table
    assert table
    assert (table[0].place, table[0].name) == (1, "a")
    assert table == FORMATS[name].plan(field, dict(reversed(finished.items()))).table
    assert sum(row.won for row in table) == len(finished)


def test_draws_are_fair_and_depend_on_seed_and_purpose() -> None:
    orders = [tuple(draw(b"seed", number, "abc")) for number in range(600)]
    assert all(70 < orders.count(order) < 130 for order in set(orders))
    assert len(set(orders)) == 6
    assert len({digest_of(b"b", 1), *(digest_of(b"a", *words) for words in [(1,), (2,), ("1",), (1, 2)])}) == 5


def test_what_a_pair_took() -> None:
    game = load("okupacio", board="4x4")
    setup = Setup(game, (Entrant(name="a", agent="greedy"), Entrant(name="b", agent="random")), b"seed", ".")
    with playing(setup) as play:
        games = [play(Fixture(f"deal {deal}", seats)) for deal in range(3) for seats in [("a", "b"), ("b", "a")]]
    (first, other, none) = duels([("a", "b"), ("b", "a"), ("a", "c")], games)
    assert (first.deals, other.deals, none.deals, none.line) == (3, 3, 0, None)
    assert first.line
    assert other.line
    assert first.line.share == pytest.approx(sum(outcome_of(one).won[one.key.endswith("a")] for one in games) / 6)
    assert first.line.share + other.line.share == pytest.approx(1)


def test_a_pair_that_plays_alone_is_compared_on_the_deals_that_both_have_played() -> None:
    game = load("metro", side=4)
    setup = Setup(game, (Entrant(name="a", agent="greedy"), Entrant(name="b", agent="random")), b"seed", ".")
    with playing(setup) as play:
        games = [play(Fixture(f"deal {deal}", (name,))) for deal in range(3) for name in "ab"]
        games += [play(Fixture("deal 3", ("a",)))]
    (found,) = duels([("a", "b")], games)
    points = {name: sum(one.seats[0].points for one in games[:6] if one.seats[0].bot == name) for name in "ab"}
    assert found.deals == 3
    assert found.line
    assert found.line.share == pytest.approx(points["a"] / sum(points.values()))


def test_a_sequential_match_plays_ten_deals_before_each_test() -> None:
    setup = Setup(load("okupacio", board="4x4"), tuple(Entrant(name=name, agent="random") for name in "ab"), b"seed", ".")
    kept, deals = dict[str, Played](), list[int]()
    match = Sequential(Field(("a", "b"), 2, 25, b"seed", {}), 0, 10, kept)
    with playing(setup) as play:
        while (stage := match.plan({key: outcome_of(one) for key, one in kept.items()})).table is None:
            deals.append(len({fixture.deal for fixture in stage.games}))
            kept.update((fixture.key, play(fixture)) for fixture in stage.games if fixture.key not in kept)
    assert deals == [10, 20, 25]
    assert match.verdict.deals == 25


def test_fillers_play_a_game() -> None:
    (spec,) = (spec for spec in registry.registered_games() if set(formats_of(spec)) > set(FORMATS))
    game = load(spec.name)
    names = tuple(f"(random {number})" for number in range(game.num_players()))
    with playing(Setup(game, (), b"seed", ".")) as play:
        first, again = (play(Fixture("deal 1", names)) for _ in range(2))
    assert first.record == again.record
    assert isinstance(FillerPlayer(game).isolation, str)
