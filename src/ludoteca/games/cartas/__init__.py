"""Jogo de Cartas ("card game"): four players try to get rid of their cards, 56 in all. It is from the Portuguese course
document "Jogo de Cartas" (Minho, 2023/24).
"""

from ludoteca.core.spec import GameSpec

GAME = GameSpec(
    name="cartas",
    title="Jogo de Cartas",
    summary="be the first of four to play all your cards, in sets, sequences and double sequences",
    package=__name__,
    rules_version=1,
    language="pt",
    players=4,
    variants={"4p": {}},
    programs=("guiao1", "guiao2", "guiao3", "guiao4", "jogador"),
)
