"""What people read about the agents before they choose one."""

from pathlib import Path
from random import Random

import pytest

import duel
from ludoteca.agents.agent import budget_of, new_agent
from ludoteca.agents.levels import deeds
from ludoteca.core import registry
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game
from ludoteca.core.levels import HINTS_BY, LEVELS, Level, levels_of, names_for
from ludoteca.core.messages import LANGUAGES, catalogue, in_words
from ludoteca.core.spec import GameSpec
from ludoteca.search.findings import Budget
from ludoteca.testing import sample_game


def test_every_agent_has_a_line_that_says_what_it_does() -> None:
    english = catalogue("ludoteca.agents", "en")
    assert {name: in_words(deed, english) for name, deed in deeds(Game(duel.GAME)).items()} == {
        "random": "Plays a random legal move.",
        "greedy": "Plays the move that looks best at first sight.",
        "1": "Overlooks most moves, and plays the one that looks best among the others.",
        "2": "Overlooks some moves, and plays the one that looks best among the others.",
        "3": "Overlooks few moves, and plays the one that looks best among the others.",
        "4": "Plays 50 % of its turns at first sight. Before each other turn it looks ahead, with a search of size 20.",
        "5": "Looks ahead before every turn, with a search of size 20.",
        "6": "Looks ahead before every turn, with a search of size 100.",
        "7": "Looks ahead before every turn, with a search of size 1000.",
        "8": "Thinks for 2 seconds about every turn.",
    }


@pytest.mark.parametrize("spec", registry.registered_games(), ids=lambda spec: spec.name)
def test_lines_are_true_of_all_parameters(spec: GameSpec) -> None:
    random = Random(1)
    assert [deeds(sample_game(spec, random)) for _ in range(4)] == [deeds(Game(spec))] * 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_lines_are_there_in_every_language_each_another(language: str) -> None:
    texts = catalogue("ludoteca.agents", language)
    assert len({in_words((f"level.{level}",), texts) for level in LEVELS}) == len(LEVELS)
    for game in map(Game, [*registry.registered_games(), duel.GAME]):
        assert len({in_words(deed, texts) for deed in deeds(game).values()}) == len(names_for(game.spec))


def cell(level: Level) -> str:
    """A level in the table of docs/agents.md."""
    careless = f"; {level.careless * 100:g} % of turns at sight" if level.careless else ""
    found = f"{level.simulations:,}{careless}" if level.simulations else f"{level.notices * 100:g} %"
    return f"{level.seconds:g} s" if level.seconds else found


@pytest.mark.parametrize("spec", registry.registered_games(), ids=lambda spec: spec.name)
def test_the_page_has_each_level(spec: GameSpec) -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    cells = [spec.name, *(cell(level) for level in levels_of(spec, Game(spec).parameters).values())]
    assert f"| {' | '.join(cells)} |" in page


def test_a_game_may_have_fewer_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    module = duel.GAME.module("levels")
    monkeypatch.setattr(module, "levels", lambda _: (Level(), Level(20), Level(3_000, seconds=2.0)))
    game = Game(duel.GAME)
    assert names_for(game.spec) == ["random", "greedy", "1", "2", "3"] == [*deeds(game)]
    assert budget_of(HINTS_BY, game) == Budget(simulations=3_000, seconds=1.0)
    with pytest.raises(ParameterError, match="read '4', expected for duel a level from 1 to 3"):
        new_agent("4", game)
