"""The page with the rules of Conclave: texts, and positions that show them in pictures."""

from typing import Final

from ludoteca.core.guide import COMES, DONE, Guide, GuidePart, Mark, Picture, Section

_BOARD: Final = "b1s,p4c,v2c,o2g/r4s,-,v4c,o3g/t2g,-,-,p3g/r2c,b3g,t1s,-"
_BEA: Final = "p1c,o1s,t3c,v1g"
_CARLA: Final = "b2c,r3g,o4s,p5c"
_PILES: Final = "b4s,t5g,o5c,r1c,v3s,p2c b5s,p2s,r5g,t2c,b5c,v1c"
DEALT: Final = (
    "o1c,b4s,r5c,v4c/o4s,-,-,p2c/r1g,-,-,t1g/o4g,r2g,t5s,t5g b2g,p5s,v2s,t3s/v1g,b1g,b4g,t2c/o5c,r3c,r4s,p1g -/-/- "
    "v2c,r2s,b5c,t4c,p5g,v4s,o2c,o3g,b1c,r4c,t2g,v1c,r5g,o5g,o2g,v4g,p3c,b5g "
    "b3g,t4g,b4c,o4c,o2s,p4c,v3c,r3g,r4g,p5c,t1s,v3g,o5s,p1s,v2g,v1s,v5s,p2g 1:send"
)
"""A position after the deal that the document's generator makes from seed 5."""
START: Final = f"{_BOARD} v5s,b5g,r1s,t4c/{_BEA}/{_CARLA} -/-/- {_PILES} 1:send"
CESSION: Final = f"{_BOARD} v5s,b5g,r1s,t4c/{_BEA}/{_CARLA} b4c,o3s,o1c/r4c,o5g/v3g,b4g {_PILES} 1:cede"
SENT: Final = (
    f"b1s,p4c,v2c,o2g/-,v5s,-,o3g/t2g,-,-,p3g/r2c,b3g,t1s,- -,b5g,r1s,t4c/{_BEA}/{_CARLA} r4s,v4c/-/- {_PILES} 1:draw"
)
CRISIS: Final = (
    "p4c,r4s,v2g,o3g/b1g,o2s,-,p3c/t2g,v4c,r2s,p2g/r2c,b3g,b2g,t4s "
    f"t1c,b5g,r1s,v5s/{_BEA}/{_CARLA} -/r4c/b4g {_PILES} 1:send"
)
LAST: Final = f"{_BOARD} -,b5g,r1s,t4c/{_BEA}/{_CARLA} b4c,o3s,o1c,r4c/b4s,t5g,o5c/b4g,p2s - - 2:send"
END: Final = (
    "-,p4c,v2c,-/r4s,-,v4c,o3g/t2g,-,-,p3g/-,b3g,t1s,- -,-,-,-/-,-,-,-/-,-,-,- "
    "b4c,o3s,p2c,r3g,v1g/b1s,o5g,p5c,p1c,r5g,t4c,v5s/b5g,t3c,t1c - - -"
)

_HOLES: Final = ("cell-5", "cell-6", "cell-9", "cell-10")
_STARTS: Final = Picture(DEALT, ("shown.start",), ("o1c", "t5g", "pile-0", "pile-1"), (Mark(_HOLES),))
_CEDES: Final = Picture(
    CESSION, ("shown.cede",), ("seat-1", "seat-2", "zone-1-v", "zone-2-v"), (Mark(("zone-2-o",), COMES), Mark(("zone-1-o",)))
)
_BOARDS: Final = ("b1s", "cell-15")
"""Two corners of the board."""
_SENDS: Final = Picture(
    START,
    ("shown.send",),
    _BOARDS,
    (
        Mark(("r4s", "o3g")),
        Mark(("p4c", "cell-5")),
        Mark(("cell-5",), DONE),
        Mark(("r4s",), COMES),
        Mark(("v4c",), COMES),
    ),
)
_PARTED: Final = Picture(
    START,
    ("shown.gap",),
    _BOARDS,
    (Mark(("t2g", "cell-9")), Mark(("cell-9", "b3g")), Mark(("cell-9",), DONE)),
)
_FILLS: Final = Picture(SENT, ("shown.fill",), (*_BOARDS, "pile-0"), (Mark(("t5g",), COMES),), "e")
_TAKEN: Final = ("v2g", "b1g", "o2s", "b2g", "r2s")
_IS_FULL: Final = Picture(
    CRISIS,
    ("shown.crisis",),
    ("p4c", "t4s"),
    (Mark(("cell-6",), DONE), *(Mark((card,), COMES) for card in _TAKEN)),
)
_LASTS: Final = Picture(
    LAST, ("shown.last",), ("hand-0-1", "pile-0", "pile-1", "b1s", "r2c"), (Mark(("hand-0-1", "hand-0-3")),)
)
_DISAPPOINTED: Final = Picture(END, ("shown.disappointed",), ("seat-0", "points-0", "zone-0-v"))
_SCORED: Final = Picture(
    END,
    ("shown.score",),
    ("seat-1", "seat-2", "zone-1-v", "zone-2-v"),
    (Mark(("zone-1-b",)), Mark(("zone-1-t", "zone-2-t"), COMES)),
)

GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section(
            "setup",
            (
                GuidePart(("guide.cards",), (("guide.magic",), ("guide.brotherhood",), ("guide.influence",))),
                GuidePart(
                    ("guide.deal",), (("guide.removed",), ("guide.hands",), ("guide.border",), ("guide.piles",)), _STARTS
                ),
            ),
        ),
        Section(
            "turn",
            (
                GuidePart(("guide.turn",), (("guide.first",), ("guide.second",), ("guide.third",), ("guide.fourth",))),
                GuidePart(("guide.cede",), (), _CEDES),
                GuidePart(("guide.send",), (("guide.listen",), ("guide.sum",), ("guide.stays",)), _SENDS),
                GuidePart("", (), _PARTED),
                GuidePart(("guide.draw",)),
                GuidePart(("guide.fill",), (), _FILLS),
                GuidePart(("guide.touch",), on_page=True),
            ),
        ),
        Section("end", (GuidePart(("guide.last",), (), _LASTS),)),
        Section(
            "scoring",
            (
                GuidePart("", (("guide.control",), ("guide.points",), ("guide.wins",)), _DISAPPOINTED),
                GuidePart("", (), _SCORED),
            ),
        ),
        Section("cases", (GuidePart(("guide.crisis",), (), _IS_FULL), GuidePart(("guide.runs_out",)))),
        Section("open", (GuidePart(("guide.dead_end",)),)),
    ),
    {"players": 3},
)
