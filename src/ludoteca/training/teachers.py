"""The choice of a teacher for a training: of values, or of policies."""

from typing import TypeAlias

from ludoteca.core.registry import find
from ludoteca.training.lessons import Teacher
from ludoteca.training.policies import PolicyTeacher
from ludoteca.training.settings import Settings, learns_policy

AnyTeacher: TypeAlias = Teacher | PolicyTeacher


def new_teacher(settings: Settings, *, compiled: bool = True) -> AnyTeacher:
    """Return a teacher. Compile the game, or read it from the cache. Raises LudotecaError."""
    kind = PolicyTeacher if learns_policy(find(settings.game)) else Teacher
    return kind(settings, compiled=compiled)
