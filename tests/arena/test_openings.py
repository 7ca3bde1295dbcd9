"""Openings of games without chance, and identical games."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ludoteca.agents.agent import new_searcher
from ludoteca.agents.openings import draw_opening, moves_of
from ludoteca.arena.figures.ratings import deal_scores, results
from ludoteca.arena.figures.tables import summary
from ludoteca.arena.matches.players import AgentPlayer, Entrant
from ludoteca.arena.matches.referee import play
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import Setup, playing
from ludoteca.arena.matches.tournament import read_tournament
from ludoteca.cli.match import command
from ludoteca.core.errors import LudotecaError
from ludoteca.core.formats import Fixture
from ludoteca.core.game import Game, load
from ludoteca.core.workers import processor
from ludoteca.search.searcher import Budget

FIRST = str(Path(__file__).parents[2] / "examples/bots/first.sh")


class Reader(AgentPlayer):
    """A random player that keeps the texts of all moves."""

    reads = True

    def __init__(self, game: Game) -> None:
        super().__init__("random", game, 0)
        self.read: list[str] = []

    def see(self, mover: int, action: str) -> None:
        self.read.append(action)


def games_of_two_equal_bots(opening: int) -> list[Played]:
    entrants = tuple(Entrant(name=name, command=(FIRST,)) for name in "ab")
    with playing(Setup(load("okupacio", board="8x8"), entrants, b"seed", ".", opening, not_isolated=True)) as play:
        return [play(Fixture(f"deal {deal}", seats)) for deal in (1, 2, 3) for seats in (("a", "b"), ("b", "a"))]


def test_the_games_of_a_deal_have_one_opening_and_deals_have_different_ones() -> None:
    games = games_of_two_equal_bots(5)
    begun = [game.record.actions[:5] for game in games]
    assert begun[0::2] == begun[1::2]
    assert len({*map(tuple, begun)}) == 3
    assert (results(games).games, results(games).copies) == (6, 0)


def test_identical_games_count_as_one() -> None:
    games = games_of_two_equal_bots(0)
    found = results(games)
    assert (found.games, found.copies, found.deals) == (2, 4, 1)
    assert [line.games for line in found.bots] == [2, 2]
    assert len(deal_scores(games, "a", "b")) == 1


def test_equal_actions_are_no_copies_in_another_deal_of_cards() -> None:
    game = load("cartas")
    games = [play(game, Fixture(f"deal {deal}", tuple("abcd")), [Reader(game) for _ in "abcd"], b"") for deal in (1, 2)]
    actions = games[0].record.actions
    games[1].record.actions[:] = actions
    assert results(games, 10).copies == 0


def test_results_name_the_processor_of_each_game() -> None:
    games = games_of_two_equal_bots(0)
    assert results(games).processors == summary(results(games))["processors"] == [processor()]
    assert processor() == processor().strip() != ""


def test_players_read_the_moves_of_an_opening_as_moves() -> None:
    game = load("okupacio", board="8x8")
    players = [Reader(game), Reader(game)]
    played = play(game, Fixture("deal 1", ("a", "b")), players, b"", 5)
    assert players[0].read == players[1].read == played.record.actions
    assert (played.opening, len(played.times)) == (5, len(played.record.actions))
    assert not any(played.times[:5])
    assert all(played.times[5:])
    assert sum(played.times) <= sum(seat.seconds for seat in played.seats)


def test_a_longer_search_also_calls_an_opening_for_two_balanced() -> None:
    game = load("okupacio", board="8x8")
    for seed in range(2):
        state = game.new_initial_state(0)
        for action in draw_opening(game, 5, seed):
            state.apply_action(action)
        mover = state.current_player()
        value = new_searcher(game).search(state.information_state(mover), Budget(simulations=30)).choices[0].values[mover]
        assert 0.25 < value < 0.75


@pytest.mark.parametrize(
    ("chosen", "moves", "expected"),
    [({"players": 4, "board": "8x8"}, 9, 9), ({"board": "4x4"}, 5, 5), ({"board": "4x4"}, 50, 0), ({"board": "4x4"}, 0, 0)],
)
def test_the_length_of_an_opening_that_does_not_end_the_game(chosen: dict[str, Any], moves: int, expected: int) -> None:
    assert len(draw_opening(load("okupacio", **chosen), moves, 1)) == expected


def test_openings_are_for_games_without_chance() -> None:
    assert [moves_of(load("okupacio", players=players), None) for players in (2, 3)] == [5, 7]
    assert moves_of(load("okupacio"), 0) == moves_of(load("cartas"), None) == moves_of(load("metro"), 0) == 0
    with pytest.raises(LudotecaError, match="opening: read 3, expected 0: the deals of cartas differ by chance"):
        moves_of(load("cartas"), 3)


def test_a_match_says_that_it_does_not_count_copies() -> None:
    words = ["--board", "4x4", "--opening", "0", "--deals", "3", "--bot", f"a={FIRST}", "--bot", f"b={FIRST}"]
    result = CliRunner().invoke(command, ["okupacio", *words])
    assert "4 games repeated another game move by move. The figures count such games as one." in result.output


@pytest.mark.parametrize(
    ("game", "line", "expected"), [("okupacio", "", 5), ("okupacio", "opening = 2", 2), ("cartas", "", 0)]
)
def test_the_opening_of_a_tournament(tmp_path: Path, game: str, line: str, expected: int) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'game = "{game}"\n{line}\n[[entrants]]\nagent = "greedy"\n[[entrants]]\nagent = "random"\n')
    assert read_tournament(file).opening == expected
