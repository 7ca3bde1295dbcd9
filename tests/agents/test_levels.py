"""What people read about the agents before they choose one."""

import pytest

from ludoteca.agents.agent import LEVELS, NAMES
from ludoteca.agents.levels import deeds
from ludoteca.core.messages import LANGUAGES, catalogue, in_words


def test_every_agent_has_a_line_that_says_what_it_does() -> None:
    english = catalogue("ludoteca.agents", "en")
    assert {name: in_words(deed, english) for name, deed in deeds().items()} == {
        "random": "Plays anything that is legal.",
        "greedy": "Plays what looks best at first sight.",
        "1": "Plays 8 moves in 10 at random, and looks 20 games ahead before the others.",
        "2": "Plays 4 moves in 10 at random, and looks 20 games ahead before the others.",
        "3": "Plays 20 games in its head before every move.",
        "4": "Plays 80 games in its head before every move.",
        "5": "Plays 350 games in its head before every move.",
        "6": "Plays 1500 games in its head before every move.",
        "7": "Plays 7000 games in its head before every move.",
        "8": "Thinks for 2 seconds about every turn.",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_lines_are_there_in_every_language_each_another(language: str) -> None:
    texts = catalogue("ludoteca.agents", language)
    assert len({in_words(deed, texts) for deed in deeds().values()}) == len(NAMES)
    assert len({in_words((f"level.{level}",), texts) for level in LEVELS}) == len(LEVELS)
