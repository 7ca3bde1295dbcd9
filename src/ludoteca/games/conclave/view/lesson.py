"""The guided first game of Conclave. Its steps teach sending a card, a crisis, drawing, ceding, keeping followers, and the
end.
"""

from typing import Any, Final

from ludoteca.core.guide import LessonStep

PARAMETERS: Final[dict[str, Any]] = {"players": 3}

_BOARD: Final = "b1s,p4c,v2c,o2g/r4s,-,v4c,o3g/t2g,-,-,p3g/r2c,b3g,t1s,-"
_OWN: Final = "v5s,b5g,r1s,t4c"
_OTHERS: Final = "p1c,o1s,t3c,v1g/b2c,r3g,o4s,p5c"
_PILES: Final = "b4s,t5g,o5c,r1c,v3s,p2c b5s,p2s,r5g,t2c,b5c,v1c"
_START: Final = f"{_BOARD} {_OWN}/{_OTHERS} -/-/- {_PILES} 1:send"
_CRISIS: Final = (
    f"p4c,r4s,v2g,o3g/b1g,o2s,-,p3c/t2g,v4c,r2s,p2g/r2c,b3g,b2g,t4s t1c,b5g,r1s,v5s/{_OTHERS} -/r4c/b4g {_PILES} 1:send"
)
_SENT: Final = f"b1s,p4c,v2c,o2g/-,v5s,-,o3g/t2g,-,-,p3g/r2c,b3g,t1s,- -,b5g,r1s,t4c/{_OTHERS} r4s,v4c/-/- {_PILES} 1:draw"
_BEATEN: Final = f"{_BOARD} {_OWN}/{_OTHERS} b4c,o3s,o1c/r4c,o5g/v3g,b4g {_PILES} 1:cede"
_CONTROLLED: Final = f"{_BOARD} {_OWN}/{_OTHERS} b4c,o3s,o1c/r4c/v3g {_PILES} 1:cede"
_LAST: Final = f"{_BOARD} {_OWN}/-,o1s,t3c,v1g/-,r3g,o4s,p5c b4c,o3s/r4c,o5g,b4s/v3g,p2s - - 1:send"
_END: Final = (
    "-,p4c,v2c,-/r4s,-,v4c,o3g/t2g,-,-,p3g/-,b3g,t1s,- -,-,-,-/-,-,-,-/-,-,-,- "
    "b4c,o3s,p2c,r3g,v1g/b1s,o5g,p5c,p1c,r5g,t4c,v5s/b5g,t3c,t1c - - -"
)

STEPS: Final[tuple[LessonStep, ...]] = (
    LessonStep(("lesson.aim",), _START, ("lesson.any",), (), ("lesson.any.done",)),
    LessonStep(("lesson.listen",), _START, ("lesson.row",), ("0:11",), ("lesson.row.done",)),
    LessonStep(("lesson.gap",), _START, ("lesson.beside",), ("0:21",), ("lesson.gap.done",)),
    LessonStep(
        ("lesson.best",), _START, ("task.send",), ("1:33",), ("lesson.best.done",), ("lesson.best.else",), marked=False
    ),
    LessonStep(("lesson.full",), _CRISIS, ("lesson.crisis",), ("0:12",), ("lesson.crisis.done",)),
    LessonStep(("lesson.draw",), _SENT, ("task.draw",), (), ("lesson.draw.done",)),
    LessonStep(("lesson.points",), _BEATEN, ("lesson.cede",), ("o>3",), ("lesson.cede.done",)),
    LessonStep(("lesson.controlled",), _CONTROLLED, ("lesson.nothing",), ("keep",), ("lesson.nothing.done",)),
    LessonStep(("lesson.last",), _LAST, ("task.send",), (), ("lesson.last.done",)),
    LessonStep(("lesson.end",), _END),
)
