"""What is drawn without a browser is what a browser draws."""

from typing import Any

import pytest
from benchmarks.pictures import apart, played, shot

from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import paint
from tests.browser.players import drawn

THEMED = [(spec, ("light", "dark")[number % 2]) for number, spec in enumerate(drawn())]
"""One theme is enough in every run: `benchmarks/pictures.py --browser` looks at both, and at all variants."""


@pytest.mark.parametrize(("spec", "theme"), THEMED, ids=[f"{spec.name}-{theme}" for spec, theme in THEMED])
def test_pixels_are_those_of_a_browser(chromium: Any, spec: GameSpec, theme: str) -> None:
    state = played(Game(spec, next(iter(spec.variants.values()), {})), 12)
    found = apart(shot(chromium, paint(spec, state.scene(0), theme)), state, theme, 0)
    assert found.mean() < 2.5
    assert (found > 32).mean() < 0.012, "edges of shapes and letters are a little smoother, or a little less"
    assert (found > 96).mean() < 0.004, "no piece, letter or line is lacking"
