"""Kuhn poker, a toy game of an outsider's: for points above and below zero, and with texts in English alone."""

from ludoteca.core.spec import GameSpec

GAME = GameSpec(
    name="kuhn",
    title="Kuhn poker",
    summary="three cards, one bet: the higher card takes the pot",
    package=__name__,
    rules_version=1,
    players=2,
)
