"""Absence is not consent: undo, hints, questions and rematches in a room of several people."""

from typing import Any

import pytest

from ludoteca.server import frames
from ludoteca.server.model import effects
from ludoteca.server.model.creation import make_next
from ludoteca.server.model.effects import Client
from ludoteca.server.model.events import AGENT, PERSON, Asked, EventRow, Flagged, Moved, StoredEvent, encode
from ludoteca.server.model.replay import folded
from ludoteca.server.model.requests import MOST_QUESTIONS
from ludoteca.server.model.table import END, REMATCH
from tests.server.machine import Machine, machine_of, play, say, undo


def replaced(machine: Machine, others: list[Client], gone: Client) -> None:
    """Have the others replace a person who is away."""
    seat = gone.seat
    machine.leave(gone)
    machine.wait(30)
    for other in others:
        say(machine, other, frames.Replace, seat)
    assert machine.room.table.seats[seat].kind == AGENT


# undo


@pytest.mark.parametrize("absence", ["for a moment", "for long", "replaced", "never came"])
def test_no_move_is_taken_back_while_a_player_is_away(absence: str) -> None:
    machine = machine_of()
    one = machine.join(0)
    two = machine.join(1) if absence != "never came" else None
    play(machine, one)
    if absence == "replaced" and two:
        replaced(machine, [one], two)
    elif two:
        machine.leave(two)
        machine.wait(3600 if absence == "for long" else 0)
    assert undo(machine, one) == "away"
    assert machine.room.table.ply == 1


def test_all_players_agree_to_an_undo_and_one_who_has_left_has_not_agreed() -> None:
    machine = machine_of(players=3)
    clients = [machine.join(seat) for seat in range(3)]
    play(machine, clients[0])
    assert [undo(machine, clients[seat]) for seat in (0, 1)] == ["done", "done"]
    machine.leave(clients[0])
    assert undo(machine, clients[2]) == "away"
    machine.join(0, clients[0])
    assert undo(machine, clients[2]) == "done"
    assert machine.room.table.ply == 0


def test_a_player_who_has_given_up_is_not_asked() -> None:
    machine = machine_of(players=3)
    clients = [machine.join(seat) for seat in range(3)]
    play(machine, clients[0])
    say(machine, clients[2], frames.Resign, machine.room.table.position_n)
    machine.leave(clients[2])
    assert [undo(machine, clients[seat]) for seat in (0, 1)] == ["done", "done"]
    assert machine.room.table.ply == 0


def test_an_undone_move_takes_back_its_increment() -> None:
    machine = machine_of(agents=(1,), clock={"bank": 10, "increment": 60})
    one, table = machine.join(0), machine.room.table
    for _ in range(5):
        machine.wait(1)
        play(machine, one)
        assert undo(machine, one) == "done"
    assert table.clocks
    assert table.clocks.left == [5_000, 10_000]


def test_an_undo_against_agents_gives_no_time_back() -> None:
    machine = machine_of(agents=(1,), clock={"bank": 10, "increment": 0})
    one = machine.join(0)
    for _ in range(3):
        play(machine, one)
        turn = machine.asked[-1].turn
        machine.bring(effects.Chosen(turn, machine.room.table.now.legal[0]))
        machine.wait(3)
        assert undo(machine, one) == "done"
    assert machine.room.clocks() == frames.Clock([1_000, 10_000], running=True)
    machine.wait(2)
    assert machine.room.table.over()


@pytest.mark.parametrize(
    ("clock", "left"),
    [
        ({"bank": 60, "increment": 5}, [50_000, 56_000]),
        ({"move": 60}, [50_000, 60_000]),  # the turn of the opponent is over, and the next one is a new turn
    ],
)
def test_among_people_an_undo_spends_what_the_player_to_move_has_used(clock: dict[str, int], left: list[int]) -> None:
    machine = machine_of(clock=clock)
    one, two = machine.join(0), machine.join(1)
    machine.wait(10)
    play(machine, one)
    machine.wait(4)
    assert [undo(machine, client) for client in (one, two)] == ["done", "done"]
    assert machine.room.clocks() == frames.Clock(left, running=True)
    rows = [EventRow(n, encode(event), 0.0) for n, event in enumerate(machine.stored, 1)]
    again = folded(machine.room.table.row, rows)
    assert again.clocks
    assert again.clocks.left == left


@pytest.mark.parametrize("clock", [{"bank": 10, "increment": 60}, {"move": 60}])
def test_an_undo_that_would_leave_no_time_is_refused(clock: dict[str, int]) -> None:
    machine = machine_of(agents=(1,), clock=clock)
    one, table = machine.join(0), machine.room.table
    machine.wait(5)
    play(machine, one)
    machine.bring(effects.Chosen(machine.asked[-1].turn, table.now.legal[0]))
    machine.wait(56)
    answer = machine.ask(one, frames.Undo(99, table.position_n))
    assert (answer.code, answer.message) == ("undo", ("error.undo.time",))
    assert table.ply == 2


def test_a_player_who_was_replaced_has_no_new_turn_on_coming_back() -> None:
    machine = machine_of(clock={"bank": 100, "increment": 0})
    one, two = machine.join(0), machine.join(1)
    replaced(machine, [two], one)
    machine.join(0, one)
    assert machine.room.clocks() == frames.Clock([70_000, 100_000], running=True)


def test_an_undo_of_several_moves_takes_the_increments_of_all_players_back() -> None:
    machine = machine_of(clock={"bank": 100, "increment": 60})
    clients, table = [machine.join(0), machine.join(1)], machine.room.table
    for seat in (0, 1):
        play(machine, clients[seat])
    assert [undo(machine, client) for client in clients] == ["done", "done"]
    assert table.clocks
    assert (table.ply, table.clocks.left) == (0, [100_000, 100_000])


# a game among people stays one


def test_a_game_among_people_has_no_hints_even_if_an_agent_replaces_a_person() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    play(machine, one)
    play(machine, two)
    replaced(machine, [one], two)
    assert say(machine, one, frames.Hint, machine.room.table.position_n) == "hint"
    whole = machine.sent[machine.join(0)][0]
    assert isinstance(whole, frames.Whole)
    assert not whole.hints


def test_a_person_who_sits_down_after_the_first_move_makes_it_a_game_among_people() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    replaced(machine, [one], two)
    assert machine.room.table.may_ask(0)
    play(machine, one)
    assert machine.room.table.may_ask(0)
    machine.join(1, two)
    assert not machine.room.table.may_ask(0)
    replaced(machine, [one], two)
    assert not machine.room.table.may_ask(0)


def test_against_agents_alone_there_are_hints_and_undo_asks_no_one() -> None:
    machine = machine_of(agents=(1,))
    one, table = machine.join(0), machine.room.table
    assert table.may_ask(0)
    play(machine, one)
    assert undo(machine, one) == "done"


# rematch


def test_a_rematch_keeps_the_seat_and_the_secret_of_a_person_who_is_away() -> None:
    machine = machine_of(players=3)
    clients, table = [machine.join(seat) for seat in range(3)], machine.room.table
    play(machine, clients[0])
    replaced(machine, clients[:2], clients[2])
    machine.leave(clients[1])
    next_row = make_next(table)
    seats = next_row.options["seats"]
    assert [seat["kind"] for seat in seats] == [PERSON, AGENT, PERSON]
    assert [seat["token"] for seat in seats] == [table.seats[seat].token for seat in (1, 2, 0)]
    again = Machine(next_row)
    back = again.join(2)
    assert (back.seat, again.room.table.seats[1].kind) == (1, PERSON)


@pytest.mark.parametrize("first", [0, 1])
def test_no_clock_runs_before_all_persons_have_been_there(first: int) -> None:
    machine = machine_of(clock={"bank": 100, "increment": 0})
    early = machine.join(first)
    whole = machine.sent[early][0]
    assert isinstance(whole, frames.Whole)
    assert whole.clocks == frames.Clock([100_000, 100_000], running=False)
    assert [seat.awaited for seat in whole.seats] == [seat != first for seat in (0, 1)]
    machine.wait(3600)
    machine.leave(early)
    machine.join(1 - first)
    assert machine.room.clocks() == frames.Clock([100_000, 100_000], running=True)
    machine.wait(5)
    watching = machine.join()
    machine.join(first, early)
    told = [frame.clocks for frame in machine.sent[watching] if isinstance(frame, frames.Note)]
    assert (machine.room.clocks(), told) == (frames.Clock([95_000, 100_000], running=True), [None])


def test_those_who_wait_are_told_when_the_clock_begins_to_run() -> None:
    machine = machine_of(clock={"bank": 100, "increment": 0}, players=3)
    one = machine.join(0)
    for seat in (1, 2):
        machine.join(seat)
    told = [frame for frame in machine.sent[one] if isinstance(frame, frames.Note)]
    assert [sum(seat.awaited for seat in note.seats or []) for note in told] == [1, 0]
    assert [note.clocks and note.clocks.running for note in told] == [None, True]


@pytest.mark.parametrize("has_moved", [False, True])
def test_an_agent_in_the_seat_of_a_person_who_never_came_starts_the_clock(has_moved: bool) -> None:
    machine = machine_of(clock={"bank": 100, "increment": 0}, players=3)
    one, two = machine.join(0), machine.join(1)
    machine.wait(30)
    if has_moved:
        play(machine, one)
    assert [say(machine, client, frames.Replace, 2) for client in (one, two)] == ["done", "done"]
    machine.wait(5)
    late = machine.join(2)
    assert (late.seat, machine.room.clocks()) == (
        2,
        frames.Clock([100_000, 95_000, 100_000] if has_moved else [95_000, 100_000, 100_000], running=True),
    )


@pytest.mark.parametrize("gives_up", ["resigns", "plays the action", "types it"])
def test_a_game_in_which_a_person_never_was_ends_without_a_loser(gives_up: str) -> None:
    machine = machine_of()
    one, table = machine.join(0), machine.room.table
    concede = table.game.rules.CONCEDE
    requests: dict[str, tuple[Any, ...]] = {
        "resigns": (frames.Resign,),
        "plays the action": (frames.Play, str(concede)),
        "types it": (frames.Write, str(table.state.action_to_string(concede))),
    }
    kind, *rest = requests[gives_up]
    assert say(machine, one, kind, table.position_n, *rest) == "done"
    rows = [EventRow(n, encode(event), 0.0) for n, event in enumerate(machine.stored, 1)]
    for ended in (table, folded(table.row, rows)):
        over = ended.over()
        assert over
        assert (over.reason, over.loser, over.returns) == ("unplayed", -1, [0.0, 0.0])
        assert not any(seat.resigned for seat in ended.seats)
    assert not machine.has_begun
    assert say(machine, one, frames.Rematch) == "done"


def test_a_game_of_three_ends_without_a_loser_once_all_who_came_have_given_up() -> None:
    machine = machine_of(players=3)
    one, two, table = machine.join(0), machine.join(1), machine.room.table
    say(machine, one, frames.Resign, table.position_n)
    assert (table.is_over, table.seats[0].resigned) == (False, True)
    say(machine, two, frames.Resign, table.position_n)
    over = table.over()
    assert over
    assert (over.reason, over.loser, over.returns) == ("unplayed", -1, [0.0, 0.0, 0.0])


def test_a_game_has_begun_once_there_is_a_move_and_all_persons_have_been_there() -> None:
    machine = machine_of()
    one = machine.join(0)
    play(machine, one)
    assert not machine.has_begun
    two = machine.join(1)
    assert not machine.has_begun
    assert say(machine, two, frames.Resign, machine.room.table.position_n) == "done"
    assert (machine.has_begun, machine.room.table.reason) == (True, END)


@pytest.mark.parametrize(
    ("stored", "missing"),
    [
        ([], [0, 1, 2]),
        ([Moved(0, "aa")], [1, 2]),  # the clock did not run
        ([Moved(0, "aa", 7)], []),
        ([Asked("undo 0 1", [1])], [0, 2]),
        ([Flagged(0, "greedy")], []),
    ],
)
def test_after_a_restart_events_say_who_has_been_there(stored: list[StoredEvent], missing: list[int]) -> None:
    row = machine_of(clock={"bank": 100, "increment": 0}, players=3).room.table.row
    table = folded(row, [EventRow(n, encode(event), 0.0) for n, event in enumerate(stored, 1)])
    assert table.missing() == missing


def test_the_clock_of_a_later_turn_runs_while_its_player_is_away() -> None:
    machine = machine_of(clock={"bank": 100, "increment": 0})
    one, two = machine.join(0), machine.join(1)
    play(machine, one)
    play(machine, two)
    machine.leave(one)
    machine.wait(20)
    machine.join()
    assert machine.room.clocks() == frames.Clock([80_000, 100_000], running=True)


# questions


def ended(players: int = 2) -> tuple[Machine, list[Client]]:
    """A game that is over, and its clients."""
    machine = machine_of(players=players)
    clients = [machine.join(seat) for seat in range(players)]
    while not machine.room.table.is_over:
        say(machine, clients[machine.room.table.mover], frames.Resign, machine.room.table.position_n)
    return machine, clients


def test_a_question_can_be_declined_and_is_asked_again_by_the_player_who_declined() -> None:
    machine, (one, two) = ended()
    assert say(machine, one, frames.Rematch) == "done"
    assert say(machine, two, frames.Decline, REMATCH) == "done"
    table = machine.room.table
    assert (table.asked, table.declined) == ({}, {REMATCH: 1})
    assert getattr(machine.sent[one][-1], "declined", None) == {REMATCH: 1}
    assert say(machine, one, frames.Rematch) == "declined"
    assert say(machine, two, frames.Rematch) == "done"
    assert say(machine, one, frames.Rematch) == "done"
    assert table.rematch


def test_a_declined_undo_is_asked_again_after_the_next_move() -> None:
    machine = machine_of()
    clients, table = [machine.join(0), machine.join(1)], machine.room.table
    play(machine, clients[0])
    undo(machine, clients[0])
    assert say(machine, clients[1], frames.Decline, "undo 1 0") == "done"
    assert undo(machine, clients[0]) == "declined"
    play(machine, clients[1])
    assert table.declined == {}
    assert undo(machine, clients[0]) == "done"


def test_a_replacement_can_be_declined() -> None:
    machine = machine_of(players=3)
    clients = [machine.join(seat) for seat in range(3)]
    machine.leave(clients[2])
    machine.wait(30)
    assert say(machine, clients[0], frames.Replace, 2) == "done"
    assert say(machine, clients[1], frames.Decline, "replace 2") == "done"
    assert say(machine, clients[0], frames.Replace, 2) == "declined"


def test_frames_say_for_how_long_the_seat_of_an_absent_player_is_kept() -> None:
    machine = machine_of(players=3, agents=(2,))
    one, two = machine.join(0), machine.join(1)
    machine.leave(two)
    told = [machine.sent[one][-1]]
    for seconds in (12, 20):
        machine.wait(seconds)
        told.append(machine.sent[machine.join()][0])
    machine.join(1, two)
    told.append(machine.sent[one][-1])
    kept = [frame.seats[1].kept for frame in told if isinstance(frame, frames.Note | frames.Whole) and frame.seats]
    assert kept == [30_000, 18_000, 0, 0]


def test_a_declined_replacement_is_asked_again_after_an_undo() -> None:
    machine = machine_of(players=3)
    clients = [machine.join(seat) for seat in range(3)]
    play(machine, clients[0])
    for is_undone in (False, True):
        if is_undone:
            machine.join(2, clients[2])
            assert [undo(machine, client) for client in clients] == ["done"] * 3
        machine.leave(clients[2])
        machine.wait(30)
        assert say(machine, clients[0], frames.Replace, 2) == "done"
        assert say(machine, clients[1], frames.Decline, "replace 2") == "done"


def test_the_no_of_a_player_counts_while_that_player_is_there_and_not_replaced() -> None:
    machine = machine_of(players=3)
    clients, table = [machine.join(seat) for seat in range(3)], machine.room.table
    machine.leave(clients[0])
    machine.wait(30)
    say(machine, clients[1], frames.Replace, 0)
    say(machine, clients[2], frames.Decline, "replace 0")
    machine.leave(clients[2])
    machine.join(2, clients[2])  # the page has loaded again
    assert say(machine, clients[1], frames.Replace, 0) == "declined"
    replaced(machine, [clients[1]], clients[2])
    assert table.declined == {}
    assert say(machine, clients[1], frames.Replace, 0) == "done"


def test_a_player_withdraws_a_question_and_others_may_ask_it() -> None:
    machine, (one, two) = ended()
    say(machine, one, frames.Rematch)
    assert say(machine, one, frames.Decline, REMATCH) == "done"
    assert (machine.room.table.asked, machine.room.table.declined) == ({}, {})
    assert say(machine, two, frames.Rematch) == "done"


@pytest.mark.parametrize("before", range(5))
@pytest.mark.parametrize(
    ("what", "ask"), [("undo 2 0", (frames.Undo, 2)), ("replace 2", (frames.Replace, 2)), (REMATCH, (frames.Rematch,))]
)
def test_an_agreement_counts_if_its_question_is_still_asked(what: str, ask: tuple[Any, ...], before: int) -> None:
    machine, clients = ended(players=3)
    if what != REMATCH:
        machine = machine_of(players=3)
        clients = [machine.join(seat) for seat in range(3)]
        play(machine, clients[0])
        play(machine, clients[1])
    if what == "replace 2":
        machine.leave(clients[2])
        machine.wait(30)
    for kind, *rest in ([ask, (frames.Decline, what)] * 2)[:before]:
        assert say(machine, clients[0], kind, *rest) == "done"
    assert say(machine, clients[1], frames.Agree, what) == ("done" if before % 2 else "nobody")
    is_settled = not before % 2 or what == "replace 2"  # else the third player has not agreed yet
    assert machine.room.table.asked == ({} if is_settled else {what: [0, 1]})


def test_two_players_who_ask_for_an_undo_at_once_go_back_once() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    for client in (one, two):
        play(machine, client)
    assert say(machine, two, frames.Undo, 2) == "done"
    assert say(machine, one, frames.Undo, 2) == "done"
    assert machine.room.table.ply == 1


def test_a_question_of_an_older_server_is_asked_no_more() -> None:
    machine = machine_of()
    one, two = machine.join(0), machine.join(1)
    play(machine, one)
    machine.bring(effects.Call(lambda: machine.room.happen(Asked("undo 1", [0]))))
    assert say(machine, two, frames.Agree, "undo 1") == "nobody"
    assert say(machine, two, frames.Decline, "undo 1") == "done"


def test_only_players_decline_and_only_what_is_asked() -> None:
    machine, (one, _) = ended()
    spectator = machine.join()
    assert say(machine, one, frames.Decline, REMATCH) == "nobody"
    say(machine, one, frames.Rematch)
    assert say(machine, spectator, frames.Decline, REMATCH) == "seat"


def test_questions_fill_no_disk() -> None:
    machine, (one, _) = ended()
    for _ in range(MOST_QUESTIONS):
        assert say(machine, one, frames.Rematch) == "done"
        say(machine, one, frames.Decline, REMATCH)
    assert say(machine, one, frames.Rematch) == "questions"


def test_a_lost_acknowledgement_of_a_decline_leaves_the_question_open_until_it_is_known() -> None:
    machine, (one, two) = ended()
    say(machine, one, frames.Rematch)
    machine.acknowledges = False
    assert say(machine, two, frames.Decline, REMATCH) == "storage"
    assert machine.room.table.asked == {REMATCH: [0]}
    machine.acknowledges = True
    machine.bring(effects.Due("look"))
    assert machine.room.table.declined == {REMATCH: 1}
