"""Pictures that are drawn without a browser equal those of a browser, and pictures on one page do not change each other."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from benchmarks.pictures import apart, played, shot
from PIL import Image

from ludoteca.core.game import Game
from ludoteca.core.spec import GameSpec
from ludoteca.core.svg import paint
from ludoteca.pictures.plain import plain_maker
from tests.browser.players import drawn, one_of_each_kind

THEMED = list(zip(one_of_each_kind(), ("light", "dark"), strict=True))
"""A game of each kind in one theme. `python -m benchmarks pictures --browser` compares all variants in both themes."""


@pytest.mark.parametrize(("spec", "theme"), THEMED, ids=[f"{spec.name}-{theme}" for spec, theme in THEMED])
def test_pixels_are_those_of_a_browser(chromium: Any, spec: GameSpec, theme: str) -> None:
    state = played(Game(spec, next(iter(spec.variants.values()), {})), 12)
    found = apart(shot(chromium, paint(spec, state.scene(0), theme)), state, theme, 0)
    assert found.mean() < 2.5
    assert (found > 32).mean() < 0.012, "edges of shapes and letters are a little smoother, or a little less"
    assert (found > 96).mean() < 0.004, "no piece, letter or line is lacking"


SHOW = "shown => document.querySelectorAll('div').forEach((div, number) => div.className = number === shown ? 'shown' : '')"


def shots_of(chromium: Any, pictures: list[str]) -> list[np.ndarray[Any, Any]]:
    """The pixels of each picture of a page, and those of the page's own text. Each is shown above the others."""
    page = chromium.new_page(viewport={"width": 800, "height": 800})
    layers = [f"<div>{content}</div>" for content in [*pictures, '<p class="item last card">A text</p>']]
    style = "<style>div { position: absolute; inset: 0; visibility: hidden } div.shown { visibility: visible }</style>"
    page.set_content(f"<!doctype html>{style}{''.join(layers)}")
    taken = []
    for number in range(len(layers)):
        page.evaluate(SHOW, number)
        taken.append(np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB")))
    page.close()
    return taken


def test_pictures_on_one_page_look_as_they_do_alone(chromium: Any) -> None:
    """Pictures of three games in both themes. Some symbols of the games share ids."""
    pictures = []
    for spec in drawn()[:3]:
        state = played(Game(spec, next(iter(spec.variants.values()), {})), 6)
        pictures += [paint(spec, state.scene(0), "dark"), paint(spec, next(state.states()).scene(), "light")]
    *together, page = shots_of(chromium, pictures)
    alone = [shots_of(chromium, [picture])[0] for picture in pictures]
    apart = [(one != two).mean() for one, two in zip(together, alone, strict=True)]
    assert apart == [0] * len(pictures)
    assert np.array_equal(page, shots_of(chromium, [])[0]), "pictures do not change the page"


def test_plain_pictures_show_texts_where_pictures_do(chromium: Any) -> None:
    """Without a baseline that only browsers know, the letters of coordinates and numbers are at the same height."""
    for spec in drawn()[:3]:
        state = played(Game(spec, next(iter(spec.variants.values()), {})), 12)
        picture = paint(spec, state.scene(0))
        plain = plain_maker(spec, "light").make(picture)
        theirs, ours = (shots_of(chromium, [text])[0].astype(int) for text in (picture, plain))
        assert (np.abs(theirs - ours).max(axis=2) > 96).mean() < 0.002, spec.name
