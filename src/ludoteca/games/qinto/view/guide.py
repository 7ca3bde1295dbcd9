"""The page with the rules of Q!nto: texts, and positions that show them in pictures."""

from collections import Counter
from typing import Final

from ludoteca.core.guide import COMES, DONE, Guide, GuidePart, Mark, Picture, Section
from ludoteca.games.qinto.names import COPIES

SHARE: Final = 30
"""The number of tiles that each of two players gets in Light."""


def position(grid: str, hand: str = "", turn: str = "1:choose", *, common: bool = False) -> str:
    """Return a position of two players in notation, with this grid and this hand of player 1. The other tiles are put into
    the other hand and the piles in a fixed way, because their places do not matter.

    `common` is True for Classic and Plus, in which all players draw from one pile, and False for Light.
    """
    cells = grid.partition(":")[2].replace("/", "")
    used = Counter(cells[at : at + 2] for at in range(0, len(cells), 2)) + Counter(hand.split())
    rest = [name for name, number in COPIES.items() for _ in range(number - used[name])]
    rest = rest[::7] + [name for at, name in enumerate(rest) if at % 7]  # a hand has tiles of several kinds
    mine = hand.split() or [rest.pop(0) for _ in range(5)]
    other, rest = rest[:5], rest[5:]
    piles = [rest] if common else [rest[: SHARE - 5], rest[SHARE - 5 :]]
    hands = "/".join(",".join(names) for names in (mine, other))
    return f"{grid or '-'} {hands} {'/'.join(','.join(pile) or '-' for pile in piles)} - 0,0 0 {turn}"


FIVE_BY_FIVE: Final = "0,0:1b1B1G1R1Y/2b2B2G2R2Y/3b3B3G3R3Y/4b4B4G4R4Y/5b5B5G5R5Y"
WILDS: Final = "0,0:1W3W4W5WWW/WBWGWRWY.."
THREE: Final = "0,0:1R3R5R..../....5G..../....5B3Y1G"
EQUAL: Final = "0,0:3R3R..3Y/..3b4b5b"
ADDED: Final = "0,0:1Y1R1B1G/2Y2R2B2G"
QINTO: Final = "0,0:1b..../1G2G3G/1R..../1Y..../1B...."
SWAP: Final = "0,-1:..3Y..../1BWW2B5B/..3R...."
POINTS: Final = "0,0:2G2R/3G3R/4G4R"
DIAGONAL: Final = "0,0:1b1B../..2B2G/....3G"


def _shown(key: str, grid: str, around: tuple[str, ...], *marks: Mark, points: tuple[str, ...] = ()) -> GuidePart:
    """Return the part of the guide for a rule, with a picture of the grid that is cut to the tiles at the places
    `around`.
    """
    return _told(key, *points)._replace(picture=Picture(position(grid), (f"shown.{key}",), _tiles(*around), marks))


def _told(key: str, *points: str) -> GuidePart:
    """Return the part of the guide for a rule, with a list of its cases and no picture."""
    return GuidePart((f"guide.{key}",), tuple((f"guide.{point}",) for point in points))


def _tiles(*places: str) -> tuple[str, ...]:
    """Return the ids of the items that show the tiles at these places."""
    return tuple(f"tile/{place}" for place in places)


def _mark(*places: str, kind: str = COMES, text: str = "") -> Mark:
    return Mark(_tiles(*places), kind, text)


_SWAPS: Final = Picture(
    position(SWAP, "3B 1W 2G 5Y 4b"),
    ("shown.swap",),
    ("tile/0,0", "rack"),
    (Mark(("hand/3B",), DONE), Mark(("tile/1,0",), COMES)),
)

GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section(
            "setup",
            (
                _shown("tiles", FIVE_BY_FIVE, ("0,0", "4,4"), _mark("4,0")),
                _shown("wilds", WILDS, ("0,0", "0,4", "1,3"), _mark("0,3")),
                _told("deal", "grid", "first"),
            ),
        ),
        Section(
            "lines",
            (
                _shown(
                    "lines",
                    THREE,
                    ("0,0", "2,4"),
                    _mark("0,0", "0,1", "0,2"),
                    _mark("0,2", "1,2", "2,2", kind=DONE),
                    _mark("2,2", "2,3", "2,4"),
                ),
                _shown("equal", EQUAL, ("0,0", "1,3"), _mark("0,0", "0,1")),
            ),
        ),
        Section(
            "turn",
            (
                _told("turn"),
                _told("touch")._replace(on_page=True),
                _shown("add", ADDED, ("0,0", "1,3"), _mark("1,0", "1,1", kind=DONE), _mark("1,3", kind=DONE)),
                _shown("qinto", QINTO, ("0,0", "4,0", "1,2"), _mark(*(f"{row},0" for row in range(5)))),
                _told("swap", "swap_fits", "swap_again", "swap_never")._replace(picture=_SWAPS),
                _told("pass", "pass_draw", "pass_seen"),
                _told("refill"),
            ),
        ),
        Section("end", (_told("end"), _told("rounds"))),
        Section(
            "variants",
            (
                _told("classic", "classic_deal", "classic_qinto"),
                _shown(
                    "points",
                    POINTS,
                    ("0,0", "2,1"),
                    _mark("2,0", "2,1", text="2"),
                    _mark("0,1", "1,1", "2,1", text="3"),
                    _mark("2,1", kind=DONE),
                    points=("points_line", "points_qinto", "points_five", "points_last"),
                ),
                _told("most"),
                _shown("plus", DIAGONAL, ("0,0", "2,2"), _mark("0,0"), _mark("1,1"), _mark("2,2")),
            ),
        ),
        Section("open", (_told("open_variants"), _told("open_rounds"))),
    ),
)
