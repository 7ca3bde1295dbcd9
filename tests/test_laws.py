"""Every registered game obeys every law. So do toy games from outside the package."""

import pytest

from duel import GAME as DUEL
from kuhn import GAME as KUHN
from ludoteca.core import registry
from ludoteca.core.spec import GameSpec
from ludoteca.testing import LAWS, Effort, Law, laws
from ludoteca.testing.learning import features_are_sound
from ludoteca.testing.valuing import values_are_sound

LONGEST = "qinto"
SLOW = (  # all but the last compile
    laws.random_actions_are_uniform,
    laws.compiled_and_interpreted_agree,
    laws.heuristics_are_sound,
    features_are_sound,
    values_are_sound,
    laws.copies_are_equal,
)


def slow(law: Law, name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] if law in SLOW or name == LONGEST else []


ALL = [
    pytest.param(spec, law, id=f"{spec.name}-{law.__name__}", marks=slow(law, spec.name))
    for spec in registry.registered_games()
    for law in LAWS
]


@pytest.mark.parametrize(("spec", "law"), ALL)
def test_every_game_keeps_every_law(spec: GameSpec, law: Law) -> None:
    law(spec, Effort(games=2, compared=4, draws=1000))


@pytest.mark.soak
@pytest.mark.parametrize(("spec", "law"), ALL)
def test_every_game_keeps_every_law_in_many_games(spec: GameSpec, law: Law) -> None:
    law(spec, Effort(games=150, compared=5000, seed=1))


@pytest.mark.parametrize("spec", [DUEL, KUHN], ids=lambda spec: spec.name)
@pytest.mark.parametrize("law", [pytest.param(law, id=law.__name__, marks=slow(law, "")) for law in LAWS])
def test_a_game_from_outside_keeps_every_law(law: Law, spec: GameSpec) -> None:
    law(spec, Effort(games=15, compared=20, draws=2000))
