"""Parameters: canonical values, and the errors for other values."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

import ludoteca
from duel import GAME as DUEL
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.game import Game
from ludoteca.core.messages import LANGUAGES
from ludoteca.core.spec import Integer, OneOf, Parameter, Text

SIZES = Integer("size", 4, 12, 8, "side of the board", step=2)
RULES = OneOf("rules", ("light", "classic"), "light", "which rules")


@pytest.mark.parametrize("value", [4, "4", np.int8(4), "004"])
def test_whole_numbers_come_in_many_forms(value: Any) -> None:
    assert SIZES.canonical(value) == 4
    assert type(SIZES.canonical(value)) is int


@pytest.mark.parametrize("value", [3, 5, 14, -4, 4.0, "4.0", "+4", "four", "", "9" * 5000, "٤", True, None, [4]])
def test_other_values_are_refused_with_what_is_possible(value: Any) -> None:
    with pytest.raises(ParameterError, match=r"size: read .*, expected a whole number from 4 to 12 in steps of 2"):
        SIZES.canonical(value)


def test_a_choice_is_encoded_by_its_place() -> None:
    assert RULES.encode(RULES.canonical("classic")) == 1
    with pytest.raises(ParameterError, match="rules: read 'plus', expected one of light, classic"):
        RULES.canonical("plus")


def test_samples_are_possible() -> None:
    random = Random(1)
    kinds: list[Parameter] = [SIZES, RULES, *ludoteca.load("okupacio").spec.parameters]
    for kind in kinds:
        for _ in range(50):
            sample = kind.sample(random)
            assert kind.canonical(sample) == sample


def test_defaults_fill_what_is_not_given() -> None:
    assert Game(DUEL, {"cards": 4}).parameters == {"cards": 4, "ties": "shared"}


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"size": 4}, "okupacio has no parameter 'size'; it has players, board"),
        ({"players": 1}, "players: read 1, expected a whole number from 2 to 10"),
        ({"board": 8}, "board: read 8, expected the numbers of a board file"),
        ({"board": "3x4"}, "the board has 3 rows: expected 4 to 25"),
    ],
)
def test_load_says_what_is_possible(chosen: dict[str, Any], says: str) -> None:
    with pytest.raises(LudotecaError, match=says):
        ludoteca.load("okupacio", **chosen)


def test_parameters_that_do_not_go_together_are_refused() -> None:
    spec = replace(
        DUEL,
        conflict=lambda values: "void ties need 6 cards or more" if values["ties"] == "void" and values["cards"] < 6 else "",
    )
    assert Game(spec, {"cards": 6, "ties": "void"}).parameters == {"cards": 6, "ties": "void"}
    with pytest.raises(ParameterError, match=r"^duel: void ties need 6 cards or more$"):
        Game(spec, {"cards": 5, "ties": "void"})


def test_why_parameters_do_not_go_together_is_told_in_every_language() -> None:
    clashes, random = {}, Random(3)
    for spec in registry.registered_games():
        for _ in range(50):
            values = {kind.name: kind.canonical(kind.sample(random)) for kind in spec.parameters}
            if clash := spec.conflict(values):
                clashes[clash] = spec, values
    assert clashes
    for spec, values in clashes.values():
        with pytest.raises(ParameterError) as caught:
            Game(spec, values)
        assert len({caught.value.text(language) for language in LANGUAGES}) == len(LANGUAGES)


def board() -> Text:
    """Return a parameter whose value is a picture."""
    return next(kind for kind in ludoteca.load("okupacio").spec.parameters if isinstance(kind, Text))


@pytest.mark.parametrize("picture", ["..../..../..../....", ".###/####/####/####", "/".join([25 * "."] * 25)])
def test_a_grid_tells_the_form_of_what_is_read(picture: str) -> None:
    kind = board()
    assert kind.grid
    assert kind.grid.fits(picture)
    assert kind.canonical(picture)


@pytest.mark.parametrize(
    "picture", ["", "8x8", ".../.../.../...", "..../..../....", "..../..../..../...", "..../..../..../...x"]
)
def test_a_grid_does_not_fit_what_is_no_such_picture(picture: str) -> None:
    kind = board()
    assert kind.grid
    assert not kind.grid.fits(picture)


def test_presets_are_pictures_that_can_be_chosen_and_the_default_is_one() -> None:
    kind = board()
    assert kind.grid
    assert all(kind.grid.fits(picture) for picture in kind.presets.values())
    chosen = {name: kind.canonical(picture) for name, picture in kind.presets.items()}
    assert chosen["14 × 10"] == kind.default
    assert all(text.startswith(name.replace(" × ", " ")) for name, text in chosen.items())
