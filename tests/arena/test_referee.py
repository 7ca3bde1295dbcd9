"""The referee: the messages to players, the end after a fault, and how the others share the loss of a bot."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from ludoteca.arena.matches.players import AgentPlayer, Entrant
from ludoteca.arena.matches.referee import play, shared_out
from ludoteca.arena.matches.runner import Setup, playing
from ludoteca.arena.programs.conversation import alike
from ludoteca.arena.programs.limits import Fault, FaultError
from ludoteca.core.formats import Fixture
from ludoteca.core.game import Game, State, load, open_record
from ludoteca.core.position import InformationState

SEED = b"a seed of 32 bytes, or fewer"
OKUPACIO: Mapping[str, Any] = {"players": 3, "board": "4x4"}


class Watched(AgentPlayer):
    """A random player that remembers its messages, and makes a fault at its nth move."""

    def __init__(self, game: Game, wrong_at: int = 0) -> None:
        super().__init__("random", game, 0)
        self.known: list[InformationState] = []
        self.left = wrong_at

    def choose(self, state: InformationState, legal: Sequence[int]) -> int:
        self.known.append(state)
        self.left -= 1
        if self.left == 0:
            raise FaultError(Fault.TIME, "no answer within 5 s")
        assert self.left, "a player is not asked again after a fault"
        return super().choose(state, legal)


def seats(game: Game) -> tuple[str, ...]:
    return tuple("abcd"[: game.num_players()])


def test_case_is_taken_as_it_is_where_two_moves_differ_by_it() -> None:
    assert alike("AB", ["aa", "ab"]) == "ab"
    assert alike("zz", ["aa", "ab"]) is None
    assert alike("+5b@0,1", ["+5B@0,1", "+5b@1,1"]) == "+5B@0,1"
    assert alike("+5b@0,1", ["+5B@0,1", "+5b@0,1"]) is None


@pytest.mark.parametrize("name", ["okupacio", "cartas"])
def test_a_game_between_agents_is_a_game_by_the_rules_that_can_be_played_again(name: str) -> None:
    game = load(name, **OKUPACIO) if name == "okupacio" else load(name)
    played = play(game, Fixture("deal 1", seats(game)), [Watched(game) for _ in seats(game)], SEED)
    state = open_record(played.record)
    assert state.is_terminal()
    assert [seat.points for seat in played.seats] == state.returns()
    assert [seat.score for seat in played.seats] == state.scores()
    assert {player for player, seat in enumerate(played.seats) if seat.won} == set(state.winners())
    assert all(seat.seconds > 0 and not seat.fault for seat in played.seats)
    assert sum(seat.seconds for seat in played.seats) < played.seconds


def test_the_same_seed_gives_the_same_game_and_another_deal_or_seed_another_one() -> None:
    game = load("cartas")
    setup = Setup(game, (Entrant(name="a", agent="random"), Entrant(name="b", agent="greedy")), SEED, ".")
    seats = ("a", "b", "b", "a")
    with playing(setup) as play_game:
        first = play_game(Fixture("deal 1", seats)).record
    with playing(Setup(game, setup.entrants, b"another", ".")) as play_game:
        seed = play_game(Fixture("deal 1", seats)).record
    with playing(setup) as play_game:
        deal = play_game(Fixture("deal 2", seats)).record  # an earlier game changes nothing
        assert play_game(Fixture("deal 1", seats)).record == first
        assert play_game(Fixture("deal 1", ("b", "a", "b", "a"))).record.start == first.start
    assert len({first.digest, deal.digest, seed.digest}) == 3


def test_players_are_told_nothing_but_what_their_seat_knows() -> None:
    game = load("cartas")
    players = [Watched(game) for _ in range(4)]
    play(game, Fixture("deal 1", seats(game)), players, SEED)
    for seat, player in enumerate(players):
        for known in player.known:
            hands = known.view.raw["hands"]
            assert known.player == seat
            assert not np.any(np.delete(hands, seat))


def test_where_a_game_knows_giving_up_a_fault_gives_up() -> None:
    game = load("okupacio", **OKUPACIO)
    players = [Watched(game, wrong_at=2), Watched(game), Watched(game)]
    played = play(game, Fixture("deal 1", seats(game)), players, SEED)
    concede = game.rules.CONCEDE
    moves = open_record(played.record).history()
    assert moves.index(concede) == 3
    assert moves.count(concede) == 1
    first = played.seats[0]
    assert (first.fault, first.detail, first.faults, first.points) == ("time", "no answer within 5 s", 1, 0.0)
    assert sum(seat.won for seat in played.seats[1:]) == pytest.approx(1)


def test_elsewhere_its_seat_plays_on_at_random_so_that_others_can_finish() -> None:
    game = load("cartas")
    played = play(
        game, Fixture("deal 1", seats(game)), [Watched(game, wrong_at=1), *(Watched(game) for _ in range(3))], SEED
    )
    assert open_record(played.record).is_terminal()
    assert (played.seats[0].points, played.seats[0].won, played.seats[0].fault) == (0.0, 0.0, "time")
    assert sum(seat.points for seat in played.seats) == sum(open_record(played.record).returns())


def test_the_last_one_left_has_won_at_once() -> None:
    game = load("conclave")
    played = play(game, Fixture("deal 1", seats(game)), [Watched(game), Watched(game, wrong_at=2)], SEED)
    assert played.record.result is None
    assert [(seat.points, seat.won) for seat in played.seats] == [(1.0, 1.0), (0.0, 0.0)]


def test_nothing_is_played_on_when_nobody_is_left() -> None:
    game = load("cartas")
    played = play(game, Fixture("deal 1", seats(game)), [Watched(game, wrong_at=1) for _ in range(4)], SEED)
    assert len(played.record.actions) < 4
    assert [(seat.points, seat.won) for seat in played.seats] == [(0.0, 0.0)] * 4
    alone = load("metro", players=1)
    played = play(alone, Fixture("deal 1", ("a",)), [Watched(alone, wrong_at=1)], SEED)
    assert (played.record.actions, played.seats[0].points) == ([], 0.0)


def finished() -> State:
    """A game of cartas that one player has won."""
    state = load("cartas").new_initial_state(1)
    while not state.is_terminal():
        state.apply_action(max(state.legal_actions(), key=lambda play: (play.bit_count(), -play)))
    return state


def test_what_a_bot_loses_is_shared_by_the_other_winners_or_by_all_that_did_not_lose_so() -> None:
    state = finished()
    (winner,) = state.winners()
    got = state.returns()[winner]
    fell = [seat == winner for seat in range(4)]
    points, won = shared_out(state, fell)
    assert points == [0.0 if fell[seat] else got / 3 for seat in range(4)]
    assert won == [0.0 if fell[seat] else 1 / 3 for seat in range(4)]
    others = [not lost for lost in fell]
    assert shared_out(state, others) == shared_out(state, [False] * 4) == (state.returns(), [float(lost) for lost in fell])
