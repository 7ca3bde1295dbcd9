"""The guided first game of Duel. It shows each position as the player to move sees it."""

from typing import Any, Final

from ludoteca.core.guide import LessonStep

PARAMETERS: Final[dict[str, Any]] = {}

_LEAD: Final = "6 0 34,12 0,0 2,2 0,0 0 -1 0,0 0 0"
_HIGH: Final = "6 0 34,4 0,0 2,1 0,0 8 3 0,0 0 0"
_FACE_DOWN: Final = "6 0 34,4 0,8 2,1 0,1 0 -2 0,0 0 0"
_LAST: Final = "6 0 16,0 0,0 1,0 0,0 14 3 1,0 0 0"
_END: Final = "6 0 0,0 0,0 0,0 0,0 30 -1 2,0 -4 0"

STEPS: Final[tuple[LessonStep, ...]] = (
    LessonStep(("guide.tricks",), _LEAD, ("task.lead",), (), ("guide.end",)),
    LessonStep(("guide.tricks",), _LEAD, ("lesson.play", 5), ("5",), ("lesson.led",)),
    LessonStep(("guide.tricks",), _HIGH, ("lesson.play", 5), ("5",), ("lesson.took",)),
    LessonStep(("guide.down",), _HIGH, ("lesson.down", 1), ("1?",), ("lesson.kept",)),
    LessonStep(("guide.down",), _FACE_DOWN, ("lesson.play", 1), ("1",), ("lesson.took",)),
    LessonStep(("guide.tricks",), _HIGH, ("lesson.take",), ("5",), ("lesson.took",), marked=False),
    LessonStep(("guide.end",), _LAST, ("lesson.play", 4), ("4",), ("lesson.took",)),
    LessonStep(("guide.end",), _END),
)
