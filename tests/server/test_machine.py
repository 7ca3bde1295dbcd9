"""A room as a function: absence, clocks, undo, rematch and failures of the store, without a server."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from ludoteca.core.game import load
from ludoteca.server import frames
from ludoteca.server.jobs import Thought
from ludoteca.server.model import effects, events
from ludoteca.server.model.effects import Client
from ludoteca.server.model.events import AGENT, OPEN, PERSON, EventRow, Moved, Taken
from ludoteca.server.model.replay import folded
from ludoteca.server.model.room import AGENT_TRIES, RETRY_SECONDS, InvariantError
from ludoteca.server.model.tokens import digest
from tests.server.machine import MAKE_NEXT, NUMBERS, Machine, machine_of, play, row_of, say, undo

# absence


def test_an_agent_takes_the_seat_of_an_absent_person_who_can_come_back() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    play(machine, one)
    machine.leave(two)
    assert say(machine, one, frames.Replace, 1) == "away"
    machine.wait(30)
    assert say(machine, one, frames.Replace, 1) == "done"
    assert machine.room.table.seats[1].kind == AGENT
    assert machine.asked[-1].turn == (1, 1)
    machine.join(1, two)
    assert machine.room.table.seats[1].kind == PERSON
    assert two.seat == 1


def test_a_present_person_is_not_replaced_and_spectators_ask_for_nothing() -> None:
    machine = machine_of()
    one, _, spectator = machine.join(0), machine.join(1), machine.join()
    assert say(machine, one, frames.Replace, 1) == "present"
    assert say(machine, spectator, frames.Replace, 1) == "seat"
    assert say(machine, spectator, frames.Rematch) == "seat"


def test_only_players_get_the_invitation_of_a_listed_room() -> None:
    row = row_of(load("okupacio", board="4x4").new_initial_state(0))
    machine = Machine(msgspec.structs.replace(row, options={**row.options, "listed": True}))
    wholes = [machine.sent[client][0] for client in (machine.join(0), machine.join())]
    assert [bool(whole.invitation) for whole in wholes if isinstance(whole, frames.Whole)] == [True, False]


@pytest.mark.parametrize("agents", [(), (1,)])
def test_hints_are_offered_only_against_agents(agents: tuple[int, ...]) -> None:
    machine = machine_of(agents)
    one = machine.join(0)
    play(machine, one)
    offered = [frame.hints for frame in machine.sent[one] if isinstance(frame, frames.Whole | frames.Yours)]
    assert offered == [bool(agents)] * 2


def test_a_wrong_secret_is_refused_and_the_connection_ends() -> None:
    machine = machine_of()
    stranger = machine.join(7)
    assert machine.kinds(stranger) == ["error"]
    assert machine.closed == {stranger: effects.FORBIDDEN}


# clocks


def test_the_time_of_a_move_is_taken_from_its_player_alone() -> None:
    machine = machine_of(clock={"bank": 60, "increment": 2})
    one, two = machine.join(0), machine.join(1)
    machine.wait(10)
    play(machine, one)
    machine.wait(5)
    clocks = machine.room.clocks()
    assert machine.stored == [Moved(0, "aa", 10_000)]
    assert clocks == frames.Clock([52_000, 60_000], True)
    assert getattr(machine.sent[two][-1], "clocks", None) == clocks


@pytest.mark.parametrize(("players", "seats"), [(2, [PERSON, PERSON]), (3, [AGENT, PERSON, PERSON])])
def test_a_player_whose_time_is_up_loses_the_seat(players: int, seats: list[str]) -> None:
    machine = machine_of(clock={"move": 5}, players=players)
    for seat in range(players):
        machine.join(seat)
    machine.wait(6)
    table = machine.room.table
    assert (table.is_over, table.seats[0].timed_out) == (players == 2, True)
    assert [seat.kind for seat in table.seats] == seats


def test_a_move_after_the_time_comes_too_late() -> None:
    machine = machine_of(clock={"move": 5})
    one, _ = machine.join(0), machine.join(1)
    machine.now = 6.0  # the timer is late
    assert play(machine, one).code == "over"


def test_no_time_of_an_agent_is_taken() -> None:
    machine = machine_of(agents=(1,), clock={"move": 5})
    one = machine.join(0)
    play(machine, one)
    machine.wait(60)
    assert machine.room.clocks() == frames.Clock([5_000, 5_000], False)
    assert say(machine, one, frames.Undo, machine.room.table.position_n) == "done"


def test_lost_time_is_stored_as_soon_as_the_store_works_again() -> None:
    machine = machine_of(clock={"move": 5})
    machine.join(0), machine.join(1)
    machine.acknowledges, machine.loses = False, True
    machine.wait(6)
    assert not machine.room.table.is_over
    machine.acknowledges = True
    machine.wait(2 * RETRY_SECONDS)
    assert machine.room.table.is_over


# undo and rematch


def test_an_undo_needs_all_players_and_brings_the_position_back() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    before = machine.room.table.state
    play(machine, one)
    assert say(machine, one, frames.Undo, 1) == "done"
    assert machine.room.table.ply == 1
    assert say(machine, one, frames.Undo, 1) == "duplicate"
    assert say(machine, two, frames.Agree, "undo 1 0") == "done"
    assert machine.room.table.state == before
    assert machine.kinds(two)[-2:] == ["room", "done"]


def test_a_rematch_is_made_when_all_players_agree() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    assert say(machine, one, frames.Rematch) == "running"
    assert say(machine, one, frames.Resign, 0) == "done"
    assert say(machine, one, frames.Rematch) == "done"
    assert machine.room.table.rematch == ""
    assert say(machine, two, frames.Rematch) == "done"
    assert machine.room.table.rematch == MAKE_NEXT


# the store


@pytest.mark.parametrize("loses", [False, True])
def test_a_move_that_is_not_acknowledged_is_sent_to_no_client_before_it_is_known(loses: bool) -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    heard = len(machine.sent[two])
    machine.acknowledges, machine.loses = False, loses
    assert play(machine, one).code == "storage"
    assert len(machine.sent[two]) == heard
    machine.acknowledges = True
    machine.wait(RETRY_SECONDS)
    assert machine.room.table.ply == (0 if loses else 1)
    assert play(machine, (one, two)[machine.room.table.mover]).__struct_config__.tag == "done"


def test_a_room_that_breaks_an_invariant_says_which() -> None:
    machine = machine_of(clock={"move": 5})
    machine.join(0)
    clocks = machine.room.table.clocks
    assert clocks
    clocks.left[1] = -1
    with pytest.raises(InvariantError, match="it does not hold that no player has less than no time"):
        machine.join(1)


# agents


def test_an_agent_that_fails_is_asked_again_and_then_another_one_plays() -> None:
    machine = machine_of(agents=(1,))
    one = machine.join(0)
    play(machine, one)
    asked = machine.asked[-1]
    assert asked.delay == 0.5
    for _ in range(AGENT_TRIES):
        machine.bring(effects.Chosen(asked.turn, None))
    assert [ask.job.agent for ask in machine.asked] == ["greedy"] * AGENT_TRIES + [machine.room.table.stand_in()]
    machine.bring(effects.Chosen(asked.turn, None))
    assert [frame.kind for frame in machine.sent[one] if isinstance(frame, frames.Note)][-2:] == ["hurried", "stuck"]
    machine.join(0)
    machine.bring(effects.Chosen(asked.turn, machine.room.table.now.legal[0]))
    assert machine.room.table.ply == 2


def test_an_answer_to_a_turn_that_is_over_is_dropped() -> None:
    machine = machine_of(agents=(1,))
    one = machine.join(0)
    play(machine, one)
    turn = machine.asked[-1].turn
    assert say(machine, one, frames.Undo, 1) == "done"
    machine.bring(effects.Chosen(turn, machine.room.table.now.legal[0]))
    assert machine.room.table.ply == 0


def test_an_answer_about_a_position_that_was_taken_back_is_dropped() -> None:
    machine = machine_of(agents=(1,))
    one, table = machine.join(0), machine.room.table
    play(machine, one)
    first = machine.asked[-1].turn
    assert say(machine, one, frames.Undo, table.position_n) == "done"
    machine.ask(one, frames.Play(next(NUMBERS), table.position_n, str(table.now.legal[1])))
    machine.bring(effects.Chosen(first, table.now.legal[0]))
    assert (table.ply, machine.asked[-1].turn) == (1, (3, 1))


def test_a_hint_for_a_position_that_was_taken_back_is_stale() -> None:
    machine = machine_of(agents=(1,))
    one, table = machine.join(0), machine.room.table
    hint = frames.Hint(next(NUMBERS), table.position_n)
    machine.bring(effects.Received(one, hint))
    play(machine, one)
    assert say(machine, one, frames.Undo, table.position_n) == "done"
    assert table.ply == 0
    machine.bring(effects.HintFound(one, hint, Thought(table.now.legal[0])))
    assert machine.sent[one][-1] == frames.Refused(hint.id, "stale", ("error.stale",))


# positions


REQUESTS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (frames.Play, ("1",)), (frames.Write, ("aa",)), (frames.Why, (["a"],)), (frames.Preview, ("1",)),
    (frames.Plan, ()), (frames.Hint, ()), (frames.Undo, ()), (frames.Resign, ()),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "rest"), REQUESTS)
def test_no_request_reaches_another_position_with_as_many_moves(kind: Callable[..., Any], rest: tuple[Any, ...]) -> None:
    machine = machine_of(agents=(1,))
    one, table = machine.join(0), machine.room.table
    decided = table.position_n
    play(machine, one)
    assert say(machine, one, frames.Undo, table.position_n) == "done"
    before = table.n
    assert (table.ply, say(machine, one, kind, decided, *rest)) == (0, "stale")
    assert table.n == before


def test_questions_and_seats_leave_the_position_as_it_is() -> None:
    machine = machine_of(players=3)
    clients = [machine.join(seat) for seat in range(3)]
    table = machine.room.table
    play(machine, clients[0])
    known = table.position_n
    assert say(machine, clients[0], frames.Undo, known) == "done"
    machine.leave(clients[2])
    machine.wait(30)
    assert [say(machine, clients[seat], frames.Replace, 2) for seat in (0, 1)] == ["done", "done"]
    assert (known, table.n) == (1, 4)
    assert table.position_n == known


@pytest.mark.parametrize("loses_on_time", [False, True])
def test_a_player_who_gives_up_changes_the_position(loses_on_time: bool) -> None:
    machine = machine_of(players=3, clock={"move": 60})
    clients = [machine.join(seat) for seat in range(3)]
    table = machine.room.table
    play(machine, clients[0])
    decided, action = table.position_n, str(table.now.legal[0])
    if loses_on_time:
        machine.wait(61)
    else:
        say(machine, clients[2], frames.Resign, decided)
    assert table.position_n == 2
    assert machine.ask(clients[1], frames.Play(next(NUMBERS), decided, action)).code in ("stale", "seat")


# every order of a small room's events


STEPS = ("move", "move", "sit", "refuse", "leave", "leave", "undo", "lost")


def orders(steps: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every different order."""
    if not steps:
        yield ()
    for step in dict.fromkeys(steps):
        rest = list(steps)
        rest.remove(step)
        for after in orders(tuple(rest)):
            yield (step, *after)


ALL = list(orders(STEPS))


@pytest.mark.parametrize("part", [ALL[::80], pytest.param(ALL, marks=pytest.mark.soak)], ids=["some", "all"])
def test_in_every_order_nothing_acknowledged_is_lost_and_the_room_can_go_on(part: list[tuple[str, ...]]) -> None:
    """Two persons and an open seat for a third one."""
    for order in part:
        row = row_of(load("okupacio", board="4x4", players=3).new_initial_state(0))
        row.options["seats"][2] = {"kind": OPEN}
        machine = Machine(row)
        clients = [machine.join(0), machine.join(1), Client("the third")]
        machine.sent[clients[2]] = []
        acknowledged = 0
        for step in order:
            acknowledged += take(machine, clients, step)
        machine.acknowledges = True
        machine.wait(60)
        assert len(machine.stored) == machine.room.table.n >= acknowledged, order
        assert_as_stored(machine, order)
        assert_goes_on(machine, clients, order)


def present(machine: Machine, clients: list[Client]) -> list[Client]:
    """The clients of the persons who are there."""
    return [client for client in clients if client in machine.room.audience.connections() and client.seat >= 0]


def missing(machine: Machine) -> list[int]:
    """The seats that can be given to agents."""
    table = machine.room.table
    return [*(set(table.people()) - set(machine.room.audience.present())), *table.open_seats]


def take(machine: Machine, clients: list[Client], step: str) -> int:
    """Take a step. Return how many events were acknowledged."""
    table, before = machine.room.table, machine.room.table.n
    there = present(machine, clients)
    if step in ("move", "lost"):
        machine.acknowledges = step == "move"
        for client in [client for client in there if client.seat == table.mover]:
            play(machine, client)
        machine.acknowledges = True
    elif step == "sit":
        machine.bring(effects.Call(lambda: machine.room.happen(Taken(2, "P2", digest("2")))))
        machine.join(2, clients[2])
    elif step == "refuse" and len(there) > 1:
        for seat in missing(machine):
            say(machine, there[-1], frames.Replace, seat)
            say(machine, there[0], frames.Decline, f"replace {seat}")
    elif step == "leave" and there:
        machine.leave(there[0])
        machine.wait(31)
    elif step == "undo":
        for client in there:
            undo(machine, client)
    return 0 if step == "lost" else table.n - before


def assert_as_stored(machine: Machine, order: tuple[str, ...]) -> None:
    """The room is the fold of its stored events."""
    rows = [EventRow(n, events.encode(event), 0.0) for n, event in enumerate(machine.stored, 1)]
    again, table = folded(machine.room.table.row, rows), machine.room.table
    assert again.state == table.state, order
    assert (again.n, again.seats, again.asked, again.reason) == (table.n, table.seats, table.asked, table.reason), order


def assert_goes_on(machine: Machine, clients: list[Client], order: tuple[str, ...]) -> None:
    """Those who are there can play with agents in the place of all others, and so can all who come back."""
    table = machine.room.table
    for _ in ("some are away", "all are back"):
        there = present(machine, clients)
        for client in there:
            for seat in missing(machine):
                say(machine, client, frames.Replace, seat)
        assert not there or not missing(machine), order
        if there and table.seats[table.mover].kind == AGENT:
            assert machine.asked[-1].turn == (table.position_n, table.mover), order
        elif there:
            assert isinstance(play(machine, clients[table.mover]), frames.Done), order
        for seat, client in enumerate(clients):
            if table.seats[seat].token:
                machine.join(seat, client)
