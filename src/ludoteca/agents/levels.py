"""What the agents that people choose from do, a line each, as messages of this package's catalogue."""

from ludoteca.agents.agent import LEVELS, NAMES, SIMPLE
from ludoteca.core.messages import Message


def deeds() -> dict[str, Message]:
    """What each agent does, by its name."""
    return {name: _deed(name) for name in NAMES}


def _deed(name: str) -> Message:
    if name in SIMPLE:
        return (f"does.{name}",)
    level = LEVELS[name]
    if level.budget.simulations is None:
        return "does.seconds", f"{level.budget.seconds:g}"
    if level.careless:
        return "does.careless", round(10 * level.careless), level.budget.simulations
    return "does.simulations", level.budget.simulations
