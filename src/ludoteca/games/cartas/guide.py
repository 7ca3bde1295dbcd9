"""The rules of the Jogo de Cartas, with positions that show them."""

from typing import Final

from ludoteca.core.guide import DONE, Guide, Mark, Part, Picture, Section

_HANDS: Final = "A♠2♥3♣4♠8♣Q♥K♦/2♦3♠4♥9♦10♣Q♦/3♥4♦5♣6♠8♠C♦Q♣/A♣3♦4♣9♠10♥C♣"


def _played(number: int, turn: str, cards: str, *items: str) -> Picture:
    """The cards on the table, with what was played marked."""
    return Picture(f"{_HANDS} {cards} {turn}", (f"shown.{number}",), ("mat",), (Mark(items, DONE),), margin=0.08)


GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section("setup", (Part(("guide.1",)), Part(("guide.2",)))),
        Section(
            "combinations",
            (
                Part(("guide.3",)),
                Part("", (), _played(4, "0 1", "7♠7♦7♣", "c24", "c26", "c27")),
                Part("", (), _played(5, "0 2", "9♥10♠J♥C♥", "c33", "c36", "c41", "c45")),
                Part("", (), _played(6, "0 3", "5♠5♥6♥6♦7♥7♣", "c16", "c17", "c21", "c22", "c25", "c27")),
            ),
        ),
        Section(
            "turn",
            (
                Part(("guide.7",), (), _played(7, "0 1", "8♦", "c30")),
                Part(("guide.8",)),
                Part(("guide.9",)),
                Part(("guide.touch",), on_page=True),
            ),
        ),
        Section(
            "cases", (Part(("guide.10",), (), _played(10, "0 4", "K♥", "c53")), Part(("guide.11",)), Part(("guide.13",)))
        ),
        Section(
            "end",
            (Part(("guide.12",), (), Picture("-/A♠2♥/A♥/K♦ 5♠ 0 -", ("shown.12",), (), (Mark(("c16",), DONE),))),),
        ),
    ),
)
