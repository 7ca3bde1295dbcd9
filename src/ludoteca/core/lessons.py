"""A guided first game: positions in which a new player gets a task and carries it out.

A game's `lesson.py` has `PARAMETERS` and `STEPS`. Pages show each step's position, let the player answer, and show the
result. The rules compute all of this, so a step that is not possible is an error (`testing/lessons.py`).
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ludoteca.core.messages import Message


class LessonStep(NamedTuple):
    """A step of a lesson."""

    told: Message
    """The explanation."""
    position: str
    """The position in the game's notation, seen by the player to move."""
    asked: Message = ""
    """The task. Empty if the player only reads."""
    answers: tuple[str, ...] = ()
    """The moves in notation that solve the task. If empty, any legal action solves it."""
    then: Message = ""
    """The text after a right answer."""
    otherwise: Message = ""
    """The text after another legal action. Empty for the usual text of pages."""
    unfit: Message = ""
    """The text after touches that are not a legal action. Empty for the reason of the rules."""
    parameters: Mapping[str, Any] = {}
    """The parameters that differ from PARAMETERS."""
    marked: bool = True
    """True if the answers are marked on the board. False if the player has to find one."""
