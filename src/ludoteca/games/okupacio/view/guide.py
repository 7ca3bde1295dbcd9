"""The page with the rules of Okupació: texts, and positions that show them in pictures."""

from typing import Final

from ludoteca.core.guide import COMES, DONE, NOTED, Guide, GuidePart, Mark, Picture, Section
from ludoteca.core.messages import Message

WALLS: Final = ".#..../....../....../...#../......"
"""The board of the guide. It has cells with one, two, three and four neighbours."""


def _on(rows: str, mover: str = "A", armies: str = "0:2,0:1,0:0") -> str:
    return f"{rows} {mover} 9 {armies}"


def _falls(key: str, rows: str, marks: tuple[Mark, ...], around: tuple[str, ...], shown: str = "") -> GuidePart:
    """Return a rule about a neighbour of the played cell, with an example. If `shown` is given, return only that example."""
    told: Message = "" if shown else (f"guide.{key}",)
    return GuidePart(told, (), Picture(_on(rows), (f"shown.{shown or key}",), around, marks))


def _mark(cell: str, kind: str = NOTED) -> Mark:
    """Return a mark on a cell, labelled with the cell's name."""
    return Mark((cell,), kind, cell)


_NUMBERED: Final = tuple(Mark((cell,), text=str(number)) for number, cell in enumerate(("aa", "ea", "cf", "cc"), 1))
_END: Final = _on("A#BBBB/AABBBB/AACCCB/AAC#CB/AACCCC", "-", "1:2,2:1,1:0")
_MIDDLE: Final = ("bb", "dd")

GUIDE: Final = Guide(
    ("guide.aim",),
    (
        Section("setup", (GuidePart(("guide.setup",)),)),
        Section("turn", (GuidePart(("guide.turn",)), GuidePart(("guide.give_up",)))),
        Section(
            "falls",
            (
                GuidePart(("guide.neighbours",), (), Picture(_on(WALLS), ("shown.neighbours",), (), _NUMBERED)),
                _falls("one", "A#..../A...../....../...#../......", (_mark("ba", DONE), _mark("aa", COMES)), ("aa", "bb")),
                _falls("two", ".#..../....../....../...#../BA....", (_mark("da", DONE), _mark("ea", COMES)), ("da", "eb")),
                _falls("three", ".#..../.....A/.....B/A..#../......", (_mark("cb", DONE), _mark("ca", COMES)), ("ba", "db")),
                _falls(
                    "three",
                    ".#..../.....A/.....B/A..#../......",
                    (_mark("ce", DONE), _mark("cf", NOTED)),
                    ("be", "df"),
                    "three_other",
                ),
                _falls("four", ".#..../..A.../.A..../...#../......", (_mark("cd", DONE), _mark("cc", COMES)), _MIDDLE),
                _falls(
                    "four_safe",
                    ".#..../..A.../.AB.../..B#../......",
                    (_mark("cd", DONE), _mark("cc", NOTED), _mark("dc")),
                    _MIDDLE,
                ),
                _falls(
                    "four_falls",
                    ".#..../..A.../.AB.../..C#../......",
                    (_mark("cd", DONE), _mark("cc", COMES), _mark("dc")),
                    _MIDDLE,
                ),
                GuidePart(("guide.no_more",)),
            ),
        ),
        Section(
            "end",
            (
                GuidePart(("guide.end",), (("guide.first",), ("guide.second",), ("guide.third",))),
                GuidePart("", (), Picture(_END, ("shown.end",))),
            ),
        ),
        Section(
            "cases",
            (
                GuidePart(
                    ("guide.lines",),
                    (),
                    Picture(_END, ("shown.lines",), ("column-a", "ea", "eb"), (Mark(("aa", "ea")),)),
                ),
            ),
        ),
    ),
    {"players": 3, "board": WALLS},
)
