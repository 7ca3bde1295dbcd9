"""What people read about the agents before they choose one."""

from random import Random

import pytest

import duel
from ludoteca.agents.levels import deeds
from ludoteca.core import registry
from ludoteca.core.game import Game
from ludoteca.core.levels import LEVELS, names_for
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.testing import sample_game


def test_every_agent_has_a_line_that_says_what_it_does() -> None:
    english = catalogue("ludoteca.agents", "en")
    assert {name: in_words(deed, english) for name, deed in deeds(Game(duel.GAME)).items()} == {
        "random": "Plays a random legal move.",
        "greedy": "Plays the move that looks best at first sight.",
        "1": "Overlooks most moves, and plays the one that looks best among the others.",
        "2": "Overlooks some moves, and plays the one that looks best among the others.",
        "3": "Overlooks few moves, and plays the one that looks best among the others.",
        "4": "Plays 50 % of its turns at first sight, and tries 20 continuations before each other turn.",
        "5": "Tries 20 continuations before every turn.",
        "6": "Tries 100 continuations before every turn.",
        "7": "Tries 1000 continuations before every turn.",
        "8": "Thinks for 2 seconds about every turn.",
    }


@pytest.mark.parametrize("spec", registry.games(), ids=lambda spec: spec.name)
def test_lines_are_true_of_all_parameters(spec: GameSpec) -> None:
    random = Random(1)
    assert [deeds(sample_game(spec, random)) for _ in range(4)] == [deeds(Game(spec))] * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_lines_are_there_in_every_language_each_another(language: str) -> None:
    texts = catalogue("ludoteca.agents", language)
    assert len({in_words((f"level.{level}",), texts) for level in LEVELS}) == len(LEVELS)
    for game in map(Game, [*registry.games(), duel.GAME]):
        assert len({in_words(deed, texts) for deed in deeds(game).values()}) == len(names_for(game.spec))
