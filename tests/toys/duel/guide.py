"""The rules of Duel, with positions as examples."""

from typing import Final

from ludoteca.core.guide import COMES, DONE, Guide, GuidePart, Mark, Picture, Section

_LED: Final = "6 0 32,6 0,0 1,2 0,0 1 0 0,0 1 0"
_DOWN: Final = "6 0 32,4 2,0 0,1 1,0 1 -2 0,0 1 0"

GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section(
            "turn",
            (
                GuidePart(
                    ("guide.tricks",), (), Picture(_LED, ("shown.tricks",), ("card/0",), (Mark(("card/0",), DONE, 1),))
                ),
                GuidePart(("guide.down",), (), Picture(_DOWN, ("shown.down",), (), (Mark(("down",), COMES),))),
            ),
        ),
        Section("end", (GuidePart(("guide.end",)),)),
    ),
)
