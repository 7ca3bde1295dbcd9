"""Conclave, a card game for 2 to 4 players: emissaries win followers among wizards. It is from the Catalan course document
"Conclave", 2022/23.
"""

from ludoteca.core.spec import GameSpec, Integer, Text
from ludoteca.games.conclave import dealing

__all__ = ["GAME"]

GAME = GameSpec(
    name="conclave",
    title="Conclave",
    summary="emissaries win followers of six magics, and followers of a magic that you do not control are disappointed",
    package=__name__,
    rules_version=1,
    language="ca",
    parameters=(
        Integer("players", 2, 4, 2, "number of players"),
        Text(
            "deal",
            dealing.FAIR,
            "how the cards are dealt",
            "fair (any order of the cards, all equally likely), document (one of the 2^20 deals of the document's "
            "generator) or document:SEED (the deal of that seed: it hides nothing from who knows the seed)",
            dealing.canonical,
            dealing.to_number,
            dealing.sample,
        ),
    ),
    computable=dealing.is_computable,
    variants={
        "2p": {"players": 2},
        "3p": {"players": 3},
        "4p": {"players": 4},
    },
)
