"""The laws that every game keeps: tests for a game of this repository, or of any other package.

    import pytest
    from ludoteca.testing import LAWS, Effort, Law
    from nim_for_ludoteca import GAME

    @pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
    def test_laws(law: Law) -> None:
        law(GAME, Effort())

`GAME` is a GameSpec. A *law* is a function that plays random games and checks one promise of the contract in each position,
such as "the compiled and the interpreted rules give the same". The *effort* is the number of games and of random actions. A
broken law raises BrokenLawError, which names the game, its parameters, the position and the actions before it. `check(GAME)`
tries all laws in their order.

`check_deals` checks more for a small game: the caller gives it all deals that a player cannot distinguish. A *redeal* is a
random one of these deals.

Two functions help with other tests. `sample_game` returns the game with random parameters. `uniformity` measures how far
counts are from uniform: they are not uniform if it exceeds MOST_DEVIATIONS.

A *playthrough* is a random game as text, in the game's folder. `python -m ludoteca.testing playthrough NAME` writes it. A
law requires that the rules still give the same text.
"""

from collections.abc import Callable
from typing import Final

from ludoteca.core.spec import GameSpec
from ludoteca.testing import laws
from ludoteca.testing.guides import guides_are_sound, lessons_are_sound
from ludoteca.testing.laws import check_deals as check_deals
from ludoteca.testing.learning import features_are_sound, observations_are_sufficient
from ludoteca.testing.levels import levels_are_sound
from ludoteca.testing.playthrough import playthrough_is_kept
from ludoteca.testing.scenes import scenes_are_sound
from ludoteca.testing.trial import MOST_DEVIATIONS as MOST_DEVIATIONS
from ludoteca.testing.trial import BrokenLawError as BrokenLawError
from ludoteca.testing.trial import Effort as Effort
from ludoteca.testing.trial import sample_game as sample_game
from ludoteca.testing.trial import uniformity as uniformity
from ludoteca.testing.valuing import values_are_sound

Law = Callable[[GameSpec, Effort], None]

LAWS: Final[tuple[Law, ...]] = (
    laws.complete_contract,
    laws.legal_actions_are_sound,
    laws.turns_begin_once,
    laws.checks_are_sound,
    laws.spoiling_can_be_avoided,
    laws.other_actions_are_refused,
    laws.copies_are_equal,
    laws.seeds_are_kept,
    laws.hidden_deals_are_drawn,
    laws.notation_is_kept,
    laws.views_tell_nothing,
    laws.random_actions_are_uniform,
    laws.results_are_bounded,
    laws.compiled_and_interpreted_agree,
    laws.heuristics_are_sound,
    features_are_sound,
    observations_are_sufficient,
    values_are_sound,
    levels_are_sound,
    scenes_are_sound,
    guides_are_sound,
    lessons_are_sound,
    playthrough_is_kept,
)


def check(spec: GameSpec, effort: Effort | None = None) -> None:
    """Try all laws. Raises BrokenLawError for the first broken one."""
    for law in LAWS:
        law(spec, effort or Effort())
