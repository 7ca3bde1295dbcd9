"""The document's tournament, against a second implementation that plays it round by round, in the words of the document."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from ludoteca.core.formats import Field, Fixture, GameOutcome, Place, draw
from ludoteca.core.game import load
from ludoteca.core.rng import new_rng
from ludoteca.games.cartas.play.formats import FORMATS, fill
from ludoteca.games.cartas.rules import PASS
from tests.arena.tournaments import undisturbed

FORMAT = FORMATS["document"]
SEED = b"seed"

Play = Callable[[Fixture], GameOutcome]


def field(entrants: int, seed: bytes = SEED) -> Field:
    return Field(tuple(f"bot {number}" for number in range(entrants)), 4, 0, seed, {})


def invented(luck: int, voids: float, most: int) -> Play:
    """Results that depend on the game's name alone: void, or won by one seat with this many points."""

    def play(fixture: Fixture) -> GameOutcome:
        random = Random(f"{luck} {fixture.key}")
        winner = random.randrange(4) if random.random() >= voids else None
        points = random.randint(1, most)
        return GameOutcome(
            tuple(float(points * (seat == winner)) for seat in range(4)), tuple(float(seat == winner) for seat in range(4))
        )

    return play


def played(whole: Field, play: Play, order: Random | None = None) -> tuple[list[Fixture], list[Place]]:
    """The whole tournament. The games finish in any order, one at a time."""
    finished: dict[str, GameOutcome] = {}
    while (plan := FORMAT.plan(whole, finished)).table is None:
        waiting = [fixture for fixture in plan.games if fixture.key not in finished]
        assert waiting, "it waits for nothing"
        fixture = (order or Random(0)).choice(waiting) if order else waiting[0]
        for one in [fixture] if order else waiting:
            finished[one.key] = play(one)
    return list(plan.games), list(plan.table)


def in_the_words_of_the_document(  # noqa: C901  # everything is spelled out
    whole: Field, play: Play
) -> tuple[list[str], list[str], str | None]:
    """The keys of all games, the entrants by place, and the champion."""
    keys: list[str] = []
    out: list[tuple[str, tuple[Fraction, ...]]] = []  # names with what ranks them
    players, number, champion = list(whole.entrants), 0, None
    while players:
        number += 1
        drawn = draw(whole.seed, ("round", number), players)
        together = 2 if number == 1 else 4
        groups: list[list[str]] = []
        while drawn:
            groups.append(drawn[:together])
            drawn = drawn[together:]
        players = []
        for place, group in enumerate(groups, 1):
            people = list(group)
            filler = 0
            while len(group) < 4:
                filler += 1
                group.append(f"(random {filler})")
            table = draw(whole.seed, ("seats", number, place), group)
            points, wins = dict.fromkeys(table, Fraction()), dict.fromkeys(table, Fraction())
            for game in range(16):
                seats = tuple(table[(game + seat) % 4] for seat in range(4))
                fixture = Fixture(f"round {number} group {place} game {game + 1}", seats)
                keys.append(fixture.key)
                outcome = play(fixture)
                for name, got, won in zip(seats, outcome.points, outcome.won, strict=True):
                    points[name] += Fraction(got)
                    wins[name] += Fraction(won)
            lots = draw(whole.seed, ("cut", number, place), group)
            best: list[str] = []
            while len(best) < 4:
                best.append(
                    max((name for name in table if name not in best), key=lambda n: (points[n], wins[n], -lots.index(n)))
                )
            if len(groups) == 1:
                standing = [name for name in best if name in people]
                out += [(name, (Fraction(number), Fraction(-standing.index(name)))) for name in people]
                if points[standing[0]]:
                    champion = standing[0]
                continue
            gone_on = [name for name in best[:2] if name in people] if any(points.values()) else []
            players += gone_on or [name for name in best if name in people and points[name]][:2]
            out = [row for row in out if row[0] not in people]
            out += [(name, (Fraction(number), points[name], wins[name])) for name in people]
        out = [row for at, row in enumerate(out) if row[0] not in [later[0] for later in out[at + 1 :]]]
        if len(groups) == 1:
            break
    places = [f"{1 + sum(other[1] > row[1] for other in out)} {row[0]}" for row in out]
    return keys, sorted(places), champion


CASES = [
    (entrants, luck, voids, most)
    for entrants in (2, 3, 4, 5, 8, 9, 13, 17, 22)
    for luck, voids, most in [(1, 0.1, 30), (2, 0.95, 1), (3, 0.5, 2)]
]


@pytest.mark.parametrize(("entrants", "luck", "voids", "most"), CASES)
def test_it_is_the_documents_tournament(entrants: int, luck: int, voids: float, most: int) -> None:
    whole, play = field(entrants), invented(luck, voids, most)
    games, table = played(whole, play)
    keys, places, champion = in_the_words_of_the_document(whole, play)
    assert sorted(fixture.key for fixture in games) == sorted(keys)
    assert sorted(f"{row.place} {row.name}" for row in table) == places
    assert [row.name for row in table if row.note == "champion"] == ([champion] if champion else [])
    assert len(table) == entrants


def test_the_order_in_which_games_finish_changes_nothing() -> None:
    assert played(field(11), invented(1, 0.2, 9), Random(1)) == played(field(11), invented(1, 0.2, 9))


def test_groups_of_the_first_round_and_who_leads() -> None:
    games = FORMAT.plan(field(7), {}).games
    groups = [games[begin : begin + 16] for begin in range(0, len(games), 16)]
    assert [sum(not name.startswith("(") for name in group[0].seats) for group in groups] == [2, 2, 2, 1]
    for group in groups:
        assert [sum(game.seats[0] == name for game in group) for name in group[0].seats] == [4, 4, 4, 4]
        assert len({game.deal for game in group}) == 16
        assert all(len(set(game.seats)) == 4 for game in group)
    assert games != FORMAT.plan(field(7, b"other"), {}).games


def test_entrants_with_points_go_on_if_random_players_take_both_places() -> None:
    """Random players have 9 points a game each, and in the first group one entrant has a point a game."""

    def play(fixture: Fixture) -> GameOutcome:
        points = [9.0 if name.startswith("(") else float(name == lucky) for name in fixture.seats]
        return GameOutcome(tuple(points), (0.25,) * 4)

    lucky = next(name for name in FORMAT.plan(field(6), {}).games[0].seats if not name.startswith("("))
    games, table = played(field(6), play)
    later = [name for name in games[-1].seats if not name.startswith("(")]
    assert later == [lucky]
    assert [row.name for row in table if row.note == "champion"] == [lucky]


def test_what_the_format_refuses() -> None:
    assert [name for name, _ in FORMAT.problems(field(1)._replace(deals=3, options={"x": 1}))] == ["entrants", "deals", "x"]
    assert not list(FORMAT.problems(field(2)))


def test_a_random_player_passes_only_when_it_has_no_play() -> None:
    rng, state, found = new_rng(1), load("cartas").new_initial_state(1), set()
    lead = state.legal_actions()
    for _ in range(20 * len(lead)):
        found.add(fill(state.raw, lead, rng))
    assert found == set(lead) - {PASS}
    assert fill(state.raw, [PASS], rng) == PASS


@pytest.mark.slow
def test_a_whole_tournament_is_played(tmp_path: Path) -> None:
    file, agents = tmp_path / "cup.toml", {"a": "random", "b": "greedy", "c": "random"}
    entrants = "".join(f'[[entrants]]\nname = "{name}"\nagent = "{agent}"\n' for name, agent in agents.items())
    file.write_text(f'game = "cartas"\nformat = "document"\nseed = 1\n{entrants}')
    table, games = undisturbed(file)
    assert {row.name for row in table} == {"a", "b", "c"}
    assert len(games) == 48
    assert (table[0].name, table[0].note) == ("b", "champion")
