"""The page with the rules of Metro: texts, and positions that show them in pictures."""

from typing import Final

from ludoteca.core.guide import COMES, DONE, Guide, GuidePart, Mark, Picture, Section

_TO_COME: Final = "0123456789abcdef"
_ROWS: Final = "8/8/8/3,*,*,3/3,*,*,3/8/8/8"
_UNDER_WAY: Final = (
    "2,9R0,3R0,4/3,10R0,7R3,8R0,5R1,10R0/10R0,1R0,2R2,5R3,4/6R0,3R1,1R0,*,*,2,6R0/"
    "2R1,10R0,10R0,*,*,1,5R1,4R1/7,3R1/5R1,1,5R2,8R0,1,9R0,2/1,4R0,1,8R0,4R0,2R3,1,9R0"
)
_FINISHED: Final = (
    "8R0,6R0,9R0,3R0,4R0,4R0,3R0,8R1/7R2,3R2,10R0,10R0,7R3,8R0,5R1,10R0/10R0,1R0,2R2,5R3,9R0,4R1,9R0,10R0/"
    "6R0,3R1,1R0,*,*,10R0,8R0,6R0/2R1,10R0,10R0,*,*,10R0,5R1,4R1/9R0,5R1,9R0,6R0,7R2,4R1,3R0,3R1/"
    "5R1,9R0,5R2,8R0,5R2,9R0,8R1,3R3/1,4R0,10R0,8R0,4R0,2R3,6R0,9R0"
)
_ALL_KINDS: Final = "3,9R0,4/1,1R0,2R0,3R0,4R0,5R0,2/1,6R0,7R0,8R0,10R0,3/3,*,*,3/3,*,*,3/8/8/8"
_EXAMPLE: Final = "1,5R0,6R0,5/1,7R2,2R1,5/9R0,3R2,6/3,*,*,3/3,*,*,3/8/8/8"
_TO_THE_CENTRE: Final = "4,9R0,3/4,9R0,3/4,9R0,3/3,*,*,3/3,*,*,3/8/8/8"

UNDER_WAY: Final = f"{_UNDER_WAY} 1 8 {_TO_COME}"
ALL_KINDS: Final = f"{_ALL_KINDS} 1 2 {_TO_COME}"
SHORT: Final = f"9R0,7/{_ROWS.partition('/')[2]} 1 4 {_TO_COME}"
PATHS: Final = f"{_EXAMPLE} 1 5 {_TO_COME}"
TO_THE_CENTRE: Final = f"{_TO_THE_CENTRE} 1 3 {_TO_COME}"
FINISHED: Final = f"{_FINISHED} - 6 {_TO_COME}"

GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section(
            "setup",
            (
                GuidePart(
                    ("guide.board",),
                    (("guide.homes",), ("guide.centre_spaces",)),
                    Picture(f"{_ROWS} 1 7 {_TO_COME}", ("shown.board",), (), (Mark(("space-3-2",)), Mark(("centre",)))),
                ),
                GuidePart(
                    ("guide.tiles",),
                    (),
                    Picture(ALL_KINDS, ("shown.tiles",), ("tile-4-1", "tile-2-2", "tile-6-2", "tile-2-3"), margin=0.2),
                ),
                GuidePart(("guide.kinds",)),
            ),
        ),
        Section(
            "turn",
            (
                GuidePart(
                    ("guide.place",),
                    (),
                    Picture(
                        PATHS,
                        ("shown.place",),
                        ("tile-1-3", "tile-3-1", "train-5", "space-5-3", "centre"),
                        (Mark(("space-4-1",), DONE), Mark(("space-3-3",), DONE), Mark(("space-5-3",))),
                    ),
                ),
                GuidePart(
                    ("guide.short",),
                    (),
                    Picture(
                        SHORT,
                        ("shown.short",),
                        ("tile-1-1", "space-4-1", "space-4-2", "train-8", "train-5"),
                        (Mark(("tile-1-1",), DONE), Mark(("space-4-1", "train-5"))),
                    ),
                ),
            ),
        ),
        Section(
            "scoring",
            (
                GuidePart(
                    ("guide.path",),
                    (),
                    Picture(
                        PATHS,
                        ("shown.path",),
                        ("tile-1-3", "tile-3-1", "tile-3-2", "train-6", "train-7", "train-11"),
                        (Mark(("train-7",), COMES), Mark(("train-6",), COMES), Mark(("train-11",))),
                    ),
                ),
                GuidePart(
                    ("guide.centre",),
                    (),
                    Picture(
                        TO_THE_CENTRE, ("shown.centre",), ("tile-5-1", "centre", "home-4"), (Mark(("train-4",), COMES),)
                    ),
                ),
            ),
        ),
        Section("alone", (GuidePart(("guide.alone",), (("guide.alone_end",), ("guide.stack",))),)),
        Section(
            "several",
            (
                GuidePart(
                    ("guide.owners",),
                    (("guide.nobodys",), ("guide.owner_scores",), ("guide.printed",), ("guide.decline",), ("guide.last",)),
                ),
                GuidePart(("guide.end",)),
                GuidePart(("guide.most",)),
            ),
        ),
        Section("open", (GuidePart("", (("guide.open_draw",), ("guide.open_side",), ("guide.open_small",))),)),
    ),
    {"players": 1},
)
