"""The rules of Conclave, with positions that show them."""

from typing import Final

from ludoteca.core.guide import COMES, DONE, Guide, Mark, Part, Picture, Section

_BOARD: Final = "b1s,p4c,v2c,o2g/r4s,-,v4c,o3g/t2g,-,-,p3g/r2c,b3g,t1s,-"
_BEA: Final = "p1c,o1s,t3c,v1g"
_CARLA: Final = "b2c,r3g,o4s,p5c"
_PILES: Final = "b4s,t5g,o5c,r1c,v3s,p2c b5s,p2s,r5g,t2c,b5c,v1c"
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

_HOLES: Final = ("cell-5", "cell-9", "cell-10", "cell-15")
_STARTS: Final = Picture(
    START, ("shown.3",), ("b1s", "cell-15", "pile-0", "pile-1"), tuple(Mark((hole,)) for hole in _HOLES)
)
_CEDES: Final = Picture(
    CESSION,
    ("shown.5",),
    ("zone-0-o", "zone-0-b", "zone-0-v", "zone-1-o", "zone-2-o"),
    (Mark(("zone-0-o",), DONE), Mark(("zone-2-o",), COMES), Mark(("zone-1-o",))),
)
_SENDS: Final = Picture(
    START,
    ("guide.7",),
    ("b1s", "o2g", "t2g", "v5s"),
    (
        Mark(("r4s", "o3g"), text="16"),
        Mark(("p4c", "cell-5"), text="9"),
        Mark(("cell-5",), DONE),
        Mark(("r4s",), COMES),
        Mark(("v4c",), COMES),
        Mark(("v5s",), DONE),
    ),
)
_TAKEN: Final = ("v2g", "b1g", "o2s", "b2g", "r2s")
_IS_FULL: Final = Picture(
    CRISIS,
    ("shown.8",),
    ("p4c", "t4s", "t1c"),
    (Mark(("t1c",), DONE), Mark(("cell-6",), DONE), *(Mark((card,), COMES) for card in _TAKEN)),
)
_SCORED: Final = Picture(
    END,
    ("shown.11",),
    ("zone-0-b", "zone-0-v", "zone-1-b", "zone-2-b", "zone-2-v", "points-0", "points-1", "points-2"),
    (Mark(("points-0",)), Mark(("points-1",)), Mark(("points-2",), COMES)),
)

GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section("setup", (Part(("guide.1",)), Part(("guide.2",)), Part(("guide.3",), (), _STARTS))),
        Section(
            "turn",
            (
                Part(("guide.4",)),
                Part(("guide.5",), (), _CEDES),
                Part(("guide.6",), (), _SENDS),
                Part(("guide.9",)),
                Part(("guide.touch",), on_page=True),
            ),
        ),
        Section("end", (Part(("guide.10",)),)),
        Section("scoring", (Part(("guide.11",), (), _SCORED),)),
        Section("cases", (Part(("guide.8",), (), _IS_FULL), Part(("guide.12",)))),
    ),
    {"players": 3},
)
