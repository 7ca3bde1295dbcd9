"""The guided first game of Q!nto. Its steps teach lines, a turn, a Q!nto, wilds, putting tiles under the pile, the last
tile, and the points of Classic.
"""

from typing import Any, Final

from ludoteca.core.guide import LessonStep
from ludoteca.core.messages import PICTURE, Message
from ludoteca.games.qinto.view.guide import SWAP, position
from ludoteca.games.qinto.view.seats import SPRITE, TILE

PARAMETERS: Final[dict[str, Any]] = {}

_FIRST: Final = ("1R", "2G", "3Y", "4b", "5B")
_UNFIT: Final = ("lesson.unfit",)
_ROW: Final = "0,0:1Y1R1B1G"
_AWAY: Final = ("2b", "2R", "3G", "4Y", "5G")
_LAST: Final = (
    "-3,-3:1b4b3b......5G5Y/1Y1B..1W1B1R1Y../..5R5b5B5Y5G..../....4Y4b4W4B4R../....2G2R2b2Y..../....3R3W3G3b.... "
    "3G/2B,2R,3B,5W,WW -/1R,2B,4Y,1G,5R,5b,1G,3Y,4G,2G,1b,WG,4R,4B,WW,3R,3Y,2b,WY,5B,WB,WR,2Y,3B,4G - 0,0 1 1:choose"
)
"""A position of a game in which the other player only passed, so few tiles are on the grid."""


def _tile(name: str) -> Message:
    return PICTURE, TILE[name], SPRITE[name], 0, ""


def _cell(name: str) -> Message:
    """Return the name of a cell as a message. Only players who have chosen to see codes see it."""
    return PICTURE, ("lesson.cell", name), "", 0, ""


def _add(name: str, cell: str) -> tuple[Message, tuple[str, ...]]:
    """Return the task to add a tile on a cell, and the action that solves it."""
    return ("lesson.add", _tile(name), _cell(cell)), (f"+{name}@{cell}",)


STEPS: Final[tuple[LessonStep, ...]] = (
    LessonStep(
        ("lesson.aim",),
        position("", " ".join(_FIRST)),
        ("lesson.first",),
        tuple(f"+{name}@0,0" for name in _FIRST),
        ("lesson.first.done",),
    ),
    LessonStep(
        ("lesson.line",),
        position("0,0:1R3R", "5R 2G 4b 5Y 2Y"),
        *_add("5R", "0,2"),
        ("lesson.line.done",),
        ("lesson.line.else",),
        _UNFIT,
    ),
    LessonStep(
        ("lesson.different",),
        position("0,0:5B3Y", "1G 3G 1Y 5b 4B"),
        ("lesson.find",),
        ("+1G@0,2", "+1G@0,-1"),
        ("lesson.different.done", _tile("3G")),
        ("lesson.find.else",),
        _UNFIT,
        marked=False,
    ),
    LessonStep(
        ("lesson.crossing",),
        position("0,0:3R3G../..5G5Y/....1Y", "3Y 3B 4Y 2G 1b"),
        *_add("3Y", "0,2"),
        ("lesson.crossing.done",),
        unfit=_UNFIT,
    ),
    LessonStep(("lesson.more",), position(f"{_ROW}/....2B", "2R 2G 4b 5R 3Y"), *_add("2R", "1,1"), ("lesson.more.done",)),
    LessonStep(
        ("lesson.on",),
        position(f"{_ROW}/..2R2B", "2G 4b 5R 3Y", "1:add@1,1:1"),
        *_add("2G", "1,3"),
        ("lesson.on.done",),
        unfit=_UNFIT,
    ),
    LessonStep(
        ("lesson.end",),
        position(f"{_ROW}/..2R2B2G", "4b 5R 3Y", "1:row@1,1:2"),
        ("lesson.press", ("button.end",)),
        ("end",),
        ("lesson.end.done",),
    ),
    LessonStep(
        ("lesson.qinto", _tile("WB")),
        position("0,0:1B3B4B5B", "WB 3R 2G 5Y 4b"),
        *_add("WB", "0,4"),
        ("lesson.qinto.done",),
        unfit=_UNFIT,
    ),
    LessonStep(
        ("lesson.swap", _tile("WW")),
        position(SWAP, "3B 1W 2G 5Y 4b"),
        ("lesson.swap.asked", _tile("3B"), _tile("WW")),
        ("~3B@1,0",),
        ("lesson.swap.done", _tile("WW")),
        unfit=_UNFIT,
    ),
    LessonStep(
        ("lesson.pass",),
        position("0,0:1R3R5R", " ".join(_AWAY)),
        ("lesson.away",),
        tuple(f"-{name}" for name in _AWAY),
        ("lesson.pass.done", ("button.end",), ("button.pass",)),
        unfit=_UNFIT,
    ),
    LessonStep(
        ("lesson.last",),
        _LAST,
        ("lesson.anywhere",),
        ("+3G@-4,-2", "+3G@-4,-1", "+3G@-4,4"),
        ("lesson.last.done",),
        ("lesson.keep",),
        _UNFIT,
        marked=False,
    ),
    LessonStep(
        ("lesson.classic",),
        position("0,0:2G2R/3G3R/4G", "4R 1b 5Y 3B 2b", common=True),
        ("lesson.score", _tile("4R"), _cell("2,1")),
        ("+4R@2,1",),
        ("lesson.score.done",),
        unfit=_UNFIT,
        parameters={"variant": "classic"},
    ),
)
