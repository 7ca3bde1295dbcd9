"""A position without the way that led to it: played, copied, concealed, dealt again, sent to another process."""

import pickle
from random import Random

import numpy as np
import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.arrays import struct_dtype
from ludoteca.core.contract import SPECTATOR, TERMINAL
from ludoteca.core.game import State
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng


def midway(game: str, seed: int = 5) -> State:
    random, state = Random(seed), ludoteca.load(game).new_initial_state(seed)
    for _ in range(min(10, state.game.rules.MAX_MOVES // 2)):
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


def test_fields_are_attributes_and_single_signed_numbers_are_pythons() -> None:
    layout = np.dtype([("pad", "i1"), ("small", "i1"), ("wide", "i8"), ("words", "u8"), ("cells", "i2", (3,))])
    elements = np.zeros(2, struct_dtype(layout))
    one, other = elements[0], elements[1]
    for name, lowest, highest in (("small", -128, 127), ("wide", -(2**63), 2**63 - 1)):
        for number in (lowest, -1, 0, 1, highest):
            setattr(one, name, number)
            assert (getattr(one, name), type(getattr(one, name))) == (number, int)
            assert (elements[name].tolist(), getattr(other, name)) == ([number, 0], 0)
        for beyond in (lowest - 1, highest + 1):
            with pytest.raises(OverflowError):
                setattr(one, name, beyond)
    assert one.small << 1 == 254, "as in compiled code, where arithmetic has 64 bits"
    one.cells[1] = 7
    one.words = np.uint64(2**64 - 1)
    assert (elements["cells"].tolist(), elements["words"].tolist()) == ([[0, 7, 0], [0, 0, 0]], [2**64 - 1, 0])
    assert isinstance(one.words, np.uint64)
