"""Duel, a toy game from outside the package: two hands of hidden cards, so few that tests can try every deal."""

from ludoteca.core.spec import GameSpec, Integer, OneOf

GAME = GameSpec(
    name="duel",
    title="Duel",
    summary="the higher card takes the trick; a card laid face down takes none",
    package=__name__,
    rules_version=1,
    players=2,
    parameters=(
        Integer("cards", 4, 8, 6, "cards in the deck; each hand gets two, the others stay aside"),
        OneOf("ties", ("shared", "void"), "shared", "what becomes of a game with equal points"),
    ),
    variants={"6-cards": {"cards": 6}},
)
