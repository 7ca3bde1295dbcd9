"""The guided first game of Metro, for one player. Its steps teach the places of tiles, their rotations, and the points of
trains.
"""

from typing import Any, Final

from ludoteca.core.guide import LessonStep

PARAMETERS: Final[dict[str, Any]] = {"players": 1}

_UNFIT: Final = ("lesson.unfit",)
_TO_COME: Final = "0123456789abcdef"
_BELOW: Final = "3,*,*,3/3,*,*,3/8/8/8"


def _on(upper: str, tile: int) -> str:
    """Return a position in notation with these three upper rows, empty rows below them, and this tile to be placed."""
    return f"{upper}/{_BELOW} 1 {tile} {_TO_COME}"


_HALF: Final = (
    "2,9R0,3R0,4/3,10R0,7R3,8R0,5R1,10R0/10R0,1R0,2R2,5R3,4/6R0,3R1,1R0,*,*,2,6R0/2R1,10R0,10R0,*,*,1,5R1,4R1/7,3R1/"
    f"5R1,1,5R2,8R0,1,9R0,2/1,4R0,1,8R0,4R0,2R3,1,9R0 1 1 {_TO_COME}"
)
_FULL: Final = (
    "8R0,6R0,9R0,3R0,4R0,4R0,3R0,8R1/7R2,3R2,10R0,10R0,7R3,8R0,5R1,10R0/10R0,1R0,2R2,5R3,9R0,4R1,9R0,10R0/"
    "6R0,3R1,1R0,*,*,10R0,8R0,6R0/2R1,10R0,10R0,*,*,10R0,5R1,4R1/9R0,5R1,9R0,6R0,7R2,4R1,3R0,3R1/"
    "5R1,9R0,5R2,8R0,5R2,9R0,8R1,3R3/1,4R0,10R0,8R0,4R0,2R3,6R0,9R0"
    f" - 6 {_TO_COME}"
)

STEPS: Final[tuple[LessonStep, ...]] = (
    LessonStep(("lesson.aim",), _on("8/8/8", 9), ("lesson.place", 4, 1), ("4 1 R0",), ("lesson.placed",)),
    LessonStep(("lesson.beside",), _on("3,9R0,4/8/8", 9), ("lesson.place", 4, 2), ("4 2 R0",), ("lesson.beside.done",)),
    LessonStep(
        ("lesson.turns",),
        _on("3,9R0,4/8/8", 7),
        ("lesson.turn", 5, 1),
        ("5 1 R0", "5 1 R1", "5 1 R2", "5 1 R3"),
        ("lesson.turned",),
    ),
    LessonStep(
        ("lesson.arrive",), _on("9R0,7/8/8", 4), ("lesson.back", 2, 1), ("2 1 R0",), ("lesson.arrive.done",), unfit=_UNFIT
    ),
    LessonStep(("lesson.short",), _on("8/8/8", 4), ("lesson.dot",), (), ("lesson.dot.done",), unfit=_UNFIT),
    LessonStep(
        ("lesson.near",),
        _on("4,9R0,3/4,9R0,3/8", 9),
        ("lesson.place", 5, 3),
        ("5 3 R0",),
        ("lesson.centre.done",),
    ),
    LessonStep(
        ("lesson.most",),
        _HALF,
        ("lesson.most.asked",),
        ("7 6 R0",),
        ("lesson.most.done",),
        ("lesson.most.else",),
        marked=False,
    ),
    LessonStep(("lesson.end",), _FULL),
)
