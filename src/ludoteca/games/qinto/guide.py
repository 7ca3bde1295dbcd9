"""The rules of Q!nto with pictures: paragraphs, and positions that show what they say."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from ludoteca.core.messages import Message
from ludoteca.games.qinto.names import COPIES

SHARE: Final = 30
"""Tiles of each of two players."""


def position(grid: str, hand: str = "", turn: str = "1:choose") -> str:
    """A position of two players in Light: a grid as in notation, and what player 1 has of it in hand; the rest anywhere."""
    lying = grid.partition(":")[2].replace("/", "")
    used = Counter(lying[at : at + 2] for at in range(0, len(lying), 2)) + Counter(hand.split())
    rest = [name for name, number in COPIES.items() for _ in range(number - used[name])]
    rest = rest[::7] + [name for at, name in enumerate(rest) if at % 7]  # so that a hand is of several sorts
    mine = hand.split() or [rest.pop(0) for _ in range(5)]
    other, rest = rest[:5], rest[5:]
    piles = rest[: SHARE - 5], rest[SHARE - 5 :]
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

GUIDE: Final[Sequence[tuple[Message, str]]] = (
    (("guide.tiles",), position(FIVE_BY_FIVE)),
    (("guide.wilds",), position(WILDS)),
    (("guide.lines",), position(THREE)),
    (("guide.equal",), position(EQUAL)),
    (("guide.deal",), position("")),
    (("guide.turn",), ""),
    (("guide.add",), position(ADDED)),
    (("guide.qinto",), position(QINTO)),
    (("guide.swap",), position(SWAP, "3B 1W 2G 5Y 4b")),
    (("guide.pass",), ""),
    (("guide.end",), ""),
    (("guide.classic",), ""),
    (("guide.points",), position(POINTS)),
    (("guide.plus",), position(DIAGONAL)),
)
GUIDE_PARAMETERS: Final[dict[str, Any]] = {}
