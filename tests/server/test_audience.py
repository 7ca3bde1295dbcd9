"""The clients of a room, as a function: limits, presence and the number of spectators."""

from typing import Any

import pytest

from ludoteca.core.game import load
from ludoteca.server import frames
from ludoteca.server.model.effects import TRY_LATER, Client
from ludoteca.server.settings import Settings
from tests.server.machine import NUMBERS, Machine, machine_of, play, row_of, say


@pytest.mark.parametrize(
    ("limits", "clients", "refused"),
    [
        ({"spectators": 2}, [(None, "a"), (None, "b"), (None, "c"), (0, "c"), (1, "c")], 2),
        ({"spectators_of_address": 1}, [(None, "a"), (None, "a"), (None, "b"), (0, "a")], 1),
        ({"screens": 2}, [(0, "a"), (0, "b"), (0, "a"), (1, "a"), (None, "a")], 2),
    ],
)
def test_places_are_limited_and_become_free(
    limits: dict[str, Any], clients: list[tuple[int | None, str]], refused: int
) -> None:
    machine = Machine(row_of(load("okupacio", board="4x4").new_initial_state(0)), Settings(**limits))
    joined = [machine.join(seat, Client(address)) for seat, address in clients]
    assert machine.closed == {joined[refused]: TRY_LATER}
    assert [answer.code for answer in machine.sent[joined[refused]] if isinstance(answer, frames.Refused)] == ["full"]
    machine.leave(joined[0])
    assert machine.join(clients[refused][0], Client("a")) not in machine.closed


def notes(machine: Machine, client: Client, kind: str) -> list[frames.Note]:
    return [frame for frame in machine.sent[client] if isinstance(frame, frames.Note) and frame.kind == kind]


def test_all_clients_hear_who_is_there() -> None:
    machine = machine_of()
    one, spectator = machine.join(0), machine.join()
    two = machine.join(1)
    machine.leave(two)
    for client in (one, spectator):
        seen = [note.seats[1].present for note in notes(machine, client, "present") if note.seats]
        assert seen == [True, False]


def test_the_number_of_spectators_is_sent_once_a_second_at_most() -> None:
    machine = machine_of()
    one = machine.join(0)
    spectators = [machine.join() for _ in range(6)]
    wholes = [machine.sent[client][0] for client in spectators]
    assert [whole.spectators for whole in wholes if isinstance(whole, frames.Whole)] == [1, 2, 3, 4, 5, 6]
    machine.wait(1.0)
    for client in spectators:
        machine.leave(client)
    machine.wait(0.9)
    assert [note.number for note in notes(machine, one, "spectators")] == [6]
    machine.wait(0.1)
    assert [note.number for note in notes(machine, one, "spectators")] == [6, 0]


def test_a_seat_at_two_screens_hears_of_a_move_at_both_and_plays_it_once() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(0)
    table = machine.room.table
    decided, action = table.position_n, str(table.now.legal[0])
    assert say(machine, one, frames.Play, decided, action) == "done"
    assert machine.kinds(two) == ["room", "yours", "event"]
    assert machine.ask(two, frames.Play(next(NUMBERS), decided, action)).code == "duplicate"


@pytest.mark.parametrize(("game", "views"), [("okupacio", 1), ("conclave", 3)])
def test_clients_with_the_same_view_share_one_event(game: str, views: int) -> None:
    machine = Machine(row_of(load(game, players=2).new_initial_state(0)))
    clients = [machine.join(seat) for seat in (0, 1, None)]
    table = machine.room.table
    machine.ask(clients[0], frames.Play(next(NUMBERS), table.position_n, str(table.now.legal[0])))
    events = [
        frame for client in clients for frame in machine.sent[client] if isinstance(frame, frames.Event) and frame.line
    ]
    assert len(events) == len(clients)
    assert len({id(event) for event in events}) == views


def test_what_concerns_one_seat_is_sent_to_it_before_the_event_and_only_if_it_changes() -> None:
    machine = machine_of()
    one, two, spectator = machine.join(0), machine.join(1), machine.join()
    play(machine, one)
    play(machine, two)
    own = [
        [(frame.n, bool(frame.choices), frame.undo) for frame in machine.sent[client] if isinstance(frame, frames.Yours)]
        for client in (one, two, spectator)
    ]
    assert own == [[(1, False, True), (2, True, True)], [(1, True, False), (2, False, True)], [(1, False, False)]]
    assert machine.kinds(one) == ["room", "note", "yours", "event", "done", "yours", "event"]


def test_a_client_that_joins_between_two_changes_hears_the_number_of_spectators() -> None:
    machine = machine_of()
    guest = machine.join()
    machine.wait(1)
    machine.leave(guest)
    one = machine.join(0)
    machine.join()
    machine.wait(1)
    assert [note.number for note in notes(machine, one, "spectators")] == [1]
