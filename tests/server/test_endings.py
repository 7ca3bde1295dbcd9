"""How a game ended, as its room tells it."""

import pytest

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import load
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.server import frames
from ludoteca.server.jobs import Found
from ludoteca.server.model.creation import make_record, new_row
from ludoteca.server.model.events import PERSON, Moved, Options, Resigned, SeatMade
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.history import lead_of
from ludoteca.server.model.table import Table
from ludoteca.server.model.teller import Teller, common_event
from ludoteca.testing.trial import walk
from tests.browser.players import drawn, small
from tests.server.machine import machine_of, play, say


@pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)
def test_by_how_much_a_game_was_won_is_said_in_every_language(spec: GameSpec) -> None:
    games = (list(walk(load(spec.name, **small(spec)), seed))[-1] for seed in range(1, 20))
    state = next(end for end in games if len(end.winners()) == 1 and end.game.rules.CONCEDE not in end.history())
    lead, scores = lead_of(state), state.scores()
    if len(scores) == 1:
        assert lead == "", "nobody is ahead of anybody"
        return
    best = scores.pop(state.winners()[0])
    for language in LANGUAGES:
        said = in_words(lead, catalogue(spec.package, language))
        assert said.split()[0] == str(min(abs(best - score) for score in scores))
    assert lead_of(state.game.new_initial_state(1)) == ""


@pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)
def test_when_somebody_resigns_all_see_what_each_seat_has_seen(spec: GameSpec) -> None:
    game = load(spec.name, **small(spec))
    table = Table(new_row(game, Options([SeatMade(PERSON)] * game.num_players()), Draw(bytes(32), bytes(32))))
    for _ in range(2):
        table.commit(table.prepare(Moved(table.mover, table.state.action_to_string(table.now.legal[0]))))
    seats, teller = range(-1, game.num_players()), Teller(table)
    before = {seat: teller.whole(seat, [], None).scene for seat in seats}
    earlier = table.scene(1, SPECTATOR)
    step = table.prepare(Resigned(0))
    table.commit(step)
    seen = {item.sprite for scene in before.values() for item in scene.items if "grip" in item.classes} - {
        item.sprite for item in before[SPECTATOR].items
    }
    assert table.scene(1, SPECTATOR) == earlier, "what was hidden then is hidden in what is looked back at"
    told_to = dict[int, frames.Change | None]()
    for seat in seats:
        view = table.now.shown_to(seat)
        told = told_to[view] = told_to.get(view) or teller.event(common_event(table, step, [], None), view).change
        assert told is not None
        shown = {item.sprite for item in table.scene(2, seat).items}
        assert seen <= shown, f"seat {seat}"
        assert {item.sprite for item in told.changed} <= shown
        assert teller.whole(seat, [], None).scene == table.scene(2, seat)


@pytest.mark.parametrize("moves", [2, 3], ids=["in the turn", "out of turn"])
def test_a_resignation_is_told_as_one_whoever_is_to_move(moves: int) -> None:
    machine = machine_of()
    clients = [machine.join(0), machine.join(1)]
    for number in range(moves):
        play(machine, clients[number % 2])
    assert say(machine, clients[0], frames.Resign, machine.room.table.position_n) == "done"
    event = next(frame for frame in reversed(machine.sent[clients[1]]) if isinstance(frame, frames.Event))
    assert event.over
    assert event.seats
    assert (event.over.reason, event.over.loser, event.over.lead) == ("resigned", 0, "")
    assert event.over.returns[1] > event.over.returns[0]
    assert [seat.resigned for seat in event.seats] == [True, False]


def test_a_record_that_ends_with_a_resignation_says_who_resigned() -> None:
    state = load("okupacio", board="4x4").new_initial_state(0)
    for text in ("aa", "bb", "00"):
        state.apply_action(state.string_to_action(text))
    row, _ = make_record(Found("okupacio", state.game.parameters, b"", state.serialize()))
    over = Table(row).over()
    assert over
    assert (over.reason, over.loser, over.lead) == ("record", 0, "")


def test_a_player_who_has_resigned_in_a_turn_is_marked_until_an_undo() -> None:
    machine = machine_of(players=3)
    clients = [machine.join(seat) for seat in range(3)]
    say(machine, clients[0], frames.Resign, 0)
    event = machine.sent[clients[1]][-1]
    assert isinstance(event, frames.Event)
    assert [seat.resigned for seat in event.seats or []] == [True, False, False]
    for client in clients:
        say(machine, client, frames.Undo, machine.room.table.position_n)
    assert [seat.resigned for seat in machine.room.audience.seats()] == [False] * 3
