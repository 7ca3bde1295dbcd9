"""Every registered game keeps every law, and so does a toy game from outside."""

import pytest

from duel import GAME as DUEL
from ludoteca.core import laws, registry
from ludoteca.core.spec import GameSpec

LONGEST = "qinto"
SLOW = (  # they compile, but for the last
    laws.random_actions_are_uniform,
    laws.compiled_and_interpreted_agree,
    laws.heuristics_are_sound,
    laws.copies_are_equal,
)


def slow(law: laws.Law, name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] if law in SLOW or name == LONGEST else []


ALL = [
    pytest.param(spec, law, id=f"{spec.name}-{law.__name__}", marks=slow(law, spec.name))
    for spec in registry.games()
    for law in laws.LAWS
]


@pytest.mark.parametrize(("spec", "law"), ALL)
def test_every_game_keeps_every_law(spec: GameSpec, law: laws.Law) -> None:
    law(spec, laws.Effort(games=4, compared=60, draws=2000))


@pytest.mark.soak
@pytest.mark.parametrize(("spec", "law"), ALL)
def test_every_game_keeps_every_law_in_many_games(spec: GameSpec, law: laws.Law) -> None:
    law(spec, laws.Effort(games=150, compared=5000, seed=1))


@pytest.mark.parametrize("law", [pytest.param(law, id=law.__name__, marks=slow(law, "")) for law in laws.LAWS])
def test_a_game_from_outside_keeps_every_law(law: laws.Law) -> None:
    law(DUEL, laws.Effort(games=60))
