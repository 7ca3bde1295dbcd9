"""How a game ended, as its room tells it."""

import pytest

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.game import load
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import PERSON, Moved, Options, Resigned, SeatMade
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.history import lead_of
from ludoteca.server.model.table import Table
from ludoteca.server.model.teller import Teller, common_event
from ludoteca.testing.trial import walk
from tests.browser.players import drawn, small


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
    seen = {item.sprite for scene in before.values() for item in scene.items} - {
        item.sprite for item in before[SPECTATOR].items
    }
    assert table.scene(1, SPECTATOR) == earlier, "what was hidden then is hidden in what is looked back at"
    for seat in seats:
        told = teller.event(step.event, seat, common_event(table, step, [], None)).change
        assert told is not None
        shown = {item.sprite for item in table.scene(2, seat).items}
        assert seen <= shown, f"seat {seat}"
        assert {item.sprite for item in told.changed} <= shown
        assert teller.whole(seat, [], None).scene == table.scene(2, seat)
