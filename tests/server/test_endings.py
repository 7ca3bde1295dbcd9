"""How a game ended, as its room tells it."""

import pytest

from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.server.model.history import lead_of
from tests.browser.players import at_random, drawn


@pytest.mark.parametrize("spec", drawn(), ids=lambda spec: spec.name)
def test_by_how_much_a_game_was_won_is_said_in_every_language(spec: GameSpec) -> None:
    state = next(end for seed in range(1, 20) if len((end := at_random(spec, seed)).winners()) == 1)
    lead, scores = lead_of(state), state.scores()
    if len(scores) == 1:
        assert lead == "", "nobody is ahead of anybody"
        return
    best = scores.pop(state.winners()[0])
    for language in LANGUAGES:
        said = in_words(lead, catalogue(spec.package, language))
        assert said.split()[0] == str(min(abs(best - score) for score in scores))
    assert lead_of(state.game.new_initial_state(1)) == ""
