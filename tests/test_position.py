"""A position without the way that led to it: played, copied, concealed, dealt again, sent to another process."""

import pickle
from random import Random

import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.game import State
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng


def midway(game: str, seed: int = 5) -> State:
    random, state = Random(seed), ludoteca.load(game).new_initial_state(seed)
    for _ in range(10):
        state.apply_action(random.choice(state.position.choices().tolist()))
    return state


@pytest.mark.parametrize("game", registry.names())
def test_a_position_answers_as_its_state_does(game: str) -> None:
    state = midway(game)
    position = state.position
    assert position.current_player() == state.current_player() != TERMINAL
    assert position.legal_actions().tolist() == state.legal_actions()
    assert set(state.legal_actions()) - set(position.choices().tolist()) <= {state.game.rules.CONCEDE}
    assert (position.scores(), position.winners(), position.is_terminal()) == (state.scores(), [], False)


@pytest.mark.parametrize("game", registry.names())
def test_playing_gives_what_everybody_sees_and_changes_no_copy(game: str) -> None:
    state = midway(game)
    position, action = state.position.copy(), state.legal_actions()[0]
    seats = range(SPECTATOR, state.game.num_players())
    assert position == state.position
    assert position.apply(action) == tuple(state.seen_action(action, seat) for seat in seats)
    assert position != state.position
    assert position == state.child(action).position
    assert repr(position) == f"<Position of {game}: {state.child(action)}>"


@pytest.mark.parametrize("game", registry.names())
def test_the_content_is_the_bytes_without_what_equal_positions_may_differ_in(game: str) -> None:
    position = midway(game).position
    blank = position.copy()
    for name in position.game.rules.DERIVED:
        blank.array[name] = 0
    assert position.content() == blank.tobytes()


@pytest.mark.parametrize("game", registry.names())
def test_an_action_that_is_not_legal_is_not_played(game: str) -> None:
    position = midway(game).position
    before = position.tobytes()
    illegal = next(action for action in range(-1, 1 << 20) if action not in position.legal_actions())
    assert (position.apply(illegal), position.tobytes()) == ((), before)


@pytest.mark.parametrize("game", registry.names())
def test_what_a_seat_knows_goes_to_another_process_and_is_dealt_again(game: str) -> None:
    state = midway(game)
    seat = state.current_player()
    known = pickle.loads(pickle.dumps(state.information_state(seat)))
    assert (known.player, known.seen, known.view) == (seat, tuple(state.seen_actions(seat)), state.view(seat))
    deal = known.redeal(new_rng(5))
    assert isinstance(deal, Position)
    assert deal.conceal(seat).tobytes() == state.view(seat).tobytes()
    assert deal.legal_actions().tolist() == state.legal_actions()


@pytest.mark.parametrize("player", [-2, 4])
def test_a_seat_that_the_game_has_not_knows_nothing(player: int) -> None:
    with pytest.raises(ValueError, match=rf"player {player}: expected -1 \(a spectator\) to 3"):
        midway("cartas").position.conceal(player)
