"""Kuhn poker, a small game in a package of its own: scores can be negative, and texts are in English only."""

from ludoteca.core.spec import GameSpec

GAME = GameSpec(
    name="kuhn",
    title="Kuhn poker",
    summary="three cards, one bet: the higher card takes the pot",
    package=__name__,
    rules_version=1,
    players=2,
)
