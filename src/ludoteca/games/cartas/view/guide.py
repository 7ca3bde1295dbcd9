"""The page with the rules of Jogo de Cartas: texts, and positions that show them in pictures."""

from typing import Final

from ludoteca.core.guide import COMES, DONE, Guide, GuidePart, Mark, Picture, Section

DEAL: Final = (
    "A♠2♥3♣4♠5♥6♦7♣8♠9♥10♦J♣C♠Q♥K♦/A♥2♦3♠4♥5♦6♣7♠8♥9♦10♣J♠C♥Q♦K♣/A♦2♣3♥4♦5♣6♠7♥8♦9♣10♠J♥C♦Q♣K♠/A♣2♠3♦4♣5♠6♥7♦8♣9♠10♥J♦C♣Q♠K♥"
    " - 0 1"
)
_HANDS: Final = "A♠2♥3♣4♠8♣Q♥K♦/2♦3♠4♥9♦10♣Q♦/3♥4♦5♣6♠8♠C♦Q♣/A♣3♦4♣9♠10♥C♣"
_ONE: Final = "2♥2♦5♦8♥8♣9♣10♣J♠Q♠Q♥Q♣K♠"
_TWO: Final = "A♠A♥2♣4♠4♣5♣9♥9♦J♦C♠Q♦K♦"
_THREE: Final = "A♦A♣2♠8♠9♠10♥J♣C♣K♣"
_FOUR: Final = "10♠J♥C♦"
KING: Final = f"{_ONE}/{_TWO}/{_THREE}3♠3♥3♦3♣/{_FOUR}4♥4♦5♠5♥6♥6♦7♠7♥7♦7♣ K♥ 0 3"
LAST: Final = f"{_ONE}/{_TWO}/{_THREE}/{_FOUR} - 3 4"
"""The game of section 1.4, before the answer to the king and before the last play. The other hands are invented."""
ANSWER: Final = f"{_HANDS} 8♦ 0 1"
COMBINATIONS: Final = {
    "set": ("7♠7♦7♣", ("c24", "c26", "c27")),
    "sequence": ("9♥10♠J♥C♥", ("c33", "c36", "c41", "c45")),
    "double": ("5♠5♥6♥6♦7♥7♣", ("c16", "c17", "c21", "c22", "c25", "c27")),
}
"""The cards of each kind, and their items."""

_TABLE: Final = Picture(DEAL, ("shown.table",), (), (Mark(("seat-1",)), Mark(("chart",))))
_ANSWERED: Final = Picture(
    ANSWER,
    ("shown.answer",),
    ("mat", "c0", "c54"),
    (Mark(("c30",), DONE), Mark(("c31",), COMES), Mark(("c49",), COMES), Mark(("c54",), COMES)),
)
_KINGS: Final = Picture(KING, ("shown.kings",), ("mat",), (Mark(("c8", "c9", "c10", "c11"), DONE),), "3♠3♥3♦3♣", margin=0.08)
_FINISH: Final = Picture(LAST, ("shown.example",), (), (Mark(("c36", "c41", "c46"), DONE),), "10♠J♥C♦")


def _kind(name: str) -> GuidePart:
    cards, items = COMBINATIONS[name]
    picture = Picture(f"{_HANDS} {cards} 0 1", (f"shown.{name}",), ("mat",), (Mark(items, DONE),), margin=0.08)
    return GuidePart((f"guide.{name}",), (), picture)


GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section("setup", (GuidePart(("guide.deck",), (("guide.values",), ("guide.suits",), ("guide.ace",)), _TABLE),)),
        Section("combinations", (GuidePart(("guide.kinds",)), *map(_kind, COMBINATIONS))),
        Section(
            "turn",
            (
                GuidePart(("guide.answer",), (("guide.on_card",), ("guide.on_sequence",), ("guide.on_double",)), _ANSWERED),
                GuidePart(("guide.pass",)),
                GuidePart(("guide.again",)),
                GuidePart(("guide.touch",), on_page=True),
            ),
        ),
        Section("end", (GuidePart(("guide.end",)), GuidePart(("guide.void",)))),
        Section(
            "cases",
            (
                GuidePart(("guide.kings",), (("guide.one_king",), ("guide.two_kings",), ("guide.three_kings",)), _KINGS),
                GuidePart(("guide.then",)),
            ),
        ),
        Section(
            "example",
            (GuidePart("", (("guide.singles",), ("guide.fours",), ("guide.doubles",), ("guide.finish",)), _FINISH),),
        ),
    ),
)
