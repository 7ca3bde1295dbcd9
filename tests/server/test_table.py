"""A table is the fold of its events: what is prepared changes nothing, and what is committed cannot fail."""

import pytest

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import load
from ludoteca.server.model.creation import new_id, new_row
from ludoteca.server.model.events import (
    AGENT,
    OPEN,
    PERSON,
    Asked,
    Flagged,
    Moved,
    Options,
    Resigned,
    SeatMade,
    StoredEvent,
    Taken,
)
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.history import History
from ludoteca.server.model.table import SEATS_OPEN, Table


def new_table(*kinds: str, clock: dict[str, int] | None = None) -> Table:
    seats = [SeatMade(kind, agent="random" if kind == AGENT else "") for kind in kinds]
    return Table(new_row(load("okupacio", board="4x4"), Options(seats, clock), Draw(bytes(32), bytes(32))))


def first_move(table: Table) -> Moved:
    return Moved(0, table.state.action_to_string(table.now.legal[0]))


def seen(table: Table) -> tuple[object, ...]:
    return table.n, table.ply, table.mover, table.reason, dict(table.asked), str(table.state), str(table.seats)


@pytest.mark.parametrize("event", [Resigned(0), Asked("rematch", [0]), Flagged(0, "random"), Taken(1, "Bru", "secret")])
def test_what_is_prepared_changes_nothing(event: StoredEvent) -> None:
    table = new_table(PERSON, PERSON, clock={"move": 60})
    before = seen(table)
    step = table.prepare(event)
    assert seen(table) == before
    table.commit(step)
    assert seen(table) != before


def test_a_move_is_prepared_on_a_copy() -> None:
    table = new_table(PERSON, PERSON)
    before = seen(table)
    step = table.prepare(first_move(table))
    assert (seen(table), step.ends) == (before, False)
    table.commit(step)
    assert (table.n, table.ply, table.mover) == (1, 1, 1)
    assert table.state is step.after


def test_a_move_that_cannot_be_played_is_refused_before_anything_changes() -> None:
    table = new_table(PERSON, PERSON)
    played = first_move(table)
    table.commit(table.prepare(played))
    before = seen(table)
    for text, error in ((played.text, IllegalActionError), ("nonsense", NotationError)):
        with pytest.raises(error):
            table.prepare(Moved(1, text))
    assert seen(table) == before


def test_an_agreement_of_nobody_is_none_though_there_was_none() -> None:
    table = new_table(PERSON, PERSON)
    for seats in ([], [0], []):
        table.commit(table.prepare(Asked("rematch", seats)))
        assert table.asked == ({"rematch": seats} if seats else {})


def test_who_gives_up_ends_the_game_unless_an_agent_plays_on() -> None:
    table = new_table(PERSON, PERSON)
    step = table.prepare(Resigned(0, "random"))
    assert not step.ends
    table.commit(step)
    assert (table.is_over, table.seats[0].kind, table.people()) == (False, AGENT, [1])
    step = table.prepare(Resigned(1))
    assert step.ends
    table.commit(step)
    over = table.over()
    assert over is not None
    assert over.reason == "resigned"


def test_nobody_moves_while_a_seat_is_open() -> None:
    table = new_table(PERSON, OPEN)
    assert table.mover == SEATS_OPEN
    table.commit(table.prepare(Taken(1, "Bru", "secret")))
    assert table.mover == 0


def test_no_room_has_a_name_that_a_command_takes_for_an_option() -> None:
    assert not any(new_id().startswith("-") for _ in range(2000))


@pytest.mark.parametrize("at_once", [True, False])
def test_the_log_names_a_card_that_was_hidden_and_lies_open_now(at_once: bool) -> None:
    history = History(load("conclave").new_initial_state(1))
    for text in ("0:11", "e", "0:22"):
        now = history.now.state
        history.add(now.child(now.string_to_action(text)))
        if at_once:
            history.lines(SPECTATOR)
    told = [history.now.state.game.in_english(line.told) for line in history.lines(SPECTATOR)]
    assert [text.partition(" (")[0] for text in told] == ["sends red 5", "draws from the left pile", "sends orange 1"]
    assert [line.player for line in history.lines(SPECTATOR)] == [0, 0, 1]


@pytest.mark.parametrize(("game", "is_dealt"), [("okupacio", False), ("metro", True), ("conclave", True)])
def test_a_game_without_a_deal_promises_none(game: str, is_dealt: bool) -> None:
    table = Table(new_row(load(game, players=2), Options([SeatMade(PERSON)] * 2), Draw(bytes(32), bytes(32))))
    table.commit(table.prepare(Resigned(0)))
    over = table.over()
    assert over is not None
    assert (bool(table.commitment()), bool(over.nonce)) == (is_dealt, is_dealt)
