"""The guided first game of Jogo de Cartas. Its steps teach leading, answering, passing, each kind of combination, kings, and
the end.
"""

from typing import Any, Final

from ludoteca.core.guide import LessonStep

PARAMETERS: Final[dict[str, Any]] = {}

_OTHERS: Final = "2♦3♠4♥9♦10♣Q♦/3♥4♦5♣6♠8♠C♦/A♣3♦9♠10♥C♣"
_SINGLES: Final = f"A♠2♥3♣8♣Q♥/{_OTHERS}"
_COMBINATIONS: Final = f"3♣5♠5♥6♥6♦7♥7♣8♦/{_OTHERS}"
_FOURS: Final = "2♣7♠7♥7♦7♣J♠/2♦3♠4♥9♦/3♥4♦5♣6♠/A♣3♦9♠10♥"

STEPS: Final[tuple[LessonStep, ...]] = (
    LessonStep(("lesson.aim",), f"{_SINGLES} - 0 1", ("lesson.play", "A♠"), ("A♠",), ("lesson.led",)),
    LessonStep(
        ("lesson.higher",),
        f"{_SINGLES} 8♦ 0 1",
        ("lesson.play", "8♣"),
        ("8♣",),
        ("lesson.higher.done",),
        ("lesson.higher.else",),
    ),
    LessonStep(("lesson.nothing",), f"{_SINGLES} K♠ 0 1", ("lesson.pass",), ("PASSO",), ("lesson.passed",)),
    LessonStep(("lesson.again",), f"{_COMBINATIONS} - 0 1", ("lesson.play", "3♣"), ("3♣",), ("lesson.kinds",)),
    LessonStep(("lesson.set",), f"{_COMBINATIONS} - 0 1", ("lesson.play", "7♥ 7♣"), ("7♥7♣",), ("lesson.pair",)),
    LessonStep(
        ("lesson.run",), f"{_COMBINATIONS} - 0 1", ("lesson.play", "5♠ 6♥ 7♥ 8♦"), ("5♠6♥7♥8♦",), ("lesson.sequence",)
    ),
    LessonStep(
        ("lesson.pairs",),
        f"{_COMBINATIONS} - 0 1",
        ("lesson.play", "5♠ 5♥ 6♥ 6♦ 7♥ 7♣"),
        ("5♠5♥6♥6♦7♥7♣",),
        ("lesson.double",),
    ),
    LessonStep(("lesson.king",), f"{_FOURS} K♥ 0 1", ("lesson.play", "7♠ 7♥ 7♦ 7♣"), ("7♠7♥7♦7♣",), ("lesson.king.done",)),
    LessonStep(("lesson.last",), "K♠/A♠2♥/A♥/K♦ 5♠ 0 1", ("lesson.play", "K♠"), ("K♠",), ("lesson.won",)),
)
