"""The guided first game of Okupació. Its steps teach taking a cell, which neighbours fall with it, and the end."""

from typing import Any, Final

from ludoteca.core.guide import LessonStep

PARAMETERS: Final[dict[str, Any]] = {"players": 3, "board": ".#..../....../....../...#../......"}


def _on(rows: str, mover: str = "A", armies: str = "0:2,0:1,0:0") -> str:
    return f"{rows} {mover} 9 {armies}"


STEPS: Final[tuple[LessonStep, ...]] = (
    LessonStep(("lesson.aim",), _on(".#..../....../....../...#../......"), ("lesson.any",), (), ("lesson.any.done",)),
    LessonStep(
        ("lesson.one",), _on("B#..../....../....../...#../......"), ("lesson.take", "ba"), ("ba",), ("lesson.one.done",)
    ),
    LessonStep(
        ("lesson.two",), _on(".#..../....../....../...#../BA...."), ("lesson.take", "da"), ("da",), ("lesson.two.done",)
    ),
    LessonStep(
        ("lesson.free",), _on(".#..../....../....../A..#../......"), ("lesson.take", "cb"), ("cb",), ("lesson.free.done",)
    ),
    LessonStep(
        ("lesson.held",), _on(".#..../.....A/.....B/...#../......"), ("lesson.take", "ce"), ("ce",), ("lesson.held.done",)
    ),
    LessonStep(
        ("lesson.four",), _on(".#..../..A.../.A..../...#../......"), ("lesson.take", "cd"), ("cd",), ("lesson.four.done",)
    ),
    LessonStep(
        ("lesson.safe",), _on(".#..../..A.../.AB.../..B#../......"), ("lesson.take", "cd"), ("cd",), ("lesson.safe.done",)
    ),
    LessonStep(
        ("lesson.open",), _on(".#..../..A.../.AB.../..C#../......"), ("lesson.take", "cd"), ("cd",), ("lesson.open.done",)
    ),
    LessonStep(
        ("lesson.only",),
        _on("B#..../.....A/.....B/...#../BA...."),
        ("lesson.best",),
        ("da", "ba"),
        ("lesson.won",),
        ("lesson.best.else",),
        marked=False,
    ),
    LessonStep(("lesson.end",), _on("A#BBBB/AABBBB/AACCCB/AAC#CB/AACCCC", "-", "1:2,2:1,1:0")),
)
