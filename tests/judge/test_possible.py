"""No case holds an input that the document does not allow: not for any seed, in any form, or after it was made shorter."""

from itertools import islice
from random import Random

import pytest

from ludoteca.core import registry
from ludoteca.core.judging import Options, part_of
from ludoteca.judge.making import make_cases

PARTS = [
    (spec.name, name, form)
    for spec in registry.games()
    if spec.has("judging")
    for name, part in spec.module("judging").PARTS.items()
    for form in part.forms or ("",)
]


def check_cases(game: str, name: str, form: str, seed: int) -> None:
    part = part_of(registry.find(game), name, Options(form))
    cases = make_cases(part, seed)
    assert not any(map(part.impossible, cases))
    for case in cases[::4]:
        for shorter in islice(part.shorter(case, Random(seed)), 20):
            assert part.takes(shorter) == (not part.impossible(shorter))


@pytest.mark.parametrize(("game", "name", "form"), PARTS)
def test_cases_are_possible(game: str, name: str, form: str) -> None:
    check_cases(game, name, form, 0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 100))
@pytest.mark.parametrize(("game", "name", "form"), PARTS)
def test_cases_of_all_seeds_are_possible(game: str, name: str, form: str, seed: int) -> None:
    check_cases(game, name, form, seed)
