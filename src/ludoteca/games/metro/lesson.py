"""The guided first game of Metro, played alone: where tiles may lie, how they are turned, what trains score."""

from typing import Any, Final

from ludoteca.core.lessons import Step
from ludoteca.games.metro.scene import GUIDE

PARAMETERS: Final[dict[str, Any]] = {"players": 1}

_TO_COME: Final = "0123456789abcdef"
_BELOW: Final = "3,*,*,3/3,*,*,3/8/8/8"
_EMPTY: Final = f"8/8/8/{_BELOW} 1 9 {_TO_COME}"
_TO_TURN: Final = f"3,9R0,4/8/8/{_BELOW} 1 7 {_TO_COME}"
_TWO: Final = f"4,9R0,3/4,9R0,3/8/{_BELOW} 1 9 {_TO_COME}"
_SHOWN: Final = {told[0]: position for told, position in GUIDE if isinstance(told, tuple)}

STEPS: Final[tuple[Step, ...]] = (
    Step(("guide.aim",), _SHOWN["guide.aim"]),
    Step(("guide.place",), _EMPTY, ("lesson.place", 4, 1), ("4 1 R0",), ("lesson.placed",)),
    Step(("guide.tiles",), _SHOWN["guide.tiles"]),
    Step(("lesson.turns",), _TO_TURN, ("lesson.turn", 5, 1), ("5 1 R0", "5 1 R1", "5 1 R2", "5 1 R3"), ("lesson.turned",)),
    Step(("guide.short",), _SHOWN["guide.short"], ("lesson.turn", 2, 1), ("2 1 R0",), ("lesson.turned",)),
    Step(("guide.path",), _SHOWN["guide.path"]),
    Step(("lesson.near",), _TWO, ("lesson.place", 5, 3), ("5 3 R0",), ("guide.centre",)),
    Step(("guide.alone",), _SHOWN["guide.alone"]),
)
