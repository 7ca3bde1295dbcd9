"""A position without its history: played, copied, concealed, dealt again, sent to another process."""

import re
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import ludoteca
from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import State
from ludoteca.core.tables import struct_dtype


def midway(game: str, seed: int = 5) -> State:
    random, state = Random(seed), ludoteca.load(game).new_initial_state(seed)
    for _ in range(min(10, state.game.rules.MAX_MOVES // 2)):
        state.apply_action(random.choice(state.position.choices().tolist()))
    return state


@pytest.mark.parametrize("game", ["okupacio", "cartas"])
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


@pytest.mark.parametrize(
    ("game", "parameters"),
    [("okupacio", {"players": 3, "board": "..#./##../###./#..#"}), ("cartas", {}), ("qinto", {}), ("metro", {})],
)
def test_the_page_about_positions_has_positions(game: str, parameters: dict[str, Any]) -> None:
    """Conclave's example is a view."""
    page = (Path(__file__).parents[1] / "docs" / "positions.md").read_text(encoding="utf-8")
    title = ludoteca.load(game).spec.title
    (shown,) = re.findall(rf"^## {title}\n\n`(.*)`$", page, re.MULTILINE)
    assert str(ludoteca.load(game, **parameters).state_from_string(shown)) == shown
