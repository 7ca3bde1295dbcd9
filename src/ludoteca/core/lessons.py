"""A guided first game: positions in which somebody who has never played is told what to do, and does it.

A game's `lesson.py` has `PARAMETERS` and `STEPS`. Pages show each step's position, let the player answer, and show what
comes of it; all of that is worked out by the rules, so a step that is not possible is an error (`testing/lessons.py`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ludoteca.core.messages import Message


class LessonStep(NamedTuple):
    """A step of a lesson."""

    told: Message
    """What it explains."""
    position: str
    """The position, in the game's notation; it is seen by the player to move."""
    asked: Message = ""
    """What is to be done; empty where there is nothing to do but to read."""
    answers: tuple[str, ...] = ()
    """The moves in notation that do it; empty, where something is asked, for any legal action."""
    then: Message = ""
    """What is said when it was done."""
    otherwise: Message = ""
    """What is said of another legal action; empty for what pages say of any."""
    unfit: Message = ""
    """What is said of touches that are no legal action; empty for the reason of the rules."""
    parameters: Mapping[str, Any] = {}
    """Those that are others here than in PARAMETERS."""
    marked: bool = True
    """True where the answers are marked on the board; False where the player is to find one."""
